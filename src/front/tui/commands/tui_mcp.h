/* tui_mcp.h - the MCP servers: a list, and what can be done with one. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_MCP_H
#define AWL_FRONT_TUI_COMMANDS_TUI_MCP_H

#include <stdbool.h>

struct control_reply;
struct tui;

void tui_mcp_open(struct tui *t);
bool tui_mcp_on_reply(struct tui *t, const struct control_reply *reply);

/* Called by tui.c. */
void tui_mcp_init(struct tui *t);
void tui_mcp_stop(struct tui *t);
void tui_mcp_free(struct tui *t);

#endif

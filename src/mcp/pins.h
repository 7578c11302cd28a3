/* pins.h - how tools of servers were described when the user accepted them, kept across sessions.
 *
 * A server may describe a tool as harmless until it is allowed, and then otherwise: the description is what the model
 * obeys. So the first description that awl sees of a tool is pinned by its hash, and a call of a tool with another one
 * is a question again, whatever rules allow it.
 *
 * The file, awl/mcp-pins.json in the configuration directory, has an object per server, under its name and the hash of
 * its entry: a server that the user configures otherwise is another one. */
#ifndef AWL_MCP_PINS_H
#define AWL_MCP_PINS_H

#include "base/map.h"
#include "mcp/tools.h"

enum { MCP_PIN_HASH = 32 };

struct mcp_pin {
	char hash[MCP_PIN_HASH + 1]; /* hex, of description and schema */
	char *about;                 /* the beginning of the description */
};

/* The pins of one server: struct mcp_pin by the name of the tool, owned. */
struct mcp_pins {
	struct map map;
};

void mcp_pins_clear(struct mcp_pins *pins);
/* Reads those of a server, none if the file has none. A file that cannot be read is an error: nothing is known then. */
must_use bool mcp_pins_load(struct mcp_pins *pins, const char *file,
			    const struct mcp_config *server, struct err *err);
/* Writes them, on a worker, in turns with other processes. Copies everything. */
struct op *mcp_pins_save_start(struct loop *loop, const char *file, const struct mcp_pins *pins,
			       const struct mcp_config *server, struct then then);

/* The pin of a tool that is described otherwise now; NULL: it is new, or as it was. */
const struct mcp_pin *mcp_pins_differ(const struct mcp_pins *pins, const struct mcp_tool *tool);
/* Pins the tool as it is now; whether that changes anything. */
bool mcp_pins_put(struct mcp_pins *pins, const struct mcp_tool *tool);

#endif

/* tui_transcript.h - the whole conversation on the alternate screen (pager.h). */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_TRANSCRIPT_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_TRANSCRIPT_H

#include <stdbool.h>

#include "base/str.h"
#include "front/tui/view/pager.h"

struct key;
struct tui;

struct tui_transcript {
	bool is_open;    /* on the screen, or an agent in its place */
	struct str file; /* that is shown; empty: of this session */
	struct pager pager;
};

void tui_transcript_open(struct tui *t);
/* The same for the file of another session. */
void tui_transcript_open_file(struct tui *t, const char *path, const char *title);
void tui_transcript_close(struct tui *t);
void tui_transcript_key(struct tui *t, const struct key *key);
void tui_draw_transcript(struct tui *t);
/* Appends the path of the file that is shown, or else of the session's. */
void tui_transcript_find(const struct tui *t, struct str *path);

/* Called by tui.c. */
void tui_transcript_clear(struct tui *t);

#endif

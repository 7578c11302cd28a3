/* tui_internal.h - private to the files of the terminal front end.
 *
 * Each file has a header of its own. State that several files work on is in the structs of struct tui; state that
 * belongs to one file is behind a pointer that only this file can follow.
 *
 *   tui.c           the life of the front end: its parts, the start, the ways out
 *   tui_terminal.c  what is typed, the replies of the terminal and its signals
 *   tui_frame.c     when the screen is drawn, and the writing of finished rows
 *   tui_live.c      the state becomes the rows at the bottom
 *   tui_settings.c  what the user has configured about the screen and the keys
 *   tui_bindings.c  the keys of keybindings.json
 *   tui_notify.c    the title of the window, and notifications
 *   tui_leave.c     what is asked before the session ends
 *   tui_start.c     questions before the session begins; tui_first_run.c if no model is set up yet
 *   prompt/         from keys to a prompt: tui_keys.c says what they mean, tui_prompt.c sends what was written
 *   conversation/   events of the session: tui_show.c makes finished rows (view.h) and state of them
 *   commands/       slash commands that the screen carries out, and lists to choose from
 *   question/       an open question (dialog.h): its rows, and the keys that answer it
 *
 * Events and keys only change the state and ask for a frame; drawing only reads it. */
#ifndef AWL_FRONT_TUI_TUI_INTERNAL_H
#define AWL_FRONT_TUI_TUI_INTERNAL_H

#include "front/chat.h"
#include "front/client.h"
#include "front/question/dialog.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_show.h"
#include "front/tui/conversation/tui_transcript.h"
#include "front/tui/keymap.h"
#include "front/tui/prompt/tui_history.h"
#include "front/tui/question/tui_question.h"
#include "front/tui/tui_settings.h"
#include "front/tui/view/view.h"
#include "term/editor/editor.h"
#include "term/editor/vim.h"
#include "term/screen.h"
#include "term/tty.h"

/* What follows when this session has been left; usually nothing. */
struct tui_next {
	struct str session;            /* to resume; empty: none */
	bool is_branch;                /* in a copy of it, so that the original stays as it is */
	struct str name, mode, notice; /* of the copy; the name may be empty */
	bool is_again; /* this session is opened once more: its settings count now */
};

struct tui {
	const struct chat_opts *opts;
	const char *first; /* the prompt of the command line, until it is sent */
	struct tui_next *next;
	struct client client;
	struct str cwd;

	/* The screen. */
	struct tty *tty;
	struct tty_info info;
	struct screen *screen;
	const struct theme *theme;
	struct tui_settings settings;
	struct {
		struct str title;  /* empty: not set */
		bool is_unfocused; /* the user looks at another one */
	} window;
	struct str note;     /* instead of the footer, until the next key; may be empty */
	bool shows_help;     /* in the place of the footer: the keys */
	int64_t leave_until; /* a second key to leave leaves until then */

	/* The prompt. */
	struct editor *editor;
	struct keymap *keymap;
	struct vim *vim; /* NULL: the user does not want it */
	struct tui_history history;

	/* The conversation. */
	struct tui_conversation conversation;
	struct tui_turn turn;
	tui_tasks tasks; /* in the background */
	struct dialog dialog;
	struct tui_question question;
	struct tui_transcript transcript;

	/* Each belongs to one file. */
	struct tui_agents *agents;
	struct tui_away *away;
	struct tui_bindings *bindings;
	struct tui_btw *btw;
	struct tui_compose *compose;
	struct tui_copy *copy;
	struct tui_cost *cost;
	struct tui_first_run *first_run;
	struct tui_frame *frame;
	struct tui_hooks *hooks;
	struct tui_images *images;
	struct tui_keys *keys;
	struct tui_leave *farewell;
	struct tui_list *list;
	struct tui_mcp *mcp;
	struct tui_memory *memory;
	struct tui_menu *menu;
	struct tui_models *models;
	struct tui_paste *paste;
	struct tui_picker *picker;
	struct tui_plugins *plugins;
	struct tui_queue *queue;
	struct tui_rewind *rewind;
	struct tui_search *search;
	struct tui_shell *shell;
	struct tui_start *start;
	struct tui_status_line *status_line;
	struct tui_terminal *terminal;
	struct tui_tips *tips;
};

/* Begins the session: the welcome, and what is resumed. */
void tui_begin(struct tui *t);
void tui_view(const struct tui *t, struct view *view);
void tui_leave(struct tui *t, int status);
void tui_interrupt(struct tui *t);
bool tui_is_busy(const struct tui *t);    /* a turn runs or is about to */
bool tui_is_working(const struct tui *t); /* that, or the user's own command */
int64_t tui_now(const struct tui *t);

#endif

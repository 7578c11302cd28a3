/* tui_question.h - an open question (dialog.h): its rows, and the keys that answer it. */
#ifndef AWL_FRONT_TUI_QUESTION_TUI_QUESTION_H
#define AWL_FRONT_TUI_QUESTION_TUI_QUESTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "front/question/question.h"
#include "term/screen.h"

struct control_reply;
struct editor;
struct elicitation;
struct key;
struct page;
struct permission_question;
struct tui;

/* What the keys are for. */
enum tui_focus {
	TUI_PROMPT,
	TUI_OPTIONS, /* of a question: a list to choose from */
	TUI_REPLY,   /* to a question: a line of text in `reply` */
	TUI_FORM,    /* the questions of AskUserQuestion */
	TUI_FIELDS,  /* the form of an MCP server */
};

/* How the question of `dialog` looks on the screen. */
struct tui_question {
	enum tui_focus focus;
	bool is_shown; /* it is on the screen: keys can answer it */
	size_t option; /* that is selected */
	bool shows_all;
	size_t scroll; /* rows that are scrolled past, plus one; 0: the beginning and the end */
	struct str explanation; /* of the rules, instead of the call; usually empty */
	struct editor *reply;
	enum answer replies_to; /* what `reply` goes with: a yes, or ANSWER_NO_BECAUSE */
	size_t at;              /* of the questions that came at once: which is open */
	size_t waiting;         /* how many had no answer when it was drawn last, with that one */
	/* A form: */
	bool is_review; /* all answers are shown before they are sent */
	bool is_tight;  /* there is no room for empty rows and descriptions */
	size_t field;   /* of an MCP server: the selected one; behind the last are the answers */
};

void tui_ask(struct tui *t, struct sv id, const struct permission_question *question);
void tui_ask_form(struct tui *t, struct sv id, const struct elicitation *asked);
void tui_withdraw(struct tui *t);
void tui_draw_question(struct tui *t, struct page *page, struct screen_cursor *cursor,
		       size_t max_rows);
void tui_question_key(struct tui *t, const struct key *key);
/* Rows of a question: its lines, the first one bold; as many of those as fit, or those that the user scrolled to; an
 * answer to choose, perhaps cut at the width. */
void tui_draw_text(struct tui *t, struct page *page, struct sv text);
void tui_draw_fitting(struct tui *t, struct page *page, const struct page *rows, size_t max_rows);
void tui_draw_option(struct tui *t, struct page *page, struct sv number, struct sv text,
		     bool is_selected, bool is_cut);
/* False: it is the reply to another request. */
bool tui_question_on_reply(struct tui *t, const struct control_reply *reply);

/* Called by tui.c. */
void tui_question_clear(struct tui *t);

#endif

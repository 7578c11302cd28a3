/* tui_show.h - events of the session become finished rows (view.h) and state. */
#ifndef AWL_FRONT_TUI_CONVERSATION_TUI_SHOW_H
#define AWL_FRONT_TUI_CONVERSATION_TUI_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/vec.h"
#include "front/tui/view/lookups.h"
#include "front/tui/view/todos.h"
#include "term/markdown/markdown_stream.h"
#include "term/page.h"
#include "text/json/json.h"

struct event;
struct tui;

/* A call that has begun and has no result yet. */
struct tui_call {
	struct str id, tool;
	struct json_doc *input;
	struct str tail; /* the end of its output */
	int64_t started;
};

/* What is under way. tui_live.c draws it until it is finished. */
struct tui_turn {
	int64_t since;                 /* 0: no turn runs */
	struct markdown_stream answer; /* the block that arrives */
	bool is_answering;             /* it has text */
	struct page open;              /* its rows that may change, as of the last frame */
	struct str thought;
	int64_t thought_since; /* 0: no thought arrives */
	VEC(struct tui_call) calls;
	struct str agent_step; /* of a skill's agent: what it does; may be empty */
	struct str trouble;    /* why nothing arrives; empty: no reason is known */
	int64_t retry_at;      /* when the request is sent again; 0: not waiting for that */
	size_t streamed;       /* bytes of its replies */
	bool was_interrupted;
	bool is_compacting; /* the conversation is being summarised */
};

struct tui_conversation {
	bool has_begun;         /* there was a prompt */
	size_t turns;           /* so far */
	struct lookups lookups; /* the run that is not finished */
	struct todos todos;
	bool hides_todos, todos_changed; /* in this turn */
	struct str words;                /* of a no: shown below the call, once that has ended */
};

void tui_on_event(void *arg, const struct event *event, struct sv line);
void tui_show_prompt(struct tui *t, struct sv text);
/* Finishes the rows of the answer that cannot change any more. */
void tui_show_answer(struct tui *t, size_t max_open, struct page *open);
/* The time of this call, and of those after it, counts from now on: the user was asked about it. */
void tui_begin_calls_anew(struct tui *t, struct sv id);
void tui_toggle_todos(struct tui *t);

/* Called by tui.c. */
void tui_show_clear(struct tui *t);

#endif

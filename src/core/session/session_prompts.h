/* session_prompts.h - the prompts that wait, the hooks that look at them, and what hosts hear of them. */
#ifndef AWL_CORE_SESSION_SESSION_PROMPTS_H
#define AWL_CORE_SESSION_SESSION_PROMPTS_H

#include "core/session/session.h"

/* Whether the hooks have seen a prompt that arrived during a turn. One that starts a turn is shown to
 * them in SESSION_PROMPTING. */
enum session_check { CHECK_NONE, CHECK_RUNS, CHECK_PASSED };

/* A prompt or command that waits for its turn. */
struct session_waiting {
	struct str blocks;  /* content blocks, joined by commas */
	struct str uuid;    /* may be empty */
	struct str command; /* of ours; usually empty */
	struct str typed;   /* the command that it was expanded from; usually empty */
	struct str channel; /* the MCP server that sent it; usually empty */
	bool silent;        /* expects no answer */
	bool is_later;      /* waits for the end of the turn and for all that are not */
	bool is_notice;     /* the harness wrote it: a command has ended */
	bool is_named;      /* the host chose the uuid, so it is told what becomes of it */
	bool is_taken;      /* its turn has begun */
	bool is_fork;       /* it is a skill that an agent of its own runs, instead of a turn */
	enum session_check check;
	struct str context; /* what a hook or a command adds for the model; usually empty */
	struct str images;  /* that belong to it: blocks, a comma before each; usually empty */
	struct str
		origin; /* JSON: who says it; empty: the user, or the harness if it is a notice */
};

/* The prompts that a host named and the turn answers. */
struct session_answering {
	VEC(struct sv) uuids; /* owned texts, the newest last */
	bool is_reported;     /* a reply has named them */
	bool is_notice;       /* the turn began because a command ended */
	struct str channel;   /* or because this MCP server sent a message; usually empty */
	int64_t nresults;     /* of the session, so far */
};

/* All prompts of a session. */
struct session_prompts {
	VEC(struct session_waiting) waiting;
	struct session_answering answering;
	struct map seen;           /* uuids of prompts that were taken */
	struct str id;             /* of the prompt that the turn answers; may be empty */
	bool answers_tasks;        /* a command that ends in the background starts a turn */
	struct prompt_point point; /* of the prompts in SESSION_PROMPTING */
	struct op *check;          /* the hooks that look at prompts which arrived during a turn */
	struct prompt_point check_point;
};

/* --- session_input.c --- */

/* Puts a prompt before all others that wait. */
void session_prompt_first(struct session *s, struct sv text);

/* --- session_append.c --- */

/* How many prompts can be appended to the history together: those before the first command, which
 * waits for the end of the turn, that the hooks have passed or, if none was shown to them, all. */
size_t session_prompts_waiting(const struct session *s);
/* How many of the first that wait are being expanded, or looked at by hooks. */
size_t session_prompts_busy(const struct session *s);
/* During a turn: shows the hooks prompts that they have not seen. */
void session_check_prompts(struct session *s);
void session_point_clear(struct prompt_point *point);
/* The first `n` that wait, or `n` from `first` on, have been dealt with. */
void session_drop_waiting(struct session *s, size_t n);
void session_drop_waiting_at(struct session *s, size_t first, size_t n);

/* --- session_receipts.c --- */

/* A prompt waits; its turn begins; the turn of all that began is over. */
void session_receive_prompt(struct session *s, const struct session_waiting *w);
void session_begin_prompt(struct session *s, struct session_waiting *w);
void session_end_prompts(struct session *s);
/* A prompt is dropped; nothing if its turn had begun. */
void session_forget_prompt(struct session *s, const struct session_waiting *w);
/* Withdraws prompts before their turn: the one with this uuid, or all (SV_EMPTY). Those that hooks
 * look at or that the turn has taken stay. Returns how many; the ids of those that a host named
 * are appended to `uuids`. */
typedef VEC(struct sv) session_uuids;
size_t session_withdraw_prompts(struct session *s, struct sv uuid, session_uuids *uuids,
				struct arena *arena);
/* Names the prompts that the turn answers in an event that should, and whether this one should. */
bool session_names_prompts(const struct session *s, const struct event *event);
void session_name_prompts(struct session *s, struct event *event);
/* How many prompts wait. */
int64_t session_count_waiting(const struct session *s);

#endif

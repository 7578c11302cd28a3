/* turn_internal.h - a turn from inside: for turn.c and turn_close.c. */
#ifndef AWL_CORE_AGENT_TURN_INTERNAL_H
#define AWL_CORE_AGENT_TURN_INTERNAL_H

#include "core/agent/agent_internal.h"
#include "core/agent/executor.h"
#include "core/agent/recovery.h"
#include "core/agent/response.h"
#include "core/agent/turn.h"

enum turn_state { TURN_PREPARE, TURN_STREAM, TURN_TOOLS, TURN_CLOSING, TURN_DONE };

/* Why a turn ends from outside. */
enum turn_cut { TURN_NOT_CUT, TURN_INTERRUPTED, TURN_SUPERSEDED, TURN_TIMED_OUT };

struct turn {
	struct op op;
	struct agent *agent;
	enum turn_state state;
	enum turn_cut cut;
	struct op *stream;   /* the request */
	struct op *step;     /* what PREPARE, TOOLS, CLOSING or DONE waits for */
	struct op *deadline; /* of the whole turn */
	struct executor executor;
	struct response response;
	struct uuid before_response; /* the record before its first */
	struct recovery recovery;
	struct str cut_text; /* of responses that the next one continues */
	enum prepare_reason preparing;
	struct batch_point batch;
	struct stop_point stop;
	int stops_blocked; /* how often a stop hook has continued the turn */
	struct turn_outcome out;
	struct sv system; /* borrowed by the request */
	int requests;
	int64_t started_ms, requested_ms;
	struct model_error error; /* of the last request */
	bool is_saved;            /* DONE: saving has begun */
	bool was_streaming;       /* when it was cut */
	bool is_switching;        /* to the fallback model */
	bool has_reported_ttft;   /* with the first raw piece of the stream */
	bool is_rerun;            /* its first calls are those that were deferred */
	bool is_money_refused;    /* nobody allows more of it */
	bool is_over_budget;      /* the calls of this response are not run */
};

/* --- turn.c --- */

/* The end is decided, and why. */
void turn_end(struct turn *t, enum end_reason reason);
/* Ends after an interrupt or the deadline, and leaves a mark of it for the model. */
void turn_end_cut(struct turn *t, enum end_reason interrupted);
/* Prepares the next request, if the limits allow one. */
void turn_continue(struct turn *t, enum go_reason reason);
/* Appends a text of the harness, which front ends show as such. */
void turn_append(struct turn *t, const char *text);

/* --- turn_close.c --- */

/* TOOLS: all calls have a result. */
void turn_finish_calls(struct turn *t);
/* CLOSING: the model is done. */
void turn_close(struct turn *t);

#endif

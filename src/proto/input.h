/* input.h - the ops of the engine: what a front end may tell a session, typed,
 * and read from their JSON form (one line of stream-json input). */
#ifndef AWL_PROTO_INPUT_H
#define AWL_PROTO_INPUT_H

#include "base/err.h"
#include "text/json/json.h"

enum input_kind {
	INPUT_IGNORED, /* keep_alive, and types we do not know */
	INPUT_PROMPT,
	INPUT_INITIALIZE,
	INPUT_INTERRUPT,
	INPUT_SET_MODEL,
	INPUT_SET_MODE,
	INPUT_SET_THINKING,
	INPUT_GET_SETTINGS,
	INPUT_APPLY_SETTINGS,
	INPUT_LIST_RULES,
	INPUT_LIST_MODELS,
	INPUT_CONTEXT_USAGE,
	INPUT_STOP_TASK,
	INPUT_ANSWER,  /* to a question of ours */
	INPUT_CANCEL,  /* of a request of theirs */
	INPUT_UNKNOWN, /* a control request that must be refused */
};

/* Views borrow from the document. */
struct input {
	enum input_kind kind;
	struct sv request_id; /* of the control frames */
	struct sv subtype;    /* of a control request */
	/* INPUT_PROMPT */
	struct json content; /* a string or blocks */
	struct sv uuid;      /* may be empty */
	bool now;            /* ends the turn that runs */
	bool silent;         /* no request is made for it; it waits for the next prompt */
	/* INPUT_SET_MODEL, INPUT_SET_MODE, INPUT_SET_THINKING, INPUT_STOP_TASK */
	struct sv value; /* may be empty: the default */
	int64_t number;
	/* INPUT_ANSWER */
	bool allow, interrupt;
	struct err fault; /* ERR_NONE: it is an answer; else no, whatever it says */
	struct sv message;
	struct json updated_input; /* may be missing */
	struct json updated_permissions;
	/* the whole request, for INPUT_INITIALIZE and INPUT_APPLY_SETTINGS */
	struct json request;
};

/* Fails (ERR_INVALID, ERR_PARSE) on what is no op at all: no object, no type, a user
 * message that is not one. */
must_use bool input_read(struct input *out, struct json line, struct err *err);

#endif

/* script.h - private to src/model: a scripted model: which requests it expects, how it responds to
 * each, and with which faults: delays, stalls, splits, resets, garbage. docs/model-script.md is the
 * reference of the format:
 *
 *   # One reply a request, in order.
 *   reply
 *     expect tools contains "Read"
 *     thinking "Let me look."
 *     text "I'll read the file first."
 *     tool Read {"file_path": "README.md"}
 *     usage input=1200 output=30
 *
 *   fail 529 overloaded_error "Overloaded" repeat 2
 *
 *   reply otherwise
 *     text "That was all."
 *
 * Only the use counts of its replies change after parsing. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_H
#define AWL_MODEL_SCRIPT_SCRIPT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "net/http.h"

/* --- conditions on a request --------------------------------------------- */

enum script_about {
	SCRIPT_REQUEST,     /* the body's bytes */
	SCRIPT_PATH,        /* with its query */
	SCRIPT_HEADER,      /* of the name in `header` */
	SCRIPT_MODEL,       /* its id */
	SCRIPT_SYSTEM,      /* the system prompt */
	SCRIPT_PROMPT,      /* what the user said after the last response */
	SCRIPT_TOOLS,       /* the names of the tools on offer */
	SCRIPT_TOOL_RESULT, /* the results of the calls in the last response */
	SCRIPT_TOOL_ERROR,  /* the same for failed calls */
	SCRIPT_RESULT_OF,   /* the names of the tools that were called */
};

enum script_test { SCRIPT_EXISTS, SCRIPT_CONTAINS, SCRIPT_IS };

struct script_check {
	enum script_about about;
	enum script_test test;
	bool negated;
	struct sv header, text;
	size_t line;
	struct sv source; /* as written */
};

/* --- replies ------------------------------------------------------------- */

enum script_step_kind {
	SCRIPT_TEXT,
	SCRIPT_THINKING, /* name: the signature */
	SCRIPT_TOOL,     /* name; text: its input, JSON or any other text */
	SCRIPT_BLOCK,    /* text: a content block of the Anthropic wire */
	SCRIPT_EVENT,    /* name, text: an exact event of the stream */
	SCRIPT_ERROR,    /* name: its type; text */
	SCRIPT_RAW,      /* text: the bytes of the body, instead of all others */
	SCRIPT_GARBAGE,  /* text: bytes instead of an HTTP response */
	SCRIPT_BEGIN,    /* the head and the opening event, now */
	SCRIPT_WAIT,     /* ms; -1: forever */
	SCRIPT_CUT,
	SCRIPT_RESET,
};

struct script_step {
	enum script_step_kind kind;
	struct sv name, text;
	size_t times; /* how often `text` is sent; at least 1 */
	int64_t ms;
};

struct script_usage {
	bool given;
	int64_t input, output, cache_read, cache_write, cache_write_1h;
	int64_t thinking; /* how much of the output it is */
};

/* Faults that are applied to the finished body. */
struct script_faults {
	VEC(size_t) splits;  /* offsets, ascending */
	size_t split_every;  /* 0: none */
	int64_t split_pause; /* ms between the pieces */
	size_t end_at;       /* SIZE_MAX: none */
	bool end_by_reset;   /* else cut */
};

struct script_reply {
	size_t line;
	int status;
	bool fails; /* an error, with the type and text of its only SCRIPT_ERROR */
	bool otherwise;
	int64_t uses, used; /* uses < 0: any number */
	int64_t pace;       /* ms between events */
	VEC(struct script_check) when, expect;
	VEC(struct http_header) headers;
	VEC(struct script_step) steps;
	struct script_usage usage;
	struct sv stop;         /* empty: derived from the steps */
	struct sv stop_details; /* JSON; empty: none */
	struct script_faults faults;
};

/* All text lives in the arena. */
struct script {
	struct arena arena;
	const char *name; /* of its file, for messages */
	int64_t pace;     /* of replies that set none */
	VEC(struct sv) models;
	VEC(struct script_reply) replies;
	int64_t served; /* requests to the model so far: the number in ids */
};

/* Returns an owned script that does not borrow from `text`, or NULL: ERR_PARSE, or ERR_TOO_BIG past a
 * cap, with a text that starts with "name:line: ". */
struct script *script_parse(struct sv text, const char *name, struct err *err) must_use;
void script_free(struct script *script);
void script_freep(struct script **script);

#endif

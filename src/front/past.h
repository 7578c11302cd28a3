/* past.h - the end of a session file, to show a conversation again.
 *
 * Only the newest chain of records counts: each names the one before it, and a conversation that was rewound leaves
 * others behind. Records that cannot be read or that only the model should see are omitted, and those of sub-agents
 * unless the file is the one of a sub-agent. */
#ifndef AWL_FRONT_PAST_H
#define AWL_FRONT_PAST_H

#include "base/err.h"
#include "base/vec.h"
#include "text/json/json.h"

enum past_kind {
	PAST_PROMPT,  /* what the user said */
	PAST_REPLY,   /* a message of the model */
	PAST_RESULTS, /* of calls */
};

struct past_record {
	enum past_kind kind;
	struct json_doc *doc;
	struct json message;
	struct json data; /* of a result, for programs; may be missing */
	struct str text;  /* of a prompt */
};

struct past {
	VEC(struct past_record) records; /* the oldest first */
	bool is_cut;                     /* there are older ones */
};

enum past_of { PAST_OF_SESSION, PAST_OF_AGENT };

/* Reads at most the last `max_bytes` of the file, and of these the newest `max_records`. */
must_use bool past_load(struct past *out, const char *path, enum past_of of, size_t max_bytes,
			size_t max_records, struct err *err);
void past_clear(struct past *past);

#endif

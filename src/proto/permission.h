/* permission.h - what a permission question offers, and what its answer changes: rules,
 * directories and the mode, for this session or for good. Both travel as lists of the same
 * objects, so that a host can send back exactly what it was offered. */
#ifndef AWL_PROTO_PERMISSION_H
#define AWL_PROTO_PERMISSION_H

#include "base/arena.h"
#include "proto/input.h"
#include "proto/verdict.h"
#include "text/json/json_write.h"

enum permission_change_kind {
	PERMISSION_ADD_RULES,
	PERMISSION_REPLACE_RULES, /* of the same destination and behavior */
	PERMISSION_REMOVE_RULES,
	PERMISSION_ADD_DIRS,
	PERMISSION_REMOVE_DIRS,
	PERMISSION_SET_MODE,
	PERMISSION_CHANGES,
};

/* Where a change is kept. The first two end with the session. */
enum permission_destination {
	PERMISSION_TO_SESSION,
	PERMISSION_TO_COMMAND_LINE,
	PERMISSION_TO_LOCAL,
	PERMISSION_TO_PROJECT,
	PERMISSION_TO_USER,
	PERMISSION_DESTINATIONS,
};

struct permission_rule {
	struct sv tool;
	struct sv content; /* what stands in parentheses; empty: the whole tool */
};

/* Borrows everything. */
struct permission_change {
	enum permission_change_kind kind;
	enum permission_destination destination;
	enum behavior behavior;              /* of rules */
	const struct permission_rule *rules; /* of the three kinds about rules */
	size_t nrules;
	const struct sv *dirs; /* of the two kinds about directories */
	size_t ndirs;
	struct sv mode; /* of PERMISSION_SET_MODE */
};

/* Writes an array. */
void permission_changes_write(struct jw *w, const struct permission_change *changes, size_t n);

/* Reads one object; lists go into `arena`, texts borrow from the document. A change without a
 * destination goes to the session. Fails (ERR_INVALID) on an unknown type, destination or behavior
 * and on a rule or directory that is not a text. */
must_use bool permission_change_read(struct permission_change *out, struct json json,
				     struct arena *arena, struct err *err);

/* A copy of all of them in `arena`. */
struct permission_change *permission_changes_copy(struct arena *arena,
						  const struct permission_change *changes,
						  size_t n) must_use;

/* Appends "Bash(npm test:*)" or "Read". */
void permission_rule_text(struct str *out, const struct permission_rule *rule);

/* What the answer to a permission question says. Borrows from the document. */
struct permission_answer {
	bool allow;
	bool interrupt;     /* the turn is to end */
	struct sv message;  /* for the model, with an allow beside the result; may be empty */
	struct json blocks; /* content beside the message; may be missing */
	struct json updated_input; /* missing or null: run the call as asked */
	struct json changes;       /* an array of changes; may be missing */
	bool is_permanent;         /* the user wants calls like this to be allowed from now on */
	struct sv id;              /* of the call; may be empty */
};

/* Reads the body of the answer. Fails (ERR_INVALID) unless it clearly allows or denies, and when
 * the updated input is not an object. An empty one counts as missing: hosts send it for "as it
 * is". Older hosts write "subtype" for "behavior". */
must_use bool permission_answer_read(struct permission_answer *out, struct json body,
				     struct err *err);

/* Appends the control response to question `request_id` around an answer that somebody else wrote.
 * Fails (ERR_INVALID) when that does not say allow or deny. */
must_use bool permission_write_answer(struct str *out, struct sv request_id, struct json answer,
				      struct err *err);
/* An answer that allows a call. */
struct permission_yes {
	struct sv updated_input; /* JSON; empty: as it was asked about */
	const struct permission_change *changes;
	size_t nchanges;
	struct sv remark;                 /* of the user, for the model; may be empty */
	const struct input_image *images; /* that go with it */
	size_t nimages;
};

/* Appends the control response to question `request_id`. */
void permission_write_allow(struct str *out, struct sv request_id,
			    const struct permission_yes *yes);
/* The same for an answer that denies a call. */
void permission_write_deny(struct str *out, struct sv request_id,
			   const struct permission_change *changes, size_t n);
/* The same in the words of the user. */
struct permission_no {
	struct sv message; /* for the model; may be empty */
	const struct input_image *images;
	size_t nimages;
};
void permission_write_refusal(struct str *out, struct sv request_id,
			      const struct permission_no *no);

#endif

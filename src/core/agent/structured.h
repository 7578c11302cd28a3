/* structured.h - an answer as data: the tool StructuredOutput, whose input is the answer and whose
 * schema is the one the user gave. */
#ifndef AWL_CORE_AGENT_STRUCTURED_H
#define AWL_CORE_AGENT_STRUCTURED_H

#include "tool/tool.h"

#define STRUCTURED_TOOL "StructuredOutput"

enum { STRUCTURED_TRIES = 5 };

struct structured {
	struct tool tool;
	struct str schema;
	struct str value; /* JSON: the answer; empty: none yet */
	int failures;     /* in this turn: invalid answers */
	bool is_reminded; /* in this turn: a response without one was sent back */
};

/* Fails on an invalid schema. */
struct structured *structured_new(struct sv schema, struct err *err);
void structured_free(struct structured *s);

/* At the start of a turn. */
void structured_reset(struct structured *s);

#endif

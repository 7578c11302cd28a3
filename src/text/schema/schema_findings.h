/* schema_findings.h - the errors found in a value while it is being checked. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_FINDINGS_H
#define AWL_TEXT_SCHEMA_SCHEMA_FINDINGS_H

#include "text/schema/schema_describe.h"

/* The weight of a finding at the value itself; each level further down halves it. */
enum schema_weight {
	SCHEMA_WEIGHTLESS = 0,
	SCHEMA_PART = 1 << 20,   /* an error in it or its parts */
	SCHEMA_SHAPE = 1 << 22,  /* it is another kind of value altogether */
	SCHEMA_CHOICE = 1 << 23, /* it is not the constant that distinguishes the forms */
};

struct schema_findings {
	struct str text; /* one line each, the first LIMIT_SCHEMA_ERRORS */
	size_t n;
	size_t base;  /* the depth of the value that they are about */
	size_t worst; /* the heaviest weight: the lower, the closer to a match */
	const struct schema_node *misfit; /* the node of the only finding about the value */
};

void schema_findings_clear(struct schema_findings *f);

/* Begins a line; NULL when nobody will read it. `f` may be NULL. */
struct str *schema_finding(struct schema_findings *f, const struct schema_at *at,
			   enum schema_weight weight);
/* "`a` must be A, B or C, got D": the value matches none of the nodes (at least one). */
void schema_misfit(struct schema_findings *f, const struct schema_node **nodes, size_t n,
		   struct json value, const struct schema_at *at);
/* Adds all of `from`, which is about the value at `at`. */
void schema_adopt(struct schema_findings *to, const struct schema_findings *from,
		  const struct schema_at *at);

#endif

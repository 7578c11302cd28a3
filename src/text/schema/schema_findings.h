/* schema_findings.h - what is wrong with a value, while it is being checked. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_FINDINGS_H
#define AWL_TEXT_SCHEMA_SCHEMA_FINDINGS_H

#include "text/schema/schema_say.h"

/* What a finding weighs where the value is; half as much one level further down. */
enum schema_weight {
	SCHEMA_WEIGHTLESS = 0,
	SCHEMA_PART = 1 << 20,   /* something about it or its parts */
	SCHEMA_SHAPE = 1 << 22,  /* it is another kind of value altogether */
	SCHEMA_CHOICE = 1 << 23, /* it is not the constant that tells forms apart */
};

struct schema_findings {
	struct str text; /* a line each, the first LIMIT_SCHEMA_ERRORS */
	size_t n;
	size_t base;                      /* the depth of the value they are about */
	size_t worst;                     /* the heaviest: the lower, the closer to fitting */
	const struct schema_node *misfit; /* there is just one: the value itself is not this */
};

void schema_findings_clear(struct schema_findings *f);

/* Begins a line; NULL when nobody is going to read it. `f` may be NULL. */
struct str *schema_finding(struct schema_findings *f, const struct schema_at *at,
			   enum schema_weight weight);
/* "`a` must be A, B or C, got D": none of the nodes, of which there is one or more. */
void schema_misfit(struct schema_findings *f, const struct schema_node **nodes, size_t n,
		   struct json value, const struct schema_at *at);
/* Adds all of `from`, which is about the value at `at`. */
void schema_adopt(struct schema_findings *to, const struct schema_findings *from,
		  const struct schema_at *at);

#endif

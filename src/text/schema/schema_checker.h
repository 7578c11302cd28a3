/* schema_checker.h - a running check: schema_check.c walks the schema, and
 * schema_parts.c checks the members and items of values. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_CHECKER_H
#define AWL_TEXT_SCHEMA_SCHEMA_CHECKER_H

#include "text/schema/schema_findings.h"

struct schema_checker {
	struct schema_findings *findings; /* NULL: only the verdict matters */
	size_t steps;                     /* left */
	size_t depth;
	const char *gave_up; /* why the check gave up, or NULL */
};

/* All return whether the value at `at` is valid; if not, they have recorded the error. */
typedef bool schema_check_fn(struct schema_checker *c, const struct schema_node *node,
			     struct json value, const struct schema_at *at);
schema_check_fn schema_check_node, schema_check_object, schema_check_array;

/* Whether the value is valid; records nothing. */
schema_check_fn schema_fits;

/* Begins a line with the place it is about; NULL when nobody will read it. */
struct str *schema_complain(struct schema_checker *c, const struct schema_at *at);
/* Charges for work to come; false when the check cannot continue. */
bool schema_spend(struct schema_checker *c, const struct schema_at *at, size_t steps);
/* Ends the whole check without a verdict; returns false. */
bool schema_give_up(struct schema_checker *c, const struct schema_at *at, const char *why);

#define SCHEMA_TOO_LONG "takes too long to check"

#endif

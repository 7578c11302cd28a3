#include "base/limits.h"
#include "text/schema/schema.h"
#include "text/schema/schema_checker.h"
#include "text/schema/schema_shape.h"

struct str *schema_complain(struct schema_checker *c, const struct schema_at *at)
{
	struct str *line = schema_finding(c->findings, at, SCHEMA_PART);

	if (line)
		schema_describe_place(line, at);
	return line;
}

bool schema_give_up(struct schema_checker *c, const struct schema_at *at, const char *why)
{
	struct str *line = c->gave_up ? NULL : schema_complain(c, at);

	if (line)
		str_addf(line, " %s", why);
	if (!c->gave_up)
		c->gave_up = why;
	return false;
}

bool schema_spend(struct schema_checker *c, const struct schema_at *at, size_t steps)
{
	if (c->gave_up || steps > c->steps)
		return schema_give_up(c, at, SCHEMA_TOO_LONG);
	c->steps -= steps;
	return true;
}

bool schema_fits(struct schema_checker *c, const struct schema_node *node, struct json value,
		 const struct schema_at *at)
{
	struct schema_findings *outer = c->findings;
	bool ok;

	c->findings = NULL;
	ok = schema_check_node(c, node, value, at);
	c->findings = outer;
	return ok;
}

static bool check_ref(struct schema_checker *c, const struct schema_node *node, struct json value,
		      const struct schema_at *at)
{
	return !node->ref || schema_check_node(c, node->ref, value, at);
}

static bool check_all(struct schema_checker *c, const struct schema_node *node, struct json value,
		      const struct schema_at *at)
{
	bool ok = true;

	for (size_t i = 0; i < node->all.n && (ok || c->findings); i++)
		ok = schema_check_node(c, node->all.at[i], value, at) && ok;
	return ok;
}

/* No schema of the list matches: report why the closest one does not. */
static bool schema_explain(struct schema_checker *c, const schema_list *list, struct json value,
			   const struct schema_at *at)
{
	defer(schema_findings_clear) struct schema_findings best = { .worst = SIZE_MAX };
	VEC(const struct schema_node *) misfits = VEC_INIT;
	struct schema_findings *outer = c->findings;

	for (size_t i = 0; outer && i < list->n; i++) {
		struct schema_findings own = { .base = at->depth };

		c->findings = &own;
		schema_check_node(c, list->at[i], value, at);
		if (own.misfit)
			vec_push(&misfits, own.misfit);
		if (own.worst < best.worst || (own.worst == best.worst && own.n < best.n)) {
			schema_findings_clear(&best);
			best = own;
		} else {
			schema_findings_clear(&own);
		}
	}
	c->findings = outer;
	if (outer && misfits.n == list->n)
		schema_misfit(outer, misfits.at, misfits.n, value, at);
	else if (outer)
		schema_adopt(outer, &best, at);
	vec_clear(&misfits);
	return false;
}

static bool check_any(struct schema_checker *c, const struct schema_node *node, struct json value,
		      const struct schema_at *at)
{
	for (size_t i = 0; i < node->any.n; i++)
		if (schema_fits(c, node->any.at[i], value, at))
			return true;
	return node->any.n == 0 || schema_explain(c, &node->any, value, at);
}

static bool check_one(struct schema_checker *c, const struct schema_node *node, struct json value,
		      const struct schema_at *at)
{
	size_t found = 0, which[2];
	struct str *line;

	for (size_t i = 0; i < node->one.n && found < 2; i++)
		if (schema_fits(c, node->one.at[i], value, at))
			which[found++] = i;
	if (found == 1 || node->one.n == 0)
		return true;
	if (found == 0)
		return schema_explain(c, &node->one, value, at);
	line = schema_complain(c, at);
	if (line)
		str_addf(line, " matches both form %zu and form %zu, but must match exactly one",
			 which[0] + 1, which[1] + 1);
	return false;
}

static bool check_not(struct schema_checker *c, const struct schema_node *node, struct json value,
		      const struct schema_at *at)
{
	struct str *line;

	if (!node->not_ || !schema_fits(c, node->not_, value, at))
		return true;
	line = schema_complain(c, at);
	if (line) {
		str_adds(line, " has a form that is not allowed: ");
		schema_describe_expected(line, node->not_);
	}
	return false;
}

static bool check_if(struct schema_checker *c, const struct schema_node *node, struct json value,
		     const struct schema_at *at)
{
	const struct schema_node *next;

	if (!node->if_ || (!node->then && !node->otherwise))
		return true;
	next = schema_fits(c, node->if_, value, at) ? node->then : node->otherwise;
	return !next || schema_check_node(c, next, value, at);
}

static bool check_parts(struct schema_checker *c, const struct schema_node *node, struct json value,
			const struct schema_at *at)
{
	static schema_check_fn *const parts[] = { check_ref,          schema_check_object,
						  schema_check_array, check_all,
						  check_any,          check_one,
						  check_not,          check_if };
	bool ok = true;

	for (size_t i = 0; i < countof(parts) && (ok || c->findings); i++)
		ok = parts[i](c, node, value, at) && ok;
	return ok;
}

bool schema_check_node(struct schema_checker *c, const struct schema_node *node, struct json value,
		       const struct schema_at *at)
{
	enum schema_fit fit;
	struct str *line;
	bool ok;

	if (!schema_spend(c, at, 1))
		return false;
	if (node->never) {
		line = schema_complain(c, at);
		if (line)
			str_adds(line, " is not allowed");
		return false;
	}
	fit = schema_shape(node, value, &c->steps);
	if (fit == SCHEMA_UNKNOWN)
		return schema_give_up(c, at, SCHEMA_TOO_LONG);
	if (fit == SCHEMA_MISFIT) {
		schema_misfit(c->findings, &node, 1, value, at);
		return false;
	}
	if (c->depth == LIMIT_SCHEMA_DEPTH)
		return schema_give_up(c, at, "is nested too deeply to check");
	c->depth++;
	ok = check_parts(c, node, value, at);
	c->depth--;
	return ok;
}

bool schema_check(const struct schema *schema, struct json value, struct str *report)
{
	defer(schema_findings_clear) struct schema_findings found = { .base = 0 };
	struct schema_at root = { .up = NULL };
	struct schema_checker c = { .steps = LIMIT_SCHEMA_STEPS };
	bool ok = schema_check_node(&c, schema->root, value, &root);

	/* Nothing has been recorded so far: most values match. */
	if (ok && !c.gave_up)
		return true;
	c = (struct schema_checker){ .findings = &found, .steps = LIMIT_SCHEMA_STEPS };
	schema_check_node(&c, schema->root, value, &root);
	str_add(report, sv_of(&found.text));
	if (found.n > LIMIT_SCHEMA_ERRORS)
		str_addf(report, "\nand %zu more", found.n - LIMIT_SCHEMA_ERRORS);
	if (found.n == 0)
		str_addf(report, "the input %s", c.gave_up);
	return false;
}

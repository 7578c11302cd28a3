#include "text/json/json_write.h"
#include "text/schema/schema_checker.h"
#include "text/schema/schema_shape.h"

static bool schema_check_required(struct schema_checker *c, struct json names, struct json value,
				  const struct schema_at *at)
{
	struct json_iter it = json_each(names);
	VEC(struct sv) missing = VEC_INIT;
	struct json name;
	struct str *line;
	bool ok;

	/* Search for each name among all members. */
	if (!schema_spend(c, at, json_len(names) * (1 + json_len(value) / 16)))
		return false;
	while (json_next(&it, NULL, &name)) {
		struct sv key = json_str_or(name, SV_EMPTY);

		if (!json_exists(json_get_sv(value, key)))
			vec_push(&missing, key);
	}
	ok = missing.n == 0;
	line = ok ? NULL : schema_finding(c->findings, at, SCHEMA_PART);
	if (line) {
		schema_describe_members(line, at, missing.at, missing.n);
		str_adds(line, missing.n == 1 ? " is missing" : " are missing");
	}
	vec_clear(&missing);
	return ok;
}

static bool schema_check_dependents(struct schema_checker *c, const struct schema_node *node,
				    struct json value, const struct schema_at *at)
{
	struct json_iter it = json_each(node->dependents);
	struct json names;
	struct sv key;
	bool ok = true;

	while (json_next(&it, &key, &names))
		if (schema_spend(c, at, 1 + json_len(value) / 16) &&
		    json_exists(json_get_sv(value, key)))
			ok = schema_check_required(c, names, value, at) && ok;
	return ok && !c->gave_up;
}

static bool schema_check_name(struct schema_checker *c, const struct schema_node *node,
			      struct sv name, const struct schema_at *at)
{
	defer(json_pool_clear) struct json_pool pool = JSON_POOL_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct json value;
	struct str *line;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_str(&w, name);
	jw_done(&w);
	if (!json_parse_in(&pool, sv_of(&text), 0, &value, &err))
		BUG("property name is not valid JSON: %s", err.text);
	if (schema_fits(c, node, value, at))
		return true;
	line = schema_complain(c, at);
	if (line) {
		str_adds(line, " has a name that is not allowed; it must be ");
		schema_describe_expected(line, node);
	}
	return false;
}

static bool is_unknown(struct schema_checker *c, const struct schema_node *node, struct sv name,
		       const struct schema_at *at)
{
	struct str *line = schema_complain(c, at);

	if (line) {
		str_adds(line, " is unknown");
		schema_describe_known(line, node, name);
	}
	return false;
}

/* Check a member against everything that applies to it: by its name, or else as an
 * additional property. */
static bool schema_check_member(struct schema_checker *c, const struct schema_node *node,
				struct json value, const struct schema_at *at)
{
	const struct schema_node *known = map_get(&node->properties, at->key);
	bool covered = known != NULL;
	bool ok = !known || schema_check_node(c, known, value, at);

	for (size_t i = 0; i < node->matching.n; i++) {
		enum schema_fit fit =
			schema_matches(node->matching.at[i].pattern, at->key, &c->steps);

		if (fit == SCHEMA_UNKNOWN)
			return schema_give_up(c, at, SCHEMA_TOO_LONG);
		if (fit == SCHEMA_MISFIT)
			continue;
		covered = true;
		ok = schema_check_node(c, node->matching.at[i].node, value, at) && ok;
	}
	if (node->names)
		ok = schema_check_name(c, node->names, at->key, at) && ok;
	if (covered || !node->additional)
		return ok;
	if (node->additional->never)
		return is_unknown(c, node, at->key, at);
	return schema_check_node(c, node->additional, value, at) && ok;
}

bool schema_check_object(struct schema_checker *c, const struct schema_node *node,
			 struct json value, const struct schema_at *at)
{
	bool any = node->properties.n || node->matching.n || node->additional || node->names;
	struct json_iter it = json_each(value);
	struct schema_at member = { .up = at, .depth = at->depth + 1 };
	struct json item;
	bool ok;

	if (!json_is(value, JSON_OBJECT))
		return true;
	ok = schema_check_required(c, node->required, value, at);
	ok = schema_check_dependents(c, node, value, at) && ok;
	while (any && (ok || c->findings) && json_next(&it, &member.key, &item)) {
		if (!schema_spend(c, at, 1))
			return false;
		ok = schema_check_member(c, node, item, &member) && ok;
	}
	return ok;
}

static bool schema_check_unique(struct schema_checker *c, struct json value,
				const struct schema_at *at)
{
	size_t pair[2];
	enum schema_fit fit = schema_is_unique(value, pair, &c->steps);
	struct str *line;

	if (fit == SCHEMA_UNKNOWN)
		return schema_give_up(c, at, SCHEMA_TOO_LONG);
	if (fit == SCHEMA_FITS)
		return true;
	line = schema_complain(c, at);
	if (line)
		str_addf(line, " must not contain an item twice, but [%zu] and [%zu] are equal",
			 min_of(pair[0], pair[1]), max_of(pair[0], pair[1]));
	return false;
}

static bool schema_check_contains(struct schema_checker *c, const struct schema_node *node,
				  struct json value, const struct schema_at *at)
{
	struct json_iter it = json_each(value);
	struct schema_at inner = { .up = at, .is_item = true, .depth = at->depth + 1 };
	size_t n = 0;
	struct json item;
	struct str *line;

	for (; json_next(&it, NULL, &item); inner.index++)
		n += schema_fits(c, node->contains, item, &inner);
	if (c->gave_up || (n >= node->contained.min && n <= node->contained.max))
		return !c->gave_up;
	line = schema_complain(c, at);
	if (line) {
		bool few = n < node->contained.min;

		str_addf(line, " must have at %s %zu of these: ", few ? "least" : "most",
			 few ? node->contained.min : node->contained.max);
		schema_describe_expected(line, node->contains);
		str_addf(line, "; it has %zu", n);
	}
	return false;
}

bool schema_check_array(struct schema_checker *c, const struct schema_node *node, struct json value,
			const struct schema_at *at)
{
	struct json_iter it = json_each(value);
	struct schema_at inner = { .up = at, .is_item = true, .depth = at->depth + 1 };
	struct json item;
	bool ok = true;

	if (!json_is(value, JSON_ARRAY))
		return true;
	for (; (ok || c->findings) && json_next(&it, NULL, &item); inner.index++) {
		const struct schema_node *of =
			inner.index < node->first.n ? node->first.at[inner.index] : node->each;

		if (!of)
			break;
		ok = schema_check_node(c, of, item, &inner) && ok;
	}
	if (node->unique)
		ok = schema_check_unique(c, value, at) && ok;
	if (node->contains)
		ok = schema_check_contains(c, node, value, at) && ok;
	return ok;
}

#include "text/schema/schema_describe.h"

#include "base/utf8.h"
#include "text/json/json_write.h"
#include "text/nearest.h"

enum {
	CUT_TEXT = 60,  /* bytes shown of a string or key of the value */
	CUT_LIST = 12,  /* names or choices listed */
	CUT_PLACE = 12, /* steps of a path */
};

/* Write a string as JSON, so that nothing in it can look like our own words. */
static void schema_add_quoted(struct str *out, struct sv text)
{
	struct sv shown = utf8_prefix(text, CUT_TEXT);
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_str(&w, shown);
	jw_done(&w);
	if (shown.len < text.len)
		str_adds(out, "...");
}

static void schema_add_json(struct str *out, struct json value)
{
	defer(str_clear) struct str json = STR_INIT;
	struct sv shown;
	struct jw w;

	if (json_str(value, &shown)) {
		schema_add_quoted(out, shown);
		return;
	}
	jw_init(&w, &json, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
	shown = utf8_prefix(sv_of(&json), CUT_TEXT);
	str_add(out, shown);
	if (shown.len < json.len)
		str_adds(out, "...");
}

static bool is_plain_key(struct sv key)
{
	for (size_t i = 0; i < key.len; i++) {
		unsigned char c = (unsigned char)key.ptr[i];

		if (c <= ' ' || c == 0x7f || strchr("`\"\\.[]", c))
			return false;
	}
	return key.len > 0 && key.len <= CUT_TEXT;
}

static void schema_add_step(struct str *out, bool first, struct sv key)
{
	if (is_plain_key(key)) {
		str_adds(out, first ? "" : ".");
		str_add(out, key);
	} else {
		str_addc(out, '[');
		schema_add_quoted(out, key);
		str_addc(out, ']');
	}
}

/* The path without its backticks; only the last steps of a long one. */
static void schema_add_path(struct str *out, const struct schema_at *at)
{
	const struct schema_at *steps[CUT_PLACE];
	size_t n = 0;

	for (; at->up && n < CUT_PLACE; at = at->up)
		steps[n++] = at;
	if (at->up)
		str_adds(out, "...");
	for (size_t i = n; i-- > 0;) {
		if (steps[i]->is_item)
			str_addf(out, "[%zu]", steps[i]->index);
		else
			schema_add_step(out, i == n - 1 && !at->up, steps[i]->key);
	}
}

void schema_describe_place(struct str *out, const struct schema_at *at)
{
	if (!at->up) {
		str_adds(out, "the input");
		return;
	}
	str_addc(out, '`');
	schema_add_path(out, at);
	str_addc(out, '`');
}

/* The separator before element `i` of `n` in a list of words. */
static const char *schema_separator(size_t i, size_t n, const char *last)
{
	return i == 0 ? "" : i + 1 < n ? ", " : last;
}

void schema_describe_members(struct str *out, const struct schema_at *at, const struct sv *names,
			     size_t n)
{
	size_t shown = min_of(n, (size_t)CUT_LIST);

	for (size_t i = 0; i < shown; i++) {
		str_adds(out, schema_separator(i, n, " and "));
		str_addc(out, '`');
		schema_add_path(out, at);
		schema_add_step(out, !at->up, names[i]);
		str_addc(out, '`');
	}
	if (shown < n)
		str_addf(out, " and %zu more", n - shown);
}

static void schema_add_choices(struct str *out, struct json choices)
{
	size_t n = json_len(choices), i = 0;
	struct json_iter it = json_each(choices);
	struct json choice;

	str_adds(out, n > 1 ? "one of " : "");
	for (; i < CUT_LIST && json_next(&it, NULL, &choice); i++) {
		str_adds(out, schema_separator(i, n, ", "));
		schema_add_json(out, choice);
	}
	if (i < n)
		str_addf(out, " and %zu more", n - i);
}

/* "from 1 to 3", "of at least 1", or nothing, with " and" between two parts. */
static void schema_add_bounds(struct str *out, const struct schema_node *node)
{
	struct json low = json_exists(node->above) ? node->above : node->minimum;
	struct json high = json_exists(node->below) ? node->below : node->maximum;
	bool between = json_exists(low) && json_exists(high) && !json_exists(node->above) &&
		       !json_exists(node->below);

	if (json_exists(low)) {
		str_adds(out, between                    ? " from "
			      : json_exists(node->above) ? " greater than "
							 : " of at least ");
		schema_add_json(out, low);
	}
	if (json_exists(high)) {
		str_adds(out, json_exists(low) && !between ? " and" : "");
		str_adds(out, between                    ? " to "
			      : json_exists(node->below) ? " less than "
							 : " of at most ");
		schema_add_json(out, high);
	}
	if (json_exists(node->step)) {
		str_adds(out, " that is a multiple of ");
		schema_add_json(out, node->step);
	}
}

static void schema_add_range(struct str *out, struct schema_range range, const char *one,
			     const char *many)
{
	size_t last = range.max == SIZE_MAX ? range.min : range.max;

	if (range.min == 0 && range.max == SIZE_MAX)
		return;
	if (range.min == range.max)
		str_addf(out, " of exactly %zu", last);
	else if (range.max == SIZE_MAX)
		str_addf(out, " of at least %zu", last);
	else if (range.min == 0)
		str_addf(out, " of at most %zu", last);
	else
		str_addf(out, " of %zu to %zu", range.min, last);
	str_addf(out, " %s", last == 1 ? one : many);
}

static void schema_describe_add_type(struct str *out, const struct schema_node *node, unsigned type)
{
	switch ((enum schema_type)type) {
	case SCHEMA_NULL: str_adds(out, "null"); break;
	case SCHEMA_BOOLEAN: str_adds(out, "true or false"); break;
	case SCHEMA_INTEGER:
	case SCHEMA_NUMBER:
		str_adds(out, type == SCHEMA_INTEGER ? "an integer" : "a number");
		schema_add_bounds(out, node);
		break;
	case SCHEMA_STRING:
		str_adds(out, "a string");
		schema_add_range(out, node->length, "character", "characters");
		if (node->pattern) {
			str_adds(out, " that matches the pattern ");
			schema_add_quoted(out, schema_pattern_source(node->pattern));
		}
		break;
	case SCHEMA_ARRAY:
		str_adds(out, "an array");
		schema_add_range(out, node->items, "item", "items");
		break;
	case SCHEMA_OBJECT:
		str_adds(out, "an object");
		schema_add_range(out, node->members, "property", "properties");
		break;
	}
}

/* Without "type", the kinds of value that the other keywords apply to. */
static unsigned schema_types_of(const struct schema_node *node)
{
	unsigned types = node->types;

	if (types)
		return types;
	if (json_exists(node->minimum) || json_exists(node->maximum) || json_exists(node->above) ||
	    json_exists(node->below) || json_exists(node->step))
		types |= SCHEMA_NUMBER;
	if (node->pattern || node->length.min || node->length.max < SIZE_MAX)
		types |= SCHEMA_STRING;
	if (node->each || node->first.n || node->items.min || node->items.max < SIZE_MAX)
		types |= SCHEMA_ARRAY;
	if (node->properties.n || node->members.min || node->members.max < SIZE_MAX ||
	    json_exists(node->required))
		types |= SCHEMA_OBJECT;
	return types;
}

void schema_describe_expected(struct str *out, const struct schema_node *node)
{
	unsigned types = schema_types_of(node);
	size_t n = (size_t)__builtin_popcount(types), i = 0;

	if (json_exists(node->constant)) {
		schema_add_json(out, node->constant);
		return;
	}
	if (json_exists(node->choices)) {
		schema_add_choices(out, node->choices);
		return;
	}
	for (unsigned type = 1; type <= SCHEMA_OBJECT; type <<= 1) {
		if (!(types & type))
			continue;
		str_adds(out, schema_separator(i++, n, " or "));
		schema_describe_add_type(out, node, type);
	}
	if (n == 0)
		str_adds(out, "something else");
}

static size_t schema_characters(struct sv text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		n += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
	return n;
}

static void schema_add_count(struct str *out, const char *what, size_t n, const char *one,
			     const char *many)
{
	str_addf(out, "%s of %zu %s", what, n, n == 1 ? one : many);
}

void schema_describe_found(struct str *out, struct json value)
{
	struct sv text;

	switch (json_type(value)) {
	case JSON_STRING:
		text = json_str_or(value, SV_EMPTY);
		str_adds(out, "the string ");
		schema_add_quoted(out, text);
		if (text.len > CUT_TEXT)
			str_addf(out, " (%zu characters)", schema_characters(text));
		break;
	case JSON_ARRAY: schema_add_count(out, "an array", json_len(value), "item", "items"); break;
	case JSON_OBJECT:
		schema_add_count(out, "an object", json_len(value), "property", "properties");
		break;
	case JSON_MISSING: str_adds(out, "nothing"); break;
	case JSON_NULL:
	case JSON_BOOL:
	case JSON_NUMBER: schema_add_json(out, value); break;
	}
}

void schema_describe_known(struct str *out, const struct schema_node *node, struct sv unknown)
{
	struct nearest nearest = NEAREST_INIT;
	size_t i = 0, n = 0;
	struct sv name;
	void *ignored;

	while (map_next(&node->properties, &i, &name, &ignored))
		nearest_offer(&nearest, unknown, name);
	if (nearest.word.len && nearest.distance < unknown.len) {
		str_adds(out, "; did you mean `");
		schema_add_step(out, true, nearest.word);
		str_adds(out, "`?");
		return;
	}
	for (i = 0; n < CUT_LIST && map_next(&node->properties, &i, &name, &ignored); n++) {
		str_adds(out, n == 0 ? "; known properties: `"
				     : schema_separator(n, node->properties.n, " and "));
		str_adds(out, n == 0 ? "" : "`");
		schema_add_step(out, true, name);
		str_addc(out, '`');
	}
	if (n < node->properties.n)
		str_addf(out, " and %zu more", node->properties.n - n);
}

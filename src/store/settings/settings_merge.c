/* Merges the settings of several files into one document.
 *
 * The problem: each key has its own merge rule (the table in settings_keys.c). Objects may occur
 * at any depth, and files may disagree even on the type of a value that the table does not know.
 *
 * The idea: recurse over all documents at the same time. At every path, collect the values of
 * the files that set it, highest precedence first, and let the row of that path choose the rule.
 * The usual rule merges objects member by member, unites lists, and otherwise uses the first
 * value.
 *
 * Invariants:
 *   - The values at a path are ordered by falling precedence, and there is at least one.
 *   - A value hides all values of lower precedence behind the first one of another type: an object
 *     merges only with the uninterrupted run of objects at the front.
 *   - `has_row` says whether the table can have a row for the path. Inside a map, and below a key
 *     that contains a dot, it cannot, so the usual rule applies.
 *   - The files have been validated, so a value with a row has a type that the row allows. */
#include "base/arena.h"
#include "store/settings/settings_file.h"
#include "store/settings/settings_members.h"
#include "text/json/json_write.h"

struct sourced_value {
	struct json value;
	enum settings_source source;
};

struct merge {
	struct jw w;
	struct str path; /* dotted */
};

static void merge_value(struct merge *m, const struct sourced_value *values, size_t n,
			bool has_row);

/* Return how many values at the front have this type; they hide those of lower precedence. */
static size_t settings_merge_run_of(const struct sourced_value *values, size_t n,
				    enum json_type type)
{
	size_t length = 0;

	while (length < n && json_is(values[length].value, type))
		length++;
	return length;
}

/* --- objects ---------------------------------------------------------------------------- */

static void merge_member(struct merge *m, const struct sourced_value *values,
			 const struct settings_members *members, size_t n, struct sv key,
			 bool has_row)
{
	VEC(struct sourced_value) found = VEC_INIT;
	size_t length = m->path.len;

	for (size_t i = 0; i < n; i++) {
		struct json value = settings_members_get(&members[i], key);

		if (json_exists(value))
			vec_push(&found, ((struct sourced_value){ value, values[i].source }));
	}
	has_row = has_row && sv_find_char(key, '.') == SIZE_MAX;
	if (length)
		str_addc(&m->path, '.');
	str_add(&m->path, key);
	jw_key(&m->w, key);
	merge_value(m, found.at, found.n, has_row);
	str_truncate(&m->path, length);
	vec_clear(&found);
}

static void merge_objects(struct merge *m, const struct sourced_value *values, size_t n,
			  bool has_row)
{
	defer(settings_members_clear) struct settings_members all = SETTINGS_MEMBERS_INIT;
	struct settings_members *members = xcalloc(n, sizeof(*members));

	for (size_t i = 0; i < n; i++) {
		settings_members_read(&members[i], values[i].value);
		settings_members_read(&all, values[i].value);
	}
	jw_object(&m->w);
	for (size_t i = 0; i < all.all.n; i++)
		merge_member(m, values, members, n, all.all.at[i].key, has_row);
	jw_end(&m->w);
	for (size_t i = 0; i < n; i++)
		settings_members_clear(&members[i]);
	free(members);
}

/* --- lists ------------------------------------------------------------------------------ */

/* Return the identity of a list element: a string itself, anything else as JSON. */
static struct sv settings_merge_name_of(struct arena *arena, struct json item)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv string;
	struct jw w;

	if (json_str(item, &string))
		return string;
	str_addc(&text, '\0'); /* no meaningful string begins with NUL */
	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, item);
	jw_done(&w);
	return arena_dup(arena, sv_of(&text));
}

static void settings_merge_unite_lists(struct merge *m, const struct sourced_value *values,
				       size_t n)
{
	defer(settings_members_clear) struct settings_members seen = SETTINGS_MEMBERS_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct json item;

	jw_array(&m->w);
	for (size_t i = 0; i < n; i++) {
		struct json_iter it = json_each(values[i].value);

		while (json_next(&it, NULL, &item))
			if (settings_members_put(&seen, settings_merge_name_of(&arena, item), item))
				jw_value(&m->w, item);
	}
	jw_end(&m->w);
}

/* --- rules ------------------------------------------------------------------------------ */

static void merge_usual(struct merge *m, const struct sourced_value *values, size_t n, bool has_row)
{
	if (json_is(values[0].value, JSON_OBJECT))
		merge_objects(m, values, settings_merge_run_of(values, n, JSON_OBJECT), has_row);
	else if (json_is(values[0].value, JSON_ARRAY))
		settings_merge_unite_lists(m, values, settings_merge_run_of(values, n, JSON_ARRAY));
	else
		jw_value(&m->w, values[0].value);
}

static bool settings_merge_any_is(const struct sourced_value *values, size_t n, bool wanted)
{
	for (size_t i = 0; i < n; i++)
		if (json_bool_or(values[i].value, !wanted) == wanted)
			return true;
	return false;
}

static struct sv settings_merge_lowest(const char *words, const struct sourced_value *values,
				       size_t n)
{
	struct sv rest = sv_cstr(words), word;

	while (sv_cut(&rest, ' ', &word))
		for (size_t i = 0; i < n; i++)
			if (sv_eq(json_str_or(values[i].value, SV_EMPTY), word))
				return word;
	BUG("a checked value is not one of \"%s\"", words);
}

static size_t settings_merge_policys(const struct sourced_value *values, size_t n)
{
	size_t length = 0;

	while (length < n && values[length].source == SETTINGS_POLICY)
		length++;
	return length ? length : n;
}

static void merge_value(struct merge *m, const struct sourced_value *values, size_t n, bool has_row)
{
	const struct setting *row = has_row && m->path.len ? setting_find(sv_of(&m->path)) : NULL;
	bool deeper = !m->path.len || (row && row->type & SETTING_OBJECT);

	switch (row ? row->merge : SETTING_MERGED) {
	case SETTING_MERGED: merge_usual(m, values, n, deeper); break;
	case SETTING_STRONGEST: merge_usual(m, values, 1, deeper); break;
	case SETTING_POLICYS:
		merge_usual(m, values, settings_merge_policys(values, n), deeper);
		break;
	case SETTING_LOWEST: jw_str(&m->w, settings_merge_lowest(row->words, values, n)); break;
	case SETTING_TRUE: jw_bool(&m->w, settings_merge_any_is(values, n, true)); break;
	case SETTING_FALSE: jw_bool(&m->w, !settings_merge_any_is(values, n, false)); break;
	}
}

struct json_doc *settings_merge(const struct settings_layer *layers, size_t n)
{
	defer(str_clear) struct str text = STR_INIT;
	VEC(struct sourced_value) found = VEC_INIT;
	struct merge m = { .path = STR_INIT };
	struct err err = ERR_INIT;
	struct json_doc *doc;

	for (size_t i = n; i > 0; i--)
		vec_push(&found,
			 ((struct sourced_value){ layers[i - 1].root, layers[i - 1].source }));
	jw_init(&m.w, &text, JW_COMPACT);
	if (found.n)
		merge_value(&m, found.at, found.n, true);
	else
		jw_raw(&m.w, SV("{}"));
	jw_done(&m.w);
	doc = json_parse(sv_of(&text), 0, &err);
	BUG_ON(!doc);
	vec_clear(&found);
	str_clear(&m.path);
	return doc;
}

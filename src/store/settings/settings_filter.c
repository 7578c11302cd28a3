/* What of a file counts. The table says who may say what; a repository that is not
 * trusted may only forbid. */
#include "base/limits.h"
#include "store/approved.h"
#include "store/settings/settings_file.h"
#include "store/settings/settings_members.h"
#include "text/json/json_write.h"

struct taking {
	const struct settings_file *file;
	struct jw w;
	struct str *notes, *ignored;
	size_t nnotes;
	struct sv steps[SETTING_STEPS];
	struct str path; /* the same, dotted */
};

/* --- telling -------------------------------------------------------------------------- */

static void settings_filter_note(struct taking *t, size_t depth, const char *what)
{
	if (++t->nnotes > LIMIT_SETTINGS_NOTES)
		return;
	settings_file_point(t->notes, t->file, (struct json_steps){ t->steps, depth });
	str_addf(t->notes, "%s\n", what);
}

static void settings_filter_note_unknown(struct taking *t, size_t depth)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv near = SV_EMPTY;

	if (t->nnotes < LIMIT_SETTINGS_NOTES) /* looking for it takes a while */
		near = setting_nearest(sv_of(&t->path));
	str_adds(&text, "is not a known setting");
	if (sv_eq(near, sv_of(&t->path)))
		str_adds(&text, "; write it as nested objects instead of a dotted key");
	else if (near.len)
		str_addf(&text, "; did you mean %.*s?", SV_ARG(near));
	settings_filter_note(t, depth, str_c(&text));
}

static void settings_filter_note_source(struct taking *t, const struct setting *row, size_t depth)
{
	switch (row->from) {
	case SETTING_FROM_ALL: break;
	case SETTING_FROM_USER:
		settings_filter_note(t, depth, "has no effect in project settings");
		break;
	case SETTING_FROM_POLICY:
		settings_filter_note(t, depth,
				     "has no effect here: only managed settings can set it");
		break;
	case SETTING_FROM_GLOBAL:
		settings_filter_note(t, depth, "has no effect here: it belongs in ~/.claude.json");
		break;
	}
}

/* All of it, since somebody decides by this list. */
static void settings_filter_add_ignored(struct taking *t, size_t depth)
{
	struct json_steps steps = { t->steps, depth };

	if (!settings_are_projects(
		    t->file->source)) /* that of --managed-settings knows what it is for */
		return;
	settings_add_key(t->ignored, steps);
	str_addf(t->ignored, " (.claude/settings%s.json:%zu)\n",
		 t->file->source == SETTINGS_LOCAL ? ".local" : "",
		 settings_file_spot(t->file, steps).line);
}

/* What a map holds is told one by one: it is a variable, a hook, a plugin. */
static void settings_filter_ignore_value(struct taking *t, const struct setting *row,
					 struct json value, size_t depth)
{
	defer(settings_members_clear) struct settings_members members = SETTINGS_MEMBERS_INIT;

	if (!(row->type & SETTING_MAP) || !json_is(value, JSON_OBJECT)) {
		settings_filter_add_ignored(t, depth);
		return;
	}
	settings_members_read(&members, value);
	for (size_t i = 0; i < members.all.n; i++) {
		t->steps[depth] = members.all.at[i].key;
		settings_filter_add_ignored(t, depth + 1);
	}
}

/* --- choosing ------------------------------------------------------------------------- */

/* Numbers and truth values are what people write for variables, too. */
static void filter_variable(struct taking *t, struct sv name, struct json value)
{
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	jw_key(&t->w, name);
	if (json_is(value, JSON_STRING)) {
		jw_value(&t->w, value);
		return;
	}
	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
	jw_str(&t->w, sv_of(&text));
}

static void filter_env(struct taking *t, struct json env, size_t depth)
{
	defer(settings_members_clear) struct settings_members members = SETTINGS_MEMBERS_INIT;

	jw_object(&t->w);
	settings_members_read(&members, env);
	for (size_t i = 0; i < members.all.n; i++) {
		struct sv name = t->steps[depth] = members.all.at[i].key;

		if (!name.len || sv_find_char(name, '=') != SIZE_MAX ||
		    sv_find_char(name, '\0') != SIZE_MAX)
			settings_filter_note(t, depth + 1,
					     "is not a valid variable name, so it has no effect");
		else if (settings_are_projects(t->file->source) && !settings_env_is_harmless(name))
			settings_filter_note(t, depth + 1, "has no effect in project settings");
		else
			filter_variable(t, name, members.all.at[i].value);
	}
	jw_end(&t->w);
}

static void filter_object(struct taking *t, struct json object, size_t depth);

/* Selects the elements of an untrusted list that the user gave. Returns false if there is no such
 * element or list. */
static bool filter_approved(struct taking *t, const struct setting *row, struct json value,
			    size_t depth)
{
	struct json_iter it = json_each(value);
	struct json item;
	size_t n = 0;

	if (!t->file->approved || !json_is(value, JSON_ARRAY))
		return false;
	while (json_next(&it, NULL, &item))
		n += approved_has(t->file->approved, row->name, item);
	if (!n)
		return false;
	jw_key(&t->w, t->steps[depth - 1]);
	jw_array(&t->w);
	it = json_each(value);
	while (json_next(&it, NULL, &item))
		if (approved_has(t->file->approved, row->name, item))
			jw_value(&t->w, item);
	jw_end(&t->w);
	if (n < json_len(value))
		settings_filter_add_ignored(t, depth);
	return true;
}

static void filter_known(struct taking *t, const struct setting *row, struct json value,
			 size_t depth)
{
	bool goes_deeper = row->type & SETTING_OBJECT && json_is(value, JSON_OBJECT);

	if (!setting_may_be_from(row, t->file->source)) {
		settings_filter_note_source(t, row, depth);
		return;
	}
	if (!t->file->is_trusted && !goes_deeper && !setting_only_restricts(row, value)) {
		if (!filter_approved(t, row, value, depth))
			settings_filter_ignore_value(t, row, value, depth);
		return;
	}
	jw_key(&t->w, row->same_as ? sv_cstr(row->same_as) : t->steps[depth - 1]);
	if (goes_deeper)
		filter_object(t, value, depth);
	else if (sv_is(sv_cstr(row->name), "env"))
		filter_env(t, value, depth);
	else
		jw_value(&t->w, value);
}

static void filter_unknown(struct taking *t, struct json value, size_t depth)
{
	if (!t->file->is_trusted) {
		settings_filter_add_ignored(t, depth);
		return;
	}
	settings_filter_note_unknown(t, depth);
	jw_key(&t->w, t->steps[depth - 1]);
	jw_value(&t->w, value);
}

/* ~/.claude.json is mostly others' business. */
static bool settings_filter_is_ours(const struct taking *t, const struct setting *row)
{
	return t->file->source != SETTINGS_GLOBAL || (row && row->from == SETTING_FROM_GLOBAL);
}

/* As deep as the table has rows. */
static void filter_object(struct taking *t, struct json object, size_t depth)
{
	defer(settings_members_clear) struct settings_members members = SETTINGS_MEMBERS_INIT;
	size_t length = t->path.len;

	jw_object(&t->w);
	settings_members_read(&members, object);
	for (size_t i = 0; i < members.all.n; i++) {
		struct sv key = members.all.at[i].key;
		struct json value = members.all.at[i].value;
		const struct setting *row = NULL;

		if (depth)
			str_addc(&t->path, '.');
		str_add(&t->path, key);
		t->steps[depth] = key;
		if (sv_find_char(key, '.') == SIZE_MAX)
			row = setting_find(sv_of(&t->path));
		if (row && settings_filter_is_ours(t, row))
			filter_known(t, row, value, depth + 1);
		else if (settings_filter_is_ours(t, row))
			filter_unknown(t, value, depth + 1);
		str_truncate(&t->path, length);
	}
	jw_end(&t->w);
}

void settings_file_take(struct settings_file *f, struct str *notes, struct str *ignored)
{
	defer(str_clear) struct str text = STR_INIT;
	struct taking t = { .file = f, .notes = notes, .ignored = ignored };
	struct err err = ERR_INIT;

	jw_init(&t.w, &text, JW_COMPACT);
	filter_object(&t, json_root(f->said), 0);
	jw_done(&t.w);
	str_clear(&t.path);
	if (t.nnotes > LIMIT_SETTINGS_NOTES)
		str_addf(notes, "%s: and %zu more\n", str_c(&f->name),
			 t.nnotes - LIMIT_SETTINGS_NOTES);
	f->taken = json_parse(sv_of(&text), 0, &err);
	BUG_ON(!f->taken);
}

/* Selects the settings of a file that have an effect. The table says which source may set a key; a
 * repository that is not trusted may only restrict. */
#include "base/limits.h"
#include "store/approved.h"
#include "store/settings/settings_hooks.h"
#include "store/settings/settings_members.h"
#include "store/settings/settings_notes.h"
#include "text/json/json_write.h"
#include "text/nearest.h"

struct taking {
	const struct settings_file *file;
	struct jw w;
	struct settings_notes *notes;
	struct str *ignored;
	bool is_unsure; /* an invalid entry may have restricted something */
	struct sv steps[SETTING_STEPS];
	struct str path; /* the same, dotted */
};

/* --- notes ---------------------------------------------------------------------------- */

static void settings_filter_note(struct taking *t, size_t depth, enum settings_note kind,
				 const char *what)
{
	settings_notes_add(t->notes, t->file, kind, (struct json_steps){ t->steps, depth }, what);
}

/* Keys that people write into settings.json although they belong elsewhere. */
static const char *settings_filter_home_of(struct sv key)
{
	static const struct {
		const char *key, *home;
	} homes[] = {
		{ "mcpServers", "is not a setting; did you mean the file .mcp.json?" },
		{ "defaultMode", "is not a setting; did you mean permissions.defaultMode?" },
		{ "allow", "is not a setting; did you mean permissions.allow?" },
		{ "deny", "is not a setting; did you mean permissions.deny?" },
		{ "ask", "is not a setting; did you mean permissions.ask?" },
	};

	for (size_t i = 0; i < countof(homes); i++)
		if (sv_is(key, homes[i].key))
			return homes[i].home;
	return NULL;
}

/* Returns whether an unknown key is surely a misspelt `near`, and not the key of another
 * program. */
static bool settings_filter_is_meant(struct sv key, struct sv near)
{
	return near.len && (nearest_distance(key, near) <= 1 || sv_ends(near, key));
}

static void settings_filter_note_unknown(struct taking *t, size_t depth)
{
	const char *home = depth == 1 ? settings_filter_home_of(sv_of(&t->path)) : NULL;
	defer(str_clear) struct str text = STR_INIT;
	struct sv near = SV_EMPTY;

	if (t->notes->kinds[SETTINGS_NOTE_UNKNOWN].n < LIMIT_SETTINGS_CHECKED &&
	    t->notes->kinds[SETTINGS_NOTE_MISSPELT].n < LIMIT_SETTINGS_CHECKED)
		near = setting_nearest(sv_of(&t->path)); /* takes a while */
	str_adds(&text, home ? home : "is not a known setting");
	if (!home && sv_eq(near, sv_of(&t->path)))
		str_adds(&text, "; write it as nested objects instead of a dotted key");
	else if (!home && near.len)
		str_addf(&text, "; did you mean %.*s?", SV_ARG(near));
	settings_filter_note(t, depth,
			     home || settings_filter_is_meant(sv_of(&t->path), near)
				     ? SETTINGS_NOTE_MISSPELT
				     : SETTINGS_NOTE_UNKNOWN,
			     str_c(&text));
}

static void settings_filter_note_source(struct taking *t, const struct setting *row, size_t depth)
{
	switch (row->from) {
	case SETTING_FROM_ALL: break;
	case SETTING_FROM_USER:
		settings_filter_note(t, depth, SETTINGS_NOTE_NOT_PROJECT,
				     "has no effect in project settings");
		break;
	case SETTING_FROM_LOCAL:
		settings_filter_note(t, depth, SETTINGS_NOTE_NOT_PROJECT,
				     "has no effect in the project settings that others share; put "
				     "it into .claude/settings.local.json");
		break;
	case SETTING_FROM_POLICY:
		settings_filter_note(t, depth, SETTINGS_NOTE_POLICY,
				     "has no effect here: only managed settings can set it");
		break;
	case SETTING_FROM_GLOBAL:
		settings_filter_note(t, depth, SETTINGS_NOTE_GLOBAL,
				     "has no effect here: it belongs in ~/.claude.json");
		break;
	}
}

/* Notes a value that only other files may set. */
static void settings_filter_note_value(struct taking *t, struct json value, size_t depth)
{
	defer(str_clear) struct str text = STR_INIT;

	settings_add_found(&text, value);
	str_adds(&text, " has no effect in project settings");
	settings_filter_note(t, depth, SETTINGS_NOTE_NOT_PROJECT, str_c(&text));
}

/* Notes an invalid element or member of the value of `row`. */
static void settings_filter_note_entry(struct taking *t, const struct setting *row,
				       struct json entry, size_t depth)
{
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, "expected ");
	setting_expected(&text, row);
	str_adds(&text, ", found ");
	settings_add_found(&text, entry);
	str_adds(&text, " in it; this entry is ignored");
	settings_filter_note(t, depth, SETTINGS_NOTE_ENTRY, str_c(&text));
	t->is_unsure |= row->restricts;
}

static void settings_filter_note_hook(struct taking *t, size_t depth, const struct err *why)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "%s; this hook is ignored", why->text);
	settings_filter_note(t, depth, SETTINGS_NOTE_ENTRY, str_c(&text));
}

/* The list has to be complete: the user decides by it. */
static void settings_filter_add_ignored(struct taking *t, size_t depth)
{
	struct json_steps steps = { t->steps, depth };

	if (!settings_are_projects(t->file->source)) /* from --managed-settings */
		return;
	settings_add_key(t->ignored, steps);
	str_addf(t->ignored, " (.claude/settings%s.json:%zu)\n",
		 t->file->source == SETTINGS_LOCAL ? ".local" : "",
		 settings_file_spot(t->file, steps).line);
}

/* Lists the members of a map one by one: each is a variable, a hook or a plugin. */
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
		struct sv name = t->steps[depth] = members.all.at[i].key;

		if (sv_is(sv_cstr(row->name), "env") && !settings_env_is_harmless(name))
			settings_filter_note(t, depth + 1, SETTINGS_NOTE_NOT_PROJECT,
					     "has no effect in project settings");
		else
			settings_filter_add_ignored(t, depth + 1);
	}
}

/* --- selecting ------------------------------------------------------------------------ */

/* People write numbers and booleans for variables, too. */
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

static void filter_env(struct taking *t, const struct setting *row, struct json env, size_t depth)
{
	defer(settings_members_clear) struct settings_members members = SETTINGS_MEMBERS_INIT;

	jw_object(&t->w);
	settings_members_read(&members, env);
	for (size_t i = 0; i < members.all.n; i++) {
		struct sv name = t->steps[depth] = members.all.at[i].key;
		struct json value = members.all.at[i].value;

		if (json_is(value, JSON_NULL))
			continue;
		if (!setting_part_fits(row, value))
			settings_filter_note_entry(t, row, value, depth + 1);
		else if (!name.len || sv_find_char(name, '=') != SIZE_MAX ||
			 sv_find_char(name, '\0') != SIZE_MAX)
			settings_filter_note(t, depth + 1, SETTINGS_NOTE_ENTRY,
					     "is not a valid variable name, so it has no effect");
		else if (settings_are_projects(t->file->source) && !settings_env_is_harmless(name))
			settings_filter_note(t, depth + 1, SETTINGS_NOTE_NOT_PROJECT,
					     "has no effect in project settings");
		else
			filter_variable(t, name, value);
	}
	jw_end(&t->w);
}

/* Notes the handlers of a group that cannot be used. */
static void filter_note_handlers(struct taking *t, struct json group, size_t depth)
{
	struct json_iter it = json_each(json_get(group, "hooks"));
	struct json handler;

	while (json_next(&it, NULL, &handler)) {
		struct err err = ERR_INIT;

		if (!settings_hooks_check_handler(handler, &err))
			settings_filter_note_hook(t, depth, &err);
	}
}

/* Selects the groups of an event that can be used, and those of guards that cannot. */
static void filter_groups(struct taking *t, struct sv event, struct json groups, size_t depth)
{
	struct json_iter it = json_each(groups);
	struct json group;

	jw_array(&t->w);
	while (json_next(&it, NULL, &group)) {
		struct err err = ERR_INIT;

		bool is_right = settings_hooks_check_group(group, &err);

		if (is_right)
			filter_note_handlers(t, group, depth);
		else
			settings_filter_note_hook(t, depth, &err);
		if (is_right || settings_hooks_guard(event))
			jw_value(&t->w, group);
	}
	jw_end(&t->w);
}

/* Keeps guards that are not even a list, as a group that cannot be used. */
static void filter_keep_guard(struct taking *t, struct sv event, struct json groups)
{
	if (!settings_hooks_guard(event))
		return;
	jw_key(&t->w, event);
	jw_array(&t->w);
	jw_value(&t->w, groups);
	jw_end(&t->w);
}

static void filter_hooks(struct taking *t, const struct setting *row, struct json hooks,
			 size_t depth)
{
	defer(settings_members_clear) struct settings_members members = SETTINGS_MEMBERS_INIT;

	jw_object(&t->w);
	settings_members_read(&members, hooks);
	for (size_t i = 0; i < members.all.n; i++) {
		struct sv event = t->steps[depth] = members.all.at[i].key;
		struct json groups = members.all.at[i].value;

		if (json_is(groups, JSON_NULL))
			continue;
		if (!settings_hooks_know_event(event)) {
			settings_filter_note(t, depth + 1, SETTINGS_NOTE_EVENT,
					     "is not a hook event; it is ignored");
		} else if (setting_part_fits(row, groups)) {
			jw_key(&t->w, event);
			filter_groups(t, event, groups, depth + 1);
		} else {
			settings_filter_note_entry(t, row, groups, depth + 1);
			filter_keep_guard(t, event, groups);
		}
	}
	jw_end(&t->w);
}

/* Copies a list without its invalid elements. */
static void filter_list(struct taking *t, const struct setting *row, struct json list, size_t depth)
{
	struct json_iter it = json_each(list);
	struct json item;

	jw_array(&t->w);
	while (json_next(&it, NULL, &item))
		if (setting_part_fits(row, item))
			jw_value(&t->w, item);
		else
			settings_filter_note_entry(t, row, item, depth);
	jw_end(&t->w);
}

/* Copies a map without its invalid members. */
static void filter_map(struct taking *t, const struct setting *row, struct json map, size_t depth)
{
	defer(settings_members_clear) struct settings_members members = SETTINGS_MEMBERS_INIT;

	jw_object(&t->w);
	settings_members_read(&members, map);
	for (size_t i = 0; i < members.all.n; i++) {
		struct json value = members.all.at[i].value;

		t->steps[depth] = members.all.at[i].key;
		if (json_is(value, JSON_NULL))
			continue;
		if (!setting_part_fits(row, value)) {
			settings_filter_note_entry(t, row, value, depth + 1);
			continue;
		}
		jw_key(&t->w, members.all.at[i].key);
		jw_value(&t->w, value);
	}
	jw_end(&t->w);
}

static void filter_object(struct taking *t, struct json object, size_t depth);

static void filter_value(struct taking *t, const struct setting *row, struct json value,
			 size_t depth)
{
	if (row->type & SETTING_OBJECT && json_is(value, JSON_OBJECT))
		filter_object(t, value, depth);
	else if (sv_is(sv_cstr(row->name), "env"))
		filter_env(t, row, value, depth);
	else if (sv_is(sv_cstr(row->name), "hooks"))
		filter_hooks(t, row, value, depth);
	else if (row->type & SETTING_LIST && json_is(value, JSON_ARRAY))
		filter_list(t, row, value, depth);
	else if (row->type & SETTING_MAP && json_is(value, JSON_OBJECT))
		filter_map(t, row, value, depth);
	else
		jw_value(&t->w, value);
}

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
	if (!setting_may_have(row, t->file->source, value)) {
		settings_filter_note_value(t, value, depth);
		return;
	}
	if (!t->file->is_trusted && !goes_deeper && !setting_only_restricts(row, value)) {
		if (!filter_approved(t, row, value, depth))
			settings_filter_ignore_value(t, row, value, depth);
		return;
	}
	jw_key(&t->w, *row->same_as ? sv_cstr(row->same_as) : t->steps[depth - 1]);
	filter_value(t, row, value, depth);
}

static void filter_unknown(struct taking *t, struct json value, size_t depth)
{
	settings_filter_note_unknown(t, depth);
	if (!t->file->is_trusted)
		return;
	jw_key(&t->w, t->steps[depth - 1]);
	jw_value(&t->w, value);
}

/* Most of ~/.claude.json belongs to other programs. */
static bool settings_filter_is_ours(const struct taking *t, const struct setting *row)
{
	return t->file->source != SETTINGS_GLOBAL || (row && row->from == SETTING_FROM_GLOBAL);
}

/* Goes as deep as the table has rows. */
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
		if (row && json_is(value, JSON_NULL))
			; /* not set */
		else if (row && settings_filter_is_ours(t, row))
			filter_known(t, row, value, depth + 1);
		else if (settings_filter_is_ours(t, row))
			filter_unknown(t, value, depth + 1);
		str_truncate(&t->path, length);
	}
	jw_end(&t->w);
}

bool settings_file_take(struct settings_file *f, struct settings_notes *notes, struct str *ignored)
{
	defer(str_clear) struct str text = STR_INIT;
	struct taking t = { .file = f, .notes = notes, .ignored = ignored };
	struct err err = ERR_INIT;

	jw_init(&t.w, &text, JW_COMPACT);
	filter_object(&t, json_root(f->content), 0);
	jw_done(&t.w);
	str_clear(&t.path);
	settings_notes_end(notes, f);
	f->taken = json_parse(sv_of(&text), 0, &err);
	BUG_ON(!f->taken);
	return !t.is_unsure;
}

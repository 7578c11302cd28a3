/* A text of settings is refused whole, with complaints that a terminal may show, or every
 * known key that is used of it is what the table says. What is taken of it from a repository that is not
 * trusted only forbids. A value that is put in can be got out again, and all others are what
 * they were.
 *
 * The first two bytes choose the key and the value to put. */
#include "base/limits.h"
#include "base/mem.h"
#include "store/settings/settings_file.h"
#include "store/settings/settings_members.h"
#include "store/settings/settings_notes.h"
#include "text/json/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct json follow(struct json value, const char *key)
{
	struct sv at[SETTING_STEPS];
	size_t n = setting_steps(sv_cstr(key), at);

	for (size_t i = 0; i < n; i++)
		value = json_get_sv(value, at[i]);
	return value;
}

/* The types once more, by other means than the table's own. */
static bool is_typed(unsigned types, const char *words, struct json value)
{
	struct sv text = json_str_or(value, SV_EMPTY), rest = sv_cstr(words), word;
	double real;

	if (!types)
		return true;
	if (json_is(value, JSON_STRING) && types & SETTING_STRING)
		return strlen(text.ptr) == text.len;
	while (json_is(value, JSON_STRING) && types & SETTING_WORD && sv_cut(&rest, ' ', &word))
		if (sv_eq(word, text))
			return true;
	if (json_is(value, JSON_NUMBER))
		return (types & SETTING_INT && json_is_integer(value)) ||
		       (types & SETTING_NUMBER && json_real(value, &real));
	return (json_is(value, JSON_BOOL) && types & SETTING_BOOL) ||
	       (json_is(value, JSON_ARRAY) && types & SETTING_LIST) ||
	       (json_is(value, JSON_OBJECT) && types & (SETTING_MAP | SETTING_OBJECT));
}

static void check_typed(struct json root)
{
	for (size_t i = 0; i < settings_table_size; i++) {
		const struct setting *row = &settings_table[i];
		struct json value =
			*row->same_as ? json_get(root, row->name) : follow(root, row->name);
		struct json_iter it = json_each(value);
		struct json part;

		if (!json_exists(value))
			continue;
		BUG_ON(!is_typed(row->type & 0xff, row->words, value));
		while (!(row->type & SETTING_OBJECT) && json_next(&it, NULL, &part))
			BUG_ON(!is_typed(row->type >> SETTING_TYPES, row->words, part));
	}
}

static void check_plain(struct sv text)
{
	defer(str_clear) struct str plain = STR_INIT;

	settings_plain(&plain, text);
	BUG_ON(plain.len != text.len);
	for (size_t i = 0; i < text.len; i++)
		BUG_ON(plain.ptr[i] != text.ptr[i] && plain.ptr[i] != ' ');
	for (size_t i = 0; i < text.len; i++)
		BUG_ON((plain.ptr[i] == '\n') != (text.ptr[i] == '\n'));
}

static void check_complaints(struct sv complaints)
{
	BUG_ON(!complaints.len || complaints.ptr[complaints.len - 1] != '\n');
	for (size_t i = 0; i < complaints.len; i++)
		BUG_ON((unsigned char)complaints.ptr[i] < ' ' && complaints.ptr[i] != '\n');
}

/* What is left of an untrusted repository's file forbids, to the last leaf. */
static void check_restricts(struct json root)
{
	for (size_t i = 0; i < settings_table_size; i++) {
		const struct setting *row = &settings_table[i];
		struct json value = follow(root, row->name);

		if (!json_exists(value) ||
		    (row->type & SETTING_OBJECT && json_is(value, JSON_OBJECT)))
			continue;
		BUG_ON(!setting_only_restricts(row, value));
		BUG_ON(!setting_may_be_from(row, SETTINGS_PROJECT));
	}
}

static void check_taking(struct settings_file *file)
{
	defer(str_clear) struct str text = STR_INIT;
	struct settings_notes notes = { .out = &text };
	defer(str_clear) struct str ignored = STR_INIT;
	struct settings_layer layers[2];
	struct json_doc *merged, *others;

	file->source = SETTINGS_PROJECT;
	settings_file_take(file, &notes, &ignored);
	check_restricts(json_root(file->taken));
	layers[0] = (struct settings_layer){ json_root(file->taken), SETTINGS_PROJECT };
	file->source = SETTINGS_USER;
	file->is_trusted = true;
	others = move(file->taken);
	settings_file_take(file, &notes, &ignored);
	layers[1] = (struct settings_layer){ json_root(file->taken), SETTINGS_USER };
	merged = settings_merge(layers, 2);
	check_typed(json_root(merged));
	json_doc_free(merged);
	json_doc_free(others);
}

/* All members of the root but one are the same. */
static void check_others(struct json before, struct json after, struct sv but)
{
	defer(settings_members_clear) struct settings_members old = SETTINGS_MEMBERS_INIT;
	defer(settings_members_clear) struct settings_members new = SETTINGS_MEMBERS_INIT;

	settings_members_read(&old, before);
	settings_members_read(&new, after);
	for (size_t i = 0; i < old.all.n; i++) {
		struct settings_member *m = &old.all.at[i];

		BUG_ON(!sv_eq(m->key, but) &&
		       !json_equal(m->value, settings_members_get(&new, m->key)));
	}
	for (size_t i = 0; i < new.all.n; i++) {
		struct settings_member *m = &new.all.at[i];

		BUG_ON(!sv_eq(m->key, but) && !json_exists(settings_members_get(&old, m->key)));
	}
}

static void check_put(const struct settings_file *file, struct sv text, uint8_t key, uint8_t what)
{
	static const char *const values[] = {
		"true", "false",         "\"low\"",       "\"disable\"",
		"7",    "[\"Bash(x)\"]", "{\"a\":\"b\"}", "",
	};
	const char *name = settings_table[key % settings_table_size].name;
	struct sv json = sv_cstr(values[what % countof(values)]), at[SETTING_STEPS];
	struct json_steps steps = { at, setting_steps(sv_cstr(name), at) };
	defer(settings_file_clear) struct settings_file after = SETTINGS_FILE_INIT;
	defer(str_clear) struct str edited = STR_INIT, complaints = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *wanted = json.len ? json_parse(json, 0, &err) : NULL;

	str_add(&edited, text);
	if (!settings_edit(&edited, steps, json, &err)) {
		BUG_ON(!sv_eq(sv_of(&edited), text));
		return;
	}
	if (!settings_file_parse(&after, sv_of(&edited), &complaints))
		return; /* of a wrong type: the caller does not write it */
	BUG_ON(!json_equal(follow(json_root(after.content), name), json_root(wanted)));
	check_others(json_root(file->content), json_root(after.content), at[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(settings_file_clear) struct settings_file file = SETTINGS_FILE_INIT;
	defer(str_clear) struct str complaints = STR_INIT;
	defer(mem_freep) char *copy = xmemdup(data, size); /* reading on is caught */
	struct sv text = sv_skip(sv_from(copy, size), 2);

	if (size < 2 || size > LIMIT_SETTINGS)
		return 0;
	str_adds(&file.name, "file");
	file.is_strict = data[0] & 1;
	check_plain(text);
	if (!settings_file_parse(&file, text, &complaints)) {
		BUG_ON(file.content);
		check_complaints(sv_of(&complaints));
		return 0;
	}
	BUG_ON(complaints.len);
	check_put(&file, text, data[0], data[1]);
	check_taking(&file);
	return 0;
}

#include "store/approved.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "store/settings/settings_file.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

static void approved_path(struct str *out, const char *config_dir)
{
	fs_join(out, sv_cstr(config_dir), SV("awl/approved.json"));
}

/* Returns the dotted name of a list whose elements can be approved; NULL: `steps` lead
 * elsewhere. */
static const char *approved_key(struct json_steps steps)
{
	static const char *const names[] = { "permissions.allow",
					     "permissions.additionalDirectories" };

	for (size_t i = 0; i < countof(names); i++)
		if (steps.n == 2 && sv_is(steps.at[0], "permissions") &&
		    sv_is(steps.at[1], strchr(names[i], '.') + 1))
			return names[i];
	return NULL;
}

/* --- reading ------------------------------------------------------------------------------- */

struct json_doc *approved_read(const char *config_dir, const char *file)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;
	struct json_span span;

	if (!config_dir)
		return NULL;
	approved_path(&path, config_dir);
	if (!fs_read(&text, str_c(&path), LIMIT_APPROVED, &ignored) ||
	    !json_span_find(sv_of(&text), JSON_STEPS(sv_cstr(file)), &span, &ignored))
		return NULL;
	return json_parse(json_span_sv(sv_of(&text), span), 0, &ignored);
}

static bool approved_contains(struct json list, struct json element)
{
	struct json_iter it = json_each(list);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (json_equal(item, element))
			return true;
	return false;
}

bool approved_covers(struct json_steps steps)
{
	return approved_key(steps) != NULL;
}

bool approved_has(const struct json_doc *approved, const char *key, struct json element)
{
	return approved && approved_contains(json_get(json_root(approved), key), element);
}

/* --- following a change -------------------------------------------------------------------- */

/* Returns the settings in a file; NULL: there are none, or it is invalid. */
static struct json_doc *approved_read_settings(const char *file)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str plain = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!fs_read(&text, file, LIMIT_SETTINGS, &ignored))
		return NULL;
	settings_plain(&plain, sv_of(&text));
	return json_parse(sv_of(&plain), 0, &ignored);
}

/* Writes the elements that stay approved: those of the old list that the file still has, but not
 * those of the change. */
static void approved_write_old(struct jw *w, struct json old, struct json in_file,
			       struct json changed)
{
	struct json_iter it = json_each(old);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (approved_contains(in_file, item) && !approved_contains(changed, item))
			jw_value(w, item);
}

static void approved_write_new(struct jw *w, struct json changed)
{
	struct json_iter it = json_each(changed);
	struct json item;

	while (json_next(&it, NULL, &item))
		jw_value(w, item);
}

/* Returns whether a change sets or removes the whole list, not one element. */
static bool approved_replaces(struct sv json)
{
	return !json.len || sv_starts(sv_trim(json), SV("["));
}

/* Returns the elements of a change as a list: `json` itself, or a list of this one element. */
static struct json_doc *approved_elements(struct sv json, struct err *err)
{
	defer(str_clear) struct str list = STR_INIT;

	if (json.len && approved_replaces(json))
		return json_parse(json, 0, err);
	str_addf(&list, "[%.*s]", SV_ARG(json));
	return json_parse(sv_of(&list), 0, err);
}

static bool approved_write(const char *config_dir, const char *file, const char *key,
			   struct sv list, struct err *err)
{
	struct json_steps steps = JSON_STEPS(sv_cstr(file), sv_cstr(key));
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err missing = ERR_INIT;

	approved_path(&path, config_dir);
	if (!fs_read(&text, str_c(&path), LIMIT_APPROVED, &missing)) {
		if (missing.kind != ERR_NOT_FOUND)
			return err_set(err, missing.kind, "%s", missing.text);
		str_adds(&text, "{}\n");
	}
	if (!json_span_set(&text, steps, list, err))
		return err_context(err, "%s", str_c(&path));
	if (text.len > LIMIT_APPROVED)
		return err_set(err, ERR_TOO_BIG, "%s: would exceed %zu MiB", str_c(&path),
			       LIMIT_APPROVED / MIB);
	return fs_write(str_c(&path), sv_of(&text), (struct fs_write){ .mode = 0600, .sync = true },
			err);
}

bool approved_follow(const char *config_dir, const char *file, struct json_steps steps,
		     struct sv json, bool removes, struct err *err)
{
	const char *key = approved_key(steps);
	defer(json_doc_freep) struct json_doc *old = NULL;
	defer(json_doc_freep) struct json_doc *settings = NULL;
	defer(json_doc_freep) struct json_doc *changed = NULL;
	defer(str_clear) struct str list = STR_INIT;
	struct json before;
	struct jw w;
	size_t bad_at;

	if (!key)
		return true;
	if (!utf8_valid(sv_cstr(file), &bad_at))
		return err_set(err, ERR_INVALID,
			       "the project path is not valid UTF-8, so rules for it cannot be "
			       "recorded");
	changed = approved_elements(json, err);
	if (!changed)
		return false;
	old = approved_read(config_dir, file);
	settings = approved_read_settings(file);
	before = json_get_sv(json_get_sv(json_root(settings), steps.at[0]), steps.at[1]);
	jw_init(&w, &list, JW_COMPACT);
	jw_array(&w);
	if (!approved_replaces(json))
		approved_write_old(&w, json_get(json_root(old), key), before, json_root(changed));
	if (!removes)
		approved_write_new(&w, json_root(changed));
	jw_end(&w);
	jw_done(&w);
	if (!old && sv_is(sv_of(&list), "[]"))
		return true;
	return approved_write(config_dir, file, key, sv_of(&list), err);
}

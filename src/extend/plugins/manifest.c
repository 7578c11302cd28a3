#include "extend/plugins/manifest.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/limits.h"

void plugin_manifest_clear(struct plugin_manifest *m)
{
	vec_clear(&m->commands);
	vec_clear(&m->agents);
	vec_clear(&m->skills);
	vec_clear(&m->styles);
	vec_clear(&m->hook_files);
	vec_clear(&m->server_files);
	vec_clear(&m->hooks);
	vec_clear(&m->servers);
	vec_clear(&m->lsp_files);
	vec_clear(&m->lsp);
}

bool plugin_name_valid(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!ascii_is_alnum(name.ptr[i]) && !ascii_is_one_of(name.ptr[i], "-_."))
			return false;
	return name.len && name.len <= LIMIT_PLUGIN_NAME && ascii_is_alnum(name.ptr[0]);
}

bool plugin_path_read(struct sv path, struct sv *out)
{
	struct sv rest, part;

	while (sv_starts(path, SV("./")))
		path = sv_skip(path, 2);
	while (sv_ends(path, SV("/")) && path.len > 1)
		path.len--;
	if (sv_is(path, "."))
		path = SV_EMPTY;
	if (sv_starts(path, SV("/")) || memchr(path.ptr, '\0', path.len))
		return false;
	for (rest = path; sv_cut(&rest, '/', &part);)
		if (sv_is(part, ".."))
			return false;
	*out = path;
	return true;
}

/* --- fields ---------------------------------------------------------------------------------- */

/* One object that is read. */
struct manifest_reader {
	const char *file;
	struct str *notes;
};

static void manifest_note(const struct manifest_reader *r, const char *key, const char *what)
{
	if (r->notes->len < LIMIT_COMMAND_NOTES)
		str_addf(r->notes, "%s: \"%s\" %s\n", r->file, key, what);
}

static void manifest_read_text(const struct manifest_reader *r, struct json object, const char *key,
			       struct sv *out)
{
	struct json value = json_get(object, key);

	if (json_exists(value) && !json_is(value, JSON_NULL) && !json_str(value, out))
		manifest_note(r, key, "must be a string; it is ignored");
}

static void manifest_add_path(const struct manifest_reader *r, const char *key, struct json value,
			      plugin_texts *out)
{
	struct sv path;

	if (plugin_path_read(json_str_or(value, SV_EMPTY), &path))
		vec_push(out, path);
	else
		manifest_note(r, key, "has a path that leads out of the plugin; it is skipped");
}

/* A path or a list of paths. */
static void manifest_read_paths(const struct manifest_reader *r, struct json object,
				const char *key, plugin_texts *out)
{
	struct json value = json_get(object, key), item;
	struct json_iter it = json_each(value);

	if (json_is(value, JSON_STRING))
		manifest_add_path(r, key, value, out);
	else if (json_exists(value) && !json_is(value, JSON_ARRAY))
		manifest_note(r, key, "must be a path or a list of paths; it is ignored");
	while (!it.keyed && json_next(&it, NULL, &item)) {
		if (json_is(item, JSON_STRING))
			manifest_add_path(r, key, item, out);
		else
			manifest_note(r, key, "must have only paths; another value is skipped");
	}
}

/* A path, an object, or a list of both. */
static void manifest_read_parts(const struct manifest_reader *r, struct json object,
				const char *key, plugin_texts *files, plugin_values *inlined)
{
	struct json value = json_get(object, key), item;
	struct json_iter it = json_each(value);

	if (json_is(value, JSON_STRING))
		manifest_add_path(r, key, value, files);
	else if (json_is(value, JSON_OBJECT))
		vec_push(inlined, value);
	else if (json_exists(value) && !json_is(value, JSON_ARRAY))
		manifest_note(r, key, "must be a path or an object; it is ignored");
	while (!it.keyed && json_next(&it, NULL, &item)) {
		if (json_is(item, JSON_STRING))
			manifest_add_path(r, key, item, files);
		else if (json_is(item, JSON_OBJECT))
			vec_push(inlined, item);
		else
			manifest_note(r, key,
				      "must have only paths and objects; another value is "
				      "skipped");
	}
}

/* The author is an object with a name; some write only the name. */
static void manifest_read_author(struct json object, struct sv *out)
{
	struct json author = json_get(object, "author");

	if (!json_str(author, out))
		*out = json_str_or(json_get(author, "name"), *out);
}

static bool manifest_read_name(const struct manifest_reader *r, struct json object, struct sv *out,
			       struct err *err)
{
	struct sv name;

	if (!json_is(object, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "%s: must be an object", r->file);
	if (!json_str(json_get(object, "name"), &name))
		return err_set(err, ERR_INVALID, "%s: \"name\" is missing or not a string",
			       r->file);
	if (!plugin_name_valid(name))
		return err_set(
			err, ERR_INVALID,
			"%s: \"name\" may have letters, digits, '-', '_' and '.', at most %d",
			r->file, LIMIT_PLUGIN_NAME);
	*out = name;
	return true;
}

bool plugin_manifest_read(struct plugin_manifest *out, struct json object, const char *file,
			  struct str *notes, struct err *err)
{
	const struct manifest_reader r = { file, notes };

	if (!manifest_read_name(&r, object, &out->name, err))
		return false;
	manifest_read_text(&r, object, "version", &out->version);
	manifest_read_text(&r, object, "description", &out->description);
	manifest_read_author(object, &out->author);
	manifest_read_paths(&r, object, "commands", &out->commands);
	manifest_read_paths(&r, object, "agents", &out->agents);
	manifest_read_paths(&r, object, "skills", &out->skills);
	manifest_read_paths(&r, object, "outputStyles", &out->styles);
	manifest_read_parts(&r, object, "hooks", &out->hook_files, &out->hooks);
	manifest_read_parts(&r, object, "mcpServers", &out->server_files, &out->servers);
	manifest_read_parts(&r, object, "lspServers", &out->lsp_files, &out->lsp);
	out->starts_disabled =
		!json_bool_or(json_get(object, "defaultEnabled"), !out->starts_disabled);
	if (json_exists(json_get(object, "userConfig")))
		out->user_config = json_get(object, "userConfig");
	if (json_exists(json_get(object, "dependencies")))
		out->dependencies = json_get(object, "dependencies");
	return true;
}

bool plugin_manifest_has_parts(struct json object)
{
	static const char *const keys[] = { "commands",   "agents",     "skills",      "hooks",
					    "mcpServers", "lspServers", "outputStyles" };

	for (size_t i = 0; i < countof(keys); i++)
		if (json_exists(json_get(object, keys[i])))
			return true;
	return false;
}

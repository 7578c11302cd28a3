#include "extend/plugins/plugin.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "base/log.h"
#include "sys/fs.h"
#include "text/bash/option_variable.h"

#define PLUGIN_MANIFEST ".claude-plugin/plugin.json"

static void plugin_clear(struct plugin *p)
{
	vec_clear(&p->commands);
	vec_clear(&p->agents);
	vec_clear(&p->skills);
	vec_clear(&p->styles);
	vec_clear(&p->hooks);
	vec_clear(&p->servers);
	vec_clear(&p->lsp);
	vec_clear(&p->options);
	vec_clear(&p->needs);
}

void plugin_set_clear(struct plugin_set *set)
{
	for (size_t i = 0; i < set->all.n; i++)
		plugin_clear(&set->all.at[i]);
	for (size_t i = 0; i < set->docs.n; i++)
		json_doc_free(set->docs.at[i]);
	vec_clear(&set->all);
	vec_clear(&set->docs);
	vec_clear(&set->errors);
	arena_clear(&set->arena);
	str_clear(&set->notes);
	*set = (struct plugin_set)PLUGIN_SET_INIT;
}

void plugin_set_drop(struct plugin_set *set, size_t at)
{
	plugin_clear(&set->all.at[at]);
	vec_remove(&set->all, at);
	set->failed++;
}

const struct plugin *plugin_set_find(const struct plugin_set *set, struct sv name)
{
	for (size_t i = 0; i < set->all.n; i++)
		if (sv_eq(set->all.at[i].name, name))
			return &set->all.at[i];
	return NULL;
}

bool plugin_config_next(struct sv *rest, struct sv *key, struct sv *value)
{
	return sv_cut(rest, '\0', key) && sv_cut(rest, '\0', value);
}

const char *plugin_option_value(const struct plugin *plugin, struct sv key)
{
	for (size_t i = 0; i < plugin->options.n; i++)
		if (sv_eq(plugin->options.at[i].key, key))
			return plugin->options.at[i].value.ptr;
	return NULL;
}

/* The value of the variable that a text begins with; ptr is NULL: it begins with none. */
static struct sv plugin_find_word(const struct plugin_words *words, struct sv text, size_t *length)
{
	const struct {
		struct sv name;
		const char *value;
	} variables[] = { { SV("${CLAUDE_PLUGIN_ROOT}"), words->root },
			  { SV("${CLAUDE_PLUGIN_DATA}"), words->data } };
	static const struct sv option = SV_INIT("${user_config.");
	struct sv rest = words->config, key, value, name;

	for (size_t i = 0; i < countof(variables); i++)
		if (variables[i].value && sv_starts(text, variables[i].name)) {
			*length = variables[i].name.len;
			return sv_cstr(variables[i].value);
		}
	name = sv_skip(text, min_of(option.len, text.len));
	if (!sv_starts(text, option) || sv_find_char(name, '}') == SIZE_MAX)
		return (struct sv){ NULL, 0 };
	name = sv_slice(name, 0, sv_find_char(name, '}'));
	*length = option.len + name.len + 1;
	while (plugin_config_next(&rest, &key, &value))
		if (sv_eq(key, name))
			return value;
	value = (struct sv){ NULL, 0 };
	if (words->all && plugin_option_value(words->all, name))
		value = sv_cstr(plugin_option_value(words->all, name));
	return value;
}

void plugin_expand(struct str *out, struct sv text, const struct plugin_words *words)
{
	size_t at;

	while ((at = sv_find(text, SV("${"))) != SIZE_MAX) {
		struct sv tail = sv_skip(text, at), value;
		size_t taken = 2;

		str_add(out, sv_slice(text, 0, at));
		value = plugin_find_word(words, tail, &taken);
		if (!value.ptr)
			taken = 2;
		str_add(out, value.ptr ? value : SV("${"));
		text = sv_skip(tail, taken);
	}
	str_add(out, text);
}

void plugin_data_name(struct str *out, struct sv id)
{
	for (size_t i = 0; i < id.len; i++)
		str_addc(out, ascii_is_alnum(id.ptr[i]) || ascii_is_one_of(id.ptr[i], "-_")
				      ? id.ptr[i]
				      : '-');
}

struct json plugin_read_json(struct plugin_set *set, const char *path, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct json_doc *doc;

	if (!fs_read(&text, path, LIMIT_PLUGIN_FILE, err))
		return (struct json){ NULL };
	doc = json_parse(sv_of(&text), JSON_LENIENT, err);
	if (!doc) {
		err_context(err, "%s", path);
		return (struct json){ NULL };
	}
	vec_push(&set->docs, doc);
	return json_root(doc);
}

/* --- one plugin ------------------------------------------------------------------------------ */

/* A plugin that is being loaded. */
struct plugin_loader {
	struct plugin_set *set;
	const struct plugin_from *from;
	struct plugin plugin;
	struct str root,
		inside; /* real path of the directory, without and with a slash at its end */
	struct plugin_manifest manifest;
};

static void plugin_clear_loader(struct plugin_loader *l)
{
	str_clear(&l->root);
	str_clear(&l->inside);
	plugin_manifest_clear(&l->manifest);
}

static void plugin_note(struct plugin_loader *l, const char *path, const char *what)
{
	if (l->set->notes.len < LIMIT_COMMAND_NOTES)
		str_addf(&l->set->notes, "%s%s\n", path, what);
}

/* Find where a path in the plugin leads. False: there is nothing, or it leads out, which is noted. */
static bool plugin_resolve(struct plugin_loader *l, struct sv path, bool is_optional,
			   struct str *real)
{
	defer(str_clear) struct str full = STR_INIT;
	struct err err = ERR_INIT;

	fs_join(&full, sv_of(&l->root), path);
	if (!fs_realpath(real, full.ptr, &err)) {
		if (!is_optional)
			plugin_note(l, full.ptr, ": the manifest names it, but it does not exist");
		return false;
	}
	if (sv_eq(sv_of(real), sv_of(&l->root)) || sv_starts(sv_of(real), sv_of(&l->inside)))
		return true;
	plugin_note(l, full.ptr, " is skipped: it leads out of the plugin");
	return false;
}

static void plugin_add_path(struct plugin_loader *l, struct sv path, bool is_optional,
			    plugin_texts *out)
{
	defer(str_clear) struct str real = STR_INIT;

	if (!plugin_resolve(l, path, is_optional, &real))
		return;
	for (size_t i = 0; i < out->n; i++)
		if (sv_eq(out->at[i], sv_of(&real)))
			return;
	vec_push(out, arena_dup(&l->set->arena, sv_of(&real)));
}

static void plugin_add_paths(struct plugin_loader *l, const plugin_texts *named, const char *usual,
			     bool adds, plugin_texts *out)
{
	if (!named->n || adds)
		plugin_add_path(l, sv_cstr(usual), true, out);
	for (size_t i = 0; i < named->n; i++)
		plugin_add_path(l, named->at[i], false, out);
}

/* Add JSON that may have its entries in a member of this name, or be flat. */
static void plugin_add_json(struct plugin_loader *l, const char *file, struct json value,
			    const char *member, bool may_be_flat, plugin_jsons *out)
{
	struct json entries = json_get(value, member);
	const struct plugin_json json = { file, json_exists(entries) ? entries : value };
	defer(str_clear) struct str why = STR_INIT;

	if (json_is(json.value, JSON_OBJECT) && (json_exists(entries) || may_be_flat)) {
		vec_push(out, json);
		return;
	}
	str_addf(&why, ": it must be an object with an object \"%s\"; it is skipped", member);
	plugin_note(l, file, str_c(&why));
}

static void plugin_add_json_file(struct plugin_loader *l, struct sv path, bool is_optional,
				 const char *member, bool may_be_flat, plugin_jsons *out)
{
	defer(str_clear) struct str real = STR_INIT;
	struct err err = ERR_INIT;
	struct json value;

	if (!plugin_resolve(l, path, is_optional, &real))
		return;
	for (size_t i = 0; i < out->n; i++)
		if (sv_is(sv_of(&real), out->at[i].file))
			return;
	value = plugin_read_json(l->set, real.ptr, &err);
	if (json_exists(value))
		plugin_add_json(l, arena_dup(&l->set->arena, sv_of(&real)).ptr, value, member,
				may_be_flat, out);
	else
		plugin_note(l, err.text, " (it is skipped)");
}

static void plugin_add_jsons(struct plugin_loader *l, const plugin_texts *files,
			     const plugin_values *inlined, const char *usual, const char *member,
			     plugin_jsons *out)
{
	const char *manifest =
		arena_printf(&l->set->arena, "%s/%s", l->plugin.root, PLUGIN_MANIFEST).ptr;
	bool is_hooks = sv_is(sv_cstr(member), "hooks");

	plugin_add_json_file(l, sv_cstr(usual), true, member, !is_hooks, out);
	for (size_t i = 0; i < files->n; i++)
		plugin_add_json_file(l, files->at[i], false, member, true, out);
	for (size_t i = 0; i < inlined->n; i++)
		plugin_add_json(l, manifest, inlined->at[i], member, true, out);
}

/* --- its manifest ---------------------------------------------------------------------------- */

/* Read the manifest file, if there is one. */
static bool plugin_read_manifest(struct plugin_loader *l, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT, real = STR_INIT;
	bool is_strict = json_bool_or(json_get(l->from->entry, "strict"), true);
	struct json value;

	fs_join(&path, sv_of(&l->root), SV(PLUGIN_MANIFEST));
	if (!fs_exists(path.ptr) || !plugin_resolve(l, SV(PLUGIN_MANIFEST), true, &real))
		return true;
	value = plugin_read_json(l->set, path.ptr, err);
	if (!json_exists(value))
		return false;
	if (!is_strict && plugin_manifest_has_parts(value)) {
		plugin_note(l, path.ptr,
			    ": it names components, but the marketplace decides about this plugin "
			    "(\"strict\" is false)");
		return true;
	}
	return plugin_manifest_read(&l->manifest, value, path.ptr, &l->set->notes, err);
}

/* A plugin is called as its manifest, its entry or its directory says. */
static bool plugin_read_name(struct plugin_loader *l, struct err *err)
{
	struct plugin_manifest *m = &l->manifest;

	if (!plugin_read_manifest(l, err))
		return false;
	if (json_exists(l->from->entry) &&
	    !plugin_manifest_read(m, l->from->entry, l->from->entry_file, &l->set->notes, err))
		return false;
	if (!m->name.len)
		m->name = sv_basename(sv_of(&l->root));
	if (!plugin_name_valid(m->name))
		return err_set(err, ERR_INVALID,
			       "%s: a directory of this name needs " PLUGIN_MANIFEST
			       " with a \"name\"",
			       l->plugin.root);
	if (!plugin_set_find(l->set, m->name))
		return true;
	return err_set(err, ERR_EXISTS, "%s: the plugin %.*s is loaded from %s already",
		       l->plugin.root, SV_ARG(m->name), plugin_set_find(l->set, m->name)->root);
}

/* Find what the user has configured. */
static void plugin_take_options(struct plugin_loader *l)
{
	struct plugin *p = &l->plugin;
	struct arena *arena = &l->set->arena;
	const struct plugin_given given = {
		.options = json_get(json_get_sv(l->from->configs, p->id), "options"),
		.secrets = json_get_sv(l->from->secrets, p->id),
	};
	defer(str_clear) struct str config = STR_INIT;
	const char **env;
	size_t n = 0;

	plugin_options_read(&p->options, l->manifest.user_config, given, arena, p->root,
			    &l->set->notes);
	env = arena_calloc(arena, p->options.n + 1, sizeof(*env));
	for (size_t i = 0; i < p->options.n; i++) {
		const struct plugin_option *o = &p->options.at[i];
		defer(str_clear) struct str variable = STR_INIT;

		if (!o->value.ptr)
			continue;
		option_variable(&variable, o->key);
		str_addf(&variable, "=%.*s", SV_ARG(o->value));
		env[n++] = arena_dup(arena, sv_of(&variable)).ptr;
		if (o->is_sensitive)
			continue;
		str_add(&config, o->key);
		str_addc(&config, '\0');
		str_add(&config, o->value);
		str_addc(&config, '\0');
	}
	p->env = env;
	p->config = arena_dup(arena, sv_of(&config));
}

static void plugin_take_manifest(struct plugin_loader *l)
{
	struct arena *arena = &l->set->arena;
	const struct plugin_manifest *m = &l->manifest;
	struct plugin *p = &l->plugin;
	defer(str_clear) struct str data = STR_INIT;

	p->name = arena_dup(arena, m->name);
	p->id = arena_printf(
		arena, "%.*s@%.*s", SV_ARG(m->name),
		SV_ARG(l->from->marketplace.len ? l->from->marketplace : SV("inline")));
	p->version = arena_dup(arena, m->version);
	p->description = arena_dup(arena, m->description);
	p->author = arena_dup(arena, m->author);
	p->skips_servers = l->from->skips_servers;
	p->starts_disabled = m->starts_disabled;
	plugin_data_name(&data, p->id);
	plugin_needs_read(&p->needs, m->dependencies, p->root, &l->set->notes);
	plugin_take_options(l);
	if (l->from->data_dir)
		p->data = arena_printf(arena, "%s/%s", l->from->data_dir, str_c(&data)).ptr;
}

static void plugin_find_parts(struct plugin_loader *l)
{
	const struct plugin_manifest *m = &l->manifest;
	struct plugin *p = &l->plugin;

	plugin_add_paths(l, &m->commands, "commands", false, &p->commands);
	plugin_add_paths(l, &m->agents, "agents", false, &p->agents);
	plugin_add_paths(l, &m->skills, "skills", true, &p->skills);
	plugin_add_paths(l, &m->styles, "output-styles", false, &p->styles);
	plugin_add_jsons(l, &m->hook_files, &m->hooks, "hooks/hooks.json", "hooks", &p->hooks);
	plugin_add_jsons(l, &m->server_files, &m->servers, ".mcp.json", "mcpServers", &p->servers);
	plugin_add_jsons(l, &m->lsp_files, &m->lsp, ".lsp.json", "lspServers", &p->lsp);
}

/* A plugin may have defaults for settings; of those, only the agent of the main conversation counts. */
static void plugin_read_settings(struct plugin_loader *l)
{
	defer(str_clear) struct str real = STR_INIT, name = STR_INIT;
	struct err err = ERR_INIT;
	struct json value;
	struct sv agent;

	if (!plugin_resolve(l, SV("settings.json"), true, &real))
		return;
	value = plugin_read_json(l->set, real.ptr, &err);
	if (!json_exists(value)) {
		plugin_note(l, err.text, " (it is skipped)");
		return;
	}
	if (!json_str(json_get(value, "agent"), &agent) || !agent.len)
		return;
	str_addf(&name, "%.*s:%.*s", SV_ARG(l->plugin.name), SV_ARG(agent));
	l->plugin.main_agent = arena_dup(&l->set->arena, sv_of(&name));
}

bool plugin_is_dir(const char *dir)
{
	static const char *const parts[] = { PLUGIN_MANIFEST, "commands",         "agents",
					     "skills",        "hooks/hooks.json", ".mcp.json",
					     ".lsp.json",     "output-styles" };

	for (size_t i = 0; i < countof(parts); i++) {
		defer(str_clear) struct str path = STR_INIT;

		fs_join(&path, sv_cstr(dir), sv_cstr(parts[i]));
		if (fs_exists(path.ptr))
			return true;
	}
	return false;
}

void plugin_set_blame(struct plugin_set *set, size_t since, struct plugin_error error)
{
	struct sv rest = sv_skip(sv_of(&set->notes), since), line;

	error.plugin = arena_dup(&set->arena, error.plugin);
	error.dir = arena_dup(&set->arena, error.dir);
	while (sv_cut_line(&rest, &line)) {
		error.message = arena_dup(&set->arena, line);
		vec_push(&set->errors, error);
	}
}

bool plugin_set_load(struct plugin_set *set, const struct plugin_from *from, struct err *err)
{
	size_t since = set->notes.len;
	defer(plugin_clear_loader) struct plugin_loader l = { .set = set,
							      .from = from,
							      .manifest = PLUGIN_MANIFEST_INIT };

	if (set->all.n == LIMIT_PLUGINS)
		return err_set(err, ERR_TOO_BIG, "there are more than %d plugins", LIMIT_PLUGINS);
	if (!fs_realpath(&l.root, from->dir, err))
		return false;
	str_addf(&l.inside, "%s/", str_c(&l.root));
	l.plugin.root = arena_dup(&set->arena, sv_of(&l.root)).ptr;
	if (!json_exists(from->entry) && !plugin_is_dir(l.plugin.root))
		return err_set(err, ERR_NOT_FOUND,
			       "%s: not a plugin: it has no " PLUGIN_MANIFEST
			       ", commands, agents, skills, hooks, .mcp.json or .lsp.json",
			       l.plugin.root);
	if (!plugin_read_name(&l, err))
		return false;
	plugin_take_manifest(&l);
	plugin_find_parts(&l);
	plugin_read_settings(&l);
	plugin_set_blame(set, since, (struct plugin_error){ .plugin = l.plugin.id });
	vec_push(&set->all, l.plugin);
	log_debug("plugin %.*s: %s", SV_ARG(l.plugin.name), l.plugin.root);
	return true;
}

/* --- directories from the command line ------------------------------------------------------- */

static void plugin_set_try(struct plugin_set *set, const struct plugin_from *from)
{
	defer(str_clear) struct str tag = STR_INIT;
	size_t since = set->notes.len;
	struct err err = ERR_INIT;

	if (plugin_set_load(set, from, &err))
		return;
	set->failed++;
	log_debug("plugin skipped: %s", err.text);
	if (set->notes.len < LIMIT_COMMAND_NOTES)
		str_addf(&set->notes, "%s (this plugin is skipped)\n", err.text);
	str_addf(&tag, "inline[%zu]", from->position);
	plugin_set_blame(set, since,
			 (struct plugin_error){ .plugin = sv_of(&tag),
						.dir = sv_cstr(from->dir),
						.why = err.kind });
}

struct plugin_folder {
	struct plugin_set *set;
	const struct plugin_from *from;
	bool has_any;
};

static enum fs_visit plugin_visit(void *arg, const struct fs_entry *entry)
{
	struct plugin_folder *f = arg;
	defer(str_clear) struct str dir = STR_INIT;
	struct plugin_from from = *f->from;

	fs_join(&dir, sv_cstr(from.dir), entry->path);
	from.dir = dir.ptr;
	if (entry->kind == FS_DIR && plugin_is_dir(from.dir)) {
		f->has_any = true;
		plugin_set_try(f->set, &from);
	}
	return FS_SKIP;
}

void plugin_set_load_dir(struct plugin_set *set, const struct plugin_from *from)
{
	struct plugin_folder folder = { set, from, false };
	struct err ignored = ERR_INIT;

	if (!plugin_is_dir(from->dir))
		(void)!fs_walk(from->dir, plugin_visit, &folder, &ignored);
	if (!folder.has_any)
		plugin_set_try(set, from);
}

void plugin_set_note_options(struct plugin_set *set)
{
	for (size_t i = 0; i < set->all.n; i++) {
		const struct plugin *p = &set->all.at[i];
		size_t since = set->notes.len;

		for (size_t k = 0; k < p->options.n && set->notes.len < LIMIT_COMMAND_NOTES; k++)
			if (p->options.at[k].is_required && !p->options.at[k].value.ptr)
				str_addf(&set->notes,
					 "The plugin %.*s needs a value for %.*s: 'awl plugin "
					 "configure %.*s' asks for it\n",
					 SV_ARG(p->id), SV_ARG(p->options.at[k].key),
					 SV_ARG(p->id));
		plugin_set_blame(set, since, (struct plugin_error){ .plugin = p->id });
	}
}

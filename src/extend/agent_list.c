#include "extend/agent_list.h"

#include <stdlib.h>

#include "base/limits.h"
#include "extend/file_notes.h"
#include "extend/file_search.h"
#include "extend/plugins/plugin.h"
#include "sys/fs.h"

void agent_list_clear(struct agent_list *list)
{
	vec_clear(&list->files);
	arena_clear(&list->arena);
	str_clear(&list->notes);
	*list = (struct agent_list)AGENT_LIST_INIT;
}

const struct agent_file *agent_list_find(const struct agent_list *list, struct sv name)
{
	for (size_t i = 0; i < list->files.n; i++)
		if (sv_eq_nocase(list->files.at[i].name, name))
			return &list->files.at[i];
	return NULL;
}

static void agent_list_note_twice(struct agent_list *list, const struct agent_file *file,
				  const struct agent_file *other)
{
	const struct file_notes notes = { .out = &list->notes, .path = file->path };

	if (file->source == other->source && file->path.len)
		file_note(&notes, 0, "this agent is skipped: %.*s has the same name",
			  SV_ARG(other->path));
}

void agent_list_add(struct agent_list *list, const struct agent_file *file)
{
	const struct agent_file *other = agent_list_find(list, file->name);
	size_t at = list->files.n;

	if (other && other->source >= file->source) {
		agent_list_note_twice(list, file, other);
		return;
	}
	if (other) {
		list->files.at[other - list->files.at] = *file;
		return;
	}
	if (at >= LIMIT_AGENTS)
		return;
	vec_push(&list->files, *file);
	for (; at && sv_cmp(list->files.at[at - 1].name, file->name) > 0; at--)
		list->files.at[at] = list->files.at[at - 1];
	list->files.at[at] = *file;
}

/* --- files -------------------------------------------------------------------------------------- */

struct agent_list_search {
	struct agent_list *list;
	enum agent_source source;
	const struct agent_plugin *plugin; /* NULL: they are not of a plugin */
};

/* An agent of a plugin has its name after that of the plugin, and may do no more than others. */
static void agent_list_take_plugin(const struct agent_list_search *s, struct agent_file *file)
{
	defer(str_clear) struct str prompt = STR_INIT;

	plugin_expand(
		&prompt, file->prompt,
		&(struct plugin_words){ s->plugin->root, s->plugin->data, s->plugin->config });
	file->prompt = arena_dup(&s->list->arena, sv_of(&prompt));
	file->name = arena_printf(&s->list->arena, "%.*s:%.*s", SV_ARG(s->plugin->name),
				  SV_ARG(file->name));
	file->permission_mode = file->mcp_servers = file->hooks = SV_EMPTY;
}

static bool agent_list_found(void *arg, __attribute__((unused)) struct sv path, const char *real)
{
	struct agent_list_search *s = arg;
	struct agent_list *list = s->list;
	struct agent_file file = { .source = s->source };
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	file.path = arena_dup(&list->arena, sv_cstr(real));
	if (fs_read(&text, real, LIMIT_COMMAND_TEXT, &err)) {
		bool is_agent = agent_file_read(&file, sv_of(&text), &list->arena, &list->notes);

		if (is_agent && s->plugin)
			agent_list_take_plugin(s, &file);
		if (is_agent)
			agent_list_add(list, &file);
	} else {
		file_note_err(&(struct file_notes){ .out = &list->notes, .path = file.path },
			      "this agent is skipped", &err);
	}
	return list->files.n < LIMIT_AGENTS;
}

static void agent_list_skipped(void *arg, const char *path, const char *why)
{
	struct agent_list_search *s = arg;

	file_note(&(struct file_notes){ .out = &s->list->notes, .path = sv_cstr(path) }, 0,
		  "this agent is skipped: %s", why);
}

static void agent_list_search(struct agent_list_search *s, const char *dir, const char *folder,
			      struct sv inside)
{
	enum { DEPTH = 8 };
	const struct file_search search = { .inside = inside,
					    .depth = DEPTH,
					    .found = agent_list_found,
					    .skipped = agent_list_skipped,
					    .arg = s };

	file_search_run(&search, dir, folder);
}

void agent_list_add_dir(struct agent_list *list, const char *dir, enum agent_source source,
			struct sv inside)
{
	struct agent_list_search s = { .list = list, .source = source };

	agent_list_search(&s, dir, "agents", inside);
}

void agent_list_add_plugin(struct agent_list *list, const struct agent_plugin *plugin,
			   const char *path)
{
	struct agent_list_search s = { .list = list, .source = AGENT_PLUGIN, .plugin = plugin };
	defer(str_clear) struct str inside = STR_INIT;

	file_search_inside(&inside, plugin->root);
	if (sv_ends(sv_cstr(path), SV(".md")))
		(void)agent_list_found(&s, sv_basename(sv_cstr(path)), path);
	else
		agent_list_search(&s, path, "", sv_of(&inside));
}

bool agent_list_add_json(struct agent_list *list, struct json definitions, struct err *err)
{
	struct json_iter it = json_each(definitions);
	struct json definition;
	struct sv name;

	while (json_next(&it, &name, &definition)) {
		struct agent_file file = { .source = AGENT_FLAG };

		if (!agent_file_read_json(&file, name, definition, &list->arena, err))
			return false;
		agent_list_add(list, &file);
	}
	return true;
}

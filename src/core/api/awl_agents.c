/* awl.h: the definitions of agents of a project. */
#include <awl_agents.h>

#include "core/api/awl_project.h"
#include "core/extend/session_plugins.h"
#include "core/subagents/agent_sources.h"
#include "text/json/json_write.h"

static void awl_agents_put_names(struct jw *w, const char *key, const struct agent_names *names)
{
	if (!names->is_given)
		return;
	jw_put_array(w, key);
	for (size_t i = 0; i < names->n; i++)
		jw_str(w, names->at[i]);
	jw_end(w);
}

static void awl_agents_put_text(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

static void awl_agents_put(struct jw *w, const struct agent_file *file)
{
	static const char *const scopes[] = { "", "user", "project", "local" };

	jw_object(w);
	jw_put_str(w, "name", file->name);
	jw_put_str(w, "description", file->description);
	jw_put_str(w, "source", sv_cstr(agent_source_name(file->source)));
	awl_agents_put_text(w, "file", file->path);
	awl_agents_put_text(w, "model", file->model);
	awl_agents_put_text(w, "effort", file->effort);
	awl_agents_put_text(w, "mode", file->permission_mode);
	awl_agents_put_text(w, "memory", sv_cstr(scopes[file->memory]));
	awl_agents_put_text(w, "color", file->color);
	awl_agents_put_names(w, "tools", &file->tools);
	awl_agents_put_names(w, "disallowedTools", &file->disallowed_tools);
	awl_agents_put_names(w, "skills", &file->skills);
	jw_put_bool(w, "background", file->is_background);
	jw_end(w);
}

static void awl_agents_load(struct awl_project *p, const struct settings *settings,
			    struct agent_list *out)
{
	const char *config_dir = awl_project_config_dir(p);
	struct plugin_set plugins = { .notes = STR_INIT };
	const struct agent_sources sources = {
		.config_dir = config_dir,
		.root = p->dir.ptr,
		.plugins = &plugins,
		.has_builtins = true,
		.has_user = settings_may_define(settings, SETTINGS_USER, "agents"),
		.has_project = settings_may_define(settings, SETTINGS_PROJECT, "agents"),
	};

	plugin_set_add_enabled(&plugins, settings, config_dir, p->dir.ptr);
	agent_sources_load(out, &sources);
	plugin_set_clear(&plugins);
}

enum awl_result awl_agents_describe(struct awl_project *p, const char **json)
{
	defer(settings_freep) struct settings *settings = NULL;
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(agent_list_clear) struct agent_list list = AGENT_LIST_INIT;
	struct err err = ERR_INIT;
	struct jw w;

	awl_project_begin(p);
	awl_project_look(p, &project);
	settings = settings_load(&project.files, &p->notes, &err);
	if (!settings)
		return awl_fail(&err);
	awl_agents_load(p, settings, &list);
	str_add(&p->notes, sv_of(&list.notes));
	jw_init(&w, &p->result, JW_COMPACT);
	jw_array(&w);
	for (size_t i = 0; i < list.files.n; i++)
		awl_agents_put(&w, &list.files.at[i]);
	jw_end(&w);
	jw_done(&w);
	*json = str_c(&p->result);
	return AWL_OK;
}

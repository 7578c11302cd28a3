#include "core/agents/agent_sources.h"

#include "core/project.h"
#include "extend/file_search.h"
#include "store/settings/settings.h"
#include "sys/fs.h"

/* Those of .claude in the project's directories, the nearest first. */
static void agent_sources_add_project(struct agent_list *out, const struct agent_sources *sources)
{
	project_dir_list dirs = VEC_INIT;
	struct arena arena = ARENA_INIT;
	defer(str_clear) struct str inside = STR_INIT;

	project_dirs(sv_cstr(sources->root), &dirs, &arena);
	file_search_inside(&inside, dirs.at[dirs.n - 1]);
	for (size_t i = 0; i < dirs.n; i++) {
		defer(str_clear) struct str own = STR_INIT;

		fs_join(&own, sv_cstr(dirs.at[i]), SV(".claude"));
		if (!sv_eq(sv_of(&own), sv_cstr(sources->config_dir)))
			agent_list_add_dir(out, own.ptr, AGENT_PROJECT, sv_of(&inside));
	}
	vec_clear(&dirs);
	arena_clear(&arena);
}

void agent_sources_add_plugins(struct agent_list *out, const struct plugin_set *set)
{
	for (size_t i = 0; set && i < set->all.n; i++) {
		const struct plugin *plugin = &set->all.at[i];
		const struct agent_plugin from = { plugin->name, plugin->root, plugin->data };

		for (size_t k = 0; k < plugin->agents.n; k++)
			agent_list_add_plugin(out, &from, plugin->agents.at[k].ptr);
	}
}

void agent_sources_load(struct agent_list *out, const struct agent_sources *sources)
{
	defer(str_clear) struct str managed = STR_INIT;
	struct err ignored = ERR_INIT;

	if (settings_policy_folder(&managed, NULL, &ignored))
		agent_list_add_dir(out, managed.ptr, AGENT_MANAGED, SV_EMPTY);
	if (sources->has_builtins)
		agent_list_add_builtins(out);
	agent_sources_add_plugins(out, sources->plugins);
	if (sources->has_project)
		agent_sources_add_project(out, sources);
	if (sources->has_user && sources->config_dir)
		agent_list_add_dir(out, sources->config_dir, AGENT_USER, SV_EMPTY);
}

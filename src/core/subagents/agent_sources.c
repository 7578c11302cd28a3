#include "core/subagents/agent_sources.h"

#include "core/policy/project.h"
#include "store/settings/settings.h"

static void agent_sources_found(void *arg, const char *dir, struct sv inside)
{
	agent_list_add_dir(arg, dir, AGENT_PROJECT, inside);
}

void agent_sources_add_plugins(struct agent_list *out, const struct plugin_set *set)
{
	for (size_t i = 0; set && i < set->all.n; i++) {
		const struct plugin *plugin = &set->all.at[i];
		const struct agent_plugin from = { plugin->name, plugin->root, plugin->data,
						   plugin->config };

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
		project_config_dirs(sv_cstr(sources->root), sources->config_dir,
				    agent_sources_found, out);
	if (sources->has_user && sources->config_dir)
		agent_list_add_dir(out, sources->config_dir, AGENT_USER, SV_EMPTY);
}

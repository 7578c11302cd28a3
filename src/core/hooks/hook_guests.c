#include "core/hooks/hook_guests.h"

#include "core/extend/session_plugins.h"
#include "core/subagents/agent_sources.h"
#include "extend/command_list.h"

struct hook_guests_walk {
	const struct hook_guests *guests;
	struct str *notes;
	hook_guests_fn *visit;
	void *arg;
};

static void hook_guests_offer(const struct hook_guests_walk *w, const struct hook_guest *guest,
			      bool is_projects, const char *when)
{
	struct err err = ERR_INIT;
	struct hook_set *set;

	if (!guest->json.len)
		return;
	if (is_projects && w->guests->project->trust.state != TRUST_GIVEN) {
		str_addf(w->notes,
			 "%.*s came with the project, which you have not trusted: its hooks are "
			 "ignored.\n",
			 SV_ARG(guest->file));
		return;
	}
	set = hook_set_new_guest(w->guests->settings, guest, w->notes, &err);
	if (!set) {
		str_addf(w->notes, "%s\n", err.text);
		return;
	}
	if (hook_set_count(set))
		w->visit(w->arg, when, set);
	hook_set_unref(set);
}

static void hook_guests_visit_agents(const struct hook_guests_walk *w)
{
	const struct settings *settings = w->guests->settings;
	const struct settings_opts *files = &w->guests->project->files;
	defer(agent_list_clear) struct agent_list list = AGENT_LIST_INIT;
	const struct agent_sources sources = {
		.config_dir = files->config_dir,
		.root = files->project_dir,
		.plugins = w->guests->plugins,
		.has_user = settings_may_define(settings, SETTINGS_USER, "agents"),
		.has_project = settings_may_define(settings, SETTINGS_PROJECT, "agents"),
	};

	agent_sources_load(&list, &sources);
	for (size_t i = 0; i < list.files.n; i++) {
		const struct agent_file *file = &list.files.at[i];
		const struct hook_guest guest = { .source = HOOK_FROM_AGENT,
						  .owner = file->name,
						  .file = file->path,
						  .json = file->hooks,
						  .is_managed = file->source == AGENT_MANAGED };
		defer(str_clear) struct str when = STR_INIT;

		str_addf(&when, "While the agent %.*s works", SV_ARG(file->name));
		hook_guests_offer(w, &guest, file->source == AGENT_PROJECT, when.ptr);
	}
}

static void hook_guests_load_skills(const struct hook_guests *guests, struct command_list *out)
{
	const struct settings_opts *files = &guests->project->files;
	defer(str_clear) struct str managed = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct command_places places = { .managed_dir = NULL };
	struct err ignored = ERR_INIT;
	project_dir_list dirs = VEC_INIT;

	if (settings_policy_folder(&managed, NULL, &ignored))
		places.managed_dir = managed.ptr;
	if (settings_may_define(guests->settings, SETTINGS_USER, "skills"))
		places.config_dir = files->config_dir;
	project_dirs(sv_cstr(files->project_dir), &dirs, &arena);
	places.dirs = (const char *const *)dirs.at;
	if (settings_may_define(guests->settings, SETTINGS_PROJECT, "skills"))
		places.ndirs = dirs.n;
	command_list_load(out, &places);
	vec_clear(&dirs);
	plugin_set_add_commands(guests->plugins, out);
}

static void hook_guests_visit_skills(const struct hook_guests_walk *w)
{
	defer(command_list_clear) struct command_list list = COMMAND_LIST_INIT;

	hook_guests_load_skills(w->guests, &list);
	for (size_t i = 0; i < list.files.n; i++) {
		const struct command_file *file = &list.files.at[i];
		const struct hook_guest guest = { .source = HOOK_FROM_SKILL,
						  .owner = file->is_fork ? file->name : SV_EMPTY,
						  .file = file->path,
						  .json = file->hooks,
						  .is_managed = file->is_managed };
		defer(str_clear) struct str when = STR_INIT;

		str_addf(&when,
			 file->is_fork ? "While the agent of /%.*s works"
				       : "From the first use of /%.*s on",
			 SV_ARG(file->name));
		hook_guests_offer(w, &guest, file->is_project, when.ptr);
	}
}

void hook_guests_visit(const struct hook_guests *guests, struct str *notes, hook_guests_fn *visit,
		       void *arg)
{
	const struct hook_guests_walk walk = { guests, notes, visit, arg };

	hook_guests_visit_agents(&walk);
	hook_guests_visit_skills(&walk);
}

/* Which agents a session may start: those of awl, of the user's and the project's files, of --agents and of
 * the host. The files are read again for each turn and each call, so a change counts at once. */
#include "core/agents/subagents.h"
#include "core/session_hooks.h"
#include "extend/file_search.h"
#include "sys/fs.h"
#include "tool/shell/shell_env.h"

static bool agent_defs_has_builtins(const struct session *s)
{
	return session_is_at_terminal(s) ||
	       !shell_env_is_on(&s->shared, "CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS");
}

/* Those of .claude in the project's directories, the nearest first. */
static void agent_defs_add_project(struct session *s, struct agent_list *list)
{
	session_dirs dirs = VEC_INIT;
	struct arena arena = ARENA_INIT;
	defer(str_clear) struct str inside = STR_INIT;

	session_project_dirs(s, &dirs, &arena);
	file_search_inside(&inside, dirs.at[dirs.n - 1]);
	for (size_t i = 0; i < dirs.n; i++) {
		defer(str_clear) struct str own = STR_INIT;

		fs_join(&own, sv_cstr(dirs.at[i]), SV(".claude"));
		if (!sv_eq(sv_of(&own), sv_cstr(s->engine->config_dir)))
			agent_list_add_dir(list, own.ptr, AGENT_PROJECT, sv_of(&inside));
	}
	vec_clear(&dirs);
	arena_clear(&arena);
}

static void agent_defs_load(struct session *s)
{
	struct agent_list *list = &s->agents.list;
	defer(str_clear) struct str managed = STR_INIT;
	struct err err = ERR_INIT, ignored = ERR_INIT;

	agent_list_clear(list);
	if (!s->commands.is_off && settings_policy_folder(&managed, NULL, &ignored))
		agent_list_add_dir(list, managed.ptr, AGENT_MANAGED, SV_EMPTY);
	if (agent_defs_has_builtins(s))
		agent_list_add_builtins(list);
	if (!s->commands.is_off)
		session_plugins_add_agents(s, list);
	if (!s->commands.is_off && settings_is_chosen(s->settings, SETTINGS_PROJECT))
		agent_defs_add_project(s, list);
	if (!s->commands.is_off && s->engine->config_dir &&
	    settings_is_chosen(s->settings, SETTINGS_USER))
		agent_list_add_dir(list, s->engine->config_dir, AGENT_USER, SV_EMPTY);
	if (!agent_list_add_json(list, json_root(s->wishes.agents), &err))
		str_addf(&list->notes, "%s\n", err.text);
	if (!sv_eq(sv_of(&list->notes), sv_of(&s->agents.notes)))
		session_add_notice(s, sv_of(&list->notes));
	str_set(&s->agents.notes, sv_of(&list->notes));
	s->agents.is_loaded = true;
}

const struct agent_list *session_agent_list(struct session *s, bool fresh)
{
	if (fresh || !s->agents.is_loaded)
		agent_defs_load(s);
	return &s->agents.list;
}

void session_agents_clear(struct session *s)
{
	agent_list_clear(&s->agents.list);
	str_clear(&s->agents.notes);
	str_clear(&s->agents.told);
	str_clear(&s->agents.lead);
	str_clear(&s->agents.awaited);
}

size_t session_agents(struct session *s, const struct reply_agent **out, struct arena *arena)
{
	const struct agent_list *list = session_agent_list(s, true);
	struct reply_agent *agents = arena_calloc(arena, list->files.n + 1, sizeof(*agents));

	for (size_t i = 0; i < list->files.n; i++)
		agents[i] = (struct reply_agent){ .name = list->files.at[i].name,
						  .description = list->files.at[i].description,
						  .model = list->files.at[i].model };
	*out = agents;
	return list->files.n;
}

void session_append_agents(struct session *s)
{
	const struct agent_list *list;
	defer(str_clear) struct str text = STR_INIT;

	if (!toolset_has(agent_toolset(s->agent), SV("Agent")))
		return;
	list = session_agent_list(s, true);
	for (size_t i = 0; i < list->files.n; i++) {
		const struct agent_file *file = &list->files.at[i];

		if (file->source != AGENT_BUILTIN)
			str_addf(&text, "- %.*s: %.*s\n", SV_ARG(file->name),
				 SV_ARG(file->description));
	}
	if (sv_eq(sv_of(&text), sv_of(&s->agents.told)))
		return;
	str_set(&s->agents.told, sv_of(&text));
	str_splice(&text, 0, 0,
		   SV("These agents can be started with the tool Agent, besides those that its "
		      "description lists:\n"));
	session_append_meta(s, sv_of(&text));
}

bool agent_file_add_hooks(struct session *s, const struct agent_file *file, struct sv owner,
			  struct err *err)
{
	const struct hook_guest guest = { .source = HOOK_FROM_AGENT,
					  .owner = owner,
					  .file = file->path.len ? file->path : file->name,
					  .json = file->hooks,
					  .is_managed = file->source == AGENT_MANAGED };

	return hooks_guest_add(s, &guest, session_trusts_agent(s, file), err);
}

bool session_trusts_agent(struct session *s, const struct agent_file *file)
{
	return file->source != AGENT_PROJECT || session_trusts_project(s);
}

/* Which agents a session may start: those of awl, of the user's and the project's files, of --agents and of
 * the host. The files are read again for each turn and each call, so a change counts at once. */
#include "core/subagents/agent_defs.h"

#include "core/hooks/session_hooks.h"
#include "core/session/session_append.h"
#include "core/session/session_host.h"
#include "core/subagents/agent_sources.h"
#include "core/subagents/subagents.h"
#include "tool/shell/shell_env.h"

static bool agent_defs_has_builtins(const struct session *s)
{
	return session_is_at_terminal(s) ||
	       !shell_env_is_on(&s->shared, "CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS");
}

static void agent_defs_load(struct session *s)
{
	struct agent_list *list = &s->agents.list;
	const struct agent_sources sources = {
		.config_dir = s->engine->config_dir,
		.root = s->shared.project,
		.plugins = &s->plugins.set,
		.has_builtins = agent_defs_has_builtins(s),
		.has_user = settings_may_define(s->settings, SETTINGS_USER, "agents"),
		.has_project = settings_may_define(s->settings, SETTINGS_PROJECT, "agents"),
	};
	struct err err = ERR_INIT;

	agent_list_clear(list);
	if (!s->commands.is_off)
		agent_sources_load(list, &sources);
	else if (sources.has_builtins)
		agent_list_add_builtins(list);
	if (!agent_list_add_json(list, json_root(s->preferences.agents), &err))
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
	str_clear(&s->agents.announced);
	str_clear(&s->agents.lead);
	str_clear(&s->agents.awaited);
	str_clear(&s->agents.recorded);
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

static bool session_agent_begins(struct sv text, struct sv beginning)
{
	return sv_eq_nocase(sv_slice(text, 0, min_of(text.len, beginning.len)), beginning);
}

void session_agents_suggest(struct session *s, struct file_suggestions *out)
{
	enum { AFTER_FILES = 5000 };
	const struct agent_list *list;

	if (!out->query.len || !toolset_has(agent_toolset(s->agent), SV("Agent")))
		return;
	list = session_agent_list(s, false);
	for (size_t i = 0; i < list->files.n; i++) {
		defer(str_clear) struct str word = STR_INIT;
		struct sv name = list->files.at[i].name;

		str_addf(&word, "agent-%.*s", SV_ARG(name));
		if (session_agent_begins(sv_of(&word), sv_of(&out->query)) ||
		    session_agent_begins(name, sv_of(&out->query)))
			file_suggestions_offer(out, sv_of(&word), AFTER_FILES + (int)word.len);
	}
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
	if (sv_eq(sv_of(&text), sv_of(&s->agents.announced)))
		return;
	str_set(&s->agents.announced, sv_of(&text));
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

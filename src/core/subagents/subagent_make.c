/* What a sub-agent is made of: the definition decides, and the session and the agent that starts it set limits that
 * no definition can exceed. */
#include "base/log.h"
#include "core/commands/session_commands.h"
#include "core/mcp/session_mcp.h"
#include "core/policy/policy.h"
#include "core/subagents/team.h"
#include "proto/message.h"
#include "sys/fs.h"
#include "tool/shell/shell_env.h"

/* Added to the system prompt of every agent but a fork. */
extern const char agent_notes_page[], agent_fork_page[];

/* --- limits ------------------------------------------------------------------------------------- */

static size_t subagent_limit(const struct session *s, const char *name, size_t usual, size_t most)
{
	const char *text = shell_env_get(&s->shared, name);
	long long n = text ? strtoll(text, NULL, 10) : 0;

	return n > 0 ? min_of((size_t)n, most) : usual;
}

size_t subagents_max_depth(const struct session *s)
{
	enum { USUAL = 3 };

	return subagent_limit(s, "CLAUDE_CODE_MAX_SUBAGENT_SPAWN_DEPTH", USUAL, SUBAGENT_MAX_DEPTH);
}

size_t subagents_max_running(const struct session *s)
{
	enum { USUAL = 10, MOST = 100000 };

	return subagent_limit(s, "CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS", USUAL, MOST);
}

/* --- tools ---------------------------------------------------------------------------------------- */

/* Whether `item` of a list names the tool: by itself, with what a rule adds in parentheses, or as the server
 * that it belongs to. */
static bool subagent_names_tool(struct sv item, const struct tool *tool)
{
	size_t paren = sv_find_char(item, '(');
	struct sv name = paren == SIZE_MAX ? item : sv_slice(item, 0, paren);
	struct sv own = sv_cstr(tool->name);

	if (tool_find(&tool, 1, name) || sv_is(name, "*"))
		return true;
	if (!sv_starts(name, SV("mcp__")) ||
	    !sv_starts(own,
		       name.len && sv_ends(name, SV("*")) ? sv_slice(name, 0, name.len - 1) : name))
		return false;
	return sv_ends(name, SV("*")) || sv_starts(sv_skip(own, name.len), SV("__"));
}

static bool subagent_lists(const struct agent_names *names, const struct tool *tool)
{
	for (size_t i = 0; i < names->n; i++)
		if (subagent_names_tool(names->at[i], tool))
			return true;
	return false;
}

/* Nobody is at the other end of a sub-agent's questions; plan and worktree are the session's. */
static bool subagent_never_has(const struct tool *tool)
{
	static const char names[][16] = { "AskUserQuestion", "EnterPlanMode", "ExitPlanMode",
					  "TeamCreate",      "TeamDelete",    "EnterWorktree",
					  "ExitWorktree" };

	return sv_is_among(sv_cstr(tool->name), names);
}

static bool subagent_remembers_with(const struct tool *tool)
{
	static const char names[][6] = { "Read", "Write", "Edit" };

	return sv_is_among(sv_cstr(tool->name), names);
}

struct subagent_choice {
	const struct subagent *a;
	const struct agent_file *file;
};

bool agent_file_refuses(const struct agent_file *file, const struct tool *tool)
{
	for (size_t i = 0; i < file->disallowed_tools.n; i++) {
		struct sv item = file->disallowed_tools.at[i];

		if (sv_find_char(item, '(') == SIZE_MAX && subagent_names_tool(item, tool))
			return true;
	}
	return false;
}

bool agent_file_keeps(const struct agent_file *file, const struct tool *tool)
{
	if (toolset_is_search(tool))
		return true;
	if (agent_file_refuses(file, tool))
		return false;
	if (file->memory && subagent_remembers_with(tool))
		return true;
	return !file->tools.is_given || subagent_lists(&file->tools, tool);
}

static bool subagent_keeps(void *arg, const struct tool *tool)
{
	const struct subagent_choice *c = arg;
	bool is_agent = sv_is(sv_cstr(tool->name), "Agent");

	return !subagent_never_has(tool) &&
	       !(is_agent && c->a->depth >= subagents_max_depth(c->a->all->s)) &&
	       agent_file_keeps(c->file, tool);
}

/* Agent(a, b) in the list of tools limits which agents it may start. */
static void subagent_limit_types(struct subagent *a, const struct agent_file *file)
{
	for (size_t i = 0; i < file->tools.n; i++) {
		struct sv item = file->tools.at[i], rest;
		struct sv *names = arena_calloc(&a->arena, LIMIT_AGENT_NAMES, sizeof(*names));
		size_t comma;

		if (!sv_starts(item, SV("Agent(")) && !sv_starts(item, SV("Task(")))
			continue;
		rest = arena_dup(&a->arena, sv_skip(item, sv_find_char(item, '(') + 1));
		rest.len -= sv_ends(rest, SV(")"));
		a->types = (struct agent_names){ .at = names, .is_given = true };
		for (; rest.len && a->types.n < LIMIT_AGENT_NAMES;
		     rest = sv_skip(rest, comma + 1)) {
			comma = min_of(sv_find_char(rest, ','), rest.len);
			names[a->types.n++] = sv_trim(sv_slice(rest, 0, comma));
		}
	}
}

/* --- model and mode -------------------------------------------------------------------------------- */

struct sv subagent_choose_model(struct session *s, const struct subagent_spec *spec)
{
	const char *set = shell_env_get(&s->shared, "CLAUDE_CODE_SUBAGENT_MODEL");
	struct sv name = spec->model.len ? spec->model
			 : set && *set   ? sv_cstr(set)
					 : spec->file->model;
	struct sv id;

	if (!name.len || sv_is(name, "inherit"))
		return SV_EMPTY;
	id = model_resolve(s->engine->table, name);
	if (sv_eq(id, name) ? model_rules_allow(&s->rules, id)
			    : model_provider_has_claude(s->engine->config.provider) &&
				      model_rules_allow(&s->rules, id))
		return id;
	log_debug("agent %.*s: the model %.*s is not available", SV_ARG(spec->file->name),
		  SV_ARG(name));
	return SV_EMPTY;
}

/* A definition may make an agent stricter, and more lenient only as far as the user would get with the session.
 * `*out` is untouched if there is no mode of its own. */
static bool subagent_choose_mode(struct session *s, const struct subagent_spec *spec,
				 enum perm_mode *out)
{
	struct sv name = spec->mode.len ? spec->mode : spec->file->permission_mode;
	struct err ignored = ERR_INIT;
	enum perm_mode mode;

	if (!name.len || !perm_mode_read(&mode, name, &ignored))
		return false;
	if (mode != PERM_PLAN && mode != PERM_DONT_ASK && mode != PERM_DEFAULT &&
	    (spec->mode.len || !session_trusts_agent(s, spec->file)))
		return false;
	if ((mode == PERM_BYPASS && !s->kind.may_bypass) || policy_disables(s->settings, mode))
		return false;
	*out = mode;
	return true;
}

/* --- the agent ---------------------------------------------------------------------------------------- */

static void subagent_write_system(struct subagent *a, const struct agent_file *file,
				  struct str *out)
{
	const struct session *s = a->all->s;

	str_add(out, file->prompt);
	str_addf(out, "%s%s", out->len ? "\n\n" : "", agent_notes_page);
	if (s->system.append_subagents)
		str_addf(out, "\n\n%s", s->system.append_subagents);
	if (file->reminder.len)
		str_addf(out, "\n\n%.*s", SV_ARG(file->reminder));
}

static enum model_effort subagent_effort(const struct subagent_spec *spec)
{
	struct sv name = spec->effort.len ? spec->effort : spec->file->effort;
	enum model_effort effort = agent_wanted_effort(spec->parent);
	struct err ignored = ERR_INIT;

	if (name.len)
		(void)!model_effort_read(&effort, name, &ignored);
	return effort;
}

static void subagent_set_model(struct agent *agent, struct sv id)
{
	if (id.len)
		agent_set_model(agent, id);
}

struct agent *subagent_make(struct subagent *a, const struct subagent_spec *spec,
			    struct agent_listener listener, struct err *err)
{
	struct session *s = a->all->s;
	const struct agent_file *file = spec->file;
	defer(str_clear) struct str system = STR_INIT;
	struct subagent_choice choice = { .a = a, .file = file };
	enum perm_mode mode;
	struct agent_spec made = {
		.identity = { .id = sv_cstr(a->id),
			      .type = sv_of(&a->type),
			      .description = sv_of(&a->description) },
		.parent = spec->parent,
		.parent_tool_use_id = sv_of(&a->call),
		.listener = listener,
		.limits = { .max_turns = (int)file->max_turns,
			    .max_budget_usd = agent_limits(s->agent)->max_budget_usd,
			    .spent_usd = agent_limits(s->agent)->spent_usd },
		.is_fork = a->is_fork,
	};
	struct agent *agent;

	if (!a->is_fork) {
		subagent_write_system(a, file, &system);
		made.system = sv_of(&system);
	}
	if (subagent_choose_mode(s, spec, &mode))
		made.mode = &mode;
	agent = agent_new(&made, err);
	if (!agent)
		return NULL;
	agent_tool_context(agent)->agent = str_c(&a->label);
	agent_tool_context(agent)->is_teammate = a->is_teammate;
	if (!a->is_fork || spec->model.len)
		subagent_set_model(agent, subagent_choose_model(s, spec));
	if (a->is_fork)
		return agent;
	agent_keep_tools(agent, subagent_keeps, &choice);
	if (a->is_teammate)
		agent_offer_deferred(agent, SV("SendMessage"));
	subagent_limit_types(a, file);
	agent_set_effort(agent, subagent_effort(spec));
	return agent;
}

/* --- what it is told ------------------------------------------------------------------------------------ */

static void subagent_append_meta(struct subagent *a, struct sv text)
{
	defer(str_clear) struct str block = STR_INIT;

	if (!text.len)
		return;
	block_text(&block, text);
	(void)!agent_append(a->agent, &(struct agent_message){ .content = sv_of(&block),
							       .is_meta = true,
							       .quiet = true });
}

/* The skills that the definition wants it to know. */
static void subagent_append_skills(struct subagent *a, const struct agent_file *file)
{
	struct session *s = a->all->s;

	for (size_t i = 0; i < file->skills.n; i++) {
		const struct command_file *skill =
			command_list_find(session_command_files(s, false), file->skills.at[i]);
		defer(str_clear) struct str text = STR_INIT, shown = STR_INIT;
		defer(mem_freep) char *path = skill ? sv_dup(skill->path) : NULL;
		struct err err = ERR_INIT;

		if (!path || !fs_read(&text, path, LIMIT_COMMAND_TEXT, &err))
			continue;
		str_addf(&shown, "The skill %.*s, from %s:\n\n%s", SV_ARG(file->skills.at[i]), path,
			 str_c(&text));
		subagent_append_meta(a, sv_of(&shown));
	}
}

void subagent_brief(struct subagent *a, const struct agent_file *file)
{
	struct session *s = a->all->s;
	defer(str_clear) struct str text = STR_INIT, memory = STR_INIT, block = STR_INIT;

	if (a->is_fork) {
		str_adds(&text, agent_fork_page);
	} else {
		subagent_append_meta(a, sv_of(&s->conversation.environment));
		if (!file->omits_instructions)
			instructions_write(&text, s->instructions, 0);
	}
	subagent_append_meta(a, sv_of(&text));
	agent_memory_write(s, file, &memory);
	subagent_append_meta(a, sv_of(&memory));
	subagent_append_skills(a, file);
	if (a->is_teammate)
		team_brief(a);
	block_text(&block, sv_of(&a->prompt));
	(void)!agent_append(a->agent,
			    &(struct agent_message){ .content = sv_of(&block), .is_prompt = true });
}

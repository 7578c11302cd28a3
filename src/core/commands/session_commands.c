/* The commands and skills that users write as files (extend/command_list.h), and those with a text
 * of ours, typed as prompts.
 *
 *   "/review a.c"  >  the file is read, arguments are put in, the commands in its text run, and the
 *                     files that it refers to are added (command_run.h)
 *                  >  a prompt that names the command, and a message of the harness with the text */
#include "core/commands/session_commands.h"

#include "base/utf8.h"
#include "context/visible_text.h"
#include "core/commands/commands.h"
#include "core/hooks/hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/policy/project.h"
#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "core/session/session_init.h"
#include "core/session/session_opening.h"
#include "core/session/session_prompts.h"
#include "core/session/session_result.h"
#include "core/session/session_undo.h"
#include "core/subagents/skill_fork.h"
#include "extend/file_notes.h"
#include "proto/message.h"
#include "proto/slash.h"

/* --- the list ------------------------------------------------------------------------- */

/* Whether the user has not switched this command off, and the host wants it: it has named the skill,
 * or the part of its name after a colon. */
static bool session_commands_is_wanted(const struct session *s, const struct command_file *file)
{
	struct json_iter it = json_each(json_root(s->preferences.skills));
	struct json override = json_get_sv(settings_get(s->settings, "skillOverrides"), file->name);
	struct json item;

	if (sv_is(json_str_or(override, SV_EMPTY), "off"))
		return false;
	if (!s->preferences.skills || !file->skill_dir.len)
		return true;
	while (json_next(&it, NULL, &item)) {
		struct sv name = json_str_or(item, SV_EMPTY);
		size_t rest = file->name.len - min_of(name.len, file->name.len);

		if (sv_eq(name, file->name) || (name.len && rest && sv_ends(file->name, name) &&
						file->name.ptr[rest - 1] == ':'))
			return true;
	}
	return false;
}

static void session_commands_note_taken(struct command_list *list, const struct command_file *file)
{
	file_note(&(struct file_notes){ .out = &list->notes, .path = file->path }, 0,
		  "this command is skipped: /%.*s is a command of awl", SV_ARG(file->name));
}

static void session_commands_filter(struct session *s)
{
	struct command_list *list = &s->commands.list;
	size_t n = 0;

	for (size_t i = 0; i < list->files.n; i++) {
		const struct command_file *file = &list->files.at[i];

		if (session_skills_is_taken(file->name))
			session_commands_note_taken(list, file);
		else if (session_commands_is_wanted(s, file))
			list->files.at[n++] = *file;
	}
	list->files.n = n;
}

/* Tell a host that was told of other commands. */
static void session_commands_announce(struct session *s)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str now = STR_INIT;
	struct event event = { .kind = EVENT_COMMANDS };

	event.commands.n = session_commands(s, &event.commands.at, &arena);
	event_write(&now, &event, SV_EMPTY, SV_EMPTY);
	if (sv_eq(sv_of(&now), sv_of(&s->commands.sent)))
		return;
	str_set(&s->commands.sent, sv_of(&now));
	if (s->is_initialized)
		session_emit(s, &event);
}

static void session_commands_load(struct session *s)
{
	project_dir_list dirs = VEC_INIT;
	struct arena arena = ARENA_INIT;
	struct command_list *list = &s->commands.list;
	struct command_places places = { .managed_dir = NULL };
	defer(command_list_clear) struct command_list before = *list;
	defer(str_clear) struct str managed = STR_INIT;
	struct err ignored = ERR_INIT;
	bool user =
		!s->commands.is_off && settings_may_define(s->settings, SETTINGS_USER, "skills");
	bool project =
		!s->commands.is_off && settings_may_define(s->settings, SETTINGS_PROJECT, "skills");

	if (!s->commands.is_off && settings_policy_folder(&managed, NULL, &ignored))
		places.managed_dir = managed.ptr;
	places.config_dir = user ? s->engine->config_dir : NULL;
	project_dirs(sv_cstr(s->shared.project), &dirs, &arena);
	places.dirs = (const char *const *)dirs.at;
	places.ndirs = project ? dirs.n : 0;
	places.nested = (const char *const *)s->commands.nested.at;
	places.nnested = project ? s->commands.nested.n : 0;
	*list = (struct command_list)COMMAND_LIST_INIT;
	command_list_load(list, &places);
	vec_clear(&dirs);
	arena_clear(&arena);
	if (!s->commands.is_off)
		plugin_set_add_commands(&s->plugins.set, list);
	session_commands_filter(s);
	if (s->commands.is_loaded && !s->commands.is_stale)
		hooks_report_skill(s, command_list_changed(&before, list));
	if (!s->commands.is_loaded)
		session_add_notice(s, sv_of(&list->notes));
	s->commands.is_loaded = true;
	s->commands.is_stale = false;
	session_commands_announce(s);
}

const struct command_list *session_command_files(struct session *s, bool fresh)
{
	if (fresh || !s->commands.is_loaded || s->commands.is_stale)
		session_commands_load(s);
	return &s->commands.list;
}

/* --- the end of a turn ------------------------------------------------------------------- */

static void session_commands_drop_rules(struct session *s, enum behavior behavior)
{
	defer(str_clear) struct str rule = STR_INIT;

	while (perm_first_rule(&s->policy, behavior, PERM_FROM_COMMAND, &rule)) {
		perm_remove_rule(&s->policy, behavior, PERM_FROM_COMMAND, sv_of(&rule));
		str_truncate(&rule, 0);
	}
}

void session_commands_end_turn(struct session *s)
{
	struct session_commands *c = &s->commands;

	session_commands_drop_rules(s, BEHAVIOR_ALLOW);
	session_commands_drop_rules(s, BEHAVIOR_DENY);
	/* Unless somebody has chosen another one meanwhile. */
	if (c->model_before.len && sv_eq(agent_next_model(s->agent), sv_of(&c->model)))
		agent_set_model(s->agent, sv_of(&c->model_before));
	str_truncate(&c->model_before, 0);
	if (c->has_effort && agent_wanted_effort(s->agent) == c->effort)
		agent_set_effort(s->agent, c->effort_before);
	c->has_effort = false;
}

void session_commands_clear(struct session_commands *c)
{
	command_list_clear(&c->list);
	for (size_t i = 0; i < c->nested.n; i++)
		free(c->nested.at[i]);
	vec_clear(&c->nested);
	map_clear(&c->searched);
	map_clear(&c->awake);
	command_run_clear(&c->run);
	str_clear(&c->sent);
	str_clear(&c->model);
	str_clear(&c->model_before);
	str_clear(&c->answer);
}

/* --- expanding ------------------------------------------------------------------------------ */

/* The prompt that stands for the command, in the form that other programs look for, with the images
 * that came with it. */
static void session_commands_write_prompt(const struct session_commands *c, struct str *blocks)
{
	defer(str_clear) struct str text = STR_INIT, prompt = STR_INIT;

	str_addf(&text, "<command-message>%s</command-message>\n<command-name>/%s</command-name>",
		 str_c(&c->run.name), str_c(&c->run.name));
	if (c->run.arguments.len)
		str_addf(&text, "\n<command-args>%s</command-args>", str_c(&c->run.arguments));
	block_text(&prompt, sv_of(&text));
	blocks_add_media(&prompt, sv_of(blocks));
	str_set(blocks, sv_of(&prompt));
}

/* The command stands for this text. */
static void session_commands_replace(struct session *s, struct sv text)
{
	struct session_waiting *w = &s->prompts.waiting.at[0];

	session_commands_write_prompt(&s->commands, &w->blocks);
	str_set(&w->typed, sv_of(&w->command));
	visible_text(&w->context, text);
	w->is_fork = s->commands.run.file.is_fork;
	str_truncate(&w->command, 0);
}

/* /goal sets one, unless it is a file of the user's. */
static void session_commands_set_goal(struct session *s)
{
	const struct command_run *run = &s->commands.run;
	const struct slash_command *command = slash_find(sv_of(&run->name));

	if (command && slash_id(command) == SLASH_GOAL && !run->file.path.len)
		session_goal_set(s, sv_of(&run->arguments));
}

static void session_commands_finish(struct session *s)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!s->commands.run.file.is_fork) /* which gets its text when it starts */
		command_run_write(&s->commands.run, s, &text);
	session_commands_replace(s, sv_of(&text));
	session_commands_set_goal(s);
	if (!s->commands.run.file.is_fork)
		command_run_choose_model(&s->commands.run, s);
}

static void session_commands_fail(struct session *s, const struct err *err)
{
	defer(str_clear) struct str why = STR_INIT;
	struct sv name = SV_EMPTY, rest;

	(void)session_cut_command(sv_of(&s->prompts.waiting.at[0].command), &name, &rest);
	str_addf(&why, "/%.*s: %s", SV_ARG(name), err->text);
	session_emit_init(s);
	session_emit_notices(s);
	session_begin_prompt(s, &s->prompts.waiting.at[0]);
	session_refuse_locally(s, name, sv_of(&why));
	session_end_prompts(s);
	session_drop_waiting(s, 1);
	session_enter(s, SESSION_IDLE);
}

/* Go on with the prompt. Whoever interrupts it sees the turn of what was typed end at once. */
static void session_commands_go_on(struct session *s, const struct err *why)
{
	if (s->state == SESSION_CLOSING) {
		session_settle(s);
		return;
	}
	if (s->is_interrupted) {
		str_truncate(&s->prompts.waiting.at[0].command, 0);
		session_start_interrupted(s);
		return;
	}
	if (why)
		session_commands_fail(s, why);
	else
		session_prompt_next(s);
	session_continue(s);
}

static void session_commands_on_shell(__attribute__((unused)) struct op *op, void *owner,
				      const struct err *why)
{
	struct session *s = owner;
	struct err err = why ? *why : (struct err)ERR_INIT;

	s->step = NULL;
	if (!why && !session_is_closed(s) && !s->is_interrupted)
		session_commands_finish(s);
	session_commands_go_on(s, why ? &err : NULL);
}

void session_commands_take(struct session *s, struct sv text, struct sv images,
			   const struct err *why)
{
	if (s->prompts.waiting.n && !why && !session_is_closed(s) && !s->is_interrupted) {
		session_commands_replace(s, text);
		str_set(&s->prompts.waiting.at[0].images, images);
	}
	session_commands_go_on(s, why);
}

/* Run what the text runs, then go on with the prompt. */
static void session_commands_run(struct session *s)
{
	struct err err = ERR_INIT;

	if (!command_run_start(&s->commands.run, s, agent_tool_context(s->agent), &s->step,
			       THEN(session_commands_on_shell, s), &err)) {
		session_commands_go_on(s, &err);
		return;
	}
	if (s->step)
		return;
	session_commands_finish(s);
	session_commands_go_on(s, NULL);
}

/* The hooks have seen the command. What they say for the model stays in the point. */
static void session_commands_on_hook(__attribute__((unused)) struct op *op, void *owner,
				     __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->step = NULL;
	s->prompts.point.is_expansion = false;
	str_truncate(&s->prompts.point.content, 0);
	if (session_is_closed(s) || s->is_interrupted) {
		session_commands_go_on(s, NULL);
	} else if (s->prompts.point.refusal.len) {
		session_refuse_prompts(s);
		session_continue(s);
	} else {
		session_commands_run(s);
	}
}

/* Whether the command is a prompt of an MCP server that is being fetched now. */
static bool session_commands_fetch(struct session *s, struct sv name, struct sv arguments)
{
	struct command_run *run = &s->commands.run;

	if (!session_mcp_is_prompt(s, name))
		return false;
	str_set(&run->name, name);
	str_set(&run->arguments, arguments);
	run->file = (struct command_file){ .name = sv_of(&run->name) };
	return session_mcp_expand(s, name, arguments);
}

void session_expand(struct session *s)
{
	struct command_run *run = &s->commands.run;
	struct sv name, arguments;
	struct err err = ERR_INIT;

	if (session_is_slow_command(s, sv_of(&s->prompts.waiting.at[0].command))) {
		session_start_command(s);
		return;
	}
	command_run_reset(run);
	if (!session_cut_command(sv_of(&s->prompts.waiting.at[0].command), &name, &arguments))
		BUG("queued text is not a command");
	if (session_commands_fetch(s, name, arguments))
		return;
	if (!command_run_prepare(run, s, command_list_find(session_command_files(s, true), name),
				 name, arguments, &err)) {
		session_commands_go_on(s, &err);
		return;
	}
	s->step = hooks_expand(s, &run->file, arguments, THEN(session_commands_on_hook, s));
	if (!s->step)
		session_commands_run(s);
}

/* --- a skill in an agent of its own --------------------------------------------------------- */

/* The model reads with its next request what the agent has found. */
static void session_fork_report(struct session *s, const struct subagent *agent)
{
	defer(str_clear) struct str text = STR_INIT, note = STR_INIT;
	struct tool_result launched = { .is_error = false };
	struct sv name = sv_of(&s->commands.run.name);

	if (subagent_runs(agent)) {
		subagent_write_launched(agent, &launched);
		str_addf(&text, "/%.*s runs in the background as %s.", SV_ARG(name),
			 subagent_id(agent));
		str_addf(&note, "The user has started the skill %.*s. %s", SV_ARG(name),
			 str_c(&launched.text));
	} else {
		subagent_add_result(agent, &text);
		str_addf(&note, "The user ran the skill %.*s in an agent of its own (%s)%s:\n\n%s",
			 SV_ARG(name), subagent_id(agent),
			 subagent_status(agent) == COMMAND_STOPPED
				 ? " and interrupted it. Its last words"
				 : ". Its result, which the user has read",
			 str_c(&text));
	}
	session_append_meta(s, sv_of(&note));
	if (subagent_status(agent) == COMMAND_STOPPED)
		session_refuse_locally(s, name, SV("Interrupted"));
	else if (subagent_status(agent) == COMMAND_FAILED)
		session_refuse_locally(s, name, sv_of(&text));
	else
		session_answer_locally(s, name, sv_of(&text));
	tool_result_clear(&launched);
}

static void session_fork_end(struct session *s)
{
	s->commands.is_forking = false;
	session_undo_end_turn(s);
	session_end_prompts(s);
	session_enter(s, SESSION_IDLE);
}

static void session_on_fork(struct op *op, void *owner,
			    __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->step = NULL;
	if (s->state == SESSION_CLOSING) {
		session_settle(s);
		return;
	}
	session_fork_report(s, skill_fork_agent(op));
	session_fork_end(s);
	session_run(s, true);
}

void session_start_fork(struct session *s)
{
	struct err err = ERR_INIT;
	defer(str_clear) struct str why = STR_INIT;

	s->commands.is_forking = true;
	s->step = skill_fork_start(s, s->agent, &s->commands.run, SV_EMPTY,
				   THEN(session_on_fork, s), &err);
	if (s->step)
		return;
	str_addf(&why, "/%s: %s", str_c(&s->commands.run.name), err.text);
	session_refuse_locally(s, sv_of(&s->commands.run.name), sv_of(&why));
	session_fork_end(s);
}

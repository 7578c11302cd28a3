/* The slash commands of proto/slash.h: which prompt is one, and what the engine does about it.
 *
 * The engine answers the local ones itself. Some others become a prompt with a text of ours, by the
 * same way as commands that users write as files (session_commands.c). A name that is typed like a
 * command but is not one is refused, so that a typing mistake costs nothing. */
#include "core/commands/commands.h"

#include "base/ascii.h"
#include "core/commands/session_commands.h"
#include "core/compaction/compaction.h"
#include "core/hooks/hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_plan.h"
#include "core/session/session_prompts.h"
#include "core/session/session_result.h"
#include "core/session/session_transcript.h"
#include "sys/fs.h"
#include "text/nearest.h"

static bool commands_plan(struct session *s, __attribute__((unused)) struct sv rest,
			  struct str *out)
{
	struct err err = ERR_INIT;

	if (s->policy.mode != PERM_PLAN) {
		if (!session_set_mode(s, SV("plan"), &err)) {
			str_adds(out, err.text);
			return false;
		}
		session_emit_mode(s);
		str_adds(out, "Plan mode is on: nothing is changed before you accept a plan.");
	} else if (!session_plan_read(s, out)) {
		str_adds(out, "Plan mode is on. There is no plan yet.");
	}
	return true;
}

static bool commands_clear(struct session *s, __attribute__((unused)) struct sv rest,
			   struct str *out)
{
	struct uuid old = s->conversation.id;

	session_reset(s);
	str_adds(out, "New conversation.");
	if (s->conversation.path)
		str_addf(out, " To return to the old one: awl --resume %s", old.text);
	return true;
}

static command_fn commands_help;

static command_fn *const commands[SLASH_COMMANDS] = {
	[SLASH_ADD_DIR] = commands_add_dir,
	[SLASH_AGENTS] = commands_agents,
	[SLASH_BUG] = commands_bug,
	[SLASH_CLEAR] = commands_clear,
	[SLASH_CONFIG] = commands_config,
	[SLASH_CONTEXT] = commands_context,
	[SLASH_EFFORT] = commands_effort,
	[SLASH_FAST] = commands_fast,
	[SLASH_GOAL] = commands_goal,
	[SLASH_HELP] = commands_help,
	[SLASH_HOOKS] = commands_hooks,
	[SLASH_LOGIN] = commands_login,
	[SLASH_LOGOUT] = commands_logout,
	[SLASH_MCP] = commands_mcp,
	[SLASH_MEMORY] = commands_memory,
	[SLASH_MODEL] = commands_model,
	[SLASH_OUTPUT_STYLE] = commands_output_style,
	[SLASH_RELOAD_PLUGINS] = commands_reload_plugins,
	[SLASH_PERMISSIONS] = commands_permissions,
	[SLASH_PLAN] = commands_plan,
	[SLASH_RELEASE_NOTES] = commands_release_notes,
	[SLASH_RENAME] = commands_rename,
	[SLASH_SANDBOX] = commands_sandbox,
	[SLASH_SKILLS] = commands_skills,
	[SLASH_STATUS] = commands_status,
	[SLASH_STATUSLINE] = commands_statusline,
	[SLASH_TASKS] = commands_tasks,
	[SLASH_TODOS] = commands_todos,
	[SLASH_USAGE] = commands_usage,
};

static command_start_fn *const slow_commands[SLASH_COMMANDS] = {
	[SLASH_BTW] = commands_btw,       [SLASH_COMPACT] = commands_compact,
	[SLASH_DIFF] = commands_diff,     [SLASH_DOCTOR] = commands_doctor,
	[SLASH_EXPORT] = commands_export, [SLASH_PLUGIN] = commands_plugin,
	[SLASH_RECAP] = commands_recap,   [SLASH_REDO] = commands_redo,
	[SLASH_REWIND] = commands_rewind, [SLASH_UNDO] = commands_undo,
};

/* --- finding ------------------------------------------------------------------------------ */

static bool commands_has_file(struct session *s, struct sv name, bool fresh)
{
	return command_name_valid(name) && command_list_find(session_command_files(s, fresh), name);
}

/* Find a command that is ours. The user's own text wins over a text of ours, and whoever wants no
 * files gets neither. */
static const struct slash_command *commands_find(struct session *s, struct sv name, bool fresh)
{
	const struct slash_command *command = slash_find(name);
	bool is_text = command && command->kind == SLASH_PROMPT;

	return is_text && (s->commands.is_off || commands_has_file(s, name, fresh)) ? NULL
										    : command;
}

bool session_cut_command(struct sv text, struct sv *name, struct sv *rest)
{
	size_t end = 1;

	text = sv_trim(text);
	if (!sv_starts(text, SV("/")))
		return false;
	while (end < text.len && !ascii_is_space(text.ptr[end]))
		end++;
	*name = sv_slice(text, 1, end);
	*rest = sv_trim(sv_skip(text, end));
	return name->len || !rest->len;
}

/* Whether a word is written like the name of a command, and not like a path. */
static bool commands_is_name(struct sv name)
{
	defer(str_clear) struct str path = STR_INIT;

	for (size_t i = 0; i < name.len; i++)
		if (!ascii_is_alnum(name.ptr[i]) &&
		    sv_find_char(SV("-_:"), name.ptr[i]) == SIZE_MAX)
			return false;
	str_addf(&path, "/%.*s", SV_ARG(name));
	return !name.len || !fs_exists(path.ptr);
}

bool session_is_command(struct session *s, struct sv text, bool typed)
{
	struct sv name, rest;

	return session_cut_command(text, &name, &rest) &&
	       (commands_has_file(s, name, true) || commands_find(s, name, false) ||
		session_mcp_may_be_prompt(s, name) || slash_instead(name) ||
		(typed && commands_is_name(name)));
}

/* Whether a command becomes a prompt. Without a condition, /goal is answered. */
static bool commands_is_prompt(const struct slash_command *command, struct sv rest)
{
	return command->kind == SLASH_PROMPT &&
	       (slash_id(command) != SLASH_GOAL || session_goal_is_condition(rest));
}

bool session_is_prompt_command(struct session *s, struct sv text)
{
	const struct slash_command *command;
	struct sv name, rest;

	if (!session_cut_command(text, &name, &rest))
		return false;
	command = commands_find(s, name, true);
	return command ? commands_is_prompt(command, rest)
		       : session_mcp_is_prompt(s, name) || commands_has_file(s, name, false);
}

bool session_is_immediate_command(const struct session *s, struct sv text)
{
	const struct slash_command *command;
	struct sv name, rest;

	if (!session_cut_command(text, &name, &rest))
		return false;
	command = slash_find(name);
	if (command && slash_id(command) == SLASH_MODEL && hooks_guard_model(s))
		return false; /* it waits for them */
	if (command && slash_id(command) == SLASH_GOAL)
		return !session_goal_is_condition(rest) &&
		       !command_list_find(&s->commands.list, name);
	return command && command->kind == SLASH_LOCAL && command->is_immediate;
}

bool session_is_slow_command(struct session *s, struct sv text)
{
	const struct slash_command *command;
	struct sv name, rest;

	if (!session_cut_command(text, &name, &rest))
		return false;
	command = commands_find(s, name, false);
	return command && slow_commands[slash_id(command)];
}

struct sv session_command_text(struct sv name)
{
	const struct slash_command *command = slash_find(name);

	return command && command->kind == SLASH_PROMPT ? commands_prompt(command) : SV_EMPTY;
}

/* --- running ------------------------------------------------------------------------------ */

static void commands_explain_front(const struct slash_command *command, struct str *out)
{
	str_addf(out, "/%s works only on the full screen at a terminal", command->name);
	if (command->elsewhere)
		str_addf(out, "; %s", command->elsewhere);
}

/* Offer all names of a command. */
static void commands_offer(struct session *s, const struct slash_command *command,
			   struct nearest *best, struct sv typed)
{
	struct sv rest = sv_cstr(command->aliases), alias;

	if (!commands_find(s, sv_cstr(command->name), false))
		return;
	nearest_offer(best, typed, sv_cstr(command->name));
	while (rest.len && sv_cut(&rest, ' ', &alias))
		nearest_offer(best, typed, alias);
}

static void commands_explain_absent(struct session *s, struct sv name, struct str *out)
{
	const struct command_list *list = session_command_files(s, false);
	const char *instead = slash_instead(name);
	struct nearest best = NEAREST_INIT;

	if (instead) {
		str_addf(out, "/%.*s is not supported yet; %s", SV_ARG(name), instead);
		return;
	}
	for (size_t i = 0; i < SLASH_COMMANDS; i++)
		commands_offer(s, &slash_commands[i], &best, name);
	for (size_t i = 0; i < list->files.n; i++)
		nearest_offer(&best, name, list->files.at[i].name);
	str_addf(out, "there is no command /%.*s; ", SV_ARG(name));
	if (best.word.len)
		str_addf(out, "did you mean /%.*s? ", SV_ARG(best.word));
	str_adds(out, "/help lists the commands");
}

bool session_delays_command(struct session *s, struct sv text)
{
	const struct slash_command *command;
	struct sv name, rest;

	if (!session_cut_command(text, &name, &rest))
		return false;
	command = commands_find(s, name, false);
	return command && slash_id(command) == SLASH_MODEL && commands_delay_model(s, rest);
}

void session_command(struct session *s, struct sv text)
{
	defer(str_clear) struct str out = STR_INIT;
	const struct slash_command *command;
	struct sv name, rest;

	if (!session_cut_command(text, &name, &rest))
		BUG("queued text is not a command");
	command = commands_find(s, name, false);
	if (command && commands[slash_id(command)] && commands[slash_id(command)](s, rest, &out)) {
		session_record_command(s, name, rest, sv_of(&out));
		session_answer_locally(s, sv_cstr(command->name), sv_of(&out));
		return;
	}
	if (command && command->kind == SLASH_FRONT)
		commands_explain_front(command, &out);
	else if (!command)
		commands_explain_absent(s, name, &out);
	session_refuse_locally(s, name.len ? name : SV("/"), sv_of(&out));
}

/* The command is answered, or was interrupted. */
static void commands_finish(struct session *s, const struct err *why)
{
	struct sv name = SV_EMPTY, rest;

	(void)session_cut_command(sv_of(&s->prompts.waiting.at[0].command), &name, &rest);
	session_begin_prompt(s, &s->prompts.waiting.at[0]);
	if (why) {
		session_refuse_locally(s, name,
				       why->kind == ERR_CANCELLED ? SV("Interrupted")
								  : sv_cstr(why->text));
	} else if (s->commands.is_refused) {
		session_refuse_locally(s, name, sv_of(&s->commands.answer));
	} else {
		if (slash_id(slash_find(name)) !=
		    SLASH_EXPORT) /* its answer is in the file already */
			session_record_command(s, name, rest, sv_of(&s->commands.answer));
		session_answer_locally(s, sv_cstr(slash_find(name)->name),
				       sv_of(&s->commands.answer));
	}
	session_end_prompts(s);
	session_drop_waiting(s, 1);
	session_enter(s, SESSION_IDLE);
}

static void commands_on_done(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct session *s = owner;
	struct session_commands *c = &s->commands;

	s->step = NULL;
	s->is_interrupted = false;
	if (c->job)
		c->free_job(move(c->job));
	if (s->state == SESSION_CLOSING) {
		session_settle(s);
		return;
	}
	commands_finish(s, why);
	session_continue(s);
}

void session_start_command(struct session *s)
{
	struct sv name, rest;

	if (!session_cut_command(sv_of(&s->prompts.waiting.at[0].command), &name, &rest))
		BUG("queued text is not a command");
	str_truncate(&s->commands.answer, 0);
	s->commands.is_refused = false;
	s->step = slow_commands[slash_id(slash_find(name))](s, rest, THEN(commands_on_done, s));
}

/* --- the list ------------------------------------------------------------------------------- */

size_t session_commands(struct session *s, const struct reply_command **out, struct arena *arena)
{
	const struct command_list *files = session_command_files(s, false);
	struct reply_command *list =
		arena_calloc(arena, SLASH_COMMANDS + files->files.n + session_mcp_count_prompts(s),
			     sizeof(*list));
	size_t n = 0;

	for (size_t i = 0; i < SLASH_COMMANDS; i++) {
		const struct slash_command *command = &slash_commands[i];
		struct sv name = sv_cstr(command->name);

		if (command->kind != SLASH_FRONT && commands_find(s, name, false))
			list[n++] = (struct reply_command){ .name = name,
							    .description = sv_cstr(command->help),
							    .argument_hint = sv_cstr(command->hint),
							    .aliases = sv_cstr(command->aliases),
							    .is_builtin = true };
	}
	for (size_t i = 0; i < files->files.n; i++) {
		const struct command_file *file = &files->files.at[i];

		if (!file->is_hidden && !commands_find(s, file->name, false))
			list[n++] = (struct reply_command){
				.name = file->name,
				.description =
					arena_printf(arena, "%.*s (%s)", SV_ARG(file->description),
						     file->is_project ? "project" : "user"),
				.argument_hint = file->argument_hint,
				.is_skill = file->skill_dir.len > 0
			};
	}
	n += session_mcp_list_prompts(s, &list[n], arena);
	*out = list;
	return n;
}

static bool commands_help(struct session *s, __attribute__((unused)) struct sv rest,
			  struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct reply_command *list;
	size_t n;

	session_command_files(s, true);
	n = session_commands(s, &list, &arena);
	for (size_t i = 0; i < n; i++) {
		if (i)
			str_addc(out, '\n');
		slash_describe(out, list[i].name, list[i].argument_hint, list[i].description);
	}
	return true;
}

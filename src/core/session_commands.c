/* The commands and skills that users write as files (extend/command_list.h), and those with a text
 * of ours, run as prompts.
 *
 *   "/review a.c"  >  the file is read, arguments are put in, the commands in its text run, and the
 *                     files that it refers to are added
 *                  >  a prompt that names the command, and a message of the harness with the text
 *
 * The file may allow tools and choose the model for this turn; both end with it. What came with a
 * project is believed only as far as the user trusts the project: without trust no command in its
 * text runs and nothing is allowed. A project that has nothing to be trusted gets no rules either,
 * but commands in its text may run if the user's own rules allow them. */
#include "base/limits.h"
#include "base/utf8.h"
#include "context/imports.h"
#include "context/visible_text.h"
#include "core/command_shell.h"
#include "core/policy.h"
#include "core/project.h"
#include "core/session_internal.h"
#include "core/session_mcp.h"
#include "perm/rule/rule_list.h"
#include "proto/message.h"

/* --- the list ------------------------------------------------------------------------- */

/* Whether the host wants this skill: it has named it, or the part of its name after a colon. */
static bool session_commands_is_wanted(const struct session *s, const struct command_file *file)
{
	struct json_iter it = json_each(json_root(s->wishes.skills));
	struct json item;

	if (!s->wishes.skills || !file->skill_dir.len)
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

static void session_commands_filter(struct session *s)
{
	struct command_list *list = &s->commands.list;
	size_t n = 0;

	for (size_t i = 0; i < list->files.n; i++)
		if (session_commands_is_wanted(s, &list->files.at[i]))
			list->files.at[n++] = list->files.at[i];
	list->files.n = n;
}

/* Tell a host that was told of other commands. */
static void session_commands_tell(struct session *s)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str now = STR_INIT;
	struct event event = { .kind = EVENT_COMMANDS };

	event.commands.n = session_commands(s, &event.commands.at, &arena);
	event_write(&now, &event, SV_EMPTY, SV_EMPTY);
	if (sv_eq(sv_of(&now), sv_of(&s->commands.told)))
		return;
	str_set(&s->commands.told, sv_of(&now));
	if (s->is_initialized)
		session_emit(s, &event);
}

typedef VEC(const char *) session_dirs;

/* Add the working directory and those above it up to the top of its repository. Outside of a
 * repository nobody knows what belongs to a project but the directory itself. */
static void session_commands_find_dirs(const struct session *s, session_dirs *dirs,
				       struct arena *arena)
{
	struct sv dir = sv_cstr(s->shared.root);

	for (;;) {
		defer(str_clear) struct str git = STR_INIT;
		size_t slash = sv_rfind_char(dir, '/');

		vec_push(dirs, arena_dup(arena, dir).ptr);
		fs_join(&git, dir, SV(".git"));
		if (fs_exists(git.ptr))
			return;
		if (slash == SIZE_MAX || !slash)
			break;
		dir = sv_slice(dir, 0, slash);
	}
	dirs->n = 1;
}

static void session_commands_load(struct session *s)
{
	session_dirs dirs = VEC_INIT;
	struct arena arena = ARENA_INIT;
	struct command_list *list = &s->commands.list;
	bool user = !s->commands.is_off && settings_is_chosen(s->settings, SETTINGS_USER);
	bool project = !s->commands.is_off && settings_is_chosen(s->settings, SETTINGS_PROJECT);

	command_list_clear(list);
	session_commands_find_dirs(s, &dirs, &arena);
	command_list_load(list, user ? s->engine->config_dir : NULL, (const char *const *)dirs.at,
			  project ? dirs.n : 0);
	vec_clear(&dirs);
	arena_clear(&arena);
	session_commands_filter(s);
	if (!s->commands.is_loaded)
		session_add_notice(s, sv_of(&list->notes));
	s->commands.is_loaded = true;
	session_commands_tell(s);
}

const struct command_list *session_command_files(struct session *s, bool fresh)
{
	if (fresh || !s->commands.is_loaded)
		session_commands_load(s);
	return &s->commands.list;
}

/* --- trust ------------------------------------------------------------------------------ */

enum command_trust { COMMAND_UNTRUSTED, COMMAND_MAY_RUN, COMMAND_MAY_ALLOW };

static enum command_trust session_commands_trust(struct session *s, const struct command_file *file)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	const struct str *vouched = &s->sources.vouched_for;

	if (!file->is_project)
		return COMMAND_MAY_ALLOW;
	project_inspect(&project, s->engine->config_dir, s->shared.root, &s->sources.vouched_for);
	if (!project.files.trusts_project)
		return COMMAND_UNTRUSTED;
	return project.trust.state == TRUST_GIVEN ||
			       (vouched->len && sv_eq(sv_of(vouched), sv_of(&project.trust.digest)))
		       ? COMMAND_MAY_ALLOW
		       : COMMAND_MAY_RUN;
}

/* --- what it changes for the turn ----------------------------------------------------------- */

static void session_commands_inform(struct session *s, const char *fmt, ...) printf_like(2, 3);
static void session_commands_inform(struct session *s, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	session_add_notice(s, sv_of(&text));
}

/* Allow what the file lists. The user reads which rules came with a project. */
static void session_commands_allow(struct session *s, const struct command_file *file)
{
	const struct perm_rule origin = { .source = PERM_FROM_COMMAND, .file = file->path };
	struct sv rest = file->allowed_tools, rule;
	struct err err = ERR_INIT;

	if (!rest.len || policy_is_managed(s->settings))
		return;
	if (session_commands_trust(s, file) != COMMAND_MAY_ALLOW) {
		session_commands_inform(s,
					"/%.*s came with the project, which you have not trusted: "
					"its allowed-tools are ignored.",
					SV_ARG(file->name));
		return;
	}
	while (perm_list_next(&rest, &rule))
		if (!perm_add_rule(&s->policy, BEHAVIOR_ALLOW, rule, &origin, &err))
			session_commands_inform(s, "%.*s: %s", SV_ARG(file->path), err.text);
	if (file->is_project)
		session_commands_inform(s, "/%.*s allows in this turn: %.*s", SV_ARG(file->name),
					SV_ARG(file->allowed_tools));
}

static void session_commands_choose_model(struct session *s, const struct command_file *file)
{
	struct err err = ERR_INIT;

	if (!file->model.len)
		return;
	str_set(&s->commands.model_before, agent_next_model(s->agent));
	if (!session_choose_model(s, file->model, &err)) {
		session_commands_inform(s, "/%.*s wants the model %.*s: %s. The model stays.",
					SV_ARG(file->name), SV_ARG(file->model), err.text);
		str_truncate(&s->commands.model_before, 0);
	}
	str_set(&s->commands.model, agent_next_model(s->agent));
}

void session_commands_end_turn(struct session *s)
{
	struct session_commands *c = &s->commands;
	defer(str_clear) struct str rule = STR_INIT;

	while (perm_first_rule(&s->policy, BEHAVIOR_ALLOW, PERM_FROM_COMMAND, &rule)) {
		perm_remove_rule(&s->policy, BEHAVIOR_ALLOW, PERM_FROM_COMMAND, sv_of(&rule));
		str_truncate(&rule, 0);
	}
	/* Unless somebody has chosen another one meanwhile. */
	if (c->model_before.len && sv_eq(agent_next_model(s->agent), sv_of(&c->model)))
		agent_set_model(s->agent, sv_of(&c->model_before));
	str_truncate(&c->model_before, 0);
}

void session_commands_clear(struct session_commands *c)
{
	command_list_clear(&c->list);
	command_expansion_clear(&c->expansion);
	arena_clear(&c->arena);
	str_clear(&c->told);
	str_clear(&c->text);
	str_clear(&c->typed_name);
	str_clear(&c->typed_arguments);
	str_clear(&c->model);
	str_clear(&c->model_before);
	str_clear(&c->answer);
}

/* --- files that the text refers to ------------------------------------------------------------ */

bool session_add_file(struct session *s, struct str *out, struct sv written, size_t max)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str text = STR_INIT;
	const struct tool_context *ctx = agent_tool_context(s->agent);
	struct perm_request request = { .tool = SV("Read"),
					.access = ACCESS_READ,
					.path = tool_real_path(ctx, written, &arena),
					.named = tool_path(ctx, written, &arena) };
	defer(mem_freep) char *path = sv_dup(request.path);
	struct fs_info info;
	struct err ignored = ERR_INIT;

	if (!fs_info(&info, path, true, &ignored) || info.kind != FS_FILE ||
	    perm_decide(&s->policy, &request).behavior != BEHAVIOR_ALLOW ||
	    !fs_read(&text, path, max, &ignored) || !utf8_valid(sv_of(&text), NULL))
		return false;
	str_addf(out, "\n\nContents of %s:\n\n%s", path, str_c(&text));
	return true;
}

static void session_commands_add_files(struct session *s, struct str *text)
{
	defer(str_clear) struct str path = STR_INIT, files = STR_INIT;
	struct imports imports = imports_in(sv_of(text));
	size_t n = 0;

	while (n < LIMIT_COMMAND_FILES && imports_next(&imports, &path))
		n += session_add_file(s, &files, sv_of(&path), LIMIT_READ_RESULT);
	str_add(text, sv_of(&files));
}

/* --- expanding ------------------------------------------------------------------------------ */

/* The prompt that stands for the command, in the form that other programs look for, with the images
 * that came with it. */
static void session_commands_write_prompt(const struct session_commands *c, struct str *blocks)
{
	defer(str_clear) struct str text = STR_INIT, prompt = STR_INIT;

	str_addf(&text, "<command-message>%s</command-message>\n<command-name>/%s</command-name>",
		 str_c(&c->typed_name), str_c(&c->typed_name));
	if (c->typed_arguments.len)
		str_addf(&text, "\n<command-args>%s</command-args>", str_c(&c->typed_arguments));
	block_text(&prompt, sv_of(&text));
	blocks_add_media(&prompt, sv_of(blocks));
	str_set(blocks, sv_of(&prompt));
}

static void session_commands_finish(struct session *s)
{
	struct session_commands *c = &s->commands;
	struct session_waiting *w = &s->waiting.at[0];
	defer(str_clear) struct str text = STR_INIT;

	if (c->file.skill_dir.len)
		str_addf(&text, "Base directory for this skill: %.*s\n\n",
			 SV_ARG(c->file.skill_dir));
	for (size_t i = 0; i < c->expansion.parts.n; i++)
		str_add(&text, sv_of(&c->expansion.parts.at[i].text));
	session_commands_add_files(s, &text);
	session_commands_write_prompt(c, &w->blocks);
	str_set(&w->typed, sv_of(&w->command));
	visible_text(&w->context, sv_of(&text));
	str_truncate(&w->command, 0);
	session_commands_choose_model(s, &c->file);
}

static void session_commands_fail(struct session *s, const struct err *err)
{
	defer(str_clear) struct str why = STR_INIT;
	struct sv name = SV_EMPTY, rest;

	(void)session_cut_command(sv_of(&s->waiting.at[0].command), &name, &rest);
	str_addf(&why, "/%.*s: %s", SV_ARG(name), err->text);
	session_emit_init(s);
	session_emit_notices(s);
	session_begin_prompt(s, &s->waiting.at[0]);
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
		str_truncate(&s->waiting.at[0].command, 0);
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

void session_commands_take(struct session *s, struct sv text, const struct err *why)
{
	struct session_waiting *w = s->waiting.n ? &s->waiting.at[0] : NULL;

	if (w && !why && !session_is_closed(s) && !s->is_interrupted) {
		session_commands_write_prompt(&s->commands, &w->blocks);
		str_set(&w->typed, sv_of(&w->command));
		visible_text(&w->context, text);
		str_truncate(&w->command, 0);
	}
	session_commands_go_on(s, why);
}

static bool session_commands_has_shell(const struct command_expansion *e)
{
	for (size_t i = 0; i < e->parts.n; i++)
		if (e->parts.at[i].is_shell)
			return true;
	return false;
}

static bool session_commands_check_shell(struct session *s, struct err *err)
{
	const struct command_file *file = &s->commands.file;

	if (settings_bool(s->settings, "disableSkillShellExecution"))
		return err_set(err, ERR_ACCESS,
			       "it runs shell commands, and disableSkillShellExecution is set");
	if (session_commands_trust(s, file) == COMMAND_UNTRUSTED)
		return err_set(err, ERR_ACCESS,
			       "it runs shell commands, and this project is not trusted; review it "
			       "with 'awl trust' in a shell");
	return true;
}

/* Read the text: of a file, or else one of ours. */
static bool session_commands_read(struct session *s, struct sv name, struct err *err)
{
	struct session_commands *c = &s->commands;
	const struct command_file *listed = command_list_find(session_command_files(s, true), name);
	struct sv ours = session_command_text(name);
	defer(mem_freep) char *path = NULL;

	if (!listed && !ours.len)
		return err_set(err, ERR_NOT_FOUND, "its file is gone");
	c->file = listed ? *listed : (struct command_file){ .name = name };
	path = sv_dup(c->file.path);
	str_truncate(&c->text, 0);
	if (!listed)
		str_add(&c->text, ours);
	return !listed || fs_read(&c->text, path, LIMIT_COMMAND_TEXT, err);
}

/* Read the text and put the arguments in. */
static bool session_commands_prepare(struct session *s, struct sv name, struct sv arguments,
				     struct err *err)
{
	struct session_commands *c = &s->commands;
	struct sv note;

	if (!session_commands_read(s, name, err))
		return false;
	c->file.narguments = 0;
	command_file_read(&c->file, sv_of(&c->text), &c->arena, &note);
	str_set(&c->typed_name, name);
	str_set(&c->typed_arguments, arguments);
	const struct command_variable variables[] = {
		{ "CLAUDE_SKILL_DIR", c->file.skill_dir },
		{ "CLAUDE_PROJECT_DIR", sv_cstr(s->shared.root) },
		{ "CLAUDE_SESSION_ID", sv_cstr(s->conversation.id.text) },
		{ "CLAUDE_EFFORT", sv_cstr(agent_tool_context(s->agent)->effort) },
	};
	return command_expand(&c->expansion,
			      &(struct command_call){ .body = c->file.body,
						      .arguments = sv_of(&c->typed_arguments),
						      .names = c->file.arguments,
						      .nnames = c->file.narguments,
						      .variables = variables,
						      .nvariables = countof(variables) },
			      err);
}

/* Run what the text runs, then go on with the prompt. */
static void session_commands_run(struct session *s)
{
	struct session_commands *c = &s->commands;
	bool runs = session_commands_has_shell(&c->expansion);
	struct err err = ERR_INIT;

	if (runs && !session_commands_check_shell(s, &err)) {
		session_commands_go_on(s, &err);
		return;
	}
	session_commands_allow(s, &c->file);
	if (runs) {
		s->step = command_shell_start(s->agent, &s->policy, &c->expansion,
					      THEN(session_commands_on_shell, s));
		return;
	}
	session_commands_finish(s);
	session_commands_go_on(s, NULL);
}

/* The hooks have seen the command. What they say for the model stays in the point. */
static void session_commands_on_hook(__attribute__((unused)) struct op *op, void *owner,
				     __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->step = NULL;
	s->point.is_expansion = false;
	str_truncate(&s->point.content, 0);
	if (session_is_closed(s) || s->is_interrupted) {
		session_commands_go_on(s, NULL);
	} else if (s->point.refusal.len) {
		session_refuse_prompts(s);
		session_continue(s);
	} else {
		session_commands_run(s);
	}
}

void session_expand(struct session *s)
{
	struct session_commands *c = &s->commands;
	struct sv name, arguments;
	struct err err = ERR_INIT;

	if (session_is_slow_command(s, sv_of(&s->waiting.at[0].command))) {
		session_start_command(s);
		return;
	}
	command_expansion_clear(&c->expansion);
	c->expansion = (struct command_expansion)COMMAND_EXPANSION_INIT;
	arena_reset(&c->arena);
	if (!session_cut_command(sv_of(&s->waiting.at[0].command), &name, &arguments))
		BUG("queued text is not a command");
	if (session_mcp_is_prompt(s, name)) {
		str_set(&c->typed_name, name);
		str_set(&c->typed_arguments, arguments);
		c->file = (struct command_file){ .name = sv_of(&c->typed_name) };
		if (session_mcp_expand(s, name, arguments))
			return;
	}
	if (!session_commands_prepare(s, name, arguments, &err)) {
		session_commands_go_on(s, &err);
		return;
	}
	s->step = hooks_expand(s, &c->file, arguments, THEN(session_commands_on_hook, s));
	if (!s->step)
		session_commands_run(s);
}

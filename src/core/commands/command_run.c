#include "core/commands/command_run.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "context/imports.h"
#include "core/commands/command_shell.h"
#include "core/commands/commands.h"
#include "core/commands/session_commands.h"
#include "core/commands/session_mentions.h"
#include "core/compaction/compaction.h"
#include "core/hooks/session_hooks.h"
#include "core/policy/policy.h"
#include "core/policy/project.h"
#include "model/catalogue/effort.h"
#include "perm/rule/rule_list.h"

void command_run_reset(struct command_run *run)
{
	command_expansion_clear(&run->expansion);
	run->expansion = (struct command_expansion)COMMAND_EXPANSION_INIT;
	run->file = (struct command_file){ .is_project = false };
	arena_reset(&run->arena);
}

void command_run_clear(struct command_run *run)
{
	command_expansion_clear(&run->expansion);
	arena_clear(&run->arena);
	str_clear(&run->text);
	str_clear(&run->name);
	str_clear(&run->arguments);
}

/* --- trust ------------------------------------------------------------------------------ */

enum command_trust { COMMAND_UNTRUSTED, COMMAND_MAY_RUN, COMMAND_MAY_ALLOW };

static enum command_trust command_run_project_trust(struct session *s)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	const struct str *trusted_digest = &s->sources.trusted_digest;

	session_inspect_project(s, &project);
	if (!project.files.trusts_project)
		return COMMAND_UNTRUSTED;
	return project.trust.state == TRUST_GIVEN ||
			       (trusted_digest->len &&
				sv_eq(sv_of(trusted_digest), sv_of(&project.trust.digest)))
		       ? COMMAND_MAY_ALLOW
		       : COMMAND_MAY_RUN;
}

static enum command_trust command_run_trust(struct session *s, const struct command_file *file)
{
	return file->is_project ? command_run_project_trust(s) : COMMAND_MAY_ALLOW;
}

bool session_trusts_project(struct session *s)
{
	return command_run_project_trust(s) == COMMAND_MAY_ALLOW;
}

bool session_trusts_work_dir(struct session *s)
{
	defer(project_clear) struct project here = PROJECT_INIT;

	if (!session_trusts_project(s))
		return false;
	if (sv_is(sv_cstr(s->shared.root), s->shared.project))
		return true;
	project_inspect(&here, s->engine->config_dir, s->shared.root, NULL);
	return here.trust.state == TRUST_GIVEN;
}

bool command_run_widens(struct session *s, const struct command_file *file)
{
	return file->allowed_tools.len && !policy_is_managed(s->settings) &&
	       command_run_trust(s, file) == COMMAND_MAY_ALLOW;
}

/* --- what it changes for the turn ----------------------------------------------------------- */

static void command_run_inform(struct session *s, const char *fmt, ...) printf_like(2, 3);
static void command_run_inform(struct session *s, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	session_add_notice(s, sv_of(&text));
}

static void command_run_add_rules(struct session *s, const struct command_file *file,
				  enum behavior behavior, struct sv rules)
{
	const struct perm_rule origin = { .source = PERM_FROM_COMMAND, .file = file->path };
	struct err err = ERR_INIT;
	struct sv rule;

	while (perm_list_next(&rules, &rule))
		if (!perm_add_rule(&s->policy, behavior, rule, &origin, &err))
			command_run_inform(s, "%.*s: %s", SV_ARG(file->path), err.text);
}

/* Allow what the file lists. The user reads which rules came with a project. */
static void command_run_allow(struct session *s, const struct command_file *file)
{
	if (!file->allowed_tools.len || policy_is_managed(s->settings))
		return;
	if (!command_run_widens(s, file)) {
		command_run_inform(s,
				   "/%.*s came with the project, which you have not trusted: "
				   "its allowed-tools are ignored.",
				   SV_ARG(file->name));
		return;
	}
	command_run_add_rules(s, file, BEHAVIOR_ALLOW, file->allowed_tools);
	if (file->is_project)
		command_run_inform(s, "/%.*s allows in this turn: %.*s", SV_ARG(file->name),
				   SV_ARG(file->allowed_tools));
}

static void command_run_choose_effort(const struct command_run *run, struct session *s)
{
	struct session_commands *c = &s->commands;
	enum model_effort effort;
	struct err err = ERR_INIT;

	if (!run->file.effort.len)
		return;
	if (!model_effort_read(&effort, run->file.effort, &err)) {
		command_run_inform(s, "/%.*s: %s; the effort stays.", SV_ARG(run->file.name),
				   err.text);
		return;
	}
	if (!c->has_effort)
		c->effort_before = agent_wanted_effort(s->agent);
	c->has_effort = true;
	c->effort = effort;
	agent_set_effort(s->agent, effort);
}

void command_run_choose_model(const struct command_run *run, struct session *s)
{
	const struct command_file *file = &run->file;
	struct session_commands *c = &s->commands;
	struct str before = STR_INIT;
	struct err err = ERR_INIT;

	command_run_choose_effort(run, s);
	if (!file->model.len)
		return;
	str_add(&before, agent_next_model(s->agent));
	if (session_choose_model(s, file->model, &err)) {
		if (!c->model_before.len)
			str_set(&c->model_before, sv_of(&before));
		str_set(&c->model, agent_next_model(s->agent));
	} else {
		command_run_inform(s, "/%.*s wants the model %.*s: %s. The model stays.",
				   SV_ARG(file->name), SV_ARG(file->model), err.text);
	}
	str_clear(&before);
}

/* --- reading -------------------------------------------------------------------------------- */

/* Copy what does not come from the text: the session may read its list again while the run lasts. */
static void command_run_own(struct command_run *run)
{
	struct sv *const views[] = { &run->file.path, &run->file.skill_dir, &run->file.plugin_root,
				     &run->file.plugin_data, &run->file.plugin_config };

	for (size_t i = 0; i < countof(views); i++)
		*views[i] = arena_dup(&run->arena, *views[i]);
	run->file.name = sv_of(&run->name);
}

static bool command_run_read(struct command_run *run, const struct command_file *file,
			     struct sv name, struct err *err)
{
	struct sv ours = session_command_text(name);

	if (!file && !ours.len)
		return err_set(err, ERR_NOT_FOUND, "its file is gone");
	run->file = file ? *file : (struct command_file){ .name = sv_of(&run->name) };
	run->file.narguments = 0;
	command_run_own(run);
	str_truncate(&run->text, 0);
	if (!file)
		str_add(&run->text, ours);
	return !file || fs_read(&run->text, run->file.path.ptr, LIMIT_COMMAND_TEXT, err);
}

/* The rules of a plugin's command may name its directory. */
static void command_run_expand_rules(struct command_run *run)
{
	struct sv *const rules[] = { &run->file.allowed_tools, &run->file.denied_tools };

	for (size_t i = 0; run->file.plugin_root.len && i < countof(rules); i++) {
		defer(str_clear) struct str text = STR_INIT;

		plugin_expand(&text, *rules[i],
			      &(struct plugin_words){ run->file.plugin_root.ptr,
						      run->file.plugin_data.ptr, SV_EMPTY });
		*rules[i] = arena_dup(&run->arena, sv_of(&text));
	}
}

typedef VEC(struct command_variable) command_variables;

/* What the text may name. */
static void command_run_find_variables(struct command_run *run, const struct session *s,
				       command_variables *out)
{
	struct sv effort = run->file.effort.len ? run->file.effort
						: sv_cstr(agent_tool_context(s->agent)->effort);
	const struct command_variable ours[] = {
		{ "CLAUDE_SKILL_DIR", run->file.skill_dir },
		{ "CLAUDE_PROJECT_DIR", sv_cstr(s->shared.project) },
		{ "CLAUDE_SESSION_ID", sv_cstr(s->conversation.id.text) },
		{ "CLAUDE_EFFORT", effort },
		{ "CLAUDE_PLUGIN_ROOT", run->file.plugin_root },
		{ "CLAUDE_PLUGIN_DATA", run->file.plugin_data },
	};
	size_t of_plugin = run->file.plugin_root.len ? 0 : 2;
	struct sv rest = run->file.plugin_config, key, value;

	for (size_t i = 0; i < countof(ours) - of_plugin; i++)
		vec_push(out, ours[i]);
	while (plugin_config_next(&rest, &key, &value)) {
		struct sv name = arena_printf(&run->arena, "user_config.%.*s", SV_ARG(key));

		vec_push(out, ((struct command_variable){ name.ptr, value }));
	}
}

bool command_run_prepare(struct command_run *run, struct session *s,
			 const struct command_file *file, struct sv name, struct sv arguments,
			 struct err *err)
{
	command_variables variables = VEC_INIT;
	bool ok;

	str_set(&run->name, name);
	str_set(&run->arguments, arguments);
	if (!command_run_read(run, file, name, err))
		return false;
	command_file_read(&run->file, sv_of(&run->text), &run->arena, NULL);
	command_run_expand_rules(run);
	command_run_find_variables(run, s, &variables);
	ok = command_expand(&run->expansion,
			    &(struct command_call){ .body = run->file.body,
						    .arguments = sv_of(&run->arguments),
						    .names = run->file.arguments,
						    .nnames = run->file.narguments,
						    .variables = variables.at,
						    .nvariables = variables.n },
			    err);
	vec_clear(&variables);
	return ok;
}

/* --- running -------------------------------------------------------------------------------- */

static bool command_run_has_shell(const struct command_run *run)
{
	for (size_t i = 0; i < run->expansion.parts.n; i++)
		if (run->expansion.parts.at[i].is_shell)
			return true;
	return false;
}

static bool command_run_check_shell(const struct command_run *run, struct session *s,
				    struct err *err)
{
	if (settings_bool(s->settings, "disableSkillShellExecution"))
		return err_set(err, ERR_ACCESS,
			       "it runs shell commands, and disableSkillShellExecution is set");
	if (command_run_trust(s, &run->file) == COMMAND_UNTRUSTED)
		return err_set(err, ERR_ACCESS,
			       "it runs shell commands, and this project is not trusted; review it "
			       "with 'awl trust' in a shell");
	return true;
}

/* The hooks of a skill work from its first use to the end of the conversation. */
static bool command_run_add_hooks(struct session *s, const struct command_file *file,
				  struct err *err)
{
	const struct hook_guest guest = { .source = HOOK_FROM_SKILL,
					  .file = file->path,
					  .json = file->hooks,
					  .is_managed = file->is_managed };

	return hooks_guest_add(s, &guest, command_run_trust(s, file) == COMMAND_MAY_ALLOW, err);
}

bool command_run_start(struct command_run *run, struct session *s, struct tool_context *ctx,
		       struct op **step, struct then then, struct err *err)
{
	bool runs = command_run_has_shell(run);

	if (runs && !command_run_check_shell(run, s, err))
		return false;
	if (!run->file.is_fork && !command_run_add_hooks(s, &run->file, err))
		return false;
	command_run_allow(s, &run->file);
	command_run_add_rules(s, &run->file, BEHAVIOR_DENY, run->file.denied_tools);
	if (runs)
		*step = command_shell_start(ctx, &s->policy, &run->expansion, then);
	return true;
}

/* --- the text ------------------------------------------------------------------------------- */

static void command_run_add_files(struct session *s, struct str *text)
{
	defer(str_clear) struct str path = STR_INIT, files = STR_INIT;
	struct imports imports = imports_in(sv_of(text));
	size_t n = 0;

	while (n < LIMIT_COMMAND_FILES && imports_next(&imports, &path))
		n += session_add_file(s, &files, sv_of(&path), LIMIT_READ_RESULT);
	str_add(text, sv_of(&files));
}

void command_run_write(const struct command_run *run, struct session *s, struct str *out)
{
	defer(str_clear) struct str text = STR_INIT;

	if (run->file.skill_dir.len)
		str_addf(&text, SKILL_BASE "%.*s\n\n", SV_ARG(run->file.skill_dir));
	for (size_t i = 0; i < run->expansion.parts.n; i++)
		str_add(&text, sv_of(&run->expansion.parts.at[i].text));
	command_run_add_files(s, &text);
	str_add(out, sv_of(&text));
	if (run->file.skill_dir.len && !run->file.is_fork)
		compaction_note_skill(s, run->file.name, sv_of(&text));
}

#include "cli/options.h"

#include <awl_plugins.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "cli/demo.h"
#include "cli/output.h"
#include "front/display.h"
#include "front/startup.h"
#include "sys/fs.h"

bool options_choice(bool *is_second, const struct args *args, const char *flag, const char *first,
		    const char *second, struct err *err)
{
	const char *value = args_value(args, flag);

	if (value && !sv_is(sv_cstr(value), first) && !sv_is(sv_cstr(value), second))
		return err_set(err, ERR_INVALID, "--%s must be '%s' or '%s', not '%s'", flag, first,
			       second, value);
	*is_second = value && sv_is(sv_cstr(value), second);
	return true;
}

/* --- lists and files ------------------------------------------------------------- */

/* Join all values of a flag; NULL if it was not given. */
static const char *options_join(struct str *out, const struct args *args, const char *flag)
{
	const char *value;

	for (size_t at = 0; (value = args_next(args, flag, &at));) {
		if (out->len)
			str_addc(out, ',');
		str_adds(out, value);
	}
	return args_has(args, flag) ? str_c(out) : NULL;
}

/* Read a text that is given directly or as a file. */
static bool options_read_text(const char **out, struct str *text, const struct args *args,
			      const char *flag, const char *file_flag, struct err *err)
{
	const char *path = args_value(args, file_flag);

	*out = args_value(args, flag);
	if (!path)
		return true;
	if (*out)
		return err_set(err, ERR_INVALID, "use either --%s or --%s, not both", flag,
			       file_flag);
	if (!fs_read(text, path, LIMIT_PROMPT, err))
		return err_context(err, "--%s", file_flag);
	*out = str_c(text);
	return true;
}

static bool options_read_prompts(struct options *o, const struct args *args, struct err *err)
{
	struct awl_session_options *s = &o->session;

	s->skip_instructions = s->skip_hooks = o->is_bare || o->is_safe;
	s->skip_commands = o->is_safe || args_has(args, "disable-slash-commands");
	return options_read_text(&s->system_prompt, &o->system_prompt, args, "system-prompt",
				 "system-prompt-file", err) &&
	       options_read_text(&s->append_system_prompt, &o->append_system_prompt, args,
				 "append-system-prompt", "append-system-prompt-file", err) &&
	       options_read_text(&s->append_subagent_prompt, &o->append_subagents, args,
				 "append-subagent-system-prompt",
				 "append-subagent-system-prompt-file", err);
}

/* --- numbers ----------------------------------------------------------------------- */

/* Without the flag, `*out` keeps its value. */
static bool options_read_count(int64_t *out, const struct args *args, const char *flag, int64_t max,
			       struct err *err)
{
	const char *value = args_value(args, flag);
	int64_t n;

	if (!value)
		return true;
	if (!sv_to_int(sv_cstr(value), &n) || n < 1 || n > max)
		return err_set(err, ERR_INVALID,
			       "--%s must be a whole number of at least 1, not '%s'", flag, value);
	*out = n;
	return true;
}

static bool options_read_money(double *out, const struct args *args, const char *flag,
			       struct err *err)
{
	const char *value = args_value(args, flag);
	char *end;
	double amount;

	if (!value)
		return true;
	amount = strtod(value, &end);
	if (end == value || *end || !isfinite(amount) || amount <= 0)
		return err_set(err, ERR_INVALID, "--%s must be an amount greater than 0, not '%s'",
			       flag, value);
	*out = amount;
	return true;
}

/* "200000", "500k" or "1M". */
static bool options_parse_tokens(int64_t *out, struct sv text)
{
	int64_t n, unit = 1;

	if (sv_ends(text, SV("k")) || sv_ends(text, SV("K")))
		unit = 1000;
	else if (sv_ends(text, SV("m")) || sv_ends(text, SV("M")))
		unit = 1000000;
	if (!sv_to_int(sv_slice(text, 0, text.len - (unit > 1)), &n) || n < 1 || n > 1000000000)
		return false;
	*out = n * unit;
	return true;
}

/* "auto", or tokens. */
static bool options_read_window(int64_t *out, const struct args *args, struct err *err)
{
	const char *value = args_value(args, "autocompact");
	int64_t n;

	if (!value || sv_is(sv_cstr(value), "auto"))
		return true;
	if (!options_parse_tokens(&n, sv_cstr(value)) || n < 100000 || n > 1000000)
		return err_set(err, ERR_INVALID,
			       "--autocompact must be auto, or from 100k to 1M tokens, not '%s'",
			       value);
	*out = n;
	return true;
}

static bool options_read_target(int64_t *out, const struct args *args, struct err *err)
{
	const char *value = args_value(args, "token-budget");

	return !value || options_parse_tokens(out, sv_cstr(value)) ||
	       err_set(err, ERR_INVALID,
		       "--token-budget must be a number of tokens such as 500k, not '%s'", value);
}

static bool options_read_limits(struct options *o, const struct args *args, struct err *err)
{
	int64_t turns = 0;

	if (!options_read_count(&turns, args, "max-turns", INT32_MAX, err) ||
	    !options_read_money(&o->session.max_budget_usd, args, "max-budget-usd", err) ||
	    !options_read_money(&o->session.day_budget_usd, args, "day-budget-usd", err) ||
	    !options_read_money(&o->session.project_budget_usd, args, "project-budget-usd", err) ||
	    !options_read_target(&o->session.token_budget, args, err) ||
	    !options_read_count(&o->session.max_tokens, args, "max-tokens", INT32_MAX, err) ||
	    !options_read_count(&o->session.task_budget, args, "task-budget", INT32_MAX, err) ||
	    !options_read_count(&o->session.max_seconds, args, "max-seconds", INT32_MAX, err) ||
	    !options_read_window(&o->session.auto_compact_window, args, err))
		return false;
	o->session.max_turns = (int)turns;
	return true;
}

/* --- the model, and what it may do ---------------------------------------------------- */

static bool options_read_model(struct options *o, const struct args *args, struct err *err)
{
	struct awl_session_options *s = &o->session;
	const char *budget = args_value(args, "max-thinking-tokens");

	s->model = args_value(args, "model");
	s->fallback_model = args_value(args, "fallback-model");
	s->effort = args_value(args, "effort");
	s->thinking = args_value(args, "thinking");
	s->thinking_display = args_value(args, "thinking-display");
	if (s->thinking && budget)
		return err_set(err, ERR_INVALID,
			       "use either --thinking or --max-thinking-tokens, not both");
	if (s->thinking && sv_is(sv_cstr(s->thinking), "enabled"))
		s->thinking = "adaptive";
	if (budget)
		s->thinking = budget;
	return true;
}

static bool options_is_unconfined_root(void)
{
	const char *sandbox = getenv("IS_SANDBOX");

	return geteuid() == 0 && !(sandbox && sv_is(sv_cstr(sandbox), "1"));
}

static bool options_reads_stream(const struct args *args)
{
	return sv_is(sv_cstr(args_value(args, "input-format")), "stream-json");
}

static bool options_unpack_plugin(struct options *o, const char *archive, struct err *err)
{
	struct awl_project *project = NULL;
	const char *dir;
	bool ok = awl_project_open(&project, NULL) == AWL_OK &&
		  awl_plugin_unpack(project, archive, &dir) == AWL_OK;

	if (ok) {
		vec_push(&o->unpacked, xstrdup(dir));
		vec_push(&o->plugins, vec_last(&o->unpacked)[0]);
	}
	awl_project_close(project);
	return ok || err_set(err, ERR_IO, "%s", awl_last_error());
}

static bool options_is_archive(const char *path)
{
	struct fs_info info;
	struct err ignored = ERR_INIT;

	return fs_info(&info, path, true, &ignored) && info.kind == FS_FILE;
}

static bool options_read_plugins(struct options *o, const struct args *args, struct err *err)
{
	const char *given;

	for (size_t at = 0; (given = args_next(args, "plugin-url", &at));)
		if (!options_unpack_plugin(o, given, err))
			return false;
	for (size_t at = 0; (given = args_next(args, "plugin-dir", &at));) {
		if (!options_is_archive(given))
			vec_push(&o->plugins, given);
		else if (!options_unpack_plugin(o, given, err))
			return false;
	}
	for (size_t at = 0; (given = args_next(args, "plugin-dir-no-mcp", &at));)
		vec_push(&o->plugins_without_mcp, given);
	vec_push(&o->plugins, NULL);
	vec_push(&o->plugins_without_mcp, NULL);
	o->session.plugin_dirs = o->plugins.at;
	o->session.plugin_dirs_without_mcp = o->plugins_without_mcp.at;
	return true;
}

static void options_read_servers(struct options *o, const struct args *args)
{
	const char *given;

	for (size_t at = 0; (given = args_next(args, "mcp-config", &at));)
		vec_push(&o->mcp_configs, given);
	vec_push(&o->mcp_configs, NULL);
	o->session.mcp_configs = o->mcp_configs.at;
	for (size_t at = 0; (given = args_next(args, "channels", &at));)
		vec_push(&o->channels, given);
	vec_push(&o->channels, NULL);
	o->session.channels = o->channels.at;
	o->session.only_mcp_configs = args_has(args, "strict-mcp-config");
}

static bool options_read_permissions(struct options *o, const struct args *args, struct err *err)
{
	struct awl_session_options *s = &o->session;
	const char *dir;

	s->tools = options_join(&o->tools, args, "tools");
	if (!s->tools && o->is_bare)
		s->tools = "Bash,Read,Edit";
	s->allowed_tools = options_join(&o->allowed, args, "allowedTools");
	s->disallowed_tools = options_join(&o->disallowed, args, "disallowedTools");
	for (size_t at = 0; (dir = args_next(args, "add-dir", &at));)
		vec_push(&o->dirs, dir);
	vec_push(&o->dirs, NULL);
	s->add_dirs = o->dirs.at;
	options_read_servers(o, args);
	if (!options_read_plugins(o, args, err))
		return false;
	s->permission_mode = args_value(args, "permission-mode");
	if (args_has(args, "dangerously-skip-permissions"))
		s->permission_mode = "bypassPermissions";
	s->trust_project = args_has(args, "trust-project");
	s->project_config_root = args_value(args, "project-config-root");
	s->watch_settings = !args_has(args, "print") || options_reads_stream(args);
	s->allow_bypass = args_has(args, "allow-dangerously-skip-permissions");
	if ((s->allow_bypass || sv_is(sv_cstr(s->permission_mode), "bypassPermissions")) &&
	    options_is_unconfined_root())
		return err_set(err, ERR_ACCESS,
			       "refusing to skip permissions as root, where nothing would contain "
			       "a mistake; inside a sandbox, set IS_SANDBOX=1");
	return true;
}

const char options_no_session[] =
	"--resume needs the id, title or file of a session; use --continue "
	"for the most recent one";

/* --- the conversation ---------------------------------------------------------------------- */

static bool options_read_conversation(struct options *o, const struct args *args, struct err *err)
{
	struct awl_session_options *s = &o->session;
	bool goes_on;

	if (args_has(args, "continue") && args_has(args, "resume"))
		return err_set(err, ERR_INVALID, "use either --continue or --resume, not both");
	s->name = args_value(args, "name");
	s->session_id = args_value(args, "session-id");
	s->resume = args_value(args, "resume");
	s->resume_at = args_value(args, "resume-session-at");
	s->resume_drops_turn = args_value(args, "resume-drops-turn");
	s->continue_newest = args_has(args, "continue");
	s->continue_or_begin = s->continue_newest && options_reads_stream(args);
	s->fork = args_has(args, "fork-session");
	if (args_has(args, "worktree"))
		s->worktree = args_value(args, "worktree") ? args_value(args, "worktree") : "";
	s->setup = args_has(args, "maintenance")                           ? "maintenance"
		   : args_has(args, "init") || args_has(args, "init-only") ? "init"
									   : NULL;
	s->skip_transcript = args_has(args, "no-session-persistence");
	goes_on = s->resume || s->continue_newest;
	o->chooses_session = args_has(args, "resume") && !goes_on;
	if (o->chooses_session && args_has(args, "print"))
		return err_set(err, ERR_INVALID, "%s", options_no_session);
	if (s->resume_at && !goes_on)
		return err_set(err, ERR_INVALID,
			       "--resume-session-at needs --resume or --continue");
	if (s->resume_drops_turn && !s->resume_at)
		return err_set(err, ERR_INVALID, "--resume-drops-turn needs --resume-session-at");
	if (s->session_id && goes_on && !s->fork)
		return err_set(err, ERR_INVALID,
			       "--session-id is for new sessions; with --resume or --continue, add "
			       "--fork-session");
	return true;
}

/* A schema is JSON, or "@" and the name of a file with it. */
static bool options_read_schema(struct options *o, const struct args *args, struct err *err)
{
	const char *schema = args_value(args, "json-schema");

	o->session.json_schema = schema;
	if (!schema || schema[0] != '@')
		return true;
	if (!fs_read(&o->schema, schema + 1, LIMIT_PROMPT, err))
		return err_context(err, "--json-schema");
	o->session.json_schema = str_c(&o->schema);
	return true;
}

/* Agents are JSON, or the name of a file with it. */
static bool options_read_agents(struct options *o, const struct args *args, struct err *err)
{
	const char *agents = args_value(args, "agents");

	o->session.agents = agents;
	o->session.agent = args_value(args, "agent");
	o->session.forward_subagent_text = args_has(args, "forward-subagent-text");
	if (!agents || sv_starts(sv_trim(sv_cstr(agents)), SV("{")))
		return true;
	if (!fs_read(&o->agents, agents, LIMIT_PROMPT, err))
		return err_context(err, "--agents");
	o->session.agents = str_c(&o->agents);
	return true;
}

/* Betas of the flag come after those of the variable that the model client reads. */
static void options_read_betas(const struct args *args)
{
	defer(str_clear) struct str betas = STR_INIT;
	const char *known = getenv("ANTHROPIC_BETAS");

	if (!args_has(args, "betas"))
		return;
	str_adds(&betas, known ? known : "");
	(void)options_join(&betas, args, "betas");
	setenv("ANTHROPIC_BETAS", str_c(&betas), 1);
}

static bool options_read_engine(struct options *o, const struct args *args, const char *entrypoint,
				struct err *err)
{
	const char *known = getenv("CLAUDE_CODE_ENTRYPOINT");

	options_read_betas(args);
	o->engine.entrypoint = known && *known ? known : entrypoint;
	o->engine.settings = args_value(args, "settings");
	o->engine.setting_sources = o->is_safe ? "" : args_value(args, "setting-sources");
	o->engine.managed_settings = args_value(args, "managed-settings");
	o->engine.record = args_value(args, "record");
	o->engine.replay = args_value(args, "replay");
	o->engine.demo = args_has(args, "demo");
	if (o->engine.demo && o->engine.replay)
		return err_set(err, ERR_INVALID, "use either --demo or --replay, not both");
	return options_choice(&o->engine.replay_timed, args, "replay-speed", "full", "recorded",
			      err);
}

static void options_log_ignored(const struct args *args)
{
	for (size_t i = 0; i < args->flags.n; i++) {
		const struct flag *flag = args->flags.at[i].flag;

		if (flag->is_missed)
			complain("--%s has no effect: %s", flag->name, flag->help);
		else if (flag->group == FLAG_IGNORED)
			log_info("--%s has no effect", flag->name);
	}
}

/* Whether a flag or the variable that stands for it is set; commands that awl runs see it too. */
static bool options_is_on(const struct args *args, const char *flag, const char *variable)
{
	const char *value = getenv(variable);

	if (args_has(args, flag))
		setenv(variable, "1", 1);
	return args_has(args, flag) ||
	       (value && *value && !sv_is(sv_cstr(value), "0") && !sv_is(sv_cstr(value), "false"));
}

bool options_read(struct options *o, const struct args *args, const char *entrypoint,
		  struct err *err)
{
	options_log_ignored(args);
	o->is_bare = options_is_on(args, "bare", "CLAUDE_CODE_SIMPLE");
	o->is_safe = options_is_on(args, "safe-mode", "CLAUDE_CODE_SAFE_MODE");
	return options_read_engine(o, args, entrypoint, err) && options_read_model(o, args, err) &&
	       options_read_prompts(o, args, err) && options_read_permissions(o, args, err) &&
	       options_read_conversation(o, args, err) && options_read_schema(o, args, err) &&
	       options_read_agents(o, args, err) && options_read_limits(o, args, err);
}

void options_clear(struct options *o)
{
	str_clear(&o->system_prompt);
	str_clear(&o->append_system_prompt);
	str_clear(&o->append_subagents);
	str_clear(&o->tools);
	str_clear(&o->allowed);
	str_clear(&o->disallowed);
	vec_clear(&o->dirs);
	vec_clear(&o->mcp_configs);
	vec_clear(&o->channels);
	vec_clear(&o->plugins);
	for (size_t i = 0; i < o->unpacked.n; i++)
		free(o->unpacked.at[i]);
	vec_clear(&o->unpacked);
	vec_clear(&o->plugins_without_mcp);
	str_clear(&o->schema);
	str_clear(&o->agents);
	str_clear(&o->scratch);
	str_clear(&o->demo_dir);
}

/* --- the engine ------------------------------------------------------------------------------ */

const char options_no_model[] =
	"no model is configured; set ANTHROPIC_API_KEY for Claude, or OPENAI_BASE_URL for any "
	"OpenAI-compatible server ('awl doctor' checks it; --demo plays a demo without a model)";

static bool options_prepare_demo(struct options *o, struct err *err)
{
	o->session.skip_transcript = true;
	if (!demo_prepare(&o->scratch, &o->demo_dir, err))
		return false;
	o->session.cwd = str_c(&o->demo_dir);
	return true;
}

struct awl *options_open(struct options *o)
{
	struct err err = ERR_INIT;
	struct awl *awl;

	if (awl_open(&awl, &o->engine) != AWL_OK) {
		failure("%s", awl_last_error());
		return NULL;
	}
	startup_mark("engine open");
	if (awl_is_demo(awl) && !o->needs_no_model && !options_prepare_demo(o, &err)) {
		failure("%s", err.text);
		awl_close(awl);
		return NULL;
	}
	return awl;
}

static void options_show_farewell(struct sv lines)
{
	struct sv line;

	while (sv_cut_line(&lines, &line))
		complain("%.*s", SV_ARG(line));
}

enum exit_code options_close(struct options *o, struct awl *awl, int status)
{
	const char *recording = awl_record_error(awl);
	struct err err = ERR_INIT;

	if (recording && status == EXIT_OK)
		status = failure("the recording is incomplete: %s", recording);
	options_show_farewell(sv_cstr(awl_end_sessions(awl)));
	awl_close(awl);
	if (o->scratch.len && !fs_remove_tree(o->scratch.ptr, &err))
		complain("%s", err.text);
	str_truncate(&o->scratch, 0);
	return (enum exit_code)status;
}

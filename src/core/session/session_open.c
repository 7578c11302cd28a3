/* How a session starts: options and settings become a policy, a sandbox and an agent, then the
 * conversation is created or resumed.
 *
 * The order matters. Settings need the directory; the model needs the settings; the policy needs
 * both to know the mode; the sandbox enforces the policy; the agent is made of all of them. The
 * conversation comes last, because what it restores belongs to the agent. */
#include "core/session/session_open.h"

#include "base/hash.h"
#include "context/announcements.h"
#include "context/prompt_settings.h"
#include "context/system_prompt.h"
#include "core/control/control_initialize.h"
#include "core/extend/session_styles.h"
#include "core/hooks/hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/policy/policy.h"
#include "core/policy/project.h"
#include "core/policy/session_sandbox.h"
#include "core/session/session_append.h"
#include "core/session/session_host.h"
#include "core/session/session_internal.h"
#include "core/session/session_memory.h"
#include "core/session/session_model.h"
#include "core/session/session_plan.h"
#include "core/session/session_services.h"
#include "core/session/session_settings.h"
#include "core/session/session_tasks.h"
#include "core/session/session_transcript.h"
#include "core/side/session_notes.h"
#include "core/subagents/subagents.h"
#include "core/worktree/session_worktree.h"
#include "proto/message.h"
#include "store/settings/settings.h"
#include "sys/fs.h"
#include "tool/shell/shell_env.h"
#include "tool/shell/shell_snapshot.h"
#include "tool/task/task_job.h"
#include "tool/web/web.h"

/* --- directory ------------------------------------------------------------------------- */

/* Only the user's own variables decide about the snapshot, never those of a project. */
static void session_open_snapshot(struct session *s)
{
	const struct tool_session own = { .env = s->engine->child_env.at };

	if (!shell_env_is_on(&own, "AWL_NO_SHELL_SNAPSHOT"))
		s->shared.snapshot = shell_snapshot_new(s->engine->loop, s->engine->home,
							s->shared.root, own.env);
}

/* Where .claude and .mcp.json come from. A host that names a checkout believes it to be there: without it,
 * nothing would guard the session. */
static bool session_open_project(struct session *s, const char *given, struct err *err)
{
	defer(str_clear) struct str dir = STR_INIT;

	if (given && !project_find_config_root(&dir, given, err))
		return false;
	s->shared.project = given ? str_detach(&dir) : xstrdup(s->shared.root);
	return true;
}

static bool session_open_root(struct session *s, const struct awl_session_options *o,
			      struct err *err)
{
	defer(str_clear) struct str cwd = STR_INIT, edits = STR_INIT;

	if (o->cwd ? !fs_realpath(&cwd, o->cwd, err) : !fs_cwd(&cwd, err))
		return err_context(err, "the working directory");
	s->shared.root = str_detach(&cwd);
	if (!session_open_project(s, o->project_config_root, err))
		return false;
	if (!o->skip_transcript && s->engine->config_dir) {
		fs_join(&edits, sv_cstr(s->engine->config_dir), SV("awl/edits"));
		s->shared.edits_dir = str_detach(&edits);
	}
	s->shared.id = s->conversation.id.text;
	s->shared.services = &s->services;
	session_hooks_open(s);
	session_open_snapshot(s);
	return true;
}

/* --- permissions and tools -------------------------------------------------------------- */

static bool session_open_policy(struct session *s, const struct awl_session_options *o,
				struct err *err)
{
	defer(str_clear) struct str notes = STR_INIT;
	const struct policy_opts opts = { .settings = s->settings,
					  .home = s->engine->home,
					  .cwd = s->shared.root,
					  .config_root = s->shared.project,
					  .config_dir = s->engine->config_dir,
					  .env = s->engine->helper_env.at,
					  .add_dirs = o->add_dirs,
					  .mode = o->permission_mode,
					  .allow = o->allowed_tools,
					  .deny = o->disallowed_tools };

	s->kind.has_user = o->send_questions || o->permission_tool;
	if (!policy_load(&s->policy, &opts, &notes, err))
		return false;
	session_add_notice(s, sv_of(&notes));
	s->kind.may_bypass = o->allow_bypass || s->policy.mode == PERM_BYPASS;
	return true;
}

static void session_open_user_tools(struct session *s)
{
	defer(str_clear) struct str dir = STR_INIT;

	if (!s->engine->config_dir)
		return;
	str_addf(&dir, "%s/awl/tools", s->engine->config_dir);
	user_toolset_open(&s->user_tools, dir.ptr);
	session_add_notice(s, sv_of(&s->user_tools.found.notes));
}

static bool session_open_limits(struct agent_limits *out, const struct awl_session_options *o,
				struct err *err)
{
	if (o->max_turns < 0 || o->max_budget_usd < 0 || o->day_budget_usd < 0 ||
	    o->project_budget_usd < 0 || o->max_seconds < 0 || o->max_tokens < 0 ||
	    o->token_budget < 0 || o->task_budget < 0)
		return err_set(err, ERR_INVALID, "a limit cannot be negative");
	*out = (struct agent_limits){
		.max_turns = o->max_turns,
		.max_budget_usd = o->max_budget_usd,
		.max_ms = o->max_seconds * 1000,
		.max_tokens = o->max_tokens,
		.token_budget = o->token_budget,
	};
	return true;
}

/* Make the agent. The host's tools come before the user's: the host has registered them for this
 * very program, so its names win. */
static bool session_open_agent(struct session *s, const struct awl_session_options *o,
			       const struct agent_model_spec *model, struct err *err)
{
	VEC(const struct tool *) own = VEC_INIT;
	struct agent_spec spec = {
		.loop = s->engine->loop,
		.listener = session_listener(s),
		.hooks = &s->hooks,
		.shared = &s->shared,
		.table = s->engine->table,
		.rules = &s->rules,
		.policy = &s->policy,
		.host = s->kind.has_user ? &s->host : NULL,
		.costs = &s->costs,
		.budget = &s->budget,
		.model = *model,
		.cwd = sv_cstr(s->shared.root),
		.wants_stream = o->send_partial_messages,
	};

	for (size_t i = 0; i < s->engine->tools.n; i++)
		vec_push(&own, &s->engine->tools.at[i]->tool);
	for (size_t i = 0; i < s->user_tools.n; i++)
		vec_push(&own, &s->user_tools.tools[i]);
	spec.tools = (struct agent_tools){
		.list = o->tools,
		.own = own.at,
		.nown = own.n,
		.schema = o->json_schema,
		.no_tasks = !settings_bool(s->settings, "todoFeatureEnabled"),
		.no_skills = o->skip_commands,
	};
	budget_open(s, o);
	if (session_open_limits(&spec.limits, o, err)) {
		spec.limits.max_budget_usd = s->budget.cap[BUDGET_SESSION];
		s->agent = agent_new(&spec, err);
	}
	vec_clear(&own);
	if (!s->agent)
		return false;
	agent_set_auto_rules(s->agent, settings_get(s->settings, "autoMode"));
	s->compaction.window = o->auto_compact_window;
	session_settings_compact(s);
	session_fast_follow(s);
	return true;
}

/* Choose the model, then make the agent that uses it. */
static bool session_open_model(struct session *s, const struct awl_session_options *o,
			       struct err *err)
{
	struct session_model model = SESSION_MODEL_INIT;
	bool fine = session_choose_first_model(s, o, &model, err) &&
		    session_open_policy(s, o, err) &&
		    session_sandbox_renew(s, s->settings, &s->policy, err);

	if (fine) {
		session_open_user_tools(s);
		fine = session_open_agent(s, o, &model.spec, err);
	}
	session_model_clear(&model);
	return fine;
}

/* --- what the model is sent --------------------------------------------------------------------- */

static void session_open_replace(char **text, const char *given)
{
	if (!given)
		return;
	free(*text);
	*text = xstrdup(given);
}

void session_write_prompt(struct session *s, const char *custom, const char *append)
{
	defer(str_clear) struct str settings = STR_INIT;
	defer(str_clear) struct str system = STR_INIT;
	struct model_info info = model_info(s->engine->table, agent_model(s->agent));
	bool has_shell = toolset_has(agent_toolset(s->agent), SV("Bash"));

	const struct style *style;
	struct prompt_style styled = { .keeps_coding = true };

	session_open_replace(&s->system.custom, custom);
	session_open_replace(&s->system.append_host, append);
	style = session_style(s);
	if (style)
		styled = (struct prompt_style){ style->name, style->text, style->keeps_coding };
	prompt_settings_write(
		&settings,
		&(struct prompt_settings_opts){
			.settings = s->settings,
			.model_id = agent_model(s->agent),
			.model_name = info.name,
			.can_commit = has_shell && styled.keeps_coding &&
				      !shell_env_is_on(&s->shared,
						       "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS") });
	prompt_system(&system, &(struct prompt_opts){ .custom = s->system.custom,
						      .settings = sv_of(&settings),
						      .style = styled,
						      .append = s->system.append,
						      .append_more = s->system.append_host });
	agent_set_system(s->agent, sv_of(&system));
}

static void session_open_instructions(struct session *s, const struct awl_session_options *o)
{
	const struct tool_session *shared = &s->shared;
	struct instructions_opts where = { .config_dir = s->engine->config_dir,
					   .home = s->engine->home,
					   .cwd = shared->root,
					   .dirs = o->add_dirs,
					   .settings = s->settings };

	where.reads_dirs = shell_env_is_on(shared, "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD");
	s->kind.is_bare = o->skip_instructions;
	s->commands.is_off = o->skip_commands;
	if (s->kind.is_bare)
		where.off = "this session was started without";
	else if (shell_env_is_on(shared, "CLAUDE_CODE_DISABLE_CLAUDE_MDS"))
		where.off = "CLAUDE_CODE_DISABLE_CLAUDE_MDS is set";
	s->instructions = instructions_new(&where);
}

/* --- which conversation ------------------------------------------------------------------- */

void session_place(struct session *s)
{
	defer(str_clear) struct str path = STR_INIT;

	free(s->conversation.path);
	transcript_dir(&path, sv_cstr(s->engine->config_dir), sv_cstr(s->shared.root));
	str_addf(&path, "/%s.jsonl", s->conversation.id.text);
	s->conversation.path = str_detach(&path);
}

/* Append the path of the lock of a transcript. A file that somebody has copied may have any name, so
 * it is locked by its path. */
static void session_open_lock_path(const struct session *s, const char *path, struct str *out)
{
	struct sv name = sv_basename(sv_cstr(path));
	defer(str_clear) struct str real = STR_INIT, by_path = STR_INIT;
	struct err ignored = ERR_INIT;

	name = sv_slice(name, 0, name.len - strlen(".jsonl"));
	if (!uuid_valid(name)) {
		if (!fs_realpath(&real, path, &ignored))
			str_set(&real, sv_cstr(path));
		str_addf(&by_path, "file-%016llx", (unsigned long long)hash_bytes(sv_of(&real), 1));
		name = sv_of(&by_path);
	}
	transcript_lock_path(out, sv_cstr(s->engine->config_dir), name);
}

void session_open_transcript(struct session *s)
{
	defer(str_clear) struct str lock = STR_INIT;
	defer(str_clear) struct str results = STR_INIT;
	defer(str_clear) struct str tasks = STR_INIT;
	struct transcript_opts opts = { .path = s->conversation.path,
					.session_id = s->conversation.id.text,
					.version = AWL_VERSION,
					.entrypoint = s->engine->entrypoint,
					.parent = agent_last_record(s->agent),
					.on_line = session_mirror_line,
					.arg = s };

	if (!s->conversation.path)
		return;
	session_open_lock_path(s, s->conversation.path, &lock);
	opts.lock_path = lock.ptr;
	opts.lock = move(s->conversation.lock);
	transcript_free(s->conversation.transcript);
	s->conversation.transcript = transcript_new(&opts);
	if (fs_exists(s->conversation.path))
		transcript_hold(s->conversation.transcript);
	str_add(&results, sv_slice(sv_cstr(s->conversation.path), 0,
				   strlen(s->conversation.path) - strlen(".jsonl")));
	str_adds(&results, "/tool-results");
	free(s->conversation.results_dir);
	s->conversation.results_dir = str_detach(&results);
	s->shared.results_dir = s->conversation.results_dir;
	if (!s->shared.background)
		s->shared.background = background_new(
			s->engine->loop,
			&(struct background_opts){ .dir = s->conversation.results_dir,
						   .on_end = session_on_background_end,
						   .on_change = session_on_background_change,
						   .arg = s });
	str_addf(&tasks, "%s/tasks/%s", s->engine->config_dir, s->conversation.id.text);
	free(s->conversation.tasks_dir);
	s->conversation.tasks_dir = str_detach(&tasks);
	s->shared.tasks_dir = s->conversation.tasks_dir;
}

/* Whether a session has this id, in whatever directory. */
static bool session_open_is_taken(const struct session *s, struct sv id)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;

	return fs_exists(s->conversation.path) ||
	       transcript_find(&path, sv_cstr(s->engine->config_dir), sv_cstr(s->shared.root), id,
			       &ignored);
}

static bool session_open_new_id(struct session *s, const char *wanted, bool keep, struct err *err)
{
	struct sv id = sv_cstr(wanted);

	s->conversation.id = uuid_v4(loop_rng(s->engine->loop));
	if (wanted && !uuid_valid(id))
		return err_set(err, ERR_INVALID, "a session id must be a UUID, and '%s' is not",
			       wanted);
	if (wanted)
		memcpy(s->conversation.id.text, id.ptr, id.len);
	if (keep)
		session_place(s);
	if (wanted && keep && session_open_is_taken(s, id))
		return err_set(err, ERR_EXISTS,
			       "the session id %s is already in use; use --resume to continue it",
			       wanted);
	return true;
}

/* Find the conversation to resume; an empty path means a new one. */
static bool session_open_find(struct session *s, const struct awl_session_options *o,
			      struct str *path, struct err *err)
{
	struct sv config = sv_cstr(s->engine->config_dir), cwd = sv_cstr(s->shared.root);

	if (!o->resume && !o->continue_newest && !o->continue_or_begin)
		return true;
	if (!o->resume && o->continue_or_begin) {
		(void)!(config.len && transcript_newest(path, config, cwd));
		return true;
	}
	if (!config.len && !(o->resume && strchr(o->resume, '/')))
		return err_set(err, ERR_NOT_FOUND, "no session can be found: %s",
			       str_c(&s->engine->no_config));
	if (o->resume)
		return transcript_find(path, config, cwd, sv_cstr(o->resume), err);
	return transcript_newest(path, config, cwd) ||
	       err_set(err, ERR_NOT_FOUND, "No conversation found to continue");
}

static void session_open_restore(struct session *s, struct transcript_loaded *loaded, bool is_copy)
{
	struct err err = ERR_INIT;

	agent_restore(s->agent, loaded);
	s->title.is_settled = true;
	s->conversation.cut = loaded->cut;
	s->conversation.answered_ms = loaded->answered_ms;
	if (loaded->cost_state.len && !costs_read(&s->costs, sv_of(&loaded->cost_state), &err))
		session_add_notice(s, SV("The costs of this session so far could not be read."));
	if (!s->conversation.title.len)
		str_add(&s->conversation.title, sv_of(&loaded->title));
	session_plan_adopt(s, loaded, is_copy);
	session_goal_adopt(s, loaded);
	str_add(&s->worktree->recorded, sv_of(&loaded->worktree));
	str_set(&s->agents.recorded, sv_of(&loaded->agent));
	session_add_notice(s, sv_of(&loaded->notes));
}

void session_resume_turn(struct session *s)
{
	static const struct sv text = SV_INIT("Continue from where you left off.");

	bool has_prompt = s->conversation.cut == TRANSCRIPT_CUT_PROMPT; /* it speaks for itself */

	if (s->conversation.cut == TRANSCRIPT_WHOLE)
		return;
	if (!session_is_at_terminal(s) &&
	    shell_env_is_on(&s->shared, "CLAUDE_CODE_RESUME_INTERRUPTED_TURN"))
		session_wake(s, has_prompt ? SV_EMPTY : text);
	else if (!has_prompt)
		session_append_note(s, text);
}

/* Take the lock of the session in `from`; false when another process has it open. Any other failure
 * is reported with the first record. */
static bool session_open_lock(struct session *s, const char *from)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	session_open_lock_path(s, from, &path);
	s->conversation.lock = transcript_lock(path.ptr, &err);
	return s->conversation.lock || err.kind != ERR_BUSY;
}

static void session_open_report_fork(struct session *s, const struct uuid *old)
{
	defer(str_clear) struct str text = STR_INIT;

	s->conversation.forked_from = *old;
	str_addf(&text,
		 "Session %s is open in another process, so this is a copy of it: session %s.",
		 old->text, s->conversation.id.text);
	session_add_notice(s, sv_of(&text));
}

static bool session_open_check_drop(const struct awl_session_options *o, const char *from,
				    struct err *err)
{
	return !o->resume_drops_turn ||
	       transcript_check_drop(from, sv_cstr(o->resume_at), sv_cstr(o->resume_drops_turn),
				     err) ||
	       err_context(err, "Resume rejected by --resume-drops-turn");
}

/* Resume the conversation in `from`, or fork it. `*old` gets the id of the session in the file. */
static bool session_open_resume(struct session *s, const struct awl_session_options *o,
				const char *from, bool keep, struct uuid *old, struct err *err)
{
	struct transcript_loaded loaded = TRANSCRIPT_LOADED_INIT;
	bool is_busy = keep && !o->fork && !session_open_lock(s, from);
	bool fine = session_open_check_drop(o, from, err) &&
		    transcript_load(&loaded, from, sv_cstr(o->resume_at), err);

	if (fine && (o->fork || is_busy)) {
		fine = session_open_new_id(s, o->session_id, keep, err) &&
		       (!keep ||
			transcript_fork(from, s->conversation.path, s->conversation.id.text, err));
	} else if (fine) {
		s->conversation.id = loaded.session_id.text[0] ? loaded.session_id
							       : uuid_v4(loop_rng(s->engine->loop));
		s->conversation.path = keep ? xstrdup(from) : NULL;
	}
	if (fine && is_busy)
		session_open_report_fork(s, &loaded.session_id);
	if (fine)
		session_open_restore(s, &loaded, o->fork || is_busy || !keep);
	*old = loaded.session_id;
	transcript_loaded_clear(&loaded);
	return fine;
}

/* The history of a resumed session may have the instructions already. */
static void session_open_find_instructions(struct session *s)
{
	const struct history *history = agent_history(s->agent);
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str block = STR_INIT;

	if (!history->messages.n)
		return;
	instructions_write(&text, s->instructions, 0);
	block_text(&block, sv_of(&text));
	if (sv_find(sv_of(&history->messages.at[0].json), sv_of(&block)) != SIZE_MAX)
		s->sent.instructions = instructions_count(s->instructions);
}

/* A forked session, or one that is not saved, starts with a copy of the old task list. */
static void session_open_copy_tasks(struct session *s, const struct uuid *old)
{
	defer(str_clear) struct str dir = STR_INIT;
	struct err err = ERR_INIT;

	if (!old->text[0] || !s->engine->config_dir)
		return;
	str_addf(&dir, "%s/tasks/%s", s->engine->config_dir, old->text);
	if (s->conversation.tasks_dir && sv_eq(sv_of(&dir), sv_cstr(s->conversation.tasks_dir)))
		return;
	if (task_adopt(agent_tool_context(s->agent), dir.ptr, &err))
		return;
	err_context(&err, "The task list of the old session could not be copied");
	session_add_notice(s, sv_cstr(err.text));
}

static bool session_open_conversation(struct session *s, const struct awl_session_options *o,
				      struct err *err)
{
	defer(str_clear) struct str from = STR_INIT;
	struct uuid old = { .text = "" };
	bool keep = !o->skip_transcript && s->engine->config_dir;

	s->mirror.is_on = o->mirror_transcript;
	s->prompts.answers_tasks = o->answer_tasks;
	str_add(&s->conversation.title, sv_trim(sv_cstr(o->name)));
	session_add_notice(s, sv_of(&s->engine->notes));
	if (!o->skip_transcript && !keep) {
		defer(str_clear) struct str text = STR_INIT;

		str_add(&s->conversation.unsaved, sv_of(&s->engine->no_config));
		str_addf(&text, "This session is not being saved: %s.",
			 str_c(&s->engine->no_config));
		session_add_notice(s, sv_of(&text));
	}
	if (!session_open_find(s, o, &from, err))
		return false;
	s->kind.is_resumed = from.len;
	if (from.len ? !session_open_resume(s, o, from.ptr, keep, &old, err)
		     : !session_open_new_id(s, o->session_id, keep, err))
		return false;
	session_open_transcript(s);
	if (from.len && !sv_eq(sv_of(&from), sv_cstr(s->conversation.path)))
		session_mirror_file(s);
	session_open_copy_tasks(s, &old);
	session_open_find_instructions(s);
	session_schedule_open(s, old.text[0] && !sv_is(sv_cstr(old.text), s->conversation.id.text));
	return true;
}

bool session_configure(struct session *s, const struct awl_session_options *o, struct err *err)
{
	if (!session_open_root(s, o, err) || !session_read_settings(s, o, err) ||
	    !session_open_model(s, o, err))
		return false;
	if (o->setup && !sv_is(sv_cstr(o->setup), "init") &&
	    !sv_is(sv_cstr(o->setup), "maintenance"))
		return err_set(err, ERR_INVALID, "setup must be 'init' or 'maintenance', not '%s'",
			       o->setup);
	if (o->worktree && o->worktree[0] && !git_worktree_check_name(sv_cstr(o->worktree), err))
		return err_context(err, "--worktree");
	if (o->agents && !session_take_agents(s, sv_cstr(o->agents), err))
		return false;
	s->system.append_subagents =
		o->append_subagent_prompt ? xstrdup(o->append_subagent_prompt) : NULL;
	s->preferences.forwards_text = o->forward_subagent_text;
	s->kind.suggests = o->suggest_prompts;
	session_hooks_want_events(s, o->send_hook_events);
	session_hooks_skip_found(s, o->skip_hooks);
	session_offer_services(s);
	session_plugins_open(s, o);
	session_hooks_load(s, (struct json){ NULL });
	s->shared.web = web_new(s->engine->child_env.at);
	s->system.custom = o->system_prompt ? xstrdup(o->system_prompt) : NULL;
	s->system.append = o->append_system_prompt ? xstrdup(o->append_system_prompt) : NULL;
	session_open_instructions(s, o);
	session_memory_open(s);
	session_teams_open(s, o);
	if (!session_lead(s, o, err))
		return false;
	session_write_prompt(s, NULL, NULL);
	if (o->send_questions) /* somebody is there to read them */
		announcements_add(&s->pending.announcements, s->settings);
	if (!session_open_conversation(s, o, err) || !session_lead_again(s, o, err))
		return false;
	session_notes_open(s);
	if (!session_mcp_open(s, o, err))
		return false;
	session_schedule_start(s);
	return true;
}

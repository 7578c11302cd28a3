/* What a session starts with: the options, the directories, and the conversation it
 * goes on with. */
#include "context/announcements.h"
#include "context/prompt_settings.h"
#include "context/system_prompt.h"
#include "core/policy.h"
#include "core/session.h"
#include "core/session_sandbox.h"
#include "proto/message.h"
#include "store/settings/settings.h"
#include "sys/fs.h"
#include "tool/shell/shell_env.h"
#include "tool/shell/shell_snapshot.h"
#include "tool/task/task_job.h"
#include "tool/web/web.h"

/* --- places ------------------------------------------------------------------------- */

/* By the user's own variables: none that a project sets has a say. */
static void session_open_set_snapshot(struct session *s)
{
	const struct tool_session own = { .env = s->engine->child_env.at };

	if (!shell_env_is_on(&own, "AWL_NO_SHELL_SNAPSHOT"))
		s->shared.snapshot = shell_snapshot_new(s->engine->loop, s->engine->home,
							s->shared.root, own.env);
}

static bool session_open_set_places(struct session *s, const struct awl_session_options *o,
				    struct err *err)
{
	struct str *cwd = &s->agent.ctx.cwd;

	if (o->cwd) {
		if (!fs_realpath(cwd, o->cwd, err))
			return err_context(err, "the working directory");
	} else if (!fs_cwd(cwd, err)) {
		return err_context(err, "the working directory");
	}
	s->shared.root = xstrdup(cwd->ptr);
	s->shared.id = s->id.text;
	session_open_set_snapshot(s);
	return true;
}

void session_note_start(struct session *s, struct sv text)
{
	if (!text.len)
		return;
	str_add(&s->notes, text);
	if (!sv_ends(text, SV("\n")))
		str_addc(&s->notes, '\n');
}

/* --- permissions and tools -------------------------------------------------------------- */

static bool session_open_set_policy(struct session *s, const struct awl_session_options *o,
				    struct err *err)
{
	defer(str_clear) struct str notes = STR_INIT;
	const struct policy_opts opts = { .settings = s->settings,
					  .home = s->engine->home,
					  .cwd = s->shared.root,
					  .config_dir = s->engine->config_dir,
					  .env = s->engine->helper_env.at,
					  .add_dirs = o->add_dirs,
					  .mode = o->permission_mode,
					  .allow = o->allowed_tools,
					  .deny = o->disallowed_tools };

	s->agent.policy = &s->policy;
	s->agent.host = o->send_questions ? &s->host : NULL;
	if (!policy_load(&s->policy, &opts, &notes, err))
		return false;
	session_note_start(s, sv_of(&notes));
	s->may_bypass = o->allow_bypass || s->policy.mode == PERM_BYPASS;
	return true;
}

/* Names of the host's win: it has registered them for this very program. */
static void session_open_add_kit(struct session *s)
{
	defer(str_clear) struct str dir = STR_INIT;

	if (!s->engine->config_dir)
		return;
	str_addf(&dir, "%s/awl/tools", s->engine->config_dir);
	user_kit_open(&s->kit, dir.ptr);
	session_note_start(s, sv_of(&s->kit.found.notes));
	for (size_t i = 0; i < s->kit.n; i++) {
		struct sv name = sv_cstr(s->kit.tools[i].name);

		if (!perm_hides(&s->policy, name) && !toolset_has(&s->agent.tools, name))
			toolset_add(&s->agent.tools, &s->kit.tools[i]);
	}
}

static bool session_open_set_tools(struct session *s, const struct awl_session_options *o,
				   struct err *err)
{
	struct agent *agent = &s->agent;
	struct model_info info = model_info(agent->table, sv_of(&agent->model));

	agent->tools.has_user = agent->host != NULL;
	agent->tools.no_tasks = !settings_bool(s->settings, "todoFeatureEnabled");
	agent->tools.wants_patch = info.abilities & MODEL_WANTS_PATCH;
	if (!toolset_builtins(&agent->tools, o->tools, &s->policy, err))
		return false;
	for (size_t i = 0; i < s->engine->tools.n; i++) {
		const struct tool *tool = &s->engine->tools.at[i]->tool;

		if (!perm_hides(&s->policy, sv_cstr(tool->name)))
			toolset_add(&agent->tools, tool);
	}
	session_open_add_kit(s);
	if (o->json_schema) {
		agent->structured = structured_new(sv_cstr(o->json_schema), err);
		if (!agent->structured)
			return false;
		toolset_add(&agent->tools, &agent->structured->tool);
	}
	toolset_finish(&agent->tools, &s->policy);
	agent->ctx.deferred = agent->tools.deferred.at;
	agent->ctx.ndeferred = agent->tools.deferred.n;
	return true;
}

static bool session_open_set_limits(struct session *s, const struct awl_session_options *o,
				    struct err *err)
{
	if (o->max_turns < 0 || o->max_budget_usd < 0 || o->max_seconds < 0 || o->max_tokens < 0 ||
	    o->token_budget < 0)
		return err_set(err, ERR_INVALID, "a limit cannot be negative");
	s->agent.costs = &s->costs;
	s->agent.wants_stream = o->send_partial_messages;
	s->agent.limits = (struct agent_limits){
		.max_turns = o->max_turns,
		.max_budget_usd = o->max_budget_usd,
		.max_ms = o->max_seconds * 1000,
		.max_tokens = o->max_tokens,
		.token_budget = o->token_budget,
	};
	return true;
}

/* --- what it is told --------------------------------------------------------------------- */

void session_write_prompt(struct session *s, const char *custom, const char *append)
{
	defer(str_clear) struct str manners = STR_INIT;
	struct model_info info = model_info(s->agent.table, sv_of(&s->agent.model));

	manners_write(
		&manners,
		&(struct manners_opts){
			.settings = s->settings,
			.model_id = sv_of(&s->agent.model),
			.model_name = info.name,
			.can_commit = toolset_has(&s->agent.tools, SV("Bash")) &&
				      !shell_env_is_on(&s->shared,
						       "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS") });
	str_truncate(&s->agent.system, 0);
	prompt_system(&s->agent.system,
		      &(struct prompt_opts){ .custom = custom ? custom : s->prompt,
					     .manners = sv_of(&manners),
					     .append = s->append_prompt,
					     .append_more = append });
}

static void session_open_set_instructions(struct session *s, const struct awl_session_options *o)
{
	const struct tool_session *shared = &s->shared;
	struct instructions_opts where = { .config_dir = s->engine->config_dir,
					   .home = s->engine->home,
					   .cwd = shared->root,
					   .dirs = o->add_dirs,
					   .settings = s->settings };

	where.reads_dirs = shell_env_is_on(shared, "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD");
	if (o->skip_instructions)
		where.off = "this session was started without";
	else if (shell_env_is_on(shared, "CLAUDE_CODE_DISABLE_CLAUDE_MDS"))
		where.off = "CLAUDE_CODE_DISABLE_CLAUDE_MDS is set";
	s->instructions = instructions_new(&where);
}

/* --- which conversation ------------------------------------------------------------------- */

void session_place(struct session *s)
{
	defer(str_clear) struct str path = STR_INIT;

	free(s->path);
	transcript_dir(&path, sv_cstr(s->engine->config_dir), sv_cstr(s->shared.root));
	str_addf(&path, "/%s.jsonl", s->id.text);
	s->path = str_detach(&path);
}

/* A file that another program has copied is called otherwise than the session in it. */
static struct sv session_open_kept_as(const struct session *s)
{
	struct sv name = sv_cstr(s->path);

	name = sv_basename(name);
	name = sv_slice(name, 0, name.len - strlen(".jsonl"));
	return uuid_valid(name) ? name : sv_cstr(s->id.text);
}

void session_open_transcript(struct session *s)
{
	defer(str_clear) struct str lock = STR_INIT;
	defer(str_clear) struct str results = STR_INIT;
	defer(str_clear) struct str tasks = STR_INIT;
	struct transcript_opts opts = { .path = s->path,
					.session_id = s->id.text,
					.version = AWL_VERSION,
					.entrypoint = s->engine->entrypoint,
					.parent = sv_cstr(s->agent.last_record.text) };

	if (!s->path)
		return;
	transcript_lock_path(&lock, sv_cstr(s->engine->config_dir), session_open_kept_as(s));
	opts.lock_path = lock.ptr;
	transcript_free(s->transcript);
	s->transcript = transcript_new(&opts);
	if (fs_exists(s->path))
		transcript_hold(s->transcript);
	str_add(&results, sv_slice(sv_cstr(s->path), 0, strlen(s->path) - strlen(".jsonl")));
	str_adds(&results, "/tool-results");
	free(s->results_dir);
	s->results_dir = str_detach(&results);
	s->shared.results_dir = s->results_dir;
	if (!s->jobs)
		s->jobs = jobs_new(s->engine->loop, &(struct jobs_opts){ .dir = s->results_dir,
									 .on_end = session_on_job,
									 .arg = s });
	s->shared.jobs = s->jobs;
	str_addf(&tasks, "%s/tasks/%s", s->engine->config_dir, s->id.text);
	free(s->tasks_dir);
	s->tasks_dir = str_detach(&tasks);
	s->shared.tasks_dir = s->tasks_dir;
}

static bool session_open_name_new(struct session *s, const char *wanted, bool keep, struct err *err)
{
	struct sv id = sv_cstr(wanted);

	s->id = uuid_v4(loop_rng(s->engine->loop));
	if (wanted && !uuid_valid(id))
		return err_set(err, ERR_INVALID, "a session id is a UUID, and '%s' is none",
			       wanted);
	if (wanted)
		memcpy(s->id.text, id.ptr, id.len);
	if (keep)
		session_place(s);
	if (wanted && keep && fs_exists(s->path))
		return err_set(err, ERR_EXISTS,
			       "the session id %s is already in use; --resume goes on with it",
			       wanted);
	return true;
}

/* The path of the conversation to go on with; empty: a new one. */
static bool session_open_find_old(struct session *s, const struct awl_session_options *o,
				  struct str *path, struct err *err)
{
	struct sv config = sv_cstr(s->engine->config_dir), cwd = sv_cstr(s->shared.root);

	if (!o->resume && !o->continue_newest)
		return true;
	if (!config.len && !(o->resume && strchr(o->resume, '/')))
		return err_set(
			err, ERR_NOT_FOUND,
			"no session can be found: neither HOME nor CLAUDE_CONFIG_DIR is set");
	if (o->resume)
		return transcript_find(path, config, cwd, sv_cstr(o->resume), err);
	if (!transcript_newest(path, config, cwd))
		session_note_start(s, SV("There is no session of this directory to continue; this "
					 "is a new one."));
	return true;
}

static void session_open_take_over(struct session *s, struct transcript_loaded *loaded)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < loaded->messages.n; i++)
		history_restore(&s->agent.history, loaded->messages.at[i].assistant,
				&loaded->messages.at[i].json);
	str_add(&s->agent.ctx.todos, sv_of(&loaded->todos));
	if (loaded->cost_state.len && !costs_read(&s->costs, sv_of(&loaded->cost_state), &err))
		session_note_start(s, SV("What this session had cost could not be read."));
	if (!s->title.len)
		str_add(&s->title, sv_of(&loaded->title));
	s->agent.last_record = loaded->last;
	session_note_start(s, sv_of(&loaded->notes));
}

/* `*old` is the session that it was. */
static bool session_open_go_on_with(struct session *s, const struct awl_session_options *o,
				    const char *from, bool keep, struct uuid *old, struct err *err)
{
	struct transcript_loaded loaded = TRANSCRIPT_LOADED_INIT;
	bool fine = transcript_load(&loaded, from, sv_cstr(o->resume_at), err);

	if (fine && o->fork) {
		fine = session_open_name_new(s, o->session_id, keep, err) &&
		       (!keep || transcript_fork(from, s->path, s->id.text, err));
	} else if (fine) {
		s->id = loaded.session_id.text[0] ? loaded.session_id
						  : uuid_v4(loop_rng(s->engine->loop));
		s->path = keep ? xstrdup(from) : NULL;
	}
	if (fine)
		session_open_take_over(s, &loaded);
	*old = loaded.session_id;
	transcript_loaded_clear(&loaded);
	return fine;
}

/* The instructions may be in the history already, from the session's first days. */
static void session_find_sent_instructions(struct session *s)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str block = STR_INIT;

	if (!s->agent.history.messages.n)
		return;
	instructions_write(&text, s->instructions, 0);
	block_text(&block, sv_of(&text));
	if (sv_find(sv_of(&s->agent.history.messages.at[0].json), sv_of(&block)) != SIZE_MAX)
		s->instructions_told = instructions_count(s->instructions);
}

/* A session under another name, or one that is not kept, has a list of its own, which
 * begins as the old one's. */
static void session_open_take_tasks(struct session *s, const struct uuid *old)
{
	defer(str_clear) struct str dir = STR_INIT;
	struct err err = ERR_INIT;

	if (!old->text[0] || !s->engine->config_dir)
		return;
	str_addf(&dir, "%s/tasks/%s", s->engine->config_dir, old->text);
	if (s->tasks_dir && sv_eq(sv_of(&dir), sv_cstr(s->tasks_dir)))
		return;
	if (task_adopt(&s->agent.ctx, dir.ptr, &err))
		return;
	err_context(&err, "The task list of the old session could not be taken over");
	session_note_start(s, sv_cstr(err.text));
}

static bool session_open_set_conversation(struct session *s, const struct awl_session_options *o,
					  struct err *err)
{
	defer(str_clear) struct str from = STR_INIT;
	struct uuid old = { .text = "" };
	bool keep = !o->skip_transcript && s->engine->config_dir;

	str_add(&s->title, sv_trim(sv_cstr(o->name)));
	session_note_start(s, sv_of(&s->engine->notes));
	if (!o->skip_transcript && !keep)
		session_note_start(
			s,
			SV("This session is not being saved: neither HOME nor CLAUDE_CONFIG_DIR is "
			   "set."));
	if (!session_open_find_old(s, o, &from, err))
		return false;
	if (from.len ? !session_open_go_on_with(s, o, from.ptr, keep, &old, err)
		     : !session_open_name_new(s, o->session_id, keep, err))
		return false;
	session_open_transcript(s);
	session_open_take_tasks(s, &old);
	session_find_sent_instructions(s);
	return true;
}

bool session_configure(struct session *s, const struct awl_session_options *o, struct err *err)
{
	if (!session_open_set_places(s, o, err) || !session_read_settings(s, o, err) ||
	    !session_set_model(s, o, err) || !session_open_set_policy(s, o, err) ||
	    !session_sandbox_renew(s, s->settings, &s->policy, err) ||
	    !session_open_set_tools(s, o, err) || !session_open_set_limits(s, o, err))
		return false;
	session_offer_services(s);
	s->shared.web = web_new(s->engine->child_env.at);
	s->prompt = o->system_prompt ? xstrdup(o->system_prompt) : NULL;
	s->append_prompt = o->append_system_prompt ? xstrdup(o->append_system_prompt) : NULL;
	session_write_prompt(s, NULL, NULL);
	session_open_set_instructions(s, o);
	if (o->send_questions) /* somebody is there to read them */
		announcements_add(&s->announcements, s->settings);
	return session_open_set_conversation(s, o, err);
}

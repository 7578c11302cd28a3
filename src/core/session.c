#include "core/session.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "context/environment.h"
#include "context/prompt_settings.h"
#include "core/session_sandbox.h"
#include "core/turn.h"
#include "proto/message.h"
#include "store/settings/settings.h"
#include "store/transcript/transcript_list.h"
#include "sys/fs.h"
#include "text/iso_time.h"
#include "text/json/json_write.h"
#include "tool/read/read_state.h"
#include "tool/shell/shell_snapshot.h"
#include "tool/web/web.h"

/* --- events out ----------------------------------------------------------------- */

static void session_emit(struct session *s, const struct event *event, struct sv uuid)
{
	defer(str_clear) struct str json = STR_INIT;
	struct uuid fresh;
	struct event stamped = *event;
	struct iso_time now = iso_time(loop_wall(s->engine->loop));

	if (s->is_closed)
		return;
	if (event->kind == EVENT_ASSISTANT || event->kind == EVENT_USER)
		stamped.message.timestamp = sv_cstr(now.text);
	if (!uuid.len) {
		fresh = uuid_v4(loop_rng(s->engine->loop));
		uuid = sv_cstr(fresh.text);
	}
	event_write(&json, &stamped, uuid, sv_cstr(s->id.text));
	s->on_event(s->arg, event, sv_of(&json));
}

void session_tell(struct session *s, const struct event *event)
{
	session_emit(s, event, SV_EMPTY);
}

void session_inform(struct session *s, const char *level, struct sv text)
{
	session_tell(s, &(struct event){ .kind = EVENT_INFORMATIONAL,
					 .info = { .text = text, .level = sv_cstr(level) } });
}

void session_tell_state(struct session *s, enum session_activity state)
{
	s->is_busy = state != ACTIVITY_IDLE;
	session_tell(s, &(struct event){ .kind = EVENT_STATE,
					 .state = { .state = state, .host_only = true } });
}

static void session_on_agent_event(void *arg, const struct event *event, struct sv uuid)
{
	session_emit(arg, event, uuid);
}

/* --- the transcript --------------------------------------------------------------- */

static bool session_complain_once(struct session *s, const struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!s->is_kept_badly) {
		s->is_kept_badly = true;
		str_addf(&text, "This session is not being saved: %s", err->text);
		session_inform(s, "warning", sv_of(&text));
	}
	return false;
}

static bool session_on_record(void *arg, const struct transcript_record *record)
{
	struct session *s = arg;
	struct transcript_record full = *record;
	struct err err = ERR_INIT;

	if (!s->transcript)
		return true;
	full.git_branch = sv_of(&s->branch);
	full.permission_mode = sv_cstr(perm_mode_name(s->policy.mode));
	if (!transcript_add(s->transcript, &full, &err))
		return session_complain_once(s, &err);
	s->is_kept_badly = false;
	return true;
}

static void session_on_rewind(void *arg, struct sv uuid)
{
	struct session *s = arg;

	if (s->transcript)
		transcript_rewind(s->transcript, uuid);
}

/* Again and again, so that it is near the end of the file. */
static bool session_note_title(struct session *s, struct err *err)
{
	defer(str_clear) struct str note = STR_INIT;

	if (!s->title.len)
		return true;
	transcript_write_title(&note, sv_cstr(s->id.text), sv_of(&s->title));
	return transcript_note(s->transcript, sv_of(&note), err);
}

bool session_rename(struct session *s, struct sv title, struct err *err)
{
	str_set(&s->title, title);
	return !s->transcript || !fs_exists(s->path) ||
	       (session_note_title(s, err) && transcript_sync(s->transcript, err));
}

static void session_note_state(struct session *s)
{
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	if (!s->transcript || s->is_kept_badly)
		return;
	costs_note(&note, &s->costs, sv_cstr(s->id.text));
	if (!transcript_note(s->transcript, sv_of(&note), &err) || !session_note_title(s, &err) ||
	    !transcript_sync(s->transcript, &err))
		session_complain_once(s, &err);
}

static void session_on_used(void *arg, struct sv model, const struct usage *usage, int64_t api_ms)
{
	struct session *s = arg;

	costs_add(&s->costs, s->engine->table, model, usage, api_ms);
	if (!s->costs.total.known && s->agent.limits.max_budget_usd > 0 &&
	    !s->has_warned_of_price) {
		s->has_warned_of_price = true;
		agent_inform(&s->agent, "warning",
			     "The budget cannot be kept: it is not known what %.*s costs.",
			     SV_ARG(model));
	}
}

/* --- prompts in ------------------------------------------------------------------ */

static void session_waiting_clear(struct session_waiting *w)
{
	str_clear(&w->blocks);
	str_clear(&w->uuid);
	str_clear(&w->command);
}

/* How many prompts wait before the first command, which waits for the end of the turn. */
static size_t session_prompts_waiting(const struct session *s)
{
	size_t n = 0;

	while (n < s->waiting.n && !s->waiting.at[n].command.len)
		n++;
	return n;
}

/* The first `n` have been dealt with. */
static void session_drop_waiting(struct session *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		session_waiting_clear(&s->waiting.at[i]);
	s->waiting.n -= n;
	memmove(s->waiting.at, s->waiting.at + n, s->waiting.n * sizeof(*s->waiting.at));
}

/* Says what waits into the history; how many messages. */
static size_t session_hear_waiting(void *arg)
{
	struct session *s = arg;
	size_t n = session_prompts_waiting(s);

	for (size_t i = 0; i < n; i++) {
		struct session_waiting *w = &s->waiting.at[i];

		str_set(&s->agent.asked, utf8_prefix(sv_of(&w->blocks), LIMIT_ASKED));
		(void)!agent_hear(&s->agent, &(struct said){ .block = sv_of(&w->blocks),
							     .uuid = sv_of(&w->uuid),
							     .quiet = true,
							     .durable = i + 1 == n });
	}
	if (n)
		session_drop_waiting(s, n);
	return n;
}

static void session_hear_meta(struct session *s, struct sv text)
{
	defer(str_clear) struct str block = STR_INIT;

	if (!text.len)
		return;
	block_text(&block, text);
	(void)!agent_hear(&s->agent,
			  &(struct said){ .block = sv_of(&block), .is_meta = true, .quiet = true });
}

/* Instruction files that have not been told yet. */
static void session_hear_instructions(struct session *s)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t n = instructions_count(s->instructions);

	if (n > s->instructions_told)
		instructions_write(&text, s->instructions, s->instructions_told);
	s->instructions_told = n;
	session_hear_meta(s, sv_of(&text));
}

/* Those of a folder that is touched for the first time. They wait until the results
 * are in: nothing may stand between a call and its result. */
static void session_on_touched(void *arg, struct sv path)
{
	struct session *s = arg;

	(void)instructions_touch(s->instructions, path);
}

/* Plan mode was begun or left; a tool that is called for that tells of it itself. */
static void session_hear_mode(struct session *s)
{
	bool plans = s->policy.mode == PERM_PLAN;

	if (plans != s->knows_plan)
		session_hear_meta(s, manners_of_plan(plans, toolset_has(&s->agent.tools,
									SV("ExitPlanMode"))));
	s->knows_plan = plans;
}

static void session_hear_job_notes(struct session *s)
{
	session_hear_meta(s, sv_of(&s->job_notes));
	str_truncate(&s->job_notes, 0);
}

void session_note(struct session *s, struct sv text)
{
	struct str *notes = &s->job_notes;
	size_t wanted = notes->len + 1 + text.len, over = wanted - min_of(wanted, LIMIT_NOTES);
	size_t end = sv_find_char(sv_skip(sv_of(notes), over), '\n');

	if (over) {
		str_consume(notes, end == SIZE_MAX ? notes->len : over + end + 1);
		str_splice(notes, 0, 0, SV("[What is older was left out.]\n"));
	}
	if (notes->len && !sv_ends(sv_of(notes), SV("\n")))
		str_addc(notes, '\n');
	str_add(notes, text);
}

void session_on_job(void *arg, const struct job *job)
{
	struct session *s = arg;
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "The command in the background %s has ended", job->id);
	if (job->state == JOB_FAILED)
		str_addf(&text, ": %s.", job->err.text);
	else
		str_addf(&text, " with exit code %d.", job->code);
	session_inform(s, "notice", sv_of(&text));
	str_addf(&text, " Its output is in %s.", job->path);
	session_note(s, sv_of(&text));
}

static size_t session_take_waiting(void *arg)
{
	session_hear_instructions(arg);
	session_hear_mode(arg);
	session_hear_job_notes(arg);
	return session_hear_waiting(arg);
}

/* --- a turn ------------------------------------------------------------------------- */

struct sv session_key_source(const struct session *s)
{
	const char *origin = s->engine->config.auth_origin;

	return origin ? sv_cstr(origin) : SV("none");
}

static void session_tell_init(struct session *s)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	VEC(struct sv) tools = VEC_INIT;
	struct event event = { .kind = EVENT_INIT };

	for (size_t i = 0; i < s->agent.tools.nfirst; i++)
		vec_push(&tools, sv_cstr(s->agent.tools.entries.at[i]->tool->name));
	for (size_t i = 0; i < s->agent.tools.deferred.n; i++)
		vec_push(&tools, sv_cstr(s->agent.tools.deferred.at[i]->name));
	event.init = (struct event_init){
		.cwd = sv_of(&s->agent.ctx.cwd),
		.model = sv_of(&s->agent.model),
		.permission_mode = sv_cstr(perm_mode_name(s->policy.mode)),
		.api_key_source = session_key_source(s),
		.version = SV(AWL_VERSION),
		.tools = tools.at,
		.ntools = tools.n,
		.dirs = s->policy.dirs.n > 1 ? &s->policy.dirs.at[1] : NULL,
		.ndirs = s->policy.dirs.n > 1 ? s->policy.dirs.n - 1 : 0,
	};
	event.init.ncommands = session_commands(&event.init.commands, &arena);
	session_tell(s, &event);
	vec_clear(&tools);
}

static void session_on_turn(struct op *op, void *owner,
			    __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->turn = NULL;
	s->agent.is_superseded = false;
	session_note_state(s);
	session_tell_result(s, turn_outcome(op));
	if (s->is_closed) {
		session_vanish(s);
		return;
	}
	session_pump(s);
}

static void session_tell_lines(struct session *s, struct str *lines, const char *level)
{
	struct sv rest = sv_of(lines), line;

	while (sv_cut_line(&rest, &line))
		session_inform(s, level, line);
	str_truncate(lines, 0);
}

/* What was noticed before anybody listened. */
void session_tell_notes(struct session *s)
{
	session_tell_lines(s, &s->notes, "warning");
}

void session_announce(struct session *s)
{
	session_tell_lines(s, &s->announcements, "notice");
}

/* Instruction files that were left out, in whole or in part, since the last turn. */
static void session_tell_left_out(struct session *s)
{
	struct sv notes = instructions_notes(s->instructions), line;
	struct sv fresh = sv_skip(notes, s->left_out_told);

	while (sv_cut_line(&fresh, &line))
		session_inform(s, "notice", line);
	s->left_out_told = notes.len;
}

static bool session_only_silent(const struct session *s)
{
	for (size_t i = 0, n = session_prompts_waiting(s); i < n; i++) {
		if (!s->waiting.at[i].silent)
			return false;
	}
	return true;
}

static void session_begin_turn(struct session *s)
{
	bool silent = session_only_silent(s);
	struct err err = ERR_INIT;

	session_tell_init(s);
	if (!session_may_ask(s, &err) || !engine_connect(s->engine, &err)) {
		session_drop_waiting(s, s->waiting.n);
		session_tell_failure(s, sv_cstr(err.text));
		return;
	}
	session_announce(s);
	session_tell_notes(s);
	session_tell_left_out(s);
	session_hear_instructions(s);
	session_hear_mode(s);
	session_hear_job_notes(s);
	session_hear_waiting(s);
	if (s->transcript && !s->is_kept_badly && !session_note_title(s, &err))
		session_complain_once(s, &err);
	s->has_asked = true;
	s->agent.client = s->engine->client;
	s->shared.http = s->engine->http;
	if (silent)
		session_tell_local_result(s, "", SV_EMPTY);
	else
		s->turn = turn_start(&s->agent, THEN(session_on_turn, s));
	if (s->transcript)
		engine_tidy(s->engine);
}

/* A replay sees the day and the repository of its recording. */
static void session_hear_surroundings(struct session *s, struct sv now)
{
	struct model_client *client = s->engine->client;
	struct sv recorded = client ? model_client_replay_note(client, "surroundings") : SV_EMPTY;
	struct sv text = recorded.len ? recorded : now;

	if (client)
		model_client_record_note(client, "surroundings", text);
	session_hear_meta(s, text);
}

static void session_on_surroundings(struct op *op, void *owner, const struct err *why)
{
	struct session *s = owner;

	s->surroundings = NULL;
	if (s->is_closed) {
		session_vanish(s);
		return;
	}
	s->knows_surroundings = !s->is_interrupted_early;
	if (!why) {
		str_add(&s->branch, surroundings_branch(op));
		session_hear_surroundings(s, surroundings_text(op));
	}
	session_begin_turn(s);
	if (s->is_interrupted_early)
		op_cancel(s->turn);
	s->is_interrupted_early = false;
	session_pump(s);
}

static void session_look_around(struct session *s)
{
	struct model_info info = model_info(s->engine->table, sv_of(&s->agent.model));
	struct surroundings_opts opts = {
		.cwd = str_c(&s->agent.ctx.cwd),
		.dirs = s->policy.dirs.at,
		.ndirs = s->policy.dirs.n,
		.model_id = sv_of(&s->agent.model),
		.model_name = info.name,
		.wall_ms = loop_wall(s->engine->loop),
		.env = s->child_env.at,
		.git = true,
	};
	struct err ignored = ERR_INIT;

	s->surroundings =
		surroundings_start(s->engine->loop, &opts, THEN(session_on_surroundings, s));
	(void)!engine_connect(s->engine,
			      &ignored); /* while git works; session_begin_turn() tells */
}

static void session_run_waiting_commands(struct session *s)
{
	size_t n = 0;

	for (; n < s->waiting.n && s->waiting.at[n].command.len; n++) {
		if (!session_command(s, sv_of(&s->waiting.at[n].command)))
			BUG("a command that is none has waited");
	}
	if (n)
		session_drop_waiting(s, n);
}

static bool is_working(const struct session *s)
{
	return s->turn || s->surroundings;
}

/* A message that asks for no answer is dealt with at once, and something may stand
 * behind it. */
void session_pump(struct session *s)
{
	while (!s->is_closed && !is_working(s)) {
		session_run_waiting_commands(s);
		if (!s->waiting.n)
			break;
		session_tell_state(s, ACTIVITY_RUNNING);
		if (s->knows_surroundings)
			session_begin_turn(s);
		else
			session_look_around(s);
	}
	if (s->is_busy && !is_working(s))
		session_tell_state(s, ACTIVITY_IDLE);
}

/* --- requests to the host ----------------------------------------------------------- */

static void session_send_request(void *arg, const struct host_request *request)
{
	struct session *s = arg;

	if (host_request_needs_user(request))
		session_tell_state(s, ACTIVITY_REQUIRES_ACTION);
	session_tell(s, &(struct event){ .kind = EVENT_HOST_REQUEST,
					 .parent_tool_use_id = request->parent_tool_use_id,
					 .request = *request });
}

static void session_withdraw_request(void *arg, const struct host_request *request)
{
	struct session *s = arg;

	session_tell(s, &(struct event){ .kind = EVENT_HOST_CANCEL,
					 .cancel = { .request_id = request->id } });
	if (!host_queue_needs_user(&s->host))
		session_tell_state(s, ACTIVITY_RUNNING);
}

/* --- its life ---------------------------------------------------------------------------- */

static void session_free(struct session *s)
{
	for (size_t i = 0; i < s->waiting.n; i++)
		session_waiting_clear(&s->waiting.at[i]);
	vec_clear(&s->waiting);
	agent_clear(&s->agent);
	transcript_free(s->transcript);
	instructions_free(s->instructions);
	perm_policy_clear(&s->policy);
	session_sandbox_free(s->sandbox);
	settings_free(s->settings);
	child_env_clear(&s->child_env);
	for (size_t i = 0; i < s->old_envs.n; i++)
		child_env_clear(&s->old_envs.at[i]);
	vec_clear(&s->old_envs);
	map_clear(&s->seen);
	costs_clear(&s->costs);
	str_clear(&s->vouched_for);
	str_clear(&s->flag_settings);
	str_clear(&s->flag_root);
	str_clear(&s->branch);
	str_clear(&s->title);
	str_clear(&s->notes);
	str_clear(&s->announcements);
	str_clear(&s->job_notes);
	jobs_free(s->jobs);
	shell_snapshot_free(s->shared.snapshot);
	web_free(s->shared.web);
	free((char *)s->shared.root);
	free(s->results_dir);
	free(s->tasks_dir);
	user_kit_clear(&s->kit);
	free(s->prompt);
	free(s->append_prompt);
	free(s->path);
	free(s);
}

struct session *session_new(struct engine *engine, const struct awl_session_options *options,
			    session_event_fn *on_event, void *arg, struct err *err)
{
	struct session *s = xnew(struct session);

	s->engine = engine;
	s->on_event = on_event;
	s->arg = arg;
	s->policy = (struct perm_policy)PERM_POLICY_INIT;
	s->costs = (struct costs)COSTS_INIT;
	s->kit = (struct user_kit)USER_KIT_INIT;
	agent_init(&s->agent, engine->loop);
	s->agent.ctx.session = &s->shared;
	host_queue_init(&s->host, engine->loop);
	s->host.send = session_send_request;
	s->host.withdraw = session_withdraw_request;
	s->host.arg = s;
	s->agent.listener = (struct agent_listener){
		.arg = s,
		.event = session_on_agent_event,
		.record = session_on_record,
		.rewind = session_on_rewind,
		.used = session_on_used,
		.take_waiting = session_take_waiting,
		.touched = session_on_touched,
	};
	if (!session_configure(s, options, err)) {
		session_free(s);
		return NULL;
	}
	s->next = engine->sessions;
	engine->sessions = s;
	if (s->watches_settings)
		session_watch_settings(s);
	return s;
}

void session_vanish(struct session *s)
{
	struct session **at = &s->engine->sessions;
	void (*on_gone)(void *arg) = s->on_gone;
	void *arg = s->arg;

	if (s->turn || s->surroundings || s->settings_watch ||
	    (s->jobs && !jobs_are_quiet(s->jobs)))
		return;
	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	session_free(s);
	if (on_gone)
		on_gone(arg);
}

static void session_on_jobs_quiet(void *arg)
{
	session_vanish(arg);
}

void session_close(struct session *s, void (*on_gone)(void *arg))
{
	s->is_closed = true;
	s->on_gone = on_gone;
	op_cancel(s->turn);
	op_cancel(s->surroundings);
	op_cancel(s->settings_watch);
	if (s->jobs) {
		jobs_when_quiet(s->jobs, session_on_jobs_quiet, s);
		jobs_stop_all(s->jobs);
	}
	session_vanish(s);
}

void session_reset(struct session *s)
{
	struct agent_limits *limits = &s->agent.limits;

	history_clear(&s->agent.history);
	toolset_unload(&s->agent.tools);
	if (limits->max_budget_usd > 0) /* what is spent stays spent */
		limits->max_budget_usd =
			max_of(limits->max_budget_usd - costs_usd(&s->costs), 1e-9);
	costs_clear(&s->costs);
	read_state_free(s->agent.ctx.files);
	s->agent.ctx.files = read_state_new();
	str_truncate(&s->agent.last_answer, 0);
	str_truncate(&s->agent.ctx.todos, 0);
	str_truncate(&s->agent.ctx.tasks, 0);
	s->agent.repeats = (struct repeats){ .n = 0 };
	s->agent.context_tokens = 0;
	s->agent.context_bytes = 0;
	s->agent.last_record = (struct uuid){ .text = "" };
	s->knows_surroundings = false;
	s->knows_plan = false;
	s->instructions_told = 0;
	str_truncate(&s->branch, 0);
	s->id = uuid_v4(loop_rng(s->engine->loop));
	if (s->path)
		session_place(s);
	session_open_transcript(s);
}

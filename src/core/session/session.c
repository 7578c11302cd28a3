/* A session is a machine around its agent:
 *
 *   IDLE > (EXPANDING) > OPENING > PROMPTING > TURN > IDLE ...
 *     any state > CLOSING > GONE
 *
 *   IDLE       nothing is under way. Commands run at once, prompts start a turn.
 *   EXPANDING  a slash command that the user has written as a file becomes a prompt; the commands
 *              in its text run. Or one of ours that takes time is answered.
 *   OPENING    the first turn of a conversation needs the environment (directory, branch, date)
 *              and, if none is configured, the model of the server. Both are looked up when the first
 *              prompt comes, so that a session that only runs commands of ours asks nobody.
 *   PROMPTING  hooks look at the prompts that wait. They may add context or refuse them.
 *   TURN       the agent works (turn.h). Prompts that come meanwhile are shown to the hooks and
 *              appended between two requests; commands wait for the end of the turn.
 *   CLOSING    everything is cancelled, nothing is emitted any more; background commands and
 *              watches still have to end.
 *   GONE       the memory is freed.
 *
 * session_enter() is the only place where the state changes. Each state waits for at most one op,
 * `step`; its `done` decides what comes next. Interrupting cancels the op, whatever it is; an
 * interrupt before the turn becomes an interrupt of the turn, so that the model learns of it and
 * the front end gets its result.
 *
 * The order of the events of a turn: "running", init, then notes that had to wait until somebody
 * listens, then what the agent emits, the result, and "idle" unless another prompt waits.
 *
 * A session has no thread of control of its own. session_pump() is called whenever something may
 * have changed (a prompt came, a turn ended) and starts what can start. */
#include "base/log.h"
#include "base/secret_mask.h"
#include "core/agent/turn.h"
#include "core/commands/commands.h"
#include "core/commands/session_commands.h"
#include "core/compaction/compaction.h"
#include "core/control/control.h"
#include "core/control/control_initialize.h"
#include "core/control/control_shell.h"
#include "core/extend/session_lsp.h"
#include "core/extend/session_skills.h"
#include "core/extend/session_styles.h"
#include "core/hooks/hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/policy/session_sandbox.h"
#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "core/session/session_host.h"
#include "core/session/session_init.h"
#include "core/session/session_internal.h"
#include "core/session/session_model.h"
#include "core/session/session_open.h"
#include "core/session/session_opening.h"
#include "core/session/session_plan.h"
#include "core/session/session_prompts.h"
#include "core/session/session_result.h"
#include "core/session/session_settings.h"
#include "core/session/session_transcript.h"
#include "core/session/session_undo.h"
#include "core/side/session_notes.h"
#include "core/side/session_suggest.h"
#include "core/side/session_title.h"
#include "core/subagents/session_peers.h"
#include "core/subagents/subagents.h"
#include "core/worktree/session_worktree.h"
#include "proto/message.h"
#include "store/settings/settings.h"
#include "tool/shell/shell_snapshot.h"
#include "tool/web/web.h"

/* --- events out ----------------------------------------------------------------- */

static void session_emit_lines(struct session *s, struct str *lines, enum notice_level level)
{
	struct sv rest = sv_of(lines), line;

	while (sv_cut_line(&rest, &line))
		session_inform(s, level, line);
	str_truncate(lines, 0);
}

void session_add_notice(struct session *s, struct sv text)
{
	if (!text.len)
		return;
	secret_mask(&s->pending.warnings, text);
	if (!sv_ends(text, SV("\n")))
		str_addc(&s->pending.warnings, '\n');
}

void session_emit_notices(struct session *s)
{
	session_emit_lines(s, &s->pending.warnings, NOTICE_WARNING);
}

void session_emit_announcements(struct session *s)
{
	session_emit_lines(s, &s->pending.announcements, NOTICE_NOTICE);
}

/* Emit which instruction files were omitted, in whole or in part, since the last turn. */
static void session_emit_omitted(struct session *s)
{
	struct sv notes = instructions_notes(s->instructions), line;
	struct sv fresh = sv_skip(notes, s->sent.omitted);

	while (sv_cut_line(&fresh, &line))
		session_inform(s, NOTICE_NOTICE, line);
	s->sent.omitted = notes.len;
}

/* --- what the agent reports ----------------------------------------------------- */

static void session_on_used(void *arg, struct sv model, const struct usage *usage,
			    struct api_time time)
{
	struct session *s = arg;
	int64_t before = s->costs.total.nano_usd;

	costs_add(&s->costs, s->engine->table, model, usage, time);
	budget_count(s, s->costs.total.nano_usd - before);
	s->answered_ms = loop_now(s->engine->loop);
	if (s->costs.total.known || agent_limits(s->agent)->max_budget_usd <= 0 ||
	    s->sent.price_warning)
		return;
	s->sent.price_warning = true;
	agent_inform(s->agent, NOTICE_WARNING,
		     "The budget cannot be enforced: the price of %.*s is not known.",
		     SV_ARG(model));
}

static void session_on_called(void *arg, int64_t tool_ms, struct sv data)
{
	struct session *s = arg;

	costs_add_call(&s->costs, tool_ms, data);
	session_records_note_memory(s, data);
}

static void session_on_judged(void *arg, int64_t ms)
{
	struct session *s = arg;

	costs_count(&s->costs, USAGE_CLASSIFIER, ms);
}

static size_t session_on_append_pending(void *arg)
{
	struct session *s = arg;
	size_t n = session_prompts_waiting(s);

	hooks_check_cwd(s);
	session_append_pending(s, n);
	return n;
}

/* A folder that is touched for the first time may have instruction files. They wait until the
 * results are in: nothing may stand between a call and its result. */
static void session_on_touched(void *arg, struct sv path)
{
	struct session *s = arg;

	(void)instructions_touch(s->instructions, path);
	session_skills_touch(s, path);
}

struct agent_listener session_listener(struct session *s)
{
	return (struct agent_listener){
		.arg = s,
		.event = session_emit_as,
		.record = session_on_record,
		.rewind = session_on_rewind,
		.used = session_on_used,
		.called = session_on_called,
		.judged = session_on_judged,
		.save = session_on_save,
		.saved = session_on_saved,
		.append_pending = session_on_append_pending,
		.touched = session_on_touched,
	};
}

/* --- PROMPTING ------------------------------------------------------------------ */

void session_refuse_prompts(struct session *s)
{
	session_emit_init(s);
	session_drop_waiting(s, s->prompts.point.count);
	session_inform_refusal(s, sv_of(&s->prompts.point.refusal));
	session_emit_local_result(s, SV_EMPTY, SV_EMPTY);
	session_point_clear(&s->prompts.point);
	session_enter(s, SESSION_IDLE);
}

static void session_on_prompt_hook(__attribute__((unused)) struct op *op, void *owner,
				   __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->step = NULL;
	if (s->state == SESSION_CLOSING) {
		session_settle(s);
	} else if (s->is_interrupted) {
		session_start_interrupted(s);
	} else {
		if (s->prompts.point.refusal.len)
			session_refuse_prompts(s);
		else
			session_enter(s, SESSION_TURN);
		session_run(s, true);
	}
}

/* Append a prompt as it was typed. */
static void session_add_shown(struct str *content, const struct session_waiting *w)
{
	if (w->typed.len)
		block_text(content, sv_of(&w->typed));
	else
		str_add(content, sv_of(&w->blocks));
}

/* Show the prompts that wait to whoever takes part. */
static void session_run_prompt_hook(struct session *s)
{
	struct prompt_point *point = &s->prompts.point;

	if (s->is_interrupted) {
		session_start_interrupted(s);
		return;
	}
	point->count = session_prompts_waiting(s);
	if (s->hooks.prompt && s->prompts.waiting.at[0].check == CHECK_NONE) {
		for (size_t i = 0; i < point->count; i++) {
			if (i)
				str_addc(&point->content, ',');
			session_add_shown(&point->content, &s->prompts.waiting.at[i]);
		}
		s->step = s->hooks.prompt(s->hooks.arg, point, THEN(session_on_prompt_hook, s));
	}
	if (!s->step)
		session_enter(s, SESSION_TURN);
}

/* --- TURN ----------------------------------------------------------------------- */

static void session_on_turn(struct op *op, void *owner,
			    __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	bool is_completed =
		turn_outcome(op)->reason == END_COMPLETED && !turn_outcome(op)->is_error;

	s->step = NULL;
	session_undo_end_turn(s);
	hooks_check_cwd(s);
	session_goal_end_turn(s, turn_outcome(op));
	session_emit_result(s, turn_outcome(op));
	hooks_report_failure(s, turn_outcome(op));
	session_end_prompts(s);
	if (s->state == SESSION_CLOSING) {
		session_settle(s);
		return;
	}
	session_teams_rest(s);
	session_enter(s, SESSION_IDLE);
	session_run(s, true);
	if (is_completed) {
		session_suggest(s);
		session_title_ask(s);
		session_notes_update(s, true);
	}
}

static bool session_has_only_silent(const struct session *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!s->prompts.waiting.at[i].silent)
			return false;
	}
	return true;
}

/* Append the prompts and run the agent. Prompts that expect no answer are only appended. */
static void session_start_turn(struct session *s)
{
	size_t n = s->prompts.point.count;
	bool silent = session_has_only_silent(s, n);
	bool is_notice = n && s->prompts.waiting.at[0].is_notice;
	bool is_fork = n && !silent && s->prompts.waiting.at[0].is_fork;
	struct err err = ERR_INIT;

	session_peers_open(s);
	budget_refresh(s);
	agent_set_token_target(s->agent, 0);
	session_mcp_begin_turn(s);
	session_emit_init(s);
	if (!session_lead_awaited(s, &err) || !session_check_model(s, &err) ||
	    !engine_connect(s->engine, &err)) {
		session_drop_waiting(s, s->prompts.waiting.n);
		session_emit_failure(s, sv_cstr(err.text));
		session_enter(s, SESSION_IDLE);
		return;
	}
	session_emit_announcements(s);
	session_emit_notices(s);
	session_emit_omitted(s);
	s->prompts.answering.is_notice = is_notice;
	str_set(&s->prompts.answering.channel,
		n ? sv_of(&s->prompts.waiting.at[0].channel) : SV_EMPTY);
	str_set(&s->prompts.id, n ? sv_of(&s->prompts.waiting.at[0].uuid) : SV_EMPTY);
	session_append_pending(s, n);
	session_append_meta(s, sv_of(&s->prompts.point.context));
	session_point_clear(&s->prompts.point);
	session_record_title(s);
	session_goal_begin_turn(s, is_notice);
	s->sent.init = true;
	s->shared.http = s->engine->http;
	agent_connect(s->agent, s->engine->client);
	if (silent)
		session_emit_local_result(s, SV_EMPTY, SV_EMPTY);
	else if (!is_fork)
		s->step = turn_start(s->agent, THEN(session_on_turn, s));
	if (s->conversation.transcript)
		engine_tidy(s->engine);
	if (is_fork)
		session_start_fork(s);
	if (silent) {
		session_end_prompts(s);
		session_enter(s, SESSION_IDLE);
	}
}

/* --- the machine ---------------------------------------------------------------- */

static void session_vanish(struct session *s);

static void session_on_background_quiet(void *arg)
{
	session_settle(arg);
}

/* Cancel everything; session_settle() follows. */
static void session_cancel_all(struct session *s)
{
	session_peers_close(s);
	op_cancel(s->step);
	op_cancel(s->prompts.check);
	op_cancel(s->notes.op);
	op_cancel(s->title.op);
	op_cancel(s->tool_summary.op);
	op_cancel(s->sources.watch);
	op_cancel(s->schedule.timer);
	session_hooks_cancel(s);
	subagents_stop_all(s->subagents);
	session_mcp_cancel(s);
	control_cancel_all(s);
	if (s->shared.background) {
		background_when_quiet(s->shared.background, session_on_background_quiet, s);
		background_stop_all(s->shared.background);
	}
}

uint32_t session_log_id(const struct session *s)
{
	return (uint32_t)strtoul(s->conversation.id.text, NULL, 16); /* up to the first '-' */
}

void session_enter(struct session *s, enum session_state next)
{
	static const char names[][10] = { "idle", "expanding", "opening", "prompting",
					  "turn", "closing",   "gone" };

	log_session = session_log_id(s);
	log_state("session", names[s->state], names[next]);
	if (s->state == SESSION_IDLE)
		session_records_begin_turn(s);
	s->state = next;
	if (next != SESSION_IDLE)
		op_cancel(s->suggestion.op);
	switch (next) {
	case SESSION_IDLE:
		session_commands_end_turn(s);
		session_sync_rest(s);
		break;
	case SESSION_EXPANDING: session_expand(s); break;
	case SESSION_OPENING: session_start_opening(s); break;
	case SESSION_PROMPTING: session_run_prompt_hook(s); break;
	case SESSION_TURN: session_start_turn(s); break;
	case SESSION_CLOSING:
		session_cancel_all(s);
		session_lsp_close(s);
		break;
	case SESSION_GONE: session_vanish(s); break;
	}
}

void session_prompt_next(struct session *s)
{
	session_enter(s, s->sent.environment && !session_lacks_model(s) ? SESSION_PROMPTING
									: SESSION_OPENING);
}

static void session_run_waiting_commands(struct session *s)
{
	size_t n = 0;

	for (; n < s->prompts.waiting.n && s->prompts.waiting.at[n].command.len; n++) {
		struct sv command = sv_of(&s->prompts.waiting.at[n].command);

		if (session_is_prompt_command(s, command) || session_is_slow_command(s, command) ||
		    session_delays_command(s, command))
			break;
		session_begin_prompt(s, &s->prompts.waiting.at[n]);
		session_command(s, command);
		session_end_prompts(s);
	}
	session_drop_waiting(s, n);
}

/* Whether prompts have to wait: for hooks of the start, for MCP servers, or for the worktree. */
static bool session_is_barred(const struct session *s)
{
	return session_hooks_bar(s) || session_mcp_bars(s) || session_worktree_bars(s);
}

/* Start what waits. `worked`: a turn has just ended, so front ends have to be told if the session
 * comes to rest. */
void session_run(struct session *s, bool worked)
{
	session_schedule_queue(s);
	while (s->state == SESSION_IDLE && s->prompts.waiting.n && !s->prompts.check && !s->sync &&
	       !session_is_barred(s)) {
		session_run_waiting_commands(s);
		if (!s->prompts.waiting.n || session_is_barred(s))
			break;
		worked = true;
		session_emit_state(s, ACTIVITY_RUNNING);
		if (s->prompts.waiting.at[0].command.len)
			session_enter(s, SESSION_EXPANDING);
		else
			session_prompt_next(s);
	}
	if (s->state != SESSION_IDLE || !(worked || s->owes_idle) || s->prompts.waiting.n)
		return;
	s->owes_idle = session_hooks_bar(s);
	if (s->owes_idle)
		return;
	session_emit_state(s, ACTIVITY_IDLE);
	hooks_rest(s);
	session_announce_end(s);
}

void session_announce_end(struct session *s)
{
	if (s->is_ending && session_is_idle(s))
		session_emit(s, &(struct event){ .kind = EVENT_ENDING });
}

void session_pump(struct session *s)
{
	session_run(s, false);
}

void session_continue(struct session *s)
{
	session_run(s, s->state == SESSION_IDLE);
}

void session_interrupt(struct session *s)
{
	s->is_interrupted = s->state == SESSION_EXPANDING || s->state == SESSION_OPENING ||
			    s->state == SESSION_PROMPTING ||
			    (session_is_barred(s) && s->prompts.waiting.n);
	session_hooks_interrupt(s);
	session_mcp_interrupt(s);
	control_shell_interrupt(s);
	op_cancel(s->suggestion.op);
	op_cancel(s->worktree->op);
	op_cancel(s->step);
}

void session_supersede(struct session *s)
{
	if (s->state == SESSION_TURN && !s->commands.is_forking)
		turn_supersede(s->step);
	else
		session_interrupt(s);
}

bool session_is_idle(const struct session *s)
{
	/* A user may type while hooks of the start run; a script waits until they are over. */
	return s->state == SESSION_IDLE && !s->prompts.waiting.n &&
	       (s->kind.has_user || !session_hooks_bar(s));
}

bool session_is_closed(const struct session *s)
{
	return s->state >= SESSION_CLOSING;
}

const char *session_id(const struct session *s)
{
	return s->conversation.id.text;
}

struct agent *session_agent(struct session *s)
{
	return s->agent;
}

const struct costs *session_costs(const struct session *s)
{
	return &s->costs;
}

const struct settings *session_settings(const struct session *s)
{
	return s->settings;
}

enum perm_mode session_mode(const struct session *s)
{
	return s->policy.mode;
}

struct session *session_next(const struct session *s)
{
	return s->next;
}

void session_set_hooks(struct session *s, const struct hook_points *hooks)
{
	s->hooks = *hooks;
}

/* --- life ----------------------------------------------------------------------- */

static void session_clear_conversation(struct conversation *c)
{
	transcript_free(c->transcript);
	fs_unlock(c->lock);
	str_clear(&c->title);
	str_clear(&c->branch);
	str_clear(&c->environment);
	str_clear(&c->unsaved);
	free(c->path);
	free(c->results_dir);
	free(c->tasks_dir);
}

static void session_free(struct session *s)
{
	session_drop_waiting(s, s->prompts.waiting.n);
	vec_clear(&s->prompts.waiting);
	session_end_prompts(s);
	session_point_clear(&s->prompts.point);
	session_point_clear(&s->prompts.check_point);
	subagents_free(s->subagents);
	session_agents_clear(s);
	session_plugins_clear(&s->plugins);
	session_styles_clear(&s->styles);
	session_goal_forget(&s->goal);
	session_schedule_clear(&s->schedule);
	agent_free(s->agent);
	session_clear_conversation(&s->conversation);
	instructions_free(s->instructions);
	str_clear(&s->memory_dir);
	session_notes_clear(&s->notes);
	session_records_clear(&s->records);
	context_drops_clear(&s->drops);
	perm_policy_clear(&s->policy);
	session_sandbox_free(s->sandbox);
	session_hooks_free(s->handlers);
	session_mcp_free(s->mcp);
	session_undo_free(s->undo);
	session_worktree_free(s->worktree);
	session_lsp_free(s->lsp);
	str_clear(&s->prompts.id);
	settings_free(s->settings);
	child_env_clear(&s->child_env);
	for (size_t i = 0; i < s->old_envs.n; i++)
		child_env_clear(&s->old_envs.at[i]);
	vec_clear(&s->old_envs);
	map_clear(&s->prompts.seen);
	map_clear(&s->sent.skills);
	str_clear(&s->mirror.path);
	str_clear(&s->mirror.entries);
	costs_clear(&s->costs);
	str_clear(&s->sources.trusted_digest);
	str_clear(&s->sources.flag);
	str_clear(&s->sources.flag_root);
	str_clear(&s->pending.warnings);
	str_clear(&s->pending.announcements);
	str_clear(&s->pending.notes);
	control_shell_forget(s);
	session_plan_clear(&s->plan);
	session_commands_clear(&s->commands);
	session_preferences_clear(&s->preferences);
	str_clear(&s->suggestion.text);
	session_tool_summary_clear(s);
	str_clear(&s->title.about);
	str_clear(&s->title.answer);
	compaction_forget_skills(s);
	budget_clear(&s->budget);
	background_free(s->shared.background);
	shell_snapshot_free(s->shared.snapshot);
	web_free(s->shared.web);
	free((char *)s->shared.root);
	free((char *)s->shared.project);
	free((char *)s->shared.edits_dir);
	user_toolset_clear(&s->user_tools);
	free(s->system.custom);
	free(s->system.append);
	free(s->system.append_host);
	free(s->system.append_subagents);
	free(s);
}

/* Start what runs beside the conversation. */
static void session_begin(struct session *s, const struct awl_session_options *options)
{
	log_as(session_log_id(s));

	session_settings_log(s);
	if (s->sources.is_watched)
		session_watch_settings(s);
	if (options->skip_session_hooks)
		hooks_skip_session(s);
	else
		hooks_start_session(s,
				    options->fork        ? "fork"
				    : s->kind.is_resumed ? "resume"
							 : "startup",
				    options->setup);
	session_mcp_start(s);
	session_worktree_restore(s);
	session_worktree_begin(s, options->worktree);
	session_resume_turn(s);
	if (s->kind.has_user)
		session_connect_ahead(s, engine_expect);
}

struct session *session_new(struct engine *engine, const struct awl_session_options *options,
			    session_event_fn *on_event, void *arg, struct err *err)
{
	struct session *s = xnew(struct session);

	s->engine = engine;
	s->on_event = on_event;
	s->arg = arg;
	s->kind.opened_ms = loop_now(engine->loop);
	s->policy = (struct perm_policy)PERM_POLICY_INIT;
	s->costs = (struct costs)COSTS_INIT;
	s->user_tools = (struct user_toolset)USER_TOOLSET_INIT;
	s->commands.list = (struct command_list)COMMAND_LIST_INIT;
	s->agents.list = (struct agent_list)AGENT_LIST_INIT;
	s->styles.list = (struct style_list)STYLE_LIST_INIT;
	s->subagents = subagents_new(s);
	session_worktree_open(s);
	session_open_host(s, options->ask_in_parallel);
	if (!session_configure(s, options, err)) {
		log_error("no session: %s", err->text);
		session_free(s);
		return NULL;
	}
	s->next = engine->sessions;
	engine->sessions = s;
	session_begin(s, options);
	return s;
}

/* Leave the engine, free everything, and say so. */
static void session_vanish(struct session *s)
{
	struct session **at = &s->engine->sessions;
	void (*on_gone)(void *arg) = s->on_gone;
	void *arg = s->arg;

	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	session_free(s);
	if (on_gone)
		on_gone(arg);
}

void session_settle(struct session *s)
{
	if (s->state != SESSION_CLOSING || s->step || s->sync || s->prompts.check ||
	    s->control_waits || s->sources.watch || s->schedule.timer || s->suggestion.op ||
	    s->title.op || s->tool_summary.op || s->notes.op || !session_hooks_are_quiet(s) ||
	    !session_mcp_is_quiet(s) || !session_undo_is_quiet(s) ||
	    !subagents_are_quiet(s->subagents) || session_worktree_bars(s) ||
	    !session_lsp_is_quiet(s) ||
	    (s->shared.background && !background_is_quiet(s->shared.background)))
		return;
	if (!hooks_end_session(s) || !session_worktree_end(s))
		return;
	session_enter(s, SESSION_GONE);
}

void session_close(struct session *s, void (*on_gone)(void *arg))
{
	s->on_gone = on_gone;
	session_enter(s, SESSION_CLOSING);
	session_settle(s);
}

void session_forget_sent(struct session *s)
{
	s->sent.plan_mode = false;
	s->sent.instructions = 0;
	map_clear(&s->sent.skills);
	session_mcp_reset(s);
}

/* Say that another conversation begins, and by which prompt if the host knows it. */
static void session_emit_reset(struct session *s)
{
	const struct session_answering *a = &s->prompts.answering;
	struct event event = { .kind = EVENT_RESET,
			       .reset = { .id = sv_cstr(s->conversation.id.text) } };

	if (a->uuids.n)
		event.reset.prompt = a->uuids.at[a->uuids.n - 1];
	session_emit(s, &event);
}

void session_reset(struct session *s)
{
	BUG_ON(s->state != SESSION_IDLE);
	op_cancel(s->suggestion.op);
	op_cancel(s->tool_summary.op);
	session_title_forget(s);
	hooks_clear_session(s);
	agent_reset(s->agent);
	context_drops_clear(&s->drops);
	control_shell_forget(s);
	compaction_forget_skills(s);
	costs_clear(&s->costs);
	s->sent.environment = false;
	session_forget_sent(s);
	session_plan_forget(s);
	session_undo_reset(s);
	str_truncate(&s->conversation.branch, 0);
	s->conversation.id = uuid_v4(loop_rng(s->engine->loop));
	s->conversation.forked_from.text[0] = '\0';
	if (s->conversation.path)
		session_place(s);
	session_open_transcript(s);
	op_cancel(s->notes.op);
	s->notes.is_stale = true;
	session_notes_open(s);
	session_schedule_reset(s);
	session_goal_drop(s);
	session_emit_reset(s);
	hooks_start_session(s, "clear", NULL);
}

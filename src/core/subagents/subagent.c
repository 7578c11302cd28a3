/* The life of a sub-agent. It belongs to the session, not to the call that started it: a call in the foreground
 * waits for it and stops it when it is cancelled, a call in the background does not. Its agent borrows from the
 * agent of its parent, so that one is freed only when the last of its children has ended. */
#include "core/subagents/agent_servers.h"
#include "core/subagents/team.h"

#include <stdio.h>

#include "core/hooks/session_hooks.h"
#include "core/session/session_emit.h"
#include "core/session/session_transcript.h"
#include "proto/message.h"

static void subagents_pump(struct subagents *all);
static void subagent_enter(struct subagent *a, enum subagent_state next);

/* --- what its agent reports ------------------------------------------------------------------ */

/* Texts of an agent in the foreground are for its parent; a host has to ask for them. */
static bool subagent_hides(const struct subagent *a, const struct event *event)
{
	return event->kind == EVENT_ASSISTANT && !a->is_background &&
	       !a->all->s->preferences.forwards_text && !event->message.error.len &&
	       sv_find(event->message.json, SV("\"type\":\"tool_use\"")) == SIZE_MAX;
}

static void subagent_on_event(void *arg, const struct event *event, struct sv uuid)
{
	struct subagent *a = arg;

	if (!subagent_hides(a, event))
		session_emit_as(a->all->s, event, uuid);
	if (event->kind == EVENT_ASSISTANT)
		subagent_note_call(a, event->message.json);
}

static bool subagent_on_record(void *arg, const struct transcript_record *record)
{
	struct subagent *a = arg;
	struct session *s = a->all->s;
	struct transcript_record full = *record;
	struct err err = ERR_INIT;

	full.git_branch = sv_of(&s->conversation.branch);
	full.durable = false;
	if (!a->transcript || transcript_add(a->transcript, &full, &err))
		return true;
	session_inform(s, NOTICE_WARNING, sv_cstr(err.text));
	transcript_freep(&a->transcript); /* one warning is enough */
	return false;
}

static void subagent_on_rewind(void *arg, struct sv uuid)
{
	struct subagent *a = arg;

	if (a->transcript)
		transcript_rewind(a->transcript, uuid);
}

static void subagent_on_used(void *arg, struct sv model, const struct usage *usage,
			     struct api_time time)
{
	struct subagent *a = arg;
	struct agent_listener session = session_listener(a->all->s);

	usage_add(&a->usage, usage);
	if (usage->known)
		a->total_tokens = usage_prompt(usage) + usage->output;
	session.used(session.arg, model, usage, time);
}

static void subagent_on_called(void *arg, int64_t tool_ms, struct sv data)
{
	struct subagent *a = arg;
	struct agent_listener session = session_listener(a->all->s);
	const struct costs *costs = &a->all->s->costs;
	int64_t added = costs->lines_added, removed = costs->lines_removed;

	session.called(session.arg, tool_ms, data);
	a->stats.lines_added += costs->lines_added - added;
	a->stats.lines_removed += costs->lines_removed - removed;
}

static void subagent_on_judged(void *arg, int64_t ms)
{
	struct subagent *a = arg;
	struct agent_listener session = session_listener(a->all->s);

	session.judged(session.arg, ms);
}

static size_t subagent_on_append_pending(void *arg)
{
	struct subagent *a = arg;
	size_t n = a->inbox.n;

	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str block = STR_INIT;

		block_text(&block, sv_of(&a->inbox.at[i]));
		(void)!agent_append(a->agent, &(struct agent_message){ .content = sv_of(&block) });
		str_clear(&a->inbox.at[i]);
	}
	a->inbox.n = 0;
	return n;
}

static void subagent_on_touched(void *arg, struct sv path)
{
	struct subagent *a = arg;
	struct agent_listener session = session_listener(a->all->s);

	session.touched(session.arg, path);
}

static struct agent_listener subagent_listener(struct subagent *a)
{
	return (struct agent_listener){
		.arg = a,
		.event = subagent_on_event,
		.record = subagent_on_record,
		.rewind = subagent_on_rewind,
		.used = subagent_on_used,
		.called = subagent_on_called,
		.judged = subagent_on_judged,
		.append_pending = subagent_on_append_pending,
		.touched = subagent_on_touched,
	};
}

/* --- its end ----------------------------------------------------------------------------------- */

static void subagent_read_outcome(struct subagent *a, const struct turn_outcome *out)
{
	bool is_cut = out->reason == END_ABORTED_STREAMING || out->reason == END_ABORTED_TOOLS;
	struct sv text = sv_trim(sv_of(&out->text));

	a->status = a->is_stopped || is_cut                         ? COMMAND_STOPPED
		    : out->is_error || out->reason == END_API_ERROR ? COMMAND_FAILED
								    : COMMAND_COMPLETED;
	if (text.len)
		str_set(&a->result, text);
	if (out->reason == END_MAX_TURNS)
		str_addf(&a->result, "%s[The agent stopped at its limit of %d turns.]",
			 a->result.len ? "\n\n" : "", agent_limits(a->agent)->max_turns);
	else if (!a->result.len)
		str_adds(&a->result, "(The agent ended without an answer.)");
}

static void subagent_on_turn(struct op *op, void *owner,
			     __attribute__((unused)) const struct err *why)
{
	struct subagent *a = owner;

	a->step = NULL;
	subagent_read_outcome(a, turn_outcome(op));
	if (a->inbox.n && a->status == COMMAND_COMPLETED) /* it came with the last response */
		subagent_continue(a);
	else if (!a->is_teammate || a->status != COMMAND_COMPLETED || !team_pursue(a))
		subagent_finish(a);
}

void subagent_continue(struct subagent *a)
{
	a->is_reported = false;
	(void)subagent_on_append_pending(a);
	a->step = turn_start(a->agent, THEN(subagent_on_turn, a));
}

void subagent_finish(struct subagent *a)
{
	if (a->is_stopped)
		a->status = COMMAND_STOPPED;
	subagent_enter(a, subagent_review_owes(a)     ? SUBAGENT_REVIEWING
			  : subagent_worktree_owes(a) ? SUBAGENT_CLEANING
						      : SUBAGENT_ENDED);
}

static void subagent_on_review(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct subagent *a = owner;

	a->step = NULL;
	subagent_review_end(a, why);
	if (a->inbox.n && !a->is_stopped) {   /* it came meanwhile */
		str_truncate(&a->context, 0); /* the agent has it */
		subagent_enter(a, SUBAGENT_RUNNING);
	} else {
		subagent_finish(a);
	}
}

void subagent_release(struct subagent *a)
{
	struct subagent *parent = a->parent;

	if (a->state != SUBAGENT_ENDED || a->nchildren || !a->agent || a->is_teammate)
		return;
	agent_free(a->agent);
	a->agent = NULL;
	transcript_freep(&a->transcript);
	if (!parent)
		return;
	parent->nchildren--;
	subagent_release(parent);
}

static void subagent_remove_hooks(struct subagent *a)
{
	hooks_guest_remove(a->all->s, HOOK_FROM_AGENT, sv_cstr(a->id));
	hooks_guest_remove(a->all->s, HOOK_FROM_SKILL, sv_cstr(a->id));
}

/* Report the end. The session may be gone afterwards. */
static void subagent_end(struct subagent *a)
{
	struct subagents *all = a->all;

	a->duration_ms = loop_now(all->s->engine->loop) - a->started_ms;
	subagent_summary_stop(a);
	all->live--;
	subagent_remove_hooks(a);
	agent_servers_leave(a);
	subagent_emit_ended(a);
	wait_list_wake(&a->waiters);
	if (a->is_background)
		subagent_notify(a);
	if (a->is_stopped || a->is_leaving)
		a->is_teammate = false;
	subagent_release(a);
	subagents_pump(all);
	if (session_is_closed(all->s))
		session_settle(all->s);
	else
		session_announce_end(all->s);
}

/* --- its worktree -------------------------------------------------------------------------------- */

static void subagent_on_cleaned(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct subagent *a = owner;

	a->step = NULL;
	subagent_worktree_end(a, why);
	subagent_enter(a, SUBAGENT_ENDED);
}

static void subagent_fail(struct subagent *a, const struct err *why)
{
	a->status = a->is_stopped ? COMMAND_STOPPED : COMMAND_FAILED;
	str_addf(&a->result,
		 "The agent did not start because its worktree could not be created: %s",
		 why->text);
}

static void subagent_on_worktree(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct subagent *a = owner;
	struct err err = why ? *why : (struct err)ERR_INIT;

	a->step = NULL;
	if (why || !subagent_worktree_take(a, &err)) {
		subagent_fail(a, &err);
		subagent_finish(a);
	} else {
		subagent_enter(a, SUBAGENT_CONNECTING);
	}
}

static void subagent_on_refused(__attribute__((unused)) struct op *op, void *owner,
				__attribute__((unused)) const struct err *why)
{
	struct subagent *a = owner;

	a->step = NULL;
	subagent_enter(a, SUBAGENT_ENDED);
}

static void subagent_prepare(struct subagent *a)
{
	struct err err = ERR_INIT;

	subagent_emit_started(a);
	a->step = subagent_worktree_start(a, THEN(subagent_on_worktree, a), &err);
	if (a->step)
		return;
	subagent_fail(a, &err); /* whoever has started it waits from the next step on */
	a->step = op_settled(a->all->s->engine->loop, THEN(subagent_on_refused, a));
}

/* --- the machine --------------------------------------------------------------------------------- */

static void subagent_apply_start(__attribute__((unused)) struct session *s,
				 const struct hook_answer *answer, void *arg)
{
	struct subagent *a = arg;

	hook_answer_context(answer, &a->context);
}

static void subagent_on_hooks(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct subagent *a = owner;

	a->step = NULL;
	subagent_enter(a, SUBAGENT_RUNNING);
}

static void subagent_on_servers(__attribute__((unused)) struct op *op, void *owner,
				__attribute__((unused)) const struct err *why)
{
	struct subagent *a = owner;

	a->step = NULL;
	agent_servers_take(a);
	subagent_enter(a, SUBAGENT_STARTING);
}

/* A server that cannot be connected is reported by itself, and the agent works without it. */
static void subagent_connect(struct subagent *a)
{
	a->step = agent_servers_start(a, THEN(subagent_on_servers, a));
	if (!a->step)
		subagent_enter(a, SUBAGENT_STARTING);
}

static void subagent_start(struct subagent *a)
{
	struct hook_input in = session_hooks_input(a->all->s, a->agent, HOOK_SUBAGENT_START);

	if (!a->is_isolated)
		subagent_emit_started(a);
	a->step = session_hooks_start(a->all->s, &in, subagent_apply_start, a,
				      THEN(subagent_on_hooks, a));
	if (!a->step)
		subagent_enter(a, SUBAGENT_RUNNING);
}

static void subagent_run(struct subagent *a)
{
	if (a->is_stopped) {
		a->status = COMMAND_STOPPED;
		str_adds(&a->result, "(The agent was stopped before it began.)");
		subagent_finish(a);
		return;
	}
	if (a->context.len) {
		defer(str_clear) struct str block = STR_INIT;

		block_text(&block, sv_of(&a->context));
		(void)!agent_append(a->agent, &(struct agent_message){ .content = sv_of(&block),
								       .is_meta = true,
								       .quiet = true });
	}
	agent_connect(a->agent, a->all->s->engine->client);
	if (!a->wants_task || a->inbox.n)
		subagent_continue(a);
	else if (!team_pursue(a))
		subagent_finish(a);
	a->wants_task = false;
}

/* Begin, or continue after the end, as soon as there is a place. */
static void subagent_wait(struct subagent *a)
{
	a->started_ms = loop_now(a->all->s->engine->loop);
	a->all->live++;
	if (a->parent)
		a->parent->nchildren++;
	subagents_pump(a->all);
}

/* Count an agent, or no longer, among those that wait and those that have a place. */
static void subagent_count(const struct subagent *a, bool is_counted)
{
	size_t *count =
		a->state == SUBAGENT_WAITING ? &a->all->waiting : &a->all->running[a->depth];

	if (a->state != SUBAGENT_ENDED)
		*count = is_counted ? *count + 1 : *count - 1;
}

static void subagent_enter(struct subagent *a, enum subagent_state next)
{
	static const char *const names[] = { "ended",    "waiting", "preparing", "connecting",
					     "starting", "running", "reviewing", "cleaning" };

	log_state("subagent", names[a->state], names[next]);
	subagent_count(a, false);
	a->state = next;
	subagent_count(a, true);
	switch (next) {
	case SUBAGENT_WAITING: subagent_wait(a); break;
	case SUBAGENT_PREPARING: subagent_prepare(a); break;
	case SUBAGENT_CONNECTING: subagent_connect(a); break;
	case SUBAGENT_STARTING: subagent_start(a); break;
	case SUBAGENT_RUNNING: subagent_run(a); break;
	case SUBAGENT_REVIEWING:
		a->step = subagent_review_start(a, THEN(subagent_on_review, a));
		break;
	case SUBAGENT_CLEANING:
		a->step = subagent_worktree_clean(a, THEN(subagent_on_cleaned, a));
		break;
	case SUBAGENT_ENDED: subagent_end(a); break;
	}
}

void subagent_stop(struct subagent *a)
{
	team_dismiss(a);
	if (a->state == SUBAGENT_ENDED || a->state == SUBAGENT_CLEANING)
		return;
	a->is_stopped = true;
	if (a->state == SUBAGENT_WAITING)
		subagent_enter(a, SUBAGENT_RUNNING);
	else
		op_cancel(a->step);
}

struct op *subagent_stop_start(struct subagent *a, int64_t ms, struct then then)
{
	struct loop *loop = a->all->s->engine->loop;

	subagent_stop(a);
	return subagent_runs(a) ? wait_list_add(&a->waiters, loop, ms, then)
				: op_settled(loop, then);
}

/* Places are counted for each depth: an agent that waits for its own agents must not take theirs. */
static void subagents_pump(struct subagents *all)
{
	size_t most = subagents_max_running(all->s);

	for (size_t i = 0; i < all->list.n && all->waiting; i++) {
		struct subagent *a = all->list.at[i];

		if (a->state == SUBAGENT_WAITING && all->running[a->depth] < most)
			subagent_enter(a,
				       a->is_isolated ? SUBAGENT_PREPARING : SUBAGENT_CONNECTING);
	}
}

/* --- its beginning -------------------------------------------------------------------------------- */

struct subagent *subagent_of(const struct subagents *all, const struct agent *agent)
{
	for (size_t i = 0; agent_is_child(agent) && i < all->list.n; i++)
		if (all->list.at[i]->agent == agent)
			return all->list.at[i];
	return NULL;
}

static void subagent_choose_id(struct subagent *a)
{
	snprintf(a->id, sizeof(a->id), "a%016llx",
		 (unsigned long long)rng_next(loop_rng(a->all->s->engine->loop)));
}

void subagent_write_label(struct subagent *a)
{
	if (a->name.len)
		str_add(&a->label, sv_of(&a->name));
	else
		str_addf(&a->label, "%s %s", str_c(&a->type), a->id);
}

/* Those of its definition, and of the skill that it runs. */
static bool subagent_add_hooks(struct subagent *a, const struct subagent_spec *spec,
			       struct err *err)
{
	struct session *s = a->all->s;
	const struct agent_file *file = spec->file;
	const struct command_file *skill = spec->skill;
	bool fine = agent_file_add_hooks(s, file, sv_cstr(a->id), err);

	if (fine && skill)
		fine = hooks_guest_add(s,
				       &(struct hook_guest){ .source = HOOK_FROM_SKILL,
							     .owner = sv_cstr(a->id),
							     .file = skill->path,
							     .json = skill->hooks,
							     .is_managed = skill->is_managed },
				       !skill->is_project || session_trusts_project(s), err);
	if (!fine)
		subagent_remove_hooks(a);
	return fine;
}

struct subagent *subagent_new(struct subagents *all, const struct subagent_spec *spec,
			      struct err *err)
{
	struct subagent *a = xnew(struct subagent);

	a->all = all;
	subagent_choose_id(a);
	a->parent = subagent_of(all, spec->parent);
	a->depth = a->parent ? a->parent->depth + 1 : 1;
	a->is_background = spec->is_background;
	a->is_isolated = spec->is_isolated;
	a->tree = GIT_WORKTREE_INIT;
	a->is_fork = sv_is(spec->file->name, "fork");
	a->is_teammate = spec->team.len > 0;
	a->awaits_approval = a->is_teammate && sv_is(spec->mode, "plan");
	str_add(&a->mode, spec->mode);
	str_add(&a->effort, spec->effort);
	str_add(&a->name, spec->name);
	str_add(&a->type, spec->file->name);
	if (a->is_teammate)
		str_addf(&a->description, "%.*s: ", SV_ARG(spec->name));
	str_add(&a->description, spec->description);
	str_add(&a->prompt, spec->prompt);
	str_add(&a->call, spec->call);
	subagent_write_label(a);
	subagent_place(a);
	a->agent = subagent_make(a, spec, subagent_listener(a), err);
	if (!a->agent) {
		subagent_free(a);
		return NULL;
	}
	if (!subagent_add_hooks(a, spec, err)) {
		subagent_free(a);
		return NULL;
	}
	str_add(&a->model, agent_next_model(a->agent));
	subagent_open_transcript(a);
	subagent_save(a);
	vec_push(&all->list, a);
	if (a->is_fork)
		agent_fork_history(a->agent);
	subagent_brief(a, spec->file);
	subagent_enter(a, SUBAGENT_WAITING);
	return a;
}

void subagent_wake(struct subagent *a)
{
	a->is_stopped = false;
	a->is_reported = a->wants_task; /* without a task nothing has changed */
	a->status = COMMAND_RUNNING;
	a->idle_refusals = 0;
	subagent_enter(a, SUBAGENT_WAITING);
}

/* Load the conversation so far. A fork has only the tools that it has loaded itself, or its parent before it. */
static bool subagent_restore(struct subagent *a, struct err *err)
{
	struct transcript_loaded loaded = TRANSCRIPT_LOADED_INIT;
	bool fine = transcript_load_side(&loaded, str_c(&a->path), err);

	if (fine) {
		agent_unload_tools(a->agent);
		agent_restore(a->agent, &loaded);
	}
	transcript_loaded_clear(&loaded);
	return fine;
}

bool subagent_resume(struct subagent *a, struct sv message, struct err *err)
{
	struct session *s = a->all->s;
	const struct agent_list *list = session_agent_list(s, false);
	const struct agent_file *file = agent_list_find(list, sv_of(&a->type));
	struct subagent_spec spec = { .parent = s->agent,
				      .file = a->is_fork ? &subagent_fork_file : file,
				      .model = sv_of(&a->model),
				      .effort = sv_of(&a->effort),
				      .mode = sv_of(&a->mode) };
	defer(str_clear) struct str block = STR_INIT;

	if (!a->path.len)
		return err_set(err, ERR_UNSUPPORTED,
			       "agent %s was not saved, so it cannot continue", a->id);
	if (a->nchildren || a->agent)
		return err_set(err, ERR_BUSY, "agents that %s has started still run", a->id);
	if (!spec.file)
		spec.file = agent_list_find(list, SV("general-purpose"));
	if (!spec.file)
		return err_set(err, ERR_NOT_FOUND, "the agent %s is no longer defined",
			       str_c(&a->type));
	a->parent = NULL;
	a->depth = 1;
	a->is_background = true;
	a->is_stopped = a->is_reported = a->is_leaving = false;
	a->status = COMMAND_RUNNING;
	str_truncate(&a->result, 0);
	a->agent = subagent_make(a, &spec, subagent_listener(a), err);
	if (!a->agent || !subagent_restore(a, err) || !subagent_add_hooks(a, &spec, err)) {
		a->status = COMMAND_FAILED;
		str_addf(&a->result, "The agent could not continue: %s", err->text);
		subagent_release(a);
		return false;
	}
	subagent_open_transcript(a);
	block_text(&block, message);
	(void)!agent_append(a->agent,
			    &(struct agent_message){ .content = sv_of(&block), .is_prompt = true });
	subagent_enter(a, SUBAGENT_WAITING);
	return true;
}

void subagent_free(struct subagent *a)
{
	agent_free(a->agent);
	transcript_free(a->transcript);
	str_list_clear(&a->inbox);
	str_clear(&a->model);
	str_clear(&a->mode);
	str_clear(&a->effort);
	str_clear(&a->name);
	str_clear(&a->label);
	str_clear(&a->type);
	str_clear(&a->description);
	str_clear(&a->prompt);
	str_clear(&a->call);
	str_clear(&a->path);
	str_clear(&a->context);
	str_clear(&a->more_to_do);
	git_worktree_clear(&a->tree);
	str_clear(&a->result);
	str_clear(&a->last_tool);
	str_clear(&a->last_step);
	subagent_summary_clear(&a->summary);
	subagent_review_clear(&a->review);
	vec_clear(&a->servers);
	arena_clear(&a->arena);
	free(a);
}

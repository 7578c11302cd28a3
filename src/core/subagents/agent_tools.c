/* What the tools about agents do: Agent, SendMessage, ListAgents, and TaskOutput and TaskStop where they are about
 * an agent. */
#include "base/limits.h"
#include "core/session/session_tasks.h"
#include "core/subagents/session_peers.h"
#include "core/subagents/team.h"
#include "text/tag.h"
#include "tool/agent/agent_tool.h"

static struct agent *agent_tools_caller(const struct tool_call *call)
{
	return container_of(call->ctx, struct agent, ctx);
}

static struct sv agent_tools_text(const struct tool_call *call, const char *key)
{
	return sv_trim(json_str_or(json_get(call->input, key), SV_EMPTY));
}

/* --- which agent ----------------------------------------------------------------------------------- */

const struct agent_file subagent_fork_file = { .name = SV_INIT("fork"), .max_turns = 200 };

bool agent_tools_forks(const struct tool_call *call)
{
	return sv_is(agent_tools_text(call, "subagent_type"), "fork");
}

static const struct agent_file *agent_tools_file(struct session *s, const struct tool_call *call)
{
	struct sv type = agent_tools_text(call, "subagent_type");

	if (agent_tools_forks(call))
		return &subagent_fork_file;
	return agent_list_find(session_agent_list(s, false),
			       type.len ? type : SV("general-purpose"));
}

struct sv agent_tools_model(struct session *s, const struct tool_call *call)
{
	struct subagent_spec spec = { .parent = agent_tools_caller(call),
				      .file = agent_tools_file(s, call),
				      .model = agent_tools_text(call, "model") };
	struct sv chosen = spec.file && spec.file != &subagent_fork_file
				   ? subagent_choose_model(s, &spec)
				   : SV_EMPTY;

	return chosen.len ? chosen : agent_model(spec.parent);
}

static void agent_tools_add_names(struct str *out, const struct agent_list *list)
{
	for (size_t i = 0; i < list->files.n; i++)
		str_addf(out, "%s%.*s", i ? ", " : "", SV_ARG(list->files.at[i].name));
}

static bool agent_tools_may_start(const struct session *s, const struct subagent *caller,
				  const struct agent_file *file, struct err *err)
{
	bool is_listed = false;

	if (!caller)
		return !s->kind.is_coordinator || file != &subagent_fork_file ||
		       err_set(err, ERR_ACCESS,
			       "A coordinator cannot fork: start a worker and tell it what it "
			       "has to know.");
	if (caller->is_fork)
		return err_set(err, ERR_ACCESS,
			       "A fork does its work itself: it cannot start agents.");
	if (file == &subagent_fork_file)
		return err_set(err, ERR_ACCESS, "Only the main agent can be forked.");
	for (size_t i = 0; i < caller->types.n; i++)
		is_listed |= sv_eq_nocase(caller->types.at[i], file->name);
	if (caller->types.is_given && !is_listed)
		return err_set(err, ERR_ACCESS, "The agent %s may not start %.*s.",
			       str_c(&caller->type), SV_ARG(file->name));
	return true;
}

/* Without teams the name of one means nothing. */
static struct sv agent_tools_team(const struct session *s, const struct tool_call *call)
{
	return s->services.tasks_changed ? agent_tools_text(call, "team_name") : SV_EMPTY;
}

static bool agent_tools_may_join(const struct session *s, const struct tool_call *call,
				 const struct agent_file *file, struct err *err)
{
	struct subagent_spec spec = { .parent = agent_tools_caller(call),
				      .file = file,
				      .name = agent_tools_text(call, "name"),
				      .team = agent_tools_team(s, call) };

	return !spec.team.len || team_check_member(s->subagents, &spec, err);
}

static bool agent_tools_check(void *arg, const struct tool_call *call, struct err *err)
{
	struct session *s = arg;
	const struct agent_list *list = session_agent_list(s, true);
	const struct agent_file *file = agent_tools_file(s, call);
	const struct subagent *caller = subagent_of(s->subagents, agent_tools_caller(call));
	defer(str_clear) struct str names = STR_INIT;

	if (!agent_tools_text(call, "prompt").len)
		return err_set(err, ERR_INVALID, "The prompt is empty.");
	if (!file) {
		agent_tools_add_names(&names, list);
		return err_set(err, ERR_NOT_FOUND, "There is no agent \"%.*s\". There are: %s",
			       SV_ARG(agent_tools_text(call, "subagent_type")), str_c(&names));
	}
	if (caller && caller->depth >= subagents_max_depth(s))
		return err_set(err, ERR_TOO_BIG, "Agents may be nested only %zu deep.",
			       subagents_max_depth(s));
	return agent_tools_may_start(s, caller, file, err) &&
	       team_check_agent_name(s->subagents, agent_tools_text(call, "name"), err) &&
	       agent_tools_may_join(s, call, file, err);
}

/* --- Agent ------------------------------------------------------------------------------------------- */

struct agent_tools_wait {
	struct agent_tool_op tool; /* its first member is the op */
	struct tool_call *call;
	struct subagent *agent;
	struct op *wait;
	bool is_detached;
};

static void agent_tools_on_end(__attribute__((unused)) struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct agent_tools_wait *w = owner;

	w->wait = NULL;
	if (w->is_detached)
		subagent_write_launched(w->agent, &w->call->result);
	else
		subagent_write_result(w->agent, &w->call->result);
	op_finish(&w->tool.op, NULL);
}

/* The wait ends when the agent has. */
static void agent_tools_cancel(struct op *op)
{
	subagent_stop(container_of(op, struct agent_tools_wait, tool.op)->agent);
}

static void agent_tools_free(struct op *op)
{
	free(container_of(op, struct agent_tools_wait, tool.op));
}

static const struct op_type agent_tools_type = { .name = "Agent",
						 .cancel = agent_tools_cancel,
						 .free = agent_tools_free };

static bool agent_tools_detach(struct op *op)
{
	struct agent_tools_wait *w = container_of(op, struct agent_tools_wait, tool.op);

	if (w->is_detached || !subagent_runs(w->agent))
		return false;
	w->is_detached = w->agent->is_background = true;
	session_emit_tasks(w->agent->all->s);
	op_cancel(w->wait);
	return true;
}

static struct op *agent_tools_await(struct tool_call *call, struct subagent *a, struct then then)
{
	struct agent_tools_wait *w = xnew(struct agent_tools_wait);

	op_init(&w->tool.op, &agent_tools_type, call->ctx->loop, then);
	w->tool.agents = &subagent_tools;
	w->call = call;
	w->agent = a;
	w->wait = wait_list_add(&a->waiters, call->ctx->loop, LIMIT_AGENT_MS,
				THEN(agent_tools_on_end, w));
	return &w->tool.op;
}

static struct op *agent_tools_start(void *arg, struct tool_call *call, struct then then)
{
	struct session *s = arg;
	const struct agent_file *file = agent_tools_file(s, call);
	struct json background = json_get(call->input, "run_in_background");
	struct subagent_spec spec = {
		.parent = agent_tools_caller(call),
		.file = file,
		.call = call->id,
		.description = agent_tools_text(call, "description"),
		.prompt = agent_tools_text(call, "prompt"),
		.name = agent_tools_text(call, "name"),
		.team = agent_tools_team(s, call),
		.model = agent_tools_forks(call) ? SV_EMPTY : agent_tools_text(call, "model"),
		.effort = agent_tools_text(call, "effort"),
		.mode = agent_tools_text(call, "mode"),
	};
	struct err err = ERR_INIT;
	struct subagent *a;

	if (!file) {
		tool_fail(&call->result, "The agent is no longer defined.");
		return op_settled(call->ctx->loop, then);
	}
	spec.is_background = spec.team.len || json_bool_or(background, file->is_background) ||
			     (s->kind.is_coordinator && !agent_is_child(spec.parent));
	spec.is_isolated =
		file->is_isolated || sv_is(agent_tools_text(call, "isolation"), "worktree");
	a = subagent_new(s->subagents, &spec, &err);
	if (!a)
		tool_fail(&call->result, "The agent could not be started: %s", err.text);
	else if (spec.is_background)
		subagent_write_launched(a, &call->result);
	if (!a || spec.is_background)
		return op_settled(call->ctx->loop, then);
	return agent_tools_await(call, a, then);
}

/* --- SendMessage ---------------------------------------------------------------------------------------- */

static bool agent_tools_check_message(void *arg, const struct tool_call *call, struct err *err)
{
	struct session *s = arg;
	struct sv to = agent_tools_text(call, "to");

	if (team_is_protocol(call))
		return team_check_protocol(s, call, err);
	if (!agent_tools_text(call, "message").len)
		return err_set(err, ERR_INVALID, "The message is empty.");
	if (session_peers_names(to))
		return session_peers_check(to, err);
	if (sv_is(to, "*") || team_is_leader(to) || subagents_seek(s->subagents, to))
		return true;
	return err_set(err, ERR_NOT_FOUND,
		       "There is no agent \"%.*s\"; ListAgents shows those that there are.",
		       SV_ARG(to));
}

static struct sv agent_tools_sender(const struct session *s, const struct tool_call *call)
{
	const struct subagent *a = subagent_of(s->subagents, agent_tools_caller(call));

	return !a ? SV("main") : a->name.len ? sv_of(&a->name) : sv_cstr(a->id);
}

static void agent_tools_write_message(struct str *out, struct session *s,
				      const struct tool_call *call)
{
	defer(str_clear) struct str text = STR_INIT;

	str_adds(out, "<agent-message");
	tag_add_attribute(out, SV("from"), agent_tools_sender(s, call));
	str_adds(out, ">\n");
	if (team_is_protocol(call))
		team_write_protocol(s, call, &text);
	tag_add_text(out,
		     team_is_protocol(call) ? sv_of(&text) : agent_tools_text(call, "message"));
	str_adds(out, "\n</agent-message>");
}

/* The leader learns of it at the end of the turn. */
static bool agent_tools_leaves(const struct session *s, const struct tool_call *call)
{
	const struct subagent *a = subagent_of(s->subagents, agent_tools_caller(call));

	return a && a->is_leaving;
}

static void agent_tools_broadcast(struct session *s, const struct tool_call *call, struct sv text,
				  struct str *out)
{
	const struct subagent *self = subagent_of(s->subagents, agent_tools_caller(call));
	size_t n = 0;

	for (size_t i = 0; i < s->subagents->list.n; i++) {
		struct subagent *a = s->subagents->list.at[i];
		struct err err = ERR_INIT;

		if (a != self && (subagent_runs(a) || team_is_idle(a)))
			n += subagent_send(a, text, &err);
	}
	str_addf(out, "The message was sent to %zu %s.", n, n == 1 ? "agent" : "agents");
}

static void agent_tools_deliver(struct session *s, struct tool_call *call, struct sv to)
{
	struct subagent *a = subagents_seek(s->subagents, to);
	bool ran = a && (subagent_runs(a) || team_is_idle(a));
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	agent_tools_write_message(&text, s, call);
	if (sv_is(to, "*")) {
		agent_tools_broadcast(s, call, sv_of(&text), &call->result.text);
	} else if (!a && agent_tools_leaves(s, call)) {
		str_adds(&call->result.text, "You have left the team. End your turn now.");
	} else if (!a) {
		session_wake(s, sv_of(&text));
		str_adds(&call->result.text, "The message was sent to the main agent.");
	} else if (!subagent_send(a, sv_of(&text), &err)) {
		tool_fail(&call->result, "The message was not sent: %s", err.text);
	} else if (ran) {
		str_addf(&call->result.text, "Agent %s reads the message before its next step.",
			 a->id);
	} else {
		subagent_write_launched(a, &call->result);
	}
}

/* While hooks looked at the call, the receiver may have left. */
static struct op *agent_tools_send(void *arg, struct tool_call *call, struct then then)
{
	struct session *s = arg;
	struct sv to = agent_tools_text(call, "to");
	struct err err = ERR_INIT;

	if (!agent_tools_check_message(s, call, &err))
		tool_fail(&call->result, "%s", err.text);
	else if (session_peers_names(to))
		return session_peers_send(s, call, to, agent_tools_text(call, "message"), then);
	else
		agent_tools_deliver(s, call, to);
	return op_settled(call->ctx->loop, then);
}

/* --- ListAgents, TaskOutput, TaskStop --------------------------------------------------------------------- */

static const char *agent_tools_state(const struct subagent *a)
{
	return a->state == SUBAGENT_WAITING ? "waiting"
	       : team_is_idle(a)            ? "idle"
	       : subagent_runs(a)           ? "running"
					    : command_status_name(a->status);
}

static void agent_tools_add_line(struct str *out, const struct subagent *a)
{
	str_addf(out, "%s  %s  %s%s%s  %s", a->id, agent_tools_state(a), str_c(&a->type),
		 a->name.len ? "  " : "", str_c(&a->name), str_c(&a->description));
	if (subagent_runs(a) && a->last_step.len)
		str_addf(out, "  (%s)", str_c(&a->last_step));
	str_addc(out, '\n');
}

static struct op *agent_tools_list(void *arg, struct tool_call *call, struct then then)
{
	struct session *s = arg;
	struct sv q = agent_tools_text(call, "q");
	struct op *peers;

	subagents_recall(s->subagents);
	for (size_t i = 0; i < s->subagents->list.n; i++) {
		defer(str_clear) struct str line = STR_INIT;

		agent_tools_add_line(&line, s->subagents->list.at[i]);
		if (!q.len || sv_find(sv_of(&line), q) != SIZE_MAX)
			str_add(&call->result.text, sv_of(&line));
	}
	if (!call->result.text.len)
		str_adds(&call->result.text, "No agents.\n");
	peers = session_peers_list(s, call, q, then);
	return peers ? peers : op_settled(call->ctx->loop, then);
}

static bool agent_tools_find(void *arg, struct sv id, bool *runs)
{
	const struct session *s = arg;
	const struct subagent *a = subagents_find(s->subagents, id);

	*runs = a && (subagent_runs(a) || team_is_idle(a));
	return a != NULL;
}

struct agent_tools_output {
	struct op op;
	struct tool_call *call;
	struct subagent *agent;
	struct op *wait;
};

static void agent_tools_on_output(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct agent_tools_output *o = owner;
	struct tool_result *result = &o->call->result;

	o->wait = NULL;
	if (!why && !subagent_runs(o->agent)) {
		o->agent->is_reported = true;
		subagent_write_result(o->agent, result);
	} else if (!why) {
		agent_tools_add_line(&result->text, o->agent);
	}
	op_finish(&o->op, why);
}

static void agent_tools_output_cancel(struct op *op)
{
	op_cancel(container_of(op, struct agent_tools_output, op)->wait);
}

static void agent_tools_output_free(struct op *op)
{
	free(container_of(op, struct agent_tools_output, op));
}

static const struct op_type agent_tools_output_type = { .name = "agent output",
							.cancel = agent_tools_output_cancel,
							.free = agent_tools_output_free };

static struct op *agent_tools_output(void *arg, struct tool_call *call, struct sv id, int64_t ms,
				     struct then then)
{
	struct session *s = arg;
	struct agent_tools_output *o = xnew(struct agent_tools_output);

	op_init(&o->op, &agent_tools_output_type, call->ctx->loop, then);
	o->call = call;
	o->agent = subagents_find(s->subagents, id);
	if (ms > 0 && subagent_runs(o->agent))
		o->wait = wait_list_add(&o->agent->waiters, call->ctx->loop, ms,
					THEN(agent_tools_on_output, o));
	else
		o->wait = op_settled(call->ctx->loop, THEN(agent_tools_on_output, o));
	return &o->op;
}

static struct op *agent_tools_stop(void *arg, struct tool_call *call, struct sv id,
				   struct then then)
{
	struct session *s = arg;
	struct subagent *a = subagents_find(s->subagents, id);
	enum { PATIENCE_MS = 10000 };

	str_addf(&call->result.text, "Stopped agent %s: %s", a->id, str_c(&a->description));
	a->is_reported = true;
	return subagent_stop_start(a, PATIENCE_MS, then);
}

const struct tool_agents subagent_tools = {
	.check = agent_tools_check,
	.start = agent_tools_start,
	.detach = agent_tools_detach,
	.check_message = agent_tools_check_message,
	.send_message = agent_tools_send,
	.list = agent_tools_list,
	.find = agent_tools_find,
	.output = agent_tools_output,
	.stop = agent_tools_stop,
	.create_team = team_create,
	.delete_team = team_delete,
};

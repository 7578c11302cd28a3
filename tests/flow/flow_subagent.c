/* Sub-agents and tool sets that change, played from the script. The tool "Delegate" is the smallest
 * thing a sub-agent can be: a call whose op owns a child agent. */
#include "core/agent/agent.h"
#include "core/agent/turn.h"
#include "core/session/session.h"
#include "flow_agent.h"
#include "proto/message.h"

struct delegate {
	struct op op;
	struct tool_call *call;
	struct agent *agent;
	struct op *turn;
};

static void delegate_on_turn(struct op *op, void *owner,
			     __attribute__((unused)) const struct err *why)
{
	struct delegate *d = owner;
	const struct turn_outcome *out = turn_outcome(op);

	d->turn = NULL;
	str_addf(&d->call->result.text, "%s: %s", end_reason_name(out->reason), str_c(&out->text));
	op_finish(&d->op, NULL);
}

static void delegate_cancel(struct op *op)
{
	op_cancel(container_of(op, struct delegate, op)->turn);
}

static void delegate_free(struct op *op)
{
	struct delegate *d = container_of(op, struct delegate, op);

	agent_free(d->agent);
	free(d);
}

static const struct op_type delegate_type = { "delegate", delegate_cancel, delegate_free };

static struct op *delegate_start(struct tool_call *call, struct then then)
{
	struct flow *f = call->tool->arg;
	defer(str_clear) struct str prompt = STR_INIT;
	struct delegate *d = xnew(struct delegate);
	struct err err = ERR_INIT;

	op_init(&d->op, &delegate_type, call->ctx->loop, then);
	d->call = call;
	d->agent = agent_new(&(struct agent_spec){ .parent = flow_agent_main(f),
						   .parent_tool_use_id = call->id,
						   .system = SV("You are a helper."),
						   .tools = { .list = "Bash,Read,Write" },
						   .limits = { .max_turns = 5 } },
			     &err);
	if (!d->agent) {
		op_finish(&d->op, &err);
		return &d->op;
	}
	block_text(&prompt, json_str_or(json_get(call->input, "prompt"), SV_EMPTY));
	(void)!agent_append(
		d->agent, &(struct agent_message){ .content = sv_of(&prompt), .is_prompt = true });
	d->turn = turn_start(d->agent, THEN(delegate_on_turn, d));
	return &d->op;
}

static void delegate_request(__attribute__((unused)) const struct tool_call *call,
			     __attribute__((unused)) struct arena *arena, struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

const struct tool *flow_delegate_tool(struct flow *f, struct tool *tool)
{
	*tool = (struct tool){
		.name = "Delegate",
		.page = "Hands a task to a sub-agent.",
		.schema = SV("{\"type\":\"object\",\"properties\":{\"prompt\":{\"type\":"
			     "\"string\"}},\"required\":[\"prompt\"]}"),
		.is_concurrent = tool_always,
		.perm_request = delegate_request,
		.start = delegate_start,
		.arg = f,
	};
	return tool;
}

/* tool add Delegate | tool remove NAME: the set changes, whatever runs */
bool flow_do_tool(struct flow *f, const struct line *line, struct err *err)
{
	struct sv rest = line->args, what = take_word(&rest), name = sv_trim(rest);
	struct agent *agent = flow_agent_main(f);

	if (!agent)
		return err_set(err, ERR_INVALID, "line %d: there is no session", line->number);
	if (sv_is(what, "add") && sv_is(name, "Delegate")) {
		agent_add_tool(agent, flow_delegate_tool(f, flow_agent_tool(f)));
		return true;
	}
	if (sv_is(what, "remove") && agent_remove_tool(agent, name))
		return true;
	return err_set(err, ERR_INVALID, "line %d: a tool cannot be changed so", line->number);
}

/* Messages between a leader and its teammates that bring something about: to leave the team, and to carry out a
 * plan. */
#include "core/subagents/team.h"
#include "text/json/json_write.h"

enum team_kind { TEAM_SHUTDOWN_REQUEST, TEAM_SHUTDOWN_RESPONSE, TEAM_PLAN_RESPONSE, TEAM_KINDS };

static const char *const team_kind_names[TEAM_KINDS] = {
	[TEAM_SHUTDOWN_REQUEST] = "shutdown_request",
	[TEAM_SHUTDOWN_RESPONSE] = "shutdown_response",
	[TEAM_PLAN_RESPONSE] = "plan_approval_response",
};

static struct json team_message(const struct tool_call *call)
{
	return json_get(call->input, "message");
}

static struct sv team_message_text(const struct tool_call *call, const char *key)
{
	return sv_trim(json_str_or(json_get(team_message(call), key), SV_EMPTY));
}

static enum team_kind team_message_kind(const struct tool_call *call)
{
	struct sv type = team_message_text(call, "type");
	int kind = 0;

	while (kind < TEAM_KINDS && !sv_is(type, team_kind_names[kind]))
		kind++;
	return (enum team_kind)kind;
}

static struct subagent *team_message_sender(const struct session *s, const struct tool_call *call)
{
	return subagent_of(s->subagents, container_of(call->ctx, struct agent, ctx));
}

static struct sv team_message_to(const struct tool_call *call)
{
	return sv_trim(json_str_or(json_get(call->input, "to"), SV_EMPTY));
}

static struct subagent *team_message_receiver(const struct session *s, const struct tool_call *call)
{
	return subagents_find(s->subagents, team_message_to(call));
}

bool team_is_leader(struct sv to)
{
	return sv_is(to, "main") || sv_is(to, "team-lead");
}

bool team_is_protocol(const struct tool_call *call)
{
	return json_is(team_message(call), JSON_OBJECT);
}

/* --- who may send what to whom ------------------------------------------------------------------------- */

static bool team_check_to_member(const struct session *s, const struct tool_call *call,
				 struct err *err)
{
	const struct subagent *to = team_message_receiver(s, call);

	if (team_message_sender(s, call))
		return err_set(err, ERR_ACCESS, "Only the leader of a team sends this.");
	if (!to || !to->is_teammate)
		return err_set(err, ERR_NOT_FOUND, "Send this to a teammate, by its name.");
	if (team_message_kind(call) == TEAM_PLAN_RESPONSE && !to->awaits_approval)
		return err_set(err, ERR_INVALID, "%s does not wait for the approval of a plan.",
			       str_c(&to->name));
	return true;
}

static bool team_check_to_leader(const struct session *s, const struct tool_call *call,
				 struct err *err)
{
	const struct subagent *from = team_message_sender(s, call);

	if (!from || !from->is_teammate || !team_is_leader(team_message_to(call)))
		return err_set(err, ERR_INVALID, "Only a teammate can send this, to \"main\".");
	if (!from->is_asked_to_leave)
		return err_set(err, ERR_INVALID, "Nobody has asked you to stop.");
	return true;
}

bool team_check_protocol(const struct session *s, const struct tool_call *call, struct err *err)
{
	bool approves;

	switch (team_message_kind(call)) {
	case TEAM_SHUTDOWN_REQUEST: return team_check_to_member(s, call, err);
	case TEAM_SHUTDOWN_RESPONSE:
		return json_need_bool(team_message(call), "approve", &approves, err) &&
		       team_check_to_leader(s, call, err);
	case TEAM_PLAN_RESPONSE:
		return json_need_bool(team_message(call), "approve", &approves, err) &&
		       team_check_to_member(s, call, err);
	case TEAM_KINDS: break;
	}
	return err_set(err, ERR_INVALID,
		       "A message is a text, or an object with the type shutdown_request, "
		       "shutdown_response or plan_approval_response.");
}

/* --- what it brings about --------------------------------------------------------------------------------- */

static void team_write_request(const struct tool_call *call, struct str *out)
{
	struct sv reason = team_message_text(call, "reason");

	str_addf(out,
		 "The leader asks you to stop%s%.*s. Finish what must not stay half done. Then "
		 "answer with SendMessage to \"main\": {\"type\":\"shutdown_response\",\"approve\":"
		 "true}, or approve false with a reason.",
		 reason.len ? ": " : "", SV_ARG(reason));
}

static void team_write_plan_response(const struct tool_call *call, struct str *out, bool approves)
{
	struct sv feedback = team_message_text(call, "feedback");

	str_adds(out, approves ? "Your plan is approved. Carry it out now."
			       : "Your plan is not approved. Change it and end your turn with the "
				 "new one.");
	if (feedback.len)
		str_addf(out, " The leader says: %.*s", SV_ARG(feedback));
}

void team_write_protocol(struct session *s, const struct tool_call *call, struct str *out)
{
	struct subagent *from = team_message_sender(s, call);
	struct subagent *to = team_message_receiver(s, call);
	bool approves = json_bool_or(json_get(team_message(call), "approve"), false);
	struct sv reason = team_message_text(call, "reason");

	switch (team_message_kind(call)) {
	case TEAM_SHUTDOWN_REQUEST:
		to->is_asked_to_leave = true;
		team_write_request(call, out);
		break;
	case TEAM_SHUTDOWN_RESPONSE:
		from->is_asked_to_leave = false;
		from->is_leaving = approves;
		if (!approves)
			str_addf(out, "I do not stop yet%s%.*s", reason.len ? ": " : ".",
				 SV_ARG(reason));
		break;
	case TEAM_PLAN_RESPONSE:
		if (approves)
			agent_follow_mode(to->agent);
		to->awaits_approval = !approves;
		team_write_plan_response(call, out, approves);
		break;
	case TEAM_KINDS: break;
	}
}

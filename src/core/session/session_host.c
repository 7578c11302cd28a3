/* The requests of a session to its host: permission questions, hooks that are functions of the
 * host, and whatever else host_request.h has. */
#include "core/session/session_host.h"

#include "core/hooks/hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_emit.h"

static void session_host_send(void *arg, const struct host_request *request)
{
	struct session *s = arg;

	if (session_permission_tool_ask(s, request))
		return;
	session_channel_relay(s, request);
	if (host_request_needs_user(request)) {
		session_emit_state(s, ACTIVITY_REQUIRES_ACTION);
		hooks_notify_question(s, request);
	}
	session_emit(s, &(struct event){ .kind = EVENT_HOST_REQUEST,
					 .parent_tool_use_id = request->parent_tool_use_id,
					 .request = *request });
}

static void session_host_withdraw(void *arg, const struct host_request *request)
{
	struct session *s = arg;

	session_permission_tool_withdraw(s, request->id);
	session_channel_forget(s, request->id);
	session_emit(s, &(struct event){ .kind = EVENT_HOST_CANCEL,
					 .cancel = { .request_id = request->id } });
	if (!host_queue_needs_user(&s->host))
		session_emit_activity(s);
}

void session_open_host(struct session *s, bool is_parallel)
{
	host_queue_init(&s->host, s->engine->loop);
	s->host.send = session_host_send;
	s->host.withdraw = session_host_withdraw;
	s->host.arg = s;
	s->host.is_parallel = is_parallel;
}

bool session_is_at_terminal(const struct session *s)
{
	return s->kind.has_user && sv_is(sv_cstr(s->engine->entrypoint), "cli");
}

size_t session_questions(const struct session *s)
{
	return host_queue_count_user(&s->host);
}

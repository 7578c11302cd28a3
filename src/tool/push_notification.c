/* Tells a user who is not at the screen that something has happened. */
#include "base/utf8.h"
#include "text/iso_time.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"

enum { MESSAGE_BYTES = 200 };

static struct sv push_notification_text(const struct tool_call *call)
{
	return sv_trim(json_str_or(json_get(call->input, "message"), SV_EMPTY));
}

static bool push_notification_check(const struct tool_call *call, struct err *err)
{
	return push_notification_text(call).len ||
	       err_set(err, ERR_INVALID, "The message is empty.");
}

static void push_notification_write(struct tool_call *call, struct sv message,
				    const struct tool_push *push)
{
	struct jw w;

	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "message", message);
	jw_put_bool(&w, "pushSent", push->by_hooks);
	jw_put_bool(&w, "localSent", push->by_screen);
	if (push->by_screen || push->by_hooks)
		jw_put_str(&w, "sentAt", sv_cstr(iso_time(loop_wall(call->ctx->loop)).text));
	else
		jw_put_str(&w, "disabledReason", SV("no_transport"));
	jw_end(&w);
	jw_done(&w);
}

static struct op *push_notification_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;
	struct sv message = utf8_prefix(push_notification_text(call), MESSAGE_BYTES);
	struct tool_push push = services->push(services->arg, message, then);

	push_notification_write(call, message, &push);
	str_adds(&call->result.text,
		 push.by_screen || push.by_hooks
			 ? "The user is notified."
			 : "Nothing can notify the user of this session: it has no terminal and "
			   "no Notification hook. Say it in your answer.");
	return push.op;
}

static void push_notification_perm_request(__attribute__((unused)) const struct tool_call *call,
					   __attribute__((unused)) struct arena *arena,
					   struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

const struct tool tool_push_notification = {
	.name = "PushNotification",
	.page = tool_push_notification_page,
	.schema =
		SV_INIT("{\"type\":\"object\",\"properties\":{"
			"\"message\":{\"type\":\"string\",\"description\":\"One line, at most 200 "
			"characters\"},\"status\":{\"type\":\"string\",\"enum\":[\"proactive\"]}},"
			"\"required\":[\"message\"],\"additionalProperties\":false}"),
	.deferred = true,
	.is_read_only = tool_always,
	.check = push_notification_check,
	.perm_request = push_notification_perm_request,
	.start = push_notification_start,
};

/* Control requests about commands: those in the background, and moving one there. */
#include "base/limits.h"
#include "base/utf8.h"
#include "core/agent/turn.h"
#include "core/control/control.h"
#include "core/session/session_internal.h"
#include "core/session/session_tasks.h"
#include "core/subagents/subagents.h"
#include "sys/fs.h"

enum { TASK_OUTPUT_BYTES = 8 * 1024, STOP_MS = 10 * 1000 };

static const struct background_command *control_tasks_find(const struct session *s, struct sv id)
{
	return s->shared.background ? background_find(s->shared.background, id) : NULL;
}

static void control_stop_reply(struct control_wait *wait)
{
	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_OBJECT });
}

static void control_stop_free(struct control_wait *wait)
{
	free(wait);
}

/* An unknown task is fine: the host wants it not to run. The reply comes after the end of a known one is reported. */
void control_stop_task(struct session *s, const struct control_request *request)
{
	static const struct control_wait_type stopping = { control_stop_reply, control_stop_free };
	const struct background_command *command = control_tasks_find(s, request->stop_task.id);
	struct subagent *agent = subagents_find(s->subagents, request->stop_task.id);
	struct control_wait *wait = xnew(struct control_wait);
	struct then then = THEN(control_wait_on_done, wait);

	control_wait_init(wait, s, request->id, &stopping);
	if (command && command->state == BACKGROUND_RUNNING) {
		session_stop_task(s, command);
		wait->op = background_wait(s->shared.background, command, STOP_MS, then);
	} else if (agent) {
		wait->op = subagent_stop_start(agent, STOP_MS, then);
	} else {
		control_stop_reply(wait);
		control_wait_drop(wait);
	}
}

/* What the user says goes to the agent verbatim. It has read it before its next step, or continues with it. */
void control_message_task(struct session *s, const struct control_request *request)
{
	struct sv id = request->message_task.id, text = sv_trim(request->message_task.text);
	struct subagent *agent = subagents_find(s->subagents, id);
	struct err err = ERR_INIT;

	if (session_is_closed(s) || s->is_ending)
		err_set(&err, ERR_BUSY, "the session is ending");
	else if (!agent)
		err_set(&err, ERR_NOT_FOUND, "this session has no agent %.*s", SV_ARG(id));
	else if (!text.len || text.len > LIMIT_PROMPT)
		err_set(&err, ERR_INVALID, "the message is empty or too long");
	else
		(void)!subagent_send(agent, text, &err);
	if (err.kind)
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
	else
		control_reply(s, request->id, (struct control_reply){ .kind = REPLY_OBJECT });
}

/* Reads the end of a file; `*size` is its whole size. A file that is not there yet is empty. */
static bool control_tasks_read_end(struct str *out, const char *path, int64_t *size,
				   struct err *err)
{
	char bytes[TASK_OUTPUT_BYTES];
	struct err missing = ERR_INIT;
	defer(fs_closep) struct fs_file *file = fs_open(path, size, &missing);
	size_t n = file ? (size_t)min_of(*size, (int64_t)sizeof(bytes)) : 0;

	if (!file && missing.kind != ERR_NOT_FOUND) {
		*err = missing;
		return false;
	}
	if (n && !fs_read_at(file, *size - (int64_t)n, bytes, n, err))
		return false;
	utf8_repair(out, sv_from(bytes, n));
	return true;
}

void control_get_task_output(struct session *s, const struct control_request *request)
{
	struct sv id = request->get_task_output.id;
	const struct background_command *command = control_tasks_find(s, id);
	const struct subagent *agent = subagents_find(s->subagents, id);
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	int64_t size = 0;

	if (agent) {
		subagent_add_result(agent, &text);
		control_reply(s, request->id,
			      (struct control_reply){ .kind = REPLY_OUTPUT,
						      .output = { .text = sv_of(&text),
								  .total = (int64_t)text.len } });
		return;
	}
	if (!command)
		err_set(&err, ERR_NOT_FOUND, "this session has no task %.*s", SV_ARG(id));
	if (!command || !control_tasks_read_end(&text, command->path, &size, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	control_reply(s, request->id,
		      (struct control_reply){ .kind = REPLY_OUTPUT,
					      .output = { .text = sv_of(&text),
							  .total = size,
							  .is_cut = size > TASK_OUTPUT_BYTES } });
}

void control_background_tasks(struct session *s, const struct control_request *request)
{
	struct sv id = request->background_tasks.tool_use_id;
	bool is_turn = s->state == SESSION_TURN && s->step && !s->commands.is_forking;
	size_t n = is_turn ? turn_detach(s->step, id) : 0;

	control_reply(
		s, request->id,
		(struct control_reply){ .kind = id.len && !n ? REPLY_NOT_MOVED : REPLY_OBJECT });
}

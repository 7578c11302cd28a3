/* Control requests about the turn that runs and the prompts that wait. */
#include "core/control/control.h"
#include "core/session/session_internal.h"
#include "core/session/session_prompts.h"
#include "core/session/session_tasks.h"

/* The ids of prompts that wait and that a host named. */
static void control_prompts_list(const struct session *s, session_uuids *out)
{
	for (size_t i = 0; i < s->prompts.waiting.n; i++)
		if (s->prompts.waiting.at[i].is_named)
			vec_push(out, sv_of(&s->prompts.waiting.at[i].uuid));
}

/* The reply comes first, then what the turn still says. */
void control_interrupt(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	session_uuids cancelled = VEC_INIT, queued = VEC_INIT;
	bool cancels = request->interrupt.cancels_queued;

	if (cancels)
		session_withdraw_prompts(s, SV_EMPTY, &cancelled, &arena);
	control_prompts_list(s, &queued);
	control_reply(s, request->id,
		      (struct control_reply){ .kind = REPLY_INTERRUPT,
					      .interrupt = { .queued = queued.at,
							     .nqueued = queued.n,
							     .cancelled = cancelled.at,
							     .ncancelled = cancelled.n,
							     .cancels = cancels } });
	vec_clear(&queued);
	vec_clear(&cancelled);
	session_interrupt(s);
	if (!s->preferences.spares_tasks) /* the user may have no other way to stop them */
		session_stop_tasks(s);
}

void control_cancel_prompt(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	session_uuids cancelled = VEC_INIT;
	struct sv uuid = request->cancel_prompt.uuid;

	if (uuid.len)
		session_withdraw_prompts(s, uuid, &cancelled, &arena);
	control_reply(s, request->id,
		      (struct control_reply){ .kind = REPLY_CANCELLED,
					      .was_cancelled = cancelled.n > 0 });
	vec_clear(&cancelled);
}

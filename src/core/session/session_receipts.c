/* What a host hears of the prompts it named: that each waits, begins and ends or is dropped, and
 * which of them a reply and a result answer. Prompts without a name of the host are not reported:
 * it would not know which are meant. */
#include "base/log.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/session/session_prompts.h"

enum { ANSWERING_MAX = 64 }; /* as many as a frame names */

static void session_receipts_emit(struct session *s, struct sv uuid, enum prompt_state state)
{
	session_emit(s, &(struct event){ .kind = EVENT_PROMPT,
					 .prompt = { .uuid = uuid, .state = state } });
}

void session_receive_prompt(struct session *s, const struct session_waiting *w)
{
	if (w->is_named)
		session_receipts_emit(s, sv_of(&w->uuid), PROMPT_QUEUED);
}

void session_begin_prompt(struct session *s, struct session_waiting *w)
{
	w->is_taken = true;
	if (!w->is_named)
		return;
	session_receipts_emit(s, sv_of(&w->uuid), PROMPT_STARTED);
	vec_push(&s->prompts.answering.uuids, sv_own(sv_of(&w->uuid)));
}

void session_end_prompts(struct session *s)
{
	struct session_answering *a = &s->prompts.answering;

	for (size_t i = 0; i < a->uuids.n; i++) {
		session_receipts_emit(s, a->uuids.at[i], PROMPT_COMPLETED);
		sv_disown(&a->uuids.at[i]);
	}
	vec_clear(&a->uuids);
	a->is_reported = false;
	a->is_notice = false;
	str_clear(&a->channel);
}

void session_forget_prompt(struct session *s, const struct session_waiting *w)
{
	if (w->is_named && !w->is_taken)
		session_receipts_emit(s, sv_of(&w->uuid), PROMPT_CANCELLED);
}

bool session_names_prompts(const struct session *s, const struct event *event)
{
	const struct session_answering *a = &s->prompts.answering;
	bool is_reply = event->kind == EVENT_ASSISTANT || event->kind == EVENT_STREAM;
	bool is_wanted = event->kind == EVENT_RESULT || event->kind == EVENT_THINKING ||
			 (is_reply && !a->is_reported);

	return a->uuids.n && !event->parent_tool_use_id.len && is_wanted;
}

void session_name_prompts(struct session *s, struct event *event)
{
	struct session_answering *a = &s->prompts.answering;
	size_t n = min_of(a->uuids.n, (size_t)ANSWERING_MAX);

	if (event->kind == EVENT_REFUSED && n && !event->parent_tool_use_id.len)
		event->refused.prompt = a->uuids.at[a->uuids.n - 1];
	if (!session_names_prompts(s, event))
		return;
	event->prompts = a->uuids.at + (a->uuids.n - n);
	event->nprompts = n;
	a->is_reported |= event->kind == EVENT_ASSISTANT;
}

int64_t session_count_waiting(const struct session *s)
{
	int64_t n = 0;

	for (size_t i = 0; i < s->prompts.waiting.n; i++)
		n += !s->prompts.waiting.at[i].is_taken && !s->prompts.waiting.at[i].is_notice;
	return n;
}

/* Whether somebody is dealing with a prompt that still waits. */
static bool session_receipts_is_busy(const struct session *s, size_t i)
{
	return s->prompts.waiting.at[i].check == CHECK_RUNS || i < session_prompts_busy(s);
}

size_t session_withdraw_prompts(struct session *s, struct sv uuid, session_uuids *uuids,
				struct arena *arena)
{
	struct err err = ERR_INIT;
	size_t n = 0;

	for (size_t i = s->prompts.waiting.n; i > 0; i--) {
		struct session_waiting *w = &s->prompts.waiting.at[i - 1];

		if ((uuid.len && !sv_eq(uuid, sv_of(&w->uuid))) ||
		    session_receipts_is_busy(s, i - 1))
			continue;
		if (w->is_named)
			vec_push(uuids, arena_dup(arena, sv_of(&w->uuid)));
		if (!w->command.len && s->conversation.transcript &&
		    !transcript_dequeue(s->conversation.transcript, sv_of(&w->uuid),
					loop_wall(s->engine->loop), &err))
			log_warn("a withdrawn prompt is still recorded as queued: %s", err.text);
		session_drop_waiting_at(s, i - 1, 1);
		n++;
	}
	for (size_t i = 0; i < uuids->n / 2; i++) { /* in the order they came */
		struct sv first = uuids->at[i];

		uuids->at[i] = uuids->at[uuids->n - 1 - i];
		uuids->at[uuids->n - 1 - i] = first;
	}
	return n;
}

/* What a session tells: every event is written here, and notices and its own state begin here. */
#include "core/session/session_emit.h"

#include "base/log.h"
#include "core/hooks/session_display.h"
#include "core/session/session_internal.h"
#include "core/session/session_prompts.h"
#include "core/session/session_transcript.h"
#include "text/iso_time.h"

/* Every response tells of the limits, and only a change is news. */
static bool session_has_emitted(struct session *s, const struct event *event)
{
	if (event->kind != EVENT_RATE_LIMIT)
		return false;
	if (rate_limit_eq(&event->rate_limit, &s->sent.limit))
		return true;
	s->sent.limit = event->rate_limit;
	if (sv_is(sv_cstr(event->rate_limit.type), "five_hour"))
		s->sent.five_hour = event->rate_limit;
	else if (sv_is(sv_cstr(event->rate_limit.type), "seven_day"))
		s->sent.seven_day = event->rate_limit;
	return false;
}

/* Write the event with its time and the prompts it answers. Most events have neither. */
static void session_write_event(struct session *s, struct str *out, const struct event *event,
				struct sv uuid)
{
	struct sv session = sv_cstr(s->conversation.id.text);
	struct event stamped;
	struct iso_time now;

	if (event->kind == EVENT_STREAM && !session_names_prompts(s, event)) {
		event_write(out, event, uuid, session);
		return;
	}
	stamped = *event;
	if (event->kind == EVENT_ASSISTANT || event->kind == EVENT_USER) {
		now = iso_time(loop_wall(s->engine->loop));
		stamped.message.timestamp = sv_cstr(now.text);
	}
	session_name_prompts(s, &stamped);
	event_write(out, &stamped, uuid, session);
}

void session_emit_as(void *arg, const struct event *event, struct sv uuid)
{
	struct session *s = arg;
	defer(str_clear) struct str json = STR_INIT;
	struct uuid fresh;

	if (session_is_closed(s) || session_has_emitted(s, event))
		return;
	if (event->kind != EVENT_MIRROR && event->kind != EVENT_STREAM)
		session_mirror_flush(s); /* before what tells of it */
	if (!uuid.len) {
		fresh = uuid_v4(loop_rng(s->engine->loop));
		uuid = sv_cstr(fresh.text);
	}
	session_write_event(s, &json, event, uuid);
	if (event->kind == EVENT_INFORMATIONAL)
		log_info("notice: %.*s", SV_ARG(event->info.text));
	log_debug("event: %s %s, %zu bytes", event_type(event->kind), event_subtype(event),
		  json.len);
	if (!session_display_hold(s, event, uuid, &json))
		s->on_event(s->arg, event, &json);
}

void session_emit(struct session *s, const struct event *event)
{
	session_emit_as(s, event, SV_EMPTY);
}

bool session_has_reader(const struct session *s)
{
	return s->is_initialized || s->sent.init;
}

void session_inform(struct session *s, enum notice_level level, struct sv text)
{
	session_emit(s, &(struct event){ .kind = EVENT_INFORMATIONAL,
					 .info = { .text = text, .level = level } });
}

void session_inform_refusal(struct session *s, struct sv why)
{
	session_emit(s,
		     &(struct event){
			     .kind = EVENT_INFORMATIONAL,
			     .info = { .text = why, .level = NOTICE_WARNING, .prevents = true } });
}

void session_emit_state(struct session *s, enum session_activity state)
{
	session_emit(s, &(struct event){ .kind = EVENT_STATE,
					 .state = { .state = state, .host_only = true } });
}

void session_emit_activity(struct session *s)
{
	session_emit_state(s, s->state == SESSION_IDLE ? ACTIVITY_IDLE : ACTIVITY_RUNNING);
}

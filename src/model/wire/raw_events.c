#include "model/wire/raw_events.h"

void raw_events_init(struct raw_events *raw, bool wanted, wire_event_fn *emit, void *arg)
{
	*raw = (struct raw_events){ .emit = emit, .arg = arg, .wanted = wanted };
}

void raw_events_clear(struct raw_events *raw)
{
	str_clear(&raw->json);
}

static void raw_events_put_start(struct jw *w, const struct model_event *event)
{
	jw_put_object(w, "message");
	jw_put_str(w, "id", event->text);
	jw_put_str(w, "type", SV("message"));
	jw_put_str(w, "role", SV("assistant"));
	jw_put_str(w, "model", event->model);
	jw_put_array(w, "content");
	jw_end(w);
	jw_put_null(w, "stop_reason");
	jw_put_null(w, "stop_sequence");
	jw_key(w, SV("usage"));
	usage_write(w, &event->usage);
	jw_end(w);
}

static void raw_events_put_block(struct jw *w, const struct model_event *event)
{
	jw_put_uint(w, "index", event->index);
	jw_put_raw(w, "content_block", event->json);
}

static void raw_events_put_end(struct jw *w, const struct model_event *event)
{
	jw_put_uint(w, "index", event->index);
}

static void raw_events_put_stop(struct jw *w, const struct model_event *event)
{
	jw_put_object(w, "delta");
	jw_put_str(w, "stop_reason", event->text);
	jw_put_null(w, "stop_sequence");
	jw_end(w);
	jw_key(w, SV("usage"));
	usage_write(w, &event->usage);
}

static void raw_events_put_nothing(__attribute__((unused)) struct jw *w,
				   __attribute__((unused)) const struct model_event *event)
{
}

typedef void put_fn(struct jw *w, const struct model_event *event);

static void raw_events_emit_raw(struct raw_events *raw, const char *type, put_fn *put,
				const struct model_event *event)
{
	struct jw w;

	str_truncate(&raw->json, 0);
	jw_init(&w, &raw->json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", sv_cstr(type));
	put(&w, event);
	jw_end(&w);
	jw_done(&w);
	raw->emit(raw->arg, &(struct model_event){ .kind = MODEL_RAW, .json = sv_of(&raw->json) });
}

/* Each kind of piece has a type and a member of its own. */
static void raw_events_put_delta(struct jw *w, const struct model_event *event)
{
	static const struct {
		struct sv type;
		const char *member;
	} forms[] = {
		[MODEL_TEXT] = { SV_INIT("text_delta"), "text" },
		[MODEL_THINKING] = { SV_INIT("thinking_delta"), "thinking" },
		[MODEL_SIGNATURE] = { SV_INIT("signature_delta"), "signature" },
		[MODEL_INPUT] = { SV_INIT("input_json_delta"), "partial_json" },
	};

	jw_put_uint(w, "index", event->index);
	jw_put_object(w, "delta");
	jw_put_str(w, "type", forms[event->kind].type);
	jw_put_str(w, forms[event->kind].member, event->text);
	jw_end(w);
}

static void raw_events_translate(struct raw_events *raw, const struct model_event *event)
{
	switch (event->kind) {
	case MODEL_START:
		raw_events_emit_raw(raw, "message_start", raw_events_put_start, event);
		return;
	case MODEL_BLOCK_START:
		raw_events_emit_raw(raw, "content_block_start", raw_events_put_block, event);
		return;
	case MODEL_TEXT:
	case MODEL_THINKING:
	case MODEL_SIGNATURE:
	case MODEL_INPUT:
		raw_events_emit_raw(raw, "content_block_delta", raw_events_put_delta, event);
		return;
	case MODEL_BLOCK_STOP:
		raw_events_emit_raw(raw, "content_block_stop", raw_events_put_end, event);
		return;
	case MODEL_STOP:
		raw_events_emit_raw(raw, "message_delta", raw_events_put_stop, event);
		raw_events_emit_raw(raw, "message_stop", raw_events_put_nothing, event);
		return;
	case MODEL_USAGE: /* is in message_delta, with the stop reason */
	case MODEL_RAW:
	case MODEL_RETRY:
	case MODEL_STALL:
	case MODEL_DISCARD:
	case MODEL_FALLBACK:
	case MODEL_NOTE:
	case MODEL_LOGIN:
	case MODEL_CACHE_DROP:
	case MODEL_RATE_LIMIT: return;
	}
}

void raw_events_emit(void *arg, const struct model_event *event)
{
	struct raw_events *raw = arg;

	raw->emit(raw->arg, event);
	if (raw->wanted)
		raw_events_translate(raw, event);
}

/* event_log.h - what a decoder said, as text: one line an event. */
#ifndef AWL_TESTS_UNIT_MODEL_WIRE_EVENT_LOG_H
#define AWL_TESTS_UNIT_MODEL_WIRE_EVENT_LOG_H

#include "model/wire/wire.h"
#include "test.h"

static inline void event_log_line(struct str *log, const char *kind,
				  const struct model_event *event)
{
	str_addf(log, "%s %zu:%d ", kind, event->index, (int)event->block);
	str_add(log, event->text);
	if (event->json.len) {
		str_adds(log, " ");
		str_add(log, event->json);
	}
	if (event->name.len)
		str_addf(log, " %.*s(%.*s)", SV_ARG(event->name), SV_ARG(event->id));
	str_addc(log, '\n');
}

static inline void event_log_usage(struct str *log, const struct usage *u)
{
	str_addf(log, "<%lld %lld %lld %lld %lld %lld>\n", (long long)u->input,
		 (long long)u->output, (long long)u->cache_read, (long long)u->cache_write_5m,
		 (long long)u->cache_write_1h, (long long)u->web_searches);
}

/* A wire_event_fn; `arg` is a struct str. */
static inline void event_log(void *arg, const struct model_event *event)
{
	static const char *const kinds[] = {
		[MODEL_START] = "start",
		[MODEL_BLOCK_START] = "block",
		[MODEL_TEXT] = "text",
		[MODEL_THINKING] = "thinking",
		[MODEL_SIGNATURE] = "signature",
		[MODEL_INPUT] = "input",
		[MODEL_BLOCK_STOP] = "end",
		[MODEL_USAGE] = "usage",
		[MODEL_STOP] = "stop",
		[MODEL_RAW] = "raw",
		[MODEL_RETRY] = "retry",
		[MODEL_STALL] = "stall",
		[MODEL_DISCARD] = "discard",
		[MODEL_FALLBACK] = "fallback",
		[MODEL_NOTE] = "note",
		[MODEL_LOGIN] = "login",
		[MODEL_CACHE_DROP] = "cache-drop",
		[MODEL_RATE_LIMIT] = "rate-limit",
	};

	event_log_line(arg, kinds[event->kind], event);
	if (event->usage.known)
		event_log_usage(arg, &event->usage);
}

#endif

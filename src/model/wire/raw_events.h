/* raw_events.h - private to src/model: stream events in Anthropic format for providers that use
 * another format.
 *
 * Sits between a decoder and its listener and passes every event on unchanged. If MODEL_RAW events are
 * wanted, each event is followed by the JSON that the Messages API would have sent for it. This works
 * for any decoder whose blocks start empty and grow by pieces. */
#ifndef AWL_MODEL_WIRE_RAW_EVENTS_H
#define AWL_MODEL_WIRE_RAW_EVENTS_H

#include "model/wire/wire.h"

struct raw_events {
	wire_event_fn *emit; /* with `arg`: the listener, borrowed */
	void *arg;
	bool wanted;
	struct str json; /* reused from one event to the next */
};

void raw_events_init(struct raw_events *raw, bool wanted, wire_event_fn *emit, void *arg);
void raw_events_clear(struct raw_events *raw);

/* A wire_event_fn; `arg` is the struct raw_events. */
void raw_events_emit(void *arg, const struct model_event *event);

#endif

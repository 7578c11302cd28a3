/* Events do not depend on how the stream is split, nor does failure; memory
 * stays within the cap. The first two bytes choose cap and split. */
#include "text/sse.h"

#include "base/mem.h"
#include "base/rng.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool note(void *arg, const struct sse_event *event, __attribute__((unused)) struct err *err)
{
	str_addf(arg, "%zu %zu %zu:", event->type.len, event->id.len, event->data.len);
	str_add(arg, event->type);
	str_add(arg, event->id);
	str_add(arg, event->data);
	return true;
}

struct outcome {
	struct str received;
	struct err err;
	bool ok, pending;
	int64_t retry_ms;
};

static void outcome_clear(struct outcome *o)
{
	str_clear(&o->received);
}

/* `rng` NULL: all at once. Each piece lives in memory of its own. */
static void run(struct outcome *o, struct sv in, size_t max, struct rng *rng)
{
	defer(sse_clear) struct sse sse;

	sse_init(&sse, max);
	o->ok = true;
	while (o->ok && in.len > 0) {
		size_t n = rng ? 1 + rng_below(rng, min_of(in.len, (size_t)16)) : in.len;
		defer(mem_freep) char *piece = NULL;

		n = min_of(n, in.len);
		piece = xmemdup(in.ptr, n);
		o->ok = sse_feed(&sse, sv_from(piece, n), note, &o->received, &o->err);
		in = sv_skip(in, n);
		BUG_ON(sse.line.len > max || sse.type.kept.len > max || sse.id.len > max);
		BUG_ON(sse.data.kept.len > max);
	}
	o->pending = sse_is_pending(&sse);
	o->retry_ms = sse.retry_ms;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(outcome_clear) struct outcome whole = { .received = STR_INIT };
	defer(outcome_clear) struct outcome split = { .received = STR_INIT };
	struct rng rng;
	struct sv in;
	size_t max;

	if (size < 2)
		return 0;
	max = (size_t)data[0] + 1;
	rng_seed(&rng, data[1]);
	in = sv_from((const char *)data + 2, size - 2);
	run(&whole, in, max, NULL);
	run(&split, in, max, &rng);
	BUG_ON(whole.ok != split.ok);
	BUG_ON(!sv_eq(sv_of(&whole.received), sv_of(&split.received)));
	if (whole.ok)
		BUG_ON(whole.pending != split.pending || whole.retry_ms != split.retry_ms);
	else
		BUG_ON(strcmp(whole.err.text, split.err.text) != 0);
	return 0;
}

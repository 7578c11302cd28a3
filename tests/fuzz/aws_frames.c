/* Messages do not depend on how the stream is split, nor does failure; memory
 * stays within the cap. The first byte chooses: raw bytes, whose checksums are
 * nearly always wrong, or bytes that are put into messages with right ones, so
 * that what is behind the checksums is reached too. The second chooses the split. */
#include "model/wire/aws_frames.h"

#include "../unit/model/wire/frame.h"
#include "base/mem.h"
#include "base/rng.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX = 300 };

static bool note(void *arg, const struct aws_frame *frame, __attribute__((unused)) struct err *err)
{
	str_addf(arg, "%zu %zu %zu:", frame->name.len, frame->content_type.len, frame->payload.len);
	str_add(arg, frame->name);
	str_add(arg, frame->content_type);
	str_add(arg, frame->payload);
	return true;
}

struct outcome {
	struct str received;
	struct err err;
	bool ok, pending;
};

static void outcome_clear(struct outcome *o)
{
	str_clear(&o->received);
}

/* `rng` NULL: all at once. Each piece lives in memory of its own. */
static void run(struct outcome *o, struct sv in, struct rng *rng)
{
	defer(aws_frames_clear) struct aws_frames frames;

	aws_frames_init(&frames, MAX);
	o->ok = true;
	while (o->ok && in.len > 0) {
		size_t n = rng ? 1 + rng_below(rng, min_of(in.len, (size_t)16)) : in.len;
		defer(mem_freep) char *piece = xmemdup(in.ptr, n);

		o->ok = aws_frames_feed(&frames, sv_from(piece, n), note, &o->received, &o->err);
		in = sv_skip(in, n);
		BUG_ON(frames.pending.len > MAX);
	}
	o->pending = aws_frames_is_pending(&frames);
}

/* Reads messages as: headers' length, payload's length, both; and makes them. */
static void wrap(struct str *out, struct sv in)
{
	while (in.len >= 2) {
		size_t headers = (uint8_t)in.ptr[0], payload = (uint8_t)in.ptr[1];

		in = sv_skip(in, 2);
		frame_raw(out, sv_slice(in, 0, headers), sv_slice(in, headers, headers + payload));
		in = sv_skip(in, headers + payload);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(outcome_clear) struct outcome whole = { .received = STR_INIT };
	defer(outcome_clear) struct outcome split = { .received = STR_INIT };
	defer(str_clear) struct str wrapped = STR_INIT;
	struct rng rng;
	struct sv in;

	if (size < 2)
		return 0;
	rng_seed(&rng, data[1]);
	in = sv_from((const char *)data + 2, size - 2);
	if (data[0] & 1) {
		wrap(&wrapped, in);
		in = sv_of(&wrapped);
	}
	run(&whole, in, NULL);
	run(&split, in, &rng);
	BUG_ON(whole.ok != split.ok);
	BUG_ON(!sv_eq(sv_of(&whole.received), sv_of(&split.received)));
	if (whole.ok)
		BUG_ON(whole.pending != split.pending);
	else
		BUG_ON(strcmp(whole.err.text, split.err.text) != 0);
	return 0;
}

#include "text/sse.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "test.h"

/* What a stream said, as text: "type(id)=data;" for each event. */
static bool note(void *arg, const struct sse_event *event, __attribute__((unused)) struct err *err)
{
	struct str *received = arg;

	str_add(received, event->type);
	str_addc(received, '(');
	str_add(received, event->id);
	str_adds(received, ")=");
	str_add(received, event->data);
	str_addc(received, ';');
	return true;
}

/* Feeds one piece from memory of its own, so that a view kept too long is caught. */
static bool feed_piece(struct sse *sse, struct sv piece, struct str *received, struct err *err)
{
	defer(mem_freep) char *copy = xmemdup(piece.ptr, piece.len);

	return sse_feed(sse, sv_from(copy, piece.len), note, received, err);
}

static bool feed_by_steps(struct sse *sse, struct sv in, size_t step, struct str *received,
			  struct err *err)
{
	for (; in.len > 0; in = sv_skip(in, step))
		if (!feed_piece(sse, sv_slice(in, 0, step), received, err))
			return false;
	return true;
}

/* That `in`, cut in three, says `expected` and leaves something pending or not. */
static void check_cuts(struct sv in, size_t first, size_t second, struct sv expected, bool pending)
{
	defer(sse_clear) struct sse sse;
	defer(str_clear) struct str received = STR_INIT;
	struct err err = ERR_INIT;

	sse_init(&sse, 1000);
	CHECK_OK(feed_piece(&sse, sv_slice(in, 0, first), &received, &err), err);
	CHECK_OK(feed_piece(&sse, sv_slice(in, first, second), &received, &err), err);
	CHECK_OK(feed_piece(&sse, sv_skip(in, second), &received, &err), err);
	CHECK_SV_EQ(sv_of(&received), expected);
	CHECK(sse_is_pending(&sse) == pending);
}

struct stream {
	struct sv in, expected;
	bool pending;
};

static void check_streams(const struct stream *streams, size_t n)
{
	for (const struct stream *s = streams; s < streams + n; s++) {
		defer(sse_clear) struct sse sse;
		defer(str_clear) struct str received = STR_INIT;
		struct err err = ERR_INIT;

		for (size_t first = 0; first <= s->in.len; first++)
			for (size_t second = first; second <= s->in.len; second++)
				check_cuts(s->in, first, second, s->expected, s->pending);
		sse_init(&sse, 1000);
		CHECK_OK(feed_by_steps(&sse, s->in, 1, &received, &err), err);
		CHECK_SV_EQ(sv_of(&received), s->expected);
	}
}

TEST(blank_line_dispatches_an_event_with_data)
{
	static const struct stream streams[] = {
		{ SV_INIT("data: hello\n\n"), SV_INIT("message()=hello;") },
		{ SV_INIT("event: ping\ndata: {}\n\n"), SV_INIT("ping()={};") },
		{ SV_INIT("data: {}\nevent: ping\n\n"), SV_INIT("ping()={};") },
		{ SV_INIT("data:a\n\ndata:b\n\n"), SV_INIT("message()=a;message()=b;") },
		{ SV_INIT("\n\n\ndata:a\n\n\n\n"), SV_INIT("message()=a;") },
		{ SV_INIT("event: ping\n\n"), SV_INIT("") },
		{ SV_INIT("event: ping\n\ndata: a\n\n"), SV_INIT("message()=a;") },
		{ SV_INIT("event: a\nevent: b\ndata\n\n"), SV_INIT("b()=;") },
		{ SV_INIT("event: a\nevent:\ndata\n\n"), SV_INIT("message()=;") },
		{ SV_INIT(""), SV_INIT("") },
	};

	check_streams(streams, countof(streams));
}

TEST(data_lines_are_joined_by_newlines)
{
	static const struct stream streams[] = {
		{ SV_INIT("data: a\ndata: b\n\n"), SV_INIT("message()=a\nb;") },
		{ SV_INIT("data: a\nevent: x\ndata: b\n\n"), SV_INIT("x()=a\nb;") },
		{ SV_INIT("data: a\ndata\ndata: c\n\n"), SV_INIT("message()=a\n\nc;") },
		{ SV_INIT("data\ndata\n\n"), SV_INIT("message()=\n;") },
		{ SV_INIT("data\n\n"), SV_INIT("message()=;") },
		{ SV_INIT("data:\n\n"), SV_INIT("message()=;") },
		{ SV_INIT("data: a\ndata: b\n\ndata\ndata: d\n\n"),
		  SV_INIT("message()=a\nb;message()=\nd;") },
	};

	check_streams(streams, countof(streams));
}

TEST(every_kind_of_line_end_counts_once)
{
	static const struct stream streams[] = {
		{ SV_INIT("data:a\r\rdata:b\r\r"), SV_INIT("message()=a;message()=b;") },
		{ SV_INIT("data:a\r\n\r\ndata:b\r\n\r\n"), SV_INIT("message()=a;message()=b;") },
		{ SV_INIT("data:a\r\ndata:b\r\n\r\n"), SV_INIT("message()=a\nb;") },
		{ SV_INIT("data:a\n\rdata:b\r\n\n"), SV_INIT("message()=a;message()=b;") },
		{ SV_INIT("data:a\r\n\rdata:b\n\r"), SV_INIT("message()=a;message()=b;") },
		{ SV_INIT("\rdata:a\n\n"), SV_INIT("message()=a;") },
		{ SV_INIT("data:a\r\n"), SV_INIT(""), true },
		{ SV_INIT("data:a\r\n\n"), SV_INIT("message()=a;") },
	};

	check_streams(streams, countof(streams));
}

TEST(one_space_after_the_colon_is_dropped)
{
	static const struct stream streams[] = {
		{ SV_INIT("data:test\n\ndata: test\n\n"),
		  SV_INIT("message()=test;message()=test;") },
		{ SV_INIT("data:  two\n\n"), SV_INIT("message()= two;") },
		{ SV_INIT("data:\ttab\n\n"), SV_INIT("message()=\ttab;") },
		{ SV_INIT("data: a: b \n\n"), SV_INIT("message()=a: b ;") },
		{ SV_INIT("data: \n\n"), SV_INIT("message()=;") },
	};

	check_streams(streams, countof(streams));
}

TEST(comments_and_unknown_fields_are_skipped)
{
	static const struct stream streams[] = {
		{ SV_INIT(": ping\n\ndata: a\n\n"), SV_INIT("message()=a;") },
		{ SV_INIT("data: a\n: in between\ndata: b\n\n"), SV_INIT("message()=a\nb;") },
		{ SV_INIT(":\n:data: a\n\n"), SV_INIT("") },
		{ SV_INIT("Data: a\n data: a\ndata : a\ndatas: a\nfoo\n\n"), SV_INIT("") },
		{ SV_INIT("\0\0: a\n\n"), SV_INIT("") },
	};

	check_streams(streams, countof(streams));
}

TEST(last_id_persists_until_replaced)
{
	static const struct stream streams[] = {
		{ SV_INIT("id: 1\ndata: a\n\ndata: b\n\n"), SV_INIT("message(1)=a;message(1)=b;") },
		{ SV_INIT("id: 1\n\ndata: b\n\n"), SV_INIT("message(1)=b;") },
		{ SV_INIT("id: 1\ndata: a\n\nid\ndata: b\n\n"),
		  SV_INIT("message(1)=a;message()=b;") },
		{ SV_INIT("id: 1\nid: x\0y\ndata: a\n\n"), SV_INIT("message(1)=a;") },
	};

	check_streams(streams, countof(streams));
}

TEST(byte_order_mark_is_skipped_only_at_the_start)
{
	static const struct stream streams[] = {
		{ SV_INIT("\xef\xbb\xbf"
			  "data: a\n\n"),
		  SV_INIT("message()=a;") },
		{ SV_INIT("\xef\xbb\xbf\n\n"), SV_INIT("") },
		{ SV_INIT("\xef\xbb\xbf\xef\xbb\xbf"
			  "data: a\n\n"),
		  SV_INIT("") },
		{ SV_INIT("data: a\n\n\xef\xbb\xbf"
			  "data: b\n\n"),
		  SV_INIT("message()=a;") },
		{ SV_INIT("\xef\xbb"), SV_INIT(""), true },
	};

	check_streams(streams, countof(streams));
}

TEST(cut_stream_is_detected_and_drops_its_last_event)
{
	static const struct stream streams[] = {
		{ SV_INIT("data: a\n\ndata: b\n"), SV_INIT("message()=a;"), true },
		{ SV_INIT("data: a\n\nda"), SV_INIT("message()=a;"), true },
		{ SV_INIT("data: a\n\nevent: x\n"), SV_INIT("message()=a;"), true },
		{ SV_INIT("data: a\n\n: half a comm"), SV_INIT("message()=a;"), true },
		{ SV_INIT("data: a\n\n: comment\n"), SV_INIT("message()=a;"), false },
	};

	check_streams(streams, countof(streams));
}

TEST(retry_takes_digits_only)
{
	static const struct {
		struct sv in;
		int64_t expected;
	} cases[] = {
		{ SV_INIT("retry: 2500\n"), 2500 },
		{ SV_INIT("retry:0\n"), 0 },
		{ SV_INIT("retry: 1\nretry: x\nretry: -3\nretry: 4s\nretry:  5\nretry\n"), 1 },
		{ SV_INIT("retry: 99999999999999999999\n"), -1 },
		{ SV_INIT("data: 1\n"), -1 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(sse_clear) struct sse sse;
		struct err err = ERR_INIT;

		sse_init(&sse, 100);
		CHECK_OK(sse_feed(&sse, cases[i].in, note, NULL, &err), err);
		CHECK_INT(sse.retry_ms, cases[i].expected);
	}
}

/* Feeds the same bytes in every split; each must give `kind` (or success). */
static void check_cap(struct sv in, size_t max, enum err_kind kind, const char *part)
{
	for (size_t step = 1; step <= in.len; step++) {
		defer(sse_clear) struct sse sse;
		defer(str_clear) struct str received = STR_INIT;
		struct err err = ERR_INIT;
		bool ok;

		sse_init(&sse, max);
		ok = feed_by_steps(&sse, in, step, &received, &err);
		CHECK(ok == (kind == ERR_NONE));
		if (!ok)
			CHECK_ERR(err, kind, part);
		CHECK(sse.line.len <= max && sse.data.kept.len <= max);
	}
}

TEST(event_over_the_cap_fails_with_its_place_in_every_split)
{
	check_cap(SV("data: 12345\n\n"), 11, ERR_NONE, "");
	check_cap(SV("data: 12345\n\n"), 10, ERR_TOO_BIG,
		  "event exceeds 10 bytes in the line at byte 0");
	check_cap(SV("data: 1\n\ndata: 12345"), 10, ERR_TOO_BIG, "in the line at byte 9");
	check_cap(SV("data: 1\r\ndata: 2\r\n\r\n"), 14, ERR_NONE, "");
	check_cap(SV("data: 1\r\ndata: 2\r\n\r\n"), 13, ERR_TOO_BIG, "in the line at byte 9");
	check_cap(SV("event: 1\ndata: 2\n\n"), 14, ERR_TOO_BIG, "in the line at byte 9");
	check_cap(SV("data:12345\ndata:12345\n"), 10, ERR_TOO_BIG, "in the line at byte 11");
	check_cap(SV(": 34567890\n"), 9, ERR_TOO_BIG, "in the line at byte 0");
}

TEST(cap_applies_to_one_event_not_to_the_stream)
{
	check_cap(SV("data: 1\n\ndata: 2\n\ndata: 3\n\n"), 7, ERR_NONE, "");
	check_cap(SV(": a\n: b\n: c\nfoo\nbar\n: d\n"), 3, ERR_NONE, "");
}

static bool refuse(void *arg, const struct sse_event *event, struct err *err)
{
	int *seen = arg;

	++*seen;
	return err_set(err, ERR_PROTOCOL, "will not have %.*s", SV_ARG(event->data));
}

TEST(failing_callback_ends_the_feed_at_once)
{
	defer(sse_clear) struct sse sse;
	struct err err = ERR_INIT;
	int seen = 0;

	sse_init(&sse, 100);
	CHECK(!sse_feed(&sse, SV("data: a\n\ndata: b\n\n"), refuse, &seen, &err));
	CHECK_ERR(err, ERR_PROTOCOL, "will not have a");
	CHECK_INT(seen, 1);
}

struct window {
	struct sv chunk;
	size_t inside, events;
};

static bool count_views_inside(void *arg, const struct sse_event *event,
			       __attribute__((unused)) struct err *err)
{
	struct window *w = arg;

	w->events++;
	w->inside +=
		event->data.ptr >= w->chunk.ptr && event->data.ptr < w->chunk.ptr + w->chunk.len;
	return true;
}

TEST(event_within_a_chunk_is_not_copied)
{
	struct window w = { .chunk = SV("event: x\ndata: abc\nid: 1\n\ndata: def\r\n\r\n") };
	defer(sse_clear) struct sse sse;
	struct err err = ERR_INIT;

	sse_init(&sse, 100);
	CHECK_OK(sse_feed(&sse, w.chunk, count_views_inside, &w, &err), err);
	CHECK_INT(w.events, 2);
	CHECK_INT(w.inside, 2);
	CHECK(!sse.line.ptr && !sse.data.kept.ptr && !sse.type.kept.ptr);
}

TEST(memory_stays_flat_over_a_long_stream_of_random_splits)
{
	defer(sse_clear) struct sse sse;
	defer(str_clear) struct str text = STR_INIT;
	struct window w = { .chunk = SV_EMPTY };
	struct err err = ERR_INIT;
	struct rng rng;
	size_t at = 0;

	rng_seed(&rng, 7);
	for (int i = 0; i < 20000; i++)
		str_addf(&text, "event: delta\ndata: {\"n\":%d}\ndata: two\n\n", i);
	sse_init(&sse, 1 * KIB);
	while (at < text.len) {
		struct sv piece = sv_slice(sv_of(&text), at, at + 1 + rng_below(&rng, 100));

		CHECK_OK(sse_feed(&sse, piece, count_views_inside, &w, &err), err);
		at += piece.len;
	}
	CHECK_INT(w.events, 20000);
	CHECK(sse.line.cap + sse.data.kept.cap + sse.type.kept.cap + sse.id.cap < 4 * KIB);
}

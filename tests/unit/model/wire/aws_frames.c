#include "model/wire/aws_frames.h"

#include "base/limits.h"
#include "base/mem.h"
#include "model/wire/frame.h"
#include "test.h"

/* What a stream said, as text: "name(content type)=payload;" for each message. */
static bool note(void *arg, const struct aws_frame *frame, __attribute__((unused)) struct err *err)
{
	str_addf(arg, "%.*s(%.*s)=%.*s;", SV_ARG(frame->name), SV_ARG(frame->content_type),
		 SV_ARG(frame->payload));
	return true;
}

/* Feeds `in` in two pieces, or byte by byte when `cut` is beyond it; each piece
 * lives in memory of its own, so that a view kept too long is caught. */
static bool feed(struct aws_frames *frames, struct sv in, size_t cut, struct str *received,
		 struct err *err)
{
	size_t n = cut > in.len ? 1 : cut;

	while (in.len > 0) {
		defer(mem_freep) char *piece = NULL;

		n = min_of(n, in.len);
		piece = xmemdup(in.ptr, n);
		if (!aws_frames_feed(frames, sv_from(piece, n), note, received, err))
			return false;
		in = sv_skip(in, n);
		n = cut > in.len + n ? 1 : in.len;
	}
	return true;
}

/* That `in` says `expected`, however it is split in two, and byte by byte. */
static void check_stream(struct sv in, const char *expected)
{
	for (size_t cut = 0; cut <= in.len + 1; cut++) {
		defer(aws_frames_clear) struct aws_frames frames;
		defer(str_clear) struct str received = STR_INIT;
		struct err err = ERR_INIT;

		aws_frames_init(&frames, 4096);
		CHECK_OK(feed(&frames, in, cut, &received, &err), err);
		CHECK_STR(str_c(&received), expected);
		CHECK(!aws_frames_is_pending(&frames));
	}
}

/* That `in` fails, in the same words however it is split. */
static void check_fails(struct sv in, size_t max, enum err_kind kind, const char *why)
{
	for (size_t cut = 0; cut <= in.len + 1; cut++) {
		defer(aws_frames_clear) struct aws_frames frames;
		defer(str_clear) struct str received = STR_INIT;
		struct err err = ERR_INIT;

		aws_frames_init(&frames, max);
		CHECK(!feed(&frames, in, cut, &received, &err));
		CHECK_ERR(err, kind, why);
	}
}

static void add_two(struct str *out)
{
	frame_add(out, "event", "chunk", SV("{\"bytes\":\"e30=\"}"));
	frame_add(out, "event", "chunk", SV(""));
}

TEST(messages_come_out_whole_however_the_stream_is_split)
{
	defer(str_clear) struct str in = STR_INIT;

	add_two(&in);
	frame_add(&in, "exception", "throttlingException", SV("{\"message\":\"slow down\"}"));
	check_stream(
		sv_of(&in),
		"chunk(application/json)={\"bytes\":\"e30=\"};"
		"chunk(application/json)=;"
		"exception:throttlingException(application/json)={\"message\":\"slow down\"};");
	check_stream(SV(""), "");
}

TEST(an_error_message_has_its_code_for_a_name_and_its_words_for_a_payload)
{
	defer(str_clear) struct str headers = STR_INIT;
	defer(str_clear) struct str in = STR_INIT;

	frame_header(&headers, SV(":message-type"), SV("error"));
	frame_header(&headers, SV(":error-code"), SV("InternalError"));
	frame_header(&headers, SV(":error-message"), SV("it broke"));
	frame_raw(&in, sv_of(&headers), SV(""));
	check_stream(sv_of(&in), "error:InternalError()=it broke;");
}

TEST(headers_of_every_type_are_read_past)
{
	static const struct sv others[] = {
		SV_INIT("\1a\0"),
		SV_INIT("\1a\1"),
		SV_INIT("\1a\2\xff"),
		SV_INIT("\1a\3\1\2"),
		SV_INIT("\1a\4\1\2\3\4"),
		SV_INIT("\1a\5\1\2\3\4\5\6\7\10"),
		SV_INIT("\1a\6\0\3xyz"),
		SV_INIT("\1a\7\0\0"),
		SV_INIT("\1a\10\1\2\3\4\5\6\7\10"),
		SV_INIT("\1a\t0123456789abcdef"),
	};
	defer(str_clear) struct str headers = STR_INIT;
	defer(str_clear) struct str in = STR_INIT;

	frame_header(&headers, SV(":event-type"), SV("chunk"));
	for (size_t i = 0; i < countof(others); i++)
		str_add(&headers, others[i]);
	frame_header(&headers, SV(":message-type"), SV("event"));
	frame_raw(&in, sv_of(&headers), SV("!"));
	check_stream(sv_of(&in), "chunk()=!;");
}

/* From the test data of Amazon's own libraries: their checksums are accepted, so
 * what is left to complain of is that they say not what they are. */
TEST(the_checksums_of_published_messages_are_right)
{
	static const struct sv messages[] = {
		SV_INIT("\x00\x00\x00\x10\x00\x00\x00\x00\x05\xc2\x48\xeb\x7d\x98\xc8\xff"),
		SV_INIT("\x00\x00\x00\x1d\x00\x00\x00\x00\xfd\x52\x8c\x5a"
			"{'foo':'bar'}\xc3\x65\x39\x36"),
		SV_INIT("\x00\x00\x00\x3d\x00\x00\x00\x20\x07\xfd\x83\x96\x0c"
			"content-type\x07\x00\x10"
			"application/json{'foo':'bar'}\x8d\x9c\x08\xb1"),
	};

	for (size_t i = 0; i < countof(messages); i++)
		check_fails(messages[i], 4096, ERR_PARSE, "not an event, exception or error");
}

TEST(a_stream_cut_anywhere_inside_a_message_is_pending)
{
	defer(str_clear) struct str in = STR_INIT;
	size_t first;

	frame_add(&in, "event", "chunk", SV("one"));
	first = in.len;
	frame_add(&in, "event", "chunk", SV("two"));
	for (size_t n = 0; n <= in.len; n++) {
		defer(aws_frames_clear) struct aws_frames frames;
		defer(str_clear) struct str received = STR_INIT;
		struct err err = ERR_INIT;

		aws_frames_init(&frames, 4096);
		CHECK_OK(feed(&frames, sv_slice(sv_of(&in), 0, n), n, &received, &err), err);
		CHECK(aws_frames_is_pending(&frames) == (n != 0 && n != first && n != in.len));
		CHECK_INT(received.len > 0, n >= first);
	}
}

TEST(every_single_wrong_byte_is_noticed)
{
	defer(str_clear) struct str in = STR_INIT;

	frame_add(&in, "event", "chunk", SV("{\"bytes\":\"aGVsbG8=\"}"));
	for (size_t at = 0; at < in.len; at++) {
		for (int flip = 1; flip < 256; flip++) {
			defer(aws_frames_clear) struct aws_frames frames;
			defer(str_clear) struct str received = STR_INIT;
			struct err err = ERR_INIT;

			aws_frames_init(&frames, 4096);
			in.ptr[at] ^= (char)flip;
			CHECK(!feed(&frames, sv_of(&in), flip == 1 ? SIZE_MAX : in.len, &received,
				    &err));
			CHECK_ERR(err, ERR_PARSE, "checksum");
			CHECK_INT(received.len, 0);
			in.ptr[at] ^= (char)flip;
		}
	}
}

TEST(a_failure_names_the_byte_at_which_its_message_begins)
{
	defer(str_clear) struct str in = STR_INIT;
	char where[32];

	add_two(&in);
	snprintf(where, sizeof(where), "at byte %zu", in.len);
	frame_add(&in, "event", "chunk", SV("x"));
	in.ptr[in.len - 1] ^= 1;
	check_fails(sv_of(&in), 4096, ERR_PARSE, where);
}

TEST(malformed_headers_are_refused_even_with_right_checksums)
{
	static const struct sv headers[] = {
		SV_INIT("\0"),           /* no name */
		SV_INIT("\5abc"),        /* a name that goes on past the end */
		SV_INIT("\1a"),          /* no type */
		SV_INIT("\1a\n"),        /* a type that does not exist */
		SV_INIT("\1a\xff"),      /* nor does this */
		SV_INIT("\1a\2"),        /* a byte that is not there */
		SV_INIT("\1a\5\1\2\3"),  /* half a number */
		SV_INIT("\1a\7"),        /* a string without a length */
		SV_INIT("\1a\7\0"),      /* with half of one */
		SV_INIT("\1a\7\0\4abc"), /* that is too short */
		SV_INIT("\1a\6\377\377"),
		SV_INIT("\1a\t0123456789"),
	};

	for (size_t i = 0; i < countof(headers); i++) {
		defer(str_clear) struct str in = STR_INIT;

		frame_raw(&in, headers[i], SV("payload"));
		check_fails(sv_of(&in), 4096, ERR_PARSE, "malformed headers");
	}
}

/* A prelude alone, its checksum right. */
static void add_prelude(struct str *out, uint32_t total, uint32_t headers)
{
	size_t at = out->len;

	frame_u32(out, total);
	frame_u32(out, headers);
	frame_u32(out, crc32_add(0, sv_skip(sv_of(out), at)));
}

TEST(lengths_that_cannot_be_are_refused_before_anything_else_has_come)
{
	static const uint32_t lengths[][2] = {
		{ 0, 0 },    { 15, 0 },           { 16, 1 },
		{ 100, 85 }, { 100, UINT32_MAX }, { 300 * 1024, LIMIT_AWS_HEADERS + 1 },
	};

	for (size_t i = 0; i < countof(lengths); i++) {
		defer(str_clear) struct str in = STR_INIT;

		add_prelude(&in, lengths[i][0], lengths[i][1]);
		check_fails(sv_of(&in), LIMIT_SSE_EVENT, ERR_PARSE, "inconsistent lengths");
	}
}

TEST(a_message_may_be_as_long_as_the_cap_and_no_longer)
{
	defer(str_clear) struct str in = STR_INIT;
	defer(aws_frames_clear) struct aws_frames frames;
	defer(str_clear) struct str received = STR_INIT;
	struct err err = ERR_INIT;

	frame_add(&in, "event", "chunk", SV("payload"));
	aws_frames_init(&frames, in.len);
	CHECK_OK(feed(&frames, sv_of(&in), in.len, &received, &err), err);
	check_fails(sv_of(&in), in.len - 1, ERR_TOO_BIG, "exceeds the limit");
	str_truncate(&in, 0);
	add_prelude(&in, UINT32_MAX, 0);
	check_fails(sv_of(&in), LIMIT_SSE_EVENT, ERR_TOO_BIG, "4294967295 bytes");
}

static bool refuse(void *arg, __attribute__((unused)) const struct aws_frame *frame,
		   struct err *err)
{
	++*(int *)arg;
	return err_set(err, ERR_PROTOCOL, "enough");
}

TEST(the_reader_of_messages_can_end_the_feed)
{
	defer(aws_frames_clear) struct aws_frames frames;
	defer(str_clear) struct str in = STR_INIT;
	struct err err = ERR_INIT;
	int calls = 0;

	add_two(&in);
	aws_frames_init(&frames, 4096);
	CHECK(!aws_frames_feed(&frames, sv_of(&in), refuse, &calls, &err));
	CHECK_ERR(err, ERR_PROTOCOL, "enough");
	CHECK_INT(calls, 1);
}

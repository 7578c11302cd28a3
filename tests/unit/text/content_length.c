#include "text/content_length.h"

#include "test.h"

static bool take(void *arg, struct sv body)
{
	struct str *all = arg;

	str_addf(all, "[%.*s]", SV_ARG(body));
	return true;
}

TEST(messages_come_whole_however_the_stream_is_split)
{
	struct sv text = SV("Content-Length: 2\r\n\r\n{}content-length:3\r\nX: y\r\n\r\nabc"
			    "Content-Length: 0\r\n\r\n");

	for (size_t at = 0; at <= text.len; at++) {
		struct content_length c = { .in = STR_INIT };
		defer(str_clear) struct str all = STR_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(content_length_feed(&c, sv_slice(text, 0, at), 100, take, &all, &err),
			 err);
		CHECK_OK(content_length_feed(&c, sv_skip(text, at), 100, take, &all, &err), err);
		CHECK_SV_EQ(sv_of(&all), SV("[{}][abc][]"));
		content_length_clear(&c);
	}
}

TEST(frames_that_make_no_sense_end_the_stream)
{
	static const char *const bad[] = {
		"Content-Length: 101\r\n\r\n",
		"Content-Length: -1\r\n\r\n",
		"Content-Length: 99999999999999\r\n\r\n",
		"Content-Length:\r\n\r\n",
		"Content-Length: 2x\r\n\r\n",
		"X: 2\r\n\r\n",
		"\r\n\r\n",
	};

	for (size_t i = 0; i < countof(bad); i++) {
		struct content_length c = { .in = STR_INIT };
		defer(str_clear) struct str all = STR_INIT;
		struct err err = ERR_INIT;

		CHECK(!content_length_feed(&c, sv_cstr(bad[i]), 100, take, &all, &err));
		CHECK_INT(err.kind, ERR_PROTOCOL);
		content_length_clear(&c);
	}
}

TEST(headers_without_an_end_are_not_kept_for_ever)
{
	struct content_length c = { .in = STR_INIT };
	defer(str_clear) struct str all = STR_INIT, text = STR_INIT;
	struct err err = ERR_INIT;

	for (int i = 0; i < 5000; i++)
		str_addc(&text, 'x');
	CHECK(!content_length_feed(&c, sv_of(&text), 100, take, &all, &err));
	content_length_clear(&c);
}

TEST(what_is_written_can_be_read)
{
	struct content_length c = { .in = STR_INIT };
	defer(str_clear) struct str all = STR_INIT, text = STR_INIT;
	struct err err = ERR_INIT;

	content_length_write(&text, SV("{\"a\":1}"));
	CHECK_OK(content_length_feed(&c, sv_of(&text), 100, take, &all, &err), err);
	CHECK_SV_EQ(sv_of(&all), SV("[{\"a\":1}]"));
	content_length_clear(&c);
}

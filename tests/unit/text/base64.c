#include "text/base64.h"

#include "base/mem.h"
#include "test.h"

/* RFC 4648, section 10, and what only one of the alphabets has. */
static const struct {
	struct sv bytes, std, url;
} pairs[] = {
	{ SV_INIT(""), SV_INIT(""), SV_INIT("") },
	{ SV_INIT("f"), SV_INIT("Zg=="), SV_INIT("Zg") },
	{ SV_INIT("fo"), SV_INIT("Zm8="), SV_INIT("Zm8") },
	{ SV_INIT("foo"), SV_INIT("Zm9v"), SV_INIT("Zm9v") },
	{ SV_INIT("foob"), SV_INIT("Zm9vYg=="), SV_INIT("Zm9vYg") },
	{ SV_INIT("fooba"), SV_INIT("Zm9vYmE="), SV_INIT("Zm9vYmE") },
	{ SV_INIT("foobar"), SV_INIT("Zm9vYmFy"), SV_INIT("Zm9vYmFy") },
	{ SV_INIT("\xfb\xff\xfe"), SV_INIT("+//+"), SV_INIT("-__-") },
	{ SV_INIT("\0\0"), SV_INIT("AAA="), SV_INIT("AAA") },
};

static void check_decodes(struct sv text, enum base64_kind kind, struct sv expected)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;

	str_adds(&out, "before ");
	CHECK_OK(base64_decode(&out, text, kind, &err), err);
	CHECK_SV_EQ(sv_skip(sv_of(&out), 7), expected);
	CHECK_INT(out.ptr[out.len], 0);
}

static void check_refused(struct sv text, enum base64_kind kind, const char *why)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;

	str_adds(&out, "before");
	CHECK(!base64_decode(&out, text, kind, &err));
	CHECK_ERR(err, ERR_PARSE, why);
	CHECK_SV(sv_of(&out), "before");
	CHECK_STR(out.ptr, "before");
}

TEST(base64_matches_the_examples_of_the_standard)
{
	for (size_t i = 0; i < countof(pairs); i++) {
		defer(str_clear) struct str std = STR_INIT;
		defer(str_clear) struct str url = STR_INIT;

		base64_encode(&std, pairs[i].bytes, BASE64_STD);
		CHECK_SV_EQ(sv_of(&std), pairs[i].std);
		base64_encode(&url, pairs[i].bytes, BASE64_URL);
		CHECK_SV_EQ(sv_of(&url), pairs[i].url);
		check_decodes(pairs[i].std, BASE64_STD, pairs[i].bytes);
		check_decodes(pairs[i].url, BASE64_URL, pairs[i].bytes);
	}
}

TEST(base64_decode_reports_the_error_position_and_keeps_the_output)
{
	check_refused(SV("Zm9v Zm9v"), BASE64_STD, "outside the alphabet at byte 4");
	check_refused(SV("Zm9vZm9\n"), BASE64_STD, "outside the alphabet at byte 7");
	check_refused(SV("Zm9-"), BASE64_STD, "outside the alphabet at byte 3");
	check_refused(SV("Zm9+"), BASE64_URL, "outside the alphabet at byte 3");
	check_refused(SV("Z=9v"), BASE64_STD, "outside the alphabet at byte 1");
	check_refused(SV("===="), BASE64_STD, "outside the alphabet at byte 0");
	check_refused(SV("Zm9\xff"), BASE64_STD, "outside the alphabet at byte 3");
	check_refused(SV("Zg="), BASE64_STD, "outside the alphabet at byte 2");
	check_refused(SV("Zg"), BASE64_STD, "wrong padding at byte 2");
	check_refused(SV("Zm9vY"), BASE64_STD, "wrong padding at byte 5");
	check_refused(SV("Zm9vY"), BASE64_URL, "wrong padding at byte 5");
	check_refused(SV("Zg=="), BASE64_URL, "outside the alphabet at byte 2");
	check_refused(SV("Zh=="), BASE64_STD, "nonzero padding bits at byte 1");
	check_refused(SV("Zm9="), BASE64_STD, "nonzero padding bits at byte 2");
	check_refused(SV("Zm9vZm9"), BASE64_URL, "nonzero padding bits at byte 6");
}

/* Every text of two to four characters that decodes at all is the one that its
 * bytes encode to: so there are no two spellings of anything. */
TEST(base64_accepts_only_one_encoding_of_any_bytes)
{
	size_t accepted = 0;

	for (int a = 0; a < 256; a++) {
		for (int b = 0; b < 256; b++) {
			defer(str_clear) struct str bytes = STR_INIT;
			defer(str_clear) struct str again = STR_INIT;
			char text[] = { (char)a, (char)b, '=', '=' };
			struct err err;

			if (!base64_decode(&bytes, sv_from(text, 4), BASE64_STD, &err))
				continue;
			accepted++;
			base64_encode(&again, sv_of(&bytes), BASE64_STD);
			CHECK_SV_EQ(sv_of(&again), sv_from(text, 4));
		}
	}
	CHECK_INT(accepted, 256);
}

TEST(base64_round_trips_bytes_of_every_length)
{
	char bytes[70];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 151);
	for (size_t n = 0; n <= sizeof(bytes); n++) {
		for (enum base64_kind kind = BASE64_STD; kind <= BASE64_URL; kind++) {
			defer(str_clear) struct str text = STR_INIT;
			defer(mem_freep) char *exact = NULL;

			base64_encode(&text, sv_from(bytes, n), kind);
			exact = xmemdup(str_c(&text), text.len); /* reading on is caught */
			check_decodes(sv_from(exact, text.len), kind, sv_from(bytes, n));
		}
	}
}

#include "text/json/json_halves.h"

#include "test.h"
#include "text/json/json.h"

#define HIGH  "\xed\xa0\xbd" /* \ud83d */
#define LOW   "\xed\xb8\x80" /* \ude00 */
#define SMILE "\xf0\x9f\x98\x80"
#define BAD   "\xef\xbf\xbd"

/* The pieces are separated by "|". */
static const struct {
	const char *pieces, *joined;
} texts[] = {
	{ "plain|text", "plaintext" },
	{ "a" HIGH "|" LOW "b", "a" SMILE "b" },
	{ "a" HIGH "||" LOW "b", "a" SMILE "b" },
	{ HIGH LOW HIGH "|" LOW, SMILE SMILE },
	{ "a" HIGH "|b", "a" BAD "b" },
	{ "a|" LOW "b", "a" BAD "b" },
	{ HIGH "|" HIGH "|" LOW, BAD SMILE },
	{ LOW HIGH, BAD BAD },
	{ "a" HIGH, "a" BAD },
	{ "\xed\x95\x9c|\xea\xb8\x80", "\xed\x95\x9c\xea\xb8\x80" }, /* Korean, not surrogates */
};

TEST(halves_of_characters_are_joined_across_pieces)
{
	for (size_t i = 0; i < countof(texts); i++) {
		defer(json_halves_clear) struct json_halves halves = JSON_HALVES_INIT;
		defer(str_clear) struct str out = STR_INIT;
		struct sv rest = sv_cstr(texts[i].pieces), piece;

		while (sv_cut(&rest, '|', &piece))
			str_add(&out, json_halves_feed(&halves, piece));
		str_add(&out, json_halves_end(&halves));
		str_add(&out, json_halves_end(&halves));
		CHECK_STR(str_c(&out), texts[i].joined);
	}
}

TEST(a_text_without_halves_is_not_copied)
{
	defer(json_halves_clear) struct json_halves halves = JSON_HALVES_INIT;
	struct sv text = SV("caf\xc3\xa9 \xed\x95\x9c");

	CHECK(json_halves_feed(&halves, text).ptr == text.ptr);
}

TEST(lone_surrogates_are_kept_only_on_request)
{
	static const struct {
		const char *json, *kept, *replaced;
	} cases[] = {
		{ "\"a\\ud83d\"", "a" HIGH, "a" BAD },
		{ "\"\\ude00\\\\u\"", LOW "\\u", BAD "\\u" },
		{ "\"\\uD83D\\uDE00\\ud83d\"", SMILE HIGH, SMILE BAD },
		{ "\"\\ud83d\\n\"", HIGH "\n", BAD "\n" },
		{ "\"\\\\ud83d\"", "\\ud83d", "\\ud83d" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err = ERR_INIT;
		struct sv text = sv_cstr(cases[i].json);
		defer(json_doc_freep) struct json_doc *kept =
			json_parse(text, JSON_KEEP_HALVES, &err);
		defer(json_doc_freep) struct json_doc *replaced = json_parse(text, 0, &err);

		CHECK_SV_EQ(json_str_or(json_root(kept), SV_EMPTY), sv_cstr(cases[i].kept));
		CHECK_SV_EQ(json_str_or(json_root(replaced), SV_EMPTY), sv_cstr(cases[i].replaced));
	}
}

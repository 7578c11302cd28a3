#include "front/words.h"

#include "test.h"

TEST(nothing_that_a_terminal_obeys_is_shown)
{
	static const struct {
		struct sv text, shown;
	} cases[] = {
		{ SV_INIT("plain\ttext\n"), SV_INIT("plain\ttext\n") },
		{ SV_INIT("\x1b[2J"), SV_INIT("\\x1b[2J") },
		{ SV_INIT("a\rb\x07\x7f\0"), SV_INIT("a\\x0db\\x07\\x7f\\x00") },
		{ SV_INIT("\xc2\x9b"
			  "31m"),
		  SV_INIT("\\u{9b}31m") },
		{ SV_INIT("rm \xe2\x80\xae"
			  "fr-"),
		  SV_INIT("rm \\u{202e}fr-") },
		{ SV_INIT("\xe2\x81\xa7"), SV_INIT("\\u{2067}") },
		{ SV_INIT("na\xc3\xafve \xe2\x82\xac"), SV_INIT("na\xc3\xafve \xe2\x82\xac") },
		{ SV_INIT("\xff\xc3"), SV_INIT("\\xff\\xc3") },
		{ SV_INIT("a\xe2\x80\x8dz"), SV_INIT("a\xe2\x80\x8dz") },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		words_add(&out, cases[i].text);
		CHECK_SV_EQ(sv_of(&out), cases[i].shown);
	}
}

TEST(one_line_is_one_line_however_long_the_text)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "short", "short" },
		{ "  trimmed\n", "trimmed" },
		{ "first\nsecond", "first ..." },
		{ "0123456789", "0123456789" },
		{ "0123456789a", "0123456789..." },
		{ "\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0",
		  "\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0\xe4\xbd\xa0..." },
		{ "", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		words_add_line(&out, sv_cstr(cases[i].text), 10);
		CHECK_STR(str_c(&out), cases[i].shown);
	}
}

TEST(a_call_is_told_by_what_it_is_about)
{
	static const struct {
		const char *tool, *input, *line;
	} cases[] = {
		{ "Read", "{\"file_path\":\"/w/src/x.c\"}", "Read src/x.c" },
		{ "Read", "{\"file_path\":\"/project/x.c\"}", "Read /project/x.c" },
		{ "Read", "{\"file_path\":\"/w\"}", "Read /w" },
		{ "Bash", "{\"description\":\"d\",\"command\":\"make test\"}", "Bash make test" },
		{ "Bash", "{\"command\":\"a\\nb\"}", "Bash a ..." },
		{ "Grep", "{\"path\":\"/w/src\",\"pattern\":\"x+\"}", "Grep x+" },
		{ "TodoWrite", "{\"todos\":[]}", "TodoWrite" },
		{ "Odd", "{\"command\":3}", "Odd" },
		{ "E\x1bvil", "{\"url\":\"\\u001b[2J\"}", "E\\x1bvil \\x1b[2J" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(cases[i].input), 0, &err);

		CHECK_OK(doc != NULL, err);
		words_add_call(&out, sv_cstr(cases[i].tool), json_root(doc), SV("/w"));
		CHECK_STR(str_c(&out), cases[i].line);
	}
}

TEST(waits_and_notices_are_told_and_other_events_are_not)
{
	static const struct {
		const char *subtype, *json, *text;
	} cases[] = {
		{ "api_retry",
		  "{\"attempt\":2,\"max_retries\":10,\"retry_delay_ms\":1500,"
		  "\"error\":\"overloaded\",\"awl_text\":\"the service is overloaded\"}",
		  "the service is overloaded; trying again in 1.5 s (attempt 2 of 10)" },
		{ "awl_stall", "{\"silent_ms\":30000,\"limit_ms\":90000}",
		  "nothing has come for 30 s; giving up after 90 s" },
		{ "model_fallback", "{\"content\":\"going on with m\"}", "going on with m" },
		{ "informational", "{\"content\":\"a note\"}", "a note" },
		{ "init", "{}", NULL },
		{ "awl_transition", "{\"content\":\"x\"}", NULL },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(cases[i].json), 0, &err);

		CHECK_OK(doc != NULL, err);
		CHECK(words_add_notice(&out, cases[i].subtype, json_root(doc)) ==
		      (cases[i].text != NULL));
		CHECK_STR(str_c(&out), cases[i].text ? cases[i].text : "");
	}
}

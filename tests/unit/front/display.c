#include "front/display.h"

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

		display_text(&out, cases[i].text);
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

		display_line(&out, sv_cstr(cases[i].text), 10);
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
		{ "Grep", "{\"path\":\"/w/src\",\"pattern\":\"x+\"}", "Grep x+ in src" },
		{ "Grep", "{\"pattern\":\"x+\"}", "Grep x+" },
		{ "mine", "{\"n\":1,\"b\":[2]}", "mine {\"n\":1,\"b\":[2]}" },
		{ "TodoWrite", "{\"todos\":[]}", "TodoWrite" },
		{ "Odd", "{\"command\":3}", "Odd {\"command\":3}" },
		{ "E\x1bvil", "{\"url\":\"\\u001b[2J\"}", "E\\x1bvil \\x1b[2J" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(cases[i].input), 0, &err);

		CHECK_OK(doc != NULL, err);
		display_call(&out, sv_cstr(cases[i].tool), json_root(doc), SV("/w"));
		CHECK_STR(str_c(&out), cases[i].line);
	}
}

TEST(waits_and_notices_are_shown_and_other_events_are_not)
{
	static const struct {
		struct event event;
		const char *text;
	} cases[] = {
		{ { .kind = EVENT_RETRY,
		    .retry = { .attempt = 2,
			       .max = 10,
			       .delay_ms = 1500,
			       .error = SV_INIT("overloaded"),
			       .text = SV_INIT("the service is overloaded") } },
		  "the service is overloaded; retrying in 1.5 s (attempt 2 of 10)" },
		{ { .kind = EVENT_RETRY, .retry = { 1, 3, 0, 0, SV_INIT("network"), { 0 } } },
		  "network; retrying in 0.0 s (attempt 1 of 3)" },
		{ { .kind = EVENT_RETRY, .retry = { .attempt = 1, .max = 3 } },
		  "the request failed; retrying in 0.0 s (attempt 1 of 3)" },
		{ { .kind = EVENT_RETRY,
		    .retry = { 1, 3, 4320000, 429, SV_INIT("rate_limit"), SV_INIT("too many") } },
		  "too many; retrying in 1 h 12 min (attempt 1 of 3)" },
		{ { .kind = EVENT_STALL, .stall = { 30000, 90000 } },
		  "no data for 30 s; giving up after 90 s" },
		{ { .kind = EVENT_FALLBACK, .fallback = { .text = SV_INIT("going on with m") } },
		  "going on with m" },
		{ { .kind = EVENT_INFORMATIONAL, .info = { .text = SV_INIT("a \x1b note ") } },
		  "a \\x1b note" },
		{ { .kind = EVENT_RATE_LIMIT,
		    .rate_limit = { .status = "allowed_warning",
				    .type = "five_hour",
				    .utilization = 0.91,
				    .resets_at = 1794734408 } },
		  "91% of your 5-hour limit is used; it resets at 2026-11-15 09:20 UTC" },
		{ { .kind = EVENT_RATE_LIMIT,
		    .rate_limit = { .status = "allowed_warning", .utilization = -1 } },
		  "your usage limit is nearly used up" },
		{ { .kind = EVENT_RATE_LIMIT, .rate_limit = { .status = "allowed" } }, NULL },
		{ { .kind = EVENT_INIT }, NULL },
		{ { .kind = EVENT_TRANSITION }, NULL },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		CHECK(display_notice(&out, &cases[i].event) == (cases[i].text != NULL));
		CHECK_STR(str_c(&out), cases[i].text ? cases[i].text : "");
	}
}

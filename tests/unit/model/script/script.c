#include "model/script/script.h"

#include "base/limits.h"
#include "base/mem.h"
#include "test.h"

/* --- a parsed script as text --------------------------------------------- */

static void describe_checks(struct str *out, const char *word, const struct script_check *checks,
			    size_t n)
{
	for (size_t i = 0; i < n; i++)
		str_addf(out, " %s<%d %d%s %.*s|%.*s|%.*s>", word, (int)checks[i].about,
			 (int)checks[i].test, checks[i].negated ? " not" : "",
			 SV_ARG(checks[i].header), SV_ARG(checks[i].text),
			 SV_ARG(checks[i].source));
}

static void describe_steps(struct str *out, const struct script_reply *r)
{
	for (size_t i = 0; i < r->steps.n; i++) {
		const struct script_step *s = &r->steps.at[i];

		str_addf(out, " (%d", (int)s->kind);
		if (s->name.len)
			str_addf(out, " %.*s", SV_ARG(s->name));
		if (s->text.len)
			str_addf(out, " '%.*s'", SV_ARG(s->text));
		if (s->times != 1)
			str_addf(out, " x%zu", s->times);
		if (s->ms)
			str_addf(out, " %lldms", (long long)s->ms);
		str_adds(out, ")");
	}
}

static void describe_reply(struct str *out, const struct script_reply *r)
{
	str_addf(out, "%zu: %d%s%s uses %lld", r->line, r->status, r->fails ? " fails" : "",
		 r->otherwise ? " otherwise" : "", (long long)r->uses);
	if (r->pace)
		str_addf(out, " pace %lld", (long long)r->pace);
	describe_checks(out, "when", r->when.at, r->when.n);
	describe_checks(out, "expect", r->expect.at, r->expect.n);
	for (size_t i = 0; i < r->headers.n; i++)
		str_addf(out, " [%.*s=%.*s]", SV_ARG(r->headers.at[i].name),
			 SV_ARG(r->headers.at[i].value));
	describe_steps(out, r);
	if (r->usage.given)
		str_addf(out, " usage %lld %lld %lld %lld %lld", (long long)r->usage.input,
			 (long long)r->usage.output, (long long)r->usage.cache_read,
			 (long long)r->usage.cache_write, (long long)r->usage.cache_write_1h);
	if (r->stop.len)
		str_addf(out, " stop %.*s", SV_ARG(r->stop));
	for (size_t i = 0; i < r->faults.splits.n; i++)
		str_addf(out, " split@%zu", r->faults.splits.at[i]);
	if (r->faults.split_every)
		str_addf(out, " every %zu", r->faults.split_every);
	if (r->faults.split_pause)
		str_addf(out, " pause %lld", (long long)r->faults.split_pause);
	if (r->faults.end_at != SIZE_MAX)
		str_addf(out, " %s@%zu", r->faults.end_by_reset ? "reset" : "cut",
			 r->faults.end_at);
	str_addc(out, '\n');
}

static void check_script(const char *text, const char *expected, int line)
{
	struct err err = ERR_INIT;
	defer(script_freep) struct script *s = script_parse(sv_cstr(text), "t", &err);
	defer(str_clear) struct str out = STR_INIT;

	test_check_ok(s != NULL, &err, "script_parse", __FILE__, line);
	for (size_t i = 0; i < s->replies.n; i++)
		describe_reply(&out, &s->replies.at[i]);
	test_check_sv(sv_of(&out), sv_cstr(expected), __FILE__, line);
}

#define CHECK_SCRIPT(text, expected) check_script(text, expected, __LINE__)

TEST(a_script_of_nothing_has_no_replies)
{
	CHECK_SCRIPT("", "");
	CHECK_SCRIPT("\n# only words\n\n   # and more\n", "");
}

TEST(what_a_model_says_is_read_in_order)
{
	CHECK_SCRIPT("reply\n"
		     "  thinking \"Let me look.\"\n"
		     "\ttext \"I'll read \\\"it\\\":\\n\\ttab \\\\ \\xe2\\x82\\xac\"\n"
		     "  tool Read {\"file_path\": \"README.md\"}\n"
		     "  usage input=1200 output=30 cache_read=5 cache_write=6 cache_write_1h=7\n"
		     "  stop max_tokens\n",
		     "1: 200 uses 1 (1 c2NyaXB0ZWQ= 'Let me look.') "
		     "(0 'I'll read \"it\":\n\ttab \\ \xe2\x82\xac') "
		     "(2 Read '{\"file_path\": \"README.md\"}') usage 1200 30 5 6 7 stop "
		     "max_tokens\n");
	CHECK_SCRIPT("reply\n text word\n text \"ab\" times 3\n thinking x signature \"s g\"\n",
		     "1: 200 uses 1 (0 'word') (0 'ab' x3) (1 s g 'x')\n");
	CHECK_SCRIPT("reply\n tool Bad \"{no json\"\n block {\"type\": \"x\"}\n"
		     " event ping {\"type\": \"ping\"}\n event - \"a\\nb\"\n"
		     " error overloaded_error \"too much\"\n error api_error\n",
		     "1: 200 uses 1 (2 Bad '{no json') (3 '{\"type\": \"x\"}') "
		     "(4 ping '{\"type\": \"ping\"}') (4 - 'a\nb') (5 overloaded_error 'too much') "
		     "(5 api_error 'api_error')\n");
}

TEST(a_block_of_lines_loses_the_indentation_of_its_end)
{
	CHECK_SCRIPT("reply\n  text <<END\n    one\n\n  two\n     \n  END\n  text \"next\"\n",
		     "1: 200 uses 1 (0 '  one\n\ntwo\n   ') (0 'next')\n");
	CHECK_SCRIPT("reply\n  text <<E\n  E\n  tool W <<JSON\n  {\"a\":\n   1}\n  JSON\n",
		     "1: 200 uses 1 (0) (2 W '{\"a\":\n 1}')\n");
	CHECK_SCRIPT("reply\r\n  text <<END\r\n  a\r\n  b\r\n  END\r\n",
		     "1: 200 uses 1 (0 'a\nb')\n");
}

TEST(failures_have_a_status_a_type_a_text_and_headers)
{
	CHECK_SCRIPT("fail 529 overloaded_error \"Overloaded\"\n"
		     "fail 429 rate_limit_error retry-after=2 x-should-retry=\"true\" repeat 3\n"
		     "  header a:  b: c \n"
		     "  delay 2s\n",
		     "1: 529 fails uses 1 (5 overloaded_error 'Overloaded')\n"
		     "2: 429 fails uses 3 [retry-after=2] [x-should-retry=true] [a=b: c] "
		     "(5 rate_limit_error 'rate_limit_error') (9 2000ms)\n");
}

TEST(replies_say_when_and_how_often_they_are_used)
{
	CHECK_SCRIPT("reply repeat 2\nreply forever\nreply otherwise\n",
		     "1: 200 uses 2\n2: 200 uses -1\n3: 200 otherwise uses -1\n");
	CHECK_SCRIPT("reply when tool_result contains \"error\" and no prompt forever\n",
		     "1: 200 uses -1 when<7 1 |error|tool_result contains \"error\"> "
		     "when<5 0 not ||no prompt>\n");
	CHECK_SCRIPT("reply when header x-a is not b and tools not contains Bash\n",
		     "1: 200 uses 1 when<2 2 not x-a|b|header x-a is not b> "
		     "when<6 1 not |Bash|tools not contains Bash>\n");
}

TEST(expectations_are_conditions)
{
	CHECK_SCRIPT("reply\n expect model is claude-x\n expect request contains <<E\n  a b\n  E\n"
		     " expect result_of\n expect path is \"/v1/messages\"\n expect no tool_error\n"
		     " expect system contains you\n",
		     "1: 200 uses 1 expect<3 2 |claude-x|model is claude-x> "
		     "expect<0 1 |a b|request contains <<E> expect<9 0 ||result_of> "
		     "expect<1 2 |/v1/messages|path is \"/v1/messages\"> "
		     "expect<8 0 not ||no tool_error> expect<4 1 |you|system contains you>\n");
}

TEST(faults_are_read)
{
	CHECK_SCRIPT("reply\n split 7 20\n split 21\n reset after 9 bytes\n",
		     "1: 200 uses 1 split@7 split@20 split@21 reset@9\n");
	CHECK_SCRIPT("reply\n split every 1 pause 5ms\n cut after 0\n",
		     "1: 200 uses 1 every 1 pause 5 cut@0\n");
	CHECK_SCRIPT("reply\n begin\n stall forever\n stall 2m\n reset\n cut\n"
		     " raw \"<html>\" times 2\n garbage \"\\x01\\xff\"\n status 503\n",
		     "1: 503 uses 1 (8) (9 -1ms) (9 120000ms) (11) (10) (6 '<html>' x2) "
		     "(7 '\x01\xff')\n");
}

TEST(a_pace_holds_for_the_replies_after_it)
{
	CHECK_SCRIPT("pace 20ms\nreply\nreply\n pace 0ms\npace 1s\nreply\n",
		     "2: 200 uses 1 pace 20\n3: 200 uses 1\n6: 200 uses 1 pace 1000\n");
}

TEST(a_script_may_name_models)
{
	struct err err = ERR_INIT;
	defer(script_freep) struct script *s =
		script_parse(SV("model claude-a\nmodel \"b c\"\n"), "t", &err);

	CHECK_OK(s != NULL, err);
	CHECK_INT(s->models.n, 2);
	CHECK_SV(s->models.at[1], "b c");
}

TEST(a_mistake_is_told_with_its_line_and_what_was_perhaps_meant)
{
	static const struct {
		const char *text, *where, *what;
	} cases[] = {
		{ "repyl\n", "t:1: ", "'repyl' is not understood; did you mean 'reply'?" },
		{ "reply\n\n# c\n  txet \"x\"\n", "t:4: ", "did you mean 'text'?" },
		{ "  text \"x\"\n", "t:1: ", "no reply precedes it" },
		{ "pace 1s\n  text \"x\"\n", "t:2: ", "no reply precedes it" },
		{ "reply\n  text\n", "t:2: ", "the text is missing" },
		{ "reply\n  text \"x\n", "t:2: ", "must end on its line" },
		{ "reply\n  text \"x\\q\"\n", "t:2: ", "backslash" },
		{ "reply\n  text \"x\\x4\"\n", "t:2: ", "backslash" },
		{ "reply\n  text \"x\\", "t:2: ", "backslash" },
		{ "reply\n  text \"x\" y\n", "t:2: ", "'y' is not understood here" },
		{ "reply\n  text <<END\n  x\n", "t:2: ", "no line is 'END'" },
		{ "reply\n  text <<\n  x\n", "t:2: ", "must be followed by the word" },
		{ "reply\n  text <<A B\n", "t:2: ", "must be followed by the word" },
		{ "reply\n  text <<END\n  x\n y\n  END\n", "t:4: ", "indented less" },
		{ "reply\n  text x times 0\n", "t:2: ", "0 times" },
		{ "reply\n  text xxxxx times 99999999\n", "t:2: ", "cannot be repeated" },
		{ "reply\n  tool\n", "t:2: ", "name of the tool" },
		{ "reply\n  tool X\n", "t:2: ", "JSON object is missing" },
		{ "reply\n  tool X {\"a\"}\n", "t:2: ", "not a JSON object: line 1, column 5" },
		{ "reply\n  tool X [1]\n", "t:2: ", "another value" },
		{ "reply\n  tool X <<E\n  {\n  E\n", "t:2: ", "not a JSON object" },
		{ "reply\n  block \"{}\"x\n", "t:2: ", "'x' is not understood here" },
		{ "reply\n  usage input\n", "t:2: ", "input=N" },
		{ "reply\n  usage input=x\n", "t:2: ", "must be a number" },
		{ "reply\n  usage puts=1\n", "t:2: ", "input=N" },
		{ "reply\n  usage input=9999999999999999999\n", "t:2: ", "must be a number" },
		{ "reply\n  delay 5\n", "t:2: ", "'5' is not a duration" },
		{ "reply\n  delay s\n", "t:2: ", "is not a duration" },
		{ "reply\n  delay 25h\n", "t:2: ", "is not a duration" },
		{ "reply\n  delay 1441m\n", "t:2: ", "is not a duration" },
		{ "reply\n  split\n", "t:2: ", "split every 7" },
		{ "reply\n  split every\n", "t:2: ", "split every 7" },
		{ "reply\n  split every 1 2\n", "t:2: ", "split every 7" },
		{ "reply\n  split 0\n", "t:2: ", "ascending" },
		{ "reply\n  split every 0\n", "t:2: ", "ascending" },
		{ "reply\n  split 7 7\n", "t:2: ", "ascending" },
		{ "reply\n  reset after x\n", "t:2: ", "number of bytes" },
		{ "reply\n  status 99\n", "t:2: ", "200 to 599" },
		{ "reply\n  header a\n", "t:2: ", "name: value" },
		{ "reply\n  header a b: c\n", "t:2: ", "not a valid header" },
		{ "reply\n  header Content-Length: 3\n", "t:2: ", "the server sets itself" },
		{ "reply\n  expect\n", "t:2: ", "is not part of a request" },
		{ "reply\n  expect tool is x\n", "t:2: ", "did you mean 'tools'?" },
		{ "reply\n  expect prompt not is x\n", "t:2: ", "followed by 'contains'" },
		{ "reply\n  expect no prompt is x\n", "t:2: ", "followed by a subject only" },
		{ "reply\n  expect header\n", "t:2: ", "name of the header" },
		{ "reply\n  expect prompt contains\n", "t:2: ", "compare with" },
		{ "reply whenever\n", "t:1: ", "'whenever' is not understood" },
		{ "reply x=y\n", "t:1: ", "'x' is not understood" },
		{ "reply repeat\n", "t:1: ", "number of times" },
		{ "reply otherwise when prompt\n", "t:1: ", "exclude each other" },
		{ "fail\n", "t:1: ", "the status" },
		{ "fail 600 x\n", "t:1: ", "the status" },
		{ "fail 500\n", "t:1: ", "type of the error" },
		{ "fail 500 x a=\"b\\nc\"\n", "t:1: ", "not a valid header" },
		{ "model\n", "t:1: ", "name of the model" },
		{ "reply\n text \"\xff\"\n", "t:2: ", "not UTF-8" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err = ERR_INIT;

		CHECK(!script_parse(sv_cstr(cases[i].text), "t", &err));
		CHECK_ERR(err, ERR_PARSE, cases[i].where);
		CHECK_ERR(err, ERR_PARSE, cases[i].what);
	}
}

TEST(a_script_over_a_cap_is_refused)
{
	defer(mem_freep) char *blank = xmalloc(LIMIT_SCRIPT + 1);
	defer(str_clear) struct str many = STR_INIT;
	struct err err = ERR_INIT;

	memset(blank, '\n', LIMIT_SCRIPT + 1);
	CHECK(!script_parse(sv_from(blank, LIMIT_SCRIPT + 1), "t", &err));
	CHECK_ERR(err, ERR_TOO_BIG, "longer than 4 MiB");
	for (size_t i = 0; i <= LIMIT_SCRIPT_REPLIES; i++)
		str_adds(&many, "reply\n");
	CHECK(!script_parse(sv_of(&many), "t", &err));
	CHECK_ERR(err, ERR_PARSE, "t:4097: there are more than 4096 replies");
}

TEST(a_script_cut_anywhere_is_read_or_refused_with_a_line)
{
	static const struct sv text =
		SV_INIT("pace 5ms\nreply when prompt contains \"x\" and tools\n"
			"  text <<END\n    a\n  END\n  tool R {\"a\": 1}\n"
			"  usage input=1\n  split every 3 pause 1ms\n"
			"fail 429 slow retry-after=1 repeat 2\n");

	for (size_t n = 0; n <= text.len; n++) {
		struct err err = ERR_INIT;
		defer(script_freep) struct script *s =
			script_parse(sv_slice(text, 0, n), "t", &err);

		if (!s)
			CHECK_ERR(err, ERR_PARSE, "t:");
	}
}

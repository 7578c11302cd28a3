#include "text/json/json_write.h"

#include <float.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "json_random.h"
#include "test.h"

static struct json_doc *parsed(struct sv text)
{
	struct err err = ERR_INIT;
	struct json_doc *doc = json_parse(text, 0, &err);

	CHECK_OK(doc != NULL, err);
	return doc;
}

static void write_message(struct jw *w)
{
	jw_object(w);
	jw_put_str(w, "type", SV("user"));
	jw_put_array(w, "ids");
	jw_int(w, 1);
	jw_object(w);
	jw_end(w);
	jw_array(w);
	jw_end(w);
	jw_end(w);
	jw_put_object(w, "o");
	jw_put_bool(w, "yes", true);
	jw_put_null(w, "none");
	jw_put_real(w, "half", 0.5);
	jw_put_uint(w, "most", UINT64_MAX);
	jw_put_int(w, "least", INT64_MIN);
	jw_put_strf(w, "f", "%d\"%s", 7, "x");
	jw_put_raw(w, "raw", SV("[ 1.50 ]"));
	jw_end(w);
	jw_end(w);
	jw_done(w);
}

TEST(jw_writes_compact_messages)
{
	defer(str_clear) struct str out = STR_INIT;
	struct jw w;

	jw_init(&w, &out, JW_COMPACT);
	write_message(&w);
	CHECK_SV(sv_of(&out),
		 "{\"type\":\"user\",\"ids\":[1,{},[]],\"o\":{\"yes\":true,\"none\":null,"
		 "\"half\":0.5,\"most\":18446744073709551615,\"least\":-9223372036854775808,"
		 "\"f\":\"7\\\"x\",\"raw\":[ 1.50 ]}}");
}

TEST(jw_indents_by_two_spaces_when_asked)
{
	defer(str_clear) struct str out = STR_INIT;
	struct jw w;

	jw_init(&w, &out, JW_PRETTY);
	write_message(&w);
	CHECK_SV(sv_of(&out), "{\n"
			      "  \"type\": \"user\",\n"
			      "  \"ids\": [\n"
			      "    1,\n"
			      "    {},\n"
			      "    []\n"
			      "  ],\n"
			      "  \"o\": {\n"
			      "    \"yes\": true,\n"
			      "    \"none\": null,\n"
			      "    \"half\": 0.5,\n"
			      "    \"most\": 18446744073709551615,\n"
			      "    \"least\": -9223372036854775808,\n"
			      "    \"f\": \"7\\\"x\",\n"
			      "    \"raw\": [ 1.50 ]\n"
			      "  }\n"
			      "}");
}

TEST(jw_escapes_only_what_needs_it)
{
	static const struct {
		struct sv text, json;
	} cases[] = {
		{ SV_INIT(""), SV_INIT("\"\"") },
		{ SV_INIT("a/b<>&'\x7f"), SV_INIT("\"a/b<>&'\x7f\"") },
		{ SV_INIT("\"\\"), SV_INIT("\"\\\"\\\\\"") },
		{ SV_INIT("\b\f\n\r\t"), SV_INIT("\"\\b\\f\\n\\r\\t\"") },
		{ SV_INIT("\0\x01\x1f"), SV_INIT("\"\\u0000\\u0001\\u001f\"") },
		{ SV_INIT("\xe2\x80\xa8\xe2\x80\xa9"), SV_INIT("\"\xe2\x80\xa8\xe2\x80\xa9\"") },
		{ SV_INIT("\xf0\x9f\x98\x80"), SV_INIT("\"\xf0\x9f\x98\x80\"") },
		{ SV_INIT("a\xff"
			  "b\xc3"),
		  SV_INIT("\"a\xef\xbf\xbd"
			  "b\xef\xbf\xbd\"") },
		{ SV_INIT("\xed\xa0\x80"), SV_INIT("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"") },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;
		struct jw w;

		jw_init(&w, &out, JW_COMPACT);
		jw_str(&w, cases[i].text);
		CHECK_SV_EQ(sv_of(&out), cases[i].json);
	}
}

/* Every byte at every place in a word, as key and as value. */
TEST(jw_strings_read_back_unchanged_with_any_byte_at_any_place)
{
	for (int byte = 0; byte < 256; byte++) {
		for (size_t at = 0; at < 20; at++) {
			char text[20] = "abcdefghijklmnopqrst";
			struct sv given = { text, sizeof(text) };
			defer(str_clear) struct str out = STR_INIT, expected = STR_INIT;
			defer(json_doc_freep) struct json_doc *doc = NULL;
			struct jw w;

			text[at] = (char)byte;
			utf8_repair(&expected, given);
			jw_init(&w, &out, JW_COMPACT);
			jw_object(&w);
			jw_key(&w, given);
			jw_str(&w, given);
			jw_end(&w);
			doc = parsed(sv_of(&out));
			CHECK_SV_EQ(json_str_or(json_get_sv(json_root(doc), sv_of(&expected)),
						SV_EMPTY),
				    sv_of(&expected));
		}
	}
}

static void real_text(struct str *out, double x)
{
	struct jw w;

	str_truncate(out, 0);
	jw_init(&w, out, JW_COMPACT);
	jw_real(&w, x);
}

TEST(jw_real_is_short_and_never_infinite)
{
	static const struct {
		double x;
		struct sv json;
	} cases[] = {
		{ 0, SV_INIT("0") },
		{ 3, SV_INIT("3") },
		{ 0.1, SV_INIT("0.1") },
		{ 1.0 / 3, SV_INIT("0.3333333333333333") },
		{ -2.5, SV_INIT("-2.5") },
		{ 1e21, SV_INIT("1e+21") },
		{ 5e-324, SV_INIT("4.94065645841247e-324") },
		{ INFINITY, SV_INIT("null") },
		{ -INFINITY, SV_INIT("null") },
		{ NAN, SV_INIT("null") },
	};
	defer(str_clear) struct str out = STR_INIT;

	for (size_t i = 0; i < countof(cases); i++) {
		real_text(&out, cases[i].x);
		CHECK_SV_EQ(sv_of(&out), cases[i].json);
	}
}

TEST(jw_real_reads_back_as_the_same_double)
{
	defer(str_clear) struct str out = STR_INIT;
	struct rng r;

	rng_seed(&r, 1);
	for (int i = 0; i < 20000; i++) {
		defer(json_doc_freep) struct json_doc *doc = NULL;
		uint64_t bits = rng_next(&r);
		double x, back = 0;

		memcpy(&x, &bits, sizeof(x));
		if (!isfinite(x))
			continue;
		real_text(&out, x);
		doc = parsed(sv_of(&out));
		CHECK(json_real(json_root(doc), &back));
		CHECK(back == x);
	}
}

TEST(jw_value_round_trips_random_documents)
{
	struct rng r;

	rng_seed(&r, 2);
	for (int i = 0; i < 3000; i++) {
		defer(str_clear) struct str text = STR_INIT, once = STR_INIT, twice = STR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL, *again = NULL;
		struct jw w;

		json_random(&text, &r, 5);
		doc = parsed(sv_of(&text));
		jw_init(&w, &once, i % 2 ? JW_PRETTY : JW_COMPACT);
		jw_value(&w, json_root(doc));
		jw_done(&w);
		again = parsed(sv_of(&once));
		CHECK(json_equal(json_root(doc), json_root(again)));
		jw_init(&w, &twice, i % 2 ? JW_PRETTY : JW_COMPACT);
		jw_value(&w, json_root(again));
		CHECK_SV_EQ(sv_of(&twice), sv_of(&once));
	}
}

TEST(jw_value_keeps_raw_numbers_order_and_repeated_keys)
{
	struct sv text = SV("{\"b\":1.50,\"a\":[1E3,-0],\"b\":12345678901234567890123}");
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, JSON_RAW_NUMBERS, &err);
	struct jw w;

	jw_init(&w, &out, JW_COMPACT);
	jw_value(&w, json_root(doc));
	CHECK_SV_EQ(sv_of(&out), text);
}

TEST(jw_value_of_missing_is_null)
{
	defer(str_clear) struct str out = STR_INIT;
	struct jw w;

	jw_init(&w, &out, JW_COMPACT);
	jw_object(&w);
	jw_put_value(&w, "a", json_root(NULL));
	jw_end(&w);
	CHECK_SV(sv_of(&out), "{\"a\":null}");
}

TEST(jw_has_room_around_the_deepest_value)
{
	defer(str_clear) struct str text = STR_INIT, out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct jw w;

	for (int i = 0; i < LIMIT_JSON_DEPTH; i++)
		str_addc(&text, '[');
	for (int i = 0; i < LIMIT_JSON_DEPTH; i++)
		str_addc(&text, ']');
	doc = parsed(sv_of(&text));
	jw_init(&w, &out, JW_COMPACT);
	jw_object(&w);
	jw_put_value(&w, "deep", json_root(doc));
	jw_end(&w);
	jw_done(&w);
	CHECK_INT(out.len, text.len + strlen("{\"deep\":}"));
}

/* Misuse ends the program, so each case runs in a child of its own. */
static void end_nothing(struct jw *w)
{
	jw_end(w);
}

static void value_without_key(struct jw *w)
{
	jw_object(w);
	jw_int(w, 1);
}

static void key_in_array(struct jw *w)
{
	jw_array(w);
	jw_key(w, SV("a"));
}

static void key_at_root(struct jw *w)
{
	jw_key(w, SV("a"));
}

static void key_after_key(struct jw *w)
{
	jw_object(w);
	jw_key(w, SV("a"));
	jw_key(w, SV("b"));
}

static void end_after_key(struct jw *w)
{
	jw_object(w);
	jw_key(w, SV("a"));
	jw_end(w);
}

static void two_roots(struct jw *w)
{
	jw_null(w);
	jw_null(w);
}

static void left_open(struct jw *w)
{
	jw_array(w);
	jw_done(w);
}

static void nothing_at_all(struct jw *w)
{
	jw_done(w);
}

static void empty_raw(struct jw *w)
{
	jw_raw(w, SV_EMPTY);
}

static void too_deep(struct jw *w)
{
	for (int i = 0; i <= JW_DEPTH; i++)
		jw_array(w);
}

TEST(jw_misuse_is_a_bug)
{
	static void (*const misuses[])(struct jw *) = {
		end_nothing,    value_without_key, key_in_array, key_at_root,
		key_after_key,  end_after_key,     two_roots,    left_open,
		nothing_at_all, empty_raw,         too_deep,
	};

	for (size_t i = 0; i < countof(misuses); i++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0) {
			struct str out = STR_INIT;
			struct jw w;

			close(STDERR_FILENO);
			jw_init(&w, &out, JW_COMPACT);
			misuses[i](&w);
			_exit(0);
		}
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	}
}

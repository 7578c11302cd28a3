#include "model/wire/tool_input.h"

#include "base/mem.h"
#include "test.h"
#include "text/json/json.h"

/* Feeds the text in pieces of `first` and then `step` bytes; `out` gets what is
 * passed on. What was passed on is never taken back. */
static enum tool_input_end read_input(struct str *out, struct sv text, size_t first, size_t step,
				      bool cut)
{
	defer(tool_input_clear) struct tool_input input = TOOL_INPUT_INIT;
	struct err err = ERR_INIT;
	size_t n = first;

	for (; text.len > 0; text = sv_skip(text, n), n = step) {
		defer(mem_freep) char *piece = xmemdup(text.ptr, min_of(n, text.len));
		struct sv passed;

		CHECK_OK(
			tool_input_feed(&input, sv_from(piece, min_of(n, text.len)), &passed, &err),
			err);
		str_add(out, passed);
	}
	return tool_input_end(&input, cut, out);
}

static const struct {
	struct sv in;
	enum tool_input_end end;
	struct sv out;
} cases[] = {
	{ SV_INIT(""), TOOL_INPUT_SOUND, SV_INIT("") },
	{ SV_INIT(" \n"), TOOL_INPUT_SOUND, SV_INIT(" \n") },
	{ SV_INIT("{\"a\" : [1, 2]} "), TOOL_INPUT_SOUND, SV_INIT("{\"a\" : [1, 2]} ") },
	{ SV_INIT("[1]"), TOOL_INPUT_SOUND, SV_INIT("[1]") }, /* an object or not is not for us */
	{ SV_INIT("{\"a\":1,}"), TOOL_INPUT_MENDED, SV_INIT("{\"a\":1}") },
	{ SV_INIT("{\"a\":1 , \n}"), TOOL_INPUT_MENDED, SV_INIT("{\"a\":1 }") },
	{ SV_INIT("{\"a\":[1,2,],\"b\":{\"c\":\",}\",},}"), TOOL_INPUT_MENDED,
	  SV_INIT("{\"a\":[1,2],\"b\":{\"c\":\",}\"}}") },
	{ SV_INIT("{\"a\":\"x\ty\r\nz\"}"), TOOL_INPUT_MENDED,
	  SV_INIT("{\"a\":\"x\\ty\\r\\nz\"}") },
	{ SV_INIT("{\"a\":[{\"b\":\"c\"}"), TOOL_INPUT_MENDED, SV_INIT("{\"a\":[{\"b\":\"c\"}]}") },
	{ SV_INIT("{\"a\":\"b\" "), TOOL_INPUT_MENDED, SV_INIT("{\"a\":\"b\" }") },
	/* Not certain, so left alone: */
	{ SV_INIT("{"), TOOL_INPUT_MALFORMED, SV_INIT("{") },
	{ SV_INIT("{\"a\":1,"), TOOL_INPUT_MALFORMED, SV_INIT("{\"a\":1,") },
	{ SV_INIT("{\"a\":12"), TOOL_INPUT_MALFORMED, SV_INIT("{\"a\":12") },
	{ SV_INIT("{\"a\":\"b"), TOOL_INPUT_MALFORMED, SV_INIT("{\"a\":\"b") },
	{ SV_INIT("{\"a\":"), TOOL_INPUT_MALFORMED, SV_INIT("{\"a\":") },
	{ SV_INIT("{,}"), TOOL_INPUT_MALFORMED, SV_INIT("{,}") },
	{ SV_INIT("{\"a\":1,,}"), TOOL_INPUT_MALFORMED, SV_INIT("{\"a\":1,,}") },
	{ SV_INIT("{\"a\":1,}}"), TOOL_INPUT_MALFORMED, SV_INIT("{\"a\":1,}}") },
	{ SV_INIT("{\"a\":1} {\"b\":2}"), TOOL_INPUT_MALFORMED, SV_INIT("{\"a\":1} {\"b\":2}") },
	{ SV_INIT("{'a':1}"), TOOL_INPUT_MALFORMED, SV_INIT("{'a':1}") },
	{ SV_INIT("{\"a\":\"\\x\"}"), TOOL_INPUT_MALFORMED, SV_INIT("{\"a\":\"\\x\"}") },
	{ SV_INIT("{\"a\":\"\\\n\"}"), TOOL_INPUT_MALFORMED, SV_INIT("{\"a\":\"\\\n\"}") },
	{ SV_INIT("[1,"), TOOL_INPUT_MALFORMED, SV_INIT("[1,") },
	{ SV_INIT("ls -l"), TOOL_INPUT_MALFORMED, SV_INIT("ls -l") },
};

TEST(inputs_are_passed_on_and_mended_the_same_for_every_split)
{
	for (size_t i = 0; i < countof(cases); i++) {
		for (size_t cut = 0; cut <= cases[i].in.len; cut++) {
			defer(str_clear) struct str out = STR_INIT;
			enum tool_input_end end;

			end = read_input(&out, cases[i].in, cut ? cut : 1,
					 cut ? cases[i].in.len : 1, false);
			CHECK_SV_EQ(sv_of(&out), cases[i].out);
			CHECK_INT(end, cases[i].end);
		}
	}
}

/* A sound text cut anywhere is sound, or mended into an object that is a beginning
 * of it, or passed on as it is. */
TEST(an_input_cut_at_any_byte_is_never_given_words_of_ours)
{
	struct sv text = SV("{\"path\": \"a\\n\\u00e9b\", \"lines\": [1, 2.5e3, {\"x\": null}], "
			    "\"ok\": true} ");

	for (size_t cut = 0; cut <= text.len; cut++) {
		defer(str_clear) struct str out = STR_INIT, stopped = STR_INIT;
		struct sv start = sv_slice(text, 0, cut);
		struct err err = ERR_INIT;

		if (read_input(&out, start, 1, 1, false) == TOOL_INPUT_MENDED) {
			defer(json_doc_freep) struct json_doc *doc =
				json_parse(sv_of(&out), 0, &err);

			CHECK_OK(json_is(json_root(doc), JSON_OBJECT), err);
			CHECK(sv_starts(sv_of(&out), start));
		} else {
			CHECK_SV_EQ(sv_of(&out), start);
		}
		CHECK(read_input(&stopped, start, 1, 1, true) != TOOL_INPUT_MENDED);
		CHECK_SV_EQ(sv_of(&stopped), start);
	}
}

TEST(what_is_no_json_has_a_cap)
{
	defer(tool_input_clear) struct tool_input input = TOOL_INPUT_INIT;
	defer(str_clear) struct str junk = STR_INIT;
	struct err err = ERR_INIT;
	struct sv out;
	size_t fed = 0;

	while (junk.len < MIB)
		str_adds(&junk, "junk");
	while (tool_input_feed(&input, sv_of(&junk), &out, &err)) {
		CHECK_INT(out.len, 0);
		fed += junk.len;
		CHECK(fed <= LIMIT_JSON_DOC);
	}
	CHECK_ERR(err, ERR_TOO_BIG, "not valid JSON");
}

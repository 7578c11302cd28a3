#include "model/wire/think_tags.h"

#include "model/wire/openai.h"

/* Thinking goes into square brackets; "^" stands where the text so far turned out to be thinking. */
static bool on_part(void *arg, enum think_kind kind, struct sv text,
		    __attribute__((unused)) struct err *err)
{
	struct str *out = arg;

	if (kind == THINK_WAS_THINKING)
		str_addc(out, '^');
	for (size_t i = 0; i < text.len; i++)
		str_addf(out, kind == THINK_THINKING ? "[%c]" : "%c", text.ptr[i]);
	return true;
}

static void check_text(const char *in, const char *expected)
{
	struct sv text = sv_cstr(in);

	for (size_t cut = 0; cut <= text.len; cut++) {
		defer(think_tags_clear) struct think_tags t = THINK_TAGS_INIT;
		defer(str_clear) struct str out = STR_INIT;
		struct err err = ERR_INIT;
		struct sv rest = text;

		for (size_t n = cut ? cut : 1; rest.len > 0; n = cut ? text.len : 1) {
			CHECK(think_tags_feed(&t, sv_slice(rest, 0, n), on_part, &out, &err));
			rest = sv_skip(rest, n);
		}
		CHECK(think_tags_end(&t, on_part, &out, &err));
		CHECK_STR(str_c(&out), expected);
	}
}

TEST(thinking_between_tags_is_found_however_it_is_split)
{
	check_text("<think>ab</think>c", "[a][b]c");
	check_text("\n<think>\na b\n</think>\n\nc\n", "[a][ ][b]c\n");
	check_text("<think></think>c", "c");
	check_text("<think>\n\n</think>\n\nc", "c");
	check_text("<think>a<b</think>c</think>", "[a][<][b]c</think>");
	check_text("<think>a", "[a]"); /* cut */
	check_text("<think>a</thi", "[a][<][/][t][h][i]");
}

TEST(a_tool_call_ends_thinking)
{
	check_text("<think>a\n<tool_call>\n{}", "[a]<tool_call>\n{}");
	check_text("<think>a<|tool_call_begin|>b", "[a]<|tool_call_begin|>b");
	check_text("<think>a <tool_call> b</think>c",
		   "[a][ ][<][t][o][o][l][_][c][a][l][l][>][ ][b]c");
}

TEST(a_closing_tag_alone_says_that_the_text_before_it_was_thinking)
{
	check_text("ab\n</think>\n\nc", "ab\n^c");
	check_text("ab</think>c</think>", "ab^c</think>");
	check_text("</think>c", "^c");
}

TEST(tags_in_code_and_elsewhere_stay_text)
{
	check_text("", "");
	check_text("  ", "  ");
	check_text("<thin", "<thin");
	check_text("a < b", "a < b");
	check_text("a <think>b", "a <think>b");
	check_text("`</think>` ends it", "`</think>` ends it");
	check_text("```\n</think>\n```\n", "```\n</think>\n```\n");
	check_text("a </thinking> b", "a </thinking> b");
}

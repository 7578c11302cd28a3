#include "proto/message.h"

#include "test.h"

static void check_block(const char *expected, struct sv text)
{
	defer(str_clear) struct str out = STR_INIT;

	block_text(&out, text);
	CHECK_STR(str_c(&out), expected);
}

TEST(a_text_block_holds_any_bytes_as_valid_json)
{
	check_block("{\"type\":\"text\",\"text\":\"hi\"}", SV("hi"));
	check_block("{\"type\":\"text\",\"text\":\"\"}", SV_EMPTY);
	check_block("{\"type\":\"text\",\"text\":\"\\\"\\\\\\n]}\"}", SV("\"\\\n]}"));
	check_block("{\"type\":\"text\",\"text\":\"a\xef\xbf\xbd\\u0000\"}", SV("a\xff\0"));
}

static void check_result(const char *expected, struct block_result result)
{
	defer(str_clear) struct str out = STR_INIT;

	block_tool_result(&out, &result);
	CHECK_STR(str_c(&out), expected);
}

TEST(a_tool_result_is_text_or_blocks_and_says_when_it_is_an_error)
{
	check_result("{\"tool_use_id\":\"t\",\"type\":\"tool_result\",\"content\":\"fine\"}",
		     (struct block_result){ .id = SV("t"), .text = SV("fine") });
	check_result("{\"tool_use_id\":\"t\",\"type\":\"tool_result\",\"content\":\"bad\","
		     "\"is_error\":true}",
		     (struct block_result){ .id = SV("t"), .text = SV("bad"), .is_error = true });
	check_result("{\"tool_use_id\":\"t\",\"type\":\"tool_result\",\"content\":[{\"a\":1}]}",
		     (struct block_result){
			     .id = SV("t"), .text = SV("not"), .blocks = SV("[{\"a\":1}]") });
	check_result("{\"tool_use_id\":\"\\\"\",\"type\":\"tool_result\",\"content\":\"\"}",
		     (struct block_result){ .id = SV("\"") });
}

TEST(blocks_are_added_at_the_end_of_a_message)
{
	defer(str_clear) struct str m = STR_INIT;

	message_open(&m, "user", SV("1"));
	CHECK_STR(str_c(&m), "{\"role\":\"user\",\"content\":[1]}");
	message_add(&m, SV("{\"a\":[2]}"));
	message_add(&m, SV("3,4"));
	CHECK_STR(str_c(&m), "{\"role\":\"user\",\"content\":[1,{\"a\":[2]},3,4]}");
}

TEST(the_first_block_of_an_empty_message_has_no_comma)
{
	defer(str_clear) struct str m = STR_INIT;

	message_open(&m, "assistant", SV_EMPTY);
	CHECK_STR(str_c(&m), "{\"role\":\"assistant\",\"content\":[]}");
	message_add(&m, SV("1"));
	message_add(&m, SV("2"));
	CHECK_STR(str_c(&m), "{\"role\":\"assistant\",\"content\":[1,2]}");
}

/* A block that looks like the end, or like the beginning, of a list. */
TEST(what_stands_in_a_block_does_not_confuse_the_message)
{
	static const struct sv texts[] = { SV_INIT("]}"), SV_INIT("["), SV_INIT(","),
					   SV_INIT("\"content\":[") };

	for (size_t i = 0; i < countof(texts); i++) {
		defer(str_clear) struct str m = STR_INIT, block = STR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL;
		struct err err = ERR_INIT;

		block_text(&block, texts[i]);
		message_open(&m, "user", sv_of(&block));
		message_add(&m, sv_of(&block));
		message_add(&m, sv_of(&block));
		doc = json_parse(sv_of(&m), 0, &err);
		CHECK_OK(doc != NULL, err);
		CHECK_INT(json_len(json_get(json_root(doc), "content")), 3);
		CHECK_SV_EQ(json_str_or(json_path(json_root(doc), "content[2].text"), SV_EMPTY),
			    texts[i]);
	}
}

TEST(words_in_place_of_an_answer_are_marked_as_such)
{
	defer(str_clear) struct str m = STR_INIT;

	message_synthetic(&m, SV("no \"x\""), SV("id"), true);
	CHECK_STR(str_c(&m),
		  "{\"id\":\"id\",\"type\":\"message\",\"role\":\"assistant\","
		  "\"model\":\"<synthetic>\",\"content\":[{\"type\":\"text\","
		  "\"text\":\"no \\\"x\\\"\"}],\"stop_reason\":\"stop_sequence\","
		  "\"stop_sequence\":\"\",\"usage\":{\"input_tokens\":0,\"output_tokens\":0}}");
	str_truncate(&m, 0);
	message_synthetic(&m, SV("yes"), SV("id"), false);
	CHECK(strstr(str_c(&m), "\"stop_reason\":\"end_turn\",\"stop_sequence\":null") != NULL);
}

/* A `content` value: what its blocks are, how many, and what its text is. */
static const struct {
	const char *content, *blocks;
	size_t n;
	const char *text;
} contents[] = {
	{ "\"hi\"", "{\"type\":\"text\",\"text\":\"hi\"}", 1, "hi" },
	{ "\"\"", "{\"type\":\"text\",\"text\":\"\"}", 1, "" },
	{ "[]", "", 0, "" },
	{ "null", "", 0, "" },
	{ "7", "", 0, "" },
	{ "[{\"type\":\"text\",\"text\":\"a\"}]", "{\"type\":\"text\",\"text\":\"a\"}", 1, "a" },
	{ "[ {\"type\":\"text\",\"text\":\"a\"}, {\"type\":\"image\",\"x\":1.50},"
	  " {\"type\":\"text\",\"text\":\"b\"} ]",
	  "{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\",\"x\":1.5},"
	  "{\"type\":\"text\",\"text\":\"b\"}",
	  3, "a\n\nb" },
	{ "[{\"text\":\"no type\"},{\"type\":\"text\"},{\"type\":\"text\",\"text\":7}]",
	  "{\"text\":\"no type\"},{\"type\":\"text\"},{\"type\":\"text\",\"text\":7}", 3, "" },
	{ "[{\"type\":\"text\"},{\"type\":\"text\",\"text\":\"b\"}]",
	  "{\"type\":\"text\"},{\"type\":\"text\",\"text\":\"b\"}", 2, "b" },
	{ "[{\"type\":\"tool_result\",\"content\":[{\"type\":\"text\",\"text\":\"inner\"}]}]",
	  "{\"type\":\"tool_result\",\"content\":[{\"type\":\"text\",\"text\":\"inner\"}]}", 1,
	  "" },
};

TEST(content_is_a_text_or_a_list_of_blocks)
{
	for (size_t i = 0; i < countof(contents); i++) {
		defer(str_clear) struct str blocks = STR_INIT, text = STR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL;
		struct err err = ERR_INIT;

		doc = json_parse(sv_cstr(contents[i].content), 0, &err);
		CHECK_OK(doc != NULL, err);
		CHECK_INT(content_blocks(&blocks, json_root(doc)), contents[i].n);
		CHECK_STR(str_c(&blocks), contents[i].blocks);
		content_text(&text, json_root(doc));
		CHECK_STR(str_c(&text), contents[i].text);
	}
}

TEST(content_that_is_missing_has_neither_blocks_nor_text)
{
	defer(str_clear) struct str out = STR_INIT;

	CHECK_INT(content_blocks(&out, json_root(NULL)), 0);
	content_text(&out, json_root(NULL));
	CHECK_INT(out.len, 0);
}

TEST(a_stream_that_is_cut_off_gets_the_end_that_a_whole_one_has)
{
	defer(str_clear) struct str out = STR_INIT;

	stream_write_block_stop(&out, 2);
	stream_write_delta(&out, 7);
	stream_write_stop(&out);
	CHECK_STR(str_c(&out), "{\"type\":\"content_block_stop\",\"index\":2}"
			       "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":null,"
			       "\"stop_sequence\":null},\"usage\":{\"output_tokens\":7}}"
			       "{\"type\":\"message_stop\"}");
}

TEST(what_is_not_text_is_kept_of_a_prompt)
{
	defer(str_clear) struct str out = STR_INIT;

	blocks_add_media(&out, SV("{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\"},"
				  "{\"type\":\"text\",\"text\":\"b\"},{\"type\":\"document\"}"));
	CHECK_STR(str_c(&out), ",{\"type\":\"image\"},{\"type\":\"document\"}");
	str_truncate(&out, 0);
	blocks_add_media(&out, SV("{\"type\":\"text\",\"text\":\"a\"}"));
	blocks_add_media(&out, SV(""));
	CHECK_INT(out.len, 0);
}

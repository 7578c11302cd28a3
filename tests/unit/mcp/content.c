#include "mcp/content.h"

#include "base/mem.h"
#include "test.h"

static const struct tool_session session = { .root = "/" };

/* What the model gets of this result. */
static void take(struct tool_call *call, struct tool_context *ctx, const char *result, size_t max)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(result), 0, &err);

	CHECK_OK(doc != NULL, err);
	*ctx = (struct tool_context){ .session = &session, .has_vision = true };
	*call = (struct tool_call){ .ctx = ctx, .id = SV("toolu_1") };
	mcp_content_take(call, SV("srv"), json_root(doc), max);
}

TEST(texts_are_joined_and_errors_are_marked)
{
	struct tool_context ctx;
	struct tool_call call;

	take(&call, &ctx,
	     "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\","
	     "\"text\":\"b\"}]}",
	     0);
	CHECK_STR(str_c(&call.result.text), "a\nb");
	CHECK(call.result.is_error && !call.result.blocks.len);
	tool_result_clear(&call.result);
}

TEST(structured_content_replaces_text_but_not_an_error)
{
	struct tool_context ctx;
	struct tool_call call;

	take(&call, &ctx,
	     "{\"structuredContent\":{\"n\":1},\"content\":[{\"type\":\"text\",\"text\":\"one\"}]}",
	     0);
	CHECK_STR(str_c(&call.result.text), "{\"n\":1}");
	tool_result_clear(&call.result);
	take(&call, &ctx,
	     "{\"isError\":true,\"structuredContent\":{},\"content\":[{\"type\":\"text\",\"text\":"
	     "\"no\"}]}",
	     0);
	CHECK_STR(str_c(&call.result.text), "no");
	tool_result_clear(&call.result);
}

TEST(hosts_get_the_content_as_blocks)
{
	struct tool_context ctx;
	struct tool_call call;

	take(&call, &ctx,
	     "{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\",\"mimeType\":"
	     "\"image/png\",\"data\":\"AAAA\"},{\"type\":\"resource_link\",\"name\":\"n\","
	     "\"uri\":\"u://1\"}]}",
	     0);
	CHECK_STR(
		str_c(&call.result.data),
		"[{\"type\":\"text\",\"text\":\"a\"},"
		"{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\","
		"\"data\":\"AAAA\"}},"
		"{\"type\":\"text\",\"text\":\"[Image, image/png, 3 bytes, not saved: this session "
		"saves nothing to disk]\"},"
		"{\"type\":\"text\",\"text\":\"[Resource link: n] u://1\"}]");
	tool_result_clear(&call.result);
	take(&call, &ctx, "{\"content\":[]}", 0);
	CHECK_STR(str_c(&call.result.data), "[]");
	tool_result_clear(&call.result);
}

TEST(hosts_get_structured_content_beside_the_blocks)
{
	struct tool_context ctx;
	struct tool_call call;

	take(&call, &ctx,
	     "{\"structuredContent\":{\"n\":1},\"content\":[{\"type\":\"text\",\"text\":\"one\"}]}",
	     0);
	CHECK_STR(str_c(&call.result.data), "{\"content\":[{\"type\":\"text\",\"text\":\"one\"}],"
					    "\"structuredContent\":{\"n\":1}}");
	tool_result_clear(&call.result);
}

TEST(hosts_get_the_contents_of_a_resource_one_by_one)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(
		SV("{\"contents\":[{\"uri\":\"u://1\",\"mimeType\":\"text/plain\",\"text\":\"t\"},"
		   "{\"uri\":\"u://2\",\"blob\":\"AAAA\"}]}"),
		0, &err);
	struct tool_context ctx = { .session = &session };
	struct tool_call call = { .ctx = &ctx, .id = SV("toolu_1") };

	CHECK_OK(doc != NULL, err);
	mcp_content_take_resource(&call, SV("srv"), json_root(doc), 0);
	CHECK_STR(str_c(&call.result.data),
		  "{\"contents\":[{\"uri\":\"u://1\",\"mimeType\":\"text/plain\",\"text\":\"t\"},"
		  "{\"uri\":\"u://2\"}]}");
	tool_result_clear(&call.result);
}

TEST(pictures_are_blocks_and_other_bytes_are_named)
{
	struct tool_context ctx;
	struct tool_call call;

	take(&call, &ctx,
	     "{\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"AAAA\"},"
	     "{\"type\":\"audio\",\"mimeType\":\"audio/wav\",\"data\":\"AAAA\"},"
	     "{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"?\"}]}",
	     0);
	CHECK(sv_starts(sv_of(&call.result.blocks), SV("[{\"type\":\"text\"")));
	CHECK(sv_find(sv_of(&call.result.blocks),
		      SV("\"media_type\":\"image/png\",\"data\":\"AAAA\"")) != SIZE_MAX);
	CHECK(strstr(str_c(&call.result.text), "[Audio, audio/wav, 3 bytes, dropped: this session "
					       "saves nothing to disk]"));
	CHECK(strstr(str_c(&call.result.text),
		     "[Image, image/png, 0 bytes, dropped: it is not valid "
		     "base64"));
	tool_result_clear(&call.result);
}

TEST(resources_links_and_unknown_blocks_become_text)
{
	struct tool_context ctx;
	struct tool_call call;

	take(&call, &ctx,
	     "{\"content\":[{\"type\":\"resource_link\",\"name\":\"n\",\"uri\":\"u://1\"},"
	     "{\"type\":\"resource\",\"resource\":{\"uri\":\"u://2\",\"text\":\"t\"}},"
	     "{\"type\":\"new\",\"x\":1}]}",
	     0);
	CHECK_STR(str_c(&call.result.text), "[Resource link: n] u://1\n[Resource from srv at "
					    "u://2] t\n{\"type\":\"new\",\"x\":1}");
	tool_result_clear(&call.result);
}

TEST(nothing_is_said_to_be_nothing_and_too_much_is_cut)
{
	struct tool_context ctx;
	struct tool_call call;

	take(&call, &ctx, "{}", 0);
	CHECK_STR(str_c(&call.result.text), "(no content)");
	tool_result_clear(&call.result);
	take(&call, &ctx, "{\"content\":[{\"type\":\"text\",\"text\":\"0123456789\"}]}", 4);
	CHECK(sv_starts(sv_of(&call.result.text), SV("0123\n[The result had 10 bytes")));
	CHECK(call.result.is_replaced);
	tool_result_clear(&call.result);
}

TEST(messages_of_a_prompt_become_text_and_images)
{
	struct tool_context ctx = { .session = &session, .has_vision = true };
	defer(str_clear) struct str text = STR_INIT, images = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(SV("{\"messages\":[{\"content\":{\"type\":\"text\",\"text\":\"a\"}},{"
			      "\"content\":{\"type\":"
			      "\"image\",\"mimeType\":\"image/"
			      "png\",\"data\":\"AAAA\"}},{\"content\":{\"type\":"
			      "\"resource\",\"resource\":{\"uri\":\"u://1\",\"text\":\"b\"}}}]}"),
			   0, &err);

	CHECK_OK(doc != NULL, err);
	mcp_content_take_prompt(&ctx, SV("srv"), json_root(doc), &text, &images);
	CHECK_STR(str_c(&text), "a\n\n[Image, image/png, 3 bytes, not saved: this session saves "
				"nothing to disk]\n\n[Resource from srv at u://1] b");
	CHECK_STR(str_c(&images),
		  ",{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":"
		  "\"image/png\",\"data\":\"AAAA\"}}");
}

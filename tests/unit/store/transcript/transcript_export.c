#include "store/transcript/transcript_export.h"

#include "../../sys/temp_dir.h"
#include "sys/fs.h"
#include "test.h"
#include "text/json/json.h"

#define RECORD(type, uuid, parent, content, more)                                                 \
	"{\"type\":\"" type "\",\"uuid\":\"" uuid "\",\"parentUuid\":\"" parent "\",\"message\":" \
	"{\"role\":\"" type "\",\"content\":" content "}" more "}\n"

static void export_text(struct str *out, const char *text, const char *last)
{
	defer(temp_dir_remove) struct str dir = STR_INIT;
	struct err err = ERR_INIT;
	defer(mem_freep) char *path = NULL;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	path = path_in(&dir, "session.jsonl");
	CHECK_OK(fs_write(path, sv_cstr(text), (struct fs_write){ .mode = 0600 }, &err), err);
	CHECK_OK(transcript_export(out, path, sv_cstr(last), &err), err);
}

TEST(an_exported_conversation_has_headings_and_code)
{
	defer(str_clear) struct str out = STR_INIT;

	export_text(
		&out,
		RECORD("user", "a", "", "\"hello\"",
		       "") RECORD("user", "b", "a", "\"for the model\"", ",\"isMeta\":true")
			RECORD("assistant", "c", "b",
			       "[{\"type\":\"thinking\",\"thinking\":\"hm\"},{\"type\":\"tool_"
			       "use\","
			       "\"id\":\"t\",\"name\":\"Bash\",\"input\":{\"command\":\"ls\"}}]",
			       "") RECORD("user", "d", "c",
					  "[{\"type\":\"tool_result\",\"tool_use_id\":\"t\","
					  "\"content\":\"a ``` b\"}]",
					  "")
				RECORD("assistant", "e", "d",
				       "[{\"type\":\"text\",\"text\":\"Done.\"}]", ""),
		"e");
	CHECK_STR(out.ptr, "\n## User\n\nhello\n\n## Assistant\n\n**Bash**\n\n```\n"
			   "{\"command\":\"ls\"}\n```\n\n````\na ``` b\n````\n\nDone.\n");
}

TEST(an_exported_conversation_is_one_chain_without_sub_agents)
{
	static const char text[] = RECORD("user", "a", "", "\"one\"",
					  "") RECORD("assistant", "dead", "a", "\"discarded\"", "")
		RECORD("assistant", "side", "a", "\"of a sub-agent\"",
		       ",\"isSidechain\":true") "{ this is torn\n" RECORD("assistant", "b", "a",
									  "\"two\"", "");
	defer(str_clear) struct str out = STR_INIT;

	export_text(&out, text, "b");
	CHECK_STR(out.ptr, "\n## User\n\none\n\n## Assistant\n\ntwo\n");
	str_truncate(&out, 0);
	export_text(&out, text, "");
	CHECK_STR(out.ptr, "\n## User\n\none\n\n## Assistant\n\ntwo\n");
	str_truncate(&out, 0);
	export_text(&out, text, "unknown");
	CHECK_INT(out.len, 0);
}

TEST(what_a_terminal_would_obey_is_exported_as_an_escape)
{
	defer(str_clear) struct str out = STR_INIT;

	export_text(&out, RECORD("user", "a", "", "\"a\\u001b[2Jb\\u202ec\\td\"", ""), "a");
	CHECK_STR(out.ptr, "\n## User\n\na\\x1b[2Jb\\u{202e}c\td\n");
}

TEST(records_of_an_export_that_name_each_other_end)
{
	defer(str_clear) struct str out = STR_INIT;

	export_text(&out,
		    RECORD("user", "a", "b", "\"one\"", "") RECORD("user", "b", "a", "\"two\"", ""),
		    "b");
	CHECK_STR(out.ptr, "\n## User\n\none\n\ntwo\n");
}

TEST(a_slash_command_is_exported_as_it_was_typed_and_a_long_result_is_cut)
{
	defer(str_clear) struct str out = STR_INIT, text = STR_INIT;

	str_adds(&text,
		 RECORD("user", "a", "",
			"\"<command-message>x</command-message>\\n<command-name>/x</command-name>"
			"\\n<command-args>1 2</command-args>\"",
			""));
	str_adds(&text,
		 "{\"type\":\"user\",\"uuid\":\"b\",\"parentUuid\":\"a\",\"message\":{\"role\":"
		 "\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\","
		 "\"content\":\"");
	for (size_t i = 0; i < 5000; i++)
		str_addc(&text, 'x');
	str_adds(&text, "\"}]}}\n");
	export_text(&out, text.ptr, "b");
	CHECK(sv_starts(sv_of(&out), SV("\n## User\n\n/x 1 2\n")));
	CHECK(sv_ends(sv_of(&out), SV("\n(4000 of 5000 bytes)\n")));
}

#define HOSTILE "\"<script>alert('x')</script> & \\\"y\\\"\""

static void export_as(struct str *out, transcript_export_fn *format, const char *text)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "session.jsonl");
	struct err err = ERR_INIT;

	write_file(path, text, 0600);
	CHECK_OK(format(out, path, SV_EMPTY, &err), err);
}

TEST(an_exported_page_escapes_everything_and_allows_no_scripts)
{
	defer(str_clear) struct str out = STR_INIT;

	export_as(&out, transcript_export_html,
		  RECORD("user", "a", "", HOSTILE, "") RECORD(
			  "assistant", "b", "a",
			  "[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"<b>\",\"input\":{\"x\":"
			  "\"</pre><img src=y>\"}}]",
			  "") RECORD("user", "c", "b",
				     "[{\"type\":\"tool_result\",\"tool_use_id\":\"t\","
				     "\"content\":\"</details><script>\"}]",
				     "") "{\"type\":\"custom-title\",\"customTitle\":\"</title>"
					 "<script>\"}\n");
	CHECK(strstr(out.ptr, "&lt;script&gt;alert('x')&lt;/script&gt; &amp; &quot;y&quot;"));
	CHECK(strstr(out.ptr, "<title>&lt;/title&gt;&lt;script&gt;</title>"));
	CHECK(strstr(out.ptr, "default-src 'none'"));
	CHECK(!strstr(out.ptr, "<script") && !strstr(out.ptr, "<img") && !strstr(out.ptr, "<b>"));
}

TEST(an_exported_conversation_is_json_with_all_its_messages)
{
	defer(str_clear) struct str out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	export_as(&out, transcript_export_json,
		  RECORD("user", "a", "", HOSTILE, ",\"timestamp\":\"2026-11-15T09:08:10.730Z\"")
			  RECORD("assistant", "b", "a", "\"two\"", ""));
	doc = json_parse(sv_of(&out), 0, &err);
	CHECK(doc);
	CHECK_INT(json_len(json_get(json_root(doc), "messages")), 2);
	CHECK(strstr(out.ptr, "\"timestamp\":\"2026-11-15T09:08:10.730Z\""));
}

TEST(an_export_goes_back_before_a_summary)
{
	defer(str_clear) struct str out = STR_INIT;

	export_as(&out, transcript_export,
		  RECORD("user", "a", "", "\"before\"",
			 "") "{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":"
			     "\"b\",\"parentUuid\":null,\"logicalParentUuid\":\"a\"}\n" RECORD(
				     "user", "c", "b", "\"after\"", ""));
	CHECK_STR(out.ptr, "\n## User\n\nbefore\n\nafter\n");
}

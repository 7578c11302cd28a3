#include "hook/input.h"

#include "test.h"
#include "text/json/json.h"

TEST(the_input_has_the_common_members_the_event_and_its_own_members)
{
	defer(str_clear) struct str out = STR_INIT;

	hook_input_write(&out, &(struct hook_input){ .event = HOOK_PRE_TOOL_USE,
						     .session_id = SV("s"),
						     .transcript_path = SV("/t.jsonl"),
						     .cwd = SV("/w"),
						     .permission_mode = SV("default"),
						     .effort = SV("medium"),
						     .tool_name = SV("Bash"),
						     .tool_input = SV("{\"command\":\"ls\"}"),
						     .tool_use_id = SV("toolu_1") });
	CHECK_STR(str_c(&out),
		  "{\"session_id\":\"s\",\"transcript_path\":\"/t.jsonl\",\"cwd\":\"/w\","
		  "\"permission_mode\":\"default\",\"effort\":{\"level\":\"medium\"},"
		  "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
		  "\"tool_input\":{\"command\":\"ls\"},\"tool_use_id\":\"toolu_1\"}");
}

TEST(members_that_an_event_always_has_are_written_even_when_they_are_empty)
{
	defer(str_clear) struct str out = STR_INIT;

	hook_input_write(&out, &(struct hook_input){ .event = HOOK_STOP });
	CHECK_STR(str_c(&out), "{\"session_id\":\"\",\"transcript_path\":\"\",\"cwd\":\"\","
			       "\"hook_event_name\":\"Stop\",\"stop_hook_active\":false}");
}

TEST(the_input_of_every_event_is_valid_json_and_all_members_in_the_table_exist)
{
	for (enum hook_event event = 0; event < HOOK_EVENTS; event++) {
		defer(str_clear) struct str out = STR_INIT, name = STR_INIT;
		struct hook_input input = { .event = event };
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL;

		hook_input_write(&out, &input);
		hook_input_name(&name, &input);
		doc = json_parse(sv_of(&out), 0, &err);
		CHECK(doc);
		CHECK_SV_EQ(json_str_or(json_get(json_root(doc), "hook_event_name"), SV_EMPTY),
			    sv_of(&name));
		CHECK_INT(hook_event_find(sv_of(&name)), event);
	}
}

TEST(unknown_events_are_not_found)
{
	CHECK_INT(hook_event_find(SV("preToolUse")), HOOK_EVENTS);
	CHECK_INT(hook_event_find(SV("")), HOOK_EVENTS);
}

TEST(a_matcher_is_compared_with_what_the_event_is_about)
{
	CHECK_SV(hook_input_match(&(struct hook_input){ .event = HOOK_SESSION_START,
							.source = SV("resume") }),
		 "resume");
	CHECK_SV(hook_input_match(&(struct hook_input){ .event = HOOK_FILE_CHANGED,
							.file_path = SV("/w/.env") }),
		 ".env");
	CHECK_SV(hook_input_match(&(struct hook_input){ .event = HOOK_STOP }), "");
}

TEST(messages_name_a_hook_by_its_event_and_what_it_is_about)
{
	defer(str_clear) struct str out = STR_INIT;

	hook_input_name(
		&out, &(struct hook_input){ .event = HOOK_PRE_TOOL_USE, .tool_name = SV("Bash") });
	CHECK_STR(str_c(&out), "PreToolUse:Bash");
}

TEST(every_text_of_the_table_of_events_fits_into_its_row)
{
	for (enum hook_event event = 0; event < HOOK_EVENTS; event++) {
		const struct hook_event_info *info = hook_event_info(event);

		CHECK(strnlen(info->name, sizeof(info->name)) < sizeof(info->name));
		CHECK(strnlen(info->summary, sizeof(info->summary)) < sizeof(info->summary));
		CHECK(strnlen(info->matched, sizeof(info->matched)) < sizeof(info->matched));
		CHECK(strnlen(info->members, sizeof(info->members)) < sizeof(info->members));
	}
}

#include "hook/output.h"
#include "hook/judgement.h"

#include "test.h"

struct read {
	struct hook_answer answer;
	struct err err;
	bool ok;
};

static void read_clear(struct read *r)
{
	hook_answer_clear(&r->answer);
}

static void read_text(struct read *r, enum hook_event event, const char *text)
{
	*r = (struct read){ .ok = false };
	r->ok = hook_output_read(&r->answer, event, SV("H"), sv_cstr(text), &r->err);
}

#define READ(name, event, text)             \
	defer(read_clear) struct read name; \
	read_text(&name, HOOK_##event, text)

#define SPECIFIC(event, rest) "{\"hookSpecificOutput\":{\"hookEventName\":\"" event "\"," rest "}}"

TEST(an_empty_object_says_nothing)
{
	READ(r, PRE_TOOL_USE, " {} \n");

	CHECK(r.ok);
	CHECK(!r.answer.stops && !r.answer.suppresses_output);
	CHECK_INT(r.answer.decision, HOOK_NO_DECISION);
}

TEST(the_common_members_are_read_for_every_event)
{
	READ(r, NOTIFICATION,
	     "{\"continue\":false,\"stopReason\":\"enough\",\"suppressOutput\":true,"
	     "\"systemMessage\":\"hello\"}");

	CHECK(r.ok);
	CHECK(r.answer.stops && r.answer.suppresses_output);
	CHECK_SV(r.answer.stop_reason, "enough");
	CHECK_INT(r.answer.messages.n, 1);
	CHECK_SV(r.answer.messages.at[0].hook, "H");
	CHECK_SV(r.answer.messages.at[0].text, "hello");
}

TEST(a_hook_decides_about_a_call_in_the_newer_and_in_the_older_way)
{
	READ(ask, PRE_TOOL_USE,
	     SPECIFIC("PreToolUse", "\"permissionDecision\":\"ask\","
				    "\"permissionDecisionReason\":\"why\","
				    "\"updatedInput\":{\"command\":\"ls\"}"));
	READ(block, PRE_TOOL_USE, "{\"decision\":\"block\",\"reason\":\"no\"}");
	READ(approve, PRE_TOOL_USE, "{\"decision\":\"approve\"}");
	READ(other, POST_TOOL_USE, "{\"decision\":\"approve\"}");

	CHECK_INT(ask.answer.decision, HOOK_ASK);
	CHECK_SV(ask.answer.reason, "why");
	CHECK_SV(ask.answer.updated_input, "{\"command\":\"ls\"}");
	CHECK_INT(block.answer.decision, HOOK_DENY);
	CHECK_SV(block.answer.reason, "no");
	CHECK_INT(approve.answer.decision, HOOK_ALLOW);
	CHECK_INT(other.answer.decision, HOOK_NO_DECISION);
}

TEST(a_permission_request_is_answered_with_changes_of_rules)
{
	READ(allow, PERMISSION_REQUEST,
	     SPECIFIC("PermissionRequest",
		      "\"decision\":{\"behavior\":\"allow\",\"updatedInput\":{\"a\":1},"
		      "\"updatedPermissions\":[{\"type\":\"addRules\",\"rules\":[{\"toolName\":"
		      "\"Bash\",\"ruleContent\":\"ls\"}],\"behavior\":\"allow\",\"destination\":"
		      "\"session\"}]}"));
	READ(deny, PERMISSION_REQUEST,
	     SPECIFIC(
		     "PermissionRequest",
		     "\"decision\":{\"behavior\":\"deny\",\"message\":\"no\",\"interrupt\":true}"));
	READ(ask, PERMISSION_REQUEST,
	     SPECIFIC("PermissionRequest", "\"decision\":{\"behavior\":\"ask\"}"));

	CHECK_INT(allow.answer.decision, HOOK_ALLOW);
	CHECK_SV(allow.answer.updated_input, "{\"a\":1}");
	CHECK_INT(allow.answer.permissions.n, 1);
	CHECK_SV(allow.answer.permissions.at[0].rules[0].content, "ls");
	CHECK_INT(deny.answer.decision, HOOK_DENY);
	CHECK_SV(deny.answer.reason, "no");
	CHECK(deny.answer.interrupts);
	CHECK(!ask.ok);
	CHECK_ERR(ask.err, ERR_INVALID, "\"allow\" or \"deny\"");
}

TEST(every_event_has_its_own_members)
{
	READ(post, POST_TOOL_USE,
	     SPECIFIC("PostToolUse",
		      "\"updatedToolOutput\":{\"x\":[1]},\"additionalContext\":\"c\","
		      "\"updatedMCPToolOutput\":\"m\",\"classifierContext\":\"k\""));
	READ(start, SESSION_START,
	     SPECIFIC("SessionStart", "\"initialUserMessage\":\"p\",\"sessionTitle\":\"t\","
				      "\"watchPaths\":[\"a\",\"b\"],\"reloadSkills\":true"));
	READ(prompt, USER_PROMPT_SUBMIT,
	     SPECIFIC("UserPromptSubmit", "\"suppressOriginalPrompt\":true"));
	READ(denied, PERMISSION_DENIED, SPECIFIC("PermissionDenied", "\"retry\":true"));
	READ(asked, ELICITATION,
	     SPECIFIC("Elicitation", "\"action\":\"accept\",\"content\":{\"n\":1}"));
	READ(tree, WORKTREE_CREATE, SPECIFIC("WorktreeCreate", "\"worktreePath\":\"/w\""));
	READ(shown, MESSAGE_DISPLAY, SPECIFIC("MessageDisplay", "\"displayContent\":\"d\""));

	CHECK_SV(post.answer.updated_output, "{\"x\":[1]}");
	CHECK_SV(post.answer.updated_mcp_output, "\"m\"");
	CHECK_SV(post.answer.classifier_context, "k");
	CHECK_SV(post.answer.context.at[0].text, "c");
	CHECK_SV(start.answer.first_prompt, "p");
	CHECK_SV(start.answer.session_title, "t");
	CHECK_INT(start.answer.watch_paths.n, 2);
	CHECK(start.answer.reloads_skills);
	CHECK(prompt.answer.suppresses_prompt);
	CHECK(denied.answer.retries);
	CHECK_SV(asked.answer.action, "accept");
	CHECK_SV(asked.answer.content, "{\"n\":1}");
	CHECK_SV(tree.answer.worktree_path, "/w");
	CHECK_SV(shown.answer.display_content, "d");
}

TEST(members_of_other_events_are_ignored)
{
	READ(r, STOP, SPECIFIC("Stop", "\"permissionDecision\":\"allow\",\"updatedInput\":3"));

	CHECK(r.ok);
	CHECK_INT(r.answer.decision, HOOK_NO_DECISION);
	CHECK_INT(r.answer.updated_input.len, 0);
}

TEST(an_answer_that_cannot_be_understood_is_an_error_that_names_the_member)
{
	static const struct {
		const char *text, *part;
		enum err_kind kind;
	} cases[] = {
		{ "{\"decision\":\"block\",\"reason\":\"a \"quoted\" word\"}", "line 1",
		  ERR_PARSE },
		{ "{\"decision\":\"deny\"}", "\"decision\" must be", ERR_INVALID },
		{ "{\"continue\":\"no\"}", "\"continue\" must be", ERR_INVALID },
		{ "{\"hookSpecificOutput\":[]}", "an object", ERR_INVALID },
		{ SPECIFIC("PostToolUse", "\"additionalContext\":\"c\""), "\"PreToolUse\"",
		  ERR_INVALID },
		{ SPECIFIC("PreToolUse", "\"permissionDecision\":\"block\""),
		  "\"permissionDecision\" must be", ERR_INVALID },
		{ SPECIFIC("PreToolUse", "\"updatedInput\":\"ls\""), "an object", ERR_INVALID },
		{ SPECIFIC("PreToolUse", "\"additionalContext\":7"), "a string", ERR_INVALID },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		READ(r, PRE_TOOL_USE, cases[i].text);

		CHECK(!r.ok);
		test_check_err(&r.err, cases[i].kind, cases[i].part, __FILE__, __LINE__);
	}
}

TEST(the_name_of_the_event_may_be_missing_and_null_means_missing)
{
	READ(r, PRE_TOOL_USE,
	     "{\"decision\":null,\"continue\":null,\"hookSpecificOutput\":"
	     "{\"permissionDecision\":\"deny\",\"updatedInput\":null}}");

	CHECK(r.ok);
	CHECK_INT(r.answer.decision, HOOK_DENY);
}

TEST(an_updated_input_without_members_changes_nothing)
{
	READ(r, PRE_TOOL_USE, SPECIFIC("PreToolUse", "\"updatedInput\":{}"));

	CHECK(r.ok);
	CHECK_INT(r.answer.updated_input.len, 0);
}

TEST(a_hook_goes_to_the_background_with_the_first_object_it_prints)
{
	int64_t ms = 0;

	CHECK(hook_output_is_async(SV("{\"async\":true}\n"), &ms));
	CHECK_INT(ms, 15000);
	CHECK(hook_output_is_async(SV("{\"async\":true,\"asyncTimeout\":250}"), &ms));
	CHECK_INT(ms, 250);
	CHECK(hook_output_is_async(SV("{\"async\":true,\"asyncTimeout\":99999999999}"), &ms));
	CHECK_INT(ms, 3600000);
	CHECK(!hook_output_is_async(SV("{\"async\":false}"), &ms));
	CHECK(!hook_output_is_async(SV("{\"async\":tr"), &ms));
	CHECK(!hook_output_is_async(SV("plain"), &ms));
}

TEST(the_judgement_of_a_model_may_stand_in_a_fence)
{
	struct hook_judgement j = { .ok = true };
	struct err err;

	CHECK_OK(hook_judgement_read(
			 &j, SV("```json\n{\"ok\": false, \"reason\": \"tests fail\"}\n```"), &err),
		 err);
	CHECK(!j.ok && !j.impossible);
	CHECK_STR(str_c(&j.reason), "tests fail");
	CHECK_OK(hook_judgement_read(&j, SV("{\"ok\":true,\"impossible\":true}"), &err), err);
	CHECK(j.ok && j.impossible);
	CHECK_INT(j.reason.len, 0);
	CHECK(!hook_judgement_read(&j, SV("Yes, it is fine."), &err));
	CHECK(!hook_judgement_read(&j, SV("{\"ok\":\"yes\"}"), &err));
	CHECK_ERR(err, ERR_INVALID, "\"ok\" must be");
	str_clear(&j.reason);
}

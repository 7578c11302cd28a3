#include "proto/verdict.h"

#include "test.h"

TEST(verdict_names_are_those_of_the_wire_protocol)
{
	CHECK_STR(verdict_reason_name(REASON_OTHER), "other");
	CHECK_STR(verdict_reason_name(REASON_RULE), "rule");
	CHECK_STR(verdict_reason_name(REASON_MODE), "mode");
	CHECK_STR(verdict_reason_name(REASON_WORKING_DIR), "workingDir");
	CHECK_STR(verdict_reason_name(REASON_SAFETY), "safetyCheck");
	CHECK_STR(verdict_reason_name(REASON_HOOK), "hook");
	CHECK_STR(verdict_reason_name(REASON_USER), "permissionPromptTool");
	CHECK_STR(behavior_name(BEHAVIOR_ALLOW), "allow");
	CHECK_STR(behavior_name(BEHAVIOR_ASK), "ask");
	CHECK_STR(behavior_name(BEHAVIOR_DENY), "deny");
}

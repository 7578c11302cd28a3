#include "proto/verdict.h"

const char *verdict_reason_name(enum verdict_reason reason)
{
	switch (reason) {
	case REASON_RULE: return "rule";
	case REASON_MODE: return "mode";
	case REASON_WORKING_DIR: return "workingDir";
	case REASON_SAFETY: return "safetyCheck";
	case REASON_HOOK: return "hook";
	case REASON_USER: return "permissionPromptTool";
	case REASON_CLASSIFIER: return "classifier";
	case REASON_SANDBOX: return "sandboxOverride";
	case REASON_COMMANDS: return "subcommandResults";
	case REASON_OTHER: break;
	}
	return "other";
}

enum verdict_reason verdict_reason_read(struct sv name)
{
	for (int i = REASON_OTHER; i <= REASON_COMMANDS; i++)
		if (sv_is(name, verdict_reason_name((enum verdict_reason)i)))
			return (enum verdict_reason)i;
	return REASON_OTHER;
}

const char *behavior_name(enum behavior behavior)
{
	switch (behavior) {
	case BEHAVIOR_ALLOW: return "allow";
	case BEHAVIOR_ASK: return "ask";
	case BEHAVIOR_DENY: break;
	}
	return "deny";
}

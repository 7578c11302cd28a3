#include "core/agent/auto_mode.h"

#include "test.h"

static struct op *ask_nobody(__attribute__((unused)) void *arg,
			     __attribute__((unused)) struct sv system,
			     __attribute__((unused)) struct sv text,
			     __attribute__((unused)) struct str *out,
			     __attribute__((unused)) struct then then)
{
	return NULL;
}

static const struct tool_services services = { .ask_small = ask_nobody };
static const struct tool_session session = { .services = &services };

static const struct tool_context ctx = { .session = &session };

static void begin(struct auto_mode *mode, struct perm_policy *policy)
{
	*policy = (struct perm_policy)PERM_POLICY_INIT;
	policy->mode = PERM_AUTO;
	*mode = (struct auto_mode){ .blocks = 0 };
}

TEST(model_is_asked_where_the_mode_would_ask_and_nothing_is_the_users)
{
	static const struct {
		enum behavior behavior;
		enum verdict_reason reason;
		bool decides;
	} cases[] = {
		{ BEHAVIOR_ASK, REASON_MODE, true },    { BEHAVIOR_ASK, REASON_WORKING_DIR, true },
		{ BEHAVIOR_ASK, REASON_OTHER, true },   { BEHAVIOR_ASK, REASON_RULE, false },
		{ BEHAVIOR_ASK, REASON_SAFETY, false }, { BEHAVIOR_ALLOW, REASON_MODE, false },
		{ BEHAVIOR_DENY, REASON_MODE, false },
	};
	struct perm_policy policy;
	struct perm_request perm_request = { .tool = SV("Bash") };
	struct auto_mode mode;

	begin(&mode, &policy);
	for (size_t i = 0; i < countof(cases); i++) {
		struct verdict v = { .behavior = cases[i].behavior, .reason = cases[i].reason };

		CHECK_INT(auto_mode_decides(&mode, &policy, &ctx, &v, &perm_request),
			  cases[i].decides);
		perm_request.needs_user = true;
		CHECK(!auto_mode_decides(&mode, &policy, &ctx, &v, &perm_request));
		perm_request.needs_user = false;
		policy.mode = PERM_DEFAULT;
		CHECK(!auto_mode_decides(&mode, &policy, &ctx, &v, &perm_request));
		policy.mode = PERM_AUTO;
	}
}

TEST(only_a_plain_answer_of_the_model_counts)
{
	static const struct {
		const char *answer;
		enum behavior behavior;
	} cases[] = {
		{ "ALLOW", BEHAVIOR_ALLOW },     { " ALLOW\n", BEHAVIOR_ALLOW },
		{ "ALLOW.", BEHAVIOR_ALLOW },    { "BLOCK: no", BEHAVIOR_DENY },
		{ "BLOCK", BEHAVIOR_DENY },      { "ALLOW it", BEHAVIOR_ASK },
		{ "allow", BEHAVIOR_ASK },       { "", BEHAVIOR_ASK },
		{ "I say ALLOW", BEHAVIOR_ASK }, { "ALLOW BLOCK: x", BEHAVIOR_ASK },
		{ "BLOCKED", BEHAVIOR_ASK },
	};
	struct perm_policy policy;
	struct auto_mode mode;

	for (size_t i = 0; i < countof(cases); i++) {
		struct verdict v;

		begin(&mode, &policy);
		v = auto_mode_read(&mode, sv_cstr(cases[i].answer));
		CHECK_INT(v.behavior, cases[i].behavior);
		CHECK_INT(v.reason, REASON_CLASSIFIER);
		CHECK(v.text[0] && v.text[strlen(v.text) - 1] != ' ');
	}
}

TEST(blocks_in_a_row_or_in_all_bring_the_user_back_until_he_allows)
{
	const struct verdict asks = { .behavior = BEHAVIOR_ASK, .reason = REASON_MODE };
	struct perm_request perm_request = { .tool = SV("Bash") };
	struct perm_policy policy;
	struct auto_mode mode;

	begin(&mode, &policy);
	for (int i = 0; i < AUTO_BLOCKS_IN_A_ROW; i++) {
		CHECK(auto_mode_decides(&mode, &policy, &ctx, &asks, &perm_request));
		auto_mode_read(&mode, SV("BLOCK: no"));
	}
	CHECK(!auto_mode_decides(&mode, &policy, &ctx, &asks, &perm_request));
	auto_mode_reset(&mode);
	for (int i = 0; i < AUTO_BLOCKS_IN_ALL; i++) {
		CHECK(auto_mode_decides(&mode, &policy, &ctx, &asks, &perm_request));
		auto_mode_read(&mode, SV("BLOCK: no"));
		auto_mode_read(&mode, SV("ALLOW"));
	}
	CHECK(!auto_mode_decides(&mode, &policy, &ctx, &asks, &perm_request));
	auto_mode_reset(&mode);
	CHECK(auto_mode_decides(&mode, &policy, &ctx, &asks, &perm_request));
}

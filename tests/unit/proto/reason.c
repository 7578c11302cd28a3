#include "proto/reason.h"

#include <ctype.h>

#include "test.h"

typedef const char *name_fn(int reason);

static const char *end_name(int reason)
{
	return end_reason_name((enum end_reason)reason);
}

static const char *go_name(int reason)
{
	return go_reason_name((enum go_reason)reason);
}

static void check_names(name_fn *name, int n)
{
	for (int i = 0; i < n; i++) {
		CHECK(name(i) && *name(i));
		for (const char *c = name(i); *c; c++)
			CHECK(islower((unsigned char)*c) || *c == '_');
		for (int k = 0; k < i; k++)
			CHECK(strcmp(name(i), name(k)) != 0);
	}
}

TEST(every_reason_has_a_name_of_its_own_in_the_words_of_the_wire)
{
	check_names(end_name, END_REASONS);
	check_names(go_name, GO_REASONS);
}

TEST(reasons_are_called_as_other_programs_know_them)
{
	CHECK_STR(end_reason_name(END_COMPLETED), "completed");
	CHECK_STR(end_reason_name(END_ABORTED_STREAMING), "aborted_streaming");
	CHECK_STR(end_reason_name(END_STRUCTURED_OUTPUT_RETRIES),
		  "structured_output_retry_exhausted");
	CHECK_STR(go_reason_name(GO_NEXT_TURN), "next_turn");
	CHECK_STR(go_reason_name(GO_MAX_OUTPUT_RECOVERY), "max_output_tokens_recovery");
}

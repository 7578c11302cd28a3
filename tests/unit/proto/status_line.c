#include "proto/status_line.h"

#include "test.h"

TEST(status_line_has_the_limits_that_are_known)
{
	struct rate_limit none = RATE_LIMIT_INIT, used = RATE_LIMIT_INIT;
	struct status_line_facts facts = { .five_hour = &used, .seven_day = &none };
	defer(str_clear) struct str out = STR_INIT;

	used.type = "five_hour";
	used.utilization = 0.5;
	used.resets_at = 1709164860;
	status_line_write(&out, &facts);
	CHECK(sv_find(sv_of(&out), SV("\"rate_limits\":{\"five_hour\":{\"used_percentage\":50,"
				      "\"resets_at\":1709164860}}")) != SIZE_MAX);
	str_truncate(&out, 0);
	facts.five_hour = &none;
	status_line_write(&out, &facts);
	CHECK(sv_find(sv_of(&out), SV("rate_limits")) == SIZE_MAX);
}

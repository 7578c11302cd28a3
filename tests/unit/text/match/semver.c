#include "text/match/semver.h"

#include "test.h"

TEST(versions_are_ordered_as_npm_orders_them)
{
	static const char *const ordered[] = { "0.9.9",         "1.0.0-0",      "1.0.0-alpha",
					       "1.0.0-alpha.1", "1.0.0-beta.2", "1.0.0-beta.11",
					       "1.0.0",         "v1.0.1+build", "1.10.0",
					       "2.0.0" };
	struct semver a, b;

	for (size_t i = 0; i < countof(ordered); i++)
		for (size_t k = 0; k < countof(ordered); k++) {
			CHECK(semver_read(sv_cstr(ordered[i]), &a));
			CHECK(semver_read(sv_cstr(ordered[k]), &b));
			CHECK_INT((semver_compare(&a, &b) > 0) - (semver_compare(&a, &b) < 0),
				  (i > k) - (i < k));
		}
}

TEST(what_is_not_a_version_is_refused)
{
	static const char *const wrong[] = {
		"",        "1",      "1.2",  "1.x.0",  "a.b.c",
		"1.2.3.4", "1.2.3-", "1..3", "-1.2.3", "99999999999999999999.0.0"
	};
	struct semver v;

	for (size_t i = 0; i < countof(wrong); i++)
		CHECK(!semver_read(sv_cstr(wrong[i]), &v));
}

TEST(ranges_mean_what_they_mean_to_npm)
{
	static const struct {
		const char *range, *in, *out;
	} cases[] = {
		{ "~2.1.0", "2.1.0 2.1.9", "2.0.9 2.2.0 2.1.1-beta" },
		{ "~2", "2.0.0 2.9.9", "1.9.9 3.0.0" },
		{ "^2.0", "2.0.0 2.9.0", "1.9.9 3.0.0 3.0.0-beta" },
		{ "^0.2.3", "0.2.3 0.2.9", "0.2.2 0.3.0" },
		{ "^0.0.3", "0.0.3", "0.0.4 0.0.2" },
		{ "^0.0", "0.0.9", "0.1.0" },
		{ "^0", "0.9.0", "1.0.0" },
		{ ">=1.4", "1.4.0 9.0.0", "1.3.9" },
		{ ">1.4", "1.5.0", "1.4.9" },
		{ "> 1.4.2 <= 2", "1.4.3 2.9.9", "1.4.2 3.0.0" },
		{ "<2", "1.9.9 0.0.0", "2.0.0" },
		{ "=2.1.0", "2.1.0", "2.1.1" },
		{ "2.1.0", "2.1.0", "2.1.1" },
		{ "1.x || 3", "1.5.0 3.9.9", "2.0.0 4.0.0" },
		{ "1.2 - 1.5", "1.2.0 1.5.9", "1.1.9 1.6.0" },
		{ "1.2.0 - 1.5.0", "1.5.0", "1.5.1" },
		{ "*", "0.0.0 9.9.9", "1.0.0-beta" },
		{ "", "1.0.0", "1.0.0-beta" },
		{ "^2.0.0-0", "2.0.0-beta.1 2.4.0", "2.1.0-beta" },
		{ ">=2.0.0-beta.2", "2.0.0-beta.10 2.0.0", "2.0.0-beta.1" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct sv in = sv_cstr(cases[i].in), out = sv_cstr(cases[i].out), word;
		struct semver v;

		CHECK(semver_range_valid(sv_cstr(cases[i].range)));
		while (sv_cut(&in, ' ', &word)) {
			CHECK(semver_read(word, &v));
			CHECK(semver_matches(&v, sv_cstr(cases[i].range)));
		}
		while (sv_cut(&out, ' ', &word)) {
			CHECK(semver_read(word, &v));
			CHECK(!semver_matches(&v, sv_cstr(cases[i].range)));
		}
	}
}

TEST(a_range_that_makes_no_sense_has_no_version)
{
	static const char *const wrong[] = { "latest", "1.2.3.4", "^",    ">=",          "<*",
					     ">*",     "~1.a",    "1 - ", "1 || x.y.z.w" };
	struct semver v;

	CHECK(semver_read(SV("1.2.3"), &v));
	for (size_t i = 0; i < countof(wrong); i++) {
		CHECK(!semver_range_valid(sv_cstr(wrong[i])));
		CHECK(!semver_matches(&v, sv_cstr(wrong[i])));
	}
}

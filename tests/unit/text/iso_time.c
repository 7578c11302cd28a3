#include "text/iso_time.h"

#include "test.h"

TEST(timestamp_reads_back_as_written)
{
	static const int64_t moments[] = { 0,
					   1,
					   951782400000, /* a leap day */
					   1767323045999,
					   4102444799999,
					   253402300799999 };

	for (size_t i = 0; i < countof(moments); i++) {
		struct iso_time text = iso_time(moments[i]);
		int64_t got = -1;

		CHECK(iso_time_parse(sv_cstr(text.text), &got));
		CHECK_INT(got, moments[i]);
	}
}

TEST(timestamp_may_have_an_offset_or_a_fraction)
{
	static const struct {
		const char *text;
		int64_t ms;
	} rows[] = {
		{ "1970-01-01T00:00:00Z", 0 },      { "1970-01-02T00:00:00z", 86400000 },
		{ "1970-01-01T02:00:00+02:00", 0 }, { "1970-01-01T00:00:00-0530", 19800000 },
		{ "1970-01-01T00:00:00.5Z", 500 },  { "1970-01-01T00:00:00.123456789+00:00", 123 },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		int64_t got = -1;

		CHECK(iso_time_parse(sv_cstr(rows[i].text), &got));
		CHECK_INT(got, rows[i].ms);
	}
}

TEST(invalid_timestamps_are_refused)
{
	static const char *const rows[] = {
		"",
		"soon",
		"2026-01-01",
		"2026-01-01T00:00:00",
		"2026-01-01 00:00:00Z",
		"2026-13-01T00:00:00Z",
		"2026-00-01T00:00:00Z",
		"2026-02-29T00:00:00Z",
		"2026-06-31T00:00:00Z",
		"2026-01-01T24:00:00Z",
		"2026-01-01T00:60:00Z",
		"2026-01-01T00:00:60Z",
		"2026-01-01T00:00:00.Z",
		"2026-01-01T00:00:00+2:00",
		"2026-01-01T00:00:00+24:00",
		"2026-01-01T00:00:00Z ",
		"-026-01-01T00:00:00Z",
		"1969-12-31T23:59:59Z",
	};

	for (size_t i = 0; i < countof(rows); i++) {
		int64_t got = -1;

		if (iso_time_parse(sv_cstr(rows[i]), &got))
			print_error("%s is taken for a moment\n", rows[i]);
		CHECK_INT(got, -1);
	}
}

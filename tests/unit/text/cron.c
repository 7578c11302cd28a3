#include "text/cron.h"

#include "test.h"

/* Runs with the clocks of a place. */
static void zone(const char *name)
{
	setenv("TZ", name, 1);
	tzset();
}

static void zone_restore(void)
{
	unsetenv("TZ");
	tzset();
}

#define BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"

static int64_t at(const char *text)
{
	struct tm tm = { .tm_isdst = -1 };

	CHECK(strptime(text, "%Y-%m-%d %H:%M:%S", &tm) != NULL);
	return (int64_t)mktime(&tm) * 1000;
}

/* The next `n` times after `from`, separated by commas; the date only where it changes. */
static void check_times(const char *cron_text, const char *from, int n, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;
	struct cron cron;
	struct err err;
	char date[16], shown[16] = "", clock[16];
	int64_t now = at(from);

	CHECK_OK(cron_parse(&cron, sv_cstr(cron_text), &err), err);
	for (int i = 0; i < n; i++) {
		time_t seconds;
		struct tm tm;

		now = cron_next(&cron, now);
		seconds = (time_t)(now / 1000);
		localtime_r(&seconds, &tm);
		strftime(date, sizeof(date), "%Y-%m-%d ", &tm);
		strftime(clock, sizeof(clock), "%H:%M", &tm);
		str_addf(&out, "%s%s%s", i ? ", " : "", strcmp(date, shown) ? date : "", clock);
		memcpy(shown, date, sizeof(date));
	}
	CHECK_STR(str_c(&out), expected);
}

static void check_bad(const char *text, const char *expected)
{
	struct cron cron;
	struct err err;

	CHECK(!cron_parse(&cron, sv_cstr(text), &err));
	CHECK_STR(err.text, expected);
}

static void check_text(const char *text, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	cron_describe(&out, sv_cstr(text));
	CHECK_STR(str_c(&out), expected);
}

TEST(values_ranges_lists_steps_and_names_are_read)
{
	zone("UTC");
	check_times("*/20 * * * *", "2026-01-01 00:00:00", 4,
		    "2026-01-01 00:20, 00:40, 01:00, 01:20");
	check_times("5/20 3 * * *", "2026-01-01 00:00:00", 4,
		    "2026-01-01 03:05, 03:25, 03:45, 2026-01-02 03:05");
	check_times("0,30 9-10 * * *", "2026-01-01 09:00:00", 3, "2026-01-01 09:30, 10:00, 10:30");
	check_times("10-20/5 0 * * *", "2026-01-01 00:00:00", 3, "2026-01-01 00:10, 00:15, 00:20");
	check_times("0 0 1 JAN,Jul *", "2026-01-01 00:00:00", 2,
		    "2026-07-01 00:00, 2027-01-01 00:00");
	check_times("0 12 * * mon-fri", "2026-01-02 12:00:00", 2,
		    "2026-01-05 12:00, 2026-01-06 12:00");
	check_times("0 12 * * 7", "2026-01-01 00:00:00", 2, "2026-01-04 12:00, 2026-01-11 12:00");
	check_times("  0\t12 * *  sun ", "2026-01-01 00:00:00", 1, "2026-01-04 12:00");
	check_times("* * * * *", "2026-12-31 23:59:59", 1, "2027-01-01 00:00");
	zone_restore();
}

TEST(the_time_itself_is_not_after_itself)
{
	zone("UTC");
	check_times("0 9 * * *", "2026-01-01 08:59:59", 1, "2026-01-01 09:00");
	check_times("0 9 * * *", "2026-01-01 09:00:00", 1, "2026-01-02 09:00");
	zone_restore();
}

TEST(two_restricted_days_are_alternatives)
{
	zone("UTC");
	check_times("0 0 13 * fri", "2026-02-01 00:00:00", 4,
		    "2026-02-06 00:00, 2026-02-13 00:00, 2026-02-20 00:00, 2026-02-27 00:00");
	check_times("0 0 */10 * fri", "2026-01-01 00:00:00", 1, "2026-05-01 00:00");
	zone_restore();
}

TEST(leap_days_and_short_months_are_waited_for)
{
	zone("UTC");
	check_times("0 0 29 2 *", "2026-01-01 00:00:00", 2, "2028-02-29 00:00, 2032-02-29 00:00");
	check_times("0 0 29 2 *", "2096-03-01 00:00:00", 1, "2104-02-29 00:00");
	check_times("0 0 31 * *", "2026-01-31 00:00:00", 3,
		    "2026-03-31 00:00, 2026-05-31 00:00, 2026-07-31 00:00");
	zone_restore();
}

TEST(a_day_that_never_comes_has_no_next_time)
{
	struct cron cron;
	struct err err;

	CHECK_OK(cron_parse(&cron, SV("0 0 30 2 *"), &err), err);
	CHECK(cron_next(&cron, 1767225600000) == -1);
	CHECK_OK(cron_parse(&cron, SV("0 0 31 4,6,9,11 *"), &err), err);
	CHECK(cron_next(&cron, 1767225600000) == -1);
}

TEST(a_time_that_the_clock_skips_counts_when_it_has_skipped_it)
{
	zone(BERLIN); /* on 2026-03-29, 02:00 is 03:00 */
	check_times("30 2 * * *", "2026-03-28 12:00:00", 2, "2026-03-29 03:00, 2026-03-30 02:30");
	check_times("*/30 * * * *", "2026-03-29 01:15:00", 3, "2026-03-29 01:30, 03:00, 03:30");
	check_times("0 3 * * *", "2026-03-28 12:00:00", 2, "2026-03-29 03:00, 2026-03-30 03:00");
	zone("<+02>-2<+03>,M3.5.0/0,M10.5.0/0"); /* clocks change at midnight */
	check_times("30 0 * * *", "2026-03-28 12:00:00", 2, "2026-03-29 01:00, 2026-03-30 00:30");
	zone_restore();
}

TEST(a_time_that_comes_twice_counts_once_unless_every_hour_is_meant)
{
	zone(BERLIN); /* on 2026-10-25, 03:00 is 02:00 again */
	check_times("30 2 * * *", "2026-10-24 12:00:00", 2, "2026-10-25 02:30, 2026-10-26 02:30");
	check_times("30 * * * *", "2026-10-25 00:45:00", 4,
		    "2026-10-25 01:30, 02:30, 02:30, 03:30");
	check_times("0 0 * * *", "2026-10-24 12:00:00", 2, "2026-10-25 00:00, 2026-10-26 00:00");
	zone("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"); /* half an hour, on 2026-04-05 */
	check_times("45 1 * * *", "2026-04-04 12:00:00", 2, "2026-04-05 01:45, 2026-04-06 01:45");
	zone_restore();
}

TEST(what_is_not_an_expression_is_refused_with_the_field)
{
	check_bad("",
		  "a cron expression has five fields (minute, hour, day of the month, month, day "
		  "of the week), not 0");
	check_bad("* * * *", "a cron expression has five fields (minute, hour, day of the month, "
			     "month, day of the week), not 4");
	check_bad("* * * * * *",
		  "a cron expression has five fields (minute, hour, day of the month, "
		  "month, day of the week), not 6");
	check_bad("60 * * * *", "'60' cannot be the minute");
	check_bad("* 24 * * *", "'24' cannot be the hour");
	check_bad("* * 0 * *", "'0' cannot be the day of the month");
	check_bad("* * * 13 *", "'13' cannot be the month");
	check_bad("* * * * 8", "'8' cannot be the day of the week");
	check_bad("5-1 * * * *", "'5-1' cannot be the minute");
	check_bad("*/0 * * * *", "'*/0' cannot be the minute");
	check_bad("*-5 * * * *", "'*-5' cannot be the minute");
	check_bad("1,,2 * * * *", "'1,,2' cannot be the minute");
	check_bad("1, * * * *", "'1,' cannot be the minute");
	check_bad("-1 * * * *", "'-1' cannot be the minute");
	check_bad("1-2-3 * * * *", "'1-2-3' cannot be the minute");
	check_bad("99999999999999999999 * * * *", "'99999999999999999999' cannot be the minute");
	check_bad("jan * * * *", "'jan' cannot be the minute");
	check_bad("@daily",
		  "a cron expression has five fields (minute, hour, day of the month, month, "
		  "day of the week), not 1");
}

TEST(people_read_it_as_a_sentence)
{
	check_text("* * * * *", "every minute");
	check_text("*/5 * * * *", "every 5 minutes");
	check_text("0 * * * *", "every hour");
	check_text("0 */2 * * *", "every 2 hours");
	check_text("30 9 * * *", "every day at 09:30");
	check_text("0 0 */3 * *", "every 3 days at 00:00");
	check_text("0 9 * * 1-5", "every weekday at 09:00");
	check_text("0 9 * * sun", "every Sunday at 09:00");
	check_text("0 9 1 * *", "at 0 9 1 * *");
	check_text("0 9 1 5 *", "at 0 9 1 5 *");
	check_text("nonsense", "nonsense");
}

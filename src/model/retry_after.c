/* Reads how long to wait before a retry. A server may name a moment instead of a delay. That moment
 * is compared with the Date of the response, so that our own clock need not be right. */
#include "model/wire/wire.h"

#define MOST_MS INT64_C(31536000000) /* a year: a longer wait is a mistake */

static int64_t retry_after_two_digits(struct sv s, size_t at)
{
	int64_t n;

	return sv_to_int(sv_slice(s, at, at + 2), &n) ? n : -1;
}

static int64_t retry_after_month_of(struct sv name)
{
	size_t at = sv_find(SV("JanFebMarAprMayJunJulAugSepOctNovDec"), name);

	return name.len == 3 && at != SIZE_MAX && at % 3 == 0 ? (int64_t)at / 3 : -1;
}

/* Days since 1970 of a date in the Gregorian calendar; `month` from 0. */
static int64_t retry_after_days_since_epoch(int64_t year, int64_t month, int64_t day)
{
	static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	int64_t past = year - 1;

	return past * 365 + past / 4 - past / 100 + past / 400 - 719162 + before[month] +
	       (leap && month > 1) + day - 1;
}

/* Seconds since 1970 of "Sun, 06 Nov 1994 08:49:37 GMT"; -1: it is none. */
static int64_t retry_after_read_date(struct sv s)
{
	int64_t year, month, day, hour, minute, second;

	if (s.len != 29 || !sv_ends(s, SV(" GMT")) || !sv_to_int(sv_slice(s, 12, 16), &year))
		return -1;
	month = retry_after_month_of(sv_slice(s, 8, 11));
	day = retry_after_two_digits(s, 5);
	hour = retry_after_two_digits(s, 17);
	minute = retry_after_two_digits(s, 20);
	second = retry_after_two_digits(s, 23);
	if (year < 1970 || month < 0 || day < 1 || hour < 0 || minute < 0 || second < 0)
		return -1;
	return ((retry_after_days_since_epoch(year, month, day) * 24 + hour) * 60 + minute) * 60 +
	       second;
}

/* Seconds, with a fraction or without; in milliseconds. */
static int64_t retry_after_read_seconds(struct sv s)
{
	size_t point = sv_find_char(s, '.');
	struct sv digits = sv_slice(sv_skip(s, point == SIZE_MAX ? s.len : point + 1), 0, 3);
	int64_t whole, part = 0, unit = 1000;

	if (!sv_to_int(sv_slice(s, 0, point), &whole) || whole < 0 || whole > MOST_MS / 1000)
		return -1;
	if (digits.len && (!sv_to_int(digits, &part) || part < 0))
		return -1;
	for (size_t i = 0; i < digits.len; i++)
		unit /= 10;
	return whole * 1000 + part * unit;
}

static int64_t retry_after_until(const struct http_head *head, int64_t moment)
{
	int64_t now = retry_after_read_date(http_header(head, "date"));

	if (now < 0 || moment < 0 || moment - now > MOST_MS / 1000)
		return -1;
	return max_of(moment - now, INT64_C(0)) * 1000;
}

int64_t wire_retry_after(const struct http_head *head)
{
	struct sv ms = http_header(head, "retry-after-ms");
	struct sv after = sv_trim(http_header(head, "retry-after"));
	struct sv reset = http_header(head, "anthropic-ratelimit-unified-reset");
	int64_t n;

	if (ms.len && sv_to_int(sv_trim(ms), &n) && n >= 0 && n <= MOST_MS)
		return n;
	n = retry_after_read_seconds(after);
	if (n < 0 && after.len)
		n = retry_after_until(head, retry_after_read_date(after));
	if (n < 0 && head->status == 429 && sv_to_int(sv_trim(reset), &n))
		n = retry_after_until(head, n);
	return n;
}

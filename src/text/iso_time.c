#include "text/iso_time.h"

#include "base/ascii.h"

#include <stdio.h>
#include <time.h>

struct iso_time iso_time(int64_t wall_ms)
{
	time_t seconds = wall_ms / 1000 - (wall_ms % 1000 < 0);
	struct tm tm = { .tm_mday = 1 };
	struct iso_time out;
	char date[32];

	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(out.text, sizeof(out.text), "%.30s.%03dZ", date,
		 (int)((wall_ms % 1000 + 1000) % 1000));
	return out;
}

/* Take exactly `n` digits, and `after` unless it is NUL, off the front of `*rest`. */
static bool iso_time_take_number(struct sv *rest, size_t n, char after, int *out)
{
	size_t len = n + (after != '\0');
	int number = 0;

	if (rest->len < len || (after && rest->ptr[n] != after))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!ascii_is_digit(rest->ptr[i]))
			return false;
		number = number * 10 + rest->ptr[i] - '0';
	}
	*rest = sv_skip(*rest, len);
	*out = number;
	return true;
}

/* Keep only three of the digits after the point. */
static bool iso_time_take_fraction(struct sv *rest, int *ms)
{
	int unit = 100;

	*ms = 0;
	if (!sv_starts(*rest, SV(".")))
		return true;
	*rest = sv_skip(*rest, 1);
	if (!rest->len || !ascii_is_digit(*rest->ptr))
		return false;
	for (; rest->len && ascii_is_digit(*rest->ptr); *rest = sv_skip(*rest, 1), unit /= 10)
		*ms += (*rest->ptr - '0') * unit;
	return true;
}

static bool iso_time_take_offset(struct sv *rest, int *minutes)
{
	int sign = sv_starts(*rest, SV("-")) ? -1 : 1, hour, minute;
	struct sv digits = sv_skip(*rest, 1);

	if (sv_is(*rest, "Z") || sv_is(*rest, "z")) {
		*minutes = 0;
		return true;
	}
	if (!sv_starts(*rest, SV("+")) && !sv_starts(*rest, SV("-")))
		return false;
	if (!iso_time_take_number(&digits, 2, digits.len == 5 ? ':' : '\0', &hour) ||
	    !iso_time_take_number(&digits, 2, '\0', &minute) || digits.len || hour > 23 ||
	    minute > 59)
		return false;
	*minutes = sign * (hour * 60 + minute);
	return true;
}

/* Whether the date exists: timegm() would turn 31 June into another day. */
static bool is_moment(const struct tm *tm, time_t seconds)
{
	struct tm back = { .tm_mday = 0 };

	gmtime_r(&seconds, &back);
	return back.tm_mday == tm->tm_mday && back.tm_mon == tm->tm_mon &&
	       back.tm_hour == tm->tm_hour && back.tm_min == tm->tm_min &&
	       back.tm_sec == tm->tm_sec;
}

bool iso_time_parse(struct sv text, int64_t *wall_ms)
{
	struct tm tm = { .tm_mday = 0 }, given;
	int year, month, ms, offset;
	time_t seconds;

	if (!iso_time_take_number(&text, 4, '-', &year) ||
	    !iso_time_take_number(&text, 2, '-', &month) ||
	    !iso_time_take_number(&text, 2, 'T', &tm.tm_mday) ||
	    !iso_time_take_number(&text, 2, ':', &tm.tm_hour) ||
	    !iso_time_take_number(&text, 2, ':', &tm.tm_min) ||
	    !iso_time_take_number(&text, 2, '\0', &tm.tm_sec) ||
	    !iso_time_take_fraction(&text, &ms) || !iso_time_take_offset(&text, &offset) ||
	    year < 1970)
		return false;
	tm.tm_year = year - 1900;
	tm.tm_mon = month - 1;
	given = tm;
	seconds = timegm(&tm); /* normalises `tm` to a date that exists */
	if (!is_moment(&given, seconds))
		return false;
	*wall_ms = ((int64_t)seconds - (int64_t)offset * 60) * 1000 + ms;
	return true;
}

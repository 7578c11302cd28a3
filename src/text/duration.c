#include "text/duration.h"

void duration_write(struct str *out, int64_t ms)
{
	int64_t minutes = ms / 60000 + (ms % 60000 > 0);
	int64_t hours = ms / 3600000 + (ms % 3600000 > 0);

	if (ms < 60000)
		str_addf(out, "%.1f s", (double)ms / 1000);
	else if (minutes < 60)
		str_addf(out, "%lld min", (long long)minutes);
	else if (minutes < 24 * 60 && minutes % 60)
		str_addf(out, "%lld h %lld min", (long long)minutes / 60, (long long)minutes % 60);
	else if (minutes < 24 * 60)
		str_addf(out, "%lld h", (long long)minutes / 60);
	else if (hours % 24)
		str_addf(out, "%lld d %lld h", (long long)hours / 24, (long long)hours % 24);
	else
		str_addf(out, "%lld d", (long long)hours / 24);
}

void duration_write_ago(struct str *out, int64_t ms)
{
	enum { MINUTE = 60 * 1000, HOUR = 60 * MINUTE, DAY = 24 * HOUR };
	int64_t unit = ms < HOUR ? MINUTE : ms < DAY ? HOUR : DAY;

	if (ms < MINUTE) {
		str_adds(out, "just now");
		return;
	}
	duration_write(out, ms - ms % unit);
	str_adds(out, " ago");
}

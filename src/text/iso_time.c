#include "text/iso_time.h"

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

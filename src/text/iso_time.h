/* iso_time.h - a moment as files and messages have it: "2026-11-15T09:08:10.730Z". */
#ifndef AWL_TEXT_ISO_TIME_H
#define AWL_TEXT_ISO_TIME_H

#include <stdint.h>

struct iso_time {
	char text[40];
};

/* `wall_ms` is milliseconds since 1970. */
struct iso_time iso_time(int64_t wall_ms);

#endif

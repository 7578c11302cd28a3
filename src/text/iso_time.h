/* iso_time.h - timestamps as files and messages write them: "2026-11-15T09:08:10.730Z". */
#ifndef AWL_TEXT_ISO_TIME_H
#define AWL_TEXT_ISO_TIME_H

#include "base/str.h"

struct iso_time {
	char text[40];
};

/* `wall_ms` is milliseconds since 1970. */
struct iso_time iso_time(int64_t wall_ms);

/* Parses a date with a time of day from 1970 on, with or without a fraction of a second,
 * followed by "Z" or by an offset ("+02:00", "-0530"). Returns false, with `*wall_ms`
 * untouched, for anything else. */
must_use bool iso_time_parse(struct sv text, int64_t *wall_ms);

#endif

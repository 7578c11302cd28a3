/* duration.h - lengths of time as people write them: "1.5 s", "7 min", "2 h 30 min", "3 d 4 h". */
#ifndef AWL_TEXT_DURATION_H
#define AWL_TEXT_DURATION_H

#include "base/str.h"

/* Appends `ms` milliseconds, which must not be negative: tenths of a second below a minute, else the
 * two largest units, rounded up, without the smaller one if it is zero. */
void duration_write(struct str *out, int64_t ms);
/* Appends how long ago something was, in its largest unit: "just now", "3 h ago", "2 d ago". */
void duration_write_ago(struct str *out, int64_t ms);

#endif

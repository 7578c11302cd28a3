/* git_reflog.h - the commits that were made in a checkout, read from the log of its HEAD. */
#ifndef AWL_STORE_GIT_GIT_REFLOG_H
#define AWL_STORE_GIT_GIT_REFLOG_H

#include "base/str.h"

/* Appends a line "  abc1234 subject" for each commit that was made in the checkout at `top` since then, newest first,
 * at most `max` of them. Returns how many there were, as far as the end of the log tells. Reads files and starts no
 * process; without a log there are none. */
size_t git_reflog_commits(struct str *out, const char *top, int64_t since_ms, size_t max);

#endif

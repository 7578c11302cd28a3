/* jobs_feed.h - what a watched command prints, told as it comes, in pieces that somebody
 * can bear: lines close together are one piece, of at most LIMIT_FEED_TEXT bytes and
 * LIMIT_FEED_LINE of each line, and while more and more comes the pauses grow to half a
 * minute. What is left out is counted.
 *
 * An op that is done after jobs_feed_end(), or when it is cancelled: then without telling
 * what it has left. */
#ifndef AWL_TOOL_SHELL_JOBS_FEED_H
#define AWL_TOOL_SHELL_JOBS_FEED_H

#include "base/str.h"
#include "sys/op.h"

/* Whole lines without the last newline; from the FIFO. */
typedef void jobs_tell_fn(void *arg, struct sv text);

struct op *jobs_feed_start(struct loop *loop, jobs_tell_fn *tell, void *arg, struct then then);
/* Lines, the last of them perhaps without its end. */
void jobs_feed_add(struct op *feed, struct sv text);
/* No more will come: tells the rest at once. */
void jobs_feed_end(struct op *feed);

#endif

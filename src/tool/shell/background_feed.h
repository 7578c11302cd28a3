/* background_feed.h - passes on the output of a monitored command in pieces that a reader can keep
 * up with. Lines close together form one piece of at most LIMIT_FEED_TEXT bytes, with at most
 * LIMIT_FEED_LINE of each line. While output keeps coming, the pauses between pieces grow to half a
 * minute. Lines that do not fit are counted.
 *
 * The feed is an op. It is done after background_feed_end(), or when it is cancelled; in that case
 * it drops what it has not passed on. */
#ifndef AWL_TOOL_SHELL_BACKGROUND_FEED_H
#define AWL_TOOL_SHELL_BACKGROUND_FEED_H

#include "base/str.h"
#include "sys/op.h"

/* Gets whole lines without the last newline; called from the FIFO. */
typedef void background_feed_fn(void *arg, struct sv text);

struct op *background_feed_start(struct loop *loop, background_feed_fn *on_text, void *arg,
				 struct then then);
/* Adds lines; the last may lack its newline. */
void background_feed_add(struct op *feed, struct sv text);
/* Passes on the rest at once: there is no more output. */
void background_feed_end(struct op *feed);

#endif

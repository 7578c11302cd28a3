/* settings_watch.h - told when settings change, by the kernel and not by polling. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_WATCH_H
#define AWL_STORE_SETTINGS_SETTINGS_WATCH_H

#include "store/settings/settings.h"
#include "sys/op.h"

/* `sources`: a bit (1 << enum settings_source) for each whose files have other content
 * than when it was last told, or when the watch began. */
typedef void settings_changed_fn(void *owner, unsigned sources);

/* Watches every file that settings_load() with these options would read, whether it, or
 * its directory, is there or not. A burst of changes is told once, when it has been quiet
 * for a moment; content that is what it was is no change. `opts` is copied. Ends by
 * op_cancel(); what cannot be watched is logged and simply not told of. */
struct op *settings_watch_start(struct loop *loop, const struct settings_opts *opts,
				settings_changed_fn *changed, struct then then);

/* The file of this source is about to be seen with this content: that is no news. For
 * settings_put(). */
void settings_watch_expect(struct op *op, enum settings_source source, struct sv text);

#endif

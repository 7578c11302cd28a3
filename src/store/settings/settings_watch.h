/* settings_watch.h - reports changes of settings files, using kernel notifications instead of
 * polling. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_WATCH_H
#define AWL_STORE_SETTINGS_SETTINGS_WATCH_H

#include "store/settings/settings.h"
#include "sys/op.h"

/* `sources`: a bit (1 << enum settings_source) for each source whose content has changed since
 * the last report or the start of the watch. */
typedef void settings_changed_fn(void *owner, unsigned sources);

/* Watches every file that settings_load() would read with these options, including missing files
 * and directories. Reports a burst of changes once, after a short quiet period. Rewriting the
 * same content is not a change. Copies `opts`. Runs until op_cancel(). Logs files that cannot be
 * watched and does not report their changes. */
struct op *settings_watch_start(struct loop *loop, const struct settings_opts *opts,
				settings_changed_fn *changed, struct then then);

/* Announces our own write, so that it is not reported as a change. For settings_set(). */
void settings_watch_expect(struct op *op, enum settings_source source, struct sv text);

#endif

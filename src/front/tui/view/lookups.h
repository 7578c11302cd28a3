/* lookups.h - a run of calls that only look something up: Read, Grep, Glob. A few of them are a row each; more are folded
 * into one row with their counts. */
#ifndef AWL_FRONT_TUI_VIEW_LOOKUPS_H
#define AWL_FRONT_TUI_VIEW_LOOKUPS_H

#include "front/tui/view/view.h"

enum lookup_kind { LOOKUP_FILES, LOOKUP_SEARCHES, LOOKUP_LISTS, LOOKUP_KINDS };

/* A zeroed one is empty. */
struct lookups {
	size_t n[LOOKUP_KINDS];
	struct page rows; /* of each call, while there are few */
};

/* Adds a call for which view_call_is_short(). */
void lookups_add(struct lookups *lookups, const struct view *view, const struct view_call *call);
size_t lookups_count(const struct lookups *lookups);
/* Appends the rows. */
void lookups_draw(const struct lookups *lookups, struct page *page, const struct view *view);
/* Forgets the run. */
void lookups_reset(struct lookups *lookups);
void lookups_clear(struct lookups *lookups);

#endif

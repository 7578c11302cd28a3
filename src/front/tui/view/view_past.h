/* view_past.h - a conversation of the past as rows. Pure. */
#ifndef AWL_FRONT_TUI_VIEW_VIEW_PAST_H
#define AWL_FRONT_TUI_VIEW_VIEW_PAST_H

#include "front/past.h"
#include "front/tui/view/view.h"

/* Appends all records, with an empty row between them. */
void view_past(struct page *page, const struct view *view, const struct past *past);

/* Whether a call is part of the conversation that people see. Of plans and questions, their dialogs and the next
 * answer say it all. */
bool view_shows_call(struct sv tool);

#endif

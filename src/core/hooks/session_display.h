/* session_display.h - private to src/core: MessageDisplay hooks, which see what the model says. At a
 * terminal a person reads a text when the hooks are done with it, and as they have changed it: the
 * text is held, and with it everything that the session tells afterwards. The conversation and other
 * hosts have the model's own words. */
#ifndef AWL_CORE_HOOKS_SESSION_DISPLAY_H
#define AWL_CORE_HOOKS_SESSION_DISPLAY_H

#include "core/session/session_internal.h"

/* Whether the event was taken, with its JSON: it is told later, or is a piece of a text that the
 * hooks have to see first. Starts the hooks for a text. */
must_use bool session_display_hold(struct session *s, const struct event *event, struct sv uuid,
				   struct str *json);

struct display_item;
typedef VEC(struct display_item *) display_items;
/* Forgets what is held. */
void session_display_clear(display_items *held);

#endif

/* fast_mode.h - how events and replies say whether the model answers in fast mode: sooner, at a higher price. */
#ifndef AWL_PROTO_FAST_MODE_H
#define AWL_PROTO_FAST_MODE_H

#include "text/json/json.h"
#include "text/json/json_write.h"

/* COOLDOWN: its limit was reached, so requests go at standard speed for a while. */
enum fast_state { FAST_OFF, FAST_COOLDOWN, FAST_ON, FAST_STATES };

/* Why it cannot serve. */
enum fast_obstacle {
	FAST_POSSIBLE,
	FAST_DISABLED_BY_ENV,
	FAST_NOT_FIRST_PARTY, /* another provider */
	FAST_REFUSED,         /* by the organization */
	FAST_NEEDS_OPT_IN,    /* a program must ask for it */
	FAST_NOT_THIS_MODEL,
	FAST_OBSTACLES,
};

struct fast_mode {
	enum fast_state state;
	enum fast_obstacle obstacle;
};

const char *fast_state_name(enum fast_state state);
/* Add and read the members of an object. What cannot be read is off. */
void fast_mode_put(struct jw *w, const struct fast_mode *fast);
void fast_mode_read(struct fast_mode *out, struct json object);

#endif

/* window.h - how full the window of a model may get before the conversation has to become shorter.
 * Pure arithmetic.
 *
 *   |<--------------- size --------------------------------->|
 *   |<-------- effective ------------------>|<- the response->|
 *                   ^warn      ^compact  ^block
 *
 * The distances are those that users of this kind of tool know: 20,000, 13,000 and 3,000 tokens before the
 * effective end. A small window gets proportionally smaller ones. */
#ifndef AWL_CONTEXT_WINDOW_H
#define AWL_CONTEXT_WINDOW_H

#include <stdint.h>

struct window {
	int64_t effective; /* tokens that a request may have */
	int64_t warn;      /* from here on the user is told */
	int64_t compact;   /* from here on the conversation is summarised */
	int64_t block;     /* from here on nothing is sent */
};

struct window_opts {
	int64_t size;       /* tokens of request and response together */
	int64_t max_output; /* tokens that a response may have */
	int64_t limit;      /* of the setting autoCompactWindow; 0: none */
	int percent;        /* summarise at this share of the effective window; 0: as above */
};

struct window window_of(const struct window_opts *opts);

#endif

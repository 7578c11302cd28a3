/* out.h - standard output of a front end. Text is written in order and never blocks the loop:
 * whatever a slow reader has not taken yet waits here. */
#ifndef AWL_FRONT_OUT_H
#define AWL_FRONT_OUT_H

#include "base/str.h"
#include "front/ready.h"

/* How the descriptor takes a lot of text without blocking. */
enum out_way {
	OUT_UNKNOWN, /* not needed so far */
	OUT_SHARED,  /* only a little at a time, when it is ready */
	OUT_FILE,    /* a regular file never blocks for long */
	OUT_SOCKET,
	OUT_PIPE, /* through a descriptor of our own */
};

struct out {
	struct loop *loop;
	int fd;
	enum out_way way;
	int own; /* of the same pipe, and non-blocking; -1: none */
	struct str waiting;
	size_t gone;         /* bytes of `waiting` that are written */
	struct ready *ready; /* NULL: not waiting for the descriptor */
	bool is_corked;      /* collecting text, to write it at once */
	int failed;          /* errno of a failed write; all later text is dropped */
	/* Everything is written, or writing has failed. Called from out_add(), out_uncork() or from
	 * the loop. */
	void (*on_change)(void *arg);
	void *arg;
};

void out_init(struct out *out, struct loop *loop, int fd, void (*on_change)(void *arg), void *arg);
void out_add(struct out *out, struct sv text);
/* Between these two out_add() only collects text, unless there is a lot of it: many small texts then
 * cost one write. */
void out_cork(struct out *out);
void out_uncork(struct out *out);
/* Whether so much text waits that its writer should wait too. */
bool out_is_full(const struct out *out);
bool out_is_empty(const struct out *out);
void out_clear(struct out *out);

#endif

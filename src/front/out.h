/* out.h - standard output of a front end. What is said goes out in order and never
 * stops the loop: a reader that is slow finds the rest waiting here. */
#ifndef AWL_FRONT_OUT_H
#define AWL_FRONT_OUT_H

#include "base/str.h"
#include "front/ready.h"

struct out {
	struct loop *loop;
	int fd;
	struct str waiting;
	size_t gone;         /* of it */
	struct ready *ready; /* NULL while nobody waits */
	int failed;          /* errno of the write that failed; then all is dropped */
	/* From inside out_add() or from the loop: all is out, or nothing ever will be. */
	void (*on_change)(void *arg);
	void *arg;
};

void out_init(struct out *out, struct loop *loop, int fd, void (*on_change)(void *arg), void *arg);
void out_add(struct out *out, struct sv text);
/* Whether so much waits that its writer should, too. */
bool out_is_full(const struct out *out);
bool out_is_empty(const struct out *out);
void out_clear(struct out *out);

#endif

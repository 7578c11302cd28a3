/* uv_loop.h - private to src/sys: the loop on libuv. */
#ifndef AWL_SYS_LOOP_UV_LOOP_H
#define AWL_SYS_LOOP_UV_LOOP_H

#include <uv.h>

#include "sys/loop/loop_core.h"

struct bell;
struct guard;

struct real_loop {
	struct loop base;
	uv_loop_t uv;
	struct guard *guard; /* of child.c; NULL until the first child */
	struct bell *bell;   /* NULL until loop_fd() is called */
	bool turning;        /* inside loop_run() or loop_turn() */
};

static inline struct real_loop *real_loop(struct loop *loop)
{
	return container_of(loop, struct real_loop, base);
}

static inline uv_loop_t *uv_of(struct loop *loop)
{
	return &real_loop(loop)->uv;
}

/* Fills `err` from a libuv status (negative errno). Returns false. */
bool real_err(struct err *err, int status, const char *what);

/* Releases the guard process, in loop_free(). */
void guard_free(struct guard *guard);

#endif

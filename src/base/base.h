/* base.h - what every other file uses: attributes, the two ownership idioms, and BUG()
 * for broken invariants.
 *
 * Ownership has three spellings in this tree:
 *   borrowed  a `struct sv` or plain pointer, valid until the callee returns
 *             unless its header says longer;
 *   owned     `defer(x_freep) struct x *x = ...;` freed at the end of scope;
 *   given     `take_it(move(x))`: the callee owns it now, our pointer is NULL. */
#ifndef AWL_BASE_BASE_H
#define AWL_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define must_use                __attribute__((warn_unused_result))
#define printf_like(fmt, first) __attribute__((format(printf, fmt, first)))
/* Runs `fn(&variable)` when the variable goes out of scope. */
#define defer(fn) __attribute__((cleanup(fn)))

/* Returns the value of `p` and sets `p` to NULL. */
#define move(p)                           \
	({                                \
		__auto_type moved_ = (p); \
		(p) = NULL;               \
		moved_;                   \
	})

#define countof(array) (sizeof(array) / sizeof((array)[0]))

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

/* Unlike the usual macros, these evaluate their arguments once and may be nested. */
#define min_of(a, b)                 PICK_UNIQUE(a, <, b, __COUNTER__)
#define max_of(a, b)                 PICK_UNIQUE(a, >, b, __COUNTER__)
#define PICK_UNIQUE(a, order, b, id) PICK(a, order, b, id)
#define PICK(a, order, b, id)                                              \
	({                                                                 \
		__auto_type pick_a_##id = (a);                             \
		__auto_type pick_b_##id = (b);                             \
		pick_a_##id order pick_b_##id ? pick_a_##id : pick_b_##id; \
	})

/* Reports a broken invariant in our own code (never bad input) with its place, then
 * aborts. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
#define BUG_ON(cond)                      \
	do {                              \
		if (cond)                 \
			BUG("%s", #cond); \
	} while (0)

_Noreturn void bug_at(const char *file, int line, const char *fmt, ...) printf_like(3, 4);

#endif

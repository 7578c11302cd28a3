/* vec.h - growable arrays of any type.
 *
 *   VEC(struct hunk) hunks = VEC_INIT;
 *   vec_push(&hunks, hunk);
 *   for (size_t i = 0; i < hunks.n; i++) use(&hunks.at[i]);
 *   vec_clear(&hunks);
 *
 * Growth moves the elements: keep indices, not pointers. */
#ifndef AWL_BASE_VEC_H
#define AWL_BASE_VEC_H

#include "base/mem.h"

#define VEC(type)              \
	struct {               \
		type *at;      \
		size_t n, cap; \
	}
#define VEC_INIT                             \
	{                                    \
		.at = NULL, .n = 0, .cap = 0 \
	}

#define vec_reserve(v, more)                                                       \
	do {                                                                       \
		size_t need_ = (v)->n + (more);                                    \
		if (need_ > (v)->cap) {                                            \
			(v)->cap = max_of(need_, max_of((v)->cap * 2, (size_t)8)); \
			(v)->at = xrealloc((v)->at, (v)->cap, sizeof(*(v)->at));   \
		}                                                                  \
	} while (0)

/* `item` may refer to the array: it is evaluated before the array grows. */
#define vec_push(v, item)                  \
	do {                               \
		vec_reserve(v, (size_t)1); \
		(v)->at[(v)->n] = (item);  \
		(v)->n++;                  \
	} while (0)

/* Appends a zeroed element and returns a pointer to it. */
#define vec_add(v)                                             \
	({                                                     \
		vec_reserve(v, (size_t)1);                     \
		memset(&(v)->at[(v)->n], 0, sizeof(*(v)->at)); \
		&(v)->at[(v)->n++];                            \
	})

#define vec_last(v) (&(v)->at[(v)->n - 1])
#define vec_pop(v)  ((v)->at[--(v)->n])

/* Removes element `i`, keeping the order of the rest. */
#define vec_remove(v, i)                                                                          \
	do {                                                                                      \
		size_t at_ = (i);                                                                 \
		memmove(&(v)->at[at_], &(v)->at[at_ + 1], ((v)->n - at_ - 1) * sizeof(*(v)->at)); \
		(v)->n--;                                                                         \
	} while (0)

/* Frees the array. The caller first frees what the elements own. */
#define vec_clear(v)                   \
	do {                           \
		free((v)->at);         \
		(v)->at = NULL;        \
		(v)->n = (v)->cap = 0; \
	} while (0)

#endif

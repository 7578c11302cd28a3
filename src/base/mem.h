/* mem.h - allocation that cannot fail: when memory runs out, the program ends with a
 * message, as git, tmux and redis do. Pair with free() or a `defer`. */
#ifndef AWL_BASE_MEM_H
#define AWL_BASE_MEM_H

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

void *xmalloc(size_t size) must_use;
void *xcalloc(size_t n, size_t size) must_use;
/* Allocates `n` elements of `size` bytes; aborts when the product overflows. */
void *xrealloc(void *old, size_t n, size_t size) must_use;
void *xmemdup(const void *bytes, size_t n) must_use;
char *xstrdup(const char *s) must_use;

/* Allocates one zeroed object. */
#define xnew(type) ((type *)xcalloc(1, sizeof(type)))

/* For `defer`: frees what the variable points to. */
void mem_freep(void *pointer_to_pointer);

#endif

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>

/* This is the only file that may call the allocator directly. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static _Noreturn void mem_out_of_memory(size_t size)
{
	fprintf(stderr, "awl: out of memory (asked for %zu bytes)\n", size);
	abort();
}

_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "awl: bug at %s:%d: ", file, line);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	abort();
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		mem_out_of_memory(size);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		mem_out_of_memory(n * size);
	return p;
}

void *xrealloc(void *old, size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_out_of_memory(SIZE_MAX);
	p = realloc(old, bytes ? bytes : 1);
	if (!p)
		mem_out_of_memory(bytes);
	return p;
}

void *xmemdup(const void *bytes, size_t n)
{
	void *p = xmalloc(n);

	if (n)
		memcpy(p, bytes, n);
	return p;
}

char *xstrdup(const char *s)
{
	return xmemdup(s, strlen(s) + 1);
}

void mem_freep(void *pointer_to_pointer)
{
	void **p = pointer_to_pointer;

	free(*p);
	*p = NULL;
}

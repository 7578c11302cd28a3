/* str.h - the two kinds of text: `struct sv`, a view of bytes that somebody else owns,
 * and `struct str`, owned bytes that can grow.
 *
 * A non-empty `str` is always NUL-terminated, so `s.ptr` is a C string. Both kinds may
 * contain NUL bytes, and neither promises UTF-8. An empty view may have any pointer,
 * even NULL, so a zeroed one is valid. */
#ifndef AWL_BASE_STR_H
#define AWL_BASE_STR_H

#include <stdarg.h>
#include <string.h>

#include "base/base.h"

struct sv {
	const char *ptr;
	size_t len;
};

struct str {
	char *ptr;
	size_t len, cap;
};

#define STR_INIT                                \
	{                                       \
		.ptr = NULL, .len = 0, .cap = 0 \
	}
#define SV_EMPTY ((struct sv){ .ptr = "", .len = 0 })

/* A view of a string literal. SV_INIT works in constant tables too. */
#define SV_INIT(literal)                                      \
	{                                                     \
		.ptr = "" literal, .len = sizeof(literal) - 1 \
	}
#define SV(literal) ((struct sv)SV_INIT(literal))

/* For printf: `"%.*s", SV_ARG(view)`. */
#define SV_ARG(view) (int)min_of((view).len, (size_t)INT32_MAX), (view).ptr

/* Views. */
static inline struct sv sv_from(const char *ptr, size_t len)
{
	return (struct sv){ .ptr = len ? ptr : "", .len = len };
}

/* NULL gives the empty view. */
static inline struct sv sv_cstr(const char *s)
{
	return s ? (struct sv){ .ptr = s, .len = strlen(s) } : SV_EMPTY;
}

/* Valid until `s` is changed. */
static inline struct sv sv_of(const struct str *s)
{
	return sv_from(s->ptr, s->len);
}

static inline bool sv_eq(struct sv a, struct sv b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool sv_is(struct sv a, const char *s)
{
	return sv_eq(a, sv_cstr(s));
}

/* Whether the text is one of `words`, an array such as `static const char words[][8]`: pointers would
 * have to be relocated whenever the program starts. */
#define sv_is_among(text, words) sv_is_one_of(text, &(words)[0], countof(words), sizeof((words)[0]))
/* The same for `n` words of at most `size` bytes, one after the other. */
bool sv_is_one_of(struct sv text, const char (*words)[], size_t n, size_t size);

bool sv_eq_nocase(struct sv a, struct sv b); /* ASCII letters only */
int sv_cmp(struct sv a, struct sv b);        /* byte order */
bool sv_starts(struct sv s, struct sv prefix);
bool sv_ends(struct sv s, struct sv suffix);

/* The bytes [from, to), both clamped to the view. */
struct sv sv_slice(struct sv s, size_t from, size_t to);
static inline struct sv sv_skip(struct sv s, size_t n)
{
	return sv_slice(s, n, s.len);
}

/* Index of the first or last occurrence, or SIZE_MAX. */
size_t sv_find(struct sv s, struct sv needle);
size_t sv_find_nocase(struct sv s, struct sv needle); /* ASCII letters only */
size_t sv_find_char(struct sv s, char c);
size_t sv_rfind_char(struct sv s, char c);

/* The view without ASCII white space at either end. */
struct sv sv_trim(struct sv s);

/* The part after the last '/' of a path, or the whole path when it has none. */
struct sv sv_basename(struct sv path);

/* Cuts the part before `sep` off the front of `*rest` into `*head` and drops the
 * separator. When there is no separator, `*head` is the whole rest. Returns false once
 * nothing is left, so that `while (sv_cut(...))` visits every part. */
bool sv_cut(struct sv *rest, char sep, struct sv *head);

/* Like sv_cut() for lines: drops "\n" or "\r\n". The end of the text after the last newline
 * does not count as an empty line. */
bool sv_cut_line(struct sv *rest, struct sv *line);

/* Reads the whole view as a decimal number; false when it is anything else. */
must_use bool sv_to_int(struct sv s, int64_t *out);

/* Returns a NUL-terminated copy, which the caller frees. */
char *sv_dup(struct sv s) must_use;

/* A copy to keep in a view, which sv_disown() frees. An empty one owns nothing. */
struct sv sv_own(struct sv s) must_use;
void sv_disown(struct sv *own);

/* Owned text. */
void str_clear(struct str *s); /* frees; `s` is STR_INIT again */
void str_reserve(struct str *s, size_t more);
void str_add(struct str *s, struct sv text);
void str_addc(struct str *s, char c);
void str_addf(struct str *s, const char *fmt, ...) printf_like(2, 3);
void str_vaddf(struct str *s, const char *fmt, va_list args) printf_like(2, 0);
/* Appends a number as people read it: "950", "1.2k", "18k", "3.4M". */
void str_add_count(struct str *s, int64_t n);

static inline void str_adds(struct str *s, const char *text)
{
	str_add(s, sv_cstr(text));
}

/* Appends `text` unless `s` would then be longer than `max` bytes: then returns false
 * and changes nothing. */
must_use bool str_add_capped(struct str *s, struct sv text, size_t max);

/* Shortens to `len` bytes and keeps the memory. */
void str_truncate(struct str *s, size_t len);

/* Replaces the whole content. `text` must not be a view into it. */
void str_set(struct str *s, struct sv text);
/* Removes the first `n` bytes. */
void str_consume(struct str *s, size_t n);
/* Replaces the bytes [from, to) with `text`. */
void str_splice(struct str *s, size_t from, size_t to, struct sv text);

/* Returns the text as a C string that the caller frees; `s` is then empty. */
char *str_detach(struct str *s) must_use;
/* Returns the text as a borrowed C string: "" when nothing was ever added. */
const char *str_c(const struct str *s);

#endif

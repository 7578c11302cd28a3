/* ascii.h - classes of ASCII characters, the same in every locale. The functions take an
 * int, so that callers can pass both plain chars and -1 for "no character". Bytes above
 * 127 are in no class. */
#ifndef AWL_BASE_ASCII_H
#define AWL_BASE_ASCII_H

#include <stdbool.h>
#include <string.h>

static inline bool ascii_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool ascii_is_lower(int c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool ascii_is_alpha(int c)
{
	return ascii_is_lower(c) || (c >= 'A' && c <= 'Z');
}

static inline bool ascii_is_alnum(int c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c);
}

static inline int ascii_lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* A letter, a digit or '_'. */
static inline bool ascii_is_word(int c)
{
	return ascii_is_alnum(c) || c == '_';
}

/* A space or a tab. */
static inline bool ascii_is_blank(int c)
{
	return c == ' ' || c == '\t';
}

/* A blank, or a character of a line break. */
static inline bool ascii_is_space(int c)
{
	return ascii_is_blank(c) || c == '\n' || c == '\r';
}

/* A character of `set`, but never NUL. */
static inline bool ascii_is_one_of(int c, const char *set)
{
	return c != '\0' && strchr(set, c);
}

#endif

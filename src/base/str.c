#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "base/mem.h"

bool sv_is_one_of(struct sv text, const char (*words)[], size_t n, size_t size)
{
	const char *word = *words;

	for (size_t i = 0; i < n; i++, word += size)
		if (sv_eq(text, sv_from(word, strnlen(word, size))))
			return true;
	return false;
}

bool sv_eq_nocase(struct sv a, struct sv b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (ascii_lower(a.ptr[i]) != ascii_lower(b.ptr[i]))
			return false;
	return true;
}

int sv_cmp(struct sv a, struct sv b)
{
	size_t common = min_of(a.len, b.len);
	int order = common ? memcmp(a.ptr, b.ptr, common) : 0;

	if (order)
		return order;
	return a.len < b.len ? -1 : a.len > b.len;
}

bool sv_starts(struct sv s, struct sv prefix)
{
	return s.len >= prefix.len && sv_eq(sv_slice(s, 0, prefix.len), prefix);
}

bool sv_ends(struct sv s, struct sv suffix)
{
	return s.len >= suffix.len && sv_eq(sv_skip(s, s.len - suffix.len), suffix);
}

struct sv sv_slice(struct sv s, size_t from, size_t to)
{
	to = min_of(to, s.len);
	if (from >= to)
		return SV_EMPTY;
	return (struct sv){ .ptr = s.ptr + from, .len = to - from };
}

size_t sv_find(struct sv s, struct sv needle)
{
	const char *hit;

	if (needle.len == 0)
		return 0;
	hit = s.len ? memmem(s.ptr, s.len, needle.ptr, needle.len) : NULL;
	return hit ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

size_t sv_find_nocase(struct sv s, struct sv needle)
{
	for (size_t i = 0; i + needle.len <= s.len; i++)
		if (sv_eq_nocase(sv_slice(s, i, i + needle.len), needle))
			return i;
	return SIZE_MAX;
}

size_t sv_find_char(struct sv s, char c)
{
	const char *hit = s.len ? memchr(s.ptr, c, s.len) : NULL;

	return hit ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

size_t sv_rfind_char(struct sv s, char c)
{
	const char *hit = s.len ? memrchr(s.ptr, c, s.len) : NULL;

	return hit ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

struct sv sv_basename(struct sv path)
{
	return sv_skip(path, sv_rfind_char(path, '/') + 1); /* SIZE_MAX + 1 is 0 */
}

static bool str_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct sv sv_trim(struct sv s)
{
	size_t from = 0, to = s.len;

	while (from < to && str_is_blank(s.ptr[from]))
		from++;
	while (to > from && str_is_blank(s.ptr[to - 1]))
		to--;
	return sv_slice(s, from, to);
}

bool sv_cut(struct sv *rest, char sep, struct sv *head)
{
	size_t at;

	if (!rest->ptr)
		return false;
	at = sv_find_char(*rest, sep);
	*head = sv_slice(*rest, 0, at);
	if (at == SIZE_MAX)
		*rest = (struct sv){ .ptr = NULL, .len = 0 };
	else
		*rest = sv_skip(*rest, at + 1);
	return true;
}

bool sv_cut_line(struct sv *rest, struct sv *line)
{
	if (rest->len == 0)
		return false;
	if (!sv_cut(rest, '\n', line))
		return false;
	if (rest->ptr && sv_ends(*line, SV("\r"))) /* NULL: no newline ended the line */
		line->len--;
	return true;
}

bool sv_to_int(struct sv s, int64_t *out)
{
	bool negative = sv_starts(s, SV("-"));
	int64_t value = 0;

	if (s.len == (negative ? 1 : 0))
		return false;
	for (size_t i = negative ? 1 : 0; i < s.len; i++) {
		int digit = s.ptr[i] - '0';

		if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, negative ? -digit : digit, &value))
			return false;
	}
	*out = value;
	return true;
}

char *sv_dup(struct sv s)
{
	char *copy = xmalloc(s.len + 1);

	if (s.len)
		memcpy(copy, s.ptr, s.len);
	copy[s.len] = '\0';
	return copy;
}

struct sv sv_own(struct sv s)
{
	return s.len ? (struct sv){ .ptr = sv_dup(s), .len = s.len } : SV_EMPTY;
}

void sv_disown(struct sv *own)
{
	if (own->len)
		free((char *)own->ptr);
	*own = SV_EMPTY;
}

void str_clear(struct str *s)
{
	free(s->ptr);
	*s = (struct str)STR_INIT;
}

void str_reserve(struct str *s, size_t more)
{
	size_t need;

	if (__builtin_add_overflow(s->len, more, &need) || need >= LIMIT_STR)
		BUG("string longer than %zu bytes: its producer has no cap", (size_t)LIMIT_STR);
	if (need + 1 <= s->cap)
		return;
	s->cap = max_of(need + 1, max_of(s->cap + s->cap / 2, (size_t)32));
	s->ptr = xrealloc(s->ptr, s->cap, 1);
}

void str_add(struct str *s, struct sv text)
{
	str_reserve(s, text.len);
	if (text.len)
		memcpy(s->ptr + s->len, text.ptr, text.len);
	s->len += text.len;
	s->ptr[s->len] = '\0';
}

void str_addc(struct str *s, char c)
{
	str_reserve(s, 1);
	s->ptr[s->len++] = c;
	s->ptr[s->len] = '\0';
}

void str_vaddf(struct str *s, const char *fmt, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		BUG("bad format \"%s\"", fmt);
	str_reserve(s, (size_t)n);
	vsnprintf(s->ptr + s->len, (size_t)n + 1, fmt, args);
	s->len += (size_t)n;
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	str_vaddf(s, fmt, args);
	va_end(args);
}

void str_add_count(struct str *s, int64_t n)
{
	bool is_big = n >= 999950; /* not "1000k" */
	int64_t unit = is_big ? 1000000 : 1000;
	int64_t tenths = n / (unit / 10) + (n % (unit / 10) >= unit / 20);

	if (n < 1000)
		str_addf(s, "%lld", (long long)n);
	else if (tenths % 10)
		str_addf(s, "%lld.%lld%c", (long long)(tenths / 10), (long long)(tenths % 10),
			 is_big ? 'M' : 'k');
	else
		str_addf(s, "%lld%c", (long long)(tenths / 10), is_big ? 'M' : 'k');
}

bool str_add_capped(struct str *s, struct sv text, size_t max)
{
	if (text.len > max || s->len > max - text.len)
		return false;
	str_add(s, text);
	return true;
}

void str_truncate(struct str *s, size_t len)
{
	if (len >= s->len)
		return;
	s->len = len;
	s->ptr[len] = '\0';
}

void str_set(struct str *s, struct sv text)
{
	str_truncate(s, 0);
	str_add(s, text);
}

void str_consume(struct str *s, size_t n)
{
	str_splice(s, 0, n, SV_EMPTY);
}

void str_splice(struct str *s, size_t from, size_t to, struct sv text)
{
	size_t tail;

	to = min_of(to, s->len);
	from = min_of(from, to);
	tail = s->len - to;
	str_reserve(s, text.len);
	memmove(s->ptr + from + text.len, s->ptr + to, tail);
	if (text.len)
		memcpy(s->ptr + from, text.ptr, text.len);
	s->len = from + text.len + tail;
	s->ptr[s->len] = '\0';
}

char *str_detach(struct str *s)
{
	char *text;

	str_reserve(s, 0);
	text = s->ptr;
	text[s->len] = '\0';
	*s = (struct str)STR_INIT;
	return text;
}

const char *str_c(const struct str *s)
{
	return s->ptr ? s->ptr : "";
}

/* A pattern, a path and a .gitignore, separated by newlines. The matcher agrees
 * with a plain recursive one and keeps to its bound; braces expand to patterns
 * that match what the glob does; what is below a hidden directory is hidden. */
#include "text/match/glob.h"
#include "text/match/ignore.h"
#include "text/match/wildmatch.h"

enum { SMALL = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct slow {
	struct sv pattern, path;
	bool nocase;
	signed char known[SMALL + 1][SMALL + 1]; /* 0, or 1 for no and 2 for yes */
};

static bool slow_match(struct slow *s, size_t p, size_t t);

static bool single(const struct slow *s, size_t p, size_t end, size_t t)
{
	size_t steps = SIZE_MAX;

	return t < s->path.len && wildmatch(sv_slice(s->pattern, p, end),
					    sv_slice(s->path, t, t + 1), s->nocase, &steps);
}

static bool slow_stars(struct slow *s, size_t p, size_t t)
{
	struct sv pattern = s->pattern;
	size_t end = p, next;
	bool deep;

	while (end < pattern.len && pattern.ptr[end] == '*')
		end++;
	next = end + (end < pattern.len && pattern.ptr[end] == '\\');
	deep = end - p > 1 && (p == 0 || pattern.ptr[p - 1] == '/') &&
	       (end == pattern.len || (next < pattern.len && pattern.ptr[next] == '/'));
	if (!deep)
		return slow_match(s, end, t) ||
		       (t < s->path.len && s->path.ptr[t] != '/' && slow_match(s, p, t + 1));
	if (end == pattern.len || (next == end && slow_match(s, end + 1, t)))
		return true;
	for (; t < s->path.len; t++)
		if (s->path.ptr[t] == '/' && slow_match(s, next + 1, t + 1))
			return true;
	return false;
}

static bool slow_element(struct slow *s, size_t p, size_t t)
{
	struct sv pattern = s->pattern;
	size_t end = p + 1, bad_at;

	if (pattern.ptr[p] == '*')
		return slow_stars(s, p, t);
	if (pattern.ptr[p] == '\\' || pattern.ptr[p] == '[')
		while (!wildmatch_valid(sv_slice(pattern, p, end), &bad_at))
			if (++end > pattern.len)
				return false;
	return single(s, p, end, t) && slow_match(s, end, t + 1);
}

static bool slow_match(struct slow *s, size_t p, size_t t)
{
	if (p == s->pattern.len)
		return t == s->path.len;
	if (!s->known[p][t])
		s->known[p][t] = slow_element(s, p, t) ? 2 : 1;
	return s->known[p][t] == 2;
}

static void check_wild(struct sv pattern, struct sv path, bool nocase)
{
	struct slow slow = { .pattern = pattern, .path = path, .nocase = nocase };
	size_t steps = 3 * (pattern.len + 1) * (path.len + 1);
	bool matches = wildmatch(pattern, path, nocase, &steps);

	BUG_ON(steps == 0);
	if (pattern.len <= SMALL && path.len <= SMALL)
		BUG_ON(matches != slow_match(&slow, 0, 0));
}

static void check_glob(struct sv pattern, struct sv path, bool nocase)
{
	struct glob g = GLOB_INIT;
	struct err err;
	bool any = false;

	if (!glob_init(&g, pattern, nocase, &err))
		return;
	for (size_t i = 0; i < g.patterns.n; i++) {
		size_t steps = SIZE_MAX;

		any |= wildmatch(sv_cstr(g.patterns.at[i]), path, nocase, &steps);
	}
	BUG_ON(glob_match(&g, path) != any);
	glob_clear(&g);
}

static void check_ignore(struct sv text, struct sv path, bool nocase)
{
	defer(ignore_clear) struct ignore ig = { .nocase = nocase };
	struct err err;
	size_t slash = sv_rfind_char(path, '/');

	if (!ignore_add(&ig, SV(""), text, &err) || !ignore_add(&ig, SV("a"), text, &err))
		return;
	if (slash != SIZE_MAX && slash > 0 && ignore_hides(&ig, sv_slice(path, 0, slash), true))
		BUG_ON(!ignore_hides(&ig, path, false));
	if (ignore_hides(&ig, path, false) != ignore_hides(&ig, path, true)) {
		bool dir_only = false;

		for (size_t i = 0; i < ig.rules.n; i++)
			dir_only |= ig.rules.at[i].dir_only;
		BUG_ON(!dir_only);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = sv_from((const char *)data, size), pattern = SV_EMPTY, path = SV_EMPTY;
	bool nocase = size > 0 && data[0] == '~';

	sv_cut(&text, '\n', &pattern);
	sv_cut(&text, '\n', &path);
	check_wild(pattern, path, nocase);
	check_glob(pattern, path, nocase);
	check_ignore(text, path, nocase);
	return 0;
}

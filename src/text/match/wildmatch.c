#include "text/match/wildmatch.h"

#include "base/ascii.h"

enum { END = -1 }; /* the byte past the end */

static const size_t NOWHERE = SIZE_MAX;

static int wildmatch_byte_at(struct sv s, size_t i)
{
	return i < s.len ? (unsigned char)s.ptr[i] : END;
}

static bool is_upper(int c)
{
	return c >= 'A' && c <= 'Z';
}

static int wildmatch_to_lower(int c)
{
	return is_upper(c) ? c + ('a' - 'A') : c;
}

static bool is_cntrl(int c)
{
	return c < ' ' || c == 0x7f;
}

static bool is_print(int c)
{
	return c >= ' ' && c < 0x7f;
}

static bool is_graph(int c)
{
	return c > ' ' && c < 0x7f;
}

static bool is_punct(int c)
{
	return is_graph(c) && !ascii_is_alnum(c);
}

static bool is_xdigit(int c)
{
	return ascii_is_digit(c) || (wildmatch_to_lower(c) >= 'a' && wildmatch_to_lower(c) <= 'f');
}

static const struct posix_class {
	struct sv name;
	bool (*has)(int c);
} posix_classes[] = {
	{ SV_INIT("alnum"), ascii_is_alnum }, { SV_INIT("alpha"), ascii_is_alpha },
	{ SV_INIT("blank"), ascii_is_blank }, { SV_INIT("cntrl"), is_cntrl },
	{ SV_INIT("digit"), ascii_is_digit }, { SV_INIT("graph"), is_graph },
	{ SV_INIT("lower"), ascii_is_lower }, { SV_INIT("print"), is_print },
	{ SV_INIT("punct"), is_punct },       { SV_INIT("space"), ascii_is_space },
	{ SV_INIT("upper"), is_upper },       { SV_INIT("xdigit"), is_xdigit },
};

/* Read a set such as [a-z_] and check on the way whether it contains the byte `c`. */
struct set {
	struct sv pattern;
	size_t at;    /* of the item being read */
	size_t close; /* of the first ']' not before `at`, once known */
	int c;
	int previous; /* a possible start of a range, or END */
	bool nocase;
	bool has;
};

static bool set_has_class(const struct set *s, const struct posix_class *class)
{
	return class->has(s->c) || (s->nocase && class->has == is_upper && ascii_is_lower(s->c));
}

/* Read "[:alpha:]". False when the class is unclosed or unknown. A "[:" whose next ']'
 * does not follow a ':' is a plain '['. */
static bool set_take_class(struct set *s)
{
	size_t from = s->at + 2;
	struct sv name;

	if (s->close == NOWHERE || s->close < from) {
		size_t found = sv_find_char(sv_skip(s->pattern, from), ']');

		if (found == SIZE_MAX)
			return false;
		s->close = from + found;
	}
	if (s->close == from || s->pattern.ptr[s->close - 1] != ':') {
		s->has |= s->c == '[';
		s->previous = '[';
		s->at++;
		return true;
	}
	name = sv_slice(s->pattern, from, s->close - 1);
	s->previous = END;
	s->at = s->close + 1;
	for (size_t i = 0; i < countof(posix_classes); i++)
		if (sv_eq(posix_classes[i].name, name)) {
			s->has |= set_has_class(s, &posix_classes[i]);
			return true;
		}
	return false;
}

/* The byte at `at`, or the one after a '\' there; END when there is none. */
static int set_take_byte(struct set *s)
{
	if (wildmatch_byte_at(s->pattern, s->at) == '\\')
		s->at++;
	return wildmatch_byte_at(s->pattern, s->at++);
}

static bool set_take_range(struct set *s)
{
	int low = s->previous, high, upper = s->c - ('a' - 'A');

	s->at++;
	high = set_take_byte(s);
	s->previous = END;
	s->has |= s->c >= low && s->c <= high;
	s->has |= s->nocase && ascii_is_lower(s->c) && upper >= low && upper <= high;
	return high != END;
}

static bool set_take_item(struct set *s)
{
	int c = wildmatch_byte_at(s->pattern, s->at),
	    next = wildmatch_byte_at(s->pattern, s->at + 1);

	if (c == '-' && s->previous != END && next != END && next != ']')
		return set_take_range(s);
	if (c == '[' && next == ':')
		return set_take_class(s);
	s->previous = set_take_byte(s);
	s->has |= s->c == s->previous;
	return s->previous != END;
}

/* Move `*at` from the '[' there to past the set, and return whether `c` is in it. False
 * when the set is malformed: it then matches nothing. */
static bool wildmatch_take_set(struct sv pattern, size_t *at, int c, bool nocase, bool *has)
{
	int first = wildmatch_byte_at(pattern, *at + 1);
	bool negated = first == '!' || first == '^';
	struct set s = {
		.pattern = pattern,
		.at = *at + 1 + negated,
		.close = NOWHERE,
		.c = c,
		.previous = END,
		.nocase = nocase,
	};

	do {
		if (!set_take_item(&s))
			return false;
	} while (wildmatch_byte_at(pattern, s.at) != ']');
	*at = s.at + 1;
	*has = s.has != negated;
	return true;
}

/* The progress of a match, and where to resume when it fails. Components are separate: a
 * '*' cannot match a '/', and the first way to match the part between two "**" is as
 * good as any. So one resume point of each kind is enough, and no pair of bytes is
 * compared twice for one of them. */
struct walk {
	struct sv pattern, path;
	size_t p, t;           /* next positions in pattern and path */
	size_t star_p, star_t; /* after the last '*' of this component */
	size_t deep_p, deep_t; /* after the last "**" and its slash */
	bool nocase;
	size_t *steps;
};

/* Whether the set at `p` contains `c`; `*after` is then the end of the set. */
static bool set_matches(struct walk *w, int c, size_t *after)
{
	size_t end = w->p;
	bool has;

	if (!wildmatch_take_set(w->pattern, &end, c, w->nocase, &has)) {
		has = false;
		end = w->pattern.len;
	}
	*w->steps -= min_of(*w->steps, end - w->p);
	*after = end;
	return has && c != '/';
}

/* Match one element, not a star, against the byte at `t`. */
static bool wildmatch_take_one(struct walk *w)
{
	int c = wildmatch_byte_at(w->path, w->t), want = wildmatch_byte_at(w->pattern, w->p);
	size_t after = w->p + 1;
	bool matches;

	if (c == END || want == END)
		return false;
	if (w->nocase) {
		c = wildmatch_to_lower(c);
		want = wildmatch_to_lower(want);
	}
	switch (want) {
	case '?': matches = c != '/'; break;
	case '[': matches = set_matches(w, c, &after); break;
	case '\\': matches = c == wildmatch_byte_at(w->pattern, after++); break;
	default: matches = c == want; break;
	}
	if (!matches)
		return false;
	if (c == '/')
		w->star_p = NOWHERE; /* its component is finished */
	w->p = after;
	w->t++;
	return true;
}

/* Resume after the next slash of the path, for the last "**". */
static bool wildmatch_next_component(struct walk *w)
{
	size_t slash;

	if (w->deep_p == NOWHERE)
		return false;
	slash = sv_find_char(sv_skip(w->path, w->deep_t), '/');
	if (slash == SIZE_MAX)
		return false;
	w->deep_t += slash + 1;
	w->t = w->deep_t;
	w->p = w->deep_p;
	w->star_p = NOWHERE;
	return true;
}

/* Let the last star match one more byte. */
static bool wildmatch_retry(struct walk *w)
{
	if (w->star_p == NOWHERE || w->star_t == w->path.len || w->path.ptr[w->star_t] == '/')
		return wildmatch_next_component(w);
	w->t = ++w->star_t;
	w->p = w->star_p;
	return true;
}

/* Match a run of stars. False when "**" needs a slash that the path does not have. */
static bool wildmatch_take_stars(struct walk *w)
{
	size_t from = w->p, end = from;
	bool starts, escaped;

	while (wildmatch_byte_at(w->pattern, end) == '*')
		end++;
	starts = end - from >= 2 && (from == 0 || w->pattern.ptr[from - 1] == '/');
	escaped = wildmatch_byte_at(w->pattern, end) == '\\';
	w->p = end;
	if (starts && end == w->pattern.len) {
		w->t = w->path.len;
	} else if (starts && wildmatch_byte_at(w->pattern, end + escaped) == '/') {
		w->star_p = NOWHERE;
		w->p = w->deep_p = end + escaped + 1;
		w->deep_t = w->t;
		return !escaped ||
		       wildmatch_next_component(w); /* only a bare "**" and '/' match nothing */
	} else {
		w->star_p = end;
		w->star_t = w->t;
	}
	return true;
}

bool wildmatch(struct sv pattern, struct sv path, bool nocase, size_t *steps)
{
	struct walk w = {
		.pattern = pattern,
		.path = path,
		.star_p = NOWHERE,
		.deep_p = NOWHERE,
		.nocase = nocase,
		.steps = steps,
	};

	for (; *steps > 0; --*steps) {
		if (w.p == pattern.len && w.t == path.len)
			return true;
		if (wildmatch_byte_at(pattern, w.p) == '*'
			    ? !wildmatch_take_stars(&w)
			    : !wildmatch_take_one(&w) && !wildmatch_retry(&w))
			return false;
	}
	return false;
}

bool wildmatch_valid(struct sv pattern, size_t *bad_at)
{
	for (size_t i = 0; i < pattern.len;) {
		bool ignored;

		*bad_at = i;
		if (pattern.ptr[i] == '[') {
			if (!wildmatch_take_set(pattern, &i, 0, false, &ignored))
				return false;
			continue;
		}
		i += pattern.ptr[i] == '\\' ? 2 : 1;
		if (i > pattern.len)
			return false;
	}
	return true;
}

size_t wildmatch_literal_prefix(struct sv pattern)
{
	size_t n = 0;

	while (n < pattern.len && sv_find_char(SV("*?[\\"), pattern.ptr[n]) == SIZE_MAX)
		n++;
	return n;
}

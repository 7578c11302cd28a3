#include "text/match/semver.h"

#include "base/ascii.h"

enum { SEMVER_DIGITS = 15 };

/* --- versions -------------------------------------------------------------------------------- */

/* A version of which parts may be left out: "1", "1.x", "*". */
struct semver_partial {
	struct semver version;
	size_t n; /* the number of parts that are given */
};

static bool semver_read_part(struct sv text, uint64_t *out)
{
	uint64_t value = 0;

	if (!text.len || text.len > SEMVER_DIGITS)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (!ascii_is_digit(text.ptr[i]))
			return false;
		value = value * 10 + (uint64_t)(text.ptr[i] - '0');
	}
	*out = value;
	return true;
}

static bool semver_is_preview(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!ascii_is_alnum(text.ptr[i]) && !ascii_is_one_of(text.ptr[i], "-."))
			return false;
	return text.len;
}

static bool semver_read_partial(struct sv text, struct semver_partial *out)
{
	struct semver_partial p = { .n = 0 };
	bool is_open = false;
	struct sv part;
	size_t at;

	if (sv_starts(text, SV("v")) || sv_starts(text, SV("V")))
		text = sv_skip(text, 1);
	text = sv_slice(text, 0, min_of(sv_find_char(text, '+'), text.len));
	at = sv_find_char(text, '-');
	if (at != SIZE_MAX) {
		p.version.preview = sv_skip(text, at + 1);
		if (!semver_is_preview(p.version.preview))
			return false;
		text = sv_slice(text, 0, at);
	}
	for (size_t i = 0; sv_cut(&text, '.', &part); i++) {
		if (i == countof(p.version.part))
			return false;
		is_open = is_open || sv_is(part, "x") || sv_is(part, "X") || sv_is(part, "*");
		if (is_open)
			continue;
		if (!semver_read_part(part, &p.version.part[p.n]))
			return false;
		p.n++;
	}
	*out = p;
	return (p.n || is_open) && (!p.version.preview.len || p.n == countof(p.version.part));
}

bool semver_read(struct sv text, struct semver *out)
{
	struct semver_partial p;

	if (!semver_read_partial(sv_trim(text), &p) || p.n != countof(p.version.part))
		return false;
	*out = p.version;
	return true;
}

/* Numbers are older than words; among numbers, the smaller one is older. */
static int semver_compare_word(struct sv a, struct sv b)
{
	uint64_t x, y;
	bool a_is_number = semver_read_part(a, &x), b_is_number = semver_read_part(b, &y);

	if (a_is_number && b_is_number)
		return x < y ? -1 : x > y;
	if (a_is_number != b_is_number)
		return a_is_number ? -1 : 1;
	return sv_cmp(a, b);
}

static int semver_compare_preview(struct sv a, struct sv b)
{
	struct sv left = SV_EMPTY, right = SV_EMPTY;
	int order = 0;

	if (!a.len || !b.len)
		return (int)!a.len - (int)!b.len;
	while (!order) {
		bool has_a = sv_cut(&a, '.', &left), has_b = sv_cut(&b, '.', &right);

		if (!has_a || !has_b)
			return (int)has_a - (int)has_b;
		order = semver_compare_word(left, right);
	}
	return order;
}

int semver_compare(const struct semver *a, const struct semver *b)
{
	for (size_t i = 0; i < countof(a->part); i++)
		if (a->part[i] != b->part[i])
			return a->part[i] < b->part[i] ? -1 : 1;
	return semver_compare_preview(a->preview, b->preview);
}

/* --- ranges ---------------------------------------------------------------------------------- */

/* What one comparator lets through. */
struct semver_span {
	struct semver from, to;
	bool is_above_from; /* `from` itself is not in it */
	bool has_to, has_to_itself;
};

/* The first version above all that begin with the first `n` parts. */
static struct semver semver_next(const struct semver *v, size_t n)
{
	struct semver next = { .part = { 0 } };

	for (size_t i = 0; i < n; i++)
		next.part[i] = v->part[i] + (i == n - 1);
	return next;
}

static void semver_end_before(struct semver_span *span, const struct semver_partial *p, size_t n)
{
	span->has_to = n;
	span->to = semver_next(&p->version, n);
}

static void semver_span_caret(struct semver_span *span, const struct semver_partial *p)
{
	size_t n = 1;

	while (n < p->n && p->version.part[n - 1] == 0)
		n++;
	semver_end_before(span, p, min_of(n, p->n));
}

/* All versions that begin as it does; a whole version is itself. */
static void semver_span_same(struct semver_span *span, const struct semver_partial *p)
{
	semver_end_before(span, p, p->n);
	if (p->n == countof(p->version.part)) {
		span->to = p->version;
		span->has_to_itself = true;
	}
}

static bool semver_span_below(struct semver_span *span, const struct semver_partial *p,
			      bool has_itself)
{
	span->from = (struct semver){ .part = { 0 } };
	if (has_itself) {
		semver_span_same(span, p);
		return true;
	}
	span->has_to = true;
	span->to = p->version;
	return p->n;
}

static bool semver_span_above(struct semver_span *span, const struct semver_partial *p)
{
	span->is_above_from = p->n == countof(p->version.part);
	if (!span->is_above_from)
		span->from = semver_next(&p->version, p->n);
	return p->n;
}

static bool semver_span_read(struct sv text, struct semver_span *span, struct semver *named)
{
	static const char signs[][3] = { ">=", "<=", "^", "~", ">", "<", "=" };
	struct semver_partial p;
	const char *sign = "";

	for (size_t i = 0; !*sign && i < countof(signs); i++)
		if (sv_starts(text, sv_cstr(signs[i])))
			sign = signs[i];
	if (!semver_read_partial(sv_trim(sv_skip(text, strlen(sign))), &p))
		return false;
	*named = p.version;
	*span = (struct semver_span){ .from = p.version };
	switch (*sign) {
	case '^': semver_span_caret(span, &p); return true;
	case '~': semver_end_before(span, &p, min_of(p.n, (size_t)2)); return true;
	case '<': return semver_span_below(span, &p, sign[1] == '=');
	case '>': return sign[1] == '=' || semver_span_above(span, &p);
	default: semver_span_same(span, &p); return true;
	}
}

static bool semver_span_has(const struct semver_span *span, const struct semver *version)
{
	int from = semver_compare(version, &span->from), to = semver_compare(version, &span->to);

	return (span->is_above_from ? from > 0 : from >= 0) &&
	       (!span->has_to || (span->has_to_itself ? to <= 0 : to < 0));
}

/* A set of comparators, all of which must let a version through. */
struct semver_set {
	const struct semver *version; /* NULL: only the notation is checked */
	bool has;                     /* so far */
	bool names_preview;           /* one of its release */
};

static bool semver_set_add(struct semver_set *set, struct sv comparator)
{
	struct semver_span span;
	struct semver named;

	if (!semver_span_read(comparator, &span, &named))
		return false;
	if (!set->version)
		return true;
	set->has = set->has && semver_span_has(&span, set->version);
	set->names_preview = set->names_preview ||
			     (named.preview.len &&
			      memcmp(named.part, set->version->part, sizeof(named.part)) == 0);
	return true;
}

/* The next comparator. A blank may stand between the operator and the version. */
static bool semver_next_comparator(struct sv *rest, struct sv *out)
{
	size_t end = 0;

	*rest = sv_trim(*rest);
	while (end < rest->len && ascii_is_one_of(rest->ptr[end], "<>=^~ "))
		end++;
	while (end < rest->len && rest->ptr[end] != ' ')
		end++;
	*out = sv_slice(*rest, 0, end);
	*rest = sv_skip(*rest, end);
	return end;
}

static bool semver_set_read(struct semver_set *set, struct sv text)
{
	size_t hyphen = sv_find(text, SV(" - "));
	struct sv comparator;

	if (hyphen != SIZE_MAX) {
		char ends[2][128];
		int from = snprintf(ends[0], sizeof(ends[0]), ">=%.*s",
				    SV_ARG(sv_trim(sv_slice(text, 0, hyphen)))),
		    to = snprintf(ends[1], sizeof(ends[1]), "<=%.*s",
				  SV_ARG(sv_trim(sv_skip(text, hyphen + 3))));

		return from < (int)sizeof(ends[0]) && to < (int)sizeof(ends[1]) &&
		       semver_set_add(set, sv_cstr(ends[0])) &&
		       semver_set_add(set, sv_cstr(ends[1]));
	}
	while (semver_next_comparator(&text, &comparator))
		if (!semver_set_add(set, comparator))
			return false;
	return true;
}

/* Walks over what "||" separates. */
static bool semver_range_read(struct sv range, const struct semver *version, bool *has)
{
	bool is_last = false;

	*has = false;
	while (!is_last) {
		size_t at = sv_find(range, SV("||"));
		struct semver_set set = { .version = version, .has = true };

		is_last = at == SIZE_MAX;
		if (!semver_set_read(&set, sv_trim(sv_slice(range, 0, min_of(at, range.len)))))
			return false;
		*has = *has || (version && set.has && (!version->preview.len || set.names_preview));
		range = is_last ? SV_EMPTY : sv_skip(range, at + 2);
	}
	return true;
}

bool semver_range_valid(struct sv range)
{
	bool ignored;

	return semver_range_read(range, NULL, &ignored);
}

bool semver_matches(const struct semver *version, struct sv range)
{
	bool has;

	return semver_range_read(range, version, &has) && has;
}

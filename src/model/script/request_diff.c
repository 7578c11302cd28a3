#include "model/script/request_diff.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "text/diff/diff.h"
#include "text/json/json_write.h"

enum { MEMBERS = 4096 };

/* Sizes of an excerpt at the difference and of a line of the diff. */
enum { EXCERPT_BEFORE = 12, EXCERPT = 44, LINE_BEFORE = 40, LINE = 120 };

static size_t diff_common_prefix(struct sv a, struct sv b)
{
	size_t n = 0;

	while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n])
		n++;
	return n;
}

/* --- where --------------------------------------------------------------- */

struct place {
	struct str path;
	struct json a, b;
};

static void diff_descend(struct place *p);

/* Descends into the first member that differs in more than order. */
static void diff_enter_member(struct place *p)
{
	struct json_iter it = json_each(p->a);
	struct json item, other;
	struct sv key;

	while (json_next(&it, &key, &item)) {
		other = json_get_sv(p->b, key);
		if (json_equal(item, other))
			continue;
		str_addf(&p->path, "%s%.*s", p->path.len ? "." : "", SV_ARG(key));
		p->a = item;
		p->b = other;
		diff_descend(p);
		return;
	}
	for (it = json_each(p->b); json_next(&it, &key, &item);)
		if (!json_exists(json_get_sv(p->a, key))) {
			str_addf(&p->path, "%s%.*s", p->path.len ? "." : "", SV_ARG(key));
			p->a = (struct json){ NULL };
			p->b = item;
			return;
		}
}

static void diff_enter_element(struct place *p)
{
	struct json_iter a = json_each(p->a), b = json_each(p->b);
	size_t n = max_of(json_len(p->a), json_len(p->b));

	for (size_t i = 0; i < n; i++) {
		struct json left = { NULL }, right = { NULL };

		json_next(&a, NULL, &left);
		json_next(&b, NULL, &right);
		if (json_equal(left, right))
			continue;
		str_addf(&p->path, "[%zu]", i);
		p->a = left;
		p->b = right;
		diff_descend(p);
		return;
	}
}

/* The depth is bounded by that of documents. Looking up every key of an object takes quadratic time. */
static void diff_descend(struct place *p)
{
	if (json_is(p->a, JSON_OBJECT) && json_is(p->b, JSON_OBJECT)) {
		if (json_len(p->a) <= MEMBERS && json_len(p->b) <= MEMBERS)
			diff_enter_member(p);
	} else if (json_is(p->a, JSON_ARRAY) && json_is(p->b, JSON_ARRAY)) {
		diff_enter_element(p);
	}
}

/* --- what ---------------------------------------------------------------- */

static void diff_as_text(struct str *out, struct json v)
{
	struct jw w;
	struct sv text;

	if (!json_exists(v)) {
		str_adds(out, "nothing");
		return;
	}
	if (json_str(v, &text)) {
		str_add(out, text);
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, v);
	jw_done(&w);
}

static void diff_excerpt(struct str *out, struct sv text, size_t at)
{
	size_t from = at > EXCERPT_BEFORE ? at - EXCERPT_BEFORE : 0;
	struct sv part = sv_slice(text, from, from + EXCERPT);
	defer(str_clear) struct str sound = STR_INIT;
	struct jw w;

	utf8_repair(&sound, part);
	jw_init(&w, out, JW_COMPACT);
	jw_strf(&w, "%s%s%s", from ? "..." : "", str_c(&sound),
		from + part.len < text.len ? "..." : "");
	jw_done(&w);
}

static void diff_both_sides(struct str *out, struct sv recorded, struct sv now)
{
	size_t at = diff_common_prefix(recorded, now);

	str_adds(out, "recorded ");
	diff_excerpt(out, recorded, at);
	str_adds(out, ", now ");
	diff_excerpt(out, now, at);
}

void request_difference(struct str *out, struct sv recorded, struct sv now)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *a = json_parse(recorded, 0, &ignored);
	defer(json_doc_freep) struct json_doc *b = json_parse(now, 0, &ignored);
	struct place p = { .path = STR_INIT, .a = json_root(a), .b = json_root(b) };
	defer(str_clear) struct str left = STR_INIT, right = STR_INIT;

	if (sv_eq(recorded, now))
		return;
	if (a && b)
		diff_descend(&p);
	if (p.path.len) {
		diff_as_text(&left, p.a);
		diff_as_text(&right, p.b);
		str_addf(out, "%s: ", str_c(&p.path));
		diff_both_sides(out, sv_of(&left), sv_of(&right));
	} else {
		str_addf(out, "byte %zu: ", diff_common_prefix(recorded, now) + 1);
		diff_both_sides(out, recorded, now);
	}
	str_clear(&p.path);
}

/* --- lines --------------------------------------------------------------- */

static void diff_set_out(struct str *out, struct sv body)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(body, JSON_RAW_NUMBERS, &ignored);
	struct jw w;

	if (!doc) {
		str_add(out, body);
	} else {
		jw_init(&w, out, JW_PRETTY);
		jw_value(&w, json_root(doc));
		jw_done(&w);
	}
	str_addc(out, '\n');
}

static const struct diff_line *diff_first_of(const struct diff *d, char kind)
{
	for (size_t i = 0; i < d->hunks.at[0].n; i++)
		if (d->lines.at[d->hunks.at[0].first + i].kind == kind)
			return &d->lines.at[d->hunks.at[0].first + i];
	return NULL;
}

/* Finds where the lines of the first hunk start to differ. */
static size_t diff_first_change(const struct diff *d)
{
	const struct diff_line *old = diff_first_of(d, '-'), *new = diff_first_of(d, '+');

	return old && new ? diff_common_prefix(old->text, new->text) : 0;
}

static void diff_add_line(struct str *out, const struct diff_line *line, size_t change)
{
	bool shifts = line->kind != ' ' && line->text.len > LINE && change > LINE_BEFORE;
	size_t from = shifts ? change - LINE_BEFORE : 0;
	struct sv part = sv_slice(line->text, from, from + LINE);

	str_addc(out, line->kind);
	if (from)
		str_adds(out, "...");
	utf8_repair(out, part);
	if (from + part.len < line->text.len)
		str_adds(out, "...");
	str_addc(out, '\n');
}

void request_diff(struct str *out, struct sv recorded, struct sv now)
{
	defer(str_clear) struct str old = STR_INIT, new = STR_INIT;
	defer(diff_clear) struct diff d = DIFF_INIT;
	struct err ignored = ERR_INIT;
	size_t change, end = out->len + LIMIT_REPLAY_DIFF;

	diff_set_out(&old, recorded);
	diff_set_out(&new, now);
	if (!diff_texts(&d, sv_of(&old), sv_of(&new), 2, &ignored) || !d.hunks.n)
		return;
	str_addf(out, "--- recorded\n+++ now\n@@ -%zu,%zu +%zu,%zu @@\n", d.hunks.at[0].old_start,
		 d.hunks.at[0].old_lines, d.hunks.at[0].new_start, d.hunks.at[0].new_lines);
	change = diff_first_change(&d);
	for (size_t i = 0; i < d.hunks.at[0].n && out->len < end; i++)
		diff_add_line(out, &d.lines.at[d.hunks.at[0].first + i], change);
}

/* Brace expansion, step by step as bash does it, on words in which quotes and expansions
 * are already opaque. */
#include "text/bash/sh_parser.h"

#include <inttypes.h>

/* An unquoted character, or a part. */
struct atom {
	char c; /* '\0': a part */
	struct sh_part *part;
	const char *source; /* of the character */
};

struct atoms {
	struct atom *at;
	size_t n;
};

struct atoms_list {
	struct atoms *at;
	size_t n;
};

static bool sh_brace_too_many(struct sh_parser *r)
{
	return err_set(r->err, ERR_TOO_BIG, "byte %zu: braces make too many words", r->at);
}

static bool sh_brace_flatten(struct sh_parser *r, const struct sh_raw *raw, struct atoms *out)
{
	size_t n = 0;

	for (struct sh_part *part = raw->parts; part; part = part->next)
		n += part->kind == SH_TEXT && !part->quoted ? part->text.len : 1;
	if (n > LIMIT_SH_BRACED)
		return err_set(r->err, ERR_TOO_BIG, "byte %zu: a word with braces of over %d bytes",
			       raw->from, LIMIT_SH_BRACED);
	*out = (struct atoms){ .at = arena_calloc(r->arena, n, sizeof(*out->at)) };
	for (struct sh_part *part = raw->parts; part; part = part->next) {
		if (part->kind != SH_TEXT || part->quoted) {
			out->at[out->n++].part = part;
			continue;
		}
		for (size_t i = 0; i < part->text.len; i++)
			out->at[out->n++] = (struct atom){ .c = part->text.ptr[i],
							   .source = part->text.ptr + i };
	}
	return true;
}

static struct atoms sh_brace_slice(struct atoms s, size_t from, size_t to)
{
	return (struct atoms){ .at = s.at + from, .n = to - from };
}

static char sh_brace_char_at(struct atoms s, size_t i)
{
	return i < s.n ? s.at[i].c : '\0';
}

/* The first `wanted` from `from` on that is not in inner braces; SIZE_MAX: there is none. */
static size_t sh_brace_find(struct atoms s, size_t from, char wanted)
{
	size_t depth = 0;
	bool counts = wanted != '}';

	for (size_t i = from; i < s.n; i++) {
		char c = s.at[i].c;

		if (c == wanted && c != '\0' && depth == 0 && counts) {
			if (c == '{' && i == 0 && sh_brace_char_at(s, 1) == '}')
				continue; /* bash leaves the {} of find alone */
			return i;
		}
		if (c == '{')
			depth++;
		else if (c == '}' && depth > 0)
			depth--;
		else if (depth == 0 && wanted == '}' &&
			 (c == ',' || (c == '.' && sh_brace_char_at(s, i + 1) == '.' &&
				       sh_brace_char_at(s, i + 2) != '}')))
			counts = true;
	}
	return SIZE_MAX;
}

static bool sh_brace_add(struct sh_parser *r, struct atoms_list *list, struct atoms word)
{
	if (r->budget->words >= LIMIT_SH_WORDS)
		return sh_brace_too_many(r);
	r->budget->words++;
	if ((list->n & (list->n - 1)) == 0) { /* full: its size is a power of two */
		struct atoms *more =
			arena_calloc(r->arena, max_of(list->n * 2, (size_t)1), sizeof(*more));

		if (list->n > 0)
			memcpy(more, list->at, list->n * sizeof(*more));
		list->at = more;
	}
	list->at[list->n++] = word;
	return true;
}

/* Combines each of `*list` with each of `tails`. */
static bool sh_brace_cross(struct sh_parser *r, struct atoms_list *list,
			   const struct atoms_list *tails)
{
	struct atoms_list out = { .n = 0 };

	for (size_t i = 0; i < list->n; i++) {
		for (size_t k = 0; k < tails->n; k++) {
			struct atoms head = list->at[i], tail = tails->at[k];
			struct atoms both = { .n = head.n + tail.n };

			if (LIMIT_SH_NODES - r->budget->nodes < both.n)
				return sh_brace_too_many(r);
			r->budget->nodes += both.n;
			both.at = arena_calloc(r->arena, both.n, sizeof(*both.at));
			if (head.n > 0)
				memcpy(both.at, head.at, head.n * sizeof(*both.at));
			if (tail.n > 0)
				memcpy(both.at + head.n, tail.at, tail.n * sizeof(*both.at));
			if (!sh_brace_add(r, &out, both))
				return false;
		}
	}
	*list = out;
	return true;
}

static bool sh_brace_add_term(struct sh_parser *r, struct atoms_list *list, struct sv text)
{
	struct atoms word = { .at = arena_calloc(r->arena, text.len, sizeof(*word.at)),
			      .n = text.len };

	for (size_t i = 0; i < text.len; i++)
		word.at[i] = (struct atom){ .c = text.ptr[i], .source = text.ptr + i };
	return sh_brace_add(r, list, word);
}

struct sequence {
	int64_t first, last, step;
	bool is_letters;
	int width; /* with zeroes in front */
};

/* "07" and "-07" set the width of all numbers. */
static bool has_zero(struct sv number)
{
	if (number.len > 1 && number.ptr[0] == '-')
		number = sv_skip(number, 1);
	return number.len > 1 && number.ptr[0] == '0';
}

static bool is_letter(struct sv text)
{
	return text.len == 1 && sh_is_name_start(text.ptr[0]) && text.ptr[0] != '_';
}

static bool sh_brace_take_ints(struct sv first, struct sv last, struct sequence *out)
{
	if (first.len > 15 || last.len > 15 || !sv_to_int(first, &out->first) ||
	    !sv_to_int(last, &out->last))
		return false;
	if (has_zero(first) || has_zero(last))
		out->width = (int)max_of(first.len, last.len);
	return true;
}

/* Not from one letter case to the other: "\" and "`" are between them. */
static bool sh_brace_take_letters(struct sv first, struct sv last, struct sequence *out)
{
	if (!is_letter(first) || !is_letter(last) || (first.ptr[0] >= 'a') != (last.ptr[0] >= 'a'))
		return false;
	out->is_letters = true;
	out->first = (unsigned char)first.ptr[0];
	out->last = (unsigned char)last.ptr[0];
	return true;
}

/* "x..y" and "x..y..step". Bash expands some other texts with ".." as well. */
static bool sh_brace_parse_sequence(struct sv text, struct sequence *out)
{
	size_t dots = sv_find(text, SV("..")), more;
	struct sv last = sv_skip(text, dots + 2), step = SV("1");

	more = sv_find(last, SV(".."));
	if (more != SIZE_MAX)
		step = sv_skip(last, more + 2);
	last = sv_slice(last, 0, more);
	text = sv_slice(text, 0, dots);
	*out = (struct sequence){ .width = 0 };
	if (step.len > 15 || !sv_to_int(step, &out->step) ||
	    !(sh_brace_take_ints(text, last, out) || sh_brace_take_letters(text, last, out)))
		return false;
	if (out->step == 0)
		out->step = 1;
	if ((out->step < 0) != (out->last < out->first))
		out->step = -out->step;
	return true;
}

static bool sh_brace_add_sequence(struct sh_parser *r, const struct sequence *q,
				  struct atoms_list *out)
{
	int64_t count = (q->last - q->first) / q->step + 1;

	if (count > LIMIT_SH_WORDS)
		return sh_brace_too_many(r);
	for (int64_t i = 0; i < count; i++) {
		int64_t value = q->first + i * q->step;
		char letter = (char)value;
		struct sv text = q->is_letters
					 ? arena_dup(r->arena, sv_from(&letter, 1))
					 : arena_printf(r->arena, "%0*" PRId64, q->width, value);

		if (!sh_brace_add_term(r, out, text))
			return false;
	}
	return true;
}

static bool sequence(struct sh_parser *r, struct atoms amble, struct atoms_list *out)
{
	char text[64];
	struct sequence q;

	for (size_t i = 0; i < amble.n; i++)
		if (i == sizeof(text) || amble.at[i].c == '\0')
			return sh_fail(r, "a sequence in braces of no known form");
		else
			text[i] = amble.at[i].c;
	if (!sh_brace_parse_sequence(sv_from(text, amble.n), &q))
		return sh_fail(r, "a sequence in braces of no known form");
	return sh_brace_add_sequence(r, &q, out);
}

static bool sh_brace_expand(struct sh_parser *r, struct atoms s, struct atoms_list *out);

static bool sh_brace_alternatives(struct sh_parser *r, struct atoms amble, struct atoms_list *out)
{
	size_t from = 0, comma;

	do {
		struct atoms_list some = { .n = 0 };

		comma = sh_brace_find(amble, from, ',');
		if (!sh_brace_expand(r, sh_brace_slice(amble, from, min_of(comma, amble.n)), &some))
			return false;
		for (size_t i = 0; i < some.n; i++)
			if (!sh_brace_add(r, out, some.at[i]))
				return false;
		from = comma + 1;
	} while (comma != SIZE_MAX);
	return true;
}

static bool sh_brace_expand_at(struct sh_parser *r, struct atoms s, size_t open, size_t close,
			       struct atoms_list *out)
{
	struct atoms amble = sh_brace_slice(s, open + 1, close);
	struct atoms_list middle = { .n = 0 }, tails = { .n = 0 };
	bool ok = sh_brace_find(amble, 0, ',') != SIZE_MAX
			  ? sh_brace_alternatives(r, amble, &middle)
			  : sequence(r, amble, &middle);

	return ok && sh_brace_add(r, out, sh_brace_slice(s, 0, open)) &&
	       sh_brace_cross(r, out, &middle) &&
	       sh_brace_expand(r, sh_brace_slice(s, close + 1, s.n), &tails) &&
	       sh_brace_cross(r, out, &tails);
}

static bool sh_brace_expand(struct sh_parser *r, struct atoms s, struct atoms_list *out)
{
	size_t open = sh_brace_find(s, 0, '{'), close = SIZE_MAX;
	bool ok;

	while (open != SIZE_MAX && close == SIZE_MAX) {
		close = sh_brace_find(s, open + 1, '}');
		if (close == SIZE_MAX)
			open = sh_brace_find(s, open + 1, '{');
	}
	if (open == SIZE_MAX)
		return sh_brace_add(r, out, s);
	if (!sh_enter(r))
		return false;
	ok = sh_brace_expand_at(r, s, open, close, out);
	sh_leave(r);
	return ok;
}

/* The unquoted characters [from, to) as one text. */
static struct sv sh_brace_text_of(struct sh_parser *r, struct atoms s, size_t from, size_t to)
{
	char *text;

	if (s.at[to - 1].source == s.at[from].source + (to - 1 - from))
		return sv_from(s.at[from].source, to - from);
	text = arena_alloc(r->arena, to - from);
	for (size_t i = from; i < to; i++)
		text[i - from] = s.at[i].c;
	return sv_from(text, to - from);
}

static bool sh_brace_unflatten(struct sh_parser *r, struct atoms s, struct sh_raw *out)
{
	struct sh_part **last = &out->parts;

	for (size_t from = 0, to; from < s.n; from = to) {
		struct sh_part *part = s.at[from].part, *copy;

		to = from + 1;
		while (!part && to < s.n && !s.at[to].part)
			to++;
		copy = part ? sh_add_part(r, part->kind, part->text, part->quoted, &last)
			    : sh_add_part(r, SH_TEXT, sh_brace_text_of(r, s, from, to), false,
					  &last);
		if (!copy)
			return false;
		if (part) {
			copy->script = part->script;
			copy->parts = part->parts;
		}
	}
	return true;
}

bool sh_expand_braces(struct sh_parser *r, const struct sh_raw *raw, struct sh_raw **out, size_t *n)
{
	struct atoms word = { .n = 0 };
	struct atoms_list list = { .n = 0 };
	struct sh_raw *words;
	size_t count = 0;

	if (!sh_brace_flatten(r, raw, &word) || !sh_brace_expand(r, word, &list))
		return false;
	words = arena_calloc(r->arena, list.n, sizeof(*words));
	for (size_t i = 0; i < list.n; i++) {
		if (list.at[i].n == 0)
			continue; /* empty without quotes: it disappears */
		words[count] = (struct sh_raw){ .from = raw->from,
						.to = raw->to,
						.is_expanded = list.n > 1 };
		if (!sh_brace_unflatten(r, list.at[i], &words[count++]))
			return false;
	}
	*out = words;
	*n = count;
	return true;
}

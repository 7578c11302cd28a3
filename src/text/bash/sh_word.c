/* Words: first as raw parts, in which quoting is settled; then, after braces, with their
 * tildes and globs told apart. */
#include "text/bash/sh_parser.h"

#include "base/utf8.h"

void sh_add_span(struct sh_parser *r, size_t from, size_t to, bool is_command)
{
	vec_push(&r->spans, ((struct sh_span){ .from = from, .to = to, .is_command = is_command }));
}

static bool sh_word_opens_extended_glob(const struct sh_parser *r)
{
	char c = sh_peek(r, 0);

	return (c == '?' || c == '*' || c == '+' || c == '@' || c == '!') && sh_peek(r, 1) == '(';
}

/* With extended globs off, which is how bash starts, "@(" is an error in these places, so
 * that it cannot mean anything else; as the first word it can. */
static bool sh_word_extended_glob(struct sh_parser *r, enum sh_place place, struct sh_part ***last)
{
	size_t from = r->at, depth = 0;

	if (place != SH_IN_COMMAND && place != SH_IN_PATTERN)
		return sh_fail(r, "an extended glob cannot stand here");
	r->at++;
	do {
		char c = sh_peek(r, 0);

		if (c == '(')
			depth++;
		else if (c == ')')
			depth--;
		else if (c == '\0' || strchr("'\"$`\\<>&;\n{}", c))
			return sh_fail(r, "an extended glob that is not plain");
		r->at++;
	} while (depth > 0);
	sh_mask_range(r, from, r->at, '%');
	return sh_add_part(r, SH_GLOB, sh_slice(r, from, r->at), false, last) != NULL;
}

/* Parentheses in a regular expression contain blanks and operators. */
static bool sh_word_regex_group(struct sh_parser *r, struct sh_part ***last)
{
	size_t from = r->at, depth = 0;

	do {
		char c = sh_peek(r, 0);

		if (c == '(')
			depth++;
		else if (c == ')')
			depth--;
		else if (c == '\0' || strchr("'\"$`", c))
			return sh_fail(r, "a quote or an expansion in a group of =~");
		else if (c == '\\')
			r->at++;
		r->at++;
		if (r->at > r->end)
			return sh_fail_at(r, from, "a parenthesis that is not closed");
	} while (depth > 0);
	return sh_add_part(r, SH_TEXT, sh_slice(r, from, r->at), false, last) != NULL;
}

static bool sh_word_escaped(struct sh_parser *r, struct sh_part ***last)
{
	size_t from = r->at + 1;
	uint32_t rune;

	if (from >= r->end)
		return sh_fail(r, "a backslash at the end");
	r->at = from + (size_t)utf8_decode(sh_slice(r, from, r->end), &rune);
	sh_mask_range(r, from - 1, r->at, '%');
	return sh_add_part(r, SH_TEXT, sh_slice(r, from, r->at), true, last) != NULL;
}

static bool sh_word_is_plain(const struct sh_parser *r, enum sh_place place)
{
	char c = sh_peek(r, 0);

	if (c == '|')
		return place == SH_IN_REGEX;
	return r->at < r->end && !sh_is_meta(c) && !strchr("\\'\"$`", c) &&
	       !sh_word_opens_extended_glob(r);
}

/* Brackets and braces in a word are nothing special to bash; to the other grammar they are,
 * and it takes long over many. Where they may be keywords they are seen, but not many. */
static bool sh_word_show_plain(struct sh_parser *r, enum sh_place place, size_t from)
{
	if (place == SH_AS_NAME)
		return r->at - from <= LIMIT_SH_NAME || sh_fail(r, "a name that is too long");
	for (size_t i = from; r->at - from > 1 && i < r->at; i++)
		if (strchr("[]{}", r->src.ptr[i]))
			sh_mask(r, i, "%");
	return true;
}

static bool sh_word_plain(struct sh_parser *r, enum sh_place place, struct sh_raw *out,
			  struct sh_part ***last)
{
	size_t from = r->at;

	for (; sh_word_is_plain(r, place); r->at++)
		if (sh_peek(r, 0) == '{')
			out->has_brace = true;
	return sh_word_show_plain(r, place, from) &&
	       sh_add_part(r, SH_TEXT, sh_slice(r, from, r->at), false, last);
}

static bool sh_word_ends(const struct sh_parser *r, enum sh_place place)
{
	char c = sh_peek(r, 0);

	if (c == '<' || c == '>')
		return sh_peek(r, 1) != '(';
	if (c == '(' || c == '|')
		return place != SH_IN_REGEX;
	return r->at >= r->end || sh_is_meta(c);
}

/* A word may continue on the next line. False at its end. */
static bool sh_word_continues(struct sh_parser *r, enum sh_place place, struct sh_raw *out)
{
	struct sh_parser ahead = *r;

	ahead.at = sh_after_continuations(r, r->at);
	if (sh_word_ends(&ahead, place))
		return false;
	for (; r->at < ahead.at; r->at += 2) {
		out->is_continued = true;
		sh_mask(r, r->at, "%%");
	}
	return true;
}

static bool sh_word_raw_piece(struct sh_parser *r, enum sh_place place, struct sh_raw *out,
			      struct sh_part ***last)
{
	switch (sh_peek(r, 0)) {
	case '\\': return sh_word_escaped(r, last);
	case '\'': r->at++; return sh_single_quotes(r, last);
	case '"': r->at++; return sh_double_quotes(r, last);
	case '$': return sh_dollar(r, false, last);
	case '`': return sh_backquote(r, false, last);
	case '<':
	case '>': return sh_process(r, last);
	case '(': return sh_word_regex_group(r, last);
	default:
		return sh_word_opens_extended_glob(r) ? sh_word_extended_glob(r, place, last)
						      : sh_word_plain(r, place, out, last);
	}
}

bool sh_read_raw(struct sh_parser *r, enum sh_place place, struct sh_raw *out)
{
	struct sh_raw raw = { .from = r->at };
	struct sh_part **last = &raw.parts;
	size_t next;

	while (sh_word_continues(r, place, &raw))
		if (!sh_word_raw_piece(r, place, &raw, &last))
			return false;
	raw.to = r->at;
	next = sh_after_continuations(r, r->at);
	if (next > r->at && next < r->end && strchr("<>", r->src.ptr[next]))
		return sh_fail(r, "a line continuation before a redirection");
	if (raw.is_continued && sv_find_char(sh_slice(r, raw.from, raw.to), '~') != SIZE_MAX)
		return sh_fail(r, "a tilde in a word of several lines");
	*out = raw;
	return true;
}

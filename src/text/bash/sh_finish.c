/* The last step for a word: finds tildes and globs in its unquoted text. */
#include "text/bash/sh_parser.h"

struct finish {
	struct sh_parser *r;
	struct sh_part **last;
	bool globs;                    /* are expanded in this place */
	bool in_value;                 /* of an assignment: a tilde may follow a ":" */
	bool has_quotes;               /* some text of the word is quoted */
	const struct sh_part *closing; /* the last part with an unquoted "]" */
	/* Text that is not a part yet: `c"u"rl` will be one. */
	struct sv text;    /* while it is in one piece */
	struct str joined; /* afterwards */
	bool quoted;
};

static void sh_finish_add_text(struct finish *f, struct sv text, bool quoted)
{
	if (text.len == 0)
		return;
	f->quoted |= quoted;
	if (f->text.len == 0 && f->joined.len == 0) {
		f->text = text;
	} else if (f->joined.len == 0 && f->text.ptr + f->text.len == text.ptr) {
		f->text.len += text.len;
	} else {
		str_add(&f->joined, f->text);
		str_add(&f->joined, text);
		f->text = SV_EMPTY;
	}
}

static bool sh_finish_flush(struct finish *f)
{
	struct sv text = f->joined.len > 0 ? arena_dup(f->r->arena, sv_of(&f->joined)) : f->text;

	if (text.len > 0 && !sh_add_part(f->r, SH_TEXT, text, f->quoted, &f->last))
		return false;
	f->text = SV_EMPTY;
	str_truncate(&f->joined, 0);
	f->quoted = false;
	return true;
}

static bool sh_finish_add_special(struct finish *f, enum sh_part_kind kind, struct sv text)
{
	return sh_finish_flush(f) && sh_add_part(f->r, kind, text, false, &f->last);
}

/* How much of `text` is "~name". A name ends at a slash, a colon or the end of the word;
 * anything quoted or expanded in it keeps the tilde as it is: then 0. */
static size_t sh_finish_tilde_length(struct sv text, bool is_last)
{
	size_t n = 1;

	while (n < text.len && (sh_is_name(text.ptr[n]) || strchr("+-.", text.ptr[n])))
		n++;
	if (n == text.len ? is_last : text.ptr[n] == '/' || text.ptr[n] == ':')
		return n;
	return 0;
}

/* How much of `part` from `at` on is a set in brackets; 0: the "[" is a plain one. A set
 * that goes on in other parts is only marked by its "[". */
static bool sh_finish_bracket_length(struct finish *f, const struct sh_part *part, size_t at,
				     size_t *out)
{
	struct sv text = part->text;
	size_t first = at + 1, close;

	*out = 0;
	if (!f->closing || (part == f->closing && sv_rfind_char(text, ']') <= at))
		return true;
	if (first < text.len && (text.ptr[first] == '!' || text.ptr[first] == '^'))
		first++;
	close = sv_find_char(sv_skip(text, first + 1),
			     ']'); /* a "]" that comes first is part of the set */
	if (close != SIZE_MAX)
		*out = first + 1 + close + 1 - at;
	else if (first < text.len && text.ptr[first] == ']')
		*out = first + 1 - at;
	else if (f->has_quotes)
		return sh_fail(f->r, "a glob with quotes in its brackets");
	else
		*out = 1;
	return true;
}

static bool sh_finish_glob_length(struct finish *f, const struct sh_part *part, size_t at,
				  size_t *out)
{
	size_t to = at, more = 1;

	while (f->globs && more > 0 && to < part->text.len) {
		char c = part->text.ptr[to];

		more = c == '*' || c == '?';
		if (c == '[' && !sh_finish_bracket_length(f, part, to, &more))
			return false;
		to += more;
	}
	*out = to - at;
	return true;
}

/* From `start` on, where a tilde may be. */
static bool sh_finish_unquoted(struct finish *f, const struct sh_part *part, size_t start,
			       bool may_be_tilde)
{
	size_t from = start, length;
	struct sv text = part->text;

	for (size_t i = start; i < text.len; i += max_of(length, (size_t)1)) {
		bool is_tilde = may_be_tilde && text.ptr[i] == '~';

		length = is_tilde ? sh_finish_tilde_length(sv_skip(text, i), !part->next) : 0;
		is_tilde = length > 0;
		if (!is_tilde && !sh_finish_glob_length(f, part, i, &length))
			return false;
		may_be_tilde = f->in_value && text.ptr[i] == ':';
		if (length == 0)
			continue;
		sh_finish_add_text(f, sv_slice(text, from, i), false);
		if (!sh_finish_add_special(f, is_tilde ? SH_TILDE : SH_GLOB,
					   sv_slice(text, is_tilde ? i + 1 : i, i + length)))
			return false;
		from = i + length;
	}
	sh_finish_add_text(f, sv_skip(text, from), false);
	return true;
}

static bool sh_finish_copy_part(struct finish *f, const struct sh_part *part)
{
	struct sh_part *copy;

	if (!sh_finish_flush(f))
		return false;
	copy = sh_add_part(f->r, part->kind, part->text, part->quoted, &f->last);
	if (!copy)
		return false;
	copy->script = part->script;
	copy->parts = part->parts;
	return true;
}

/* The length of "name=", "name+=" and "name[..]=" at the start of an argument: bash looks
 * for tildes behind it as if it were an assignment. */
static size_t sh_finish_assignment_length(const struct sh_parser *r, const struct sh_raw *raw)
{
	size_t at = raw->from, n = sh_name_length(r, at);
	size_t first = raw->parts && raw->parts->kind == SH_TEXT && !raw->parts->quoted
			       ? raw->parts->text.len
			       : 0;

	if (n == 0 || n >= first)
		return 0;
	at += n;
	if (r->src.ptr[at] == '[')
		while (at < raw->from + first && r->src.ptr[at - 1] != ']')
			at++;
	if (at < raw->from + first && r->src.ptr[at] == '+')
		at++;
	return at < raw->from + first && r->src.ptr[at] == '=' ? at + 1 - raw->from : 0;
}

static void sh_finish_look_for_brackets(struct finish *f, const struct sh_raw *raw)
{
	for (const struct sh_part *part = raw->parts; part; part = part->next) {
		if (part->kind != SH_TEXT)
			continue;
		f->has_quotes |= part->quoted;
		if (!part->quoted && sv_find_char(part->text, ']') != SIZE_MAX)
			f->closing = part;
	}
}

static bool finish_first(struct finish *f, const struct sh_raw *raw, enum sh_place place)
{
	size_t n = 0;

	if (place == SH_IN_COMMAND && !raw->is_expanded) {
		n = sh_finish_assignment_length(f->r, raw);
		f->in_value = n > 0;
		sh_finish_add_text(f, sv_slice(raw->parts->text, 0, n), false);
	}
	return sh_finish_unquoted(f, raw->parts, n, place != SH_IN_REGEX);
}

static bool finish_parts(struct finish *f, const struct sh_raw *raw, enum sh_place place)
{
	for (const struct sh_part *part = raw->parts; part; part = part->next) {
		bool ok = true;

		if (part->kind != SH_TEXT)
			ok = sh_finish_copy_part(f, part);
		else if (part->quoted)
			sh_finish_add_text(f, part->text, true);
		else if (part == raw->parts)
			ok = finish_first(f, raw, place);
		else
			ok = sh_finish_unquoted(f, part, 0, false);
		if (!ok)
			return false;
	}
	return sh_finish_flush(f);
}

struct sh_word *sh_finish(struct sh_parser *r, const struct sh_raw *raw, enum sh_place place)
{
	struct sh_word *word = sh_new(r, struct sh_word);
	struct finish f = {
		.r = r,
		.globs = place == SH_IN_COMMAND || place == SH_AS_NAME || place == SH_IN_PATTERN,
		.in_value = place == SH_IN_VALUE,
		.text = SV_EMPTY,
		.joined = STR_INIT,
	};
	bool ok;

	if (!word)
		return NULL;
	f.last = &word->parts;
	word->written = sh_slice(r, raw->from, raw->to);
	sh_finish_look_for_brackets(&f, raw);
	ok = finish_parts(&f, raw, place);
	str_clear(&f.joined);
	return ok ? word : NULL;
}

struct sh_word *sh_read_word(struct sh_parser *r, enum sh_place place)
{
	struct sh_raw raw;

	return sh_read_raw(r, place, &raw) ? sh_finish(r, &raw, place) : NULL;
}

static bool sh_finish_add_word(struct sh_parser *r, const struct sh_raw *raw, enum sh_place place,
			       struct sh_word ***last)
{
	struct sh_word *word = sh_finish(r, raw, place);

	if (!word)
		return false;
	**last = word;
	*last = &word->next;
	return true;
}

bool sh_read_words(struct sh_parser *r, enum sh_place place, struct sh_word ***last)
{
	struct sh_raw raw, *words = NULL;
	size_t n = 0;

	if (!sh_read_raw(r, place, &raw))
		return false;
	if (!raw.has_brace)
		return sh_finish_add_word(r, &raw, place, last);
	if (!sh_expand_braces(r, &raw, &words, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!sh_finish_add_word(r, &words[i], place, last))
			return false;
	return true;
}

struct sh_word *sh_text_word(struct sh_parser *r, size_t from, size_t to)
{
	struct sh_word *word = sh_new(r, struct sh_word);
	struct sh_part **last = word ? &word->parts : NULL;

	if (!word || !sh_add_part(r, SH_TEXT, sh_slice(r, from, to), false, &last))
		return NULL;
	word->written = sh_slice(r, from, to);
	return word;
}

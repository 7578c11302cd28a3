/* What bash expands at run time: "$..", "`..`", "<(..)". */
#include "text/bash/sh_parser.h"

struct sh_part *sh_add_part(struct sh_parser *r, enum sh_part_kind kind, struct sv text,
			    bool quoted, struct sh_part ***last)
{
	struct sh_part *part = sh_new(r, struct sh_part);

	if (!part)
		return NULL;
	part->kind = kind;
	part->text = text;
	part->quoted = quoted;
	**last = part;
	*last = &part->next;
	return part;
}

/* `$(..)`, `<(..)` and `>(..)`, at the two characters that open it. */
static bool sh_expand_substitution(struct sh_parser *r, enum sh_part_kind kind, bool quoted,
				   struct sh_part ***last)
{
	size_t from = r->at;
	struct sh_part *part = sh_add_part(r, kind, SV_EMPTY, quoted, last);

	r->at += 2;
	if (!part || !sh_script(r, &part->script))
		return false;
	part->text = sh_slice(r, from, r->at);
	if (!part->script)
		sh_mask_range(r, from, r->at, '%');
	return true;
}

bool sh_process(struct sh_parser *r, struct sh_part ***last)
{
	return sh_expand_substitution(r, sh_peek(r, 0) == '<' ? SH_INPUT : SH_OUTPUT, false, last);
}

/* What the backslashes in backquotes leave of [from, to): some hide the next character from
 * bash only until the text is read on its own. */
static bool sh_expand_backquoted_text(struct sh_parser *r, size_t from, size_t to, bool quoted,
				      struct str *out)
{
	for (size_t i = from; i < to; i++) {
		char c = r->src.ptr[i], next = i + 1 < to ? r->src.ptr[i + 1] : '\0';

		if (c == '\\' && quoted && next == '"')
			return sh_fail_at(r, i, "\\\" in backquotes within double quotes");
		if (c == '\\' && (next == '\\' || next == '`' || next == '$'))
			c = r->src.ptr[++i];
		str_addc(out, c);
	}
	return true;
}

static bool sh_expand_backquoted(struct sh_parser *r, size_t from, bool quoted,
				 struct sh_part *part)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t to = from;

	while (to < r->end && r->src.ptr[to] != '`')
		to += r->src.ptr[to] == '\\' ? 2 : 1;
	if (to >= r->end)
		return sh_fail_at(r, from - 1, "a backquote that is not closed");
	if (!sh_expand_backquoted_text(r, from, to, quoted, &text))
		return false;
	part->text = sh_slice(r, from - 1, to + 1);
	sh_mask_range(r, from - 1, to + 1, '%');
	part->script = sh_read_text(sv_of(&text), r->arena, r->budget, r->err);
	if (!part->script)
		return err_context(r->err, "in the backquotes at byte %zu", from - 1);
	if (!part->script->kids)
		part->script = NULL;
	r->at = to + 1;
	return true;
}

bool sh_backquote(struct sh_parser *r, bool quoted, struct sh_part ***last)
{
	size_t from = r->at + 1;
	struct sh_part *part = sh_add_part(r, SH_COMMAND, SV_EMPTY, quoted, last);
	bool ok;

	if (!part || !sh_enter(r))
		return false;
	ok = sh_expand_backquoted(r, from, quoted, part);
	sh_leave(r);
	return ok;
}

/* Behind the quote. Whether single quotes quote in "${..}" depends on what is around them
 * and before them, so it must not matter. */
static bool sh_expand_inner_single_quotes(struct sh_parser *r, bool quoted, struct sh_part ***last)
{
	size_t from = r->at;

	if (!sh_single_quotes(r, last))
		return false;
	for (size_t i = from; i < r->at - 1; i++)
		if (strchr(quoted ? "$`}\"" : "$`", r->src.ptr[i]))
			return sh_fail_at(r, i, "special characters in a quote in an expansion");
	if (r->at - from > 1 && r->src.ptr[r->at - 2] == '\\')
		return sh_fail(r, "a backslash before the end of a quote in an expansion");
	return true;
}

static bool sh_expand_inner_piece(struct sh_parser *r, bool quoted, struct sh_part ***last)
{
	char c = sh_peek(r, 0), next = sh_peek(r, 1);

	if (c == '\\' && next == '\0')
		return sh_fail(r, "a backslash at the end");
	if ((c == '<' || c == '>') && next == '(')
		return sh_fail(r, "a process substitution within an expansion");
	switch (c) {
	case '\\': r->at += 2; return true;
	case '\'': r->at++; return sh_expand_inner_single_quotes(r, quoted, last);
	case '"': r->at++; return sh_double_quotes(r, last);
	case '`': return sh_backquote(r, quoted, last);
	case '$':
		if (quoted && next == '"')
			return sh_fail(r, "$\" within an expansion");
		if (next != '\'')
			return sh_dollar(r, quoted, last);
		r->at += 2;
		return sh_expand_inner_single_quotes(r, quoted, last);
	default: r->at++; return true;
	}
}

static bool is_special_parameter(char c)
{
	return c != '\0' && strchr("@*#?-$!", c);
}

/* Behind "${" and, maybe, one of "!" and "#". 0: something else, also what newer versions
 * of bash run as commands. */
static size_t sh_expand_parameter_length(const struct sh_parser *r, size_t from)
{
	size_t n = sh_name_length(r, from);

	if (n > 0)
		return n;
	while (from + n < r->end && sh_is_digit(r->src.ptr[from + n]))
		n++;
	return n > 0 ? n : from < r->end && is_special_parameter(r->src.ptr[from]);
}

static bool sh_expand_braced_rest(struct sh_parser *r, bool quoted, struct sh_part *part)
{
	struct sh_part **last = &part->parts;
	size_t from = r->at;
	char before = r->src.ptr[from - 1], c = sh_peek(r, 0);
	bool has_prefix = before == '!' || before == '#'; /* ${!x}, ${#x} */

	if (c == '\0' || !(strchr(":-=+?#%/^,@[*", c) || (has_prefix && sh_is_name(c))))
		return sh_fail(r, "an expansion of no known form");
	while (r->at < r->end && sh_peek(r, 0) != '}')
		if (!sh_expand_inner_piece(r, quoted, &last))
			return false;
	if (r->at >= r->end)
		return sh_fail_at(r, from, "an expansion that is not closed");
	r->at++;
	return true;
}

/* At "${". The first "}" that is not quoted or nested ends it. */
static bool sh_expand_braced(struct sh_parser *r, bool quoted, struct sh_part ***last)
{
	size_t from = r->at, name = from + 2, length = sh_expand_parameter_length(r, name);
	struct sh_part *part = sh_add_part(r, SH_EXPAND, SV_EMPTY, quoted, last);
	bool ok;

	if (!part || !sh_enter(r))
		return false;
	if (length == 0)
		return sh_fail(r, "${ without a parameter");
	r->at = name + length;
	if (sh_peek(r, 0) == '}') {
		r->at++;
		part->kind = SH_PARAM;
		part->text = sh_slice(r, name, name + length);
		ok = true;
	} else {
		ok = sh_expand_braced_rest(r, quoted, part);
		part->text = sh_slice(r, from, r->at);
	}
	sh_leave(r);
	return ok;
}

static bool sh_expand_arithmetic_piece(struct sh_parser *r, struct sh_part ***last)
{
	switch (sh_peek(r, 0)) {
	case '\'': return sh_fail(r, "quotes in arithmetic");
	case '\\':
		if (sh_peek(r, 1) != '\n')
			return sh_fail(r, "a backslash in arithmetic");
		r->at += 2;
		return true;
	case '<':
	case '>': r->at++; return true; /* ">(" is not a substitution here */
	default: return sh_expand_inner_piece(r, true, last);
	}
}

bool sh_arithmetic(struct sh_parser *r, char close, struct sh_part ***last)
{
	size_t from = r->at, depth = 0;
	char inner = close == ']' ? ']' : ')', open = close == ']' ? '[' : '(';

	while (r->at < r->end) {
		char c = sh_peek(r, 0);

		if (depth == 0 && (c == close || c == inner)) {
			if (c != close || (c == ')' && sh_peek(r, 1) != ')'))
				return sh_fail(r, "arithmetic that may be a command as well");
			r->at += c == ')' ? 2 : 1;
			return true;
		}
		depth += c == open;
		depth -= c == inner;
		if (!sh_expand_arithmetic_piece(r, last))
			return false;
	}
	return sh_fail_at(r, from, "arithmetic that is not closed");
}

/* At "$((" or "$[". */
static bool sh_expand_arithmetic(struct sh_parser *r, bool quoted, struct sh_part ***last)
{
	size_t from = r->at;
	struct sh_part *part = sh_add_part(r, SH_ARITH, SV_EMPTY, quoted, last), **inner;
	bool is_old = sh_peek(r, 1) == '[';

	r->at += is_old ? 2 : 3;
	if (!part || !sh_enter(r))
		return false;
	inner = &part->parts;
	if (!sh_arithmetic(r, is_old ? ']' : ')', &inner))
		return false;
	sh_leave(r);
	part->text = sh_slice(r, from, r->at);
	return true;
}

/* "$name", "$1", "$@": at the "$". */
static bool sh_expand_parameter(struct sh_parser *r, size_t length, bool quoted,
				struct sh_part ***last)
{
	size_t from = r->at + 1, to = from + length, next = sh_after_continuations(r, to);

	if (next > to && next < r->end && sh_is_name(r->src.ptr[next]))
		return sh_fail(r, "a line continuation within a name");
	r->at = to;
	return sh_add_part(r, SH_PARAM, sh_slice(r, from, to), quoted, last) != NULL;
}

bool sh_dollar(struct sh_parser *r, bool quoted, struct sh_part ***last)
{
	char next = sh_peek(r, 1);
	size_t length = sh_name_length(r, r->at + 1);

	if (next == '\\' && sh_peek(r, 2) == '\n')
		return sh_fail(r, "a line continuation after $");
	if (next == '(' && sh_peek(r, 2) == '\\' && sh_peek(r, 3) == '\n')
		return sh_fail(r, "a line continuation after $(");
	if (next == '[' || (next == '(' && sh_peek(r, 2) == '('))
		return sh_expand_arithmetic(r, quoted, last);
	if (next == '(')
		return sh_expand_substitution(r, SH_COMMAND, quoted, last);
	if (next == '{')
		return sh_expand_braced(r, quoted, last);
	if (!quoted && (next == '\'' || next == '"')) {
		if (next == '"')
			sh_mask(r, r->at, "%");
		r->at += 2;
		return next == '"' ? sh_double_quotes(r, last) : sh_ansi_quotes(r, last);
	}
	if (length == 0)
		length = sh_is_digit(next) || is_special_parameter(next);
	if (length > 0)
		return sh_expand_parameter(r, length, quoted, last);
	sh_mask(r, r->at, "%");
	r->at++;
	return sh_add_part(r, SH_TEXT, SV("$"), true, last) != NULL;
}

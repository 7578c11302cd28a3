/* Quoted text, without its quotes. */
#include "text/bash/sh_parser.h"

#include "base/utf8.h"

bool sh_single_quotes(struct sh_parser *r, struct sh_part ***last)
{
	size_t from = r->at, length = sv_find_char(sh_slice(r, from, r->end), '\'');

	if (length == SIZE_MAX)
		return sh_fail_at(r, from - 1, "a single quote that is not closed");
	r->at += length + 1;
	sh_mask_range(r, from, from + length, 'a');
	return sh_add_part(r, SH_TEXT, sh_slice(r, from, from + length), true, last) != NULL;
}

/* Double quotes up to a `"`, or a here-document: what it is and what is gone of it before
 * anything is expanded. */
struct expanding {
	char close;       /* '\0': the end of the text */
	bool is_indented; /* <<-: tabs at the start of a line are gone */
};

/* Before all other characters a backslash is itself. */
static bool sh_quote_is_escaped(char c, char close)
{
	return c == '\n' || c == '$' || c == '`' || c == '\\' || (c == '"' && close == '"');
}

static bool sh_quote_at_special(const struct sh_parser *r, const struct expanding *x)
{
	char c = sh_peek(r, 0);

	if (c == '\\')
		return sh_quote_is_escaped(sh_peek(r, 1), x->close);
	if (c == '\t')
		return x->is_indented && r->src.ptr[r->at - 1] == '\n';
	return c == '$' || c == '`' || (c == x->close && c != '\0');
}

static bool sh_quote_plain_text(struct sh_parser *r, const struct expanding *x,
				struct sh_part ***last)
{
	size_t from = r->at;

	for (; r->at < r->end && !sh_quote_at_special(r, x); r->at++)
		if (sh_peek(r, 0) == '"')
			sh_mask(r, r->at, "%"); /* see sh_here.c */
	return r->at == from ||
	       sh_add_part(r, SH_TEXT, sh_slice(r, from, r->at), true, last) != NULL;
}

static bool sh_quote_escaped(struct sh_parser *r, const struct expanding *x, struct sh_part ***last)
{
	size_t from = r->at + 1;

	r->at += 2;
	if (r->src.ptr[from] != '\n')
		return sh_add_part(r, SH_TEXT, sh_slice(r, from, from + 1), true, last) != NULL;
	if (x->is_indented && sh_peek(r, 0) == '\t')
		return sh_fail(r, "a tab after a line continuation in a <<- document");
	return true;
}

static bool sh_quote_special(struct sh_parser *r, const struct expanding *x, struct sh_part ***last)
{
	size_t from = r->at;
	bool ok;

	if (sh_peek(r, 0) == '\\')
		return sh_quote_escaped(r, x, last);
	if (sh_peek(r, 0) == '\t') {
		r->at++;
		while (sh_peek(r, 0) == '\t')
			r->at++;
		return true;
	}
	ok = sh_peek(r, 0) == '$' ? sh_dollar(r, true, last) : sh_backquote(r, true, last);
	if (ok && x->is_indented && sv_find_char(sh_slice(r, from, r->at), '\n') != SIZE_MAX)
		return sh_fail_at(r, from, "an expansion of several lines in a <<- document");
	return ok;
}

bool sh_expanding_text(struct sh_parser *r, char close, bool is_indented, struct sh_part ***last)
{
	const struct expanding x = { .close = close, .is_indented = is_indented };

	for (;;) {
		if (!sh_quote_plain_text(r, &x, last))
			return false;
		if (r->at >= r->end || sh_peek(r, 0) == close)
			return true;
		if (!sh_quote_special(r, &x, last))
			return false;
	}
}

bool sh_double_quotes(struct sh_parser *r, struct sh_part ***last)
{
	size_t from = r->at;

	/* Empty text counts, because it was quoted. */
	if (!sh_add_part(r, SH_TEXT, SV_EMPTY, true, last) || !sh_enter(r) ||
	    !sh_expanding_text(r, '"', false, last))
		return false;
	sh_leave(r);
	if (r->at >= r->end)
		return sh_fail_at(r, from - 1, "a double quote that is not closed");
	r->at++;
	return true;
}

static int sh_quote_digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* At most `max` digits; false if there are none. */
static bool sh_quote_take_number(struct sh_parser *r, int base, int max, uint32_t *out)
{
	int n = 0;

	for (*out = 0; n < max && sh_quote_digit_of(sh_peek(r, 0)) < base; n++, r->at++)
		*out = *out * (uint32_t)base + (uint32_t)sh_quote_digit_of(sh_peek(r, 0));
	return n > 0;
}

static bool sh_quote_add_byte(struct sh_parser *r, struct str *out, uint32_t byte)
{
	if ((byte & 0xff) == 0)
		return sh_fail(r, "a NUL character in $'..'");
	str_addc(out, (char)(byte & 0xff));
	return true;
}

/* After \x, \u or \U; without digits they are themselves. */
static bool sh_quote_take_hex(struct sh_parser *r, char letter, struct str *out)
{
	uint32_t value;

	if (letter == 'x' && sh_peek(r, 0) == '{')
		return sh_fail(r, "\\x{ in $'..'");
	if (!sh_quote_take_number(r, 16, letter == 'x' ? 2 : letter == 'u' ? 4 : 8, &value)) {
		str_addc(out, '\\');
		str_addc(out, letter);
		return true;
	}
	if (letter == 'x' || value < 0x80)
		return sh_quote_add_byte(r, out, value);
	if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return sh_fail(r, "no character has this number");
	utf8_encode(out, value);
	return true;
}

static bool sh_quote_take_control(struct sh_parser *r, struct str *out)
{
	char c = sh_peek(r, 0);

	if (c < ' ' || c > '~' || c == '\'' || (c == '\\' && sh_peek(r, 1) != '\\'))
		return sh_fail(r, "\\c without its letter in $'..'");
	r->at += c == '\\' ? 2 : 1;
	if (c >= 'a' && c <= 'z')
		c = (char)(c - 'a' + 'A');
	return sh_quote_add_byte(r, out, c == '?' ? 0x7f : (uint32_t)c & 0x1f);
}

/* After the backslash. */
static bool sh_quote_take_escape(struct sh_parser *r, struct str *out)
{
	static const char letters[] = "abeEfnrtv\\'\"?";
	static const char meanings[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	char c = sh_peek(r, 0);
	const char *simple = c ? strchr(letters, c) : NULL;
	uint32_t value;

	if (c == '\0')
		return true; /* the quote is not closed either */
	if (sh_quote_take_number(r, 8, 3, &value))
		return sh_quote_add_byte(r, out, value);
	r->at++;
	if (c == 'x' || c == 'u' || c == 'U')
		return sh_quote_take_hex(r, c, out);
	if (c == 'c')
		return sh_quote_take_control(r, out);
	if (simple) {
		str_addc(out, meanings[simple - letters]);
		return true;
	}
	str_addc(out, '\\');
	str_addc(out, c);
	return true;
}

bool sh_ansi_quotes(struct sh_parser *r, struct sh_part ***last)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t from = r->at;

	while (r->at < r->end && sh_peek(r, 0) != '\'') {
		char c = sh_peek(r, 0);

		r->at++;
		if (c != '\\')
			str_addc(&text, c);
		else if (!sh_quote_take_escape(r, &text))
			return false;
	}
	if (r->at >= r->end)
		return sh_fail_at(r, from - 2, "a quote $' that is not closed");
	r->at++;
	if (!utf8_valid(sv_of(&text), NULL))
		return sh_fail_at(r, from - 2, "$'..' that is not UTF-8");
	return sh_add_part(r, SH_TEXT, arena_dup(r->arena, sv_of(&text)), true, last) != NULL;
}

#include "text/json/json_partial.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* The position inside a string or a number. */
enum { PART_CHAR, PART_UTF8, PART_ESCAPE, PART_HEX };
enum { PART_MINUS, PART_ZERO, PART_DIGITS, PART_POINT, PART_FRACTION, PART_E, PART_SIGN, PART_EXP };

void json_partial_clear(struct json_partial *p)
{
	str_clear(&p->text);
	*p = (struct json_partial)JSON_PARTIAL_INIT;
}

static bool partial_fail(struct json_partial *p, size_t at, const char *what)
{
	return err_set(&p->why, ERR_PARSE, "byte %zu: %s", at, what);
}

static bool partial_in_object(const struct json_partial *p, unsigned level)
{
	return p->is_object[level / 8] >> level % 8 & 1;
}

static void partial_end_value(struct json_partial *p, size_t end)
{
	p->keep = end;
	p->state = p->depth ? JSON_PARTIAL_NEXT : JSON_PARTIAL_DONE;
}

/* Strings. */

static void partial_begin_string(struct json_partial *p, size_t at, enum json_partial_state state)
{
	p->state = state;
	p->part = PART_CHAR;
	p->shown = at + 1;
}

static void partial_end_string(struct json_partial *p, size_t at)
{
	if (p->state == JSON_PARTIAL_IN_KEY)
		p->state = JSON_PARTIAL_COLON;
	else
		partial_end_value(p, at + 1);
}

static void partial_end_char(struct json_partial *p, size_t at)
{
	p->shown = at + 1;
	p->part = PART_CHAR;
}

/* Withhold the first half of a surrogate pair: it has no meaning without the second, and
 * becomes U+FFFD if that never arrives. */
static void partial_end_hex(struct json_partial *p, size_t at)
{
	const char *digits = p->text.ptr + p->start + 2;
	bool is_first_half = (digits[0] | 0x20) == 'd' && strchr("89abAB", digits[1]);

	partial_end_char(p, is_first_half ? p->start - 1 : at);
}

static bool partial_step_char(struct json_partial *p, char c, size_t at)
{
	unsigned char byte = (unsigned char)c;

	if (c == '"') {
		partial_end_string(p, at);
		return true;
	}
	if (byte < ' ')
		return partial_fail(p, at, "control character in a string");
	if (byte >= 0x80 && (byte < 0xc2 || byte > 0xf4))
		return partial_fail(p, at, "invalid UTF-8");
	p->start = at;
	if (c == '\\')
		p->part = PART_ESCAPE;
	else if (byte >= 0x80)
		p->part = PART_UTF8;
	else
		partial_end_char(p, at);
	return true;
}

static bool partial_step_utf8(struct json_partial *p, size_t at)
{
	struct sv so_far = sv_slice(sv_of(&p->text), p->start, at + 1);
	uint32_t rune;
	int n = utf8_decode(so_far, &rune);

	if (n > 0)
		partial_end_char(p, at);
	else if ((size_t)-n < so_far.len)
		return partial_fail(p, at, "invalid UTF-8");
	return true;
}

static bool partial_step_escape(struct json_partial *p, char c, size_t at)
{
	if (c == 'u')
		p->part = PART_HEX;
	else if (c && strchr("\"\\/bfnrt", c))
		partial_end_char(p, at);
	else
		return partial_fail(p, at, "invalid escape");
	return true;
}

static bool partial_step_hex(struct json_partial *p, char c, size_t at)
{
	if (!ascii_is_digit(c) && ((c | 0x20) < 'a' || (c | 0x20) > 'f'))
		return partial_fail(p, at, "expected a hex digit");
	if (at == p->start + 5)
		partial_end_hex(p, at);
	return true;
}

static bool partial_step_string(struct json_partial *p, char c, size_t at)
{
	switch (p->part) {
	case PART_CHAR: return partial_step_char(p, c, at);
	case PART_UTF8: return partial_step_utf8(p, at);
	case PART_ESCAPE: return partial_step_escape(p, c, at);
	default: return partial_step_hex(p, c, at);
	}
}

/* Numbers. */

enum { ON_ZERO, ON_DIGIT, ON_POINT, ON_E, ON_SIGN, ON_OTHER };

static int partial_number_class(char c)
{
	if (c == '0')
		return ON_ZERO;
	if (ascii_is_digit(c))
		return ON_DIGIT;
	if (c == '.')
		return ON_POINT;
	if (c == 'e' || c == 'E')
		return ON_E;
	return c == '+' || c == '-' ? ON_SIGN : ON_OTHER;
}

/* The state that `c` leads to from `part`, or -1. */
static int partial_number_part(int part, char c)
{
	static const signed char next[][ON_OTHER + 1] = {
		[PART_MINUS] = { PART_ZERO, PART_DIGITS, -1, -1, -1, -1 },
		[PART_ZERO] = { -1, -1, PART_POINT, PART_E, -1, -1 },
		[PART_DIGITS] = { PART_DIGITS, PART_DIGITS, PART_POINT, PART_E, -1, -1 },
		[PART_POINT] = { PART_FRACTION, PART_FRACTION, -1, -1, -1, -1 },
		[PART_FRACTION] = { PART_FRACTION, PART_FRACTION, -1, PART_E, -1, -1 },
		[PART_E] = { PART_EXP, PART_EXP, -1, -1, PART_SIGN, -1 },
		[PART_SIGN] = { PART_EXP, PART_EXP, -1, -1, -1, -1 },
		[PART_EXP] = { PART_EXP, PART_EXP, -1, -1, -1, -1 },
	};

	return next[part][partial_number_class(c)];
}

static bool is_whole_number(int part)
{
	return part == PART_ZERO || part == PART_DIGITS || part == PART_FRACTION ||
	       part == PART_EXP;
}

/* Structure. */

static bool partial_open_container(struct json_partial *p, bool object, size_t at)
{
	uint8_t *bits = &p->is_object[p->depth / 8];
	uint8_t bit = (uint8_t)(1u << p->depth % 8);

	if (p->depth == LIMIT_JSON_DEPTH)
		return err_set(&p->why, ERR_TOO_BIG, "byte %zu: nested deeper than %d levels", at,
			       LIMIT_JSON_DEPTH);
	*bits = object ? *bits | bit : *bits & (uint8_t)~bit;
	p->depth++;
	p->keep = at + 1;
	p->state = object ? JSON_PARTIAL_FIRST_KEY : JSON_PARTIAL_FIRST_VALUE;
	return true;
}

static void partial_close_container(struct json_partial *p, size_t at)
{
	p->depth--;
	partial_end_value(p, at + 1);
}

static void partial_begin_number(struct json_partial *p, char c)
{
	p->state = JSON_PARTIAL_IN_NUMBER;
	p->part = c == '-' ? PART_MINUS : partial_number_part(PART_MINUS, c);
}

static void partial_begin_literal(struct json_partial *p, const char *rest)
{
	p->state = JSON_PARTIAL_IN_LITERAL;
	p->rest = rest;
}

static bool partial_begin_value(struct json_partial *p, char c, size_t at)
{
	switch (c) {
	case '{': return partial_open_container(p, true, at);
	case '[': return partial_open_container(p, false, at);
	case '"': partial_begin_string(p, at, JSON_PARTIAL_IN_STRING); break;
	case 't': partial_begin_literal(p, "rue"); break;
	case 'f': partial_begin_literal(p, "alse"); break;
	case 'n': partial_begin_literal(p, "ull"); break;
	default:
		if (c != '-' && !ascii_is_digit(c))
			return partial_fail(p, at, "expected a value");
		partial_begin_number(p, c);
	}
	return true;
}

static bool partial_begin_key(struct json_partial *p, char c, size_t at)
{
	if (c != '"')
		return partial_fail(p, at, "expected a key");
	partial_begin_string(p, at, JSON_PARTIAL_IN_KEY);
	return true;
}

static bool partial_step_colon(struct json_partial *p, char c, size_t at)
{
	if (c != ':')
		return partial_fail(p, at, "expected a colon");
	p->state = JSON_PARTIAL_VALUE;
	return true;
}

static bool partial_step_next(struct json_partial *p, char c, size_t at)
{
	bool object = partial_in_object(p, p->depth - 1);

	if (c == (object ? '}' : ']'))
		partial_close_container(p, at);
	else if (c == ',')
		p->state = object ? JSON_PARTIAL_KEY : JSON_PARTIAL_VALUE;
	else
		return partial_fail(p, at, object ? "expected ',' or '}'" : "expected ',' or ']'");
	return true;
}

/* Between scalars, where white space has no meaning. */
static bool partial_step_structure(struct json_partial *p, char c, size_t at)
{
	if (ascii_is_space(c))
		return true;
	if ((c == '}' && p->state == JSON_PARTIAL_FIRST_KEY) ||
	    (c == ']' && p->state == JSON_PARTIAL_FIRST_VALUE)) {
		partial_close_container(p, at);
		return true;
	}
	switch (p->state) {
	case JSON_PARTIAL_VALUE:
	case JSON_PARTIAL_FIRST_VALUE: return partial_begin_value(p, c, at);
	case JSON_PARTIAL_KEY:
	case JSON_PARTIAL_FIRST_KEY: return partial_begin_key(p, c, at);
	case JSON_PARTIAL_COLON: return partial_step_colon(p, c, at);
	case JSON_PARTIAL_NEXT: return partial_step_next(p, c, at);
	case JSON_PARTIAL_DONE: return partial_fail(p, at, "unexpected content after the value");
	case JSON_PARTIAL_IN_KEY:
	case JSON_PARTIAL_IN_STRING:
	case JSON_PARTIAL_IN_NUMBER:
	case JSON_PARTIAL_IN_LITERAL: break;
	}
	BUG("unexpected parser state %d", p->state);
}

static bool partial_step_literal(struct json_partial *p, char c, size_t at)
{
	if (c != *p->rest)
		return partial_fail(p, at, "expected true, false or null");
	if (!*++p->rest)
		partial_end_value(p, at + 1);
	return true;
}

/* Only the byte after a number shows where it ends. */
static bool partial_step_number(struct json_partial *p, char c, size_t at)
{
	int part = partial_number_part(p->part, c);

	if (part >= 0) {
		p->part = part;
		return true;
	}
	if (!is_whole_number(p->part) || ascii_is_digit(c))
		return partial_fail(p, at, "malformed number");
	partial_end_value(p, at);
	return partial_step_structure(p, c, at);
}

static bool partial_step(struct json_partial *p, size_t at)
{
	char c = p->text.ptr[at];

	if (p->state == JSON_PARTIAL_IN_STRING || p->state == JSON_PARTIAL_IN_KEY)
		return partial_step_string(p, c, at);
	if (p->state == JSON_PARTIAL_IN_NUMBER)
		return partial_step_number(p, c, at);
	if (p->state == JSON_PARTIAL_IN_LITERAL)
		return partial_step_literal(p, c, at);
	return partial_step_structure(p, c, at);
}

bool json_partial_feed(struct json_partial *p, struct sv chunk, struct err *err)
{
	size_t at = p->text.len;

	if (!p->why.kind && !str_add_capped(&p->text, chunk, LIMIT_JSON_DOC))
		err_set(&p->why, ERR_TOO_BIG, "JSON exceeds %zu bytes", LIMIT_JSON_DOC);
	while (!p->why.kind && at < p->text.len && partial_step(p, at))
		at++;
	if (!p->why.kind)
		return true;
	str_truncate(&p->text, at);
	*err = p->why;
	return false;
}

bool json_partial_is_complete(const struct json_partial *p)
{
	return p->state == JSON_PARTIAL_DONE;
}

void json_partial_close(const struct json_partial *p, struct str *out)
{
	bool in_string = p->state == JSON_PARTIAL_IN_STRING;
	size_t keep = in_string ? p->shown : p->keep;

	str_add(out, keep ? sv_slice(sv_of(&p->text), 0, keep) : SV("null"));
	if (in_string)
		str_addc(out, '"');
	for (unsigned level = p->depth; level > 0; level--)
		str_addc(out, partial_in_object(p, level - 1) ? '}' : ']');
}

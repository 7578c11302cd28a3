#include "tool/shell/bash_plain.h"

#include "base/limits.h"
#include "base/utf8.h"

void bash_plain_clear(struct bash_plain *p)
{
	str_clear(&p->line);
}

/* Appends `text` as valid UTF-8, without the control characters of two bytes: some terminals read
 * U+009B as ESC and "[". */
static void bash_plain_settle(struct str *out, struct sv text)
{
	size_t to = out->len;

	utf8_repair(out, text);
	for (size_t from = to; from < out->len; from++) {
		unsigned char c = (unsigned char)out->ptr[from];

		if (c == 0xc2 && ((unsigned char)out->ptr[from + 1] & 0xe0) == 0x80)
			from++;
		else
			out->ptr[to++] = (char)c;
	}
	str_truncate(out, to);
}

void bash_plain_end(struct bash_plain *p, struct str *out)
{
	bash_plain_settle(out, sv_of(&p->line));
	str_truncate(&p->line, 0);
	p->returned = false;
}

static bool is_inside_rune(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

size_t bash_plain_whole(struct sv text)
{
	for (size_t back = 1; back <= min_of(text.len, (size_t)3); back++) {
		unsigned char c = (unsigned char)text.ptr[text.len - back];
		size_t need = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;

		if (c >= 0xc0)
			return need > back ? text.len - back : text.len;
		if (!is_inside_rune((char)c))
			break;
	}
	return text.len;
}

/* A line this long is not a progress bar, so its beginning is final. */
static void bash_plain_settle_start(struct bash_plain *p, struct str *out)
{
	size_t n = bash_plain_whole(sv_of(&p->line));

	bash_plain_settle(out, sv_slice(sv_of(&p->line), 0, n));
	str_consume(&p->line, n);
}

static void bash_plain_take_back(struct bash_plain *p)
{
	size_t n = p->line.len;

	while (n > 0 && is_inside_rune(p->line.ptr[n - 1]))
		n--;
	str_truncate(&p->line, n > 0 ? n - 1 : 0);
}

static bool bash_plain_is(char c)
{
	return (unsigned char)c >= ' ' && c != '\x7f';
}

/* Adds a run of ordinary characters, as far as the line has room. Returns its length. */
static size_t bash_plain_add_run(struct bash_plain *p, struct sv bytes, struct str *out)
{
	size_t n = 0, space;

	if (p->returned)
		str_truncate(&p->line, 0);
	p->returned = false;
	if (p->line.len >= LIMIT_BASH_LINE)
		bash_plain_settle_start(p, out);
	space = LIMIT_BASH_LINE - p->line.len;
	while (n < min_of(bytes.len, space) &&
	       (bash_plain_is(bytes.ptr[n]) || bytes.ptr[n] == '\t'))
		n++;
	str_add(&p->line, sv_slice(bytes, 0, n));
	return n;
}

static void bash_plain_control(struct bash_plain *p, char c, struct str *out)
{
	switch (c) {
	case '\n':
		bash_plain_end(p, out);
		str_addc(out, '\n');
		break;
	case '\r': p->returned = true; break;
	case '\b': bash_plain_take_back(p); break;
	case '\x1b': p->escape = ESCAPE_BEGUN; break;
	default: break;
	}
}

static enum bash_escape bash_plain_after_begun(char c)
{
	if (c == '[')
		return ESCAPE_CSI;
	if (sv_find_char(SV("]PX^_"), c) != SIZE_MAX)
		return ESCAPE_TEXT;
	return c >= ' ' && c <= '/' ? ESCAPE_SHORT : ESCAPE_NONE;
}

/* The state after `c`, which belongs to the sequence. */
static enum bash_escape bash_plain_after(enum bash_escape escape, char c)
{
	switch (escape) {
	case ESCAPE_BEGUN: return bash_plain_after_begun(c);
	case ESCAPE_CSI: return c >= '@' && c <= '~' ? ESCAPE_NONE : ESCAPE_CSI;
	case ESCAPE_SHORT: return c >= '0' && c <= '~' ? ESCAPE_NONE : ESCAPE_SHORT;
	case ESCAPE_TEXT: return c == '\x1b' ? ESCAPE_TEXT_END : ESCAPE_TEXT;
	case ESCAPE_TEXT_END: return c == '\\' ? ESCAPE_NONE : bash_plain_after_begun(c);
	case ESCAPE_NONE: break;
	}
	return ESCAPE_NONE;
}

/* Whether `c` is part of the sequence. If it is not, or if it is the BEL after a text, the sequence
 * ends. */
static bool bash_plain_in_escape(struct bash_plain *p, char c)
{
	bool in_text = p->escape == ESCAPE_TEXT;
	bool belongs = in_text ? c != '\n' && c != '\a' : bash_plain_is(c) && (signed char)c > 0;

	p->escape = belongs ? bash_plain_after(p->escape, c) : ESCAPE_NONE;
	return belongs;
}

void bash_plain_feed(struct bash_plain *p, struct sv bytes, struct str *out)
{
	while (bytes.len > 0) {
		char c = bytes.ptr[0];
		size_t n = 1;

		if (p->escape == ESCAPE_NONE || !bash_plain_in_escape(p, c)) {
			if (bash_plain_is(c) || c == '\t')
				n = bash_plain_add_run(p, bytes, out);
			else
				bash_plain_control(p, c, out);
		}
		bytes = sv_skip(bytes, n);
	}
}

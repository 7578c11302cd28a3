#include "script.h"

#include <signal.h>

/* Everything in `text` up to a line "--- name", which names the next section. */
static bool cut_section(struct sv *text, struct sv *body, struct sv *next, int *lines)
{
	struct sv rest = *text, line;

	*lines = 0;
	while (sv_cut_line(&rest, &line)) {
		++*lines;
		if (!sv_starts(line, SV("--- ")))
			continue;
		*body = sv_slice(*text, 0, (size_t)(line.ptr - text->ptr));
		*next = sv_trim(sv_skip(line, 4));
		*text = rest;
		return true;
	}
	*body = *text;
	*text = SV_EMPTY;
	return false;
}

static bool is_label(struct sv word)
{
	return word.len > 1 && word.ptr[word.len - 1] == ':';
}

bool line_parse(struct line *out, struct sv text, const struct line *outer, struct err *err)
{
	struct sv rest = text, word = take_word(&rest);
	struct line line = *outer;

	if (is_label(word)) {
		line.label = sv_slice(word, 0, word.len - 1);
		line.name = take_word(&rest);
	} else {
		line.label = line.name = word;
	}
	if (!line.name.len)
		return err_set(err, ERR_PARSE, "line %d: nothing to do", outer->number);
	line.args = sv_trim(rest);
	line.text = text;
	*out = line;
	return true;
}

static bool parse_sweeps(struct script *s, const struct line *line, struct err *err)
{
	struct sv rest = line->args, word;

	while ((word = take_word(&rest)).len) {
		if (sv_is(word, "cancel"))
			s->sweeps |= SWEEP_CANCEL;
		else if (sv_is(word, "split"))
			s->sweeps |= SWEEP_SPLIT;
		else if (sv_is(word, "fail"))
			s->sweeps |= SWEEP_FAIL;
		else if (sv_is(word, "survive"))
			s->sweeps |= SWEEP_SURVIVE;
		else if (sv_is(word, "within"))
			return parse_ms(&s->cancel_ms, sv_trim(rest), err);
		else
			return err_set(err, ERR_PARSE, "line %d: no sweep is called %.*s",
				       line->number, SV_ARG(word));
	}
	return true;
}

static bool add_line(struct script *s, struct sv text, int number, struct err *err)
{
	struct line line = { .number = number };

	if (text.ptr[0] == '\t' || text.ptr[0] == ' ') {
		if (!s->lines.n)
			return err_set(err, ERR_PARSE, "line %d: a block without a line", number);
		text = line.text = sv_skip(text, 1); /* deeper indentation is text */
		line.name = take_word(&text);
		line.args = text;
		vec_push(&s->blocks, line);
		vec_last(&s->lines)->nblock++;
		return true;
	}
	if (!line_parse(&line, text, &line, err))
		return false;
	if (sv_is(line.name, "sweep"))
		return parse_sweeps(s, &line, err);
	vec_push(&s->lines, line);
	return true;
}

/* Blocks lie one after the other; only now do they no longer move. */
static void link_blocks(struct script *s)
{
	size_t at = 0;

	for (size_t i = 0; i < s->lines.n; i++) {
		if (s->lines.at[i].nblock)
			s->lines.at[i].block = &s->blocks.at[at];
		at += s->lines.at[i].nblock;
	}
}

bool flow_script_parse(struct script *s, struct str *text, struct err *err)
{
	struct sv rest, body, section = SV_EMPTY, line;
	int number = 0, lines;

	*s = (struct script){ .text = *text };
	*text = (struct str)STR_INIT;
	rest = sv_of(&s->text);
	s->has_expect = cut_section(&rest, &body, &section, &lines);
	if (s->has_expect && !sv_is(section, "expect"))
		return err_set(err, ERR_PARSE, "line %d: no section is called %.*s", lines,
			       SV_ARG(section));
	s->expect = rest;
	s->expect_at = s->text.len - rest.len;
	while (sv_cut_line(&body, &line)) {
		number++;
		if (!sv_trim(line).len || line.ptr[0] == '#')
			continue;
		if (!add_line(s, line, number, err))
			return false;
	}
	link_blocks(s);
	return true;
}

void flow_script_clear(struct script *s)
{
	str_clear(&s->text);
	vec_clear(&s->lines);
	vec_clear(&s->blocks);
}

struct sv take_word(struct sv *rest)
{
	struct sv word;

	while (rest->len && rest->ptr[0] == ' ')
		*rest = sv_skip(*rest, 1);
	return sv_cut(rest, ' ', &word) ? word : SV_EMPTY;
}

bool take_quoted(struct str *out, struct sv *rest, struct err *err)
{
	size_t end = 1;

	while (rest->len && rest->ptr[0] == ' ')
		*rest = sv_skip(*rest, 1);
	if (!rest->len || rest->ptr[0] != '"') {
		str_add(out, take_word(rest));
		return true;
	}
	while (end < rest->len && rest->ptr[end] != '"')
		end += rest->ptr[end] == '\\' ? 2 : 1;
	if (end >= rest->len)
		return err_set(err, ERR_INVALID, "a quote is not closed");
	if (!text_decode(out, sv_slice(*rest, 1, end), err))
		return false;
	*rest = sv_skip(*rest, end + 1);
	return true;
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c | 0x20) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The escape after a backslash at the start of `in`; its length, or 0. */
static size_t decode_escape(struct str *out, struct sv in)
{
	static const char names[] = "nrt\\\"", values[] = "\n\r\t\\\"";
	const char *at = in.len ? strchr(names, in.ptr[0]) : NULL;
	int high, low;

	if (at && *at) {
		str_addc(out, values[at - names]);
		return 1;
	}
	high = in.len < 3 || in.ptr[0] != 'x' ? -1 : hex_digit(in.ptr[1]);
	low = high < 0 ? -1 : hex_digit(in.ptr[2]);
	if (low < 0)
		return 0;
	str_addc(out, (char)(high * 16 + low));
	return 3;
}

bool text_decode(struct str *out, struct sv text, struct err *err)
{
	size_t n;

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '\\') {
			str_addc(out, text.ptr[i]);
			continue;
		}
		n = decode_escape(out, sv_skip(text, i + 1));
		if (!n)
			return err_set(err, ERR_INVALID, "no such escape: %.*s",
				       SV_ARG(sv_slice(text, i, i + 2)));
		i += n;
	}
	return true;
}

void text_quote(struct str *out, struct sv text)
{
	str_addc(out, '"');
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (c == '\n')
			str_adds(out, "\\n");
		else if (c == '"' || c == '\\')
			str_addf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			str_addf(out, "\\x%02x", c);
		else
			str_addc(out, (char)c);
	}
	str_addc(out, '"');
}

bool parse_count(int64_t *out, struct sv text, struct err *err)
{
	int64_t n;

	if (!sv_to_int(text, &n) || n < 0)
		return err_set(err, ERR_INVALID, "not a number: \"%.*s\"", SV_ARG(text));
	*out = n;
	return true;
}

bool parse_ms(int64_t *out, struct sv text, struct err *err)
{
	static const struct {
		struct sv unit;
		int64_t ms;
	} units[] = { { SV_INIT("ms"), 1 }, { SV_INIT("s"), 1000 }, { SV_INIT("m"), 60000 } };
	int64_t n = 0;

	for (size_t i = 0; i < countof(units); i++) {
		if (!sv_ends(text, units[i].unit))
			continue;
		if (!parse_count(&n, sv_slice(text, 0, text.len - units[i].unit.len), err))
			return false;
		*out = n * units[i].ms;
		return true;
	}
	return err_set(err, ERR_INVALID, "not a time (\"500ms\", \"2s\"): \"%.*s\"", SV_ARG(text));
}

bool parse_err_kind(enum err_kind *out, struct sv name, struct err *err)
{
	for (enum err_kind kind = ERR_NONE + 1; kind < ERR_KINDS; kind++)
		if (sv_is(name, err_kind_name(kind))) {
			*out = kind;
			return true;
		}
	return err_set(err, ERR_INVALID, "no error is called \"%.*s\"", SV_ARG(name));
}

bool parse_signal(int *out, struct sv name, struct err *err)
{
	for (int signo = 1; signo < NSIG; signo++)
		if (sigabbrev_np(signo) && sv_is(name, sigabbrev_np(signo))) {
			*out = signo;
			return true;
		}
	return err_set(err, ERR_INVALID, "no signal is called \"%.*s\"", SV_ARG(name));
}

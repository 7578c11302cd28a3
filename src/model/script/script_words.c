#include "model/script/script_words.h"

#include "base/ascii.h"

#include <stdarg.h>

bool script_fail(const struct script_words *w, struct err *err, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	return err_set(err, ERR_PARSE, "%s:%zu: %s", w->name, w->line, str_c(&text));
}

bool script_fail_near(const struct script_words *w, struct err *err, struct sv word,
		      const char *what, const struct nearest *best)
{
	word = sv_slice(word, 0, 40);
	if (!best->word.len)
		return script_fail(w, err, "'%.*s' %s", SV_ARG(word), what);
	return script_fail(w, err, "'%.*s' %s; did you mean '%.*s'?", SV_ARG(word), what,
			   SV_ARG(best->word));
}

static struct sv script_words_skip_blanks(struct sv s)
{
	while (s.len && ascii_is_blank(*s.ptr))
		s = sv_skip(s, 1);
	return s;
}

bool script_line(struct script_words *w)
{
	struct sv line;

	while (sv_cut_line(&w->rest, &line)) {
		w->line++;
		w->indented = line.len && ascii_is_blank(*line.ptr);
		w->left = sv_trim(line);
		if (w->left.len && *w->left.ptr != '#')
			return true;
	}
	return false;
}

/* --- bare words ---------------------------------------------------------- */

struct sv script_peek(const struct script_words *w)
{
	struct sv s = script_words_skip_blanks(w->left);
	size_t n = 0;

	while (n < s.len && !ascii_is_blank(s.ptr[n]) && s.ptr[n] != '"' && s.ptr[n] != '=')
		n++;
	return sv_slice(s, 0, n);
}

struct sv script_word(struct script_words *w)
{
	struct sv word = script_peek(w);

	w->left = sv_skip(script_words_skip_blanks(w->left), word.len);
	return word;
}

bool script_accept(struct script_words *w, const char *word)
{
	if (!sv_is(script_peek(w), word))
		return false;
	script_word(w);
	return true;
}

bool script_end_of_line(struct script_words *w, struct err *err)
{
	struct sv left = sv_trim(w->left);

	if (!left.len)
		return true;
	return script_fail(w, err, "'%.*s' is not understood here", SV_ARG(sv_slice(left, 0, 60)));
}

/* --- numbers ------------------------------------------------------------- */

/* Cuts the digits off the front of `s`; false if there are none or too many. */
static bool script_words_take_digits(struct sv *s, int64_t *out)
{
	size_t n = 0;

	while (n < s->len && s->ptr[n] >= '0' && s->ptr[n] <= '9')
		n++;
	if (n == 0 || n > 15 || !sv_to_int(sv_slice(*s, 0, n), out))
		return false;
	*s = sv_skip(*s, n);
	return true;
}

bool script_number(struct script_words *w, const char *what, int64_t max, int64_t *out,
		   struct err *err)
{
	struct sv word = script_word(w), digits = word;
	int64_t n;

	if (!script_words_take_digits(&digits, &n) || digits.len || n > max)
		return script_fail(w, err, "%s must be a number up to %lld, not '%.*s'", what,
				   (long long)max, SV_ARG(sv_slice(word, 0, 40)));
	*out = n;
	return true;
}

bool script_duration(struct script_words *w, int64_t *ms, struct err *err)
{
	static const struct {
		const char *name;
		int64_t ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 } };
	struct sv word = script_word(w), unit = word;
	int64_t n;

	if (script_words_take_digits(&unit, &n))
		for (size_t i = 0; i < countof(units); i++)
			if (sv_is(unit, units[i].name) && n <= 86400000 / units[i].ms) {
				*ms = n * units[i].ms;
				return true;
			}
	return script_fail(w, err, "'%.*s' is not a duration; use '50ms', '10s' or '2m'",
			   SV_ARG(sv_slice(word, 0, 40)));
}

/* --- values -------------------------------------------------------------- */

static int script_words_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Cuts an escape off `s`, which starts after the backslash. */
static bool script_words_unescape(struct script_words *w, struct sv *s, struct str *out,
				  struct err *err)
{
	static const char from[] = "nrt\\\"", to[] = "\n\r\t\\\"";
	const char *at = s->len ? memchr(from, *s->ptr, sizeof(from) - 1) : NULL;

	if (at) {
		str_addc(out, to[at - from]);
		*s = sv_skip(*s, 1);
		return true;
	}
	if (s->len >= 3 && *s->ptr == 'x' && script_words_hex_digit(s->ptr[1]) >= 0 &&
	    script_words_hex_digit(s->ptr[2]) >= 0) {
		str_addc(out, (char)(script_words_hex_digit(s->ptr[1]) << 4 |
				     script_words_hex_digit(s->ptr[2])));
		*s = sv_skip(*s, 3);
		return true;
	}
	return script_fail(w, err, "only \\n \\r \\t \\\\ \\\" and \\xNN may follow a backslash");
}

static bool script_words_quoted(struct script_words *w, struct sv *out, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv s = sv_skip(script_words_skip_blanks(w->left), 1);

	while (s.len && *s.ptr != '"') {
		char c = *s.ptr;

		s = sv_skip(s, 1);
		if (c != '\\')
			str_addc(&text, c);
		else if (!script_words_unescape(w, &s, &text, err))
			return false;
	}
	if (!s.len)
		return script_fail(w, err, "a quoted string must end on its line");
	w->left = sv_skip(s, 1);
	*out = arena_dup(w->arena, sv_of(&text));
	return true;
}

static struct sv script_words_indentation(struct sv line)
{
	return sv_slice(line, 0, line.len - script_words_skip_blanks(line).len);
}

/* Joins the lines of `text`, each without the blanks of `indent`. */
static bool script_words_join_block(struct script_words *w, struct sv text, struct sv indent,
				    struct sv *out, struct err *err)
{
	defer(str_clear) struct str joined = STR_INIT;
	struct sv line;

	while (sv_cut_line(&text, &line)) {
		w->line++;
		if (sv_starts(line, indent))
			line = sv_skip(line, indent.len);
		else if (script_words_skip_blanks(line).len)
			return script_fail(w, err,
					   "the line is indented less than the end of its "
					   "block");
		else
			line = SV_EMPTY;
		str_add(&joined, line);
		if (text.len)
			str_addc(&joined, '\n');
	}
	*out = arena_dup(w->arena, sv_of(&joined));
	return true;
}

static bool script_words_block(struct script_words *w, struct sv *out, struct err *err)
{
	struct sv end = sv_skip(script_words_skip_blanks(w->left), 2), text = w->rest, line;

	if (!end.len || sv_find_char(end, ' ') != SIZE_MAX)
		return script_fail(w, err, "'<<' must be followed by the word that ends the block");
	while (sv_cut_line(&w->rest, &line)) {
		if (!sv_eq(sv_trim(line), end))
			continue;
		text = sv_from(text.ptr, (size_t)(line.ptr - text.ptr));
		if (!script_words_join_block(w, text, script_words_indentation(line), out, err))
			return false;
		w->line++;
		w->left = SV_EMPTY;
		return true;
	}
	return script_fail(w, err, "the block does not end: no line is '%.*s'",
			   SV_ARG(sv_slice(end, 0, 40)));
}

bool script_value(struct script_words *w, const char *what, struct sv *out, struct err *err)
{
	struct sv s = script_words_skip_blanks(w->left), word;

	if (sv_starts(s, SV("\"")))
		return script_words_quoted(w, out, err);
	if (sv_starts(s, SV("<<")))
		return script_words_block(w, out, err);
	word = script_word(w);
	if (!word.len)
		return script_fail(w, err, "%s is missing", what);
	*out = arena_dup(w->arena, word);
	return true;
}

bool script_remainder(struct script_words *w, const char *what, struct sv *out, struct err *err)
{
	struct sv s = sv_trim(w->left);

	if (sv_starts(s, SV("\"")) || sv_starts(s, SV("<<")) || !s.len)
		return script_value(w, what, out, err);
	*out = arena_dup(w->arena, s);
	w->left = SV_EMPTY;
	return true;
}

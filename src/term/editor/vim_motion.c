/* Where motions lead and what text objects contain. */
#include "base/ascii.h"
#include "term/editor/vim_internal.h"

bool vim_is_motion(char c)
{
	return ascii_is_one_of(c, "hjklwWbBeE0^$Gg;,fFtT");
}

/* --- characters ------------------------------------------------------------------- */

enum vim_class { VIM_BLANK, VIM_WORD, VIM_SIGN, VIM_FOLDED };

static bool vim_is_line_end(const struct editor *e, size_t at)
{
	return at >= e->text.len || e->text.ptr[at] == '\n';
}

static enum vim_class vim_class_at(const struct editor *e, size_t at, bool is_big)
{
	char c = vim_is_line_end(e, at) ? ' ' : e->text.ptr[at];

	if (ascii_is_blank(c))
		return VIM_BLANK;
	if (is_big)
		return VIM_WORD;
	if (editor_piece_at(e, at))
		return VIM_FOLDED;
	return ascii_is_word(c) || (unsigned char)c >= 0x80 ? VIM_WORD : VIM_SIGN;
}

static bool vim_is_empty_line(const struct editor *e, size_t at)
{
	return vim_is_line_end(e, at) && (at == 0 || e->text.ptr[at - 1] == '\n');
}

size_t vim_first_nonblank(const struct editor *e, size_t at)
{
	at = editor_line_start(e, at);
	while (!vim_is_line_end(e, at) && ascii_is_blank(e->text.ptr[at]))
		at++;
	return at;
}

/* --- words ------------------------------------------------------------------------ */

static size_t vim_next_word(const struct editor *e, size_t at, bool is_big)
{
	enum vim_class class = vim_class_at(e, at, is_big);
	size_t start = at;

	while (class != VIM_BLANK && vim_class_at(e, at, is_big) == class)
		at = editor_after(e, at);
	while (at < e->text.len && vim_class_at(e, at, is_big) == VIM_BLANK &&
	       (at == start || !vim_is_empty_line(e, at)))
		at = editor_after(e, at);
	return at;
}

static size_t vim_word_end(const struct editor *e, size_t at, bool is_big)
{
	enum vim_class class;
	size_t start = at;

	at = editor_after(e, at);
	while (at < e->text.len && vim_class_at(e, at, is_big) == VIM_BLANK)
		at = editor_after(e, at);
	class = vim_class_at(e, at, is_big);
	while (class != VIM_BLANK && vim_class_at(e, editor_after(e, at), is_big) == class)
		at = editor_after(e, at);
	return at < e->text.len || start == at ? at : editor_before(e, at);
}

static size_t vim_word_before(const struct editor *e, size_t at, bool is_big)
{
	enum vim_class class;

	do {
		at = editor_before(e, at);
	} while (at > 0 && vim_class_at(e, at, is_big) == VIM_BLANK && !vim_is_empty_line(e, at));
	class = vim_class_at(e, at, is_big);
	while (at > 0 && class != VIM_BLANK &&
	       vim_class_at(e, editor_before(e, at), is_big) == class)
		at = editor_before(e, at);
	return at;
}

static size_t vim_by_word(const struct editor *e, char verb, size_t at)
{
	switch (verb) {
	case 'w':
	case 'W': return vim_next_word(e, at, verb == 'W');
	case 'e':
	case 'E': return vim_word_end(e, at, verb == 'E');
	default: return vim_word_before(e, at, verb == 'B');
	}
}

/* --- find ------------------------------------------------------------------------- */

static bool vim_is_target(const struct editor *e, size_t at, struct sv target)
{
	return sv_eq(sv_slice(sv_of(&e->text), at, editor_after(e, at)), target);
}

/* Find the next place of `target` in the line, in the direction of `how`, from the character after `at` on. */
static bool vim_find_once(const struct editor *e, char how, struct sv target, size_t *at)
{
	bool is_forward = how == 'f' || how == 't';
	size_t place = *at;

	for (;;) {
		size_t next = is_forward ? editor_after(e, place) : editor_before(e, place);

		if (next == place ||
		    (is_forward ? vim_is_line_end(e, next) : e->text.ptr[next] == '\n'))
			return false;
		place = next;
		if (vim_is_target(e, place, target)) {
			*at = place;
			return true;
		}
	}
}

/* `is_again`: for ; and , which pass over the character that t stopped before. */
static bool vim_find(const struct editor *e, char how, struct sv target, unsigned count,
		     bool is_again, size_t *to)
{
	size_t at = e->cursor, first;

	if (vim_is_line_end(e, at))
		return false;
	first = how == 't' ? editor_after(e, at) : editor_before(e, at);
	if (is_again && (how == 't' || how == 'T') && first != at &&
	    vim_is_target(e, first, target))
		at = first;
	for (unsigned i = 0; i < count; i++)
		if (!vim_find_once(e, how, target, &at))
			return false;
	if (how == 't')
		at = editor_before(e, at);
	else if (how == 'T')
		at = editor_after(e, at);
	*to = at;
	return true;
}

static char vim_opposite(char how)
{
	return (char)(how ^ ('a' ^ 'A'));
}

static bool vim_find_again(struct vim *v, const struct vim_command *c, unsigned count, size_t *to)
{
	char how = c->verb == ';' || !v->find ? v->find : vim_opposite(v->find);

	return how && vim_find(v->editor, how, sv_of(&v->find_target), count, true, to);
}

/* --- lines ------------------------------------------------------------------------ */

/* The line `count` lines below the one at `at`, or above it; the last or first, if there are not so many. */
static size_t vim_line_by(const struct editor *e, size_t at, unsigned count, bool is_down)
{
	for (; count; count--) {
		size_t edge = is_down ? editor_line_end(e, at) : editor_line_start(e, at);

		if (is_down ? edge == e->text.len : edge == 0)
			break;
		at = is_down ? edge + 1 : edge - 1;
	}
	return editor_line_start(e, at);
}

static size_t vim_line_number(const struct editor *e, unsigned number)
{
	return vim_line_by(e, 0, number - 1, true);
}

struct vim_range vim_lines(const struct editor *e, size_t from, size_t to)
{
	size_t end = editor_line_end(e, to);

	return (struct vim_range){ .from = editor_line_start(e, from),
				   .to = end < e->text.len ? end + 1 : end,
				   .has_lines = true };
}

/* --- motions ---------------------------------------------------------------------- */

/* Left and right stay in their line. */
static size_t vim_sideways(const struct editor *e, char verb, size_t at)
{
	if (verb == 'h')
		return at > editor_line_start(e, at) ? editor_before(e, at) : at;
	return vim_is_line_end(e, at) ? at : editor_after(e, at);
}

bool vim_motion(struct vim *v, const struct vim_command *c, size_t *to)
{
	const struct editor *e = v->editor;
	unsigned count = max_of(c->count, 1U);
	size_t at = e->cursor;

	switch (c->verb) {
	case 'h':
	case 'l':
		for (unsigned i = 0; i < count; i++)
			at = vim_sideways(e, c->verb, at);
		break;
	case 'j':
	case 'k': at = vim_line_by(e, at, count, c->verb == 'j'); break;
	case '0': at = editor_line_start(e, at); break;
	case '^': at = vim_first_nonblank(e, at); break;
	case '$': at = editor_line_end(e, vim_line_by(e, at, count - 1, true)); break;
	case 'g': at = vim_first_nonblank(e, vim_line_number(e, count)); break;
	case 'G':
		at = vim_first_nonblank(e, c->count ? vim_line_number(e, count)
						    : editor_line_start(e, e->text.len));
		break;
	case 'f':
	case 'F':
	case 't':
	case 'T':
		v->find = c->verb;
		str_set(&v->find_target, sv_of(&c->target));
		return vim_find(e, c->verb, sv_of(&c->target), count, false, to);
	case ';':
	case ',': return vim_find_again(v, c, count, to);
	default:
		for (unsigned i = 0; i < count; i++)
			at = vim_by_word(e, c->verb, at);
	}
	*to = at;
	return true;
}

/* Whether an operator takes the character that the motion leads to, too. */
static bool vim_is_inclusive(const struct vim *v, const struct vim_command *c)
{
	char verb = c->verb;

	if (verb == ';')
		verb = v->find;
	else if (verb == ',')
		verb = vim_opposite(v->find);
	return verb == 'e' || verb == 'E' || verb == 'f' || verb == 't';
}

/* The words that an operator is for. The last one does not take the line end with it, and cw leaves the blanks after a
 * word alone. */
static void vim_word_range(const struct vim *v, const struct vim_command *c,
			   struct vim_range *range)
{
	const struct editor *e = v->editor;
	size_t last = range->to;

	if (c->operation == 'c' && vim_class_at(e, e->cursor, false) != VIM_BLANK) {
		while (last > range->from &&
		       vim_class_at(e, editor_before(e, last), false) == VIM_BLANK)
			last = editor_before(e, last);
		range->to = last;
		return;
	}
	if (range->to > editor_line_end(e, range->from) &&
	    vim_first_nonblank(e, range->to) >= range->to) {
		last = editor_line_start(e, range->to);
		range->to = last > range->from ? last - 1 : last;
	}
}

static bool vim_motion_range(struct vim *v, const struct vim_command *c, struct vim_range *range)
{
	const struct editor *e = v->editor;
	size_t to;

	if (!vim_motion(v, c, &to))
		return false;
	if (c->verb == 'j' || c->verb == 'k' || c->verb == 'g' || c->verb == 'G') {
		/* As in vim, dj does nothing on the last line. */
		if ((c->verb == 'j' || c->verb == 'k') &&
		    editor_line_start(e, to) == editor_line_start(e, e->cursor))
			return false;
		*range = vim_lines(e, min_of(to, e->cursor), max_of(to, e->cursor));
		return true;
	}
	*range = (struct vim_range){ min_of(to, e->cursor), max_of(to, e->cursor), false };
	if (vim_is_inclusive(v, c))
		range->to = editor_after(e, range->to);
	else if (c->verb == 'w' || c->verb == 'W')
		vim_word_range(v, c, range);
	return range->to > range->from;
}

bool vim_range(struct vim *v, const struct vim_command *c, struct vim_range *range)
{
	const struct editor *e = v->editor;

	if (c->verb == c->operation) {
		*range = vim_lines(e, e->cursor,
				   vim_line_by(e, e->cursor, max_of(c->count, 1U) - 1, true));
		return true;
	}
	if (c->object)
		return vim_object(e, c, e->cursor, range);
	return vim_motion_range(v, c, range);
}

/* --- objects ---------------------------------------------------------------------- */

/* The end of the run of equal characters that begins at `at`, in its line. */
static size_t vim_run_end(const struct editor *e, size_t at, bool is_big)
{
	enum vim_class class = vim_class_at(e, at, is_big);

	while (!vim_is_line_end(e, at) && vim_class_at(e, at, is_big) == class)
		at = editor_after(e, at);
	return at;
}

static size_t vim_run_start(const struct editor *e, size_t at, bool is_big)
{
	enum vim_class class = vim_class_at(e, at, is_big);
	size_t line = editor_line_start(e, at);

	while (at > line && vim_class_at(e, editor_before(e, at), is_big) == class)
		at = editor_before(e, at);
	return at;
}

static bool vim_word_object(const struct editor *e, const struct vim_command *c, size_t at,
			    struct vim_range *range)
{
	bool is_big = c->object == 'W', is_blank = vim_class_at(e, at, is_big) == VIM_BLANK;
	size_t end;

	range->from = range->to = vim_run_start(e, at, is_big);
	for (unsigned i = 0; i < max_of(c->count, 1U); i++) {
		range->to = vim_run_end(e, range->to, is_big);
		if (c->verb == 'i')
			continue;
		end = vim_run_end(e, range->to, is_big);
		/* A word comes with the blanks after it, or before it if there are none. */
		if (is_blank || vim_class_at(e, range->to, is_big) == VIM_BLANK)
			range->to = end;
		if (!is_blank &&
		    vim_class_at(e, editor_before(e, range->to), is_big) != VIM_BLANK &&
		    range->from > editor_line_start(e, at) &&
		    vim_class_at(e, editor_before(e, range->from), is_big) == VIM_BLANK)
			range->from = vim_run_start(e, editor_before(e, range->from), is_big);
	}
	return range->to > range->from;
}

static size_t vim_next_quote(const struct editor *e, size_t at, char quote)
{
	while (!vim_is_line_end(e, at) && e->text.ptr[at] != quote)
		at += e->text.ptr[at] == '\\' && !vim_is_line_end(e, at + 1) ? 2 : 1;
	return at;
}

/* The pair around the cursor, or the first one after it in the line. */
static bool vim_quote_object(const struct editor *e, const struct vim_command *c, size_t at,
			     struct vim_range *range)
{
	size_t open = vim_next_quote(e, editor_line_start(e, at), c->object), close;

	for (;; open = vim_next_quote(e, close + 1, c->object)) {
		if (vim_is_line_end(e, open))
			return false;
		close = vim_next_quote(e, open + 1, c->object);
		if (vim_is_line_end(e, close))
			return false;
		if (close >= at)
			break;
	}
	range->from = open + 1;
	range->to = close;
	if (c->verb == 'i')
		return true;
	range->from = open;
	range->to = close + 1;
	while (!vim_is_line_end(e, range->to) && ascii_is_blank(e->text.ptr[range->to]))
		range->to++;
	return true;
}

/* The bracket that is not closed before `at`; false: there is none. */
static bool vim_open_bracket(const struct editor *e, char open, char close, size_t at,
			     size_t *found)
{
	size_t depth = 0;

	while (at-- > 0) {
		if (e->text.ptr[at] == close)
			depth++;
		else if (e->text.ptr[at] == open && depth-- == 0) {
			*found = at;
			return true;
		}
	}
	return false;
}

static bool vim_close_bracket(const struct editor *e, char open, char close, size_t at,
			      size_t *found)
{
	size_t depth = 0;

	for (; at < e->text.len; at++) {
		if (e->text.ptr[at] == open)
			depth++;
		else if (e->text.ptr[at] == close && depth-- == 0) {
			*found = at;
			return true;
		}
	}
	return false;
}

static bool vim_bracket_object(const struct editor *e, const struct vim_command *c,
			       const char *pair, size_t at, struct vim_range *range)
{
	size_t open = at, close;

	/* On the opening bracket itself, that is the one. */
	if (at >= e->text.len || e->text.ptr[at] != pair[0] || c->count > 1)
		for (unsigned i = 0; i < max_of(c->count, 1U); i++)
			if (!vim_open_bracket(e, pair[0], pair[1], open, &open))
				return false;
	if (!vim_close_bracket(e, pair[0], pair[1], open + 1, &close))
		return false;
	*range = (struct vim_range){ open + (c->verb == 'i'), close + (c->verb == 'a'), false };
	/* Brackets on lines of their own contain the lines between them. */
	if (c->verb == 'i' && e->text.ptr[range->from] == '\n' &&
	    vim_first_nonblank(e, close) == close && editor_line_start(e, close) > range->from + 1)
		*range = vim_lines(e, range->from + 1, editor_line_start(e, close) - 1);
	return true;
}

bool vim_object(const struct editor *e, const struct vim_command *c, size_t at,
		struct vim_range *range)
{
	*range = (struct vim_range){ .from = at };
	switch (c->object) {
	case 'w':
	case 'W': return vim_word_object(e, c, at, range);
	case '"':
	case '\'':
	case '`': return vim_quote_object(e, c, at, range);
	case '(':
	case ')':
	case 'b': return vim_bracket_object(e, c, "()", at, range);
	case '[':
	case ']': return vim_bracket_object(e, c, "[]", at, range);
	case '{':
	case '}':
	case 'B': return vim_bracket_object(e, c, "{}", at, range);
	case '<':
	case '>': return vim_bracket_object(e, c, "<>", at, range);
	default: return false;
	}
}

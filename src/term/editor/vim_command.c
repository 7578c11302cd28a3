/* What operators and commands do. */
#include "base/ascii.h"
#include "base/limits.h"
#include "term/editor/vim_internal.h"

enum { VIM_INDENT = 2 };

void vim_command_clear(struct vim_command *c)
{
	str_clear(&c->target);
	*c = (struct vim_command){ .count = 0 };
}

/* Keep a command for `.`; the target is copied. */
static void vim_remember(struct vim *v, const struct vim_command *c)
{
	struct vim_command copy = *c;

	if (c == &v->last)
		return;
	copy.target = (struct str)STR_INIT;
	str_add(&copy.target, sv_of(&c->target));
	vim_command_clear(&v->last);
	v->last = copy;
	str_truncate(&v->inserted, 0);
}

void vim_settle(struct vim *v)
{
	struct editor *e = v->editor;

	/* Not editor_move(): Up and Down keep the cell that they aim at. */
	if (e->cursor == editor_line_end(e, e->cursor) &&
	    e->cursor > editor_line_start(e, e->cursor))
		e->cursor = editor_before(e, e->cursor);
}

/* --- insert mode ------------------------------------------------------------------ */

/* Until Escape, all changes are one step of undo. */
static void vim_enter_insert(struct vim *v)
{
	v->mode = VIM_INSERT;
	v->is_inserting = true;
	v->insert_from = v->editor->cursor;
	str_truncate(&v->typed, 0);
	editor_begin(v->editor);
}

static void vim_insert_times(struct vim *v, struct sv text, unsigned times)
{
	for (size_t size = text.len; times-- && size <= LIMIT_VIM_REPEAT; size += text.len)
		editor_replace(v->editor, v->editor->cursor, v->editor->cursor, text);
}

/* What was typed is kept for `.`, and typed again as often as the count says. */
static void vim_end_insert(struct vim *v)
{
	struct editor *e = v->editor;
	bool repeats =
		ascii_is_one_of(v->last.verb, "iIaA") && !v->last.operation && v->last.count > 1;

	if (e->cursor > v->insert_from)
		str_set(&v->inserted, sv_slice(sv_of(&e->text), v->insert_from, e->cursor));
	if (repeats)
		vim_insert_times(v, sv_of(&v->inserted), v->last.count - 1);
	v->is_inserting = false;
	editor_end(e);
}

void vim_leave_insert(struct vim *v)
{
	struct editor *e = v->editor;

	if (v->is_inserting)
		vim_end_insert(v);
	v->mode = VIM_NORMAL;
	if (e->cursor > editor_line_start(e, e->cursor))
		editor_move(e, editor_before(e, e->cursor));
}

/* --- the register ----------------------------------------------------------------- */

/* Lines in the register end with a line end. */
static void vim_yank(struct vim *v, struct vim_range range)
{
	struct editor *e = v->editor;

	str_set(&v->reg, sv_slice(sv_of(&e->text), range.from, range.to));
	v->reg_has_lines = range.has_lines;
	if (range.has_lines && !sv_ends(sv_of(&v->reg), SV("\n")))
		str_addc(&v->reg, '\n');
}

static void vim_delete(struct vim *v, struct vim_range range)
{
	struct editor *e = v->editor;

	vim_yank(v, range);
	/* The last line goes with the line end before it. */
	if (range.has_lines && range.to == e->text.len && range.from > 0 &&
	    (range.to == range.from || e->text.ptr[range.to - 1] != '\n'))
		range.from--;
	editor_kill(e, range.from, range.to);
	if (range.has_lines)
		editor_move(e, vim_first_nonblank(e, e->cursor));
}

static void vim_change(struct vim *v, struct vim_range range)
{
	struct editor *e = v->editor;

	vim_enter_insert(v);
	vim_yank(v, range);
	/* Lines leave an empty one behind. */
	if (range.has_lines && range.to > range.from && e->text.ptr[range.to - 1] == '\n')
		range.to--;
	editor_kill(e, range.from, range.to);
	editor_move(e, range.from);
	v->insert_from = e->cursor;
}

static void vim_paste_lines(struct vim *v, bool is_before, unsigned count)
{
	defer(str_clear) struct str lines = STR_INIT;
	struct editor *e = v->editor;
	size_t at = is_before ? editor_line_start(e, e->cursor) : editor_line_end(e, e->cursor);

	for (unsigned i = 0; i < count && lines.len <= LIMIT_VIM_REPEAT; i++)
		str_add(&lines, sv_of(&v->reg));
	if (!is_before) {
		str_truncate(&lines, lines.len - 1);
		str_splice(&lines, 0, 0, SV("\n"));
	}
	editor_replace(e, at, at, sv_of(&lines));
	editor_move(e, vim_first_nonblank(e, is_before ? at : at + 1));
}

static void vim_paste(struct vim *v, bool is_before, unsigned count)
{
	struct editor *e = v->editor;

	if (!v->reg.len)
		return;
	if (v->reg_has_lines) {
		vim_paste_lines(v, is_before, count);
		return;
	}
	if (!is_before && e->cursor < editor_line_end(e, e->cursor))
		editor_move(e, editor_after(e, e->cursor));
	vim_insert_times(v, sv_of(&v->reg), count);
	editor_move(e, editor_before(e, e->cursor));
}

/* --- changes of a range ------------------------------------------------------------ */

/* Call `fn` for each line that begins in [from, to); it returns by how many bytes the line grew. */
static void vim_each_line(struct editor *e, struct vim_range range,
			  ssize_t (*fn)(struct editor *e, size_t line))
{
	size_t line = editor_line_start(e, range.from), to = max_of(range.to, range.from + 1);

	while (line < to && line <= e->text.len) {
		ssize_t grown = fn(e, line);

		to = (size_t)((ssize_t)to + grown);
		line = editor_line_end(e, line) + 1;
	}
	editor_move(e, vim_first_nonblank(e, range.from));
}

static ssize_t vim_indent_line(struct editor *e, size_t line)
{
	if (editor_line_end(e, line) == line)
		return 0;
	editor_replace(e, line, line, SV("  "));
	return VIM_INDENT;
}

static ssize_t vim_outdent_line(struct editor *e, size_t line)
{
	size_t n = 0;

	while (n < VIM_INDENT && line + n < e->text.len && e->text.ptr[line + n] == ' ')
		n++;
	if (!n && line < e->text.len && e->text.ptr[line] == '\t')
		n = 1;
	if (n)
		editor_replace(e, line, line + n, SV_EMPTY);
	return -(ssize_t)n;
}

/* Join the line of the cursor with the next one: blanks around the line end become one. */
static bool vim_join(struct editor *e)
{
	size_t end = editor_line_end(e, e->cursor), next;

	if (end == e->text.len)
		return false;
	next = vim_first_nonblank(e, end + 1);
	while (end > 0 && ascii_is_blank(e->text.ptr[end - 1]))
		end--;
	editor_replace(e, end, next,
		       end > editor_line_start(e, end) && editor_line_end(e, next) > next
			       ? SV(" ")
			       : SV_EMPTY);
	editor_move(e, end);
	return true;
}

static void vim_join_lines(struct editor *e, size_t lines)
{
	for (size_t i = 1; i < max_of(lines, (size_t)2) && vim_join(e); i++)
		;
}

enum vim_case { VIM_LOWER, VIM_UPPER, VIM_SWAP };

static void vim_change_case(struct editor *e, size_t from, size_t to, enum vim_case what)
{
	defer(str_clear) struct str text = STR_INIT;

	str_add(&text, sv_slice(sv_of(&e->text), from, to));
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (ascii_is_alpha(c) &&
		    (what == VIM_SWAP || ascii_is_lower(c) == (what == VIM_UPPER)))
			text.ptr[i] = (char)(c ^ ('a' ^ 'A'));
	}
	editor_replace(e, from, to, sv_of(&text));
}

/* Replace each character of [from, to) with the target; line ends stay. */
static void vim_overwrite(struct editor *e, size_t from, size_t to, struct sv target)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t at = from; at < to; at = editor_after(e, at))
		str_add(&text, e->text.ptr[at] == '\n' ? SV("\n") : target);
	editor_replace(e, from, to, sv_of(&text));
	editor_move(e, from);
}

/* The place `count` characters after the cursor, in its line. */
static size_t vim_ahead(const struct editor *e, unsigned count)
{
	size_t end = editor_line_end(e, e->cursor), at = e->cursor;

	while (count-- && at < end)
		at = editor_after(e, at);
	return at;
}

/* --- commands of normal mode --------------------------------------------------------- */

static void vim_operate_on(struct vim *v, char operation, struct vim_range range)
{
	struct editor *e = v->editor;

	switch (operation) {
	case 'd': vim_delete(v, range); break;
	case 'c': vim_change(v, range); break;
	case 'y':
		vim_yank(v, range);
		if (!range.has_lines || range.from < editor_line_start(e, e->cursor))
			editor_move(e, range.from);
		break;
	case '>': vim_each_line(e, range, vim_indent_line); break;
	case '<': vim_each_line(e, range, vim_outdent_line); break;
	default: break;
	}
}

static void vim_operate(struct vim *v, const struct vim_command *c)
{
	struct vim_range range;

	if (!vim_range(v, c, &range))
		return;
	if (c->operation != 'y')
		vim_remember(v, c);
	vim_operate_on(v, c->operation, range);
}

static void vim_open_line(struct vim *v, bool is_above)
{
	struct editor *e = v->editor;
	size_t at = is_above ? editor_line_start(e, e->cursor) : editor_line_end(e, e->cursor);

	vim_enter_insert(v);
	editor_replace(e, at, at, SV("\n"));
	editor_move(e, is_above ? at : at + 1);
	v->insert_from = e->cursor;
}

/* Commands that only move the cursor and go to insert mode. */
static void vim_begin_insert(struct vim *v, char verb)
{
	struct editor *e = v->editor;

	switch (verb) {
	case 'o':
	case 'O': vim_open_line(v, verb == 'O'); return;
	case 'a': editor_move(e, vim_ahead(e, 1)); break;
	case 'A': editor_move(e, editor_line_end(e, e->cursor)); break;
	case 'I': editor_move(e, vim_first_nonblank(e, e->cursor)); break;
	default: break;
	}
	vim_enter_insert(v);
}

/* Some commands are short for an operator with its motion. */
static const struct {
	char verb, operation, motion;
} vim_short[] = {
	{ 'x', 'd', 'l' }, { 'X', 'd', 'h' }, { 'D', 'd', '$' }, { 'C', 'c', '$' },
	{ 's', 'c', 'l' }, { 'S', 'c', 'c' }, { 'Y', 'y', 'y' },
};

static bool vim_run_short(struct vim *v, struct vim_command *c)
{
	for (size_t i = 0; i < countof(vim_short); i++) {
		if (vim_short[i].verb != c->verb)
			continue;
		c->operation = vim_short[i].operation;
		c->verb = vim_short[i].motion;
		vim_operate(v, c);
		/* C and s change an empty line, too. */
		if (c->operation == 'c' && v->mode != VIM_INSERT) {
			vim_remember(v, c);
			vim_enter_insert(v);
		}
		return true;
	}
	return false;
}

static void vim_replace_ahead(struct vim *v, const struct vim_command *c)
{
	struct editor *e = v->editor;
	unsigned count = max_of(c->count, 1U);
	size_t to = vim_ahead(e, count), at = e->cursor, n = 0;

	for (; at < to; at = editor_after(e, at))
		n++;
	if (n < count)
		return;
	vim_overwrite(e, e->cursor, to, sv_of(&c->target));
	for (unsigned i = 1; i < count; i++)
		editor_move(e, editor_after(e, e->cursor));
}

static void vim_change_text(struct vim *v, const struct vim_command *c)
{
	struct editor *e = v->editor;
	unsigned count = max_of(c->count, 1U);

	vim_remember(v, c);
	switch (c->verb) {
	case 'p':
	case 'P': vim_paste(v, c->verb == 'P', count); break;
	case 'J': vim_join_lines(e, count); break;
	case 'r': vim_replace_ahead(v, c); break;
	case '~': vim_change_case(e, e->cursor, vim_ahead(e, count), VIM_SWAP); break;
	default: vim_begin_insert(v, c->verb);
	}
}

static void vim_repeat(struct vim *v, unsigned count)
{
	struct editor *e = v->editor;

	if (!v->last.verb)
		return;
	if (count)
		v->last.count = count;
	editor_begin(e);
	if (v->last.span)
		vim_run_visual(v, &v->last);
	else
		vim_run(v, &v->last);
	if (v->mode == VIM_INSERT) {
		vim_insert_times(v, sv_of(&v->inserted), 1);
		vim_leave_insert(v);
	}
	editor_end(e);
}

static void vim_begin_visual(struct vim *v, enum vim_mode mode)
{
	v->mode = mode;
	v->anchor = v->editor->cursor;
}

/* Rows on the screen, as the arrow keys; operators are for lines of the text. */
static void vim_move(struct vim *v, const struct vim_command *c)
{
	struct editor *e = v->editor;
	size_t to;

	if (c->verb == 'j' || c->verb == 'k') {
		for (unsigned i = 0; i < max_of(c->count, 1U); i++)
			if (!editor_do(e, c->verb == 'j' ? EDIT_DOWN : EDIT_UP))
				break;
	} else if (vim_motion(v, c, &to)) {
		editor_move(e, to);
	}
}

void vim_run(struct vim *v, struct vim_command *c)
{
	struct editor *e = v->editor;
	unsigned count = c->count;

	if (c->operation) {
		vim_operate(v, c);
	} else if (vim_is_motion(c->verb)) {
		vim_move(v, c);
	} else if (c->verb == 'u') {
		for (unsigned i = 0; i < max_of(count, 1U) && editor_do(e, EDIT_UNDO); i++)
			;
	} else if (c->verb == '.') {
		vim_repeat(v, count);
	} else if (c->verb == 'v' || c->verb == 'V') {
		vim_begin_visual(v, c->verb == 'v' ? VIM_VISUAL : VIM_VISUAL_LINE);
	} else if (!vim_run_short(v, c)) {
		vim_change_text(v, c);
	}
	if (v->mode == VIM_NORMAL)
		vim_settle(v);
}

/* --- visual mode ---------------------------------------------------------------------- */

bool vim_is_visual_command(char c)
{
	return ascii_is_one_of(c, "dxycspr~uU><JovV");
}

bool vim_selection(const struct vim *v, size_t *from, size_t *to)
{
	const struct editor *e = v->editor;
	struct vim_range lines;

	if (v->mode != VIM_VISUAL && v->mode != VIM_VISUAL_LINE)
		return false;
	*from = min_of(v->anchor, e->cursor);
	*to = editor_after(e, max_of(v->anchor, e->cursor));
	if (v->mode == VIM_VISUAL)
		return true;
	lines = vim_lines(e, *from, max_of(v->anchor, e->cursor));
	*from = lines.from;
	*to = lines.to;
	return true;
}

static size_t vim_count_between(const struct editor *e, struct vim_range range)
{
	size_t n = 0;

	for (size_t at = range.from; at < range.to; n++)
		at = range.has_lines ? editor_line_end(e, at) + 1 : editor_after(e, at);
	return max_of(n, (size_t)1);
}

/* The text that a command is for: the selection, or as much of it from the cursor on when it is repeated. */
static struct vim_range vim_visual_range(const struct vim *v, struct vim_command *c)
{
	const struct editor *e = v->editor;
	struct vim_range range = { .has_lines = v->mode == VIM_VISUAL_LINE };

	if (vim_selection(v, &range.from, &range.to)) {
		range.has_lines |= ascii_is_one_of(c->verb, "><J");
		c->span = vim_count_between(e, range);
		c->has_lines = range.has_lines;
	} else {
		range = (struct vim_range){ e->cursor, e->cursor, c->has_lines };
		for (size_t i = 0; i < c->span && range.to < e->text.len; i++)
			range.to = c->has_lines ? editor_line_end(e, range.to) + 1
						: editor_after(e, range.to);
		range.to = min_of(range.to, e->text.len);
	}
	return range.has_lines ? vim_lines(e, range.from, max_of(range.to, range.from + 1) - 1)
			       : range;
}

static void vim_paste_over(struct vim *v, struct vim_range range)
{
	defer(str_clear) struct str text = STR_INIT;
	struct editor *e = v->editor;
	bool has_lines = v->reg_has_lines;

	str_add(&text, sv_of(&v->reg));
	vim_yank(v, range);
	/* Lines stay lines, whichever of the two they are. */
	if (range.has_lines && !has_lines)
		str_addc(&text, '\n');
	else if (!range.has_lines && has_lines)
		str_splice(&text, 0, 0, SV("\n"));
	if (range.has_lines && !sv_ends(sv_slice(sv_of(&e->text), 0, range.to), SV("\n")))
		str_truncate(&text, text.len - 1);
	editor_replace(e, range.from, range.to, sv_of(&text));
	if (range.has_lines || has_lines)
		editor_move(e, range.from + !range.has_lines);
	else
		editor_move(e, editor_before(e, e->cursor));
}

static void vim_change_selection(struct vim *v, const struct vim_command *c, struct vim_range range)
{
	struct editor *e = v->editor;

	switch (c->verb) {
	case 'x': vim_delete(v, range); break;
	case 's': vim_change(v, range); break;
	case 'p': vim_paste_over(v, range); break;
	case 'r': vim_overwrite(e, range.from, range.to, sv_of(&c->target)); break;
	case '~':
	case 'u':
	case 'U':
		vim_change_case(e, range.from, range.to,
				c->verb == '~'   ? VIM_SWAP
				: c->verb == 'u' ? VIM_LOWER
						 : VIM_UPPER);
		editor_move(e, range.from);
		break;
	case 'J':
		editor_move(e, range.from);
		vim_join_lines(e, c->span);
		break;
	default: vim_operate_on(v, c->verb, range);
	}
}

/* The mode changes, or the other end of the selection gets the cursor. */
static void vim_turn_selection(struct vim *v, char verb)
{
	enum vim_mode mode = verb == 'v' ? VIM_VISUAL : VIM_VISUAL_LINE;
	size_t anchor = v->anchor;

	if (verb == 'o') {
		v->anchor = v->editor->cursor;
		editor_move(v->editor, anchor);
	} else {
		v->mode = v->mode == mode ? VIM_NORMAL : mode;
	}
}

static void vim_select_object(struct vim *v, const struct vim_command *c)
{
	struct vim_range range;

	if (!vim_object(v->editor, c, v->editor->cursor, &range) || range.from == range.to)
		return;
	v->anchor = range.from;
	editor_move(v->editor, editor_before(v->editor, range.to));
}

void vim_run_visual(struct vim *v, struct vim_command *c)
{
	struct vim_range range;

	if (c->object) {
		vim_select_object(v, c);
	} else if (vim_is_motion(c->verb)) {
		vim_move(v, c);
	} else if (ascii_is_one_of(c->verb, "ovV")) {
		vim_turn_selection(v, c->verb);
	} else {
		range = vim_visual_range(v, c);
		v->mode = VIM_NORMAL;
		if (c->verb != 'y')
			vim_remember(v, c);
		vim_change_selection(v, c, range);
	}
	if (v->mode == VIM_NORMAL)
		vim_settle(v);
}

#include "term/vt.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"

struct vt_cell {
	char text[32]; /* empty: the right half of a wide character, or nothing */
	size_t cells;
};

struct vt_line {
	VEC(struct vt_cell) cells;
	bool is_folded; /* continues on the next line */
};

struct vt_buffer {
	VEC(struct vt_line) lines;
	size_t top; /* first line of the screen */
	size_t row, column;
	bool is_past_end; /* the next character begins the next line */
};

struct vt {
	size_t columns, rows;
	enum screen_reflow reflow;
	bool is_visible, is_alternate, is_plain, wraps;
	VEC(struct vt_place) replies;
	struct vt_place saved;
	struct vt_buffer normal, other;
	struct str pending;
};

/* --- lines ------------------------------------------------------------------------ */

static struct vt_buffer *vt_buffer(struct vt *vt)
{
	return vt->is_alternate ? &vt->other : &vt->normal;
}

static struct vt_line *vt_line(struct vt_buffer *b, size_t row)
{
	while (b->lines.n <= b->top + row)
		vec_add(&b->lines);
	return &b->lines.at[b->top + row];
}

static void vt_buffer_clear(struct vt_buffer *b)
{
	for (size_t i = 0; i < b->lines.n; i++)
		vec_clear(&b->lines.at[i].cells);
	vec_clear(&b->lines);
	*b = (struct vt_buffer){ .top = 0 };
}

static void vt_set_cell(struct vt_line *line, size_t column, struct vt_cell cell)
{
	static const struct vt_cell blank = { .text = " ", .cells = 1 };

	while (line->cells.n <= column)
		vec_push(&line->cells, blank);
	line->cells.at[column] = cell;
}

static void vt_line_feed(struct vt *vt)
{
	struct vt_buffer *b = vt_buffer(vt);

	if (b->row + 1 < vt->rows)
		b->row++;
	else
		b->top++;
	vt_line(b, b->row);
}

static void vt_put(struct vt *vt, struct sv cluster, size_t cells)
{
	struct vt_buffer *b = vt_buffer(vt);
	struct vt_cell cell = { .cells = cells };
	struct vt_line *line;

	if (!vt->wraps && b->column + cells > vt->columns)
		b->column = vt->columns - cells;
	if (b->is_past_end || b->column + cells > vt->columns) {
		vt_line(b, b->row)->is_folded = true;
		vt_line_feed(vt);
		b->column = 0;
		b->is_past_end = false;
	}
	BUG_ON(cluster.len >= sizeof(cell.text));
	memcpy(cell.text, cluster.ptr, cluster.len);
	line = vt_line(b, b->row);
	vt_set_cell(line, b->column, cell);
	for (size_t i = 1; i < cells; i++)
		vt_set_cell(line, b->column + i, (struct vt_cell){ .cells = 0 });
	b->column += cells;
	if (b->column >= vt->columns) {
		b->column = vt->columns - 1;
		b->is_past_end = vt->wraps;
	}
}

/* --- sequences --------------------------------------------------------------------- */

static void vt_erase_row(struct vt *vt)
{
	struct vt_buffer *b = vt_buffer(vt);
	struct vt_line *line = vt_line(b, b->row);

	/* With the cursor past the end of the row, the last character goes, as in some terminals. */
	line->cells.n = min_of(line->cells.n, b->column);
	line->is_folded = false;
}

static void vt_erase_below(struct vt *vt)
{
	struct vt_buffer *b = vt_buffer(vt);

	vt_erase_row(vt);
	for (size_t i = b->top + b->row + 1; i < b->lines.n; i++) {
		b->lines.at[i].cells.n = 0;
		b->lines.at[i].is_folded = false;
	}
}

static void vt_move(struct vt *vt, char final, size_t n)
{
	struct vt_buffer *b = vt_buffer(vt);

	if (final == 'A')
		b->row -= min_of(n, b->row);
	else if (final == 'B')
		b->row = min_of(b->row + n, vt->rows - 1);
	else if (final == 'G')
		b->column = min_of(n, vt->columns) - 1;
	else
		b->row = b->column = 0;
	b->is_past_end = false;
	vt_line(b, b->row);
}

static void vt_set_mode(struct vt *vt, struct sv mode, bool on)
{
	if (sv_is(mode, "?25")) {
		vt->is_visible = on;
	} else if (sv_is(mode, "?7")) {
		vt->wraps = on;
	} else if (sv_is(mode, "?1049")) {
		vt->is_alternate = on;
		if (on)
			vt_buffer_clear(&vt->other);
	} else if (!sv_is(mode, "?2026")) {
		BUG("unexpected mode %.*s", SV_ARG(mode));
	}
}

static void vt_control(struct vt *vt, struct sv parameters, char final)
{
	int64_t n = 1;

	if (final == 'm') {
		vt->is_plain = !parameters.len || sv_is(parameters, "0");
	} else if (final == 'h' || final == 'l') {
		vt_set_mode(vt, parameters, final == 'h');
	} else if (final == 'K' && !parameters.len) {
		vt_erase_row(vt);
	} else if (final == 'J' && !parameters.len) {
		vt_erase_below(vt);
	} else if (final == 'H' && sv_is(parameters, "999;999")) {
		vt_buffer(vt)->row = vt->rows - 1;
		vt_buffer(vt)->column = vt->columns - 1;
	} else if (final == 'n' && sv_is(parameters, "6")) {
		vec_push(&vt->replies,
			 ((struct vt_place){ vt_buffer(vt)->row + 1, vt_buffer(vt)->column + 1 }));
	} else if (final == 'A' || final == 'B' || final == 'G' ||
		   (final == 'H' && !parameters.len)) {
		if (parameters.len && !sv_to_int(parameters, &n))
			BUG("bad number in a sequence");
		vt_move(vt, final, (size_t)n);
	} else {
		BUG("unexpected sequence CSI %.*s %c", SV_ARG(parameters), final);
	}
}

static void vt_save(struct vt *vt, bool is_saving)
{
	struct vt_buffer *b = vt_buffer(vt);

	if (is_saving) {
		vt->saved = (struct vt_place){ b->row, b->column };
	} else {
		b->row = vt->saved.row;
		b->column = vt->saved.column;
	}
}

/* Take one escape sequence; returns its length, 0 if it is not complete. */
static size_t vt_escape(struct vt *vt, struct sv in)
{
	size_t end = 2;

	if (in.len < 2)
		return 0;
	if (in.ptr[1] == ']') {
		size_t at = sv_find(in, SV("\x1b\\"));

		return at == SIZE_MAX ? 0 : at + 2;
	}
	if (in.ptr[1] == '7' || in.ptr[1] == '8') {
		vt_save(vt, in.ptr[1] == '7');
		return 2;
	}
	if (in.ptr[1] != '[')
		BUG("unexpected escape %c", in.ptr[1]);
	while (end < in.len && (unsigned char)in.ptr[end] < 0x40)
		end++;
	if (end == in.len)
		return 0;
	vt_control(vt, sv_slice(in, 2, end), in.ptr[end]);
	return end + 1;
}

static size_t vt_step(struct vt *vt, struct sv in)
{
	struct vt_buffer *b = vt_buffer(vt);
	int cells = 0;
	size_t len;

	switch (*in.ptr) {
	case '\x1b': return vt_escape(vt, in);
	case '\n':
		vt_line(b, b->row)->is_folded = false;
		vt_line_feed(vt);
		return 1;
	case '\r':
		b->column = 0;
		b->is_past_end = false;
		return 1;
	default: break;
	}
	if ((unsigned char)*in.ptr < ' ')
		BUG("unexpected control character %d", *in.ptr);
	len = utf8_cluster(in, &cells);
	vt_put(vt, sv_slice(in, 0, len), (size_t)cells);
	return len;
}

void vt_feed(struct vt *vt, struct sv bytes)
{
	size_t len, used = 0;

	str_add(&vt->pending, bytes);
	while (used < vt->pending.len && (len = vt_step(vt, sv_skip(sv_of(&vt->pending), used))))
		used += len;
	str_consume(&vt->pending, used);
}

/* --- resize ------------------------------------------------------------------------ */

/* Append one line of the program, folded anew. The cursor is at cell `at` of it, SIZE_MAX: elsewhere. */
static void vt_fold(struct vt_buffer *out, const struct vt_line *line, size_t columns, size_t at)
{
	size_t cells = at == SIZE_MAX ? line->cells.n : max_of(line->cells.n, at + 1);

	vec_add(&out->lines);
	for (size_t i = 0; i < cells; i++) {
		size_t used = vec_last(&out->lines)->cells.n;
		size_t width = i < line->cells.n ? line->cells.at[i].cells : 1;

		if (used + max_of(width, (size_t)1) > columns) {
			vec_last(&out->lines)->is_folded = true;
			vec_add(&out->lines);
			used = 0;
		}
		if (i == at) {
			out->row = out->lines.n - 1;
			out->column = used;
		}
		if (i < line->cells.n)
			vec_push(&vec_last(&out->lines)->cells, line->cells.at[i]);
	}
}

static void vt_reflow(struct vt_buffer *b, size_t columns)
{
	struct vt_buffer out = { .top = 0 };
	size_t cursor = b->top + b->row;

	for (size_t i = 0; i < b->lines.n; i++) {
		struct vt_line joined = { .is_folded = false };
		size_t at = SIZE_MAX;

		for (;; i++) {
			if (i == cursor)
				at = joined.cells.n + b->column;
			for (size_t k = 0; k < b->lines.at[i].cells.n; k++)
				vec_push(&joined.cells, b->lines.at[i].cells.at[k]);
			if (!b->lines.at[i].is_folded || i + 1 == b->lines.n)
				break;
		}
		vt_fold(&out, &joined, columns, at);
		vec_clear(&joined.cells);
	}
	vt_buffer_clear(b);
	*b = out;
}

/* Put the lines of `out` in the place of [first, end). */
static void vt_replace(struct vt_buffer *b, size_t first, size_t end, struct vt_buffer *out)
{
	for (size_t i = first; i < end; i++)
		vec_clear(&b->lines.at[i].cells);
	while (end > first)
		vec_remove(&b->lines, --end);
	for (size_t i = 0; i < out->lines.n; i++) {
		vec_add(&b->lines);
		memmove(&b->lines.at[first + i + 1], &b->lines.at[first + i],
			(b->lines.n - 1 - first - i) * sizeof(*b->lines.at));
		b->lines.at[first + i] = out->lines.at[i];
	}
	vec_clear(&out->lines);
}

static void vt_cut_line(struct vt_line *line, size_t columns)
{
	if (line->cells.n <= columns)
		return;
	line->cells.n = columns;
	if (vec_last(&line->cells)->cells > 1)
		line->cells.n--;
}

/* As xterm.js does it: from the last line to the first. The cursor moves with all lines that are new, and the line in
 * which it is just then is cut. */
static void vt_drift(struct vt_buffer *b, size_t columns)
{
	size_t cursor = b->top + b->row;

	for (size_t end = b->lines.n, first; end > 0; end = first) {
		struct vt_buffer out = { .top = 0 };
		struct vt_line joined = { .is_folded = false };

		for (first = end - 1; first > 0 && b->lines.at[first - 1].is_folded;)
			first--;
		if (cursor >= first && cursor < end) {
			for (size_t i = first; i < end; i++)
				vt_cut_line(&b->lines.at[i], columns);
			continue;
		}
		for (size_t i = first; i < end; i++)
			for (size_t k = 0; k < b->lines.at[i].cells.n; k++)
				vec_push(&joined.cells, b->lines.at[i].cells.at[k]);
		vt_fold(&out, &joined, columns, SIZE_MAX);
		cursor += out.lines.n - (end - first);
		vt_replace(b, first, end, &out);
		vec_clear(&joined.cells);
	}
	b->row = cursor;
	b->column = min_of(b->column, columns - 1);
}

static void vt_cut(struct vt_buffer *b, size_t columns)
{
	for (size_t i = b->top; i < b->lines.n; i++)
		b->lines.at[i].cells.n = min_of(b->lines.at[i].cells.n, columns);
	b->row += b->top;
	b->column = min_of(b->column, columns - 1);
}

static void vt_resize_buffer(struct vt *vt, struct vt_buffer *b, size_t columns,
			     enum screen_reflow reflow)
{
	if (!b->lines.n)
		return;
	if (reflow == REFLOW_TRACKS)
		vt_reflow(b, columns);
	else if (reflow == REFLOW_DRIFTS)
		vt_drift(b, columns);
	else
		vt_cut(b, columns);
	/* Here `row` counts from the first line. Empty lines below the cursor go first. */
	while (b->lines.n > b->row + 1 && !vec_last(&b->lines)->cells.n)
		b->lines.n--;
	b->top = b->lines.n > vt->rows ? b->lines.n - vt->rows : 0;
	b->top = min_of(b->top, b->row);
	b->row -= b->top;
	b->is_past_end = false;
}

void vt_resize(struct vt *vt, size_t columns, size_t rows)
{
	vt->columns = columns;
	vt->rows = rows;
	vt_resize_buffer(vt, &vt->normal, columns, vt->reflow);
	vt_resize_buffer(vt, &vt->other, columns, REFLOW_NONE);
}

size_t vt_replies(struct vt *vt, struct vt_place *places, size_t max)
{
	size_t n = min_of(vt->replies.n, max);

	for (size_t i = 0; i < n; i++)
		places[i] = vt->replies.at[i];
	vt->replies.n = 0;
	return n;
}

/* --- what is shown ----------------------------------------------------------------- */

struct vt *vt_new(size_t columns, size_t rows, enum screen_reflow reflow)
{
	struct vt *vt = xcalloc(1, sizeof(*vt));

	vt->columns = columns;
	vt->rows = rows;
	vt->reflow = reflow;
	vt->is_visible = vt->is_plain = true;
	vt_line(&vt->normal, 0);
	return vt;
}

void vt_free(struct vt *vt)
{
	vt_buffer_clear(&vt->normal);
	vt_buffer_clear(&vt->other);
	str_clear(&vt->pending);
	vec_clear(&vt->replies);
	free(vt);
}

void vt_freep(struct vt **vt)
{
	vt_free(*vt);
}

static void vt_add_line(struct str *out, const struct vt_line *line)
{
	for (size_t i = 0; i < line->cells.n; i++)
		str_adds(out, line->cells.at[i].text);
}

static void vt_trim(struct str *out, size_t from)
{
	while (out->len > from && out->ptr[out->len - 1] == ' ')
		str_truncate(out, out->len - 1);
}

void vt_text(const struct vt *vt, struct str *out)
{
	const struct vt_buffer *b = &vt->normal;
	size_t start = out->len;

	for (size_t i = 0; i < b->lines.n; i++) {
		vt_add_line(out, &b->lines.at[i]);
		if (b->lines.at[i].is_folded)
			continue;
		vt_trim(out, start);
		str_addc(out, '\n');
		start = out->len;
	}
	while (out->len && out->ptr[out->len - 1] == '\n')
		str_truncate(out, out->len - 1);
}

void vt_screen(const struct vt *vt, struct str *out)
{
	const struct vt_buffer *b = vt->is_alternate ? &vt->other : &vt->normal;

	for (size_t i = b->top; i < b->lines.n && i < b->top + vt->rows; i++) {
		size_t start = out->len;

		vt_add_line(out, &b->lines.at[i]);
		vt_trim(out, start);
		str_addc(out, '\n');
	}
}

void vt_cursor(const struct vt *vt, size_t *row, size_t *column)
{
	const struct vt_buffer *b = vt->is_alternate ? &vt->other : &vt->normal;

	*row = b->row;
	*column = b->column;
}

bool vt_cursor_is_visible(const struct vt *vt)
{
	return vt->is_visible;
}

bool vt_is_alternate(const struct vt *vt)
{
	return vt->is_alternate;
}

bool vt_is_plain(const struct vt *vt)
{
	return vt->is_plain;
}

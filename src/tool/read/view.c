#include "tool/read/view.h"

#include "base/limits.h"
#include "base/utf8.h"

/* No character is longer than this. */
enum { HEAD_BYTES = 4 * LIMIT_READ_LINE };

void view_init(struct view *v, size_t first, size_t limit)
{
	*v = (struct view){ .first = first, .limit = limit };
}

void view_clear(struct view *v)
{
	str_clear(&v->text);
	str_clear(&v->plain);
	str_clear(&v->head);
}

bool view_is_full(const struct view *v)
{
	return v->capped || v->shown == v->limit;
}

/* Appends the visible start of `line`; returns how many bytes of it were used. */
static size_t view_add_start(struct str *out, struct sv line)
{
	size_t at = 0;

	for (int n = 0; n < LIMIT_READ_LINE && at < line.len; n++) {
		uint32_t rune;
		int len = utf8_decode(sv_skip(line, at), &rune);

		if (len > 0 && rune != 0)
			str_add(out, sv_slice(line, at, at + (size_t)len));
		else
			str_add(out, UTF8_REPLACEMENT);
		at += (size_t)(len > 0 ? len : -len);
	}
	return at;
}

static void view_show_line(struct view *v)
{
	size_t length = v->length - (v->last == '\r');
	size_t plain = v->plain.len, start;

	if (v->shown > 0)
		str_addc(&v->plain, '\n');
	start = v->plain.len;
	length -= view_add_start(&v->plain, sv_slice(sv_of(&v->head), 0, length));
	if (length > 0)
		str_addf(&v->plain, " [... %zu more bytes]", length);
	if (v->text.len + (v->plain.len - start) + sizeof("1234567\t\n") > LIMIT_READ_RESULT) {
		str_truncate(&v->plain, plain);
		v->capped = true;
		return;
	}
	str_addf(&v->text, "%s%6zu\t", v->shown > 0 ? "\n" : "", v->lines);
	str_add(&v->text, sv_skip(sv_of(&v->plain), start));
	v->shown++;
	v->cut |= length > 0;
}

static bool view_is_wanted(const struct view *v)
{
	return v->lines + 1 >= v->first && !view_is_full(v);
}

static void view_add_piece(struct view *v, struct sv piece)
{
	if (!piece.len)
		return;
	v->length += piece.len;
	v->last = piece.ptr[piece.len - 1];
	if (view_is_wanted(v))
		str_add(&v->head, sv_slice(piece, 0, HEAD_BYTES - v->head.len));
}

static void view_end_line(struct view *v)
{
	bool wanted = view_is_wanted(v);

	v->lines++;
	if (wanted)
		view_show_line(v);
	str_truncate(&v->head, 0);
	v->length = 0;
	v->last = '\0';
}

void view_feed(struct view *v, struct sv bytes)
{
	while (bytes.len > 0) {
		size_t end = sv_find_char(bytes, '\n');

		view_add_piece(v, sv_slice(bytes, 0, end));
		if (end == SIZE_MAX)
			return;
		view_end_line(v);
		bytes = sv_skip(bytes, end + 1);
	}
}

void view_end(struct view *v)
{
	if (v->length > 0)
		view_end_line(v);
}

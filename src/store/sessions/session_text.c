#include "store/sessions/session_text.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "proto/message.h"
#include "text/json/json_write.h"

enum { READER_CHUNK = 256 * 1024 };

/* --- lines ------------------------------------------------------------------------------ */

bool session_reader_open(struct session_reader *r, const char *path, int64_t from, struct err *err)
{
	r->file = fs_open(path, &r->size, err);
	r->at = from;
	r->from = 0;
	return r->file;
}

void session_reader_close(struct session_reader *r)
{
	fs_closep(&r->file);
	str_clear(&r->buf);
}

int64_t session_reader_offset(const struct session_reader *r)
{
	return r->at + (int64_t)r->from;
}

/* Read another chunk behind what is left. False: the file has no more. */
static bool session_reader_fill(struct session_reader *r)
{
	int64_t end = r->at + (int64_t)r->buf.len;
	size_t n = (size_t)min_of(r->size - end, (int64_t)READER_CHUNK);
	struct err ignored = ERR_INIT;

	if (r->size <= end)
		return false;
	str_reserve(&r->buf, n);
	if (!fs_read_at(r->file, end, r->buf.ptr + r->buf.len, n, &ignored))
		return false;
	r->buf.len += n;
	r->buf.ptr[r->buf.len] = '\0';
	return true;
}

static void session_reader_forget(struct session_reader *r)
{
	str_consume(&r->buf, r->from);
	r->at += (int64_t)r->from;
	r->from = 0;
}

bool session_reader_next(struct session_reader *r, struct sv *line, int64_t *at)
{
	size_t searched = 0;
	bool is_too_long = false;
	int64_t begin = session_reader_offset(r);

	for (;;) {
		struct sv rest = sv_skip(sv_of(&r->buf), r->from);
		size_t end = sv_find_char(sv_skip(rest, searched), '\n');

		if (end != SIZE_MAX) {
			*line = is_too_long ? SV_EMPTY : sv_slice(rest, 0, searched + end);
			*at = begin;
			r->from += searched + end + 1;
			return true;
		}
		searched = rest.len;
		if (rest.len > LIMIT_INDEX_LINE) {
			is_too_long = true;
			r->from += rest.len;
			searched = 0;
		}
		session_reader_forget(r);
		if (!session_reader_fill(r)) {
			if (is_too_long) /* its end is missing: read it again when it has one */
				str_truncate(&r->buf, 0);
			r->at = begin;
			r->from = 0;
			return false;
		}
	}
}

/* --- text --------------------------------------------------------------------------------- */

static void session_text_add(struct str *out, struct sv text)
{
	if (!text.len)
		return;
	if (out->len)
		str_addc(out, '\n');
	str_add(out, text);
}

/* Long texts of tools are data more often than something that a person remembers. */
static void session_text_add_ends(struct str *out, struct sv text)
{
	size_t half = LIMIT_INDEX_RESULT / 2;

	if (text.len <= LIMIT_INDEX_RESULT) {
		session_text_add(out, text);
		return;
	}
	session_text_add(out, utf8_prefix(text, half));
	text = sv_skip(text, text.len - half);
	while (text.len && ((unsigned char)text.ptr[0] & 0xc0) == 0x80)
		text = sv_skip(text, 1);
	session_text_add(out, text);
}

static void session_text_add_call(struct str *out, const struct block *block)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_value(&w, block->input);
	jw_done(&w);
	session_text_add(out, block->tool);
	session_text_add_ends(out, sv_of(&input));
}

static void session_text_add_message(struct str *out, struct sv message)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(message, 0, &ignored);
	struct json_iter it = message_blocks(json_root(doc));
	struct block block;
	struct sv text;

	if (json_str(message_content(json_root(doc)), &text)) {
		session_text_add(out, text);
		return;
	}
	while (message_next(&it, &block)) {
		switch (block.kind) {
		case BLOCK_TEXT: session_text_add(out, block.text); break;
		case BLOCK_TOOL_USE: session_text_add_call(out, &block); break;
		case BLOCK_TOOL_RESULT: session_text_add_ends(out, block.text); break;
		case BLOCK_THINKING:
		case BLOCK_OTHER: break;
		}
	}
}

void session_text(struct str *out, const struct line *line)
{
	if (line_flag(line->side_chain))
		return;
	if (line_is_message(line) && !line_flag(line->meta)) {
		session_text_add_message(out, line->message);
		return;
	}
	if (line_is(line, "custom-title"))
		line_text(out, line->title);
	else if (line_is(line, "tag"))
		line_text(out, line->tag);
	else if (line_is(line, "summary"))
		line_text(out, line->summary);
	else if (line_is(line, "ai-title"))
		line_text(out, line->ai_title);
}

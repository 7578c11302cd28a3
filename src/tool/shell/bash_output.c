#include "tool/shell/bash_output.h"

#include <ctype.h>
#include <inttypes.h>

#include "base/limits.h"
#include "base/mem.h"

enum { NAME_MAX_BYTES = 128, NOTE_BYTES = 1000, SHOWN_LEAST = 2 * NOTE_BYTES };

_Static_assert(LIMIT_BASH_HEAD == LIMIT_BASH_TAIL, "one number stands for both");

/* Makes a file name that consists only of letters, digits, '-' and '_'. */
static char *bash_output_file_name(struct sv name)
{
	struct str out = STR_INIT;

	for (size_t i = 0; i < min_of(name.len, (size_t)NAME_MAX_BYTES); i++)
		str_addc(&out, isalnum((unsigned char)name.ptr[i]) || name.ptr[i] == '-'
				       ? name.ptr[i]
				       : '_');
	str_adds(&out, out.len ? ".txt" : "call.txt");
	return str_detach(&out);
}

void bash_output_init(struct bash_output *o, const char *dir, struct sv name)
{
	*o = (struct bash_output){ .plain = BASH_PLAIN_INIT,
				   .each = LIMIT_BASH_HEAD,
				   .dir = dir ? xstrdup(dir) : NULL,
				   .name = bash_output_file_name(name),
				   .file_err = ERR_INIT };
}

void bash_output_show(struct bash_output *o, size_t max)
{
	max = max_of(min_of(max, (size_t)LIMIT_BASH_SHOWN), (size_t)SHOWN_LEAST);
	o->each = (max - NOTE_BYTES) / 2;
}

void bash_output_clear(struct bash_output *o)
{
	bash_plain_clear(&o->plain);
	str_clear(&o->fresh);
	str_clear(&o->head);
	free(move(o->tail));
	free(move(o->dir));
	free(move(o->name));
	str_clear(&o->path);
	fs_log_closep(&o->file);
}

bool bash_output_is_cut(const struct bash_output *o)
{
	return o->bytes > 2 * o->each;
}

/* --- the file --------------------------------------------------------------------- */

static bool bash_output_open_file(struct bash_output *o, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, sv_cstr(o->dir), sv_cstr(o->name));
	if (!fs_mkdirs(o->dir, 0700, err) || !fs_remove(str_c(&path), err))
		return false;
	o->file = fs_log_open(str_c(&path), 0600, err);
	if (!o->file)
		return false;
	o->path = path;
	path = (struct str)STR_INIT;
	return true;
}

/* Stops at the first byte that does not fit or cannot be written. */
static void bash_output_file_add(struct bash_output *o, struct sv text)
{
	struct sv fitting = sv_slice(text, 0, LIMIT_BASH_FILE - o->file_bytes);

	if (!o->file || !text.len)
		return;
	if (fitting.len && fs_log_add(o->file, fitting, &o->file_err))
		o->file_bytes += fitting.len;
	if (o->file_err.kind == ERR_NONE && fitting.len < text.len)
		err_set(&o->file_err, ERR_TOO_BIG, "only the first %zu MiB were saved",
			LIMIT_BASH_FILE / MIB);
	if (o->file_err.kind != ERR_NONE)
		fs_log_closep(&o->file);
}

/* Appends the last `n` bytes of the text; the tail has them. */
static void bash_output_copy_tail(const struct bash_output *o, size_t n, struct str *out)
{
	size_t wrapped = n - min_of(n, o->tail_next);

	if (!n)
		return;
	str_add(out, sv_from(o->tail + o->each - wrapped, wrapped));
	str_add(out, sv_from(o->tail + o->tail_next - (n - wrapped), n - wrapped));
}

/* The number of bytes in the tail. */
static size_t bash_output_tail_len(const struct bash_output *o)
{
	return (size_t)min_of(o->bytes - o->head.len, (uint64_t)o->each);
}

/* Called just before bytes would be lost: the file begins with everything so far. */
static void bash_output_spill(struct bash_output *o)
{
	defer(str_clear) struct str tail = STR_INIT;

	if (!o->dir || !bash_output_open_file(o, &o->file_err))
		return;
	bash_output_copy_tail(o, bash_output_tail_len(o), &tail);
	bash_output_file_add(o, sv_of(&o->head));
	bash_output_file_add(o, sv_of(&tail));
}

/* --- head and tail ---------------------------------------------------------------- */

static void bash_output_tail_add(struct bash_output *o, struct sv text)
{
	if (!o->tail)
		o->tail = xmalloc(o->each);
	text = sv_skip(text, text.len - min_of(text.len, o->each));
	while (text.len > 0) {
		size_t n = min_of(text.len, o->each - o->tail_next);

		memcpy(o->tail + o->tail_next, text.ptr, n);
		o->tail_next = (o->tail_next + n) % o->each;
		text = sv_skip(text, n);
	}
}

static uint64_t bash_output_count_lines(struct sv text)
{
	uint64_t n = 0;

	for (size_t i = 0; i < text.len; i++)
		n += text.ptr[i] == '\n';
	return n;
}

static void bash_output_keep(struct bash_output *o, struct sv text)
{
	struct sv rest = sv_skip(text, o->each - o->head.len);

	if (!bash_output_is_cut(o) && o->bytes + text.len > 2 * o->each)
		bash_output_spill(o);
	bash_output_file_add(o, text);
	str_add(&o->head, sv_slice(text, 0, o->each - o->head.len));
	if (rest.len)
		bash_output_tail_add(o, rest);
	o->bytes += text.len;
	o->lines += bash_output_count_lines(text);
}

/* Without an incomplete first line; of one very long line, without half a character. */
static struct sv bash_output_whole_end(struct sv text)
{
	size_t newline = sv_find_char(text, '\n');
	size_t n = 0;

	if (newline < text.len / 2)
		return sv_skip(text, newline + 1);
	while (n < text.len && ((unsigned char)text.ptr[n] & 0xc0) == 0x80)
		n++;
	return sv_skip(text, n);
}

struct sv bash_output_add(struct bash_output *o, struct sv bytes)
{
	struct sv fresh;

	str_truncate(&o->fresh, 0);
	bash_plain_feed(&o->plain, bytes, &o->fresh);
	fresh = sv_of(&o->fresh);
	bash_output_keep(o, fresh);
	if (fresh.len <= LIMIT_BASH_PROGRESS)
		return fresh;
	return bash_output_whole_end(sv_skip(fresh, fresh.len - LIMIT_BASH_PROGRESS));
}

void bash_output_end(struct bash_output *o)
{
	str_truncate(&o->fresh, 0);
	bash_plain_end(&o->plain, &o->fresh);
	bash_output_keep(o, sv_of(&o->fresh));
	fs_log_closep(&o->file);
}

/* --- what is shown ---------------------------------------------------------------- */

/* Without an incomplete last line; of one very long line, without half a character. */
static struct sv bash_output_whole_start(struct sv text)
{
	size_t newline = sv_rfind_char(text, '\n');

	if (newline != SIZE_MAX && newline >= text.len / 2)
		return sv_slice(text, 0, newline + 1);
	return sv_slice(text, 0, bash_plain_whole(text));
}

static struct sv bash_output_without_blank_start(struct sv text)
{
	struct sv rest = text, line;

	while (sv_cut_line(&rest, &line) && sv_trim(line).len == 0)
		text = rest;
	return text;
}

static void bash_output_trim_end(struct str *text)
{
	size_t n = text->len;

	while (n > 0 && isspace((unsigned char)text->ptr[n - 1]))
		n--;
	str_truncate(text, n);
}

void bash_output_text(const struct bash_output *o, struct str *out)
{
	defer(str_clear) struct str tail = STR_INIT;
	defer(str_clear) struct str all = STR_INIT;
	struct sv start = sv_of(&o->head), end;

	bash_output_copy_tail(o, bash_output_tail_len(o), &tail);
	end = sv_of(&tail);
	if (bash_output_is_cut(o)) {
		size_t each = o->path.len ? min_of(o->each, (size_t)LIMIT_BASH_PREVIEW) : o->each;

		start = bash_output_whole_start(sv_slice(start, 0, each));
		end = bash_output_whole_end(sv_skip(end, end.len - min_of(end.len, each)));
	}
	str_add(&all, start);
	if (bash_output_is_cut(o))
		str_addf(&all, "%s[... %" PRIu64 " bytes, %" PRIu64 " lines omitted ...]\n",
			 sv_ends(start, SV("\n")) ? "" : "\n", o->bytes - start.len - end.len,
			 o->lines - bash_output_count_lines(start) - bash_output_count_lines(end));
	str_add(&all, end);
	bash_output_trim_end(&all);
	str_add(out, bash_output_without_blank_start(sv_of(&all)));
}

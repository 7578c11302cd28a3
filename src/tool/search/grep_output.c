#include "tool/search/grep_output.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "tool/search/walk.h"

void grep_output_clear(struct grep_output *o)
{
	str_clear(&o->partial);
	str_clear(&o->text);
}

/* Whether a line is a complete record. A path may contain newlines; the rest of the record starts
 * after the NUL. A line without NUL is a separator, or a message about a binary file. */
static bool is_whole(const struct grep_query *q, struct sv line)
{
	return q->is_file || sv_find_char(line, '\0') != SIZE_MAX || sv_is(line, "--") ||
	       sv_find(line, SV(" binary file ")) != SIZE_MAX || line.len >= LIMIT_GREP_LINE;
}

/* --- a page ----------------------------------------------------------------------- */

static void grep_output_show_path(struct str *out, const struct grep_query *q, struct sv path)
{
	if (strcmp(q->shown, ".") == 0 && sv_starts(path, SV("./")))
		path = sv_skip(path, 2);
	walk_show_path(out, path);
}

/* The byte after the line number says whether the line matches. */
static void grep_output_show_rest(struct str *out, const struct grep_query *q, struct sv rest)
{
	size_t digits = 0;

	while (digits < rest.len && rest.ptr[digits] >= '0' && rest.ptr[digits] <= '9')
		digits++;
	str_addc(out, q->mode == GREP_CONTENT && digits < rest.len ? rest.ptr[digits] : ':');
	utf8_repair(out, q->mode == GREP_CONTENT && !q->numbers ? sv_skip(rest, digits + 1) : rest);
}

static void grep_output_show_record(struct str *out, const struct grep_query *q, struct sv record)
{
	size_t nul = sv_find_char(record, '\0');

	if (q->mode == GREP_FILES) {
		grep_output_show_path(out, q, record);
	} else if (nul == SIZE_MAX) {
		utf8_repair(out, record);
	} else {
		grep_output_show_path(out, q, sv_slice(record, 0, nul));
		grep_output_show_rest(out, q, sv_skip(record, nul + 1));
	}
}

static void grep_output_add_record(struct grep_output *o, struct sv record)
{
	size_t before = o->text.len;

	if (o->seen++ < o->query->offset)
		return;
	o->more = o->query->limit && o->kept == o->query->limit;
	if (o->more)
		return;
	grep_output_show_record(&o->text, o->query, record);
	if (o->text.len >= LIMIT_GREP_TEXT) {
		str_truncate(&o->text, before);
		o->more = o->full = true;
		return;
	}
	str_addc(&o->text, '\n');
	o->kept++;
}

static void grep_output_end_record(struct grep_output *o)
{
	struct sv record = sv_of(&o->partial);

	if (o->query->mode != GREP_FILES && sv_ends(record, SV("\r")))
		record.len--;
	grep_output_add_record(o, record);
	str_truncate(&o->partial, 0);
}

bool grep_output_add(struct grep_output *o, struct sv bytes)
{
	char end = o->query->mode == GREP_FILES ? '\0' : '\n';

	while (bytes.len > 0 && !o->more) {
		size_t at = sv_find_char(bytes, end);
		struct sv piece = sv_slice(bytes, 0, at);

		str_add(&o->partial, sv_slice(piece, 0, LIMIT_GREP_LINE - o->partial.len));
		if (at != SIZE_MAX && end == '\n' && !is_whole(o->query, sv_of(&o->partial)))
			str_addc(&o->partial, end);
		else if (at != SIZE_MAX)
			grep_output_end_record(o);
		bytes = sv_skip(bytes, at == SIZE_MAX ? bytes.len : at + 1);
	}
	return !o->more;
}

void grep_output_end(struct grep_output *o)
{
	if (o->partial.len && !o->more)
		grep_output_end_record(o);
}

int64_t grep_output_sum(const struct grep_output *o)
{
	struct sv rest = sv_of(&o->text), line;
	int64_t sum = 0, n;

	while (sv_cut_line(&rest, &line))
		if (sv_to_int(sv_skip(line, sv_rfind_char(line, ':') + 1), &n))
			sum += n;
	return sum;
}

/* --- the order -------------------------------------------------------------------- */

/* All records of one file; they are adjacent. */
struct block {
	struct sv path, records;
	int64_t mtime_ns;
};

typedef VEC(struct block) blocks;

static void grep_output_cut_paths(blocks *list, struct sv rest)
{
	struct sv path;

	while (sv_find_char(rest, '\0') != SIZE_MAX && sv_cut(&rest, '\0', &path))
		vec_push(list, ((struct block){ .path = path }));
}

static bool grep_output_cut_record(struct sv *rest, const struct grep_query *q, struct sv *out)
{
	struct sv more;

	if (!rest->len || !sv_cut(rest, '\n', out))
		return false;
	while (!is_whole(q, *out) && rest->len && sv_cut(rest, '\n', &more))
		out->len = (size_t)(more.ptr + more.len - out->ptr);
	return true;
}

/* A separator between two blocks belongs to neither. */
static void grep_output_cut_lines(blocks *list, struct sv rest, const struct grep_query *q)
{
	struct sv line;

	while (grep_output_cut_record(&rest, q, &line)) {
		size_t nul = sv_find_char(line, '\0');
		struct sv path = sv_slice(line, 0, nul);
		struct block *last = list->n ? vec_last(list) : NULL;

		if (nul != SIZE_MAX && (!last || !sv_eq(path, last->path)))
			vec_push(list, ((struct block){ .path = path, .records = line }));
		else if (last && !sv_is(line, "--"))
			last->records.len = (size_t)(line.ptr + line.len - last->records.ptr);
	}
}

/* In the order of a walk: names of a directory in byte order, each followed by its content. */
static int grep_output_compare_paths(struct sv a, struct sv b)
{
	size_t n = min_of(a.len, b.len);

	for (size_t i = 0; i < n; i++) {
		int x = a.ptr[i] == '/' ? 0 : (unsigned char)a.ptr[i];
		int y = b.ptr[i] == '/' ? 0 : (unsigned char)b.ptr[i];

		if (x != y)
			return x - y;
	}
	return a.len < b.len ? -1 : a.len > b.len;
}

static int grep_output_compare(const void *a, const void *b)
{
	const struct block *x = a, *y = b;

	if (x->mtime_ns != y->mtime_ns)
		return x->mtime_ns > y->mtime_ns ? -1 : 1;
	return grep_output_compare_paths(x->path, y->path);
}

static void grep_output_read_dates(blocks *list, struct sv dir)
{
	defer(str_clear) struct str full = STR_INIT;
	struct fs_info info;
	struct err ignored;

	for (size_t i = 0; i < list->n; i++) {
		struct block *block = &list->at[i];

		str_truncate(&full, 0);
		if (!sv_starts(block->path, SV("/")))
			str_add(&full, dir);
		fs_join(&full, SV_EMPTY, block->path);
		block->mtime_ns =
			fs_info(&info, str_c(&full), true, &ignored) ? info.mtime_ns : INT64_MIN;
	}
}

static void grep_output_add_block(struct str *out, const struct block *block,
				  const struct grep_query *q)
{
	if (q->mode == GREP_FILES) {
		str_add(out, block->path);
		str_addc(out, '\0');
		return;
	}
	if (out->len && q->before + q->after > 0)
		str_adds(out, "--\n");
	str_add(out, block->records);
	str_addc(out, '\n');
}

void grep_sort(struct str *records, const struct grep_query *query)
{
	blocks list = VEC_INIT;
	struct str sorted = STR_INIT;

	if (query->mode == GREP_FILES) {
		grep_output_cut_paths(&list, sv_of(records));
		grep_output_read_dates(&list, query->cwd);
	} else {
		grep_output_cut_lines(&list, sv_of(records), query);
	}
	if (list.n)
		qsort(list.at, list.n, sizeof(*list.at), grep_output_compare);
	for (size_t i = 0; i < list.n; i++)
		grep_output_add_block(&sorted, &list.at[i], query);
	vec_clear(&list);
	str_clear(records);
	*records = sorted;
}

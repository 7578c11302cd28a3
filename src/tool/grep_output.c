#include "tool/grep_output.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "sys/fs.h"

void grep_output_clear(struct grep_output *o)
{
	str_clear(&o->partial);
	str_clear(&o->text);
}

static void add_line(struct grep_output *o, struct sv line)
{
	if (o->seen++ < o->offset)
		return;
	if (o->strip_dot && sv_starts(line, SV("./")))
		line = sv_skip(line, 2);
	o->full = o->full || o->text.len + line.len >= LIMIT_GREP_TEXT;
	o->more = o->full || (o->limit && o->kept == o->limit);
	if (o->more)
		return;
	utf8_repair(&o->text, line);
	str_addc(&o->text, '\n');
	o->kept++;
}

static void end_line(struct grep_output *o)
{
	struct sv line = sv_of(&o->partial);

	if (sv_ends(line, SV("\r")))
		line.len--;
	add_line(o, line);
	str_truncate(&o->partial, 0);
}

bool grep_output_add(struct grep_output *o, struct sv bytes)
{
	while (bytes.len > 0 && !o->more) {
		size_t newline = sv_find_char(bytes, '\n');
		struct sv piece = sv_slice(bytes, 0, newline);

		str_add(&o->partial, sv_slice(piece, 0, LIMIT_GREP_LINE - o->partial.len));
		if (newline != SIZE_MAX)
			end_line(o);
		bytes = sv_skip(bytes, newline == SIZE_MAX ? bytes.len : newline + 1);
	}
	return !o->more;
}

void grep_output_end(struct grep_output *o)
{
	if (o->partial.len && !o->more)
		end_line(o);
}

struct dated {
	struct sv path;
	int64_t mtime_ns;
};

static int compare(const void *a, const void *b)
{
	const struct dated *x = a, *y = b;

	if (x->mtime_ns != y->mtime_ns)
		return x->mtime_ns > y->mtime_ns ? -1 : 1;
	return sv_cmp(x->path, y->path);
}

static int64_t mtime_of(const char *dir, struct sv path)
{
	defer(str_clear) struct str full = STR_INIT;
	struct fs_info info = { .mtime_ns = INT64_MIN };
	struct err ignored;

	if (!sv_starts(path, SV("/")))
		str_adds(&full, dir);
	fs_join(&full, SV_EMPTY, path);
	return fs_info(&info, str_c(&full), true, &ignored) ? info.mtime_ns : INT64_MIN;
}

void grep_output_sort(struct grep_output *o, const char *dir)
{
	VEC(struct dated) list = VEC_INIT;
	struct str sorted = STR_INIT;
	struct sv rest = sv_of(&o->text), path;

	while (sv_cut_line(&rest, &path))
		vec_push(&list, ((struct dated){ path, mtime_of(dir, path) }));
	if (list.n)
		qsort(list.at, list.n, sizeof(*list.at), compare);
	for (size_t i = 0; i < list.n; i++) {
		str_add(&sorted, list.at[i].path);
		str_addc(&sorted, '\n');
	}
	vec_clear(&list);
	str_clear(&o->text);
	o->text = sorted;
}

void grep_output_page(struct grep_output *o, size_t offset, size_t limit)
{
	struct grep_output page = { .offset = offset, .limit = limit };

	grep_output_add(&page, sv_of(&o->text));
	page.full = o->full;
	page.more = page.more || o->full;
	grep_output_clear(o);
	*o = page;
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

#include "store/transcript/transcript_tail.h"

#include "base/limits.h"
#include "base/mem.h"

enum { CHUNK = 256 * 1024 };

bool tail_open(struct tail *t, const char *path, struct err *err)
{
	struct tail opened = TAIL_INIT;

	opened.file = fs_open(path, &opened.size, err);
	if (!opened.file)
		return false;
	opened.at = opened.size;
	*t = opened;
	return true;
}

void tail_close(struct tail *t)
{
	fs_close(t->file);
	free(t->memory);
	*t = (struct tail)TAIL_INIT;
}

int64_t tail_reached(const struct tail *t)
{
	return t->at + (int64_t)(t->to - t->from);
}

/* Moves the content to the end of the memory, with room for `more` before it. */
static void tail_make_space(struct tail *t, size_t more)
{
	size_t held = t->to - t->from;
	char *old = t->memory;
	size_t cap = t->cap;

	if (t->from >= more)
		return;
	if (held + more > cap) {
		cap = held + more;
		t->memory = xmalloc(cap);
	}
	if (held)
		memmove(t->memory + cap - held, old + t->from, held);
	if (t->memory != old)
		free(old);
	t->plain = cap - (t->to - t->plain);
	t->from = cap - held;
	t->to = t->cap = cap;
}

/* Reads more of a line. For a long line, steps are as long as the line so far, so moving it
 * stays cheap. */
static bool tail_load_more(struct tail *t, struct err *err)
{
	size_t held = t->to - t->from;
	size_t step = min_of(max_of((size_t)CHUNK, held), LIMIT_TRANSCRIPT_LINE + 1 - held);

	step = (size_t)min_of((int64_t)step, t->at);
	tail_make_space(t, step);
	if (!fs_read_at(t->file, t->at - (int64_t)step, t->memory + t->from - step, step, err))
		return false;
	t->from -= step;
	t->at -= (int64_t)step;
	return true;
}

/* Looks for the last newline among the bytes not searched yet. */
static bool tail_find_newline(struct tail *t, size_t *at)
{
	const char *newline = NULL;

	if (t->plain > t->from)
		newline = memrchr(t->memory + t->from, '\n', t->plain - t->from);
	t->plain = t->from;
	if (!newline)
		return false;
	*at = (size_t)(newline - t->memory);
	return true;
}

bool tail_prev(struct tail *t, struct tail_line *out, struct err *err)
{
	struct tail_line line = { .text = SV_EMPTY, .end = tail_reached(t) == 0 };
	size_t newline = 0;
	bool found = false;

	while (!line.end && !(found = tail_find_newline(t, &newline)) && t->at > 0) {
		if (t->to - t->from > LIMIT_TRANSCRIPT_LINE) {
			line.too_long = true;
			t->to = t->plain = t->from;
		}
		if (!tail_load_more(t, err))
			return false;
	}
	if (!line.end) {
		size_t from = found ? newline + 1 : t->from;

		line.too_long |= t->to - from > LIMIT_TRANSCRIPT_LINE;
		line.at = t->at + (int64_t)(from - t->from);
		if (!line.too_long)
			line.text = sv_from(t->memory + from, t->to - from);
		t->to = t->plain = found ? newline : t->from;
	}
	*out = line;
	return true;
}

void tail_seek(struct tail *t, int64_t offset)
{
	t->at = offset;
	t->to = t->plain = t->from;
}

bool tail_jump(struct tail *t, int64_t offset, struct err *err)
{
	struct tail_line cut;

	if (offset >= tail_reached(t))
		return true;
	tail_seek(t, offset);
	return tail_prev(t, &cut, err);
}

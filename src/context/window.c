#include "context/window.h"

#include "base/base.h"

enum {
	MAX_RESERVE = 20000, /* kept free for the response */
	WARN_BEFORE = 20000,
	COMPACT_BEFORE = 13000,
	BLOCK_BEFORE = 3000,
	FULL_DISTANCES = 100000, /* effective windows from this size on have these distances */
};

static int64_t window_mark(int64_t effective, int64_t before)
{
	return effective - before * min_of(effective, (int64_t)FULL_DISTANCES) / FULL_DISTANCES;
}

struct window window_of(const struct window_opts *opts)
{
	int64_t size = opts->limit ? min_of(opts->size, opts->limit) : opts->size;
	int64_t reserve = min_of(min_of(opts->max_output, (int64_t)MAX_RESERVE), size / 4);
	struct window w = { .effective = size - reserve };

	w.warn = window_mark(w.effective, WARN_BEFORE);
	w.compact = window_mark(w.effective, COMPACT_BEFORE);
	w.block = window_mark(w.effective, BLOCK_BEFORE);
	if (opts->percent > 0 && opts->percent <= 100)
		w.compact = min_of(w.compact, w.effective * opts->percent / 100);
	w.warn = min_of(w.warn, w.compact);
	return w;
}

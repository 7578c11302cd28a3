/* Events nest and are UTF-8; a growing text is cut only where the events of both
 * parts are those of the whole, and no cut is ever taken back. */
#include "../unit/text/markdown/md_dump.h"

#include "base/utf8.h"
#include "text/markdown/md_line.h"

enum { MAX_SIZE = 600 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool dump(struct md_dump *d, struct sv text)
{
	struct err err = ERR_INIT;
	bool ok = md_read(text, md_dump_event, d, &err);

	BUG_ON(!ok && err.kind != ERR_TOO_BIG);
	BUG_ON(ok && d->open.n > 0);
	BUG_ON(ok && !utf8_valid(sv_of(&d->out), NULL));
	return ok;
}

/* md4c 0.4.8 misreads a list item before two blank lines when its last line is at
 * an offset of 4, modulo 256, so that a cut before it can make a difference. */
static bool has_two_blank_lines(struct sv text)
{
	size_t at = 0, blank = 0;
	struct sv line;

	while (blank < 2 && md_next_line(text, &at, &line))
		blank = sv_trim(line).len == 0 ? blank + 1 : 0;
	return blank == 2;
}

static void check_cut(struct sv text, size_t cut, struct sv whole)
{
	defer(md_dump_clear) struct md_dump parts = MD_DUMP_INIT;

	/* A definition does not reach back: the documented exception. */
	if (sv_find(sv_skip(text, cut), SV("]:")) != SIZE_MAX)
		return;
	if (!dump(&parts, sv_slice(text, 0, cut)) || !dump(&parts, sv_skip(text, cut)))
		return;
	if (!sv_eq(sv_of(&parts.out), whole))
		BUG("cut at %zu:\n%s\nwhole:\n%.*s", cut, str_c(&parts.out), SV_ARG(whole));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = sv_from((const char *)data, size);
	defer(md_dump_clear) struct md_dump whole = MD_DUMP_INIT;
	size_t before = 0;

	if (size > MAX_SIZE || !dump(&whole, text) || has_two_blank_lines(text))
		return 0;
	for (size_t n = 1; n <= size; n++) {
		size_t cut = md_stable_prefix(sv_slice(text, 0, n));

		BUG_ON(cut < before || cut > n);
		if (cut > before)
			check_cut(text, cut, sv_of(&whole.out));
		before = cut;
	}
	return 0;
}

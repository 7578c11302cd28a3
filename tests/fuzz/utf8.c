/* Text is valid exactly when repair leaves it alone; repaired text is valid; what
 * decodes encodes back; prefixes cut nothing; clusters and cells add up. */
#include "base/utf8.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_repair(struct sv text)
{
	defer(str_clear) struct str once = STR_INIT;
	defer(str_clear) struct str twice = STR_INIT;
	size_t bad = SIZE_MAX;
	bool valid = utf8_valid(text, &bad);

	utf8_repair(&once, text);
	utf8_repair(&twice, sv_of(&once));
	BUG_ON(!utf8_valid(sv_of(&once), NULL));
	BUG_ON(!sv_eq(sv_of(&once), sv_of(&twice)));
	BUG_ON(valid != sv_eq(sv_of(&once), text));
	BUG_ON(valid != (bad == SIZE_MAX));
	if (!valid)
		BUG_ON(bad >= text.len ||
		       !sv_eq(sv_slice(sv_of(&once), 0, bad), sv_slice(text, 0, bad)));
}

/* Decodes all of it; every boundary on the way is where a prefix may end. */
static void check_decoding(struct sv text)
{
	size_t at = 0;

	while (at < text.len) {
		defer(str_clear) struct str back = STR_INIT;
		uint32_t rune = 0;
		int n = utf8_decode(sv_skip(text, at), &rune);
		size_t next = at + (size_t)abs(n);

		BUG_ON(n == 0 || next > text.len);
		if (n > 0) {
			utf8_encode(&back, rune);
			BUG_ON(!sv_eq(sv_of(&back), sv_slice(text, at, next)));
		}
		for (size_t max = at; max < next; max++)
			BUG_ON(utf8_prefix(text, max).len != at);
		at = next;
	}
	BUG_ON(utf8_prefix(text, at).len != text.len);
}

static void check_clusters(struct sv text)
{
	struct sv rest = text;
	size_t cells = 0;

	while (rest.len > 0) {
		int wide = -1;
		size_t n = utf8_cluster(rest, &wide);

		BUG_ON(n == 0 || n > rest.len || wide < 0 || wide > 2);
		cells += (size_t)wide;
		rest = sv_skip(rest, n);
	}
	BUG_ON(utf8_cells(text) != cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = sv_from((const char *)data, size);

	check_repair(text);
	check_decoding(text);
	check_clusters(text);
	return 0;
}

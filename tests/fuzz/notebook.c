/* What to do, to which cell, a source ended by NUL, and a notebook. After an edit it is
 * a notebook still, every other cell is as it was, byte for byte, and the one that was
 * touched has the source. */
#include "tool/edit/notebook.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "text/json/json_span.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum what { REPLACE, INSERT, REMOVE, WHATS };

typedef VEC(struct sv) cells;

static void find_cells(cells *out, struct sv text)
{
	struct json_span span;
	struct json_span_iter it;
	struct json_item item;
	struct err err;

	BUG_ON(!json_span_find(text, JSON_STEPS(SV("cells")), &span, &err));
	BUG_ON(!json_span_each(&it, text, span, &err));
	while (json_span_next(&it, &item, &err) && !it.done)
		vec_push(out, json_span_sv(text, item.value));
	BUG_ON(!it.done);
}

static bool edit(struct str *text, enum what what, size_t at, struct sv type, struct sv source)
{
	struct err err;

	switch (what) {
	case REPLACE: return notebook_replace(text, at, type, source, &err);
	case INSERT: return notebook_insert(text, at, SV("id"), type, source, &err);
	case REMOVE: return notebook_remove(text, at, &err);
	case WHATS: break;
	}
	return false;
}

static void check_source(const struct notebook *nb, size_t at, struct sv type, struct sv source)
{
	struct json cell = json_at(nb->cells, at);
	defer(str_clear) struct str found = STR_INIT;

	notebook_text(&found, json_get(cell, "source"));
	BUG_ON(!sv_eq(sv_of(&found), source));
	BUG_ON(!sv_eq(notebook_cell_type(cell), type));
	BUG_ON(json_len(json_get(cell, "outputs")) > 0);
	BUG_ON(json_exists(json_get(cell, "outputs")) != sv_is(type, "code"));
}

static void check_edit(struct sv before, enum what what, size_t at, struct sv type,
		       struct sv source)
{
	defer(notebook_clear) struct notebook nb = NOTEBOOK_INIT;
	defer(str_clear) struct str after = STR_INIT;
	cells old_cells = VEC_INIT, new_cells = VEC_INIT;
	struct err err;
	size_t k = 0;

	find_cells(&old_cells, before);
	at %= old_cells.n + (what == INSERT);
	str_add(&after, before);
	if (edit(&after, what, at, type, source)) {
		BUG_ON(!notebook_open(&nb, sv_of(&after), &err));
		find_cells(&new_cells, sv_of(&after));
		BUG_ON(new_cells.n != old_cells.n + (what == INSERT) - (what == REMOVE));
		for (size_t i = 0; i < old_cells.n; i++) {
			k += what == INSERT && i == at;
			if (i == at && what != INSERT)
				k += what == REPLACE;
			else
				BUG_ON(!sv_eq(old_cells.at[i], new_cells.at[k++]));
		}
		if (what != REMOVE)
			check_source(&nb, at, type, source);
	}
	vec_clear(&old_cells);
	vec_clear(&new_cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv rest = sv_from((const char *)data, size), given = SV_EMPTY;
	defer(notebook_clear) struct notebook nb = NOTEBOOK_INIT;
	defer(str_clear) struct str source = STR_INIT;
	struct err err;
	enum what what;

	if (size < 3)
		return 0;
	what = data[0] % WHATS;
	rest = sv_skip(rest, 2);
	sv_cut(&rest, '\0', &given);
	utf8_repair(&source, given);
	if (!notebook_open(&nb, rest, &err) || (what != INSERT && json_len(nb.cells) == 0))
		return 0;
	check_edit(rest, what, data[1], data[0] & 0x80 ? SV("markdown") : SV("code"),
		   sv_of(&source));
	return 0;
}

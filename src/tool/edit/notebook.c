#include "tool/edit/notebook.h"

#include "base/hash.h"
#include "text/json/json_span.h"
#include "text/json/json_write.h"

/* --- reading -------------------------------------------------------------------- */

bool notebook_open(struct notebook *nb, struct sv text, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, err);
	struct json root = json_root(doc), cells = json_get(root, "cells");

	if (!doc)
		return false;
	if (json_is(json_get(root, "worksheets"), JSON_ARRAY))
		return err_set(err, ERR_UNSUPPORTED,
			       "its format is older than nbformat 4; convert it with \"jupyter "
			       "nbconvert --to notebook\"");
	if (!json_is(cells, JSON_ARRAY))
		return err_set(err, ERR_INVALID, "it is not a notebook: it has no list of cells");
	*nb = (struct notebook){ .doc = move(doc), .root = root, .cells = cells };
	return true;
}

void notebook_clear(struct notebook *nb)
{
	json_doc_free(move(nb->doc));
}

bool notebook_has_ids(const struct notebook *nb)
{
	int64_t major = json_int_or(json_get(nb->root, "nbformat"), 4);

	return major > 4 ||
	       (major == 4 && json_int_or(json_get(nb->root, "nbformat_minor"), 0) >= 5);
}

struct sv notebook_language(const struct notebook *nb)
{
	struct sv kernel =
		json_str_or(json_path(nb->root, "metadata.kernelspec.language"), SV("python"));

	return json_str_or(json_path(nb->root, "metadata.language_info.name"), kernel);
}

static struct sv notebook_id_of(struct json cell)
{
	return json_str_or(json_get(cell, "id"), SV_EMPTY);
}

bool notebook_find(const struct notebook *nb, struct sv id, size_t *index)
{
	struct json_iter it = json_each(nb->cells);
	struct json cell;
	int64_t number;

	for (size_t i = 0; id.len && json_next(&it, NULL, &cell); i++)
		if (sv_eq(notebook_id_of(cell), id)) {
			*index = i;
			return true;
		}
	if (!sv_starts(id, SV("cell-")) || !sv_to_int(sv_skip(id, 5), &number) || number < 0 ||
	    (uint64_t)number >= json_len(nb->cells))
		return false;
	*index = (size_t)number;
	return true;
}

void notebook_id(struct str *out, struct json cell, size_t index)
{
	if (notebook_id_of(cell).len)
		str_add(out, notebook_id_of(cell));
	else
		str_addf(out, "cell-%zu", index);
}

void notebook_new_id(struct str *out, const struct notebook *nb, struct sv source)
{
	size_t before = out->len, taken;
	uint64_t seed = json_len(nb->cells);

	do {
		str_truncate(out, before);
		str_addf(out, "%08x", (unsigned)hash_bytes(source, seed++));
	} while (notebook_find(nb, sv_skip(sv_of(out), before), &taken));
}

struct sv notebook_cell_type(struct json cell)
{
	return json_str_or(json_get(cell, "cell_type"), SV("code"));
}

void notebook_text(struct str *out, struct json member)
{
	struct json_iter it = json_each(member);
	struct json part;

	str_add(out, json_str_or(member, SV_EMPTY));
	while (json_is(member, JSON_ARRAY) && json_next(&it, NULL, &part))
		str_add(out, json_str_or(part, SV_EMPTY));
}

/* --- the layout ------------------------------------------------------------ */

/* The indentation of a level, and whether each member has its own line, taken from the first member
 * of the root. Programs that write notebooks are consistent. */
struct layout {
	bool lines;
	struct str unit;
};

static void layout_clear(struct layout *l)
{
	str_clear(&l->unit);
}

static void layout_of(struct layout *l, struct sv text)
{
	struct sv blanks = sv_skip(text, sv_find_char(text, '{') + 1);
	size_t n = 0, newline;

	while (n < blanks.len && blanks.ptr[n] && strchr(" \t\r\n", blanks.ptr[n]))
		n++;
	blanks = sv_slice(blanks, 0, n);
	newline = sv_rfind_char(blanks, '\n');
	l->lines = newline != SIZE_MAX;
	if (l->lines)
		str_add(&l->unit, sv_skip(blanks, newline + 1));
}

/* Advances to the next member or element. */
static void notebook_add_break(struct str *out, const struct layout *l, int depth)
{
	if (!l->lines)
		return;
	str_addc(out, '\n');
	while (depth-- > 0)
		str_add(out, sv_of(&l->unit));
}

static void notebook_add_comma(struct str *out, const struct layout *l, int depth)
{
	str_adds(out, l->lines ? "," : ", ");
	notebook_add_break(out, l, depth);
}

static void notebook_add_string(struct str *out, struct sv text)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_str(&w, text);
	jw_done(&w);
}

/* Writes a list of lines with their line ends, as notebooks do. */
static void notebook_add_source(struct str *out, const struct layout *l, struct sv source,
				int depth)
{
	bool any = source.len > 0;

	str_addc(out, '[');
	while (source.len > 0) {
		size_t end = min_of(sv_find_char(source, '\n'), source.len - 1) + 1;

		notebook_add_break(out, l, depth + 1);
		notebook_add_string(out, sv_slice(source, 0, end));
		source = sv_skip(source, end);
		if (source.len > 0)
			str_adds(out, l->lines ? "," : ", ");
	}
	if (any)
		notebook_add_break(out, l, depth);
	str_addc(out, ']');
}

/* --- changing --------------------------------------------------------------------- */

enum { CELL_DEPTH = 2, MEMBER_DEPTH = 3 }; /* in a notebook */

struct index {
	char digits[24];
};

static struct sv index_text(struct index *out, size_t at)
{
	int n = snprintf(out->digits, sizeof(out->digits), "%zu", at);

	return sv_from(out->digits, (size_t)n);
}

static bool notebook_set(struct str *text, struct sv at, const char *member, struct sv value,
			 struct err *err)
{
	return json_span_set(text, JSON_STEPS(SV("cells"), at, sv_cstr(member)), value, err);
}

static bool notebook_unset(struct str *text, struct sv at, const char *member, struct err *err)
{
	return json_span_remove(text, JSON_STEPS(SV("cells"), at, sv_cstr(member)), err) ||
	       err->kind == ERR_NOT_FOUND;
}

/* A string stays a string, a list stays a list. */
static bool notebook_set_source(struct str *text, struct sv at, struct sv source, struct err *err)
{
	struct json_steps steps = JSON_STEPS(SV("cells"), at, SV("source"));
	defer(layout_clear) struct layout l = { .unit = STR_INIT };
	defer(str_clear) struct str value = STR_INIT;
	struct json_span span;

	if (json_span_find(sv_of(text), steps, &span, err) && text->ptr[span.from] == '"') {
		notebook_add_string(&value, source);
	} else {
		layout_of(&l, sv_of(text));
		notebook_add_source(&value, &l, source, MEMBER_DEPTH);
	}
	return json_span_set(text, steps, sv_of(&value), err);
}

bool notebook_replace(struct str *text, size_t at, struct sv type, struct sv source,
		      struct err *err)
{
	defer(str_clear) struct str type_json = STR_INIT;
	struct index index = { .digits = "" };
	struct sv i = index_text(&index, at);

	notebook_add_string(&type_json, type);
	if (!notebook_set_source(text, i, source, err) ||
	    !notebook_set(text, i, "cell_type", sv_of(&type_json), err))
		return false;
	if (sv_is(type, "code"))
		return notebook_set(text, i, "execution_count", SV("null"), err) &&
		       notebook_set(text, i, "outputs", SV("[]"), err);
	return notebook_unset(text, i, "execution_count", err) &&
	       notebook_unset(text, i, "outputs", err);
}

static void notebook_add_member(struct str *out, const struct layout *l, const char *key,
				struct sv value)
{
	notebook_add_comma(out, l, MEMBER_DEPTH);
	str_addf(out, "\"%s\": ", key);
	str_add(out, value);
}

/* Sorted by name, as in notebooks. */
static void notebook_add_cell(struct str *out, const struct layout *l, struct sv id, struct sv type,
			      struct sv source)
{
	defer(str_clear) struct str value = STR_INIT;
	bool code = sv_is(type, "code");

	str_addc(out, '{');
	notebook_add_break(out, l, MEMBER_DEPTH);
	str_adds(out, "\"cell_type\": ");
	notebook_add_string(out, type);
	if (code)
		notebook_add_member(out, l, "execution_count", SV("null"));
	if (id.len) {
		notebook_add_string(&value, id);
		notebook_add_member(out, l, "id", sv_of(&value));
	}
	notebook_add_member(out, l, "metadata", SV("{}"));
	if (code)
		notebook_add_member(out, l, "outputs", SV("[]"));
	str_truncate(&value, 0);
	notebook_add_source(&value, l, source, MEMBER_DEPTH);
	notebook_add_member(out, l, "source", sv_of(&value));
	notebook_add_break(out, l, CELL_DEPTH);
	str_addc(out, '}');
}

/* The place of the new cell in the text, and the separator from its neighbour. */
static bool notebook_splice(struct str *text, size_t at, const struct layout *l, struct str *cell,
			    struct err *err)
{
	defer(str_clear) struct str comma = STR_INIT;
	struct index index = { .digits = "" };
	struct json_span span;

	notebook_add_comma(&comma, l, CELL_DEPTH);
	if (json_span_find(sv_of(text), JSON_STEPS(SV("cells"), index_text(&index, at)), &span,
			   err)) {
		str_add(cell, sv_of(&comma));
		str_splice(text, span.from, span.from, sv_of(cell));
		return true;
	}
	if (at > 0) {
		if (!json_span_find(sv_of(text),
				    JSON_STEPS(SV("cells"), index_text(&index, at - 1)), &span,
				    err))
			return false;
		str_splice(cell, 0, 0, sv_of(&comma));
		str_splice(text, span.to, span.to, sv_of(cell));
		return true;
	}
	str_truncate(&comma, 0);
	str_addc(&comma, '[');
	notebook_add_break(&comma, l, CELL_DEPTH);
	str_splice(cell, 0, 0, sv_of(&comma));
	notebook_add_break(cell, l, CELL_DEPTH - 1);
	str_addc(cell, ']');
	return json_span_set(text, JSON_STEPS(SV("cells")), sv_of(cell), err);
}

bool notebook_insert(struct str *text, size_t at, struct sv id, struct sv type, struct sv source,
		     struct err *err)
{
	defer(layout_clear) struct layout l = { .unit = STR_INIT };
	defer(str_clear) struct str cell = STR_INIT;

	layout_of(&l, sv_of(text));
	notebook_add_cell(&cell, &l, id, type, source);
	return notebook_splice(text, at, &l, &cell, err);
}

bool notebook_remove(struct str *text, size_t at, struct err *err)
{
	struct index index = { .digits = "" };

	return json_span_remove(text, JSON_STEPS(SV("cells"), index_text(&index, at)), err);
}

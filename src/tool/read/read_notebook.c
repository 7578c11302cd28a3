#include "base/limits.h"
#include "base/utf8.h"
#include "text/json/json_write.h"
#include "tool/edit/notebook.h"
#include "tool/read/read_kinds.h"
#include "tool/shell/bash_plain.h"

bool read_is_notebook(const struct file_job *f, struct sv bytes)
{
	struct notebook nb = NOTEBOOK_INIT;
	struct err ignored;
	bool is =
		sv_ends(sv_of(&f->file.path), SV(".ipynb")) && notebook_open(&nb, bytes, &ignored);

	notebook_clear(&nb);
	return is;
}

/* --- outputs ---------------------------------------------------------------------- */

/* Appends text as a terminal would show it, up to LIMIT_CELL_OUTPUT. */
static void read_notebook_add_shown(struct str *out, struct sv text, bool *cut)
{
	struct bash_plain plain = BASH_PLAIN_INIT;
	defer(str_clear) struct str shown = STR_INIT;

	bash_plain_feed(&plain, text, &shown);
	bash_plain_end(&plain, &shown);
	bash_plain_clear(&plain);
	str_add(out, utf8_prefix(sv_of(&shown), LIMIT_CELL_OUTPUT));
	if (shown.len <= LIMIT_CELL_OUTPUT)
		return;
	str_addf(out, "\n[%zu more bytes of output]", shown.len - LIMIT_CELL_OUTPUT);
	*cut = true;
}

/* Names outputs that are not text. */
static void read_notebook_add_rich(struct str *out, struct json data)
{
	struct json_iter it = json_each(data);
	struct json value;
	struct sv type;

	notebook_text(out, json_get(data, "text/plain"));
	while (json_next(&it, &type, &value))
		if (sv_starts(type, SV("image/")))
			str_addf(out, "%s[%.*s]", out->len ? "\n" : "", SV_ARG(type));
}

static void read_notebook_add_error(struct str *out, struct json output)
{
	struct json_iter it = json_each(json_get(output, "traceback"));
	struct json line;

	str_add(out, json_str_or(json_get(output, "ename"), SV("error")));
	str_adds(out, ": ");
	str_add(out, json_str_or(json_get(output, "evalue"), SV_EMPTY));
	while (json_next(&it, NULL, &line)) {
		str_addc(out, '\n');
		str_add(out, json_str_or(line, SV_EMPTY));
	}
}

static void read_notebook_add_output(struct str *out, struct json output, bool *cut)
{
	struct sv type = json_str_or(json_get(output, "output_type"), SV_EMPTY);
	defer(str_clear) struct str text = STR_INIT;

	if (sv_is(type, "stream"))
		notebook_text(&text, json_get(output, "text"));
	else if (sv_is(type, "error"))
		read_notebook_add_error(&text, output);
	else
		read_notebook_add_rich(&text, json_get(output, "data"));
	read_notebook_add_shown(out, sv_of(&text), cut);
}

/* --- cells ------------------------------------------------------------------------ */

/* One cell, in both of its forms. */
struct cell {
	struct str text; /* for the model */
	struct str data; /* JSON */
};

static void cell_clear(struct cell *c)
{
	str_clear(&c->text);
	str_clear(&c->data);
}

static void read_notebook_add_outputs(struct cell *c, struct jw *w, struct json cell, bool *cut)
{
	struct json_iter it = json_each(json_get(cell, "outputs"));
	struct json output;

	jw_put_array(w, "outputs");
	while (json_next(&it, NULL, &output) && c->text.len < LIMIT_READ_RESULT) {
		defer(str_clear) struct str shown = STR_INIT;

		read_notebook_add_output(&shown, output, cut);
		str_adds(&c->text, "\n<output>\n");
		str_add(&c->text, sv_trim(sv_of(&shown)));
		str_adds(&c->text, "\n</output>");
		jw_object(w);
		jw_put_str(w, "output_type",
			   json_str_or(json_get(output, "output_type"), SV_EMPTY));
		jw_put_str(w, "text", sv_of(&shown));
		jw_end(w);
	}
	jw_end(w);
}

static void read_notebook_make_cell(struct cell *c, const struct notebook *nb, struct json cell,
				    size_t index, bool *cut)
{
	struct sv type = notebook_cell_type(cell);
	defer(str_clear) struct str id = STR_INIT;
	defer(str_clear) struct str source = STR_INIT;
	struct jw w;

	notebook_id(&id, cell, index);
	notebook_text(&source, json_get(cell, "source"));
	str_addf(&c->text, "<cell id=\"%s\" type=\"%.*s\">\n", str_c(&id), SV_ARG(type));
	utf8_repair(&c->text, sv_of(&source));
	str_adds(&c->text, sv_ends(sv_of(&source), SV("\n")) ? "</cell>" : "\n</cell>");
	jw_init(&w, &c->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "cellType", type);
	jw_put_str(&w, "source", sv_of(&source));
	jw_put_str(&w, "cell_id", sv_of(&id));
	if (sv_is(type, "code")) {
		jw_put_str(&w, "language", notebook_language(nb));
		jw_put_value(&w, "execution_count", json_get(cell, "execution_count"));
		read_notebook_add_outputs(c, &w, cell, cut);
	}
	jw_end(&w);
	jw_done(&w);
}

/* --- the result ------------------------------------------------------------------- */

/* Adds the requested cells as long as they fit; returns their number. A single cell that is too big
 * is cut. */
static size_t read_notebook_add_cells(struct str *text, struct jw *w, const struct notebook *nb,
				      size_t first, size_t limit, bool *cut)
{
	struct json_iter it = json_each(nb->cells);
	struct json item;
	size_t shown = 0;

	for (size_t i = 0; shown < limit && json_next(&it, NULL, &item); i++) {
		defer(cell_clear) struct cell c = { .text = STR_INIT, .data = STR_INIT };

		if (i + 1 < first)
			continue;
		read_notebook_make_cell(&c, nb, item, i, cut);
		if (shown && text->len + c.text.len > LIMIT_READ_RESULT)
			break;
		*cut |= c.text.len > LIMIT_READ_RESULT;
		str_adds(text, shown ? "\n" : "");
		str_add(text, utf8_prefix(sv_of(&c.text), LIMIT_READ_RESULT));
		if (c.text.len <= LIMIT_READ_RESULT)
			jw_raw(w, sv_of(&c.data));
		shown++;
	}
	return shown;
}

bool read_notebook(struct file_job *f, struct sv bytes, size_t first, size_t limit,
		   struct file_seen *seen)
{
	struct tool_result *result = &f->job.call->result;
	defer(notebook_clear) struct notebook nb = NOTEBOOK_INIT;
	struct err err;
	struct jw w;
	size_t n, shown;
	bool cut = false;

	if (!notebook_open(&nb, bytes, &err))
		return tool_fail(result, "%s: %s", file_name(f), err.text);
	n = json_len(nb.cells);
	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("notebook"));
	jw_put_object(&w, "file");
	jw_put_str(&w, "filePath", sv_of(&f->file.path));
	jw_put_array(&w, "cells");
	shown = read_notebook_add_cells(&result->text, &w, &nb, first, limit, &cut);
	jw_end(&w);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	if (!shown)
		str_addf(&result->text, "The notebook has %zu cell%s; none is at offset %zu.", n,
			 n == 1 ? "" : "s", first);
	else if (first + shown <= n)
		str_addf(&result->text, "\n\n[Cells %zu-%zu of %zu. To continue: offset=%zu]",
			 first, first + shown - 1, n, first + shown);
	seen->by_cells = true;
	seen->cut |= cut;
	if (shown || !n)
		lines_add(&seen->shown, first, first + shown > n ? LINES_END : first + shown - 1);
	return true;
}

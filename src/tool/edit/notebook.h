/* notebook.h - Jupyter notebooks (nbformat 4) as text: their cells, and edits that
 * leave every other cell as it was, byte for byte. Pure.
 *
 * A cell goes by its id; in notebooks of before 4.5, which have none, by "cell-N",
 * counted from 0. */
#ifndef AWL_TOOL_EDIT_NOTEBOOK_H
#define AWL_TOOL_EDIT_NOTEBOOK_H

#include "text/json/json.h"

struct notebook {
	struct json_doc *doc; /* owned */
	struct json root, cells;
};

#define NOTEBOOK_INIT       \
	{                   \
		.doc = NULL \
	}

/* Keeps nothing of `text`. Fails when that is no JSON, or no notebook with cells. */
must_use bool notebook_open(struct notebook *nb, struct sv text, struct err *err);
void notebook_clear(struct notebook *nb);

/* Whether cells must have an id. */
bool notebook_has_ids(const struct notebook *nb);
struct sv notebook_language(const struct notebook *nb);

/* The index of a cell; false when there is none. */
bool notebook_find(const struct notebook *nb, struct sv id, size_t *index);
/* Appends the id that finds `cell`, the one at `index`. */
void notebook_id(struct str *out, struct json cell, size_t index);
/* Appends an id that no cell has. The same notebook and source give the same one. */
void notebook_new_id(struct str *out, const struct notebook *nb, struct sv source);
/* "code", "markdown", "raw". */
struct sv notebook_cell_type(struct json cell);
/* Appends the text of a member that is a string or a list of them: "source" of a cell,
 * "text" of an output. */
void notebook_text(struct str *out, struct json member);

/* The edits of `text`, a notebook that notebook_open() takes; `at` is the index of a
 * cell. On failure `text` may be changed in part. */

/* A replaced code cell loses its outputs and its execution count; `type` is what the
 * cell becomes. */
must_use bool notebook_replace(struct str *text, size_t at, struct sv type, struct sv source,
			       struct err *err);
/* Before the cell at `at`, or last when that is the number of them; `id` may be empty. */
must_use bool notebook_insert(struct str *text, size_t at, struct sv id, struct sv type,
			      struct sv source, struct err *err);
must_use bool notebook_remove(struct str *text, size_t at, struct err *err);

#endif

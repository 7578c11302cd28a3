/* notebook.h - Jupyter notebooks (nbformat 4) as text: reads their cells, and edits one cell without
 * changing a byte of the others. Pure.
 *
 * A cell is named by its id. Notebooks before 4.5 have no ids; their cells are named "cell-N", counted
 * from 0. */
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

/* Does not borrow `text`. Fails if that is not JSON or not a notebook with cells. */
must_use bool notebook_open(struct notebook *nb, struct sv text, struct err *err);
void notebook_clear(struct notebook *nb);

/* Whether cells must have an id. */
bool notebook_has_ids(const struct notebook *nb);
struct sv notebook_language(const struct notebook *nb);

/* The index of a cell; returns false if there is none. */
bool notebook_find(const struct notebook *nb, struct sv id, size_t *index);
/* Appends the name of `cell`, the one at `index`. */
void notebook_id(struct str *out, struct json cell, size_t index);
/* Appends an unused id. The same notebook and source give the same id. */
void notebook_new_id(struct str *out, const struct notebook *nb, struct sv source);
/* "code", "markdown", "raw". */
struct sv notebook_cell_type(struct json cell);
/* Appends the text of a member that is a string or a list of strings: "source" of a cell, "text" of
 * an output. */
void notebook_text(struct str *out, struct json member);

/* Edits of `text`, a valid notebook; `at` is the index of a cell. On failure `text` may be partly
 * changed. */

/* Gives the cell a new source and `type`. A code cell loses its outputs and execution count. */
must_use bool notebook_replace(struct str *text, size_t at, struct sv type, struct sv source,
			       struct err *err);
/* Inserts before the cell at `at`, or at the end if that is the number of cells; `id` may be empty. */
must_use bool notebook_insert(struct str *text, size_t at, struct sv id, struct sv type,
			      struct sv source, struct err *err);
must_use bool notebook_remove(struct str *text, size_t at, struct err *err);

#endif

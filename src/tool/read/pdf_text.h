/* pdf_text.h - the text of a PDF, by pdftotext of poppler: for Read and WebFetch. */
#ifndef AWL_TOOL_READ_PDF_TEXT_H
#define AWL_TOOL_READ_PDF_TEXT_H

#include "base/str.h"
#include "sys/op.h"

struct pdf_source {
	const char *path;    /* NULL: `bytes` */
	struct sv bytes;     /* copied */
	int64_t first, last; /* pages, from 1; `last` 0: all */
	const char *const *env;
};

struct pdf_text {
	struct str text; /* as it was laid out, a form feed between pages */
	bool is_full;    /* there is more than LIMIT_PDF_TEXT */
};

/* Fills `out`, which outlives the op. Its failures have words for the model:
 * ERR_NOT_FOUND without a pdftotext, ERR_UNSUPPORTED when there is no text, otherwise
 * what pdftotext complains of. */
struct op *pdf_text_start(struct loop *loop, const struct pdf_source *source, struct pdf_text *out,
			  struct then then);

#endif

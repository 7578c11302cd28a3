/* pdf_text.h - extracts the text of a PDF with poppler's pdftotext, for Read and WebFetch. */
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
	struct str text; /* in its layout, with form feeds between pages */
	bool is_full;    /* it was longer than LIMIT_PDF_TEXT */
};

/* Fills `out`, which must outlive the op. Its errors are written for the model: ERR_NOT_FOUND if
 * pdftotext is not installed, ERR_UNSUPPORTED if the PDF contains no text, otherwise the message of
 * pdftotext. */
struct op *pdf_text_start(struct loop *loop, const struct pdf_source *source, struct pdf_text *out,
			  struct then then);

#endif

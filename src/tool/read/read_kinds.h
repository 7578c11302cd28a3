/* read_kinds.h - private to Read: files that it does not show as lines. */
#ifndef AWL_TOOL_READ_READ_KINDS_H
#define AWL_TOOL_READ_READ_KINDS_H

#include "tool/file_job.h"
#include "tool/read/image.h"

/* For run(), as the functions of file_job.h: false when they have failed the call. */

/* The image as a block of the result. */
bool read_image(struct file_job *f, struct sv bytes, const struct image *image);

/* Whether the file is to be shown as a notebook: by its name and its bytes. */
bool read_is_notebook(const struct file_job *f, struct sv bytes);
/* The cells from `first` (from 1), `limit` of them, with their outputs. Leaves in
 * `seen` which cells those were. */
bool read_notebook(struct file_job *f, struct sv bytes, size_t first, size_t limit,
		   struct file_seen *seen);

/* Whether a call is about a PDF, by the name of the file. */
bool read_is_pdf(const struct tool_call *call);
/* That its `pages` can be meant. */
bool read_check_pages(const struct tool_call *call, struct err *err);
/* The start() of such a call: the text of some pages (pdftotext of poppler), or
 * without that the file itself for a model that reads such. */
struct op *read_pdf_start(struct tool_call *call, struct then then);

#endif

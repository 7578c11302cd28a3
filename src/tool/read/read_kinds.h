/* read_kinds.h - private to Read: files that are not shown as lines. */
#ifndef AWL_TOOL_READ_READ_KINDS_H
#define AWL_TOOL_READ_READ_KINDS_H

#include "text/image.h"
#include "tool/file_job.h"

/* For run(). Like the functions of file_job.h they return false if they have failed the call. */

/* Adds the image to the result as a block. */
bool read_image(struct file_job *f, struct sv bytes, const struct image *image);

/* Whether the name and the bytes of the file are those of a notebook. */
bool read_is_notebook(const struct file_job *f, struct sv bytes);
/* Shows `limit` cells from `first` (counted from 1) with their outputs, and records them in `seen`. */
bool read_notebook(struct file_job *f, struct sv bytes, size_t first, size_t limit,
		   struct file_seen *seen);

/* Whether the file name of a call is that of a PDF. */
bool read_is_pdf(const struct tool_call *call);
/* Checks its `pages`. */
bool read_check_pages(const struct tool_call *call, struct err *err);
/* The start() of such a call. Shows the text of some pages (by pdftotext), or without pdftotext the
 * file itself, if the model accepts PDFs. */
struct op *read_pdf_start(struct tool_call *call, struct then then);

#endif

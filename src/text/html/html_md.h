/* html_md.h - a web page as Markdown, for a model to read. Pure.
 *
 * Kept are headings, paragraphs, emphasis, code, lists, links (absolute), tables,
 * quotations and the alternative texts of images. Left out is what no reader would
 * see and what is no content (html_shown.h): pages are hostile. */
#ifndef AWL_TEXT_HTML_HTML_MD_H
#define AWL_TEXT_HTML_HTML_MD_H

#include "base/err.h"
#include "base/str.h"

/* Appends `html`, any bytes, as Markdown: valid UTF-8, at most `max` bytes; `*cut`
 * tells whether there was more. `base` is the page's URL, "" when it has none: then
 * relative links are plain text. Fails as html_tree_parse() does. */
must_use bool html_to_md(struct str *out, struct sv html, struct sv base, size_t max, bool *cut,
			 struct err *err);

#endif

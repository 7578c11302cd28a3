/* html_md.h - a web page as Markdown, for a model to read. Pure.
 *
 * The output has headings, paragraphs, emphasis, code, lists, absolute links, tables,
 * quotations and the alternative texts of images. Elements that a reader would not see
 * and elements without content are skipped (html_shown.h), because pages can be hostile. */
#ifndef AWL_TEXT_HTML_HTML_MD_H
#define AWL_TEXT_HTML_HTML_MD_H

#include "base/err.h"
#include "base/str.h"

/* Appends `html`, any bytes, as Markdown: valid UTF-8, at most `max` bytes. `*cut` says
 * whether there was more. `base` is the page's URL, or "" when it has none: then
 * relative links become plain text. Fails as html_tree_parse() does. */
must_use bool html_to_md(struct str *out, struct sv html, struct sv base, size_t max, bool *cut,
			 struct err *err);

#endif

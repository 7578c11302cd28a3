/* front_matter.h - the YAML block that agent, skill and command files begin with:
 *
 *   ---
 *   name: review
 *   tools: [Read, Grep]
 *   ---
 *   You review ...
 *
 * It becomes JSON. Plain scalars are typed by YAML 1.2's core schema (so `yes`
 * and dates are strings, and so are `.inf` and `.nan`, which JSON lacks), quoted
 * ones are strings; keys are the text they are written as. Refused are anchors
 * and aliases, tags, keys that repeat or are no scalars, and several documents. */
#ifndef AWL_TEXT_FRONT_MATTER_H
#define AWL_TEXT_FRONT_MATTER_H

#include "text/json/json.h"

struct front_matter {
	struct json_doc *meta; /* owned, an object; NULL when the file has none */
	struct sv body;        /* borrowed from the text: all that follows */
};

/* The block starts on the very first line, a byte-order mark aside, and ends at
 * the next line that is just `---`. Where no such line follows, the first one was
 * a thematic break of ordinary Markdown: then all of the text is the body, as it
 * is for text without a block. Fails with ERR_PARSE, the text naming the line of
 * the file, or ERR_TOO_BIG past LIMIT_FRONT_MATTER or LIMIT_FRONT_DEPTH. */
must_use bool front_matter_parse(struct front_matter *out, struct sv text, struct err *err);
void front_matter_clear(struct front_matter *front);

#endif

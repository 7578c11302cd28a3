/* front_matter.h - the YAML block that agent, skill and command files begin with:
 *
 *   ---
 *   name: review
 *   tools: [Read, Grep]
 *   ---
 *   You review ...
 *
 * awl converts the block to JSON. Plain scalars get the types of YAML 1.2's core schema
 * (so `yes` and dates are strings, and so are `.inf` and `.nan`, which JSON lacks).
 * Quoted scalars are strings. Keys keep the text they are written as. The parser rejects
 * anchors and aliases, tags, repeated keys, keys that are not scalars, and multiple
 * documents. */
#ifndef AWL_TEXT_FRONT_MATTER_H
#define AWL_TEXT_FRONT_MATTER_H

#include "text/json/json.h"

struct front_matter {
	struct json_doc *meta; /* owned, an object; NULL when the file has none */
	struct sv body;        /* borrowed from the text: everything after the block */
};

/* The block starts on the very first line (after an optional byte-order mark) and ends
 * at the next line that is just `---`. When no such line follows, the first one is a
 * thematic break of ordinary Markdown, and the whole text is the body, as it is for text
 * without a block. Fails with ERR_PARSE, the text naming the line of the file, or
 * ERR_TOO_BIG past LIMIT_FRONT_MATTER or LIMIT_FRONT_DEPTH. */
must_use bool front_matter_parse(struct front_matter *out, struct sv text, struct err *err);
void front_matter_clear(struct front_matter *front);

#endif

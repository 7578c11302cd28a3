/* front_matter_repair.h - front matter that is not YAML. People write `argument-hint: [a] [b]` and
 * `description: Use this: now`, and other programs take it; one in eight commands in the wild is
 * like that. */
#ifndef AWL_TEXT_FRONT_MATTER_REPAIR_H
#define AWL_TEXT_FRONT_MATTER_REPAIR_H

#include "text/front_matter.h"

/* As front_matter_parse(). If that fails, every top-level value on one line is taken as the text
 * that it is; only if that fails too, this fails, with the error of the first attempt. It also fails
 * when the text begins like a block and no line ends it. */
must_use bool front_matter_parse_kindly(struct front_matter *out, struct sv text, struct err *err);

#endif

/* schema_pattern.h - the regular expressions of a schema. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_PATTERN_H
#define AWL_TEXT_SCHEMA_SCHEMA_PATTERN_H

#include "base/err.h"
#include "base/str.h"

struct schema_pattern;

enum schema_match { SCHEMA_MATCH, SCHEMA_NO_MATCH, SCHEMA_TOO_COSTLY };

/* Returns an owned pattern, or NULL: ERR_INVALID with the offset and the reason,
 * ERR_TOO_BIG past LIMIT_PATTERN. Borrows `source` for as long as the pattern lives. */
struct schema_pattern *schema_pattern_new(struct sv source, struct err *err) must_use;
void schema_pattern_free(struct schema_pattern *pattern);
struct sv schema_pattern_source(const struct schema_pattern *pattern);

/* Whether it can match only at the start of a text. */
bool schema_pattern_is_anchored(const struct schema_pattern *pattern);
/* Whether it matches anywhere in `text`, in at most `steps` from each start. */
enum schema_match schema_pattern_match(const struct schema_pattern *pattern, struct sv text,
				       uint32_t steps);

#endif

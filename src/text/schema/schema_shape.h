/* schema_shape.h - whether a value by itself, its parts aside, is what a schema
 * asks for: type, choice, range, length, pattern, number of parts. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_SHAPE_H
#define AWL_TEXT_SCHEMA_SCHEMA_SHAPE_H

#include "text/schema/schema_node.h"

enum schema_fit {
	SCHEMA_FITS,
	SCHEMA_MISFIT,
	SCHEMA_UNKNOWN, /* it would take more than `*steps`, which are then 0 */
};

/* Takes what it costs from `*steps`. */
enum schema_fit schema_shape(const struct schema_node *node, struct json value, size_t *steps);
enum schema_fit schema_matches(const struct schema_pattern *pattern, struct sv text, size_t *steps);

/* SCHEMA_MISFIT when two items are equal: `pair` has their indices then. */
enum schema_fit schema_is_unique(struct json array, size_t pair[2], size_t *steps);

#endif

/* schema_shape.h - checks a value itself, without its parts, against a schema: type,
 * choice, range, length, pattern, number of parts. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_SHAPE_H
#define AWL_TEXT_SCHEMA_SCHEMA_SHAPE_H

#include "text/schema/schema_node.h"

enum schema_fit {
	SCHEMA_FITS,
	SCHEMA_MISFIT,
	SCHEMA_UNKNOWN, /* the check would take more than `*steps`, which are then 0 */
};

/* Subtracts its cost from `*steps`. */
enum schema_fit schema_shape(const struct schema_node *node, struct json value, size_t *steps);
enum schema_fit schema_matches(const struct schema_pattern *pattern, struct sv text, size_t *steps);

/* SCHEMA_MISFIT when two items are equal: `pair` then has their indices. */
enum schema_fit schema_is_unique(struct json array, size_t pair[2], size_t *steps);

#endif

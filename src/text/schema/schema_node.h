/* schema_node.h - a compiled schema, as schema.c builds it and schema_check.c and
 * schema_describe.c read it. Every pointer in it leads to a node of the same schema or is
 * NULL where the keyword is absent. "$ref" can create cycles. */
#ifndef AWL_TEXT_SCHEMA_SCHEMA_NODE_H
#define AWL_TEXT_SCHEMA_SCHEMA_NODE_H

#include "base/map.h"
#include "base/vec.h"
#include "text/json/json.h"
#include "text/schema/schema_pattern.h"

enum schema_type {
	SCHEMA_NULL = 1 << 0,
	SCHEMA_BOOLEAN = 1 << 1,
	SCHEMA_INTEGER = 1 << 2,
	SCHEMA_NUMBER = 1 << 3,
	SCHEMA_STRING = 1 << 4,
	SCHEMA_ARRAY = 1 << 5,
	SCHEMA_OBJECT = 1 << 6,
};

struct schema_node;
typedef VEC(struct schema_node *) schema_list;

struct schema_matching { /* an entry of patternProperties */
	struct schema_pattern *pattern;
	struct schema_node *node;
};

struct schema_range { /* bounds of a count; unbounded: 0 and SIZE_MAX */
	size_t min, max;
};

struct schema_node {
	/* Its place in the schema: under `parent`, at "<keyword>/<key>". */
	const struct schema_node *parent;
	const char *keyword;
	struct sv key; /* borrowed, or `index` */
	char index[8]; /* of an element of a list */

	struct json source;
	bool never; /* the schema `false` */
	struct schema_node *ref;
	unsigned types;                /* of enum schema_type; 0: any */
	struct json choices, constant; /* enum, const */

	struct json minimum, maximum, above, below, step; /* numbers; missing: none */
	struct schema_range length;                       /* in characters */
	struct schema_pattern *pattern;

	struct schema_range items;
	schema_list first;        /* prefixItems */
	struct schema_node *each; /* items: those after `first` */
	bool unique;
	struct schema_node *contains;
	struct schema_range contained;

	struct schema_range members;
	struct map properties; /* to nodes */
	VEC(struct schema_matching) matching;
	struct schema_node *additional;
	struct schema_node *names;
	struct json required;   /* an array of strings */
	struct json dependents; /* an object of arrays of strings */

	schema_list all, any, one;
	struct schema_node *not_, *if_, *then, *otherwise;
};

struct schema {
	struct schema_node *root;
	schema_list nodes; /* all of them, owned */
};

#endif

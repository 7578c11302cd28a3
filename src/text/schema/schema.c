#include "text/schema/schema.h"

#include <stdio.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "text/schema/schema_node.h"
#include "text/schema/schema_ref.h"

struct compiler {
	struct schema *schema;
	struct json root;
	struct map seen; /* maps the address of a source to its node */
	struct err *err;
};

/* Compiles the value of a keyword into a field of the node. */
struct place {
	struct schema_node *node;
	const char *keyword;
	void *field;
};
typedef bool keyword_fn(struct compiler *c, struct place at, struct json value);

/* Fails with "#/properties/a/minimum: <what>". */
static bool schema_fail(struct compiler *c, const struct schema_node *node, const char *keyword,
			const char *what)
{
	defer(str_clear) struct str path = STR_INIT;

	str_addf(&path, "/%s", keyword);
	for (; node->parent && path.len < ERR_TEXT_SIZE; node = node->parent) {
		defer(str_clear) struct str part = STR_INIT;

		str_addf(&part, "/%s", node->keyword);
		if (node->key.len)
			str_addf(&part, "/%.*s", SV_ARG(utf8_prefix(node->key, 60)));
		str_splice(&path, 0, 0, sv_of(&part));
	}
	return err_set(c->err, ERR_INVALID, "#%s: %s", str_c(&path), what);
}

/* The node of a source: the same one each time. It is compiled later, from the list. */
static struct schema_node *schema_node_for(struct compiler *c, struct place at, struct sv key,
					   struct json source)
{
	struct sv address = sv_from((const char *)&source.val, sizeof(source.val));
	struct schema_node *node = map_get(&c->seen, address);

	if (node)
		return node;
	node = xnew(struct schema_node);
	node->parent = at.node;
	node->keyword = at.keyword;
	node->key = key;
	node->source = source;
	node->length.max = node->items.max = node->members.max = SIZE_MAX;
	node->contained = (struct schema_range){ .min = 1, .max = SIZE_MAX };
	vec_push(&c->schema->nodes, node);
	map_put(&c->seen, address, node);
	return node;
}

static bool schema_compile_one(struct compiler *c, struct place at, struct json value)
{
	*(struct schema_node **)at.field = schema_node_for(c, at, SV_EMPTY, value);
	return true;
}

static bool schema_compile_list(struct compiler *c, struct place at, struct json value)
{
	struct json_iter it = json_each(value);
	schema_list *list = at.field;
	struct json item;

	if (!json_is(value, JSON_ARRAY))
		return schema_fail(c, at.node, at.keyword, "must be an array of schemas");
	while (json_next(&it, NULL, &item)) {
		struct schema_node *node = schema_node_for(c, at, SV_EMPTY, item);

		snprintf(node->index, sizeof(node->index), "%zu", list->n);
		node->key = sv_cstr(node->index);
		vec_push(list, node);
	}
	return true;
}

/* Older drafts use a list where newer ones use prefixItems. */
static bool schema_compile_items(struct compiler *c, struct place at, struct json value)
{
	if (!json_is(value, JSON_ARRAY))
		return schema_compile_one(c, at, value);
	at.field = &at.node->first;
	return schema_compile_list(c, at, value);
}

static bool schema_compile_additional_items(struct compiler *c, struct place at, struct json value)
{
	if (!json_is(json_get(at.node->source, "items"), JSON_ARRAY))
		return true;
	return schema_compile_one(c, at, value);
}

static bool schema_compile_properties(struct compiler *c, struct place at, struct json value)
{
	struct json_iter it = json_each(value);
	struct json item;
	struct sv key;

	if (!json_is(value, JSON_OBJECT))
		return schema_fail(c, at.node, at.keyword, "must be an object of schemas");
	while (json_next(&it, &key, &item))
		map_put(at.field, key, schema_node_for(c, at, key, item));
	return true;
}

static bool schema_compile_pattern(struct compiler *c, struct place at, struct json value)
{
	struct schema_pattern **pattern = at.field;
	struct err why = ERR_INIT;
	struct sv source;

	if (!json_str(value, &source))
		return schema_fail(c, at.node, at.keyword, "must be a string");
	*pattern = schema_pattern_new(source, &why);
	return *pattern || schema_fail(c, at.node, at.keyword, why.text);
}

static bool schema_compile_matching(struct compiler *c, struct place at, struct json value)
{
	struct json_iter it = json_each(value);
	struct json item;
	struct sv key;

	if (!json_is(value, JSON_OBJECT))
		return schema_fail(c, at.node, at.keyword, "must be an object of schemas");
	while (json_next(&it, &key, &item)) {
		struct schema_matching *entry = vec_add(&at.node->matching);
		struct err why = ERR_INIT;

		entry->node = schema_node_for(c, at, key, item);
		entry->pattern = schema_pattern_new(key, &why);
		if (!entry->pattern)
			return schema_fail(c, at.node, at.keyword, why.text);
	}
	return true;
}

static bool schema_compile_bool(struct compiler *c, struct place at, struct json value)
{
	return json_bool(value, at.field) ||
	       schema_fail(c, at.node, at.keyword, "must be true or false");
}

static bool schema_compile_count(struct compiler *c, struct place at, struct json value)
{
	uint64_t n;

	if (!json_uint(value, &n))
		return schema_fail(c, at.node, at.keyword, "must be a whole number");
	*(size_t *)at.field = n;
	return true;
}

static bool schema_compile_number(struct compiler *c, struct place at, struct json value)
{
	if (!json_is(value, JSON_NUMBER))
		return schema_fail(c, at.node, at.keyword, "must be a number");
	*(struct json *)at.field = value;
	return true;
}

static bool schema_compile_step(struct compiler *c, struct place at, struct json value)
{
	if (!(json_real_or(value, 0) > 0))
		return schema_fail(c, at.node, at.keyword, "must be a number greater than 0");
	*(struct json *)at.field = value;
	return true;
}

/* In older drafts a boolean says whether minimum itself is allowed. */
static bool schema_compile_exclusive(struct compiler *c, struct place at, struct json value)
{
	bool below = at.field == &at.node->below;
	bool exclusive;

	if (!json_bool(value, &exclusive))
		return schema_compile_number(c, at, value);
	if (exclusive)
		*(struct json *)at.field = below ? at.node->maximum : at.node->minimum;
	return true;
}

static bool schema_compile_const(__attribute__((unused)) struct compiler *c, struct place at,
				 struct json value)
{
	*(struct json *)at.field = value;
	return true;
}

static bool schema_compile_enum(struct compiler *c, struct place at, struct json value)
{
	if (!json_is(value, JSON_ARRAY))
		return schema_fail(c, at.node, at.keyword, "must be an array");
	*(struct json *)at.field = value;
	return true;
}

static bool is_list_of_names(struct json value)
{
	struct json_iter it = json_each(value);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (!json_is(item, JSON_STRING))
			return false;
	return json_is(value, JSON_ARRAY);
}

static bool schema_compile_required(struct compiler *c, struct place at, struct json value)
{
	if (!is_list_of_names(value))
		return schema_fail(c, at.node, at.keyword, "must be an array of names");
	*(struct json *)at.field = value;
	return true;
}

static bool schema_compile_dependents(struct compiler *c, struct place at, struct json value)
{
	struct json_iter it = json_each(value);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (!is_list_of_names(item))
			return schema_fail(c, at.node, at.keyword,
					   "must be an object of arrays of names");
	if (!json_is(value, JSON_OBJECT))
		return schema_fail(c, at.node, at.keyword, "must be an object of arrays of names");
	*(struct json *)at.field = value;
	return true;
}

static bool schema_add_type(struct compiler *c, struct place at, struct json name)
{
	static const char names[][8] = { "null",   "boolean", "integer", "number",
					 "string", "array",   "object" };
	struct sv text = json_str_or(name, SV_EMPTY);

	for (size_t i = 0; i < countof(names); i++) {
		if (sv_is(text, names[i])) {
			at.node->types |= 1u << i;
			return true;
		}
	}
	return schema_fail(
		c, at.node, at.keyword,
		"must be one of null, boolean, integer, number, string, array and object, "
		"or an array of these");
}

static bool schema_compile_type(struct compiler *c, struct place at, struct json value)
{
	struct json_iter it = json_each(value);
	struct json item;

	if (!json_is(value, JSON_ARRAY) || json_len(value) == 0)
		return schema_add_type(c, at, value);
	while (json_next(&it, NULL, &item))
		if (!schema_add_type(c, at, item))
			return false;
	return true;
}

static bool schema_compile_ref(struct compiler *c, struct place at, struct json value)
{
	struct json target;
	struct sv ref;

	if (!json_str(value, &ref))
		return schema_fail(c, at.node, at.keyword, "must be a string");
	if (!sv_starts(ref, SV("#"))) {
		schema_fail(c, at.node, at.keyword,
			    "refers to another document, which is not supported");
		c->err->kind = ERR_UNSUPPORTED;
		return false;
	}
	target = schema_resolve(c->root, ref);
	if (!json_exists(target))
		return schema_fail(c, at.node, at.keyword, "refers to nothing in this schema");
	at.node->ref = schema_node_for(c, at, SV_EMPTY, target);
	return true;
}

/* Compiled in this order; exclusive bounds of the old kind read the others. */
static const struct {
	char name[24];
	keyword_fn *compile;
	size_t field;
} keywords[] = {
#define FIELD(name) offsetof(struct schema_node, name)
	{ "$ref", schema_compile_ref, FIELD(ref) },
	{ "type", schema_compile_type, FIELD(types) },
	{ "enum", schema_compile_enum, FIELD(choices) },
	{ "const", schema_compile_const, FIELD(constant) },
	{ "minimum", schema_compile_number, FIELD(minimum) },
	{ "maximum", schema_compile_number, FIELD(maximum) },
	{ "exclusiveMinimum", schema_compile_exclusive, FIELD(above) },
	{ "exclusiveMaximum", schema_compile_exclusive, FIELD(below) },
	{ "multipleOf", schema_compile_step, FIELD(step) },
	{ "minLength", schema_compile_count, FIELD(length.min) },
	{ "maxLength", schema_compile_count, FIELD(length.max) },
	{ "pattern", schema_compile_pattern, FIELD(pattern) },
	{ "minItems", schema_compile_count, FIELD(items.min) },
	{ "maxItems", schema_compile_count, FIELD(items.max) },
	{ "prefixItems", schema_compile_list, FIELD(first) },
	{ "items", schema_compile_items, FIELD(each) },
	{ "additionalItems", schema_compile_additional_items, FIELD(each) },
	{ "uniqueItems", schema_compile_bool, FIELD(unique) },
	{ "contains", schema_compile_one, FIELD(contains) },
	{ "minContains", schema_compile_count, FIELD(contained.min) },
	{ "maxContains", schema_compile_count, FIELD(contained.max) },
	{ "minProperties", schema_compile_count, FIELD(members.min) },
	{ "maxProperties", schema_compile_count, FIELD(members.max) },
	{ "properties", schema_compile_properties, FIELD(properties) },
	{ "patternProperties", schema_compile_matching, FIELD(matching) },
	{ "additionalProperties", schema_compile_one, FIELD(additional) },
	{ "propertyNames", schema_compile_one, FIELD(names) },
	{ "required", schema_compile_required, FIELD(required) },
	{ "dependentRequired", schema_compile_dependents, FIELD(dependents) },
	{ "allOf", schema_compile_list, FIELD(all) },
	{ "anyOf", schema_compile_list, FIELD(any) },
	{ "oneOf", schema_compile_list, FIELD(one) },
	{ "not", schema_compile_one, FIELD(not_) },
	{ "if", schema_compile_one, FIELD(if_) },
	{ "then", schema_compile_one, FIELD(then) },
	{ "else", schema_compile_one, FIELD(otherwise) },
#undef FIELD
};

static bool schema_compile_node(struct compiler *c, struct schema_node *node)
{
	bool anything;

	if (json_bool(node->source, &anything)) {
		node->never = !anything;
		return true;
	}
	if (!json_is(node->source, JSON_OBJECT))
		return schema_fail(c, node, "", "a schema must be an object, true or false");
	for (size_t i = 0; i < countof(keywords); i++) {
		struct place at = { node, keywords[i].name, (char *)node + keywords[i].field };
		struct json value = json_get(node->source, keywords[i].name);

		if (json_exists(value) && !keywords[i].compile(c, at, value))
			return false;
	}
	return true;
}

static void schema_node_free(struct schema_node *node)
{
	for (size_t i = 0; i < node->matching.n; i++)
		schema_pattern_free(node->matching.at[i].pattern);
	schema_pattern_free(node->pattern);
	vec_clear(&node->matching);
	vec_clear(&node->first);
	vec_clear(&node->all);
	vec_clear(&node->any);
	vec_clear(&node->one);
	map_clear(&node->properties);
	free(node);
}

static void compiler_clear(struct compiler *c)
{
	map_clear(&c->seen);
}

struct schema *schema_compile(struct json source, struct err *err)
{
	defer(schema_freep) struct schema *schema = xnew(struct schema);
	defer(compiler_clear) struct compiler c = { .schema = schema, .root = source, .err = err };

	schema->root = schema_node_for(&c, (struct place){ NULL, "", NULL }, SV_EMPTY, source);
	for (size_t i = 0; i < schema->nodes.n; i++)
		if (!schema_compile_node(&c, schema->nodes.at[i]))
			return NULL;
	return move(schema);
}

void schema_free(struct schema *schema)
{
	if (!schema)
		return;
	for (size_t i = 0; i < schema->nodes.n; i++)
		schema_node_free(schema->nodes.at[i]);
	vec_clear(&schema->nodes);
	free(schema);
}

void schema_freep(struct schema **schema)
{
	schema_free(*schema);
	*schema = NULL;
}

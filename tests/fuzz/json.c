/* Any bytes as JSON: the reader, the pool and the span scanner agree on what is
 * valid; what is valid survives writing, and editing as text. */
#include "text/json/json.h"

#include "text/json/json_span.h"
#include "text/json/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(struct json root, unsigned flags, enum jw_style style)
{
	defer(str_clear) struct str once = STR_INIT, twice = STR_INIT;
	defer(json_doc_freep) struct json_doc *again = NULL;
	struct err err = ERR_INIT;
	struct jw w;

	jw_init(&w, &once, style);
	jw_value(&w, root);
	jw_done(&w);
	again = json_parse(sv_of(&once), flags, &err);
	BUG_ON(!again || !json_equal(root, json_root(again)));
	jw_init(&w, &twice, style);
	jw_value(&w, json_root(again));
	BUG_ON(!sv_eq(sv_of(&once), sv_of(&twice)));
}

/* Each raw span reads as the item that the tree has in its place. */
static void check_items(struct sv text, struct json root)
{
	struct json_iter in_tree = json_each(root);
	struct json_span_iter it;
	struct json_item item;
	struct err err = ERR_INIT;
	struct json value;
	struct sv key = SV_EMPTY;

	if (!json_is(root, JSON_ARRAY) && !json_is(root, JSON_OBJECT))
		return;
	BUG_ON(!json_span_each(&it, text, JSON_SPAN_ALL(text), &err));
	while (json_span_next(&it, &item, &err) && !it.done) {
		defer(json_doc_freep) struct json_doc *part = NULL;

		BUG_ON(!json_next(&in_tree, &key, &value));
		BUG_ON(in_tree.keyed && !json_span_key_is(text, item.key, key));
		part = json_parse(json_span_sv(text, item.value), 0, &err);
		BUG_ON(!part || !json_equal(json_root(part), value));
	}
	BUG_ON(!it.done || in_tree.left);
}

/* A member added and removed again leaves no trace in a container with others. */
static void check_edits(struct sv text, struct json root)
{
	defer(str_clear) struct str edited = STR_INIT, step = STR_INIT;
	defer(json_doc_freep) struct json_doc *after = NULL;
	struct err err = ERR_INIT;
	struct json_span span;

	if (!json_len(root))
		return;
	if (json_is(root, JSON_OBJECT))
		str_adds(&step, "a key of our own");
	else
		str_addf(&step, "%zu", json_len(root));
	str_add(&edited, text);
	if (json_span_find(text, JSON_STEPS(sv_of(&step)), &span, &err))
		return;
	BUG_ON(!json_span_set(&edited, JSON_STEPS(sv_of(&step)), SV("[1.50]"), &err));
	after = json_parse(sv_of(&edited), 0, &err);
	BUG_ON(!after || json_len(json_root(after)) != json_len(root) + 1);
	BUG_ON(!json_span_remove(&edited, JSON_STEPS(sv_of(&step)), &err));
	BUG_ON(!sv_eq(sv_of(&edited), text));
}

static void check_removal(struct sv text, struct json root)
{
	defer(str_clear) struct str edited = STR_INIT;
	defer(json_doc_freep) struct json_doc *after = NULL;
	struct json_iter it = json_each(root);
	struct err err = ERR_INIT;
	struct json item;
	struct sv key;

	if (!it.keyed || !json_next(&it, &key, &item))
		return;
	str_add(&edited, text);
	BUG_ON(!json_span_remove(&edited, JSON_STEPS(key), &err));
	after = json_parse(sv_of(&edited), 0, &err);
	BUG_ON(!after || json_exists(json_get_sv(json_root(after), key)));
}

static void check_valid(struct sv text, struct json root)
{
	defer(json_doc_freep) struct json_doc *raw = NULL, *lenient = NULL;
	struct err err = ERR_INIT;

	raw = json_parse(text, JSON_RAW_NUMBERS, &err);
	lenient = json_parse(text, JSON_LENIENT, &err);
	BUG_ON(!raw || !json_equal(json_root(raw), root));
	BUG_ON(!lenient || !json_equal(json_root(lenient), root));
	check_round_trip(root, 0, JW_COMPACT);
	check_round_trip(root, 0, JW_PRETTY);
	check_round_trip(json_root(raw), JSON_RAW_NUMBERS, JW_COMPACT);
	check_items(text, root);
	check_edits(text, root);
	check_removal(text, root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = sv_from((const char *)data, size);
	struct err err = ERR_INIT, pool_err = ERR_INIT, span_err = ERR_INIT;
	defer(json_pool_clear) struct json_pool pool = JSON_POOL_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, &err), *lenient = NULL;
	struct json_span span;
	struct json pooled;
	bool valid = doc != NULL;

	BUG_ON(json_parse_in(&pool, text, 0, &pooled, &pool_err) != valid);
	BUG_ON(json_span_root(text, &span, &span_err) != valid);
	if (valid) {
		BUG_ON(!json_equal(pooled, json_root(doc)));
		check_valid(text, json_root(doc));
		return 0;
	}
	BUG_ON(strcmp(err.text, pool_err.text) != 0);
	BUG_ON(!err.text[0] || !span_err.text[0]);
	lenient = json_parse(text, JSON_LENIENT, &err);
	if (lenient)
		check_round_trip(json_root(lenient), 0, JW_COMPACT);
	return 0;
}

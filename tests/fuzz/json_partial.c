/* Any bytes as a stream: the first one says how long the chunks are. However cut,
 * the outcome is the same; what is shown on the way is always valid; and all this
 * agrees with the reader of whole texts. */
#include "text/json/json_partial.h"

#include "text/json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_closed(const struct json_partial *p)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	json_partial_close(p, &text);
	doc = json_parse(sv_of(&text), 0, &err);
	BUG_ON(!doc);
}

/* Fails or succeeds as one big feed would; closes after every few chunks, so that
 * long inputs stay quick. */
static bool feed_in_chunks(struct json_partial *p, struct sv text, size_t chunk, struct err *err)
{
	size_t pause = 1 + text.len / 64;
	bool ok = true;

	for (size_t at = 0, next = 0; at < text.len; at += chunk) {
		ok = json_partial_feed(p, sv_slice(text, at, at + chunk), err);
		if (at < next)
			continue;
		check_closed(p);
		next = at + pause;
	}
	return ok;
}

static void check_same(const struct json_partial *a, const struct json_partial *b)
{
	defer(str_clear) struct str shown_a = STR_INIT, shown_b = STR_INIT;

	json_partial_close(a, &shown_a);
	json_partial_close(b, &shown_b);
	BUG_ON(!sv_eq(sv_of(&shown_a), sv_of(&shown_b)));
	BUG_ON(!sv_eq(sv_of(&a->text), sv_of(&b->text)));
	BUG_ON(json_partial_is_complete(a) != json_partial_is_complete(b));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(json_partial_clear) struct json_partial whole = JSON_PARTIAL_INIT;
	defer(json_partial_clear) struct json_partial pieces = JSON_PARTIAL_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err whole_err = ERR_INIT, pieces_err = ERR_INIT, parse_err = ERR_INIT;
	struct sv text;
	bool ok;

	if (!size)
		return 0;
	text = sv_from((const char *)data + 1, size - 1);
	ok = json_partial_feed(&whole, text, &whole_err);
	BUG_ON(feed_in_chunks(&pieces, text, (size_t)data[0] + 1, &pieces_err) != ok);
	BUG_ON(strcmp(whole_err.text, pieces_err.text) != 0);
	check_same(&whole, &pieces);
	check_closed(&whole);
	doc = json_parse(text, 0, &parse_err);
	if (sv_starts(text, SV("\xef\xbb\xbf")))
		return 0;
	BUG_ON(doc && !ok);
	BUG_ON(ok && json_partial_is_complete(&whole) && !doc);
	BUG_ON(doc && !json_partial_is_complete(&whole) && !json_is(json_root(doc), JSON_NUMBER));
	return 0;
}

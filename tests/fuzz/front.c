/* The body is the end of the text; what is accepted is a JSON object that reads
 * back from its own text; errors name a line that exists. */
#include "text/front_matter.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "text/json/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(const struct err *err, struct sv text)
{
	struct sv number = sv_skip(sv_cstr(err->text), strlen("line "));
	struct sv line;
	int64_t claimed = 0, lines = 1;

	BUG_ON(err->kind != ERR_PARSE && err->kind != ERR_TOO_BIG);
	if (!sv_starts(sv_cstr(err->text), SV("line ")))
		return;
	BUG_ON(!sv_cut(&number, ':', &line) || !sv_to_int(line, &claimed));
	/* libyaml has more ways to end a line than Markdown. */
	for (size_t i = 0; i < text.len; i++)
		lines += (unsigned char)text.ptr[i] < ' ' || (unsigned char)text.ptr[i] >= 0x80;
	BUG_ON(claimed < 2 || claimed > lines);
}

static void check_meta(struct json meta)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *again = NULL;
	struct err err = ERR_INIT;
	struct jw w;

	BUG_ON(!json_is(meta, JSON_OBJECT));
	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, meta);
	jw_done(&w);
	again = json_parse(sv_of(&text), 0, &err);
	BUG_ON(!again || !json_equal(json_root(again), meta));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = sv_from((const char *)data, size);
	defer(front_matter_clear) struct front_matter front = { .meta = NULL };
	struct err err = ERR_INIT;

	if (!front_matter_parse(&front, text, &err)) {
		check_error(&err, text);
		return 0;
	}
	BUG_ON(!sv_ends(text, front.body));
	BUG_ON(!front.meta && text.len - front.body.len > strlen("\xef\xbb\xbf"));
	if (front.meta)
		check_meta(json_root(front.meta));
	return 0;
}

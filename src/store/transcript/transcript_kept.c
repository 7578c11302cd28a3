#include "store/transcript/transcript_kept.h"

#include "base/limits.h"
#include "text/json/json.h"

static bool kept_take_id(struct uuid *out, struct json value)
{
	struct sv id = json_str_or(value, SV_EMPTY);

	if (!id.len || id.len >= sizeof(out->text))
		return false;
	*out = (struct uuid){ .text = "" };
	memcpy(out->text, id.ptr, id.len);
	return true;
}

static void kept_read_list(struct kept *kept, struct json messages)
{
	struct json_iter it = json_each(json_get(messages, "uuids"));
	struct json value;
	struct uuid id;

	if (!kept_take_id(&kept->anchor, json_get(messages, "anchorUuid")))
		return;
	while (kept->list.n < LIMIT_RESUME_RECORDS && json_next(&it, NULL, &value))
		if (kept_take_id(&id, value))
			map_put(&kept->list, sv_cstr(id.text), kept);
	kept->is_list = kept->list.n > 0;
}

bool kept_read(struct kept *out, struct sv metadata)
{
	struct err ignored;
	defer(json_doc_freep) struct json_doc *doc =
		metadata.len ? json_parse(metadata, 0, &ignored) : NULL;
	struct json root = json_root(doc), segment = json_get(root, "preservedSegment");

	*out = (struct kept){ .list = MAP_INIT };
	kept_read_list(out, json_get(root, "preservedMessages"));
	return out->is_list || (kept_take_id(&out->anchor, json_get(segment, "anchorUuid")) &&
				kept_take_id(&out->head, json_get(segment, "headUuid")) &&
				kept_take_id(&out->tail, json_get(segment, "tailUuid")));
}

void kept_clear(struct kept *kept)
{
	map_clear(&kept->list);
}

bool kept_begins_with(const struct kept *kept, struct sv id)
{
	return kept->is_list ? map_get(&kept->list, id) != NULL : sv_is(id, kept->tail.text);
}

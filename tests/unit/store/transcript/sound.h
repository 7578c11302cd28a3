/* sound.h - whether a conversation is one that a model accepts, whatever it was
 * loaded from. Used by the unit tests and by the fuzz target. */
#ifndef AWL_TESTS_UNIT_STORE_TRANSCRIPT_SOUND_H
#define AWL_TESTS_UNIT_STORE_TRANSCRIPT_SOUND_H

#include "base/map.h"
#include "store/transcript/transcript.h"
#include "text/json/json.h"

static inline struct sv sound_member(struct json block, const char *key)
{
	return json_str_or(json_get(block, key), SV_EMPTY);
}

static inline bool sound_is_blank(struct json text)
{
	return !sv_trim(json_str_or(text, SV_EMPTY)).len;
}

/* Takes the results out of `open`, and puts the calls into it; `seen` has all. */
static inline const char *sound_block(struct json block, bool assistant, struct map *open,
				      struct map *seen)
{
	struct sv type = sound_member(block, "type");

	if (!type.len)
		return "a block without a type";
	if (sv_is(type, "text") && sound_is_blank(json_get(block, "text")))
		return "a blank text";
	if (sv_is(type, "tool_use") && (!assistant || !sound_member(block, "id").len ||
					map_put(seen, sound_member(block, "id"), seen)))
		return "a call by the user, or without an id of its own";
	if (sv_is(type, "tool_use"))
		map_put(open, sound_member(block, "id"), open);
	if (sv_is(type, "tool_result") &&
	    (assistant || !map_remove(open, sound_member(block, "tool_use_id"))))
		return "a result that nobody asked for";
	return NULL;
}

static inline const char *sound_content(struct json content, bool assistant, struct map *open,
					struct map *seen)
{
	struct json_iter it = json_each(content);
	const char *why = NULL;
	struct json block;
	size_t thoughts = 0;

	if (json_is(content, JSON_STRING))
		return assistant                 ? "an answer that is a string"
		       : sound_is_blank(content) ? "a blank content"
						 : NULL;
	while (!why && json_next(&it, NULL, &block)) {
		thoughts += sv_is(sound_member(block, "type"), "thinking");
		why = sound_block(block, assistant, open, seen);
	}
	return why ? why : thoughts == json_len(content) ? "nothing but thoughts" : NULL;
}

/* NULL, or what is wrong. */
static inline const char *unsound(const struct transcript_loaded *l)
{
	defer(map_clear) struct map open = MAP_INIT, seen = MAP_INIT;
	const char *why = NULL;
	struct err err;

	for (size_t i = 0; !why && i < l->messages.n; i++) {
		const struct transcript_message *m = &l->messages.at[i];
		defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&m->json), 0, &err);
		struct sv role = sound_member(json_root(doc), "role");

		if (!doc)
			why = "a message that is not JSON";
		else if (m->assistant != (i % 2 == 1) ||
			 !sv_is(role, m->assistant ? "assistant" : "user"))
			why = "roles that do not alternate";
		else if (m->assistant && open.n)
			why = "a call without a result";
		else
			why = sound_content(json_get(json_root(doc), "content"), m->assistant,
					    &open, &seen);
	}
	return why ? why : open.n ? "a call without a result at the end" : NULL;
}

#endif

#include "core/hooks/session_display.h"

#include "core/hooks/session_hooks.h"
#include "core/session/session_host.h"
#include "proto/message.h"
#include "text/json/json_write.h"

/* Something to tell. */
struct display_item {
	struct session *s;
	struct event event; /* of a text: borrows from `arena`; of others only the kind counts */
	struct str json;
	bool waits; /* for hooks */
	struct str uuid;
	struct arena arena;
};

static void session_display_free(struct display_item *item)
{
	str_clear(&item->json);
	str_clear(&item->uuid);
	arena_clear(&item->arena);
	free(item);
}

void session_display_clear(display_items *held)
{
	for (size_t i = 0; i < held->n; i++)
		session_display_free(held->at[i]);
	vec_clear(held);
}

/* Tell what no longer waits, in order. */
static void session_display_flush(struct session *s)
{
	display_items *held = &s->handlers->held;

	while (held->n && !held->at[0]->waits) {
		struct display_item *item = held->at[0];

		vec_remove(held, 0);
		if (!session_is_closed(s))
			s->on_event(s->arg, &item->event, &item->json);
		session_display_free(item);
	}
}

static struct display_item *session_display_add(struct session *s, const struct event *event,
						struct str *json)
{
	struct display_item *item = xnew(struct display_item);

	item->s = s;
	item->event = *event;
	item->json = *json;
	*json = (struct str)STR_INIT;
	vec_push(&s->handlers->held, item);
	return item;
}

/* --- a text ----------------------------------------------------------------------------------- */

/* Write the message with another text. */
static void session_display_replace(struct str *out, struct sv message, struct sv text)
{
	defer(str_clear) struct str block = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(message, 0, &err);
	struct json_iter it = json_each(json_root(doc));
	struct json value;
	struct sv key;
	struct jw w;

	block_text(&block, text);
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	while (json_next(&it, &key, &value)) {
		jw_key(&w, key);
		if (sv_is(key, "content")) {
			jw_array(&w);
			jw_raw(&w, sv_of(&block));
			jw_end(&w);
		} else {
			jw_value(&w, value);
		}
	}
	jw_end(&w);
	jw_done(&w);
}

static void session_display_apply(struct session *s, const struct hook_answer *answer, void *point)
{
	struct display_item *item = point;
	defer(str_clear) struct str message = STR_INIT;

	if (!item || !answer->display_content.len)
		return;
	session_display_replace(&message, item->event.message.json, answer->display_content);
	item->event.message.json = arena_dup(&item->arena, sv_of(&message));
	str_truncate(&item->json, 0);
	event_write(&item->json, &item->event, sv_of(&item->uuid),
		    sv_cstr(s->conversation.id.text));
}

static void session_display_on_hooks(struct op *op, void *owner, const struct err *why)
{
	struct display_item *item = owner;
	struct session_hooks *h = item->s->handlers;

	item->waits = false;
	session_display_flush(item->s);
	session_hooks_on_shown(op, h, why); /* the session may be gone then */
}

static void session_display_ask(struct session *s, struct display_item *item, struct sv text,
				struct sv uuid)
{
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_MESSAGE_DISPLAY);

	in.turn_id = sv_of(&s->prompts.id);
	in.message_id = uuid;
	in.final = true;
	in.delta = text;
	session_hooks_show(s, &in, session_display_apply, item,
			   item ? THEN(session_display_on_hooks, item)
				: THEN(session_hooks_on_shown, s->handlers));
}

/* Each text is reported when it is complete, as one batch of lines. */
static bool session_display_text(struct session *s, const struct event *event, struct sv uuid,
				 struct str *json, bool holds)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(event->message.json, 0, &err);
	struct display_item *item;

	content_text(&text, json_get(json_root(doc), "content"));
	if (!text.len)
		return false;
	if (!holds) {
		session_display_ask(s, NULL, sv_of(&text), uuid);
		return false;
	}
	item = session_display_add(s, event, json);
	item->waits = true;
	str_add(&item->uuid, uuid);
	item->event.message.json = arena_dup(&item->arena, event->message.json);
	item->event.message.request_id = arena_dup(&item->arena, event->message.request_id);
	item->event.parent_tool_use_id = SV_EMPTY;
	item->event.prompts = NULL;
	item->event.nprompts = 0;
	session_display_ask(s, item, sv_of(&text), uuid);
	return true;
}

bool session_display_hold(struct session *s, const struct event *event, struct sv uuid,
			  struct str *json)
{
	bool has_hooks = s->handlers && s->state == SESSION_TURN &&
			 hooks_has(s->handlers->engine, HOOK_MESSAGE_DISPLAY);
	bool holds = has_hooks && session_is_at_terminal(s);
	bool is_own = !event->parent_tool_use_id.len;

	if (holds && event->kind == EVENT_STREAM && is_own)
		return sv_find(event->stream.json, SV("\"text_delta\"")) != SIZE_MAX;
	if (has_hooks && event->kind == EVENT_ASSISTANT && is_own &&
	    session_display_text(s, event, uuid, json, holds))
		return true;
	if (!s->handlers || !s->handlers->held.n || event->kind == EVENT_REPLY)
		return false;
	session_display_add(s, event, json);
	return true;
}

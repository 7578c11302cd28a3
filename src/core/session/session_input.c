/* What a session is sent: prompts, interrupts, responses to its own requests, and the control
 * requests of a host (control.c). */
#include "base/log.h"
#include "core/commands/commands.h"
#include "core/control/control.h"
#include "core/mcp/session_mcp.h"
#include "core/policy/perm_update.h"
#include "core/policy/session_sandbox.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/session/session_prompts.h"
#include "core/session/session_tasks.h"
#include "core/toolset/deferred.h"
#include "proto/input.h"
#include "proto/message.h"
#include "text/json/json_write.h"

/* --- prompts ---------------------------------------------------------------------------- */

/* Make room behind all that wait, or before those that wait for the others; never among those
 * that hooks look at. */
static struct session_waiting *session_input_make_space(struct session *s, bool is_later)
{
	struct session_waiting *w;
	size_t last = s->prompts.waiting.n, at = last;
	size_t busy = session_prompts_busy(s);

	(void)vec_add(&s->prompts.waiting);
	while (!is_later && at > busy && s->prompts.waiting.at[at - 1].is_later)
		at--;
	w = &s->prompts.waiting.at[at];
	memmove(w + 1, w, (last - at) * sizeof(*w));
	*w = (struct session_waiting){ .is_later = is_later };
	return w;
}

/* Queue a prompt; takes `blocks`. A command of ours is queued as such, not for the model. `in` has
 * how it is meant. */
static struct session_waiting *session_input_queue(struct session *s, struct str *blocks,
						   struct sv text, const struct input_prompt *in)
{
	struct session_waiting *w = session_input_make_space(s, in->priority == INPUT_LATER);
	struct err err = ERR_INIT;

	w->blocks = *blocks;
	*blocks = (struct str)STR_INIT;
	w->silent = in->silent;
	w->is_named = uuid_valid(in->uuid);
	if (w->is_named)
		str_add(&w->uuid, in->uuid);
	else
		str_adds(&w->uuid, uuid_v4(loop_rng(s->engine->loop)).text);
	session_receive_prompt(s, w);
	if (!in->verbatim && session_is_command(s, text, in->typed))
		str_add(&w->command, text);
	else if (s->conversation.transcript &&
		 !transcript_enqueue(s->conversation.transcript, sv_of(&w->uuid), text,
				     loop_wall(s->engine->loop), &err))
		log_warn("a queued prompt is not saved: %s",
			 err.text); /* reported when it begins */
	return w;
}

/* Whether a command need not wait for what is under way, because a person has typed it. Programs
 * expect the results in the order of their prompts. */
static bool session_input_is_immediate(const struct session *s, struct sv text,
				       const struct input_prompt *in)
{
	return in->typed && s->kind.has_user && s->state != SESSION_IDLE && !session_is_closed(s) &&
	       session_is_immediate_command(s, text);
}

static void session_input_add_waiting(struct session *s, struct str *blocks, struct sv text,
				      const struct input_prompt *in)
{
	if (session_input_is_immediate(s, text, in)) {
		session_command(s, text);
		return;
	}
	log_debug("prompt: %zu bytes, queued", text.len);
	session_input_queue(s, blocks, text, in);
	if (!s->prompts.waiting.at[s->prompts.waiting.n - 1].command.len)
		session_mcp_read_mentions(s, text);
	if (s->shared.background)
		background_announce(s->shared.background);
	session_check_prompts(s);
	session_pump(s);
}

/* A service refuses a message of white space, and every request after it. */
static struct sv session_input_something(struct sv text)
{
	return sv_trim(text).len ? text : SV("(empty message)");
}

void session_prompt(struct session *s, struct sv text)
{
	defer(str_clear) struct str blocks = STR_INIT;

	block_text(&blocks, session_input_something(text));
	session_input_add_waiting(s, &blocks, text, &(struct input_prompt){ .typed = true });
}

void session_prompt_first(struct session *s, struct sv text)
{
	defer(str_clear) struct str blocks = STR_INIT;
	struct session_waiting *w, first;

	block_text(&blocks, text);
	w = session_input_queue(s, &blocks, text, &(struct input_prompt){ .verbatim = true });
	first = *w;
	memmove(s->prompts.waiting.at + 1, s->prompts.waiting.at,
		(size_t)(w - s->prompts.waiting.at) * sizeof(first));
	s->prompts.waiting.at[0] = first;
	session_pump(s);
}

/* A message with the same id is the same message. */
static bool session_input_is_repeated(struct session *s, struct sv uuid)
{
	return uuid.len && map_put(&s->prompts.seen, uuid, s);
}

static void session_input_take_prompt(struct session *s, const struct input_prompt *in)
{
	defer(str_clear) struct str blocks = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	if (s->is_ending || session_input_is_repeated(s, in->uuid)) {
		log_debug("prompt %.*s is ignored: %s", SV_ARG(in->uuid),
			  s->is_ending ? "the session ends" : "it was sent before");
		return;
	}
	if (in->priority == INPUT_NOW)
		session_supersede(s);
	content_text(&text, in->content);
	if (json_is(in->content, JSON_STRING) || !json_len(in->content))
		block_text(&blocks, session_input_something(sv_of(&text)));
	else
		content_blocks(&blocks, in->content);
	session_input_add_waiting(s, &blocks, sv_of(&text), in);
}

/* --- answers ---------------------------------------------------------------------------- */

void session_answer(struct session *s, struct sv request_id, const struct answer_given *answer)
{
	if (!host_queue_answer(&s->host, request_id, answer))
		return;
	session_channel_forget(s, request_id);
	if (!host_queue_needs_user(&s->host))
		session_emit_activity(s);
}

static void session_input_change_permissions(struct session *s, struct json changes)
{
	defer(str_clear) struct str notes = STR_INIT;

	perm_updates_apply(s, changes, &notes);
	if (notes.len)
		session_inform(s, NOTICE_WARNING, sv_of(&notes));
}

static void session_input_write(struct str *out, struct json value)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
}

/* An answer that makes no sense is a no. */
static void session_input_deny(struct session *s, struct sv request_id, const struct err *why)
{
	defer(str_clear) struct str message = STR_INIT;

	log_warn("a permission question was not answered: %s", why->text);
	str_addf(&message, "Not run: the permission handler failed. %s", why->text);
	session_answer(s, request_id, &(struct answer_given){ .message = sv_of(&message) });
}

static void session_input_take_answer(struct session *s, const struct input_response *response)
{
	defer(str_clear) struct str new_input = STR_INIT, content = STR_INIT, blocks = STR_INIT;
	struct permission_answer answer = { .allow = false };
	struct err err = ERR_INIT;

	if (response->has_failed)
		err_set(&err, ERR_INVALID, "%.*s", SV_ARG(response->error));
	if (response->has_failed || !permission_answer_read(&answer, response->body, &err)) {
		session_input_deny(s, response->request_id, &err);
		return;
	}
	session_input_change_permissions(s, answer.changes);
	if (json_exists(answer.changes))
		session_sandbox_settle_hosts(s, response->request_id);
	if (json_is(answer.updated_input, JSON_OBJECT))
		session_input_write(&new_input, answer.updated_input);
	if (content_blocks(&content, answer.blocks))
		blocks_add_media(&blocks, sv_of(&content));
	session_answer(s, response->request_id,
		       &(struct answer_given){ .allow = answer.allow,
					       .interrupt = answer.interrupt,
					       .message = answer.message,
					       .blocks = sv_of(&blocks),
					       .new_input = sv_of(&new_input),
					       .is_permanent = answer.is_permanent });
}

static void session_input_take_late_yes(struct session *s, struct sv id, struct sv name,
					struct sv new_input)
{
	defer(str_clear) struct str text = STR_INIT, facts = STR_INIT;
	struct jw w;

	agent_allow_lost(s->agent, id, new_input);
	str_addf(&text, "Allowed %.*s", SV_ARG(name));
	jw_init(&w, &facts, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "commands");
	jw_str(&w, name);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	session_records_add(s, "permission_retry", sv_of(&text), sv_of(&facts));
}

/* The answer to a question of an earlier process, which ended meanwhile: it counts once, if the
 * conversation still ends with the call. */
static void session_input_take_late(struct session *s, const struct input_response *response)
{
	defer(str_clear) struct str new_input = STR_INIT, text = STR_INIT, name = STR_INIT;
	struct permission_answer answer = { .allow = false };
	struct err err = ERR_INIT;

	if (response->has_failed || !permission_answer_read(&answer, response->body, &err) ||
	    s->state != SESSION_IDLE || s->prompts.waiting.n ||
	    !deferred_is_lost(agent_history(s->agent), answer.id, &name)) {
		log_debug("response %.*s is ignored: nothing waits for it",
			  SV_ARG(response->request_id));
		return;
	}
	session_input_change_permissions(s, answer.changes);
	if (json_is(answer.updated_input, JSON_OBJECT))
		session_input_write(&new_input, answer.updated_input);
	if (answer.allow)
		session_input_take_late_yes(s, answer.id, sv_of(&name), sv_of(&new_input));
	str_addf(&text, "The user has %s the call that was interrupted (%.*s)%s",
		 answer.allow ? "allowed" : "declined", SV_ARG(answer.id),
		 answer.allow ? "." : "; it was not run. ");
	if (!answer.allow)
		str_add(&text, answer.message);
	session_wake(s, sv_of(&text));
}

/* Deliver a response to the request with its id; one that is not open is ignored. */
static void session_input_take_response(struct session *s, const struct input_response *response)
{
	const struct host_request *request = host_queue_find(&s->host, response->request_id);
	defer(str_clear) struct str body = STR_INIT;
	struct err err = ERR_INIT;
	bool needed_user = request && host_request_needs_user(request);

	if (!request) {
		session_input_take_late(s, response);
		return;
	}
	if (request->kind == HOST_CAN_USE_TOOL) {
		session_input_take_answer(s, response);
		return;
	}
	if (response->has_failed)
		err_set(&err, ERR_PROTOCOL, "%.*s", SV_ARG(response->error));
	else if (json_exists(response->body))
		session_input_write(&body, response->body);
	host_queue_respond(&s->host, response->request_id, sv_of(&body),
			   response->has_failed ? &err : NULL);
	if (needed_user && !host_queue_needs_user(&s->host))
		session_emit_activity(s);
}

/* --- all --------------------------------------------------------------------------------- */

bool session_take(struct session *s, struct sv line, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(line, 0, err);
	struct input in;

	if (!doc || !input_read(&in, json_root(doc), err))
		return false;
	switch (in.kind) {
	case INPUT_IGNORED: break;
	case INPUT_CANCEL: control_withdraw(s, in.cancel.request_id); break;
	case INPUT_PROMPT: session_input_take_prompt(s, &in.prompt); break;
	case INPUT_REQUEST: control_handle(s, &in.request); break;
	case INPUT_RESPONSE: session_input_take_response(s, &in.response); break;
	}
	return true;
}

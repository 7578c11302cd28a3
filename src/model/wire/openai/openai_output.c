#include "model/wire/openai/openai_output.h"

#include "base/limits.h"
#include "base/mem.h"

void openai_output_init(struct openai_output *a, const struct model_request *request,
			wire_event_fn *emit, void *arg)
{
	*a = (struct openai_output){ .request = request, .open = MODEL_BLOCK_OTHER };
	raw_events_init(&a->raw, request->raw, emit, arg);
	a->blocks = blocks_new(raw_events_emit, &a->raw);
	embedded_calls_init(&a->embedded, request);
	a->think = (struct think_tags)THINK_TAGS_INIT;
}

static void openai_output_call_free(struct openai_call *call)
{
	str_clear(&call->sent);
	str_clear(&call->id);
	str_clear(&call->name);
	str_clear(&call->extra);
	tool_input_clear(&call->input);
	free(call);
}

void openai_output_clear(struct openai_output *a)
{
	for (size_t i = 0; i < a->calls.n; i++)
		openai_output_call_free(a->calls.at[i]);
	vec_clear(&a->calls);
	think_tags_clear(&a->think);
	openai_details_clear(&a->details);
	embedded_calls_clear(&a->embedded);
	blocks_free(a->blocks);
	raw_events_clear(&a->raw);
	json_halves_clear(&a->halves);
	str_clear(&a->blank);
	str_clear(&a->text);
}

void openai_output_start(struct openai_output *a, struct sv id, struct sv model)
{
	if (!a->started)
		raw_events_emit(&a->raw, &(struct model_event){
						 .kind = MODEL_START, .text = id, .model = model });
	a->started = true;
}

void openai_output_note(struct openai_output *a, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	wire_format_note(&text, fmt, args);
	va_end(args);
	raw_events_emit(&a->raw, &(struct model_event){ .kind = MODEL_NOTE, .text = sv_of(&text) });
}

/* Text and thinking. */

static bool openai_output_close_open(struct openai_output *a, struct err *err)
{
	enum model_block open = a->open;

	a->open = MODEL_BLOCK_OTHER;
	if (open == MODEL_BLOCK_OTHER)
		return true;
	return (open != MODEL_BLOCK_THINKING || a->signature.len == 0 ||
		blocks_signature(a->blocks, a->open_index, a->signature, err)) &&
	       blocks_stop(a->blocks, a->open_index, err);
}

static bool openai_output_open_block(struct openai_output *a, enum model_block type,
				     struct err *err)
{
	struct sv json = type == MODEL_BLOCK_TEXT ? SV("{\"type\":\"text\",\"text\":\"\"}")
						  : BLOCKS_EMPTY_THINKING;

	if (a->open == type)
		return true;
	if (!openai_output_close_open(a, err) || !blocks_start(a->blocks, a->next, json, err))
		return false;
	a->open = type;
	a->open_index = a->next++;
	a->signature = SV_EMPTY;
	return true;
}

/* White space alone does not make a block, because many models put a line break between their thinking
 * and their calls. Before a text, it belongs to the text. */
static bool openai_output_put_text(struct openai_output *a, struct sv piece, struct err *err)
{
	if (a->open != MODEL_BLOCK_TEXT && sv_trim(piece).len == 0 &&
	    str_add_capped(&a->blank, piece, LIMIT_MODEL_BLANKS))
		return true;
	if (!openai_output_open_block(a, MODEL_BLOCK_TEXT, err) ||
	    (a->blank.len > 0 && !blocks_text(a->blocks, a->open_index, sv_of(&a->blank), err)))
		return false;
	str_truncate(&a->blank, 0);
	return blocks_text(a->blocks, a->open_index, piece, err);
}

static bool openai_output_add_text(struct openai_output *a, struct sv piece, struct err *err)
{
	if (embedded_calls_pass(&a->embedded, piece))
		return piece.len == 0 || openai_output_put_text(a, piece, err);
	str_truncate(&a->text, 0);
	embedded_calls_feed(&a->embedded, piece, &a->text);
	return a->text.len == 0 || openai_output_put_text(a, sv_of(&a->text), err);
}

static bool openai_output_add_thinking(struct openai_output *a, struct sv piece,
				       struct sv signature, struct err *err)
{
	if (!openai_output_open_block(a, MODEL_BLOCK_THINKING, err))
		return false;
	a->signature = signature;
	return blocks_thinking(a->blocks, a->open_index, piece, err);
}

/* The open block of text turns out to be thinking. What looked like a call in it was not one. */
static bool openai_output_retype_text(struct openai_output *a, struct err *err)
{
	defer(str_clear) struct str pending = STR_INIT;

	embedded_calls_release(&a->embedded, &pending);
	if (pending.len > 0 && !openai_output_put_text(a, sv_of(&pending), err))
		return false;
	if (a->calls.n == 0) {
		embedded_calls_clear(&a->embedded);
		embedded_calls_init(&a->embedded, a->request);
	}
	str_truncate(&a->blank, 0);
	if (a->open != MODEL_BLOCK_TEXT)
		return true;
	a->open = MODEL_BLOCK_THINKING;
	a->signature = SV(OPENAI_SIGNED_FIELD OPENAI_THINK_TAG);
	return blocks_become_thinking(a->blocks, a->open_index, err) &&
	       openai_output_close_open(a, err);
}

static bool openai_output_on_think(void *arg, enum think_kind kind, struct sv text, struct err *err)
{
	struct openai_output *a = arg;

	switch (kind) {
	case THINK_TEXT: return openai_output_add_text(a, text, err);
	case THINK_THINKING:
		return openai_output_add_thinking(a, text, SV(OPENAI_SIGNED_FIELD OPENAI_THINK_TAG),
						  err);
	case THINK_WAS_THINKING: return openai_output_retype_text(a, err);
	}
	return true;
}

bool openai_output_text(struct openai_output *a, struct sv piece, struct err *err)
{
	return think_tags_feed(&a->think, json_halves_feed(&a->halves, piece),
			       openai_output_on_think, a, err);
}

bool openai_output_refusal(struct openai_output *a, struct sv piece, struct err *err)
{
	a->refused |= piece.len > 0;
	return piece.len == 0 || openai_output_put_text(a, piece, err);
}

/* A server that has a field for thinking leaves no tags of it in the text. */
bool openai_output_thinking(struct openai_output *a, struct sv piece, struct sv signature,
			    struct err *err)
{
	if (piece.len == 0)
		return true;
	a->think.state = THINK_OFF;
	return openai_output_add_thinking(a, piece, signature, err);
}

bool openai_output_sign(struct openai_output *a, struct sv signature, struct err *err)
{
	if (!openai_output_open_block(a, MODEL_BLOCK_THINKING, err))
		return false;
	a->signature = signature;
	return openai_output_close_open(a, err);
}

/* Ids: the server's own if they are unique. Otherwise awl makes them from the position of the call, so
 * that the same conversation gets the same ids. */

static bool openai_output_is_taken(const struct openai_output *a, struct sv id)
{
	for (size_t i = 0; i < a->calls.n; i++)
		if (a->calls.at[i]->started && sv_eq(sv_of(&a->calls.at[i]->id), id))
			return true;
	return request_has_id(a->request, id);
}

static void openai_output_make_id(const struct openai_output *a, struct str *id)
{
	size_t n = a->calls.n - 1;

	do {
		str_truncate(id, 0);
		str_addf(id, "call_%zu_%zu", a->request->nmessages, n++);
	} while (openai_output_is_taken(a, sv_of(id)));
}

static void openai_output_settle_id(struct openai_output *a, struct openai_call *call)
{
	if (call->sent.len == 0) {
		if (!a->made_id)
			openai_output_note(
				a, "the server sent tool calls without ids; awl assigned ids");
		a->made_id = true;
	} else if (openai_output_is_taken(a, sv_of(&call->sent))) {
		if (!a->broke_id)
			openai_output_note(a,
					   "the server used the id %s for two tool calls; awl "
					   "assigned a new id to the second",
					   str_c(&call->sent));
		a->broke_id = true;
	} else {
		str_add(&call->id, sv_of(&call->sent));
		return;
	}
	openai_output_make_id(a, &call->id);
}

/* Calls. */

static bool openai_output_start_call(struct openai_output *a, struct openai_call *call,
				     struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	if (!openai_output_close_open(a, err))
		return false;
	openai_output_settle_id(a, call);
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("tool_use"));
	jw_put_str(&w, "id", sv_of(&call->id));
	jw_put_str(&w, "name", sv_of(&call->name));
	jw_put_object(&w, "input");
	jw_end(&w);
	jw_end(&w);
	if (!blocks_start(a->blocks, a->next, sv_of(&json), err))
		return false;
	str_truncate(&a->blank, 0);
	call->started = true;
	call->index = a->next++;
	return true;
}

static struct openai_call *openai_output_add_call(struct openai_output *a, int64_t key,
						  struct err *err)
{
	struct openai_call *call;

	if (a->calls.n == LIMIT_MODEL_CALLS) {
		err_set(err, ERR_TOO_BIG, "the response has more than %d tool calls",
			LIMIT_MODEL_CALLS);
		return NULL;
	}
	call = xnew(struct openai_call);
	call->key = key;
	vec_push(&a->calls, call);
	return call;
}

struct openai_call *openai_output_call(struct openai_output *a, int64_t key, struct sv id,
				       struct sv name, struct err *err)
{
	defer(str_clear) struct str pending = STR_INIT;
	struct openai_call *call;

	embedded_calls_release(&a->embedded, &pending);
	if (pending.len > 0 && !openai_output_put_text(a, sv_of(&pending), err))
		return NULL;
	call = openai_output_add_call(a, key, err);
	return call && openai_output_name(a, call, id, name, err) ? call : NULL;
}

bool openai_output_name(struct openai_output *a, struct openai_call *call, struct sv id,
			struct sv name, struct err *err)
{
	if (call->started)
		return true;
	if (call->sent.len == 0)
		str_add(&call->sent, id);
	str_add(&call->name, name);
	return call->name.len == 0 || openai_output_start_call(a, call, err);
}

/* Counts input that is not JSON: it is not in a block yet, so the cap of blocks does not cover it. */
static bool openai_output_count_rest(struct openai_output *a, size_t more, struct err *err)
{
	a->rest += more;
	return a->rest <= LIMIT_MODEL_OPEN ||
	       err_set(err, ERR_TOO_BIG, "the tool calls of the response exceed %zu MiB",
		       LIMIT_MODEL_OPEN / MIB);
}

bool openai_output_input(struct openai_output *a, struct openai_call *call, struct sv piece,
			 struct err *err)
{
	size_t before = call->input.rest.len;
	struct sv out;

	if (call->closed)
		return err_set(err, ERR_PROTOCOL, "received input for a completed tool call");
	if (!call->started)
		return sv_trim(piece).len == 0 ||
		       err_set(err, ERR_PROTOCOL,
			       "received the input of a tool call before its tool name");
	return tool_input_feed(&call->input, piece, &out, err) &&
	       openai_output_count_rest(a, call->input.rest.len - before, err) &&
	       (out.len == 0 || blocks_input(a->blocks, call->index, out, err));
}

bool openai_output_close(struct openai_output *a, struct openai_call *call, bool cut,
			 struct err *err)
{
	defer(str_clear) struct str rest = STR_INIT;
	enum tool_input_end how;

	if (call->closed)
		return true;
	if (!call->started)
		return err_set(err, ERR_PROTOCOL, "a tool call has no name");
	call->closed = true;
	how = tool_input_end(&call->input, cut, &rest);
	tool_input_clear(&call->input);
	if (!blocks_input(a->blocks, call->index, sv_of(&rest), err))
		return false;
	if (how == TOOL_INPUT_MENDED)
		openai_output_note(a, "the input of a %s call was invalid JSON; awl repaired it",
				   str_c(&call->name));
	else if (how == TOOL_INPUT_MALFORMED && !cut)
		openai_output_note(a,
				   "the input of a %s call is invalid JSON; the call will not run",
				   str_c(&call->name));
	return blocks_stop(a->blocks, call->index, err);
}

/* The end. */

static bool openai_output_put_embedded_call(struct openai_output *a,
					    const struct embedded_part *part, struct err *err)
{
	struct openai_call *call = openai_output_add_call(a, -1, err);

	if (!call)
		return false;
	a->made_id = true; /* a call in the text never has an id, so no note about that */
	openai_output_note(a, "the model wrote a %.*s call as text; awl treats it as a call",
			   SV_ARG(part->name));
	return openai_output_name(a, call, SV_EMPTY, part->name, err) &&
	       openai_output_input(a, call, part->input, err) &&
	       openai_output_close(a, call, false, err);
}

static bool openai_output_put_part(struct openai_output *a, const struct embedded_part *part,
				   struct err *err)
{
	if (part->name.len)
		return openai_output_put_embedded_call(a, part, err);
	if (part->thinking.len) /* the field in which the template of gpt-oss wants it back */
		return openai_output_add_thinking(a, part->thinking,
						  SV(OPENAI_SIGNED_FIELD "thinking"), err);
	return openai_output_put_text(a, part->text, err);
}

static bool openai_output_put_embedded(struct openai_output *a, struct err *err)
{
	bool looked_like_call = a->embedded.holding && a->embedded.vetted;
	struct embedded_part part;
	size_t calls = a->calls.n;

	if (a->embedded.overflowed)
		openai_output_note(
			a,
			"a possible tool call written as text exceeds %zu MiB; keeping it as text",
			LIMIT_MODEL_EMBEDDED / MIB);
	while (embedded_calls_next(&a->embedded, &part))
		if (!openai_output_put_part(a, &part, err))
			return false;
	if (looked_like_call && a->calls.n == calls)
		openai_output_note(
			a, "a text looks like a tool call but is malformed; keeping it as text");
	return true;
}

static bool openai_output_close_all(struct openai_output *a, bool cut, struct err *err)
{
	if (!openai_output_text(a, json_halves_end(&a->halves), err) ||
	    !think_tags_end(&a->think, openai_output_on_think, a, err) ||
	    !openai_output_put_embedded(a, err) || !openai_output_close_open(a, err))
		return false;
	for (size_t i = 0; i < a->calls.n; i++)
		if (!openai_output_close(a, a->calls.at[i], cut, err))
			return false;
	return true;
}

static enum model_stop openai_output_settle_stop(const struct openai_output *a,
						 enum model_stop stop)
{
	if (stop != MODEL_STOP_END_TURN && stop != MODEL_STOP_TOOL_USE)
		return stop;
	if (a->refused)
		return MODEL_STOP_REFUSAL;
	return a->calls.n ? MODEL_STOP_TOOL_USE : MODEL_STOP_END_TURN;
}

static struct sv openai_output_stop_name(enum model_stop stop, struct sv other)
{
	switch (stop) {
	case MODEL_STOP_END_TURN: return SV("end_turn");
	case MODEL_STOP_TOOL_USE: return SV("tool_use");
	case MODEL_STOP_MAX_TOKENS: return SV("max_tokens");
	case MODEL_STOP_SEQUENCE: return SV("stop_sequence");
	case MODEL_STOP_REFUSAL: return SV("refusal");
	case MODEL_STOP_PAUSE_TURN: return SV("pause_turn");
	case MODEL_STOP_CONTEXT_FULL: return SV("model_context_window_exceeded");
	case MODEL_STOP_OTHER: break;
	}
	return other;
}

/* Appends the JSON of everything that has to go back and has no place in the blocks. */
static bool openai_output_write_extra(const struct openai_output *a, struct str *out)
{
	bool any = a->details.list.n > 0;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	if (any) {
		jw_key(&w, SV("reasoning_details"));
		openai_details_write(&a->details, &w);
	}
	jw_put_object(&w, "extra_content");
	for (size_t i = 0; i < a->calls.n; i++) {
		if (!a->calls.at[i]->extra.len)
			continue;
		jw_key(&w, sv_of(&a->calls.at[i]->id));
		jw_raw(&w, sv_of(&a->calls.at[i]->extra));
		any = true;
	}
	jw_end(&w);
	jw_end(&w);
	return any;
}

static bool openai_output_put_extra(struct openai_output *a, struct err *err)
{
	defer(str_clear) struct str signature = STR_INIT;

	str_adds(&signature, OPENAI_SIGNED_EXTRA);
	return !openai_output_write_extra(a, &signature) ||
	       openai_output_sign(a, sv_of(&signature), err);
}

bool openai_output_end(struct openai_output *a, enum model_stop stop, struct sv name,
		       struct err *err)
{
	bool cut = stop != MODEL_STOP_END_TURN && stop != MODEL_STOP_TOOL_USE;
	struct model_event event = { .kind = MODEL_STOP };

	if (!openai_output_close_all(a, cut, err) || !openai_output_put_extra(a, err))
		return false;
	if (stop == MODEL_STOP_TOOL_USE && a->calls.n == 0)
		openai_output_note(a, "the server announced a tool call but sent none");
	if (a->usage.known)
		raw_events_emit(&a->raw,
				&(struct model_event){ .kind = MODEL_USAGE, .usage = a->usage });
	event.stop = openai_output_settle_stop(a, stop);
	event.text = openai_output_stop_name(event.stop, name);
	event.usage = a->usage;
	raw_events_emit(&a->raw, &event);
	return true;
}

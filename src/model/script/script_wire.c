#include "model/script/script_wire.h"

#include "base/utf8.h"

enum { PIECE = 24 };

static const struct script_wire_type *const types[] = {
	[SCRIPT_ANTHROPIC] = &script_anthropic,
	[SCRIPT_CHAT] = &script_chat,
	[SCRIPT_RESPONSES] = &script_responses,
};

/* --- texts --------------------------------------------------------------- */

bool script_piece(struct script_pieces *p, struct sv *out)
{
	struct sv rest = sv_skip(p->step->text, p->at);

	if (p->step->times > 1) {
		*out = p->step->text;
		return p->at++ < p->step->times;
	}
	*out = utf8_prefix(rest, PIECE);
	if (!out->len)
		*out = sv_slice(rest, 0, PIECE);
	p->at += out->len;
	return out->len > 0;
}

void script_step_text(struct str *out, const struct script_step *step)
{
	for (size_t i = 0; i < step->times; i++)
		str_add(out, step->text);
}

/* Writes the JSON again, so that it is on one line. */
void script_put_json(struct jw *w, struct sv text)
{
	struct err ignored = ERR_INIT;
	struct json_doc *doc = json_parse(text, JSON_RAW_NUMBERS, &ignored);

	if (doc)
		jw_value(w, json_root(doc));
	else
		jw_str(w, text);
	json_doc_free(doc);
}

struct sv render_model(const struct render *r)
{
	return r->request->model.len ? r->request->model : SV("scripted");
}

/* Estimates the usage if the script does not set it. */
static struct script_usage script_wire_usage_of(const struct script_reply *reply,
						const struct script_request *request)
{
	struct script_usage u = reply->usage;

	if (u.given)
		return u;
	u.input = (int64_t)(request->http->body.len / 4 + 1);
	for (size_t i = 0; i < reply->steps.n; i++)
		u.output += (int64_t)(reply->steps.at[i].text.len * reply->steps.at[i].times / 4);
	u.output++;
	return u;
}

static struct sv script_wire_stop_of(const struct script_reply *reply)
{
	if (reply->stop.len)
		return reply->stop;
	for (size_t i = 0; i < reply->steps.n; i++)
		if (reply->steps.at[i].kind == SCRIPT_TOOL)
			return SV("tool_use");
	return SV("end_turn");
}

/* --- heads --------------------------------------------------------------- */

static bool script_wire_has_header(const struct script_reply *reply, const char *name)
{
	for (size_t i = 0; i < reply->headers.n; i++)
		if (sv_eq_nocase(reply->headers.at[i].name, sv_cstr(name)))
			return true;
	return false;
}

static void script_wire_add_id(struct play *out, const struct script_wire_type *type,
			       int64_t number)
{
	play_header(out, sv_cstr(type->id_header),
		    arena_printf(&out->arena, "req_script_%04lld", (long long)number));
}

static void script_wire_head(struct render *r, const char *content_type)
{
	const struct script_reply *reply = r->reply;

	if (r->headed)
		return;
	r->headed = true;
	r->play->status = reply->status;
	if (!script_wire_has_header(reply, "content-type"))
		play_header(r->play, SV("content-type"), sv_cstr(content_type));
	script_wire_add_id(r->play, r->type, r->number);
	for (size_t i = 0; i < reply->headers.n; i++)
		play_header(r->play, reply->headers.at[i].name, reply->headers.at[i].value);
	play_act(r->play, PLAY_HEAD);
}

static void script_wire_begin(struct render *r)
{
	script_wire_head(r, "text/event-stream");
	if (r->begun)
		return;
	r->begun = true;
	r->type->begin(r);
}

void render_event(struct render *r)
{
	if (r->paced)
		play_wait(r->play, r->reply->pace);
	r->paced = true; /* between events, not before the first */
	play_flush(r->play, PLAY_BYTES);
}

/* --- steps --------------------------------------------------------------- */

static bool has_step(const struct script_reply *reply, enum script_step_kind kind)
{
	for (size_t i = 0; i < reply->steps.n; i++)
		if (reply->steps.at[i].kind == kind)
			return true;
	return false;
}

static void script_wire_raw_event(struct render *r, const struct script_step *step)
{
	struct sv rest = step->text, line;

	script_wire_begin(r);
	if (!sv_is(step->name, "-"))
		str_addf(&r->play->bytes, "event: %.*s\n", SV_ARG(step->name));
	while (sv_cut_line(&rest, &line))
		str_addf(&r->play->bytes, "data: %.*s\n", SV_ARG(line));
	str_addc(&r->play->bytes, '\n');
	render_event(r);
}

static void script_wire_bytes(struct render *r, const struct script_step *step, enum play_kind kind)
{
	for (size_t i = 0; i < step->times; i++) {
		str_add(&r->play->bytes, step->text);
		play_flush(r->play, kind);
	}
}

/* Steps that are the same in a stream and a whole response. False: the reply ends here. */
static bool script_wire_common_step(struct render *r, const struct script_step *step,
				    const char *content_type)
{
	switch (step->kind) {
	case SCRIPT_WAIT: play_wait(r->play, step->ms); break;
	case SCRIPT_BEGIN: script_wire_head(r, content_type); break;
	case SCRIPT_RAW:
		script_wire_head(r, content_type);
		script_wire_bytes(r, step, PLAY_BYTES);
		break;
	case SCRIPT_GARBAGE: script_wire_bytes(r, step, PLAY_GARBAGE); break;
	case SCRIPT_CUT: play_act(r->play, PLAY_CUT); return false;
	case SCRIPT_RESET: play_act(r->play, PLAY_RESET); return false;
	case SCRIPT_TEXT:
	case SCRIPT_THINKING:
	case SCRIPT_TOOL:
	case SCRIPT_BLOCK:
	case SCRIPT_EVENT:
	case SCRIPT_ERROR: break;
	}
	return true;
}

static void render_streamed(struct render *r)
{
	bool raw = has_step(r->reply, SCRIPT_RAW) || has_step(r->reply, SCRIPT_GARBAGE);

	for (size_t i = 0; i < r->reply->steps.n; i++) {
		const struct script_step *step = &r->reply->steps.at[i];
		enum script_step_kind kind = step->kind;

		if (kind == SCRIPT_BEGIN && !raw) {
			script_wire_begin(r);
		} else if (kind == SCRIPT_EVENT) {
			script_wire_raw_event(r, step);
		} else if (kind == SCRIPT_ERROR) {
			script_wire_begin(r);
			r->type->error(r, step);
			play_act(r->play, PLAY_END);
			return;
		} else if (kind <= SCRIPT_BLOCK && !raw) {
			script_wire_begin(r);
			r->type->content(r, step);
		} else if (!script_wire_common_step(r, step, "text/event-stream")) {
			return;
		}
	}
	if (!raw) {
		script_wire_begin(r);
		r->type->end(r);
	}
	play_act(r->play, r->headed ? PLAY_END : PLAY_CUT);
}

static const struct script_step *script_wire_error_of(const struct script_reply *reply)
{
	for (size_t i = 0; i < reply->steps.n; i++)
		if (reply->steps.at[i].kind == SCRIPT_ERROR)
			return &reply->steps.at[i];
	return NULL;
}

static void render_whole(struct render *r)
{
	const struct script_step *error = script_wire_error_of(r->reply);
	bool raw = has_step(r->reply, SCRIPT_RAW) || has_step(r->reply, SCRIPT_GARBAGE);

	for (size_t i = 0; i < r->reply->steps.n; i++)
		if (!script_wire_common_step(r, &r->reply->steps.at[i], "application/json"))
			return;
	if (!raw) {
		script_wire_head(r, "application/json");
		if (error)
			r->type->refusal(&r->play->bytes, r->reply->status, error->name,
					 error->text);
		else
			r->type->whole(r, &r->play->bytes);
		play_flush(r->play, PLAY_BYTES);
	}
	play_act(r->play, r->headed ? PLAY_END : PLAY_CUT);
	play_measure(r->play);
}

void script_render(struct play *out, const struct script_reply *reply,
		   const struct script_request *request, int64_t number)
{
	const struct script_faults *f = &reply->faults;
	struct render r = { .play = out,
			    .reply = reply,
			    .request = request,
			    .type = types[request->wire],
			    .number = number,
			    .usage = script_wire_usage_of(reply, request),
			    .stop = script_wire_stop_of(reply) };

	if (request->stream && !reply->fails)
		render_streamed(&r);
	else
		render_whole(&r);
	if (f->end_at != SIZE_MAX)
		play_end_at(out, f->end_at, f->end_by_reset ? PLAY_RESET : PLAY_CUT);
	if (f->splits.n || f->split_every)
		play_split(out, f->splits.at, f->splits.n, f->split_every, f->split_pause);
}

void script_refuse(struct play *out, enum script_wire wire, int status, struct sv type,
		   struct sv text, int64_t number)
{
	out->status = status;
	play_header(out, SV("content-type"), SV("application/json"));
	script_wire_add_id(out, types[wire], number);
	types[wire]->refusal(&out->bytes, status, type, text);
	play_act(out, PLAY_HEAD);
	play_flush(out, PLAY_BYTES);
	play_act(out, PLAY_END);
	play_measure(out);
}

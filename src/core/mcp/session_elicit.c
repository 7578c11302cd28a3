/* A server wants to know something from the user. Elicitation hooks may answer; else the host is asked, if there is one;
 * else nobody can, and the question is cancelled. ElicitationResult hooks see the answer before the server does, and may
 * replace it. */
#include "base/mem.h"
#include "base/utf8.h"
#include "core/hooks/session_hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_emit.h"
#include "text/json/json_write.h"

enum { ELICIT_SHOWN = 200, ELICIT_URL_SHOWN = 500 };

struct elicit {
	struct op op;
	struct session *s;
	const char *server;
	struct json params; /* lives as long as the op */
	struct str schema;  /* JSON; may be empty */
	struct op *step;
	struct str action, content; /* the answer so far; empty: none yet */
	struct str *out;
};

static void elicit_finish(struct elicit *e);

static void elicit_cancel(struct op *op)
{
	op_cancel(container_of(op, struct elicit, op)->step);
}

static void elicit_free(struct op *op)
{
	struct elicit *e = container_of(op, struct elicit, op);

	str_clear(&e->schema);
	str_clear(&e->action);
	str_clear(&e->content);
	free(e);
}

static const struct op_type elicit_type = {
	.name = "elicitation",
	.cancel = elicit_cancel,
	.free = elicit_free,
};

static struct sv elicit_text(const struct elicit *e, const char *key)
{
	return json_str_or(json_get(e->params, key), SV_EMPTY);
}

static struct sv elicit_mode(const struct elicit *e)
{
	struct sv mode = elicit_text(e, "mode");

	return mode.len ? mode : SV("form");
}

/* --- the answer ----------------------------------------------------------------------------- */

/* Write what the user has filled in, and the defaults of the fields that were left out. */
static void elicit_put_content(const struct elicit *e, struct jw *w)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&e->content), 0, &ignored);
	struct json given = json_root(doc), value;
	struct json_iter it = json_each(given);
	struct sv key;

	jw_put_object(w, "content");
	while (it.keyed && json_next(&it, &key, &value)) {
		jw_key(w, key);
		jw_value(w, value);
	}
	it = json_each(json_path(e->params, "requestedSchema.properties"));
	while (it.keyed && json_next(&it, &key, &value)) {
		struct json usual = json_get(value, "default");

		if (!json_exists(usual) || json_exists(json_get_sv(given, key)))
			continue;
		jw_key(w, key);
		jw_value(w, usual);
	}
	jw_end(w);
}

static void elicit_end(struct elicit *e)
{
	bool is_accepted = sv_is(sv_of(&e->action), "accept");
	struct jw w;

	if (!e->op.cancelled) {
		jw_init(&w, e->out, JW_COMPACT);
		jw_object(&w);
		jw_put_str(&w, "action", sv_of(&e->action));
		if (is_accepted && sv_is(elicit_mode(e), "form"))
			elicit_put_content(e, &w);
		jw_end(&w);
		jw_done(&w);
	}
	op_finish(&e->op, NULL);
}

/* An action that the protocol does not have is none. */
static void elicit_take(struct elicit *e, struct sv action, struct sv content)
{
	if (!sv_is(action, "accept") && !sv_is(action, "decline") && !sv_is(action, "cancel"))
		return;
	str_set(&e->action, action);
	str_set(&e->content, content);
}

static void elicit_apply(__attribute__((unused)) struct session *s,
			 const struct hook_answer *answer, void *point)
{
	struct elicit *e = point;

	if (answer->decision == HOOK_DENY)
		elicit_take(e, SV("decline"), SV_EMPTY);
	else
		elicit_take(e, answer->action, answer->content);
}

static struct hook_input elicit_input(const struct elicit *e, enum hook_event event)
{
	struct hook_input in = session_hooks_input(e->s, e->s->agent, event);

	in.mcp_server_name = sv_cstr(e->server);
	in.mode = elicit_mode(e);
	in.elicitation_id = elicit_text(e, "elicitationId");
	return in;
}

static void elicit_on_result_hook(__attribute__((unused)) struct op *op, void *owner,
				  __attribute__((unused)) const struct err *why)
{
	struct elicit *e = owner;

	e->step = NULL;
	elicit_end(e);
}

/* Somebody has answered, or nobody can. */
static void elicit_finish(struct elicit *e)
{
	struct hook_input in = elicit_input(e, HOOK_ELICITATION_RESULT);

	if (!e->action.len)
		str_adds(&e->action, "cancel");
	in.action = sv_of(&e->action);
	in.content = sv_of(&e->content);
	if (!e->op.cancelled && !session_is_closed(e->s))
		e->step = session_hooks_start(e->s, &in, elicit_apply, e,
					      THEN(elicit_on_result_hook, e));
	if (!e->step)
		elicit_end(e);
}

/* --- who answers ------------------------------------------------------------------------------- */

static void elicit_on_host(struct op *op, void *owner, const struct err *why)
{
	struct elicit *e = owner;
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		why ? NULL : json_parse(host_request_response(op), 0, &ignored);
	defer(str_clear) struct str content = STR_INIT;
	struct jw w;

	e->step = NULL;
	if (json_is(json_get(json_root(doc), "content"), JSON_OBJECT)) {
		jw_init(&w, &content, JW_COMPACT);
		jw_value(&w, json_get(json_root(doc), "content"));
		jw_done(&w);
	}
	elicit_take(e, json_str_or(json_get(json_root(doc), "action"), SV_EMPTY), sv_of(&content));
	elicit_finish(e);
}

/* Tell whoever reads the output later that a server wanted something. */
static void elicit_inform(struct elicit *e)
{
	struct sv url = elicit_text(e, "url");
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "MCP server %s asked \"%.*s\"", e->server,
		 SV_ARG(utf8_prefix(elicit_text(e, "message"), ELICIT_SHOWN)));
	if (url.len)
		str_addf(&text, " with the page %.*s", SV_ARG(utf8_prefix(url, ELICIT_URL_SHOWN)));
	str_adds(&text, "; nobody can answer, so the question was cancelled.");
	session_mcp_inform_refused(e->s->mcp, sv_of(&text));
}

static void elicit_ask_host(struct elicit *e)
{
	const struct host_request request = {
		.kind = HOST_ELICITATION,
		.elicitation = { .server = sv_cstr(e->server),
				 .message = elicit_text(e, "message"),
				 .mode = elicit_text(e, "mode"),
				 .url = elicit_text(e, "url"),
				 .elicitation_id = elicit_text(e, "elicitationId"),
				 .schema = sv_of(&e->schema) },
	};

	if (!e->action.len && !e->op.cancelled && !session_is_closed(e->s) &&
	    (e->s->kind.has_user || e->s->is_initialized))
		e->step = host_request_start(&e->s->host, &request, THEN(elicit_on_host, e));
	else if (!e->action.len && !e->op.cancelled && !session_is_closed(e->s))
		elicit_inform(e);
	if (!e->step)
		elicit_finish(e);
}

static void elicit_on_hook(__attribute__((unused)) struct op *op, void *owner,
			   __attribute__((unused)) const struct err *why)
{
	struct elicit *e = owner;

	e->step = NULL;
	elicit_ask_host(e);
}

/* Begin from the FIFO: an op is never over before its start has returned. */
static void elicit_on_started(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct elicit *e = owner;
	struct hook_input in = elicit_input(e, HOOK_ELICITATION);

	e->step = NULL;
	in.message = elicit_text(e, "message");
	in.url = elicit_text(e, "url");
	in.requested_schema = sv_of(&e->schema);
	if (!e->op.cancelled && !session_is_closed(e->s))
		e->step = session_hooks_start(e->s, &in, elicit_apply, e, THEN(elicit_on_hook, e));
	if (!e->step)
		elicit_ask_host(e);
}

struct op *session_elicit_start(struct session *s, const char *server, struct json params,
				struct str *out, struct then then)
{
	struct elicit *e = xnew(struct elicit);
	struct json schema = json_get(params, "requestedSchema");
	struct jw w;

	op_init(&e->op, &elicit_type, s->engine->loop, then);
	e->s = s;
	e->server = server;
	e->params = params;
	e->out = out;
	if (json_exists(schema)) {
		jw_init(&w, &e->schema, JW_COMPACT);
		jw_value(&w, schema);
		jw_done(&w);
	}
	e->step = op_settled(s->engine->loop, THEN(elicit_on_started, e));
	return &e->op;
}

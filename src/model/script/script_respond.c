#include "model/script/script_respond.h"

#include "model/script/script_check.h"
#include "model/script/script_wire.h"

enum endpoint { ENDPOINT_MODEL, ENDPOINT_COUNT, ENDPOINT_MODELS };

static const struct route {
	struct sv ending;
	const char *method;
	enum endpoint endpoint;
	enum script_wire wire;
	bool streams; /* by its path */
} routes[] = {
	{ SV_INIT("/messages"), "POST", ENDPOINT_MODEL, SCRIPT_ANTHROPIC, false },
	{ SV_INIT("/chat/completions"), "POST", ENDPOINT_MODEL, SCRIPT_CHAT, false },
	{ SV_INIT("/responses"), "POST", ENDPOINT_MODEL, SCRIPT_RESPONSES, false },
	{ SV_INIT(":rawPredict"), "POST", ENDPOINT_MODEL, SCRIPT_ANTHROPIC, false },
	{ SV_INIT(":streamRawPredict"), "POST", ENDPOINT_MODEL, SCRIPT_ANTHROPIC, true },
	{ SV_INIT("/messages/count_tokens"), "POST", ENDPOINT_COUNT, SCRIPT_ANTHROPIC, false },
	{ SV_INIT("/models"), "GET", ENDPOINT_MODELS, SCRIPT_ANTHROPIC, false },
};

static const struct route *route_of(const struct server_request *request)
{
	struct sv path = sv_slice(request->path, 0, sv_find_char(request->path, '?'));

	for (size_t i = 0; i < countof(routes); i++)
		if (sv_ends(path, routes[i].ending))
			return &routes[i];
	return NULL;
}

static void script_respond_refuse(struct play *out, const struct route *route, int status,
				  const char *type, const char *text)
{
	script_refuse(out, route ? route->wire : SCRIPT_ANTHROPIC, status, sv_cstr(type),
		      sv_cstr(text), 0);
}

/* --- the model ----------------------------------------------------------- */

static bool script_respond_matches(const struct script_reply *reply,
				   const struct script_request *request)
{
	for (size_t i = 0; i < reply->when.n; i++)
		if (!script_check_holds(&reply->when.at[i], request))
			return false;
	return true;
}

/* Returns the first reply that matches and is not used up, else the one for all other requests. */
static struct script_reply *script_respond_choose(struct script *s,
						  const struct script_request *request)
{
	struct script_reply *otherwise = NULL;

	for (size_t i = 0; i < s->replies.n; i++) {
		struct script_reply *r = &s->replies.at[i];

		if (r->otherwise)
			otherwise = r;
		else if ((r->uses < 0 || r->used < r->uses) && script_respond_matches(r, request))
			return r;
	}
	return otherwise;
}

static void script_respond_complain(struct script *s, const struct script_reply *reply,
				    const struct script_request *request, struct str *out)
{
	for (size_t i = 0; i < reply->expect.n; i++) {
		const struct script_check *c = &reply->expect.at[i];

		if (script_check_holds(c, request))
			continue;
		str_addf(out, "%s%s:%zu: request %lld does not match: %.*s", out->len ? "\n" : "",
			 s->name, c->line, (long long)s->served, SV_ARG(c->source));
	}
}

static void script_respond_model(struct script *s, const struct script_request *request,
				 struct play *out, struct str *complaint)
{
	struct script_reply *reply = script_respond_choose(s, request);

	s->served++;
	if (!reply) {
		str_addf(complaint, "%s: no reply left for request %lld", s->name,
			 (long long)s->served);
	} else {
		reply->used++;
		script_respond_complain(s, reply, request, complaint);
	}
	if (complaint->len)
		script_refuse(out, request->wire, 400, SV("invalid_request_error"),
			      sv_of(complaint), s->served);
	else
		script_render(out, reply, request, s->served);
}

/* --- the rest ------------------------------------------------------------ */

static void script_respond_json(struct play *out)
{
	out->status = 200;
	play_header(out, SV("content-type"), SV("application/json"));
	play_act(out, PLAY_HEAD);
	play_flush(out, PLAY_BYTES);
	play_act(out, PLAY_END);
	play_measure(out);
}

static void script_respond_count(const struct server_request *request, struct play *out)
{
	str_addf(&out->bytes, "{\"input_tokens\":%zu}", request->body.len / 4 + 1);
	script_respond_json(out);
}

/* Both vendors' members side by side. */
static void script_respond_put_model(struct jw *w, struct sv name)
{
	jw_object(w);
	jw_put_str(w, "id", name);
	jw_put_str(w, "type", SV("model"));
	jw_put_str(w, "object", SV("model"));
	jw_put_str(w, "display_name", name);
	jw_put_str(w, "created_at", SV("1970-01-01T00:00:00Z"));
	jw_put_int(w, "created", 0);
	jw_put_str(w, "owned_by", SV("script"));
	jw_end(w);
}

static void script_respond_models(const struct script *s, struct play *out)
{
	struct jw w;

	jw_init(&w, &out->bytes, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "object", SV("list"));
	jw_put_array(&w, "data");
	for (size_t i = 0; i < s->models.n; i++)
		script_respond_put_model(&w, s->models.at[i]);
	if (!s->models.n)
		script_respond_put_model(&w, SV("scripted"));
	jw_end(&w);
	jw_put_bool(&w, "has_more", false);
	jw_end(&w);
	jw_done(&w);
	script_respond_json(out);
}

void script_respond(struct script *script, const struct server_request *http, struct play *out,
		    struct str *complaint)
{
	const struct route *route = route_of(http);
	struct script_request request;
	struct err err = ERR_INIT;

	if (!route) {
		script_respond_refuse(out, NULL, 404, "not_found_error", "no such path");
	} else if (!sv_is(http->method, route->method)) {
		script_respond_refuse(out, route, 405, "invalid_request_error",
				      "method not allowed");
	} else if (route->endpoint == ENDPOINT_COUNT) {
		script_respond_count(http, out);
	} else if (route->endpoint == ENDPOINT_MODELS) {
		script_respond_models(script, out);
	} else if (!script_request_read(&request, route->wire, http, &err)) {
		script_respond_refuse(out, route, 400, "invalid_request_error", err.text);
	} else {
		request.stream |= route->streams;
		script_respond_model(script, &request, out, complaint);
		script_request_clear(&request);
	}
}

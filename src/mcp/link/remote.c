/* A request goes through these stages, each an op of its own: the headers that a helper prints (once for
 * all requests), the token, the request itself and, after a 401 or 403, the challenge. Then
 * it begins again with the token. */
#include "mcp/link/remote.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "mcp/auth/auth.h"
#include "mcp/auth/headers_helper.h"
#include "text/json/json.h"
#include "text/url.h"

/* The answers to 401 and 403 that one request may try, and the redirects that it follows. */
enum { REMOTE_CHALLENGES = 3, REMOTE_HOPS = 5 };

struct remote_request {
	struct op op;
	struct remote *remote;
	struct op *stage; /* NULL: waits for the helper, or is over */
	struct arena arena;
	struct remote_send send; /* in the arena */
	struct sv url;
	struct str token; /* that was sent; empty: none */
	int challenges, hops;
	bool asked_helper_again;

	/* Of a response that the owner does not see. */
	bool is_held, is_refused;
	int status;
	struct str challenge, location, body;
};

void remote_init(struct remote *remote, const struct mcp_link_env *env,
		 const struct mcp_config *config)
{
	*remote = (struct remote){ .env = *env, .config = config };
	url_add_web(&remote->url, sv_cstr(config->url));
}

void remote_clear(struct remote *remote)
{
	BUG_ON(remote->helper || remote->waiting.n);
	vec_clear(&remote->waiting);
	str_clear(&remote->url);
	str_clear(&remote->printed);
}

bool remote_is_type(const struct http_head *head, struct sv type)
{
	struct sv value = http_header(head, "content-type"), media;

	return sv_cut(&value, ';', &media) && sv_eq_nocase(sv_trim(media), type);
}

enum err_kind remote_kind(int status)
{
	return status == 429 || status >= 500 ? ERR_BUSY : ERR_PROTOCOL;
}

/* --- headers ------------------------------------------------------------- */

/* Whether the user has configured the credential, so that ours would be wrong. */
static bool has_own_authorization(const struct remote *remote)
{
	for (size_t i = 0; i < remote->config->nheaders; i++)
		if (sv_eq_nocase(sv_cstr(remote->config->headers[i].name), SV("authorization")))
			return true;
	return false;
}

static bool remote_uses_auth(const struct remote *remote)
{
	return remote->env.auth && !has_own_authorization(remote);
}

typedef VEC(struct http_header) header_list;

/* Replaces a header with this name: what comes later counts. */
static void remote_set_header(header_list *list, struct sv name, struct sv value)
{
	for (size_t i = 0; i < list->n; i++) {
		if (sv_eq_nocase(list->at[i].name, name)) {
			list->at[i].value = value;
			return;
		}
	}
	vec_push(list, ((struct http_header){ .name = name, .value = value }));
}

static void remote_add_printed(const struct remote *remote, struct arena *arena, header_list *list)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		remote->printed.len ? json_parse(sv_of(&remote->printed), 0, &err) : NULL;
	struct json_iter it;
	struct json value;
	struct sv name;

	for (it = json_each(json_root(doc)); json_next(&it, &name, &value);)
		remote_set_header(list, arena_dup(arena, name),
				  arena_dup(arena, json_str_or(value, SV_EMPTY)));
}

/* All headers of the request. Those of the protocol count, whatever the configuration says. */
static void remote_collect_headers(struct remote_request *r, header_list *list)
{
	const struct mcp_config *config = r->remote->config;

	if (r->token.len)
		remote_set_header(list, SV("Authorization"), sv_of(&r->token));
	for (size_t i = 0; i < config->nheaders; i++)
		remote_set_header(list, sv_cstr(config->headers[i].name),
				  sv_cstr(config->headers[i].value));
	remote_add_printed(r->remote, &r->arena, list);
	for (size_t i = 0; i < r->send.nheaders; i++)
		remote_set_header(list, r->send.headers[i].name, r->send.headers[i].value);
}

/* --- the request itself ------------------------------------------------------ */

static void remote_request_begin(struct remote_request *r);

static void remote_keep_challenge(struct remote_request *r, const struct http_head *head)
{
	for (size_t i = 0; i < head->nheaders; i++) {
		if (!sv_eq_nocase(head->headers[i].name, SV("www-authenticate")))
			continue;
		if (r->challenge.len)
			str_adds(&r->challenge, ", ");
		str_add(&r->challenge, head->headers[i].value);
	}
}

static void remote_on_head(void *owner, const struct http_head *head)
{
	struct remote_request *r = owner;
	bool is_challenge = head->status == 401 || head->status == 403;
	bool is_redirect = (head->status == 307 || head->status == 308) && r->hops < REMOTE_HOPS &&
			   http_header(head, "location").len > 0;

	r->is_held = is_challenge || is_redirect;
	r->status = head->status;
	str_truncate(&r->challenge, 0);
	str_truncate(&r->location, 0);
	str_truncate(&r->body, 0);
	if (is_challenge)
		remote_keep_challenge(r, head);
	if (is_redirect)
		str_set(&r->location, http_header(head, "location"));
	if (!r->is_held && r->send.on_head)
		r->send.on_head(r->op.then.owner, head);
}

static void remote_on_body(void *owner, struct sv bytes)
{
	struct remote_request *r = owner;

	if (r->is_held)
		str_add(&r->body, sv_slice(bytes, 0, LIMIT_HTTP_ERROR - r->body.len));
	else if (r->send.on_body)
		r->send.on_body(r->op.then.owner, bytes);
}

static void remote_on_message(void *owner, struct sv text)
{
	struct remote_request *r = owner;

	r->send.on_message(r->op.then.owner, text);
}

/* Go where the server sends us, if that is the same server: the headers may be secrets. */
static void remote_follow(struct remote_request *r)
{
	defer(str_clear) struct str to = STR_INIT;
	struct err err = ERR_INIT;

	if (!url_resolve(&to, r->url, sv_of(&r->location)) ||
	    !url_is_same_origin(r->url, sv_of(&to))) {
		err_set(&err, ERR_PROTOCOL,
			"%s redirects to another host, which is not followed; configure the new "
			"URL",
			r->remote->config->name);
		op_finish(&r->op, &err);
		return;
	}
	r->hops++;
	if (r->status == 308 && !r->send.url.len)
		str_set(&r->remote->url, sv_of(&to));
	r->url = arena_dup(&r->arena, sv_of(&to));
	remote_request_begin(r);
}

static void remote_refuse(struct remote_request *r, const struct err *why)
{
	struct err err = ERR_INIT;

	r->is_refused = true;
	if (!why)
		err_set(&err, ERR_INVALID, "%s answered with status %d", r->remote->config->name,
			r->status);
	op_finish(&r->op, why ? why : &err);
}

static void remote_on_challenged(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct remote_request *r = owner;

	r->stage = NULL;
	if (why)
		remote_refuse(r, why);
	else
		remote_request_begin(r);
}

static void remote_answer_challenge(struct remote_request *r)
{
	struct remote *remote = r->remote;

	r->challenges++;
	if (remote->config->headers_helper && r->status == 401 && !r->asked_helper_again) {
		r->asked_helper_again = true; /* what it printed before may have expired */
		if (!remote->helper)
			remote->has_helped = false;
		remote_request_begin(r);
	} else if (remote_uses_auth(remote) && r->challenges <= REMOTE_CHALLENGES) {
		r->stage = mcp_auth_challenged_start(remote->env.auth, remote->config, r->status,
						     sv_of(&r->challenge), sv_of(&r->token),
						     THEN(remote_on_challenged, r));
	} else {
		remote_refuse(r, NULL);
	}
}

static void remote_on_response(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct remote_request *r = owner;

	r->stage = NULL;
	if (why || !r->is_held)
		op_finish(&r->op, why);
	else if (r->op.cancelled)
		op_finish(&r->op, NULL);
	else if (r->location.len)
		remote_follow(r);
	else
		remote_answer_challenge(r);
}

static struct op *remote_start_socket(struct remote_request *r, const header_list *list)
{
	struct ws_request request = { .url = r->url.ptr,
				      .headers = list->at,
				      .nheaders = list->n,
				      .protocol = "mcp",
				      .max_message = LIMIT_MCP_MESSAGE,
				      .on_head = remote_on_head,
				      .on_body = remote_on_body,
				      .on_message = remote_on_message };

	return ws_start(r->remote->env.http, &request, THEN(remote_on_response, r));
}

static struct op *remote_start_http(struct remote_request *r, const header_list *list)
{
	struct http_request request = { .method = r->send.method,
					.url = r->url.ptr,
					.body = &r->send.body,
					.nbody = r->send.body.len > 0,
					.first_byte_ms = HTTP_NO_DEADLINE,
					.idle_ms = HTTP_NO_DEADLINE,
					.total_ms = r->send.total_ms,
					.on_head = remote_on_head,
					.on_body = remote_on_body };

	request.headers = list->at;
	request.nheaders = list->n;
	return http_start(r->remote->env.http, &request, THEN(remote_on_response, r));
}

static void remote_request_send(struct remote_request *r)
{
	header_list list = VEC_INIT;

	remote_collect_headers(r, &list);
	r->is_held = false;
	r->stage = r->send.on_message ? remote_start_socket(r, &list) : remote_start_http(r, &list);
	vec_clear(&list);
}

/* --- the token and the helper --------------------------------------------------- */

static void remote_on_token(struct op *op, void *owner, const struct err *why)
{
	struct remote_request *r = owner;

	r->stage = NULL;
	if (why) {
		op_finish(&r->op, why);
		return;
	}
	str_set(&r->token, mcp_auth_token(op));
	if (r->op.cancelled)
		op_finish(&r->op, NULL);
	else
		remote_request_send(r);
}

static void remote_on_helped(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct remote *remote = owner;

	remote->helper = NULL;
	remote->has_helped = !why;
	while (remote->waiting.n) {
		struct remote_request *r = remote->waiting.at[0];

		vec_remove(&remote->waiting, 0);
		if (why || r->op.cancelled)
			op_finish(&r->op, why);
		else
			remote_request_begin(r);
	}
}

static void remote_request_begin(struct remote_request *r)
{
	struct remote *remote = r->remote;

	if (remote->config->headers_helper && !remote->has_helped) {
		vec_push(&remote->waiting, r);
		if (remote->helper)
			return;
		str_truncate(&remote->printed, 0);
		remote->helper =
			headers_helper_start(&remote->env, remote->config, &remote->printed,
					     THEN(remote_on_helped, remote));
	} else if (remote_uses_auth(remote)) {
		r->stage = mcp_auth_token_start(remote->env.auth, remote->config,
						THEN(remote_on_token, r));
	} else {
		remote_request_send(r);
	}
}

/* --- the op ------------------------------------------------------------------------ */

static void remote_request_cancel(struct op *op)
{
	struct remote_request *r = container_of(op, struct remote_request, op);
	struct remote *remote = r->remote;

	op_cancel(r->stage);
	/* Those who wait for the helper end with it; nobody is left who wants it. */
	for (size_t i = 0; i < remote->waiting.n; i++)
		if (!remote->waiting.at[i]->op.cancelled)
			return;
	op_cancel(remote->helper);
}

static void remote_request_free(struct op *op)
{
	struct remote_request *r = container_of(op, struct remote_request, op);

	arena_clear(&r->arena);
	str_clear(&r->token);
	str_clear(&r->challenge);
	str_clear(&r->location);
	str_clear(&r->body);
	free(r);
}

static const struct op_type remote_request_type = { .name = "mcp request",
						    .cancel = remote_request_cancel,
						    .free = remote_request_free };

struct op *remote_start(struct remote *remote, const struct remote_send *send, struct then then)
{
	struct remote_request *r = xnew(struct remote_request);
	struct http_header *headers = arena_calloc(&r->arena, send->nheaders + 1, sizeof(*headers));

	op_init(&r->op, &remote_request_type, remote->env.loop, then);
	r->remote = remote;
	r->send = *send;
	for (size_t i = 0; i < send->nheaders; i++) {
		headers[i].name = arena_dup(&r->arena, send->headers[i].name);
		headers[i].value = arena_dup(&r->arena, send->headers[i].value);
	}
	r->send.headers = headers;
	r->send.body = arena_dup(&r->arena, send->body);
	r->url = arena_dup(&r->arena, send->url.len ? send->url : sv_of(&remote->url));
	remote_request_begin(r);
	return &r->op;
}

int remote_status(const struct op *op)
{
	const struct remote_request *r = container_of(op, const struct remote_request, op);

	return r->is_refused ? r->status : 0;
}

struct sv remote_body(const struct op *op)
{
	return sv_of(&container_of(op, const struct remote_request, op)->body);
}

struct op *remote_socket(const struct op *op)
{
	const struct remote_request *r = container_of(op, const struct remote_request, op);

	return r->status == 101 ? r->stage : NULL;
}

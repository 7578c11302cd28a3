#include "mcp/auth/auth_redirect.h"

#include "base/mem.h"
#include "mcp/auth/oauth_metadata.h"
#include "net/server.h"
#include "sys/timer.h"
#include "text/invisible.h"
#include "text/url.h"

enum { REDIRECT_MS = 5 * 60 * 1000, REDIRECT_WORDS = 160 };

struct redirect_wait {
	struct op op;
	struct auth_redirect *redirect;
	struct op *timer;
	struct str state, issuer;
	bool promises_iss;
	struct str *code;
	struct err why;
	bool is_over;
};

struct auth_redirect {
	struct loop *loop;
	struct server *server;
	struct str uri;
	struct redirect_wait *wait; /* NULL: nobody waits */
};

/* --- what a redirect says ---------------------------------------------------------- */

static void redirect_wait_end(struct redirect_wait *w)
{
	w->is_over = true;
	op_cancel(w->timer);
}

/* The server has refused, in its own words. */
static void redirect_wait_refuse(struct redirect_wait *w, struct sv error, struct sv query)
{
	defer(str_clear) struct str words = STR_INIT;
	defer(str_clear) struct str more = STR_INIT;

	str_add(&words, error);
	if (oauth_query_get(query, "error_description", &more))
		str_addf(&words, ": %s", str_c(&more));
	str_truncate(&more, 0);
	invisible_escape(&more, sv_slice(sv_of(&words), 0, REDIRECT_WORDS),
			 invisible_misleads_in_line);
	err_set(&w->why, ERR_ACCESS, "the authorization server says: %s", str_c(&more));
	redirect_wait_end(w);
}

/* RFC 9207: whose answer is it? */
static bool redirect_wait_check_issuer(struct redirect_wait *w, struct sv query)
{
	defer(str_clear) struct str iss = STR_INIT;

	if (!oauth_query_get(query, "iss", &iss)) {
		if (!w->promises_iss && sv_find(query, SV("iss=")) == SIZE_MAX)
			return true;
		return err_set(&w->why, ERR_ACCESS,
			       "the redirect does not say which authorization server it is from");
	}
	if (sv_eq(sv_of(&iss), sv_of(&w->issuer)))
		return true;
	return err_set(&w->why, ERR_ACCESS,
		       "the redirect is from a different authorization server than the one asked");
}

/* Take the parameters of a redirect. */
static bool auth_redirect_take(struct auth_redirect *r, struct sv query, struct err *err)
{
	struct redirect_wait *w = r->wait;
	defer(str_clear) struct str state = STR_INIT;
	defer(str_clear) struct str code = STR_INIT;
	defer(str_clear) struct str error = STR_INIT;

	if (!w || w->is_over)
		return err_set(err, ERR_STALE, "no authorization is waiting for this");
	if (!oauth_query_get(query, "state", &state) || !sv_eq(sv_of(&state), sv_of(&w->state)))
		return err_set(err, ERR_INVALID,
			       "this is not the redirect of the authorization under way");
	if (oauth_query_get(query, "error", &error)) {
		redirect_wait_refuse(w, sv_of(&error), query);
		return true;
	}
	if (!oauth_query_get(query, "code", &code) || !code.len)
		return err_set(err, ERR_INVALID, "this redirect has no code");
	if (redirect_wait_check_issuer(w, query))
		str_set(w->code, sv_of(&code));
	redirect_wait_end(w);
	return true;
}

bool auth_redirect_paste(struct auth_redirect *redirect, struct sv text, struct err *err)
{
	struct url url;
	struct sv query;

	text = sv_trim(text);
	url = url_split(text);
	query = url.query.len ? sv_skip(url.query, 1) : text;
	return auth_redirect_take(redirect, query, err);
}

/* --- the server -------------------------------------------------------------------- */

static void auth_redirect_answer(struct reply *reply, int status, const char *title,
				 const char *words)
{
	static const struct http_header headers[] = {
		{ SV_INIT("Content-Type"), SV_INIT("text/html; charset=utf-8") },
		{ SV_INIT("Cache-Control"), SV_INIT("no-store") },
		{ SV_INIT("Content-Security-Policy"), SV_INIT("default-src 'none'") },
		{ SV_INIT("Referrer-Policy"), SV_INIT("no-referrer") },
	};
	defer(str_clear) struct str page = STR_INIT;

	str_addf(&page, "<!doctype html><title>%s</title><p>%s</p>\n", title, words);
	server_head(reply, status, headers, countof(headers), (int64_t)page.len);
	server_write(reply, sv_of(&page));
	server_end(reply);
}

static void auth_redirect_on_request(void *owner, struct reply *reply,
				     const struct server_request *request)
{
	struct auth_redirect *r = owner;
	struct url url = url_split(request->path);
	struct err err = ERR_INIT;

	if (!sv_is(url.path, "/callback"))
		auth_redirect_answer(reply, 404, "awl", "There is nothing here.");
	else if (!auth_redirect_take(r, sv_skip(url.query, 1), &err))
		auth_redirect_answer(reply, 400, "awl", "This link is not valid any more.");
	else if (r->wait->why.kind != ERR_NONE)
		auth_redirect_answer(reply, 400, "awl",
				     "Not authorized. The reason is shown in the terminal.");
	else
		auth_redirect_answer(reply, 200, "awl",
				     "Authorized. You can close this page and go back to awl.");
}

struct auth_redirect *auth_redirect_new(struct loop *loop, int port, struct err *err)
{
	struct auth_redirect *r = xnew(struct auth_redirect);

	r->loop = loop;
	r->server = server_new(loop,
			       &(struct server_opts){ .port = port,
						      .max_body = 1,
						      .on_request = auth_redirect_on_request,
						      .owner = r },
			       err);
	if (!r->server) {
		free(r);
		return NULL;
	}
	str_addf(&r->uri, "http://localhost:%d/callback", server_port(r->server));
	return r;
}

void auth_redirect_free(struct auth_redirect *redirect)
{
	if (!redirect)
		return;
	BUG_ON(redirect->wait);
	server_free(redirect->server);
	str_clear(&redirect->uri);
	free(redirect);
}

struct sv auth_redirect_uri(const struct auth_redirect *redirect)
{
	return sv_of(&redirect->uri);
}

int auth_redirect_port(struct sv uri)
{
	struct url url = url_split(uri);
	int64_t port;

	return sv_to_int(url.port, &port) && port > 0 && port < 65536 ? (int)port : 0;
}

/* --- the wait ---------------------------------------------------------------------- */

static void redirect_wait_on_timer(__attribute__((unused)) struct op *op, void *owner,
				   __attribute__((unused)) const struct err *why)
{
	struct redirect_wait *w = owner;

	w->timer = NULL;
	w->redirect->wait = NULL;
	if (!w->is_over)
		err_set(&w->why, ERR_TIMEOUT, "nobody has authorized awl within %d minutes",
			REDIRECT_MS / 60000);
	op_finish(&w->op, w->why.kind == ERR_NONE ? NULL : &w->why);
}

static void redirect_wait_cancel(struct op *op)
{
	op_cancel(container_of(op, struct redirect_wait, op)->timer);
}

static void redirect_wait_free(struct op *op)
{
	struct redirect_wait *w = container_of(op, struct redirect_wait, op);

	str_clear(&w->state);
	str_clear(&w->issuer);
	free(w);
}

static const struct op_type redirect_wait_type = { .name = "redirect",
						   .cancel = redirect_wait_cancel,
						   .free = redirect_wait_free };

struct op *auth_redirect_wait(struct auth_redirect *redirect, const struct auth_expected *expected,
			      struct str *code, struct then then)
{
	struct redirect_wait *w = xnew(struct redirect_wait);

	op_init(&w->op, &redirect_wait_type, redirect->loop, then);
	w->redirect = redirect;
	w->promises_iss = expected->promises_iss;
	w->code = code;
	str_set(&w->state, expected->state);
	str_set(&w->issuer, expected->issuer);
	w->timer = timer_start(redirect->loop, REDIRECT_MS, THEN(redirect_wait_on_timer, w));
	redirect->wait = w;
	return &w->op;
}

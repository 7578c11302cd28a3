/* awl mcp serve --port: streamable HTTP without sessions. Each POST to /mcp has one message and is answered by one
 * as JSON. Whoever may call has the token of a file that only its owner can read. Requests that a web page of another
 * site can make a browser send have another Origin or Host, and are refused. */
#include <signal.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/rng.h"
#include "cli/mcp/mcp.h"
#include "cli/mcp/mcp_serve.h"
#include "net/server.h"
#include "sys/fs.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "text/hex.h"
#include "text/url.h"

struct mcp_http {
	struct mcp_serve *serve;
	struct awl *awl;
	struct loop *loop;
	struct server *server;
	struct poll *poll; /* of the engine */
	struct task turn;
	struct op *signals[2];
	struct str token;
	const char *host;
};

/* --- the token ------------------------------------------------------------------------------------- */

enum { TOKEN_BYTES = 32, TOKEN_LEAST = 16, TOKEN_MOST = 4096, SESSION_BYTES = 16 };

static bool mcp_http_make_token(const char *path, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(mem_freep) char *dir =
		sv_dup(sv_slice(sv_cstr(path), 0, sv_rfind_char(sv_cstr(path), '/')));
	char bytes[TOKEN_BYTES];

	rng_os_bytes(bytes, sizeof(bytes));
	hex_encode(&text, sv_from(bytes, sizeof(bytes)));
	str_addc(&text, '\n');
	return fs_mkdirs(dir, 0700, err) &&
	       fs_write(path, sv_of(&text), (struct fs_write){ .mode = 0600, .sync = true }, err);
}

/* Read the token. Others must not be able to. */
static bool mcp_http_read_token(struct mcp_http *h, const char *path, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct fs_info info;

	if (!fs_info(&info, path, true, err))
		return false;
	if (info.owner != geteuid() || info.mode & 077)
		return err_set(
			err, ERR_ACCESS,
			"%s: others can read it; run 'chmod 600' on it, or let awl make another",
			path);
	if (!fs_read(&text, path, TOKEN_MOST, err))
		return false;
	str_add(&h->token, sv_trim(sv_of(&text)));
	return h->token.len >= TOKEN_LEAST ||
	       err_set(err, ERR_INVALID, "%s: a token has at least %d characters", path,
		       TOKEN_LEAST);
}

static bool mcp_http_find_token(struct mcp_http *h, const char *given, struct str *path,
				struct err *err)
{
	if (given)
		str_adds(path, given);
	else if (awl_config_dir(h->awl))
		fs_join(path, sv_cstr(awl_config_dir(h->awl)), SV("awl/mcp-token"));
	else
		return err_set(err, ERR_NOT_FOUND, "there is no home directory; use --token-file");
	if (!given && !fs_exists(str_c(path)) && !mcp_http_make_token(str_c(path), err))
		return false;
	return mcp_http_read_token(h, str_c(path), err);
}

/* --- requests --------------------------------------------------------------------------------------- */

/* Answer a request. A client without a session gets one: only its name, to tell clients apart. */
static void mcp_http_answer(struct reply *reply, int status, struct sv body)
{
	struct http_header headers[3] = { { .name = SV_EMPTY } };
	defer(str_clear) struct str session = STR_INIT;
	char bytes[SESSION_BYTES];
	size_t n = 0;

	if (body.len)
		headers[n++] = (struct http_header){ SV("Content-Type"), SV("application/json") };
	if (status == 401)
		headers[n++] = (struct http_header){ SV("WWW-Authenticate"), SV("Bearer") };
	if (status == 200 && reply_get(reply)) {
		rng_os_bytes(bytes, sizeof(bytes));
		hex_encode(&session, sv_from(bytes, sizeof(bytes)));
		headers[n++] = (struct http_header){ SV("Mcp-Session-Id"), sv_of(&session) };
	}
	server_head(reply, status, headers, n, (int64_t)body.len);
	if (body.len)
		server_write(reply, body);
	server_end(reply);
}

static struct sv mcp_http_header(const struct server_request *request, const char *name)
{
	for (size_t i = 0; i < request->nheaders; i++)
		if (sv_eq_nocase(request->headers[i].name, sv_cstr(name)))
			return request->headers[i].value;
	return SV_EMPTY;
}

/* Compare in a time that does not depend on where they differ. */
static bool mcp_http_has_token(const struct mcp_http *h, struct sv header)
{
	static const struct sv prefix = SV_INIT("Bearer ");
	struct sv given = sv_trim(sv_skip(header, prefix.len));
	unsigned differs = given.len != h->token.len;

	if (!sv_eq_nocase(sv_slice(header, 0, prefix.len), prefix))
		return false;
	for (size_t i = 0; i < given.len && i < h->token.len; i++)
		differs |= (unsigned char)(given.ptr[i] ^ h->token.ptr[i]);
	return !differs;
}

static bool mcp_http_is_local(struct sv host)
{
	return sv_is(host, "127.0.0.1") || sv_eq_nocase(host, SV("localhost")) ||
	       sv_is(host, "::1");
}

/* A page whose name leads to this machine has another Host, and any page has an Origin. */
static bool mcp_http_is_from_here(const struct mcp_http *h, const struct server_request *request)
{
	struct sv origin = mcp_http_header(request, "origin");
	defer(str_clear) struct str url = STR_INIT;
	struct url host;

	str_addf(&url, "http://%.*s/", SV_ARG(mcp_http_header(request, "host")));
	host = url_split(sv_of(&url));
	if (origin.len && !mcp_http_is_local(url_split(origin).host))
		return false;
	return mcp_http_is_local(host.host) || sv_is(host.host, h->host) ||
	       !mcp_http_is_local(sv_cstr(h->host));
}

/* A client may say in a header which version it speaks. */
static bool mcp_http_has_version(const struct server_request *request)
{
	struct sv version = mcp_http_header(request, "mcp-protocol-version");

	return !version.len || mcp_serve_knows_version(version);
}

static void mcp_http_on_request(void *owner, struct reply *reply,
				const struct server_request *request)
{
	static const struct sv bad_version =
		SV_INIT("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":"
			"\"this version of MCP-Protocol-Version is not supported\"}}");
	struct mcp_http *h = owner;
	struct sv path = sv_slice(request->path, 0, sv_find_char(request->path, '?'));
	struct sv session = mcp_http_header(request, "mcp-session-id");

	reply_set(reply, session.len ? NULL : h);
	if (!mcp_http_is_from_here(h, request))
		mcp_http_answer(reply, 403, SV_EMPTY);
	else if (!mcp_http_has_token(h, mcp_http_header(request, "authorization")))
		mcp_http_answer(reply, 401, SV_EMPTY);
	else if (!sv_is(path, "/mcp") && !sv_is(path, "/"))
		mcp_http_answer(reply, 404, SV_EMPTY);
	else if (!sv_is(request->method, "POST"))
		mcp_http_answer(reply, 405, SV_EMPTY);
	else if (!mcp_http_has_version(request))
		mcp_http_answer(reply, 400, bad_version);
	else if (!mcp_serve_take(h->serve, reply, session, request->body))
		mcp_http_answer(reply, 202, SV_EMPTY);
}

static void mcp_http_on_gone(void *owner, struct reply *reply)
{
	struct mcp_http *h = owner;

	mcp_serve_leave(h->serve, reply);
}

static void mcp_http_send(__attribute__((unused)) void *arg, void *client, struct str *json)
{
	mcp_http_answer(client, 200, sv_of(json));
}

/* End the request all the same: the connection stays. */
static void mcp_http_on_cancelled(__attribute__((unused)) void *arg, void *client)
{
	mcp_http_answer(client, 202, SV_EMPTY);
}

/* --- the engine, which has a loop of its own ----------------------------------------------------------- */

static void mcp_http_run_engine(struct task *task)
{
	struct mcp_http *h = container_of(task, struct mcp_http, turn);

	awl_dispatch(h->awl);
	if (h->poll)
		poll_want(h->poll, POLL_READABLE);
}

static void mcp_http_on_engine(void *arg, __attribute__((unused)) int fd,
			       __attribute__((unused)) int events)
{
	struct mcp_http *h = arg;

	poll_want(h->poll, 0); /* until it has run */
	loop_post(h->loop, &h->turn);
}

static void mcp_http_on_signal(void *owner, __attribute__((unused)) int signo)
{
	struct mcp_http *h = owner;

	mcp_serve_clear(h->serve); /* nobody gets the answers that are still missing */
	server_freep(&h->server);
	if (h->poll)
		poll_free(h->poll);
	h->poll = NULL;
	for (size_t i = 0; i < countof(h->signals); i++)
		op_cancel(h->signals[i]);
}

static void mcp_http_on_signal_done(struct op *op, void *owner,
				    __attribute__((unused)) const struct err *why)
{
	struct mcp_http *h = owner;

	for (size_t i = 0; i < countof(h->signals); i++)
		if (h->signals[i] == op)
			h->signals[i] = NULL;
}

static void mcp_http_run(struct mcp_http *h)
{
	static const int signals[] = { SIGINT, SIGTERM };

	h->turn.run = mcp_http_run_engine;
	h->poll = poll_new(h->loop, awl_fd(h->awl), mcp_http_on_engine, h);
	if (h->poll)
		poll_want(h->poll, POLL_READABLE);
	for (size_t i = 0; i < countof(signals); i++)
		h->signals[i] = signal_start(h->loop, signals[i], mcp_http_on_signal,
					     THEN(mcp_http_on_signal_done, h));
	loop_run(h->loop);
}

static void mcp_http_clear(struct mcp_http *h)
{
	server_freep(&h->server);
	loop_free(h->loop);
	str_clear(&h->token);
}

enum exit_code mcp_serve_http(const struct mcp *mcp, struct mcp_serve *serve, struct awl *awl)
{
	const char *host = args_value(mcp->args, "host"), *port = args_value(mcp->args, "port");
	defer(mcp_http_clear) struct mcp_http h = { .serve = serve,
						    .awl = awl,
						    .host = host ? host : "127.0.0.1" };
	struct server_opts opts = { .address = h.host,
				    .on_request = mcp_http_on_request,
				    .on_gone = mcp_http_on_gone,
				    .owner = &h };
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str line = STR_INIT;
	struct err err = ERR_INIT;
	int64_t number;

	if (!sv_to_int(sv_cstr(port), &number) || number < 0 || number > UINT16_MAX)
		return usage_error("--port must be a number from 0 to 65535, not '%s'", port);
	opts.port = (int)number;
	h.loop = loop_new();
	if (!mcp_http_find_token(&h, args_value(mcp->args, "token-file"), &path, &err))
		return failure("%s", err.text);
	h.server = server_new(h.loop, &opts, &err);
	if (!h.server)
		return failure("%s", err.text);
	serve->send = mcp_http_send;
	serve->cancelled = mcp_http_on_cancelled;
	serve->arg = &h;
	str_addf(&line,
		 strchr(h.host, ':') ? "listening on http://[%s]:%d/mcp\n"
				     : "listening on http://%s:%d/mcp\n",
		 h.host, server_port(h.server));
	str_addf(&line, "clients send the token in %s\n", str_c(&path));
	if (output(sv_of(&line)) != EXIT_OK)
		return EXIT_FAILED;
	mcp_http_run(&h);
	return EXIT_OK;
}

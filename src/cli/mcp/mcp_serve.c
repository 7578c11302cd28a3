/* awl mcp serve: an MCP server, over standard input and output with one JSON-RPC message a line, or over HTTP
 * (mcp_http.c). It offers the tools of a session without a model. What a call may do is decided as in any session;
 * nobody can be asked, so calls that would need a question are denied. */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/mcp/mcp.h"
#include "cli/mcp/mcp_serve.h"
#include "cli/options.h"
#include "text/json/json_write.h"

enum {
	SERVE_PARSE_ERROR = -32700,
	SERVE_INVALID_REQUEST = -32600,
	SERVE_NO_METHOD = -32601,
	SERVE_INVALID_PARAMS = -32602,
	SERVE_INTERNAL = -32603,
};

/* --- writing ------------------------------------------------------------------------------------- */

static void mcp_serve_begin(struct jw *w, struct str *out, struct sv id)
{
	jw_init(w, out, JW_COMPACT);
	jw_object(w);
	jw_put_str(w, "jsonrpc", SV("2.0"));
	jw_put_raw(w, "id", id);
}

static void mcp_serve_fail(struct mcp_serve *s, void *client, struct sv id, int code,
			   struct sv text)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	mcp_serve_begin(&w, &json, id);
	jw_put_object(&w, "error");
	jw_put_int(&w, "code", code);
	jw_put_str(&w, "message", text);
	jw_end(&w);
	jw_end(&w);
	s->send(s->arg, client, &json);
}

static void mcp_serve_answer(struct mcp_serve *s, void *client, struct sv id, struct json result)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	mcp_serve_begin(&w, &json, id);
	jw_put_value(&w, "result", result);
	jw_end(&w);
	s->send(s->arg, client, &json);
}

/* --- the session ----------------------------------------------------------------------------------- */

static void mcp_serve_forget(struct mcp_serve *s, size_t i)
{
	struct mcp_serve_pending *pending = s->pending.at[i];

	vec_remove(&s->pending, i);
	str_clear(&pending->id);
	str_clear(&pending->session);
	free(pending);
}

/* What a refusal of the session is in JSON-RPC. */
static int mcp_serve_code(const struct awl_event *reply)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(sv_cstr(awl_event_json(reply)), 0, &ignored);
	struct sv code = json_str_or(json_path(json_root(doc), "response.error_code"), SV_EMPTY);

	return sv_is(code, "unknown_tool") ? SERVE_INVALID_PARAMS : SERVE_INTERNAL;
}

/* Answer the client. Without a reply, the session was closed: then the server ends, too. */
static void mcp_serve_on_reply(void *arg, __attribute__((unused)) struct awl_session *session,
			       const struct awl_event *reply)
{
	struct mcp_serve_pending *pending = arg;
	struct mcp_serve *s = pending->serve;
	struct sv id = sv_of(&pending->id);
	defer(json_doc_freep) struct json_doc *result = NULL;
	struct err err = ERR_INIT;
	size_t i = 0;

	if (reply && awl_event_is_error(reply))
		mcp_serve_fail(s, pending->client, id, mcp_serve_code(reply),
			       sv_cstr(awl_event_text(reply)));
	else if (reply && !(result = json_parse(sv_cstr(awl_event_response(reply)), 0, &err)))
		mcp_serve_fail(s, pending->client, id, SERVE_INTERNAL, sv_cstr(err.text));
	else if (reply)
		mcp_serve_answer(s, pending->client, id, json_root(result));
	while (s->pending.at[i] != pending)
		i++;
	mcp_serve_forget(s, i);
}

/* Send the session a request, and remember who wants to know. */
static void mcp_serve_ask(struct mcp_serve *s, void *client, struct sv id, const char *subtype,
			  struct sv tool, struct json arguments)
{
	struct mcp_serve_pending *pending = xnew(struct mcp_serve_pending);
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "subtype", sv_cstr(subtype));
	if (tool.len)
		jw_put_str(&w, "tool", tool);
	if (json_exists(arguments))
		jw_put_value(&w, "arguments", arguments);
	jw_end(&w);
	pending->serve = s;
	pending->client = client;
	str_add(&pending->id, id);
	vec_push(&s->pending, pending);
	if (awl_request(s->session, str_c(&json), mcp_serve_on_reply, pending) == AWL_OK)
		return;
	mcp_serve_forget(s, s->pending.n - 1);
	mcp_serve_fail(s, client, id, SERVE_INTERNAL, sv_cstr(awl_last_error()));
}

/* Nobody follows this session; each reply goes to mcp_serve_on_reply(). */
static void mcp_serve_ignore(__attribute__((unused)) void *arg,
			     __attribute__((unused)) struct awl_session *session,
			     __attribute__((unused)) const struct awl_event *event)
{
}

/* --- messages of the client --------------------------------------------------------------------------- */

/* The newest one is offered to clients that want another. */
static const char *const serve_versions[] = { "2025-11-25", "2025-06-18", "2025-03-26",
					      "2024-11-05" };

bool mcp_serve_knows_version(struct sv version)
{
	for (size_t i = 0; i < countof(serve_versions); i++)
		if (sv_is(version, serve_versions[i]))
			return true;
	return false;
}

static void mcp_serve_initialize(struct mcp_serve *s, void *client, struct sv id,
				 struct json params)
{
	struct sv wanted = json_str_or(json_get(params, "protocolVersion"), SV_EMPTY);
	struct sv version = mcp_serve_knows_version(wanted) ? wanted : sv_cstr(serve_versions[0]);
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	mcp_serve_begin(&w, &json, id);
	jw_put_object(&w, "result");
	jw_put_str(&w, "protocolVersion", version);
	jw_put_object(&w, "capabilities");
	jw_put_raw(&w, "tools", SV("{}"));
	jw_end(&w);
	jw_put_object(&w, "serverInfo");
	jw_put_str(&w, "name", SV("awl"));
	jw_put_str(&w, "version", SV(AWL_VERSION));
	jw_end(&w);
	jw_end(&w);
	jw_end(&w);
	s->send(s->arg, client, &json);
}

/* End a request at the session; no reply will come. */
static void mcp_serve_drop(struct mcp_serve *s, size_t i)
{
	awl_cancel_request(s->session, mcp_serve_on_reply, s->pending.at[i]);
	mcp_serve_forget(s, i);
}

/* The client does not want an answer any more. */
static void mcp_serve_cancel(struct mcp_serve *s, struct sv session, struct json request_id)
{
	defer(str_clear) struct str id = STR_INIT;
	struct jw w;

	jw_init(&w, &id, JW_COMPACT);
	jw_value(&w, request_id);
	for (size_t i = 0; i < s->pending.n; i++) {
		if (!sv_eq(sv_of(&s->pending.at[i]->id), sv_of(&id)) ||
		    !sv_eq(sv_of(&s->pending.at[i]->session), session))
			continue;
		if (s->cancelled)
			s->cancelled(s->arg, s->pending.at[i]->client);
		mcp_serve_drop(s, i);
		return;
	}
}

void mcp_serve_leave(struct mcp_serve *s, void *client)
{
	for (size_t i = s->pending.n; i > 0; i--)
		if (s->pending.at[i - 1]->client == client)
			mcp_serve_drop(s, i - 1);
}

static void mcp_serve_request(struct mcp_serve *s, void *client, struct sv id, struct sv method,
			      struct json params)
{
	struct sv tool = json_str_or(json_get(params, "name"), SV_EMPTY);
	defer(str_clear) struct str why = STR_INIT;

	if (sv_is(method, "initialize")) {
		mcp_serve_initialize(s, client, id, params);
	} else if (sv_is(method, "ping")) {
		defer(json_doc_freep) struct json_doc *empty =
			json_parse(SV("{}"), 0, &(struct err)ERR_INIT);

		mcp_serve_answer(s, client, id, json_root(empty));
	} else if (sv_is(method, "tools/list")) {
		mcp_serve_ask(s, client, id, "list_tools", SV_EMPTY, (struct json){ NULL });
	} else if (sv_is(method, "tools/call") && !tool.len) {
		mcp_serve_fail(s, client, id, SERVE_INVALID_PARAMS, SV("\"name\" is missing"));
	} else if (sv_is(method, "tools/call")) {
		mcp_serve_ask(s, client, id, "call_tool", tool, json_get(params, "arguments"));
	} else {
		str_addf(&why, "Method not found: %.*s", SV_ARG(sv_slice(method, 0, 100)));
		mcp_serve_fail(s, client, id, SERVE_NO_METHOD, sv_of(&why));
	}
}

/* Whether it is a response to something that we asked: we ask nothing. */
static bool mcp_serve_is_response(struct json root)
{
	return json_exists(json_get(root, "result")) || json_exists(json_get(root, "error"));
}

bool mcp_serve_take(struct mcp_serve *s, void *client, struct sv session, struct sv json)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &err);
	struct json root = json_root(doc), id = json_get(root, "id");
	defer(str_clear) struct str written = STR_INIT;
	size_t before = s->pending.n;
	struct sv method;
	struct jw w;

	if (!doc) {
		mcp_serve_fail(s, client, SV("null"), SERVE_PARSE_ERROR, sv_cstr(err.text));
		return true;
	}
	if (!json_str(json_get(root, "method"), &method)) {
		if (mcp_serve_is_response(root))
			return false;
		mcp_serve_fail(s, client, SV("null"), SERVE_INVALID_REQUEST,
			       SV("not a JSON-RPC message"));
		return true;
	}
	if (!json_exists(id)) {
		if (sv_is(method, "notifications/cancelled"))
			mcp_serve_cancel(s, session, json_path(root, "params.requestId"));
		return false;
	}
	jw_init(&w, &written, JW_COMPACT);
	jw_value(&w, id);
	mcp_serve_request(s, client, sv_of(&written), method, json_get(root, "params"));
	if (s->pending.n > before)
		str_add(&(*vec_last(&s->pending))->session, session);
	return true;
}

void mcp_serve_clear(struct mcp_serve *s)
{
	while (s->pending.n)
		mcp_serve_drop(s, s->pending.n - 1);
	vec_clear(&s->pending);
}

/* --- standard input and output ------------------------------------------------------------------------ */

struct mcp_serve_stdio {
	struct mcp_serve *serve;
	struct str input; /* of an incomplete line */
	bool is_broken;   /* nobody reads what we write */
};

static void mcp_serve_write(void *arg, __attribute__((unused)) void *client, struct str *json)
{
	struct mcp_serve_stdio *io = arg;
	size_t at = 0;

	str_addc(json, '\n');
	while (!io->is_broken && at < json->len) {
		ssize_t n = write(STDOUT_FILENO, json->ptr + at, json->len - at);

		if (n > 0)
			at += (size_t)n;
		else if (n < 0 && errno != EINTR)
			io->is_broken = true;
	}
}

/* Read what there is. False at the end of the input. */
static bool mcp_serve_read(struct mcp_serve_stdio *io)
{
	char buffer[64 * 1024];
	ssize_t n = read(STDIN_FILENO, buffer, sizeof(buffer));
	size_t end;

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n <= 0)
		return false;
	if (!str_add_capped(&io->input, sv_from(buffer, (size_t)n), LIMIT_INPUT_LINE)) {
		failure("a message is longer than %zu MiB", LIMIT_INPUT_LINE / MIB);
		return false;
	}
	while ((end = sv_find_char(sv_of(&io->input), '\n')) != SIZE_MAX) {
		struct sv line = sv_trim(sv_slice(sv_of(&io->input), 0, end));

		if (line.len)
			(void)mcp_serve_take(io->serve, NULL, SV_EMPTY, line);
		str_consume(&io->input, end + 1);
	}
	return true;
}

/* Serve until the client closes our input; then answer what it still wants to know. */
static enum exit_code mcp_serve_pipes(struct mcp_serve *s, struct awl *awl)
{
	struct mcp_serve_stdio io = { .serve = s };
	struct pollfd fds[2] = { { .fd = awl_fd(awl), .events = POLLIN },
				 { .fd = STDIN_FILENO, .events = POLLIN } };
	bool is_open = true;

	s->send = mcp_serve_write;
	s->arg = &io;
	while (!io.is_broken && (is_open || s->pending.n)) {
		awl_dispatch(awl);
		if (!is_open && !s->pending.n)
			break;
		if (poll(fds, is_open ? 2 : 1, -1) < 0 && errno != EINTR)
			break;
		if (is_open && fds[1].revents)
			is_open = mcp_serve_read(&io);
	}
	mcp_serve_clear(s); /* nobody gets the answers that are still missing */
	str_clear(&io.input);
	return EXIT_OK;
}

enum exit_code mcp_serve(const struct mcp *mcp)
{
	defer(options_clear) struct options o = OPTIONS_INIT;
	defer(mcp_serve_clear) struct mcp_serve s = { .session = NULL };
	struct err err = ERR_INIT;
	enum exit_code code;
	struct awl *awl;

	if (mcp->nwords)
		return usage_error("unexpected argument '%s' for 'awl mcp serve'", mcp->words[0]);
	if (!options_read(&o, mcp->args, "mcp", &err))
		return usage_error("%s", err.text);
	o.needs_no_model = true;
	o.session.skip_transcript = o.session.skip_instructions = true;
	o.session.skip_commands = o.session.only_mcp_configs = true;
	if (!o.session.tools)
		o.session.tools = "Bash,Edit,Glob,Grep,LS,NotebookEdit,Read,WebFetch,Write";
	awl = options_open(&o);
	if (!awl)
		return EXIT_FAILED;
	if (awl_session_open(&s.session, awl, &o.session, mcp_serve_ignore, &s) != AWL_OK) {
		failure("%s", awl_last_error());
		return options_close(&o, awl, EXIT_FAILED);
	}
	code = args_has(mcp->args, "port") ? mcp_serve_http(mcp, &s, awl)
					   : mcp_serve_pipes(&s, awl);
	awl_session_close(s.session);
	return options_close(&o, awl, code);
}

/* awl_mcp.h: asking a session that runs about its servers (mcp_endpoint.h), instead of connecting to them once more. */
#include <unistd.h>

#include "base/limits.h"
#include "core/api/awl_mcp_int.h"
#include "core/mcp/mcp_endpoint.h"
#include "net/env_var.h"

/* A call may take as long as the tool does: MCP_TOOL_TIMEOUT, or nearly for ever. */
enum { ENDPOINT_MS = 10 * 1000, ENDPOINT_CALL_MS = 100 * 1000 * 1000 };

struct endpoint_ask {
	struct loop *loop;
	int64_t ms;
	struct str *out;
	int status;
	struct err why;
};

static void endpoint_ask_on_head(void *owner, const struct http_head *head)
{
	struct endpoint_ask *a = owner;

	a->status = head->status;
}

static void endpoint_ask_on_body(void *owner, struct sv bytes)
{
	struct endpoint_ask *a = owner;

	str_add(a->out, bytes);
}

static void endpoint_ask_on_done(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct endpoint_ask *a = owner;

	if (why && why->kind == ERR_REFUSED)
		err_set(&a->why, ERR_REFUSED, "Connection refused. Is the session still running?");
	else if (why && why->kind >= ERR_TIMEOUT && why->kind <= ERR_TIMEOUT_IDLE)
		err_set(&a->why, ERR_TIMEOUT, "Request timeout");
	else if (why)
		err_set(&a->why, why->kind, "Network error: %s", why->text);
	loop_stop(a->loop);
}

/* Make the request on a loop of its own. */
static void endpoint_ask_run(struct endpoint_ask *a, struct json file, struct sv message)
{
	defer(str_clear) struct str url = STR_INIT;
	defer(str_clear) struct str key = STR_INIT;
	const struct http_config config = { .env = (const char *const[]){ NULL },
					    .user_agent = "awl" };
	struct http_header headers[] = { { SV("Authorization"), SV_EMPTY },
					 { SV("Content-Type"), SV("application/json") } };
	struct http *http;

	str_addf(&url, "%.*s/mcp", SV_ARG(json_str_or(json_get(file, "url"), SV_EMPTY)));
	str_addf(&key, "Bearer %.*s", SV_ARG(json_str_or(json_get(file, "key"), SV_EMPTY)));
	headers[0].value = sv_of(&key);
	a->loop = loop_new();
	http = http_new(a->loop, &config, &a->why);
	if (http) {
		(void)http_start(http,
				 &(struct http_request){ .url = str_c(&url),
							 .headers = headers,
							 .nheaders = countof(headers),
							 .body = &message,
							 .nbody = 1,
							 .total_ms = a->ms,
							 .max_body = LIMIT_MCP_MESSAGE,
							 .on_head = endpoint_ask_on_head,
							 .on_body = endpoint_ask_on_body },
				 THEN(endpoint_ask_on_done, a));
		loop_run(a->loop);
		http_free(http);
	}
	loop_free(a->loop);
}

bool awl_mcp_read_private(struct str *out, const char *path, size_t max, struct err *err)
{
	struct fs_info info;

	if (!fs_info(&info, path, true, err))
		return false;
	if (info.owner != geteuid() || info.mode & 077)
		return err_set(err, ERR_ACCESS, "%s is not private: others could have written it",
			       path);
	return fs_read(out, path, max, err);
}

const char *awl_mcp_session(const struct awl_project *p)
{
	const char *const *env = awl_project_env(p);
	const char *session = env_var(env, "CLAUDE_CODE_SESSION_ID");

	return session && !strchr(session, '/') && awl_project_config_dir(p) &&
			       mcp_cli_is_on(env_var(env, "ENABLE_EXPERIMENTAL_MCP_CLI"), false)
		       ? session
		       : NULL;
}

/* Read where the endpoint is. NULL: there is none, or it must not be used. */
static struct json_doc *endpoint_ask_open(struct awl_project *p)
{
	const char *session = awl_mcp_session(p);
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (!session ||
	    !mcp_cli_is_on(env_var(awl_project_env(p), "ENABLE_MCP_CLI_ENDPOINT"), true))
		return NULL;
	mcp_endpoint_path(&path, awl_project_config_dir(p), sv_cstr(session));
	if (awl_mcp_read_private(&text, str_c(&path), LIMIT_MCP_METADATA, &err))
		return json_parse(sv_of(&text), 0, &err);
	awl_project_note(p,
			 "there is no MCP endpoint at %s (session %s), so the state file is used",
			 str_c(&path), session);
	return NULL;
}

static int64_t endpoint_ask_ms(const struct awl_project *p, bool is_call)
{
	const char *given = env_var(awl_project_env(p), "MCP_TOOL_TIMEOUT");
	int64_t ms;

	if (!is_call)
		return ENDPOINT_MS;
	return given && sv_to_int(sv_cstr(given), &ms) && ms > 0 ? ms : ENDPOINT_CALL_MS;
}

bool awl_mcp_ask_session(struct awl_project *p, struct sv message, bool is_call, bool *ok,
			 struct err *err)
{
	defer(json_doc_freep) struct json_doc *file = endpoint_ask_open(p);
	struct endpoint_ask ask = { .out = &p->result, .ms = endpoint_ask_ms(p, is_call) };
	struct err ignored = ERR_INIT;

	if (!file)
		return false;
	endpoint_ask_run(&ask, json_root(file), message);
	*ok = ask.why.kind == ERR_NONE && ask.status < 400;
	if (ask.why.kind != ERR_NONE) {
		*err = ask.why;
	} else if (!*ok) {
		defer(json_doc_freep) struct json_doc *reply =
			json_parse(sv_of(&p->result), 0, &ignored);
		struct sv text = json_str_or(json_get(json_root(reply), "error"), SV_EMPTY);

		if (text.len)
			err_set(err, ERR_ACCESS, "%.*s", SV_ARG(text));
		else
			err_set(err, ERR_PROTOCOL, "HTTP %d", ask.status);
	}
	return true;
}

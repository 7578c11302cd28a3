/* awl_mcp.h: asking a session that runs about its servers (mcp_endpoint.h), instead of connecting to them once more. */
#include <unistd.h>

#include "base/limits.h"
#include "core/api/awl_mcp_int.h"
#include "core/mcp/mcp_endpoint.h"
#include "net/env_var.h"

enum { ENDPOINT_MS = 10 * 1000 };

struct endpoint_ask {
	struct loop *loop;
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
							 .total_ms = ENDPOINT_MS,
							 .max_body = LIMIT_MCP_MESSAGE,
							 .on_head = endpoint_ask_on_head,
							 .on_body = endpoint_ask_on_body },
				 THEN(endpoint_ask_on_done, a));
		loop_run(a->loop);
		http_free(http);
	}
	loop_free(a->loop);
}

/* Read the file, which has to be the user's own. */
static struct json_doc *endpoint_ask_open(struct awl_project *p)
{
	const char *session = env_var(awl_project_env(p), "CLAUDE_CODE_SESSION_ID");
	const char *dir = awl_project_config_dir(p);
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct fs_info info;
	struct err err = ERR_INIT;

	if (!session || !dir || strchr(session, '/'))
		return NULL;
	mcp_endpoint_path(&path, dir, sv_cstr(session));
	if (!fs_info(&info, str_c(&path), true, &err) || info.owner != geteuid() ||
	    info.mode & 077 || !fs_read(&text, str_c(&path), LIMIT_MCP_METADATA, &err))
		return NULL;
	return json_parse(sv_of(&text), 0, &err);
}

bool awl_mcp_ask_session(struct awl_project *p, struct sv message, bool *ok, struct err *err)
{
	defer(json_doc_freep) struct json_doc *file = endpoint_ask_open(p);
	struct endpoint_ask ask = { .out = &p->result };
	struct err ignored = ERR_INIT;

	if (!file)
		return false;
	endpoint_ask_run(&ask, json_root(file), message);
	*ok = ask.why.kind == ERR_NONE && ask.status < 400;
	if (ask.why.kind != ERR_NONE) {
		*err = ask.why;
	} else if (!*ok) {
		defer(json_doc_freep) struct json_doc *said =
			json_parse(sv_of(&p->result), 0, &ignored);
		struct sv text = json_str_or(json_get(json_root(said), "error"), SV_EMPTY);

		if (text.len)
			err_set(err, ERR_ACCESS, "%.*s", SV_ARG(text));
		else
			err_set(err, ERR_PROTOCOL, "HTTP %d", ask.status);
	}
	return true;
}

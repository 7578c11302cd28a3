/* mcp_auth.h - a scripted server (mcp.example) and authorization server (as.example), for tests of
 * authorization. */
#ifndef AWL_TESTS_SIM_MCP_AUTH_H
#define AWL_TESTS_SIM_MCP_AUTH_H

#include "mcp/auth/auth.h"

#include "machine/servers.h"
#include "test.h"
#include "text/json/json.h"
#include "text/url.h"

#define URL   "https://mcp.example/mcp"
#define PRM   "https://mcp.example/.well-known/oauth-protected-resource/mcp"
#define ROOT  "https://mcp.example/.well-known/oauth-protected-resource"
#define AS    "https://as.example"
#define META  AS "/.well-known/oauth-authorization-server"
#define TOKEN AS "/token"
#define FILE_ "/home/u/.claude/.credentials.json"

#define PRM_BODY "{\"resource\":\"" URL "\",\"authorization_servers\":[\"" AS "\"]}"
#define META_BODY                                                                       \
	"{\"issuer\":\"" AS "\",\"authorization_endpoint\":\"" AS                       \
	"/authorize\",\"token_endpoint\":\"" TOKEN "\",\"registration_endpoint\":\"" AS \
	"/register\",\"revocation_endpoint\":\"" AS                                     \
	"/revoke\",\"token_endpoint_auth_methods_supported\":[\"none\"]}"

struct client {
	struct sim *world;
	struct http *http;
	struct mcp_config config;
	struct mcp_auth *auth;
	struct op *op;
	int dones;
	struct err why;
	struct str url;   /* that was shown */
	struct str token; /* that was given */
};

static inline void on_url(void *arg, const char *server, const char *url)
{
	struct client *c = arg;

	CHECK_STR(server, "srv");
	str_set(&c->url, sv_cstr(url));
}

static const char *const variables[] = { "BROWSER=look --new", NULL };

static const struct mcp_idp company = { .issuer = "https://idp.example",
					.client_id = "idp-client" };

static inline void client_init(struct client *c, bool has_person)
{
	struct err err = ERR_INIT;

	*c = (struct client){ .world = sim_new() };
	sim_put_dir(c->world, "/home/u/.claude");
	c->http = http_new(sim_loop(c->world), &(struct http_config){ .proxy = NULL }, &err);
	CHECK_OK(c->http != NULL, err);
	c->config = (struct mcp_config){ .name = "srv", .transport = MCP_HTTP, .url = URL };
	c->auth = mcp_auth_new(&(struct mcp_auth_opts){ .loop = sim_loop(c->world),
							.http = c->http,
							.credentials_file = FILE_,
							.env = variables,
							.opens_browser = has_person,
							.idp = company,
							.show_url = has_person ? on_url : NULL,
							.arg = c });
}

static inline void client_clear(struct client *c)
{
	op_cancel(c->op);
	CHECK(sim_run(c->world, SIZE_MAX));
	CHECK(!c->op);
	CHECK_INT(sim_live_ops(c->world), 0);
	mcp_auth_free(c->auth);
	http_free(c->http);
	str_clear(&c->url);
	str_clear(&c->token);
	sim_free(c->world);
}

#define CLIENT(name, has_person)                \
	defer(client_clear) struct client name; \
	client_init(&name, has_person)

static inline void serve(struct client *c, const char *url, int status, const char *headers,
			 const char *body)
{
	const struct sim_http_step steps[] = { { SIM_HTTP_HEAD, status, sv_cstr(headers) },
					       { SIM_HTTP_BODY, 0, sv_cstr(body) } };

	sim_http(c->world, &(struct sim_http_rule){
				   .url = url, .steps = steps, .n = body[0] ? 2 : 1, .uses = 1 });
}

static inline void serve_metadata(struct client *c)
{
	serve(c, PRM, 200, "", PRM_BODY);
	serve(c, META, 200, "", META_BODY);
}

static inline void on_done(__attribute__((unused)) struct op *op, void *owner,
			   const struct err *why)
{
	struct client *c = owner;

	c->op = NULL;
	c->dones++;
	c->why = why ? *why : (struct err)ERR_INIT;
}

static inline void on_token(struct op *op, void *owner, const struct err *why)
{
	struct client *c = owner;

	str_set(&c->token, why ? SV("failed") : mcp_auth_token(op));
	on_done(op, owner, why);
}

static inline void login(struct client *c)
{
	c->op = mcp_auth_login_start(c->auth, &c->config, THEN(on_done, c));
	sim_advance(c->world, 1000);
}

/* A parameter of the address that was shown. */
static const char *shown(struct client *c, const char *name, char *out, size_t size)
{
	defer(str_clear) struct str key = STR_INIT;
	struct sv rest;
	size_t at, end;

	str_addf(&key, "%s=", name);
	at = sv_find(sv_of(&c->url), sv_of(&key));
	if (at == SIZE_MAX)
		return NULL;
	rest = sv_skip(sv_of(&c->url), at + key.len);
	end = sv_find_char(rest, '&');
	snprintf(out, size, "%.*s", SV_ARG(sv_slice(rest, 0, end)));
	return out;
}

static inline int come_back(struct client *c, const char *query)
{
	defer(str_clear) struct str path = STR_INIT;
	char state[100];

	CHECK(shown(c, "state", state, sizeof(state)));
	str_addf(&path, "/callback?state=%s&%s", state, query);
	return sim_visit(c->world, 49152, str_c(&path), NULL);
}

static const struct sim_http_request *request_to(struct client *c, const char *url)
{
	const struct sim_http_request *r, *found = NULL;

	for (size_t i = 0; (r = sim_http_received(c->world, i)); i++)
		if (strcmp(r->url, url) == 0)
			found = r;
	return found;
}

static inline bool was_sent(struct client *c, const char *url, const char *part)
{
	const struct sim_http_request *r = request_to(c, url);

	return r && sv_find(sv_of(&r->body), sv_cstr(part)) != SIZE_MAX;
}

static inline struct sv stored(struct client *c, const char *name, struct json_doc **doc)
{
	struct err err = ERR_INIT;
	struct arena arena = ARENA_INIT;
	struct sv text;

	*doc = json_parse(sim_get(c->world, FILE_), 0, &err);
	CHECK_OK(*doc != NULL, err);
	text = json_str_or(json_get(json_get(json_get(json_root(*doc), "mcpOAuth"),
					     mcp_config_key(&c->config, &arena)),
				    name),
			   SV("(none)"));
	arena_clear(&arena);
	return text;
}

#define CHECK_STORED(client, name, expected)                                 \
	do {                                                                 \
		defer(json_doc_freep) struct json_doc *doc_ = NULL;          \
		CHECK_SV_EQ(stored(client, name, &doc_), sv_cstr(expected)); \
	} while (0)

static inline void grant(struct client *c)
{
	serve(c, TOKEN, 200, "",
	      "{\"access_token\":\"at1\",\"token_type\":\"Bearer\",\"expires_in\":3600,"
	      "\"refresh_token\":\"rt1\"}");
}

static inline void challenge(struct client *c, int status, const char *header, const char *used)
{
	c->op = mcp_auth_challenged_start(c->auth, &c->config, status, sv_cstr(header),
					  sv_cstr(used), THEN(on_done, c));
	sim_advance(c->world, 1000);
}

#endif

/* Authorization: logging in and out, tokens, challenges. */
#include "sim/mcp_auth.h"

/* --- logging in ----------------------------------------------------------------- */

TEST(a_login_goes_from_the_challenge_to_a_stored_token)
{
	char text[200];
	CLIENT(c, true);

	sim_put(c.world, FILE_, SV("{\"other\": [1],\n \"mcpOAuth\": {\"x\": {\"y\":  2}}}"));
	serve(&c, URL, 401, "www-authenticate: Bearer scope=\"s1\", resource_metadata=\"" ROOT "\"",
	      "");
	serve(&c, ROOT, 200, "", PRM_BODY);
	serve(&c, META, 200, "", META_BODY);
	serve(&c, AS "/register", 201, "", "{\"client_id\":\"c1\"}");
	login(&c);
	CHECK(sv_starts(sv_of(&c.url), SV(AS "/authorize?response_type=code&client_id=c1&")));
	CHECK_STR(shown(&c, "code_challenge_method", text, sizeof(text)), "S256");
	CHECK_STR(shown(&c, "scope", text, sizeof(text)), "s1");
	CHECK_STR(shown(&c, "resource", text, sizeof(text)), "https%3A%2F%2Fmcp.example%2Fmcp");
	CHECK_STR(shown(&c, "redirect_uri", text, sizeof(text)),
		  "http%3A%2F%2Flocalhost%3A49152%2Fcallback");
	CHECK(sv_starts(sim_detached(c.world), SV("look --new " AS "/authorize?")));
	CHECK(was_sent(&c, AS "/register", "\"application_type\":\"native\""));
	CHECK(was_sent(&c, AS "/register", "\"refresh_token\""));
	grant(&c);
	CHECK_INT(come_back(&c, "code=k%2B1"), 200);
	sim_advance(c.world, 1000);
	CHECK_OK(c.why.kind == ERR_NONE, c.why);
	CHECK_INT(c.dones, 1);
	CHECK(was_sent(&c, TOKEN, "code=k%2B1"));
	CHECK(was_sent(&c, TOKEN, "client_id=c1"));
	CHECK(was_sent(&c, TOKEN, "code_verifier="));
	CHECK(was_sent(&c, TOKEN, "resource=https%3A%2F%2Fmcp.example%2Fmcp"));
	CHECK_STORED(&c, "accessToken", "at1");
	CHECK_STORED(&c, "refreshToken", "rt1");
	CHECK_STORED(&c, "issuer", AS);
	CHECK_STORED(&c, "serverName", "srv");
	CHECK(sv_starts(sim_get(c.world, FILE_),
			SV("{\"other\": [1],\n \"mcpOAuth\": {\"x\": {\"y\":  2}")));
	CHECK_INT(sim_visit(c.world, 49152, "/", NULL), 0); /* nobody listens any more */
}

/* Brings a login up to the browser. */
static void login_to_browser(struct client *c)
{
	serve(c, URL, 401, "", "");
	serve_metadata(c);
	serve(c, AS "/register", 201, "", "{\"client_id\":\"c1\"}");
	login(c);
	CHECK(c->url.len > 0);
}

TEST(only_the_first_redirect_with_the_right_state_counts)
{
	CLIENT(c, true);

	login_to_browser(&c);
	CHECK_INT(sim_visit(c.world, 49152, "/callback?code=evil&state=guess", NULL), 400);
	CHECK_INT(sim_visit(c.world, 49152, "/callback?code=evil", NULL), 400);
	CHECK_INT(sim_visit(c.world, 49152, "/callback", NULL), 400);
	CHECK_INT(sim_visit(c.world, 49152, "/elsewhere", NULL), 404);
	sim_advance(c.world, 1000);
	CHECK_INT(c.dones, 0);
	grant(&c);
	CHECK_INT(come_back(&c, "code=good"), 200);
	CHECK_INT(come_back(&c, "code=late"), 400);
	sim_advance(c.world, 1000);
	CHECK(was_sent(&c, TOKEN, "code=good"));
	CHECK_INT(c.why.kind, ERR_NONE);
}

TEST(the_redirect_can_be_pasted)
{
	defer(str_clear) struct str text = STR_INIT;
	char state[100];
	struct err err = ERR_INIT;
	CLIENT(c, true);

	login_to_browser(&c);
	CHECK(!mcp_auth_paste(c.op, SV("http://localhost:1/callback?code=x&state=y"), &err));
	CHECK_ERR(err, ERR_INVALID, "not the redirect");
	CHECK(!mcp_auth_paste(c.op, SV("rubbish"), &err));
	shown(&c, "state", state, sizeof(state));
	str_addf(&text, "  http://localhost:49152/callback?code=p&state=%s \n", state);
	grant(&c);
	CHECK_OK(mcp_auth_paste(c.op, sv_of(&text), &err), err);
	sim_advance(c.world, 1000);
	CHECK(was_sent(&c, TOKEN, "code=p"));
	CHECK_INT(c.why.kind, ERR_NONE);
}

TEST(a_login_that_is_refused_or_forgotten_ends)
{
	static const char *const answers[] = { "error=access_denied&error_description=no%0Away",
					       NULL };

	for (size_t i = 0; i < 2; i++) {
		CLIENT(c, true);

		login_to_browser(&c);
		if (answers[i])
			CHECK_INT(come_back(&c, answers[i]), 400);
		CHECK(sim_run(c.world, SIZE_MAX));
		CHECK_INT(c.dones, 1);
		if (answers[i])
			CHECK_ERR(c.why, ERR_ACCESS, "access_denied: no\\");
		else
			CHECK_ERR(c.why, ERR_TIMEOUT, "5 minutes");
		CHECK(!request_to(&c, TOKEN));
	}
}

TEST(a_redirect_from_another_authorization_server_is_refused)
{
	static const struct {
		bool is_promised;
		const char *query;
		bool is_fine;
	} rows[] = {
		{ true, "code=x&iss=https%3A%2F%2Fas.example", true },
		{ true, "code=x", false },
		{ true, "code=x&iss=https%3A%2F%2Fas.example%2F", false },
		{ true, "code=x&iss=https%3A%2F%2Fevil.example", false },
		{ false, "code=x", true },
		{ false, "code=x&iss=https%3A%2F%2Fas.example", true },
		{ false, "code=x&iss=https%3A%2F%2Fevil.example", false },
		{ false, "code=x&iss=a&iss=https%3A%2F%2Fas.example", false },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str body = STR_INIT;
		CLIENT(c, true);

		str_adds(&body, META_BODY);
		if (rows[i].is_promised)
			str_splice(&body, 1, 1,
				   SV("\"authorization_response_iss_parameter_supported\":true,"));
		serve(&c, URL, 401, "", "");
		serve(&c, PRM, 200, "", PRM_BODY);
		serve(&c, META, 200, "", str_c(&body));
		serve(&c, AS "/register", 201, "", "{\"client_id\":\"c1\"}");
		login(&c);
		grant(&c);
		CHECK_INT(come_back(&c, rows[i].query), rows[i].is_fine ? 200 : 400);
		sim_advance(c.world, 1000);
		CHECK((c.why.kind == ERR_NONE) == rows[i].is_fine);
		CHECK((request_to(&c, TOKEN) != NULL) == rows[i].is_fine);
	}
}

TEST(metadata_at_an_address_without_tls_are_not_asked_for)
{
	CLIENT(c, true);

	serve(&c, URL, 401, "www-authenticate: Bearer resource_metadata=\"http://evil.example/x\"",
	      "");
	serve(&c, "http://evil.example/x", 200, "", PRM_BODY);
	serve_metadata(&c);
	serve(&c, AS "/register", 201, "", "{\"client_id\":\"c1\"}");
	login(&c);
	CHECK(c.url.len > 0);
	CHECK(!request_to(&c, "http://evil.example/x"));
}

TEST(nobody_is_authorized_when_the_metadata_do_not_fit)
{
	static const struct {
		const char *prm, *meta, *why;
	} rows[] = {
		{ "{\"resource\":\"https://evil.example/mcp\",\"authorization_servers\":[\"" AS
		  "\"]}",
		  META_BODY, "another resource" },
		{ PRM_BODY,
		  "{\"issuer\":\"https://evil.example\",\"token_endpoint\":\"" TOKEN "\"}",
		  "calls itself" },
		{ "{\"resource\":\"" URL "\",\"authorization_servers\":[\"http://as.example\"]}",
		  META_BODY, "https" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		CLIENT(c, true);

		serve(&c, URL, 401, "", "");
		serve(&c, PRM, 200, "", rows[i].prm);
		serve(&c, META, 200, "", rows[i].meta);
		login(&c);
		CHECK_INT(c.dones, 1);
		CHECK_ERR(c.why, ERR_ACCESS, rows[i].why);
		CHECK(!c.url.len);
	}
}

TEST(a_client_proves_itself_as_the_server_wants)
{
	static const struct {
		const char *methods, *form, *header;
	} rows[] = {
		{ "[\"client_secret_basic\",\"client_secret_post\"]", NULL,
		  "Authorization: Basic YzE6cyUyNjE=" },
		{ "[\"client_secret_post\"]", "client_id=c1&client_secret=s%261", NULL },
		{ "[\"none\"]", "client_id=c1", NULL },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str body = STR_INIT;
		const struct sim_http_request *r;
		CLIENT(c, true);

		str_addf(&body,
			 "{\"issuer\":\"" AS "\",\"authorization_endpoint\":\"" AS
			 "/authorize\",\"token_endpoint\":\"" TOKEN
			 "\",\"registration_endpoint\":\"" AS
			 "/register\",\"token_endpoint_auth_methods_supported\":%s}",
			 rows[i].methods);
		serve(&c, URL, 401, "", "");
		serve(&c, PRM, 200, "", PRM_BODY);
		serve(&c, META, 200, "", str_c(&body));
		serve(&c, AS "/register", 201, "",
		      "{\"client_id\":\"c1\",\"client_secret\":\"s&1\"}");
		login(&c);
		grant(&c);
		CHECK_INT(come_back(&c, "code=x"), 200);
		sim_advance(c.world, 1000);
		r = request_to(&c, TOKEN);
		CHECK(r != NULL);
		if (rows[i].form)
			CHECK(sv_ends(sv_of(&r->body), sv_cstr(rows[i].form)));
		else
			CHECK(sv_find(sv_of(&r->headers), sv_cstr(rows[i].header)) != SIZE_MAX &&
			      sv_find(sv_of(&r->body), SV("client_")) == SIZE_MAX);
	}
}

TEST(a_configured_client_is_used_with_its_secret)
{
	char text[100];
	struct err err = ERR_INIT;
	CLIENT(c, true);

	c.config.oauth.client_id = "mine";
	c.config.oauth.callback_port = 8123;
	CHECK_OK(mcp_auth_set_client_secret(FILE_, &c.config, SV("s"), &err), err);
	serve(&c, URL, 401, "", "");
	serve(&c, PRM, 200, "", PRM_BODY);
	serve(&c, META, 200, "",
	      "{\"issuer\":\"" AS "\",\"authorization_endpoint\":\"" AS
	      "/authorize\",\"token_endpoint\":\"" TOKEN "\"}");
	login(&c);
	CHECK_STR(shown(&c, "client_id", text, sizeof(text)), "mine");
	CHECK_STR(shown(&c, "redirect_uri", text, sizeof(text)),
		  "http%3A%2F%2Flocalhost%3A8123%2Fcallback");
	CHECK(!request_to(&c, AS "/register"));
}

/* --- tokens --------------------------------------------------------------------- */

static void store_token(struct client *c, const char *more)
{
	struct arena arena = ARENA_INIT;
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text,
		 "{\"mcpOAuth\":{\"%s\":{\"accessToken\":\"old\",\"clientId\":\"c1\",\"issuer\":"
		 "\"" AS "\",\"resource\":\"" URL
		 "\",\"redirectUri\":\"http://localhost:49152/callback\"%s}}}",
		 mcp_config_key(&c->config, &arena), more);
	sim_put(c->world, FILE_, sv_of(&text));
	arena_clear(&arena);
}

static void fetch(struct client *c)
{
	c->op = mcp_auth_token_start(c->auth, &c->config, THEN(on_token, c));
	sim_advance(c->world, 1000);
}

TEST(a_token_is_given_as_it_is_stored)
{
	CLIENT(c, false);

	fetch(&c);
	CHECK_STR(str_c(&c.token), "");
	store_token(&c, "");
	fetch(&c);
	CHECK_STR(str_c(&c.token), "Bearer old");
}

TEST(a_token_is_refreshed_before_its_end_once_for_all)
{
	struct client second = { .op = NULL };
	CLIENT(c, false);

	/* 2026-01-02 03:04:05 and four minutes */
	store_token(&c, ",\"refreshToken\":\"rt0\",\"expiresAt\":1767323285000");
	serve(&c, META, 200, "", META_BODY);
	grant(&c);
	second.op = mcp_auth_token_start(c.auth, &c.config, THEN(on_token, &second));
	fetch(&c);
	CHECK_STR(str_c(&c.token), "Bearer at1");
	CHECK_STR(str_c(&second.token), "Bearer at1");
	CHECK(was_sent(&c, TOKEN, "grant_type=refresh_token&refresh_token=rt0&resource="));
	CHECK(!sim_http_received(c.world, 2));
	CHECK_STORED(&c, "refreshToken", "rt1");
	str_clear(&second.token);
}

TEST(a_token_that_another_process_has_refreshed_is_used)
{
	CLIENT(c, false);

	store_token(&c, ",\"refreshToken\":\"rt0\",\"expiresAt\":1767323285000");
	sim_delay_work(c.world, 500);
	c.op = mcp_auth_token_start(c.auth, &c.config, THEN(on_token, &c));
	sim_advance(c.world, 100); /* it waits for the lock */
	store_token(
		&c,
		",\"refreshToken\":\"rt9\",\"expiresAt\":1767393285000,\"accessToken\":\"theirs\"");
	sim_advance(c.world, 1000);
	CHECK_STR(str_c(&c.token), "Bearer theirs");
	CHECK(!sim_http_received(c.world, 0));
}

TEST(a_refresh_token_that_is_over_is_forgotten_and_one_that_may_be_fine_is_kept)
{
	static const struct {
		int status;
		const char *body, *left;
	} rows[] = {
		{ 200, "{\"error\":\"invalid_refresh_token\"}", "(none)" },
		{ 400, "{\"error\":\"invalid_grant\"}", "(none)" },
		{ 503, "busy", "rt0" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		CLIENT(c, false);

		store_token(&c, ",\"refreshToken\":\"rt0\",\"expiresAt\":1767323285000");
		serve(&c, META, 200, "", META_BODY);
		serve(&c, TOKEN, rows[i].status, "", rows[i].body);
		fetch(&c);
		CHECK_STORED(&c, "refreshToken", rows[i].left);
		CHECK_STR(str_c(&c.token), rows[i].status == 503 ? "Bearer old" : "");
	}
}

/* --- challenges ------------------------------------------------------------------ */

TEST(a_refused_token_is_refreshed)
{
	CLIENT(c, false);

	store_token(&c, ",\"refreshToken\":\"rt0\"");
	serve(&c, META, 200, "", META_BODY);
	grant(&c);
	challenge(&c, 401, "Bearer error=\"invalid_token\"", "Bearer old");
	CHECK_OK(c.why.kind == ERR_NONE, c.why);
	CHECK_STORED(&c, "accessToken", "at1");
	challenge(&c, 401, "Bearer", "Bearer old"); /* a request that was under way */
	CHECK_INT(c.why.kind, ERR_NONE);
	CHECK(!sim_http_received(c.world, 2));
}

TEST(without_a_person_a_challenge_says_how_to_log_in)
{
	CLIENT(c, false);

	serve_metadata(&c);
	challenge(&c, 401, "Bearer", "");
	CHECK_ERR(c.why, ERR_ACCESS, "awl mcp login srv");
	challenge(&c, 401, "Bearer", "");
	CHECK_INT(c.why.kind, ERR_ACCESS);
	CHECK(!sim_http_received(c.world, 2)); /* asked once */
}

TEST(a_server_without_an_authorization_server_cannot_be_logged_in_to)
{
	CLIENT(c, false);

	for (int i = 0; i < 4; i++)
		serve(&c, "https://mcp.example/.well-known/*", 404, "", "");
	challenge(&c, 401, "Basic realm=x", "");
	CHECK_ERR(c.why, ERR_NOT_FOUND, "nothing is published");
}

TEST(more_scopes_are_asked_for_with_those_already_granted)
{
	char text[100];
	CLIENT(c, false);

	store_token(&c, ",\"scope\":\"read\"");
	challenge(&c, 403, "Bearer error=\"insufficient_scope\", scope=\"write\"", "Bearer old");
	CHECK_ERR(c.why, ERR_ACCESS, "more access (write); run: awl mcp login srv");
	CHECK_STORED(&c, "stepUpScope", "write");
	client_clear(&c);
	client_init(&c, true);
	store_token(&c, ",\"scope\":\"read\",\"stepUpScope\":\"write\"");
	serve(&c, URL, 401, "www-authenticate: Bearer scope=\"read\"", "");
	serve_metadata(&c);
	login(&c);
	CHECK_STR(shown(&c, "scope", text, sizeof(text)), "read%20write");
	CHECK(!request_to(&c, AS "/register")); /* the client is known there */
	grant(&c);
	CHECK_INT(come_back(&c, "code=x"), 200);
	sim_advance(c.world, 1000);
	CHECK_STORED(&c, "stepUpScope", "(none)");
	CHECK_STORED(&c, "scope", "read write");
}

TEST(a_scope_that_was_granted_is_not_asked_for_again)
{
	CLIENT(c, true);

	store_token(&c, ",\"scope\":\"read admin\"");
	challenge(&c, 403, "Bearer error=\"insufficient_scope\", scope=\"admin\"", "Bearer old");
	CHECK_ERR(c.why, ERR_INVALID, "granted already");
	challenge(&c, 403, "Bearer", "Bearer old");
	CHECK_ERR(c.why, ERR_INVALID, "denied");
	CHECK(!sim_http_received(c.world, 0));
}

TEST(a_new_authorization_server_gets_a_new_client)
{
	CLIENT(c, true);

	store_token(&c, "");
	serve(&c, URL, 401, "", "");
	serve(&c, PRM, 200, "",
	      "{\"resource\":\"" URL "\",\"authorization_servers\":[\"https://as2.example\"]}");
	serve(&c, "https://as2.example/.well-known/oauth-authorization-server", 200, "",
	      "{\"issuer\":\"https://as2.example\",\"authorization_endpoint\":\"https://"
	      "as2.example/a\","
	      "\"token_endpoint\":\"https://as2.example/t\",\"registration_endpoint\":"
	      "\"https://as2.example/r\"}");
	serve(&c, "https://as2.example/r", 201, "", "{\"client_id\":\"c2\"}");
	login(&c);
	CHECK(sv_find(sv_of(&c.url), SV("client_id=c2&")) != SIZE_MAX);
}

TEST(a_challenge_with_a_person_logs_in_once_for_all)
{
	struct client second = { .op = NULL };
	CLIENT(c, true);

	serve_metadata(&c);
	serve(&c, AS "/register", 201, "", "{\"client_id\":\"c1\"}");
	second.op = mcp_auth_challenged_start(c.auth, &c.config, 401, SV("Bearer"), SV(""),
					      THEN(on_done, &second));
	challenge(&c, 401, "Bearer", "");
	grant(&c);
	CHECK_INT(come_back(&c, "code=x"), 200);
	sim_advance(c.world, 1000);
	CHECK_INT(c.dones + second.dones, 2);
	CHECK_INT(c.why.kind, ERR_NONE);
	CHECK_INT(second.why.kind, ERR_NONE);
}

/* --- logging out ----------------------------------------------------------------- */

TEST(a_logout_revokes_the_refresh_token_first_and_forgets_in_any_case)
{
	CLIENT(c, false);

	store_token(&c, ",\"refreshToken\":\"rt0\"");
	serve(&c, META, 200, "", META_BODY);
	serve(&c, AS "/revoke", 401, "", "");
	serve(&c, AS "/revoke", 200, "", "");
	serve(&c, AS "/revoke", 200, "", "");
	c.op = mcp_auth_logout_start(c.auth, &c.config, THEN(on_done, &c));
	sim_advance(c.world, 1000);
	CHECK_INT(c.why.kind, ERR_NONE);
	CHECK(sv_starts(sv_of(&sim_http_received(c.world, 1)->body),
			SV("token=rt0&token_type_hint=refresh_token")));
	CHECK(sv_find(sv_of(&sim_http_received(c.world, 2)->headers),
		      SV("Authorization: Bearer old")) != SIZE_MAX);
	CHECK(sv_starts(sv_of(&sim_http_received(c.world, 3)->body), SV("token=old")));
	CHECK(sv_find(sim_get(c.world, FILE_), SV("accessToken")) == SIZE_MAX);
	store_token(&c, "");
	c.op = mcp_auth_logout_start(c.auth, &c.config, THEN(on_done, &c)); /* nobody answers */
	sim_advance(c.world, 1000);
	CHECK_INT(c.why.kind, ERR_NONE);
	CHECK(sv_find(sim_get(c.world, FILE_), SV("accessToken")) == SIZE_MAX);
}

/* --- sweeps ---------------------------------------------------------------------- */

TEST(a_login_can_be_cancelled_at_any_step)
{
	bool is_natural = false;

	for (size_t k = 0; !is_natural; k++) {
		CLIENT(c, true);

		serve(&c, URL, 401, "", "");
		serve_metadata(&c);
		serve(&c, AS "/register", 201, "", "{\"client_id\":\"c1\"}");
		grant(&c);
		c.op = mcp_auth_login_start(c.auth, &c.config, THEN(on_done, &c));
		is_natural = sim_run(c.world, k);
	}
}

TEST(a_login_survives_any_failure)
{
	size_t counted = SIZE_MAX;

	for (size_t k = 1; k <= counted; k++) {
		CLIENT(c, true);

		serve(&c, URL, 401, "", "");
		serve_metadata(&c);
		serve(&c, AS "/register", 201, "", "{\"client_id\":\"c1\"}");
		grant(&c);
		sim_fail_at(c.world, k, ERR_NONE);
		login(&c);
		if (c.url.len)
			(void)come_back(&c, "code=x");
		CHECK(sim_run(c.world, SIZE_MAX));
		CHECK_INT(c.dones, 1);
		CHECK(c.why.kind == ERR_NONE || c.why.text[0]);
		counted = sim_ops_counted(c.world);
	}
}

/* Cross-application access: an identity is exchanged for tokens. */
#include "sim/mcp_auth.h"

/* {"alg":"none"}.{"exp":1767400000}.x */
#define IDENTITY "eyJhbGciOiJub25lIn0.eyJleHAiOjE3Njc0MDAwMDB9.x"
#define JAG_BODY                                            \
	"{\"access_token\":\"jag1\",\"issued_token_type\":" \
	"\"urn:ietf:params:oauth:token-type:id-jag\",\"token_type\":\"N_A\"}"

static void exchange_init(struct client *c, const char *identity)
{
	struct err err = ERR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	c->config.oauth.uses_xaa = true;
	c->config.oauth.client_id = "mine";
	str_addf(&text, "{\"mcpXaaIdp\":{\"https://idp.example\":{\"idToken\":\"%s\"}}}", identity);
	sim_put(c->world, FILE_, sv_of(&text));
	CHECK_OK(mcp_auth_set_client_secret(FILE_, &c->config, SV("s"), &err), err);
}

static void serve_exchange(struct client *c)
{
	serve(c, PRM, 200, "", PRM_BODY);
	serve(c, META, 200, "",
	      "{\"issuer\":\"" AS "\",\"token_endpoint\":\"" TOKEN
	      "\",\"grant_types_supported\":[\"urn:ietf:params:oauth:grant-type:jwt-bearer\"]}");
	serve(c, "https://idp.example/.well-known/openid-configuration", 200, "",
	      "{\"issuer\":\"https://idp.example\",\"token_endpoint\":\"https://idp.example/"
	      "token\","
	      "\"authorization_endpoint\":\"https://idp.example/authorize\"}");
}

TEST(an_identity_is_exchanged_for_a_token_without_a_question)
{
	CLIENT(c, false);

	exchange_init(&c, IDENTITY);
	serve_exchange(&c);
	serve(&c, "https://idp.example/token", 200, "", JAG_BODY);
	serve(&c, TOKEN, 200, "", "{\"access_token\":\"xat\",\"expires_in\":60}");
	challenge(&c, 401, "Bearer", "");
	CHECK_OK(c.why.kind == ERR_NONE, c.why);
	CHECK(was_sent(&c, "https://idp.example/token",
		       "requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aid-jag&"
		       "audience=https%3A%2F%2Fas.example&resource=https%3A%2F%2Fmcp.example%2Fmcp&"
		       "subject_token=eyJ"));
	CHECK(was_sent(&c, "https://idp.example/token", "client_id=idp-client"));
	CHECK(was_sent(&c, TOKEN, "jwt-bearer&assertion=jag1"));
	CHECK(sv_find(sv_of(&request_to(&c, TOKEN)->headers),
		      SV("Authorization: Basic bWluZTpz")) != SIZE_MAX);
	CHECK_STORED(&c, "accessToken", "xat");
}

TEST(an_identity_that_has_expired_is_asked_for_again)
{
	CLIENT(c, true);

	/* {"exp":1} */
	exchange_init(&c, "eyJhbGciOiJub25lIn0.eyJleHAiOjF9.x");
	serve(&c, URL, 401, "", "");
	serve_exchange(&c);
	login(&c);
	CHECK(sv_starts(sv_of(&c.url), SV("https://idp.example/authorize?response_type=code&"
					  "client_id=idp-client&")));
	serve(&c, "https://idp.example/token", 200, "",
	      "{\"access_token\":\"a\",\"id_token\":\"" IDENTITY "\"}");
	serve(&c, "https://idp.example/token", 200, "", JAG_BODY);
	serve(&c, TOKEN, 200, "", "{\"access_token\":\"xat\"}");
	CHECK_INT(come_back(&c, "code=i"), 200);
	sim_advance(c.world, 1000);
	CHECK_OK(c.why.kind == ERR_NONE, c.why);
	CHECK(sv_find(sim_get(c.world, FILE_), SV(IDENTITY)) != SIZE_MAX); /* for the next server */
}

TEST(an_identity_is_forgotten_when_its_provider_refuses_it_and_kept_while_that_is_ill)
{
	static const struct {
		int status;
		const char *body;
		bool is_kept;
	} rows[] = {
		{ 400, "{\"error\":\"invalid_grant\"}", false },
		{ 200, "{\"access_token\":\"hush\",\"issued_token_type\":\"other\"}", false },
		{ 200, "hush", false },
		{ 503, "", true },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		CLIENT(c, false);

		exchange_init(&c, IDENTITY);
		serve_exchange(&c);
		serve(&c, "https://idp.example/token", rows[i].status, "", rows[i].body);
		challenge(&c, 401, "Bearer", "");
		CHECK(c.why.kind != ERR_NONE && !strstr(c.why.text, "hush"));
		CHECK((sv_find(sim_get(c.world, FILE_), SV(IDENTITY)) != SIZE_MAX) ==
		      rows[i].is_kept);
		CHECK(!request_to(&c, TOKEN));
	}
}

TEST(an_identity_is_not_exchanged_for_somebody_else)
{
	static const struct {
		const char *prm, *meta;
	} rows[] = {
		{ "{\"resource\":\"https://mcp.example\",\"authorization_servers\":[\"" AS "\"]}",
		  META_BODY },
		{ PRM_BODY,
		  "{\"issuer\":\"https://evil.example\",\"token_endpoint\":\"" TOKEN "\"}" },
		{ PRM_BODY, "{\"issuer\":\"" AS "\",\"token_endpoint\":\"http://as.example/t\"}" },
		{ PRM_BODY, "{\"issuer\":\"" AS "\",\"token_endpoint\":\"" TOKEN
			    "\",\"grant_types_supported\":[\"authorization_code\"]}" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		CLIENT(c, false);

		exchange_init(&c, IDENTITY);
		serve(&c, PRM, 200, "", rows[i].prm);
		serve(&c, META, 200, "", rows[i].meta);
		serve_exchange(&c);
		challenge(&c, 401, "Bearer", "");
		CHECK_INT(c.why.kind, ERR_ACCESS);
		CHECK(!request_to(&c, "https://idp.example/token"));
	}
}

#include "mcp/auth/oauth_metadata.h"

#include "test.h"

static void check_places(struct oauth_places places, const char *expected)
{
	defer(str_clear) struct str all = STR_INIT;

	for (size_t i = 0; i < places.n; i++)
		str_addf(&all, "%.*s\n", SV_ARG(places.at[i]));
	CHECK_STR(str_c(&all), expected);
}

TEST(metadata_are_looked_for_at_the_path_and_then_at_the_root)
{
	struct arena arena = ARENA_INIT;

	check_places(oauth_resource_places(SV("https://h:1/a/mcp/"), &arena),
		     "https://h:1/.well-known/oauth-protected-resource/a/mcp\n"
		     "https://h:1/.well-known/oauth-protected-resource\n");
	check_places(oauth_resource_places(SV("https://h"), &arena),
		     "https://h/.well-known/oauth-protected-resource\n");
	check_places(oauth_server_places(SV("https://h/"), &arena),
		     "https://h/.well-known/oauth-authorization-server\n"
		     "https://h/.well-known/openid-configuration\n");
	check_places(oauth_server_places(SV("https://h/t1"), &arena),
		     "https://h/.well-known/oauth-authorization-server/t1\n"
		     "https://h/.well-known/openid-configuration/t1\n"
		     "https://h/t1/.well-known/openid-configuration\n");
	check_places(oauth_own_places(SV("https://h/mcp"), &arena),
		     "https://h/.well-known/oauth-authorization-server/mcp\n"
		     "https://h/.well-known/oauth-authorization-server\n");
	arena_clear(&arena);
}

TEST(metadata_of_another_resource_are_refused)
{
	static const struct {
		const char *resource, *url;
		bool is_fine;
	} rows[] = {
		{ "https://h/mcp", "https://h/mcp", true },
		{ "https://h", "https://h/mcp", true },
		{ "https://h/", "https://h/mcp", true },
		{ "https://H:443/mcp/", "https://h/mcp", true },
		{ "https://h/mcp", "https://h/mcp/v1", true },
		{ "https://h/mcp", "https://h/mcpx", false },
		{ "https://h/other", "https://h/mcp", false },
		{ "wss://h/mcp", "https://h/mcp", true }, /* a WebSocket is at the same place */
		{ "ws://h/mcp", "https://h/mcp", false },
		{ "http://h/mcp", "https://h/mcp", false },
		{ "https://evil/mcp", "https://h/mcp", false },
		{ "https://h.evil/mcp", "https://h/mcp", false },
		{ "urn:x", "https://h/mcp", false },
		{ "", "https://h/mcp", false },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		struct arena arena = ARENA_INIT;
		defer(str_clear) struct str json = STR_INIT;
		struct oauth_resource out;
		struct err err = ERR_INIT;
		bool ok;

		str_addf(&json,
			 "{\"resource\":\"%s\",\"scopes_supported\":[\"a\",\"b\",\"a\"],"
			 "\"authorization_servers\":[\"https://as\",7]}",
			 rows[i].resource);
		ok = oauth_resource_read(&out, sv_of(&json), sv_cstr(rows[i].url), &arena, &err);
		if (ok != rows[i].is_fine)
			fail_msg("%s for %s", rows[i].resource, rows[i].url);
		if (ok) {
			CHECK_SV_EQ(out.resource, sv_cstr(rows[i].resource)); /* as it is spelt */
			CHECK_SV(out.scopes, "a b");
			CHECK_INT(out.nservers, 1);
		} else {
			CHECK_INT(err.kind, ERR_ACCESS);
		}
		arena_clear(&arena);
	}
}

static bool read_server(struct oauth_server *out, const char *json, const char *issuer,
			struct arena *arena, struct err *err)
{
	return oauth_server_read(out, sv_cstr(json), sv_cstr(issuer), arena, err);
}

TEST(an_authorization_server_must_be_the_one_that_was_asked)
{
	static const char json[] =
		"{\"issuer\":\"https://as/t\",\"token_endpoint\":\"https://as/token\"}";
	struct arena arena = ARENA_INIT;
	struct oauth_server s;
	struct err err = ERR_INIT;

	CHECK_OK(read_server(&s, json, "https://as/t", &arena, &err), err);
	CHECK_OK(read_server(&s, json, "https://as/t/", &arena, &err), err);
	CHECK_OK(read_server(&s, json, "", &arena, &err), err);
	CHECK(!read_server(&s, json, "https://as", &arena, &err));
	CHECK_ERR(err, ERR_ACCESS, "calls itself https://as/t");
	CHECK(!read_server(&s, json, "https://AS/t", &arena, &err));
	arena_clear(&arena);
}

TEST(an_authorization_server_that_is_not_safe_is_refused)
{
	static const char *const bad[] = {
		"{\"issuer\":\"i\",\"token_endpoint\":\"http://as/token\"}",
		"{\"issuer\":\"i\",\"token_endpoint\":\"https://as/t\",\"authorization_endpoint\":"
		"\"http://as/a\"}",
		"{\"issuer\":\"i\",\"token_endpoint\":\"https://as/t\",\"authorization_endpoint\":"
		"\"javascript:x\"}",
		"{\"issuer\":\"i\",\"token_endpoint\":\"https://as/t\","
		"\"code_challenge_methods_supported\":[\"plain\"]}",
	};
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < countof(bad); i++) {
		struct err err = ERR_INIT;
		struct oauth_server s;

		CHECK(!read_server(&s, bad[i], "i", &arena, &err));
		CHECK_INT(err.kind, ERR_ACCESS);
	}
	arena_clear(&arena);
}

TEST(errors_of_token_endpoints_are_one_whatever_their_words)
{
	static const struct {
		int status;
		const char *json;
		enum err_kind kind;
	} rows[] = {
		{ 400, "{\"error\":\"invalid_grant\"}", ERR_STALE },
		{ 200, "{\"error\":\"invalid_refresh_token\"}", ERR_STALE },
		{ 200, "{\"ok\":false,\"error\":\"token_expired\"}", ERR_STALE },
		{ 401, "{\"error\":\"invalid_client\"}", ERR_NOT_FOUND },
		{ 400, "{\"error\":\"invalid_scope\",\"error_description\":\"no \\u001b[2J\"}",
		  ERR_ACCESS },
		{ 500, "oops", ERR_PROTOCOL },
		{ 200, "{}", ERR_PROTOCOL },
		{ 500, "{\"access_token\":\"hush\"}", ERR_PROTOCOL },
		{ 200, "{\"access_token\":\"hush\\r\\nX: y\"}", ERR_PROTOCOL },
	};
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < countof(rows); i++) {
		struct oauth_tokens tokens;
		struct err err = ERR_INIT;

		CHECK(!oauth_tokens_read(&tokens, rows[i].status, sv_cstr(rows[i].json), &arena,
					 &err));
		CHECK_INT(err.kind, rows[i].kind);
		CHECK(!strstr(err.text, "hush") && !strchr(err.text, '\x1b'));
	}
	arena_clear(&arena);
}

TEST(scopes_are_united_without_repetition)
{
	struct arena arena = ARENA_INIT;

	CHECK_SV(oauth_scope_union(SV("a  b"), SV("b c "), &arena), "a b c");
	CHECK_SV(oauth_scope_union(SV(""), SV(""), &arena), "");
	CHECK(oauth_scope_covers(SV("a b"), SV("b")));
	CHECK(oauth_scope_covers(SV("a b"), SV("")));
	CHECK(!oauth_scope_covers(SV("ab"), SV("a")));
	arena_clear(&arena);
}

TEST(a_parameter_of_a_query_counts_when_it_is_there_once)
{
	defer(str_clear) struct str out = STR_INIT;

	CHECK(oauth_query_get(SV("a=1&b=x%20y+z"), "b", &out));
	CHECK_STR(str_c(&out), "x y z");
	CHECK(!oauth_query_get(SV("a=1&a=2"), "a", &out));
	CHECK(!oauth_query_get(SV("ab=1"), "a", &out));
	CHECK(oauth_query_get(SV("a=%zz%4"), "a", &out));
	CHECK_STR(str_c(&out), "%zz%4");
}

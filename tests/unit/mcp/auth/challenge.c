#include "mcp/auth/challenge.h"

#include "test.h"

static void check(const char *header, bool is_bearer, const char *error, const char *scope,
		  const char *metadata)
{
	struct arena arena = ARENA_INIT;
	struct challenge c = challenge_read(sv_cstr(header), &arena);

	CHECK(c.is_bearer == is_bearer);
	CHECK_SV_EQ(c.error, sv_cstr(error));
	CHECK_SV_EQ(c.scope, sv_cstr(scope));
	CHECK_SV_EQ(c.resource_metadata, sv_cstr(metadata));
	arena_clear(&arena);
}

TEST(a_bearer_challenge_is_found_among_others)
{
	check("", false, "", "", "");
	check("Basic realm=\"x\"", false, "", "", "");
	check("Bearer", true, "", "", "");
	check("bearer scope=\"a b\"", true, "", "a b", "");
	check("Bearer error=\"insufficient_scope\", scope=\"w\", resource_metadata=\"https://x/y\"",
	      true, "insufficient_scope", "w", "https://x/y");
	check("Basic realm=\"a, Bearer scope=x\", Bearer scope=y", true, "", "y", "");
	check("Negotiate abc==, Bearer  error = invalid_token ,scope=\"\"", true, "invalid_token",
	      "", "");
	check("Bearer scope=\"one\", Bearer scope=\"two\"", true, "", "one", "");
	check("Bearer realm=\"say \\\"hi\\\"\", scope=\"a\\\\b\"", true, "", "a\\b", "");
}

TEST(what_is_malformed_in_a_challenge_is_skipped)
{
	check("Bearer scope=\"open", true, "", "open", "");
	check("Bearer scope=", true, "", "", "");
	check("Bearer scope=\"a\\", true, "", "a\\", "");
	check("=,=,\"", false, "", "", "");
	check("Bearer \"x\" scope=y", true, "", "", "");
}

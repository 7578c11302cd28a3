/* WWW-Authenticate and the metadata of authorization servers. */
#include "mcp/auth/challenge.h"
#include "mcp/auth/oauth_metadata.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = sv_from((const char *)data, size);
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct oauth_resource resource;
	struct oauth_server server;
	struct oauth_tokens tokens;
	defer(str_clear) struct str value = STR_INIT;

	(void)challenge_read(text, &arena);
	(void)!oauth_resource_read(&resource, text, SV("https://h/mcp"), &arena, &err);
	(void)!oauth_server_read(&server, text, SV("https://as"), &arena, &err);
	(void)!oauth_tokens_read(&tokens, 200, text, &arena, &err);
	(void)!oauth_query_get(text, "code", &value);
	(void)oauth_server_places(text, &arena);
	(void)oauth_resource_places(text, &arena);
	arena_clear(&arena);
	return 0;
}

/* Entries of MCP servers: what is accepted can be used as it is, and no error shows a value. */
#include "mcp/config.h"

#include "base/limits.h"
#include "mcp/server_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *lookup(void *arg, struct sv name)
{
	(void)arg;
	return name.len > 3 ? NULL : "a\n${B}";
}

static void check(const struct mcp_config *config, struct arena *arena)
{
	size_t nargs = 0;

	BUG_ON(!config->name || !config->args || !config->source.len);
	BUG_ON(config->transport == MCP_STDIO && !config->command);
	BUG_ON((config->transport == MCP_HTTP || config->transport == MCP_SSE ||
		config->transport == MCP_WS) &&
	       !config->url);
	while (config->args[nargs])
		nargs++;
	BUG_ON(nargs > LIMIT_MCP_ENTRY);
	for (size_t i = 0; i < config->nenv; i++)
		BUG_ON(!*config->env[i].name || strchr(config->env[i].name, '='));
	for (size_t i = 0; i < config->nheaders; i++)
		BUG_ON(strpbrk(config->headers[i].value, "\r\n"));
	BUG_ON(!strchr(mcp_config_key(config, arena), '|'));
	if (config->url)
		(void)mcp_server_url_matches(SV("https://*.test/*"), sv_cstr(config->url), true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = sv_from((const char *)data, size);
	struct arena arena = ARENA_INIT;
	struct mcp_config_reader reader = { .arena = &arena,
					    .scope = MCP_SCOPE_FLAG,
					    .lookup = lookup };
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, &err);
	struct json_iter it = json_each(json_root(doc));
	struct mcp_config config;
	struct json entry;
	struct sv name = SV_EMPTY;

	while (it.keyed && json_next(&it, &name, &entry)) {
		err = (struct err)ERR_INIT;
		if (mcp_config_read(&reader, name, entry, &config, &err))
			check(&config, &arena);
		else
			BUG_ON(err.kind == ERR_NONE || !*err.text);
	}
	(void)mcp_server_url_matches(text, SV("https://a.test/x"), true);
	(void)mcp_server_url_matches(SV("*.test"), text, false);
	arena_clear(&arena);
	return 0;
}

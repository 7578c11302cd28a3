#include "mcp/servers_internal.h"

static const char *config_copy_text(const char *text, struct arena *arena)
{
	return text ? arena_dup(arena, sv_cstr(text)).ptr : NULL;
}

static const struct mcp_pair *config_copy_pairs(const struct mcp_pair *from, size_t n,
						struct arena *arena)
{
	struct mcp_pair *to = arena_calloc(arena, n + 1, sizeof(*to));

	for (size_t i = 0; i < n; i++)
		to[i] = (struct mcp_pair){ .name = config_copy_text(from[i].name, arena),
					   .value = config_copy_text(from[i].value, arena) };
	return to;
}

static const char *const *config_copy_words(const char *const *from, struct arena *arena)
{
	const char **to;
	size_t n = 0;

	while (from && from[n])
		n++;
	to = arena_calloc(arena, n + 1, sizeof(*to));
	for (size_t i = 0; i < n; i++)
		to[i] = config_copy_text(from[i], arena);
	return to;
}

struct mcp_config mcp_config_copy(const struct mcp_config *from, struct arena *arena)
{
	struct mcp_config to = *from;

	to.name = config_copy_text(from->name, arena);
	to.file = config_copy_text(from->file, arena);
	to.command = config_copy_text(from->command, arena);
	to.args = config_copy_words(from->args, arena);
	to.env = config_copy_pairs(from->env, from->nenv, arena);
	to.cwd = config_copy_text(from->cwd, arena);
	to.url = config_copy_text(from->url, arena);
	to.headers = config_copy_pairs(from->headers, from->nheaders, arena);
	to.headers_helper = config_copy_text(from->headers_helper, arena);
	to.oauth.client_id = config_copy_text(from->oauth.client_id, arena);
	to.oauth.metadata_url = config_copy_text(from->oauth.metadata_url, arena);
	to.oauth.scopes = config_copy_text(from->oauth.scopes, arena);
	to.unset = config_copy_text(from->unset, arena);
	to.source = arena_dup(arena, from->source);
	return to;
}

/* Prompts of MCP servers as slash commands: /mcp__server__prompt, with positional arguments. */
#include "base/limits.h"
#include "base/utf8.h"
#include "core/commands/session_commands.h"
#include "core/mcp/session_mcp.h"
#include "mcp/content.h"
#include "mcp/names.h"
#include "text/invisible.h"
#include "text/json/json_write.h"

struct json session_mcp_prompt(const struct session *s, struct sv name, struct mcp_server **server)
{
	defer(str_clear) struct str full = STR_INIT;

	for (size_t i = 0; s->mcp->servers && i < mcp_servers_count(s->mcp->servers); i++) {
		struct mcp_server *at = mcp_servers_at(s->mcp->servers, i);
		const struct mcp_client *client = mcp_server_client(at);

		for (size_t k = 0; k < mcp_client_count(client, MCP_PROMPTS); k++) {
			struct json prompt = mcp_client_item(client, MCP_PROMPTS, k);

			str_truncate(&full, 0);
			mcp_name_join(&full, sv_cstr(mcp_server_config(at)->name),
				      json_str_or(json_get(prompt, "name"), SV_EMPTY));
			*server = at;
			if (sv_eq(name, sv_of(&full)))
				return prompt;
		}
	}
	return (struct json){ NULL };
}

bool session_mcp_is_prompt(const struct session *s, struct sv name)
{
	struct mcp_server *server;

	return s->mcp && sv_starts(name, SV("mcp__")) &&
	       json_exists(session_mcp_prompt(s, name, &server));
}

bool session_mcp_may_be_prompt(const struct session *s, struct sv name)
{
	return session_mcp_is_prompt(s, name) ||
	       (sv_starts(name, SV("mcp__")) && session_mcp_bars(s));
}

static struct sv session_mcp_hint(struct json prompt, struct arena *arena)
{
	struct json_iter it = json_each(json_get(prompt, "arguments"));
	defer(str_clear) struct str hint = STR_INIT;
	struct json argument;

	while (json_next(&it, NULL, &argument)) {
		bool is_needed = json_bool_or(json_get(argument, "required"), false);

		str_addf(&hint, "%s%c", hint.len ? " " : "", is_needed ? '<' : '[');
		invisible_escape(&hint, json_str_or(json_get(argument, "name"), SV_EMPTY),
				 invisible_misleads_in_line);
		str_addc(&hint, is_needed ? '>' : ']');
	}
	return arena_dup(arena, sv_of(&hint));
}

size_t session_mcp_count_prompts(const struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; s->mcp && s->mcp->servers && i < mcp_servers_count(s->mcp->servers); i++)
		n += mcp_client_count(mcp_server_client(mcp_servers_at(s->mcp->servers, i)),
				      MCP_PROMPTS);
	return n;
}

static struct sv session_mcp_about(struct json prompt, struct arena *arena)
{
	struct sv text = json_str_or(json_get(prompt, "description"), SV_EMPTY);
	defer(str_clear) struct str clean = STR_INIT;

	invisible_drop(&clean, utf8_prefix(text, LIMIT_COMMAND_LINE));
	return arena_dup(arena, sv_of(&clean));
}

size_t session_mcp_list_prompts(const struct session *s, struct reply_command *out,
				struct arena *arena)
{
	size_t n = 0;

	for (size_t i = 0; s->mcp && s->mcp->servers && i < mcp_servers_count(s->mcp->servers);
	     i++) {
		const struct mcp_server *at = mcp_servers_at(s->mcp->servers, i);
		const struct mcp_client *client = mcp_server_client(at);

		for (size_t k = 0; k < mcp_client_count(client, MCP_PROMPTS); k++) {
			struct json prompt = mcp_client_item(client, MCP_PROMPTS, k);
			defer(str_clear) struct str full = STR_INIT;

			mcp_name_join(&full, sv_cstr(mcp_server_config(at)->name),
				      json_str_or(json_get(prompt, "name"), SV_EMPTY));
			out[n++] = (struct reply_command){
				.name = arena_dup(arena, sv_of(&full)),
				.description = session_mcp_about(prompt, arena),
				.argument_hint = session_mcp_hint(prompt, arena),
			};
		}
	}
	return n;
}

/* --- one of them is typed ----------------------------------------------------------------------- */

/* Give the words of the arguments their names; the last name gets the rest of them. */
static void session_mcp_put_arguments(struct jw *w, struct json prompt, struct sv rest)
{
	struct json names = json_get(prompt, "arguments");
	size_t n = json_len(names);

	jw_put_object(w, "arguments");
	for (size_t i = 0; i < n && (rest = sv_trim(rest)).len; i++) {
		struct sv name = json_str_or(json_get(json_at(names, i), "name"), SV_EMPTY);
		size_t end = i + 1 < n ? min_of(sv_find_char(rest, ' '), rest.len) : rest.len;

		jw_key(w, name);
		jw_str(w, sv_slice(rest, 0, end));
		rest = sv_skip(rest, end);
	}
	jw_end(w);
}

struct op *session_mcp_fetch(struct session *s, struct sv name, struct sv arguments,
			     struct then then)
{
	struct mcp_server *server;
	struct json prompt = session_mcp_prompt(s, name, &server);
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *params = NULL;
	struct err err = ERR_INIT;
	struct sv given = json_str_or(json_get(prompt, "name"), SV_EMPTY);
	struct jw w;

	if (!json_exists(prompt))
		return NULL;
	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "name", given);
	session_mcp_put_arguments(&w, prompt, arguments);
	jw_end(&w);
	jw_done(&w);
	params = json_parse(sv_of(&text), 0, &err);
	return mcp_server_call_start(server,
				     &(struct mcp_call_opts){ .method = SV("prompts/get"),
							      .name = given,
							      .params = json_root(params) },
				     true, then);
}

bool session_mcp_take_fetched(const struct op *op, struct tool_context *ctx, struct str *text,
			      struct str *images, struct err *err)
{
	const struct mcp_config *config = mcp_server_config(mcp_server_call_server(op));

	mcp_content_take_prompt(ctx, sv_cstr(config->name), mcp_server_call_result(op), text,
				images);
	return text->len || err_set(err, ERR_PROTOCOL, "the server returned nothing for it");
}

static void session_mcp_on_prompt(struct op *op, void *owner, const struct err *why)
{
	struct session *s = owner;
	defer(str_clear) struct str text = STR_INIT, images = STR_INIT;
	struct err err = why ? *why : (struct err)ERR_INIT;

	s->step = NULL;
	if (!why)
		(void)!session_mcp_take_fetched(op, agent_tool_context(s->agent), &text, &images,
						&err);
	session_commands_take(s, sv_of(&text), sv_of(&images), err.kind ? &err : NULL);
}

bool session_mcp_expand(struct session *s, struct sv name, struct sv arguments)
{
	s->step = session_mcp_fetch(s, name, arguments, THEN(session_mcp_on_prompt, s));
	return s->step != NULL;
}

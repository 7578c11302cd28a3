/* What servers know of the values that can be typed: for the variable of a resource template (`server:note://week/`),
 * and for an argument of a prompt (`/mcp__server__prompt first sec`), which they complete with regard to the arguments
 * before it. */
#include "base/limits.h"
#include "core/mcp/session_mcp.h"
#include "text/json/json_write.h"

/* What is to be completed. */
struct complete {
	struct mcp_server *server;
	const char *type, *key; /* of the reference, and its member */
	struct sv of;           /* the template or the prompt */
	struct sv name, value;  /* of the argument, and what is typed of it */
	struct str context;     /* JSON: the arguments before it; may be empty */
};

/* The template whose beginning has been typed, and what has been typed of its variable. */
static struct sv complete_template(const struct mcp_client *client, struct sv typed,
				   struct sv *name, struct sv *value)
{
	for (size_t i = 0; i < mcp_client_count(client, MCP_TEMPLATES); i++) {
		struct sv text = json_str_or(
			json_get(mcp_client_item(client, MCP_TEMPLATES, i), "uriTemplate"),
			SV_EMPTY);
		size_t open = sv_find_char(text, '{'), close = sv_find_char(text, '}');

		if (open == SIZE_MAX || close == SIZE_MAX || close < open ||
		    !sv_starts(typed, sv_slice(text, 0, open)))
			continue;
		*name = sv_slice(text, open + 1, close);
		*value = sv_skip(typed, open);
		return text;
	}
	return SV_EMPTY;
}

static bool complete_find_template(const struct session *s, struct sv query, struct complete *c)
{
	struct sv typed;

	c->type = "ref/resource";
	c->key = "uri";
	if (!session_mcp_split_mention(s->mcp, query, &c->server, &typed))
		return false;
	c->of = complete_template(mcp_server_client(c->server), typed, &c->name, &c->value);
	return c->of.len > 0;
}

/* The arguments are positional, and the last one takes the rest of the line, as when the prompt is sent. */
static bool complete_find_argument(const struct session *s, struct sv query, struct complete *c)
{
	struct sv rest = sv_skip(query, 1), command = SV_EMPTY;
	struct json prompt, names;
	struct jw w;
	size_t i = 0, n, end;

	if (!sv_cut(&rest, ' ', &command))
		return false;
	prompt = session_mcp_prompt(s, command, &c->server);
	names = json_get(prompt, "arguments");
	n = json_len(names);
	jw_init(&w, &c->context, JW_COMPACT);
	jw_object(&w);
	for (; i < n; i++) {
		while (rest.len && rest.ptr[0] == ' ')
			rest = sv_skip(rest, 1);
		end = sv_find_char(rest, ' ');
		c->name = json_str_or(json_get(json_at(names, i), "name"), SV_EMPTY);
		if (i + 1 == n || end == SIZE_MAX)
			break;
		jw_key(&w, c->name);
		jw_str(&w, sv_slice(rest, 0, end));
		rest = sv_skip(rest, end);
	}
	jw_end(&w);
	jw_done(&w);
	c->type = "ref/prompt";
	c->key = "name";
	c->of = json_str_or(json_get(prompt, "name"), SV_EMPTY);
	c->value = rest;
	return c->of.len && i < n;
}

static struct json_doc *complete_params(const struct complete *c)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	jw_put_object(&w, "ref");
	jw_put_str(&w, "type", sv_cstr(c->type));
	jw_put_str(&w, c->key, c->of);
	jw_end(&w);
	jw_put_object(&w, "argument");
	jw_put_str(&w, "name", c->name);
	jw_put_str(&w, "value", c->value);
	jw_end(&w);
	if (c->context.len > SV("{}").len) {
		jw_put_object(&w, "context");
		jw_put_raw(&w, "arguments", sv_of(&c->context));
		jw_end(&w);
	}
	jw_end(&w);
	jw_done(&w);
	return json_parse(sv_of(&text), 0, &err);
}

struct op *session_mcp_complete_start(struct session *s, struct sv query, struct str *before,
				      struct then then)
{
	defer(json_doc_freep) struct json_doc *params = NULL;
	struct complete c = { .context = STR_INIT };
	struct op *op = NULL;
	bool is_found = s->mcp && s->mcp->servers &&
			(sv_starts(query, SV("/mcp__")) ? complete_find_argument(s, query, &c)
							: complete_find_template(s, query, &c));

	if (is_found && mcp_server_status(c.server) == MCP_STATUS_CONNECTED &&
	    json_is(json_get(mcp_client_capabilities(mcp_server_client(c.server)), "completions"),
		    JSON_OBJECT)) {
		str_add(before, sv_slice(query, 0, query.len - c.value.len));
		params = complete_params(&c);
		op = mcp_server_call_start(
			c.server,
			&(struct mcp_call_opts){ .method = SV("completion/complete"),
						 .params = json_root(params),
						 .timeout_ms = LIMIT_MCP_COMPLETE_MS },
			true, then);
	}
	str_clear(&c.context);
	return op;
}

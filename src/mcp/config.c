#include "mcp/config.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "text/digest.h"
#include "text/hex.h"
#include "text/invisible.h"
#include "text/json/json_write.h"
#include "text/url.h"

/* --- names --------------------------------------------------------------------------------- */

static const struct {
	char name[16];
	enum mcp_transport transport;
} config_transports[] = {
	/* The first name of each is the one that is written. */
	{ "stdio", MCP_STDIO },
	{ "http", MCP_HTTP },
	{ "sse", MCP_SSE },
	{ "ws", MCP_WS },
	{ "sdk", MCP_IN_HOST },
	{ "streamable-http", MCP_HTTP },
	{ "streamableHttp", MCP_HTTP },
	{ "websocket", MCP_WS },
};

const char *mcp_transport_name(enum mcp_transport transport)
{
	for (size_t i = 0; i < countof(config_transports); i++)
		if (config_transports[i].transport == transport)
			return config_transports[i].name;
	BUG("no name for transport %d", (int)transport);
}

bool mcp_transport_find(struct sv name, enum mcp_transport *out)
{
	for (size_t i = 0; i < countof(config_transports); i++) {
		if (!sv_is(name, config_transports[i].name))
			continue;
		*out = config_transports[i].transport;
		return true;
	}
	return false;
}

const char *mcp_scope_name(enum mcp_scope scope)
{
	switch (scope) {
	case MCP_SCOPE_MANAGED: return "managed";
	case MCP_SCOPE_HOST: return "host";
	case MCP_SCOPE_FLAG: return "dynamic";
	case MCP_SCOPE_LOCAL: return "local";
	case MCP_SCOPE_PROJECT: return "project";
	case MCP_SCOPE_USER: return "user";
	case MCP_SCOPE_PLUGIN: return "plugin";
	case MCP_SCOPE_AGENT: return "agent";
	}
	BUG("no name for scope %d", (int)scope);
}

bool mcp_config_check_name(struct sv name, struct err *err)
{
	defer(str_clear) struct str shown = STR_INIT;

	if (!sv_trim(name).len)
		return err_set(err, ERR_INVALID, "an MCP server needs a name");
	if (name.len > LIMIT_MCP_NAME)
		return err_set(err, ERR_TOO_BIG,
			       "the name of MCP server \"%.*s...\" is longer than %d bytes",
			       SV_ARG(utf8_prefix(name, 20)), LIMIT_MCP_NAME);
	invisible_escape(&shown, name, invisible_misleads_in_line);
	if (!sv_eq(sv_of(&shown), name))
		return err_set(
			err, ERR_INVALID,
			"the name of MCP server \"%s\" contains a control or invisible character",
			str_c(&shown));
	return true;
}

/* --- text with variables ------------------------------------------------------------------- */

struct config_read {
	const struct mcp_config_reader *reader;
	struct sv name;
	struct str unset;
	size_t used; /* bytes of text so far */
	struct err *err;
};

static bool config_fail(struct config_read *r, const char *what)
{
	return err_set(r->err, ERR_INVALID, "MCP server \"%.*s\": %s", SV_ARG(r->name), what);
}

/* Note a variable that is not set, once. */
static void config_note_unset(struct config_read *r, struct sv name)
{
	struct sv rest = sv_of(&r->unset), head;

	while (sv_cut(&rest, ',', &head))
		if (sv_eq(sv_trim(head), name))
			return;
	if (r->unset.len)
		str_adds(&r->unset, ", ");
	invisible_escape(&r->unset, name, invisible_misleads_in_line);
}

/* Append what `inside`, the text between "${" and "}", stands for. */
static void config_add_variable(struct config_read *r, struct str *out, struct sv inside)
{
	size_t colon = sv_find(inside, SV(":-"));
	struct sv name = sv_slice(inside, 0, colon);
	const char *value =
		r->reader->lookup ? r->reader->lookup(r->reader->lookup_arg, name) : NULL;

	if (value) {
		str_adds(out, value);
	} else if (colon != SIZE_MAX) {
		str_add(out, sv_skip(inside, colon + strlen(":-")));
	} else {
		str_addf(out, "${%.*s}", SV_ARG(inside));
		config_note_unset(r, name);
	}
}

/* Append `text` with its variables expanded. A value is not expanded again. */
static void config_expand(struct config_read *r, struct str *out, struct sv text)
{
	while (text.len && out->len <= LIMIT_MCP_ENTRY) {
		size_t from = sv_find(text, SV("${"));
		size_t len = from == SIZE_MAX ? SIZE_MAX : sv_find_char(sv_skip(text, from), '}');

		if (len == SIZE_MAX || len == strlen("${")) {
			/* Not a variable: keep it, and go on behind it. */
			size_t end =
				from == SIZE_MAX || len == SIZE_MAX ? text.len : from + len + 1;

			str_add(out, sv_slice(text, 0, end));
			text = sv_skip(text, end);
			continue;
		}
		str_add(out, sv_slice(text, 0, from));
		config_add_variable(r, out, sv_slice(text, from + strlen("${"), from + len));
		text = sv_skip(text, from + len + 1);
	}
}

/* Copy a text into the arena. Numbers and booleans count as text: people write ports without quotes. */
static const char *config_text(struct config_read *r, struct json v, bool expands, const char *what)
{
	defer(str_clear) struct str written = STR_INIT;
	defer(str_clear) struct str expanded = STR_INIT;
	struct sv text;

	if (json_is(v, JSON_NUMBER) || json_is(v, JSON_BOOL)) {
		struct jw w;

		jw_init(&w, &written, JW_COMPACT);
		jw_value(&w, v);
		text = sv_of(&written);
	} else if (!json_str(v, &text)) {
		config_fail(r, what);
		return NULL;
	}
	if (expands) {
		config_expand(r, &expanded, text);
		text = sv_of(&expanded);
	}
	r->used += text.len;
	if (sv_find_char(text, '\0') != SIZE_MAX) {
		config_fail(r, "a text contains a NUL character");
		return NULL;
	}
	if (r->used > LIMIT_MCP_ENTRY) {
		config_fail(r, "its entry is longer than 1 MiB");
		return NULL;
	}
	return arena_dup(r->reader->arena, text).ptr;
}

static bool config_is_set(struct json v)
{
	return json_exists(v) && !json_is(v, JSON_NULL);
}

/* Read a member that may be missing. */
static bool config_member(struct config_read *r, struct json entry, const char *key, bool expands,
			  const char **out)
{
	struct json v = json_get(entry, key);
	struct sv what = arena_printf(r->reader->arena, "\"%s\" must be a string, not %s", key,
				      json_type_name(json_type(v)));

	if (!config_is_set(v))
		return true;
	*out = config_text(r, v, expands, what.ptr);
	return *out != NULL;
}

/* --- a child ------------------------------------------------------------------------------- */

static bool config_read_args(struct config_read *r, struct json args, struct mcp_config *out)
{
	size_t n = config_is_set(args) ? json_len(args) : 0;
	const char **at = arena_calloc(r->reader->arena, n + 1, sizeof(*at));
	struct json_iter it = json_each(args);
	struct json item;

	out->args = at;
	if (config_is_set(args) && !json_is(args, JSON_ARRAY))
		return config_fail(r, "\"args\" must be a list of strings");
	while (json_next(&it, NULL, &item)) {
		*at = config_text(r, item, true, "\"args\" must be a list of strings");
		if (!*at++)
			return false;
	}
	return true;
}

static bool config_check_variable(struct config_read *r, struct sv name)
{
	if (name.len && sv_find_char(name, '=') == SIZE_MAX && sv_find_char(name, '\0') == SIZE_MAX)
		return true;
	return config_fail(r, "\"env\" has a variable with an invalid name");
}

/* Read an object of strings; the last of several members with the same name counts. */
static bool config_read_pairs(struct config_read *r, struct json object, const char *what,
			      bool (*check)(struct config_read *r, struct sv name),
			      const struct mcp_pair **out, size_t *nout)
{
	struct json_iter it = json_each(object);
	struct mcp_pair *pairs;
	struct json value;
	struct sv name;
	size_t n = 0;

	if (config_is_set(object) && !json_is(object, JSON_OBJECT))
		return config_fail(r, what);
	if (json_len(object) > LIMIT_MCP_PAIRS)
		return config_fail(r, "it has too many variables or headers");
	pairs = arena_calloc(r->reader->arena, json_len(object) + 1, sizeof(*pairs));
	while (json_next(&it, &name, &value)) {
		if (json_is(value, JSON_NULL) ||
		    json_get_sv(object, name).val != value.val) /* repeated: a later one counts */
			continue;
		if (!check(r, name))
			return false;
		pairs[n].name = arena_dup(r->reader->arena, name).ptr;
		pairs[n].value = config_text(r, value, true, what);
		if (!pairs[n++].value)
			return false;
	}
	*out = pairs;
	*nout = n;
	return true;
}

static bool config_read_child(struct config_read *r, struct json entry, struct mcp_config *out)
{
	if (!config_member(r, entry, "command", true, &out->command))
		return false;
	if (!out->command || !sv_trim(sv_cstr(out->command)).len)
		return config_fail(r, "\"command\" is missing");
	return config_read_args(r, json_get(entry, "args"), out) &&
	       config_read_pairs(r, json_get(entry, "env"), "\"env\" must be an object of strings",
				 config_check_variable, &out->env, &out->nenv) &&
	       config_member(r, entry, "cwd", true, &out->cwd);
}

/* --- an address ---------------------------------------------------------------------------- */

/* Header names are tokens (RFC 9110). */
static bool config_check_header(struct config_read *r, struct sv name)
{
	bool is_token = name.len > 0;

	for (size_t i = 0; i < name.len; i++)
		is_token &= ascii_is_alnum(name.ptr[i]) ||
			    (name.ptr[i] && strchr("!#$%&'*+-.^_`|~", name.ptr[i]));
	return is_token || config_fail(r, "\"headers\" has a header with an invalid name");
}

static bool config_check_values(struct config_read *r, const struct mcp_config *config)
{
	for (size_t i = 0; i < config->nheaders; i++) {
		struct sv what;

		if (!strpbrk(config->headers[i].value, "\r\n"))
			continue;
		what = arena_printf(r->reader->arena,
				    "the value of header \"%s\" contains a line break",
				    config->headers[i].name);
		return config_fail(r, what.ptr);
	}
	return true;
}

static bool config_check_url(struct config_read *r, const struct mcp_config *config)
{
	bool is_ws = config->transport == MCP_WS;
	struct url url = url_split(sv_cstr(config->url));
	bool fits =
		is_ws ? sv_eq_nocase(url.scheme, SV("ws")) || sv_eq_nocase(url.scheme, SV("wss"))
		      : sv_eq_nocase(url.scheme, SV("http")) ||
				sv_eq_nocase(url.scheme, SV("https"));

	if (fits && url.host.len)
		return true;
	if (r->unset.len) {
		struct sv what =
			arena_printf(r->reader->arena,
				     "\"url\" is not an address; these variables are not set: "
				     "%s",
				     str_c(&r->unset));

		return config_fail(r, what.ptr);
	}
	return config_fail(r,
			   is_ws ? "\"url\" must start with ws:// or wss:// and name a host"
				 : "\"url\" must start with http:// or https:// and name a host");
}

/* Scopes are a text or a list of texts. */
static bool config_read_scopes(struct config_read *r, struct json scopes, const char **out)
{
	const char *what = "\"oauth.scopes\" must be a string or a list of strings";
	struct json_iter it = json_each(scopes);
	defer(str_clear) struct str all = STR_INIT;
	struct json item;

	if (json_is(scopes, JSON_OBJECT))
		return config_fail(r, what);
	if (!json_is(scopes, JSON_ARRAY)) {
		*out = config_is_set(scopes) ? config_text(r, scopes, false, what) : NULL;
		return *out || !config_is_set(scopes);
	}
	while (json_next(&it, NULL, &item)) {
		const char *scope = config_text(r, item, false, what);

		if (!scope)
			return false;
		str_addf(&all, "%s%s", all.len ? " " : "", scope);
	}
	*out = all.len ? arena_dup(r->reader->arena, sv_of(&all)).ptr : NULL;
	return true;
}

static bool config_read_oauth(struct config_read *r, struct json oauth,
			      struct mcp_oauth_config *out)
{
	int64_t port = json_int_or(json_get(oauth, "callbackPort"), 0);

	if (!config_is_set(oauth))
		return true;
	if (!json_is(oauth, JSON_OBJECT))
		return config_fail(r, "\"oauth\" must be an object");
	if (!config_member(r, oauth, "clientId", false, &out->client_id) ||
	    !config_member(r, oauth, "authServerMetadataUrl", false, &out->metadata_url) ||
	    !config_read_scopes(r, json_get(oauth, "scopes"), &out->scopes))
		return false;
	if (out->metadata_url && !sv_starts(sv_cstr(out->metadata_url), SV("https://")))
		return config_fail(r, "\"oauth.authServerMetadataUrl\" must start with https://");
	if (port < 0 || port > UINT16_MAX ||
	    (config_is_set(json_get(oauth, "callbackPort")) && port == 0))
		return config_fail(r, "\"oauth.callbackPort\" must be a number from 1 to 65535");
	out->callback_port = (int)port;
	out->uses_xaa = json_bool_or(json_get(oauth, "xaa"), false);
	return true;
}

static bool config_read_remote(struct config_read *r, struct json entry, struct mcp_config *out)
{
	if (!config_member(r, entry, "url", true, &out->url))
		return false;
	if (!out->url || !*out->url)
		return config_fail(r, "\"url\" is missing");
	return config_check_url(r, out) &&
	       config_read_pairs(r, json_get(entry, "headers"),
				 "\"headers\" must be an object of strings", config_check_header,
				 &out->headers, &out->nheaders) &&
	       config_check_values(r, out) &&
	       config_member(r, entry, "headersHelper", false, &out->headers_helper) &&
	       config_read_oauth(r, json_get(entry, "oauth"), &out->oauth);
}

/* --- an entry ------------------------------------------------------------------------------ */

static bool config_read_type(struct config_read *r, struct json entry, enum mcp_transport *out)
{
	struct json type = json_get(entry, "type");
	bool has_command = config_is_set(json_get(entry, "command"));
	struct sv name;

	if (!config_is_set(type)) {
		if (!has_command && !config_is_set(json_get(entry, "url")))
			return config_fail(r, "it has neither \"command\" nor \"url\"");
		*out = has_command ? MCP_STDIO : MCP_HTTP;
		return true;
	}
	if (!json_str(type, &name) || !mcp_transport_find(name, out))
		return config_fail(r, "\"type\" must be stdio, http, sse or ws");
	if (*out == MCP_IN_HOST && r->reader->scope != MCP_SCOPE_HOST &&
	    r->reader->scope != MCP_SCOPE_FLAG)
		return config_fail(r, "\"type\" sdk is only for programs that drive awl");
	return true;
}

static bool config_read_rest(struct config_read *r, struct json entry, struct mcp_config *out)
{
	struct json timeout = json_get(entry, "timeout");
	double ms = json_real_or(timeout, 0);

	if (config_is_set(timeout) && !(ms > 0))
		return config_fail(r, "\"timeout\" must be a number of milliseconds above 0");
	out->tool_timeout_ms = ms >= (double)INT32_MAX ? INT32_MAX : (int64_t)ms;
	if (ms > 0 && out->tool_timeout_ms == 0)
		out->tool_timeout_ms = 1;
	out->always_load = json_bool_or(json_get(entry, "alwaysLoad"), false);
	return true;
}

static struct sv config_write_source(struct arena *arena, struct json entry)
{
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, entry);
	return arena_dup(arena, sv_of(&text));
}

static bool config_read_entry(struct config_read *r, struct json entry, struct mcp_config *out)
{
	static const char *const no_args[] = { NULL };

	if (!json_is(entry, JSON_OBJECT))
		return config_fail(r, "its entry must be an object");
	out->args = no_args;
	if (!config_read_type(r, entry, &out->transport))
		return false;
	if (out->transport == MCP_STDIO && !config_read_child(r, entry, out))
		return false;
	if (out->transport != MCP_STDIO && out->transport != MCP_IN_HOST &&
	    !config_read_remote(r, entry, out))
		return false;
	return config_read_rest(r, entry, out);
}

bool mcp_config_read(const struct mcp_config_reader *reader, struct sv name, struct json entry,
		     struct mcp_config *out, struct err *err)
{
	struct config_read r = { .reader = reader, .name = name, .err = err };
	struct mcp_config made = { .scope = reader->scope, .file = reader->file };
	bool ok = mcp_config_check_name(name, err) && config_read_entry(&r, entry, &made);

	if (ok) {
		made.name = arena_dup(reader->arena, name).ptr;
		made.source = config_write_source(reader->arena, entry);
		made.unset = r.unset.len ? arena_dup(reader->arena, sv_of(&r.unset)).ptr : NULL;
		*out = made;
	}
	str_clear(&r.unset);
	return ok;
}

const char *mcp_config_key(const struct mcp_config *config, struct arena *arena)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str key = STR_INIT;
	struct digest digest;
	struct jw w;

	/* The order of the members and of the headers counts. */
	jw_init(&w, &text, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", sv_cstr(mcp_transport_name(config->transport)));
	jw_put_str(&w, "url", sv_cstr(config->url));
	jw_put_object(&w, "headers");
	for (size_t i = 0; i < config->nheaders; i++)
		jw_put_str(&w, config->headers[i].name, sv_cstr(config->headers[i].value));
	jw_end(&w);
	jw_end(&w);
	digest = sha256(sv_of(&text));
	str_addf(&key, "%s|", config->name);
	hex_encode(&key, sv_slice(digest_sv(&digest), 0, 8));
	return arena_dup(arena, sv_of(&key)).ptr;
}

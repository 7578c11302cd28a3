#include "mcp/server_rules.h"

#include "store/settings/settings.h"
#include "text/url.h"

/* --- addresses ----------------------------------------------------------------------------- */

static char server_url_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Match with "*" as any text, which in the strict case may not contain a byte of `stops`. */
static bool server_url_glob(struct sv pattern, struct sv text, const char *stops)
{
	size_t p = 0, t = 0, star = SIZE_MAX, mark = 0;

	while (t < text.len) {
		if (p < pattern.len && pattern.ptr[p] == '*') {
			star = p++;
			mark = t;
		} else if (p < pattern.len &&
			   server_url_lower(pattern.ptr[p]) == server_url_lower(text.ptr[t])) {
			p++;
			t++;
		} else if (star != SIZE_MAX && !(stops && strchr(stops, text.ptr[mark]))) {
			p = star + 1;
			t = ++mark;
		} else {
			return false;
		}
	}
	while (p < pattern.len && pattern.ptr[p] == '*')
		p++;
	return p == pattern.len;
}

/* The offset of the path in an address: where its scheme and host end. */
static size_t server_url_host_end(struct sv url)
{
	size_t slashes = sv_find(url, SV("://"));
	size_t at = slashes == SIZE_MAX ? 0 : slashes + strlen("://");

	while (at < url.len && !strchr("/?#", url.ptr[at]))
		at++;
	return at;
}

/* Append the address without a user and without the usual port: how it is written must not matter. */
static void server_url_normalize(struct str *out, struct sv text)
{
	struct url url = url_split(text);
	bool is_secure =
		sv_eq_nocase(url.scheme, SV("https")) || sv_eq_nocase(url.scheme, SV("wss"));
	bool is_usual = sv_is(url.port, is_secure ? "443" : "80");

	str_addf(out, "%.*s://", SV_ARG(url.scheme));
	str_addf(out, sv_find_char(url.host, ':') == SIZE_MAX ? "%.*s" : "[%.*s]",
		 SV_ARG(url.host));
	if (url.port.len && !is_usual)
		str_addf(out, ":%.*s", SV_ARG(url.port));
	str_addf(out, "%.*s", SV_ARG(url.path.len ? url.path : SV("/")));
	str_add(out, url.query);
}

bool mcp_server_url_matches(struct sv pattern, struct sv url, bool is_strict)
{
	defer(str_clear) struct str normal = STR_INIT;
	size_t of_pattern = server_url_host_end(pattern), of_url;
	struct sv text, rest = sv_skip(pattern, of_pattern);

	if (sv_is(pattern, "*"))
		return true;
	server_url_normalize(&normal, url);
	text = sv_of(&normal);
	if (!is_strict &&
	    (server_url_glob(pattern, url, NULL) || server_url_glob(pattern, text, NULL)))
		return true;
	of_url = server_url_host_end(text);
	return server_url_glob(sv_slice(pattern, 0, of_pattern), sv_slice(text, 0, of_url),
			       "/?#@:") &&
	       server_url_glob(rest.len ? rest : SV("/"), sv_skip(text, of_url), NULL);
}

/* --- entries ------------------------------------------------------------------------------- */

static bool server_has_command(struct json list, const struct mcp_config *config)
{
	struct json_iter it = json_each(list);
	struct json item;
	size_t n = 0;

	while (json_next(&it, NULL, &item)) {
		const char *word = n ? config->args[n - 1] : config->command;

		if (!word || !sv_is(json_str_or(item, SV_EMPTY), word))
			return false;
		n++;
	}
	return n && !config->args[n - 1];
}

static bool server_rule_matches(struct json rule, const struct mcp_config *config, bool is_strict)
{
	struct json command = json_get(rule, "serverCommand");
	struct sv name, url;

	if (json_str(json_get(rule, "serverName"), &name))
		return sv_is(name, config->name);
	if (json_is(command, JSON_ARRAY))
		return config->command && server_has_command(command, config);
	return config->url && json_str(json_get(rule, "serverUrl"), &url) &&
	       mcp_server_url_matches(url, sv_cstr(config->url), is_strict);
}

static bool server_rules_check_denied(const struct settings *settings,
				      const struct mcp_config *config, struct err *err)
{
	const struct settings_item *items;
	size_t n = settings_items(settings, "deniedMcpServers", &items);

	for (size_t i = 0; i < n; i++)
		if (server_rule_matches(items[i].value, config, false))
			return err_set(err, ERR_ACCESS, "deniedMcpServers forbids it (%s:%zu)",
				       items[i].file, items[i].line);
	return true;
}

/* --- the list of allowed ones ---------------------------------------------------------------- */

/* The key by which servers of this transport must be listed, if any entry has it. */
static const char *server_rule_key(const struct mcp_config *config)
{
	return config->transport == MCP_STDIO ? "serverCommand" : "serverUrl";
}

/* Which entries of the list match a server. */
struct server_listed {
	bool has_key, matches_key; /* entries by command or address */
	bool matches_name;
};

static struct server_listed server_listed(const struct settings *settings,
					  const struct mcp_config *config, bool only_policy)
{
	struct server_listed out = { false, false, false };
	const struct settings_item *items;
	size_t n = settings_items(settings, "allowedMcpServers", &items);

	for (size_t i = 0; i < n; i++) {
		bool matches = server_rule_matches(items[i].value, config, true);

		if (only_policy && items[i].source != SETTINGS_POLICY)
			continue;
		out.has_key |= json_exists(json_get(items[i].value, server_rule_key(config)));
		if (json_exists(json_get(items[i].value, "serverName")))
			out.matches_name |= matches;
		else
			out.matches_key |= matches;
	}
	return out;
}

bool mcp_server_is_allowed(const struct settings *settings, const struct mcp_config *config,
			   struct err *err)
{
	const char *key = "allowedMcpServers";
	bool only_policy = settings_bool(settings, "allowManagedMcpServersOnly");
	struct json list = only_policy ? settings_get_from(settings, SETTINGS_POLICY, key)
				       : settings_get(settings, key);
	struct server_listed listed;

	if (!server_rules_check_denied(settings, config, err))
		return false;
	if (config->scope == MCP_SCOPE_MANAGED || config->transport == MCP_IN_HOST)
		return true;
	if (!json_exists(list))
		return !only_policy ||
		       err_set(err, ERR_ACCESS,
			       "allowManagedMcpServersOnly allows only the servers of "
			       "the policy");
	listed = server_listed(settings, config, only_policy);
	if (listed.has_key ? listed.matches_key : listed.matches_name)
		return true;
	return err_set(err, ERR_ACCESS, "%s does not list its %s", key,
		       !listed.has_key                  ? "name"
		       : config->transport == MCP_STDIO ? "command"
							: "address");
}

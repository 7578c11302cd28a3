#include "mcp/server_rules.h"

#include "store/settings/settings_rig.h"

static const char *const weather_args[] = { "-y", "weather", NULL };
static const struct mcp_config weather = {
	.name = "weather", .scope = MCP_SCOPE_USER, .command = "npx", .args = weather_args
};
static const char *const no_args[] = { NULL };
static const struct mcp_config notes = { .name = "notes",
					 .scope = MCP_SCOPE_USER,
					 .transport = MCP_HTTP,
					 .args = no_args,
					 .url = "https://mcp.example.com/v1" };

static bool is_allowed(struct rig *r, const struct mcp_config *config)
{
	r->err = (struct err)ERR_INIT;
	return mcp_server_is_allowed(r->settings, config, &r->err);
}

TEST(without_lists_every_server_is_allowed)
{
	RIG(r);

	LOAD(r);
	CHECK(is_allowed(&r, &weather));
	CHECK(is_allowed(&r, &notes));
}

TEST(a_server_is_denied_by_name_command_or_address)
{
	RIG(r);

	rig_write(&r, PROJECT,
		  "{\"deniedMcpServers\":[{\"serverName\":\"other\"},\n"
		  "{\"serverCommand\":[\"npx\",\"-y\",\"weather\"]},\n"
		  "{\"serverUrl\":\"https://*.example.com/*\"}]}");
	r.opts.trusts_project = false; /* what restricts needs no trust */
	LOAD(r);
	CHECK(!is_allowed(&r, &weather));
	CHECK_ERR(r.err, ERR_ACCESS, "deniedMcpServers forbids it");
	CHECK_ERR(r.err, ERR_ACCESS, "settings.json:2)");
	CHECK(!is_allowed(&r, &notes));
	rig_write(&r, PROJECT,
		  "{\"deniedMcpServers\":[{\"serverName\":\"Weather\"},"
		  "{\"serverCommand\":[\"npx\",\"-y\"]},{\"serverCommand\":[\"npx\"]},"
		  "{\"serverCommand\":[\"npx\",\"-y\",\"weather\",\"x\"]},{\"serverCommand\":[]},{}"
		  "]}");
	LOAD(r);
	CHECK(is_allowed(&r, &weather));
}

TEST(a_list_of_allowed_servers_excludes_all_others)
{
	RIG(r);

	rig_write(&r, USER, "{\"allowedMcpServers\":[]}");
	LOAD(r);
	CHECK(!is_allowed(&r, &weather));
	CHECK_ERR(r.err, ERR_ACCESS, "allowedMcpServers does not list its name");
	rig_write(&r, USER, "{\"allowedMcpServers\":[{\"serverName\":\"weather\"}]}");
	LOAD(r);
	CHECK(is_allowed(&r, &weather));
	CHECK(!is_allowed(&r, &notes));
}

TEST(a_name_is_not_enough_where_commands_or_addresses_are_listed)
{
	RIG(r);

	rig_write(&r, USER,
		  "{\"allowedMcpServers\":[{\"serverName\":\"weather\"},{\"serverName\":\"notes\"},"
		  "{\"serverCommand\":[\"npx\",\"-y\",\"other\"]}]}");
	LOAD(r);
	CHECK(!is_allowed(&r, &weather));
	CHECK_ERR(r.err, ERR_ACCESS, "does not list its command");
	CHECK(is_allowed(&r, &notes));
	rig_write(&r, USER,
		  "{\"allowedMcpServers\":[{\"serverName\":\"notes\"},"
		  "{\"serverUrl\":\"https://*.example.org/*\"}]}");
	LOAD(r);
	CHECK(!is_allowed(&r, &notes));
	CHECK_ERR(r.err, ERR_ACCESS, "does not list its address");
	rig_write(&r, USER,
		  "{\"allowedMcpServers\":[{\"serverUrl\":\"https://*.example.com/*\"}]}");
	LOAD(r);
	CHECK(is_allowed(&r, &notes));
}

TEST(the_policy_can_be_the_only_one_to_allow_servers)
{
	struct mcp_config managed = weather;
	RIG(r);

	managed.scope = MCP_SCOPE_MANAGED;
	rig_write(&r, USER, "{\"allowedMcpServers\":[{\"serverName\":\"weather\"}]}");
	rig_write(&r, POLICY, "{\"allowManagedMcpServersOnly\":true}");
	LOAD(r);
	CHECK(!is_allowed(&r, &weather));
	CHECK_ERR(r.err, ERR_ACCESS, "allowManagedMcpServersOnly");
	CHECK(is_allowed(&r, &managed));
	rig_write(&r, POLICY,
		  "{\"allowManagedMcpServersOnly\":true,"
		  "\"allowedMcpServers\":[{\"serverName\":\"notes\"}]}");
	LOAD(r);
	CHECK(!is_allowed(&r, &weather));
	CHECK(is_allowed(&r, &notes));
	CHECK(is_allowed(&r, &managed));
}

TEST(addresses_match_however_they_are_written)
{
	static const struct {
		const char *pattern, *url;
		bool strict, loose;
	} cases[] = {
		{ "https://x.test/mcp", "https://x.test/mcp", true, true },
		{ "https://x.test/mcp", "HTTPS://X.test:443/mcp", true, true },
		{ "https://x.test/mcp", "https://me:secret@x.test/mcp", true, true },
		{ "https://x.test/mcp", "https://x.test/mcp2", false, false },
		{ "https://x.test", "https://x.test/", true, true },
		{ "https://*.x.test/*", "https://a.b.x.test/v1?k=v", true, true },
		{ "https://*.x.test/*", "https://x.test/", false, false },
		{ "https://*.x.test/*", "https://evil.test/.x.test/", false, true },
		{ "https://*.x.test/*", "https://evil.test?.x.test/", false, true },
		{ "https://*x.test/*", "https://evil.test#x.test/", false, true },
		{ "http://localhost:*/*", "http://localhost:8080/mcp", true, true },
		{ "http://localhost:*/*", "http://localhost.evil.test:1/", false, false },
		{ "*://x.test/*", "wss://x.test/a", true, true },
		{ "*", "https://anything.test/x", true, true },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct sv pattern = sv_cstr(cases[i].pattern), url = sv_cstr(cases[i].url);

		print_message("# %s %s\n", cases[i].pattern, cases[i].url);
		CHECK_INT(mcp_server_url_matches(pattern, url, true), cases[i].strict);
		CHECK_INT(mcp_server_url_matches(pattern, url, false), cases[i].loose);
	}
}

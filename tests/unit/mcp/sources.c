#include "mcp/sources.h"

#include "base/limits.h"
#include "store/settings/settings_rig.h"
#include "store/trust.h"

#define MCP_JSON "project/.mcp.json"
#define GLOBAL   "config/.claude.json"

struct read {
	struct rig rig;
	struct mcp_sources sources;
	struct mcp_sources_opts opts;
	char *global;
	struct err err;
};

static void read_clear(struct read *r)
{
	mcp_sources_clear(&r->sources);
	free(r->global);
	rig_clear(&r->rig);
}

static void read_init(struct read *r)
{
	static const char *const env[] = { "TOKEN=hunter2", NULL };

	*r = (struct read){ .opts = { .env = env } };
	rig_init(&r->rig);
	r->global = rig_path(&r->rig, GLOBAL);
	r->opts.global_file = r->global;
}

#define READ(name)                          \
	defer(read_clear) struct read name; \
	read_init(&name)

static bool read_all(struct read *r)
{
	LOAD(r->rig);
	r->opts.settings = r->rig.settings;
	r->opts.files = &r->rig.opts;
	r->err = (struct err)ERR_INIT;
	return mcp_sources_read(&r->sources, &r->opts, &r->err);
}

/* Write the servers as "name scope standing", in order. */
static void check_servers(const struct read *r, const char *expected)
{
	static const char *const standings[] = {
		[MCP_READY] = "ready",       [MCP_UNAPPROVED] = "unapproved",
		[MCP_REJECTED] = "rejected", [MCP_DISABLED] = "disabled",
		[MCP_DENIED] = "denied",     [MCP_OVERRIDDEN] = "overridden",
	};
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 0; i < r->sources.servers.n; i++) {
		const struct mcp_source *s = &r->sources.servers.at[i];

		CHECK((s->standing == MCP_READY) == (s->why == NULL));
		str_addf(&text, "%s%s %s %s", i ? ", " : "", s->config.name,
			 mcp_scope_name(s->config.scope), standings[s->standing]);
	}
	CHECK_STR(str_c(&text), expected);
}

static void check_problems(const struct read *r, const char *expected)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 0; i < r->sources.problems.n; i++)
		mcp_problem_write(&text, &r->sources.problems.at[i]);
	rig_shorten(&r->rig, &text);
	CHECK_STR(str_c(&text), expected);
}

#define READ_ALL(r) CHECK_OK(read_all(&(r)), (r).err)

TEST(there_are_no_servers_without_files)
{
	READ(r);

	READ_ALL(r);
	check_servers(&r, "");
	check_problems(&r, "");
}

TEST(all_sources_are_read_and_the_strongest_counts_as_a_whole)
{
	static const char *const flags[] = {
		"{\"mcpServers\":{\"f\":{\"command\":\"f\"},\"l\":{\"command\":\"f\"}}}",
		"more.json", NULL
	};
	defer(str_clear) struct str global = STR_INIT;
	READ(r);

	str_addf(&global,
		 "{\"mcpServers\":{\"u\":{\"command\":\"u\"},\"l\":{\"command\":\"u\"},"
		 "\"p\":{\"url\":\"http://u.test\"}},\n"
		 "\"projects\":{\"%s\":{\"mcpServers\":{\"l\":{\"command\":\"l\"}}},"
		 "\"/elsewhere\":{\"mcpServers\":{\"no\":{\"command\":\"no\"}}}}}",
		 r.rig.project);
	rig_write(&r.rig, GLOBAL, str_c(&global));
	rig_write(&r.rig, MCP_JSON, "{\"mcpServers\":{\"p\":{\"command\":\"p\"}}}");
	rig_write(&r.rig, "project/more.json", "{\"mcpServers\":{\"m\":{\"type\":\"sdk\"}}}");
	rig_write(&r.rig, POLICY, "{\"managedMcpServers\":{\"o\":{\"command\":\"o\"}}}");
	r.opts.flags = flags;
	READ_ALL(r);
	check_servers(&r, "o managed ready, f dynamic ready, l dynamic ready, m dynamic ready, "
			  "l local overridden, p project ready, u user ready, l user overridden, "
			  "p user overridden");
	CHECK_STR(mcp_sources_find(&r.sources, SV("p"))->config.command, "p");
	CHECK_STR(mcp_sources_find(&r.sources, SV("l"))->config.command, "f");
	CHECK_STR(r.sources.servers.at[4].why, "\"l\" of scope dynamic is used instead");
	CHECK(mcp_sources_find(&r.sources, SV("no")) == NULL);
}

TEST(a_bad_server_does_not_cost_the_others)
{
	READ(r);

	rig_write(&r.rig, MCP_JSON,
		  "{\"mcpServers\":{\"a\":{},\"b\":{\"command\":\"b\"},\"c\":7,"
		  "\"d\":{\"url\":\"x://${TOKEN}\"}}}");
	rig_write(&r.rig, GLOBAL, "{\"mcpServers\":[1],\"projects\":7}");
	READ_ALL(r);
	check_servers(&r, "b project ready");
	check_problems(&r,
		       "DIR/project/.mcp.json: MCP server \"a\": it has neither \"command\" nor "
		       "\"url\"\n"
		       "DIR/project/.mcp.json: MCP server \"c\": its entry must be an object\n"
		       "DIR/project/.mcp.json: MCP server \"d\": \"url\" must start with http:// "
		       "or https:// and name a host\n"
		       "DIR/config/.claude.json: \"mcpServers\" must be an object\n");
	CHECK_STR(r.sources.problems.at[0].server, "a");
}

TEST(a_file_that_is_not_strict_json_has_no_servers)
{
	READ(r);

	rig_write(&r.rig, MCP_JSON, "{\"mcpServers\":{\"a\":{\"command\":\"a\"},}} // mine");
	rig_write(&r.rig, GLOBAL, "{");
	READ_ALL(r);
	check_servers(&r, "");
	CHECK_INT(r.sources.problems.n, 2);
	CHECK(strstr(r.sources.problems.at[0].text, "line 1"));
	rig_write(&r.rig, MCP_JSON, "{\"a\":{\"command\":\"a\"}}");
	rig_write(&r.rig, GLOBAL, "");
	READ_ALL(r);
	check_problems(
		&r, "DIR/project/.mcp.json: it has no \"mcpServers\", so there are no servers\n");
}

TEST(servers_of_a_project_wait_for_trust_in_its_content)
{
	READ(r);
	defer(trust_clear) struct trust trust = TRUST_INIT;

	rig_write(&r.rig, MCP_JSON, "{\"mcpServers\":{\"p\":{\"command\":\"p\"}}}");
	rig_write(&r.rig, GLOBAL, "{\"mcpServers\":{\"p\":{\"command\":\"mine\"}}}");
	r.rig.opts.trusts_project = false;
	READ_ALL(r);
	check_servers(&r, "p project unapproved, p user ready");
	CHECK(strstr(r.sources.servers.at[0].why, "awl trust"));
	trust_inspect(&trust, r.rig.config, r.rig.project, NULL);
	r.rig.opts.trusts_project = true;
	r.rig.opts.looked = &trust;
	READ_ALL(r);
	check_servers(&r, "p project ready, p user overridden");
	rig_write(&r.rig, MCP_JSON, "{\"mcpServers\":{\"p\":{\"command\":\"rm\"}}}");
	READ_ALL(r);
	check_servers(&r, "p project unapproved, p user ready");
}

TEST(the_user_approves_and_rejects_servers_of_projects_in_settings)
{
	READ(r);

	r.rig.opts.trusts_project = false;
	rig_write(&r.rig, MCP_JSON,
		  "{\"mcpServers\":{\"a\":{\"command\":\"a\"},\"b\":{\"command\":\"b\"}}}");
	rig_write(&r.rig, USER, "{\"enabledMcpjsonServers\":[\"a\"]}");
	READ_ALL(r);
	check_servers(&r, "a project ready, b project unapproved");
	rig_write(&r.rig, USER, "{\"enableAllProjectMcpServers\":true}");
	rig_write(&r.rig, LOCAL, "{\"disabledMcpjsonServers\":[\"b\"]}");
	READ_ALL(r);
	check_servers(&r, "a project ready, b project rejected");
	rig_write(&r.rig, USER, "{}");
	rig_write(&r.rig, PROJECT, "{\"enableAllProjectMcpServers\":true}");
	READ_ALL(r);
	check_servers(&r, "a project unapproved, b project rejected");
}

TEST(a_server_that_is_disabled_in_this_directory_stays_off)
{
	defer(str_clear) struct str global = STR_INIT;
	READ(r);

	str_addf(&global,
		 "{\"mcpServers\":{\"a\":{\"command\":\"a\"}},"
		 "\"projects\":{\"%s\":{\"disabledMcpServers\":[\"a\"],"
		 "\"disabledMcpjsonServers\":[\"b\"]}}}",
		 r.rig.project);
	rig_write(&r.rig, GLOBAL, str_c(&global));
	rig_write(&r.rig, MCP_JSON, "{\"mcpServers\":{\"b\":{\"command\":\"b\"}}}");
	READ_ALL(r);
	check_servers(&r, "b project rejected, a user disabled");
}

TEST(a_strict_configuration_has_only_the_servers_of_the_flags)
{
	static const char *const flags[] = { " {\"mcpServers\":{\"f\":{\"command\":\"f\"}}}",
					     NULL };
	READ(r);

	rig_write(&r.rig, MCP_JSON, "{\"mcpServers\":{\"p\":{\"command\":\"p\"}}}");
	rig_write(&r.rig, GLOBAL, "{\"mcpServers\":{\"u\":{\"command\":\"u\"}}}");
	r.opts.flags = flags;
	r.opts.is_strict = true;
	READ_ALL(r);
	check_servers(&r, "f dynamic ready");
}

TEST(setting_sources_choose_the_scopes)
{
	READ(r);

	rig_write(&r.rig, MCP_JSON, "{\"mcpServers\":{\"p\":{\"command\":\"p\"}}}");
	rig_write(&r.rig, GLOBAL, "{\"mcpServers\":{\"u\":{\"command\":\"u\"}}}");
	r.rig.opts.sources = "project";
	READ_ALL(r);
	check_servers(&r, "p project ready");
	r.rig.opts.sources = "user";
	READ_ALL(r);
	check_servers(&r, "u user ready");
}

TEST(a_wrong_flag_is_an_error)
{
	static const struct {
		const char *flag, *part;
	} cases[] = {
		{ "missing.json", "missing.json" },
		{ "{\"mcpServers\":", "--mcp-config: line 1" },
		{ "{\"x\":{}}", "no \"mcpServers\"" },
		{ "{\"mcpServers\":[]}", "must be an object" },
	};
	READ(r);

	for (size_t i = 0; i < countof(cases); i++) {
		const char *flags[] = { cases[i].flag, NULL };

		r.opts.flags = flags;
		CHECK(!read_all(&r));
		CHECK(strstr(r.err.text, cases[i].part));
		r.opts.flags = NULL;
	}
}

TEST(managed_mcp_json_excludes_all_other_servers)
{
	static const char *const flags[] = {
		"{\"mcpServers\":{\"f\":{\"command\":\"f\"},\"s\":{\"type\":\"sdk\"}}}", NULL
	};
	READ(r);

	rig_write(&r.rig, "policy/managed-mcp.json",
		  "{\"mcpServers\":{\"o\":{\"command\":\"o\"}}}");
	rig_write(&r.rig, POLICY, "{\"managedMcpServers\":{\"no\":{\"command\":\"no\"}}}");
	rig_write(&r.rig, GLOBAL, "{\"mcpServers\":{\"u\":{\"command\":\"u\"}}}");
	r.opts.flags = flags;
	READ_ALL(r);
	check_servers(&r, "o managed ready, f dynamic denied, s dynamic ready, u user denied");
	rig_write(&r.rig, "policy/managed-mcp.json", "{");
	CHECK(!read_all(&r));
	CHECK(strstr(r.err.text, "managed-mcp.json: line 1"));
	check_servers(&r, "o managed ready, f dynamic denied, s dynamic ready, u user denied");
}

TEST(names_that_make_the_same_tool_names_are_the_same)
{
	READ(r);

	rig_write(&r.rig, GLOBAL,
		  "{\"mcpServers\":{\"a b\":{\"command\":\"1\"},\"a.b\":{\"command\":\"2\"},"
		  "\"a-b\":{\"command\":\"3\"}}}");
	READ_ALL(r);
	check_servers(&r, "a b user ready, a.b user overridden, a-b user ready");
}

static const char *lookup_level(__attribute__((unused)) void *arg, struct sv name)
{
	return sv_is(name, "user_config.level") ? "7" : NULL;
}

static void add_plugin(struct read *r, const char *name, const char *json)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(json), 0, &r->err);
	const struct mcp_plugin plugin = { .name = name,
					   .root = "/plugins/p",
					   .data = "/data/p",
					   .file = "/plugins/p/.mcp.json",
					   .servers = json_root(doc),
					   .lookup = lookup_level };

	mcp_sources_add_plugin(&r->sources, &r->opts, &plugin);
}

TEST(a_server_of_a_plugin_that_is_configured_already_does_not_count)
{
	READ(r);

	rig_write(&r.rig, GLOBAL,
		  "{\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":[\"1\"]},"
		  "\"b\":{\"url\":\"http://b.test/\"}}}");
	READ_ALL(r);
	add_plugin(&r, "p",
		   "{\"pa\":{\"command\":\"x\",\"args\":[\"1\"]},"
		   "\"pb\":{\"type\":\"sse\",\"url\":\"http://b.test/\"},"
		   "\"pc\":{\"command\":\"x\",\"args\":[\"1\",\"2\"]}}");
	check_servers(&r, "a user ready, b user ready, plugin:p:pa plugin overridden, "
			  "plugin:p:pb plugin overridden, plugin:p:pc plugin ready");
	CHECK_STR(mcp_sources_find(&r.sources, SV("plugin:p:pa"))->why,
		  "\"a\" of scope user is used instead");
}

TEST(of_two_plugins_with_the_same_server_the_first_counts)
{
	READ(r);

	READ_ALL(r);
	add_plugin(&r, "p", "{\"s\":{\"command\":\"x\"}}");
	add_plugin(&r, "q", "{\"other\":{\"command\":\"x\"},\"s\":{\"command\":\"y\"}}");
	check_servers(&r, "plugin:p:s plugin ready, plugin:q:other plugin overridden, "
			  "plugin:q:s plugin ready");
}

TEST(a_plugin_has_variables_for_its_directories)
{
	const struct mcp_config *config;
	READ(r);

	READ_ALL(r);
	add_plugin(&r, "p",
		   "{\"s\":{\"command\":\"${CLAUDE_PLUGIN_ROOT}/run\",\"args\":[\"${TOKEN}\","
		   "\"--level=${user_config.level}\",\"${CLAUDE_PLUGIN_DATA}\"],"
		   "\"env\":{\"CLAUDE_PLUGIN_DATA\":\"mine\"}},"
		   "\"h\":{\"url\":\"http://h.test\"}}");
	config = &mcp_sources_find(&r.sources, SV("plugin:p:s"))->config;
	CHECK_STR(config->command, "/plugins/p/run");
	CHECK_STR(config->args[0], "hunter2");
	CHECK_STR(config->args[1], "--level=7");
	CHECK_STR(config->args[2], "/data/p");
	CHECK_STR(config->env[0].name, "CLAUDE_PLUGIN_ROOT");
	CHECK_STR(config->env[0].value, "/plugins/p");
	CHECK(config->nenv == 2);
	CHECK_STR(config->env[1].value, "mine");
	CHECK(mcp_sources_find(&r.sources, SV("plugin:p:h"))->config.nenv == 0);
	rig_write(&r.rig, GLOBAL,
		  "{\"mcpServers\":{\"a\":{\"command\":\"${CLAUDE_PLUGIN_ROOT}\"}}}");
	READ_ALL(r);
	CHECK_STR(mcp_sources_find(&r.sources, SV("a"))->config.unset, "CLAUDE_PLUGIN_ROOT");
}

TEST(servers_of_plugins_obey_the_user_and_the_policy)
{
	defer(str_clear) struct str global = STR_INIT;
	READ(r);

	str_addf(&global, "{\"projects\":{\"%s\":{\"disabledMcpServers\":[\"plugin:p:off\"]}}}",
		 r.rig.opts.project_dir);
	rig_write(&r.rig, GLOBAL, str_c(&global));
	rig_write(&r.rig, "config/settings.json",
		  "{\"deniedMcpServers\":[{\"serverCommand\":[\"bad\"]}]}");
	READ_ALL(r);
	add_plugin(&r, "p",
		   "{\"off\":{\"command\":\"x\"},\"bad\":{\"command\":\"bad\"},"
		   "\"sdk\":{\"type\":\"sdk\"}}");
	check_servers(&r, "plugin:p:off plugin disabled, plugin:p:bad plugin denied");
	check_problems(&r,
		       "/plugins/p/.mcp.json: MCP server \"plugin:p:sdk\": \"type\" sdk is only "
		       "for programs that drive awl\n");
	r.opts.is_strict = true;
	READ_ALL(r);
	add_plugin(&r, "p", "{\"s\":{\"command\":\"x\"}}");
	check_servers(&r, "");
}

TEST(the_number_of_servers_is_limited)
{
	defer(str_clear) struct str text = STR_INIT;
	READ(r);

	str_adds(&text, "{\"mcpServers\":{");
	for (size_t i = 0; i <= LIMIT_MCP_SERVERS; i++)
		str_addf(&text, "%s\"s%zu\":{\"command\":\"x\"}", i ? "," : "", i);
	str_adds(&text, "}}");
	rig_write(&r.rig, GLOBAL, str_c(&text));
	READ_ALL(r);
	CHECK_INT(r.sources.servers.n, LIMIT_MCP_SERVERS);
	check_problems(&r, "DIR/config/.claude.json: there are too many MCP servers; awl skips the "
			   "rest\n");
}

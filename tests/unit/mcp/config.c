#include "mcp/config.h"

#include "base/limits.h"
#include "test.h"

struct read {
	struct arena arena;
	struct json_doc *doc;
	struct mcp_config config;
	struct err err;
	bool ok;
};

static void read_clear(struct read *r)
{
	json_doc_free(r->doc);
	arena_clear(&r->arena);
}

static const char *lookup(void *arg, struct sv name)
{
	(void)arg;
	if (sv_is(name, "HOST"))
		return "example.com";
	if (sv_is(name, "EMPTY"))
		return "";
	if (sv_is(name, "NESTED"))
		return "${HOST}";
	if (sv_is(name, "BREAK"))
		return "a\nb";
	return NULL;
}

static void read_as(struct read *r, enum mcp_scope scope, const char *name, struct sv json)
{
	struct mcp_config_reader reader = {
		.scope = scope, .arena = &r->arena, .file = "/p/.mcp.json", .lookup = lookup
	};

	*r = (struct read){ .ok = false };
	r->doc = json_parse(json, 0, &r->err);
	CHECK(r->doc != NULL);
	r->ok = mcp_config_read(&reader, sv_cstr(name), json_root(r->doc), &r->config, &r->err);
}

#define READ_AS(var, scope, name, json)    \
	defer(read_clear) struct read var; \
	read_as(&var, MCP_SCOPE_##scope, name, sv_cstr(json))
#define READ(var, json) READ_AS(var, PROJECT, "s", json)

static void check_bad(const char *json, const char *part)
{
	READ(r, json);

	CHECK(!r.ok);
	CHECK_ERR(r.err, ERR_INVALID, part);
	CHECK_ERR(r.err, ERR_INVALID, "MCP server \"s\": ");
}

TEST(a_child_is_read_with_its_arguments_and_variables)
{
	READ(r, "{\"type\":\"stdio\",\"command\":\"npx\",\"args\":[\"-y\",\"x\"],"
		"\"env\":{\"A\":\"1\",\"B\":\"\"},\"cwd\":\"sub\"}");

	CHECK_OK(r.ok, r.err);
	CHECK_INT(r.config.transport, MCP_STDIO);
	CHECK_STR(r.config.name, "s");
	CHECK_STR(r.config.file, "/p/.mcp.json");
	CHECK_INT(r.config.scope, MCP_SCOPE_PROJECT);
	CHECK_STR(r.config.command, "npx");
	CHECK_STR(r.config.args[0], "-y");
	CHECK_STR(r.config.args[1], "x");
	CHECK(r.config.args[2] == NULL);
	CHECK_INT(r.config.nenv, 2);
	CHECK_STR(r.config.env[0].name, "A");
	CHECK_STR(r.config.env[0].value, "1");
	CHECK_STR(r.config.env[1].value, "");
	CHECK_STR(r.config.cwd, "sub");
	CHECK(r.config.unset == NULL);
}

TEST(an_address_is_read_with_headers_and_authorization)
{
	READ(r, "{\"type\":\"http\",\"url\":\"https://x.test/mcp\",\"headers\":{\"X-A\":\"b\"},"
		"\"headersHelper\":\"./h.sh $HOME\",\"timeout\":1500,\"alwaysLoad\":true,"
		"\"oauth\":{\"clientId\":\"c\",\"callbackPort\":8123,\"scopes\":[\"a\",\"b\"],"
		"\"authServerMetadataUrl\":\"https://as.test/m\"}}");

	CHECK_OK(r.ok, r.err);
	CHECK_INT(r.config.transport, MCP_HTTP);
	CHECK_STR(r.config.url, "https://x.test/mcp");
	CHECK_INT(r.config.nheaders, 1);
	CHECK_STR(r.config.headers[0].name, "X-A");
	CHECK_STR(r.config.headers[0].value, "b");
	CHECK_STR(r.config.headers_helper, "./h.sh $HOME");
	CHECK_INT(r.config.tool_timeout_ms, 1500);
	CHECK(r.config.always_load);
	CHECK_STR(r.config.oauth.client_id, "c");
	CHECK_INT(r.config.oauth.callback_port, 8123);
	CHECK_STR(r.config.oauth.scopes, "a b");
	CHECK_STR(r.config.oauth.metadata_url, "https://as.test/m");
	CHECK(r.config.args[0] == NULL);
}

TEST(the_transport_follows_from_the_fields_when_no_type_is_written)
{
	READ(child, "{\"command\":\"x\"}");
	READ(address, "{\"url\":\"http://x.test\"}");
	READ(null, "{\"type\":null,\"command\":\"x\",\"args\":null,\"env\":null}");
	READ(alias, "{\"type\":\"streamable-http\",\"url\":\"http://x.test\"}");
	READ(sse, "{\"type\":\"sse\",\"url\":\"http://x.test\"}");
	READ(ws, "{\"type\":\"ws\",\"url\":\"wss://x.test\"}");

	CHECK_INT(child.config.transport, MCP_STDIO);
	CHECK_INT(address.config.transport, MCP_HTTP);
	CHECK_OK(null.ok, null.err);
	CHECK_INT(alias.config.transport, MCP_HTTP);
	CHECK_INT(sse.config.transport, MCP_SSE);
	CHECK_OK(ws.ok, ws.err);
	CHECK_INT(ws.config.transport, MCP_WS);
}

TEST(fields_of_other_programs_are_ignored_and_ports_may_be_numbers)
{
	READ(r, "{\"command\":\"x\",\"args\":[\"--port\",8080,true],\"env\":{\"P\":1},"
		"\"description\":[],\"disabled\":1,\"alwaysAllow\":{}}");

	CHECK_OK(r.ok, r.err);
	CHECK_STR(r.config.args[1], "8080");
	CHECK_STR(r.config.args[2], "true");
	CHECK_STR(r.config.env[0].value, "1");
}

TEST(variables_are_expanded_once_and_a_missing_one_stays)
{
	READ(r, "{\"command\":\"${HOST}/${EMPTY:-x}${MISSING:-d:-e}\","
		"\"args\":[\"${NESTED}\",\"${MISSING}\",\"${}\",\"${HOST\",\"$HOST\",\"${OTHER}"
		"${MISSING}\"],\"env\":{\"H\":\"${HOST}\"}}");

	CHECK_OK(r.ok, r.err);
	CHECK_STR(r.config.command, "example.com/d:-e");
	CHECK_STR(r.config.args[0], "${HOST}");
	CHECK_STR(r.config.args[1], "${MISSING}");
	CHECK_STR(r.config.args[2], "${}");
	CHECK_STR(r.config.args[3], "${HOST");
	CHECK_STR(r.config.args[4], "$HOST");
	CHECK_STR(r.config.args[5], "${OTHER}${MISSING}");
	CHECK_STR(r.config.env[0].value, "example.com");
	CHECK_STR(r.config.unset, "MISSING, OTHER");
}

TEST(the_source_keeps_variables_as_written)
{
	READ(r, "{ \"url\": \"https://${HOST}/\",\n \"headers\": {\"A\": \"${HOST}\"}}");

	CHECK_STR(r.config.url, "https://example.com/");
	CHECK_SV(r.config.source, "{\"url\":\"https://${HOST}/\",\"headers\":{\"A\":\"${HOST}\"}}");
}

TEST(a_bad_entry_is_refused_with_the_server_and_the_field)
{
	check_bad("[]", "must be an object");
	check_bad("{}", "neither \"command\" nor \"url\"");
	check_bad("{\"type\":\"carrier-pigeon\"}", "\"type\" must be");
	check_bad("{\"type\":\"stdio\",\"url\":\"http://x.test\"}", "\"command\" is missing");
	check_bad("{\"command\":\"  \"}", "\"command\" is missing");
	check_bad("{\"command\":[\"x\"]}", "\"command\" must be a string, not array");
	check_bad("{\"command\":\"x\",\"args\":\"-y\"}", "\"args\" must be a list");
	check_bad("{\"command\":\"x\",\"args\":[[]]}", "\"args\" must be a list");
	check_bad("{\"command\":\"x\",\"env\":[]}", "\"env\" must be an object");
	check_bad("{\"command\":\"x\",\"env\":{\"A=B\":\"\"}}", "\"env\" has a variable");
	check_bad("{\"command\":\"x\\u0000\"}", "NUL");
	check_bad("{\"type\":\"http\"}", "\"url\" is missing");
	check_bad("{\"url\":\"example.com\"}", "\"url\" must start with http");
	check_bad("{\"url\":\"file:///etc\"}", "\"url\" must start with http");
	check_bad("{\"url\":\"${SITE}/mcp\"}", "not set: SITE");
	check_bad("{\"type\":\"ws\",\"url\":\"http://x.test\"}", "ws:// or wss://");
	check_bad("{\"url\":\"http://x.test\",\"headers\":{\"a b\":\"\"}}", "invalid name");
	check_bad("{\"url\":\"http://x.test\",\"headers\":{\"A\":\"${BREAK}\"}}",
		  "\"A\" contains a line");
	check_bad("{\"url\":\"http://x.test\",\"timeout\":0}", "\"timeout\"");
	check_bad("{\"url\":\"http://x.test\",\"timeout\":\"soon\"}", "\"timeout\"");
	check_bad("{\"url\":\"http://x.test\",\"oauth\":1}", "\"oauth\"");
	check_bad("{\"url\":\"http://x.test\",\"oauth\":{\"callbackPort\":70000}}", "callbackPort");
	check_bad("{\"url\":\"http://x.test\",\"oauth\":{\"authServerMetadataUrl\":\"http://x\"}}",
		  "https://");
	check_bad("{\"type\":\"sdk\",\"name\":\"s\"}", "programs that drive awl");
}

TEST(a_server_inside_the_host_comes_from_the_host_or_its_flags)
{
	READ_AS(host, HOST, "s", "{\"type\":\"sdk\",\"name\":\"s\"}");
	READ_AS(flag, FLAG, "s", "{\"type\":\"sdk\",\"name\":\"s\"}");

	CHECK_OK(host.ok, host.err);
	CHECK_OK(flag.ok, flag.err);
	CHECK_INT(flag.config.transport, MCP_IN_HOST);
}

TEST(an_error_shows_no_value)
{
	READ(url, "{\"url\":\"ftp://user:hunter2@x\"}");
	READ(env, "{\"command\":\"x\",\"env\":{\"TOKEN\":[\"hunter2\"]}}");
	READ(header, "{\"url\":\"http://x.test\",\"headers\":{\"A\":\"hunter2\\n\"}}");

	CHECK(!strstr(url.err.text, "hunter2"));
	CHECK(!strstr(env.err.text, "hunter2"));
	CHECK(!strstr(header.err.text, "hunter2"));
}

TEST(a_name_may_be_unusual_but_not_misleading)
{
	READ_AS(blank, USER, "claude.ai Notion (work)", "{\"command\":\"x\"}");
	READ_AS(empty, USER, " ", "{\"command\":\"x\"}");
	READ_AS(escape, USER, "a\x1b[2J", "{\"command\":\"x\"}");
	char name[LIMIT_MCP_NAME + 2] = "";

	memset(name, 'n', sizeof(name) - 1);
	READ_AS(big, USER, name, "{\"command\":\"x\"}");
	CHECK_OK(blank.ok, blank.err);
	CHECK_ERR(empty.err, ERR_INVALID, "needs a name");
	CHECK_ERR(escape.err, ERR_INVALID, "a\\x1b[2J");
	CHECK_ERR(big.err, ERR_TOO_BIG, "longer than 100 bytes");
}

TEST(an_entry_cannot_grow_without_end)
{
	defer(read_clear) struct read r;
	defer(str_clear) struct str json = STR_INIT;

	str_adds(&json, "{\"command\":\"x\",\"args\":[");
	for (size_t i = 0; i < 300; i++) {
		str_adds(&json, i ? ",\"" : "\"");
		for (size_t k = 0; k < 4096; k++)
			str_addc(&json, 'a');
		str_addc(&json, '"');
	}
	str_adds(&json, "]}");
	read_as(&r, MCP_SCOPE_USER, "s", sv_of(&json));
	CHECK_ERR(r.err, ERR_INVALID, "longer than 1 MiB");
}

TEST(the_key_of_credentials_is_that_of_claude_code)
{
	/* printf '{"type":"http","url":"http://127.0.0.1:8080/mcp","headers":{}}' | sha256sum */
	READ_AS(plain, USER, "my server", "{\"url\":\"http://127.0.0.1:8080/mcp\"}");
	READ_AS(other, USER, "my server",
		"{\"url\":\"http://127.0.0.1:8080/mcp\",\"headers\":{\"A\":\"b\"}}");

	CHECK_STR(mcp_config_key(&plain.config, &plain.arena), "my server|88e5fde71953b744");
	CHECK(strcmp(mcp_config_key(&other.config, &other.arena),
		     mcp_config_key(&plain.config, &plain.arena)) != 0);
}

TEST(transports_and_scopes_have_the_names_that_people_write)
{
	enum mcp_transport found = MCP_STDIO;

	CHECK_STR(mcp_transport_name(MCP_HTTP), "http");
	CHECK_STR(mcp_scope_name(MCP_SCOPE_LOCAL), "local");
	CHECK(mcp_transport_find(SV("streamable-http"), &found));
	CHECK_INT(found, MCP_HTTP);
	CHECK(!mcp_transport_find(SV("HTTP "), &found));
}

/* awl --mcp-cli: looks at MCP servers and calls their tools from a shell, for diagnosis and scripts. It connects to the
 * servers that are configured for this directory, and to nothing that waits for approval. Words and output are those
 * of Claude Code. */
#include <stdlib.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "cli/mcp/mcp.h"
#include "front/display.h"
#include "text/json/json_write.h"
#include "text/match/regex.h"

struct mcp_cli {
	struct awl_project *project;
	VEC(const char *) words;
	bool is_json;
	struct json_doc *offers; /* what the servers offer */
};

static void mcp_cli_clear(struct mcp_cli *c)
{
	awl_project_close(c->project);
	json_doc_free(c->offers);
	vec_clear(&c->words);
}

static enum exit_code mcp_cli_error(const char *fmt, ...) printf_like(1, 2);
static enum exit_code mcp_cli_error(const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str shown = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	display_name(&shown, sv_of(&text));
	fprintf(stderr, "Error: %s\n", str_c(&shown));
	return EXIT_FAILED;
}

/* Write text as it is to a program, and defused to a terminal. */
static enum exit_code mcp_cli_print(const struct str *page)
{
	return isatty(STDOUT_FILENO) ? mcp_print(page) : output(sv_of(page));
}

/* --- names ---------------------------------------------------------------------------------------- */

static bool mcp_cli_is_name(struct sv given, struct sv name)
{
	if (given.len != name.len)
		return false;
	for (size_t i = 0; i < name.len; i++) {
		char c = ascii_is_word(name.ptr[i]) || name.ptr[i] == '-' ? name.ptr[i] : '_';

		if (given.ptr[i] != name.ptr[i] && given.ptr[i] != c)
			return false;
	}
	return true;
}

static struct sv mcp_cli_text(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* Find a member of a list by its name, or by its name as tools have it. */
static struct json mcp_cli_find(struct json list, struct sv name)
{
	struct json_iter it = json_each(list);
	struct json item;

	while (json_next(&it, NULL, &item))
		if (mcp_cli_is_name(name, mcp_cli_text(item, "name")))
			return item;
	return (struct json){ NULL };
}

/* Cut "server/tool". */
static bool mcp_cli_cut(const char *word, struct sv *server, struct sv *tool)
{
	struct sv rest = sv_cstr(word);
	size_t slash = sv_find_char(rest, '/');

	*server = sv_slice(rest, 0, slash);
	*tool = slash == SIZE_MAX ? SV_EMPTY : sv_skip(rest, slash + 1);
	if (server->len && tool->len && sv_find_char(*tool, '/') == SIZE_MAX)
		return true;
	mcp_cli_error("Invalid tool identifier '%s'. Expected format: <server>/<tool>", word);
	return false;
}

/* Print what was noticed about the configuration and the session. */
static void mcp_cli_print_notes(const struct mcp_cli *c)
{
	struct sv rest = sv_cstr(awl_project_notes(c->project)), line;

	while (sv_cut_line(&rest, &line)) {
		defer(str_clear) struct str shown = STR_INIT;

		display_name(&shown, line);
		fprintf(stderr, "Warning: %s\n", str_c(&shown));
	}
}

/* Ask all servers, or one, what they offer. */
static bool mcp_cli_look(struct mcp_cli *c, struct sv server)
{
	const struct awl_mcp_server *servers;
	defer(mem_freep) char *name = NULL;
	struct err err = ERR_INIT;
	const char *json;
	bool is_known;
	size_t n = 0;

	if (server.len && awl_mcp_list(c->project, &servers, &n) != AWL_OK)
		n = 0;
	for (size_t i = 0; i < n && !name; i++)
		if (servers[i].state == AWL_MCP_READY &&
		    mcp_cli_is_name(server, sv_cstr(servers[i].name)))
			name = xstrdup(servers[i].name);
	if (server.len && !name && getenv("CLAUDE_CODE_SESSION_ID"))
		name = sv_dup(server); /* the session may know it */
	if (server.len && !name) {
		mcp_cli_error("Server '%.*s' not found", SV_ARG(server));
		return false;
	}
	is_known = awl_mcp_offers(c->project, name, &json) == AWL_OK;
	mcp_cli_print_notes(c);
	if (!is_known) {
		mcp_cli_error("%s", awl_last_error());
		return false;
	}
	c->offers = json_parse(sv_cstr(json), 0, &err);
	return c->offers != NULL;
}

/* The server, connected; missing: it is not, and that was printed. */
static struct json mcp_cli_connect(struct mcp_cli *c, struct sv name)
{
	struct json server = { NULL };

	if (!mcp_cli_look(c, name))
		return server;
	server = json_at(json_root(c->offers), 0);
	if (sv_is(mcp_cli_text(server, "status"), "connected"))
		return server;
	mcp_cli_error("Failed to connect to server '%.*s': %.*s", SV_ARG(name),
		      SV_ARG(mcp_cli_text(server, "error")));
	return (struct json){ NULL };
}

static enum exit_code mcp_cli_print_json(struct json value)
{
	defer(str_clear) struct str page = STR_INIT;
	struct jw w;

	jw_init(&w, &page, JW_PRETTY);
	jw_value(&w, value);
	str_addc(&page, '\n');
	return mcp_cli_print(&page);
}

/* --- lists ---------------------------------------------------------------------------------------- */

static enum exit_code mcp_cli_servers(struct mcp_cli *c)
{
	defer(str_clear) struct str page = STR_INIT;
	struct json_iter it;
	struct json server;

	if (!mcp_cli_look(c, SV_EMPTY))
		return EXIT_FAILED;
	if (c->is_json)
		return mcp_cli_print_json(json_root(c->offers));
	it = json_each(json_root(c->offers));
	while (json_next(&it, NULL, &server)) {
		struct sv error = mcp_cli_text(server, "error");

		str_addf(&page, "%.*s - %.*s", SV_ARG(mcp_cli_text(server, "name")),
			 SV_ARG(mcp_cli_text(server, "status")));
		str_addf(&page, error.len ? " (%.*s)\n" : "%.*s\n", SV_ARG(error));
	}
	return mcp_cli_print(&page);
}

/* Whether an item is wanted; without a pattern each is. */
static bool mcp_cli_matches(struct regex *pattern, struct json item)
{
	struct regex_budget budget = { .steps = LIMIT_PATTERN_STEPS };
	struct regex_match match;

	return !pattern ||
	       regex_find(pattern, mcp_cli_text(item, "name"), 0, &budget, &match) == REGEX_FOUND ||
	       regex_find(pattern, mcp_cli_text(item, "description"), 0, &budget, &match) ==
		       REGEX_FOUND;
}

/* Append "server/name uri" as one line, whatever the server calls it. */
static void mcp_cli_add_line(struct str *page, struct sv server, struct json item)
{
	struct sv uri = mcp_cli_text(item, "uri");

	display_name(page, server);
	str_addc(page, '/');
	display_name(page, mcp_cli_text(item, "name"));
	if (uri.len) {
		str_addc(page, ' ');
		display_name(page, uri);
	}
	str_addc(page, '\n');
}

/* Write "server/name" lines, or a JSON list. */
static enum exit_code mcp_cli_list(struct mcp_cli *c, const char *kind, struct regex *pattern)
{
	struct json_iter servers = json_each(json_root(c->offers));
	defer(str_clear) struct str page = STR_INIT;
	struct json server, item;
	struct jw w;

	jw_init(&w, &page, JW_PRETTY);
	if (c->is_json)
		jw_array(&w);
	while (json_next(&servers, NULL, &server)) {
		struct json_iter it = json_each(json_get(server, kind));
		struct sv name = mcp_cli_text(server, "name");

		while (json_next(&it, NULL, &item)) {
			if (!mcp_cli_matches(pattern, item))
				continue;
			if (!c->is_json) {
				mcp_cli_add_line(&page, name, item);
				continue;
			}
			jw_object(&w);
			jw_put_str(&w, "server", name);
			jw_put_value(&w, "item", item);
			jw_end(&w);
		}
	}
	if (c->is_json) {
		jw_end(&w);
		str_addc(&page, '\n');
	}
	return mcp_cli_print(&page);
}

static enum exit_code mcp_cli_tools(struct mcp_cli *c)
{
	if (!mcp_cli_look(c, c->words.n > 1 ? sv_cstr(c->words.at[1]) : SV_EMPTY))
		return EXIT_FAILED;
	return mcp_cli_list(c, "tools", NULL);
}

static enum exit_code mcp_cli_resources(struct mcp_cli *c)
{
	if (!mcp_cli_look(c, c->words.n > 1 ? sv_cstr(c->words.at[1]) : SV_EMPTY))
		return EXIT_FAILED;
	return mcp_cli_list(c, "resources", NULL);
}

static enum exit_code mcp_cli_grep(struct mcp_cli *c)
{
	struct err err = ERR_INIT;
	defer(regex_freep) struct regex *pattern =
		regex_new(sv_cstr(c->words.at[1]), (struct regex_opts){ .nocase = true }, &err);

	if (!pattern)
		return mcp_cli_error("Invalid regex pattern: %s", err.text);
	if (!mcp_cli_look(c, SV_EMPTY))
		return EXIT_FAILED;
	return mcp_cli_list(c, "tools", pattern);
}

/* --- one tool ------------------------------------------------------------------------------------- */

/* Connect to the server of "server/tool" and find the tool; missing: that failed, and was printed. */
static struct json mcp_cli_find_tool(struct mcp_cli *c, struct json *server)
{
	struct sv name, tool;
	struct json found = { NULL };

	if (!mcp_cli_cut(c->words.at[1], &name, &tool))
		return found;
	*server = mcp_cli_connect(c, name);
	if (!json_exists(*server))
		return found;
	found = mcp_cli_find(json_get(*server, "tools"), tool);
	if (!json_exists(found))
		mcp_cli_error("Tool '%.*s' not found on server '%.*s'", SV_ARG(tool), SV_ARG(name));
	return found;
}

static enum exit_code mcp_cli_info(struct mcp_cli *c)
{
	struct json server = { NULL }, tool = mcp_cli_find_tool(c, &server);
	defer(str_clear) struct str page = STR_INIT;
	struct jw w;

	if (!json_exists(tool))
		return EXIT_FAILED;
	if (c->is_json)
		return mcp_cli_print_json(tool);
	str_addf(&page, "Tool: %.*s/%.*s\nDescription: %.*s\nInput Schema:\n",
		 SV_ARG(mcp_cli_text(server, "name")), SV_ARG(mcp_cli_text(tool, "name")),
		 SV_ARG(mcp_cli_text(tool, "description")));
	jw_init(&w, &page, JW_PRETTY);
	jw_value(&w, json_get(tool, "inputSchema"));
	str_addc(&page, '\n');
	return mcp_cli_print(&page);
}

/* Make a request and print what comes back. */
static enum exit_code mcp_cli_request(struct mcp_cli *c, struct sv server, const char *method,
				      const struct str *params)
{
	defer(mem_freep) char *name = sv_dup(server);
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	enum exit_code code;
	const char *json;

	if (awl_mcp_request(c->project, name, method, str_c(params), &json) != AWL_OK)
		return mcp_cli_error("%s", awl_last_error());
	doc = json_parse(sv_cstr(json), 0, &err);
	code = mcp_cli_print_json(json_root(doc));
	return json_bool_or(json_get(json_root(doc), "isError"), false) ? EXIT_FAILED : code;
}

/* The arguments, from standard input where they are "-". */
static bool mcp_cli_read_arguments(const char *given, struct str *out)
{
	char buffer[16 * 1024];
	ssize_t n;

	if (!sv_is(sv_cstr(given), "-")) {
		str_adds(out, given);
		return true;
	}
	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0) {
		if (str_add_capped(out, sv_from(buffer, (size_t)n), LIMIT_PROMPT))
			continue;
		mcp_cli_error("standard input is too long");
		return false;
	}
	return true;
}

static enum exit_code mcp_cli_call(struct mcp_cli *c)
{
	struct json server = { NULL }, tool = { NULL };
	defer(str_clear) struct str given = STR_INIT;
	defer(str_clear) struct str params = STR_INIT;
	defer(json_doc_freep) struct json_doc *arguments = NULL;
	struct err err = ERR_INIT;
	struct jw w;

	if (!mcp_cli_read_arguments(c->words.at[2], &given))
		return EXIT_FAILED;
	arguments = json_parse(sv_of(&given), 0, &err);
	if (!json_is(json_root(arguments), JSON_OBJECT))
		return mcp_cli_error("Invalid JSON arguments: %s",
				     arguments ? "they must be an object" : err.text);
	tool = mcp_cli_find_tool(c, &server);
	if (!json_exists(tool))
		return EXIT_FAILED;
	jw_init(&w, &params, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "name", mcp_cli_text(tool, "name"));
	jw_put_value(&w, "arguments", json_root(arguments));
	jw_end(&w);
	return mcp_cli_request(c, mcp_cli_text(server, "name"), "tools/call", &params);
}

/* "server uri", or "server/name". */
static enum exit_code mcp_cli_read(struct mcp_cli *c)
{
	struct sv name = sv_cstr(c->words.at[1]), wanted;
	size_t slash = sv_find_char(name, '/');
	defer(str_clear) struct str params = STR_INIT;
	struct json server, resource;
	struct jw w;

	if (c->words.n > 2) {
		wanted = sv_cstr(c->words.at[2]);
	} else if (slash != SIZE_MAX) {
		wanted = sv_skip(name, slash + 1);
		name = sv_slice(name, 0, slash);
	} else {
		return mcp_cli_error(
			"Name the resource: read <server>/<name>, or read <server> <uri>");
	}
	server = mcp_cli_connect(c, name);
	if (!json_exists(server))
		return EXIT_FAILED;
	resource = mcp_cli_find(json_get(server, "resources"), wanted);
	if (json_exists(resource))
		wanted = mcp_cli_text(resource, "uri");
	jw_init(&w, &params, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "uri", wanted);
	jw_end(&w);
	return mcp_cli_request(c, mcp_cli_text(server, "name"), "resources/read", &params);
}

/* --- all of it -------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *words, *help;
	size_t min, max; /* of the words after the name */
	enum exit_code (*run)(struct mcp_cli *c);
} mcp_cli_commands[] = {
	{ "servers", "", "List the servers and whether they are connected", 0, 0, mcp_cli_servers },
	{ "tools", " [server]", "List the tools", 0, 1, mcp_cli_tools },
	{ "info", " <server>/<tool>", "Show a tool and its input", 1, 1, mcp_cli_info },
	{ "call", " <server>/<tool> <json> [--timeout <ms>]",
	  "Call a tool; '-' reads the JSON from standard input", 2, 2, mcp_cli_call },
	{ "grep", " <pattern>", "Search names and descriptions of tools", 1, 1, mcp_cli_grep },
	{ "resources", " [server]", "List the resources", 0, 1, mcp_cli_resources },
	{ "read", " <server>/<name> | <server> <uri>", "Read a resource", 1, 2, mcp_cli_read },
};

static enum exit_code mcp_cli_help(void)
{
	defer(str_clear) struct str page = STR_INIT;

	str_adds(&page, "Usage: awl --mcp-cli <command> [--json]\n\n");
	for (size_t i = 0; i < countof(mcp_cli_commands); i++)
		str_addf(&page, "  %s%s\n      %s\n", mcp_cli_commands[i].name,
			 mcp_cli_commands[i].words, mcp_cli_commands[i].help);
	return output(sv_of(&page));
}

static enum exit_code mcp_cli_run(struct mcp_cli *c)
{
	for (size_t i = 0; i < countof(mcp_cli_commands); i++) {
		if (!sv_is(sv_cstr(c->words.at[0]), mcp_cli_commands[i].name))
			continue;
		if (c->words.n - 1 < mcp_cli_commands[i].min ||
		    c->words.n - 1 > mcp_cli_commands[i].max)
			return mcp_cli_error("Usage: awl --mcp-cli %s%s", mcp_cli_commands[i].name,
					     mcp_cli_commands[i].words);
		return mcp_cli_commands[i].run(c);
	}
	return mcp_cli_error("unknown command '%s'; 'awl --mcp-cli --help' lists them",
			     c->words.at[0]);
}

bool mcp_cli_is_meant(int argc, char **argv)
{
	const char *enabled = getenv("ENABLE_EXPERIMENTAL_MCP_CLI");

	return argc > 1 && sv_is(sv_cstr(argv[1]), "--mcp-cli") && enabled && *enabled &&
	       !sv_is(sv_cstr(enabled), "0") && !sv_eq_nocase(sv_cstr(enabled), SV("false")) &&
	       !sv_eq_nocase(sv_cstr(enabled), SV("off")) &&
	       !sv_eq_nocase(sv_cstr(enabled), SV("no"));
}

enum exit_code mcp_cli_main(int argc, char **argv)
{
	defer(mcp_cli_clear) struct mcp_cli c = { .project = NULL };

	for (int i = 2; i < argc; i++) {
		if (sv_is(sv_cstr(argv[i]), "--help") || sv_is(sv_cstr(argv[i]), "-h"))
			return mcp_cli_help();
		if (sv_is(sv_cstr(argv[i]), "--json"))
			c.is_json = true;
		else if (sv_is(sv_cstr(argv[i]), "--timeout") && i + 1 < argc)
			setenv("MCP_TOOL_TIMEOUT", argv[++i], true);
		else
			vec_push(&c.words, argv[i]);
	}
	if (!c.words.n)
		return mcp_cli_help();
	if (awl_project_open(&c.project, NULL) != AWL_OK)
		return mcp_cli_error("%s", awl_last_error());
	return mcp_cli_run(&c);
}

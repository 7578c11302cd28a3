/* awl mcp add, add-json and add-from-claude-desktop. */
#include <stdlib.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "cli/mcp/mcp.h"
#include "front/display.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

/* --- one server ------------------------------------------------------------------------------------ */

/* Names that go into the names of tools and rules as they are. */
static bool mcp_add_check_name(const char *name)
{
	bool ok = *name != '\0';

	for (const char *c = name; *c; c++)
		ok &= ascii_is_word(*c) || *c == '-';
	if (!ok)
		usage_error("invalid name '%s': a name may have letters, digits, - and _", name);
	return ok;
}

/* The words of `awl mcp add` after the flags that took some of them. */
struct mcp_add {
	const struct mcp *mcp;
	size_t first; /* index of the name */
	const char *name, *target;
	bool is_url;
	const char *transport;
};

/* -e and -H take one value each. More values may follow them, as in other agents. */
static bool mcp_add_is_value(const struct mcp_add *a, const char *word)
{
	return (args_has(a->mcp->args, "env") && strchr(word, '=')) ||
	       (args_has(a->mcp->args, "header") && strchr(word, ':'));
}

static bool mcp_add_read_words(struct mcp_add *a)
{
	const struct mcp *mcp = a->mcp;

	while (a->first < mcp->nwords && mcp_add_is_value(a, mcp->words[a->first]))
		a->first++;
	if (mcp->nwords - a->first < 2) {
		usage_error("name a server and its command or address, for example: awl mcp add "
			    "files -- npx -y @modelcontextprotocol/server-filesystem /tmp");
		return false;
	}
	a->name = mcp->words[a->first];
	a->target = mcp->words[a->first + 1];
	return mcp_add_check_name(a->name);
}

/* An address needs no --transport: it cannot be a program. */
static bool mcp_add_read_transport(struct mcp_add *a)
{
	struct sv target = sv_cstr(a->target);
	const char *given = args_value(a->mcp->args, "transport");

	a->is_url = sv_starts(target, SV("http://")) || sv_starts(target, SV("https://"));
	a->transport = given ? given : a->is_url ? "http" : "stdio";
	if (!sv_is(sv_cstr(a->transport), "stdio") && !sv_is(sv_cstr(a->transport), "http") &&
	    !sv_is(sv_cstr(a->transport), "sse")) {
		usage_error("--transport must be 'stdio', 'http' or 'sse', not '%s'; 'awl mcp "
			    "add-json' "
			    "takes any",
			    a->transport);
		return false;
	}
	if (!sv_is(sv_cstr(a->transport), "stdio") && !a->is_url) {
		usage_error("a server of transport %s needs an address that begins with http:// or "
			    "https://, not '%s'",
			    a->transport, a->target);
		return false;
	}
	return true;
}

/* Write "K=V" or "Name: value" as a member. */
static bool mcp_add_member(struct jw *w, const char *text, char sep, const char *help)
{
	struct sv rest = sv_cstr(text), name;

	if (sv_find_char(rest, sep) == SIZE_MAX || !sv_cut(&rest, sep, &name) ||
	    !sv_trim(name).len) {
		usage_error("%s, not '%s'", help, text);
		return false;
	}
	jw_key(w, sep == ':' ? sv_trim(name) : name);
	jw_str(w, sep == ':' ? sv_trim(rest) : rest);
	return true;
}

static bool mcp_add_members(struct jw *w, const struct mcp_add *a, const char *flag, char sep,
			    const char *help)
{
	const char *value;

	for (size_t at = 0; (value = args_next(a->mcp->args, flag, &at));)
		if (!mcp_add_member(w, value, sep, help))
			return false;
	for (size_t i = 0; i < a->first; i++)
		if (!mcp_add_member(w, a->mcp->words[i], sep, help))
			return false;
	return true;
}

static bool mcp_add_write_program(struct jw *w, const struct mcp_add *a)
{
	bool ok;

	if (args_has(a->mcp->args, "header")) {
		usage_error("--header is for servers with an address; use --env for programs");
		return false;
	}
	jw_put_str(w, "command", sv_cstr(a->target));
	jw_put_array(w, "args");
	for (size_t i = a->first + 2; i < a->mcp->nwords; i++)
		jw_str(w, sv_cstr(a->mcp->words[i]));
	jw_end(w);
	jw_put_object(w, "env");
	ok = mcp_add_members(w, a, "env", '=', "--env takes NAME=value");
	jw_end(w);
	return ok;
}

static bool mcp_add_write_oauth(struct jw *w, const struct mcp_add *a)
{
	const char *id = args_value(a->mcp->args, "client-id");
	const char *port = args_value(a->mcp->args, "callback-port");
	int64_t number = 0;
	bool uses_xaa = args_has(a->mcp->args, "xaa");

	if (!id && !port && !uses_xaa)
		return true;
	if (port && (!sv_to_int(sv_cstr(port), &number) || number < 1 || number > UINT16_MAX)) {
		usage_error("--callback-port takes a number from 1 to 65535, not '%s'", port);
		return false;
	}
	jw_put_object(w, "oauth");
	if (id)
		jw_put_str(w, "clientId", sv_cstr(id));
	if (port)
		jw_put_int(w, "callbackPort", number);
	if (uses_xaa)
		jw_put_bool(w, "xaa", true);
	jw_end(w);
	return true;
}

static bool mcp_add_write_address(struct jw *w, const struct mcp_add *a)
{
	bool ok = true;

	if (args_has(a->mcp->args, "env")) {
		usage_error("--env is for programs; use --header for servers with an address");
		return false;
	}
	if (a->mcp->nwords - a->first > 2) {
		usage_error("unexpected argument '%s' after an address",
			    a->mcp->words[a->first + 2]);
		return false;
	}
	jw_put_str(w, "url", sv_cstr(a->target));
	if (args_has(a->mcp->args, "header")) {
		jw_put_object(w, "headers");
		ok = mcp_add_members(w, a, "header", ':', "--header takes 'Name: value'");
		jw_end(w);
	}
	return ok && mcp_add_write_oauth(w, a);
}

/* Say what was added. Words that look like secrets are hidden, as `awl mcp list` does. */
static void mcp_add_describe(struct str *page, const struct mcp_add *a, enum awl_scope scope)
{
	bool is_program = sv_is(sv_cstr(a->transport), "stdio");
	const struct awl_mcp_server *servers;
	size_t n = 0;

	str_addf(page, "Added %s MCP server %s",
		 is_program                             ? "stdio"
		 : sv_is(sv_cstr(a->transport), "http") ? "HTTP"
							: "SSE",
		 a->name);
	if (awl_mcp_list(a->mcp->project, &servers, &n) != AWL_OK)
		n = 0;
	for (size_t i = 0; i < n; i++) {
		if (!sv_is(sv_cstr(servers[i].name), a->name) ||
		    !sv_is(sv_cstr(servers[i].scope), mcp_scope_word(scope)))
			continue;
		str_addf(page, " with %s: ", is_program ? "command" : "URL");
		mcp_add_target(page, &servers[i]);
		break;
	}
	str_addf(page, " to %s config\n", mcp_scope_word(scope));
}

enum exit_code mcp_add(const struct mcp *mcp)
{
	struct mcp_add a = { .mcp = mcp };
	defer(str_clear) struct str json = STR_INIT;
	defer(str_clear) struct str page = STR_INIT;
	enum awl_scope scope;
	bool ok;
	struct jw w;

	if (!mcp_read_scope(mcp, AWL_SCOPE_LOCAL, &scope) || !mcp_add_read_words(&a) ||
	    !mcp_add_read_transport(&a))
		return EXIT_FAILED;
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", sv_cstr(a.transport));
	ok = sv_is(sv_cstr(a.transport), "stdio") ? mcp_add_write_program(&w, &a)
						  : mcp_add_write_address(&w, &a);
	if (!ok)
		return EXIT_FAILED;
	jw_end(&w);
	if (awl_mcp_add(mcp->project, scope, a.name, str_c(&json)) != AWL_OK)
		return mcp_fail(mcp);
	if (!mcp_login_store_secret(mcp, a.name))
		return EXIT_FAILED;
	mcp_add_describe(&page, &a, scope);
	return mcp_print_file(mcp, &page, scope);
}

enum exit_code mcp_add_json(const struct mcp *mcp)
{
	defer(str_clear) struct str page = STR_INIT;
	enum awl_scope scope;

	if (mcp->nwords != 2)
		return usage_error(
			"name a server and its entry, for example: awl mcp add-json docs "
			"'{\"type\":\"http\",\"url\":\"https://example.com/mcp\"}'");
	if (!mcp_read_scope(mcp, AWL_SCOPE_LOCAL, &scope) || !mcp_add_check_name(mcp->words[0]))
		return EXIT_FAILED;
	if (awl_mcp_add(mcp->project, scope, mcp->words[0], mcp->words[1]) != AWL_OK)
		return mcp_fail(mcp);
	str_addf(&page, "Added MCP server %s to %s config\n", mcp->words[0], mcp_scope_word(scope));
	return mcp_print_file(mcp, &page, scope);
}

/* --- Claude Desktop ----------------------------------------------------------------------------------- */

/* Read its configuration from the first place that has one. */
static bool mcp_add_find_desktop(struct str *path, struct str *text, struct err *err)
{
	static const char *const places[] = {
		".config/Claude/claude_desktop_config.json",
		"Library/Application Support/Claude/claude_desktop_config.json",
	};
	const char *home = getenv("HOME");

	for (size_t i = 0; home && i < countof(places); i++) {
		str_truncate(path, 0);
		fs_join(path, sv_cstr(home), sv_cstr(places[i]));
		if (fs_exists(str_c(path)))
			return fs_read(text, str_c(path), LIMIT_MCP_FILE, err);
	}
	return err_set(
		err, ERR_NOT_FOUND,
		"there is no configuration of Claude Desktop (~/%s); 'awl mcp add-json' adds a "
		"server from elsewhere",
		places[0]);
}

/* On a terminal the user chooses; otherwise all are added. */
static bool mcp_add_is_wanted(const char *name)
{
	defer(str_clear) struct str shown = STR_INIT;
	char answer[16] = "";

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return true;
	display_name(&shown, sv_cstr(name));
	printf("Add %s? [Y/n] ", str_c(&shown));
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && answer[0] != 'n' && answer[0] != 'N';
}

/* Add one of them. Returns whether it could be added, or nobody wanted it. */
static bool mcp_add_one(const struct mcp *mcp, enum awl_scope scope, struct sv name,
			struct json entry, struct str *page)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(mem_freep) char *copy = sv_dup(name);
	struct jw w;

	if (!mcp_add_is_wanted(copy))
		return true;
	jw_init(&w, &json, JW_COMPACT);
	jw_value(&w, entry);
	if (awl_mcp_add(mcp->project, scope, copy, str_c(&json)) != AWL_OK) {
		complain("%s", awl_last_error());
		return false;
	}
	str_addf(page, "Added MCP server %s to %s config\n", copy, mcp_scope_word(scope));
	return true;
}

enum exit_code mcp_add_desktop(const struct mcp *mcp)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str page = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct json_iter it;
	enum awl_scope scope;
	struct json entry;
	struct sv name;
	bool all = true;

	if (!mcp_read_scope(mcp, AWL_SCOPE_LOCAL, &scope))
		return EXIT_FAILED;
	if (!mcp_add_find_desktop(&path, &text, &err))
		return failure("%s", err.text);
	doc = json_parse(sv_of(&text), 0, &err);
	if (!doc)
		return failure("%s: %s", str_c(&path), err.text);
	it = json_each(json_get(json_root(doc), "mcpServers"));
	while (it.keyed && json_next(&it, &name, &entry))
		all &= mcp_add_one(mcp, scope, name, entry, &page);
	if (!page.len) {
		str_addf(&page, "Nothing was added from %s\n", str_c(&path));
		return mcp_print(&page) == EXIT_OK && all ? EXIT_OK : EXIT_FAILED;
	}
	return mcp_print_file(mcp, &page, scope) == EXIT_OK && all ? EXIT_OK : EXIT_FAILED;
}

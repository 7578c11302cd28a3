#include "perm/rule/rule.h"

#include <ctype.h>

#include "base/limits.h"
#include "perm/path/path.h"
#include "perm/path/tree_search.h"
#include "perm/rule/glob_star.h"
#include "text/json/json_write.h"

struct name_pair {
	struct sv name, other;
};

/* Former names of tools. */
static const struct name_pair former[] = {
	{ SV_INIT("Brief"), SV_INIT("SendUserMessage") },
	{ SV_INIT("KillBash"), SV_INIT("TaskStop") },
	{ SV_INIT("KillShell"), SV_INIT("TaskStop") },
	{ SV_INIT("ListMcpResources"), SV_INIT("ListMcpResourcesTool") },
	{ SV_INIT("ListPeers"), SV_INIT("ListAgents") },
	{ SV_INIT("ReadMcpResource"), SV_INIT("ReadMcpResourceTool") },
	{ SV_INIT("ReadMcpResourceDir"), SV_INIT("ReadMcpResourceDirTool") },
	{ SV_INIT("Task"), SV_INIT("Agent") },
};

static struct sv rule_present_name(struct sv tool)
{
	for (size_t i = 0; i < countof(former); i++)
		if (sv_eq(former[i].name, tool))
			return former[i].other;
	return tool;
}

/* A rule for the first includes the second. */
static const struct name_pair kinds[] = {
	{ SV_INIT("Bash"), SV_INIT("Monitor") },   { SV_INIT("Edit"), SV_INIT("apply_patch") },
	{ SV_INIT("Edit"), SV_INIT("MultiEdit") }, { SV_INIT("Edit"), SV_INIT("NotebookEdit") },
	{ SV_INIT("Edit"), SV_INIT("Write") },     { SV_INIT("Read"), SV_INIT("Glob") },
	{ SV_INIT("Read"), SV_INIT("Grep") },      { SV_INIT("Read"), SV_INIT("LS") },
	{ SV_INIT("Read"), SV_INIT("LSP") },       { SV_INIT("Read"), SV_INIT("NotebookRead") },
};

static bool is_kind(struct sv kind, struct sv tool)
{
	if (sv_eq(kind, tool))
		return true;
	for (size_t i = 0; i < countof(kinds); i++)
		if (sv_eq(kinds[i].name, kind) && sv_eq(kinds[i].other, tool))
			return true;
	return false;
}

/* Whether its rules have a path in parentheses. */
static bool is_file_tool(struct sv tool)
{
	return is_kind(SV("Read"), tool) || is_kind(SV("Edit"), tool);
}

/* --- reading -------------------------------------------------------------- */

static bool rule_is_name(struct sv name)
{
	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.ptr[i];

		if (c <= ' ' || c == 0x7f || c == '(' || c == ')' || c == ',')
			return false;
	}
	return name.len > 0;
}

/* "mcp__server__": what a rule that allows must contain before a '*'. */
static bool rule_names_server(struct sv name)
{
	struct sv server = sv_skip(name, 5);

	return sv_starts(name, SV("mcp__")) && sv_find(server, SV("__")) != 0 &&
	       sv_find(server, SV("__")) < sv_find_char(server, '*');
}

static bool rule_check_name(const struct perm_rule *rule, enum behavior what, struct err *err)
{
	if (!rule_is_name(rule->tool))
		return err_set(err, ERR_INVALID, "it does not start with a tool name");
	if (what == BEHAVIOR_ALLOW && sv_find_char(rule->tool, '*') != SIZE_MAX &&
	    !rule_names_server(rule->tool))
		return err_set(err, ERR_INVALID,
			       "only the tools of one server can be allowed by a \"*\", as in "
			       "mcp__server__*");
	return true;
}

static bool rule_check_content(const struct perm_rule *rule, struct sv home, struct err *err)
{
	if (rule->content.len == 0)
		return err_set(err, ERR_INVALID, "its parentheses are empty");
	if (sv_is(rule->content, ":*"))
		return err_set(err, ERR_INVALID, "there is nothing before \":*\"");
	return !is_file_tool(rule->tool) || path_pattern_check(rule->content, home, err);
}

static bool rule_read_parts(struct perm_rule *rule, enum behavior what, struct sv text,
			    struct sv home, struct err *err)
{
	size_t open = sv_find_char(text, '(');

	if (text.len > LIMIT_PATTERN)
		return err_set(err, ERR_TOO_BIG, "it is longer than %zu bytes",
			       (size_t)LIMIT_PATTERN);
	rule->tool = sv_slice(text, 0, open);
	rule->content = SV_EMPTY;
	if (!rule_check_name(rule, what, err))
		return false;
	rule->tool = rule_present_name(rule->tool);
	if (open == SIZE_MAX)
		return true;
	if (!sv_ends(text, SV(")")))
		return err_set(err, ERR_INVALID, "it does not end with \")\"");
	rule->content = sv_trim(sv_slice(text, open + 1, text.len - 1));
	if (!rule_check_content(rule, home, err))
		return false;
	if (sv_is(rule->content, "*"))
		rule->content = SV_EMPTY;
	return true;
}

bool rule_read(struct perm_rule *out, enum behavior what, struct sv text, struct sv home,
	       struct err *err)
{
	struct perm_rule rule = { .tool = SV_EMPTY };

	if (!rule_read_parts(&rule, what, text, home, err))
		return err_context(err, "the rule \"%.*s\" is not valid",
				   SV_ARG(sv_slice(text, 0, 100)));
	*out = rule;
	return true;
}

void rule_write(struct str *out, const struct perm_rule *rule)
{
	str_add(out, rule->tool);
	if (rule->content.len == 0)
		return;
	str_addc(out, '(');
	str_add(out, rule->content);
	str_addc(out, ')');
}

/* --- applying ------------------------------------------------------------- */

/* If "__" may separate a server from a tool in two ways, a rule allows only what both ways mean. */
static bool is_server_of(struct sv server, struct sv tool, enum behavior what)
{
	if (!sv_starts(server, SV("mcp__")) || !sv_starts(tool, server) ||
	    !sv_starts(sv_skip(tool, server.len), SV("__")))
		return false;
	return what != BEHAVIOR_ALLOW || sv_find(sv_skip(server, 5), SV("__")) == SIZE_MAX;
}

bool rule_covers(const struct perm_rule *rule, enum behavior what, struct sv tool)
{
	size_t steps;

	tool = rule_present_name(tool);
	steps = (rule->tool.len + 1) * (tool.len + 1) * 2;
	return is_kind(rule->tool, tool) || glob_star_match(rule->tool, false, tool, &steps) ||
	       is_server_of(rule->tool, tool, what);
}

/* Permission to edit a file includes reading it, and a file that may not be read may not be edited. */
static bool rule_reaches(const struct perm_rule *rule, enum behavior what, struct sv tool)
{
	if (rule->content.len == 0 || what == BEHAVIOR_ASK)
		return false;
	if (what == BEHAVIOR_ALLOW)
		return sv_is(rule->tool, "Edit") && is_kind(SV("Read"), tool);
	return sv_is(rule->tool, "Read") && is_kind(SV("Edit"), tool);
}

void rule_case_init(struct rule_case *c, const struct perm_policy *policy,
		    const struct perm_request *request)
{
	*c = (struct rule_case){ .policy = policy,
				 .request = *request,
				 .is_tree = sv_is(request->tool, "Grep"), /* others list at most */
				 .steps = LIMIT_PERM_STEPS,
				 .names = LIMIT_PERM_TREE };
	c->request.tool = rule_present_name(request->tool);
}

bool rule_is_void(const struct perm_policy *policy, const struct perm_rule *rule,
		  enum behavior what)
{
	return what == BEHAVIOR_ALLOW && policy->mode == PERM_AUTO && rule_is_broad(rule);
}

const rule_list *rules_of(const struct perm_policy *policy, enum behavior what)
{
	switch (what) {
	case BEHAVIOR_ALLOW: return &policy->allow;
	case BEHAVIOR_ASK: return &policy->ask;
	case BEHAVIOR_DENY: break;
	}
	return &policy->deny;
}

const struct perm_rule *rule_find(enum behavior what, struct rule_case *c, enum rule_match *match)
{
	const rule_list *rules = rules_of(c->policy, what);
	const struct perm_rule *found = NULL;

	*match = RULE_NO;
	for (size_t i = 0; i < rules->n && *match != RULE_YES; i++) {
		enum rule_match here = rule_matches(&rules->at[i], what, c);

		if (rule_is_void(c->policy, &rules->at[i], what))
			continue;

		if (here > *match) {
			*match = here;
			found = &rules->at[i];
		}
	}
	return found;
}

/* --- rules that allow too much ---------------------------------------------- */

static const char runners[][9] = {
	"awk",     "bash", "bun run", "bunx", "deno", "env", "eval",     "exec",     "fish",
	"lua",     "node", "npm run", "npx",  "perl", "php", "pnpm run", "python",   "python2",
	"python3", "ruby", "sh",      "ssh",  "sudo", "tsx", "xargs",    "yarn run", "zsh",
};

bool rule_is_broad(const struct perm_rule *rule)
{
	struct sv words = rule->content;

	if (!sv_is(rule->tool, "Bash") && !sv_is(rule->tool, "Monitor"))
		return sv_is(rule->tool, "Agent");
	if (words.len && sv_find_char(words, '*') == SIZE_MAX)
		return false; /* one command, spelt out */
	while (words.len && sv_find_char(SV(" *:"), words.ptr[words.len - 1]) != SIZE_MAX)
		words.len--;
	for (size_t i = 0; i < countof(runners); i++)
		if (sv_is(words, runners[i]))
			return true;
	return words.len == 0 || sv_find_char(words, '*') == 0;
}

/* The path below an alias of a working directory, as a path below the directory itself. */
static void rule_add_unaliased(struct str *out, const struct perm_policy *policy, struct sv named)
{
	struct sv real = SV_EMPTY;

	for (size_t i = 0; i < policy->aliases.n && !real.len; i++) {
		const struct perm_alias *alias = &policy->aliases.at[i];

		if (!path_is_inside(named, alias->named))
			continue;
		real = alias->real;
		named = sv_skip(named, alias->named.len);
	}
	str_add(out, real);
	str_add(out, named);
}

/* A linked file has two names: rules that forbid match either, rules that allow must match both. */
static bool rule_matches_name(const struct path_scope *scope, const struct perm_rule *rule,
			      const struct rule_case *c, bool is_dir)
{
	defer(str_clear) struct str name = STR_INIT;
	struct sv path = c->request.path, named = c->request.named.len ? c->request.named : path;
	bool by_path = path_matches(scope, rule->content, path, is_dir);

	if (sv_eq(named, path) || !path_is_normal(named))
		return by_path;
	if (scope->wide)
		return by_path || path_matches(scope, rule->content, named, is_dir);
	rule_add_unaliased(&name, c->policy, named);
	return by_path && path_matches(scope, rule->content, sv_of(&name), is_dir);
}

/* A pattern, and the paths that it is matched with. */
struct held {
	const struct path_scope *scope;
	struct sv pattern;
};

static bool rule_is_matched(void *arg, struct sv path)
{
	const struct held *h = arg;

	return path_matches(h->scope, h->pattern, path, true);
}

/* Whether a rule that forbids matches something below the path. */
static bool rule_matches_in_tree(const struct path_scope *scope, const struct perm_rule *rule,
				 struct rule_case *c)
{
	const struct perm_world *world = c->policy->world;
	struct held held = { scope, rule->content };
	bool found = path_matches_below(scope, rule->content, c->request.path);

	if (found && world)
		found = world->is_directory(world->arg, c->request.path) &&
			tree_search(world, c->request.path, rule_is_matched, &held, &c->names) !=
				TREE_NO;
	return found;
}

static enum rule_match rule_match_path(const struct perm_rule *rule, enum behavior what,
				       struct rule_case *c)
{
	bool wide = what != BEHAVIOR_ALLOW, is_dir = wide || c->request.access == ACCESS_READ;
	size_t ndirs = wide || c->policy->dirs.n == 0 ? c->policy->dirs.n : 1;
	struct path_scope scope = { .dirs = c->policy->dirs.at,
				    .n = ndirs,
				    .home = c->policy->home,
				    .root = rule->root,
				    .wide = wide,
				    .steps = &c->steps };

	if (!path_is_normal(c->request.path))
		return RULE_MAYBE;
	if (rule_matches_name(&scope, rule, c, is_dir))
		return RULE_YES;
	if (wide && c->is_tree && rule_matches_in_tree(&scope, rule, c))
		return RULE_MAYBE;
	return RULE_NO;
}

/* --- hosts ---------------------------------------------------------------- */

/* "example.org" is this host, "*.example.org" every subdomain but not itself, "*" every host. A '*'
 * elsewhere stays within one label. */
static bool rule_host_matches(struct sv pattern, struct sv host, size_t *steps)
{
	struct sv want, have;

	if (pattern.len > 1 && sv_ends(pattern, SV(".")))
		pattern.len--;
	if (sv_is(pattern, "*"))
		return true;
	if (sv_starts(pattern, SV("*.")))
		return host.len >= pattern.len &&
		       sv_eq_nocase(sv_skip(host, host.len - pattern.len + 1), sv_skip(pattern, 1));
	while (sv_cut(&pattern, '.', &want)) {
		if (!sv_cut(&host, '.', &have))
			return false;
		if (!sv_eq_nocase(want, have) && !glob_star_match(want, false, have, steps))
			return false;
	}
	return !sv_cut(&host, '.', &have);
}

/* --- parameters ----------------------------------------------------------- */

static void rule_value_text(struct str *out, struct json value)
{
	struct jw w;

	if (json_is(value, JSON_STRING)) {
		str_add(out, json_str_or(value, SV_EMPTY));
	} else if (json_is(value, JSON_BOOL) || json_is(value, JSON_NUMBER)) {
		jw_init(&w, out, JW_COMPACT);
		jw_value(&w, value);
		jw_done(&w);
	}
}

/* "model:opus": the parameter of that name has that value. */
static enum rule_match rule_match_param(const struct perm_rule *rule, enum behavior what,
					struct rule_case *c)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t colon = sv_find_char(rule->content, ':');
	char name[64];
	struct json value;

	if (what == BEHAVIOR_ALLOW || colon == SIZE_MAX || colon >= sizeof(name))
		return RULE_NO;
	memcpy(name, rule->content.ptr, colon);
	name[colon] = '\0';
	value = json_get(c->request.input, name);
	if (!json_exists(value))
		return RULE_NO;
	rule_value_text(&text, value);
	return glob_star_match(sv_skip(rule->content, colon + 1), false, sv_of(&text), &c->steps)
		       ? RULE_YES
		       : RULE_NO;
}

const struct perm_rule *rule_find_param(enum behavior what, struct rule_case *c)
{
	const rule_list *rules = rules_of(c->policy, what);

	for (size_t i = 0; i < rules->n; i++)
		if (rule_covers(&rules->at[i], what, c->request.tool) &&
		    rule_match_param(&rules->at[i], what, c) == RULE_YES)
			return &rules->at[i];
	return NULL;
}

/* Whether the content is about a parameter: "model:opus". */
static bool is_about_param(struct sv content)
{
	size_t n = 0;

	while (n < content.len && (isalnum((unsigned char)content.ptr[n]) ||
				   sv_find_char(SV("_-"), content.ptr[n]) != SIZE_MAX))
		n++;
	return n > 0 && n < content.len && content.ptr[n] == ':';
}

/* The parameter that `Skill(name)` and `Agent(type)` are about. */
static enum rule_match rule_match_named(const struct perm_rule *rule, struct rule_case *c)
{
	static const struct {
		const char *tool, *param;
	} named[] = { { "Skill", "skill" },
		      { "Agent", "subagent_type" },
		      { "McpSampling", "server" } };

	for (size_t i = 0; i < countof(named); i++) {
		struct sv text = rule->content, value;
		bool any_plugin = sv_ends(text, SV(":*")),
		     open = any_plugin || sv_ends(text, SV(" *"));

		if (!sv_is(c->request.tool, named[i].tool))
			continue;
		value = sv_trim(json_str_or(json_get(c->request.input, named[i].param), SV_EMPTY));
		value = sv_skip(value, sv_starts(value, SV("/")) ? 1 : 0);
		if (any_plugin && glob_star_match(text, false, value, &c->steps)) /* "my:x" */
			return RULE_YES;
		text.len -= open ? 2 : 0;
		return value.len && glob_star_match(text, open, value, &c->steps) ? RULE_YES
										  : RULE_NO;
	}
	return is_about_param(rule->content) && json_exists(c->request.input) ? RULE_NO
									      : RULE_MAYBE;
}

static bool is_ascii(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] >= 0x80)
			return false;
	return true;
}

/* A rule may contain an international name as people read it; its form on the wire is not computed
 * here. */
static enum rule_match rule_match_host(const struct perm_rule *rule, enum behavior what,
				       struct rule_case *c)
{
	struct sv pattern = sv_skip(rule->content, strlen("domain:"));

	if (!c->request.host.len ||
	    (sv_find(c->request.host, SV("xn--")) != SIZE_MAX && !is_ascii(pattern)))
		return what == BEHAVIOR_ALLOW ? RULE_NO : RULE_MAYBE;
	return rule_host_matches(pattern, c->request.host, &c->steps) ? RULE_YES : RULE_NO;
}

enum rule_match rule_matches(const struct perm_rule *rule, enum behavior what, struct rule_case *c)
{
	if (!rule_covers(rule, what, c->request.tool) && !rule_reaches(rule, what, c->request.tool))
		return RULE_NO;
	if (rule->content.len == 0 || rule_match_param(rule, what, c) == RULE_YES)
		return RULE_YES;
	if (c->request.access == ACCESS_READ || c->request.access == ACCESS_WRITE)
		return rule_match_path(rule, what, c);
	if (sv_starts(rule->content, SV("domain:")))
		return rule_match_host(rule, what, c);
	return rule_match_named(rule, c);
}

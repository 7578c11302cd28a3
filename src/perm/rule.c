#include "perm/rule.h"

#include "base/limits.h"
#include "perm/path.h"
#include "perm/star.h"

struct name_pair {
	struct sv name, other;
};

/* Names that rules of other days use. */
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

/* A rule for the first speaks of the second as well. */
static const struct name_pair kinds[] = {
	{ SV_INIT("Edit"), SV_INIT("apply_patch") },  { SV_INIT("Edit"), SV_INIT("MultiEdit") },
	{ SV_INIT("Edit"), SV_INIT("NotebookEdit") }, { SV_INIT("Edit"), SV_INIT("Write") },
	{ SV_INIT("Read"), SV_INIT("Glob") },         { SV_INIT("Read"), SV_INIT("Grep") },
	{ SV_INIT("Read"), SV_INIT("LS") },           { SV_INIT("Read"), SV_INIT("LSP") },
	{ SV_INIT("Read"), SV_INIT("NotebookRead") },
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

static bool is_name(struct sv name)
{
	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.ptr[i];

		if (c <= ' ' || c == 0x7f || c == '(' || c == ')' || c == ',')
			return false;
	}
	return name.len > 0;
}

/* "mcp__server__": all that must be spelt out before a '*' that allows. */
static bool names_server(struct sv name)
{
	struct sv server = sv_skip(name, 5);

	return sv_starts(name, SV("mcp__")) && sv_find(server, SV("__")) != 0 &&
	       sv_find(server, SV("__")) < sv_find_char(server, '*');
}

static bool is_balanced(struct sv content)
{
	size_t depth = 0;

	for (size_t i = 0; i < content.len; i++) {
		if (content.ptr[i] == '(')
			depth++;
		else if (content.ptr[i] == ')' && depth-- == 0)
			return false;
	}
	return depth == 0;
}

static bool check_name(const struct perm_rule *rule, enum behavior what, struct err *err)
{
	if (!is_name(rule->tool))
		return err_set(err, ERR_INVALID, "it does not begin with the name of a tool");
	if (what == BEHAVIOR_ALLOW && sv_find_char(rule->tool, '*') != SIZE_MAX &&
	    !names_server(rule->tool))
		return err_set(err, ERR_INVALID,
			       "only the tools of one server can be allowed by a \"*\", as in "
			       "mcp__server__*");
	return true;
}

static bool check_content(const struct perm_rule *rule, struct sv home, struct err *err)
{
	if (!is_balanced(rule->content))
		return err_set(err, ERR_INVALID, "its parentheses do not match");
	if (rule->content.len == 0)
		return err_set(err, ERR_INVALID, "nothing stands in its parentheses");
	if (sv_is(rule->content, ":*"))
		return err_set(err, ERR_INVALID, "nothing stands before \":*\"");
	return !is_file_tool(rule->tool) || path_pattern_check(rule->content, home, err);
}

static bool read_parts(struct perm_rule *rule, enum behavior what, struct sv text, struct sv home,
		       struct err *err)
{
	size_t open = sv_find_char(text, '(');

	if (text.len > LIMIT_PATTERN)
		return err_set(err, ERR_TOO_BIG, "it has over %zu bytes", (size_t)LIMIT_PATTERN);
	rule->tool = sv_slice(text, 0, open);
	rule->content = SV_EMPTY;
	if (!check_name(rule, what, err))
		return false;
	for (size_t i = 0; i < countof(former); i++)
		if (sv_eq(former[i].name, rule->tool))
			rule->tool = former[i].other;
	if (open == SIZE_MAX)
		return true;
	if (!sv_ends(text, SV(")")))
		return err_set(err, ERR_INVALID, "it does not end with a \")\"");
	rule->content = sv_trim(sv_slice(text, open + 1, text.len - 1));
	if (!check_content(rule, home, err))
		return false;
	if (sv_is(rule->content, "*"))
		rule->content = SV_EMPTY;
	return true;
}

bool rule_read(struct perm_rule *out, enum behavior what, struct sv text, struct sv home,
	       struct err *err)
{
	struct perm_rule rule;

	if (!read_parts(&rule, what, text, home, err))
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

/* Where a name with "__" in it may be a server's or a tool's, it allows only what
 * it does as a tool's. */
static bool is_server_of(struct sv server, struct sv tool, enum behavior what)
{
	if (!sv_starts(server, SV("mcp__")) || !sv_starts(tool, server) ||
	    !sv_starts(sv_skip(tool, server.len), SV("__")))
		return false;
	return what != BEHAVIOR_ALLOW || sv_find(sv_skip(server, 5), SV("__")) == SIZE_MAX;
}

bool rule_covers(const struct perm_rule *rule, enum behavior what, struct sv tool)
{
	size_t steps = (rule->tool.len + 1) * (tool.len + 1) * 2;

	return is_kind(rule->tool, tool) || star_match(rule->tool, false, tool, &steps) ||
	       is_server_of(rule->tool, tool, what);
}

/* Who may edit a file may read it, and who may not read it cannot edit it. */
static bool reaches(const struct perm_rule *rule, enum behavior what, struct sv tool)
{
	if (rule->content.len == 0 || what == BEHAVIOR_ASK)
		return false;
	if (what == BEHAVIOR_ALLOW)
		return sv_is(rule->tool, "Edit") && is_kind(SV("Read"), tool);
	return sv_is(rule->tool, "Read") && is_kind(SV("Edit"), tool);
}

void rule_case_init(struct rule_case *c, const struct perm_policy *policy, const struct wish *wish)
{
	*c = (struct rule_case){ .policy = policy, .wish = *wish, .steps = LIMIT_PERM_STEPS };
	command_init(&c->command, wish->command);
}

void rule_case_clear(struct rule_case *c)
{
	command_clear(&c->command);
}

static enum rule_match match_path(const struct perm_rule *rule, enum behavior what,
				  struct rule_case *c)
{
	bool wide = what != BEHAVIOR_ALLOW, is_dir = wide || c->wish.access == ACCESS_READ;
	size_t ndirs = wide || c->policy->dirs.n == 0 ? c->policy->dirs.n : 1;
	struct path_scope scope = { c->policy->dirs.at, ndirs, c->policy->home, wide, &c->steps };

	if (!path_is_normal(c->wish.path))
		return RULE_MAYBE;
	if (path_matches(&scope, rule->content, c->wish.path, is_dir))
		return RULE_YES;
	/* The others at most list what is below. */
	if (wide && sv_is(c->wish.tool, "Grep") &&
	    path_matches_below(&scope, rule->content, c->wish.path))
		return RULE_MAYBE;
	return RULE_NO;
}

static enum rule_match match_command(const struct perm_rule *rule, enum behavior what,
				     struct rule_case *c)
{
	bool yes;

	if (rule->content.len == 0)
		yes = what != BEHAVIOR_ALLOW || c->command.visible;
	else if (what == BEHAVIOR_ALLOW)
		yes = command_allowed_by(rule->content, &c->command, &c->steps);
	else
		yes = command_forbidden_by(rule->content, &c->command, &c->steps);
	if (!yes && what != BEHAVIOR_ALLOW && c->command.unknown)
		return RULE_MAYBE;
	return yes ? RULE_YES : RULE_NO;
}

enum rule_match rule_matches(const struct perm_rule *rule, enum behavior what, struct rule_case *c)
{
	if (!rule_covers(rule, what, c->wish.tool) && !reaches(rule, what, c->wish.tool))
		return RULE_NO;
	if (c->wish.access == ACCESS_RUN)
		return match_command(rule, what, c);
	if (rule->content.len == 0)
		return RULE_YES;
	if (c->wish.access == ACCESS_READ || c->wish.access == ACCESS_WRITE)
		return match_path(rule, what, c);
	return RULE_MAYBE;
}

/* Which rules would have allowed this call?
 *
 * The problem. A question offers "yes, and don't ask again", and what it means has to be a rule.
 * Users answer without reading, so a rule that allows more than the call they see is worse than
 * none: `git:*` allows `git push --force`, and `npm test:*` whatever comes behind it.
 *
 * The idea. For each part of the call that is not allowed, try the rule for exactly that part, and
 * keep it if it makes the difference. Trying means deciding: the rule is added to a copy of the
 * policy and the part is decided again, with the same analysis of its command. So nothing here
 * repeats what decides, and a rule that would not help (because the command can't be analysed, or
 * because it goes too far) is never offered. Whoever wants a broader rule writes it himself.
 *
 * Candidates for a command, in this order: rules for its files alone; its words; its text with the
 * quotes.
 *
 * Invariants.
 * - A rule for a command or a file has no pattern: it allows this command, this file.
 * - No rule where an interpreter reads its program from its input: the rule could not say which.
 * - All parts are allowed in the end, or nothing is offered. At most SUGGEST_MAX rules.
 * - The time is linear in the length of the command: a candidate is tried on one part, and the first
 *   part without a rule ends the search.
 *
 * Rejected: the program with its verb ("npm test:*"), since it allows more than what was shown; one
 * rule for the whole line, since it would match this line only; asking the user to edit the rule. */
#include "perm/decide/suggest.h"

#include "perm/command/command_paths.h"
#include "perm/decide/command_decision.h"
#include "perm/decide/decide_search.h"
#include "perm/decide/floor.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "perm/rule/rule.h"

/* A policy with the rules that are being tried. Only its list of allow rules is its own. */
struct suggestion {
	struct perm_policy policy;
	const struct perm_request *request;
	struct line_decision line; /* of a command */
	struct arena *arena;
	struct sv *out;
	size_t n;
	bool or_tool; /* without exact rules, the rule for all calls of the tool */
};

static void suggest_init(struct suggestion *t, const struct perm_policy *policy)
{
	t->policy = *policy;
	t->policy.allow = (rule_list)VEC_INIT;
	for (size_t i = 0; i < policy->allow.n; i++)
		vec_push(&t->policy.allow, policy->allow.at[i]);
	/* dontAsk denies what other modes ask about. */
	if (policy->mode == PERM_DONT_ASK)
		t->policy.mode = PERM_DEFAULT;
}

/* Whether part `at` of the call is allowed. */
static bool suggest_is_allowed(struct suggestion *t, size_t at)
{
	struct perm_request one = *t->request;

	if (one.access == ACCESS_RUN)
		return decide_line_command(&t->line, at).behavior == BEHAVIOR_ALLOW;
	if (at > 0) {
		one.path = one.more_paths[at - 1];
		one.named = SV_EMPTY;
	}
	one.n_more = 0;
	return perm_decide(&t->policy, &one).behavior == BEHAVIOR_ALLOW;
}

static bool suggest_push_rule(struct suggestion *t, struct sv text)
{
	struct perm_rule rule;
	struct err ignored = ERR_INIT;

	if (t->n == SUGGEST_MAX ||
	    !rule_read(&rule, BEHAVIOR_ALLOW, text, t->policy.home, &ignored))
		return false;
	vec_push(&t->policy.allow, rule);
	t->out[t->n++] = text;
	return true;
}

static void suggest_pop_rules(struct suggestion *t, size_t n)
{
	t->policy.allow.n -= t->n - n;
	t->n = n;
}

/* Keeps the rule if it makes a difference. */
static bool suggest_try_rule(struct suggestion *t, struct sv text, size_t at)
{
	size_t before = t->n;

	if (suggest_push_rule(t, text) && suggest_is_allowed(t, at))
		return true;
	suggest_pop_rules(t, before);
	return false;
}

/* --- files ---------------------------------------------------------------- */

/* Escapes everything that is special in a pattern. */
static struct sv suggest_pattern_of(struct arena *arena, struct sv path)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 0; i < path.len; i++) {
		if (sv_find_char(SV("\\*?["), path.ptr[i]) != SIZE_MAX)
			str_addc(&text, '\\');
		str_addc(&text, path.ptr[i]);
	}
	return arena_dup(arena, sv_of(&text));
}

static struct sv suggest_rule_for(struct suggestion *t, struct sv path, bool writes)
{
	return arena_printf(t->arena, "%s(/%.*s)", writes ? "Edit" : "Read",
			    SV_ARG(suggest_pattern_of(t->arena, path)));
}

/* Whether a directory is harmless to read: not a home, and not around the working directory. */
static bool is_of_use(const struct perm_policy *policy, struct sv dir)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(policy->dirs.at[i], dir))
			return false;
	return !floor_contains(policy, dir);
}

static bool suggest_try_path(struct suggestion *t, struct sv path, bool writes, size_t at)
{
	/* A rule for a directory includes everything below it. */
	return (writes || is_of_use(&t->policy, path)) &&
	       suggest_try_rule(t, suggest_rule_for(t, path, writes), at);
}

static bool suggest_for_paths(struct suggestion *t)
{
	const struct perm_request *request = t->request;
	bool writes = request->access == ACCESS_WRITE;

	for (size_t i = 0; i <= request->n_more; i++)
		if (!suggest_is_allowed(t, i) &&
		    !suggest_try_path(t, i ? request->more_paths[i - 1] : request->path, writes, i))
			return false;
	return true;
}

/* --- commands ------------------------------------------------------------- */

static const struct shell_command *suggest_command(const struct suggestion *t, size_t at)
{
	return &t->request->analysis->commands.at[at];
}

static struct sv suggest_rule_of(struct arena *arena, const struct shell_command *command)
{
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, "Bash(");
	for (size_t i = 0; i < command->n; i++) {
		str_adds(&text, i ? " " : "");
		str_add(&text, command->argv[i].text);
	}
	str_addc(&text, ')');
	return arena_dup(arena, sv_of(&text));
}

/* Whether a rule for the command would not cover the file. */
static bool suggest_needs_rule(const struct perm_policy *policy, const struct command_path *target)
{
	bool is_inside = false;

	for (size_t i = 0; i < policy->dirs.n; i++)
		is_inside |= path_is_inside(target->real, policy->dirs.at[i]);
	return target->known &&
	       (!is_inside || target->is_redirect || secret_is_file(target->real)) &&
	       (command_path_writes(target) || target->use == OPERAND_READ) && !target->recursive;
}

/* Tries the rule `text`, which may be empty, together with rules for the files of the command. */
static bool suggest_try_with_files(struct suggestion *t, size_t at, struct sv text)
{
	const struct shell_command *command = suggest_command(t, at);
	size_t before = t->n;

	if (text.len && suggest_try_rule(t, text, at))
		return true;
	if (text.len && !suggest_push_rule(t, text))
		return false;
	for (size_t i = 0; i < command->npaths; i++)
		if (suggest_needs_rule(&t->policy, &command->paths[i]))
			suggest_push_rule(
				t, suggest_rule_for(t, command->paths[i].real,
						    command_path_writes(&command->paths[i])));
	if (t->n > before + (text.len > 0) && suggest_is_allowed(t, at))
		return true;
	suggest_pop_rules(t, before);
	return false;
}

static bool suggest_are_plain(const struct shell_command *command)
{
	for (size_t i = 0; i < command->n; i++) {
		struct sv text = command->argv[i].text;

		if (!command->argv[i].known || !text.len || command->argv[i].is_glob)
			return false;
		for (size_t k = 0; k < text.len; k++)
			if (sv_find_char(SV(" \t\n*()"), text.ptr[k]) != SIZE_MAX)
				return false;
	}
	return true;
}

/* Programs that run what they read, although the tables do not call them interpreters. */
static bool is_interpreter(const struct shell_command *command)
{
	static const char names[][10] = {
		"at",     "batch",   "bc",        "crontab", "dc",      "docker",
		"ed",     "ex",      "ftp",       "gdb",     "kubectl", "lldb",
		"make",   "mariadb", "mongo",     "mongosh", "mysql",   "osascript",
		"podman", "psql",    "redis-cli", "sftp",    "sqlite3", "ssh",
	};

	return command->use.is_interpreter || command->use.is_shell ||
	       sv_is_among(shell_command_name(command), names);
}

/* Whether an argument is the program that an interpreter runs: a file, or a text after an option. */
static bool suggest_names_program(const struct shell_command *command)
{
	bool found = command->use.is_shell && command->use.inner.n;

	for (size_t i = 1; command->use.is_interpreter && i < command->n; i++) {
		struct sv text = command->argv[i].text;

		if (sv_is(text, "-") || sv_is(text, "/dev/stdin"))
			return false;
		found |= !sv_starts(text, SV("-")) || !command->argv[i].known;
	}
	return found;
}

/* Whether the input of the command, or of one around it, is not the terminal. */
static bool suggest_has_input(const struct suggestion *t, size_t at)
{
	const struct shell_command *command = suggest_command(t, at);

	return command->has_piped_input || command->input.len ||
	       shell_command_reads_file(command) ||
	       (command->outer < at && suggest_has_input(t, command->outer));
}

/* Whether a rule for the command would allow any program: `python3 - <<EOF`, `sudo node < x`. */
static bool suggest_reads_program(const struct suggestion *t, size_t at)
{
	const struct command_analysis *analysis = t->request->analysis;
	const struct shell_command *command = suggest_command(t, at);

	for (size_t i = at; i < analysis->commands.n; i++) {
		const struct shell_command *inner = &analysis->commands.at[i];

		if (i > at && inner->depth <= command->depth)
			break;
		if (is_interpreter(inner) && !suggest_names_program(inner) &&
		    suggest_has_input(t, i))
			return true;
	}
	return false;
}

/* What zsh would take for something else: `=curl` is the path of curl. */
static bool is_for_zsh(const struct shell_command *command)
{
	static const char names[][9] = { "emulate",  "mapfile", "sysopen", "sysread", "syswrite",
					 "zmodload", "zpty",    "zsocket", "ztcp" };
	struct sv name = command->argv[0].text;

	return sv_starts(name, SV("=")) || sv_starts(name, SV("zf_")) || sv_is_among(name, names);
}

/* The very text, with its quotes. A '*' in it is a character, not a pattern. */
static bool suggest_try_text(struct suggestion *t, size_t at)
{
	const struct shell_command *command = suggest_command(t, at);
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest = sv_trim(command->text), before;

	if (command->is_nested)
		return false;
	str_adds(&text, "Bash(");
	while (sv_find_char(rest, '*') != SIZE_MAX && sv_cut(&rest, '*', &before)) {
		str_add(&text, before);
		str_adds(&text, "\\*");
	}
	str_add(&text, rest);
	str_addc(&text, ')');
	return suggest_try_rule(t, arena_dup(t->arena, sv_of(&text)), at);
}

/* Finds rules for a command that is not allowed. */
static bool suggest_for_command(struct suggestion *t, size_t at)
{
	const struct shell_command *command = suggest_command(t, at);

	if (suggest_try_with_files(t, at, SV_EMPTY))
		return true;
	if (!command->n || !command->argv[0].known || suggest_reads_program(t, at) ||
	    is_for_zsh(command))
		return false;
	if (command->more_args)
		return false;
	if (suggest_are_plain(command) &&
	    suggest_try_with_files(t, at, suggest_rule_of(t->arena, command)))
		return true;
	return suggest_try_text(t, at);
}

static bool suggest_for_commands(struct suggestion *t)
{
	for (size_t i = 0; i < t->request->analysis->commands.n; i++)
		if (!suggest_is_allowed(t, i) && !suggest_for_command(t, i))
			return false;
	return true;
}

/* --- the others ----------------------------------------------------------- */

/* The parameter that rules of the tool are about: a skill, a kind of agent. Empty: every call. */
static struct sv suggest_find_parameter(const struct perm_request *request)
{
	static const struct {
		const char *tool, *param;
	} named[] = { { "Skill", "skill" },
		      { "Agent", "subagent_type" },
		      { "McpSampling", "server" } };

	for (size_t i = 0; i < countof(named); i++)
		if (sv_is(request->tool, named[i].tool))
			return json_str_or(json_get(request->input, named[i].param), SV_EMPTY);
	return SV_EMPTY;
}

static bool suggest_for_tool(struct suggestion *t)
{
	struct sv tool = t->request->tool, name = suggest_find_parameter(t->request);

	if (!name.len)
		return suggest_try_rule(t, tool, 0);
	return sv_find_char(name, '*') == SIZE_MAX &&
	       suggest_try_rule(t, arena_printf(t->arena, "%.*s(%.*s)", SV_ARG(tool), SV_ARG(name)),
				0);
}

static bool suggest_for_line(struct suggestion *t)
{
	bool found;

	decide_line_init(&t->line, &t->policy, t->request, t->request->analysis);
	found = !t->line.problem[0] && suggest_for_commands(t);
	decide_line_clear(&t->line);
	return found;
}

/* Whether it is a search inside a working directory that may show secrets. */
static bool suggest_is_searched(struct suggestion *t)
{
	const struct perm_policy *policy = &t->policy;

	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(t->request->path, policy->dirs.at[i]))
			return decide_find_searched(policy, t->request, t->arena).len;
	return false;
}

/* A rule for each of the secrets, not for all in the directory. */
static bool suggest_for_search(struct suggestion *t)
{
	struct sv secret = decide_find_searched(&t->policy, t->request, t->arena);

	while (secret.len && suggest_push_rule(t, suggest_rule_for(t, secret, false)))
		secret = decide_find_searched(&t->policy, t->request, t->arena);
	return !secret.len;
}

static bool suggest_for_request(struct suggestion *t)
{
	const struct perm_request *request = t->request;

	if (request->access == ACCESS_RUN)
		return suggest_for_line(t);
	if (suggest_is_searched(t))
		return suggest_for_search(t);
	if (request->access == ACCESS_READ || request->access == ACCESS_WRITE)
		return suggest_for_paths(t);
	if (request->host.len)
		return suggest_try_rule(t,
					arena_printf(t->arena, "%.*s(domain:%.*s)",
						     SV_ARG(request->tool), SV_ARG(request->host)),
					0);
	return suggest_for_tool(t);
}

/* All rules together have to allow all of the call. */
static bool suggest_is_enough(const struct suggestion *t)
{
	return perm_decide(&t->policy, t->request).behavior == BEHAVIOR_ALLOW;
}

/* The request has an analysis if it is about a command. */
static size_t suggest_rules(struct suggestion *t, const struct perm_policy *policy)
{
	suggest_init(t, policy);
	if (!suggest_for_request(t) || (t->n && !suggest_is_enough(t)))
		suggest_pop_rules(t, 0);
	if (t->or_tool && !t->n && suggest_push_rule(t, t->request->tool) && !suggest_is_enough(t))
		suggest_pop_rules(t, 0);
	/* Deciding about a long command takes a while, and most of them get no rules anyway. */
	if (t->n && perm_decide(policy, t->request).behavior == BEHAVIOR_ALLOW)
		suggest_pop_rules(t, 0);
	vec_clear(&t->policy.allow);
	return t->n;
}

static size_t suggest_for(const struct perm_policy *policy, const struct perm_request *request,
			  bool or_tool, struct arena *arena, struct sv out[SUGGEST_MAX])
{
	struct command_analysis own = COMMAND_ANALYSIS_INIT;
	struct perm_request analysed = *request;
	struct suggestion t = {
		.request = &analysed, .arena = arena, .out = out, .or_tool = or_tool
	};
	size_t n;

	if (request->needs_user)
		return 0;
	if (request->access == ACCESS_RUN && !request->analysis) {
		perm_analyse(&own, policy, request);
		analysed.analysis = &own;
	}
	n = suggest_rules(&t, policy);
	command_analysis_clear(&own);
	return n;
}

size_t perm_suggest(const struct perm_policy *policy, const struct perm_request *request,
		    struct arena *arena, struct sv out[SUGGEST_MAX])
{
	return suggest_for(policy, request, false, arena, out);
}

size_t perm_suggest_narrowest(const struct perm_policy *policy, const struct perm_request *request,
			      struct arena *arena, struct sv out[SUGGEST_MAX])
{
	return suggest_for(policy, request, true, arena, out);
}

/* Rules about commands: the ones that forbid, and the ones that allow a command by its name. */
#include "perm/command/interpreter_text.h"
#include "perm/decide/command_decision.h"
#include "perm/decide/message.h"
#include "perm/rule/raw_command.h"
#include "perm/rule/rule_match.h"

/* --- rules that allow ------------------------------------------------------- */

bool decide_rule_is_exact(const struct perm_rule *rule)
{
	return rule && rule_pattern_star(rule->content) == SIZE_MAX;
}

static bool is_for_all(const struct perm_rule *rule)
{
	return rule->content.len == 0;
}

/* Whether the rule spells a command inside, or the subcommand that runs it: "sudo ls", "uv run". */
static bool decide_rule_spells_inner(const struct perm_rule *rule,
				     const struct shell_command *command,
				     const struct inner_command *inner)
{
	size_t verb = command->use.verb;

	return !inner->script.len && inner->from < command->n &&
	       (rule_pattern_spells(rule->content, command->argv[inner->from].text) ||
		(verb && verb < inner->from &&
		 rule_pattern_spells(rule->content, command->argv[verb].text)));
}

/* Whether the rule spells an argument that escalates as often as the command has it: one "-c" is not
 * consent to a second. */
static bool decide_rule_spells_as_often(const struct perm_rule *rule,
					const struct shell_command *command, size_t arg)
{
	const struct program_use *use = &command->use;
	struct sv text = command->argv[arg].text, rest = rule->content, word;
	size_t given = sv_eq(command->argv[use->escalating].text, text), spelt = 0;

	for (size_t i = 0; i < use->also_escalating.n; i++)
		given += sv_eq(command->argv[use->also_escalating.at[i]].text, text);
	while (sv_cut(&rest, ' ', &word))
		spelt += rule_pattern_spells(word, text);
	return spelt >= given;
}

/* Whether a rule for a network client spells more than options: Bash(curl https://x/:*). */
static bool decide_rule_names_host(const struct perm_rule *rule)
{
	struct sv rest = rule->content, word;

	for (size_t i = 0; sv_cut(&rest, ' ', &word); i++)
		if (i > 0 && word.len > 1 && word.ptr[0] != '-')
			return true;
	return false;
}

/* Whether the rule spells everything that goes beyond the program's name: options that
 * escalate, what would be lost, commands inside. Otherwise the rule does not mean this. */
static bool decide_rule_spells_all(const struct perm_rule *rule,
				   const struct shell_command *command)
{
	const struct program_use *use = &command->use;
	const struct argument *argv = command->argv;

	if (decide_rule_is_exact(rule)) /* it is this very command */
		return true;
	if (use->escalates && !decide_rule_spells_as_often(rule, command, use->escalating))
		return false;
	for (size_t i = 0; i < use->also_escalating.n; i++)
		if (!decide_rule_spells_as_often(rule, command, use->also_escalating.at[i]))
			return false;
	for (size_t i = 0; i < use->leads.n && decide_rule_names_host(rule); i++)
		if (!rule_pattern_spells(rule->content, argv[use->leads.at[i]].text))
			return false;
	if (use->loses && use->subcommand &&
	    !rule_pattern_spells(rule->content, argv[use->subcommand].text))
		return false;
	if (use->loses && use->loses_named &&
	    !rule_pattern_spells(rule->content, argv[use->losing].text))
		return false;
	for (size_t i = 0; i < use->inner.n; i++)
		if (!use->inner.at[i].is_transparent &&
		    !decide_rule_spells_inner(rule, command, &use->inner.at[i]))
			return false;
	return true;
}

bool decide_rule_spells_wrapped(const struct perm_rule *rule, const struct shell_command *command)
{
	for (size_t i = 0; i < command->use.inner.n; i++)
		if (command->use.inner.at[i].script.len ||
		    rule_pattern_count(rule->content) <= command->use.inner.at[i].from)
			return false;
	return true;
}

/* Whether the command runs where relative names in a rule start: in the first working directory, or
 * where the rule belongs. */
static bool decide_is_at_rule(const struct line_decision *d, const struct perm_rule *rule,
			      const struct shell_command *command)
{
	const struct perm_policy *policy = d->policy;

	for (size_t i = 0; i < command->cwd.n; i++)
		if (!sv_eq(command->cwd.dirs[i], rule->root) &&
		    !(policy->dirs.n && sv_eq(command->cwd.dirs[i], policy->dirs.at[0])))
			return false;
	return command->cwd.n > 0;
}

/* "./x", "scripts/x", but not "x", which is looked up, or "https://x". */
static bool decide_is_relative_path(const struct argument *arg)
{
	return arg->known && sv_find_char(arg->text, '/') != SIZE_MAX &&
	       sv_find(arg->text, SV("://")) == SIZE_MAX &&
	       sv_find_char(SV("/~-"), arg->text.ptr[0]) == SIZE_MAX;
}

/* "build.sh", which an interpreter looks for where it runs, but not the module of "-m http.server". */
static bool decide_is_script_name(const struct shell_command *command, size_t arg)
{
	struct sv text = command->argv[arg].text, before = command->argv[arg - 1].text;
	size_t dot = sv_rfind_char(text, '.');

	return command->argv[arg].known && dot != SIZE_MAX && dot > 0 && dot + 1 < text.len &&
	       sv_find_char(SV("/~-"), text.ptr[0]) == SIZE_MAX &&
	       sv_find_char(text, ' ') == SIZE_MAX && !sv_is(before, "-m");
}

/* Whether the rule spells a program, or a script for an interpreter, by a relative path. */
static bool decide_is_relative(const struct perm_rule *rule, const struct shell_command *command)
{
	bool is_driven = command->use.is_interpreter || command->use.is_shell;

	for (size_t i = 1; i < command->n && is_driven; i++)
		if ((decide_is_relative_path(&command->argv[i]) ||
		     decide_is_script_name(command, i)) &&
		    rule_pattern_spells(rule->content, command->argv[i].text))
			return true;
	return decide_is_relative_path(&command->argv[0]);
}

/* "./x" in another directory is another program. */
static bool decide_is_other_program(const struct line_decision *d, const struct perm_rule *rule,
				    const struct shell_command *command)
{
	return decide_is_relative(rule, command) && !decide_is_at_rule(d, rule, command);
}

/* Whether the rule is this very line, so that it allows each command in it. */
static bool decide_rule_is_line(const struct line_decision *d, const struct perm_rule *rule)
{
	return d->analysis->commands.n > 1 && decide_rule_is_exact(rule) &&
	       rule_pattern_is_text(rule->content, d->request->command);
}

static bool decide_rule_matches(struct line_decision *d, const struct perm_rule *rule,
				const struct shell_command *command)
{
	return !rule_is_void(d->policy, rule, BEHAVIOR_ALLOW) && !is_for_all(rule) &&
	       rule_covers(rule, BEHAVIOR_ALLOW, d->request->tool) &&
	       (decide_rule_is_line(d, rule) ||
		(!decide_is_other_program(d, rule, command) &&
		 rule_match_allow(rule->content, command, d->policy->home, &d->steps)));
}

static const struct perm_rule *decide_find_own_rule(struct line_decision *d,
						    const struct shell_command *command)
{
	const rule_list *rules = &d->policy->allow;

	for (size_t i = 0; i < rules->n; i++)
		if (decide_rule_matches(d, &rules->at[i], command) &&
		    decide_rule_spells_all(&rules->at[i], command))
			return &rules->at[i];
	return NULL;
}

const struct perm_rule *decide_find_partial(struct line_decision *d,
					    const struct shell_command *command)
{
	const rule_list *rules = &d->policy->allow;

	for (size_t i = 0; i < rules->n; i++)
		if (decide_rule_matches(d, &rules->at[i], command))
			return &rules->at[i];
	return NULL;
}

/* The rule for a wrapper allows the command inside, too, if it spells that. A rule for a shell
 * speaks of the text in it only if it is that very command. */
const struct perm_rule *decide_find_allowing(struct line_decision *d, const struct line_part *part)
{
	const struct perm_rule *rule = decide_find_own_rule(d, part->command), *outer = NULL;

	if (part->command->outer < d->analysis->commands.n)
		outer = d->parts[part->command->outer].rule;
	if (outer && !decide_rule_spells_all(outer, part->command))
		outer = NULL;
	return rule || (part->command->is_script && !decide_rule_is_exact(outer)) ? rule : outer;
}

const struct perm_rule *decide_find_allowing_all(const struct line_decision *d)
{
	const rule_list *rules = &d->policy->allow;

	for (size_t i = 0; i < rules->n; i++)
		if (is_for_all(&rules->at[i]) &&
		    !rule_is_void(d->policy, &rules->at[i], BEHAVIOR_ALLOW) &&
		    rule_covers(&rules->at[i], BEHAVIOR_ALLOW, d->request->tool))
			return &rules->at[i];
	return NULL;
}

/* --- rules that forbid -------------------------------------------------------- */

/* The first rule that matches; failing that, the first that may. */
static const struct perm_rule *decide_find_forbidding(struct line_decision *d, enum behavior what,
						      const struct shell_command *command,
						      enum rule_match *match)
{
	const rule_list *rules = rules_of(d->policy, what);
	const struct perm_rule *found = NULL;

	*match = RULE_NO;
	for (size_t i = 0; i < rules->n && *match != RULE_YES; i++) {
		const struct perm_rule *rule = &rules->at[i];
		enum rule_match here;

		if (!rule_covers(rule, what, d->request->tool) || rule_is_about_line(rule->content))
			continue;
		here = rule->content.len
			       ? rule_match_deny(rule->content, command, d->policy->home, &d->steps)
			       : RULE_YES;
		if (here == RULE_NO && interpreter_text_names(command, rule->content, &d->steps))
			here = RULE_MAYBE;
		if (here > *match) {
			*match = here;
			found = rule;
		}
	}
	return found;
}

/* How far a pipe has come in matching the commands of a rule, one after the other. */
struct pipe_progress {
	struct sv rest, next; /* of the rule; `next` empty: all matched */
	enum rule_match match;
};

/* Whether `curl x | source /dev/stdin` or `eval "$(curl x)"` does what a shell would do there. */
static bool decide_is_like_shell(const struct shell_command *command, enum pipe_way way)
{
	struct sv name = shell_command_name(command);

	return sv_is(name, "source") || sv_is(name, ".") ||
	       (sv_is(name, "eval") && way != PIPE_WRITTEN);
}

/* Whether the command runs what it gets as an argument: `bash -c "$(curl x)"`. */
static enum rule_match decide_runs_arguments(const struct shell_command *command)
{
	if (decide_is_like_shell(command, PIPE_ARGUMENT))
		return RULE_YES;
	if (!command->use.is_shell && !command->use.is_interpreter)
		return RULE_NO;
	for (size_t i = 1; i < command->n; i++)
		if (sv_starts(command->argv[i].text, SV("-")) &&
		    (sv_find_char(command->argv[i].text, 'c') != SIZE_MAX ||
		     sv_find_char(command->argv[i].text, 'e') != SIZE_MAX))
			return RULE_YES;
	return RULE_MAYBE;
}

/* Like rule_match_deny(); `source` and `eval` are the shell that the rule names. */
static enum rule_match decide_match_staged(struct line_decision *d, struct sv pattern,
					   const struct shell_command *command, enum pipe_way way)
{
	static const char *const shells[] = { "bash", "sh", "zsh", "dash", "ksh" };
	enum rule_match match = rule_match_deny(pattern, command, d->policy->home, &d->steps);

	for (size_t i = 0; i < countof(shells) && decide_is_like_shell(command, way); i++) {
		struct argument name = command->argv[0];
		struct shell_command shell = *command;

		name.text = name.written = sv_cstr(shells[i]);
		shell.argv = &name;
		shell.n = 1;
		match = max_of(match, rule_match_deny(pattern, &shell, d->policy->home, &d->steps));
	}
	return way == PIPE_ARGUMENT ? min_of(match, decide_runs_arguments(command)) : match;
}

/* The surest match of a rule's command with one of a stage. */
static enum rule_match decide_match_stage(struct line_decision *d, struct sv pattern,
					  const struct pipe_stage *stage)
{
	struct sv open = arena_printf(&d->arena, "%.*s:*", SV_ARG(pattern));
	enum rule_match best = RULE_NO;

	for (size_t i = stage->from; i < stage->to && best != RULE_YES; i++) {
		const struct shell_command *command = &d->analysis->commands.at[i];
		enum rule_match here = decide_match_staged(d, open, command, stage->way);

		if (here == RULE_YES && shell_command_is_secondary(command))
			here = RULE_MAYBE;
		best = max_of(best, here);
	}
	return best;
}

/* Whether the commands of a rule such as "curl * | sh" are those of a pipe, others between them. */
static enum rule_match decide_match_pipes(struct line_decision *d, struct sv pattern)
{
	const struct command_analysis *analysis = d->analysis;
	struct pipe_progress *pipes = arena_calloc(&d->arena, analysis->npipes + 1, sizeof(*pipes));
	struct sv rest = pattern, first;

	if (!rule_pattern_next_stage(&rest, &first) || !rest.len)
		return RULE_NO;
	for (size_t i = 0; i < analysis->npipes; i++)
		pipes[i] = (struct pipe_progress){ rest, first, RULE_YES };
	for (size_t i = 0; i < analysis->stages.n; i++) {
		struct pipe_progress *pipe = &pipes[analysis->stages.at[i].pipe];
		enum rule_match here = decide_match_stage(d, pipe->next, &analysis->stages.at[i]);

		if (here == RULE_NO)
			continue;
		pipe->match = min_of(pipe->match, here);
		if (!rule_pattern_next_stage(&pipe->rest, &pipe->next))
			return pipe->match;
	}
	return RULE_NO;
}

static struct verdict decide_by_line_rule(struct line_decision *d, enum behavior what,
					  const struct perm_rule *rule)
{
	enum rule_match match = RULE_NO;

	if (rule_covers(rule, what, d->request->tool) && rule_is_about_line(rule->content))
		match = max_of(rule_match_deny_line(rule->content, d->request->command, &d->steps),
			       decide_match_pipes(d, rule->content));
	if (match == RULE_NO)
		return fine;
	return verdict_by_rule(match == RULE_YES ? what : BEHAVIOR_ASK, rule);
}

struct verdict decide_by_line_rules(struct line_decision *d)
{
	struct verdict worst = fine;

	for (size_t i = 0; i < d->policy->deny.n && worst.behavior != BEHAVIOR_DENY; i++)
		worst = verdict_stricter(
			worst, decide_by_line_rule(d, BEHAVIOR_DENY, &d->policy->deny.at[i]));
	for (size_t i = 0; i < d->policy->ask.n && worst.behavior == BEHAVIOR_ALLOW; i++)
		worst = decide_by_line_rule(d, BEHAVIOR_ASK, &d->policy->ask.at[i]);
	return worst;
}

static bool decide_has_rules(const struct line_decision *d, enum behavior what)
{
	const rule_list *rules = rules_of(d->policy, what);

	for (size_t i = 0; i < rules->n; i++)
		if (rule_covers(&rules->at[i], what, d->request->tool))
			return true;
	return false;
}

bool decide_denies_some(const struct line_decision *d)
{
	return decide_has_rules(d, BEHAVIOR_DENY) || decide_has_rules(d, BEHAVIOR_ASK);
}

/* A rule that may mean something in a text that could not be parsed. */
static const struct perm_rule *decide_find_by_text(struct line_decision *d, enum behavior what,
						   struct sv text)
{
	defer(raw_command_clear) struct raw_command command;
	const rule_list *rules = rules_of(d->policy, what);

	raw_command_init(&command, text);
	for (size_t i = 0; i < rules->n; i++)
		if (rule_covers(&rules->at[i], what, d->request->tool) &&
		    (is_for_all(&rules->at[i]) ||
		     raw_command_matches(rules->at[i].content, &command, &d->steps)))
			return &rules->at[i];
	return NULL;
}

struct verdict decide_by_text(struct line_decision *d)
{
	const struct perm_rule *rule = decide_find_by_text(d, BEHAVIOR_DENY, d->request->command);

	return rule ? verdict_by_rule(BEHAVIOR_DENY, rule) : fine;
}

static struct verdict decide_by_unparsed(struct line_decision *d,
					 const struct shell_command *command)
{
	const struct perm_rule *rule = NULL;

	if (command->unparsed.len)
		rule = decide_find_by_text(d, BEHAVIOR_DENY, command->unparsed);
	if (command->unparsed.len && !rule)
		rule = decide_find_by_text(d, BEHAVIOR_ASK, command->unparsed);
	return rule ? verdict_by_rule(BEHAVIOR_ASK, rule) : fine;
}

bool decide_may_run_anything(const struct line_decision *d, const struct shell_command *command)
{
	static const char *const marks[] = { "@", "!", "$(", "`" };
	struct sv text = command->reevaluates;

	if (sv_starts(text, SV("$((")))
		text = sv_skip(text, 3);
	for (size_t i = 0; i < countof(marks); i++)
		if (sv_find(text, sv_cstr(marks[i])) != SIZE_MAX)
			return true;
	return text.len && decide_denies_some(d);
}

/* Whether the command may use files that nobody can tell; `*writes`: or write some. A command of
 * the second pass was noted before. */
static bool decide_has_unknown_files(const struct line_part *part, bool *writes)
{
	const struct shell_command *command = part->command;
	const struct program_use *use = &command->use;
	bool are_known = use->known && !use->is_shell && !use->is_interpreter;
	bool found = command->more_args;

	*writes = found;
	for (size_t i = 0; i < command->n && !are_known && !use->never_reads; i++)
		if (!command->argv[i].known && !command->argv[i].is_tame &&
		    !command->argv[i].is_number) {
			found = true;
			*writes |= !use->never_writes;
		}
	for (size_t i = 0; i < part->paths.n; i++) {
		const struct command_path *t = &part->paths.at[i];

		if (!t->known && t->use != OPERAND_LIST && t->use != OPERAND_ENTER) {
			found = true;
			*writes |= command_path_writes(t);
		}
	}
	return found && !shell_command_is_secondary(command);
}

/* The first rule that forbids reading some files, or writing some; NULL: none. */
static const struct perm_rule *decide_find_file_rule(const struct line_decision *d,
						     enum behavior what, bool writes)
{
	const rule_list *rules = rules_of(d->policy, what);

	for (size_t i = 0; i < rules->n; i++)
		if (rules->at[i].content.len && (sv_is(rules->at[i].tool, "Read") ||
						 (writes && sv_is(rules->at[i].tool, "Edit"))))
			return &rules->at[i];
	return NULL;
}

/* A rule about files holds for all that is not known to be another file, in every mode. Where the
 * command is sandboxed, the kernel enforces it. */
static struct verdict decide_by_unknown_files(const struct line_decision *d,
					      const struct line_part *part)
{
	bool writes = false;
	const struct perm_rule *rule = NULL;

	if (d->request->is_sandboxed || !decide_has_unknown_files(part, &writes))
		return fine;
	rule = decide_find_file_rule(d, BEHAVIOR_DENY, writes);
	if (!rule)
		rule = decide_find_file_rule(d, BEHAVIOR_ASK, writes);
	if (!rule)
		return fine;
	return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
			  "%s uses files that can't be checked in advance, and %s forbids some.",
			  quote(shell_command_name(part->command)).text, quote_rule(rule).text);
}

/* Something about the command is unknown, and may be what a rule forbids. */
static struct verdict decide_by_unknowns(const struct line_decision *d,
					 const struct shell_command *command)
{
	if (command->runs_unknown && decide_denies_some(d))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "%s runs a command that can't be checked in advance, and a rule "
				  "forbids some commands.",
				  quote(command->text).text);
	if (decide_may_run_anything(d, command) && decide_denies_some(d))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "%s makes the shell evaluate hidden text, and a rule forbids "
				  "some commands.",
				  quote(command->reevaluates).text);
	return fine;
}

struct verdict decide_by_forbidding_rules(struct line_decision *d, struct line_part *part)
{
	const struct shell_command *command = part->command;
	enum rule_match denied, asked;
	const struct perm_rule *denies = decide_find_forbidding(d, BEHAVIOR_DENY, command, &denied),
			       *asks;
	struct verdict by_path, v;

	if (denied == RULE_YES)
		return verdict_by_rule(BEHAVIOR_DENY, denies);
	by_path = decide_by_path_rules(d, BEHAVIOR_DENY, part);
	if (by_path.behavior == BEHAVIOR_DENY)
		return by_path;
	asks = decide_find_forbidding(d, BEHAVIOR_ASK, command, &asked);
	if (asked == RULE_YES || denied == RULE_MAYBE || asks)
		return verdict_by_rule(BEHAVIOR_ASK, asked == RULE_YES || !denies ? asks : denies);
	v = verdict_stricter(decide_by_unknowns(d, command), decide_by_unknown_files(d, part));
	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	by_path = verdict_stricter(by_path, decide_by_unparsed(d, command));
	return verdict_stricter(by_path, decide_by_path_rules(d, BEHAVIOR_ASK, part));
}

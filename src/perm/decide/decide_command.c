/* The decision about a command line.
 *
 * The problem. A rule such as `Bash(git log:*)` is consent to a kind of command. The line that
 * the model wrote has several commands, hidden ones among them, and each may do more than its
 * name says: write a file (`git log --output=x`), run a program (`git -c core.pager=x log`),
 * leave the project. The verdict has to be the one the user would give after reading it all.
 *
 * The idea. The analysis (command_analysis.h) lists every command that the line would run. Each
 * gets a verdict of its own, and the strictest one counts. For one command the order is:
 *
 *   1. the floor (floor.h): what no rule and no mode allows;
 *   2. deny and ask rules, about the command and about every file that it may use
 *      (decide_rules.c, decide_paths.c);
 *   3. protected paths;
 *   4. bypassPermissions mode, or a sandbox that the settings accept: allowed;
 *   5. a rule that allows every command. What cannot be known in advance is then no reason to
 *      ask, unless it may be what another rule forbids;
 *   6. what cannot be known in advance: asked about, whatever other rules say;
 *   7. surprises that no rule about a name covers: variables, secrets, repositories that make
 *      git run programs (decide_environment.c);
 *   8. a rule for this command, a program that only reads, or an edit in acceptEdits mode. The
 *      files it uses still have to be allowed: a rule for a program is not consent to write
 *      outside the project, nor to read secrets.
 *
 * Invariants.
 * - A deny rule wins over everything but the floor, and the verdict names the rule.
 * - In doubt a rule that forbids matches and a rule that allows doesn't (enum rule_match).
 * - A command that the analysis is not certain of (enum certainty) can make the verdict
 *   stricter, never milder. What a rule denies then becomes a question, because the command may
 *   never run.
 * - Matching has a budget (`steps`, `names`, `suspects`). When it is used up the answer is the
 *   strict one, so no number of words weakens a rule.
 *
 * Rejected: allowing a line because its first command is allowed; a list of dangerous words;
 * asking once for the whole line when one part is unknown, because then the other parts would
 * lose their deny rules. */
#include "perm/decide/decide_command.h"

#include <stdio.h>

#include "base/limits.h"
#include "perm/command/command_effects.h"
#include "perm/decide/command_decision.h"
#include "perm/decide/decide_search.h"
#include "perm/decide/floor.h"
#include "perm/decide/message.h"
#include "perm/rule/raw_command.h"

/* --- what cannot be known ----------------------------------------------------- */

/* An argument that matters and depends on what happens at run time; NULL: none. */
static const struct argument *decide_find_unknown_argument(const struct shell_command *command)
{
	if (command->use.known && !command->use.is_shell)
		return NULL;
	for (size_t i = 0; i < command->n; i++)
		if (!command->argv[i].known)
			return &command->argv[i];
	return NULL;
}

static struct verdict decide_ask_about_arguments(const struct shell_command *command,
						 const struct argument *unknown)
{
	bool by_output = unknown && (sv_find(unknown->written, SV("$(")) != SIZE_MAX ||
				     sv_find_char(unknown->written, '`') != SIZE_MAX);

	return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
			  "%s's arguments depend on %s and can't be checked in advance.",
			  quote(shell_command_name(command)).text,
			  by_output ? "another command's output" : "a variable");
}

/* `bash <(..)`, `source /dev/stdin`. */
static bool decide_reads_pipe(const struct shell_command *command)
{
	for (size_t i = 1; i < command->n; i++)
		if (sv_starts(command->argv[i].text, SV("/dev/fd/")) ||
		    sv_is(command->argv[i].text, "/dev/stdin"))
			return true;
	return false;
}

/* `curl x | sh`. */
static bool decide_runs_output(const struct shell_command *command)
{
	return command->use.is_shell && !command->use.inner.n &&
	       (command->has_piped_input || decide_reads_pipe(command));
}

/* A rule for some commands does not allow what nobody can tell. */
static struct verdict decide_unknowns(const struct line_decision *d, const struct line_part *part)
{
	const struct shell_command *command = part->command;
	const struct argument *unknown = decide_find_unknown_argument(command);

	if (d->problem[0])
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY, "The command can't be analysed: %s.",
				  d->problem);
	if (command->n && (!command->argv[0].known || command->argv[0].is_glob))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "Which program %s runs can't be checked in advance.",
				  quote(command->text).text);
	if (unknown)
		return decide_ask_about_arguments(command, unknown);
	if (decide_may_run_anything(d, command))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "%s makes the shell evaluate hidden text.",
				  quote(command->reevaluates).text);
	if (decide_runs_output(command))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "%s would run the output of another command.",
				  quote(shell_command_name(command)).text);
	for (size_t i = 0; i < part->paths.n; i++)
		if (!part->paths.at[i].known)
			return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
					  "Which file %s uses can't be checked in advance.",
					  quote(command->text).text);
	return fine;
}

/* --- what allows a command ---------------------------------------------------- */

/* Commands that acceptEdits mode allows besides the edit tools. */
static bool is_edit(const struct shell_command *command)
{
	static const char names[][6] = { "cp", "mkdir", "mv", "rm", "rmdir", "tee", "touch" };

	if (command_is_plain_edit(command))
		return true;
	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(shell_command_name(command), names[i]))
			return command->use.known && !command->more_args && !command->use.escalates;
	return false;
}

/* The rule for a wrapper around the command; NULL: none. */
static const struct perm_rule *decide_find_wrapper_rule(struct line_decision *d,
							const struct shell_command *command,
							struct sv *wrapper)
{
	const struct perm_rule *rule = NULL;

	for (size_t at = command->outer; !rule && at < d->analysis->commands.n;
	     at = d->analysis->commands.at[at].outer) {
		rule = decide_find_partial(d, &d->analysis->commands.at[at]);
		*wrapper = shell_command_name(&d->analysis->commands.at[at]);
	}
	return rule;
}

/* Nothing allows the command. A rule that nearly does is named, so that nobody wonders. */
static struct verdict decide_ask_for_rule(struct line_decision *d,
					  const struct shell_command *command)
{
	const struct program_use *use = &command->use;
	const struct perm_rule *rule = decide_find_partial(d, command);
	struct sv wrapper = shell_command_name(command);

	if (use->escalates || use->loses)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY, "%s: %s.%s%s%s",
				  quote(use->escalates ? wrapper : command->text).text,
				  use->escalates ? use->escalates : use->loses,
				  rule ? " The rule " : "", rule ? quote_rule(rule).text : "",
				  rule ? " does not name it." : "");
	if (!rule)
		rule = decide_find_wrapper_rule(d, command, &wrapper);
	if (rule)
		return verdict_of(BEHAVIOR_ASK, REASON_MODE,
				  "The rule %s covers %s, but not the command that %s runs.",
				  quote_rule(rule).text, quote(wrapper).text, quote(wrapper).text);
	return verdict_of(BEHAVIOR_ASK, REASON_MODE, "No rule allows %s.",
			  quote(command->text).text);
}

static struct verdict decide_allow_unless(struct verdict files, const struct perm_rule *rule)
{
	return files.behavior == BEHAVIOR_ALLOW ? verdict_by_rule(BEHAVIOR_ALLOW, rule) : files;
}

/* Assignments, redirections, a wrapper around something else: a rule for the wrapper counts for what
 * it runs only if it names that. */
static struct verdict decide_bare_part(struct line_decision *d, struct line_part *part)
{
	struct verdict v;

	if (part->rule && !decide_rule_is_exact(part->rule) &&
	    !decide_rule_spells_wrapped(part->rule, part->command))
		part->rule = NULL;
	v = decide_by_paths(d, &part->paths, GRANT_NOTHING);
	return v.behavior == BEHAVIOR_ALLOW
		       ? verdict_of(BEHAVIOR_ALLOW, REASON_OTHER, "It does nothing by itself.")
		       : v;
}

static struct verdict decide_reader(struct line_decision *d, const struct line_part *part)
{
	struct verdict v = decide_by_paths(d, &part->paths, GRANT_NOTHING);

	if (v.behavior == BEHAVIOR_ALLOW)
		v = decide_by_searched_secrets(d, part->command, &part->paths);
	return v.behavior == BEHAVIOR_ALLOW
		       ? verdict_of(BEHAVIOR_ALLOW, REASON_OTHER, "%s only reads.",
				    quote(shell_command_name(part->command)).text)
		       : v;
}

/* `sqlite3 x.db < a.sql`: a rule for the program is not consent to all that its language can do. */
static struct verdict decide_by_input(const struct shell_command *command)
{
	bool is_hidden = command->has_piped_input || shell_command_reads_file(command);
	bool (*only_shows)(struct sv) = command->use.input_only_shows;

	if (!only_shows || (!is_hidden && only_shows(command->input)))
		return fine;
	return verdict_of(
		BEHAVIOR_ASK, REASON_SAFETY,
		"%s runs the commands of its input, which %s use other files or programs.",
		quote(shell_command_name(command)).text, is_hidden ? "may" : "can");
}

/* A rule for a command covers the files it uses as far as the tables know them. */
static struct verdict decide_by_own_rule(struct line_decision *d, const struct line_part *part)
{
	const struct program_use *use = &part->command->use;
	bool is_mktemp = sv_is(shell_command_name(part->command), "mktemp");
	struct verdict v = decide_by_paths(d, &part->paths,
					   use->is_interpreter ? GRANT_READS
					   : is_mktemp         ? GRANT_TEMPORARY
							       : GRANT_PROGRAM);

	if (!use->known && !decide_rule_is_exact(part->rule))
		v = verdict_stricter(v, decide_by_named_paths(d, part->command));
	if (v.behavior == BEHAVIOR_ALLOW && !decide_rule_is_exact(part->rule))
		v = decide_by_searched_secrets(d, part->command, &part->paths);
	if (v.behavior == BEHAVIOR_ALLOW && !decide_rule_is_exact(part->rule))
		v = decide_by_input(part->command);
	return decide_allow_unless(v, part->rule);
}

/* Whether the command is such a wrapper, or what it runs. */
static bool decide_is_listed_reader(struct line_decision *d, const struct shell_command *command)
{
	return decide_reads_listed(d, command) ||
	       (command->more_args && command->outer < d->analysis->commands.n &&
		decide_reads_listed(d, &d->analysis->commands.at[command->outer]));
}

static struct verdict decide_edit(struct line_decision *d, const struct line_part *part)
{
	struct verdict v = decide_by_paths(d, &part->paths, GRANT_NOTHING);

	return v.behavior == BEHAVIOR_ALLOW
		       ? verdict_of(BEHAVIOR_ALLOW, REASON_MODE,
				    "%s mode allows %s to change files in the working directory.",
				    perm_mode_name(d->policy->mode),
				    quote(shell_command_name(part->command)).text)
		       : decide_ask_for_rule(d, part->command);
}

/* Steps 7 and 8 of the list above. */
static struct verdict decide_by_name(struct line_decision *d, struct line_part *part)
{
	const struct shell_command *command = part->command;
	struct verdict v = decide_by_environment(d, command);

	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	part->rule = command->n ? decide_find_allowing(d, part) : NULL;
	if (!command->n || command->is_function || shell_command_is_only_wrapper(command))
		return decide_bare_part(d, part);
	if (part->rule)
		return decide_by_own_rule(d, part);
	if (shell_command_only_reads(command) || decide_is_listed_reader(d, command))
		return decide_reader(d, part);
	if (perm_mode_edits(d->policy->mode) && is_edit(command))
		return decide_edit(d, part);
	return decide_ask_for_rule(d, command);
}

/* Whether a rule forbids something that a command may turn out to do: a rule about files for every
 * file that is not known, a rule about commands for a shell that runs any text. */
static bool decide_may_be_denied(const struct line_decision *d, const struct shell_command *command)
{
	return d->denies_path || d->asks_path ||
	       ((decide_runs_output(command) ||
		 (command->use.is_shell && decide_find_unknown_argument(command))) &&
		decide_denies_some(d));
}

/* Step 5: the user said that every command may run. */
static struct verdict decide_by_bare_rule(struct line_decision *d, const struct line_part *part,
					  const struct perm_rule *rule)
{
	struct verdict v = decide_by_secrets(d, part);

	if (decide_may_be_denied(d, part->command))
		v = verdict_stricter(
			v, verdict_stricter(decide_unknowns(d, part),
					    decide_by_new_links(d, part->command, &part->paths)));
	if (d->policy->mode == PERM_PLAN)
		v = verdict_stricter(v, decide_by_writes(d, &part->paths));
	return decide_allow_unless(v, rule);
}

/* Steps 4 to 8: nothing forbids the command; does something allow it? */
static struct verdict decide_by_allowing(struct line_decision *d, struct line_part *part)
{
	const struct shell_command *command = part->command;
	const struct perm_rule *rule = decide_find_allowing_all(d);
	struct verdict v;

	if (d->policy->mode == PERM_BYPASS)
		return verdict_of(BEHAVIOR_ALLOW, REASON_MODE,
				  "bypassPermissions mode allows everything.");
	/* The kernel needs no rules to know what may be written, read and reached. */
	if (d->request->is_sandboxed && d->policy->mode != PERM_PLAN)
		return verdict_of(BEHAVIOR_ALLOW, REASON_SANDBOX, "It runs in the sandbox.");
	if (!d->is_visible)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "The command contains invisible characters.");
	if (rule)
		return decide_by_bare_rule(d, part, rule);
	if (command->listed && !d->problem[0] && decide_reads_substituted(d, command))
		return verdict_of(BEHAVIOR_ALLOW, REASON_OTHER, "%s only reads.",
				  quote(shell_command_name(command)).text);
	v = decide_unknowns(d, part);
	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	v = decide_by_new_links(d, command, &part->paths);
	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	if (command->writes_looped ||
	    (command->certainty == CERTAINTY_LOOPED && !shell_command_only_reads(command)))
		return decide_ask_about_arguments(command,
						  NULL); /* a rule means the words as written */
	return decide_by_name(d, part);
}

/* --- one command -------------------------------------------------------------- */

static bool is_recursive(const command_path_list *paths)
{
	for (size_t i = 0; i < paths->n; i++)
		if (paths->at[i].recursive)
			return true;
	return false;
}

/* A command that another one names, or one that was noted again with probable values: only what
 * forbids it counts. */
static struct verdict decide_secondary(struct line_decision *d, struct line_part *part,
				       struct verdict floor)
{
	const struct shell_command *command = part->command;
	struct verdict v = decide_by_forbidding_rules(d, part);

	if (v.behavior == BEHAVIOR_DENY &&
	    (command->certainty == CERTAINTY_LIKELY || command->certainty == CERTAINTY_POSSIBLE))
		v.behavior = BEHAVIOR_ASK;
	v = verdict_stricter(floor, v);
	v = verdict_stricter(v, floor_check_texts(d->policy, command, &d->arena));
	if (command->certainty != CERTAINTY_GUESSED)
		v = verdict_stricter(v, decide_by_protection(d, command, &part->paths));
	if (command->has_more_values && !command->use.read_only)
		v = verdict_stricter(
			v, verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				      "The variables in %s may have too many values to check.",
				      quote(command->text).text));
	if (v.behavior == BEHAVIOR_DENY && command->certainty >= CERTAINTY_POSSIBLE)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "This may run %s, which is not allowed.",
				  quote(shell_command_name(command)).text);
	return v;
}

static struct verdict decide_command(struct line_decision *d, struct line_part *part)
{
	const struct shell_command *command = part->command;
	const command_path_list *paths = &part->paths;
	const struct line_part *outer =
		command->outer < d->analysis->commands.n ? &d->parts[command->outer] : NULL;
	struct verdict v = floor_check(d->policy, command, paths, outer ? outer->command : NULL,
				       outer ? &outer->paths : NULL, &d->arena),
		       next;

	part->rule = NULL;
	if (shell_command_is_secondary(command))
		return decide_secondary(d, part, v);
	if (command->certainty == CERTAINTY_LOOPED && v.behavior == BEHAVIOR_DENY &&
	    !is_recursive(paths))
		v.behavior = BEHAVIOR_ASK; /* one link among many leads there */
	if (v.behavior == BEHAVIOR_DENY)
		return v;
	next = decide_by_forbidding_rules(d, part);
	if (next.behavior != BEHAVIOR_ALLOW)
		return verdict_stricter(v, next);
	v = verdict_stricter(verdict_stricter(v, floor_check_texts(d->policy, command, &d->arena)),
			     decide_by_protection(d, command, paths));
	return v.behavior == BEHAVIOR_ALLOW ? decide_by_allowing(d, part) : v;
}

/* --- the whole line ------------------------------------------------------------- */

static const struct perm_rule *decide_find_path_rule(const rule_list *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		if (rules->at[i].content.len &&
		    (sv_is(rules->at[i].tool, "Read") || sv_is(rules->at[i].tool, "Edit")))
			return &rules->at[i];
	return NULL;
}

/* A deny rule holds for whatever looks like its command. */
static struct verdict decide_not_analysed(struct line_decision *d)
{
	struct verdict v = decide_by_text(d);

	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	return verdict_of(BEHAVIOR_ASK, REASON_SAFETY, "The command can't be analysed: %s.",
			  d->problem);
}

static void decide_report(struct perm_report *report, const struct shell_command *command,
			  struct verdict v)
{
	struct perm_part part = { .depth = command->depth, .verdict = v };

	if (!report || ((shell_command_is_secondary(command) || command->is_later_turn) &&
			v.behavior == BEHAVIOR_ALLOW))
		return;
	part.text = arena_dup(&report->arena, command->text);
	if (command->is_nested && command->n)
		part.text = arena_dup(&report->arena, command->argv[0].written);
	vec_push(&report->parts, part);
}

static struct verdict decide_commands(struct line_decision *d, struct perm_report *report)
{
	const struct command_analysis *analysis = d->analysis;
	struct verdict worst = fine, by_line = decide_by_line_rules(d);

	for (size_t i = 0; i < analysis->commands.n; i++) {
		struct verdict v = decide_command(d, &d->parts[i]);

		decide_report(report, &analysis->commands.at[i], v);
		worst = i ? verdict_stricter(worst, v) : v;
	}
	if (by_line.behavior != BEHAVIOR_ALLOW)
		worst = verdict_stricter(worst, by_line);
	if (!d->problem[0])
		return worst;
	return analysis->commands.n ? verdict_stricter(worst, decide_not_analysed(d))
				    : decide_not_analysed(d);
}

static struct sv command_dir(const struct perm_policy *policy, const struct perm_request *request)
{
	if (request->cwd.len)
		return request->cwd;
	return policy->dirs.n ? policy->dirs.at[0] : SV("/");
}

void perm_analyse(struct command_analysis *out, const struct perm_policy *policy,
		  const struct perm_request *request)
{
	command_analysis_read(out, request->command, command_dir(policy, request), policy->home,
			      policy->world);
	if (policy->other_shell && !out->problem[0])
		snprintf(out->problem, sizeof(out->problem),
			 "%s runs it, and only bash is understood", policy->other_shell);
}

static void decide_reset_budget(struct line_decision *d)
{
	d->steps = LIMIT_PERM_STEPS;
	d->names = LIMIT_PERM_TREE;
	d->suspects = LIMIT_PERM_SUSPECTS;
}

void decide_line_init(struct line_decision *d, const struct perm_policy *policy,
		      const struct perm_request *request, const struct command_analysis *analysis)
{
	*d = (struct line_decision){ .policy = policy,
				     .request = request,
				     .analysis = analysis,
				     .arena = ARENA_INIT,
				     .start = cwd_set_of(command_dir(policy, request)),
				     .is_visible = text_is_visible(request->command),
				     .denies_path = decide_find_path_rule(&policy->deny),
				     .asks_path = decide_find_path_rule(&policy->ask) };
	decide_reset_budget(d);
	snprintf(d->problem, sizeof(d->problem), "%s", analysis->problem);
	d->parts = arena_calloc(&d->arena, analysis->commands.n + 1, sizeof(*d->parts));
	for (size_t i = 0; i < analysis->commands.n; i++) {
		const struct shell_command *command = &analysis->commands.at[i];

		d->parts[i].command = command;
		for (size_t k = 0; k < command->npaths; k++)
			vec_push(&d->parts[i].paths, command->paths[k]);
	}
	decide_find_links(d);
}

void decide_line_clear(struct line_decision *d)
{
	for (size_t i = 0; i < d->analysis->commands.n; i++) {
		vec_clear(&d->parts[i].paths);
		vec_clear(&d->parts[i].suspects);
	}
	arena_clear(&d->arena);
}

/* The rule for the command around it may count for this one as well, so that comes first. */
struct verdict decide_line_command(struct line_decision *d, size_t at)
{
	size_t outer = d->parts[at].command->outer;

	if (outer < at)
		decide_line_command(d, outer);
	decide_reset_budget(d);
	return decide_command(d, &d->parts[at]);
}

static struct verdict decide_analysed(const struct perm_policy *policy,
				      const struct perm_request *request,
				      const struct command_analysis *analysis,
				      struct perm_report *report)
{
	struct line_decision d;
	struct verdict v;

	if (analysis->is_fork_bomb)
		return verdict_of(BEHAVIOR_DENY, REASON_SAFETY,
				  "A function here only starts copies of itself (a fork bomb).");
	decide_line_init(&d, policy, request, analysis);
	v = decide_commands(&d, report);
	decide_line_clear(&d);
	return v;
}

struct verdict decide_command_line(const struct perm_policy *policy,
				   const struct perm_request *request, struct perm_report *report)
{
	struct command_analysis own = COMMAND_ANALYSIS_INIT;
	struct verdict v;

	if (request->analysis)
		return decide_analysed(policy, request, request->analysis, report);
	perm_analyse(&own, policy, request);
	v = decide_analysed(policy, request, &own, report);
	command_analysis_clear(&own);
	return v;
}

#include "perm/decide/decide_command.h"

#include "base/limits.h"
#include "perm/command/interpreter_text.h"
#include "perm/decide/command_decision.h"
#include "perm/decide/floor.h"
#include "perm/decide/message.h"
#include "perm/rule/raw_command.h"
#include "perm/rule/rule_match.h"

/* --- rules about commands --------------------------------------------------- */

/* The first rule that speaks of the command; failing that, the first that may. */
static const struct perm_rule *find_forbidding(struct judging *j, enum behavior what,
					       const struct run *run, enum rule_match *match)
{
	const rule_list *rules = rules_of(j->policy, what);
	const struct perm_rule *found = NULL;

	*match = RULE_NO;
	for (size_t i = 0; i < rules->n && *match != RULE_YES; i++) {
		const struct perm_rule *rule = &rules->at[i];
		enum rule_match here;

		if (!rule_covers(rule, what, j->wish->tool))
			continue;
		here = rule->content.len ? cover_forbids(rule->content, run, &j->steps) : RULE_YES;
		if (here == RULE_NO && mention_finds(run, rule->content, &j->steps))
			here = RULE_MAYBE;
		if (here > *match) {
			*match = here;
			found = rule;
		}
	}
	return found;
}

static bool is_for_all(const struct perm_rule *rule)
{
	return rule->content.len == 0;
}

/* What the rule must say in so many words, or it does not mean this. */
static bool spells_all(const struct perm_rule *rule, const struct run *run)
{
	const struct program_use *use = &run->use;
	const struct argument *argv = run->argv;

	if (sv_find_char(rule->content, '*') == SIZE_MAX) /* it is this very command */
		return true;
	if (use->escalates && !cover_spells(rule->content, argv[use->escalating].text))
		return false;
	for (size_t i = 0; i < use->also_escalating.n; i++)
		if (!cover_spells(rule->content, argv[use->also_escalating.at[i]].text))
			return false;
	if (use->loses && use->subcommand &&
	    !cover_spells(rule->content, argv[use->subcommand].text))
		return false;
	if (use->loses && use->loses_forced && !cover_spells(rule->content, argv[use->losing].text))
		return false;
	for (size_t i = 0; i < use->inner.n; i++) {
		const struct inner_command *inner = &use->inner.at[i];

		if (!inner->is_transparent &&
		    (inner->script.len || inner->from >= run->n ||
		     !cover_spells(rule->content, argv[inner->from].text)))
			return false;
	}
	return true;
}

/* "./x" of another directory is another program. */
static bool is_other_program(const struct judging *j, const struct run *run)
{
	struct sv name = run->argv[0].text;

	return sv_find_char(name, '/') != SIZE_MAX && !sv_starts(name, SV("/")) &&
	       !place_is(&run->place, &j->start);
}

static const struct perm_rule *find_allowing(struct judging *j, const struct run *run)
{
	const rule_list *rules = &j->policy->allow;

	for (size_t i = 0; i < rules->n && !is_other_program(j, run); i++) {
		const struct perm_rule *rule = &rules->at[i];

		if (!rule_is_void(j->policy, rule, BEHAVIOR_ALLOW) && !is_for_all(rule) &&
		    rule_covers(rule, BEHAVIOR_ALLOW, j->wish->tool) &&
		    cover_allows(rule->content, run, &j->steps) && spells_all(rule, run))
			return rule;
	}
	return NULL;
}

static const struct perm_rule *find_for_all(const struct judging *j)
{
	const rule_list *rules = &j->policy->allow;

	for (size_t i = 0; i < rules->n; i++)
		if (is_for_all(&rules->at[i]) &&
		    !rule_is_void(j->policy, &rules->at[i], BEHAVIOR_ALLOW) &&
		    rule_covers(&rules->at[i], BEHAVIOR_ALLOW, j->wish->tool))
			return &rules->at[i];
	return NULL;
}

static bool has_rules(const struct judging *j, enum behavior what)
{
	const rule_list *rules = rules_of(j->policy, what);

	for (size_t i = 0; i < rules->n; i++)
		if (rule_covers(&rules->at[i], what, j->wish->tool))
			return true;
	return false;
}

static bool forbids_some(const struct judging *j)
{
	return has_rules(j, BEHAVIOR_DENY) || has_rules(j, BEHAVIOR_ASK);
}

/* A rule that may mean what could not be read in it. */
static const struct perm_rule *find_by_text(struct judging *j, enum behavior what, struct sv text)
{
	defer(command_clear) struct command command;
	const rule_list *rules = rules_of(j->policy, what);

	command_init(&command, text);
	for (size_t i = 0; i < rules->n; i++)
		if (rule_covers(&rules->at[i], what, j->wish->tool) &&
		    (!rules->at[i].content.len ||
		     command_forbidden_by(rules->at[i].content, &command, &j->steps)))
			return &rules->at[i];
	return NULL;
}

static struct verdict by_unread(struct judging *j, const struct run *run)
{
	const struct perm_rule *rule = NULL;

	if (run->unread.len)
		rule = find_by_text(j, BEHAVIOR_DENY, run->unread);
	if (run->unread.len && !rule)
		rule = find_by_text(j, BEHAVIOR_ASK, run->unread);
	return rule ? say_rule(BEHAVIOR_ASK, rule) : fine;
}

/* Whether commands may hide in what bash evaluates once more: for sure in "${x@P}" and
 * "${!x}"; and in "$((x))" when x was given the right text, which matters to those who forbid
 * some commands. */
static bool may_run_anything(const struct judging *j, const struct run *run)
{
	static const char *const marks[] = { "@", "!", "$(", "`" };
	struct sv hides = run->hides;

	if (sv_starts(hides, SV("$((")))
		hides = sv_skip(hides, 3);
	for (size_t i = 0; i < countof(marks); i++)
		if (sv_find(hides, sv_cstr(marks[i])) != SIZE_MAX)
			return true;
	return hides.len && forbids_some(j);
}

static struct verdict by_forbidding_rules(struct judging *j, struct member *m)
{
	const struct run *run = m->run;
	enum rule_match denied, asked;
	const struct perm_rule *denies = find_forbidding(j, BEHAVIOR_DENY, run, &denied), *asks;
	struct verdict by_path;

	if (denied == RULE_YES)
		return say_rule(BEHAVIOR_DENY, denies);
	by_path = by_path_rules(j, BEHAVIOR_DENY, m);
	if (by_path.behavior == BEHAVIOR_DENY)
		return by_path;
	asks = find_forbidding(j, BEHAVIOR_ASK, run, &asked);
	if (asked == RULE_YES || denied == RULE_MAYBE || asks)
		return say_rule(BEHAVIOR_ASK, asked == RULE_YES || !denies ? asks : denies);
	if (run->runs_unknown && forbids_some(j))
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "Which command %s leads to is known only when it runs; a rule forbids "
			   "some.",
			   show(run->text).text);
	if (run->more_args && (j->denies_path || j->asks_path))
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "Which files %s gets is known only when it runs; a rule forbids some.",
			   show(run_name(run)).text);
	if (may_run_anything(j, run) && forbids_some(j))
		return say(
			BEHAVIOR_ASK, REASON_SAFETY,
			"%s makes the shell evaluate more than can be seen; a rule forbids some.",
			show(run->hides).text);
	by_path = worse(by_path, by_unread(j, run));
	return worse(by_path, by_path_rules(j, BEHAVIOR_ASK, m));
}

/* --- what cannot be known ----------------------------------------------------- */

static bool is_known_text(const struct run *run)
{
	for (size_t i = 0; i < run->n; i++)
		if (!run->argv[i].known && (!run->use.known || run->use.is_shell))
			return false;
	return true;
}

/* `bash <(..)`, `source /dev/stdin`. */
static bool reads_pipe(const struct run *run)
{
	for (size_t i = 1; i < run->n; i++)
		if (sv_starts(run->argv[i].text, SV("/dev/fd/")) ||
		    sv_is(run->argv[i].text, "/dev/stdin"))
			return true;
	return false;
}

/* Whatever allows everything does not allow what nobody can tell. */
static struct verdict undecided(const struct judging *j, const struct run *run,
				const touch_list *touches)
{
	if (!j->is_shown)
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "The command holds characters that cannot be seen.");
	if (j->runs.wrong[0])
		return say(BEHAVIOR_ASK, REASON_SAFETY, "The command is not understood: %s.",
			   j->runs.wrong);
	if (run->n && (!run->argv[0].known || run->argv[0].is_glob))
		return say(BEHAVIOR_ASK, REASON_SAFETY, "What %s runs is known only when it runs.",
			   show(run->text).text);
	if (!is_known_text(run))
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "The arguments of %s are known only when it runs.",
			   show(run_name(run)).text);
	if (may_run_anything(j, run))
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "%s makes the shell evaluate more than can be seen.",
			   show(run->hides).text);
	if (run->use.is_shell && (run->is_fed || reads_pipe(run)) && !run->use.inner.n)
		return say(BEHAVIOR_ASK, REASON_SAFETY, "%s would run what another command prints.",
			   show(run_name(run)).text);
	for (size_t i = 0; i < touches->n; i++)
		if (!touches->at[i].known)
			return say(BEHAVIOR_ASK, REASON_SAFETY,
				   "Which file %s means is known only when it runs.",
				   show(run->text).text);
	return fine;
}

/* --- one command -------------------------------------------------------------------- */

static bool is_only_wrapper(const struct run *run)
{
	const struct program_use *use = &run->use;

	for (size_t i = 0; i < use->inner.n; i++)
		if (!use->inner.at[i].is_transparent)
			return false;
	return use->inner.n > 0 && !use->escalates && !use->loses;
}

/* What mode acceptEdits lets through besides edits. */
static bool is_edit(const struct run *run)
{
	static const char *const names[] = { "cp", "mkdir", "mv", "rm", "rmdir", "touch" };

	if (touch_is_plain_edit(run))
		return true;
	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(run_name(run), names[i]))
			return run->use.known && !run->more_args && !run->use.escalates;
	return false;
}

static bool is_system_program(const struct run *run)
{
	size_t steps = LIMIT_PATTERN;
	struct sv name = run_name(run);

	return cover_allows(name, &(struct run){ .argv = run->argv, .n = 1 }, &steps);
}

static bool only_reads(const struct run *run)
{
	return run->use.read_only && !run->use.network && !run->use.escalates && !run->use.loses &&
	       !run->more_args && is_system_program(run);
}

static struct verdict not_covered(const struct judging *j, const struct run *run)
{
	const struct program_use *use = &run->use;

	if (use->escalates)
		return say(BEHAVIOR_ASK, REASON_SAFETY, "%s: %s.", show(run_name(run)).text,
			   use->escalates);
	if (use->loses)
		return say(BEHAVIOR_ASK, REASON_SAFETY, "%s: %s.", show(run->text).text,
			   use->loses);
	return say(BEHAVIOR_ASK, REASON_MODE, "No rule allows %s%s.", show(run->text).text,
		   show_asking(j->policy->mode).text);
}

static struct verdict allowed_by(const struct perm_rule *rule, struct verdict files)
{
	return files.behavior == BEHAVIOR_ALLOW ? say_rule(BEHAVIOR_ALLOW, rule) : files;
}

static bool is_exact(const struct perm_rule *rule)
{
	return rule && sv_find_char(rule->content, '*') == SIZE_MAX;
}

/* A rule for its name; or that for the wrapper around it, which spells it and what goes beyond
 * its name. One for a shell speaks of the text in it only when it is that very command. */
static const struct perm_rule *find_for_member(struct judging *j, const struct member *m)
{
	const struct perm_rule *rule = find_allowing(j, m->run), *outer = NULL;

	if (m->run->outer < j->runs.all.n)
		outer = j->members[m->run->outer].rule;
	if (outer && !spells_all(outer, m->run))
		outer = NULL;
	return rule || (m->run->is_script && !is_exact(outer)) ? rule : outer;
}

/* Assignments, redirections, a wrapper around nothing. */
static struct verdict by_touches_alone(struct judging *j, struct member *m)
{
	struct verdict v;

	m->rule = is_exact(m->rule) ? m->rule : NULL;
	v = judge_touches(j, &m->touches, GRANT_NOTHING);
	return v.behavior == BEHAVIOR_ALLOW
		       ? say(BEHAVIOR_ALLOW, REASON_OTHER, "By itself it does nothing.")
		       : v;
}

static struct verdict by_reading(struct judging *j, const struct member *m)
{
	struct verdict v = judge_touches(j, &m->touches, GRANT_NOTHING);

	return v.behavior == BEHAVIOR_ALLOW ? say(BEHAVIOR_ALLOW, REASON_OTHER, "%s only reads.",
						  show(run_name(m->run)).text)
					    : v;
}

/* A rule for its name speaks of what it touches as far as the tables know that. */
static struct verdict by_own_rule(struct judging *j, const struct member *m)
{
	const struct program_use *use = &m->run->use;
	struct verdict v =
		judge_touches(j, &m->touches, use->is_interpreter ? GRANT_READS : GRANT_PROGRAM);

	if (!use->known && !is_exact(m->rule))
		v = worse(v, judge_named(j, m->run));
	return allowed_by(m->rule, v);
}

static struct verdict by_editing(struct judging *j, const struct member *m)
{
	struct verdict v = judge_touches(j, &m->touches, GRANT_NOTHING);

	return v.behavior == BEHAVIOR_ALLOW
		       ? say(BEHAVIOR_ALLOW, REASON_MODE,
			     "Mode %s: %s changes files of the working directory.",
			     perm_mode_name(j->policy->mode), show(run_name(m->run)).text)
		       : not_covered(j, m->run);
}

static struct verdict by_allowing(struct judging *j, struct member *m)
{
	const struct run *run = m->run;
	const touch_list *touches = &m->touches;
	const struct perm_rule *rule = find_for_all(j);
	struct verdict v;

	/* The kernel needs no rules to know what may be written, read and reached. */
	if (j->wish->is_held && j->policy->mode != PERM_PLAN)
		return say(BEHAVIOR_ALLOW, REASON_SANDBOX, "It runs in the sandbox.");
	v = undecided(j, run, touches);
	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	v = by_made_links(j, run, touches);
	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	if (run->writes_looped ||
	    (run->is_looped && !only_reads(run))) /* rules speak of what is written there */
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "The arguments of %s are known only when it runs.",
			   show(run_name(run)).text);
	if (rule)
		return allowed_by(rule,
				  j->policy->mode == PERM_PLAN ? judge_writes(j, touches) : fine);
	v = by_surprises(j, run);
	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	m->rule = run->n ? find_for_member(j, m) : NULL;
	if (!run->n || run->is_function || is_only_wrapper(run))
		return by_touches_alone(j, m);
	if (m->rule)
		return by_own_rule(j, m);
	if (only_reads(run))
		return by_reading(j, m);
	if (perm_mode_edits(j->policy->mode) && is_edit(run))
		return by_editing(j, m);
	return not_covered(j, run);
}

static bool is_recursive(const touch_list *touches)
{
	for (size_t i = 0; i < touches->n; i++)
		if (touches->at[i].recursive)
			return true;
	return false;
}

/* What may be run as part of another command that is judged by itself; or that command again,
 * with what its variables hold: of that, what a rule denies is asked about. */
static struct verdict judge_aside(struct judging *j, struct member *m, struct verdict floor)
{
	const struct run *run = m->run;
	struct verdict v = by_forbidding_rules(j, m);

	if (v.behavior == BEHAVIOR_DENY && run->is_likely)
		v.behavior = BEHAVIOR_ASK;
	v = worse(floor, v);
	v = worse(v, floor_judge_texts(j->policy, run, &j->runs.arena));
	if (!run->is_guess)
		v = worse(v, by_protection(j, run, &m->touches));
	if (run->is_crowded && !run->use.read_only)
		v = worse(v, say(BEHAVIOR_ASK, REASON_SAFETY,
				 "What the variables of %s hold has too many values to look at.",
				 show(run->text).text));
	if (v.behavior == BEHAVIOR_DENY && (run->is_guess || run->is_doubtful))
		return say(BEHAVIOR_ASK, REASON_SAFETY, "This may run %s, which is not permitted.",
			   show(run_name(run)).text);
	return v;
}

static struct verdict judge_member(struct judging *j, struct member *m)
{
	const struct run *run = m->run;
	const touch_list *touches = &m->touches;
	const struct member *outer = run->outer < j->runs.all.n ? &j->members[run->outer] : NULL;
	struct verdict v = floor_judge(j->policy, run, touches, outer ? outer->run : NULL,
				       outer ? &outer->touches : NULL, &j->runs.arena),
		       next;

	if (run->is_aside)
		return judge_aside(j, m, v);
	if (run->is_looped && v.behavior == BEHAVIOR_DENY && !is_recursive(touches))
		v.behavior = BEHAVIOR_ASK; /* a link among many that leads there */
	if (v.behavior == BEHAVIOR_DENY)
		return v;
	next = by_forbidding_rules(j, m);
	if (next.behavior != BEHAVIOR_ALLOW)
		return worse(v, next);
	v = worse(worse(v, floor_judge_texts(j->policy, run, &j->runs.arena)),
		  by_protection(j, run, touches));
	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	if (j->policy->mode == PERM_BYPASS)
		return say(BEHAVIOR_ALLOW, REASON_MODE,
			   "Mode bypassPermissions allows everything.");
	return by_allowing(j, m);
}

/* --- the whole line ------------------------------------------------------------------- */

static const struct perm_rule *first_path_rule(const rule_list *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		if (rules->at[i].content.len &&
		    (sv_is(rules->at[i].tool, "Read") || sv_is(rules->at[i].tool, "Edit")))
			return &rules->at[i];
	return NULL;
}

/* Where not all of it is understood, a rule that denies holds for whatever looks like it. */
static struct verdict by_text(struct judging *j)
{
	const struct perm_rule *rule = find_by_text(j, BEHAVIOR_DENY, j->wish->command);

	return rule ? say_rule(BEHAVIOR_DENY, rule) : fine;
}

static struct verdict when_not_understood(struct judging *j)
{
	struct verdict v = by_text(j);

	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	return say(BEHAVIOR_ASK, REASON_SAFETY, "The command is not understood: %s.",
		   j->runs.wrong);
}

static void report_run(struct perm_report *report, const struct run *run, struct verdict v)
{
	struct perm_part part = { .depth = run->depth, .verdict = v };

	if (!report || ((run->is_aside || run->is_repeated) && v.behavior == BEHAVIOR_ALLOW))
		return;
	part.text = arena_dup(&report->arena, run->text);
	if (run->is_inside && run->n)
		part.text = arena_dup(&report->arena, run->argv[0].written);
	vec_push(&report->parts, part);
}

static struct verdict judge_runs(struct judging *j, struct perm_report *report)
{
	struct verdict worst = fine;

	for (size_t i = 0; i < j->runs.all.n; i++) {
		struct verdict v = judge_member(j, &j->members[i]);

		report_run(report, &j->runs.all.at[i], v);
		worst = i ? worse(worst, v) : v;
	}
	if (j->runs.wrong[0])
		worst = j->runs.all.n ? worse(worst, when_not_understood(j))
				      : when_not_understood(j);
	return worst;
}

static void look_at_members(struct judging *j)
{
	if (!j->runs.all.n && !j->runs.wrong[0]) /* a comment: rules about all commands hold */
		vec_push(&j->runs.all,
			 ((struct run){
				 .text = j->wish->command, .place = j->start, .outer = SIZE_MAX }));
	j->members = arena_calloc(&j->runs.arena, j->runs.all.n + 1, sizeof(*j->members));
	for (size_t i = 0; i < j->runs.all.n; i++) {
		struct member *m = &j->members[i];

		m->run = &j->runs.all.at[i];
		touch_collect(&m->touches, m->run, j->policy->world, &j->runs.arena);
	}
	look_for_links(j);
}

static void judging_clear(struct judging *j)
{
	for (size_t i = 0; i < j->runs.all.n; i++) {
		vec_clear(&j->members[i].touches);
		vec_clear(&j->members[i].suspects);
	}
	runs_clear(&j->runs);
}

struct verdict judge_command(const struct perm_policy *policy, const struct wish *wish,
			     struct perm_report *report)
{
	struct judging j = { .policy = policy,
			     .wish = wish,
			     .runs = RUNS_INIT,
			     .steps = LIMIT_PERM_STEPS,
			     .names = LIMIT_PERM_TREE,
			     .suspects = LIMIT_PERM_SUSPECTS,
			     .is_shown = command_is_visible(wish->command),
			     .denies_path = first_path_rule(&policy->deny),
			     .asks_path = first_path_rule(&policy->ask) };
	struct sv cwd = wish->cwd.len ? wish->cwd : policy->dirs.n ? policy->dirs.at[0] : SV("/");
	struct verdict v;

	j.start = place_at(cwd);
	runs_read(&j.runs, wish->command, cwd, policy->home, policy->world);
	look_at_members(&j);
	v = j.runs.is_bomb
		    ? say(BEHAVIOR_DENY, REASON_SAFETY,
			  "A function that only starts itself again brings the machine down.")
		    : judge_runs(&j, report);
	judging_clear(&j);
	return v;
}

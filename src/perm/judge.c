#include "perm/judge.h"

#include <stdio.h>

#include "base/limits.h"
#include "perm/command.h"
#include "perm/cover.h"
#include "perm/floor.h"
#include "perm/path.h"
#include "perm/say.h"
#include "perm/secret.h"
#include "perm/tree.h"

/* A command, and what it touches. */
struct member {
	const struct run *run;
	touch_list touches;
	bool brings_links; /* what it makes, moves or copies may be a link, or hold one */
};

struct judging {
	const struct perm_policy *policy;
	const struct wish *wish;
	struct runs runs;
	struct member *members; /* as many as runs, in their order */
	size_t nbringing;       /* that bring links */
	struct place start;
	size_t steps;   /* what all answers together may still cost */
	size_t names;   /* ... and how many names below directories they may look at */
	bool is_shown;  /* no character hides */
	bool has_paths; /* some rule forbids reading or writing a path */
};

enum { LINKS_MAX = 100 };

static const struct verdict fine = { .behavior = BEHAVIOR_ALLOW };

static struct verdict worse(struct verdict a, struct verdict b)
{
	return b.behavior > a.behavior ? b : a;
}

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

		if (!inner->is_peeled && (inner->script.len || inner->from >= run->n ||
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

/* --- rules about files ------------------------------------------------------- */

static struct wish wish_of(const struct touch *t)
{
	bool writes = touch_writes(t);

	return (struct wish){ .tool = writes ? SV("Edit") : SV("Read"),
			      .access = writes ? ACCESS_WRITE : ACCESS_READ,
			      .path = t->real,
			      .named = t->named };
}

static struct verdict by_path_rules(struct judging *j, enum behavior what, const struct touch *t)
{
	struct wish wish = wish_of(t);
	struct rule_case c;
	enum rule_match match;
	const struct perm_rule *rule;

	if (!t->known || t->use == OPERAND_LIST || t->use == OPERAND_ENTER)
		return fine;
	rule_case_init(&c, j->policy, &wish);
	c.is_tree = t->recursive || t->copied.len;
	c.names = j->names;
	rule = rule_find(what, &c, &match);
	j->names = c.names;
	if (!rule)
		return fine;
	return say_rule(match == RULE_YES && !t->is_doubtful ? what : BEHAVIOR_ASK, rule);
}

/* Of what only reads, the tables know every option; git has its own names for files. */
static bool says_all_it_reads(const struct run *run)
{
	return run->use.read_only && !sv_is(run_name(run), "git");
}

static struct verdict by_all_path_rules(struct judging *j, enum behavior what,
					const struct run *run, const touch_list *touches)
{
	struct verdict worst = fine;
	touch_list suspects = VEC_INIT;

	if (!j->has_paths)
		return fine;
	if (!says_all_it_reads(run))
		touch_suspects(&suspects, run, j->policy->world, &j->runs.arena);
	for (size_t i = 0; i < touches->n; i++)
		worst = worse(worst, by_path_rules(j, what, &touches->at[i]));
	for (size_t i = 0; i < suspects.n; i++)
		worst = worse(worst, by_path_rules(j, what, &suspects.at[i]));
	vec_clear(&suspects);
	return worst;
}

static struct verdict by_forbidding_rules(struct judging *j, const struct run *run,
					  const touch_list *touches)
{
	enum rule_match denied, asked;
	const struct perm_rule *denies = find_forbidding(j, BEHAVIOR_DENY, run, &denied), *asks;
	struct verdict by_path;

	if (denied == RULE_YES)
		return say_rule(BEHAVIOR_DENY, denies);
	by_path = by_all_path_rules(j, BEHAVIOR_DENY, run, touches);
	if (by_path.behavior == BEHAVIOR_DENY)
		return by_path;
	asks = find_forbidding(j, BEHAVIOR_ASK, run, &asked);
	if (asked == RULE_YES || denied == RULE_MAYBE || asks)
		return say_rule(BEHAVIOR_ASK, asked == RULE_YES || !denies ? asks : denies);
	if (run->more_args && j->has_paths)
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "Which files %s gets is known only when it runs; a rule forbids some.",
			   show(run_name(run)).text);
	return worse(by_path, by_all_path_rules(j, BEHAVIOR_ASK, run, touches));
}

/* What is at `path` below one directory will be below another. */
struct copying {
	const struct touch *touch;
	struct arena *arena;
};

static bool is_copied_to_protected(void *arg, struct sv path)
{
	const struct copying *c = arg;
	struct sv what, below = sv_skip(path, c->touch->copied.len);

	return path_is_protected(
		arena_printf(c->arena, "%.*s%.*s", SV_ARG(c->touch->real), SV_ARG(below)), &what);
}

static struct verdict by_copied(struct judging *j, const struct touch *t)
{
	struct copying c = { t, (struct arena *)&j->runs.arena };

	if (!t->copied.len ||
	    tree_any(j->policy->world, t->copied, is_copied_to_protected, &c, &j->names) == TREE_NO)
		return fine;
	return say(BEHAVIOR_ASK, REASON_SAFETY, "Below %s something would be protected.",
		   show(t->named).text);
}

static struct verdict by_protection(struct judging *j, const touch_list *touches)
{
	struct verdict v = fine;
	struct sv what;

	for (size_t i = 0; i < touches->n && v.behavior == BEHAVIOR_ALLOW; i++) {
		const struct touch *t = &touches->at[i];

		if (!t->known || !touch_writes(t))
			continue;
		if (path_is_protected(t->real, &what) || path_is_protected(t->named, &what))
			return say(BEHAVIOR_ASK, REASON_SAFETY, "%s is protected, because of %s.",
				   show(t->named).text, show(what).text);
		v = by_copied(j, t);
	}
	return v;
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

/* --- links that the line itself makes ------------------------------------------- */

static bool is_link(const struct judging *j, struct sv path)
{
	const struct perm_world *world = j->policy->world;
	struct sv dir = sv_slice(path, 0, sv_rfind_char(path, '/'));
	struct sv name = sv_skip(path, dir.len + 1);
	struct arena *arena = (struct arena *)&j->runs.arena;

	return world && name.len &&
	       !sv_eq(world->real(world->arg, path, arena),
		      path_join(world->real(world->arg, dir.len ? dir : SV("/"), arena), name,
				arena));
}

static bool is_link_in_tree(void *arg, struct sv path)
{
	return is_link(arg, path);
}

static bool brings_links(struct judging *j, const struct member *m)
{
	if (sv_is(run_name(m->run), "ln"))
		return true;
	if (!sv_is(run_name(m->run), "cp") && !sv_is(run_name(m->run), "mv"))
		return false;
	for (size_t i = 0; i < m->touches.n; i++) {
		const struct touch *t = &m->touches.at[i];

		if (!t->known || !j->policy->world ||
		    (t->use != OPERAND_WRITE && is_link(j, t->named)))
			return true;
		if (t->copied.len &&
		    tree_any(j->policy->world, t->copied, is_link_in_tree, j, &j->names) != TREE_NO)
			return true;
	}
	return false;
}

static bool is_made_by(const struct touch *t, const struct member *maker)
{
	for (size_t i = 0; i < maker->touches.n; i++) {
		const struct touch *made = &maker->touches.at[i];

		if (t->known && made->use == OPERAND_WRITE &&
		    (path_is_inside(t->named, made->named) || path_is_inside(t->real, made->real)))
			return true;
	}
	return false;
}

/* Where a path leads that another command of the same line puts there, nobody can tell. */
static struct verdict by_made_links(const struct judging *j, const struct run *run,
				    const touch_list *touches)
{
	for (size_t k = 0; j->nbringing > 0 && k < j->runs.all.n; k++) {
		const struct member *maker = &j->members[k];

		if (maker->run == run || !maker->brings_links)
			continue;
		for (size_t i = 0; i < touches->n; i++)
			if (is_made_by(&touches->at[i], maker))
				return say(BEHAVIOR_ASK, REASON_SAFETY,
					   "Where %s leads depends on another command before it.",
					   show(touches->at[i].named).text);
	}
	return fine;
}

/* --- assignments --------------------------------------------------------------- */

/* They change what is printed, and nothing else. */
static bool is_inert(struct sv name)
{
	static const char *const names[] = { "CI",       "LANG",           "TZ",
					     "NO_COLOR", "FORCE_COLOR",    "COLUMNS",
					     "NODE_ENV", "RUST_BACKTRACE", "PYTHONUNBUFFERED" };

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(name, names[i]))
			return true;
	return sv_starts(name, SV("LC_"));
}

/* Of a variable that is already exported, later commands see the new value: names that mean
 * something to programs are written in capitals. */
static bool may_reach_programs(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.ptr[i] >= 'a' && name.ptr[i] <= 'z')
			return sv_find(name, SV("proxy")) != SIZE_MAX ||
			       sv_starts(name, SV("npm_"));
	return !is_inert(name) && name.len > 1;
}

/* Part of the shell, and what they do depends on nothing but their arguments. */
static bool is_deaf(const struct run *run)
{
	static const char *const names[] = { ":", "[", "echo", "false", "printf", "test", "true" };

	for (size_t i = 0; i < countof(names); i++)
		if (run->n && run->argv[0].known && sv_is(run->argv[0].text, names[i]))
			return !run->is_inside;
	return run->n == 0;
}

/* Whether a command that runs after it could see its variables. */
static bool is_heard(const struct judging *j, const struct run *run)
{
	for (const struct run *at = run->is_again ? j->runs.all.at : run + 1;
	     at < j->runs.all.at + j->runs.all.n; at++)
		if (!is_deaf(at))
			return true;
	return false;
}

static struct verdict changes_commands(struct sv name)
{
	return say(BEHAVIOR_ASK, REASON_SAFETY, "%s may change what the commands do.",
		   show(name).text);
}

static struct verdict by_assignments(const struct judging *j, const struct run *run)
{
	for (const struct sh_assign *a = run->assigns; a; a = a->next)
		if (run->n ? !is_inert(a->name) : may_reach_programs(a->name) && is_heard(j, run))
			return changes_commands(a->name);
	for (const struct sh_assign *a = run->sets; a; a = a->next)
		if (may_reach_programs(a->name) && is_heard(j, run))
			return changes_commands(a->name);
	for (size_t i = 0; i < run->use.inner.n; i++)
		if (run->use.inner.at[i].adds_environment)
			return say(BEHAVIOR_ASK, REASON_SAFETY,
				   "%s sets variables that may change what the command does.",
				   show(run_name(run)).text);
	return fine;
}

/* --- files, once nothing forbids them ------------------------------------------- */

/* How far the rule that allows a command goes. */
enum grant {
	GRANT_NOTHING,
	GRANT_PROGRAM, /* what it writes among the working directories */
	GRANT_READS,   /* and what it reads anywhere: interpreters */
};

static bool is_inside(const struct perm_policy *policy, struct sv path)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(path, policy->dirs.at[i]))
			return true;
	return false;
}

static const struct perm_rule *path_allowed(struct judging *j, const struct touch *t)
{
	struct wish wish = wish_of(t);
	struct rule_case c;
	enum rule_match match;
	const struct perm_rule *rule;

	rule_case_init(&c, j->policy, &wish);
	rule = rule_find(BEHAVIOR_ALLOW, &c, &match);
	return match == RULE_YES ? rule : NULL;
}

static struct verdict judge_read(struct judging *j, const struct touch *t, enum grant grant)
{
	bool reads = t->use == OPERAND_READ;

	if (grant == GRANT_READS || path_allowed(j, t))
		return fine;
	if (!is_inside(j->policy, t->real))
		return say(perm_denies_read(j->policy, t->real) ? BEHAVIOR_DENY : BEHAVIOR_ASK,
			   REASON_WORKING_DIR, "%s is outside the working %s.", show(t->real).text,
			   j->policy->dirs.n == 1 ? "directory" : "directories");
	if (reads && (secret_is_file(t->real) || secret_is_file(t->named)))
		return say(BEHAVIOR_ASK, REASON_SAFETY, "%s looks like a secret.",
			   show(t->named).text);
	if (t->recursive && t->follows_links)
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "Links below %s may lead out of the working directory.",
			   show(t->named).text);
	return fine;
}

static struct verdict judge_write(struct judging *j, const struct touch *t, enum grant grant)
{
	bool inside = is_inside(j->policy, t->real);
	bool granted = grant != GRANT_NOTHING && !t->is_redirect;

	if (j->policy->mode == PERM_PLAN)
		return say(BEHAVIOR_ASK, REASON_MODE, "Mode plan changes no file: %s.",
			   show(t->named).text);
	if (path_allowed(j, t))
		return fine;
	if (!inside)
		return say(j->policy->denies_writes_outside ? BEHAVIOR_DENY : BEHAVIOR_ASK,
			   REASON_WORKING_DIR, "%s would be written, outside the working %s.",
			   show(t->real).text,
			   j->policy->dirs.n == 1 ? "directory" : "directories");
	if (granted || perm_mode_edits(j->policy->mode))
		return fine;
	return say(BEHAVIOR_ASK, REASON_MODE, "Mode %s asks before %s is written.",
		   perm_mode_name(j->policy->mode), show(t->named).text);
}

static struct verdict judge_writes(struct judging *j, const touch_list *touches)
{
	struct verdict worst = fine;

	for (size_t i = 0; i < touches->n; i++)
		if (touch_writes(&touches->at[i]))
			worst = worse(worst, judge_write(j, &touches->at[i], GRANT_PROGRAM));
	return worst;
}

static struct verdict judge_touches(struct judging *j, const touch_list *touches, enum grant grant)
{
	struct verdict worst = fine;

	for (size_t i = 0; i < touches->n; i++) {
		const struct touch *t = &touches->at[i];

		worst = worse(worst,
			      touch_writes(t) ? judge_write(j, t, grant) : judge_read(j, t, grant));
	}
	return worst;
}

/* --- repositories ---------------------------------------------------------------- */

static bool is_own_repository(const struct judging *j, struct sv root)
{
	const struct perm_world *world = j->policy->world;
	enum world_repo kind;

	for (size_t i = 0; i < j->policy->dirs.n; i++)
		if (sv_eq(root, world->repository(world->arg, j->policy->dirs.at[i], &kind,
						  (struct arena *)&j->runs.arena)))
			return true;
	return false;
}

/* What a repository is set up to run, git runs with the most harmless of its commands. */
static struct verdict by_repository(const struct judging *j, const struct run *run)
{
	const struct perm_world *world = j->policy->world;

	if (!world || !sv_is(run_name(run), "git"))
		return fine;
	if (run->place.lost)
		return say(BEHAVIOR_ASK, REASON_SAFETY, "Where git would run is not known.");
	for (size_t i = 0; i < run->place.n; i++) {
		enum world_repo kind = REPO_PLAIN;
		struct sv root = world->repository(world->arg, run->place.dirs[i], &kind,
						   (struct arena *)&j->runs.arena);

		if (root.len && kind == REPO_RUNS_PROGRAMS)
			return say(BEHAVIOR_ASK, REASON_SAFETY,
				   "The repository %s makes git run programs of its own.",
				   show(root).text);
		if (root.len && !is_own_repository(j, root))
			return say(BEHAVIOR_ASK, REASON_SAFETY,
				   "git would work in another "
				   "repository: %s.",
				   show(root).text);
	}
	return fine;
}

/* --- one command -------------------------------------------------------------------- */

/* What a rule about the command's name does not speak of. */
static struct verdict by_surprises(const struct judging *j, const struct run *run)
{
	struct verdict v = by_assignments(j, run);

	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	if (run->hides.len)
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "%s makes the shell evaluate more than can be seen.",
			   show(run->hides).text);
	if (run->secret.len)
		return say(BEHAVIOR_ASK, REASON_SAFETY, "$%s looks like a secret.",
			   show(run->secret).text);
	return by_repository(j, run);
}

static bool is_only_wrapper(const struct run *run)
{
	const struct program_use *use = &run->use;

	for (size_t i = 0; i < use->inner.n; i++)
		if (!use->inner.at[i].is_peeled)
			return false;
	return use->inner.n > 0 && !use->escalates && !use->loses;
}

/* What mode acceptEdits lets through besides edits. */
static bool is_edit(const struct run *run)
{
	static const char *const names[] = { "cp", "mkdir", "mv", "rm", "rmdir", "touch" };

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
	return say(BEHAVIOR_ASK, REASON_MODE, "No rule allows %s, so mode %s asks.",
		   show(run->text).text, perm_mode_name(j->policy->mode));
}

static struct verdict allowed_by(const struct perm_rule *rule, struct verdict files)
{
	return files.behavior == BEHAVIOR_ALLOW ? say_rule(BEHAVIOR_ALLOW, rule) : files;
}

static struct verdict by_allowing(struct judging *j, const struct run *run,
				  const touch_list *touches)
{
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
	if (rule)
		return allowed_by(rule,
				  j->policy->mode == PERM_PLAN ? judge_writes(j, touches) : fine);
	v = by_surprises(j, run);
	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	if (!run->n || run->is_function || is_only_wrapper(run)) {
		v = judge_touches(j, touches, GRANT_NOTHING);
		return v.behavior == BEHAVIOR_ALLOW
			       ? say(BEHAVIOR_ALLOW, REASON_OTHER, "By itself it does nothing.")
			       : v;
	}
	rule = find_allowing(j, run);
	if (rule)
		return allowed_by(
			rule, judge_touches(j, touches,
					    run->use.is_interpreter ? GRANT_READS : GRANT_PROGRAM));
	if (only_reads(run)) {
		v = judge_touches(j, touches, GRANT_NOTHING);
		return v.behavior == BEHAVIOR_ALLOW
			       ? say(BEHAVIOR_ALLOW, REASON_OTHER, "%s only reads.",
				     show(run_name(run)).text)
			       : v;
	}
	if (perm_mode_edits(j->policy->mode) && is_edit(run)) {
		v = judge_touches(j, touches, GRANT_NOTHING);
		if (v.behavior == BEHAVIOR_ALLOW)
			return say(BEHAVIOR_ALLOW, REASON_MODE,
				   "Mode %s: %s changes files of the working directory.",
				   perm_mode_name(j->policy->mode), show(run_name(run)).text);
	}
	return not_covered(j, run);
}

static struct verdict judge_member(struct judging *j, const struct member *m)
{
	const struct run *run = m->run;
	const touch_list *touches = &m->touches;
	const struct member *outer = run->outer < j->runs.all.n ? &j->members[run->outer] : NULL;
	struct verdict v = floor_judge(j->policy, run, touches, outer ? outer->run : NULL,
				       outer ? &outer->touches : NULL),
		       next;

	if (v.behavior == BEHAVIOR_DENY)
		return v;
	next = by_forbidding_rules(j, run, touches);
	if (next.behavior != BEHAVIOR_ALLOW)
		return worse(v, next);
	v = worse(v, by_protection(j, touches));
	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	if (j->policy->mode == PERM_BYPASS)
		return say(BEHAVIOR_ALLOW, REASON_MODE,
			   "Mode bypassPermissions allows everything.");
	return by_allowing(j, run, touches);
}

/* --- the whole line ------------------------------------------------------------------- */

static bool has_path_rules(const struct perm_policy *policy)
{
	const rule_list *const lists[] = { &policy->deny, &policy->ask };

	for (size_t l = 0; l < countof(lists); l++)
		for (size_t i = 0; i < lists[l]->n; i++)
			if (lists[l]->at[i].content.len && (sv_is(lists[l]->at[i].tool, "Read") ||
							    sv_is(lists[l]->at[i].tool, "Edit")))
				return true;
	return false;
}

/* Where not all of it is understood, a rule that denies holds for whatever looks like it. */
static struct verdict by_text(struct judging *j)
{
	defer(command_clear) struct command command;
	const rule_list *rules = &j->policy->deny;

	command_init(&command, j->wish->command);
	for (size_t i = 0; i < rules->n; i++)
		if (rule_covers(&rules->at[i], BEHAVIOR_DENY, j->wish->tool) &&
		    (!rules->at[i].content.len ||
		     command_forbidden_by(rules->at[i].content, &command, &j->steps)))
			return say_rule(BEHAVIOR_DENY, &rules->at[i]);
	return fine;
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

	if (!report)
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
		if (i == 0 || v.behavior > worst.behavior)
			worst = v;
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
		m->brings_links = brings_links(j, m);
		j->nbringing += m->brings_links;
	}
	if (j->nbringing > LINKS_MAX)
		snprintf(j->runs.wrong, sizeof(j->runs.wrong),
			 "too many of its commands make links");
}

static void judging_clear(struct judging *j)
{
	for (size_t i = 0; i < j->runs.all.n; i++)
		vec_clear(&j->members[i].touches);
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
			     .is_shown = command_is_visible(wish->command),
			     .has_paths = has_path_rules(policy) };
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

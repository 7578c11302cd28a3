/* What a command does besides what its name says. */
#include "perm/decide/command_decision.h"
#include "perm/decide/message.h"

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

/* Printing all at once instead of page by page. */
static bool is_pager_off(struct judging *j, const struct sh_assign *a)
{
	static const char *const names[] = { "AWS_PAGER", "GH_PAGER", "GIT_PAGER",
					     "MANPAGER",  "PAGER",    "SYSTEMD_PAGER" };
	struct sv value = SV_EMPTY;
	bool is_pager = false;

	for (size_t i = 0; i < countof(names); i++)
		is_pager |= sv_is(a->name, names[i]);
	return is_pager && !a->is_array && !a->append && !a->index &&
	       (!a->value || sh_word_static(a->value, &j->runs.arena, &value)) &&
	       (!value.len || sv_is(value, "cat"));
}

/* Before `read` it says how that splits a line, and nothing else. */
static bool is_for_read(const struct run *run, const struct sh_assign *a)
{
	return sv_is(a->name, "IFS") && run->argv[0].known && sv_is(run->argv[0].text, "read") &&
	       !run->may_be_function;
}

static bool is_harmless(struct judging *j, const struct run *run, const struct sh_assign *a)
{
	return is_inert(a->name) || is_for_read(run, a) || is_pager_off(j, a);
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
	static const char *const names[] = { ":",     "[",      "[[",   "echo",
					     "false", "printf", "test", "true" };

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

/* With them another program may answer to the name. */
static bool is_hijacking(struct sv name)
{
	static const char *const names[] = { "BASH_ENV", "ENV", "IFS", "PATH", "SHELLOPTS" };

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(name, names[i]))
			return true;
	return sv_starts(name, SV("LD_")) || sv_starts(name, SV("DYLD_"));
}

/* Whether a rule is this very text, with them in it. */
static bool is_spelt(struct judging *j, const struct run *run)
{
	const rule_list *rules = &j->policy->allow;
	bool is_plain = run->n && !run->is_inside && !run->is_script, found = false;
	struct sv value;

	for (const struct sh_assign *a = run->assigns; a; a = a->next)
		is_plain &= !a->is_array && !a->index && !is_hijacking(a->name) &&
			    (!a->value || sh_word_static(a->value, &j->runs.arena, &value));
	for (size_t i = 0; i < rules->n && is_plain; i++)
		found |= sv_find_char(rules->at[i].content, '*') == SIZE_MAX &&
			 sv_eq(sv_trim(rules->at[i].content), sv_trim(run->text)) &&
			 rule_covers(&rules->at[i], BEHAVIOR_ALLOW, j->wish->tool);
	return found;
}

static struct verdict changes_commands(struct sv name)
{
	return say(BEHAVIOR_ASK, REASON_SAFETY, "%s may change what the commands do.",
		   show(name).text);
}

static struct verdict by_assignments(struct judging *j, const struct run *run)
{
	bool spelt = run->assigns && is_spelt(j, run);

	for (const struct sh_assign *a = run->assigns; a && !spelt; a = a->next)
		if (run->n ? !is_harmless(j, run, a)
			   : may_reach_programs(a->name) && is_heard(j, run))
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

/* --- repositories ---------------------------------------------------------------- */

static bool is_own_repository(struct judging *j, struct sv root)
{
	const struct perm_world *world = j->policy->world;

	for (size_t i = 0; i < j->policy->dirs.n; i++)
		if (sv_eq(root, world->repository(world->arg, j->policy->dirs.at[i], NULL,
						  &j->runs.arena)))
			return true;
	return false;
}

/* What a repository is set up to run, git runs with the most harmless of its commands. */
static struct verdict look_at_repository(struct judging *j, struct sv dir)
{
	const struct perm_world *world = j->policy->world;
	enum world_repo kind = REPO_PLAIN;
	struct sv root = world->repository(world->arg, dir, &kind, &j->runs.arena);

	if (root.len && kind == REPO_RUNS_PROGRAMS)
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "The repository %s makes git run programs of its own.", show(root).text);
	if (root.len && !is_own_repository(j, root))
		return say(BEHAVIOR_ASK, REASON_SAFETY, "git would work in another repository: %s.",
			   show(root).text);
	return fine;
}

/* A line often has several commands of git, and an index may be large: one look will do. */
static struct verdict by_repository(struct judging *j, const struct run *run)
{
	struct verdict v = fine;

	if (!j->policy->world || !sv_is(run_name(run), "git"))
		return fine;
	if (run->place.lost)
		return say(BEHAVIOR_ASK, REASON_SAFETY, "Where git would run is not known.");
	for (size_t i = 0; i < run->place.n && v.behavior == BEHAVIOR_ALLOW; i++) {
		if (sv_eq(run->place.dirs[i], j->plain_repository))
			continue;
		v = look_at_repository(j, run->place.dirs[i]);
		if (v.behavior == BEHAVIOR_ALLOW)
			j->plain_repository = run->place.dirs[i];
	}
	return v;
}

/* --- all of it -------------------------------------------------------------------- */

struct verdict by_surprises(struct judging *j, const struct run *run)
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

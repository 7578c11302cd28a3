/* What is said to the files that a command touches. */
#include "perm/decide/command_decision.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "perm/path/tree_search.h"

/* --- rules about files ------------------------------------------------------- */

static struct wish wish_of(const struct touch *t)
{
	bool writes = touch_writes(t);

	return (struct wish){ .tool = writes ? SV("Edit") : SV("Read"),
			      .access = writes ? ACCESS_WRITE : ACCESS_READ,
			      .path = t->real,
			      .named = t->named };
}

static struct verdict by_rules_of_path(struct judging *j, enum behavior what, const struct touch *t)
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
static bool says_all_it_touches(const struct run *run)
{
	return (run->use.read_only && !sv_is(run_name(run), "git")) || touch_is_plain_edit(run);
}

/* Arguments of a command that is only guessed are those of the one around it. */
static bool needs_suspects(const struct run *run)
{
	return !says_all_it_touches(run) && !(run->is_guess && run->is_inside);
}

static void collect_suspects(struct judging *j, struct member *m)
{
	if (!m->has_suspects && needs_suspects(m->run))
		m->is_beyond = !touch_suspects(&m->suspects, m->run, j->policy->world,
					       &j->runs.arena, &j->suspects);
	m->has_suspects = true;
}

/* No number of words makes less of a rule (S20). */
static struct verdict by_number(const struct judging *j, enum behavior what, const struct member *m)
{
	const struct perm_rule *rule = what == BEHAVIOR_DENY ? j->denies_path : j->asks_path;

	if (!m->is_beyond || !rule)
		return fine;
	return say(what, REASON_SAFETY,
		   "More words may name files here than can be looked at; %s is about some.",
		   show_rule(rule).text);
}

struct verdict by_path_rules(struct judging *j, enum behavior what, struct member *m)
{
	struct verdict worst = fine;

	if (!j->denies_path && !j->asks_path)
		return fine;
	collect_suspects(j, m);
	for (size_t i = 0; i < m->touches.n; i++)
		worst = worse(worst, by_rules_of_path(j, what, &m->touches.at[i]));
	for (size_t i = 0; i < m->suspects.n; i++)
		worst = worse(worst, by_rules_of_path(j, what, &m->suspects.at[i]));
	return worse(worst, by_number(j, what, m));
}

/* --- protected ones ---------------------------------------------------------- */

/* What is at `path` below one directory will be below another. */
struct copying {
	const struct perm_policy *policy;
	const struct touch *touch;
	struct arena *arena;
};

static bool is_copied_to_protected(void *arg, struct sv path)
{
	const struct copying *c = arg;
	struct sv what, below = sv_skip(path, c->touch->copied.len);

	return perm_protects(
		c->policy,
		arena_printf(c->arena, "%.*s%.*s", SV_ARG(c->touch->real), SV_ARG(below)), &what);
}

static struct verdict by_copied(struct judging *j, const struct touch *t)
{
	struct copying c = { j->policy, t, &j->runs.arena };

	if (!t->copied.len ||
	    tree_any(j->policy->world, t->copied, is_copied_to_protected, &c, &j->names) == TREE_NO)
		return fine;
	return say(BEHAVIOR_ASK, REASON_SAFETY, "Below %s something would be protected.",
		   show(t->named).text);
}

/* What works in a directory may write there: `tar x -C`. */
static bool may_write(const struct run *run, const struct touch *t)
{
	return touch_writes(t) || (t->use == OPERAND_ENTER && !run->use.read_only);
}

struct verdict by_protection(struct judging *j, const struct run *run, const touch_list *touches)
{
	struct verdict v = fine;
	struct sv what;

	if (run->use.is_awl)
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "%s may change here what it permits itself.", show(run_name(run)).text);
	for (size_t i = 0; i < touches->n && v.behavior == BEHAVIOR_ALLOW; i++) {
		const struct touch *t = &touches->at[i];

		if (!t->known || !may_write(run, t))
			continue;
		if (perm_protects(j->policy, t->real, &what) ||
		    perm_protects(j->policy, t->named, &what))
			return say(BEHAVIOR_ASK, REASON_SAFETY, "%s is protected, because of %s.",
				   show(t->named).text, show(what).text);
		v = by_copied(j, t);
	}
	return v;
}

/* --- files, once nothing forbids them ------------------------------------------- */

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
	bool plans = j->policy->mode == PERM_PLAN; /* then no rule allows it */
	bool allowed = path_allowed(j, t);

	if (allowed && !plans)
		return fine;
	if (!inside && !allowed)
		return say(j->policy->denies_writes_outside ? BEHAVIOR_DENY : BEHAVIOR_ASK,
			   REASON_WORKING_DIR, "%s would be written, outside the working %s.",
			   show(t->real).text,
			   j->policy->dirs.n == 1 ? "directory" : "directories");
	/* mv: under another name it is read without a question. */
	if (t->use == OPERAND_REMOVE && t->recursive &&
	    (secret_is_file(t->real) || secret_is_file(t->named)))
		return say(BEHAVIOR_ASK, REASON_SAFETY, "%s looks like a secret.",
			   show(t->named).text);
	if (!plans && (granted || perm_mode_edits(j->policy->mode)))
		return fine;
	return say(BEHAVIOR_ASK, REASON_MODE, "Mode %s asks before %s is written.",
		   perm_mode_name(j->policy->mode), show(t->named).text);
}

struct verdict judge_writes(struct judging *j, const touch_list *touches)
{
	struct verdict worst = fine;

	for (size_t i = 0; i < touches->n; i++)
		if (touch_writes(&touches->at[i]))
			worst = worse(worst, judge_write(j, &touches->at[i], GRANT_PROGRAM));
	return worst;
}

struct verdict judge_touches(struct judging *j, const touch_list *touches, enum grant grant)
{
	struct verdict worst = fine;

	for (size_t i = 0; i < touches->n; i++) {
		const struct touch *t = &touches->at[i];

		worst = worse(worst,
			      touch_writes(t) ? judge_write(j, t, grant) : judge_read(j, t, grant));
	}
	return worst;
}

struct verdict judge_named(struct judging *j, const struct run *run)
{
	touch_list named = VEC_INIT;
	struct verdict v;

	touch_named(&named, run, j->policy->world, &j->runs.arena);
	v = judge_touches(j, &named, GRANT_PROGRAM);
	vec_clear(&named);
	return v;
}

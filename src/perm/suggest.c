#include "perm/suggest.h"

#include "perm/path.h"
#include "perm/rule.h"
#include "perm/runs.h"

/* The policy with rules on trial. Only its list of allowing rules is its own. */
struct trial {
	struct perm_policy policy;
	const struct wish *wish;
	struct arena *arena;
	struct sv *out;
	size_t n;
};

static void trial_init(struct trial *t, const struct perm_policy *policy)
{
	t->policy = *policy;
	t->policy.allow = (rule_list)VEC_INIT;
	for (size_t i = 0; i < policy->allow.n; i++)
		vec_push(&t->policy.allow, policy->allow.at[i]);
	/* What dontAsk denies is what the others ask about. */
	if (policy->mode == PERM_DONT_ASK)
		t->policy.mode = PERM_DEFAULT;
}

/* What is said to part `at` of the call, and to those after it that the same rules allow. */
static bool is_allowed(const struct trial *t, size_t at)
{
	struct perm_report report = PERM_REPORT_INIT;
	bool allowed;

	perm_explain(&t->policy, t->wish, &report);
	allowed = at < report.parts.n && report.parts.at[at].verdict.behavior == BEHAVIOR_ALLOW;
	perm_report_clear(&report);
	return allowed;
}

/* Keeps the rule if it makes the difference. */
static bool try_rule(struct trial *t, struct sv text, size_t at)
{
	struct perm_rule rule;
	struct err ignored = ERR_INIT;

	if (t->n == SUGGEST_MAX ||
	    !rule_read(&rule, BEHAVIOR_ALLOW, text, t->policy.home, &ignored))
		return false;
	vec_push(&t->policy.allow, rule);
	if (is_allowed(t, at)) {
		t->out[t->n++] = text;
		return true;
	}
	t->policy.allow.n--;
	return false;
}

/* --- commands ------------------------------------------------------------- */

/* A word that says what is done rather than to what: "test", "run", "build:css". */
static bool is_verb(struct sv word)
{
	if (!word.len || word.len > 30 || word.ptr[0] == '-')
		return false;
	for (size_t i = 0; i < word.len; i++)
		if (sv_find_char(SV("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_:"),
				 word.ptr[i]) == SIZE_MAX)
			return false;
	return true;
}

static bool can_be_spelt(const struct run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		struct sv text = run->argv[i].text;

		if (!run->argv[i].known || !text.len || run->argv[i].is_glob)
			return false;
		for (size_t k = 0; k < text.len; k++)
			if (sv_find_char(SV(" \t\n*()"), text.ptr[k]) != SIZE_MAX)
				return false;
	}
	return run->n > 0;
}

static struct sv rule_of(struct arena *arena, const struct run *run, size_t nwords, bool open)
{
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, "Bash(");
	for (size_t i = 0; i < nwords; i++) {
		str_adds(&text, i ? " " : "");
		str_add(&text, run->argv[i].text);
	}
	str_adds(&text, open ? ":*)" : ")");
	return arena_dup(arena, sv_of(&text));
}

/* How many words of it make a rule that can be used again: the program, what it is told to
 * do, and for those that run others' scripts, which. */
static size_t words_to_keep(const struct run *run)
{
	size_t n = 1;

	bool has_verbs = !run->use.known || run->use.subcommand == 1;

	if (run->n > 1 && has_verbs && is_verb(run->argv[1].text))
		n = 2;
	if (n == 2 && run->n > 2 && sv_is(run->argv[1].text, "run") && is_verb(run->argv[2].text))
		n = 3;
	return n;
}

static bool is_open_ended(const struct run *run)
{
	for (size_t i = 0; i < run->use.operands.n; i++)
		if (run->use.operands.at[i].use == OPERAND_REMOVE)
			return true;
	/* A rule for all that these may do would be a rule for everything. */
	return run->use.is_interpreter || run->use.is_shell || run->use.inner.n > 0 ||
	       run->use.escalates || run->use.loses;
}

static void suggest_for_run(struct trial *t, const struct run *run, size_t at)
{
	size_t keep = words_to_keep(run);

	if (!run->n || !run->argv[0].known || is_allowed(t, at))
		return;
	if (!is_open_ended(run) && keep > 1 && try_rule(t, rule_of(t->arena, run, keep, true), at))
		return;
	if (can_be_spelt(run) && is_open_ended(run) &&
	    try_rule(t, rule_of(t->arena, run, run->n, false), at))
		return;
	if (!is_open_ended(run))
		try_rule(t, rule_of(t->arena, run, 1, true), at);
}

static void suggest_for_command(struct trial *t)
{
	struct runs runs = RUNS_INIT;
	struct sv cwd = t->wish->cwd.len   ? t->wish->cwd
			: t->policy.dirs.n ? t->policy.dirs.at[0]
					   : SV("/");

	runs_read(&runs, t->wish->command, cwd, t->policy.home, t->policy.world);
	for (size_t i = 0; i < runs.all.n; i++)
		suggest_for_run(t, &runs.all.at[i], i);
	runs_clear(&runs);
}

/* --- the others ----------------------------------------------------------- */

static void suggest_for_path(struct trial *t, const struct wish *wish)
{
	const char *tool = wish->access == ACCESS_WRITE ? "Edit" : "Read";
	struct sv dir = path_parent(wish->path);

	if (wish->access == ACCESS_READ && dir.len > 1 &&
	    try_rule(t, arena_printf(t->arena, "%s(/%.*s/**)", tool, SV_ARG(dir)), 0))
		return;
	try_rule(t, arena_printf(t->arena, "%s(/%.*s)", tool, SV_ARG(wish->path)), 0);
}

static void suggest_for_wish(struct trial *t)
{
	const struct wish *wish = t->wish;

	if (wish->access == ACCESS_RUN)
		suggest_for_command(t);
	else if (wish->access == ACCESS_READ || wish->access == ACCESS_WRITE)
		suggest_for_path(t, wish);
	else if (wish->host.len)
		try_rule(t,
			 arena_printf(t->arena, "%.*s(domain:%.*s)", SV_ARG(wish->tool),
				      SV_ARG(wish->host)),
			 0);
	else
		try_rule(t, wish->tool, 0);
}

size_t perm_suggest(const struct perm_policy *policy, const struct wish *wish, struct arena *arena,
		    struct sv out[SUGGEST_MAX])
{
	struct trial t = { .wish = wish, .arena = arena, .out = out };

	if (wish->needs_user || perm_decide(policy, wish).behavior == BEHAVIOR_ALLOW)
		return 0;
	trial_init(&t, policy);
	suggest_for_wish(&t);
	if (perm_decide(&t.policy, wish).behavior != BEHAVIOR_ALLOW)
		t.n = 0;
	vec_clear(&t.policy.allow);
	return t.n;
}

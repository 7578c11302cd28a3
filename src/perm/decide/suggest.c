#include "perm/decide/suggest.h"

#include <ctype.h>

#include "perm/command/command_paths.h"
#include "perm/decide/floor.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "perm/rule/rule.h"

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

static bool push_rule(struct trial *t, struct sv text)
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

static void pop_rules(struct trial *t, size_t n)
{
	t->policy.allow.n -= t->n - n;
	t->n = n;
}

/* Keeps the rule if it makes the difference. */
static bool try_rule(struct trial *t, struct sv text, size_t at)
{
	size_t before = t->n;

	if (push_rule(t, text) && is_allowed(t, at))
		return true;
	pop_rules(t, before);
	return false;
}

/* --- files ---------------------------------------------------------------- */

/* As it is, with nothing in it that a pattern would take for a sign. */
static struct sv pattern_of(struct arena *arena, struct sv path)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 0; i < path.len; i++) {
		if (sv_find_char(SV("\\*?["), path.ptr[i]) != SIZE_MAX)
			str_addc(&text, '\\');
		str_addc(&text, path.ptr[i]);
	}
	return arena_dup(arena, sv_of(&text));
}

static struct sv rule_for(struct trial *t, struct sv path, bool writes)
{
	return arena_printf(t->arena, "%s(/%.*s)", writes ? "Edit" : "Read",
			    SV_ARG(pattern_of(t->arena, path)));
}

/* A directory that one may as well read all of: nobody's home, and not around the work. */
static bool is_of_use(const struct perm_policy *policy, struct sv dir)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(policy->dirs.at[i], dir))
			return false;
	return !floor_has(policy, dir);
}

static bool try_path(struct trial *t, struct sv path, bool writes, size_t at)
{
	struct sv dir = path_parent(path);

	if (!writes && !secret_is_file(path) && is_of_use(&t->policy, dir) &&
	    try_rule(t, arena_printf(t->arena, "Read(/%.*s/**)", SV_ARG(pattern_of(t->arena, dir))),
		     at))
		return true;
	/* Of what can be searched a rule means all below. */
	return (writes || is_of_use(&t->policy, path)) &&
	       try_rule(t, rule_for(t, path, writes), at);
}

static void suggest_for_paths(struct trial *t)
{
	const struct wish *wish = t->wish;
	bool writes = wish->access == ACCESS_WRITE;

	for (size_t i = 0; i <= wish->n_more; i++)
		if (!is_allowed(t, i))
			try_path(t, i ? wish->more_paths[i - 1] : wish->path, writes, i);
}

/* --- commands ------------------------------------------------------------- */

/* One of the line, and the files it touches. */
struct member {
	const struct run *run;
	touch_list touches;
	size_t at, all; /* which, of how many */
};

static bool is_in(struct sv word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(word, words[i]))
			return true;
	return false;
}

/* A word that says what is done rather than to what: "test", "run", "build:css". */
static bool is_verb(struct sv word)
{
	if (!word.len || word.len > 30 || !isalpha((unsigned char)word.ptr[0]))
		return false;
	for (size_t i = 0; i < word.len; i++)
		if (!isalnum((unsigned char)word.ptr[i]) &&
		    sv_find_char(SV("-_:"), word.ptr[i]) == SIZE_MAX)
			return false;
	return true;
}

static bool is_file(const struct run *run, size_t arg)
{
	for (size_t i = 0; i < run->use.operands.n; i++)
		if (run->use.operands.at[i].arg == arg)
			return true;
	return false;
}

/* Its words without those that only say where it runs. */
static const struct argument *word_at(const struct run *run, size_t i)
{
	return &run->argv[run->entered && i >= run->entered ? i + 2 : i];
}

static size_t count_words(const struct run *run)
{
	return run->n - (run->entered ? 2 : 0);
}

static struct sv rule_of(struct arena *arena, const struct run *run, size_t nwords, bool open)
{
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, "Bash(");
	for (size_t i = 0; i < nwords; i++) {
		str_adds(&text, i ? " " : "");
		str_add(&text, open ? word_at(run, i)->text : run->argv[i].text);
	}
	str_adds(&text, open ? ":*)" : ")");
	return arena_dup(arena, sv_of(&text));
}

static bool has_verb_at(const struct run *run, size_t i)
{
	return i < count_words(run) && is_verb(word_at(run, i)->text) &&
	       !is_file(run, (size_t)(word_at(run, i) - run->argv));
}

/* What these are told is never what they do. */
static bool has_no_verbs(const struct run *run)
{
	static const char *const names[] = { "ack",    "ag",      "apropos", "bat",   "cloc",
					     "lsof",   "man",     "pgrep",   "tldr",  "tokei",
					     "whatis", "whereis", "zcat",    "zgrep", "zless" };

	return is_in(run_name(run), names, countof(names));
}

/* Their first option says what they do: `tar -tzf`, `dpkg -l`. */
static bool has_option_for_verb(const struct run *run)
{
	static const char *const names[] = { "dpkg", "pacman", "rpm", "tar", "unzip" };

	return is_in(run_name(run), names, countof(names)) && count_words(run) > 1 &&
	       sv_starts(word_at(run, 1)->text, SV("-"));
}

/* Whether the verb alone does not say it: `npm run` what, `kubectl get` what? */
static bool needs_next(const struct run *run, size_t verb)
{
	static const char *const deep[] = { "aws", "az", "doctl", "gcloud", "gh", "glab" };
	static const char *const runs[] = { "compose", "run" };
	static const char *const kube[] = { "auth", "config", "describe", "get", "rollout", "top" };
	struct sv word = word_at(run, verb)->text;

	if (sv_is(run_name(run), "kubectl"))
		return is_in(word, kube, countof(kube));
	return (verb == 1 && is_in(run_name(run), deep, countof(deep))) ||
	       is_in(word, runs, countof(runs));
}

static size_t verb_of(const struct run *run)
{
	size_t verb = run->use.verb;

	if (!verb)
		return has_no_verbs(run) || run->use.subcommand > 1 || !has_verb_at(run, 1) ? 0 : 1;
	return run->entered && verb > run->entered ? verb - 2 : verb;
}

/* How many words of it make a rule that can be used again: the program, what it is told to
 * do, and for those that run others' scripts, which. 0: none do. */
static size_t words_to_keep(const struct run *run)
{
	size_t verb = verb_of(run);

	if (has_option_for_verb(run))
		return 2;
	if (!verb)
		return 1;
	if (!has_verb_at(run, verb))
		return 0;
	if (sv_is(word_at(run, verb)->text, "workspace")) /* yarn workspace app test */
		return has_verb_at(run, verb + 2) ? verb + 3 : 0;
	return needs_next(run, verb) && has_verb_at(run, verb + 1) ? verb + 2 : verb + 1;
}

/* What these run is the project's, whatever they are told besides. */
static bool is_module(struct sv name)
{
	static const char *const names[] = { "black",  "flake8", "isort", "mypy",    "pylint",
					     "pytest", "ruff",   "tox",   "unittest" };

	return is_in(name, names, countof(names));
}

/* The words of `python3 scripts/x.py` and `python3 -m pytest`; 0: it is neither. */
static size_t words_of_script(const struct run *run)
{
	struct sv word = run->n > 1 ? run->argv[1].text : SV_EMPTY;

	if (!run->use.is_interpreter && !run->use.is_shell)
		return 0;
	if (run->use.is_interpreter && run->n > 2 && sv_is(word, "-m"))
		return is_module(run->argv[2].text) ? 3 : 0;
	return sv_find_char(word, '.') == SIZE_MAX || sv_starts(word, SV("-")) ||
			       sv_starts(word, SV("/")) || sv_find(word, SV("..")) != SIZE_MAX
		       ? 0
		       : 2;
}

/* What is done to one thing need not be done to the next. */
static bool is_grave(const struct run *run)
{
	static const char *const names[] = { "adb",   "kill",     "killall", "mongosh", "mysql",
					     "pkill", "printenv", "psql",    "sqlite3" };
	static const char *const verbs[] = { "add",   "apply",     "delete",   "deploy", "destroy",
					     "dlx",   "drop",      "exec",     "i",      "install",
					     "prune", "publish",   "purge",    "remove", "rm",
					     "stop",  "terminate", "uninstall" };

	if (is_in(run_name(run), names, countof(names)))
		return true;
	for (size_t i = 1; i < min_of(max_of(words_to_keep(run), (size_t)3), run->n); i++)
		if (is_in(run->argv[i].text, verbs, countof(verbs)))
			return !sv_is(run_name(run), "git");
	/* "run" what? */
	return run->n > 2 && sv_is(run->argv[1].text, "run") && words_to_keep(run) < 3;
}

/* Whether a rule for all that it may do would be a rule for everything. */
static bool is_open_ended(const struct run *run)
{
	for (size_t i = 0; i < run->use.operands.n; i++)
		if (run->use.operands.at[i].use == OPERAND_REMOVE ||
		    run->use.operands.at[i].use == OPERAND_DEVICE)
			return true;
	return run->use.is_interpreter || run->use.is_shell || run->use.inner.n > 0 ||
	       run->use.escalates || run->use.loses || is_grave(run) ||
	       (run->use.network && !run->use.subcommand);
}

/* A file for which the command itself is no reason. */
static bool needs_rule(const struct perm_policy *policy, const struct touch *touch)
{
	bool is_inside = false;

	for (size_t i = 0; i < policy->dirs.n; i++)
		is_inside |= path_is_inside(touch->real, policy->dirs.at[i]);
	return touch->known && (!is_inside || touch->is_redirect || secret_is_file(touch->real)) &&
	       (touch_writes(touch) || touch->use == OPERAND_READ) && !touch->recursive;
}

/* Together with rules for the files that it names, if those are the trouble; `text` may be
 * empty. */
static bool try_with_files(struct trial *t, const struct member *m, struct sv text)
{
	size_t before = t->n;

	if (text.len && try_rule(t, text, m->at))
		return true;
	if (text.len && !push_rule(t, text))
		return false;
	for (size_t i = 0; i < m->touches.n; i++)
		if (needs_rule(&t->policy, &m->touches.at[i]))
			push_rule(t, rule_for(t, m->touches.at[i].real,
					      touch_writes(&m->touches.at[i])));
	if (t->n > before + (text.len > 0) && is_allowed(t, m->at))
		return true;
	pop_rules(t, before);
	return false;
}

static bool are_plain(const struct run *run, size_t nwords)
{
	for (size_t i = 0; i < nwords; i++) {
		struct sv text = word_at(run, i)->text;

		if (!word_at(run, i)->known || !text.len || word_at(run, i)->is_glob)
			return false;
		for (size_t k = 0; k < text.len; k++)
			if (sv_find_char(SV(" \t\n*()"), text.ptr[k]) != SIZE_MAX)
				return false;
	}
	return true;
}

static bool try_again_and_again(struct trial *t, const struct member *m)
{
	const struct run *run = m->run;
	size_t script = words_of_script(run), keep = script ? script : words_to_keep(run);
	struct perm_rule rule;
	struct err ignored = ERR_INIT;
	struct sv text;

	if ((!script && is_open_ended(run)) || (run->more_args && !run->use.read_only) || !keep ||
	    !are_plain(run, keep))
		return false;
	text = rule_of(t->arena, run, keep, true);
	return rule_read(&rule, BEHAVIOR_ALLOW, text, t->policy.home, &ignored) &&
	       !rule_is_broad(&rule) && try_with_files(t, m, text);
}

/* The one command that it runs, if that only reads what it is given; NULL: none. */
static const struct run *find_reader(const struct member *m)
{
	const struct run *inner = m->run + 1; /* those inside follow */

	return m->run->use.inner.n == 1 && m->at + 1 < m->all && inner->outer == m->at &&
			       inner->is_inside && !inner->is_script && inner->use.read_only &&
			       !inner->use.is_shell && !inner->use.inner.n &&
			       inner->argv > m->run->argv
		       ? inner
		       : NULL;
}

/* `find * -exec grep:*`, `xargs -0 grep:*`: such a rule has to name the command inside. */
static bool try_around_reader(struct trial *t, const struct member *m)
{
	const struct run *run = m->run, *inner = find_reader(m);
	size_t at = inner ? (size_t)(inner->argv - run->argv) : 0;

	if (!inner || !are_plain(inner, 1))
		return false;
	if (sv_is(run_name(run), "find") && are_plain(run, 1))
		return try_rule(t,
				arena_printf(t->arena, "Bash(find * %.*s %.*s:*)",
					     SV_ARG(run->argv[at - 1].text),
					     SV_ARG(inner->argv[0].text)),
				m->at);
	return sv_is(run_name(run), "xargs") && are_plain(run, at + 1) &&
	       try_rule(t, rule_of(t->arena, run, at + 1, true), m->at);
}

static void suggest_for_member(struct trial *t, const struct member *m)
{
	const struct run *run = m->run;

	if (is_allowed(t, m->at) || try_with_files(t, m, SV_EMPTY) || try_around_reader(t, m))
		return;
	if (!run->n || !run->argv[0].known || try_again_and_again(t, m) || run->more_args)
		return;
	if (are_plain(run, run->n - 2 * (run->entered > 0)) &&
	    try_with_files(t, m, rule_of(t->arena, run, run->n, false)))
		return;
	/* Quotes and all. */
	if (!run->is_inside && sv_find_char(run->text, '*') == SIZE_MAX)
		try_rule(t, arena_printf(t->arena, "Bash(%.*s)", SV_ARG(sv_trim(run->text))),
			 m->at);
}

static void suggest_for_command(struct trial *t)
{
	struct runs runs = RUNS_INIT;
	struct sv cwd = t->wish->cwd.len   ? t->wish->cwd
			: t->policy.dirs.n ? t->policy.dirs.at[0]
					   : SV("/");

	runs_read(&runs, t->wish->command, cwd, t->policy.home, t->policy.world);
	for (size_t i = 0; i < runs.all.n; i++) {
		struct member m = { .run = &runs.all.at[i], .at = i, .all = runs.all.n };

		touch_collect(&m.touches, m.run, t->policy.world, &runs.arena);
		suggest_for_member(t, &m);
		vec_clear(&m.touches);
	}
	runs_clear(&runs);
}

/* --- the others ----------------------------------------------------------- */

/* What the rules of the tool speak of: a skill, a kind of agent. Empty: of all its calls. */
static struct sv named_by(const struct wish *wish)
{
	static const struct {
		const char *tool, *param;
	} named[] = { { "Skill", "skill" }, { "Agent", "subagent_type" } };

	for (size_t i = 0; i < countof(named); i++)
		if (sv_is(wish->tool, named[i].tool))
			return json_str_or(json_get(wish->input, named[i].param), SV_EMPTY);
	return SV_EMPTY;
}

static void suggest_for_tool(struct trial *t)
{
	struct sv tool = t->wish->tool, name = named_by(t->wish);

	if (!name.len)
		try_rule(t, tool, 0);
	else if (sv_find_char(name, '*') == SIZE_MAX)
		try_rule(t, arena_printf(t->arena, "%.*s(%.*s)", SV_ARG(tool), SV_ARG(name)), 0);
}

static void suggest_for_wish(struct trial *t)
{
	const struct wish *wish = t->wish;

	if (wish->access == ACCESS_RUN)
		suggest_for_command(t);
	else if (wish->access == ACCESS_READ || wish->access == ACCESS_WRITE)
		suggest_for_paths(t);
	else if (wish->host.len)
		try_rule(t,
			 arena_printf(t->arena, "%.*s(domain:%.*s)", SV_ARG(wish->tool),
				      SV_ARG(wish->host)),
			 0);
	else
		suggest_for_tool(t);
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

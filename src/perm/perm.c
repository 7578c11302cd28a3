#include "perm/perm.h"

#include "base/limits.h"
#include "perm/decide/decide_command.h"
#include "perm/decide/floor.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "perm/rule/raw_command.h"
#include "perm/rule/rule.h"
#include "perm/rule/rule_list.h"

/* --- modes ---------------------------------------------------------------- */

static const char *const mode_names[PERM_MODES] = {
	[PERM_DEFAULT] = "default",  [PERM_ACCEPT_EDITS] = "acceptEdits", [PERM_PLAN] = "plan",
	[PERM_DONT_ASK] = "dontAsk", [PERM_BYPASS] = "bypassPermissions", [PERM_AUTO] = "auto",
};

static const char *const source_names[PERM_SOURCES] = {
	[PERM_FROM_USER] = "userSettings",     [PERM_FROM_PROJECT] = "projectSettings",
	[PERM_FROM_LOCAL] = "localSettings",   [PERM_FROM_FLAG] = "flagSettings",
	[PERM_FROM_POLICY] = "policySettings", [PERM_FROM_COMMAND_LINE] = "cliArg",
	[PERM_FROM_COMMAND] = "command",       [PERM_FROM_SESSION] = "session",
};

const char *perm_source_name(enum perm_source source)
{
	return source_names[source];
}

bool perm_mode_edits(enum perm_mode mode)
{
	return mode == PERM_ACCEPT_EDITS || mode == PERM_AUTO;
}

const char *perm_mode_name(enum perm_mode mode)
{
	return mode_names[mode];
}

bool perm_mode_read(enum perm_mode *out, struct sv name, struct err *err)
{
	if (sv_is(name, "manual"))
		name = sv_cstr(mode_names[PERM_DEFAULT]);
	for (int mode = 0; mode < PERM_MODES; mode++) {
		if (sv_is(name, mode_names[mode])) {
			*out = (enum perm_mode)mode;
			return true;
		}
	}
	return err_set(err, ERR_INVALID,
		       "\"%.*s\" is no permission mode; there are default, acceptEdits, plan, "
		       "dontAsk, auto and bypassPermissions",
		       SV_ARG(sv_slice(name, 0, 60)));
}

/* --- the policy ----------------------------------------------------------- */

void perm_policy_clear(struct perm_policy *policy)
{
	vec_clear(&policy->allow);
	vec_clear(&policy->ask);
	vec_clear(&policy->deny);
	vec_clear(&policy->dirs);
	vec_clear(&policy->given);
	vec_clear(&policy->aliases);
	vec_clear(&policy->exempt);
	arena_clear(&policy->arena);
	*policy = (struct perm_policy)PERM_POLICY_INIT;
}

static struct perm_rule copy_origin(struct arena *arena, const struct perm_rule *as)
{
	return (struct perm_rule){ .source = as->source,
				   .root = arena_dup(arena, as->root),
				   .file = arena_dup(arena, as->file),
				   .line = as->line };
}

bool perm_add_rule(struct perm_policy *policy, enum behavior what, struct sv text,
		   const struct perm_rule *as, struct err *err)
{
	rule_list *rules = (rule_list *)rules_of(policy, what);
	struct perm_rule rule = copy_origin(&policy->arena, as), read;

	if (rules->n == LIMIT_PERM_RULES)
		return err_set(err, ERR_TOO_BIG, "over %d permission rules", LIMIT_PERM_RULES);
	if (!rule_read(&read, what, arena_dup(&policy->arena, sv_trim(text)), policy->home, err))
		return false;
	rule.tool = read.tool;
	rule.content = read.content;
	vec_push(rules, rule);
	return true;
}

bool perm_add_rules(struct perm_policy *policy, enum behavior what, struct sv list, struct err *err)
{
	rule_list *rules = (rule_list *)rules_of(policy, what);
	const struct perm_rule origin = { .source = PERM_FROM_COMMAND_LINE };
	size_t before = rules->n;
	struct sv text;

	while (perm_list_next(&list, &text)) {
		if (!perm_add_rule(policy, what, text, &origin, err)) {
			rules->n = before;
			return false;
		}
	}
	return true;
}

const struct perm_rule *perm_rule_at(const struct perm_policy *policy, enum behavior what, size_t i)
{
	const rule_list *rules = rules_of(policy, what);

	return i < rules->n ? &rules->at[i] : NULL;
}

bool perm_copy_rule(struct perm_policy *policy, enum behavior what, const struct perm_rule *rule,
		    struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	rule_write(&text, rule);
	return perm_add_rule(policy, what, sv_of(&text), rule, err);
}

void perm_remove_rule(struct perm_policy *policy, enum behavior what, enum perm_source source,
		      struct sv text)
{
	rule_list *rules = (rule_list *)rules_of(policy, what);

	for (size_t i = rules->n; i-- > 0;) {
		defer(str_clear) struct str here = STR_INIT;

		rule_write(&here, &rules->at[i]);
		if (rules->at[i].source == source && sv_eq(sv_of(&here), text))
			vec_remove(rules, i);
	}
}

bool perm_first_rule(const struct perm_policy *policy, enum behavior what, enum perm_source source,
		     struct str *text)
{
	const rule_list *rules = rules_of(policy, what);

	for (size_t i = 0; i < rules->n; i++) {
		if (rules->at[i].source == source) {
			rule_write(text, &rules->at[i]);
			return true;
		}
	}
	return false;
}

void perm_remove_dir(struct perm_policy *policy, struct sv path)
{
	for (size_t i = policy->dirs.n; i-- > 1;)
		if (sv_eq(policy->dirs.at[i], path))
			vec_remove(&policy->dirs, i);
	for (size_t i = policy->given.n; i-- > 0;)
		if (sv_eq(policy->given.at[i], path))
			vec_remove(&policy->given, i);
}

bool perm_has_dir(const struct perm_policy *policy, struct sv real_path)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (sv_eq(policy->dirs.at[i], real_path))
			return true;
	return false;
}

void perm_add_dir(struct perm_policy *policy, struct sv real_path)
{
	if (!perm_has_dir(policy, real_path))
		vec_push(&policy->dirs, arena_dup(&policy->arena, real_path));
}

void perm_give_dir(struct perm_policy *policy, struct sv real_path)
{
	perm_add_dir(policy, real_path);
	vec_push(&policy->given, arena_dup(&policy->arena, real_path));
}

void perm_set_home(struct perm_policy *policy, struct sv real_path)
{
	policy->home = arena_dup(&policy->arena, real_path);
}

void perm_add_alias(struct perm_policy *policy, struct sv named, struct sv real)
{
	struct perm_alias alias = { arena_dup(&policy->arena, named),
				    arena_dup(&policy->arena, real) };

	vec_push(&policy->aliases, alias);
}

bool perm_protects(const struct perm_policy *policy, struct sv path, struct sv *what)
{
	*what = policy->own;
	return (policy->own.len && path_is_inside(path, policy->own)) ||
	       path_is_protected(path, what);
}

bool perm_hides(const struct perm_policy *policy, struct sv tool)
{
	for (size_t i = 0; i < policy->deny.n; i++) {
		const struct perm_rule *rule = &policy->deny.at[i];

		if (rule->content.len == 0 && rule_covers(rule, BEHAVIOR_DENY, tool))
			return true;
	}
	return false;
}

/* --- deciding ------------------------------------------------------------- */

bool perm_denies_read(const struct perm_policy *policy, struct sv path)
{
	for (size_t i = 0; i < policy->exempt.n; i++)
		if (path_is_inside(path, policy->exempt.at[i]))
			return false;
	return policy->denies_reads_outside;
}

static const struct sv *dir_around(const struct perm_policy *policy, struct sv path)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(path, policy->dirs.at[i]))
			return &policy->dirs.at[i];
	return NULL;
}

static struct verdict by_directory(const struct perm_policy *policy, const struct wish *wish)
{
	const struct sv *dir = dir_around(policy, wish->path);
	bool denies = wish->access == ACCESS_READ ? perm_denies_read(policy, wish->path)
						  : policy->denies_writes_outside;

	if (dir)
		return say(BEHAVIOR_ALLOW, REASON_WORKING_DIR,
			   "%s is inside the working directory %s.", show(wish->path).text,
			   show(*dir).text);
	if (policy->dirs.n == 0)
		return say(BEHAVIOR_ASK, REASON_WORKING_DIR, "There is no working directory.");
	return say(denies ? BEHAVIOR_DENY : BEHAVIOR_ASK, REASON_WORKING_DIR,
		   "%s is outside the working %s%s.", show(wish->path).text,
		   policy->dirs.n == 1 ? "directory " : "directories, the first of them ",
		   show(policy->dirs.at[0]).text);
}

static bool is_secret(const struct wish *wish)
{
	return secret_is_file(wish->path) || (wish->named.len && secret_is_file(wish->named));
}

static struct verdict read_by_mode(const struct perm_policy *policy, const struct wish *wish)
{
	struct verdict v = by_directory(policy, wish);

	if (v.behavior == BEHAVIOR_ALLOW && is_secret(wish))
		return say(BEHAVIOR_ASK, REASON_SAFETY, "%s looks like a secret.",
			   show(wish->path).text);
	return v;
}

static struct verdict write_by_mode(const struct perm_policy *policy, const struct wish *wish)
{
	struct verdict v = by_directory(policy, wish);

	if (v.behavior == BEHAVIOR_DENY)
		return v;
	if (policy->mode == PERM_DONT_ASK)
		return say(BEHAVIOR_ASK, REASON_MODE, "No rule allows writing %s.",
			   show(wish->path).text);
	if (!perm_mode_edits(policy->mode))
		return say(BEHAVIOR_ASK, REASON_MODE, "Mode %s asks before %s is written.",
			   perm_mode_name(policy->mode), show(wish->path).text);
	if (v.behavior == BEHAVIOR_ALLOW)
		return say(BEHAVIOR_ALLOW, REASON_MODE, "Mode %s: %s", perm_mode_name(policy->mode),
			   v.text);
	return v;
}

static struct verdict by_mode(const struct perm_policy *policy, const struct wish *wish)
{
	switch (wish->access) {
	case ACCESS_NONE:
		return say(BEHAVIOR_ALLOW, REASON_OTHER, "%s touches nothing outside the session.",
			   show(wish->tool).text);
	case ACCESS_READ: return read_by_mode(policy, wish);
	case ACCESS_WRITE: return write_by_mode(policy, wish);
	case ACCESS_RUN:
	case ACCESS_NET:
	case ACCESS_OTHER: break;
	}
	return say(BEHAVIOR_ASK, REASON_MODE, "No rule allows this call of %s%s.",
		   show(wish->tool).text, show_asking(policy->mode).text);
}

static bool is_protected(const struct perm_policy *policy, const struct wish *wish, struct sv *what)
{
	return wish->access == ACCESS_WRITE &&
	       (perm_protects(policy, wish->path, what) ||
		(wish->named.len && perm_protects(policy, wish->named, what)));
}

/* Whether who looks at the call knows what it is about. */
static bool is_plain(const struct wish *wish)
{
	return !wish->is_disguised &&
	       command_is_visible(wish->named.len ? wish->named : wish->path);
}

/* Where a rule would deny, but the wish does not tell enough, the user decides. */
static struct verdict judge(struct rule_case *c)
{
	bool plans = c->policy->mode == PERM_PLAN && c->wish.access == ACCESS_WRITE;
	const struct perm_rule *denies, *asks, *allows;
	enum rule_match match;
	struct verdict v;
	struct sv what;

	if (c->wish.access == ACCESS_WRITE &&
	    (floor_is_storage(c->wish.path) || floor_is_storage(c->wish.named)))
		return say(BEHAVIOR_DENY, REASON_SAFETY,
			   "%s is raw storage: writing to it destroys what is there.",
			   show(c->wish.path).text);
	denies = rule_find(BEHAVIOR_DENY, c, &match);
	if (match == RULE_YES)
		return say_rule(BEHAVIOR_DENY, denies);
	asks = rule_find(BEHAVIOR_ASK, c, &match);
	if (asks || denies)
		return say_rule(BEHAVIOR_ASK, asks ? asks : denies);
	if (c->wish.needs_user)
		return say(BEHAVIOR_ASK, REASON_OTHER, "%s is a question to the user.",
			   show(c->wish.tool).text);
	if (is_protected(c->policy, &c->wish, &what))
		return say(BEHAVIOR_ASK, REASON_SAFETY, "%s is protected, because of %s.",
			   show(c->wish.path).text, show(what).text);
	if (c->policy->mode == PERM_BYPASS)
		return say(BEHAVIOR_ALLOW, REASON_MODE,
			   "Mode bypassPermissions allows everything.");
	allows = rule_find(BEHAVIOR_ALLOW, c, &match);
	v = match == RULE_YES && !plans ? say_rule(BEHAVIOR_ALLOW, allows)
					: by_mode(c->policy, &c->wish);
	if (v.behavior == BEHAVIOR_ALLOW && !is_plain(&c->wish))
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "What this call of %s names can be read in two ways, or not be seen.",
			   show(c->wish.tool).text);
	return v;
}

static struct verdict stricter(struct verdict a, struct verdict b)
{
	return a.behavior > b.behavior ? a : b;
}

static struct verdict by_parameters(struct rule_case *c)
{
	static const enum behavior all[] = { BEHAVIOR_DENY, BEHAVIOR_ASK };

	for (size_t i = 0; i < countof(all); i++) {
		const struct perm_rule *rule = rule_find_param(all[i], c);

		if (rule)
			return say_rule(all[i], rule);
	}
	return (struct verdict){ .behavior = BEHAVIOR_ALLOW };
}

static struct verdict judge_wish(const struct perm_policy *policy, const struct wish *wish,
				 struct perm_report *report)
{
	struct perm_part part = { .text = wish->path };
	struct rule_case c;

	if (sv_find_char(wish->command, '\0') != SIZE_MAX)
		return say(BEHAVIOR_DENY, REASON_SAFETY,
			   "The command holds a NUL byte: it is not what a shell would run.");
	if (sv_find_char(wish->named, '\0') != SIZE_MAX)
		return say(BEHAVIOR_DENY, REASON_SAFETY,
			   "The path holds a NUL byte: it is not what would be opened.");
	rule_case_init(&c, policy, wish);
	if (wish->access == ACCESS_RUN)
		return stricter(by_parameters(&c), judge_command(policy, wish, report));
	part.verdict = judge(&c);
	if (report) {
		part.text = arena_dup(&report->arena, wish->path.len ? wish->path : wish->tool);
		vec_push(&report->parts, part);
	}
	return part.verdict;
}

static struct verdict decide_one(const struct perm_policy *policy, const struct wish *wish,
				 struct perm_report *report)
{
	struct verdict v = judge_wish(policy, wish, report);
	bool by_choice = v.reason == REASON_RULE || v.reason == REASON_MODE;

	if (policy->is_unsure && v.behavior == BEHAVIOR_ALLOW && by_choice &&
	    wish->access != ACCESS_READ)
		v = say(BEHAVIOR_ASK, REASON_SAFETY,
			"A settings file cannot be used, and may forbid this; 'awl config check' "
			"says which.");
	if (v.behavior != BEHAVIOR_ASK)
		return v;
	if (policy->mode == PERM_PLAN && v.reason == REASON_MODE && wish->access != ACCESS_NET)
		v = say(BEHAVIOR_ASK, REASON_MODE,
			"In mode plan nothing is changed unless the user says so: read what you "
			"need, then present your plan.");
	if (policy->mode == PERM_DONT_ASK)
		return say(BEHAVIOR_DENY, REASON_MODE, "Mode dontAsk denies what it cannot ask: %s",
			   v.text);
	if (policy->denies_questions && !wish->needs_user)
		return say(BEHAVIOR_DENY, v.reason, "The settings deny what would be asked: %s",
			   v.text);
	return v;
}

static struct verdict doubt(const struct perm_policy *policy, const struct wish *wish,
			    struct verdict v)
{
	if (policy->doubts_commands && policy->mode == PERM_AUTO && wish->access == ACCESS_RUN &&
	    v.behavior == BEHAVIOR_ALLOW)
		return say(BEHAVIOR_ASK, REASON_MODE,
			   "In mode auto every command is looked at (autoMode.classifyAllShell).");
	return v;
}

bool perm_is_for_model(const struct perm_policy *policy, const struct wish *wish,
		       const struct verdict *verdict)
{
	return policy->mode == PERM_AUTO && verdict->behavior == BEHAVIOR_ASK &&
	       verdict->reason != REASON_SAFETY && verdict->reason != REASON_RULE &&
	       !wish->needs_user;
}

/* The strictest of what is said to its paths. */
struct verdict perm_explain(const struct perm_policy *policy, const struct wish *wish,
			    struct perm_report *report)
{
	struct verdict worst = decide_one(policy, wish, report);
	struct wish one = *wish;

	one.named = SV_EMPTY;
	for (size_t i = 0; i < wish->n_more; i++) {
		one.path = wish->more_paths[i];
		worst = worse(worst, decide_one(policy, &one, report));
	}
	return doubt(policy, wish, worst);
}

struct verdict perm_decide(const struct perm_policy *policy, const struct wish *wish)
{
	return perm_explain(policy, wish, NULL);
}

void perm_report_clear(struct perm_report *report)
{
	vec_clear(&report->parts);
	arena_clear(&report->arena);
}

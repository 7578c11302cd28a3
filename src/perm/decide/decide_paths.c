/* The files that a command uses: rules about them, protected paths, secrets, directories. */
#include "perm/decide/command_decision.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "perm/path/tree_search.h"
#include "text/match/wildmatch.h"

/* --- rules about files ------------------------------------------------------- */

static struct perm_request decide_path_request(const struct command_path *t)
{
	bool writes = command_path_writes(t);

	return (struct perm_request){ .tool = writes ? SV("Edit") : SV("Read"),
				      .access = writes ? ACCESS_WRITE : ACCESS_READ,
				      .path = t->real,
				      .named = t->named };
}

/* A look for a name below a directory that matches a pattern and that a rule forbids. */
struct pattern_search {
	struct line_decision *d;
	enum behavior what;
	struct sv pattern;
};

static bool decide_path_is_denied_match(void *arg, struct sv path)
{
	const struct pattern_search *search = arg;
	struct perm_request request = decide_path_request(
		&(struct command_path){ .named = path, .real = path, .use = OPERAND_READ });
	struct rule_case c;
	enum rule_match match;

	if (!wildmatch(search->pattern, sv_basename(path), true, &search->d->steps))
		return false;
	rule_case_init(&c, search->d->policy, &request);
	c.is_tree = true;
	c.names = search->d->names;
	return rule_find(search->what, &c, &match) != NULL;
}

/* Whether nothing that a rule forbids matches the pattern. */
static bool decide_path_misses(struct line_decision *d, enum behavior what,
			       const struct command_path *t)
{
	struct pattern_search search = { d, what, t->pattern };

	return t->pattern.len && d->policy->world &&
	       tree_search(d->policy->world, t->real, decide_path_is_denied_match, &search,
			   &d->names) == TREE_NO;
}

static struct verdict decide_path_by_rules(struct line_decision *d, enum behavior what,
					   const struct command_path *t)
{
	struct perm_request request = decide_path_request(t);
	struct rule_case c;
	enum rule_match match;
	const struct perm_rule *rule;

	if (!t->known || t->use == OPERAND_LIST || t->use == OPERAND_ENTER)
		return fine;
	rule_case_init(&c, d->policy, &request);
	c.is_tree = t->recursive || t->copied.len;
	c.names = d->names;
	rule = rule_find(what, &c, &match);
	d->names = c.names;
	if (!rule || decide_path_misses(d, what, t))
		return fine;
	return verdict_by_rule(match == RULE_YES && !t->is_doubtful ? what : BEHAVIOR_ASK, rule);
}

/* Whether the tables know every file of the command: they know all options of programs that only
 * read. git has other names for files. */
static bool decide_path_knows_all(const struct shell_command *command)
{
	return (command->use.read_only && !sv_is(shell_command_name(command), "git")) ||
	       command_is_plain_edit(command);
}

/* The arguments of a guessed command are checked with the command around it. */
static bool decide_path_needs_suspects(const struct shell_command *command)
{
	return !decide_path_knows_all(command) &&
	       !(command->certainty == CERTAINTY_GUESSED && command->is_nested);
}

static void decide_path_collect_suspects(struct line_decision *d, struct line_part *part)
{
	if (!part->has_suspects && decide_path_needs_suspects(part->command))
		part->has_more_suspects = !command_paths_suspects(
			&part->suspects, part->command, d->policy->world, &d->arena, &d->suspects);
	part->has_suspects = true;
}

/* No number of words weakens a rule. */
static struct verdict decide_path_by_count(const struct line_decision *d, enum behavior what,
					   const struct line_part *part)
{
	const struct perm_rule *rule = what == BEHAVIOR_DENY ? d->denies_path : d->asks_path;

	if (!part->has_more_suspects || !rule)
		return fine;
	return verdict_of(what, REASON_SAFETY,
			  "Too many words here may name files to check them all against %s.",
			  quote_rule(rule).text);
}

struct verdict decide_by_path_rules(struct line_decision *d, enum behavior what,
				    struct line_part *part)
{
	struct verdict worst = fine;

	if (!d->denies_path && !d->asks_path)
		return fine;
	decide_path_collect_suspects(d, part);
	for (size_t i = 0; i < part->paths.n; i++)
		worst = verdict_stricter(worst, decide_path_by_rules(d, what, &part->paths.at[i]));
	for (size_t i = 0; i < part->suspects.n; i++)
		worst = verdict_stricter(worst,
					 decide_path_by_rules(d, what, &part->suspects.at[i]));
	return verdict_stricter(worst, decide_path_by_count(d, what, part));
}

/* --- protected ones ---------------------------------------------------------- */

/* A file below one directory will be below another. */
struct copying {
	const struct perm_policy *policy;
	const struct command_path *target;
	struct arena *arena;
};

static bool is_copied_to_protected(void *arg, struct sv path)
{
	const struct copying *c = arg;
	struct sv what, below = sv_skip(path, c->target->copied.len);

	return perm_protects(
		c->policy,
		arena_printf(c->arena, "%.*s%.*s", SV_ARG(c->target->real), SV_ARG(below)), &what);
}

static struct verdict decide_path_by_copies(struct line_decision *d, const struct command_path *t)
{
	struct copying c = { d->policy, t, &d->arena };

	if (!t->copied.len || tree_search(d->policy->world, t->copied, is_copied_to_protected, &c,
					  &d->names) == TREE_NO)
		return fine;
	return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
			  "Something that is copied to %s would be a protected path.",
			  quote(t->named).text);
}

/* A program that works in a directory may write there: `tar x -C`. */
static bool decide_path_may_write(const struct shell_command *command, const struct command_path *t)
{
	return command_path_writes(t) || (t->use == OPERAND_ENTER && !command->use.read_only);
}

/* Whether a path is protected of which only the beginning or the end is known: ".git/hooks/$X", "$X/.git/config". */
static bool decide_path_is_surely_protected(struct line_decision *d,
					    const struct shell_command *command,
					    const struct command_path *t, struct sv *what)
{
	size_t above = sv_rfind_char(t->named, '/'), below = sv_find_char(t->ending, '/');
	struct sv inside = above == SIZE_MAX ? SV_EMPTY
					     : arena_printf(&d->arena, "%.*s/-",
							    SV_ARG(sv_slice(t->named, 0, above)));

	if (below != SIZE_MAX && perm_protects(d->policy, sv_skip(t->ending, below), what))
		return true;
	for (size_t i = 0; inside.len && i < max_of(command->cwd.n, (size_t)1); i++) {
		struct sv dir = i < command->cwd.n ? command->cwd.dirs[i] : SV("/"), real;

		if (perm_protects(d->policy, path_join(dir, inside, &d->arena), what) ||
		    (command_path_resolve(dir, inside, d->policy->world, &d->arena, &real) &&
		     perm_protects(d->policy, real, what)))
			return true;
	}
	return false;
}

struct verdict decide_by_protection(struct line_decision *d, const struct shell_command *command,
				    const command_path_list *paths)
{
	struct verdict v = fine;
	struct sv what;

	if (command->use.is_awl)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "%s could change its own permissions here.",
				  quote(shell_command_name(command)).text);
	for (size_t i = 0; i < paths->n && v.behavior == BEHAVIOR_ALLOW; i++) {
		const struct command_path *t = &paths->at[i];

		if (!decide_path_may_write(command, t))
			continue;
		if (!t->known && decide_path_is_surely_protected(d, command, t, &what))
			return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
					  "%s writes a protected path (%s).",
					  quote(command->text).text, quote(what).text);
		if (!t->known)
			continue;
		if (perm_protects(d->policy, t->real, &what) ||
		    perm_protects(d->policy, t->named, &what))
			return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
					  "%s is a protected path (%s).", quote(t->named).text,
					  quote(what).text);
		v = decide_path_by_copies(d, t);
	}
	return v;
}

/* --- files, once nothing forbids them ------------------------------------------- */

static bool is_nested(const struct perm_policy *policy, struct sv path)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(path, policy->dirs.at[i]))
			return true;
	return false;
}

static const struct perm_rule *decide_path_find_rule(struct line_decision *d,
						     const struct command_path *t)
{
	struct perm_request request = decide_path_request(t);
	struct rule_case c;
	enum rule_match match;
	const struct perm_rule *rule;

	rule_case_init(&c, d->policy, &request);
	rule = rule_find(BEHAVIOR_ALLOW, &c, &match);
	return match == RULE_YES ? rule : NULL;
}

/* Moving counts like reading: with another name the file could be read without a question. */
static bool decide_path_is_secret(const struct command_path *t)
{
	return (t->use == OPERAND_READ || (t->use == OPERAND_REMOVE && t->recursive)) &&
	       (secret_is_file(t->real) || secret_is_file(t->named));
}

static struct verdict decide_ask_about_secret(const struct command_path *t)
{
	return verdict_of(BEHAVIOR_ASK, REASON_SAFETY, "%s looks like a secret.",
			  quote(t->named).text);
}

static struct verdict decide_path_read(struct line_decision *d, const struct command_path *t,
				       enum grant grant)
{
	if (grant == GRANT_READS || decide_path_find_rule(d, t))
		return fine;
	if (!is_nested(d->policy, t->real) &&
	    (!path_is_public(t->real, t->use == OPERAND_LIST && !t->recursive) ||
	     perm_denies_read(d->policy, t->real)))
		return verdict_of(
			perm_denies_read(d->policy, t->real) ? BEHAVIOR_DENY : BEHAVIOR_ASK,
			REASON_WORKING_DIR, "%s is outside the working %s.", quote(t->real).text,
			d->policy->dirs.n == 1 ? "directory" : "directories");
	if (decide_path_is_secret(t))
		return decide_ask_about_secret(t);
	if (t->recursive && t->follows_links)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "Links in %s may lead outside the working directory.",
				  quote(t->named).text);
	return fine;
}

static struct verdict decide_path_write(struct line_decision *d, const struct command_path *t,
					enum grant grant)
{
	bool inside = is_nested(d->policy, t->real) ||
		      (grant == GRANT_TEMPORARY && path_is_inside(t->real, SV("/tmp")));
	bool granted = grant != GRANT_NOTHING && !t->is_redirect;
	bool plans = d->policy->mode == PERM_PLAN; /* then no rule allows a write */
	bool allowed = decide_path_find_rule(d, t);

	if (allowed && !plans)
		return fine;
	if (!inside && !allowed)
		return verdict_of(d->policy->denies_writes_outside ? BEHAVIOR_DENY : BEHAVIOR_ASK,
				  REASON_WORKING_DIR,
				  "%s would be written, but it is outside the working %s.",
				  quote(t->real).text,
				  d->policy->dirs.n == 1 ? "directory" : "directories");
	if (decide_path_is_secret(t))
		return decide_ask_about_secret(t);
	if (!plans && (granted || perm_mode_edits(d->policy->mode)))
		return fine;
	return verdict_of(BEHAVIOR_ASK, REASON_MODE, "Writing %s needs your approval in %s mode.",
			  quote(t->named).text, perm_mode_name(d->policy->mode));
}

struct verdict decide_by_writes(struct line_decision *d, const command_path_list *paths)
{
	struct verdict worst = fine;

	for (size_t i = 0; i < paths->n; i++)
		if (command_path_writes(&paths->at[i]))
			worst = verdict_stricter(
				worst, decide_path_write(d, &paths->at[i], GRANT_PROGRAM));
	return worst;
}

/* "$X/.env", unless a rule allows such files wherever they are. */
static bool decide_path_ends_in_secret(struct line_decision *d, const struct command_path *t)
{
	struct sv ending = sv_skip(t->ending, min_of(sv_find_char(t->ending, '/'), t->ending.len));
	struct command_path anywhere = { .named = ending, .real = ending, .use = OPERAND_READ };

	return !t->known && t->use == OPERAND_READ && ending.len && secret_is_file(ending) &&
	       !decide_path_find_rule(d, &anywhere);
}

struct verdict decide_by_secrets(struct line_decision *d, const struct line_part *part)
{
	for (size_t i = 0; i < part->paths.n; i++) {
		const struct command_path *t = &part->paths.at[i];

		if (t->known && decide_path_is_secret(t) && !decide_path_find_rule(d, t))
			return decide_ask_about_secret(t);
		if (decide_path_ends_in_secret(d, t))
			return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
					  "%s reads a file that looks like a secret.",
					  quote(part->command->text).text);
	}
	return fine;
}

struct verdict decide_by_paths(struct line_decision *d, const command_path_list *paths,
			       enum grant grant)
{
	struct verdict worst = fine;

	for (size_t i = 0; i < paths->n; i++) {
		const struct command_path *t = &paths->at[i];

		worst = verdict_stricter(worst, command_path_writes(t)
							? decide_path_write(d, t, grant)
							: decide_path_read(d, t, grant));
	}
	return worst;
}

struct verdict decide_by_named_paths(struct line_decision *d, const struct shell_command *command)
{
	command_path_list named = VEC_INIT;
	struct verdict v;

	command_paths_named(&named, command, d->policy->world, &d->arena);
	v = decide_by_paths(d, &named, GRANT_PROGRAM);
	vec_clear(&named);
	return v;
}

/* Surprises: what a command does besides what its name says. */
#include "perm/decide/command_decision.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"
#include "perm/rule/rule_match.h"

/* --- assignments --------------------------------------------------------------- */

/* Whether it only turns a pager off. */
static bool is_pager_off(struct line_decision *d, const struct sh_assign *a)
{
	static const char names[][14] = { "AWS_PAGER", "GH_PAGER", "GIT_PAGER",
					  "MANPAGER",  "PAGER",    "SYSTEMD_PAGER" };
	struct sv value = SV_EMPTY;
	bool is_pager = false;

	for (size_t i = 0; i < countof(names); i++)
		is_pager |= sv_is(a->name, names[i]);
	return is_pager && !a->is_array && !a->append && !a->index &&
	       (!a->value || sh_word_static(a->value, &d->arena, &value)) &&
	       (!value.len || sv_is(value, "cat"));
}

/* Before `read`, IFS only says how a line is split. */
static bool is_for_read(const struct shell_command *command, const struct sh_assign *a)
{
	return sv_is(a->name, "IFS") && command->argv[0].known &&
	       sv_is(command->argv[0].text, "read") && !command->may_be_function;
}

static bool environment_is_harmless(struct line_decision *d, const struct shell_command *command,
				    const struct sh_assign *a)
{
	return program_variable_is_inert(a->name) || is_for_read(command, a) || is_pager_off(d, a);
}

/* Later programs see the new value of an exported variable. Names that mean something to
 * programs are usually in capitals. */
static bool environment_may_reach_programs(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.ptr[i] >= 'a' && name.ptr[i] <= 'z')
			return sv_find(name, SV("proxy")) != SIZE_MAX ||
			       sv_starts(name, SV("npm_"));
	return !program_variable_is_inert(name) && name.len > 1;
}

/* Built-in commands whose effect depends on nothing but their arguments. */
static bool is_unaffected_builtin(const struct shell_command *command)
{
	static const char names[][7] = {
		":", "[", "[[", "echo", "false", "printf", "test", "true"
	};

	for (size_t i = 0; i < countof(names); i++)
		if (command->n && command->argv[0].known && sv_is(command->argv[0].text, names[i]))
			return !command->is_nested;
	return command->n == 0;
}

/* Whether a later command could see its variables. */
static bool environment_reaches_commands(const struct line_decision *d,
					 const struct shell_command *command)
{
	for (const struct shell_command *at = command->may_repeat ? d->analysis->commands.at
								  : command + 1;
	     at < d->analysis->commands.at + d->analysis->commands.n; at++)
		if (!is_unaffected_builtin(at))
			return true;
	return false;
}

/* Variables with which a name may run another program. */
static bool is_hijacking(struct sv name)
{
	static const char *const names[] = { "BASH_ENV", "ENV", "IFS", "PATH", "SHELLOPTS" };

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(name, names[i]))
			return true;
	return sv_starts(name, SV("LD_")) || sv_starts(name, SV("DYLD_"));
}

/* Whether a rule spells the assignments before the command. */
static bool environment_is_in_rule(struct line_decision *d, const struct shell_command *command)
{
	const rule_list *rules = &d->policy->allow;
	bool is_plain = command->n && !command->is_nested && !command->is_script, found = false;
	struct sv value;

	for (const struct sh_assign *a = command->assigns; a; a = a->next)
		is_plain &= !a->is_array && !a->index && !is_hijacking(a->name) &&
			    (!a->value || sh_word_static(a->value, &d->arena, &value));
	for (size_t i = 0; i < rules->n && is_plain && !found; i++)
		found = rule_pattern_assigns(rules->at[i].content) &&
			rule_covers(&rules->at[i], BEHAVIOR_ALLOW, d->request->tool) &&
			rule_match_allow(rules->at[i].content, command, d->policy->home, &d->steps);
	return found;
}

/* The same for the variables that a wrapper sets: `env A=1 make`. */
static bool environment_is_in_wrapper_rule(struct line_decision *d,
					   const struct shell_command *command)
{
	const struct perm_rule *rule = decide_find_partial(d, command);

	for (size_t i = 1; i < command->use.inner.at[0].from; i++) {
		struct sv word = command->argv[i].text;

		if (!command->argv[i].known ||
		    is_hijacking(sv_slice(word, 0, sv_find_char(word, '='))))
			return false;
	}
	return rule && decide_rule_spells_wrapped(rule, command);
}

static struct verdict environment_ask_about(struct sv name)
{
	return verdict_of(BEHAVIOR_ASK, REASON_SAFETY, "%s may change what the commands do.",
			  quote(name).text);
}

static struct verdict environment_check_assignments(struct line_decision *d,
						    const struct shell_command *command)
{
	bool spelt = command->assigns && environment_is_in_rule(d, command);

	for (const struct sh_assign *a = command->assigns; a && !spelt; a = a->next)
		if (command->n ? !environment_is_harmless(d, command, a)
			       : environment_may_reach_programs(a->name) &&
					 environment_reaches_commands(d, command))
			return environment_ask_about(a->name);
	for (const struct sh_assign *a = command->sets; a; a = a->next)
		if (environment_may_reach_programs(a->name) &&
		    environment_reaches_commands(d, command))
			return environment_ask_about(a->name);
	for (size_t i = 0; i < command->use.inner.n; i++)
		if (command->use.inner.at[i].adds_environment &&
		    !environment_is_in_wrapper_rule(d, command))
			return verdict_of(
				BEHAVIOR_ASK, REASON_SAFETY,
				"%s sets variables that may change what the command does.",
				quote(shell_command_name(command)).text);
	return fine;
}

/* --- repositories ---------------------------------------------------------------- */

static bool is_own_repository(struct line_decision *d, struct sv root)
{
	const struct perm_world *world = d->policy->world;

	for (size_t i = 0; i < d->policy->dirs.n; i++)
		if (sv_eq(root,
			  world->repository(world->arg, d->policy->dirs.at[i], NULL, &d->arena)))
			return true;
	return false;
}

/* git runs the programs that a repository configures even for its most harmless commands. */
static struct verdict environment_check_repository(struct line_decision *d, struct sv dir)
{
	const struct perm_world *world = d->policy->world;
	enum world_repo kind = REPO_PLAIN;
	struct sv root = world->repository(world->arg, dir, &kind, &d->arena);

	if (root.len && kind == REPO_RUNS_PROGRAMS)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "The repository %s is configured to make git run programs.",
				  quote(root).text);
	if (root.len && !is_own_repository(d, root))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "git would use another repository: %s.", quote(root).text);
	return fine;
}

/* What makes a directory a repository, by its first component. */
static bool is_of_repository(struct sv name)
{
	static const char names[][16] = { ".git",    "HEAD", "commondir",      "config",
					  "objects", "refs", "config.worktree" };

	for (size_t i = 0; i < countof(names); i++)
		if (sv_eq_nocase(name, sv_cstr(names[i])))
			return true;
	return false;
}

/* Whether an earlier command of the line may make `dir`, or a directory above it but below `top`, a
 * repository. In `top` itself .git comes first, which is protected. Empty `top`: there is none. */
static bool environment_may_become_repository(const struct made_path *made, struct sv dir,
					      struct sv top)
{
	if (!made->path.len)
		return true;
	if (made->is_tree && path_is_inside(dir, made->path) && !(made->is_git && sv_eq(dir, top)))
		return true;
	for (; dir.len > top.len; dir = path_parent(dir)) {
		if (is_of_repository(made_path_name_in(made, dir)))
			return true;
		if (sv_is(dir, "/"))
			break;
	}
	return false;
}

static struct verdict environment_check_made(struct line_decision *d,
					     const struct shell_command *command, struct sv dir)
{
	const struct perm_world *world = d->policy->world;
	const made_path_list *made = &d->analysis->made;
	size_t n = command->may_repeat ? made->n : command->nmade;
	struct sv top = world->repository(world->arg, dir, NULL, &d->arena);
	struct sv real = world->real(world->arg, dir, &d->arena);

	for (size_t i = 0; i < n; i++)
		if (environment_may_become_repository(&made->at[i], real, top))
			return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
					  "Another command of this line may make %s a repository.",
					  quote(dir).text);
	return fine;
}

/* One look is enough for all git commands of a line, since an index may be large. */
static struct verdict environment_check_git(struct line_decision *d,
					    const struct shell_command *command)
{
	struct verdict v = fine;

	if (!d->policy->world || !sv_is(shell_command_name(command), "git"))
		return fine;
	if (command->cwd.is_unknown)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "The directory where git would run is not known.");
	for (size_t i = 0; i < command->cwd.n && v.behavior == BEHAVIOR_ALLOW; i++)
		v = environment_check_made(d, command, command->cwd.dirs[i]);
	for (size_t i = 0; i < command->cwd.n && v.behavior == BEHAVIOR_ALLOW; i++) {
		if (sv_eq(command->cwd.dirs[i], d->checked_repo))
			continue;
		v = environment_check_repository(d, command->cwd.dirs[i]);
		if (v.behavior == BEHAVIOR_ALLOW)
			d->checked_repo = command->cwd.dirs[i];
	}
	return v;
}

/* --- all of it -------------------------------------------------------------------- */

struct verdict decide_by_environment(struct line_decision *d, const struct shell_command *command)
{
	struct verdict v = environment_check_assignments(d, command);

	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	if (command->reevaluates.len)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "%s makes the shell evaluate hidden text.",
				  quote(command->reevaluates).text);
	if (command->secret.len)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY, "$%s looks like a secret.",
				  quote(command->secret).text);
	return environment_check_git(d, command);
}

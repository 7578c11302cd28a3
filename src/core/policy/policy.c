#include "core/policy/policy.h"

#include "core/policy/perm_world.h"
#include "core/policy/rule_review.h"
#include "hook/guards.h"
#include "perm/path/path.h"
#include "sys/fs.h"
#include "tool/shell/child_env.h"

static enum perm_source policy_source_of(enum settings_source source)
{
	switch (source) {
	case SETTINGS_USER: return PERM_FROM_USER;
	case SETTINGS_PROJECT: return PERM_FROM_PROJECT;
	case SETTINGS_LOCAL: return PERM_FROM_LOCAL;
	case SETTINGS_FLAG: return PERM_FROM_FLAG;
	case SETTINGS_GLOBAL: /* has no rules */
	case SETTINGS_POLICY:
	case SETTINGS_SOURCES: break;
	}
	return PERM_FROM_POLICY;
}

/* --- rules ---------------------------------------------------------------- */

/* Notes of one kind. A session gets a single line about them. */
struct policy_notes {
	const char *title; /* "permission rules" */
	size_t n;
	struct str lines;
};

static void policy_note(struct policy_notes *notes, const struct settings_item *item,
			const char *why)
{
	notes->n++;
	str_addf(&notes->lines, "%s:%zu: %s; ignored\n", item->file, item->line, why);
}

static void policy_end_notes(struct policy_notes *notes, const struct policy_opts *o,
			     struct str *out)
{
	if (notes->n > 1 && !o->notes_keys)
		str_addf(out,
			 "%zu %s in the settings cannot be used; 'awl config check' says why\n",
			 notes->n, notes->title);
	else
		str_add(out, sv_of(&notes->lines));
	str_clear(&notes->lines);
}

/* Add one rule. An invalid rule is ignored. If the user meant to restrict something with it,
 * then what is forbidden is not known. Anybody may have written the files of a project. */
static void policy_take_item(struct perm_policy *policy, enum behavior what,
			     const struct settings_item *item, const char *root,
			     struct policy_notes *notes)
{
	const struct perm_rule origin = { .source = policy_source_of(item->source),
					  .root = sv_cstr(root),
					  .file = sv_cstr(item->file),
					  .line = item->line };
	struct err why = ERR_INIT;

	if (perm_add_rule(policy, what, item->text, &origin, &why))
		return;
	policy_note(notes, item, why.text);
	if (what != BEHAVIOR_ALLOW && !settings_are_projects(item->source))
		policy->is_incomplete = true;
}

bool policy_is_managed(const struct settings *settings)
{
	return settings_bool(settings, "allowManagedPermissionRulesOnly");
}

static void policy_take_list(struct perm_policy *policy, enum behavior what, const char *key,
			     const struct policy_opts *o, struct policy_notes *notes)
{
	bool managed_only = policy_is_managed(o->settings);
	const struct settings_item *items;
	size_t n = settings_items(o->settings, key, &items);

	for (size_t i = 0; i < n; i++) {
		if (managed_only && items[i].source != SETTINGS_POLICY)
			continue;
		policy_take_item(policy, what, &items[i], items[i].root, notes);
		/* The project is here and there: what guards it does so in both. */
		if (what != BEHAVIOR_ALLOW && o->config_root &&
		    !sv_is(sv_cstr(o->config_root), o->cwd) &&
		    settings_are_projects(items[i].source))
			policy_take_item(policy, what, &items[i], o->config_root,
					 &(struct policy_notes){ .title = notes->title });
	}
}

static void policy_take_lists(struct perm_policy *policy, const struct policy_opts *o,
			      struct str *out)
{
	struct policy_notes notes = { .title = "permission rules" };

	policy_take_list(policy, BEHAVIOR_ALLOW, "permissions.allow", o, &notes);
	policy_take_list(policy, BEHAVIOR_ASK, "permissions.ask", o, &notes);
	policy_take_list(policy, BEHAVIOR_DENY, "permissions.deny", o, &notes);
	if (o->notes_keys) /* whoever wants a note for each has checked the rules before */
		str_truncate(&notes.lines, 0);
	policy_end_notes(&notes, o, out);
}

/* Note rules of the command line whose tool looks misspelt: they would silently do nothing. */
static void policy_note_tools(const struct perm_policy *policy, struct str *notes)
{
	static const enum behavior all[] = { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };
	const struct perm_rule *rule;

	for (size_t k = 0; k < countof(all); k++)
		for (size_t i = 0; (rule = perm_rule_at(policy, all[k], i)); i++) {
			struct err why = ERR_INIT;

			if (rule->source == PERM_FROM_COMMAND_LINE &&
			    !rule_review_tool(rule->tool, &why))
				str_addf(notes, "A rule of the command line: %s\n", why.text);
		}
}

static bool policy_take_rules(struct perm_policy *policy, const struct policy_opts *o,
			      struct str *notes, struct err *err)
{
	const struct settings *s = o->settings;

	if (s)
		policy_take_lists(policy, o, notes);
	if (s && policy_is_managed(s) && sv_trim(sv_cstr(o->allow)).len)
		str_adds(notes,
			 "Only the rules of the policy can allow here, so the allow rules of the "
			 "command line are ignored.\n");
	else if (!perm_add_rules(policy, BEHAVIOR_ALLOW, sv_cstr(o->allow), err))
		return false;
	if (!perm_add_rules(policy, BEHAVIOR_ASK, sv_cstr(o->ask), err) ||
	    !perm_add_rules(policy, BEHAVIOR_DENY, sv_cstr(o->deny), err))
		return false;
	policy_note_tools(policy, notes);
	return true;
}

/* --- places --------------------------------------------------------------- */

static bool policy_add_dir(struct perm_policy *policy, const char *dir, typeof(perm_add_dir) *add,
			   struct err *err)
{
	defer(str_clear) struct str real = STR_INIT;
	struct fs_info info;

	if (!fs_realpath(&real, dir, err) || !fs_info(&info, real.ptr, true, err))
		return false;
	if (info.kind != FS_DIR)
		return err_set(err, ERR_INVALID, "%s is not a directory", dir);
	add(policy, sv_of(&real));
	return true;
}

void policy_place(struct str *out, const char *home, const char *cwd, struct sv written)
{
	if (sv_starts(written, SV("~/")) && home)
		fs_join(out, sv_cstr(home), sv_skip(written, 2));
	else if (sv_starts(written, SV("/")))
		str_add(out, written);
	else
		fs_join(out, sv_cstr(cwd), written);
}

/* Whether a path in the project is a link to a place outside. A command may have made that link, so
 * it does not count as a directory that the user has named. */
static bool policy_leads_out(const char *path, const char *cwd, struct err *err)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str real = STR_INIT;
	struct sv written = path_join(sv_cstr(cwd), sv_cstr(path), &arena);

	if (!path_is_inside(written, sv_cstr(cwd)) || !fs_realpath(&real, path, err) ||
	    path_is_inside(sv_of(&real), sv_cstr(cwd)))
		return false;
	return !err_set(err, ERR_ACCESS, "%s is a link that leads out of the project", path);
}

static void policy_add_written_dir(struct perm_policy *policy, const struct policy_opts *o,
				   const struct settings_item *item, struct policy_notes *notes)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	policy_place(&path, o->home, o->cwd, item->text);
	if (policy_leads_out(path.ptr, o->cwd, &err) ||
	    !policy_add_dir(policy, path.ptr, perm_add_dir, &err))
		policy_note(notes, item, err.text);
}

static bool policy_take_dirs(struct perm_policy *policy, const struct policy_opts *o,
			     struct str *notes, struct err *err)
{
	struct policy_notes of_dirs = { .title = "additional directories" };
	const struct settings_item *items;
	size_t n = 0;

	if (!policy_add_dir(policy, o->dir ? o->dir : o->cwd, perm_add_dir, err))
		return err_context(err, "the working directory");
	for (const char *const *dir = o->add_dirs; dir && *dir; dir++)
		if (!policy_add_dir(policy, *dir, perm_add_session_dir, err))
			return err_context(err, "--add-dir");
	if (o->settings)
		n = settings_items(o->settings, "permissions.additionalDirectories", &items);
	for (size_t i = 0; i < n; i++)
		policy_add_written_dir(policy, o, &items[i], &of_dirs);
	policy_end_notes(&of_dirs, o, notes);
	return true;
}

/* Add the other names of working directories. A name that leads elsewhere is ignored: an alias must
 * not allow anything new. */
static void policy_take_aliases(struct perm_policy *policy, const struct policy_opts *o,
				struct str *notes)
{
	const struct settings_item *items;
	size_t n = !o->settings ? 0
				: settings_items(o->settings,
						 "permissions.workingDirectoriesAsGiven", &items);

	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str path = STR_INIT;
		defer(str_clear) struct str real = STR_INIT;
		struct err err = ERR_INIT;

		policy_place(&path, o->home, o->cwd, items[i].text);
		if (fs_realpath(&real, path.ptr, &err) && perm_has_dir(policy, sv_of(&real)))
			perm_add_alias(policy, path_join(SV("/"), sv_of(&path), &policy->arena),
				       sv_of(&real));
		else
			str_addf(notes, "%s:%zu: %s is not a working directory; ignored\n",
				 items[i].file, items[i].line, path.ptr);
	}
}

/* Set our own directory. One that does not exist yet will have this name. */
static void policy_set_own(struct perm_policy *policy, const char *config_dir)
{
	defer(str_clear) struct str real = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!config_dir)
		return;
	policy->own_dir = fs_realpath(&real, config_dir, &ignored)
				  ? arena_dup(&policy->arena, sv_of(&real))
				  : path_join(SV("/"), sv_cstr(config_dir), &policy->arena);
}

static void policy_set_home(struct perm_policy *policy, const char *home)
{
	defer(str_clear) struct str real = STR_INIT;
	struct err ignored = ERR_INIT;

	if (home && fs_realpath(&real, home, &ignored))
		perm_set_home(policy, sv_of(&real));
}

/* --- modes ---------------------------------------------------------------- */

static bool policy_is_disabled(const struct settings *settings, const char *key)
{
	return settings && sv_is(sv_cstr(settings_str(settings, key)), "disable");
}

bool policy_disables(const struct settings *settings, enum perm_mode mode)
{
	if (mode == PERM_BYPASS)
		return policy_is_disabled(settings, "permissions.disableBypassPermissionsMode");
	return mode == PERM_AUTO && (policy_is_disabled(settings, "permissions.disableAutoMode") ||
				     policy_is_disabled(settings, "disableAutoMode"));
}

bool policy_is_unsure(const struct settings *settings)
{
	for (int source = 0; source < SETTINGS_SOURCES; source++)
		if (settings_is_refused(settings, (enum settings_source)source))
			return true;
	return false;
}

/* Add the paths that are exempt from blockReads. One that does not exist is ignored. */
static void policy_take_exempt(struct perm_policy *policy, const struct policy_opts *o)
{
	const struct settings_item *items;
	size_t n = settings_items(o->settings, "permissions.blockReadsExemptPaths", &items);

	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str path = STR_INIT;
		defer(str_clear) struct str real = STR_INIT;
		struct err ignored = ERR_INIT;

		policy_place(&path, o->home, o->cwd, items[i].text);
		if (fs_realpath(&real, path.ptr, &ignored))
			vec_push(&policy->readable_outside,
				 arena_dup(&policy->arena, sv_of(&real)));
	}
}

static bool policy_take_mode(struct perm_policy *policy, const struct policy_opts *o,
			     struct err *err)
{
	const struct settings *s = o->settings;
	const char *name = o->mode ? o->mode
			   : s     ? settings_str(s, "permissions.defaultMode")
				   : NULL;

	if (name && !perm_mode_read(&policy->mode, sv_cstr(name), err))
		return false;
	if (policy_disables(s, policy->mode))
		return err_set(err, ERR_ACCESS, "the settings disable mode %s",
			       perm_mode_name(policy->mode));
	if (s) {
		policy->is_incomplete |= policy_is_unsure(s);
		policy->denies_reads_outside =
			settings_bool(s, "permissions.blockReadsOutsideWorkingDirectories");
		policy->denies_writes_outside =
			settings_bool(s, "permissions.blockWritesOutsideWorkingDirectories");
		policy->denies_questions = settings_bool(s, "permissions.denyInsteadOfPrompting");
		policy->asks_about_documentation = !settings_bool(s, "awl.documentationSites");
		policy->classifies_commands = settings_bool(s, "autoMode.classifyAllShell");
		policy_take_exempt(policy, o);
	}
	return true;
}

/* Returns the value that commands get: that of the settings, or else of the environment. */
static struct sv policy_variable(const struct policy_opts *o, const char *name)
{
	struct sv value = json_str_or(json_get(settings_get(o->settings, "env"), name), SV_EMPTY);

	return value.len ? value : sv_cstr(child_env_get(o->env, name));
}

static void policy_set_world(struct perm_policy *policy, const struct policy_opts *o)
{
	policy->world = world_led(&policy->arena, policy_variable(o, "GIT_DIR"),
				  policy_variable(o, "GIT_COMMON_DIR"));
}

/* Without a PATH, the system's default has one. The system's own directories, which usually have it, come
 * last in a PATH, so the search begins there. */
static bool policy_has_bash(struct sv path)
{
	bool found = !path.len;

	while (!found && path.len) {
		defer(str_clear) struct str program = STR_INIT;
		size_t colon = sv_rfind_char(path, ':');
		struct sv dir = sv_skip(path, colon + 1);

		fs_join(&program, dir, SV("bash"));
		found = sv_starts(dir, SV("/")) && fs_exists(str_c(&program));
		path = sv_slice(path, 0, colon == SIZE_MAX ? 0 : colon);
	}
	return found;
}

/* Set the shell that runs commands (shell_env.h), if it reads a line in another way than bash. */
static void policy_set_shell(struct perm_policy *policy, const struct policy_opts *o)
{
	struct sv chosen = policy_variable(o, "CLAUDE_CODE_SHELL");

	if (sv_is(sv_basename(chosen), "zsh"))
		policy->other_shell = "zsh";
	else if (!sv_is(sv_basename(chosen), "bash") &&
		 !policy_has_bash(policy_variable(o, "PATH")))
		policy->other_shell = "sh";
}

bool policy_load(struct perm_policy *out, const struct policy_opts *opts, struct str *notes,
		 struct err *err)
{
	policy_set_world(out, opts);
	policy_set_shell(out, opts);
	policy_set_home(out, opts->home);
	policy_set_own(out, opts->config_dir);
	if (!policy_take_dirs(out, opts, notes, err))
		return false;
	policy_take_aliases(out, opts, notes);
	if (opts->settings)
		hook_guards_add(out, opts->settings);
	return policy_take_rules(out, opts, notes, err) && policy_take_mode(out, opts, err);
}

static bool policy_is_of_session(enum perm_source source)
{
	return source == PERM_FROM_SESSION || source == PERM_FROM_COMMAND ||
	       source == PERM_FROM_COMMAND_LINE;
}

static bool policy_keep_rules(struct perm_policy *to, const struct perm_policy *from,
			      bool is_managed, struct err *err)
{
	static const enum behavior all[] = { BEHAVIOR_ASK, BEHAVIOR_DENY, BEHAVIOR_ALLOW };
	const struct perm_rule *rule;

	for (size_t k = 0; k < countof(all); k++)
		for (size_t i = 0; (rule = perm_rule_at(from, all[k], i)); i++)
			if (policy_is_of_session(rule->source) &&
			    !(is_managed && all[k] == BEHAVIOR_ALLOW) &&
			    !perm_copy_rule(to, all[k], rule, err))
				return false;
	return true;
}

bool policy_renew(struct perm_policy *out, const struct perm_policy *old,
		  const struct policy_opts *opts, struct str *notes, struct err *err)
{
	if (!policy_load(out, opts, notes, err) ||
	    !policy_keep_rules(out, old, policy_is_managed(opts->settings), err))
		return false;
	for (size_t i = 0; i < old->session_dirs.n; i++)
		perm_add_session_dir(out, old->session_dirs.at[i]);
	perm_set_plan_file(out, old->plan_file);
	for (size_t i = 0; i < old->own_paths.n; i++)
		perm_add_own(out, old->own_paths.at[i]);
	return true;
}

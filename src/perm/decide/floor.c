/* The floor: what no rule and no mode allows.
 *
 * The problem. Some commands are never what the user wants, whatever has been allowed and even in
 * bypassPermissions mode: `rm -rf /`, `rm -rf ~`, `mkfs`, `dd of=/dev/sda`. Most often they are a
 * slip: a variable that is empty (`rm -rf "$d"/`), a glob one level too high, a link that leads to
 * the home directory.
 *
 * The idea. The floor speaks of effects, not of texts. It gets the paths that a command removes,
 * moves or changes recursively, with every link resolved, and compares them with a short list of
 * directories: "/", the system's, every home and whatever contains the user's home. Paths that are
 * raw storage may not be written at all. A glob over everything in a directory counts as the
 * directory. `find X -exec rm` removes what is in X.
 *
 * Denied for sure: a known path on the list, raw storage, programs that make file systems.
 * Asked about: the working directory or its parents; top-level directories; a recursive removal of
 * something unknown, unless the known beginning keeps it in a harmless place; find with a test, as
 * it removes only some files; and a path in the text of an interpreter (floor_text.c).
 *
 * Invariants.
 * - No rule, mode, hook or sandbox changes the verdict, and nothing here allows anything.
 * - Removing a single file is never denied here: rules and modes decide that.
 *
 * Rejected: patterns over the text (`rm\s+-rf`), which miss `cd / && rm -r *` and match `echo`;
 * asking instead of denying, because a tired user says yes. */
#include "perm/decide/floor.h"

#include <ctype.h>

#include "perm/decide/message.h"
#include "perm/path/path.h"

/* Directories of the system, where nobody keeps a project. */
static const char system_dirs[][14] = {
	"/bin",    "/boot",         "/dev",     "/etc",     "/home", "/lib",   "/lib32",
	"/lib64",  "/media",        "/mnt",     "/opt",     "/proc", "/root",  "/run",
	"/sbin",   "/srv",          "/sys",     "/usr",     "/var",  "/Users", "/Library",
	"/System", "/Applications", "/private", "/Volumes", "/nix",
};

static bool is_system(struct sv path)
{
	for (size_t i = 0; i < countof(system_dirs); i++)
		if (sv_is(path, system_dirs[i]))
			return true;
	return sv_is(path, "/");
}

static bool is_home(const struct perm_policy *policy, struct sv path)
{
	if (policy->home.len && path_is_inside(policy->home, path)) /* or what it is in */
		return true;
	return sv_is(path_parent(path), "/home") || sv_is(path_parent(path), "/Users") ||
	       sv_is(path, "/root");
}

/* "*", ".*", "[!.]*": everything in a directory rather than some names. */
static bool is_for_all_names(struct sv written)
{
	struct sv name = sv_basename(written);
	bool in_set = false;

	for (size_t i = 0; i < name.len; i++) {
		if (!in_set && sv_find_char(SV("*?.[{},"), name.ptr[i]) == SIZE_MAX)
			return false;
		in_set = name.ptr[i] == '[' || (in_set && name.ptr[i] != ']');
	}
	return true;
}

static struct sv floor_written_of(const struct shell_command *command, const struct command_path *t)
{
	struct sv written = t->arg < command->n ? command->argv[t->arg].written : SV_EMPTY;

	while (sv_ends(written, SV("/")))
		written.len--;
	return written;
}

bool floor_contains(const struct perm_policy *policy, struct sv path)
{
	return is_system(path) || is_home(policy, path);
}

/* A glob over everything in a directory counts as the directory. */
static bool is_below_floor(const struct perm_policy *policy, const struct shell_command *command,
			   const struct command_path *t)
{
	bool is_all = t->is_glob && is_for_all_names(floor_written_of(command, t));

	return floor_contains(policy, t->real) || floor_contains(policy, t->named) ||
	       (is_all && (floor_contains(policy, path_parent(t->real)) ||
			   floor_contains(policy, path_parent(t->named))));
}

bool floor_is_storage(struct sv path)
{
	static const char names[][8] = {
		"bcache", "block/", "disk", "dm-", "drbd", "hd",   "kmem", "loop",  "mapper/", "md",
		"mem",    "mmcblk", "mtd",  "nbd", "nvme", "pmem", "ram",  "rbd",   "rdisk",   "sd",
		"sg",     "sr",     "ubi",  "vd",  "xvd",  "zd",   "zram", "zvol/",
	};

	if (!sv_starts(path, SV("/dev/")))
		return false;
	path = sv_skip(path, strlen("/dev/"));
	for (size_t i = 0; i < countof(names); i++)
		if (sv_starts(path, sv_cstr(names[i])))
			return true;
	return false;
}

static bool is_around_work(const struct perm_policy *policy, const struct shell_command *command,
			   struct sv path)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(policy->dirs.at[i], path))
			return true;
	for (size_t i = 0; i < command->cwd.n; i++)
		if (path_is_inside(command->cwd.dirs[i], path))
			return true;
	return false;
}

/* Whether find has a test, so that it acts on some of what it finds. */
static bool is_picky(const struct shell_command *command)
{
	static const char tests[][7] = { "-name",  "-iname", "-path", "-ipath", "-regex",
					 "-newer", "-mtime", "-mmin", "-empty", "-size" };

	for (size_t i = 1; i < command->n; i++)
		for (size_t k = 0; k < countof(tests); k++)
			if (command->argv[i].known && sv_is(command->argv[i].text, tests[k]) &&
			    (i + 1 == command->n || !is_for_all_names(command->argv[i + 1].text)))
				return true;
	return false;
}

static struct verdict floor_check_removal(const struct perm_policy *policy,
					  const struct shell_command *command,
					  const struct command_path *t, bool is_some)
{
	struct verdict fine = { .behavior = BEHAVIOR_ALLOW };

	if (is_below_floor(policy, command, t))
		return verdict_of(is_some ? BEHAVIOR_ASK : BEHAVIOR_DENY, REASON_SAFETY,
				  "This would remove or change %s of %s; no rule can allow that.",
				  is_some ? "much" : "all", quote(t->real).text);
	if (!is_some && is_around_work(policy, command, t->real))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "This would remove or change the working directory: %s.",
				  quote(t->real).text);
	if (!is_some && t->recursive && sv_is(path_parent(t->real), "/"))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "This would remove or change all of %s, a top-level directory.",
				  quote(t->real).text);
	return fine;
}

/* --- unknown paths ----------------------------------------------------------- */

/* "~name" or everything in it: somebody's home. */
static bool is_someones_home(struct sv written)
{
	size_t slash = min_of(sv_find_char(written, '/'), written.len);

	return sv_starts(written, SV("~")) && slash > 1 &&
	       !sv_is(sv_slice(written, 0, slash), "~-") &&
	       (slash == written.len || is_for_all_names(sv_skip(written, slash)));
}

/* Whether the known beginning of the path, up to a slash, keeps it in a harmless directory. */
static bool floor_is_kept_apart(const struct perm_policy *policy,
				const struct shell_command *command, const struct command_path *t,
				struct arena *arena)
{
	size_t slash = sv_rfind_char(t->real, '/');
	struct sv start = sv_slice(t->real, 0, slash + 1); /* SIZE_MAX + 1 is 0 */
	bool is_own;

	if (!start.len || (!sv_starts(start, SV("/")) && !command->cwd.n) ||
	    path_is_of_process(t->real, &slash, &is_own))
		return false;
	for (size_t i = 0; i < max_of(command->cwd.n, (size_t)1); i++) {
		struct sv dir =
			path_join(command->cwd.n ? command->cwd.dirs[i] : SV("/"), start, arena);

		if (floor_contains(policy, dir) || is_around_work(policy, command, dir))
			return false;
	}
	return true;
}

/* What follows the first unknown part: "/x" in "${D}/x". */
static struct sv floor_behind_unknown(struct sv written)
{
	size_t at = sv_find_char(written, '$') + 1, end;

	if (at == 0 || at == written.len)
		return SV_EMPTY;
	if (written.ptr[at] == '{')
		end = sv_find_char(written, '}') + 1;
	else
		for (end = at; end < written.len && (isalnum((unsigned char)written.ptr[end]) ||
						     written.ptr[end] == '_');)
			end++;
	written = sv_skip(written, end);
	return sv_starts(written, SV("\"")) ? sv_skip(written, 1) : written;
}

/* If D is empty, "$D"/ and "$D"/x are "/" and "/x". */
static bool is_floor_when_empty(const struct perm_policy *policy, struct sv written,
				struct arena *arena)
{
	struct sv rest = floor_behind_unknown(written), path;

	if (!sv_starts(rest, SV("/")))
		return false;
	path = path_join(SV("/"), rest, arena);
	return floor_contains(policy, path) ||
	       (is_for_all_names(path) && floor_contains(policy, path_parent(path)));
}

/* mv is common in loops over names, so there only an empty variable counts. */
static struct verdict floor_check_unknown(const struct perm_policy *policy,
					  const struct shell_command *command,
					  const struct command_path *t, struct arena *arena)
{
	struct verdict fine = { .behavior = BEHAVIOR_ALLOW };
	struct sv written = t->arg < command->n ? command->argv[t->arg].written : SV_EMPTY;

	if (t->use != OPERAND_REMOVE || !t->recursive)
		return fine;
	if (is_someones_home(floor_written_of(command, t)))
		return verdict_of(BEHAVIOR_DENY, REASON_SAFETY,
				  "This would remove or change a whole home directory, %s; no rule "
				  "can allow that.",
				  quote(written).text);
	if (sv_is(shell_command_name(command), "mv")
		    ? !is_floor_when_empty(policy, written, arena)
		    : floor_is_kept_apart(policy, command, t, arena))
		return fine;
	return verdict_of(
		BEHAVIOR_ASK, REASON_SAFETY,
		"What %s removes or changes can't be checked in advance; it may be everything.",
		quote(command->text).text);
}

/* `mv LINK x` moves the link and not what it leads to. */
static bool floor_moves_link(const struct perm_policy *policy, const struct shell_command *command,
			     const struct command_path *t, struct arena *arena)
{
	const struct perm_world *world = policy->world;
	struct sv written = t->arg < command->n ? command->argv[t->arg].text : SV_EMPTY;

	return sv_is(shell_command_name(command), "mv") && world && !sv_ends(written, SV("/")) &&
	       !sv_ends(written, SV("/.")) && !sv_ends(written, SV("..")) && !sv_is(written, ".") &&
	       !sv_eq(t->real, path_join(world->real(world->arg, path_parent(t->named), arena),
					 sv_basename(t->named), arena));
}

static struct verdict floor_check_path(const struct perm_policy *policy,
				       const struct shell_command *command,
				       const struct command_path *t, struct arena *arena)
{
	struct verdict fine = { .behavior = BEHAVIOR_ALLOW };

	if (!t->known)
		return floor_check_unknown(policy, command, t, arena);
	if (command_path_writes(t) && (floor_is_storage(t->real) || floor_is_storage(t->named)))
		return verdict_of(BEHAVIOR_DENY, REASON_SAFETY,
				  "%s is raw storage; writing to it would destroy its contents.",
				  quote(t->named).text);
	if (t->use == OPERAND_REMOVE && !floor_moves_link(policy, command, t, arena))
		return floor_check_removal(policy, command, t,
					   sv_is(shell_command_name(command), "find") &&
						   is_picky(command));
	return fine;
}

/* --- paths that another command finds --------------------------------------------------- */

static bool floor_is_remover(const struct shell_command *command, bool *recursive)
{
	static const char names[][7] = { "chgrp", "chmod", "chown", "rm", "shred", "unlink" };
	bool is_one = false;

	for (size_t i = 0; i < countof(names); i++)
		is_one |= sv_is(shell_command_name(command), names[i]);
	for (size_t i = 1; i < command->n; i++) {
		struct sv text = command->argv[i].text;
		bool is_long = sv_starts(text, SV("--"));

		*recursive |= is_long ? sv_starts(text, SV("--r"))
				      : sv_starts(text, SV("-")) &&
						(sv_find_char(text, 'r') != SIZE_MAX ||
						 sv_find_char(text, 'R') != SIZE_MAX);
	}
	return is_one;
}

/* `find / -exec rm {} +` removes what find looks at, and `.. | xargs rm -r` whatever it gets. */
static struct verdict floor_check_found(const struct perm_policy *policy,
					const struct shell_command *command,
					const struct shell_command *outer,
					const command_path_list *outer_paths)
{
	struct verdict worst = { .behavior = BEHAVIOR_ALLOW };
	bool recursive = false;

	if (!command->more_args || !floor_is_remover(command, &recursive))
		return worst;
	if (!outer || !sv_is(shell_command_name(outer), "find"))
		return recursive
			       ? verdict_of(
					 BEHAVIOR_ASK, REASON_SAFETY,
					 "What %s removes or changes can't be checked in advance.",
					 quote(shell_command_name(command)).text)
			       : worst;
	for (size_t i = 0; i < outer_paths->n; i++) {
		const struct command_path *t = &outer_paths->at[i];
		struct verdict v = worst;

		if (t->known && t->recursive)
			v = floor_check_removal(policy, outer, t, is_picky(outer));
		if (v.behavior > worst.behavior)
			worst = v;
	}
	return worst;
}

struct verdict floor_check(const struct perm_policy *policy, const struct shell_command *command,
			   const command_path_list *paths, const struct shell_command *outer,
			   const command_path_list *outer_paths, struct arena *arena)
{
	struct verdict worst = floor_check_found(policy, command, outer, outer_paths);

	if (command->use.is_floor)
		return verdict_of(BEHAVIOR_DENY, REASON_SAFETY,
				  "%s destroys the contents of a disk; no rule can allow it.",
				  quote(shell_command_name(command)).text);
	for (size_t i = 0; i < paths->n; i++) {
		struct verdict v = floor_check_path(policy, command, &paths->at[i], arena);

		if (v.behavior > worst.behavior)
			worst = v;
	}
	return worst;
}

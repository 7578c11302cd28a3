#include "perm/decide/floor.h"

#include <ctype.h>

#include "perm/decide/message.h"
#include "perm/path/path.h"

/* What is below "/" and is nobody's project. */
static const char *const system_dirs[] = {
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

/* "*", ".*", "[!.]*": all that is in a place, not those of some name. */
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

static struct sv written_of(const struct run *run, const struct touch *t)
{
	struct sv written = t->arg < run->n ? run->argv[t->arg].written : SV_EMPTY;

	while (sv_ends(written, SV("/")))
		written.len--;
	return written;
}

bool floor_has(const struct perm_policy *policy, struct sv path)
{
	return is_system(path) || is_home(policy, path);
}

/* A glob over all that is in a place is as good as the place. */
static bool is_below_floor(const struct perm_policy *policy, const struct run *run,
			   const struct touch *t)
{
	bool is_all = t->is_glob && is_for_all_names(written_of(run, t));

	return floor_has(policy, t->real) || floor_has(policy, t->named) ||
	       (is_all && (floor_has(policy, path_parent(t->real)) ||
			   floor_has(policy, path_parent(t->named))));
}

bool floor_is_storage(struct sv path)
{
	static const char *const names[] = {
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

static bool is_around_work(const struct perm_policy *policy, const struct run *run, struct sv path)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(policy->dirs.at[i], path))
			return true;
	for (size_t i = 0; i < run->place.n; i++)
		if (path_is_inside(run->place.dirs[i], path))
			return true;
	return false;
}

/* find's tests: it acts on some of what it finds. */
static bool is_picky(const struct run *run)
{
	static const char *const tests[] = { "-name",  "-iname", "-path", "-ipath", "-regex",
					     "-newer", "-mtime", "-mmin", "-empty", "-size" };

	for (size_t i = 1; i < run->n; i++)
		for (size_t k = 0; k < countof(tests); k++)
			if (run->argv[i].known && sv_is(run->argv[i].text, tests[k]) &&
			    (i + 1 == run->n || !is_for_all_names(run->argv[i + 1].text)))
				return true;
	return false;
}

static struct verdict judge_removal(const struct perm_policy *policy, const struct run *run,
				    const struct touch *t, bool is_some)
{
	struct verdict fine = { .behavior = BEHAVIOR_ALLOW };

	if (is_below_floor(policy, run, t))
		return say(is_some ? BEHAVIOR_ASK : BEHAVIOR_DENY, REASON_SAFETY,
			   "This would remove or change %s of %s; no rule permits that.",
			   is_some ? "much" : "all", show(t->real).text);
	if (!is_some && is_around_work(policy, run, t->real))
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "This would remove or change the directory it works in: %s.",
			   show(t->real).text);
	if (!is_some && t->recursive && sv_is(path_parent(t->real), "/"))
		return say(BEHAVIOR_ASK, REASON_SAFETY,
			   "This would remove or change all of %s, next to the root.",
			   show(t->real).text);
	return fine;
}

/* --- what nobody can know ----------------------------------------------------------- */

/* "~name" and all in it: somebody's home. */
static bool is_someones_home(struct sv written)
{
	size_t slash = min_of(sv_find_char(written, '/'), written.len);

	return sv_starts(written, SV("~")) && slash > 1 &&
	       !sv_is(sv_slice(written, 0, slash), "~-") &&
	       (slash == written.len || is_for_all_names(sv_skip(written, slash)));
}

/* The known start of it up to a slash, which keeps it there unless it is itself too much. */
static bool is_kept_apart(const struct perm_policy *policy, const struct run *run,
			  const struct touch *t, struct arena *arena)
{
	size_t slash = sv_rfind_char(t->real, '/');
	struct sv start = sv_slice(t->real, 0, slash + 1); /* SIZE_MAX + 1 is 0 */
	bool is_own;

	if (!start.len || (!sv_starts(start, SV("/")) && !run->place.n) ||
	    path_is_of_process(t->real, &slash, &is_own))
		return false;
	for (size_t i = 0; i < max_of(run->place.n, (size_t)1); i++) {
		struct sv dir =
			path_join(run->place.n ? run->place.dirs[i] : SV("/"), start, arena);

		if (floor_has(policy, dir) || is_around_work(policy, run, dir))
			return false;
	}
	return true;
}

/* What is behind the first thing in it that is not known: "/x" of "${D}/x". */
static struct sv behind_unknown(struct sv written)
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

/* "$D"/ and "$D"/x without a D are "/" and "/x". */
static bool is_floor_when_empty(const struct perm_policy *policy, struct sv written,
				struct arena *arena)
{
	struct sv rest = behind_unknown(written), path;

	if (!sv_starts(rest, SV("/")))
		return false;
	path = path_join(SV("/"), rest, arena);
	return floor_has(policy, path) ||
	       (is_for_all_names(path) && floor_has(policy, path_parent(path)));
}

/* Moving is what one does with names out of a loop, so there only the slip counts. */
static struct verdict judge_unknown(const struct perm_policy *policy, const struct run *run,
				    const struct touch *t, struct arena *arena)
{
	struct verdict fine = { .behavior = BEHAVIOR_ALLOW };
	struct sv written = t->arg < run->n ? run->argv[t->arg].written : SV_EMPTY;

	if (t->use != OPERAND_REMOVE || !t->recursive)
		return fine;
	if (is_someones_home(written_of(run, t)))
		return say(BEHAVIOR_DENY, REASON_SAFETY,
			   "This would remove or change all of a home, %s; no rule permits that.",
			   show(written).text);
	if (sv_is(run_name(run), "mv") ? !is_floor_when_empty(policy, written, arena)
				       : is_kept_apart(policy, run, t, arena))
		return fine;
	return say(BEHAVIOR_ASK, REASON_SAFETY,
		   "What %s removes or changes is known only when it runs; it may be all.",
		   show(run->text).text);
}

static struct verdict judge_touch(const struct perm_policy *policy, const struct run *run,
				  const struct touch *t, struct arena *arena)
{
	struct verdict fine = { .behavior = BEHAVIOR_ALLOW };

	if (!t->known)
		return judge_unknown(policy, run, t, arena);
	if (touch_writes(t) && (floor_is_storage(t->real) || floor_is_storage(t->named)))
		return say(BEHAVIOR_DENY, REASON_SAFETY,
			   "%s is raw storage: writing to it destroys what is there.",
			   show(t->named).text);
	if (t->use == OPERAND_REMOVE)
		return judge_removal(policy, run, t, sv_is(run_name(run), "find") && is_picky(run));
	return fine;
}

/* --- what another command finds --------------------------------------------------- */

static bool is_remover(const struct run *run, bool *recursive)
{
	static const char *const names[] = { "chgrp", "chmod", "chown", "rm", "shred", "unlink" };
	bool is_one = false;

	for (size_t i = 0; i < countof(names); i++)
		is_one |= sv_is(run_name(run), names[i]);
	for (size_t i = 1; i < run->n; i++) {
		struct sv text = run->argv[i].text;
		bool is_long = sv_starts(text, SV("--"));

		*recursive |= is_long ? sv_starts(text, SV("--r"))
				      : sv_starts(text, SV("-")) &&
						(sv_find_char(text, 'r') != SIZE_MAX ||
						 sv_find_char(text, 'R') != SIZE_MAX);
	}
	return is_one;
}

/* `find / -exec rm {} +` removes what find looks at; `.. | xargs rm -r`, whatever it gets. */
static struct verdict judge_found(const struct perm_policy *policy, const struct run *run,
				  const struct run *outer, const touch_list *outer_touches)
{
	struct verdict worst = { .behavior = BEHAVIOR_ALLOW };
	bool recursive = false;

	if (!run->more_args || !is_remover(run, &recursive))
		return worst;
	if (!outer || !sv_is(run_name(outer), "find"))
		return recursive ? say(BEHAVIOR_ASK, REASON_SAFETY,
				       "What %s removes or changes is known only when it runs.",
				       show(run_name(run)).text)
				 : worst;
	for (size_t i = 0; i < outer_touches->n; i++) {
		const struct touch *t = &outer_touches->at[i];
		struct verdict v = worst;

		if (t->known && t->recursive)
			v = judge_removal(policy, outer, t, is_picky(outer));
		if (v.behavior > worst.behavior)
			worst = v;
	}
	return worst;
}

struct verdict floor_judge(const struct perm_policy *policy, const struct run *run,
			   const touch_list *touches, const struct run *outer,
			   const touch_list *outer_touches, struct arena *arena)
{
	struct verdict worst = judge_found(policy, run, outer, outer_touches);

	if (run->use.is_floor)
		return say(BEHAVIOR_DENY, REASON_SAFETY,
			   "%s destroys what is on a disk; no rule permits it.",
			   show(run_name(run)).text);
	for (size_t i = 0; i < touches->n; i++) {
		struct verdict v = judge_touch(policy, run, &touches->at[i], arena);

		if (v.behavior > worst.behavior)
			worst = v;
	}
	return worst;
}

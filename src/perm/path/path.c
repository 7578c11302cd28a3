#include "perm/path/path.h"

#include "base/utf8.h"
#include "text/invisible.h"
#include "text/match/wildmatch.h"

static bool path_next_component(struct sv *rest, struct sv *name)
{
	return rest->ptr && sv_cut(rest, '/', name);
}

bool path_is_normal(struct sv path)
{
	struct sv rest = sv_skip(path, 1), name;

	if (!sv_starts(path, SV("/")) || sv_find_char(path, '\0') != SIZE_MAX)
		return false;
	while (path.len > 1 && path_next_component(&rest, &name))
		if (name.len == 0 || sv_is(name, ".") || sv_is(name, ".."))
			return false;
	return true;
}

static void path_add_components(struct str *out, struct sv path)
{
	struct sv name;

	while (path_next_component(&path, &name)) {
		if (sv_is(name, "..")) {
			size_t slash = sv_rfind_char(sv_of(out), '/');

			str_truncate(out, slash == SIZE_MAX ? 0 : slash);
		} else if (name.len > 0 && !sv_is(name, ".")) {
			str_addc(out, '/');
			str_add(out, name);
		}
	}
}

struct sv path_join(struct sv dir, struct sv path, struct arena *arena)
{
	defer(str_clear) struct str out = STR_INIT;

	if (!sv_starts(path, SV("/")))
		path_add_components(&out, dir);
	path_add_components(&out, path);
	return arena_dup(arena, out.len ? sv_of(&out) : SV("/"));
}

struct sv path_parent(struct sv path)
{
	size_t slash = sv_rfind_char(path, '/');

	return slash == 0 || slash == SIZE_MAX ? SV("/") : sv_slice(path, 0, slash);
}

/* The part of `path` below `dir`, "" for `dir` itself. */
static bool path_below(struct sv path, struct sv dir, struct sv *rest)
{
	while (sv_ends(dir, SV("/")))
		dir.len--;
	if (!sv_starts(path, dir) || (path.len > dir.len && path.ptr[dir.len] != '/'))
		return false;
	*rest = sv_skip(path, dir.len + 1);
	return true;
}

bool path_is_inside(struct sv path, struct sv dir)
{
	struct sv rest;

	return path_is_normal(path) && path_is_normal(dir) && path_below(path, dir, &rest);
}

/* --- processes ------------------------------------------------------------ */

bool path_is_public(struct sv path, bool only_names)
{
	static const char files[][20] = {
		"/etc/debian_version", "/etc/lsb-release",    "/etc/os-release", "/etc/timezone",
		"/proc/cpuinfo",       "/proc/loadavg",       "/proc/meminfo",   "/proc/uptime",
		"/proc/version",       "/usr/lib/os-release",
	};
	static const char listed[][15] = { "/tmp",           "/usr",       "/usr/bin",
					   "/usr/lib",       "/usr/local", "/usr/local/bin",
					   "/usr/local/lib", "/usr/share", "/var/tmp" };

	for (size_t i = 0; i < countof(files); i++)
		if (sv_is(path, files[i]))
			return true;
	for (size_t i = 0; only_names && i < countof(listed); i++)
		if (sv_is(path, listed[i]))
			return true;
	return path_is_inside(path, SV("/usr/include")) ||
	       path_is_inside(path, SV("/usr/local/include"));
}

static bool is_process(struct sv name, bool *is_own)
{
	*is_own = sv_is(name, "self") || sv_is(name, "thread-self");
	return *is_own || (name.len > 0 && name.ptr[0] >= '0' && name.ptr[0] <= '9');
}

bool path_is_of_process(struct sv path, size_t *end, bool *is_own)
{
	static const char links[][10] = { "cwd", "fd", "map_files", "root", "task" };
	struct sv rest = sv_skip(path, strlen("/proc/")), name;

	if (!sv_starts(path, SV("/proc/")) || !path_next_component(&rest, &name) ||
	    !is_process(name, is_own) || !path_next_component(&rest, &name))
		return false;
	*end = (size_t)(name.ptr + name.len - path.ptr);
	return sv_is_among(name, links);
}

/* --- patterns ------------------------------------------------------------- */

struct pattern {
	struct sv text;
	enum { FROM_ROOT, FROM_HOME, FROM_SOURCE, FROM_DIRS } from;
	size_t up; /* parents of those */
	bool anchored, dir_only;
	bool wide; /* in any letter case and Unicode form */
};

/* "x/" and "x/" + "**" are the directory and everything below. */
static void path_cut_end(struct pattern *p)
{
	if (sv_is(p->text, "**")) {
		p->text = SV_EMPTY;
	} else if (sv_ends(p->text, SV("/**"))) {
		p->text.len -= 3;
		p->dir_only = true;
	}
	if (sv_ends(p->text, SV("/"))) {
		p->text.len--;
		p->dir_only = true;
	}
}

static void path_cut_start(struct pattern *p)
{
	struct sv text = p->text;

	if (sv_starts(text, SV("//"))) {
		p->from = FROM_ROOT;
		text = sv_skip(text, 2);
	} else if (sv_is(text, "~") || sv_starts(text, SV("~/"))) {
		p->from = FROM_HOME;
		text = sv_skip(text, 2);
	} else if (sv_starts(text, SV("/"))) {
		p->from = FROM_SOURCE;
		text = sv_skip(text, 1);
	} else if (sv_is(text, ".") || sv_starts(text, SV("./"))) {
		text = sv_skip(text, 2);
	} else if (sv_is(text, "..") || sv_starts(text, SV("../"))) {
		for (; sv_is(text, "..") || sv_starts(text, SV("../")); p->up++)
			text = sv_skip(text, 3);
	} else {
		return;
	}
	p->text = text;
	p->anchored = true;
}

/* As in .gitignore, a slash in the middle anchors a pattern. "gen" + "/" + "**" is any directory of that
 * name in a rule that forbids, and one at the top in a rule that allows. */
static struct pattern pattern_of(struct sv text, bool wide)
{
	struct pattern p = { .text = text, .from = FROM_DIRS, .wide = wide };
	struct sv before;

	path_cut_start(&p);
	before = p.text;
	path_cut_end(&p);
	if (sv_find_char(p.text, '/') != SIZE_MAX || (!wide && sv_ends(before, SV("/**"))))
		p.anchored = true;
	return p;
}

bool path_pattern_check(struct sv pattern, struct sv home, struct err *err)
{
	struct pattern p = pattern_of(pattern, true);
	struct sv rest = p.text, name;
	size_t bad_at;

	if (sv_find_char(pattern, '\0') != SIZE_MAX || !wildmatch_valid(p.text, &bad_at))
		return err_set(err, ERR_INVALID, "its pattern can match nothing");
	if (p.from == FROM_HOME && home.len == 0)
		return err_set(err, ERR_INVALID, "the home directory is not known");
	while (p.text.len > 0 && path_next_component(&rest, &name))
		if (name.len == 0 || sv_is(name, ".") || sv_is(name, ".."))
			return err_set(err, ERR_INVALID,
				       "its path has an empty component, a \".\" or a \"..\"");
	return true;
}

/* Characters that become ASCII letters when folded, or vanish. Nearly all other names need no folding. */
static bool path_folds_to_ascii(struct sv text)
{
	static const uint32_t letters[] = { 0xdf, 0x130, 0x149, 0x17f, 0x1f0, 0x212a };

	while (text.len > 0) {
		uint32_t rune;
		int n = utf8_decode(text, &rune);

		if (n < 0)
			return false; /* folding does not change it */
		for (size_t i = 0; i < countof(letters); i++)
			if (rune == letters[i])
				return true;
		if ((rune >= 0x1e96 && rune <= 0x1e9e) || (rune >= 0xfb00 && rune <= 0xfb06) ||
		    rune == 0xfe0f || (rune > 0x7f && invisible_misleads(rune)))
			return true;
		text = sv_skip(text, (size_t)n);
	}
	return false;
}

/* On some file systems a name has many spellings; a rule that forbids one forbids all of them. */
static bool is_match(const struct pattern *p, struct sv text, struct sv path, size_t *steps)
{
	defer(str_clear) struct str want = STR_INIT;
	defer(str_clear) struct str have = STR_INIT;

	if (!p->wide ||
	    (utf8_is_ascii(text) && (utf8_is_ascii(path) || !path_folds_to_ascii(path))))
		return wildmatch(text, path, p->wide, steps);
	utf8_fold(&want, text);
	utf8_fold(&have, path);
	return wildmatch(sv_of(&want), sv_of(&have), true, steps) ||
	       wildmatch(text, path, true, steps);
}

/* Matches every beginning of `rest` that ends with a component. */
static bool path_pattern_matches_below(const struct pattern *p, struct sv rest, bool is_dir,
				       size_t *steps)
{
	size_t from = 0, end;

	if (p->text.len == 0)
		return true;
	for (; from < rest.len; from = end + 1) {
		struct sv left = sv_skip(rest, from);

		end = from + min_of(sv_find_char(left, '/'), left.len);
		if (p->dir_only && end == rest.len && !is_dir)
			return false;
		if (is_match(p, p->text, sv_slice(rest, p->anchored ? 0 : from, end), steps))
			return true;
	}
	return false;
}

static struct sv path_cut_parent(struct sv dir, size_t up)
{
	while (up-- > 0)
		dir = sv_slice(dir, 0, min_of(sv_rfind_char(dir, '/'), dir.len));
	return dir;
}

/* Whether the pattern starts like `rest`, so that it may match something below. */
static bool path_leads_below(const struct pattern *p, struct sv rest, size_t *steps)
{
	struct sv pattern = p->text, wanted, name;

	while (p->anchored && rest.len > 0 && path_next_component(&rest, &name)) {
		if (!path_next_component(&pattern, &wanted))
			return false;
		if (sv_find(wanted, SV("**")) != SIZE_MAX)
			return true;
		if (!is_match(p, wanted, name, steps))
			return false;
	}
	return true;
}

/* A question about a path and a directory where a pattern starts. */
struct question {
	struct sv path;
	bool is_dir;
	bool below; /* about everything below `path` */
};

static bool path_matches_from(const struct pattern *p, struct sv dir, struct question q,
			      size_t *steps)
{
	struct sv from = path_cut_parent(dir, p->up), rest;

	if (!path_below(q.path, from, &rest))
		return q.below && path_below(from, q.path, &rest);
	return q.below ? path_leads_below(p, rest, steps)
		       : path_pattern_matches_below(p, rest, q.is_dir, steps);
}

static bool path_matches_anywhere(const struct path_scope *scope, struct sv pattern,
				  struct question q)
{
	struct pattern p = pattern_of(pattern, scope->wide);
	bool found = false;

	if (p.from == FROM_ROOT)
		found = path_matches_from(&p, SV("/"), q, scope->steps);
	else if (p.from == FROM_HOME)
		found = path_matches_from(&p, scope->home, q, scope->steps);
	else if (p.from == FROM_SOURCE && scope->root.len)
		found = path_matches_from(&p, scope->root, q, scope->steps);
	else
		for (size_t i = 0; i < scope->n && !found; i++)
			found = path_matches_from(&p, scope->dirs[i], q, scope->steps);
	return found || (scope->wide && *scope->steps == 0);
}

bool path_matches(const struct path_scope *scope, struct sv pattern, struct sv path, bool is_dir)
{
	return path_matches_anywhere(scope, pattern, (struct question){ path, is_dir, false });
}

bool path_matches_below(const struct path_scope *scope, struct sv pattern, struct sv dir)
{
	return path_matches_anywhere(scope, pattern, (struct question){ dir, true, true });
}

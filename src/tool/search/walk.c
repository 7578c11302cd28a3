#include "tool/search/walk.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "text/match/glob.h"

/* --- rules of the tree ------------------------------------------------------------ */

/* One ignore file; it overrides those above it. */
struct walk_rules {
	struct walk_rules *up;
	struct ignore ignore;
	size_t base; /* offset in `full` where the part that its rules match begins */
	int depth;   /* of its directory; -1 for the root and above */
};

static void walk_pop_rules(struct walk *w, enum walk_source source)
{
	struct walk_rules *rules = w->rules[source];

	w->rules[source] = rules->up;
	ignore_clear(&rules->ignore);
	free(rules);
}

/* A missing file, a directory or a file that is too big has no rules. */
static void walk_push_rules(struct walk *w, enum walk_source source, struct sv dir,
			    const char *name, int depth)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct walk_rules *rules;
	struct err ignored;

	fs_join(&path, dir, sv_cstr(name));
	if (!fs_read(&text, str_c(&path), LIMIT_IGNORE_BYTES, &ignored))
		return;
	rules = xnew(struct walk_rules);
	rules->up = w->rules[source];
	rules->base = dir.len + (dir.len > 1);
	rules->depth = depth;
	w->rules[source] = rules;
	if (!ignore_add(&rules->ignore, SV_EMPTY, sv_of(&text), &ignored))
		walk_pop_rules(w, source);
}

static void walk_enter_dir(struct walk *w, struct sv dir, int depth)
{
	if (w->no_ignore)
		return;
	walk_push_rules(w, WALK_GITIGNORE, dir, ".gitignore", depth);
	walk_push_rules(w, WALK_IGNORE, dir, ".ignore", depth);
}

static bool has_git(struct sv dir)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, dir, SV(".git"));
	return fs_exists(str_c(&path));
}

struct sv walk_top(struct sv root)
{
	struct sv dir = root;

	while (dir.len > 1 && !has_git(dir))
		dir = sv_slice(dir, 0, max_of(sv_rfind_char(dir, '/'), (size_t)1));
	return dir;
}

static void walk_load_rules_of(struct walk *w, struct sv dir)
{
	if (dir.len == w->top.len)
		walk_push_rules(w, WALK_GITIGNORE, dir, ".git/info/exclude", -1);
	if (dir.len >= w->top.len)
		walk_push_rules(w, WALK_GITIGNORE, dir, ".gitignore", -1);
	walk_push_rules(w, WALK_IGNORE, dir, ".ignore", -1);
}

/* Loads the rules of the root and of the directories above it, the topmost first. */
static void walk_load_rules(struct walk *w)
{
	if (w->no_ignore)
		return;
	if (!w->top.len)
		w->top = walk_top(w->root);
	for (size_t i = 0; i < w->root.len; i++)
		if (w->root.ptr[i] == '/')
			walk_load_rules_of(w, sv_slice(w->root, 0, max_of(i, (size_t)1)));
	if (w->root.len > 1)
		walk_load_rules_of(w, w->root);
}

/* --- hidden entries --------------------------------------------------------------- */

static const struct ignore_rule *walk_find_rule(const struct walk *w,
						const struct walk_entry *entry)
{
	const struct ignore_rule *rule = NULL;

	for (int source = 0; source < WALK_SOURCES && !rule; source++)
		for (const struct walk_rules *r = w->rules[source]; r && !rule; r = r->up)
			rule = ignore_find_entry(&r->ignore, sv_skip(entry->full, r->base),
						 entry->kind == FS_DIR);
	return rule;
}

static bool is_of_version_control(struct sv name)
{
	static const char names[][5] = { ".git", ".svn", ".hg", ".bzr", ".jj", ".sl" };

	return sv_is_among(name, names);
}

static bool walk_is_hidden(const struct walk *w, struct walk_entry *entry)
{
	bool is_dotted = entry->name.ptr[0] == '.', is_dir = entry->kind == FS_DIR;
	const struct ignore_rule *rule;

	if (is_dotted && is_of_version_control(entry->name))
		return true;
	rule = w->globs.rules.n
		       ? ignore_find_entry(&w->globs, sv_skip(entry->full, w->glob_base), is_dir)
		       : NULL;
	entry->is_wanted = rule && !rule->negated;
	if (rule)
		return rule->negated;
	if (w->only_globs && !is_dir)
		return true;
	rule = walk_find_rule(w, entry);
	return rule ? !rule->negated : w->skip_dotted && is_dotted;
}

/* --- walking ---------------------------------------------------------------------- */

static bool walk_is_over(struct walk *w)
{
	size_t most = w->max_entries ? w->max_entries : LIMIT_WALK_ENTRIES;

	if (w->job && tool_job_stopped(w->job))
		w->end = WALK_CANCELLED;
	else if (w->job && tool_job_late(w->job))
		w->end = WALK_LATE;
	else if (w->entries == most)
		w->end = WALK_FULL;
	return w->end != WALK_WHOLE;
}

static void walk_leave_dirs(struct walk *w, int depth)
{
	for (int source = 0; source < WALK_SOURCES; source++)
		while (w->rules[source] && w->rules[source]->depth >= depth)
			walk_pop_rules(w, (enum walk_source)source);
}

static enum fs_visit walk_look(void *arg, const struct fs_entry *found)
{
	struct walk *w = arg;
	struct walk_entry entry = { .path = found->path,
				    .name = found->name,
				    .kind = found->kind,
				    .depth = (size_t)found->depth };
	enum fs_visit next;

	if (walk_is_over(w))
		return FS_STOP;
	w->entries++;
	walk_leave_dirs(w, found->depth);
	str_truncate(&w->full, w->root.len);
	fs_join(&w->full, SV_EMPTY, found->path);
	entry.full = sv_of(&w->full);
	if (walk_is_hidden(w, &entry))
		return FS_SKIP;
	next = w->visit(w->arg, &entry);
	if (next == FS_STOP)
		w->end = WALK_ENOUGH;
	if (next == FS_GO_ON && found->kind == FS_DIR)
		walk_enter_dir(w, sv_of(&w->full), found->depth);
	return next;
}

/* The offset in a path below `root` of the part below `from`; 0 if it is not below `from`. */
static size_t walk_base_of(struct sv root, struct sv from)
{
	bool is_below = from.len == 1 || (sv_starts(root, from) &&
					  (root.len == from.len || root.ptr[from.len] == '/'));

	return from.len == 1 || !is_below ? 1 : from.len + 1;
}

bool walk_run(struct walk *w, struct err *err)
{
	bool ok;

	w->end = WALK_WHOLE;
	w->glob_base = walk_base_of(w->root, w->globs_below.len ? w->globs_below : w->root);
	str_set(&w->full, w->root);
	walk_load_rules(w);
	ok = fs_walk(w->root.ptr, walk_look, w, err);
	walk_leave_dirs(w, -1);
	return ok;
}

void walk_clear(struct walk *w)
{
	ignore_clear(&w->globs);
	str_clear(&w->full);
}

/* --- globs of the caller ---------------------------------------------------------- */

bool walk_add_glob(struct walk *w, struct sv glob, struct err *err)
{
	bool excludes = sv_starts(glob, SV("!"));
	defer(str_clear) struct str lines = STR_INIT;
	struct glob parts;

	if (!glob_init(&parts, sv_skip(glob, excludes), false, err))
		return false;
	for (size_t i = 0; i < parts.patterns.n; i++)
		str_addf(&lines, "%s%s%s\n", excludes ? "!" : "",
			 !excludes && parts.patterns.at[i][0] == '#' ? "\\" : "",
			 parts.patterns.at[i]);
	glob_clear(&parts);
	w->only_globs = w->only_globs || !excludes;
	return ignore_add(&w->globs, SV_EMPTY, sv_of(&lines), err);
}

/* --- messages ---------------------------------------------------------------------- */

void walk_explain(enum walk_end end, size_t entries, int64_t deadline_ms, struct str *out)
{
	if (end == WALK_LATE)
		str_addf(out, "Stopped after %lld s", (long long)deadline_ms / 1000);
	else if (end == WALK_FULL)
		str_addf(out, "Stopped after %zu files and directories", entries);
	else
		return;
	str_adds(out, ", so there may be more: use a deeper path.");
}

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

void walk_show_path(struct str *out, struct sv path)
{
	for (size_t i = 0; i < path.len; i++) {
		if (!is_control(path.ptr[i]))
			continue;
		utf8_repair(out, sv_slice(path, 0, i));
		str_addf(out, "\\x%02x", (unsigned char)path.ptr[i]);
		path = sv_skip(path, i + 1);
		i = SIZE_MAX; /* continue at the start of the rest */
	}
	utf8_repair(out, path);
}

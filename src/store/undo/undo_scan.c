/* A scan of a working directory: one stat for each file, as git does with its index. Only a file
 * whose size, times or inode differ from what is known is read.
 *
 * Files that .gitignore hides are kept as well, but after all others, so that a limit hits them
 * first. A hidden directory with too many files (a build tree, node_modules) is left out as a whole:
 * that is recorded at its path, and later scans do not enter it. That a directory cannot be read is
 * recorded likewise. .git is recorded as not kept, so that it is named when it has come or gone. */
#include "base/limits.h"
#include "store/undo/undo_internal.h"
#include "text/match/ignore.h"

/* An ignored file whose turn comes at the end. */
struct undo_later {
	char *path;
	struct fs_info info;
	bool is_closed;
};

struct undo_scanner {
	struct undo *h;
	struct sv root;
	int64_t wall_ms;
	struct str *lines;
	struct str path;      /* of the entry, absolute */
	struct ignore ignore; /* with "/" as the root of the tree */
	struct str ignored;   /* the topmost ignored directory that we are in; empty: none */
	size_t ignored_at;    /* where the entries below it begin in `later` */
	VEC(struct undo_later) later;
	VEC(char *) closed; /* directories that cannot be read */
	size_t entries;
	bool is_cut;
};

static bool undo_scan_is_below(struct sv path, struct sv dir)
{
	return path.len > dir.len && sv_starts(path, dir) &&
	       (dir.len == 1 || path.ptr[dir.len] == '/');
}

static void undo_scan_learn(struct undo_scanner *s, const char *path, const struct fs_info *info,
			    bool is_closed)
{
	struct undo_state state;

	undo_observe(s->h, path, info, s->wall_ms, &state);
	state.is_closed = is_closed;
	if (is_closed)
		vec_push(&s->closed, xstrdup(path));
	if (undo_learn(s->h, sv_cstr(path), &state))
		undo_log_state(s->lines, sv_cstr(path), &state);
}

static void undo_scan_drop_later(struct undo_scanner *s, size_t from)
{
	while (s->later.n > from)
		free(vec_pop(&s->later).path);
}

/* The directory has too many ignored files. */
static void undo_scan_leave_out(struct undo_scanner *s)
{
	struct undo_state state = undo_state_left_out(s->h->limits.ignored_files);
	struct sv dir = sv_of(&s->ignored);

	undo_scan_drop_later(s, s->ignored_at);
	map_put(&s->h->left_out, dir, s->h);
	if (undo_learn(s->h, dir, &state))
		undo_log_state(s->lines, dir, &state);
	s->h->toll.unkept++;
}

static void undo_scan_add_rules(struct undo_scanner *s, struct sv dir)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	struct err ignored = ERR_INIT;

	fs_join(&path, dir, SV(".gitignore"));
	if (fs_read(&text, path.ptr, LIMIT_IGNORE_BYTES, &ignored))
		(void)!ignore_add(&s->ignore, sv_skip(dir, 1), sv_of(&text), &ignored);
}

/* The rules of the repository above the root. */
static void undo_scan_add_outer_rules(struct undo_scanner *s)
{
	VEC(size_t) ends = VEC_INIT;
	struct sv dir = s->root;

	while (dir.len > 1) {
		defer(str_clear) struct str git = STR_INIT;

		vec_push(&ends, dir.len);
		fs_join(&git, dir, SV(".git"));
		if (fs_exists(git.ptr))
			break;
		dir = sv_slice(dir, 0, max_of(sv_rfind_char(dir, '/'), (size_t)1));
	}
	while (ends.n)
		undo_scan_add_rules(s, sv_slice(s->root, 0, vec_pop(&ends)));
	vec_clear(&ends);
}

/* Whether the entry is ignored; enters and leaves ignored directories. */
static bool undo_scan_is_ignored(struct undo_scanner *s, enum fs_kind kind)
{
	struct sv path = sv_of(&s->path);
	const struct ignore_rule *rule;

	if (s->ignored.len && undo_scan_is_below(path, sv_of(&s->ignored)))
		return true;
	str_truncate(&s->ignored, 0);
	rule = ignore_find_entry(&s->ignore, sv_skip(path, 1), kind == FS_DIR);
	if (!rule || rule->negated)
		return false;
	if (kind == FS_DIR) {
		str_set(&s->ignored, path);
		s->ignored_at = s->later.n;
	}
	return true;
}

static enum fs_visit undo_scan_ignored(struct undo_scanner *s, const struct fs_info *info,
				       bool is_closed)
{
	struct sv path = sv_of(&s->path);

	if (map_get(&s->h->left_out, path)) {
		struct undo_known *known = map_get(&s->h->now, path);

		if (known)
			known->seen = s->h->scans;
		return FS_SKIP;
	}
	if (s->ignored.len && map_get(&s->h->left_out, sv_of(&s->ignored)))
		return FS_SKIP; /* it has just been left out */
	vec_push(&s->later,
		 ((struct undo_later){
			 .path = xstrdup(s->path.ptr), .info = *info, .is_closed = is_closed }));
	if (s->ignored.len && s->later.n - s->ignored_at > s->h->limits.ignored_files)
		undo_scan_leave_out(s);
	return FS_GO_ON;
}

static bool undo_scan_is_over(struct undo_scanner *s)
{
	if (atomic_load_explicit(&s->h->hurry, memory_order_relaxed) ||
	    s->entries > LIMIT_UNDO_ENTRIES || s->h->failure.kind != ERR_NONE)
		s->is_cut = true;
	return s->is_cut;
}

/* Only what almost nobody restricts needs a second system call. */
static bool undo_scan_is_closed(const struct fs_entry *entry, const struct fs_info *info)
{
	bool is_usual = (info->mode & 0555) == 0555 && entry->depth + 1 < LIMIT_WALK_DEPTH;

	return info->kind == FS_DIR && !is_usual && !fs_entry_is_open(entry);
}

static enum fs_visit undo_scan_git(struct undo_scanner *s)
{
	struct undo_state state = { .kind = UNDO_UNKEPT, .text = xstrdup("awl leaves .git alone") };

	if (undo_learn(s->h, sv_of(&s->path), &state))
		undo_log_state(s->lines, sv_of(&s->path), &state);
	return FS_SKIP;
}

static enum fs_visit undo_scan_visit(void *arg, const struct fs_entry *entry)
{
	struct undo_scanner *s = arg;
	struct fs_info info;
	bool is_closed;

	str_truncate(&s->path, 0);
	fs_join(&s->path, s->root, entry->path);
	s->entries++;
	if (undo_scan_is_over(s))
		return FS_STOP;
	if (sv_is(entry->name, ".git"))
		return undo_scan_git(s);
	if (sv_is(sv_of(&s->path), s->h->skip ? s->h->skip : "") || !fs_entry_info(&info, entry))
		return FS_SKIP;
	is_closed = undo_scan_is_closed(entry, &info);
	if (undo_scan_is_ignored(s, info.kind))
		return undo_scan_ignored(s, &info, is_closed);
	if (sv_is(entry->name, ".gitignore") && entry->depth)
		undo_scan_add_rules(
			s, sv_slice(sv_of(&s->path), 0, s->path.len - strlen("/.gitignore")));
	undo_scan_learn(s, s->path.ptr, &info, is_closed);
	return FS_GO_ON;
}

static void undo_scan_ignored_files(struct undo_scanner *s)
{
	for (size_t i = 0; i < s->later.n && !undo_scan_is_over(s); i++)
		undo_scan_learn(s, s->later.at[i].path, &s->later.at[i].info,
				s->later.at[i].is_closed);
	undo_scan_drop_later(s, 0);
	vec_clear(&s->later);
}

/* Whether the path is in a directory that was not entered. */
static bool undo_scan_was_skipped(const struct undo *h, struct sv path)
{
	for (size_t i = path.len; h->left_out.n && i-- > 1;)
		if (path.ptr[i] == '/' && map_get(&h->left_out, sv_slice(path, 0, i)))
			return true;
	return false;
}

static bool undo_scan_is_below_closed(const struct undo_scanner *s, struct sv path)
{
	for (size_t i = 0; i < s->closed.n; i++)
		if (undo_scan_is_below(path, sv_cstr(s->closed.at[i])))
			return true;
	return false;
}

/* What a complete scan has not found is gone, unless it could not look there; of what another one has
 * not found we know nothing. */
static void undo_scan_find_missing(struct undo_scanner *s)
{
	struct undo *h = s->h;
	struct sv path;
	void *value;

	for (size_t i = 0; map_next(&h->now, &i, &path, &value);) {
		struct undo_known *known = value;
		bool is_closed;

		if (known->seen == h->scans || known->state.kind == UNDO_ABSENT ||
		    !undo_scan_is_below(path, s->root) || undo_scan_was_skipped(h, path))
			continue;
		is_closed = undo_scan_is_below_closed(s, path);
		if (is_closed && undo_state_is_unreached(&known->state))
			continue;
		undo_state_clear(&known->state);
		known->state = s->is_cut || is_closed ? undo_state_unreached(is_closed)
						      : (struct undo_state){ .kind = UNDO_ABSENT };
		if (known->state.kind == UNDO_ABSENT)
			map_remove(&h->left_out, path);
		undo_log_state(s->lines, path, &known->state);
	}
}

bool undo_scan(struct undo *h, struct sv root, int64_t wall_ms, struct str *lines)
{
	struct undo_scanner s = {
		.h = h, .root = root, .wall_ms = wall_ms, .lines = lines, .ignore = IGNORE_INIT
	};
	defer(mem_freep) char *dir = sv_dup(root);
	struct err err = ERR_INIT;

	h->scans++;
	undo_scan_add_outer_rules(&s);
	if (!fs_walk(dir, undo_scan_visit, &s, &err))
		s.is_cut = true;
	undo_scan_ignored_files(&s);
	undo_scan_find_missing(&s);
	h->toll.files += s.entries;
	while (s.closed.n)
		free(vec_pop(&s.closed));
	vec_clear(&s.closed);
	str_clear(&s.path);
	str_clear(&s.ignored);
	ignore_clear(&s.ignore);
	return !s.is_cut;
}

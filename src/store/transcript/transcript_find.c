/* Finding a session: by its file, its id, a part of that, or its title. */
#include "base/limits.h"
#include "base/utf8.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_line.h"
#include "store/transcript/transcript_tail.h"

enum { PREFIX_MIN = 8, LISTED = 5 };

struct session {
	char *path;
	int64_t mtime_ns;
};

struct sessions {
	VEC(struct session) list;
};

static void sessions_clear(struct sessions *s)
{
	for (size_t i = 0; i < s->list.n; i++)
		free(s->list.at[i].path);
	vec_clear(&s->list);
}

/* --- which there are ------------------------------------------------------------- */

static const struct sv suffix = SV_INIT(".jsonl");

/* The id that a file is named after. */
static struct sv transcript_find_id_of(struct sv path)
{
	struct sv name = sv_basename(path);

	return sv_ends(name, suffix) ? sv_slice(name, 0, name.len - suffix.len) : SV_EMPTY;
}

struct listing {
	struct sessions *out;
	struct sv dir;
	struct sv prefix; /* of the id */
};

static enum fs_visit transcript_find_list_file(void *arg, const struct fs_entry *entry)
{
	struct listing *l = arg;
	defer(str_clear) struct str path = STR_INIT;
	struct sv id = transcript_find_id_of(entry->name);
	struct fs_info info;
	struct err ignored;

	fs_join(&path, l->dir, entry->name);
	if (id.len && sv_starts(id, l->prefix) && fs_info(&info, str_c(&path), true, &ignored) &&
	    info.kind == FS_FILE)
		vec_push(&l->out->list, ((struct session){ .path = str_detach(&path),
							   .mtime_ns = info.mtime_ns }));
	return FS_SKIP;
}

/* A directory that is not there has no sessions. */
static void transcript_find_list_dir(struct sessions *out, const char *dir, struct sv prefix)
{
	struct listing l = { .out = out, .dir = sv_cstr(dir), .prefix = prefix };
	struct err ignored;

	if (!fs_walk(dir, transcript_find_list_file, &l, &ignored))
		return;
}

struct projects {
	struct sessions *out;
	struct sv root, prefix;
};

static enum fs_visit transcript_find_list_project(void *arg, const struct fs_entry *entry)
{
	struct projects *p = arg;
	defer(str_clear) struct str dir = STR_INIT;

	fs_join(&dir, p->root, entry->name);
	if (entry->kind == FS_DIR || entry->kind == FS_LINK)
		transcript_find_list_dir(p->out, str_c(&dir), p->prefix);
	return FS_SKIP;
}

static int transcript_find_newest_first(const void *a, const void *b)
{
	const struct session *x = a, *y = b;

	if (x->mtime_ns != y->mtime_ns)
		return x->mtime_ns < y->mtime_ns ? 1 : -1;
	return strcmp(y->path, x->path);
}

static void transcript_find_sort(struct sessions *s)
{
	if (s->list.n)
		qsort(s->list.at, s->list.n, sizeof(s->list.at[0]), transcript_find_newest_first);
}

static void transcript_find_list_here(struct sessions *out, struct sv config_dir, struct sv cwd,
				      struct sv prefix)
{
	defer(str_clear) struct str dir = STR_INIT;

	transcript_dir(&dir, config_dir, cwd);
	transcript_find_list_dir(out, str_c(&dir), prefix);
	transcript_find_sort(out);
}

static void transcript_find_list_all(struct sessions *out, struct sv config_dir, struct sv prefix)
{
	defer(str_clear) struct str root = STR_INIT;
	struct projects p = { .out = out, .prefix = prefix };
	struct err ignored;

	fs_join(&root, config_dir, SV("projects"));
	p.root = sv_of(&root);
	if (fs_walk(str_c(&root), transcript_find_list_project, &p, &ignored))
		transcript_find_sort(out);
}

/* --- what is in them ------------------------------------------------------------- */

static bool transcript_find_says_something(const char *path)
{
	defer(tail_close) struct tail t = TAIL_INIT;
	struct tail_line where;
	struct line line;
	struct err ignored;

	if (!tail_open(&t, path, &ignored))
		return false;
	while (tail_prev(&t, &where, &ignored) && !where.end)
		if (line_read(&line, where.text) && !line_flag(line.side_chain) &&
		    line_is_said(&line))
			return true;
	return false;
}

/* Looks through the lines that end after `offset`. Titles are few, so most lines
 * are not even looked at. */
static bool find_title(struct str *out, struct tail *t, int64_t offset)
{
	struct tail_line where;
	struct err ignored;
	struct line line;

	while (tail_reached(t) > offset && tail_prev(t, &where, &ignored) && !where.end) {
		if (sv_find(where.text, SV("custom-title")) == SIZE_MAX ||
		    !line_read(&line, where.text) || !line_is(&line, "custom-title"))
			continue;
		line_text(out, line.title);
		return true;
	}
	return false;
}

/* Where transcript_load() would find it, too. */
static bool has_title(const char *path, struct sv title)
{
	defer(tail_close) struct tail t = TAIL_INIT;
	defer(str_clear) struct str found = STR_INIT;
	struct err ignored;

	if (!tail_open(&t, path, &ignored))
		return false;
	if (!find_title(&found, &t, t.size - (int64_t)LIMIT_TRANSCRIPT_TAIL) &&
	    (!tail_jump(&t, LIMIT_TRANSCRIPT_HEAD, &ignored) || !find_title(&found, &t, 0)))
		return false;
	return sv_eq_nocase(sv_of(&found), title);
}

static void transcript_find_keep_titled(struct sessions *s, struct sv title)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->list.n; i++) {
		if (has_title(s->list.at[i].path, title))
			s->list.at[kept++] = s->list.at[i];
		else
			free(s->list.at[i].path);
	}
	s->list.n = kept;
}

/* --- finding --------------------------------------------------------------------- */

static bool transcript_find_is_digits(struct sv s)
{
	for (size_t i = 0; i < s.len; i++)
		if (sv_find_char(SV("0123456789abcdef-"), s.ptr[i]) == SIZE_MAX)
			return false;
	return true;
}

static void transcript_find_lower(struct str *s)
{
	for (size_t i = 0; i < s->len; i++)
		if (s->ptr[i] >= 'A' && s->ptr[i] <= 'Z')
			s->ptr[i] |= 0x20;
}

static bool transcript_find_too_many(const struct sessions *s, struct sv what, struct err *err)
{
	defer(str_clear) struct str ids = STR_INIT;
	struct sv shown = utf8_prefix(what, 16);

	for (size_t i = 0; i < min_of(s->list.n, (size_t)LISTED); i++)
		str_addf(&ids, "%s%.*s", i ? ", " : "",
			 SV_ARG(transcript_find_id_of(sv_cstr(s->list.at[i].path))));
	return err_set(err, ERR_INVALID, "\"%.*s%s\" is %zu sessions: %s%s", SV_ARG(shown),
		       shown.len < what.len ? "..." : "", s->list.n, str_c(&ids),
		       s->list.n > LISTED ? "..." : "");
}

/* What to look for, and where. */
struct query {
	struct sv config_dir, cwd;
	struct sv what;
	bool by_title; /* else by the beginning of an id */
};

/* Appends the path when exactly one fits. Of copies of one session, the newest
 * does. */
static bool transcript_find_choose(struct str *path, struct sessions *s, const struct query *q,
				   struct err *err)
{
	if (q->by_title)
		transcript_find_keep_titled(s, q->what);
	if (s->list.n > 1 && !uuid_valid(q->what))
		return transcript_find_too_many(s, q->what, err);
	if (s->list.n)
		str_adds(path, s->list.at[0].path);
	return true;
}

/* Nothing found is a success too. */
static bool transcript_find_look_for(struct str *path, const struct query *q, struct err *err)
{
	defer(sessions_clear) struct sessions here = { .list = VEC_INIT };
	defer(sessions_clear) struct sessions all = { .list = VEC_INIT };
	struct sv prefix = q->by_title ? SV_EMPTY : q->what;
	size_t before = path->len;

	transcript_find_list_here(&here, q->config_dir, q->cwd, prefix);
	if (!transcript_find_choose(path, &here, q, err))
		return false;
	if (path->len > before)
		return true;
	transcript_find_list_all(&all, q->config_dir, prefix);
	return transcript_find_choose(path, &all, q, err);
}

static bool find_file(struct str *path, struct sv what, struct err *err)
{
	defer(mem_freep) char *name = sv_dup(what);
	struct fs_info info;

	if (!fs_info(&info, name, true, err))
		return false;
	if (info.kind != FS_FILE)
		return err_set(err, ERR_INVALID, "%s: is not a file", name);
	str_add(path, what);
	return true;
}

bool transcript_find(struct str *path, struct sv config_dir, struct sv cwd, struct sv what,
		     struct err *err)
{
	defer(str_clear) struct str id = STR_INIT;
	struct query q = { .config_dir = config_dir, .cwd = cwd };
	size_t before = path->len;

	if (sv_find_char(what, '/') != SIZE_MAX || sv_ends(what, suffix))
		return find_file(path, what, err);
	str_add(&id, what);
	transcript_find_lower(&id);
	q.what = sv_of(&id);
	if (id.len >= PREFIX_MIN && transcript_find_is_digits(q.what) &&
	    !transcript_find_look_for(path, &q, err))
		return false;
	q.what = what;
	q.by_title = true;
	if (path->len == before && what.len && !uuid_valid(what) &&
	    !transcript_find_look_for(path, &q, err))
		return false;
	return path->len > before ||
	       err_set(err, ERR_NOT_FOUND, "there is no session \"%.*s\"", SV_ARG(what));
}

bool transcript_newest(struct str *path, struct sv config_dir, struct sv cwd)
{
	defer(sessions_clear) struct sessions s = { .list = VEC_INIT };

	transcript_find_list_here(&s, config_dir, cwd, SV_EMPTY);
	for (size_t i = 0; i < s.list.n; i++) {
		if (transcript_find_says_something(s.list.at[i].path)) {
			str_adds(path, s.list.at[i].path);
			return true;
		}
	}
	return false;
}

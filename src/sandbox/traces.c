#include "sandbox/traces.h"

#include <sys/stat.h>

#include "base/limits.h"
#include "perm/path/path.h"
#include "sandbox/protected.h"
#include "sys/fs.h"

enum { SHOWN = 10 };

struct search {
	const struct sandbox_config *config;
	struct sandbox_traces *traces;
	struct sv root;
	size_t seen, found;
	struct str *out; /* the new names; NULL: take all as known */
};

/* Looks among the first `n` of the list. */
static bool traces_has(const sandbox_list *list, size_t n, struct sv path)
{
	for (size_t i = 0; i < n; i++)
		if (list->at[i] && sv_eq(sv_cstr(list->at[i]), path))
			return true;
	return false;
}

/* A command cannot create these. They may be placeholders for another command. What the scan added to
 * the list exists, and may be new. */
static bool traces_is_denied(const struct search *s, struct sv path)
{
	defer(str_clear) struct str dir = STR_INIT;

	str_addf(&dir, "%.*s/", SV_ARG(path));
	return traces_has(&s->config->readonly, s->config->nreadonly, path) ||
	       traces_has(&s->config->readonly, s->config->nreadonly, sv_of(&dir));
}

static enum fs_visit traces_note_any(void *arg,
				     __attribute__((unused)) const struct fs_entry *entry)
{
	*(bool *)arg = true;
	return FS_STOP;
}

/* Whether it is a placeholder of another sandbox in the same directory (placeholder.h): its sticky
 * bit is set, and a program finds nothing in it to act on. What is written into it later is
 * new. */
static bool traces_is_placeholder(const char *path)
{
	defer(str_clear) struct str content = STR_INIT;
	struct fs_info info;
	struct err ignored;
	bool has_any = false;

	if (!fs_info(&info, path, false, &ignored))
		return true; /* it is gone */
	if (!(info.mode & S_ISVTX))
		return false;
	if (info.kind == FS_DIR)
		return fs_walk(path, traces_note_any, &has_any, &ignored) && !has_any;
	return info.kind == FS_FILE && info.size <= 3 && fs_read(&content, path, 3, &ignored) &&
	       (!content.len || sv_is(sv_of(&content), "{}\n"));
}

static void traces_add(struct search *s, struct sv path)
{
	if (traces_has(&s->traces->known, s->traces->known.n, path) || traces_is_denied(s, path))
		return;
	if (s->out && traces_is_placeholder(arena_dup(&s->traces->arena, path).ptr))
		return;
	vec_push(&s->traces->known, arena_dup(&s->traces->arena, path).ptr);
	if (s->out && s->found++ < SHOWN)
		str_addf(s->out, "%s%.*s", s->found > 1 ? ", " : "", SV_ARG(path));
}

static bool traces_has_beside(struct sv head, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err ignored;

	fs_join(&path, path_parent(head), sv_cstr(name));
	return fs_info(&info, str_c(&path), false, &ignored);
}

/* Whether git may take the directory that contains this HEAD for a repository. A HEAD may be a link
 * that leads nowhere, and the file "commondir" says where everything else is. */
static bool traces_is_bare(struct sv head)
{
	return traces_has_beside(head, "refs") || traces_has_beside(head, "commondir");
}

static enum fs_visit traces_visit(void *arg, const struct fs_entry *entry)
{
	struct search *s = arg;
	defer(str_clear) struct str path = STR_INIT;
	struct sv what;

	if (++s->seen > LIMIT_SANDBOX_NEAR)
		return FS_STOP;
	fs_join(&path, s->root, entry->path);
	/* Not the whole path: the root itself may lie in a protected directory. */
	if (path_is_protected(sv_skip(sv_of(&path), s->root.len), &what)) {
		traces_add(s, sv_of(&path));
		return FS_SKIP;
	}
	if (sv_is(entry->name, "HEAD") && entry->kind != FS_DIR && traces_is_bare(sv_of(&path)))
		traces_add(s, path_parent(sv_of(&path)));
	return entry->depth < TRACES_DEPTH && !sv_is(entry->name, "node_modules") ? FS_GO_ON
										  : FS_SKIP;
}

static void traces_search(struct search *s)
{
	const struct sandbox_dirs *dirs = &s->config->dirs;
	struct err ignored;

	if (s->config->any_file)
		return;
	for (size_t i = 0; i <= dirs->nothers; i++) {
		s->root = i ? dirs->others[i - 1] : dirs->project;
		if (s->root.len)
			(void)!fs_walk(arena_dup(&s->traces->arena, s->root).ptr, traces_visit, s,
				       &ignored);
	}
}

void sandbox_traces_clear(struct sandbox_traces *traces)
{
	vec_clear(&traces->known);
	arena_clear(&traces->arena);
}

void sandbox_traces_begin(struct sandbox_traces *traces, const struct sandbox_config *config)
{
	struct search s = { .config = config, .traces = traces };

	sandbox_traces_clear(traces);
	traces_search(&s);
}

void sandbox_traces_report(struct sandbox_traces *traces, const struct sandbox_config *config,
			   struct str *out)
{
	defer(str_clear) struct str names = STR_INIT;
	struct search s = { .config = config, .traces = traces, .out = &names };

	traces_search(&s);
	if (!s.found)
		return;
	str_addf(out, "While a command ran in the sandbox, this was created: %s", str_c(&names));
	if (s.found > SHOWN)
		str_addf(out, " and %zu more", s.found - SHOWN);
	str_adds(out,
		 ". Git, editors or other programs act on such files by themselves, outside the "
		 "sandbox. Check them before you use such a program there.");
}

#include "text/glob.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "sys/fs.h"
#include "text/ignore.h"
#include "text/json_write.h"
#include "text/wild.h"
#include "tool/builtins.h"
#include "tool/job.h"

struct found {
	char *path; /* relative to the start of the walk; owned */
	int64_t mtime_ns;
};

struct glob_job {
	struct tool_job job;
	struct arena arena;
	struct sv dir;   /* that the call names */
	struct sv start; /* of the walk: `dir` and what the pattern begins with */
	struct sv tree;  /* whose ignore files count: the repository around `start` */
	struct glob glob;
	size_t max_slashes; /* in a path that can match */
	struct ignore ignore;
	VEC(struct found) newest; /* sorted */
	size_t matches, visited;
	int64_t began;
};

/* --- where to look ---------------------------------------------------------------- */

/* The part of the pattern that is plain directories need not be searched for: it goes
 * to `*start`, and `*rest` is what is matched below there. */
static struct sv split(const struct tool_call *call, struct arena *arena, struct sv *rest)
{
	struct sv pattern = json_str_or(json_get(call->input, "pattern"), SV_EMPTY);
	struct sv path = json_str_or(json_get(call->input, "path"), SV_EMPTY);
	size_t literal = min_of(wild_literal_prefix(pattern), sv_find_char(pattern, '{'));
	size_t slash = sv_rfind_char(sv_slice(pattern, 0, literal), '/');
	struct sv start = sv_slice(pattern, 0, slash + 1); /* SIZE_MAX + 1 is 0 */

	*rest = sv_skip(pattern, start.len);
	if (sv_starts(start, SV("/")) || sv_starts(start, SV("~/")))
		return tool_path(call->room, start, arena);
	path = tool_path(call->room, path, arena);
	return tool_path(call->room, arena_printf(arena, "%s/%.*s", path.ptr, SV_ARG(start)),
			 arena);
}

/* Longer ones cannot match, so there is no need to go as deep as they lie. */
static size_t slashes_in(const struct glob *glob)
{
	size_t most = 0;

	for (size_t i = 0; i < glob->patterns.n; i++) {
		struct sv rest = sv_cstr(glob->patterns.at[i]), part;
		size_t n = 0;

		if (sv_find(rest, SV("**")) != SIZE_MAX)
			return SIZE_MAX;
		while (sv_cut(&rest, '/', &part))
			n++;
		most = max_of(most, n);
	}
	return most - min_of(most, (size_t)1);
}

/* --- what is hidden --------------------------------------------------------------- */

/* `path` as seen from `tree`, "" for itself; it is there or below. */
static struct sv inside(struct sv tree, struct sv path)
{
	size_t n = sv_is(tree, "/") ? 1 : tree.len + 1;

	return sv_skip(path, n);
}

/* A file that is missing or too big has no rules. */
static void add_ignore_file(struct glob_job *g, struct sv dir, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored;

	fs_join(&path, dir, sv_cstr(name));
	if (!fs_read(&text, str_c(&path), LIMIT_IGNORE_BYTES, &ignored) ||
	    !ignore_add(&g->ignore, inside(g->tree, dir), sv_of(&text), &ignored))
		return;
}

static bool has_git(struct sv dir)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, dir, SV(".git"));
	return fs_exists(str_c(&path));
}

static struct sv parent_of(struct sv dir)
{
	return sv_slice(dir, 0, max_of(sv_rfind_char(dir, '/'), (size_t)1));
}

/* The rules from the top of the repository down to the start. */
static void load_ignore(struct glob_job *g)
{
	struct sv dir = g->start;
	size_t at;

	while (!has_git(dir) && dir.len > 1)
		dir = parent_of(dir);
	g->tree = has_git(dir) ? dir : g->start;
	add_ignore_file(g, g->tree, ".git/info/exclude");
	add_ignore_file(g, g->tree, ".gitignore");
	for (at = g->tree.len + 1; at < g->start.len; at++)
		if (g->start.ptr[at] == '/')
			add_ignore_file(g, sv_slice(g->start, 0, at), ".gitignore");
	if (g->start.len > g->tree.len)
		add_ignore_file(g, g->start, ".gitignore");
}

static bool is_hidden(const struct glob_job *g, const struct fs_entry *entry, struct sv full)
{
	static const char *const vcs[] = { ".git", ".svn", ".hg", ".bzr", ".jj", ".sl" };
	const struct ignore_rule *rule;

	for (size_t i = 0; i < countof(vcs); i++)
		if (sv_is(entry->name, vcs[i]))
			return true;
	rule = ignore_find_entry(&g->ignore, inside(g->tree, full), entry->kind == FS_DIR);
	return rule && !rule->negated;
}

/* --- the search ------------------------------------------------------------------- */

static bool is_newer(const struct found *a, const struct found *b)
{
	if (a->mtime_ns != b->mtime_ns)
		return a->mtime_ns > b->mtime_ns;
	return strcmp(a->path, b->path) < 0;
}

/* Among the newest, if it is one. */
static void add_found(struct glob_job *g, struct found found)
{
	size_t at = g->newest.n;

	vec_push(&g->newest, found);
	for (; at > 0 && is_newer(&found, &g->newest.at[at - 1]); at--)
		g->newest.at[at] = g->newest.at[at - 1];
	g->newest.at[at] = found;
	if (g->newest.n > LIMIT_GLOB_SHOWN)
		free(vec_pop(&g->newest).path);
}

static void consider(struct glob_job *g, const struct fs_entry *entry, const struct str *full)
{
	struct fs_info info;
	struct err ignored;

	if (!glob_match(&g->glob, entry->path) || !fs_info(&info, str_c(full), true, &ignored) ||
	    info.kind != FS_FILE)
		return;
	g->matches++;
	add_found(g, (struct found){ sv_dup(entry->path), info.mtime_ns });
}

static enum fs_visit visit(void *arg, const struct fs_entry *entry)
{
	struct glob_job *g = arg;
	defer(str_clear) struct str full = STR_INIT;

	if (tool_job_stopped(&g->job) || ++g->visited > LIMIT_GLOB_VISITED)
		return FS_STOP;
	fs_join(&full, g->start, entry->path);
	if (is_hidden(g, entry, sv_of(&full)))
		return FS_SKIP;
	if (entry->kind != FS_DIR)
		consider(g, entry, &full);
	else if ((size_t)entry->depth >= g->max_slashes)
		return FS_SKIP;
	else
		add_ignore_file(g, sv_of(&full), ".gitignore");
	return FS_GO_ON;
}

static bool glob_run(struct tool_job *job, struct err *err)
{
	struct glob_job *g = (struct glob_job *)job;
	struct tool_result *result = &job->call->result;
	struct fs_info info;

	if (!fs_info(&info, g->dir.ptr, true, err) || info.kind != FS_DIR) {
		tool_fail(result, "There is no directory %s.", g->dir.ptr);
	} else if (fs_exists(g->start.ptr)) { /* else the pattern matches nothing */
		load_ignore(g);
		if (!fs_walk(g->start.ptr, visit, g, err))
			tool_fail(result, "Cannot search: %s.", err->text);
	}
	return true;
}

/* --- the result ------------------------------------------------------------------- */

static void add_text(const struct glob_job *g, struct str *out)
{
	defer(str_clear) struct str list = STR_INIT;

	for (size_t i = 0; i < g->newest.n; i++) {
		fs_join(&list, g->start, sv_cstr(g->newest.at[i].path));
		str_addc(&list, '\n');
	}
	utf8_repair(out, sv_of(&list));
	if (!g->newest.n)
		str_adds(out, "No files found\n");
	if (g->matches > g->newest.n)
		str_addf(out, "(The newest %zu of %zu: use a narrower pattern or path.)\n",
			 g->newest.n, g->matches);
	if (g->visited > LIMIT_GLOB_VISITED)
		str_addf(out,
			 "(Stopped after %d files and directories: name a path further down.)\n",
			 LIMIT_GLOB_VISITED);
	str_truncate(out, out->len - 1);
}

static void add_data(const struct glob_job *g, struct str *out)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_int(&w, "durationMs", loop_now(g->job.op.loop) - g->began);
	jw_put_uint(&w, "numFiles", g->newest.n);
	jw_put_array(&w, "filenames");
	for (size_t i = 0; i < g->newest.n; i++)
		jw_strf(&w, "%s%s%s", g->start.ptr, g->start.len > 1 ? "/" : "",
			g->newest.at[i].path);
	jw_end(&w);
	jw_put_bool(&w, "truncated", g->matches > g->newest.n || g->visited > LIMIT_GLOB_VISITED);
	jw_end(&w);
	jw_done(&w);
}

static void glob_finish(struct tool_job *job)
{
	struct glob_job *g = (struct glob_job *)job;

	if (job->call->result.is_error)
		return;
	add_text(g, &job->call->result.text);
	add_data(g, &job->call->result.data);
}

/* --- its life --------------------------------------------------------------------- */

static void glob_prepare(struct tool_job *job)
{
	struct glob_job *g = (struct glob_job *)job;
	struct sv path = json_str_or(json_get(job->call->input, "path"), SV_EMPTY), rest;
	struct err err;

	g->began = loop_now(job->op.loop);
	g->dir = tool_path(job->call->room, path, &g->arena);
	g->start = split(job->call, &g->arena, &rest);
	if (!glob_init(&g->glob, rest, false, &err))
		BUG("a pattern that was checked: %s", err.text);
	g->max_slashes = slashes_in(&g->glob);
}

static void glob_job_clear(struct tool_job *job)
{
	struct glob_job *g = (struct glob_job *)job;

	for (size_t i = 0; i < g->newest.n; i++)
		free(g->newest.at[i].path);
	vec_clear(&g->newest);
	ignore_clear(&g->ignore);
	glob_clear(&g->glob);
	arena_clear(&g->arena);
}

static const struct tool_job_type glob_type = { .size = sizeof(struct glob_job),
						.prepare = glob_prepare,
						.run = glob_run,
						.finish = glob_finish,
						.clear = glob_job_clear };

static struct op *glob_start(struct tool_call *call, struct then then)
{
	return tool_job_start(call, &glob_type, then);
}

static bool glob_check(const struct tool_call *call, struct err *err)
{
	struct sv pattern = json_str_or(json_get(call->input, "pattern"), SV_EMPTY);
	struct glob glob;

	if (!pattern.len)
		return err_set(err, ERR_INVALID, "The pattern is empty.");
	if (!glob_init(&glob, pattern, false, err))
		return false;
	glob_clear(&glob);
	return true;
}

static void glob_wish(const struct tool_call *call, struct arena *arena, struct wish *out)
{
	struct sv rest;

	out->access = ACCESS_READ;
	out->path = tool_real_path(call->room, split(call, arena, &rest), arena);
}

static bool always(__attribute__((unused)) struct json input)
{
	return true;
}

const struct tool tool_glob = {
	.name = "Glob",
	.page = tool_glob_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"pattern\":{\"type\":\"string\"},"
			  "\"path\":{\"type\":\"string\",\"description\":"
			  "\"Directory to search; the working directory unless given\"}},"
			  "\"required\":[\"pattern\"],\"additionalProperties\":false}"),
	.is_read_only = always,
	.is_concurrent = always,
	.check = glob_check,
	.wish = glob_wish,
	.start = glob_start,
};

#include "text/match/glob.h"

#include "base/limits.h"
#include "text/json/json_write.h"
#include "text/match/wildmatch.h"
#include "tool/builtins.h"
#include "tool/search/walk.h"

enum {
	DEADLINE_S = 20,
	MAX_DEADLINE_S = 24 * 3600,
	SHARED_DIRS = 24, /* directories that are worth sharing */
	SCOUT_LEVELS = 4, /* levels to search for them */
};

struct found {
	char *path; /* relative to the start of the search; owned */
	int64_t mtime_ns;
};

/* The results of one worker. */
struct part {
	struct glob_job *g;
	struct walk walk;
	VEC(struct found) newest; /* sorted */
	size_t matches;
};

struct glob_job {
	struct tool_job job;
	struct arena arena;
	struct sv dir;   /* as the call names it */
	struct sv start; /* of the search: `dir` plus the plain start of the pattern */
	struct glob glob;
	size_t max_slashes; /* in a path that can match */
	VEC(char *) dirs;   /* that the helpers share; owned */
	atomic_size_t next; /* index in `dirs` */
	struct part parts[TOOL_HELPERS];
	int64_t began;
};

/* --- where to look ---------------------------------------------------------------- */

/* Directories at the start of the pattern need no search: they go to `*start`, and `*rest` is matched
 * below them. */
static struct sv glob_split(const struct tool_call *call, struct arena *arena, struct sv *rest)
{
	struct sv pattern = json_str_or(json_get(call->input, "pattern"), SV_EMPTY);
	struct sv path = json_str_or(json_get(call->input, "path"), SV_EMPTY);
	size_t literal = min_of(wildmatch_literal_prefix(pattern), sv_find_char(pattern, '{'));
	size_t slash = sv_rfind_char(sv_slice(pattern, 0, literal), '/');
	struct sv start = sv_slice(pattern, 0, slash + 1); /* SIZE_MAX + 1 is 0 */

	*rest = sv_skip(pattern, start.len);
	if (sv_starts(start, SV("/")) || sv_starts(start, SV("~/")))
		return tool_path(call->ctx, start, arena);
	path = tool_path(call->ctx, path, arena);
	return tool_path(call->ctx, arena_printf(arena, "%s/%.*s", path.ptr, SV_ARG(start)), arena);
}

/* Deeper paths cannot match, so the search need not go deeper. */
static size_t glob_most_slashes(const struct glob *glob)
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

/* --- the search ------------------------------------------------------------------- */

static bool is_newer(const struct found *a, const struct found *b)
{
	if (a->mtime_ns != b->mtime_ns)
		return a->mtime_ns > b->mtime_ns;
	return strcmp(a->path, b->path) < 0;
}

/* Adds `found` to the newest, or frees it. */
static void glob_add_found(struct part *p, struct found found)
{
	size_t at = p->newest.n;

	vec_push(&p->newest, found);
	for (; at > 0 && is_newer(&found, &p->newest.at[at - 1]); at--)
		p->newest.at[at] = p->newest.at[at - 1];
	p->newest.at[at] = found;
	if (p->newest.n > LIMIT_GLOB_SHOWN)
		free(vec_pop(&p->newest).path);
}

static size_t glob_slashes(struct sv path)
{
	size_t n = 0;

	for (size_t i = 0; i < path.len; i++)
		n += path.ptr[i] == '/';
	return n;
}

static void glob_add_file(struct part *p, const struct walk_entry *entry, struct sv path)
{
	struct fs_info info;
	struct err ignored;

	if (!glob_match(&p->g->glob, path) || !fs_info(&info, entry->full.ptr, true, &ignored) ||
	    info.kind != FS_FILE)
		return;
	p->matches++;
	if (p->newest.n < LIMIT_GLOB_SHOWN || info.mtime_ns >= vec_last(&p->newest)->mtime_ns)
		glob_add_found(p, (struct found){ sv_dup(path), info.mtime_ns });
}

static enum fs_visit glob_visit_all(void *arg, const struct walk_entry *entry)
{
	struct part *p = arg;
	struct sv path = sv_skip(entry->full, p->g->start.len + (p->g->start.len > 1));

	if (entry->kind != FS_DIR)
		glob_add_file(p, entry, path);
	else if (p->g->max_slashes != SIZE_MAX && glob_slashes(path) >= p->g->max_slashes)
		return FS_SKIP;
	return FS_GO_ON;
}

/* Collects directories for later. */
static enum fs_visit glob_visit_level(void *arg, const struct walk_entry *entry)
{
	struct part *p = arg;

	if (glob_visit_all(p, entry) == FS_GO_ON && entry->kind == FS_DIR)
		vec_push(&p->g->dirs, sv_dup(entry->full));
	return FS_SKIP;
}

static bool glob_search(struct part *p, struct sv dir, walk_fn *visit, struct err *err)
{
	p->walk.root = dir;
	p->walk.visit = visit;
	return walk_run(&p->walk, err);
}

/* Searches level by level until there are enough directories for the helpers. Unreadable directories
 * count as empty. */
static void glob_scout(struct glob_job *g)
{
	struct part *p = &g->parts[0];
	struct err ignored;

	for (int level = 0; level < SCOUT_LEVELS && g->dirs.n > 0 && g->dirs.n < SHARED_DIRS;
	     level++)
		for (size_t n = g->dirs.n; n > 0 && p->walk.end == WALK_WHOLE; n--) {
			defer(mem_freep) char *dir = g->dirs.at[0];

			vec_remove(&g->dirs, 0);
			if (!glob_search(p, sv_cstr(dir), glob_visit_level, &ignored))
				continue;
		}
	g->job.wants_helpers = g->dirs.n > 0 && p->walk.end == WALK_WHOLE;
}

static bool glob_run(struct tool_job *job, struct err *err)
{
	struct glob_job *g = (struct glob_job *)job;
	struct tool_result *result = &job->call->result;
	struct fs_info info;

	if (!fs_info(&info, g->dir.ptr, true, err) || info.kind != FS_DIR) {
		tool_fail(result, "There is no directory %s.", g->dir.ptr);
		return true;
	}
	if (!fs_exists(g->start.ptr)) /* then the pattern matches nothing */
		return true;
	for (size_t i = 0; i < TOOL_HELPERS; i++)
		g->parts[i].walk.top = walk_top(g->start);
	if (!glob_search(&g->parts[0], g->start, glob_visit_level, err))
		tool_fail(result, "Cannot search: %s.", err->text);
	else
		glob_scout(g);
	return true;
}

static bool glob_help(struct tool_job *job, size_t helper, __attribute__((unused)) struct err *err)
{
	struct glob_job *g = (struct glob_job *)job;
	struct part *p = &g->parts[helper];
	struct err ignored;
	size_t i;

	while (p->walk.end == WALK_WHOLE && (i = atomic_fetch_add(&g->next, 1)) < g->dirs.n)
		if (!glob_search(p, sv_cstr(g->dirs.at[i]), glob_visit_all, &ignored))
			continue;
	return true;
}

/* Merges all results into the first part. */
static void glob_join_parts(struct glob_job *g)
{
	struct part *all = &g->parts[0];

	for (size_t i = 1; i < TOOL_HELPERS; i++) {
		struct part *p = &g->parts[i];

		for (size_t k = 0; k < p->newest.n; k++)
			glob_add_found(all, p->newest.at[k]);
		p->newest.n = 0;
		all->matches += p->matches;
		all->walk.entries += p->walk.entries;
		all->walk.end = max_of(all->walk.end, p->walk.end);
	}
}

/* --- the result ------------------------------------------------------------------- */

static bool is_partial(const struct part *all)
{
	return all->walk.end == WALK_LATE || all->walk.end == WALK_FULL;
}

static void glob_add_text(const struct glob_job *g, const struct part *all, struct str *out)
{
	for (size_t i = 0; i < all->newest.n; i++) {
		defer(str_clear) struct str path = STR_INIT;

		fs_join(&path, g->start, sv_cstr(all->newest.at[i].path));
		walk_show_path(out, sv_of(&path));
		str_addc(out, '\n');
	}
	if (!all->newest.n)
		str_adds(out, "No files found\n");
	if (all->matches > all->newest.n)
		str_addf(out, "(The newest %zu of %zu: use a narrower pattern or path.)\n",
			 all->newest.n, all->matches);
	if (is_partial(all)) {
		str_addc(out, '(');
		walk_explain(all->walk.end, all->walk.entries, g->job.deadline_ms, out);
		str_adds(out, ")\n");
	}
	str_truncate(out, out->len - 1);
}

static void glob_add_data(const struct glob_job *g, const struct part *all, struct str *out)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_int(&w, "durationMs", loop_now(g->job.op.loop) - g->began);
	jw_put_uint(&w, "numFiles", all->newest.n);
	jw_put_array(&w, "filenames");
	for (size_t i = 0; i < all->newest.n; i++)
		jw_strf(&w, "%s%s%s", g->start.ptr, g->start.len > 1 ? "/" : "",
			all->newest.at[i].path);
	jw_end(&w);
	jw_put_bool(&w, "truncated", all->matches > all->newest.n || is_partial(all));
	jw_put_uint(&w, "totalMatches", all->matches);
	jw_put_bool(&w, "countIsComplete", !is_partial(all));
	if (all->walk.end == WALK_LATE)
		jw_put_bool(&w, "timedOut", true);
	jw_end(&w);
	jw_done(&w);
}

static void glob_finish(struct tool_job *job)
{
	struct glob_job *g = (struct glob_job *)job;

	if (job->call->result.is_error)
		return;
	glob_join_parts(g);
	glob_add_text(g, &g->parts[0], &job->call->result.text);
	glob_add_data(g, &g->parts[0], &job->call->result.data);
}

/* --- the op --------------------------------------------------------------------- */

static bool glob_flag_of(const struct tool_context *ctx, const char *name, bool fallback)
{
	struct sv value = tool_env(ctx, name);

	if (sv_is(value, "0") || sv_eq_nocase(value, SV("false")))
		return false;
	return fallback || sv_is(value, "1") || sv_eq_nocase(value, SV("true"));
}

static int64_t glob_deadline_of(const struct tool_context *ctx)
{
	int64_t seconds;

	if (!sv_to_int(tool_env(ctx, "CLAUDE_CODE_GLOB_TIMEOUT_SECONDS"), &seconds) || seconds <= 0)
		seconds = DEADLINE_S;
	return 1000 * min_of(seconds, (int64_t)MAX_DEADLINE_S);
}

static void glob_prepare(struct tool_job *job)
{
	struct glob_job *g = (struct glob_job *)job;
	const struct tool_context *ctx = job->call->ctx;
	struct sv path = json_str_or(json_get(job->call->input, "path"), SV_EMPTY), rest;
	struct err err;

	g->began = loop_now(job->op.loop);
	job->deadline_ms = glob_deadline_of(ctx);
	g->dir = tool_path(ctx, path, &g->arena);
	g->start = glob_split(job->call, &g->arena, &rest);
	for (size_t i = 0; i < TOOL_HELPERS; i++) {
		struct part *p = &g->parts[i];

		p->g = g;
		p->walk = (struct walk){
			.job = job,
			.arg = p,
			.skip_dotted = !glob_flag_of(ctx, "CLAUDE_CODE_GLOB_HIDDEN", true),
			.no_ignore = glob_flag_of(ctx, "CLAUDE_CODE_GLOB_NO_IGNORE", false),
		};
	}
	if (!glob_init(&g->glob, rest, false, &err))
		BUG("a pattern that passed the check does not compile: %s", err.text);
	g->max_slashes = glob_most_slashes(&g->glob);
}

static void glob_job_clear(struct tool_job *job)
{
	struct glob_job *g = (struct glob_job *)job;

	for (size_t i = 0; i < TOOL_HELPERS; i++) {
		for (size_t k = 0; k < g->parts[i].newest.n; k++)
			free(g->parts[i].newest.at[k].path);
		vec_clear(&g->parts[i].newest);
		walk_clear(&g->parts[i].walk);
	}
	for (size_t i = 0; i < g->dirs.n; i++)
		free(g->dirs.at[i]);
	vec_clear(&g->dirs);
	glob_clear(&g->glob);
	arena_clear(&g->arena);
}

static const struct tool_job_type glob_type = { .size = sizeof(struct glob_job),
						.prepare = glob_prepare,
						.run = glob_run,
						.help = glob_help,
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

/* The directory that contains everything the pattern can match. Results never have ".." in their
 * path, but a pattern can lead upwards after a '*': "*" + "/../../x". */
static struct sv glob_top_of(const struct tool_call *call, struct arena *arena)
{
	struct sv rest, top = glob_split(call, arena, &rest), part;

	if (sv_find(rest, SV("{/")) != SIZE_MAX || sv_find(rest, SV(",/")) != SIZE_MAX)
		return SV("/");
	while (sv_cut(&rest, '/', &part))
		if (sv_is(part, "..") || sv_ends(part, SV("{..")) || sv_ends(part, SV(",..")) ||
		    sv_starts(part, SV("..}")) || sv_starts(part, SV("..,")))
			top = tool_path(call->ctx, arena_printf(arena, "%s/..", top.ptr), arena);
	return top;
}

static void glob_perm_request(const struct tool_call *call, struct arena *arena,
			      struct perm_request *out)
{
	out->access = ACCESS_READ;
	out->named = glob_top_of(call, arena);
	out->path = tool_real_path(call->ctx, out->named, arena);
}

const struct tool tool_glob = {
	.name = "Glob",
	.page = tool_glob_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{\"pattern\":{\"type\":\"string\"},\"path\":{"
		"\"type\":\"string\",\"description\":\"Directory to search; default: the working "
		"directory\"}},\"required\":[\"pattern\"],\"additionalProperties\":false}"),
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.check = glob_check,
	.perm_request = glob_perm_request,
	.start = glob_start,
};

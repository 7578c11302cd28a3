#include "base/limits.h"
#include "tool/builtins.h"
#include "tool/search/walk.h"

enum { DEADLINE_MS = 20000 };

struct name {
	struct sv text;
	enum fs_kind kind;
	size_t depth;
};

/* The entries down to some depth, in tree order. */
struct listing {
	struct arena arena; /* owns the names */
	VEC(struct name) names;
	size_t levels;
	bool is_full; /* too many names to show */
	bool is_cut;  /* some directories are deeper than shown */
};

struct ls_job {
	struct tool_job job;
	struct arena arena;
	struct sv path;
	struct walk walk;
	struct listing listing;
};

static void listing_clear(struct listing *l)
{
	vec_clear(&l->names);
	arena_clear(&l->arena);
}

/* --- listing ---------------------------------------------------------------------- */

static enum fs_visit ls_visit(void *arg, const struct walk_entry *entry)
{
	struct listing *l = arg;
	bool is_last = entry->depth + 1 == l->levels;

	l->is_full = l->names.n == LIMIT_LS_SHOWN;
	if (l->is_full)
		return FS_STOP;
	l->is_cut = l->is_cut || (is_last && entry->kind == FS_DIR);
	vec_push(&l->names,
		 ((struct name){ arena_dup(&l->arena, entry->name), entry->kind, entry->depth }));
	return is_last ? FS_SKIP : FS_GO_ON;
}

/* Goes one level deeper at a time, so that near entries are always shown. Each listing starts over,
 * which is cheap. Keeps the deepest listing that is not too long, or else the first. */
static bool ls_list(struct ls_job *l, struct err *err)
{
	bool is_more = true;

	for (size_t levels = 1; is_more && levels <= LIMIT_WALK_DEPTH; levels++) {
		struct listing deeper = { .levels = levels };

		l->walk.arg = &deeper;
		if (!walk_run(&l->walk, err)) {
			listing_clear(&deeper);
			return false;
		}
		is_more = deeper.is_cut && !deeper.is_full && l->walk.end == WALK_WHOLE;
		if (levels > 1 && (deeper.is_full || l->walk.end != WALK_WHOLE)) {
			listing_clear(&deeper);
			break;
		}
		listing_clear(&l->listing);
		l->listing = deeper;
	}
	return true;
}

static bool ls_add_globs(struct ls_job *l, struct err *err)
{
	struct json globs = json_get(l->job.call->input, "ignore");

	for (size_t i = 0; i < json_len(globs); i++) {
		struct sv glob = json_str_or(json_at(globs, i), SV_EMPTY);

		if (!walk_add_glob(&l->walk, arena_printf(&l->arena, "!%.*s", SV_ARG(glob)), err))
			return err_context(err, "`ignore`");
	}
	return true;
}

static bool ls_run(struct tool_job *job, struct err *err)
{
	struct ls_job *l = (struct ls_job *)job;
	struct tool_result *result = &job->call->result;
	struct fs_info info;

	if (!fs_info(&info, l->path.ptr, true, err))
		tool_fail(result, "There is no directory %s. The working directory is %s.",
			  l->path.ptr, str_c(&job->call->ctx->cwd));
	else if (info.kind != FS_DIR)
		tool_fail(result, "%s is not a directory. To see a file use Read.", l->path.ptr);
	else if (!ls_add_globs(l, err) || !ls_list(l, err))
		tool_fail(result, "%s", err->text);
	return true;
}

/* --- the result ------------------------------------------------------------------- */

static void ls_add_name(struct str *out, const struct listing *l, const struct name *name)
{
	bool is_dir = name->kind == FS_DIR;

	for (size_t i = 0; i <= name->depth; i++)
		str_adds(out, "  ");
	walk_show_path(out, name->text);
	str_adds(out, is_dir ? "/" : name->kind == FS_LINK ? "@" : "");
	str_adds(out, is_dir && name->depth + 1 == l->levels ? " ...\n" : "\n");
}

static void ls_finish(struct tool_job *job)
{
	struct ls_job *l = (struct ls_job *)job;
	struct str *out = &job->call->result.text;

	if (job->call->result.is_error)
		return;
	walk_show_path(out, l->path);
	str_adds(out, l->path.len > 1 ? "/\n" : "\n");
	for (size_t i = 0; i < l->listing.names.n; i++)
		ls_add_name(out, &l->listing, &l->listing.names.at[i]);
	if (!l->listing.names.n)
		str_adds(out, "  (empty)\n");
	if (l->listing.is_full)
		str_addf(out, "(Only the first %d names: use Glob, or `ignore`.)\n",
			 LIMIT_LS_SHOWN);
	else if (l->listing.is_cut)
		str_adds(out, "(Directories marked ... did not fit: list them separately.)\n");
	if (l->walk.end == WALK_LATE || l->walk.end == WALK_FULL) {
		str_addc(out, '(');
		walk_explain(l->walk.end, l->walk.entries, job->deadline_ms, out);
		str_adds(out, ")\n");
	}
	str_truncate(out, out->len - 1);
}

/* --- the op --------------------------------------------------------------------- */

static struct sv ls_path_of(const struct tool_call *call)
{
	return json_str_or(json_get(call->input, "path"), SV_EMPTY);
}

static void ls_prepare(struct tool_job *job)
{
	struct ls_job *l = (struct ls_job *)job;

	job->deadline_ms = DEADLINE_MS;
	l->path = tool_path(job->call->ctx, ls_path_of(job->call), &l->arena);
	l->walk = (struct walk){ .root = l->path, .job = job, .visit = ls_visit };
}

static void ls_clear(struct tool_job *job)
{
	struct ls_job *l = (struct ls_job *)job;

	walk_clear(&l->walk);
	listing_clear(&l->listing);
	arena_clear(&l->arena);
}

static const struct tool_job_type ls_type = { .size = sizeof(struct ls_job),
					      .prepare = ls_prepare,
					      .run = ls_run,
					      .finish = ls_finish,
					      .clear = ls_clear };

static struct op *ls_start(struct tool_call *call, struct then then)
{
	return tool_job_start(call, &ls_type, then);
}

static void ls_perm_request(const struct tool_call *call, struct arena *arena,
			    struct perm_request *out)
{
	out->access = ACCESS_READ;
	out->path = tool_real_path(call->ctx, ls_path_of(call), arena);
}

const struct tool tool_ls = {
	.name = "LS",
	.page = tool_ls_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\","
			  "\"description\":\"Default: the working "
			  "directory\"},\"ignore\":{\"type\":\"array\",\"items\":{\"type\":"
			  "\"string\"}}},\"additionalProperties\":false}"),
	.hidden = true,
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.perm_request = ls_perm_request,
	.start = ls_start,
};

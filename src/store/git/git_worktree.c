/* Making a worktree is a seq: look at the branches, choose the commit, add, check out, fill. Removing one is another:
 * look for what would be lost, judge, remove, delete the branch. The steps share struct worktree_job, which is an op
 * around the seq, so that a worktree that was only begun can be removed before the failure is reported. */
#include "store/git/git_worktree.h"

#include "base/arena.h"
#include "base/ascii.h"
#include "base/limits.h"
#include "base/mem.h"
#include "store/git/git.h"
#include "store/git/git_job.h"
#include "store/git/git_worktree_fill.h"
#include "sys/fs.h"
#include "sys/seq.h"
#include "sys/work.h"

/* A check-out of a big repository, and a walk through one. */
enum { ADD_DEADLINE_MS = 10 * 60 * 1000, LOOK_DEADLINE_MS = 60 * 1000 };

struct worktree_job {
	struct op op;
	struct op *seq; /* or the removal of what was begun */
	struct arena arena;
	const char *const *env;
	const char *top; /* the checkout that the caller is in */
	const char *first, *path, *name, *branch, *base;
	const char *const *sparse; /* arguments; NULL: everything */
	size_t nsparse;
	struct str refs, commit; /* answers of git */
	struct str wanted, visible;
	struct str links; /* a NUL ends each name */
	bool from_head, is_added, has_branch, discards;
	struct git_worktree *out;
	struct git_worktree_loss *loss;
	struct err err; /* why the worktree could not be completed, or is not removed */
};

void git_worktree_clear(struct git_worktree *tree)
{
	str_clear(&tree->path);
	str_clear(&tree->name);
	str_clear(&tree->branch);
	str_clear(&tree->base);
	str_clear(&tree->first);
	*tree = GIT_WORKTREE_INIT;
}

/* --- names ------------------------------------------------------------------------------------- */

static bool worktree_part_is_safe(struct sv part)
{
	if (!part.len || part.ptr[0] == '.' || part.ptr[0] == '-' || sv_ends(part, SV(".")) ||
	    sv_ends(part, SV(".lock")) || sv_find(part, SV("..")) != SIZE_MAX)
		return false;
	for (size_t i = 0; i < part.len; i++) {
		char c = part.ptr[i];

		if (!ascii_is_alnum(c) && c != '.' && c != '_' && c != '-')
			return false;
	}
	return true;
}

bool git_worktree_check_name(struct sv name, struct err *err)
{
	bool is_safe = name.len && name.len <= LIMIT_WORKTREE_NAME && !sv_ends(name, SV("/"));
	struct sv part;

	while (is_safe && sv_cut(&name, '/', &part))
		is_safe = worktree_part_is_safe(part);
	return is_safe || err_set(err, ERR_INVALID,
				  "a worktree's name has at most %d letters, digits, '.', '_' and "
				  "'-', with '/' between "
				  "words, and no word begins with '.' or '-'",
				  LIMIT_WORKTREE_NAME);
}

/* "a/b" is one directory and one level of branches, so that "a" and "a/b" can both exist. */
static const char *worktree_flatten(struct arena *arena, const char *prefix, struct sv name)
{
	struct sv flat = arena_printf(arena, "%s%.*s", prefix, SV_ARG(name));

	for (char *at = (char *)flat.ptr; *at; at++)
		if (*at == '/')
			*at = '+';
	return flat.ptr;
}

static bool worktree_is_commit(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!ascii_is_alnum(text.ptr[i]) || (text.ptr[i] | 0x20) > 'f')
			return false;
	return text.len == 40 || text.len == 64;
}

bool git_worktree_may_be_ours(const struct git_worktree *tree)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct sv name = sv_of(&tree->name);
	struct err ignored = ERR_INIT;

	return git_worktree_check_name(name, &ignored) && worktree_is_commit(sv_of(&tree->base)) &&
	       sv_is(sv_basename(sv_of(&tree->path)), worktree_flatten(&arena, "", name)) &&
	       sv_is(sv_of(&tree->branch), worktree_flatten(&arena, "worktree-", name));
}

/* --- the job ------------------------------------------------------------------------------------ */

static void worktree_job_cancel(struct op *op)
{
	op_cancel(container_of(op, struct worktree_job, op)->seq);
}

static void worktree_job_free(struct op *op)
{
	struct worktree_job *job = container_of(op, struct worktree_job, op);

	str_clear(&job->refs);
	str_clear(&job->commit);
	str_clear(&job->wanted);
	str_clear(&job->visible);
	str_clear(&job->links);
	arena_clear(&job->arena);
	free(job);
}

static const struct op_type worktree_job_type = { .name = "worktree",
						  .cancel = worktree_job_cancel,
						  .free = worktree_job_free };

static const char *worktree_job_keep(struct worktree_job *job, struct sv text)
{
	return arena_dup(&job->arena, text).ptr;
}

static const char *const *worktree_job_keep_env(struct worktree_job *job, const char *const *env)
{
	const char **copy;
	size_t n = 0;

	while (env[n])
		n++;
	copy = arena_calloc(&job->arena, n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = worktree_job_keep(job, sv_cstr(env[i]));
	return copy;
}

static struct op *worktree_git(struct worktree_job *job, const char *top, const char *const *args,
			       int64_t deadline_ms, struct str *out, struct then then)
{
	return git_job_start(job->op.loop,
			     &(struct git_job_opts){ .top = top,
						     .env = job->env,
						     .args = args,
						     .deadline_ms = deadline_ms,
						     .out = out },
			     then);
}

/* --- making one ---------------------------------------------------------------------------------- */

/* The commit of a ref in the answer; empty: there is no such ref. */
static struct sv worktree_ref(const struct worktree_job *job, const char *name)
{
	struct sv rest = sv_of(&job->refs), line, ref;

	while (sv_cut_line(&rest, &line))
		if (sv_cut(&line, ' ', &ref) && sv_is(ref, name))
			return sv_trim(line);
	return SV_EMPTY;
}

static const char *worktree_branch_ref(struct worktree_job *job)
{
	return arena_printf(&job->arena, "refs/heads/%s", job->branch).ptr;
}

#define ORIGIN "refs/remotes/origin/HEAD"

static struct op *worktree_look(void *ctx, struct then then)
{
	struct worktree_job *job = ctx;
	const char *const args[] = { "for-each-ref", "--format=%(refname) %(objectname)", ORIGIN,
				     worktree_branch_ref(job), NULL };

	return worktree_git(job, job->top, args, LOOK_DEADLINE_MS, &job->refs, then);
}

static struct op *worktree_choose(void *ctx, struct then then)
{
	static const char *const args[] = { "rev-parse", "--verify", "HEAD^{commit}", NULL };
	struct worktree_job *job = ctx;
	struct sv of_branch = worktree_ref(job, worktree_branch_ref(job)),
		  origin = worktree_ref(job, ORIGIN);

	job->has_branch = !of_branch.len;
	str_add(&job->commit, of_branch.len ? of_branch : job->from_head ? SV_EMPTY : origin);
	if (job->commit.len)
		return NULL;
	return worktree_git(job, job->top, args, 0, &job->commit, then);
}

/* A branch of this name from before keeps its commits. */
static struct op *worktree_add(void *ctx, struct then then)
{
	struct worktree_job *job = ctx;
	const char *args[10] = { "worktree", "add", "--quiet" };
	size_t n = 3;

	job->base = worktree_job_keep(job, sv_trim(sv_of(&job->commit)));
	if (job->sparse)
		args[n++] = "--no-checkout";
	if (job->has_branch) {
		args[n++] = "--no-track";
		args[n++] = "-b";
		args[n++] = job->branch;
	}
	args[n++] = job->path;
	args[n++] = job->has_branch ? job->base : job->branch;
	job->is_added = true;
	return worktree_git(job, job->top, args, ADD_DEADLINE_MS, NULL, then);
}

static struct op *worktree_thin(void *ctx, struct then then)
{
	struct worktree_job *job = ctx;

	return job->sparse ? worktree_git(job, job->path, job->sparse, LOOK_DEADLINE_MS, NULL, then)
			   : NULL;
}

static struct op *worktree_check_out(void *ctx, struct then then)
{
	static const char *const args[] = { "checkout", "--quiet", NULL };
	struct worktree_job *job = ctx;

	return job->sparse ? worktree_git(job, job->path, args, ADD_DEADLINE_MS, NULL, then) : NULL;
}

static bool worktree_includes(const struct worktree_job *job)
{
	defer(str_clear) struct str path = STR_INIT;

	fs_join(&path, sv_cstr(job->first), SV(".worktreeinclude"));
	return fs_exists(str_c(&path));
}

static struct op *worktree_list_wanted(void *ctx, struct then then)
{
	static const char *const args[] = { "ls-files",  "--others",
					    "--ignored", "--exclude-from=.worktreeinclude",
					    "-z",        NULL };
	struct worktree_job *job = ctx;

	return worktree_includes(job)
		       ? worktree_git(job, job->first, args, LOOK_DEADLINE_MS, &job->wanted, then)
		       : NULL;
}

/* What is not ignored is somebody's work in progress, which does not belong into another checkout. */
static struct op *worktree_list_visible(void *ctx, struct then then)
{
	static const char *const args[] = { "ls-files", "--others", "--exclude-standard", "-z",
					    NULL };
	struct worktree_job *job = ctx;

	return job->wanted.len
		       ? worktree_git(job, job->first, args, LOOK_DEADLINE_MS, &job->visible, then)
		       : NULL;
}

static bool worktree_fill_work(void *arg, struct err *err)
{
	struct worktree_job *job = arg;

	return git_worktree_copy(job->first, job->path, sv_of(&job->wanted), sv_of(&job->visible),
				 err) &&
	       git_worktree_link(job->first, job->path, sv_of(&job->links), err);
}

static struct op *worktree_fill(void *ctx, struct then then)
{
	struct worktree_job *job = ctx;

	if (!job->wanted.len && !job->links.len)
		return NULL;
	return work_start(job->op.loop, worktree_fill_work, job, then);
}

static const struct step worktree_add_steps[] = {
	{ "look at the branches", worktree_look },
	{ "choose a commit", worktree_choose },
	{ "add the worktree", worktree_add },
	{ "choose the directories", worktree_thin },
	{ "check out", worktree_check_out },
	{ "list files to copy", worktree_list_wanted },
	{ "list files to copy", worktree_list_visible },
	{ "copy files", worktree_fill },
};

static void worktree_write(const struct worktree_job *job)
{
	struct git_worktree *out = job->out;

	str_adds(&out->path, job->path);
	str_adds(&out->name, job->name);
	str_adds(&out->branch, job->branch);
	str_adds(&out->base, job->base ? job->base : "");
	str_adds(&out->first, job->first);
	out->is_made = job->is_added;
	out->has_branch = job->is_added && job->has_branch;
}

static void worktree_on_undone(__attribute__((unused)) struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct worktree_job *job = owner;

	job->seq = NULL;
	op_finish(&job->op, &job->err);
}

static void worktree_on_added(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct worktree_job *job = owner;
	const char *const undo[] = { "worktree", "remove", "--force", job->path, NULL };

	job->seq = NULL;
	if (!why && !job->op.cancelled) {
		worktree_write(job);
		op_finish(&job->op, NULL);
		return;
	}
	job->err = why ? *why : (struct err)ERR_INIT;
	if (!why)
		(void)err_set(&job->err, ERR_CANCELLED, "the worktree is not wanted any more");
	if (job->is_added)
		job->seq = worktree_git(job, job->first, undo, LOOK_DEADLINE_MS, NULL,
					THEN(worktree_on_undone, job));
	else
		op_finish(&job->op, &job->err);
}

/* --- its place ------------------------------------------------------------------------------------ */

static bool worktree_find(struct worktree_job *job, const char *dir, struct err *err)
{
	defer(str_clear) struct str top = STR_INIT, first = STR_INIT;

	if (!git_find(&top, dir))
		return err_set(err, ERR_NOT_FOUND, "%s is not in a git repository", dir);
	if (!git_is_ours(str_c(&top)))
		return err_set(err, ERR_ACCESS, "the repository in %s belongs to somebody else",
			       str_c(&top));
	if (!git_find_first(&first, str_c(&top)))
		str_add(&first, sv_of(&top));
	job->top = worktree_job_keep(job, sv_of(&top));
	job->first = worktree_job_keep(job, sv_of(&first));
	return true;
}

/* The directory must be what its name says: a link in a repository could lead anywhere. */
static bool worktree_open_parent(struct str *parent, bool is_ours, struct err *err)
{
	defer(str_clear) struct str real = STR_INIT, ignore = STR_INIT;
	defer(fs_unpinp) struct fs_pin *pin = NULL;

	if (!fs_mkdirs(str_c(parent), 0777, err) || !fs_realpath(&real, str_c(parent), err))
		return err_context(err, "the directory for worktrees");
	if (is_ours && !sv_eq(sv_of(&real), sv_of(parent)))
		return err_set(err, ERR_ACCESS, "%s is behind a symbolic link", str_c(parent));
	str_set(parent, sv_of(&real));
	if (!is_ours)
		return true;
	fs_join(&ignore, sv_of(parent), SV(".gitignore"));
	pin = fs_pin(str_c(&ignore), err);
	return pin && (fs_pinned_info(pin) ||
		       fs_pinned_write(pin, SV("*\n"), (struct fs_write){ .mode = 0 }, err));
}

/* Whether the worktree is there already; fails if something else is. */
static bool worktree_look_up(const struct worktree_job *job, bool *exists, struct err *err)
{
	defer(str_clear) struct str first = STR_INIT;
	struct fs_info info;
	struct err ignored = ERR_INIT;

	*exists = fs_info(&info, job->path, false, &ignored);
	if (!*exists || (info.kind == FS_DIR && git_find_first(&first, job->path) &&
			 sv_is(sv_of(&first), job->first)))
		return true;
	return err_set(err, ERR_EXISTS, "%s exists and is not a worktree of this repository",
		       job->path);
}

static bool worktree_place(struct worktree_job *job, struct sv location, bool *exists,
			   struct err *err)
{
	defer(str_clear) struct str parent = STR_INIT, path = STR_INIT;
	struct sv name = sv_cstr(job->name);

	if (!location.len || location.ptr[0] != '/')
		str_adds(&parent, job->first);
	fs_join(&parent, SV_EMPTY, location.len ? location : SV(".claude/worktrees"));
	if (!worktree_open_parent(&parent, !location.len, err))
		return false;
	fs_join(&path, sv_of(&parent), sv_cstr(worktree_flatten(&job->arena, "", name)));
	job->path = worktree_job_keep(job, sv_of(&path));
	job->branch = worktree_flatten(&job->arena, "worktree-", name);
	return worktree_look_up(job, exists, err);
}

static bool worktree_take_dirs(struct worktree_job *job, const struct git_worktree_opts *o,
			       struct err *err)
{
	static const char *const words[] = { "sparse-checkout", "set", "--cone" };
	const char **args;

	if (o->nsparse > LIMIT_WORKTREE_PATHS || o->nlinks > LIMIT_WORKTREE_PATHS)
		return err_set(err, ERR_TOO_BIG,
			       "worktree.sparsePaths or worktree.symlinkDirectories "
			       "has more than %d entries",
			       LIMIT_WORKTREE_PATHS);
	for (size_t i = 0; i < o->nlinks; i++)
		str_addf(&job->links, "%.*s%c", SV_ARG(o->links[i]), '\0');
	if (!o->nsparse)
		return true;
	args = arena_calloc(&job->arena, countof(words) + o->nsparse + 1, sizeof(*args));
	memcpy(args, words, sizeof(words));
	for (size_t i = 0; i < o->nsparse; i++) {
		if (!o->sparse[i].len || o->sparse[i].ptr[0] == '-')
			return err_set(err, ERR_INVALID,
				       "worktree.sparsePaths has no such path: %.*s",
				       SV_ARG(o->sparse[i]));
		args[countof(words) + i] = worktree_job_keep(job, o->sparse[i]);
	}
	job->sparse = args;
	return true;
}

static struct worktree_job *worktree_job_new(struct loop *loop, const char *const *env,
					     struct then then)
{
	struct worktree_job *job = xnew(struct worktree_job);

	job->err = (struct err)ERR_INIT;
	job->env = worktree_job_keep_env(job, env);
	job->op.loop = loop;
	job->op.then = then;
	return job;
}

struct op *git_worktree_add(struct loop *loop, const struct git_worktree_opts *o,
			    struct git_worktree *out, struct then then, struct err *err)
{
	struct worktree_job *job = worktree_job_new(loop, o->env, then);
	bool exists = false;

	job->name = worktree_job_keep(job, o->name);
	job->from_head = o->from_head;
	job->out = out;
	if (!git_worktree_check_name(o->name, err) || !worktree_find(job, o->dir, err) ||
	    !worktree_place(job, o->location, &exists, err) || !worktree_take_dirs(job, o, err)) {
		worktree_job_free(&job->op);
		return NULL;
	}
	op_init(&job->op, &worktree_job_type, loop, then);
	job->seq = seq_start(loop, worktree_add_steps, exists ? 0 : countof(worktree_add_steps),
			     job, THEN(worktree_on_added, job));
	return &job->op;
}

/* --- removing one ---------------------------------------------------------------------------------- */

static struct op *worktree_look_for_files(void *ctx, struct then then)
{
	static const char *const args[] = { "status",       "--porcelain",
					    "-z",           "--untracked-files=all",
					    "--no-renames", NULL };
	struct worktree_job *job = ctx;

	return worktree_git(job, job->path, args, LOOK_DEADLINE_MS, &job->wanted, then);
}

static struct op *worktree_look_for_commits(void *ctx, struct then then)
{
	struct worktree_job *job = ctx;
	const char *args[] = { "rev-list", "--count", "HEAD", worktree_branch_ref(job),
			       "--not",    job->base, NULL };

	return worktree_git(job, job->path, args, LOOK_DEADLINE_MS, &job->commit, then);
}

/* What git calls changed, without our links: collects their names. */
static void worktree_count_files(struct worktree_job *job)
{
	struct sv rest = sv_of(&job->wanted), entry;

	while (sv_cut(&rest, '\0', &entry)) {
		struct sv name = sv_skip(entry, strlen("?? "));

		if (sv_starts(entry, SV("?? ")) &&
		    git_worktree_is_link(job->first, job->path, name))
			str_addf(&job->links, "%.*s%c", SV_ARG(name), '\0');
		else if (entry.len)
			job->loss->files++;
	}
}

static bool worktree_judge(void *arg, struct err *err)
{
	struct worktree_job *job = arg;
	bool is_lost;

	worktree_count_files(job);
	job->loss->commits = strtoll(str_c(&job->commit), NULL, 10);
	is_lost = job->loss->files || job->loss->commits;
	if (is_lost && !job->discards) {
		(void)err_set(&job->err, ERR_BUSY,
			      "the worktree has %lld changed %s and %lld new %s",
			      (long long)job->loss->files, job->loss->files == 1 ? "file" : "files",
			      (long long)job->loss->commits,
			      job->loss->commits == 1 ? "commit" : "commits");
		*err = job->err;
		return false;
	}
	return git_worktree_unlink(job->first, job->path, sv_of(&job->links), err);
}

static struct op *worktree_judge_loss(void *ctx, struct then then)
{
	struct worktree_job *job = ctx;

	return work_start(job->op.loop, worktree_judge, job, then);
}

/* Unless it discards, git looks once more whether a file has changed. */
static struct op *worktree_remove(void *ctx, struct then then)
{
	struct worktree_job *job = ctx;
	const char *args[5] = { "worktree", "remove" };
	size_t n = 2;

	if (job->discards)
		args[n++] = "--force";
	args[n] = job->path;
	return worktree_git(job, job->first, args, LOOK_DEADLINE_MS, NULL, then);
}

static struct op *worktree_delete_branch(void *ctx, struct then then)
{
	struct worktree_job *job = ctx;
	const char *const args[] = { "branch", "--quiet", "-D", "--", job->branch, NULL };

	return job->has_branch ? worktree_git(job, job->first, args, 0, NULL, then) : NULL;
}

static const struct step worktree_remove_steps[] = {
	{ "look for changes", worktree_look_for_files },
	{ "look for commits", worktree_look_for_commits },
	{ "keep work", worktree_judge_loss },
	{ "remove the worktree", worktree_remove },
	{ "delete the branch", worktree_delete_branch },
};

static void worktree_on_removed(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct worktree_job *job = owner;

	job->seq = NULL;
	op_finish(&job->op, why && job->err.kind != ERR_NONE ? &job->err : why);
}

struct op *git_worktree_remove(struct loop *loop, const struct git_worktree *tree,
			       const char *const *env, bool discards,
			       struct git_worktree_loss *loss, struct then then)
{
	struct worktree_job *job = worktree_job_new(loop, env, then);

	BUG_ON(!tree->is_made);
	*loss = (struct git_worktree_loss){ .files = 0 };
	job->first = worktree_job_keep(job, sv_of(&tree->first));
	job->path = worktree_job_keep(job, sv_of(&tree->path));
	job->branch = worktree_job_keep(job, sv_of(&tree->branch));
	job->base = worktree_job_keep(job, sv_of(&tree->base));
	job->has_branch = tree->has_branch;
	job->discards = discards;
	job->loss = loss;
	op_init(&job->op, &worktree_job_type, loop, then);
	job->seq = seq_start(loop, worktree_remove_steps, countof(worktree_remove_steps), job,
			     THEN(worktree_on_removed, job));
	return &job->op;
}

#include "store/git/git_job.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "store/git/git.h"

struct git_job {
	struct op op;
	struct git *git;
	struct op *child;
	struct arena arena; /* of `args` */
	const char **args;
	bool is_listing; /* the settings, before the command itself */
	struct str settings, errors;
	struct str *out; /* NULL: nobody reads it */
};

static void git_job_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct git_job *job = owner;
	struct str *to = from != CHILD_OUT ? &job->errors
			 : job->is_listing ? &job->settings
					   : job->out;

	if (to == &job->errors && to->len > LIMIT_GIT_STATUS)
		str_truncate(to, 0); /* the last line counts */
	if (to)
		str_add(to, bytes);
}

static bool git_job_fail(const struct git_job *job, struct err *err)
{
	struct sv rest = sv_of(&job->errors), line, last = SV("it gave no reason");

	while (sv_cut_line(&rest, &line))
		if (sv_trim(line).len)
			last = sv_trim(line);
	return err_set(err, ERR_INVALID, "git %s failed: %.*s", job->args[0],
		       (int)min_of(last.len, (size_t)LIMIT_GIT_LINE), last.ptr);
}

static void git_job_on_child(struct op *op, void *owner, const struct err *why);

static void git_job_run(struct git_job *job)
{
	job->child = git_start(job->git, job->op.loop, job->args, LIMIT_GIT_OUTPUT, git_job_on_data,
			       THEN(git_job_on_child, job));
}

static void git_job_on_child(struct op *op, void *owner, const struct err *why)
{
	struct git_job *job = owner;
	struct err err = ERR_INIT;
	bool fine = !why && child_result(op).code == 0;
	bool was_listing = job->is_listing;

	job->child = NULL;
	job->is_listing = false;
	if (why)
		err = *why;
	else if (!fine)
		(void)git_job_fail(job, &err);
	else if (was_listing)
		fine = git_disarm(job->git, sv_of(&job->settings)) ||
		       err_set(&err, ERR_INVALID,
			       "the repository has too many filters to run git safely");
	if (fine && was_listing && !job->op.cancelled)
		git_job_run(job);
	else
		op_finish(&job->op, fine ? NULL : &err);
}

static void git_job_cancel(struct op *op)
{
	op_cancel(container_of(op, struct git_job, op)->child);
}

static void git_job_free(struct op *op)
{
	struct git_job *job = container_of(op, struct git_job, op);

	git_free(job->git);
	str_clear(&job->settings);
	str_clear(&job->errors);
	arena_clear(&job->arena);
	free(job);
}

static const struct op_type git_job_type = { .name = "git",
					     .cancel = git_job_cancel,
					     .free = git_job_free };

static void git_job_copy_args(struct git_job *job, const char *const *args)
{
	size_t n = 0;

	while (args[n])
		n++;
	job->args = arena_calloc(&job->arena, n + 1, sizeof(*job->args));
	for (size_t i = 0; i < n; i++)
		job->args[i] = arena_dup(&job->arena, sv_cstr(args[i])).ptr;
}

struct op *git_job_start(struct loop *loop, const struct git_job_opts *opts, struct then then)
{
	struct git_job *job = xnew(struct git_job);

	op_init(&job->op, &git_job_type, loop, then);
	job->git = git_new(opts->top, opts->env);
	job->out = opts->out;
	git_job_copy_args(job, opts->args);
	if (opts->deadline_ms)
		git_set_deadline(job->git, opts->deadline_ms);
	job->is_listing = git_may_filter(job->git);
	if (job->is_listing)
		job->child = git_start(job->git, loop, git_list_settings, LIMIT_GIT_KEPT,
				       git_job_on_data, THEN(git_job_on_child, job));
	else
		git_job_run(job);
	return &job->op;
}

#include "tool/shell/jobs.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "tool/shell/bash_plain.h"
#include "tool/shell/shell.h"

enum { JOB_GRACE_MS = 1000 };

/* A job as we keep it; the public part comes first. */
struct running {
	struct job job;
	struct jobs *jobs;
	struct op *shell; /* NULL once it has ended */
	struct op *feed;  /* NULL: nobody is told what it prints */
	void (*tell)(void *arg, const struct job *job, struct sv text);
	void *tell_arg;
	int64_t deadline_ms;
	struct bash_plain plain;
	struct fs_log *file;
	bool is_stopped; /* by us */
	struct waiter *waiters;
};

struct jobs {
	struct loop *loop;
	struct jobs_opts opts;
	char *dir;
	VEC(struct running *) list;
	size_t live;             /* shells and feeds that run */
	size_t last_number;      /* given to one */
	struct waiter *awaiting; /* news of any */
	void (*on_quiet)(void *arg);
	void *quiet_arg;
};

struct waiter {
	struct op op;
	struct waiter **list; /* that it is in; NULL: what it waited for has come */
	struct op *timer;
	struct waiter *next;
};

struct jobs *jobs_new(struct loop *loop, const struct jobs_opts *opts)
{
	struct jobs *jobs = xnew(struct jobs);

	jobs->loop = loop;
	jobs->opts = *opts;
	jobs->dir = xstrdup(opts->dir);
	return jobs;
}

void jobs_free(struct jobs *jobs)
{
	if (!jobs)
		return;
	BUG_ON(!jobs_are_quiet(jobs));
	for (size_t i = 0; i < jobs->list.n; i++) {
		struct running *r = jobs->list.at[i];

		fs_log_close(r->file);
		bash_plain_clear(&r->plain);
		free(r->job.command);
		free(r->job.description);
		free(r->job.path);
		free(r);
	}
	vec_clear(&jobs->list);
	free(jobs->dir);
	free(jobs);
}

bool jobs_are_quiet(const struct jobs *jobs)
{
	return jobs->live == 0;
}

void jobs_when_quiet(struct jobs *jobs, void (*on_quiet)(void *arg), void *arg)
{
	jobs->on_quiet = on_quiet;
	jobs->quiet_arg = arg;
}

static void jobs_one_less(struct jobs *jobs)
{
	jobs->live--;
	if (!jobs->live && jobs->on_quiet)
		jobs->on_quiet(jobs->quiet_arg);
}

/* --- output --------------------------------------------------------------------- */

static void jobs_keep(struct running *r, struct sv text)
{
	struct err err = ERR_INIT;

	if (!text.len || r->job.err.kind != ERR_NONE)
		return;
	if (r->job.bytes + text.len > LIMIT_JOB_FILE)
		err_set(&r->job.err, ERR_TOO_BIG, "it printed more than %zu MiB",
			LIMIT_JOB_FILE / MIB);
	else if (fs_log_add(r->file, text, &err))
		r->job.bytes += text.len;
	else
		r->job.err = err;
	if (r->job.err.kind != ERR_NONE)
		op_cancel(r->shell);
}

static void jobs_on_data(void *owner, __attribute__((unused)) enum child_stream from,
			 struct sv bytes)
{
	struct running *r = owner;
	defer(str_clear) struct str settled = STR_INIT;

	bash_plain_feed(&r->plain, bytes, &settled);
	jobs_keep(r, sv_of(&settled));
	if (r->feed)
		jobs_feed_add(r->feed, sv_of(&settled));
}

bool jobs_read(__attribute__((unused)) struct jobs *jobs, const struct job *job, size_t max,
	       struct str *out, struct err *err)
{
	struct running *r = container_of((struct job *)job, struct running, job);
	size_t n = (size_t)min_of(r->job.bytes - r->job.read, (uint64_t)max);
	defer(fs_closep) struct fs_file *file = NULL;
	int64_t size;

	if (!n)
		return true;
	file = fs_open(r->job.path, &size, err);
	if (!file)
		return false;
	str_reserve(out, n + 1);
	if (!fs_read_at(file, (int64_t)r->job.read, out->ptr + out->len, n, err))
		return false;
	n = bash_plain_whole(sv_from(out->ptr + out->len, n)); /* not half a character */
	out->len += n;
	out->ptr[out->len] = '\0';
	r->job.read += n;
	return true;
}

/* --- ends ------------------------------------------------------------------------ */

static void jobs_wake(struct waiter **list)
{
	while (*list) {
		struct waiter *w = *list;

		*list = w->next;
		w->list = NULL;
		op_cancel(w->timer);
	}
}

static enum job_state jobs_state_after(const struct running *r, const struct err *why)
{
	if (r->job.err.kind != ERR_NONE)
		return JOB_FAILED;
	if (r->is_stopped)
		return JOB_STOPPED;
	return why ? JOB_FAILED : JOB_EXITED;
}

static void jobs_set_reason(struct running *r, const struct err *why)
{
	if (why->kind == ERR_TIMEOUT)
		err_set(&r->job.err, ERR_TIMEOUT, "it exceeded its %" PRId64 " ms", r->deadline_ms);
	else
		r->job.err = *why;
}

static void jobs_end_feed(struct running *r, struct sv last)
{
	if (!r->feed)
		return;
	jobs_feed_add(r->feed, last);
	jobs_feed_end(r->feed);
}

static void jobs_on_shell(struct op *op, void *owner, const struct err *why)
{
	struct running *r = owner;
	defer(str_clear) struct str last = STR_INIT;

	bash_plain_end(&r->plain, &last);
	jobs_keep(r, sv_of(&last));
	jobs_end_feed(r, sv_of(&last));
	r->shell = NULL;
	r->job.code = shell_result(op).code;
	r->job.state = jobs_state_after(r, why);
	if (why && r->job.err.kind == ERR_NONE && !r->is_stopped)
		jobs_set_reason(r, why);
	fs_log_closep(&r->file);
	jobs_wake(&r->waiters);
	if (r->jobs->opts.on_end && !r->is_stopped)
		r->jobs->opts.on_end(r->jobs->opts.arg, &r->job);
	if (!r->is_stopped)
		jobs_announce(r->jobs);
	jobs_one_less(r->jobs);
}

/* --- starting and stopping --------------------------------------------------------- */

static size_t jobs_count_running(const struct jobs *jobs)
{
	size_t n = 0;

	for (size_t i = 0; i < jobs->list.n; i++)
		n += jobs->list.at[i]->job.state == JOB_RUNNING;
	return n;
}

static bool jobs_open_output(struct running *r, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	if (!fs_mkdirs(r->jobs->dir, 0700, err))
		return false;
	do { /* a session that is resumed has files of its earlier jobs */
		snprintf(r->job.id, sizeof(r->job.id), "%s_%zu", r->tell ? "monitor" : "bash",
			 ++r->jobs->last_number);
		str_truncate(&path, 0);
		str_addf(&path, "%s/%s.txt", r->jobs->dir, r->job.id);
	} while (fs_exists(path.ptr));
	r->file = fs_log_open(path.ptr, 0600, err);
	r->job.path = str_detach(&path);
	return r->file != NULL;
}

/* A job without a shell yet. */
static struct running *jobs_make_job(struct jobs *jobs, const struct job_start *start,
				     struct err *err)
{
	struct running *r;

	if (jobs_count_running(jobs) >= LIMIT_JOBS) {
		err_set(err, ERR_FULL, "%d commands already run in the background; stop one first",
			LIMIT_JOBS);
		return NULL;
	}
	r = xnew(struct running);
	r->jobs = jobs;
	r->plain = (struct bash_plain)BASH_PLAIN_INIT;
	r->tell = start->tell;
	r->tell_arg = start->arg;
	r->deadline_ms = start->deadline_ms;
	if (!jobs_open_output(r, err)) {
		free(r->job.path);
		free(r);
		return NULL;
	}
	r->job.command = sv_dup(start->command);
	r->job.description = start->description.len ? sv_dup(start->description) : NULL;
	vec_push(&jobs->list, r);
	jobs->live++;
	return r;
}

static void jobs_on_news(void *arg, struct sv text)
{
	struct running *r = arg;

	r->tell(r->tell_arg, &r->job, text);
	jobs_announce(r->jobs);
}

static void jobs_on_feed(__attribute__((unused)) struct op *op, void *owner,
			 __attribute__((unused)) const struct err *why)
{
	struct running *r = owner;

	r->feed = NULL;
	jobs_one_less(r->jobs);
}

static void jobs_watch(struct running *r)
{
	r->feed = jobs_feed_start(r->jobs->loop, jobs_on_news, r, THEN(jobs_on_feed, r));
	r->jobs->live++;
}

const struct job *jobs_start(struct jobs *jobs, const struct job_start *start, struct err *err)
{
	struct running *r = jobs_make_job(jobs, start, err);
	struct shell_opts opts = { .command = start->command,
				   .ctx = start->ctx,
				   .cwd = str_c(&start->ctx->cwd),
				   .analysis = start->analysis,
				   .unsandboxed = start->unsandboxed,
				   .must_be_sandboxed = start->must_be_sandboxed,
				   .deadline_ms = start->deadline_ms,
				   .grace_ms = JOB_GRACE_MS,
				   .on_data = jobs_on_data };

	if (!r)
		return NULL;
	if (r->tell)
		jobs_watch(r);
	r->shell = shell_start(jobs->loop, &opts, THEN(jobs_on_shell, r));
	return &r->job;
}

const struct job *jobs_adopt(struct jobs *jobs, struct op *shell, struct sv command,
			     struct sv so_far, struct err *err)
{
	struct running *r = jobs_make_job(jobs, &(struct job_start){ .command = command }, err);

	if (!r)
		return NULL;
	r->shell = shell;
	shell_hand_over(shell, jobs_on_data, THEN(jobs_on_shell, r));
	jobs_keep(r, so_far);
	if (so_far.len && !sv_ends(so_far, SV("\n")))
		jobs_keep(r, SV("\n"));
	r->job.read = r->job.bytes;
	return &r->job;
}

void jobs_stop(__attribute__((unused)) struct jobs *jobs, const struct job *job)
{
	struct running *r = container_of((struct job *)job, struct running, job);

	if (!r->shell)
		return;
	r->is_stopped = true;
	op_cancel(r->feed);
	op_cancel(r->shell);
}

void jobs_stop_all(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->list.n; i++)
		jobs_stop(jobs, &jobs->list.at[i]->job);
}

const struct job *jobs_find(const struct jobs *jobs, struct sv id)
{
	for (size_t i = 0; i < jobs->list.n; i++) {
		if (sv_is(id, jobs->list.at[i]->job.id))
			return &jobs->list.at[i]->job;
	}
	return NULL;
}

size_t jobs_count(const struct jobs *jobs)
{
	return jobs->list.n;
}

const struct job *jobs_at(const struct jobs *jobs, size_t i)
{
	return &jobs->list.at[i]->job;
}

/* --- waiting ------------------------------------------------------------------------ */

static void jobs_forget(struct waiter *w)
{
	struct waiter **at = w->list;

	if (!at)
		return;
	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	w->list = NULL;
}

/* The time is over, what was waited for has come, or nobody waits any more. */
static void jobs_on_timer(__attribute__((unused)) struct op *op, void *owner,
			  __attribute__((unused)) const struct err *why)
{
	struct waiter *w = owner;

	w->timer = NULL;
	jobs_forget(w);
	op_finish(&w->op, NULL);
}

static void waiter_cancel(struct op *op)
{
	op_cancel(container_of(op, struct waiter, op)->timer);
}

static void waiter_free(struct op *op)
{
	free(container_of(op, struct waiter, op));
}

static const struct op_type waiter_type = { .name = "job",
					    .cancel = waiter_cancel,
					    .free = waiter_free };

static struct op *jobs_wait_in(struct waiter **list, struct loop *loop, int64_t ms,
			       struct then then)
{
	struct waiter *w = xnew(struct waiter);

	op_init(&w->op, &waiter_type, loop, then);
	w->list = list;
	w->next = *list;
	*list = w;
	w->timer = timer_start(loop, ms, THEN(jobs_on_timer, w));
	return &w->op;
}

struct op *jobs_wait(struct jobs *jobs, const struct job *job, int64_t ms, struct then then)
{
	struct running *r = container_of((struct job *)job, struct running, job);

	if (!r->shell || ms <= 0)
		return op_settled(jobs->loop, then);
	return jobs_wait_in(&r->waiters, jobs->loop, ms, then);
}

void jobs_announce(struct jobs *jobs)
{
	jobs_wake(&jobs->awaiting);
}

struct op *jobs_wait_news(struct jobs *jobs, int64_t ms, struct then then)
{
	return jobs_wait_in(&jobs->awaiting, jobs->loop, ms, then);
}

#include "front/background/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/uuid.h"
#include "front/background/roster.h"
#include "front/background/supervisor_internal.h"
#include "front/display.h"
#include "sys/fs.h"
#include "sys/local_socket.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "sys/timer.h"

/* How long a supervisor that nobody talks to lives, how long a session waits for a prompt if nothing else is said, and how
 * long the supervisor before this one may take to end. */
enum { SUPERVISOR_PATIENCE_MS = 10000, SUPERVISOR_IDLE_MS = 600000, SUPERVISOR_LOCK_MS = 8000 };

static const int supervisor_signals[SUPERVISOR_SIGNALS] = { SIGINT, SIGTERM };

/* --- sessions ------------------------------------------------------------------------------------ */

static void supervisor_save(struct supervisor *s, struct job *job)
{
	struct job_info info = job_info(job);
	struct err err = ERR_INIT;

	if (!job->is_removed && !roster_save(s->config_dir, &info, &err))
		log_info("%s", err.text);
}

static void supervisor_on_changed(void *arg, struct job *job)
{
	struct supervisor *s = arg;

	supervisor_save(s, job);
	loop_post(s->loop, &s->notify);
}

static void supervisor_on_begun(struct supervisor *s, struct job *job)
{
	for (size_t i = 0; i < s->peers.n; i++)
		peer_on_begun(s->peers.at[i], job);
}

static void supervisor_on_line(void *arg, struct job *job, struct sv line)
{
	struct supervisor *s = arg;

	supervisor_on_begun(s, job);
	for (size_t i = 0; i < s->peers.n; i++)
		peer_on_line_of(s->peers.at[i], job, line);
}

static void supervisor_on_ended(void *arg, struct job *job)
{
	struct supervisor *s = arg;

	supervisor_on_begun(s, job);
	if (!job->has_ever_begun && !job->is_removed)
		supervisor_remove(s, job); /* whoever started it was told why it could not */
	for (size_t i = 0; i < s->peers.n; i++)
		peer_on_ended(s->peers.at[i], job);
	loop_post(s->loop, &s->notify);
	supervisor_settle(s);
}

static const struct job_callbacks supervisor_job_callbacks = {
	.changed = supervisor_on_changed,
	.line = supervisor_on_line,
	.ended = supervisor_on_ended,
};

static size_t supervisor_live(const struct supervisor *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->jobs.n; i++)
		n += job_is_live(s->jobs.at[i]);
	return n;
}

struct job *supervisor_find(struct supervisor *s, struct sv id)
{
	struct job *found = NULL;

	for (size_t i = 0; i < s->jobs.n && id.len; i++) {
		struct job *job = s->jobs.at[i];

		if (job->is_removed)
			continue;
		if (sv_eq(sv_of(&job->id), id) || sv_eq(sv_of(&job->session), id) ||
		    (job->name.len && sv_eq(sv_of(&job->name), id)))
			return job;
		if (sv_starts(sv_of(&job->id), id)) {
			if (found)
				return NULL;
			found = job;
		}
	}
	return found;
}

static void supervisor_take(void *arg, const struct job_info *info)
{
	struct supervisor *s = arg;
	struct job *job = job_new(s->loop, info, &supervisor_job_callbacks, s);

	job->idle_ms = s->idle_ms;
	job->has_ever_begun = true;
	vec_push(&s->jobs, job);
}

/* A session that was never there before. */
static struct job *supervisor_add(struct supervisor *s, const struct background_message *request,
				  struct err *err)
{
	struct uuid uuid = uuid_v4(loop_rng(s->loop));
	struct job_info info = request->job;

	if (s->jobs.n >= LIMIT_JOBS) {
		err_set(err, ERR_FULL, "there are %d background sessions; remove some", LIMIT_JOBS);
		return NULL;
	}
	if (!info.cwd.len || info.cwd.ptr[0] != '/') {
		err_set(err, ERR_INVALID, "a background session needs a directory");
		return NULL;
	}
	info.id = sv_from(uuid.text, 8);
	if (!request->nonce) {
		info.session = sv_cstr(uuid.text);
		info.prompt = SV_EMPTY;
	}
	info.started_ms = info.updated_ms = loop_wall(s->loop);
	info.cost_usd = 0;
	info.text = info.error = SV_EMPTY;
	supervisor_take(s, &info);
	(*vec_last(&s->jobs))->has_ever_begun = false;
	return *vec_last(&s->jobs);
}

static bool supervisor_may_start(const struct supervisor *s, const struct job *job, struct err *err)
{
	bool is_live = job && job_is_live(job);

	if (s->is_ending)
		return err_set(err, ERR_CANCELLED,
			       "the supervisor of background sessions is ending");
	if (is_live && job->is_stopping)
		return err_set(err, ERR_BUSY, "the session is being stopped; try again");
	return is_live || supervisor_live(s) < LIMIT_JOBS_LIVE ||
	       err_set(err, ERR_FULL, "%d background sessions are already running",
		       LIMIT_JOBS_LIVE);
}

struct job *supervisor_start(struct supervisor *s, const struct background_message *request,
			     struct err *err)
{
	const struct job_start how = { .program = s->program,
				       .env = request->env,
				       .nenv = request->nenv,
				       .once = request->once,
				       .nonce = request->job.id.len ? 0 : request->nonce };
	struct job *job = supervisor_find(s, request->job.id);

	if (!supervisor_may_start(s, job, err))
		return NULL;
	if (request->job.id.len && !job) {
		err_set(err, ERR_NOT_FOUND, "there is no such background session");
		return NULL;
	}
	if (!job && !(job = supervisor_add(s, request, err)))
		return NULL;
	if (!job_is_live(job))
		job_start(job, &how);
	return !request->text.len || job_prompt(job, request->text, err) ? job : NULL;
}

void supervisor_remove(struct supervisor *s, struct job *job)
{
	struct err err = ERR_INIT;

	if (!roster_forget(s->config_dir, sv_of(&job->id), &err))
		log_info("%s", err.text);
	job->is_removed = true;
	job_stop(job);
	loop_post(s->loop, &s->notify);
	supervisor_settle(s);
}

/* --- clients --------------------------------------------------------------------------------------- */

static void supervisor_accept(struct task *task)
{
	struct supervisor *s = container_of(task, struct supervisor, accept);
	int fd;

	while (s->poll && (fd = local_socket_accept(s->fd)) >= 0) {
		op_cancel(s->patience);
		if (s->peers.n >= LIMIT_PEERS)
			close(fd);
		else
			peer_new(s, fd);
	}
}

static void supervisor_on_client(void *arg, __attribute__((unused)) int fd,
				 __attribute__((unused)) int events)
{
	struct supervisor *s = arg;

	loop_post(s->loop, &s->accept);
}

static void supervisor_notify(struct task *task)
{
	struct supervisor *s = container_of(task, struct supervisor, notify);

	for (size_t i = 0; i < s->peers.n; i++)
		peer_notify(s->peers.at[i]);
}

/* --- the end ----------------------------------------------------------------------------------------- */

/* Nobody can connect any more; whoever just has sees the connection end and starts another supervisor. */
static void supervisor_close(struct supervisor *s)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	roster_path(&path, s->config_dir, "socket");
	if (!fs_remove(str_c(&path), &err))
		log_info("%s", err.text);
	poll_free(move(s->poll));
	close(s->fd);
	op_cancel(s->patience);
	for (size_t i = 0; i < SUPERVISOR_SIGNALS; i++)
		op_cancel(s->signals[i]);
}

static void supervisor_reap_jobs(struct supervisor *s)
{
	for (size_t i = s->jobs.n; i > 0; i--) {
		struct job *job = s->jobs.at[i - 1];

		if (!job->is_removed || job->child || job->patience)
			continue;
		vec_remove(&s->jobs, i - 1);
		job_free(job);
	}
}

static void supervisor_reap(struct task *task)
{
	struct supervisor *s = container_of(task, struct supervisor, reap);

	for (size_t i = s->peers.n; i > 0; i--)
		if (peer_is_over(s->peers.at[i - 1])) {
			struct peer *peer = s->peers.at[i - 1];

			vec_remove(&s->peers, i - 1);
			peer_free(peer);
		}
	supervisor_reap_jobs(s);
	if (s->poll && !s->patience && !supervisor_live(s) && !s->peers.n)
		supervisor_close(s);
}

void supervisor_settle(struct supervisor *s)
{
	loop_post(s->loop, &s->reap);
}

static void supervisor_on_patience(__attribute__((unused)) struct op *op, void *owner,
				   __attribute__((unused)) const struct err *why)
{
	struct supervisor *s = owner;

	s->patience = NULL;
	supervisor_settle(s);
}

/* The sessions end in order; with them we do. */
static void supervisor_on_signal(void *owner, __attribute__((unused)) int signo)
{
	struct supervisor *s = owner;

	s->is_ending = true;
	for (size_t i = 0; i < s->jobs.n; i++)
		if (job_is_live(s->jobs.at[i]))
			job_stop(s->jobs.at[i]);
	for (size_t i = 0; i < s->peers.n; i++)
		peer_leave(s->peers.at[i]);
	op_cancel(s->patience);
	supervisor_settle(s);
}

static void supervisor_on_unwatched(struct op *op, void *owner,
				    __attribute__((unused)) const struct err *why)
{
	struct supervisor *s = owner;

	for (size_t i = 0; i < SUPERVISOR_SIGNALS; i++)
		if (s->signals[i] == op)
			s->signals[i] = NULL;
}

/* --- the start ------------------------------------------------------------------------------------------ */

/* Tell whoever started us, and let go of their descriptors. */
static void supervisor_report(const char *text)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		log_info("nobody waits for the supervisor");
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && null >= 0; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
}

static bool supervisor_listen(struct supervisor *s, struct err *err)
{
	defer(str_clear) struct str lock = STR_INIT, path = STR_INIT;

	roster_path(&lock, s->config_dir, "lock");
	roster_path(&path, s->config_dir, "socket");
	if (!roster_prepare(s->config_dir, err))
		return false;
	s->lock = fs_lock_within(str_c(&lock), SUPERVISOR_LOCK_MS, err);
	if (!s->lock)
		return err_context(err, "another supervisor of background sessions is running");
	s->fd = local_socket_listen(str_c(&path), err);
	if (s->fd < 0)
		return false;
	s->poll = poll_new(s->loop, s->fd, supervisor_on_client, s);
	if (!s->poll)
		return err_set(err, ERR_FULL, "no file descriptor is left");
	poll_want(s->poll, POLL_READABLE);
	return true;
}

static int64_t supervisor_read_idle(void)
{
	const char *text = getenv("AWL_BACKGROUND_IDLE_SECONDS");
	int64_t seconds;

	return text && sv_to_int(sv_cstr(text), &seconds) && seconds >= 0 && seconds <= 30 * 86400
		       ? seconds * 1000
		       : SUPERVISOR_IDLE_MS;
}

static void supervisor_run(struct supervisor *s)
{
	roster_load(s->config_dir, loop_wall(s->loop), supervisor_take, s);
	for (size_t i = 0; i < SUPERVISOR_SIGNALS; i++)
		s->signals[i] = signal_start(s->loop, supervisor_signals[i], supervisor_on_signal,
					     THEN(supervisor_on_unwatched, s));
	s->patience = timer_start(s->loop, SUPERVISOR_PATIENCE_MS, THEN(supervisor_on_patience, s));
	signal(SIGHUP, SIG_IGN);
	supervisor_report("ready\n");
	loop_run(s->loop);
}

int front_supervise(const char *config_dir, const char *program, const char *version)
{
	struct supervisor s = { .config_dir = config_dir,
				.program = program,
				.version = version,
				.loop = loop_new(),
				.fd = -1,
				.accept = { .run = supervisor_accept },
				.notify = { .run = supervisor_notify },
				.reap = { .run = supervisor_reap },
				.idle_ms = supervisor_read_idle() };
	struct err err = ERR_INIT;
	bool ok = supervisor_listen(&s, &err);

	if (ok)
		supervisor_run(&s);
	else
		supervisor_report(err.text);
	for (size_t i = 0; i < s.jobs.n; i++)
		job_free(s.jobs.at[i]);
	vec_clear(&s.jobs);
	vec_clear(&s.peers);
	loop_free(s.loop);
	fs_unlock(s.lock);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The sandbox of one command, from its policy to a running process.
 *
 * The problem: the process that becomes the command is made by clone() in the guard. Between that
 * and exec() it may only call async-signal-safe functions: no allocation, no paths to work out, no
 * error text. But a sandbox needs all of that.
 *
 * The idea: decide everything before (job_make) and pack it into an image (image.h), one block of
 * memory with offsets instead of pointers. The guard passes it on, and the new process only carries
 * it out, step by step (enter.c). If a step fails, it reports the number of the step and of the
 * mount with errno; engine_job_explain() makes a sentence of that, on our side.
 *
 *   job_make     mounts, engine, placeholders, environment, filter, rules, command line, image
 *   hand_over    descriptors for the guard: filter, rules, one end of the link
 *   enter.c      the new process: namespaces, mounts, limits, rules, filter
 *   job_on_link  the listening socket that it has made arrives, if the proxy needs one
 *   release      nothing of the command is left: remove placeholders
 *
 * Invariants: a sandbox is set up as a whole or not at all, apart from the gaps that engine_pick()
 * reports. A missing path that is
 * protected has a placeholder as long as the job lives. What arrives through the link comes from
 * inside, so it is used only if it is a listening IPv4 socket (is_listener). */
#include "sandbox/engines/job.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "sandbox/engines/enter.h"
#include "sandbox/engines/landlock.h"
#include "sandbox/engines/path.h"
#include "sandbox/engines/seccomp.h"
#include "sys/child/child_program.h"
#include "sys/fd.h"
#include "sys/poll.h"

/* --- placeholders ------------------------------------------------------------------------------- */

/* Creates a placeholder for each missing path. Where we cannot create one the command cannot create
 * a file either, so the path is dropped. */
static bool job_make_placeholders(struct engine_job *job, struct err *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < job->mounts.list.n; i++) {
		struct sandbox_mount m = job->mounts.list.at[i];
		bool exists = true;

		if (m.missing &&
		    !placeholder_add(&job->placeholders, m.path, m.is_dir, &exists, err))
			return false;
		if (m.missing && !m.is_dir && placeholder_is_pipe(m.path))
			m.kind = MOUNT_HIDE_FILE;
		if (exists)
			job->mounts.list.at[kept++] = m;
	}
	job->mounts.list.n = kept;
	return true;
}

/* --- the image --------------------------------------------------------------------------- */

static bool job_make_filter(struct engine_job *job, const struct sandbox_policy *policy,
			    uint32_t *size, struct err *err)
{
	bool alone = job->engine == SANDBOX_LANDLOCK; /* nothing else restricts the network */
	seccomp_filter code = VEC_INIT;
	struct sv bytes;

	seccomp_filter_make(
		&code, (struct seccomp_opts){ .unix_sockets = policy->unix_sockets,
					      .inet = !alone || policy->net == SANDBOX_NET_FULL,
					      .alone = alone });
	bytes = sv_from((const char *)code.at, code.n * sizeof(*code.at));
	job->filter = child_program_file(bytes);
	*size = (uint32_t)bytes.len;
	vec_clear(&code);
	if (job->filter < 0 || lseek(job->filter, 0, SEEK_SET) < 0)
		return err_sys(err, errno, "cannot hand over the seccomp filter");
	return true;
}

static bool job_make_link(struct engine_job *job, struct err *err)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_sys(err, errno, "cannot create a socket");
	job->link = ends[0];
	job->their_link = ends[1];
	fcntl(job->link, F_SETFL, O_NONBLOCK);
	return true;
}

static uint32_t job_add_text(struct str *out, const char *text)
{
	uint32_t at = (uint32_t)out->len;

	str_add(out, sv_from(text, strlen(text) + 1));
	return at;
}

static struct engine_image *job_image(struct engine_job *job)
{
	return (struct engine_image *)job->program.ptr;
}

/* TAKEN numbers are in use from the start. */
enum { PID_MAX_LEAST = 301, PID_MAX_TAKEN = 2 };

uint64_t sandbox_least_processes(void)
{
	return geteuid() == 0 ? PID_MAX_LEAST - PID_MAX_TAKEN : 1;
}

static uint32_t job_pid_max_for(const struct sandbox_policy *policy)
{
	enum { MOST = 4 * 1024 * 1024 };
	uint64_t most = policy->max_processes + PID_MAX_TAKEN;

	if (!policy->max_processes || !policy->support->counts_pids)
		return 0;
	return (uint32_t)min_of(max_of(most, (uint64_t)PID_MAX_LEAST), (uint64_t)MOST);
}

/* Everything about a mount except its path. */
static bool job_pack_mount(struct engine_job *job, const struct sandbox_mount *m, struct err *err)
{
	struct image_mount step = { .kind = m->kind, .is_dir = m->is_dir };
	struct statx info;

	if (job->engine == SANDBOX_BWRAP) {
		if (!sandbox_path_stat(m->path, &info))
			return err_sys(err, errno, "%s", m->path);
		step.device_major = info.stx_dev_major;
		step.device_minor = info.stx_dev_minor;
		step.inode = info.stx_ino;
	}
	str_add(&job->program, sv_from((const char *)&step, sizeof(step)));
	return true;
}

static bool job_pack(struct engine_job *job, const struct sandbox_policy *policy, const char *cwd,
		     struct engine_image head, struct err *err)
{
	size_t n = job->mounts.list.n;
	uint32_t at;

	head.engine = job->engine;
	head.uid = geteuid();
	head.gid = getegid();
	head.base_rw = job->mounts.base_rw;
	head.any_file = policy->any_file;
	head.own_net = policy->net != SANDBOX_NET_FULL;
	head.listens = job->link >= 0;
	head.own_proc = policy->support->own_proc;
	head.has_helper = policy->helper != NULL;
	head.pid_max = job_pid_max_for(policy);
	head.max_processes = policy->max_processes;
	head.max_memory = policy->max_memory;
	head.max_files = policy->max_files;
	head.nmounts = (uint32_t)n;
	str_add(&job->program, sv_from((const char *)&head, offsetof(struct engine_image, mounts)));
	for (size_t i = 0; i < n; i++)
		if (!job_pack_mount(job, &job->mounts.list.at[i], err))
			return false;
	for (size_t i = 0; i < n; i++) {
		at = job_add_text(&job->program, job->mounts.list.at[i].path);
		job_image(job)->mounts[i].path = at;
	}
	at = job_add_text(&job->program, cwd);
	job_image(job)->cwd = at;
	return true;
}

/* --- the command line -------------------------------------------------------------------- */

/* bubblewrap would only print that there is no such program. */
static bool job_can_be_found(const char *name, const char *const *env, struct err *err)
{
	struct sv path = sv_cstr(child_program_path(env)), dir;
	defer(str_clear) struct str candidate = STR_INIT;

	if (strchr(name, '/'))
		return true;
	while (sv_cut(&path, ':', &dir)) {
		str_truncate(&candidate, 0);
		str_addf(&candidate, "%.*s/%s", SV_ARG(dir), name);
		if (access(str_c(&candidate), X_OK) == 0)
			return true;
	}
	return err_set(err, ERR_NOT_FOUND, "not found in PATH");
}

static void job_call_bubblewrap(struct engine_job *job, const struct sandbox_policy *policy,
				const char *cwd, uint64_t rights)
{
	bubblewrap_argv(&job->argv, policy, &job->mounts, cwd, &job->arena);
	bubblewrap_env(&job->argv, &job->env, &job->arena);
	vec_push(&job->argv, "--");
	bubblewrap_helper(&job->argv, policy, job->rules >= 0, rights, &job->arena);
}

static bool job_make_argv(struct engine_job *job, const struct sandbox_policy *policy,
			  const struct child_opts *opts, const char *cwd, uint64_t rights,
			  struct err *err)
{
	if (!opts->argv || !opts->argv[0] || !opts->argv[0][0])
		return err_set(err, ERR_INVALID, "no program to start");
	if (job->engine == SANDBOX_BWRAP) {
		if (!job_can_be_found(opts->argv[0], job->env.at, err))
			return false;
		job_call_bubblewrap(job, policy, cwd, rights);
	}
	for (const char *const *word = opts->argv; *word; word++)
		vec_push(&job->argv, *word);
	vec_push(&job->argv, NULL);
	return true;
}

static bool job_find_cwd(const struct child_opts *opts, struct str *out, struct err *err)
{
	char *real = realpath(opts->cwd ? opts->cwd : ".", NULL);

	if (!real)
		return err_sys(err, errno, "cannot use the working directory %s",
			       opts->cwd ? opts->cwd : ".");
	str_adds(out, real);
	free(real);
	return true;
}

/* What the kernel enforces for this command, and what it does not. */
static void job_log_engine(const struct engine_job *job, unsigned gaps)
{
	log_debug("engine: %s", sandbox_engine_name(job->engine));
	for (int i = 0; i < SANDBOX_GAPS; i++)
		if (gaps & 1U << i)
			log_debug("not enforced: %s",
				  sandbox_gap_text((enum sandbox_gap)(1U << i)));
}

static bool job_make(struct engine_job *job, const struct sandbox_policy *policy,
		     const struct child_opts *opts, struct err *err)
{
	defer(str_clear) struct str cwd = STR_INIT;
	struct engine_image head = { .follows_cwd = opts->follow_cwd };
	unsigned gaps;

	if (!job_find_cwd(opts, &cwd, err) || !sandbox_mounts_make(&job->mounts, policy, err) ||
	    !engine_pick(policy, &job->mounts, &job->engine, &gaps, err))
		return false;
	job_log_engine(job, gaps);
	if (job->engine != SANDBOX_LANDLOCK && !job_make_placeholders(job, err))
		return false;
	sandbox_policy_env(&job->env, policy, opts->env ? opts->env : (const char *const *)environ,
			   &job->arena);
	if (!job_make_filter(job, policy, &head.filter_size, err) ||
	    !landlock_rules_make(&job->rules, &head.rules, &job->mounts, policy, job->engine,
				 err) ||
	    !job_make_argv(job, policy, opts, arena_dup(&job->arena, sv_of(&cwd)).ptr, head.rules,
			   err))
		return false;
	if (policy->net == SANDBOX_NET_PROXY && !(gaps & SANDBOX_GAP_PROXY) &&
	    !job_make_link(job, err))
		return false;
	return job_pack(job, policy, str_c(&cwd), head, err);
}

/* --- the listening socket ---------------------------------------------------------------------- */

/* The descriptor comes from inside the sandbox, so it is checked. */
static bool is_listener(int fd)
{
	int domain = 0, listens = 0;
	socklen_t len = sizeof(int);

	return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) == 0 &&
	       getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) == 0 &&
	       domain == AF_INET && listens && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

/* The socket, once it has arrived; -1: not yet, or it never will. */
static int job_receive_listener(struct engine_job *job)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec bytes = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = { .msg_iov = &bytes,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(job->link, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	const struct cmsghdr *given = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	int fd = -1;

	if (given && given->cmsg_type == SCM_RIGHTS && given->cmsg_len == CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(given), sizeof(fd));
	if (fd >= 0 && !is_listener(fd))
		fd_close(&fd);
	return fd;
}

static void job_on_link(void *arg, __attribute__((unused)) int fd,
			__attribute__((unused)) int events)
{
	struct engine_job *job = arg;
	log_as(job->session);

	poll_want(job->link_poll, 0);
	job->listener = job_receive_listener(job);
	if (job->listener >= 0)
		job->on_listener(job->listener_arg, job->listener);
}

static void job_await_listener(struct engine_job *job, const struct sandbox_policy *policy,
			       struct loop *loop)
{
	job->on_listener = policy->on_listener;
	job->on_listener_end = policy->on_listener_end;
	job->listener_arg = policy->listener_arg;
	job->link_poll = poll_new(loop, job->link, job_on_link, job);
	if (!job->link_poll)
		BUG("a socket cannot be polled");
	poll_want(job->link_poll, POLL_READABLE);
}

static void engine_job_free(struct engine_job *job);

/* Fails when the policy cannot be enforced, or when bubblewrap would not find the program. */
static struct engine_job *engine_job_new(const struct sandbox_policy *policy, struct loop *loop,
					 const struct child_opts *opts, struct err *err)
{
	struct engine_job *job = xnew(struct engine_job);

	job->session = log_session;
	job->filter = job->rules = job->link = job->their_link = job->listener = -1;
	if (!job_make(job, policy, opts, err)) {
		err_context(err, "cannot set up the sandbox");
		engine_job_free(job);
		return NULL;
	}
	if (job->link >= 0)
		job_await_listener(job, policy, loop);
	return job;
}

static void engine_job_free(struct engine_job *job)
{
	if (!job)
		return;
	poll_free(move(job->link_poll));
	fd_close(&job->filter);
	fd_close(&job->rules);
	fd_close(&job->link);
	fd_close(&job->their_link);
	placeholders_clear(&job->placeholders);
	sandbox_mounts_clear(&job->mounts);
	vec_clear(&job->argv);
	vec_clear(&job->env);
	str_clear(&job->program);
	arena_clear(&job->arena);
	if (job->listener >= 0)
		job->on_listener_end(job->listener_arg, job->listener);
	free(job);
}

bool engine_job_explain(const struct engine_job *job, struct confinement_place at, int errnum,
			struct err *err)
{
	static const char doing[SANDBOX_STEPS][31] = {
		[SANDBOX_AT_IDS] = "map user and group",
		[SANDBOX_AT_TREE] = "clone the mount of",
		[SANDBOX_AT_BASE] = "make the file system read-only",
		[SANDBOX_AT_PROC] = "mount /proc",
		[SANDBOX_AT_DEV] = "mount /dev",
		[SANDBOX_AT_MOUNT] = "mount",
		[SANDBOX_AT_NET] = "set up the network",
		[SANDBOX_AT_LISTEN] = "listen for connections",
		[SANDBOX_AT_CWD] = "enter the working directory",
		[SANDBOX_AT_POWERS] = "drop capabilities",
		[SANDBOX_AT_LIMITS] = "set the limits",
		[SANDBOX_AT_RULES] = "apply Landlock rules",
		[SANDBOX_AT_FILTER] = "install the seccomp filter",
		[SANDBOX_AT_DESCRIPTORS] = "pass descriptors to bubblewrap",
	};
	bool of_mount = at.step == SANDBOX_AT_TREE || at.step == SANDBOX_AT_MOUNT;

	if (at.step >= SANDBOX_STEPS)
		return err_sys(err, errnum, "cannot set up the sandbox");
	return err_sys(err, errnum, "cannot set up the sandbox: cannot %s%s%s", doing[at.step],
		       of_mount ? " " : "",
		       of_mount && at.item < job->mounts.list.n ? job->mounts.list.at[at.item].path
								: "");
}

/* --- the confinement of a child ----------------------------------------------------------------- */

static void job_describe(struct str *out, const void *data)
{
	sandbox_policy_describe(out, data);
}

static void *job_prepare(const void *data, struct loop *loop, struct child_opts *opts,
			 struct err *err)
{
	struct engine_job *job = engine_job_new(data, loop, opts, err);

	if (job) {
		opts->argv = job->argv.at;
		opts->env = job->env.at;
	}
	return job;
}

static struct sv job_hand_over(void *prepared, int fds[CONFINEMENT_FDS])
{
	struct engine_job *job = prepared;

	fds[SANDBOX_FD_FILTER] = fd_move(&job->filter);
	fds[SANDBOX_FD_RULES] = fd_move(&job->rules);
	fds[SANDBOX_FD_LINK] = fd_move(&job->their_link);
	return sv_of(&job->program);
}

static bool job_explain(const void *prepared, struct confinement_place at, int errnum,
			struct err *err)
{
	return engine_job_explain(prepared, at, errnum, err);
}

static void job_release(void *prepared)
{
	engine_job_free(prepared);
}

const struct confinement_type sandbox_confinement_type = {
	.describe = job_describe,
	.prepare = job_prepare,
	.hand_over = job_hand_over,
	.explain = job_explain,
	.release = job_release,
	.clone_flags = engine_clone_flags,
	.is_watched = engine_is_watched,
	.set_up = engine_set_up,
	.enter = engine_enter,
};

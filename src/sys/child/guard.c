#include "sys/child/guard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/limits.h"
#include "base/vec.h"
#include "sys/child/proc.h"
#include "sys/fd.h"
#include "sys/loop/uv_loop.h"

/* Starts that the guard has not answered yet. Each has descriptors in flight, and the socket has
 * limited room. */
enum { WINDOW = 16 };

/* How long the guard may take to end the remaining processes before it is killed. */
enum { SHUTDOWN_MS = 5000 };

#define PIDS_SIZE ((GUARD_WORKER + 1) * sizeof(pid_t))

struct slot {
	struct guard_client *client; /* NULL: abandoned, or free */
	bool taken, sent;
};

struct guard {
	struct loop *loop;
	pid_t pid;
	pid_t *pids; /* by slot; written by the guard even when it cannot report any more */
	int pidfd, sock;
	uv_poll_t poll;
	int events; /* events that `poll` waits for */
	VEC(struct slot) slots;
	size_t clients;
	VEC(struct guard_request) queue;
	size_t queue_at;   /* the first request that is not sent yet */
	size_t unanswered; /* number of starts without an answer */
};

static void guard_flush(struct guard *g);

pid_t guard_pid(const struct guard_client *client)
{
	if (!client->guard)
		return client->pid;
	return __atomic_load_n(&client->guard->pids[client->slot], __ATOMIC_RELAXED);
}

/* An idle guard does not keep the loop running. */
static void guard_retain(struct guard *g)
{
	if (g->clients > 0)
		uv_ref((uv_handle_t *)&g->poll);
	else
		uv_unref((uv_handle_t *)&g->poll);
}

static struct guard_client *guard_take_client(struct guard *g, uint32_t slot)
{
	struct guard_client *client = g->slots.at[slot].client;

	g->slots.at[slot].client = NULL;
	if (client) {
		client->pid = guard_pid(client);
		client->guard = NULL;
		g->clients--;
		guard_retain(g);
	}
	return client;
}

static void guard_free_slot(struct guard *g, uint32_t slot)
{
	g->slots.at[slot] = (struct slot){ .taken = false };
	g->pids[slot] = 0;
}

static void guard_close_job(struct guard_client *client)
{
	for (size_t i = 0; i < GUARD_FDS; i++)
		fd_close(&client->job.fds[i]);
	client->job.ready = false;
}

/* --- ending the guard -------------------------------------------------------------------- */

static void guard_on_closed(uv_handle_t *handle)
{
	struct guard *g = handle->data;

	vec_clear(&g->slots);
	vec_clear(&g->queue);
	munmap(g->pids, PIDS_SIZE);
	free(g);
}

static void guard_close(struct guard *g)
{
	uv_poll_stop(&g->poll);
	uv_close((uv_handle_t *)&g->poll, guard_on_closed);
	fd_close(&g->sock);
	fd_close(&g->pidfd);
}

/* Waits until the process has ended. Only a guard that somebody has stopped needs to be killed. */
static void guard_reap(struct guard *g)
{
	struct pollfd ended = { .fd = g->pidfd, .events = POLLIN };

	kill(g->pid, SIGCONT);
	if (g->pids[GUARD_WORKER])
		kill(g->pids[GUARD_WORKER], SIGCONT);
	if (g->pidfd >= 0 && poll(&ended, 1, SHUTDOWN_MS) == 0)
		kill(g->pid, SIGKILL);
	while (waitpid(g->pid, NULL, __WALL) < 0 && errno == EINTR)
		continue;
}

void guard_free(struct guard *g)
{
	if (!g)
		return;
	shutdown(g->sock, SHUT_RDWR); /* makes it end */
	guard_reap(g);
	guard_close(g);
}

/* Somebody killed the guard, or one of its two processes. Its children got the signal that they had
 * asked for in that case. What they had started is ended by the process that is left, and here as
 * far as we know it. */
static void guard_lost(struct guard *g)
{
	real_loop(g->loop)->guard = NULL;
	shutdown(g->sock, SHUT_RDWR);
	guard_reap(g);
	for (uint32_t i = 0; i < g->slots.n; i++)
		if (g->pids[i])
			proc_signal_session(g->pids[i], false, SIGKILL);
	for (uint32_t i = 0; i < g->slots.n; i++) {
		struct guard_client *client = guard_take_client(g, i);

		if (client) {
			guard_close_job(client);
			client->type->lost(client);
		}
	}
	guard_close(g);
}

/* --- reports ----------------------------------------------------------------------------- */

static struct child_result guard_result_of(const struct guard_report *r)
{
	struct child_result result = { .user_us = r->user_us,
				       .system_us = r->system_us,
				       .max_rss_kib = r->max_rss_kib };

	if (WIFSIGNALED(r->status))
		result.signal = WTERMSIG(r->status);
	result.code = result.signal ? 128 + result.signal : WEXITSTATUS(r->status);
	return result;
}

static void guard_on_ended(struct guard *g, const struct guard_report *r)
{
	struct guard_client *client = guard_take_client(g, r->slot);
	struct child_result result = guard_result_of(r);

	guard_free_slot(g, r->slot);
	if (client)
		client->type->ended(client, &result);
}

static void guard_on_started(struct guard *g, const struct guard_report *r)
{
	struct guard_client *client = g->slots.at[r->slot].client;

	if (client)
		client->type->started(client);
}

static void guard_on_failed(struct guard *g, const struct guard_report *r)
{
	struct guard_client *client = guard_take_client(g, r->slot);

	guard_free_slot(g, r->slot);
	if (client)
		client->type->failed(client, r);
}

static void guard_on_left(struct guard *g, const struct guard_report *r)
{
	struct guard_client *client = g->slots.at[r->slot].client;
	struct child_result result = guard_result_of(r);

	if (client)
		client->type->left(client, &result);
}

static void guard_on_report(struct guard *g, const struct guard_report *r)
{
	switch (r->news) {
	case GUARD_STARTED:
		g->unanswered--;
		guard_on_started(g, r);
		break;
	case GUARD_FAILED:
		g->unanswered--;
		guard_on_failed(g, r);
		break;
	case GUARD_LEFT: guard_on_left(g, r); break;
	case GUARD_ENDED: guard_on_ended(g, r); break;
	}
}

static void guard_on_ready(uv_poll_t *poll, __attribute__((unused)) int status,
			   __attribute__((unused)) int events)
{
	struct guard *g = poll->data;
	struct guard_report r;
	ssize_t n;

	/* A reset arrives before the messages that were sent, and before the end of the stream. */
	while ((n = recv(g->sock, &r, sizeof(r), MSG_DONTWAIT)) > 0 ||
	       (n < 0 && (errno == EINTR || errno == ECONNRESET)))
		if (n > 0)
			guard_on_report(g, &r);
	if (n < 0)
		guard_flush(g);
	else
		guard_lost(g);
}

/* --- requests ---------------------------------------------------------------------------- */

static void guard_wait_for(struct guard *g, int events)
{
	if (events == g->events)
		return;
	g->events = events;
	uv_poll_start(&g->poll, events, guard_on_ready);
}

/* Returns errno, or 0 when it was sent. */
static int guard_send_request(struct guard *g, const struct guard_request *q, const int *fds,
			      size_t n)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(GUARD_FDS * sizeof(int))];
	} control = { .space = { 0 } };
	struct iovec bytes = { .iov_base = (void *)q, .iov_len = sizeof(*q) };
	struct msghdr message = { .msg_iov = &bytes, .msg_iovlen = 1 };

	if (fds) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(n * sizeof(int));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(&control.head), fds, n * sizeof(int));
	}
	while (sendmsg(g->sock, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

/* With too many descriptors in flight we wait, unless none of them are ours. */
static bool guard_is_full(const struct guard *g, int errnum)
{
	return errnum == EAGAIN || (errnum == ETOOMANYREFS && g->unanswered > 0);
}

/* Collects the open descriptors, and which they are. */
static size_t guard_pack(int out[GUARD_FDS], uint32_t *which, const int fds[GUARD_FDS])
{
	size_t n = 0;

	*which = 0;
	for (int i = 0; i < GUARD_FDS; i++) {
		if (fds[i] < 0)
			continue;
		*which |= 1U << i;
		out[n++] = fds[i];
	}
	return n;
}

/* False when the guard has to act first. */
static bool guard_send_start(struct guard *g, struct guard_request *q)
{
	struct guard_client *client = g->slots.at[q->slot].client;
	int fds[GUARD_FDS];
	int errnum;

	if (g->unanswered >= WINDOW)
		return false;
	if (!client) {
		guard_free_slot(g, q->slot);
		return true;
	}
	if (!client->job.ready && !client->type->prepare(client)) {
		guard_close_job(guard_take_client(g, q->slot));
		guard_free_slot(g, q->slot);
		return true;
	}
	client->job.ready = true;
	q->program_size = client->job.program_size;
	q->image_size = client->job.image_size;
	q->confinement = client->job.confinement;
	q->terminal = client->job.terminal;
	errnum = guard_send_request(g, q, fds, guard_pack(fds, &q->fds, client->job.fds));
	if (guard_is_full(g, errnum))
		return false;
	guard_close_job(client);
	g->unanswered++;
	g->slots.at[q->slot].sent = true;
	if (errnum && errnum != EPIPE &&
	    errnum != ECONNRESET) /* these two are seen as the end of the guard */
		guard_on_report(g, &(struct guard_report){ .news = GUARD_FAILED,
							   .slot = q->slot,
							   .stage = GUARD_AT_FORK,
							   .errnum = errnum });
	return true;
}

static bool guard_send_next(struct guard *g, struct guard_request *q)
{
	if (q->verb == GUARD_SPAWN)
		return guard_send_start(g, q);
	if (!g->slots.at[q->slot].sent)
		return true; /* it has ended, or never started */
	return !guard_is_full(g, guard_send_request(g, q, NULL, 0));
}

static void guard_flush(struct guard *g)
{
	while (g->queue_at < g->queue.n && guard_send_next(g, &g->queue.at[g->queue_at]))
		g->queue_at++;
	if (g->queue_at == g->queue.n)
		g->queue.n = g->queue_at = 0;
	guard_wait_for(g, g->queue.n > 0 && g->unanswered < WINDOW ? UV_READABLE | UV_WRITABLE
								   : UV_READABLE);
}

static void guard_send(struct guard *g, struct guard_request q)
{
	vec_push(&g->queue, q);
	guard_flush(g);
}

void guard_signal(struct guard_client *client, int signo)
{
	if (client->guard)
		guard_send(client->guard, (struct guard_request){ .verb = GUARD_SIGNAL,
								  .slot = client->slot,
								  .signo = signo });
}

void guard_end(struct guard_client *client, int signo)
{
	if (client->guard)
		guard_send(client->guard, (struct guard_request){ .verb = GUARD_END,
								  .slot = client->slot,
								  .signo = signo });
}

void guard_abandon(struct guard_client *client)
{
	if (!client->guard)
		return;
	guard_take_client(client->guard, client->slot);
	guard_close_job(client);
}

/* --- starting the guard ------------------------------------------------------------------ */

/* Not fork(): that would run the fork handlers of the host and raise SIGCHLD in the host. All
 * signals are blocked, so that no signal handler of the host ever runs in the guard. */
static pid_t guard_fork_guard(int sock, pid_t *pids)
{
	pid_t host = getpid();
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
	if (pid == 0)
		guard_main(sock, host, pids);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return pid;
}

/* Creates the process, our end of its socket and the memory shared with it. */
static bool guard_fork(struct guard *g, struct err *err)
{
	int ends[2];

	/* cppcheck-suppress invalidFunctionArg ; -1 is right for anonymous memory */
	g->pids = mmap(NULL, PIDS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (g->pids == MAP_FAILED)
		return err_sys(err, errno, "cannot share memory with the guard process");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) {
		err_sys(err, errno, "cannot create a socket for the guard process");
		goto unmap;
	}
	g->pid = guard_fork_guard(ends[1], g->pids);
	if (g->pid < 0)
		err_sys(err, errno, "cannot start the guard process");
	close(ends[1]);
	g->sock = ends[0];
	if (g->pid > 0)
		return true;
	close(g->sock);
unmap:
	munmap(g->pids, PIDS_SIZE);
	return false;
}

static struct guard *guard_new(struct loop *loop, struct err *err)
{
	defer(mem_freep) struct guard *g = xnew(struct guard);

	g->loop = loop;
	if (!guard_fork(g, err))
		return NULL;
	g->pidfd = (int)syscall(SYS_pidfd_open, g->pid, 0);
	if (uv_poll_init(uv_of(loop), &g->poll, g->sock) < 0)
		BUG("a socket cannot be polled");
	g->poll.data = g;
	guard_wait_for(g, UV_READABLE);
	guard_retain(g);
	return move(g);
}

/* The loop only notices its death in the next turn. */
static bool is_dead(const struct guard *g)
{
	struct pollfd ended[] = { { .fd = g->pidfd, .events = POLLIN }, { .fd = g->sock } };

	return poll(ended, countof(ended), 0) > 0;
}

static struct guard *guard_of(struct loop *loop, struct err *err)
{
	struct real_loop *r = real_loop(loop);

	if (r->guard && is_dead(r->guard))
		guard_lost(r->guard);
	if (!r->guard)
		r->guard = guard_new(loop, err);
	return r->guard;
}

static bool guard_find_slot(struct guard *g, uint32_t *out)
{
	uint32_t slot = 0;

	while (slot < g->slots.n && g->slots.at[slot].taken)
		slot++;
	if (slot == LIMIT_CHILDREN)
		return false;
	if (slot == g->slots.n)
		(void)vec_add(&g->slots);
	*out = slot;
	return true;
}

bool guard_add(struct loop *loop, struct guard_client *client, const struct guard_client_type *type,
	       struct err *err)
{
	struct guard *g = guard_of(loop, err);

	if (!g)
		return false;
	if (!guard_find_slot(g, &client->slot))
		return err_set(err, ERR_FULL, "%d programs are already running", LIMIT_CHILDREN);
	client->type = type;
	client->guard = g;
	client->pid = 0;
	client->job.ready = false;
	for (size_t i = 0; i < GUARD_FDS; i++)
		client->job.fds[i] = -1;
	g->slots.at[client->slot] = (struct slot){ .client = client, .taken = true };
	g->clients++;
	guard_retain(g);
	guard_send(g, (struct guard_request){ .verb = GUARD_SPAWN, .slot = client->slot });
	return true;
}

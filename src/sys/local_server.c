#include "sys/local_server.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "sys/local_socket.h"
#include "sys/poll.h"

struct local_conn {
	int fd;
	struct poll *poll;
	struct str in;
	struct local_server *server;
};

struct local_server {
	struct loop *loop;
	struct task task; /* looks at everything that may be ready */
	int fd;
	struct poll *poll;
	char *path;
	local_server_fn *serve;
	void *arg;
	bool is_closed, is_at_work;
	size_t nconns;
	struct local_conn *conns[LIMIT_LOCAL_CONNECTIONS]; /* the oldest first */
};

static void local_server_on_ready(void *arg, __attribute__((unused)) int fd,
				  __attribute__((unused)) int events)
{
	struct local_server *server = arg;

	loop_post(server->loop, &server->task);
}

static void local_server_drop(struct local_server *server, size_t i)
{
	struct local_conn *conn = server->conns[i];

	server->nconns--;
	memmove(&server->conns[i], &server->conns[i + 1],
		(server->nconns - i) * sizeof(server->conns[0]));
	poll_free(conn->poll);
	close(conn->fd);
	str_clear(&conn->in);
	free(conn);
}

static void local_server_accept(struct local_server *server)
{
	int fd;

	while ((fd = local_socket_accept(server->fd)) >= 0) {
		struct local_conn *conn = xnew(struct local_conn);

		if (server->nconns == LIMIT_LOCAL_CONNECTIONS)
			local_server_drop(server, 0);
		conn->fd = fd;
		conn->poll = poll_new(server->loop, fd, local_server_on_ready, server);
		poll_want(conn->poll, POLL_READABLE);
		server->conns[server->nconns++] = conn;
	}
}

/* Returns whether the connection is over. */
static bool local_server_read(struct local_server *server, struct local_conn *conn)
{
	char bytes[4096];
	ssize_t n = recv(conn->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	defer(str_clear) struct str answer = STR_INIT;
	size_t end;

	if (n < 0)
		return errno != EAGAIN && errno != EINTR;
	str_add(&conn->in, sv_from(bytes, (size_t)n));
	end = sv_find_char(sv_of(&conn->in), '\n');
	if (end == SIZE_MAX)
		return n == 0 || conn->in.len > LIMIT_LOCAL_LINE;
	server->serve(server->arg, sv_slice(sv_of(&conn->in), 0, end), &answer);
	str_addc(&answer, '\n');
	/* An answer is short, so the socket takes it at once, or the client has lost its right to it. */
	(void)!send(conn->fd, answer.ptr, answer.len, MSG_DONTWAIT | MSG_NOSIGNAL);
	return true;
}

static void local_server_release(struct local_server *server)
{
	while (server->nconns)
		local_server_drop(server, 0);
	free(server->path);
	free(server);
}

/* The server may be closed by what it calls. */
static void local_server_step(struct task *task)
{
	struct local_server *server = container_of(task, struct local_server, task);

	if (server->is_closed) {
		local_server_release(server);
		return;
	}
	server->is_at_work = true;
	local_server_accept(server);
	for (size_t i = server->nconns; i > 0 && !server->is_closed; i--)
		if (local_server_read(server, server->conns[i - 1]))
			local_server_drop(server, i - 1);
	server->is_at_work = false;
	if (server->is_closed)
		local_server_release(server);
}

struct local_server *local_server_new(struct loop *loop, const char *path, local_server_fn *serve,
				      void *arg, struct err *err)
{
	struct local_server *server;
	int fd = local_socket_listen(path, err);

	if (fd < 0)
		return NULL;
	server = xnew(struct local_server);
	*server = (struct local_server){ .loop = loop,
					 .task = { .run = local_server_step },
					 .fd = fd,
					 .path = xstrdup(path),
					 .serve = serve,
					 .arg = arg };
	server->poll = poll_new(loop, fd, local_server_on_ready, server);
	poll_want(server->poll, POLL_READABLE);
	return server;
}

void local_server_free(struct local_server *server)
{
	if (!server)
		return;
	unlink(server->path);
	poll_free(server->poll);
	close(server->fd);
	server->is_closed = true;
	if (!server->is_at_work && !server->task.posted)
		local_server_release(server);
}

#include "front/background/link.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "front/background/roster.h"
#include "sys/fs.h"
#include "sys/local_socket.h"
#include "sys/process.h"

/* A session may wait for its MCP servers before it says anything. */
enum { LINK_CALL_MS = 60000, LINK_READY_MS = 15000, LINK_TRIES = 3 };

/* --- lines ------------------------------------------------------------------------------- */

static bool link_wait(int fd, short events, int ms, struct err *err)
{
	struct pollfd at = { .fd = fd, .events = events };
	int n;

	do
		n = poll(&at, 1, ms);
	while (n < 0 && errno == EINTR);
	return n > 0 ||
	       err_set(err, ERR_TIMEOUT, "the supervisor of background sessions does not answer");
}

static bool link_write(struct link *link, struct sv text, struct err *err)
{
	while (text.len) {
		ssize_t n = send(link->fd, text.ptr, text.len, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return err_set(err, ERR_RESET,
				       "the supervisor of background sessions has ended");
		if (n < 0 && !link_wait(link->fd, POLLOUT, LINK_CALL_MS, err))
			return false;
		text = sv_skip(text, n > 0 ? (size_t)n : 0);
	}
	return true;
}

static bool link_read_line(struct link *link, struct sv *line, struct err *err)
{
	str_consume(&link->in, link->used);
	link->used = 0;
	for (size_t seen = 0;;) {
		size_t at = sv_find_char(sv_skip(sv_of(&link->in), seen), '\n');
		ssize_t n;

		if (at != SIZE_MAX) {
			*line = sv_slice(sv_of(&link->in), 0, seen + at);
			link->used = seen + at + 1;
			return true;
		}
		seen = link->in.len;
		if (seen > LIMIT_INPUT_LINE)
			return err_set(err, ERR_TOO_BIG,
				       "the supervisor sent a line that is too long");
		if (!link_wait(link->fd, POLLIN, LINK_CALL_MS, err))
			return false;
		str_reserve(&link->in, 64 * KIB);
		n = read(link->fd, link->in.ptr + seen, 64 * KIB - 1);
		if (n <= 0)
			return err_set(err, ERR_RESET,
				       "the supervisor of background sessions has ended");
		link->in.len += (size_t)n;
		link->in.ptr[link->in.len] = '\0';
	}
}

static bool link_exchange(struct link *link, const struct background_message *request,
			  struct background_message *reply, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv line = SV_EMPTY;

	background_message_write(&text, request);
	if (!link_write(link, sv_of(&text), err) || !link_read_line(link, &line, err))
		return false;
	arena_reset(&link->arena);
	return background_message_read(reply, line, &link->pool, &link->arena, err);
}

bool link_call(struct link *link, const struct background_message *request,
	       struct background_message *reply, struct err *err)
{
	if (!link_exchange(link, request, reply, err))
		return false;
	return reply->kind != BACKGROUND_ERROR ||
	       err_set(err, ERR_INVALID, "%.*s", SV_ARG(reply->text));
}

/* --- the connection ------------------------------------------------------------------------- */

static bool link_greet(struct link *link, const struct link_opts *opts, struct err *err)
{
	const struct background_message hello = { .kind = BACKGROUND_HELLO,
						  .protocol = BACKGROUND_PROTOCOL,
						  .version = sv_cstr(opts->version) };
	struct background_message reply;

	if (!link_exchange(link, &hello, &reply, err))
		return false;
	if (reply.kind == BACKGROUND_HELLO && reply.protocol == BACKGROUND_PROTOCOL)
		return true;
	return err_set(
		err, ERR_UNSUPPORTED,
		"the background sessions are run by awl %.*s (process %lld), which awl %s cannot "
		"talk to; use that version, or end it and its sessions: kill %lld",
		SV_ARG(reply.version), (long long)reply.pid, opts->version, (long long)reply.pid);
}

static bool link_connect(struct link *link, const struct link_opts *opts, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	roster_path(&path, opts->config_dir, "socket");
	link_close(link);
	link->fd = local_socket_connect(str_c(&path), err);
	return link->fd >= 0 && link_greet(link, opts, err);
}

/* What the new supervisor says about its start. */
static bool link_await_ready(int fd, struct err *err)
{
	char text[ERR_TEXT_SIZE] = "";
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len < sizeof(text) - 1 && !memchr(text, '\n', len)) {
		if (!link_wait(fd, POLLIN, LINK_READY_MS, err))
			return false;
		n = read(fd, text + len, sizeof(text) - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	}
	text[len] = '\0';
	if (sv_is(sv_from(text, len), "ready\n"))
		return true;
	return err_set(err, ERR_IO, "the supervisor of background sessions did not start%s%s",
		       len ? ": " : "", text);
}

static bool link_start_supervisor(const struct link_opts *opts, struct err *err)
{
	const char *argv[] = { opts->program, "agents", "supervise", NULL };
	int fd = process_start_service(argv, err);
	bool ok;

	if (fd < 0)
		return false;
	ok = link_await_ready(fd, err);
	close(fd);
	return ok;
}

/* Clients take turns, so that one of them starts a supervisor and the others find it. */
static bool link_start(struct link *link, const struct link_opts *opts, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(fs_unlockp) struct fs_lock *turn = NULL;
	struct err ignored = ERR_INIT;

	roster_path(&path, opts->config_dir, "start");
	if (!roster_prepare(opts->config_dir, err))
		return false;
	turn = fs_lock_within(str_c(&path), LINK_READY_MS, err);
	if (!turn)
		return false;
	if (link_connect(link, opts, &ignored))
		return true;
	return link_start_supervisor(opts, err) && link_connect(link, opts, err);
}

bool link_open(struct link *link, const struct link_opts *opts, struct err *err)
{
	for (int i = 0;; i++) {
		struct err why = ERR_INIT;

		if (link_connect(link, opts, &why))
			return true;
		if (why.kind == ERR_UNSUPPORTED || why.kind == ERR_ACCESS ||
		    why.kind == ERR_TIMEOUT || i == LINK_TRIES) {
			*err = why;
			return false;
		}
		if (opts->must_run)
			return err_set(err, ERR_NOT_FOUND, "no background sessions are running");
		if (link_start(link, opts, &why))
			return true;
		*err = why;
		if (why.kind != ERR_RESET)
			return false;
	}
}

int link_detach(struct link *link)
{
	int fd = link->fd;

	link->fd = -1;
	return fd;
}

void link_close(struct link *link)
{
	if (link->fd >= 0)
		close(link->fd);
	str_clear(&link->in);
	json_pool_clear(&link->pool);
	arena_clear(&link->arena);
	*link = (struct link)LINK_INIT;
}

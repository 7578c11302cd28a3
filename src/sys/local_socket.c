#include "sys/local_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

enum { LOCAL_SOCKET_WAITING = 64 };

/* The address of a path. A longer one than fits goes through a descriptor of its directory, which the caller closes
 * after use. */
static bool local_socket_address(struct sockaddr_un *out, int *dir_fd, const char *path,
				 struct err *err)
{
	size_t slash = sv_rfind_char(sv_cstr(path), '/');
	defer(str_clear) struct str dir = STR_INIT;

	*out = (struct sockaddr_un){ .sun_family = AF_UNIX };
	*dir_fd = -1;
	if (strlen(path) < sizeof(out->sun_path)) {
		memcpy(out->sun_path, path, strlen(path));
		return true;
	}
	str_add(&dir, sv_slice(sv_cstr(path), 0, slash == SIZE_MAX ? 0 : slash));
	*dir_fd = open(str_c(&dir), O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*dir_fd < 0)
		return err_sys(err, errno, "cannot open %s", str_c(&dir));
	if (snprintf(out->sun_path, sizeof(out->sun_path), "/proc/self/fd/%d/%s", *dir_fd,
		     path + slash + 1) < (int)sizeof(out->sun_path))
		return true;
	close(*dir_fd);
	return err_set(err, ERR_TOO_BIG, "the name of the socket is too long: %s", path);
}

static bool local_socket_is_ours(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

int local_socket_listen(const char *path, struct err *err)
{
	struct sockaddr_un address;
	int fd, dir_fd;
	bool ok;

	if (unlink(path) < 0 && errno != ENOENT) {
		err_sys(err, errno, "cannot replace %s", path);
		return -1;
	}
	if (!local_socket_address(&address, &dir_fd, path, err))
		return -1;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	ok = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	     chmod(path, 0600) == 0 && listen(fd, LOCAL_SOCKET_WAITING) == 0;
	if (!ok)
		err_sys(err, errno, "cannot listen at %s", path);
	if (!ok && fd >= 0)
		close(fd);
	if (dir_fd >= 0)
		close(dir_fd);
	return ok ? fd : -1;
}

int local_socket_accept(int fd)
{
	for (;;) {
		int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

		if (peer < 0 && errno == EINTR)
			continue;
		if (peer < 0 || local_socket_is_ours(peer))
			return peer;
		close(peer);
	}
}

static int local_socket_open(const char *path, int flags, struct err *err)
{
	struct sockaddr_un address;
	int fd, dir_fd, how;

	if (!local_socket_address(&address, &dir_fd, path, err))
		return -1;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
	how = fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ? errno : 0;
	if (dir_fd >= 0)
		close(dir_fd);
	if (!how && local_socket_is_ours(fd))
		return fd;
	if (how == ECONNREFUSED)
		err_set(err, ERR_REFUSED, "nobody listens at %s", path);
	else if (how)
		err_sys(err, how, "cannot connect to %s", path);
	else
		err_set(err, ERR_ACCESS, "%s belongs to another user", path);
	if (fd >= 0)
		close(fd);
	return -1;
}

int local_socket_connect(const char *path, struct err *err)
{
	return local_socket_open(path, 0, err);
}

/* --- one question, one answer ----------------------------------------------------------- */

static int64_t local_socket_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool local_socket_wait(int fd, short events, int64_t until, struct err *err)
{
	struct pollfd at = { .fd = fd, .events = events };
	int64_t left = until - local_socket_now();

	if (left > 0 && poll(&at, 1, (int)left) > 0)
		return true;
	return err_set(err, ERR_TIMEOUT, "there is no answer");
}

static bool local_socket_send(int fd, struct sv text, int64_t until, struct err *err)
{
	while (text.len) {
		ssize_t n = send(fd, text.ptr, text.len, MSG_NOSIGNAL);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return err_sys(err, errno, "cannot send");
		if (n < 0 && !local_socket_wait(fd, POLLOUT, until, err))
			return false;
		text = sv_skip(text, n > 0 ? (size_t)n : 0);
	}
	return true;
}

bool local_socket_ask(struct str *answer, const char *path, struct sv line, size_t max, int64_t ms,
		      struct err *err)
{
	int64_t until = local_socket_now() + ms;
	int fd = local_socket_open(path, SOCK_NONBLOCK, err);
	defer(str_clear) struct str text = STR_INIT;
	size_t end = SIZE_MAX;
	bool ok = fd >= 0;

	str_add(&text, line);
	str_addc(&text, '\n');
	ok = ok && local_socket_send(fd, sv_of(&text), until, err);
	str_truncate(&text, 0);
	while (ok && (end = sv_find_char(sv_of(&text), '\n')) == SIZE_MAX) {
		char bytes[4096];
		ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

		if (n > 0)
			str_add(&text, sv_from(bytes, (size_t)n));
		else if (n == 0 || (errno != EAGAIN && errno != EINTR))
			ok = err_set(err, ERR_RESET, "there is no answer");
		else
			ok = local_socket_wait(fd, POLLIN, until, err);
		if (text.len > max)
			ok = err_set(err, ERR_TOO_BIG, "the answer is too long");
	}
	if (ok)
		str_add(answer, sv_slice(sv_of(&text), 0, end));
	if (fd >= 0)
		close(fd);
	return ok;
}

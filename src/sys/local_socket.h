/* local_socket.h - a socket in the file system between programs of one user. Both ends check that the other belongs to
 * the same user. Descriptors are closed in programs that we run. */
#ifndef AWL_SYS_LOCAL_SOCKET_H
#define AWL_SYS_LOCAL_SOCKET_H

#include "base/err.h"
#include "base/str.h"

/* Listens at `path`, of any length, in an existing directory that only the user may enter. What another process left there
 * is replaced: the caller holds a lock that makes it the only one. The descriptor is non-blocking. -1 on failure. */
must_use int local_socket_listen(const char *path, struct err *err);
/* The next connection; -1: there is none for now. Those of other users are closed. */
must_use int local_socket_accept(int fd);
/* Fails with ERR_NOT_FOUND when nothing is at `path`, with ERR_REFUSED when nobody listens there. -1 on failure. */
must_use int local_socket_connect(const char *path, struct err *err);

/* Sends a line and appends the line of the answer, both without the newline, at most `max` bytes. Blocks, for `ms` at
 * most. Fails as local_socket_connect() does, and with ERR_TIMEOUT. */
must_use bool local_socket_ask(struct str *answer, const char *path, struct sv line, size_t max,
			       int64_t ms, struct err *err);

#endif

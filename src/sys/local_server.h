/* local_server.h - answers other programs of the user over a socket in the file system (local_socket.h): each connection
 * sends one line and is answered with one. Clients may be hostile: a line has a limit, what follows it is ignored, and
 * when there are too many connections the oldest is closed. So nobody needs a deadline, and nothing wakes
 * up while nobody connects. */
#ifndef AWL_SYS_LOCAL_SERVER_H
#define AWL_SYS_LOCAL_SERVER_H

#include "base/err.h"
#include "base/str.h"
#include "sys/loop.h"

struct local_server;

/* Appends the answer, without a newline. Called from a step; may free the server. */
typedef void local_server_fn(void *arg, struct sv line, struct str *answer);

/* Listens at `path`; see local_socket_listen(). NULL on failure. */
struct local_server *local_server_new(struct loop *loop, const char *path, local_server_fn *serve,
				      void *arg, struct err *err);
/* Closes all connections and removes the socket. NULL is fine. */
void local_server_free(struct local_server *server);

#endif

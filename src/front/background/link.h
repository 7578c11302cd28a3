/* link.h - a connection to the supervisor of background sessions. It blocks, with deadlines, and serves commands that
 * send one request and exit. A program that must stay responsive takes the descriptor over after the greeting. */
#ifndef AWL_FRONT_BACKGROUND_LINK_H
#define AWL_FRONT_BACKGROUND_LINK_H

#include "proto/background.h"

struct link {
	int fd; /* -1: closed */
	struct str in;
	size_t used; /* of `in`: the line that was read last */
	struct json_pool pool;
	struct arena arena;
};

#define LINK_INIT         \
	{                 \
		.fd = -1, \
	}

struct link_opts {
	const char *config_dir, *program, *version;
	bool must_run; /* start no supervisor */
};

/* Connects, and starts a supervisor if none runs. Fails with ERR_NOT_FOUND if there is none and it is not to be started, and
 * with ERR_UNSUPPORTED if it is of a version that speaks another protocol. */
must_use bool link_open(struct link *link, const struct link_opts *opts, struct err *err);
/* Sends a request and waits for its answer, which borrows from the link until the next call. An answer that is an error is a
 * failure. */
must_use bool link_call(struct link *link, const struct background_message *request,
			struct background_message *reply, struct err *err);
/* The descriptor, which then belongs to the caller. What was read and not used is in `in`, after `used`. */
int link_detach(struct link *link);
void link_close(struct link *link);

#endif

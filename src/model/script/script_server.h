/* script_server.h - private to src/model: serves a script over real HTTP, with every pause and fault. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_SERVER_H
#define AWL_MODEL_SCRIPT_SCRIPT_SERVER_H

#include "model/script/script.h"
#include "net/server.h"

struct script_server;

struct script_server_opts {
	const char *address; /* as in net/server.h */
	int port;
	struct script *script; /* borrowed */
	/* Called from the FIFO; either may be NULL. A complaint is about a request that the script
	 * did not expect. */
	void (*on_request)(void *owner, const struct server_request *request);
	void (*on_complaint)(void *owner, const char *text);
	void *owner;
};

/* Fails if the address cannot be bound. */
struct script_server *script_server_new(struct loop *loop, const struct script_server_opts *opts,
					struct err *err);
int script_server_port(const struct script_server *s);
/* Drops all exchanges; let the loop finish before freeing the server. */
void script_server_free(struct script_server *s);

#endif

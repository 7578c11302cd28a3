/* local_server.h - looks for a model server on this machine: Ollama, llama.cpp, LM Studio.
 *
 * Their usual ports of the loopback interface are asked for their models, all at once and with a short deadline. Nothing
 * waits for it: libcurl is loaded on a worker thread, and each server that answers is reported when it does. */
#ifndef AWL_FRONT_LOCAL_SERVER_H
#define AWL_FRONT_LOCAL_SERVER_H

#include "base/str.h"
#include "sys/loop.h"

struct local_server {
	const char *name;
	struct sv url;   /* for OPENAI_BASE_URL */
	struct sv model; /* the first that it has */
	unsigned port;
};

typedef void local_server_fn(void *owner, const struct local_server *server);

struct local_search;

/* OLLAMA_HOST, in `ollama`, may name another port; NULL: it is not set. */
struct local_search *local_search_start(struct loop *loop, const char *ollama,
					local_server_fn *found, void *owner);
/* Nothing is reported any more. The memory goes when the loop has run; NULL is fine. */
void local_search_stop(struct local_search *search);

/* The port that OLLAMA_HOST names, if it is one of this machine; otherwise the usual one. Pure. */
unsigned local_server_ollama_port(struct sv host);
/* The first model in a list of them; empty: the reply is none. Pure. The result is appended. */
bool local_server_read_model(struct str *out, struct sv reply);

#endif

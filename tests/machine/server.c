/* Servers of ours on the simulated machine: a test visits them like a browser. */
#include "net/server.h"

#include "base/mem.h"
#include "base/vec.h"
#include "machine/servers.h"
#include "machine/world.h"

enum { FIRST_FREE_PORT = 49152 };

struct server {
	struct server_opts opts;
	struct sim *world;
	int port;
};

struct reply {
	int status;
	struct str body;
	bool has_ended;
	void *state;
};

struct listeners {
	struct sim_part part;
	VEC(struct server *) at;
};

static void listeners_clear(struct sim_part *part)
{
	vec_clear(&((struct listeners *)part)->at);
}

static struct listeners *listeners(struct sim *w)
{
	static const struct sim_part_type type = { .size = sizeof(struct listeners),
						   .clear = listeners_clear };

	return (struct listeners *)sim_part(w, &type);
}

static struct server *listener_on(struct sim *w, int port)
{
	struct listeners *all = listeners(w);

	for (size_t i = 0; i < all->at.n; i++)
		if (all->at.at[i]->port == port)
			return all->at.at[i];
	return NULL;
}

struct server *server_new(struct loop *loop, const struct server_opts *opts, struct err *err)
{
	struct sim *w = sim_world(loop);
	struct server *server;
	int port = opts->port ? opts->port : FIRST_FREE_PORT;

	if (sim_fault(w, ERR_IO, "cannot listen", err))
		return NULL;
	if (opts->port && listener_on(w, port)) {
		err_set(err, ERR_BUSY, "cannot listen on 127.0.0.1:%d", port);
		return NULL;
	}
	while (listener_on(w, port))
		port++;
	server = xnew(struct server);
	*server = (struct server){ .opts = *opts, .world = w, .port = port };
	vec_push(&listeners(w)->at, server);
	return server;
}

int server_port(const struct server *server)
{
	return server->port;
}

void server_free(struct server *server)
{
	struct listeners *all;

	if (!server)
		return;
	all = listeners(server->world);
	for (size_t i = 0; i < all->at.n; i++) {
		if (all->at.at[i] == server) {
			vec_remove(&all->at, i);
			break;
		}
	}
	free(server);
}

void server_freep(struct server **server)
{
	server_free(*server);
	*server = NULL;
}

void server_head(struct reply *reply, int status,
		 __attribute__((unused)) const struct http_header *headers,
		 __attribute__((unused)) size_t nheaders,
		 __attribute__((unused)) int64_t content_length)
{
	reply->status = status;
}

void server_write(struct reply *reply, struct sv bytes)
{
	str_add(&reply->body, bytes);
}

void server_end(struct reply *reply)
{
	reply->has_ended = true;
}

int sim_visit(struct sim *w, int port, const char *path, struct str *body)
{
	struct server *server = listener_on(w, port);
	struct server_request request = { .method = SV("GET"), .path = sv_cstr(path) };
	struct reply reply = { .status = 0 };

	if (!server)
		return 0;
	server->opts.on_request(server->opts.owner, &reply, &request);
	BUG_ON(!reply.has_ended); /* nothing here answers later */
	if (body)
		str_set(body, sv_of(&reply.body));
	str_clear(&reply.body);
	return reply.status;
}

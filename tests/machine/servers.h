/* servers.h - the servers of the simulated world, as scripted by a test. */
#ifndef AWL_TESTS_MACHINE_SERVERS_H
#define AWL_TESTS_MACHINE_SERVERS_H

#include "base/vec.h"
#include "machine/sim.h"
#include "net/http.h"

enum sim_http_act {
	SIM_HTTP_HEAD,  /* status `n`; `text` has the header lines, separated by "\n" */
	SIM_HTTP_BODY,  /* sends `text` */
	SIM_HTTP_WAIT,  /* does nothing for `n` ms */
	SIM_HTTP_STALL, /* sends nothing more and never closes the connection */
	SIM_HTTP_RESET, /* closes the connection in the middle */
	SIM_HTTP_FAIL,  /* the request fails with the kind `n`: dns, tls ... */
};

struct sim_http_step {
	enum sim_http_act act;
	int64_t n;
	struct sv text;
};

/* The first matching rule that is not used up answers; without one the connection is
 * refused. After the last step the response is complete. */
struct sim_http_rule {
	const char *method; /* NULL: any */
	const char *url;    /* a shell glob over the whole URL */
	int64_t connect_ms; /* until connected */
	const struct sim_http_step *steps;
	size_t n;
	int uses; /* 0: unlimited */
};

/* Copies everything in `rule`. */
void sim_http(struct sim *w, const struct sim_http_rule *rule);

/* The i-th request that a server received; every hop of a redirect counts. NULL past the
 * last. The world owns it. */
struct sim_http_request {
	char *method, *url;
	struct str headers; /* "name: value\n" each, as sent */
	struct str body;    /* all its pieces joined */
};
const struct sim_http_request *sim_http_received(struct sim *w, size_t i);

/* The URLs given to http_preconnect() so far, one per line. */
struct sv sim_http_preconnects(struct sim *w);

/* Requests a page from a server of the program under test (net/server.h) and returns the status, 0 when
 * nobody listens there. `body` may be NULL. */
int sim_visit(struct sim *w, int port, const char *path, struct str *body);

/* The programs that were started detached (sys/process.h), a line each. */
struct sv sim_detached(struct sim *w);

#endif

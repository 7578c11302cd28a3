/* servers.h - the servers of the simulated world, as a test writes them.
 *
 *   static const struct sim_http_step hello[] = {
 *           { SIM_HTTP_HEAD, 200, SV_INIT("content-type: text/event-stream") },
 *           { SIM_HTTP_BODY, 0, SV_INIT("data: hello\n\n") },
 *   };
 *   sim_http(w, &(struct sim_http_rule){ .url = "https://model/v?",
 *                                        .steps = hello, .n = countof(hello) });
 *
 * Pieces of a body are wire bytes: sim_cut_wire() cuts them. A request, a head
 * and each piece count as operations that can be made to fail. */
#ifndef AWL_TESTS_MACHINE_SERVERS_H
#define AWL_TESTS_MACHINE_SERVERS_H

#include "base/vec.h"
#include "machine/sim.h"
#include "net/http.h"

enum sim_http_act {
	SIM_HTTP_HEAD,  /* status `n`; `text` has the header lines, parted by "\n" */
	SIM_HTTP_BODY,  /* sends `text` */
	SIM_HTTP_WAIT,  /* does nothing for `n` ms */
	SIM_HTTP_STALL, /* nothing more ever comes, and nobody hangs up */
	SIM_HTTP_RESET, /* hangs up in the middle */
	SIM_HTTP_FAIL,  /* the request fails with the kind `n`: dns, tls ... */
};

struct sim_http_step {
	enum sim_http_act act;
	int64_t n;
	struct sv text;
};

/* The first rule that matches and is not used up answers; with none the
 * connection is refused. After the last step the response is complete. */
struct sim_http_rule {
	const char *method; /* NULL: any */
	const char *url;    /* a shell glob over the whole URL */
	int64_t connect_ms; /* until connected */
	const struct sim_http_step *steps;
	size_t n;
	int uses; /* 0: any number of times */
};

/* Everything in `rule` is copied. */
void sim_http(struct sim *w, const struct sim_http_rule *rule);

/* The i-th request that a server received, each hop of a redirect for itself;
 * NULL past the last. Owned by the world. */
struct sim_http_request {
	char *method, *url;
	struct str headers; /* "name: value\n" each, as sent */
	struct str body;    /* its pieces joined */
};
const struct sim_http_request *sim_http_received(struct sim *w, size_t i);

/* How often http_preconnect() was called. */
size_t sim_http_preconnects(struct sim *w);

#endif

/* request.h - private to tests/machine: one running request.
 *
 * exchange.c is the server's side: it plays the steps of the matching rule, puts what
 * arrives into the fields below and posts `notify`. http.c is the owner's side: the
 * callbacks, the deadlines, and the end of the op. */
#ifndef AWL_TESTS_MACHINE_REQUEST_H
#define AWL_TESTS_MACHINE_REQUEST_H

#include "machine/rules.h"
#include "machine/world.h"

enum phase { PHASE_CONNECT, PHASE_FIRST_BYTE, PHASE_IDLE };

struct request {
	struct op op;
	struct http *http;
	char *method, *url, *where; /* "https://host:port" for error texts */
	struct str headers;         /* "name: value\n" each */
	struct sv *body;            /* borrowed bytes, as http.h documents */
	size_t nbody;
	int64_t limit_ms[3]; /* by phase; negative: none */
	size_t max_body;
	int redirects_left;
	bool public_only;
	http_head_fn *on_head;
	http_body_fn *on_body;

	const struct sim_server *server;
	size_t step, sent; /* position in the script, and in the body of that step */
	struct sim_event play;

	enum phase phase;
	struct sim_event phase_over, all_over;
	int64_t idle_left; /* remaining idle time while paused */

	int status;
	struct str head; /* header lines */
	struct str buffer;
	size_t received;
	struct task notify;
	bool head_waits, paused, blocked;
	bool ended;     /* nothing more arrives */
	struct err err; /* why, when it is a failure */
};

/* Finds the rule for `r->url`, connects and plays it. */
void exchange_begin(struct request *r);

/* Restarts the deadline of a phase. */
void request_enter(struct request *r, enum phase phase);

/* Nothing more will arrive; `why` NULL means that the response is complete. */
void request_end(struct request *r, const struct err *why);
/* Ends with "<where>: <what>". */
void request_fail(struct request *r, enum err_kind kind, const char *what);

/* Further headers in one head are dropped; tests write the heads themselves. */
enum { REQUEST_HEADERS = 64 };
/* Splits "name: value" lines into at most `max` headers; views into `lines`. */
size_t request_headers(struct http_header *out, size_t max, struct sv lines);

#endif

/* request.h - private to tests/machine: one request under way.
 *
 * exchange.c is the server's side: it plays the steps of the rule that answers,
 * puts what arrives into the fields below and posts `tell`. http.c is the owner's
 * side: telling him, the deadlines, and the end of the op. */
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
	struct sv *body;            /* the bytes are borrowed, as is the promise */
	size_t nbody;
	int64_t limit_ms[3]; /* by phase; negative: none */
	size_t max_body;
	int redirects_left;
	bool public_only;
	http_head_fn *on_head;
	http_body_fn *on_body;

	const struct sim_server *server;
	size_t step, sent; /* where its script is, and how far in that body */
	struct sim_event play;

	enum phase phase;
	struct sim_event phase_over, all_over;
	int64_t idle_left; /* while paused */

	int status;
	struct str head; /* header lines */
	struct str buffer;
	size_t received;
	struct task tell;
	bool head_waits, paused, blocked;
	bool ended;     /* nothing more arrives */
	struct err err; /* and why, when it is a failure */
};

/* Finds who answers `r->url`, connects and lets him play. */
void exchange_begin(struct request *r);

/* Starts the deadline of a phase anew. */
void request_enter(struct request *r, enum phase phase);

/* Nothing more will come; `why` NULL means that the response is whole. */
void request_end(struct request *r, const struct err *why);
/* The same with "<where>: <what>". */
void request_fail(struct request *r, enum err_kind kind, const char *what);

/* More than this in one head are dropped: it is a test's own. */
enum { REQUEST_HEADERS = 64 };
/* Splits "name: value" lines into at most `max` headers; views into `lines`. */
size_t request_headers(struct http_header *out, size_t max, struct sv lines);

#endif

/* host_request.h - requests to the host that wait for its response: permission questions, hook
 * callbacks, MCP messages, elicitations. Each is an op, matched to its response by id. */
#ifndef AWL_CORE_CONTROL_HOST_REQUEST_H
#define AWL_CORE_CONTROL_HOST_REQUEST_H

#include "proto/host_request.h"
#include "sys/op.h"

struct host_call;

struct host_queue {
	struct loop *loop;
	/* Sends a request, and withdraws one that was sent and is still open. */
	void (*send)(void *arg, const struct host_request *request);
	void (*withdraw)(void *arg, const struct host_request *request);
	void *arg;
	bool is_parallel; /* several questions may be open at once: a program answers them */
	struct host_call *first, **last; /* in the order they were started */
};

void host_queue_init(struct host_queue *queue, struct loop *loop);

/* Starts a request; its id is made here. Cancelling the op withdraws the request. A permission
 * question with a `patience_ms` fails with ERR_TIMEOUT when it has been open for that long. */
struct op *host_request_start(struct host_queue *queue, const struct host_request *request,
			      struct then then);

/* What the host said to a permission question. */
struct answer_given {
	bool allow;
	bool interrupt;      /* the turn is to end */
	struct sv message;   /* for the model, with an allow beside the result; may be empty */
	struct sv blocks;    /* content beside it, a comma before each; may be empty */
	struct sv new_input; /* JSON; empty: as asked */
	bool is_permanent;   /* an allow for the future, too */
};

/* For `done` on success: the answer to a permission question, and the JSON of the response to
 * any other request (may be empty). Both live as long as the op. */
struct answer_given host_request_answer(const struct op *op);
struct sv host_request_response(const struct op *op);

/* Its id, which names it in the response. */
struct sv host_request_id(const struct op *op);

/* The request with this id, if it was sent and waits for its response; else NULL. */
const struct host_request *host_queue_find(const struct host_queue *queue, struct sv id);
/* All that were sent and wait for their response, in `arena`; how many. */
size_t host_queue_open(const struct host_queue *queue, const struct host_request **out,
		       struct arena *arena);
/* Whether a request that the user has to answer is open or waits to be sent. */
bool host_queue_needs_user(const struct host_queue *queue);
/* How many such requests there are. */
size_t host_queue_count_user(const struct host_queue *queue);

/* Withdraws the requests of a kind that wait for their response; they fail with `why`. */
void host_queue_fail(struct host_queue *queue, enum host_request_kind kind, const struct err *why);

/* Delivers the answer to a permission question; false when no such question is open. */
bool host_queue_answer(struct host_queue *queue, struct sv id, const struct answer_given *answer);
/* Delivers the response to any other request, or with `why` its failure. */
bool host_queue_respond(struct host_queue *queue, struct sv id, struct sv json,
			const struct err *why);

#endif

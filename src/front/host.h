/* host.h - what a front end stands on: one session of the engine, standard input and
 * output, and the signals, all in a loop of the front end's own. It knows the engine
 * only by awl.h, as any other program would. */
#ifndef AWL_FRONT_HOST_H
#define AWL_FRONT_HOST_H

#include <awl.h>

#include "front/lines.h"
#include "front/out.h"
#include "sys/op.h"

/* What the front end makes of it all; every one is called from the loop. */
struct face {
	void (*event)(void *arg, const struct awl_event *event);
	lines_fn *line;
	lines_end_fn *end; /* of standard input */
	void (*signal)(void *arg, int signo);
	/* The engine has done what there was to do; see host_is_idle(). */
	void (*rest)(void *arg);
};

enum { HOST_SIGNALS = 3 };

struct host {
	struct awl *awl; /* borrowed */
	struct awl_session *session;
	const struct face *face;
	void *arg;
	struct loop *loop;
	struct poll *engine; /* its descriptor */
	struct task dispatch;
	struct op *signals[HOST_SIGNALS]; /* NULL when not in flight */
	struct lines in;
	struct out out;
	bool is_leaving;
	int status;
};

/* Opens the session; nothing is called before host_run(). Fails with a text to show. */
must_use bool host_open(struct host *host, struct awl *awl,
			const struct awl_session_options *options, const struct face *face,
			void *arg, struct err *err);
/* Begins to read standard input. */
void host_listen(struct host *host);
/* Until host_leave(); the status given there, or 1 when the output could not be written
 * (with a message, unless its reader has just gone away). */
int host_run(struct host *host);
/* What was said still goes out; no event comes any more. The first status counts. */
void host_leave(struct host *host, int status);
/* Ends the session, and waits for that. */
void host_close(struct host *host);

void host_say(struct host *host, struct sv text);
/* Whether no turn runs, none is queued, and every event has been told. */
bool host_is_idle(const struct host *host);

#endif

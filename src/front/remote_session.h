/* remote_session.h - a session that runs in another process, as a front end sees it: the lines of its protocol over a
 * socket, and the state that they report. client.h hides the difference.
 *
 * Several questions of such a session may be open at once, and other clients may answer them. The front end sees one at a
 * time: the next when it has answered, or when somebody else has. */
#ifndef AWL_FRONT_REMOTE_SESSION_H
#define AWL_FRONT_REMOTE_SESSION_H

#include "base/vec.h"
#include "front/lines.h"
#include "front/out.h"
#include "proto/event_read.h"

/* What is known when the connection is made. */
struct remote_session_start {
	int fd;         /* taken */
	struct sv read; /* what has been read from it already */
	struct sv session, model, mode, cwd;
	bool is_busy;
	double cost_usd;
};

struct remote_session_callbacks {
	void (*event)(void *arg, const struct event *event, struct sv line);
	/* The other end has closed the connection. */
	void (*end)(void *arg);
};

struct remote_session_question {
	struct str id, line;
};

struct remote_session {
	int fd;
	struct lines in;
	struct out out;
	struct str early; /* read before the loop runs */
	struct task start, ask;
	const struct remote_session_callbacks *callbacks;
	void *arg;
	struct event_reader reader;
	struct str session, model, mode, cwd;
	enum fast_state fast;
	bool is_busy, has_ended;
	double past_cost_usd;
	/* Questions, the oldest first: that one is with the front end. */
	VEC(struct remote_session_question) questions;
	uint64_t nrequests;
};

void remote_session_init(struct remote_session *remote, struct loop *loop,
			 const struct remote_session_start *start,
			 const struct remote_session_callbacks *callbacks, void *arg);
/* No callback comes any more. */
void remote_session_stop(struct remote_session *remote);
/* After the last step of the loop. */
void remote_session_clear(struct remote_session *remote);

/* Sends an input: a prompt, a request, an answer. */
void remote_session_send(struct remote_session *remote, struct sv json);
void remote_session_prompt(struct remote_session *remote, struct sv text);
void remote_session_interrupt(struct remote_session *remote);
void remote_session_set_mode(struct remote_session *remote, struct sv mode);
/* Denies a call; `why` is for the model and may be empty. */
void remote_session_deny(struct remote_session *remote, struct sv request_id, struct sv why);

#endif

/* client.h - the base of a front end: one session, of the engine or elsewhere, standard input and output, and
 * signals, all in a loop of the front end's own. It knows the engine only through awl.h and the
 * protocol, as any other program would. */
#ifndef AWL_FRONT_CLIENT_H
#define AWL_FRONT_CLIENT_H

#include <awl.h>

#include "front/lines.h"
#include "front/out.h"
#include "front/remote_session.h"
#include "proto/event_read.h"
#include "sys/op.h"

/* The callbacks of a front end, all called from the loop. */
struct client_callbacks {
	/* An event and the line of JSON it was read from. An event that cannot be read is
	 * EVENT_UNKNOWN, with the reason in `unknown.why`. */
	void (*event)(void *arg, const struct event *event, struct sv line);
	lines_fn *line;
	lines_end_fn *end; /* of standard input */
	void (*signal)(void *arg, int signo);
	/* The engine has nothing more to do for now; see client_is_idle(). */
	void (*rest)(void *arg);
	/* A session elsewhere has ended; NULL for front ends that have none. */
	void (*lost)(void *arg);
	/* Everything that client_write() was given is written; may be NULL. */
	void (*written)(void *arg);
};

enum { CLIENT_SIGNALS = 3 };

struct client {
	struct awl *awl;              /* borrowed */
	struct awl_session *session;  /* NULL: it is elsewhere */
	struct remote_session remote; /* then */
	struct awl_project *project;  /* of its settings; opened when one is read */
	const struct client_callbacks *callbacks;
	void *arg;
	struct event_reader reader;
	struct loop *loop;
	struct poll *engine; /* its descriptor */
	struct task dispatch;
	struct op *signals[CLIENT_SIGNALS]; /* NULL when not in flight */
	struct lines in;
	struct out out;
	bool has_written; /* anything at all */
	bool can_resume;  /* the conversation has a prompt or an answer, so it can be resumed */
	/* Set by a front end that needs only the lines of messages: the events of assistant, user
	 * and stream then arrive unread, with no more than their kind, and a result with no more
	 * than event_read_verdict() reads. */
	bool passes_messages;
	bool is_finishing; /* leaves once the events that there are have arrived */
	bool is_leaving;
	int status;
};

/* Opens the session. No callback runs before client_run(). Fails with a text to show. */
must_use bool client_open(struct client *client, struct awl *awl,
			  const struct awl_session_options *options,
			  const struct client_callbacks *callbacks, void *arg, struct err *err);
/* The same for a session that runs elsewhere. It continues when the client leaves. */
void client_open_remote(struct client *client, struct awl *awl,
			const struct remote_session_start *start,
			const struct client_callbacks *callbacks, void *arg);
/* Starts to read standard input. */
void client_listen(struct client *client);
/* Runs until client_leave() and returns its status, or 1 when the output could not be written
 * (with a message, unless the reader just closed it). */
int client_run(struct client *client);
/* Ends client_run() once all output is written. No further event arrives; the first status counts. */
void client_leave(struct client *client, int status);
/* The same, once the events that there are have arrived, such as replies. No more input is read. */
void client_finish(struct client *client, int status);
/* Closes the session and waits for its end. */
void client_close(struct client *client);

/* Writes to standard output without blocking. */
void client_write(struct client *client, struct sv text);
bool client_is_remote(const struct client *client);
/* Whether the session has ended, which happens only elsewhere. */
bool client_has_lost_session(const struct client *client);

/* These do the same for a session here and elsewhere. What fails elsewhere, fails later: the session says so. */
must_use bool client_send(struct client *client, struct sv json); /* awl_send() */
void client_prompt(struct client *client, const char *text);
void client_interrupt(struct client *client);
void client_decline(struct client *client, const char *request_id,
		    const char *why); /* awl_answer() */
must_use bool client_set_mode(struct client *client, const char *mode);
const char *client_session_id(const struct client *client);
const char *client_model(struct client *client);
const char *client_mode(struct client *client);
const char *client_fast_mode(struct client *client); /* awl_session_fast_mode() */
bool client_is_busy(const struct client *client);
/* How many questions have no answer yet. */
size_t client_questions(const struct client *client);
/* What the session has cost so far; of one elsewhere, what it had cost when the client came. */
double client_cost(const struct client *client);
/* The JSON of a setting, "editorMode"; false: it is not set. It lives until the next call. */
must_use bool client_config(struct client *client, const char *key, const char **json);

/* Whether no turn runs, none is queued, and every event has been delivered. */
bool client_is_idle(const struct client *client);

#endif

/* awl_int.h - private to awl*.c, the implementation of awl.h: its handles, and the rules that
 * all of its functions share. */
#ifndef AWL_CORE_API_AWL_INT_H
#define AWL_CORE_API_AWL_INT_H

#include <awl.h>

#include "core/session/session.h"
#include "proto/event_read.h"
#include "sys/wake.h"

struct awl {
	struct loop *loop;
	struct engine *engine;
	struct str description;             /* last returned by awl_describe() */
	struct str exported;                /* last returned by awl_sessions_export() */
	struct str live;                    /* last returned by awl_sessions_live() */
	VEC(struct awl_session *) sessions; /* not closed yet */
	bool is_running, is_closing;        /* inside awl_run(), awl_end_sessions() */
	struct wake *wake;                  /* NULL: awl_wake() does nothing */
	struct task woken;
	awl_wake_fn *on_wake; /* may be NULL */
	void *wake_arg;
};

/* A control request of awl_request() that has no reply yet. */
struct awl_pending {
	struct awl_pending *next;
	uint64_t id;
	awl_reply_fn *on_reply; /* may be NULL */
	void *arg;
};

/* What an event says, read from its JSON. A stream has thousands of events that nobody reads. */
struct awl_event_parts {
	struct event_reader reader;
	struct event event; /* borrows from the reader */
	struct str text, thinking, input, suggestions, response, output; /* made when asked for */
};

struct awl_event {
	struct awl_event *next;      /* in the queue of its session */
	struct awl_pending *request; /* owned; NULL: it is not a reply to awl_request() */
	enum awl_event_kind kind;
	enum awl_result result; /* of a turn */
	const char *type, *subtype;
	struct str json;
	struct awl_event_parts *parts; /* owned; NULL: nobody has asked for one yet */
};

struct awl_session {
	struct awl *awl;
	struct session *session; /* NULL once it is gone */
	awl_event_fn *on_event;  /* NULL: events wait for awl_next_event() */
	void *arg;
	struct awl_event *first, **last; /* events not delivered yet */
	struct awl_event *current;       /* last returned by awl_next_event() */
	struct awl_pending *requests;    /* without a reply */
	uint64_t last_request;
	enum awl_result failure; /* of the last response that failed, for the result */
	struct str model;        /* last returned by awl_session_model() */
	struct str prompt;       /* last returned by awl_session_system_prompt() */
	struct str setting;      /* last returned by awl_session_config_get() */
	struct task deliver;
	bool is_closed;
};

/* Remembers `err` for awl_last_error() and returns its code; never AWL_OK. */
enum awl_result awl_fail(const struct err *err);
/* AWL_OK, or awl_fail(). */
enum awl_result awl_end(bool ok, const struct err *err);

/* Copies a structure that a caller has filled in to `to`, `size` bytes that are initialised.
 * `from` may be NULL. Fails when its size is not set (`init` names the macro to use), and when it
 * is larger than ours and a member that we do not know is set. */
must_use bool awl_copy_struct(void *to, size_t size, const void *from, const char *init,
			      struct err *err);

/* Makes an event. Takes what is in `json`. */
struct awl_event *awl_event_new(const struct event *event, struct str *json);
void awl_event_free(struct awl_event *event);

/* Whether the session needs no more work: no turn, no reply and no event is due. */
bool awl_session_is_quiet(const struct awl_session *session);
/* Whether closed sessions have ended and all others are quiet. */
bool awl_is_quiet(const struct awl *awl);

#endif

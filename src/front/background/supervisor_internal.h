/* supervisor_internal.h - shared by the files of the supervisor. */
#ifndef AWL_FRONT_BACKGROUND_SUPERVISOR_INTERNAL_H
#define AWL_FRONT_BACKGROUND_SUPERVISOR_INTERNAL_H

#include "front/background/job.h"
#include "front/lines.h"
#include "front/out.h"

struct fs_lock;
enum { SUPERVISOR_SIGNALS = 2 };

struct supervisor {
	const char *config_dir, *program, *version; /* borrowed */
	struct loop *loop;
	struct fs_lock *lock;
	int fd;                 /* it listens on */
	struct poll *poll;      /* NULL: it does not listen */
	VEC(struct job *) jobs; /* the newest last */
	VEC(struct peer *) peers;
	struct task accept, notify, reap;
	struct op *signals[SUPERVISOR_SIGNALS];
	struct op *patience; /* until the first client has come */
	int64_t idle_ms;     /* how long a session waits for a prompt */
	bool is_ending;      /* a signal has come */
};

/* A client. */
struct peer {
	struct supervisor *supervisor;
	int fd;
	struct lines in;
	struct out out;
	struct op *deadline;                 /* for its greeting; NULL: it has greeted */
	bool has_greeted, watches, is_stale; /* is_stale: the list that it has is an old one */
	bool is_gone, is_closing;            /* is_closing: gone when everything is written */
	struct job *awaited;                 /* its start or end has to be answered; NULL: none */
	bool awaits_end;
	struct job *attached; /* NULL: none */
	struct json_pool pool;
	struct arena arena;
};

/* A client has connected. */
void peer_new(struct supervisor *s, int fd);
/* It is left alone from now on, and freed by a later step. */
void peer_leave(struct peer *peer);
/* Whether nothing of it is in flight. */
bool peer_is_over(const struct peer *peer);
void peer_free(struct peer *peer);
/* Sends the list to those who watch it. */
void peer_notify(struct peer *peer);
/* A session that it may be waiting for has begun or ended. */
void peer_on_begun(struct peer *peer, struct job *job);
/* A session that it may be attached to has said something, or has ended. */
void peer_on_line_of(struct peer *peer, const struct job *job, struct sv line);
void peer_on_ended(struct peer *peer, struct job *job);

/* NULL: there is none with this id. The beginning of an id will do if it is clear. */
struct job *supervisor_find(struct supervisor *s, struct sv id);
/* Starts a session, or the process of one that was started before. NULL: it cannot be. */
struct job *supervisor_start(struct supervisor *s, const struct background_message *request,
			     struct err *err);
void supervisor_remove(struct supervisor *s, struct job *job);
/* Something may be over. */
void supervisor_settle(struct supervisor *s);

#endif

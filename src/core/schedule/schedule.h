/* schedule.h - prompts that a session sends itself at a later time: those of CronCreate and ScheduleWakeup.
 *
 *   one timer, for the job that is due first  >  due  >  the session is idle  >  a turn begins with its prompt
 *
 * A job waits while a turn runs, and several missed times of one job count once. A session without jobs has no
 * timer. The jobs of a session are in a file beside its transcript and come back when it is resumed. Durable jobs
 * belong to the project: all sessions of its directory know them, and the one that holds their lock starts
 * them. */
#ifndef AWL_CORE_SCHEDULE_H
#define AWL_CORE_SCHEDULE_H

#include "store/schedule.h"

struct session;
struct fs_lock;
struct op;

struct session_schedule {
	schedule_jobs jobs;
	struct op *timer;      /* NULL: nothing is due later */
	struct str path;       /* of the file of the session; empty: none */
	struct str project;    /* of that of the durable jobs; empty: none */
	struct fs_lock *owner; /* this session starts the durable jobs */
};

/* The conversation has its place: finds its jobs. `is_copy`: those of the session stay with the original. */
void session_schedule_open(struct session *s, bool is_copy);
/* The session is complete: sets the timer. */
void session_schedule_start(struct session *s);
void session_schedule_clear(struct session_schedule *schedule);
/* Another conversation begins: the jobs of the old one stay with that. */
void session_schedule_reset(struct session *s);
/* The session is idle: queues the prompt of a job that is due, if there is one. */
void session_schedule_queue(struct session *s);

/* Whether jobs can start at all: the session waits for more than one prompt. */
bool session_schedule_lives(const struct session *s);
/* Reads the durable jobs again: other sessions change them, too. */
void session_schedule_refresh(struct session *s);
/* The jobs have changed: writes the files and sets the timer. */
must_use bool session_schedule_save(struct session *s, bool is_durable, struct err *err);
/* Appends a JSON array of all jobs, for hooks. */
void session_schedule_write(const struct session *s, struct str *out);

/* The tools, for tool_services. */
extern const struct tool_schedule schedule_tools;

#endif

/* sim.h - the simulated machine, as a test sees it.
 *
 * A world is everything outside the program: the clock, the files, the programs, the
 * servers. Code under test links the simulated library instead of the real one and
 * notices no difference. The test scripts the world beforehand, and inspects it
 * afterwards.
 *
 *   defer(sim_freep) struct sim *w = sim_new();
 *
 *   sim_put(w, "/etc/motd", SV("hello\n"));
 *   op = timer_start(sim_loop(w), 60000, THEN(on_done, &seen));
 *   CHECK(sim_run(w, SIZE_MAX));          takes no time at all
 *   CHECK_INT(sim_elapsed(w), 60000);
 *
 * Nothing here depends on chance, on the real clock or on the real machine: the same
 * script gives the same steps in the same order on every run.
 *
 * fs.h and loop_new() take no machine as an argument, so each thread has a current
 * world: the one it created last. Worlds nest; sim_free() restores the previous one. */
#ifndef AWL_TESTS_MACHINE_SIM_H
#define AWL_TESTS_MACHINE_SIM_H

#include "base/str.h"
#include "sys/op.h"

struct sim;

/* Creates a world (an empty "/" and "/tmp", no programs, no servers) with one loop, and
 * makes it current. */
struct sim *sim_new(void);
/* Frees the world, which must be the current one. A live op on its loop is a bug. */
void sim_free(struct sim *w);
void sim_freep(struct sim **w);

/* The current world of this thread; having none is a bug. */
struct sim *sim_current(void);
struct loop *sim_loop(struct sim *w); /* owned by the world */

/* --- time ---------------------------------------------------------------- */

/* 2026-01-02 03:04:05 UTC: loop_wall() of a new world. */
#define SIM_WALL_START 1767323045000

/* Runs at most `max_steps` steps of the FIFO. True when nothing can ever happen again
 * (or somebody called loop_stop()); false when the steps ran out. Time jumps to the next
 * event whenever there is no step to run. */
must_use bool sim_run(struct sim *w, size_t max_steps);
/* Lets the next events fire and post, but runs no step: the moment between a completion
 * and its `done`, when the FIFO has nothing else to do. */
void sim_happen(struct sim *w);
/* The number of steps run so far on the world's own loop. */
size_t sim_steps(const struct sim *w);
/* Runs everything that happens within the next `ms`, and stops exactly then. */
void sim_advance(struct sim *w, int64_t ms);
/* Virtual milliseconds since sim_new(). */
int64_t sim_elapsed(const struct sim *w);
/* Makes the wall clock jump, as when the user or NTP sets it; loop_now() does not jump. */
void sim_set_wall(struct sim *w, int64_t wall_ms);
/* The number of ops whose `done` has not run, on the world's own loop. */
size_t sim_live_ops(const struct sim *w);

/* --- faults -------------------------------------------------------------- */

/* The world counts every attempt at an operation that can fail on a real machine: each
 * fs.h call that returns an error, each sync, each child, request, watch, signal or job
 * started, each piece of a response, each child_write(). Timers and steps cannot fail
 * and do not count. */
size_t sim_ops_counted(const struct sim *w);
/* Makes the k-th operation (from 1) fail: with `kind`, or for ERR_NONE with the kind
 * that fits it. One fault at a time; 0 cancels it. */
void sim_fail_at(struct sim *w, size_t k, enum err_kind kind);
/* Part of the text of every such error, so that a test can look for it. */
#define SIM_FAULT_TEXT "made to fail"

/* --- the wire ------------------------------------------------------------ */

/* Data from servers and children arrives in the pieces of their scripts. Sweeps can cut
 * it further; all the bytes of a world count as one stream. */
enum sim_cut {
	SIM_CUT_NEVER,
	SIM_CUT_ALWAYS, /* every byte separately */
	SIM_CUT_AT,     /* once, before byte `at` (from 0) */
};
void sim_cut_wire(struct sim *w, enum sim_cut cut, size_t at);
/* The number of bytes that have arrived so far. */
size_t sim_wire_bytes(const struct sim *w);

/* --- workers, signals, descriptors --------------------------------------- */

/* Jobs start this long after work_start(); initially 0. */
void sim_delay_work(struct sim *w, int64_t ms);

/* Delivers a signal; false when nobody waits for it. */
bool sim_raise(struct sim *w, int signo);

/* Makes `fd` ready: everyone who polls it for one of POLL_READABLE, POLL_WRITABLE gets
 * one notification for each, now or as soon as they ask for it. */
void sim_poll_ready(struct sim *w, int fd, int events);

/* --- files --------------------------------------------------------------- */

/* The program is an ordinary user with umask 022 who owns every file, so mode bits
 * apply. mtime comes from the world's wall clock. These calls set up a durable state: they
 * do not count as operations and cannot be made to fail. They create missing parent
 * directories; watches see the change. */
void sim_put(struct sim *w, const char *path, struct sv bytes);
void sim_put_dir(struct sim *w, const char *path);
void sim_put_link(struct sim *w, const char *path, const char *target);
void sim_chmod(struct sim *w, const char *path, uint32_t mode);
void sim_chdir(struct sim *w, const char *path);
/* A file's bytes, borrowed until it changes; SV_EMPTY when it does not exist. */
struct sv sim_get(struct sim *w, const char *path);

/* Room for this many more bytes of file content; initially SIZE_MAX. Content that does
 * not fit fails as on a full disk. */
void sim_set_space(struct sim *w, size_t bytes);
void sim_set_read_only(struct sim *w, bool read_only);

/* The power fails: what was written and not synced is lost, all locks are free, and the working
 * directory is "/". Whatever the program has open belongs to a disk that is gone. */
void sim_crash(struct sim *w);

/* --- children ------------------------------------------------------------ */

enum sim_child_act {
	SIM_CHILD_OUT,         /* writes `text` to stdout */
	SIM_CHILD_ERR,         /* writes `text` to stderr */
	SIM_CHILD_WAIT,        /* sleeps `n` ms */
	SIM_CHILD_READ_LINE,   /* reads stdin up to a newline or its end */
	SIM_CHILD_READ_ALL,    /* reads stdin up to its end */
	SIM_CHILD_ECHO,        /* copies stdin to stdout up to its end */
	SIM_CHILD_IGNORE_TERM, /* from now on only KILL ends it */
	SIM_CHILD_CHDIR,       /* changes its working directory to `text` */
	SIM_CHILD_HANG,        /* does nothing more until a signal ends it */
	SIM_CHILD_EXIT,        /* exits with code `n` */
	SIM_CHILD_DIE,         /* is killed by signal `n` */
	SIM_CHILD_FAIL,        /* as the only step: the child cannot be started, errno `n` */
};

struct sim_child_step {
	enum sim_child_act act;
	int64_t n;
	struct sv text;
};

/* Scripts the programs whose words, joined by blanks, match `pattern` (a shell glob).
 * The first matching rule that is not used up counts; without one, the program does not
 * exist. After the last step it exits with 0. Copies everything. `uses` 0 means
 * unlimited. A pseudo-terminal is simulated as a pipe shared by stdout and stderr: no
 * echo, no conversion of line endings. */
void sim_child(struct sim *w, const char *pattern, const struct sim_child_step *steps, size_t n,
	       int uses);

/* The i-th child that was started, or NULL; the world owns it. */
struct sim_spawn {
	char *command;    /* its words, joined by blanks */
	char *cwd;        /* NULL: ours */
	struct str input; /* what it has read from stdin */
	bool eof;         /* whether it reached the end of stdin */
	int pid;
	int rows, cols; /* size of its terminal, as last set */
	char *sandbox;  /* its sandbox, by sandbox_policy_describe(); NULL: none */
};
const struct sim_spawn *sim_spawned(struct sim *w, size_t i);

/* --- watches ------------------------------------------------------------- */

/* Reports a change to everyone who watches, without making one. */
void sim_touch(struct sim *w, const char *path);

#endif

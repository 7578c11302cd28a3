/* flow.h - a flow file at run time: a script played in a simulated world, and
 * the log of what could be noticed. README.md describes the files.
 *
 * The engine knows nothing but lines: what they mean is in tables of directives,
 * one table a layer. To add a word, add a row; to add a layer, add a table to
 * the list in flow.c. */
#ifndef AWL_TESTS_FLOW_FLOW_H
#define AWL_TESTS_FLOW_FLOW_H

#include "base/vec.h"
#include "machine/sim.h"
#include "machine/world.h"
#include "net/http.h"
#include "script.h"

struct flow;

/* `run` does something at once; `start` begins an op, which the engine names,
 * logs when done and can cancel. Each row has one of them. A directive fails
 * (ERR_INVALID) only when its line cannot be meant: that ends the flow. What goes
 * wrong in the world is for the log. */
struct flow_directive {
	const char *name;
	bool (*run)(struct flow *f, const struct line *line, struct err *err);
	struct op *(*start)(struct flow *f, const struct line *line, struct then then,
			    struct err *err);
};

/* Ended by a row without a name. */
extern const struct flow_directive flow_time_directives[];  /* timer, seq, after, signals */
extern const struct flow_directive flow_world_directives[]; /* fail, disk, file, cut */
extern const struct flow_directive flow_http_directives[];
extern const struct flow_directive flow_child_directives[];
extern const struct flow_directive flow_fs_directives[];
extern const struct flow_directive flow_model_directives[];
extern const struct flow_directive flow_agent_directives[];

struct flow_op {
	struct flow *flow;
	char *label;
	struct op *op; /* NULL once done */
	int dones;     /* must be 1 in the end */
};

/* A line for later. */
struct flow_later {
	struct flow *flow;
	struct line line;
	struct sim_event due;
	struct task play;
	struct flow_later *next;
};

struct flow {
	const struct script *script; /* borrowed */
	struct sim *world;
	struct loop *loop;
	struct http *http;        /* made by the first request */
	struct flow_model *model; /* made by the first `env` or `ask` */
	struct flow_agent *agent; /* made by the first `option` or `say` */
	struct str log;           /* "@<ms> <label> <text>\n" each */
	struct err err;           /* why the script itself is wrong */

	size_t at;                 /* the next line of the script */
	bool cancelled;            /* no line is played any more */
	bool waits;                /* for quiet, or for `resume` */
	struct sim_event resume;   /* ends a timed wait */
	struct task go_on;         /* ... in a step of its own */
	VEC(struct flow_op *) ops; /* in order of their start */
	struct flow_later *laters; /* lines whose time is to come */
};

void flow_model_free(struct flow_model *model);
/* Closes its session; hooks of the end may still run. */
void flow_agent_close(struct flow_agent *agent);
void flow_agent_free(struct flow_agent *agent);
/* Ends what its session has left running. */
void flow_agent_cancel(struct flow_agent *agent);
/* Its history could be sent: roles alternate, each call has exactly one result. */
must_use bool flow_agent_check(struct flow_agent *agent, struct err *err);

struct flow *flow_new(const struct script *script);
/* Copes with ops that will not end: their world is left behind. */
void flow_free(struct flow *f);
void flow_freep(struct flow **f);

/* Runs at most `max_steps` more steps; true when the script has been played and
 * nothing more can happen, or when it is wrong (`err`). */
bool flow_run(struct flow *f, size_t max_steps);
/* Plays no more lines and cancels every op. */
void flow_cancel(struct flow *f);
/* Every op must have had exactly one `done`. */
must_use bool flow_check(struct flow *f, struct err *err);

/* --- for directives ------------------------------------------------------ */

void flow_log(struct flow *f, struct sv label, const char *fmt, ...) printf_like(3, 4);
/* The op started by the line with this label that is not done yet; else NULL. */
struct op *flow_find(struct flow *f, struct sv label);
/* Carries out one line. Errors name it. */
must_use bool flow_do(struct flow *f, const struct line *line, struct err *err);
/* The same for a line that must start an op, which is the caller's. */
struct op *flow_start(struct flow *f, const struct line *line, struct then then, struct err *err);

/* Carries out `line` (copied; its block is the script's) in `ms`. */
void flow_after(struct flow *f, int64_t ms, const struct line *line);
/* The script stops here for `ms`, or until nothing more happens (-1). */
void flow_wait(struct flow *f, int64_t ms);

/* Most directives that start an op wrap it in one of their own, to log what it
 * says while it runs. Embedded first. */
struct flow_leaf {
	struct op op;
	struct flow *flow;
	char *label;
	struct op *inner;                             /* what it waits for */
	void (*pause)(struct op *inner, bool paused); /* NULL: cannot be paused */
	void (*clear)(struct flow_leaf *leaf);        /* frees what it owns beside; or NULL */
};
void flow_leaf_init(struct flow_leaf *leaf, struct flow *f, const struct line *line,
		    struct then then);
/* The `done` of the inner op: finishes the leaf likewise. */
op_done_fn flow_leaf_done;
/* Of an op found by flow_find(): NULL when it is no leaf. */
struct flow_leaf *flow_leaf_of(struct op *op);

#endif

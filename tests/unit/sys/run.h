/* run.h - running a loop in a test until something is true. A deadline, which
 * only a broken program reaches, fails the test. */
#ifndef AWL_TESTS_UNIT_SYS_RUN_H
#define AWL_TESTS_UNIT_SYS_RUN_H

#include "sys/op.h"
#include "sys/timer.h"
#include "test.h"

enum { RUN_DEADLINE_MS = 120000 };

struct run {
	struct loop *loop;
	struct op *deadline;
	bool late;
};

static inline void run_on_deadline(__attribute__((unused)) struct op *op, void *owner,
				   const struct err *why)
{
	struct run *run = owner;

	run->deadline = NULL;
	run->late = why == NULL;
	loop_stop(run->loop);
}

static inline void run_begin(struct run *run, struct loop *loop)
{
	*run = (struct run){ .loop = loop };
	run->deadline = timer_start(loop, RUN_DEADLINE_MS, THEN(run_on_deadline, run));
}

static inline void run_end(struct run *run)
{
	op_cancel(run->deadline);
	while (run->deadline)
		loop_run(run->loop);
}

/* Whatever makes `condition` true calls loop_stop(). */
#define RUN_UNTIL(loop, condition)                 \
	do {                                       \
		struct run run_;                   \
		bool met_;                         \
		run_begin(&run_, loop);            \
		while (!(condition) && !run_.late) \
			loop_run(loop);            \
		met_ = (condition) && !run_.late;  \
		run_end(&run_);                    \
		if (!met_)                         \
			print_error("too late\n"); \
		CHECK(met_);                       \
	} while (0)

/* What became of one op. */
struct outcome {
	struct loop *loop;
	int done;
	struct err why; /* ERR_NONE: success */
};

static inline void outcome_done(struct op *op, void *owner, const struct err *why)
{
	struct outcome *o = owner;

	o->loop = op->loop;
	o->done++;
	o->why = why ? *why : (struct err)ERR_INIT;
	loop_stop(o->loop);
}

#endif

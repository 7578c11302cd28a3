/* That the sweeps find what they are for: each defect is planted in a small flow
 * that is sound without it. */
#include "sweep.h"

#include "base/mem.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "test.h"

enum defect {
	SOUND,
	DEAF_TO_CANCEL,   /* an op never hears of the cancellation */
	SLOW_TO_CANCEL,   /* ... and goes on to its natural end */
	LOGS_PIECES,      /* the log shows how the wire was cut */
	SWALLOWS,         /* a failure goes unreported */
	SPINS_ON_FAILURE, /* a failure is tried again for ever */
	DONE_TWICE,       /* the check at the end finds fault */
};

/* Reads a file, then runs a child that writes two lines. */
struct toy {
	enum defect defect;
	struct sim *world;
	bool begun, cancelled;
	int dones;
	struct op *child, *orphan;
	struct task again;
	struct str line, log;
};

static void toy_note(struct toy *t, const char *what)
{
	str_addf(&t->log, "@%d toy %s\n", (int)sim_elapsed(t->world), what);
}

static void on_data(void *owner, __attribute__((unused)) enum child_stream from, struct sv bytes)
{
	struct toy *t = owner;
	size_t newline;

	if (t->defect == LOGS_PIECES)
		toy_note(t, "piece");
	str_add(&t->line, bytes);
	while ((newline = sv_find_char(sv_of(&t->line), '\n')) != SIZE_MAX) {
		t->line.ptr[newline] = '\0';
		toy_note(t, t->line.ptr);
		str_consume(&t->line, newline + 1);
	}
}

static void on_done(struct op *op, void *owner, const struct err *why)
{
	struct toy *t = owner;

	if (op == t->child)
		t->child = NULL;
	else
		t->orphan = NULL;
	t->dones++;
	if (why && t->defect != SWALLOWS)
		toy_note(t, why->text);
}

static void start_child(struct toy *t)
{
	const char *const argv[] = { "talk", NULL };
	struct child_opts opts = { .argv = argv, .on_data = on_data };

	t->child = child_start(sim_loop(t->world), &opts, THEN(on_done, t));
}

static void run_again(struct task *task)
{
	struct toy *t = container_of(task, struct toy, again);

	loop_post(sim_loop(t->world), &t->again);
}

static void rest(__attribute__((unused)) struct task *task)
{
}

static void begin(struct toy *t)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err;

	t->begun = true;
	if (fs_read(&text, "/greeting", 100, &err))
		toy_note(t, str_c(&text));
	else if (t->defect == SPINS_ON_FAILURE)
		loop_post(sim_loop(t->world), &t->again);
	else if (t->defect != SWALLOWS)
		toy_note(t, err.text);
	start_child(t);
	if (t->defect == DEAF_TO_CANCEL)
		t->orphan = timer_start(sim_loop(t->world), 1000000, THEN(on_done, t));
}

static void *toy_make(void *arg)
{
	static const struct sim_child_step talk[] = {
		{ SIM_CHILD_OUT, 0, SV_INIT("one\ntw") },
		{ SIM_CHILD_WAIT, 10 },
		{ SIM_CHILD_OUT, 0, SV_INIT("o\n") },
	};
	struct toy *t = xnew(struct toy);

	t->defect = *(enum defect *)arg;
	t->world = sim_new();
	t->again.run = run_again;
	sim_put(t->world, "/greeting", SV("hello"));
	sim_child(t->world, "talk", talk, countof(talk), 0);
	return t;
}

static struct sim *toy_world(void *run)
{
	return ((struct toy *)run)->world;
}

static bool toy_run(void *run, size_t max_steps)
{
	struct toy *t = run;

	if (!t->begun)
		begin(t);
	if (t->defect == DEAF_TO_CANCEL && t->cancelled)
		return true; /* it takes itself for finished */
	return sim_run(t->world, max_steps);
}

static void toy_cancel(void *run)
{
	struct toy *t = run;

	t->cancelled = true;
	if (t->defect != SLOW_TO_CANCEL)
		op_cancel(t->child);
}

static struct sv toy_log(void *run)
{
	return sv_of(&((struct toy *)run)->log);
}

static bool toy_check(void *run, struct err *err)
{
	struct toy *t = run;

	return t->defect != DONE_TWICE || err_set(err, ERR_INVALID, "done twice");
}

static void toy_free(void *run)
{
	struct toy *t = run;

	t->again.run = rest;
	op_cancel(t->child);
	op_cancel(t->orphan);
	CHECK(sim_run(t->world, 1000));
	sim_free(t->world);
	str_clear(&t->line);
	str_clear(&t->log);
	free(t);
}

typedef bool sweep_fn(const struct sweep *s, size_t *points, struct str *why);

/* `problem` NULL: the sweep finds nothing. */
static size_t check_sweep(sweep_fn *sweep, enum defect defect, const char *problem)
{
	defer(str_clear) struct str why = STR_INIT;
	struct sweep s = { .make = toy_make,
			   .world = toy_world,
			   .run = toy_run,
			   .cancel = toy_cancel,
			   .log = toy_log,
			   .check = toy_check,
			   .free = toy_free,
			   .arg = &defect };
	size_t points = 0;
	bool ok = sweep(&s, &points, &why);

	CHECK(ok == !problem);
	if (problem)
		CHECK(strstr(str_c(&why), problem));
	return points;
}

TEST(a_sound_flow_survives_every_sweep)
{
	CHECK(check_sweep(sweep_cancel, SOUND, NULL) >= 6);
	CHECK_INT(check_sweep(sweep_split, SOUND, NULL), 7); /* of 8 bytes */
	CHECK_INT(check_sweep(sweep_fail, SOUND, NULL), 2);  /* read, child */
}

TEST(an_op_that_outlives_its_cancellation_is_found)
{
	check_sweep(sweep_cancel, DEAF_TO_CANCEL, "cancelled after step 0: an op is left alive");
}

TEST(an_op_that_goes_on_after_its_cancellation_is_found)
{
	check_sweep(sweep_cancel, SLOW_TO_CANCEL,
		    "cancelled after step 0: cancelling took too long");
}

TEST(a_log_that_depends_on_how_the_wire_is_cut_is_found)
{
	check_sweep(sweep_split, LOGS_PIECES, "wire cut at byte 1: the log is another");
}

TEST(a_failure_that_nobody_hears_of_is_found)
{
	check_sweep(sweep_fail, SWALLOWS, "failed operation 1: the failure is not reported");
}

TEST(a_failure_that_is_tried_again_for_ever_is_found)
{
	check_sweep(sweep_fail, SPINS_ON_FAILURE, "failed operation 1: does not come to an end");
}

TEST(what_the_flow_itself_finds_wrong_is_told)
{
	check_sweep(sweep_cancel, DONE_TWICE, "done twice");
	check_sweep(sweep_split, DONE_TWICE, "undisturbed 0: done twice");
}

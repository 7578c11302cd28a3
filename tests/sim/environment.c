/* What takes time or goes wrong while looking around, in virtual time. */
#include "context/environment.h"

#include "base/mem.h"
#include "store/git/git.h"
#include "sweep.h"
#include "test.h"

struct look {
	struct sim *world;
	struct op *op;
	bool begun, cancelled;
	int dones;
	struct err why;
	struct str text, branch, log;
};

static void on_done(struct op *op, void *owner, const struct err *why)
{
	struct look *l = owner;

	l->op = NULL;
	l->dones++;
	l->why = why ? *why : (struct err)ERR_INIT;
	str_add(&l->text, environment_text(op));
	str_add(&l->branch, environment_branch(op));
	str_addf(&l->log, "@%d look %s", (int)sim_elapsed(l->world),
		 sv_find(sv_of(&l->text), SV("M f\n")) != SIZE_MAX ? "whole\n" : "part\n");
}

static void begin(struct look *l)
{
	static const char *const env[] = { "PATH=/usr/bin", NULL };
	struct environment_opts opts = {
		.cwd = "/r", .model_id = SV("m"), .env = env, .git = true
	};

	l->op = environment_start(sim_loop(l->world), &opts, THEN(on_done, l));
	l->begun = true;
}

static void *look_new(__attribute__((unused)) void *arg)
{
	struct look *l = xnew(struct look);

	l->world = sim_new();
	sim_put(l->world, "/r/.git/HEAD", SV("ref: refs/heads/m\n"));
	return l;
}

static void look_free(void *run)
{
	struct look *l = run;

	str_clear(&l->text);
	str_clear(&l->branch);
	str_clear(&l->log);
	sim_free(l->world);
	free(l);
}

static void look_freep(struct look **l)
{
	look_free(*l);
}

/* git behaves like this when its command matches. */
static void answer(struct look *l, const char *command, enum sim_child_act act, int64_t n,
		   struct sv text)
{
	const struct sim_child_step step = { .act = act, .n = n, .text = text };
	defer(str_clear) struct str pattern = STR_INIT;

	str_addf(&pattern, "git * %s*", command);
	sim_child(l->world, str_c(&pattern), &step, 1, 0);
}

static void answer_well(struct look *l)
{
	answer(l, "config", SIM_CHILD_OUT, 0, SV("core.bare\0filter.x.clean\0"));
	answer(l, "symbolic-ref", SIM_CHILD_OUT, 0, SV("work\n"));
	answer(l, "for-each-ref", SIM_CHILD_OUT, 0, SV("refs/heads/main \n"));
	answer(l, "log -5", SIM_CHILD_OUT, 0, SV("abc one\n"));
	answer(l, "-c filter.x.clean= status", SIM_CHILD_OUT, 0, SV(" M f\n"));
}

#define LOOK(name) defer(look_freep) struct look *name = look_new(NULL)

static bool contains(const struct look *l, const char *part)
{
	return sv_find(sv_of(&l->text), sv_cstr(part)) != SIZE_MAX;
}

static void run(struct look *l)
{
	begin(l);
	CHECK(sim_run(l->world, SIZE_MAX));
	CHECK_INT(l->dones, 1);
	CHECK_INT(l->why.kind, ERR_NONE);
	CHECK(contains(l, "Working directory: /r\nGit repository: /r\n"));
}

TEST(the_status_is_asked_for_with_the_filters_off)
{
	LOOK(l);

	answer_well(l);
	run(l);
	CHECK(contains(
		l, "Branch: work\nMain branch: main\nStatus:\n   M f\nLast commits:\n  abc one\n"));
	CHECK_INT(sim_elapsed(l->world), 0);
	CHECK(strstr(sim_spawned(l->world, 4)->command, " -c filter.x.clean= status "));
	CHECK_STR(sim_spawned(l->world, 4)->cwd, "/r");
}

TEST(without_git_the_place_is_told)
{
	LOOK(l);

	run(l);
	CHECK(!contains(l, "The repository then"));
	CHECK_INT(l->branch.len, 0);
}

TEST(a_git_that_hangs_is_not_waited_for)
{
	LOOK(l);

	answer(l, "", SIM_CHILD_HANG, 0, SV_EMPTY);
	run(l);
	CHECK(!contains(l, "The repository then"));
	CHECK_INT(sim_elapsed(l->world), GIT_DEADLINE_MS);
}

TEST(a_slow_status_is_left_out)
{
	LOOK(l);

	answer(l, "-c filter.x.clean= status", SIM_CHILD_HANG, 0, SV_EMPTY);
	answer_well(l);
	run(l);
	CHECK(contains(l, "Branch: work\nMain branch: main\nStatus: unknown\nLast commits:\n"));
	CHECK_INT(sim_elapsed(l->world), GIT_DEADLINE_MS);
}

TEST(a_git_that_does_not_know_the_folder_is_not_believed)
{
	LOOK(l);

	answer(l, "symbolic-ref", SIM_CHILD_EXIT, 128, SV_EMPTY);
	answer_well(l);
	run(l);
	CHECK(!contains(l, "The repository then"));
}

/* --- sweeps -------------------------------------------------------------------- */

static void *sweep_make(void *arg)
{
	struct look *l = look_new(arg);

	answer_well(l);
	return l;
}

static struct sim *sweep_world(void *run)
{
	return ((struct look *)run)->world;
}

static bool sweep_run(void *run, size_t max_steps)
{
	struct look *l = run;

	if (!l->begun && !l->cancelled)
		begin(l);
	return sim_run(l->world, max_steps);
}

static void sweep_stop(void *run)
{
	struct look *l = run;

	l->cancelled = true;
	op_cancel(l->op);
}

static struct sv sweep_log(void *run)
{
	return sv_of(&((struct look *)run)->log);
}

/* Exactly one end; it fails only when cancelled, and the place is told in any case. */
static bool sweep_check(void *run, struct err *err)
{
	struct look *l = run;

	if (l->dones != (l->begun ? 1 : 0))
		return err_set(err, ERR_INVALID, "%d ends", l->dones);
	if (l->why.kind != ERR_NONE && (l->why.kind != ERR_CANCELLED || !l->cancelled))
		return err_set(err, ERR_INVALID, "it failed: %s", l->why.text);
	return !l->begun || contains(l, "Model: m\n") || err_set(err, ERR_INVALID, "nothing told");
}

static const struct sweep looking = {
	.make = sweep_make,
	.world = sweep_world,
	.run = sweep_run,
	.cancel = sweep_stop,
	.log = sweep_log,
	.check = sweep_check,
	.free = look_free,
	.cancel_ms = 200,
};

static void check_sweep(bool (*sweep)(const struct sweep *, size_t *, struct str *), size_t least)
{
	defer(str_clear) struct str why = STR_INIT;
	size_t points = 0;

	if (!sweep(&looking, &points, &why))
		print_error("%s\n", str_c(&why));
	CHECK_INT(why.len, 0);
	CHECK(points >= least);
}

TEST(looking_around_survives_cancelling_after_every_step)
{
	check_sweep(sweep_cancel, 10);
}

TEST(looking_around_survives_every_failure)
{
	check_sweep(sweep_survive, 5);
}

TEST(looking_around_sees_the_same_however_the_answers_are_cut)
{
	check_sweep(sweep_split, 50);
}

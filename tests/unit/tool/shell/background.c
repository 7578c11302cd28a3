#include "tool/shell/background.h"

#include "base/limits.h"
#include "base/vec.h"
#include "sys/fs.h"
#include "sys/loop.h"
#include "sys/temp_dir.h"
#include "test.h"

struct world {
	struct loop *loop;
	struct tool_session session;
	struct tool_context ctx;
	struct background *background;
	struct str dir;
	int ended;   /* by themselves */
	bool waited; /* an op of ours is done */
};

static void on_end(void *arg, __attribute__((unused)) const struct background_command *command)
{
	((struct world *)arg)->ended++;
}

static void on_waited(__attribute__((unused)) struct op *op, void *owner,
		      __attribute__((unused)) const struct err *why)
{
	struct world *w = owner;

	w->waited = true;
	loop_stop(w->loop);
}

static void on_quiet(void *arg)
{
	loop_stop(((struct world *)arg)->loop);
}

static void world_init(struct world *w)
{
	static const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	struct err err = ERR_INIT;

	*w = (struct world){ .loop = loop_new() };
	CHECK_OK(fs_temp_dir(&w->dir, &err), err);
	w->session.env = env;
	w->ctx.session = &w->session;
	str_adds(&w->ctx.cwd, "/");
	w->background = background_new(
		w->loop,
		&(struct background_opts){ .dir = str_c(&w->dir), .on_end = on_end, .arg = w });
}

static void world_clear(struct world *w)
{
	background_stop_all(w->background);
	background_when_quiet(w->background, on_quiet, w);
	if (!background_is_quiet(w->background))
		loop_run(w->loop);
	background_free(w->background);
	str_clear(&w->ctx.cwd);
	temp_dir_remove(&w->dir);
	loop_free(w->loop);
}

#define WORLD(name)                           \
	defer(world_clear) struct world name; \
	world_init(&name)

static const struct background_command *start(struct world *w, const char *line)
{
	struct err err = ERR_INIT;
	const struct background_command *command = background_start(
		w->background,
		&(struct background_start){ .command = sv_cstr(line), .ctx = &w->ctx }, &err);

	CHECK_OK(command != NULL, err);
	return command;
}

static void wait_for(struct world *w, const struct background_command *command, int64_t ms)
{
	w->waited = false;
	background_wait(w->background, command, ms, THEN(on_waited, w));
	while (!w->waited)
		loop_run(w->loop);
}

static void check_read(struct world *w, const struct background_command *command, size_t max,
		       struct sv expected)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(background_read(w->background, command, max, &out, &err), err);
	CHECK_SV_EQ(sv_of(&out), expected);
}

TEST(what_a_command_prints_is_handed_out_once_and_in_order)
{
	WORLD(w);
	const struct background_command *command = start(&w, "printf 'one\\ntwo\\nthree'");

	wait_for(&w, command, 60000);
	CHECK_INT(command->state, BACKGROUND_EXITED);
	check_read(&w, command, 5, SV("one\nt"));
	check_read(&w, command, 100, SV("wo\nthree"));
	check_read(&w, command, 100, SV_EMPTY);
	CHECK_INT(w.ended, 1);
}

TEST(a_character_is_never_handed_out_in_halves)
{
	WORLD(w);
	const struct background_command *command = start(&w, "printf 'a\\303\\244b'");

	wait_for(&w, command, 60000);
	check_read(&w, command, 2, SV("a"));
	check_read(&w, command, 2, SV("\xc3\xa4"));
	check_read(&w, command, 2, SV("b"));
}

TEST(the_exit_code_is_that_of_the_command)
{
	WORLD(w);
	const struct background_command *command = start(&w, "exit 7");

	wait_for(&w, command, 60000);
	CHECK_INT(command->state, BACKGROUND_EXITED);
	CHECK_INT(command->code, 7);
}

TEST(waiting_ends_with_the_time_when_the_command_does_not)
{
	WORLD(w);
	const struct background_command *command = start(&w, "echo up; exec sleep 1000");

	wait_for(&w, command, 1);
	CHECK_INT(command->state, BACKGROUND_RUNNING);
	wait_for(&w, command, 0);
	CHECK_INT(command->state, BACKGROUND_RUNNING);
}

TEST(a_command_that_is_stopped_does_not_report_its_end)
{
	WORLD(w);
	const struct background_command *command = start(&w, "exec sleep 1000");

	background_stop(w.background, command);
	background_stop(w.background, command);
	wait_for(&w, command, 60000);
	CHECK_INT(command->state, BACKGROUND_STOPPED);
	CHECK_INT(w.ended, 0);
}

TEST(a_wait_that_is_cancelled_leaves_the_command_running)
{
	WORLD(w);
	const struct background_command *command = start(&w, "exec sleep 1000");
	struct op *op = background_wait(w.background, command, 60000, THEN(on_waited, &w));

	op_cancel(op);
	while (!w.waited)
		loop_run(w.loop);
	CHECK_INT(command->state, BACKGROUND_RUNNING);
}

TEST(no_more_than_the_limit_run_at_a_time)
{
	WORLD(w);
	struct err err = ERR_INIT;

	for (int i = 0; i < LIMIT_BACKGROUND; i++)
		start(&w, "exec sleep 1000");
	CHECK(!background_start(w.background,
				&(struct background_start){ .command = SV("true"), .ctx = &w.ctx },
				&err));
	CHECK_ERR(err, ERR_FULL, "stop one first");
	CHECK_INT(background_count(w.background), LIMIT_BACKGROUND);
}

TEST(a_command_that_prints_too_much_is_ended)
{
	WORLD(w);
	const struct background_command *command = start(&w, "yes the same line again and again");

	wait_for(&w, command, 600000);
	CHECK_INT(command->state, BACKGROUND_FAILED);
	CHECK_ERR(command->err, ERR_TOO_BIG, "it printed more than 64 MiB");
	CHECK(command->bytes <= LIMIT_BACKGROUND_FILE);
}

TEST(commands_are_found_by_their_ids)
{
	WORLD(w);
	const struct background_command *command = start(&w, "true");

	CHECK(background_find(w.background, SV("bash_1")) == command);
	CHECK(!background_find(w.background, SV("bash_2")));
	CHECK(background_at(w.background, 0) == command);
}

TEST(without_a_place_for_its_output_no_job_is_started)
{
	WORLD(w);
	struct background *background =
		background_new(w.loop, &(struct background_opts){ .dir = "/dev/null/nowhere" });
	struct err err = ERR_INIT;

	CHECK(!background_start(background,
				&(struct background_start){ .command = SV("true"), .ctx = &w.ctx },
				&err));
	CHECK(err.text[0]);
	CHECK(background_is_quiet(background));
	background_free(background);
}

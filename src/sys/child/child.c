#include "sys/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "sys/child/child_io.h"
#include "sys/child/child_program.h"
#include "sys/child/guard.h"
#include "sys/fd.h"
#include "sys/loop/uv_loop.h"

/* How far we are in ending it. */
enum ending { ENDING_NONE, ENDING_TERM, ENDING_KILL, ENDING_GIVEN_UP };

struct child {
	struct op op;
	struct guard_client client;
	struct child_io io;
	char *name, *cwd;   /* argv[0]; NULL: our own directory */
	struct str program; /* packed, until it is sent */
	const struct confinement_type *confinement;
	void *confined; /* what confinement->prepare() made; NULL: none */
	bool follow_cwd;
	int final_cwd; /* the file in memory with the path; -1: none */
	struct child_result result;
	struct err err; /* the first failure */
	enum ending ending;
	bool over; /* nothing is running any more */
	int64_t grace_ms;
	uv_timer_t timer; /* for the deadline, then for the grace period */
	bool timing;      /* `timer` is open */
};

static struct child *child_of(const struct op *op)
{
	return container_of(op, struct child, op);
}

static void child_settle(struct child *c);

/* --- time --------------------------------------------------------------------- */

static void child_end_harder(struct child *c);

static void child_on_timer_closed(uv_handle_t *handle)
{
	struct child *c = handle->data;

	c->timing = false;
	child_settle(c);
}

static void child_on_timer(uv_timer_t *timer)
{
	struct child *c = timer->data;

	if (c->ending == ENDING_NONE)
		err_set(&c->err, ERR_TIMEOUT, "%s did not end in time", c->name);
	child_end_harder(c);
}

static void child_time(struct child *c, int64_t ms)
{
	if (!c->timing)
		uv_timer_init(uv_of(c->op.loop), &c->timer);
	c->timing = true;
	c->timer.data = c;
	uv_timer_start(&c->timer, child_on_timer, (uint64_t)ms, 0);
}

/* --- ending it --------------------------------------------------------------------------- */

static void child_settle(struct child *c)
{
	uv_handle_t *timer = (uv_handle_t *)&c->timer;

	if (!c->over)
		return;
	if (c->timing && !uv_is_closing(timer))
		uv_close(timer, child_on_timer_closed);
	if (!c->timing && child_io_is_over(&c->io) && !c->op.finished)
		op_finish(&c->op, c->err.kind == ERR_NONE ? NULL : &c->err);
}

static void child_release_confinement(struct child *c)
{
	if (c->confined)
		c->confinement->release(move(c->confined));
}

/* Nothing is running any more. `rest` is whether to read what it wrote. */
static void child_over(struct child *c, bool rest)
{
	c->over = true;
	op_log(&c->op, "child %d %s: over, exit code %d, signal %d%s%s", guard_pid(&c->client),
	       c->name, c->result.code, c->result.signal, c->err.kind == ERR_NONE ? "" : ": ",
	       c->err.text);
	str_clear(&c->program);
	child_release_confinement(c);
	if (rest)
		child_io_drain(&c->io);
	else
		child_io_close(&c->io);
	child_settle(c);
}

/* Sends TERM, then KILL after the grace period, then gives up. The last wait is long even with a
 * short grace period: on a busy machine it takes time until we learn that a process was killed. */
static void child_end_harder(struct child *c)
{
	int64_t wait = c->grace_ms;

	if (c->over)
		return;
	c->ending++;
	if (c->ending == ENDING_GIVEN_UP) {
		guard_abandon(&c->client);
		err_set(&c->err, ERR_ACCESS, "%s (process %d) cannot be killed", c->name,
			guard_pid(&c->client));
		child_over(c, true);
		return;
	}
	if (c->ending == ENDING_KILL)
		wait = max_of(wait, (int64_t)CHILD_GRACE_MS);
	guard_end(&c->client, c->ending == ENDING_TERM ? SIGTERM : SIGKILL);
	child_time(c, wait);
}

static void child_begin_end(struct child *c)
{
	if (c->ending == ENDING_NONE)
		child_end_harder(c);
}

static void child_on_overflow(struct child_io *io)
{
	struct child *c = container_of(io, struct child, io);

	if (c->err.kind == ERR_NONE)
		err_set(&c->err, ERR_TOO_BIG, "%s wrote more than %zu bytes", c->name,
			io->max_output);
	child_begin_end(c);
}

static void child_on_io_change(struct child_io *io)
{
	child_settle(container_of(io, struct child, io));
}

static void child_cancel(struct op *op)
{
	struct child *c = child_of(op);

	child_io_discard(&c->io);
	child_begin_end(c);
	child_settle(c);
}

/* --- reports of the guard ---------------------------------------------------------------- */

static struct child *child_of_client(struct guard_client *client)
{
	return container_of(client, struct child, client);
}

static bool child_hand_over_confinement(struct child *c, struct err *err)
{
	int *fds = c->client.job.fds;
	struct sv image = c->confinement->hand_over(c->confined, &fds[GUARD_FD_CONFINEMENT]);

	fds[GUARD_FD_IMAGE] = child_program_file(image);
	if (fds[GUARD_FD_IMAGE] < 0)
		return err_sys(err, errno, "cannot hand over the sandbox");
	c->client.job.confinement = c->confinement;
	c->client.job.image_size = (uint32_t)image.len;
	return true;
}

static bool child_open_final_cwd(struct child *c, int *fd, struct err *err)
{
	c->final_cwd = child_program_file(SV_EMPTY);
	*fd = c->final_cwd < 0 ? -1 : fcntl(c->final_cwd, F_DUPFD_CLOEXEC, 0);
	return *fd >= 0 || err_sys(err, errno, "cannot follow its working directory");
}

static bool child_open_job(struct child *c, struct err *err)
{
	int *fds = c->client.job.fds;

	fds[GUARD_FD_CWD] = open(c->cwd ? c->cwd : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fds[GUARD_FD_CWD] < 0)
		return err_sys(err, errno, "cannot use the working directory %s",
			       c->cwd ? c->cwd : "this directory");
	fds[GUARD_FD_PROGRAM] = child_program_file(sv_of(&c->program));
	if (fds[GUARD_FD_PROGRAM] < 0)
		return err_sys(err, errno, "cannot hand over the arguments");
	if (c->confined && !child_hand_over_confinement(c, err))
		return false;
	if (c->follow_cwd && !child_open_final_cwd(c, &fds[GUARD_FD_FINAL_CWD], err))
		return false;
	return child_io_open(&c->io, &fds[GUARD_FD_STDIN], err);
}

static bool child_on_prepare(struct guard_client *client)
{
	struct child *c = child_of_client(client);

	client->job.program_size = (uint32_t)c->program.len;
	client->job.terminal = c->io.terminal;
	if (c->ending == ENDING_NONE && child_open_job(c, &c->err)) {
		str_clear(&c->program);
		return true;
	}
	if (c->ending == ENDING_NONE)
		err_context(&c->err, "cannot start %s", c->name);
	child_over(c, false);
	return false;
}

static bool child_explain(struct err *err, const struct child *c, const struct guard_report *why)
{
	int errnum = why->errnum;

	switch (why->stage) {
	case GUARD_AT_FORK: return err_sys(err, errnum, "cannot create a process");
	case GUARD_AT_CWD:
		return err_sys(err, errnum, "cannot use the working directory %s",
			       c->cwd ? c->cwd : "this directory");
	case GUARD_AT_TERMINAL: return err_sys(err, errnum, "cannot use the terminal");
	case GUARD_AT_INTERPRETER:
		return err_set(err, ERR_NOT_FOUND,
			       "the interpreter its first line names is missing");
	case GUARD_AT_CONFINEMENT:
		return c->confinement->explain(c->confined, why->place, errnum, err);
	case GUARD_AT_EXEC: break;
	}
	if (errnum == ENOENT && !strchr(c->name, '/'))
		return err_set(err, ERR_NOT_FOUND, "not found in PATH");
	return err_sys(err, errnum, "cannot run it");
}

static void child_on_started(struct guard_client *client)
{
	struct child *c = child_of_client(client);

	op_log(&c->op, "child %d %s: runs as op %u", guard_pid(client), c->name, c->op.number);
}

static void child_on_failed(struct guard_client *client, const struct guard_report *why)
{
	struct child *c = child_of_client(client);

	child_explain(&c->err, c, why);
	err_context(&c->err, "cannot start %s", c->name);
	child_over(c, false);
}

static void child_on_left(struct guard_client *client, const struct child_result *result)
{
	struct child *c = child_of_client(client);

	op_log(&c->op, "child left others behind: %s", c->name);
	c->result = *result;
	child_begin_end(c);
}

static void child_on_ended(struct guard_client *client, const struct child_result *result)
{
	struct child *c = child_of_client(client);

	c->result = *result;
	child_over(c, true);
}

static void child_on_lost(struct guard_client *client)
{
	struct child *c = child_of_client(client);

	err_set(&c->err, ERR_IO, "%s was ended because its guard process was killed", c->name);
	if (client->pid)
		c->result = (struct child_result){ .code = 128 + SIGKILL, .signal = SIGKILL };
	child_over(c, true);
}

static const struct guard_client_type client_type = { .prepare = child_on_prepare,
						      .started = child_on_started,
						      .failed = child_on_failed,
						      .left = child_on_left,
						      .ended = child_on_ended,
						      .lost = child_on_lost };

/* Logs the command as one line. Each word is cut: the scripts with which we run the commands of a
 * shell are long, and what they run comes after them. */
static void child_log_start(const struct child *c, const struct child_opts *opts)
{
	enum { SHOWN = 160 };
	defer(str_clear) struct str line = STR_INIT;

	for (size_t i = 0; opts->argv && opts->argv[i]; i++) {
		struct sv word = sv_cstr(opts->argv[i]), shown = utf8_prefix(word, SHOWN);

		str_addf(&line, " %.*s%s", SV_ARG(shown), shown.len < word.len ? "..." : "");
	}
	op_log(&c->op, "child start, op %u:%s (in %s)", c->op.number, str_c(&line),
	       c->cwd ? c->cwd : ".");
}

/* --- starting and freeing ---------------------------------------------------------------- */

static void child_free(struct op *op)
{
	struct child *c = child_of(op);

	child_io_clear(&c->io);
	str_clear(&c->program);
	child_release_confinement(c);
	fd_close(&c->final_cwd);
	free(c->name);
	free(c->cwd);
	free(c);
}

static const struct op_type child_type = { .name = "child",
					   .cancel = child_cancel,
					   .free = child_free };

static bool child_prepare_confinement(struct child *c, struct child_opts *opts, struct err *err)
{
	c->confinement = opts->confinement->type;
	c->confined = c->confinement->prepare(opts->confinement->data, c->op.loop, opts, err);
	return c->confined != NULL;
}

static bool child_begin(struct child *c, struct child_opts *opts, struct err *err)
{
	if (opts->confinement && !child_prepare_confinement(c, opts, err))
		return false;
	if (!child_program_pack(&c->program, opts, err))
		return false;
	if (opts->input.len > LIMIT_CHILD_INPUT)
		return err_set(err, ERR_TOO_BIG,
			       "%zu bytes of input; no more than %zu may be given", opts->input.len,
			       LIMIT_CHILD_INPUT);
	if (opts->deadline_ms > 0)
		child_time(c, opts->deadline_ms);
	return guard_add(c->op.loop, &c->client, &client_type, err);
}

struct op *child_start(struct loop *loop, const struct child_opts *opts, struct then then)
{
	struct child *c = xnew(struct child);
	struct child_opts run = *opts;

	op_init(&c->op, &child_type, loop, then);
	child_io_init(&c->io, loop, opts, then.owner);
	c->io.on_change = child_on_io_change;
	c->io.on_overflow = child_on_overflow;
	c->name = xstrdup(opts->argv && opts->argv[0] ? opts->argv[0] : "");
	c->cwd = opts->cwd ? xstrdup(opts->cwd) : NULL;
	c->follow_cwd = opts->follow_cwd;
	c->final_cwd = -1;
	c->grace_ms = opts->grace_ms > 0 ? opts->grace_ms : CHILD_GRACE_MS;
	if (LOG_DEBUG <= log_threshold)
		child_log_start(c, opts);
	if (!child_begin(c, &run, &c->err)) {
		err_context(&c->err, "cannot start %s", c->name);
		child_over(c, false);
	}
	return &c->op;
}

struct child_result child_result(const struct op *child)
{
	return child_of(child)->result;
}

bool child_final_cwd(const struct op *child, struct str *out)
{
	char path[LIMIT_PATH];
	int file = child_of(child)->final_cwd;
	ssize_t n = file < 0 ? -1 : pread(file, path, sizeof(path), 0);

	if (n <= 0)
		return false;
	str_set(out, sv_from(path, (size_t)n));
	return true;
}

int child_pid(const struct op *child)
{
	return guard_pid(&child_of(child)->client);
}

bool child_write(struct op *child, struct sv bytes, struct err *err)
{
	return child_io_write(&child_of(child)->io, bytes, err);
}

void child_close_stdin(struct op *child)
{
	child_io_end_input(&child_of(child)->io);
}

void child_pause(struct op *child, bool paused)
{
	child_io_pause(&child_of(child)->io, paused);
}

void child_resize(struct op *child, int rows, int cols)
{
	child_io_resize(&child_of(child)->io, rows, cols);
}

void child_signal(struct op *child, int signo)
{
	guard_signal(&child_of(child)->client, signo);
}

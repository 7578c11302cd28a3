/* A child plays the steps of its rule. Its output goes into one buffer per stream and is
 * delivered from the FIFO; a full buffer stops the script, as a full pipe stops a
 * process. */
#include "sys/child.h"

#include <errno.h>

#include "base/limits.h"
#include "base/mem.h"
#include "machine/child_rules.h"
#include "machine/fs_tree.h"

struct child {
	struct op op;
	struct str command; /* its words, joined by blanks */
	char *name, *cwd;   /* argv[0]; NULL: ours */
	char *sandbox;      /* description of its sandbox, until it starts; NULL: none */
	struct str final_cwd;
	bool follow_cwd;
	size_t max_output;
	int64_t grace_ms;
	child_data_fn *on_data;
	int rows, cols;
	bool merge, terminal;

	bool ignores_term, stopped;
	enum { RUNS, READS, WRITES, HANGS } state; /* what the script waits for */
	const struct child_rule *rule;
	size_t step, sent; /* position in the script, and in the text of that step */
	struct sim_event play;

	struct str input;     /* waiting to be read */
	struct str output[2]; /* waiting to be delivered, by stream */
	size_t written;
	struct task notify;
	bool input_ends, paused, dead;

	struct err err; /* why it was killed */
	struct sim_event deadline, kill;
	struct sim_spawn *spawn; /* NULL until it has started */
	struct child_result result;
};

static struct child *child_of(const struct op *op)
{
	return container_of(op, struct child, op);
}

static struct sim *world(struct child *c)
{
	return sim_world(c->op.loop);
}

static void play_soon(struct child *c)
{
	c->state = RUNS;
	sim_arm(c->op.loop, &c->play, 0);
}

/* --- exit ------------------------------------------------------------------ */

static size_t buffered(const struct child *c)
{
	return c->output[CHILD_OUT].len + c->output[CHILD_ERR].len;
}

static void die(struct child *c, int code, int signo)
{
	c->dead = true;
	--*child_running(world(c));
	c->result = (struct child_result){ .code = code, .signal = signo };
	sim_disarm(c->op.loop, &c->play);
	sim_disarm(c->op.loop, &c->kill);
	sim_disarm(c->op.loop, &c->deadline);
	if (buffered(c))
		loop_post(c->op.loop, &c->notify);
	else
		op_finish(&c->op, c->err.kind == ERR_NONE ? NULL : &c->err);
}

static bool is_ignored_by_default(int signo)
{
	return signo == 0 || signo == SIGCHLD || signo == SIGURG || signo == SIGWINCH;
}

static bool is_stop(int signo)
{
	return signo == SIGSTOP || signo == SIGTSTP || signo == SIGTTIN || signo == SIGTTOU;
}

static void take_signal(struct child *c, int signo)
{
	if (!c->spawn || c->dead || is_ignored_by_default(signo) ||
	    (signo == SIGTERM && c->ignores_term))
		return;
	if (is_stop(signo)) {
		c->stopped = true;
	} else if (signo == SIGCONT) {
		c->stopped = false;
		if (c->state == RUNS && !c->play.armed)
			sim_arm(c->op.loop, &c->play, 0);
	} else {
		die(c, 128 + signo, signo);
	}
}

static void on_kill(struct sim_event *event)
{
	take_signal(container_of(event, struct child, kill), SIGKILL);
}

/* Ask the child to exit, and kill it after the grace period. */
static void end(struct child *c)
{
	if (c->dead || c->kill.armed)
		return;
	sim_disarm(c->op.loop, &c->deadline);
	sim_arm(c->op.loop, &c->kill, c->grace_ms);
	take_signal(c, SIGTERM);
}

static void on_deadline(struct sim_event *event)
{
	struct child *c = container_of(event, struct child, deadline);

	err_set(&c->err, ERR_TIMEOUT, "%s did not end in time", c->name);
	end(c);
}

/* --- calling the owner ------------------------------------------------------- */

static void report_stream(struct child *c, enum child_stream from)
{
	defer(str_clear) struct str bytes = c->output[from];

	if (!bytes.len || c->paused) {
		bytes = (struct str)STR_INIT;
		return;
	}
	c->output[from] = (struct str)STR_INIT;
	if (c->on_data && !c->op.cancelled)
		c->on_data(c->op.then.owner, from, sv_of(&bytes));
}

/* The owner may cancel or pause in its callback. */
static void run_notify(struct task *task)
{
	struct child *c = container_of(task, struct child, notify);

	if (c->op.finished)
		return;
	report_stream(c, CHILD_OUT);
	report_stream(c, CHILD_ERR);
	if (c->op.finished)
		return;
	if (c->dead && !buffered(c))
		op_finish(&c->op, c->err.kind == ERR_NONE ? NULL : &c->err);
	else if (!c->dead && c->state == WRITES && buffered(c) < LIMIT_CHILD_BUFFER)
		play_soon(c);
}

/* --- script ------------------------------------------------------------------ */

/* Drop output past the cap, so that the rest of the script cannot block. */
static void keep_output(struct child *c, enum child_stream to, struct sv bytes)
{
	size_t space = c->max_output ? c->max_output - min_of(c->written, c->max_output) : SIZE_MAX;

	c->written += bytes.len;
	if (c->merge || c->terminal)
		to = CHILD_OUT;
	str_add(&c->output[to], sv_slice(bytes, 0, space));
	loop_post(c->op.loop, &c->notify);
	if (bytes.len <= space || c->err.kind != ERR_NONE)
		return;
	err_set(&c->err, ERR_TOO_BIG, "%s wrote more than %zu bytes", c->name, c->max_output);
	end(c);
}

/* Write one piece of `bytes` and return its length: 0 when the pipe is full. */
static size_t write_piece(struct child *c, enum child_stream to, struct sv bytes)
{
	size_t space = LIMIT_CHILD_BUFFER - min_of(buffered(c), LIMIT_CHILD_BUFFER);
	size_t piece = min_of(bytes.len, space);

	if (!piece) {
		c->state = WRITES;
		return 0;
	}
	piece = sim_wire_piece(world(c), piece);
	keep_output(c, to, sv_slice(bytes, 0, piece));
	return piece;
}

static void play_write(struct child *c, enum child_stream to, struct sv text)
{
	struct sv rest = sv_skip(text, c->sent);

	if (rest.len)
		c->sent += write_piece(c, to, rest);
	if (c->sent == text.len) {
		c->sent = 0;
		c->step++;
	}
	if (!c->dead && c->state == RUNS)
		play_soon(c);
}

/* Move `n` bytes from stdin to the record of what was read. */
static void take_input(struct child *c, size_t n)
{
	str_add(&c->spawn->input, sv_slice(sv_of(&c->input), 0, n));
	str_consume(&c->input, n);
}

static void play_read(struct child *c, bool all)
{
	size_t newline = all ? SIZE_MAX : sv_find_char(sv_of(&c->input), '\n');

	take_input(c, min_of(c->input.len, newline == SIZE_MAX ? SIZE_MAX : newline + 1));
	if (newline == SIZE_MAX && !c->input_ends) {
		c->state = READS;
		return;
	}
	c->spawn->eof |= newline == SIZE_MAX;
	c->step++;
	play_soon(c);
}

static void play_echo(struct child *c)
{
	if (c->input.len) {
		take_input(c, write_piece(c, CHILD_OUT, sv_of(&c->input)));
		if (!c->dead && c->state == RUNS)
			play_soon(c);
	} else if (!c->input_ends) {
		c->state = READS;
	} else {
		c->spawn->eof = true;
		c->step++;
		play_soon(c);
	}
}

static void play_step(struct child *c, const struct sim_child_step *step)
{
	switch (step->act) {
	case SIM_CHILD_OUT: play_write(c, CHILD_OUT, step->text); break;
	case SIM_CHILD_ERR: play_write(c, CHILD_ERR, step->text); break;
	case SIM_CHILD_WAIT:
		c->step++;
		sim_arm(c->op.loop, &c->play, step->n);
		break;
	case SIM_CHILD_READ_LINE: play_read(c, false); break;
	case SIM_CHILD_READ_ALL: play_read(c, true); break;
	case SIM_CHILD_ECHO: play_echo(c); break;
	case SIM_CHILD_IGNORE_TERM:
		c->ignores_term = true;
		c->step++;
		play_soon(c);
		break;
	case SIM_CHILD_CHDIR:
		str_set(&c->final_cwd, step->text);
		c->step++;
		play_soon(c);
		break;
	case SIM_CHILD_HANG: c->state = HANGS; break;
	case SIM_CHILD_EXIT: die(c, (int)step->n & 0xff, 0); break;
	case SIM_CHILD_DIE: die(c, 128 + (int)step->n, (int)step->n); break;
	case SIM_CHILD_FAIL: BUG("a program that has started cannot fail to start");
	}
}

static void on_play(struct sim_event *event)
{
	struct child *c = container_of(event, struct child, play);

	if (c->stopped)
		return; /* SIGCONT resumes it */
	if (c->step == c->rule->n)
		die(c, 0, 0);
	else
		play_step(c, &c->rule->steps[c->step]);
}

/* --- start ----------------------------------------------------------------------- */

static bool no_program(struct child *c, int errnum)
{
	if (errnum == ENOENT && !strchr(c->name, '/'))
		return err_set(&c->err, ERR_NOT_FOUND, "not found in PATH");
	return err_sys(&c->err, errnum, "cannot run it");
}

static bool find_program(struct child *c)
{
	if (sim_fault(world(c), ERR_ACCESS, "cannot run it", &c->err))
		return false;
	if (!c->name[0])
		return err_set(&c->err, ERR_INVALID, "no program to start");
	if (*child_running(world(c)) == LIMIT_CHILDREN)
		return err_set(&c->err, ERR_FULL, "%d programs run already", LIMIT_CHILDREN);
	if (c->command.len > LIMIT_CHILD_ARGS || c->input.len > LIMIT_CHILD_INPUT)
		return err_set(&c->err, ERR_TOO_BIG, "too much to hand over");
	if (c->cwd && !fs_tree_is_dir(fs_tree(world(c)), c->cwd))
		return err_sys(&c->err, ENOENT, "cannot use the working directory %s", c->cwd);
	c->rule = child_rule_for(world(c), str_c(&c->command));
	if (!c->rule)
		return no_program(c, ENOENT);
	if (c->rule->n == 1 && c->rule->steps[0].act == SIM_CHILD_FAIL)
		return no_program(c, (int)c->rule->steps[0].n);
	return true;
}

static void on_spawn(struct sim_event *event)
{
	struct child *c = container_of(event, struct child, play);

	if (!find_program(c)) {
		sim_disarm(c->op.loop, &c->deadline);
		err_context(&c->err, "cannot start %s", c->name);
		op_finish(&c->op, &c->err);
		return;
	}
	c->spawn = child_spawned(world(c), str_c(&c->command), c->cwd);
	c->spawn->rows = c->rows;
	c->spawn->cols = c->cols;
	c->spawn->sandbox = move(c->sandbox);
	++*child_running(world(c));
	c->play.fire = on_play;
	on_play(event);
}

/* Ignore further output. */
static void discard(struct child *c)
{
	c->paused = false;
	str_clear(&c->output[CHILD_OUT]);
	str_clear(&c->output[CHILD_ERR]);
	loop_post(c->op.loop, &c->notify);
}

static void child_cancel(struct op *op)
{
	struct child *c = child_of(op);

	if (c->spawn) {
		discard(c);
		end(c);
		return;
	}
	sim_disarm(op->loop, &c->play);
	sim_disarm(op->loop, &c->deadline);
	op_finish(op, NULL);
}

static void child_free(struct op *op)
{
	struct child *c = child_of(op);

	str_clear(&c->command);
	str_clear(&c->input);
	str_clear(&c->output[CHILD_OUT]);
	str_clear(&c->output[CHILD_ERR]);
	free(c->name);
	str_clear(&c->final_cwd);
	free(c->sandbox);
	free(c->cwd);
	free(c);
}

static const struct op_type child_type = { .name = "child",
					   .cancel = child_cancel,
					   .free = child_free };

static char *describe(const struct confinement *confinement)
{
	struct str text = STR_INIT;

	if (!confinement)
		return NULL;
	confinement->type->describe(&text, confinement->data);
	return str_detach(&text);
}

static void copy_opts(struct child *c, const struct child_opts *opts)
{
	c->name = xstrdup(opts->argv && opts->argv[0] ? opts->argv[0] : "");
	for (size_t i = 0; opts->argv && opts->argv[i]; i++)
		str_addf(&c->command, i ? " %s" : "%s", opts->argv[i]);
	c->cwd = opts->cwd ? xstrdup(opts->cwd) : NULL;
	c->sandbox = describe(opts->confinement);
	c->follow_cwd = opts->follow_cwd;
	str_add(&c->final_cwd, sv_cstr(opts->cwd));
	c->merge = opts->merge;
	c->terminal = opts->pty;
	c->rows = opts->rows;
	c->cols = opts->cols;
	c->max_output = opts->max_output;
	c->grace_ms = opts->grace_ms > 0 ? opts->grace_ms : CHILD_GRACE_MS;
	c->on_data = opts->on_data;
	str_add(&c->input, opts->input);
	c->input_ends = !opts->keep_stdin && !opts->pty;
}

struct op *child_start(struct loop *loop, const struct child_opts *opts, struct then then)
{
	struct child *c = xnew(struct child);

	op_init(&c->op, &child_type, loop, then);
	c->play.fire = on_spawn;
	c->kill.fire = on_kill;
	c->deadline.fire = on_deadline;
	c->notify.run = run_notify;
	copy_opts(c, opts);
	sim_arm(loop, &c->play, 0);
	if (opts->deadline_ms > 0)
		sim_arm(loop, &c->deadline, opts->deadline_ms);
	return &c->op;
}

struct child_result child_result(const struct op *child)
{
	return child_of(child)->result;
}

bool child_final_cwd(const struct op *child, struct str *out)
{
	const struct child *c = child_of(child);

	if (!c->follow_cwd || !c->final_cwd.len)
		return false;
	str_set(out, sv_of(&c->final_cwd));
	return true;
}

int child_pid(const struct op *child)
{
	const struct child *c = child_of(child);

	return c->spawn ? c->spawn->pid : 0;
}

static void input_came(struct child *c)
{
	if (c->state == READS && !c->dead)
		play_soon(c);
}

bool child_write(struct op *child, struct sv bytes, struct err *err)
{
	struct child *c = child_of(child);

	if (sim_fault(world(c), ERR_TOO_BIG, c->name, err))
		return false;
	if (c->dead || c->input_ends)
		return true;
	if (!str_add_capped(&c->input, bytes, LIMIT_CHILD_INPUT))
		return err_set(err, ERR_TOO_BIG, "%s does not read what it is sent", c->name);
	input_came(c);
	return true;
}

void child_close_stdin(struct op *child)
{
	struct child *c = child_of(child);

	c->input_ends = true;
	input_came(c);
}

void child_pause(struct op *child, bool paused)
{
	struct child *c = child_of(child);

	c->paused = paused && !child->cancelled;
	if (!paused && !child->finished)
		loop_post(child->loop, &c->notify);
}

void child_resize(struct op *child, int rows, int cols)
{
	struct child *c = child_of(child);

	c->rows = rows;
	c->cols = cols;
	if (!c->spawn)
		return;
	c->spawn->rows = rows;
	c->spawn->cols = cols;
	take_signal(c, SIGWINCH);
}

void child_signal(struct op *child, int signo)
{
	take_signal(child_of(child), signo);
}

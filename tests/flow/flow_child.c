/* Programs, and children whose output is logged by lines. */
#include <errno.h>

#include "flow.h"
#include "sys/child.h"

/* --- child: how a program behaves -------------------------------------------- */

/* The steps that take no argument, or a number of some kind. */
static const struct {
	const char *words;
	enum sim_child_act act;
} plain_steps[] = {
	{ "read line", SIM_CHILD_READ_LINE }, { "read all", SIM_CHILD_READ_ALL },
	{ "echo", SIM_CHILD_ECHO },           { "ignore TERM", SIM_CHILD_IGNORE_TERM },
	{ "hang", SIM_CHILD_HANG },
};

static bool is_words(const struct line *line, const char *words)
{
	struct sv rest = sv_cstr(words), name;

	return sv_cut(&rest, ' ', &name) && sv_eq(line->name, name) &&
	       sv_eq(sv_trim(line->args), rest);
}

static bool parse_errno(int64_t *out, struct sv name, struct err *err)
{
	for (int e = 1; e < 134; e++)
		if (strerrorname_np(e) && sv_is(name, strerrorname_np(e))) {
			*out = e;
			return true;
		}
	return err_set(err, ERR_INVALID, "no errno is called \"%.*s\"", SV_ARG(name));
}

static bool read_text(struct sim_child_step *step, enum sim_child_act act, struct sv args,
		      struct err *err)
{
	struct str text = STR_INIT;

	if (!text_decode(&text, args, err)) {
		str_clear(&text);
		return false;
	}
	step->act = act;
	step->text.len = text.len;
	step->text.ptr = str_detach(&text);
	return true;
}

static bool read_number(struct sim_child_step *step, const struct line *line, struct err *err)
{
	int signo;

	if (sv_is(line->name, "wait")) {
		step->act = SIM_CHILD_WAIT;
		return parse_ms(&step->n, line->args, err);
	}
	if (sv_is(line->name, "exit")) {
		step->act = SIM_CHILD_EXIT;
		return parse_count(&step->n, line->args, err);
	}
	if (sv_is(line->name, "fail")) {
		step->act = SIM_CHILD_FAIL;
		return parse_errno(&step->n, line->args, err);
	}
	if (!sv_is(line->name, "die"))
		return err_set(err, ERR_INVALID, "line %d: a program cannot \"%.*s\"", line->number,
			       SV_ARG(line->name));
	if (!parse_signal(&signo, line->args, err))
		return false;
	*step = (struct sim_child_step){ .act = SIM_CHILD_DIE, .n = signo };
	return true;
}

static bool read_step(struct sim_child_step *step, const struct line *line, struct err *err)
{
	for (size_t i = 0; i < countof(plain_steps); i++)
		if (is_words(line, plain_steps[i].words)) {
			step->act = plain_steps[i].act;
			return true;
		}
	if (sv_is(line->name, "out"))
		return read_text(step, SIM_CHILD_OUT, line->args, err);
	if (sv_is(line->name, "err"))
		return read_text(step, SIM_CHILD_ERR, line->args, err);
	return read_number(step, line, err);
}

/* child PATTERN | child-once PATTERN */
static bool do_child(struct flow *f, const struct line *line, struct err *err)
{
	defer(mem_freep) struct sim_child_step *steps = xcalloc(line->nblock + 1, sizeof(*steps));
	defer(mem_freep) char *pattern = sv_dup(line->args);
	size_t n = 0;

	while (n < line->nblock && read_step(&steps[n], &line->block[n], err))
		n++;
	if (n == line->nblock)
		sim_child(f->world, pattern, steps, n, sv_is(line->name, "child-once"));
	for (size_t i = 0; i < n; i++)
		free((char *)steps[i].text.ptr);
	return n == line->nblock;
}

/* --- run: a child -------------------------------------------------------------- */

struct run {
	struct flow_leaf leaf;
	struct str rest[2]; /* the last line of each stream, unfinished */
};

static void log_output(struct run *r, enum child_stream from, struct sv bytes)
{
	defer(str_clear) struct str text = STR_INIT;

	text_quote(&text, bytes);
	flow_log(r->leaf.flow, sv_cstr(r->leaf.label), "%s %s", from == CHILD_OUT ? "out" : "err",
		 str_c(&text));
}

/* By lines, so that the log does not depend on how they were cut. */
static void on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct run *r = owner;
	struct str *rest = &r->rest[from];
	size_t newline;

	str_add(rest, bytes);
	while ((newline = sv_find_char(sv_of(rest), '\n')) != SIZE_MAX) {
		log_output(r, from, sv_slice(sv_of(rest), 0, newline + 1));
		str_consume(rest, newline + 1);
	}
}

static void on_ended(struct op *op, void *owner, const struct err *why)
{
	struct run *r = owner;
	struct child_result result = child_result(op);

	for (enum child_stream from = CHILD_OUT; from <= CHILD_ERR; from++)
		if (r->rest[from].len)
			log_output(r, from, sv_of(&r->rest[from]));
	if (child_pid(op))
		flow_log(r->leaf.flow, sv_cstr(r->leaf.label), "ended %d%s%s", result.code,
			 result.signal ? " by " : "",
			 result.signal ? sigabbrev_np(result.signal) : "");
	flow_leaf_done(op, owner, why);
}

static void run_clear(struct flow_leaf *leaf)
{
	struct run *r = container_of(leaf, struct run, leaf);

	str_clear(&r->rest[CHILD_OUT]);
	str_clear(&r->rest[CHILD_ERR]);
}

struct command {
	struct child_opts opts;
	VEC(char *) argv; /* ended by NULL */
	struct str input;
	char *cwd;
};

static void command_clear(struct command *c)
{
	for (size_t i = 0; i < c->argv.n; i++)
		free(c->argv.at[i]);
	vec_clear(&c->argv);
	str_clear(&c->input);
	free(c->cwd);
}

static bool read_option(struct command *c, const struct line *line, struct err *err)
{
	int64_t n = 0;

	if (sv_is(line->name, "input"))
		return text_decode(&c->input, line->args, err);
	if (sv_is(line->name, "deadline"))
		return parse_ms(&c->opts.deadline_ms, line->args, err);
	if (sv_is(line->name, "grace"))
		return parse_ms(&c->opts.grace_ms, line->args, err);
	if (sv_is(line->name, "max-output")) {
		if (!parse_count(&n, line->args, err))
			return false;
		c->opts.max_output = (size_t)n;
	} else if (sv_is(line->name, "keep-stdin")) {
		c->opts.keep_stdin = true;
	} else if (sv_is(line->name, "merge")) {
		c->opts.merge = true;
	} else if (sv_is(line->name, "pty")) {
		c->opts.pty = true;
	} else if (sv_is(line->name, "cwd")) {
		free(c->cwd);
		c->cwd = sv_dup(line->args);
	} else {
		return err_set(err, ERR_INVALID, "line %d: no option is called \"%.*s\"",
			       line->number, SV_ARG(line->name));
	}
	return true;
}

static bool read_command(struct command *c, const struct line *line, struct err *err)
{
	struct sv rest = line->args;

	while (sv_trim(rest).len) {
		struct str word = STR_INIT;
		bool ok = take_quoted(&word, &rest, err);

		vec_push(&c->argv, str_detach(&word));
		if (!ok)
			return false;
	}
	vec_push(&c->argv, NULL);
	for (size_t i = 0; i < line->nblock; i++)
		if (!read_option(c, &line->block[i], err))
			return false;
	c->opts.argv = (const char *const *)c->argv.at;
	c->opts.input = sv_of(&c->input);
	c->opts.cwd = c->cwd;
	c->opts.on_data = on_data;
	return true;
}

/* run COMMAND WORDS */
static struct op *start_run(struct flow *f, const struct line *line, struct then then,
			    struct err *err)
{
	defer(command_clear) struct command c = { .input = STR_INIT };
	struct run *r;

	if (!read_command(&c, line, err))
		return NULL;
	r = xnew(struct run);
	flow_leaf_init(&r->leaf, f, line, then);
	r->leaf.clear = run_clear;
	r->leaf.pause = child_pause;
	r->leaf.inner = child_start(f->loop, &c.opts, THEN(on_ended, r));
	return &r->leaf.op;
}

/* --- talking to a child ----------------------------------------------------------- */

/* The child of the op labelled by the first word; NULL when it is over. */
static struct op *take_child(struct flow *f, struct sv *rest)
{
	struct op *op = flow_find(f, take_word(rest));
	struct flow_leaf *leaf = op ? flow_leaf_of(op) : NULL;

	return leaf && leaf->pause == child_pause ? leaf->inner : NULL;
}

/* send LABEL TEXT */
static bool do_send(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest = line->args;
	struct op *child = take_child(f, &rest);
	struct err why;

	if (!text_decode(&text, rest, err))
		return false;
	if (child && !child_write(child, sv_of(&text), &why))
		flow_log(f, line->label, "failed %s: %s", err_kind_name(why.kind), why.text);
	return true;
}

/* close LABEL */
static bool do_close(struct flow *f, const struct line *line,
		     __attribute__((unused)) struct err *err)
{
	struct sv rest = line->args;
	struct op *child = take_child(f, &rest);

	if (child)
		child_close_stdin(child);
	return true;
}

/* kill LABEL SIGNAL */
static bool do_kill(struct flow *f, const struct line *line, struct err *err)
{
	struct sv rest = line->args;
	struct op *child = take_child(f, &rest);
	int signo;

	if (!parse_signal(&signo, sv_trim(rest), err))
		return false;
	if (child)
		child_signal(child, signo);
	return true;
}

/* spawned: what was run so far, and what it read */
static bool do_spawned(struct flow *f, const struct line *line,
		       __attribute__((unused)) struct err *err)
{
	const struct sim_spawn *spawn;

	for (size_t i = 0; (spawn = sim_spawned(f->world, i)); i++) {
		defer(str_clear) struct str input = STR_INIT;

		text_quote(&input, sv_of(&spawn->input));
		flow_log(f, line->label, "%s read %s%s", spawn->command, str_c(&input),
			 spawn->eof ? " to the end" : "");
	}
	return true;
}

const struct flow_directive flow_child_directives[] = {
	{ "child", .run = do_child },     { "child-once", .run = do_child },
	{ "run", .start = start_run },    { "send", .run = do_send },
	{ "close", .run = do_close },     { "kill", .run = do_kill },
	{ "spawned", .run = do_spawned }, { NULL },
};

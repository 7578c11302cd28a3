#include "model/auth/helper.h"

#include "base/limits.h"
#include "base/mem.h"
#include "model/wire/wire.h"
#include "sys/child.h"

enum { WORDS_SHOWN = 160 }; /* bytes of its stderr in an error */

struct run {
	struct op op;
	const char *name;
	int64_t deadline_ms;
	helper_line_fn *on_line;
	struct op *child;
	struct str output;    /* the incomplete last line, or all of it if it is a secret */
	struct str complaint; /* for an error */
};

static void helper_emit_line(struct run *r, struct sv line)
{
	defer(str_clear) struct str text = STR_INIT;

	line = sv_trim(line);
	if (!line.len || r->op.cancelled)
		return;
	wire_printable(&text, line, LIMIT_HELPER_LINE);
	str_set(&r->complaint, sv_of(&text));
	r->on_line(r->op.then.owner, sv_of(&text));
}

/* Emit the complete lines. */
static void helper_emit_lines(struct run *r)
{
	struct sv rest = sv_of(&r->output);
	size_t newline;

	while ((newline = sv_find_char(rest, '\n')) != SIZE_MAX) {
		helper_emit_line(r, sv_slice(rest, 0, newline));
		rest = sv_skip(rest, newline + 1);
	}
	str_consume(&r->output, r->output.len - rest.len);
}

static void helper_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct run *r = owner;

	str_add(from == CHILD_OUT ? &r->output : &r->complaint, bytes); /* capped by max_output */
	if (r->on_line)
		helper_emit_lines(r);
}

static bool helper_check(struct run *r, struct child_result result, struct err *err)
{
	defer(str_clear) struct str words = STR_INIT;
	struct sv complaint = sv_trim(sv_of(&r->complaint));

	if (result.code == 0)
		return true;
	if (complaint.len)
		str_adds(&words, ": ");
	wire_printable(&words, complaint, WORDS_SHOWN);
	return err_set(err, ERR_ACCESS, "%s exited with status %d%s", r->name, result.code,
		       str_c(&words));
}

static void helper_on_ended(struct op *op, void *owner, const struct err *why)
{
	struct run *r = owner;
	struct err err = ERR_INIT;

	r->child = NULL;
	if (r->on_line) {
		helper_emit_line(r, sv_of(&r->output));
		str_truncate(&r->output, 0);
	}
	if (why && why->kind == ERR_TIMEOUT) {
		err_set(&err, ERR_TIMEOUT, "%s did not finish within %lld seconds", r->name,
			(long long)r->deadline_ms / 1000);
	} else if (why) {
		err = *why;
		err_context(&err, "%s", r->name);
	} else {
		(void)!helper_check(r, child_result(op), &err);
	}
	op_finish(&r->op, err.kind == ERR_NONE ? NULL : &err);
}

static void run_cancel(struct op *op)
{
	op_cancel(container_of(op, struct run, op)->child);
}

static void run_free(struct op *op)
{
	struct run *r = container_of(op, struct run, op);

	str_clear(&r->output);
	str_clear(&r->complaint);
	free(r);
}

static const struct op_type run_type = { .name = "helper", .cancel = run_cancel, .free = run_free };

struct op *helper_start(struct loop *loop, const struct helper *helper, struct then then)
{
	const char *const shell[] = { "/bin/sh", "-c", helper->command, NULL };
	struct run *r = xnew(struct run);
	struct child_opts opts = {
		.argv = helper->argv ? helper->argv : shell,
		.env = helper->env,
		.merge = helper->on_line != NULL,
		.max_output = helper->on_line ? LIMIT_LOGIN_OUTPUT : LIMIT_MODEL_SECRET,
		.deadline_ms = helper->deadline_ms,
		.on_data = helper_on_data,
	};

	op_init(&r->op, &run_type, loop, then);
	r->name = helper->name;
	r->deadline_ms = helper->deadline_ms;
	r->on_line = helper->on_line;
	r->child = child_start(loop, &opts, THEN(helper_on_ended, r));
	return &r->op;
}

struct sv helper_output(const struct op *op)
{
	return sv_trim(sv_of(&container_of(op, const struct run, op)->output));
}

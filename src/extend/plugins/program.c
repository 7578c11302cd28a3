#include "extend/plugins/program.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "sys/child.h"

struct program {
	struct op op;
	struct op *child;
	struct str *out;
	struct str errors; /* the last bytes of stderr */
	size_t lines, max_lines;
	char *name;
};

static void program_cancel(struct op *op)
{
	op_cancel(container_of(op, struct program, op)->child);
}

static void program_free(struct op *op)
{
	struct program *p = container_of(op, struct program, op);

	str_clear(&p->errors);
	free(p->name);
	free(p);
}

static const struct op_type program_type = {
	.name = "program",
	.cancel = program_cancel,
	.free = program_free,
};

static void program_count_lines(struct program *p, struct sv bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		p->lines += bytes.ptr[i] == '\n';
	if (p->max_lines && p->lines > p->max_lines)
		op_cancel(p->child);
}

static void program_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct program *p = owner;

	if (from == CHILD_ERR) {
		str_add(&p->errors, bytes);
		if (p->errors.len > LIMIT_PLUGIN_FETCH_LINES)
			str_consume(&p->errors, p->errors.len - LIMIT_PLUGIN_FETCH_LINES);
		return;
	}
	program_count_lines(p, bytes);
	if (p->out && p->out->len + bytes.len <= LIMIT_PLUGIN_FETCH_LINES) {
		str_add(p->out, bytes);
	}
}

/* The line that says most: the last one that is not empty. */
static struct sv program_last_line(const struct program *p)
{
	struct sv rest = sv_of(&p->errors), line, last = SV_EMPTY;

	while (sv_cut_line(&rest, &line))
		if (sv_trim(line).len && utf8_valid(line, NULL))
			last = sv_trim(line);
	return last;
}

static void program_on_done(struct op *child, void *owner, const struct err *why)
{
	struct program *p = owner;
	struct err err = why ? *why : (struct err)ERR_INIT;
	struct sv line = program_last_line(p);
	int code = why ? 0 : child_result(child).code;

	p->child = NULL;
	if (p->max_lines && p->lines > p->max_lines)
		err_set(&err, ERR_TOO_BIG, "%s: more than %zu lines", p->name, p->max_lines);
	else if (why && why->kind != ERR_CANCELLED)
		err_context(&err, "%s", p->name);
	else if (code)
		err_set(&err, ERR_IO, "%s failed with status %d%s%.*s", p->name, code,
			line.len ? ": " : "", SV_ARG(line));
	op_finish(&p->op, err.kind ? &err : NULL);
}

struct op *program_start(struct loop *loop, const struct program_opts *opts, struct then then)
{
	struct program *p = xnew(struct program);

	op_init(&p->op, &program_type, loop, then);
	p->out = opts->out;
	p->name = xstrdup(opts->argv[0]);
	p->max_lines = opts->max_lines;
	p->child = child_start(loop,
			       &(struct child_opts){ .argv = opts->argv,
						     .env = opts->env,
						     .cwd = "/",
						     .max_output = opts->max_bytes,
						     .deadline_ms = opts->deadline_ms,
						     .on_data = program_on_data },
			       THEN(program_on_done, p));
	return &p->op;
}

#include "flow.h"

#include <inttypes.h>

static const struct flow_directive *const tables[] = {
	flow_time_directives, flow_world_directives, flow_http_directives,  flow_child_directives,
	flow_fs_directives,   flow_model_directives, flow_agent_directives,
};

/* Ops that refuse to end are given this many steps once cancelled. */
enum { LAST_STEPS = 10000 };

static const struct flow_directive *find_directive(struct sv name)
{
	for (size_t i = 0; i < countof(tables); i++)
		for (const struct flow_directive *d = tables[i]; d->name; d++)
			if (sv_is(name, d->name))
				return d;
	return NULL;
}

void flow_log(struct flow *f, struct sv label, const char *fmt, ...)
{
	va_list args;

	str_addf(&f->log, "@%" PRId64 " %.*s ", sim_elapsed(f->world), SV_ARG(label));
	va_start(args, fmt);
	str_vaddf(&f->log, fmt, args);
	va_end(args);
	str_addc(&f->log, '\n');
}

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct flow_op *o = owner;

	o->op = NULL;
	o->dones++;
	if (why)
		flow_log(o->flow, sv_cstr(o->label), "failed %s: %s", err_kind_name(why->kind),
			 why->text);
	else
		flow_log(o->flow, sv_cstr(o->label), "done");
}

struct op *flow_find(struct flow *f, struct sv label)
{
	for (size_t i = f->ops.n; i-- > 0;)
		if (f->ops.at[i]->op && sv_is(label, f->ops.at[i]->label))
			return f->ops.at[i]->op;
	return NULL;
}

/* --- carrying out lines -------------------------------------------------- */

static const struct flow_directive *directive_of(const struct line *line, struct err *err)
{
	const struct flow_directive *d = find_directive(line->name);

	if (!d)
		err_set(err, ERR_INVALID, "nothing is called \"%.*s\"", SV_ARG(line->name));
	return d;
}

struct op *flow_start(struct flow *f, const struct line *line, struct then then, struct err *err)
{
	const struct flow_directive *d = directive_of(line, err);

	if (d && d->start)
		return d->start(f, line, then, err);
	if (d)
		err_set(err, ERR_INVALID, "\"%s\" is nothing to wait for", d->name);
	return NULL;
}

static bool start_op(struct flow *f, const struct line *line, struct err *err)
{
	struct flow_op *o;

	if (flow_find(f, line->label))
		return err_set(err, ERR_INVALID, "\"%.*s\" is still under way: give it a label",
			       SV_ARG(line->label));
	o = xnew(struct flow_op);
	o->flow = f;
	o->label = sv_dup(line->label);
	o->op = flow_start(f, line, THEN(on_done, o), err);
	if (!o->op) {
		free(o->label);
		free(o);
		return false;
	}
	vec_push(&f->ops, o);
	return true;
}

bool flow_do(struct flow *f, const struct line *line, struct err *err)
{
	const struct flow_directive *d = directive_of(line, err);

	if (d && (d->run ? d->run(f, line, err) : start_op(f, line, err)))
		return true;
	return err_context(err, "line %d", line->number);
}

static void play(struct flow *f, const struct line *line)
{
	if (!f->cancelled && f->err.kind == ERR_NONE && !flow_do(f, line, &f->err))
		f->at = f->script->lines.n;
}

static void play_on(struct flow *f)
{
	f->waits = false;
	while (!f->waits && f->at < f->script->lines.n)
		play(f, &f->script->lines.at[f->at++]);
}

static void on_resume(struct sim_event *event)
{
	struct flow *f = container_of(event, struct flow, resume);

	loop_post(f->loop, &f->go_on);
}

static void run_go_on(struct task *task)
{
	play_on(container_of(task, struct flow, go_on));
}

void flow_wait(struct flow *f, int64_t ms)
{
	f->waits = true;
	if (ms >= 0)
		sim_arm(f->loop, &f->resume, ms);
}

static void on_later(struct sim_event *event)
{
	struct flow_later *later = container_of(event, struct flow_later, due);

	loop_post(later->flow->loop, &later->play);
}

static void run_later(struct task *task)
{
	struct flow_later *later = container_of(task, struct flow_later, play);

	play(later->flow, &later->line);
}

void flow_after(struct flow *f, int64_t ms, const struct line *line)
{
	struct flow_later *later = xnew(struct flow_later);

	later->flow = f;
	later->line = *line;
	later->due.fire = on_later;
	later->play.run = run_later;
	later->next = f->laters;
	f->laters = later;
	sim_arm(f->loop, &later->due, ms);
}

/* --- the life of a flow -------------------------------------------------- */

struct flow *flow_new(const struct script *script)
{
	struct flow *f = xnew(struct flow);

	f->script = script;
	f->world = sim_new();
	f->loop = sim_loop(f->world);
	f->resume.fire = on_resume;
	f->go_on.run = run_go_on;
	return f;
}

bool flow_run(struct flow *f, size_t max_steps)
{
	size_t end = sim_steps(f->world) + max_steps;

	if (f->at == 0)
		play_on(f);
	while (sim_run(f->world, end - sim_steps(f->world))) {
		if (f->err.kind != ERR_NONE || f->at == f->script->lines.n)
			return true;
		play_on(f); /* all is quiet: the wait is over */
	}
	return false;
}

void flow_cancel(struct flow *f)
{
	f->cancelled = true;
	f->at = f->script->lines.n;
	sim_disarm(f->loop, &f->resume);
	for (struct flow_later *later = f->laters; later; later = later->next)
		sim_disarm(f->loop, &later->due);
	for (size_t i = 0; i < f->ops.n; i++)
		op_cancel(f->ops.at[i]->op);
	if (f->agent)
		flow_agent_cancel(f->agent);
}

bool flow_check(struct flow *f, struct err *err)
{
	for (size_t i = 0; i < f->ops.n; i++)
		if (f->ops.at[i]->dones != 1)
			return err_set(err, ERR_INVALID, "\"%s\" was done %d times",
				       f->ops.at[i]->label, f->ops.at[i]->dones);
	return !f->agent || flow_agent_check(f->agent, err);
}

static void free_parts(struct flow *f)
{
	struct flow_later *next;

	for (struct flow_later *later = f->laters; later; later = next) {
		next = later->next;
		free(later);
	}
	for (size_t i = 0; i < f->ops.n; i++) {
		free(f->ops.at[i]->label);
		free(f->ops.at[i]);
	}
	vec_clear(&f->ops);
	str_clear(&f->log);
}

void flow_free(struct flow *f)
{
	if (!f)
		return;
	flow_cancel(f);
	flow_agent_close(f->agent);
	if (!sim_run(f->world, LAST_STEPS) || sim_live_ops(f->world))
		return; /* freeing what still runs would hide the report under a crash */
	flow_agent_free(f->agent);
	flow_model_free(f->model);
	http_free(f->http);
	sim_free(f->world);
	free_parts(f);
	free(f);
}

void flow_freep(struct flow **f)
{
	flow_free(*f);
	*f = NULL;
}

/* --- leaves -------------------------------------------------------------- */

static void leaf_cancel(struct op *op)
{
	op_cancel(container_of(op, struct flow_leaf, op)->inner);
}

static void leaf_free(struct op *op)
{
	struct flow_leaf *leaf = container_of(op, struct flow_leaf, op);

	if (leaf->clear)
		leaf->clear(leaf);
	free(leaf->label);
	free(leaf);
}

static const struct op_type leaf_type = { .name = "leaf",
					  .cancel = leaf_cancel,
					  .free = leaf_free };

void flow_leaf_init(struct flow_leaf *leaf, struct flow *f, const struct line *line,
		    struct then then)
{
	op_init(&leaf->op, &leaf_type, f->loop, then);
	leaf->flow = f;
	leaf->label = sv_dup(line->label);
}

void flow_leaf_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct flow_leaf *leaf = owner;

	leaf->inner = NULL;
	op_finish(&leaf->op, why);
}

struct flow_leaf *flow_leaf_of(struct op *op)
{
	return op->type == &leaf_type ? container_of(op, struct flow_leaf, op) : NULL;
}

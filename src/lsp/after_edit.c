#include "lsp/after_edit.h"

#include "base/limits.h"
#include "base/mem.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "sys/work.h"

enum { PATIENCE_MS = 5 * 1000 };

struct after_edit {
	struct op op;
	struct op *step, *timer;
	struct lsp_server *server;
	struct str path, text;
	struct err why;
	bool is_late;
};

static void after_edit_settle(struct after_edit *e)
{
	if (e->step || e->timer)
		return;
	if (e->is_late)
		lsp_server_be_late(e->server);
	op_finish(&e->op, e->why.kind ? &e->why : NULL);
}

/* The last step is over. */
static void after_edit_end(struct after_edit *e, const struct err *why)
{
	if (why && !e->is_late)
		e->why = *why;
	op_cancel(e->timer);
	after_edit_settle(e);
}

static void after_edit_on_timer(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct after_edit *e = owner;

	e->timer = NULL;
	if (!why && e->step) {
		e->is_late = true;
		op_cancel(e->step);
	}
	after_edit_settle(e);
}

static void after_edit_on_diagnostics(__attribute__((unused)) struct op *op, void *owner,
				      const struct err *why)
{
	struct after_edit *e = owner;

	e->step = NULL;
	after_edit_end(e, why);
}

static void after_edit_on_read(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct after_edit *e = owner;
	struct err err = ERR_INIT;

	e->step = NULL;
	if (why || e->op.cancelled || e->is_late || !lsp_server_check(e->server, &err)) {
		after_edit_end(e, why ? why : &err);
		return;
	}
	lsp_server_open(e->server, sv_of(&e->path), sv_of(&e->text));
	lsp_server_save(e->server, sv_of(&e->path));
	if (lsp_server_is_late(e->server)) {
		after_edit_end(e, NULL);
		return;
	}
	e->step = lsp_server_wait_diagnostics(e->server, sv_of(&e->path),
					      THEN(after_edit_on_diagnostics, e));
}

static bool after_edit_read(void *arg, struct err *err)
{
	struct after_edit *e = arg;

	return fs_read(&e->text, e->path.ptr, LIMIT_LSP_FILE, err);
}

static void after_edit_on_ready(__attribute__((unused)) struct op *op, void *owner,
				__attribute__((unused)) const struct err *why)
{
	struct after_edit *e = owner;
	struct err err = ERR_INIT;

	e->step = NULL;
	if (e->op.cancelled || e->is_late || !lsp_server_check(e->server, &err))
		after_edit_end(e, &err);
	else
		e->step = work_start(e->op.loop, after_edit_read, e, THEN(after_edit_on_read, e));
}

static void after_edit_cancel(struct op *op)
{
	struct after_edit *e = container_of(op, struct after_edit, op);

	op_cancel(e->step);
	op_cancel(e->timer);
}

static void after_edit_free(struct op *op)
{
	struct after_edit *e = container_of(op, struct after_edit, op);

	str_clear(&e->path);
	str_clear(&e->text);
	free(e);
}

static const struct op_type after_edit_type = { .name = "diagnostics after an edit",
						.cancel = after_edit_cancel,
						.free = after_edit_free };

struct op *lsp_after_edit_start(struct loop *loop, struct lsp_server *server, struct sv path,
				struct then then)
{
	struct after_edit *e = xnew(struct after_edit);
	struct err not_ready = ERR_INIT;

	op_init(&e->op, &after_edit_type, loop, then);
	e->server = server;
	str_add(&e->path, path);
	e->timer = timer_start(loop, PATIENCE_MS, THEN(after_edit_on_timer, e));
	e->step = lsp_server_is_late(server) && !lsp_server_check(server, &not_ready)
			  ? op_settled(loop, THEN(after_edit_on_ready, e))
			  : lsp_server_wait(server, THEN(after_edit_on_ready, e));
	return &e->op;
}

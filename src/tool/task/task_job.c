#include "tool/task/task_job.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "tool/builtins.h"

enum { RETRY_MS = 20, RETRIES = 250, NAMED = 30, NAME_SHOWN = 40 };

/* --- where it is kept ----------------------------------------------------------------- */

static char *task_job_path_of(const char *dir, const char *name)
{
	struct str path = STR_INIT;

	fs_join(&path, sv_cstr(dir), sv_cstr(name));
	return str_detach(&path);
}

static bool task_job_read_file(struct str *out, const char *dir, struct err *err)
{
	defer(mem_freep) char *path = task_job_path_of(dir, "tasks.json");

	if (fs_read(out, path, LIMIT_TASK_LIST, err))
		return true;
	if (err->kind != ERR_NOT_FOUND)
		return false;
	*err = (struct err)ERR_INIT;
	return true;
}

bool task_load(struct task_list *list, const struct tool_context *ctx, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!ctx->session->tasks_dir)
		return task_list_read(list, sv_of(&ctx->tasks), err);
	if (!task_job_read_file(&text, ctx->session->tasks_dir, err))
		return false;
	return task_list_read(list, sv_of(&text), err) ||
	       err_context(err, "%s/tasks.json", ctx->session->tasks_dir);
}

static bool task_job_keep_text(struct sv text, struct tool_context *ctx, struct err *err)
{
	defer(mem_freep) char *path = NULL;

	if (ctx->session->tasks_dir) {
		path = task_job_path_of(ctx->session->tasks_dir, "tasks.json");
		return fs_write(path, text, (struct fs_write){ .mode = 0600 }, err);
	}
	str_set(&ctx->tasks, text);
	return true;
}

static bool task_job_keep(const struct task_list *list, struct tool_context *ctx, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	task_list_write(&text, list);
	if (text.len > LIMIT_TASK_LIST)
		return err_set(err, ERR_TOO_BIG,
			       "the list would exceed %zu KiB; delete completed tasks, or shorten "
			       "descriptions",
			       LIMIT_TASK_LIST / KIB);
	return task_job_keep_text(sv_of(&text), ctx, err);
}

bool task_adopt(struct tool_context *ctx, const char *dir, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!task_job_read_file(&text, dir, err))
		return false;
	if (!text.len)
		return true;
	return (!ctx->session->tasks_dir || fs_mkdirs(ctx->session->tasks_dir, 0700, err)) &&
	       task_job_keep_text(sv_of(&text), ctx, err);
}

/* --- one call -------------------------------------------------------------------------- */

struct task_job {
	struct op op;
	struct tool_call *call;
	task_fn *change;
	struct op *pause;
	int tries;
};

static void job_cancel(struct op *op)
{
	struct task_job *job = container_of(op, struct task_job, op);

	op_cancel(job->pause);
}

static void job_free(struct op *op)
{
	free(container_of(op, struct task_job, op));
}

static const struct op_type job_type = {
	.name = "task list",
	.cancel = job_cancel,
	.free = job_free,
};

static struct task_job *job_new(struct tool_call *call, task_fn *change, struct then then)
{
	struct task_job *job = xnew(struct task_job);

	op_init(&job->op, &job_type, call->ctx->loop, then);
	job->call = call;
	job->change = change;
	return job;
}

static bool task_job_use(struct task_job *job)
{
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT;
	struct tool_call *call = job->call;
	struct err err = ERR_INIT;
	bool changed = false;

	if (!task_load(&list, call->ctx, &err))
		tool_fail(&call->result, "Cannot read the task list: %s", err.text);
	else
		changed = job->change(call, &list);
	if (changed && !task_job_keep(&list, call->ctx, &err))
		changed = tool_fail(&call->result, "Nothing was changed: %s", err.text);
	op_finish(&job->op, NULL);
	return changed;
}

/* Without the lock, since who hears of it may want it. */
static void task_job_announce(const struct tool_context *ctx)
{
	const struct tool_services *services = ctx->session->services;

	if (services && services->tasks_changed)
		services->tasks_changed(services->arg, ctx);
}

static void task_job_try(struct task_job *job);

static void task_job_on_pause(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct task_job *job = owner;

	job->pause = NULL;
	if (why)
		op_finish(&job->op, why);
	else
		task_job_try(job);
}

static struct fs_lock *task_job_lock(const struct tool_context *ctx, struct err *err)
{
	defer(mem_freep) char *path = task_job_path_of(ctx->session->tasks_dir, "tasks.lock");

	return fs_mkdirs(ctx->session->tasks_dir, 0700, err) ? fs_lock(path, err) : NULL;
}

static void task_job_try(struct task_job *job)
{
	struct tool_call *call = job->call;
	struct err err = ERR_INIT;
	struct fs_lock *held = task_job_lock(call->ctx, &err);
	bool changed;

	if (held) {
		changed = task_job_use(job);
		fs_unlock(held);
		if (changed)
			task_job_announce(call->ctx);
	} else if (err.kind == ERR_BUSY && job->tries++ < RETRIES) {
		job->pause = timer_start(call->ctx->loop, RETRY_MS, THEN(task_job_on_pause, job));
	} else {
		tool_fail(&call->result, "Nothing was changed: %s", err.text);
		op_finish(&job->op, NULL);
	}
}

struct op *task_look(struct tool_call *call, task_fn *look, struct then then)
{
	struct task_job *job = job_new(call, look, then);

	(void)task_job_use(job);
	return &job->op;
}

struct op *task_change(struct tool_call *call, task_fn *change, struct then then)
{
	struct task_job *job = job_new(call, change, then);

	if (call->ctx->session->tasks_dir)
		task_job_try(job);
	else if (task_job_use(job))
		task_job_announce(call->ctx);
	return &job->op;
}

/* --- names ------------------------------------------------------------------------------ */

struct task_item *task_named(const struct task_list *list, struct sv text)
{
	int64_t id;

	text = sv_trim(text);
	if (sv_starts(text, SV("#")))
		text = sv_skip(text, 1);
	return sv_to_int(text, &id) ? task_list_find(list, id) : NULL;
}

void task_describe_unknown(struct str *out, const struct task_list *list, struct sv text)
{
	str_addf(out, "There is no task \"%.*s\".", SV_ARG(utf8_prefix(text, NAME_SHOWN)));
	if (!list->tasks.n) {
		str_adds(out, " The list is empty.");
		return;
	}
	str_adds(out, " Existing tasks:");
	for (size_t i = 0; i < min_of(list->tasks.n, (size_t)NAMED); i++)
		str_addf(out, "%s %lld", i ? "," : "", (long long)list->tasks.at[i].id);
	if (list->tasks.n > NAMED)
		str_addf(out, " and %zu more; TaskList shows all", list->tasks.n - NAMED);
	str_addc(out, '.');
}

/* --- what hooks are asked about ----------------------------------------------------------- */

void task_event_clear(struct task_event *event)
{
	str_clear(&event->subject);
	str_clear(&event->description);
}

static struct sv task_event_member(const struct tool_call *call, const char *key)
{
	return json_str_or(json_get(call->input, key), SV_EMPTY);
}

static void task_event_set(struct str *out, const struct tool_call *call, const char *key,
			   const struct str *old)
{
	struct sv given;

	str_set(out, json_str(json_get(call->input, key), &given) ? given : sv_of(old));
}

bool task_event_of(const struct tool_call *call, struct task_event *out)
{
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT;
	const struct task_item *task;
	struct err err = ERR_INIT;

	if ((call->tool != &tool_task_create && call->tool != &tool_task_update) ||
	    !task_load(&list, call->ctx, &err)) /* then the call will say so */
		return false;
	if (call->tool == &tool_task_create) {
		out->id = list.last_id + 1;
		str_set(&out->subject, sv_trim(task_event_member(call, "subject")));
		str_set(&out->description, task_event_member(call, "description"));
		return true;
	}
	task = task_named(&list, task_event_member(call, "taskId"));
	if (!task || task->status == TASK_COMPLETED ||
	    !sv_is(task_event_member(call, "status"), task_status_name(TASK_COMPLETED)))
		return false;
	out->is_completed = true;
	out->id = task->id;
	task_event_set(&out->subject, call, "subject", &task->subject);
	task_event_set(&out->description, call, "description", &task->description);
	return true;
}

void task_perm_request(__attribute__((unused)) const struct tool_call *call,
		       __attribute__((unused)) struct arena *arena, struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

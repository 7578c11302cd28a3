#include "tool/shell/sed_edit.h"

#include "base/limits.h"
#include "base/mem.h"
#include "perm/command/command_preview.h"
#include "sys/child.h"
#include "text/json/json_write.h"
#include "tool/allowed_file.h"
#include "tool/edit/edit_guard.h"
#include "tool/edit/patch_json.h"
#include "tool/job.h"
#include "tool/shell/shell_env.h"

enum { PREVIEW_MS = 2000 };

/* --- the preview ------------------------------------------------------------------------ */

struct sed_edit {
	struct op op;
	struct tool_call *call;
	struct op *child;
	struct arena arena;
	struct command_preview preview;
	struct str before, after;
	bool has_complained;
};

static bool sed_edit_read(const struct sed_edit *e, struct str *out)
{
	defer(mem_freep) char *path = sv_dup(e->preview.path);
	struct fs_info info;
	struct err ignored = ERR_INIT;

	return fs_info(&info, path, false, &ignored) && info.kind == FS_FILE &&
	       fs_read(out, path, LIMIT_PREVIEW, &ignored) &&
	       sv_find_char(sv_of(out), '\0') == SIZE_MAX;
}

static void sed_edit_report(struct sed_edit *e)
{
	struct tool_call *call = e->call;
	struct jw w;

	str_set(&call->change->path, e->preview.path);
	str_set(&call->change->before, sv_of(&e->before));
	str_set(&call->change->after, sv_of(&e->after));
	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "filePath", e->preview.path);
	patch_json_put(&w, sv_of(&e->before), sv_of(&e->after));
	jw_end(&w);
	jw_done(&w);
}

static void sed_edit_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct sed_edit *e = owner;

	if (from == CHILD_OUT)
		str_add(&e->after, bytes);
	else
		e->has_complained = true;
}

static void sed_edit_on_child(struct op *op, void *owner, const struct err *why)
{
	struct sed_edit *e = owner;
	defer(str_clear) struct str now = STR_INIT;

	e->child = NULL;
	if (!why && !child_result(op).code && !e->has_complained && sed_edit_read(e, &now) &&
	    sv_eq(sv_of(&now), sv_of(&e->before)) && !sv_eq(sv_of(&now), sv_of(&e->after)))
		sed_edit_report(e);
	else
		e->call->result.is_error = true;
	op_finish(&e->op, NULL);
}

static void sed_edit_cancel(struct op *op)
{
	op_cancel(container_of(op, struct sed_edit, op)->child);
}

static void sed_edit_free(struct op *op)
{
	struct sed_edit *e = container_of(op, struct sed_edit, op);

	arena_clear(&e->arena);
	str_clear(&e->before);
	str_clear(&e->after);
	free(e);
}

static const struct op_type sed_edit_type = { .name = "preview of sed",
					      .cancel = sed_edit_cancel,
					      .free = sed_edit_free };

static bool sed_edit_is_possible(struct sed_edit *e)
{
	const struct tool_call *call = e->call;

	return call->analysis && call->change &&
	       !json_bool_or(json_get(call->input, "run_in_background"), false) &&
	       command_preview_find(call->analysis, &e->arena, &e->preview) &&
	       sed_edit_read(e, &e->before);
}

struct op *sed_edit_preview(struct tool_call *call, struct then then)
{
	struct sed_edit *e = xnew(struct sed_edit);

	op_init(&e->op, &sed_edit_type, call->ctx->loop, then);
	e->call = call;
	if (!sed_edit_is_possible(e)) {
		call->result.is_error = true;
		op_finish(&e->op, NULL);
		return &e->op;
	}
	e->child = child_start(e->op.loop,
			       &(struct child_opts){ .argv = e->preview.argv,
						     .env = shell_env_own(call->ctx, &e->arena),
						     .cwd = str_c(&call->ctx->cwd),
						     .max_output = LIMIT_PREVIEW,
						     .deadline_ms = PREVIEW_MS,
						     .on_data = sed_edit_on_data },
			       THEN(sed_edit_on_child, e));
	return &e->op;
}

/* --- the change ------------------------------------------------------------------------- */

static bool sed_edit_store(struct tool_call *call, struct allowed_file *file)
{
	const struct tool_change *change = call->change;
	struct tool_result *result = &call->result;
	defer(str_clear) struct str now = STR_INIT;
	struct err err = ERR_INIT;

	if (!allowed_file_open(file, call->ctx, result))
		return false;
	if (!fs_pinned_info(file->pin) || !fs_pinned_read(file->pin, &now, LIMIT_PREVIEW, &err) ||
	    !sv_eq(sv_of(&now), sv_of(&change->before)))
		return tool_fail(result,
				 "%s has changed since the user was shown what the command would "
				 "make of it, so nothing was done. Run the command again.",
				 str_c(&change->path));
	if (!fs_pinned_write(file->pin, sv_of(&change->after), (struct fs_write){ .mode = 0 },
			     &err))
		return tool_fail(result, "%s", err.text);
	edit_guard_note(call->ctx, sv_of(&change->path), sv_of(&change->after));
	return true;
}

/* As Bash reports a command that has printed nothing. */
static void sed_edit_report_done(struct tool_result *result)
{
	struct jw w;

	str_adds(&result->text, "(No output)");
	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "stdout", SV_EMPTY);
	jw_put_str(&w, "stderr", SV_EMPTY);
	jw_put_bool(&w, "interrupted", false);
	jw_put_bool(&w, "isImage", false);
	jw_put_bool(&w, "noOutputExpected", true);
	jw_end(&w);
	jw_done(&w);
}

static bool sed_edit_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	struct tool_call *call = job->call;
	struct fs_lock *lock = edit_guard_take(call->ctx);
	struct sv path = sv_of(&call->change->path);
	struct allowed_file file;

	allowed_file_init(&file, call->ctx, path, path);
	if (sed_edit_store(call, &file))
		sed_edit_report_done(&call->result);
	allowed_file_clear(&file);
	fs_unlock(lock);
	return true;
}

struct op *sed_edit_write(struct tool_call *call, struct then then)
{
	static const struct tool_job_type type = { .size = sizeof(struct tool_job),
						   .run = sed_edit_run };

	return tool_job_start(call, &type, then);
}

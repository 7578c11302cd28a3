#include "tool/edit/edit_job.h"

#include "base/limits.h"
#include "tool/edit/patch_json.h"

static const struct edit_job_type *edit_job_type_of(const struct file_job *f)
{
	return container_of(f->job.type, struct edit_job_type, file.job);
}

void edit_job_prepare(struct tool_job *job)
{
	struct edit_job *e = container_of(job, struct edit_job, file.job);
	struct json edits = edit_job_type_of(&e->file)->edits(job->call->input), edit;
	struct json_iter it = json_each(edits);

	file_prepare(job);
	if (!json_is(edits, JSON_ARRAY)) {
		vec_push(&e->steps, edit_step_of(edits));
		return;
	}
	while (json_next(&it, NULL, &edit))
		vec_push(&e->steps, edit_step_of(edit));
}

void edit_job_clear(struct tool_job *job)
{
	struct edit_job *e = container_of(job, struct edit_job, file.job);

	vec_clear(&e->steps);
	vec_clear(&e->done);
	file_clear(job);
}

void edit_job_put_change(struct jw *w, const struct edit_job *e)
{
	jw_key(w, SV("originalFile"));
	if (e->existed)
		patch_json_original(w, sv_of(&e->before));
	else
		jw_null(w);
	patch_json_put(w, sv_of(&e->before), sv_of(&e->after));
}

/* --- the work ----------------------------------------------------------------- */

static bool edit_job_creates(const struct edit_job *e)
{
	return !e->steps.at[0].old_text.len;
}

/* Puts the number of the failed edit in front of the message. */
static bool edit_job_blame(struct edit_job *e, size_t i)
{
	struct tool_result *result = &e->file.job.call->result;
	defer(str_clear) struct str text = STR_INIT;

	if (e->steps.n > 1)
		str_addf(&text, "Edit %zu of %zu failed, so nothing was written. ", i + 1,
			 e->steps.n);
	str_splice(&result->text, 0, 0, sv_of(&text));
	return false;
}

/* Applies the step to `after`, or the first step to `before`. */
static bool edit_job_take_step(struct edit_job *e, size_t i)
{
	const struct edit_step *step = &e->steps.at[i];
	struct sv text = sv_of(i ? &e->after : &e->before);
	defer(str_clear) struct str next = STR_INIT;
	struct edit_done done = { .rung = EDIT_NOWHERE };

	if (!step->old_text.len)
		str_add(&next, step->new_text);
	else if (!edit_step(step, &e->file.job.call->result, file_name(&e->file), text, &e->shown,
			    &next, &done))
		return edit_job_blame(e, i);
	vec_push(&e->done, done);
	str_clear(&e->after);
	e->after = next;
	next = (struct str)STR_INIT;
	return true;
}

static bool edit_job_take_steps(struct edit_job *e)
{
	struct tool_result *result = &e->file.job.call->result;

	for (size_t i = 0; i < e->steps.n; i++) {
		if (tool_job_stopped(&e->file.job))
			return tool_fail(result, "cancelled");
		if (!edit_job_take_step(e, i))
			return false;
	}
	if (e->existed && sv_eq(sv_of(&e->before), sv_of(&e->after)))
		return tool_fail(result, "No changes to make: the edits undo each other.");
	return true;
}

/* Reads the file, if this call may change it. */
static bool edit_job_open_file(struct edit_job *e)
{
	struct file_job *f = &e->file;
	struct tool_result *result = &f->job.call->result;
	const struct fs_info *info;

	if (!file_look(f, &info))
		return false;
	e->existed = info != NULL;
	e->shown = LINES_ALL;
	if (!e->existed)
		return edit_job_creates(e) || file_missing(f);
	if (edit_job_creates(e))
		return info->size == 0 ||
		       tool_fail(result,
				 "old_string is empty, but %s exists and has content: give the "
				 "text to replace, or use Write.",
				 file_name(f));
	if (!file_read_known(f, &e->before))
		return false;
	if (f->seen.by_cells && !lines_are_all(&f->seen.shown))
		return tool_fail(result,
				 "%s has been read only partially, by cells: use NotebookEdit, or "
				 "read all of it first.",
				 file_name(f));
	e->shown = f->seen.shown;
	return edit_is_possible(result, file_name(f), sv_of(&e->before));
}

static bool edit_job_edit(struct edit_job *e)
{
	struct file_job *f = &e->file;

	if (!edit_job_open_file(e) || !edit_job_take_steps(e) || !file_store(f, sv_of(&e->after)))
		return false;
	f->now.shown = e->shown;
	f->now.cut = !edit_job_creates(e) && f->seen.cut;
	edit_job_type_of(f)->report(e);
	return true;
}

/* Gives the texts back at once, because for big ones that takes too long for the loop. */
bool edit_job_work(struct file_job *f)
{
	struct edit_job *e = container_of(f, struct edit_job, file);
	bool ok = edit_job_edit(e);

	str_clear(&e->before);
	str_clear(&e->after);
	return ok;
}

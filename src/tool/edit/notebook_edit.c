#include "base/limits.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"
#include "tool/edit/notebook.h"
#include "tool/edit/patch_json.h"
#include "tool/file_job.h"

enum mode { MODE_REPLACE, MODE_INSERT, MODE_DELETE };

static const char *const mode_names[] = {
	[MODE_REPLACE] = "replace", [MODE_INSERT] = "insert", [MODE_DELETE] = "delete"
};

struct notebook_job {
	struct file_job file;
	enum mode mode;
	struct sv cell_id, source;
	struct sv type; /* empty: not given */
	struct notebook nb;
	struct str old_source, id; /* of the edited cell */
	struct str before, after;
};

static struct sv notebook_edit_text_of(const struct tool_call *call, const char *key)
{
	return json_str_or(json_get(call->input, key), SV_EMPTY);
}

static enum mode notebook_edit_mode_of(const struct tool_call *call)
{
	enum mode mode = MODE_DELETE;

	while (mode > MODE_REPLACE &&
	       !sv_is(notebook_edit_text_of(call, "edit_mode"), mode_names[mode]))
		mode--;
	return mode;
}

static bool notebook_check(const struct tool_call *call, struct err *err)
{
	if (!sv_ends(notebook_edit_text_of(call, "notebook_path"), SV(".ipynb")))
		return err_set(err, ERR_INVALID,
			       "notebook_path must end with .ipynb. For other files use Edit.");
	if (notebook_edit_mode_of(call) != MODE_INSERT &&
	    !notebook_edit_text_of(call, "cell_id").len)
		return err_set(err, ERR_INVALID,
			       "cell_id is missing. Read shows each cell with its id.");
	return file_check(call, err);
}

/* --- the result --------------------------------------------------------------- */

static void notebook_edit_report_data(struct notebook_job *n)
{
	struct jw w;

	jw_init(&w, &n->file.job.call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "new_source", n->source);
	if (n->mode != MODE_INSERT)
		jw_put_str(&w, "old_source", sv_of(&n->old_source));
	jw_put_str(&w, "cell_id", sv_of(&n->id));
	jw_put_str(&w, "cell_type", n->type);
	jw_put_str(&w, "language", notebook_language(&n->nb));
	jw_put_str(&w, "edit_mode", sv_cstr(mode_names[n->mode]));
	jw_put_str(&w, "notebook_path", sv_of(&n->file.file.path));
	jw_key(&w, SV("original_file"));
	patch_json_original(&w, sv_of(&n->before));
	jw_key(&w, SV("updated_file"));
	patch_json_original(&w, sv_of(&n->after));
	if (n->file.job.call
		    ->is_preview) { /* of the cell: JSON around it says nothing to a reader */
		jw_put_str(&w, "filePath", sv_of(&n->file.file.path));
		patch_json_put(&w, sv_of(&n->old_source),
			       n->mode == MODE_DELETE ? SV_EMPTY : n->source);
	}
	jw_end(&w);
	jw_done(&w);
}

static void notebook_edit_report(struct notebook_job *n)
{
	static const char *const words[] = {
		[MODE_REPLACE] = "replaced", [MODE_INSERT] = "inserted", [MODE_DELETE] = "deleted"
	};

	str_addf(&n->file.job.call->result.text, "Cell %s of %s was %s.", str_c(&n->id),
		 file_name(&n->file), words[n->mode]);
	notebook_edit_report_data(n);
}

/* --- the work ----------------------------------------------------------------- */

/* The cell to edit, or the place of an insertion. */
static bool notebook_edit_find_cell(struct notebook_job *n, size_t *at)
{
	struct tool_result *result = &n->file.job.call->result;

	*at = 0;
	if (n->mode == MODE_INSERT && !n->cell_id.len)
		return true;
	if (!notebook_find(&n->nb, n->cell_id, at))
		return tool_fail(result, "There is no cell %.*s in %s. Read shows the ids.",
				 SV_ARG(n->cell_id), file_name(&n->file));
	*at += n->mode == MODE_INSERT;
	return true;
}

static void notebook_edit_name_cell(struct notebook_job *n, size_t at)
{
	struct json cell = json_at(n->nb.cells, at);

	if (n->mode != MODE_INSERT) {
		notebook_id(&n->id, cell, at);
		notebook_text(&n->old_source, json_get(cell, "source"));
		if (!n->type.len)
			n->type = notebook_cell_type(cell);
		return;
	}
	if (notebook_has_ids(&n->nb))
		notebook_new_id(&n->id, &n->nb, n->source);
	else
		str_addf(&n->id, "cell-%zu", at);
	if (!n->type.len)
		n->type = SV("code");
}

static bool notebook_edit_change(struct notebook_job *n, size_t at, struct err *err)
{
	struct sv id = notebook_has_ids(&n->nb) ? sv_of(&n->id) : SV_EMPTY;

	switch (n->mode) {
	case MODE_REPLACE: return notebook_replace(&n->after, at, n->type, n->source, err);
	case MODE_INSERT: return notebook_insert(&n->after, at, id, n->type, n->source, err);
	case MODE_DELETE: return notebook_remove(&n->after, at, err);
	}
	return false;
}

/* Replaces or deletes only cells that the model has seen. */
static bool is_seen(struct notebook_job *n, size_t at)
{
	const struct file_seen *seen = &n->file.seen;

	if (lines_are_all(&seen->shown) || n->mode == MODE_INSERT ||
	    (seen->by_cells && lines_have(&seen->shown, at + 1, at + 1)))
		return true;
	return tool_fail(&n->file.job.call->result,
			 "%s has been read only partially, without cell %.*s. Read that cell first "
			 "(offset=%zu).",
			 file_name(&n->file), SV_ARG(n->cell_id), at + 1);
}

static bool notebook_edit_change_file(struct notebook_job *n, size_t at)
{
	struct file_job *f = &n->file;
	struct lines_seen shown = f->seen.shown;
	struct err err;

	notebook_edit_name_cell(n, at);
	str_add(&n->after, sv_of(&n->before));
	if (!notebook_edit_change(n, at, &err))
		return tool_fail(&f->job.call->result, "%s: %s", file_name(f), err.text);
	if (!file_store(f, sv_of(&n->after)))
		return false;
	lines_change(&shown, at + 1, n->mode != MODE_INSERT, n->mode != MODE_DELETE);
	f->now.shown = shown;
	f->now.by_cells = f->seen.by_cells;
	f->now.cut = f->seen.cut;
	notebook_edit_report(n);
	return true;
}

static bool edit_notebook(struct file_job *f)
{
	struct notebook_job *n = container_of(f, struct notebook_job, file);
	const struct fs_info *info;
	struct err err;
	size_t at;

	if (!file_look(f, &info))
		return false;
	if (!info)
		return file_missing(f);
	if (!file_read_known(f, &n->before))
		return false;
	if (!notebook_open(&n->nb, sv_of(&n->before), &err))
		return tool_fail(&f->job.call->result, "%s: %s", file_name(f), err.text);
	return notebook_edit_find_cell(n, &at) && is_seen(n, at) &&
	       notebook_edit_change_file(n, at);
}

/* --- the tool ----------------------------------------------------------------- */

static void notebook_prepare(struct tool_job *job)
{
	struct notebook_job *n = container_of(job, struct notebook_job, file.job);

	file_prepare(job);
	n->mode = notebook_edit_mode_of(job->call);
	n->cell_id = notebook_edit_text_of(job->call, "cell_id");
	n->source = notebook_edit_text_of(job->call, "new_source");
	n->type = notebook_edit_text_of(job->call, "cell_type");
}

static void notebook_job_clear(struct tool_job *job)
{
	struct notebook_job *n = container_of(job, struct notebook_job, file.job);

	notebook_clear(&n->nb);
	str_clear(&n->old_source);
	str_clear(&n->id);
	str_clear(&n->before);
	str_clear(&n->after);
	file_clear(job);
}

static struct op *notebook_start(struct tool_call *call, struct then then)
{
	static const struct file_job_type type = { .job = { .size = sizeof(struct notebook_job),
							    .prepare = notebook_prepare,
							    .run = file_run,
							    .finish = file_finish,
							    .clear = notebook_job_clear },
						   .work = edit_notebook,
						   .changes = true };

	return tool_job_start(call, &type.job, then);
}

const struct tool tool_notebook_edit = {
	.name = "NotebookEdit",
	.deferred = true,
	.page = tool_notebook_edit_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{"
		"\"notebook_path\":{\"type\":\"string\",\"description\":\"Absolute path\"},"
		"\"cell_id\":{\"type\":\"string\"},"
		"\"new_source\":{\"type\":\"string\"},"
		"\"cell_type\":{\"type\":\"string\",\"enum\":[\"code\",\"markdown\"]},"
		"\"edit_mode\":{\"type\":\"string\",\"enum\":[\"replace\",\"insert\",\"delete\"]}},"
		"\"required\":[\"notebook_path\",\"new_source\"],"
		"\"additionalProperties\":false}"),
	.check = notebook_check,
	.previews = true,
	.perm_request = file_write_request,
	.foresee = file_foresee,
	.start = notebook_start,
};

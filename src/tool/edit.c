#include "text/json_write.h"
#include "tool/builtins.h"
#include "tool/edit_step.h"
#include "tool/file_job.h"
#include "tool/patch_json.h"

struct edit_job {
	struct file_job file;
	struct edit_step step; /* old_text may be empty here: then a file is made */
};

static bool edit_check(const struct tool_call *call, struct err *err)
{
	struct edit_step step = edit_step_of(call->input);

	if (sv_eq(step.old_text, step.new_text))
		return err_set(err, ERR_INVALID,
			       "No changes to make: old_string and new_string are the same.");
	return file_check(call, err);
}

/* --- the work ----------------------------------------------------------------- */

/* `before` NULL: there was no file. */
static void say_data(struct edit_job *e, const struct str *before, struct sv after)
{
	struct jw w;

	jw_init(&w, &e->file.job.call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "filePath", sv_of(&e->file.path));
	jw_put_str(&w, "oldString", e->step.old_text);
	jw_put_str(&w, "newString", e->step.new_text);
	jw_key(&w, SV("originalFile"));
	if (before)
		patch_json_original(&w, sv_of(before));
	else
		jw_null(&w);
	jw_key(&w, SV("structuredPatch"));
	patch_json(&w, before ? sv_of(before) : SV_EMPTY, after);
	jw_put_bool(&w, "userModified", false);
	jw_put_bool(&w, "replaceAll", e->step.all);
	jw_end(&w);
	jw_done(&w);
}

static void say_text(struct edit_job *e, const struct edit_done *done)
{
	struct str *text = &e->file.job.call->result.text;

	str_addf(text, "The file %s has been updated successfully.", str_c(&e->file.path));
	if (e->step.all)
		str_addf(text, " %zu occurrence%s replaced.", done->places,
			 done->places == 1 ? " was" : "s were");
	str_adds(text, edit_how_found(done->rung));
}

static bool edit_create(struct edit_job *e, const struct str *before)
{
	if (!file_store(&e->file, e->step.new_text))
		return false;
	str_addf(&e->file.job.call->result.text, "File created successfully at: %s",
		 str_c(&e->file.path));
	say_data(e, before, e->step.new_text);
	return true;
}

static bool edit_replace(struct edit_job *e, const struct str *before)
{
	struct tool_result *result = &e->file.job.call->result;
	defer(str_clear) struct str after = STR_INIT;
	struct edit_done done;

	if (!edit_step(&e->step, result, str_c(&e->file.path), sv_of(before), &after, &done) ||
	    !file_store(&e->file, sv_of(&after)))
		return false;
	e->file.now.partial = e->file.seen.partial;
	say_text(e, &done);
	say_data(e, before, sv_of(&after));
	return true;
}

static bool edit_file(struct edit_job *e)
{
	struct file_job *f = &e->file;
	defer(str_clear) struct str before = STR_INIT;
	struct fs_info info;
	bool exists;

	if (!file_look(f, str_c(&f->real), &exists, &info))
		return false;
	if (!exists)
		return e->step.old_text.len ? file_missing(f) : edit_create(e, NULL);
	if (info.size == 0 && !e->step.old_text.len)
		return edit_create(e, &before);
	if (!e->step.old_text.len)
		return tool_fail(&f->job.call->result,
				 "old_string is empty, but %s exists and is not: give the text to "
				 "replace, or use Write.",
				 str_c(&f->path));
	if (!file_read_known(f, &info, &before))
		return false;
	return edit_is_possible(&f->job.call->result, str_c(&f->path), sv_of(&before)) &&
	       edit_replace(e, &before);
}

/* --- the tool ----------------------------------------------------------------- */

static void edit_prepare(struct tool_job *job)
{
	struct edit_job *e = container_of(job, struct edit_job, file.job);

	file_prepare(job);
	e->step = edit_step_of(job->call->input);
}

/* Whatever goes wrong is for the model to read. */
static bool edit_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	edit_file(container_of(job, struct edit_job, file.job));
	return true;
}

static struct op *edit_start(struct tool_call *call, struct then then)
{
	static const struct tool_job_type type = { .size = sizeof(struct edit_job),
						   .prepare = edit_prepare,
						   .run = edit_run,
						   .finish = file_finish,
						   .clear = file_clear };

	return tool_job_start(call, &type, then);
}

const struct tool tool_edit = {
	.name = "Edit",
	.page = tool_edit_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"file_path\":{\"type\":\"string\",\"description\":\"Absolute path\"},"
			  "\"old_string\":{\"type\":\"string\"},"
			  "\"new_string\":{\"type\":\"string\"},"
			  "\"replace_all\":{\"type\":\"boolean\",\"default\":false}},"
			  "\"required\":[\"file_path\",\"old_string\",\"new_string\"],"
			  "\"additionalProperties\":false}"),
	.check = edit_check,
	.wish = file_wish_write,
	.start = edit_start,
};

#include "tool/builtins.h"
#include "tool/edit/edit_job.h"

static struct json edit_edits_of(struct json input)
{
	return input;
}

static bool edit_check(const struct tool_call *call, struct err *err)
{
	struct edit_step step = edit_step_of(call->input);

	if (sv_eq(step.old_text, step.new_text))
		return err_set(err, ERR_INVALID,
			       "No changes to make: old_string and new_string are the same.");
	return file_check(call, err);
}

/* --- the result --------------------------------------------------------------- */

static void edit_report_text(struct edit_job *e)
{
	struct str *text = &e->file.job.call->result.text;
	const struct edit_done *done = &e->done.at[0];

	if (done->rung == EDIT_NOWHERE) {
		str_addf(text, "File created successfully at: %s", file_name(&e->file));
		return;
	}
	str_addf(text, "The file %s has been updated successfully.", file_name(&e->file));
	if (e->steps.at[0].all)
		str_addf(text, " %zu occurrence%s replaced.", done->places,
			 done->places == 1 ? " was" : "s were");
	str_adds(text, edit_how_found(done->rung));
}

static void edit_report(struct edit_job *e)
{
	const struct edit_step *step = &e->steps.at[0];
	struct jw w;

	edit_report_text(e);
	jw_init(&w, &e->file.job.call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "filePath", sv_of(&e->file.file.path));
	jw_put_str(&w, "oldString", step->old_text);
	jw_put_str(&w, "newString", step->new_text);
	edit_job_put_change(&w, e);
	jw_put_bool(&w, "userModified", false);
	jw_put_bool(&w, "replaceAll", step->all);
	jw_end(&w);
	jw_done(&w);
}

static struct op *edit_start(struct tool_call *call, struct then then)
{
	static const struct edit_job_type type = { .file = EDIT_FILE,
						   .edits = edit_edits_of,
						   .report = edit_report };

	return tool_job_start(call, &type.file.job, then);
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
	.perm_request = file_write_request,
	.foresee = file_foresee,
	.start = edit_start,
};

#include "tool/builtins.h"
#include "tool/edit/edit_job.h"

static struct json multi_edit_edits_of(struct json input)
{
	return json_get(input, "edits");
}

static bool multi_check(const struct tool_call *call, struct err *err)
{
	struct json_iter it = json_each(multi_edit_edits_of(call->input));
	struct json edit;

	for (size_t i = 1; json_next(&it, NULL, &edit); i++) {
		struct edit_step step = edit_step_of(edit);

		if (sv_eq(step.old_text, step.new_text))
			return err_set(err, ERR_INVALID,
				       "edit %zu: old_string and new_string are the same", i);
		if (!step.old_text.len && i > 1)
			return err_set(err, ERR_INVALID,
				       "edit %zu: old_string is empty; only the first edit may "
				       "have an empty one, to create a file",
				       i);
	}
	return file_check(call, err);
}

/* --- the result --------------------------------------------------------------- */

static void multi_edit_report_text(struct edit_job *e)
{
	struct str *text = &e->file.job.call->result.text;
	size_t n = e->steps.n;

	str_addf(text,
		 e->existed ? "The file %s has been updated successfully. "
			    : "File created successfully at: %s. ",
		 file_name(&e->file));
	str_addf(text, "%zu edit%s made.", n, n == 1 ? " was" : "s were");
	for (size_t i = 0; i < n; i++) {
		const char *how = edit_how_found(e->done.at[i].rung);

		if (*how)
			str_addf(text, "\nEdit %zu:%s", i + 1, how);
	}
}

static void multi_edit_put_edits(struct jw *w, const struct edit_job *e)
{
	jw_put_array(w, "edits");
	for (size_t i = 0; i < e->steps.n; i++) {
		const struct edit_step *step = &e->steps.at[i];

		jw_object(w);
		jw_put_str(w, "old_string", step->old_text);
		jw_put_str(w, "new_string", step->new_text);
		jw_put_bool(w, "replace_all", step->all);
		jw_end(w);
	}
	jw_end(w);
}

static void multi_edit_report(struct edit_job *e)
{
	struct jw w;

	multi_edit_report_text(e);
	jw_init(&w, &e->file.job.call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "filePath", sv_of(&e->file.file.path));
	multi_edit_put_edits(&w, e);
	edit_job_put_change(&w, e);
	jw_put_bool(&w, "userModified", false);
	jw_end(&w);
	jw_done(&w);
}

static struct op *multi_start(struct tool_call *call, struct then then)
{
	static const struct edit_job_type type = { .file = EDIT_FILE,
						   .edits = multi_edit_edits_of,
						   .report = multi_edit_report };

	return tool_job_start(call, &type.file.job, then);
}

/* Several calls of Edit in one turn do the same, so it is offered only by name. */
const struct tool tool_multi_edit = {
	.name = "MultiEdit",
	.page = tool_multi_edit_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"file_path\":{\"type\":\"string\",\"description\":\"Absolute path\"},"
			  "\"edits\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":1000,"
			  "\"items\":{\"type\":\"object\",\"properties\":{"
			  "\"old_string\":{\"type\":\"string\"},"
			  "\"new_string\":{\"type\":\"string\"},"
			  "\"replace_all\":{\"type\":\"boolean\",\"default\":false}},"
			  "\"required\":[\"old_string\",\"new_string\"],"
			  "\"additionalProperties\":false}}},"
			  "\"required\":[\"file_path\",\"edits\"],"
			  "\"additionalProperties\":false}"),
	.hidden = true,
	.check = multi_check,
	.previews = true,
	.perm_request = file_write_request,
	.foresee = file_foresee,
	.start = multi_start,
};

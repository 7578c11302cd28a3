#include "base/limits.h"
#include "base/mem.h"
#include "text/json_write.h"
#include "tool/builtins.h"
#include "tool/edit_step.h"
#include "tool/file_job.h"
#include "tool/patch_json.h"

static struct json edits_of(const struct tool_call *call)
{
	return json_get(call->input, "edits");
}

static bool multi_check(const struct tool_call *call, struct err *err)
{
	struct json_iter it = json_each(edits_of(call));
	struct json edit;

	for (size_t i = 1; json_next(&it, NULL, &edit); i++) {
		struct edit_step step = edit_step_of(edit);

		if (sv_eq(step.old_text, step.new_text))
			return err_set(err, ERR_INVALID,
				       "edit %zu: old_string and new_string are the same", i);
		if (!step.old_text.len && i > 1)
			return err_set(err, ERR_INVALID,
				       "edit %zu: old_string is empty; only the first edit may be "
				       "so, to create a file",
				       i);
	}
	return file_check(call, err);
}

/* --- the answer --------------------------------------------------------------- */

static void put_edits(struct jw *w, struct json edits)
{
	struct json_iter it = json_each(edits);
	struct json edit;

	jw_put_array(w, "edits");
	while (json_next(&it, NULL, &edit)) {
		struct edit_step step = edit_step_of(edit);

		jw_object(w);
		jw_put_str(w, "old_string", step.old_text);
		jw_put_str(w, "new_string", step.new_text);
		jw_put_bool(w, "replace_all", step.all);
		jw_end(w);
	}
	jw_end(w);
}

/* `before` NULL: there was no file. */
static void say_data(struct file_job *f, const struct str *before, struct sv after)
{
	struct jw w;

	jw_init(&w, &f->job.call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "filePath", sv_of(&f->path));
	put_edits(&w, edits_of(f->job.call));
	jw_key(&w, SV("originalFile"));
	if (before)
		patch_json_original(&w, sv_of(before));
	else
		jw_null(&w);
	jw_key(&w, SV("structuredPatch"));
	patch_json(&w, before ? sv_of(before) : SV_EMPTY, after);
	jw_put_bool(&w, "userModified", false);
	jw_end(&w);
	jw_done(&w);
}

/* Puts the number of the edit that failed before what is said of it. */
static bool blame(struct tool_result *result, size_t number, size_t n)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "Edit %zu of %zu failed, so nothing was written. ", number, n);
	str_splice(&result->text, 0, 0, sv_of(&text));
	return false;
}

/* --- the work ----------------------------------------------------------------- */

/* Turns `text` into what all edits from `it` on make of it, adding notes about them to
 * the result. `number` is that of the first. */
static bool apply_all(struct file_job *f, struct json_iter *it, size_t number, struct str *text)
{
	struct tool_result *result = &f->job.call->result;
	size_t n = json_len(edits_of(f->job.call));
	defer(str_clear) struct str notes = STR_INIT;
	struct json edit;

	for (; json_next(it, NULL, &edit); number++) {
		struct edit_step step = edit_step_of(edit);
		defer(str_clear) struct str after = STR_INIT;
		struct edit_done done;

		if (tool_job_stopped(&f->job))
			return tool_fail(result, "cancelled");
		if (!edit_step(&step, result, str_c(&f->path), sv_of(text), &after, &done))
			return blame(result, number, n);
		str_clear(text);
		*text = after;
		after = (struct str)STR_INIT;
		if (*edit_how_found(done.rung))
			str_addf(&notes, "\nEdit %zu:%s", number, edit_how_found(done.rung));
	}
	str_addf(&result->text, "%zu edit%s made.", n, n == 1 ? " was" : "s were");
	str_add(&result->text, sv_of(&notes));
	return true;
}

/* `before` NULL: there was no file. `creates`: the first edit is all there is then. */
static bool change(struct file_job *f, const struct str *before, bool creates)
{
	struct json_iter it = json_each(edits_of(f->job.call));
	struct tool_result *result = &f->job.call->result;
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str head = STR_INIT;
	struct json first = { .val = NULL };

	if (creates && json_next(&it, NULL, &first))
		str_add(&text, edit_step_of(first).new_text);
	else if (before)
		str_add(&text, sv_of(before));
	if (!apply_all(f, &it, creates ? 2 : 1, &text))
		return false;
	if (before && sv_eq(sv_of(before), sv_of(&text)))
		return tool_fail(result, "No changes to make: the edits undo each other.");
	if (!file_store(f, sv_of(&text)))
		return false;
	f->now.partial = !creates && f->seen.partial;
	str_addf(&head,
		 before ? "The file %s has been updated successfully. "
			: "File created successfully at: %s. ",
		 str_c(&f->path));
	str_splice(&result->text, 0, 0, sv_of(&head));
	say_data(f, before, sv_of(&text));
	return true;
}

static bool multi_file(struct file_job *f)
{
	struct tool_result *result = &f->job.call->result;
	bool creates = !edit_step_of(json_at(edits_of(f->job.call), 0)).old_text.len;
	defer(str_clear) struct str before = STR_INIT;
	struct fs_info info;
	bool exists;

	if (!file_look(f, str_c(&f->real), &exists, &info))
		return false;
	if (!exists)
		return creates ? change(f, NULL, true) : file_missing(f);
	if (creates && info.size > 0)
		return tool_fail(result,
				 "The first old_string is empty, but %s exists and is not: give "
				 "the text to replace, or use Write.",
				 str_c(&f->path));
	if (!creates && !file_read_known(f, &info, &before))
		return false;
	return edit_is_possible(result, str_c(&f->path), sv_of(&before)) &&
	       change(f, &before, creates);
}

/* --- the tool ----------------------------------------------------------------- */

/* Whatever goes wrong is for the model to read. */
static bool multi_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	multi_file(container_of(job, struct file_job, job));
	return true;
}

static struct op *multi_start(struct tool_call *call, struct then then)
{
	static const struct tool_job_type type = { .size = sizeof(struct file_job),
						   .prepare = file_prepare,
						   .run = multi_run,
						   .finish = file_finish,
						   .clear = file_clear };

	return tool_job_start(call, &type, then);
}

/* Several calls of Edit in one turn do the same, so only those who name it get it. */
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
	.wish = file_wish_write,
	.start = multi_start,
};

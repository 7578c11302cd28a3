#include "base/utf8.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"
#include "tool/edit/edit_step.h"
#include "tool/edit/patch_json.h"
#include "tool/file_job.h"

/* --- bytes that Read cannot show ------------------------------------------------------ */

static bool write_has(struct sv text, struct sv part)
{
	return sv_find(text, part) != SIZE_MAX;
}

/* Read shows U+FFFD for these. */
static bool has_unshown(struct sv bytes)
{
	return !utf8_valid(bytes, NULL) || write_has(bytes, sv_from("", 1));
}

static bool write_keeps_unshown(struct file_job *f, struct sv before, struct sv content)
{
	struct tool_result *result = &f->job.call->result;

	if (!edit_is_possible(result, file_name(f), before))
		return false;
	return !write_has(content, UTF8_REPLACEMENT) || !has_unshown(before) ||
	       tool_fail(result,
			 "%s has bytes that are not UTF-8. Read shows them as U+FFFD, so writing "
			 "the file would lose them. Change other parts of it with Edit, or use a "
			 "script in Bash.",
			 file_name(f));
}

static void write_report_unseen(struct str *text, struct sv before, struct sv content)
{
	struct sv bom = SV("\xef\xbb\xbf");

	if (sv_starts(before, bom) && !sv_starts(content, bom))
		str_adds(text, " Its byte order mark was removed.");
	if (write_has(before, SV("\r\n")) && write_has(content, SV("\n")) &&
	    !write_has(content, SV("\r\n")))
		str_adds(text, " Its line endings changed from CRLF to LF.");
	if (!utf8_valid(before, NULL))
		str_adds(text, " Its encoding changed to UTF-8.");
}

/* --- the result --------------------------------------------------------------- */

/* `before` NULL: there was no file. */
static void write_report(struct file_job *f, struct sv content, const struct str *before)
{
	struct tool_result *result = &f->job.call->result;
	struct jw w;

	str_addf(&result->text,
		 before ? "The file %s has been updated successfully."
			: "File created successfully at: %s",
		 file_name(f));
	if (before)
		write_report_unseen(&result->text, sv_of(before), content);
	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", before ? SV("update") : SV("create"));
	jw_put_str(&w, "filePath", sv_of(&f->file.path));
	jw_put_str(&w, "content", content);
	if (before)
		patch_json_put(&w, sv_of(before), content);
	else
		jw_put_raw(&w, "structuredPatch", SV("[]"));
	jw_key(&w, SV("originalFile"));
	if (before)
		patch_json_original(&w, sv_of(before));
	else
		jw_null(&w);
	jw_end(&w);
	jw_done(&w);
}

static bool write_file(struct file_job *f)
{
	struct sv content = json_str_or(json_get(f->job.call->input, "content"), SV_EMPTY);
	defer(str_clear) struct str before = STR_INIT;
	const struct fs_info *info;
	bool exists;

	if (!file_look(f, &info))
		return false;
	exists = info != NULL;
	if (exists && (!file_read_known(f, &before) || !file_is_all_known(f) ||
		       !write_keeps_unshown(f, sv_of(&before), content)))
		return false;
	if (!file_store(f, content))
		return false;
	write_report(f, content, exists ? &before : NULL);
	return true;
}

static struct op *write_start(struct tool_call *call, struct then then)
{
	static const struct file_job_type type = { .job = FILE_JOB(struct file_job),
						   .work = write_file,
						   .changes = true };

	return tool_job_start(call, &type.job, then);
}

const struct tool tool_write = {
	.name = "Write",
	.page = tool_write_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"file_path\":{\"type\":\"string\",\"description\":\"Absolute path\"},"
			  "\"content\":{\"type\":\"string\"}},"
			  "\"required\":[\"file_path\",\"content\"],"
			  "\"additionalProperties\":false}"),
	.check = file_check,
	.perm_request = file_write_request,
	.foresee = file_foresee,
	.start = write_start,
};

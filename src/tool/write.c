#include "text/json_write.h"
#include "tool/builtins.h"
#include "tool/file_job.h"
#include "tool/patch_json.h"

/* `before` NULL: there was no file. */
static void say(struct file_job *f, struct sv content, const struct str *before)
{
	struct tool_result *result = &f->job.call->result;
	struct jw w;

	str_addf(&result->text,
		 before ? "The file %s has been updated successfully."
			: "File created successfully at: %s",
		 str_c(&f->path));
	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", before ? SV("update") : SV("create"));
	jw_put_str(&w, "filePath", sv_of(&f->path));
	jw_put_str(&w, "content", content);
	jw_key(&w, SV("structuredPatch"));
	if (before)
		patch_json(&w, sv_of(before), content);
	else
		jw_raw(&w, SV("[]"));
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
	struct fs_info info;
	bool exists;

	if (!file_look(f, str_c(&f->real), &exists, &info) ||
	    (exists && !file_read_known(f, &info, &before)) || !file_store(f, content))
		return false;
	say(f, content, exists ? &before : NULL);
	return true;
}

/* Whatever goes wrong is for the model to read. */
static bool write_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	write_file(container_of(job, struct file_job, job));
	return true;
}

static struct op *write_start(struct tool_call *call, struct then then)
{
	static const struct tool_job_type type = { .size = sizeof(struct file_job),
						   .prepare = file_prepare,
						   .run = write_run,
						   .finish = file_finish,
						   .clear = file_clear };

	return tool_job_start(call, &type, then);
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
	.wish = file_wish_write,
	.start = write_start,
};

#include "base/limits.h"
#include "base/utf8.h"
#include "text/json_write.h"
#include "tool/builtins.h"
#include "tool/edit_match.h"
#include "tool/edit_near.h"
#include "tool/file_job.h"
#include "tool/patch_json.h"

enum { LINES_NAMED = 8 }; /* of the places of an ambiguous text */

struct edit_job {
	struct file_job file;
	struct sv old_text, new_text;
	bool all;
};

static bool edit_check(const struct tool_call *call, struct err *err)
{
	struct sv old_text = json_str_or(json_get(call->input, "old_string"), SV_EMPTY);
	struct sv new_text = json_str_or(json_get(call->input, "new_string"), SV_EMPTY);

	if (sv_eq(old_text, new_text))
		return err_set(err, ERR_INVALID,
			       "No changes to make: old_string and new_string are the same.");
	return file_check(call, err);
}

/* --- refusals ----------------------------------------------------------------- */

static bool refuse_ambiguous(struct edit_job *e, struct sv text, const struct edit_match *m)
{
	defer(str_clear) struct str lines = STR_INIT;
	size_t n = m->places.n;

	for (size_t i = 0; i < min_of(n, (size_t)LINES_NAMED); i++)
		str_addf(&lines, "%s%zu", i ? ", " : "", edit_line_of(text, m->places.at[i].from));
	return tool_fail(&e->file.job.call->result,
			 "Found %zu matches of old_string, at lines %s%s, but replace_all is not "
			 "set. Add lines around the one you mean until it is unique, or set "
			 "replace_all to change every one.",
			 n, lines.ptr, n > LINES_NAMED ? ", ..." : "");
}

static bool refuse_missing(struct edit_job *e, struct sv text)
{
	struct tool_result *result = &e->file.job.call->result;
	size_t first, last;

	tool_fail(result, "String to replace not found in %s.", str_c(&e->file.path));
	if (sv_find(e->old_text, UTF8_REPLACEMENT) != SIZE_MAX)
		str_adds(&result->text,
			 " It contains U+FFFD, which stands for bytes of the file that are not "
			 "UTF-8: choose a text without them.");
	if (!edit_near(text, e->old_text, &first, &last)) {
		str_adds(&result->text, " Read it again, and copy the text from there.");
		return false;
	}
	str_addf(&result->text,
		 " The nearest is at line %zu; compare it with old_string, blanks and quotes too:",
		 first);
	edit_near_excerpt(&result->text, text, first, last);
	return false;
}

/* --- the work ----------------------------------------------------------------- */

/* `before` NULL: there was no file. */
static void say_data(struct edit_job *e, const struct str *before, struct sv after)
{
	struct jw w;

	jw_init(&w, &e->file.job.call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "filePath", sv_of(&e->file.path));
	jw_put_str(&w, "oldString", e->old_text);
	jw_put_str(&w, "newString", e->new_text);
	jw_key(&w, SV("originalFile"));
	if (before)
		patch_json_original(&w, sv_of(before));
	else
		jw_null(&w);
	jw_key(&w, SV("structuredPatch"));
	patch_json(&w, before ? sv_of(before) : SV_EMPTY, after);
	jw_put_bool(&w, "userModified", false);
	jw_put_bool(&w, "replaceAll", e->all);
	jw_end(&w);
	jw_done(&w);
}

static const char *how_found(enum edit_rung rung)
{
	switch (rung) {
	case EDIT_NOWHERE:
	case EDIT_EXACT:
	case EDIT_LINE_ENDS: break;
	case EDIT_TRAILING: return " Blanks at the ends of lines differed from old_string.";
	case EDIT_INDENT:
		return " The indentation differed from old_string; new_string was shifted to fit.";
	}
	return "";
}

static void say_text(struct edit_job *e, const struct edit_match *m)
{
	struct str *text = &e->file.job.call->result.text;

	str_addf(text, "The file %s has been updated successfully.", str_c(&e->file.path));
	if (e->all)
		str_addf(text, " %zu occurrence%s replaced.", m->places.n,
			 m->places.n == 1 ? " was" : "s were");
	str_adds(text, how_found(m->rung));
}

static bool edit_create(struct edit_job *e, const struct str *before)
{
	if (!file_store(&e->file, e->new_text))
		return false;
	str_addf(&e->file.job.call->result.text, "File created successfully at: %s",
		 str_c(&e->file.path));
	say_data(e, before, e->new_text);
	return true;
}

static bool edit_replace(struct edit_job *e, const struct str *before)
{
	struct tool_result *result = &e->file.job.call->result;
	struct sv text = sv_of(before);
	defer(edit_match_clear) struct edit_match m = EDIT_MATCH_INIT;
	defer(str_clear) struct str after = STR_INIT;

	edit_find(&m, text, e->old_text, e->new_text);
	if (m.places.n == 0)
		return refuse_missing(e, text);
	if (m.places.n > 1 && !e->all)
		return refuse_ambiguous(e, text, &m);
	if (m.places.n == LIMIT_EDIT_PLACES ||
	    !edit_apply(&after, text, &m, e->old_text, e->new_text, LIMIT_EDIT_FILE))
		return tool_fail(result, "%s would be changed in too many places, or grow too big.",
				 str_c(&e->file.path));
	if (sv_eq(text, sv_of(&after)))
		return tool_fail(result,
				 "No changes to make: %s already reads like new_string there.",
				 str_c(&e->file.path));
	if (!file_store(&e->file, sv_of(&after)))
		return false;
	e->file.now.partial = e->file.seen.partial;
	say_text(e, &m);
	say_data(e, before, sv_of(&after));
	return true;
}

static bool is_utf16(const struct str *bytes)
{
	return sv_starts(sv_of(bytes), SV("\xff\xfe")) || sv_starts(sv_of(bytes), SV("\xfe\xff"));
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
		return e->old_text.len ? file_missing(f) : edit_create(e, NULL);
	if (info.size == 0 && !e->old_text.len)
		return edit_create(e, &before);
	if (!e->old_text.len)
		return tool_fail(&f->job.call->result,
				 "old_string is empty, but %s exists and is not: give the text to "
				 "replace, or use Write.",
				 str_c(&f->path));
	if (!file_read_known(f, &info, &before))
		return false;
	if (is_utf16(&before))
		return tool_fail(&f->job.call->result,
				 "%s is UTF-16, which Edit cannot change. Convert it to UTF-8, or "
				 "use Bash with a script.",
				 str_c(&f->path));
	return edit_replace(e, &before);
}

/* --- the tool ----------------------------------------------------------------- */

static void edit_prepare(struct tool_job *job)
{
	struct edit_job *e = container_of(job, struct edit_job, file.job);
	struct json input = job->call->input;

	file_prepare(job);
	e->old_text = json_str_or(json_get(input, "old_string"), SV_EMPTY);
	e->new_text = json_str_or(json_get(input, "new_string"), SV_EMPTY);
	e->all = json_bool_or(json_get(input, "replace_all"), false);
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

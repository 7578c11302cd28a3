/* What would change in files, as diffs: of Edit and Write worked out here, of all else by the engine. */
#include "base/limits.h"
#include "base/mem.h"
#include "front/display.h"
#include "front/question/question_internal.h"
#include "sys/fs.h"
#include "text/diff/diff.h"

enum { CONTEXT = 3 };

static const char change_tools[][13] = { "Edit", "Write", "MultiEdit", "NotebookEdit",
					 "apply_patch" };

bool question_is_about_change(const struct permission_question *q)
{
	return sv_is_among(q->tool, change_tools);
}

struct sv question_changed_file(const struct permission_question *q)
{
	struct sv first = question_text_of(json_at(q->changes_value, 0), "filePath");

	return first.len ? first : question_is_about_change(q) ? q->path : SV_EMPTY;
}

bool question_read_before(struct str *out, const struct permission_question *q)
{
	defer(mem_freep) char *path = sv_dup(q->path);
	struct fs_info info;
	struct err ignored = ERR_INIT;

	return (sv_is(q->tool, "Edit") || sv_is(q->tool, "Write")) &&
	       fs_info(&info, path, true, &ignored) && info.kind == FS_FILE &&
	       fs_read(out, path, LIMIT_DIFF_INPUT, &ignored);
}

/* --- the lines of a diff ------------------------------------------------------------------ */

static void question_change_add_line(struct str *text, char kind, struct sv line, bool no_newline,
				     size_t *old_line, size_t *new_line)
{
	str_addf(text, "%6zu %c %.*s%s\n", kind == '-' ? *old_line : *new_line, kind, SV_ARG(line),
		 no_newline ? " (no line end)" : "");
	*old_line += kind != '+';
	*new_line += kind != '-';
}

/* Add the lines of a diff, with their numbers in the old or the new text. */
static void question_change_add_hunks(struct question_text *s, const struct diff *diff)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t h = 0; h < diff->hunks.n; h++) {
		const struct diff_hunk *hunk = &diff->hunks.at[h];
		size_t old_line = hunk->old_start, new_line = hunk->new_start;

		str_adds(&text, h ? "   ...\n" : "");
		for (size_t i = hunk->first; i < hunk->first + hunk->n; i++) {
			const struct diff_line *line = &diff->lines.at[i];

			question_change_add_line(&text, line->kind, line->text, line->no_newline,
						 &old_line, &new_line);
		}
	}
	question_add_lines(s, "", sv_of(&text));
}

/* The same for hunks that the engine has written. A line with a backslash says that the one before has no end. */
static void question_change_add_patch(struct str *text, struct json hunks)
{
	struct json_iter it = json_each(hunks), lines;
	struct json hunk, item;

	for (size_t h = 0; json_next(&it, NULL, &hunk); h++) {
		size_t before =
			(size_t)max_of(json_int_or(json_get(hunk, "oldStart"), 1), (int64_t)0);
		size_t after =
			(size_t)max_of(json_int_or(json_get(hunk, "newStart"), 1), (int64_t)0);

		str_adds(text, h ? "   ...\n" : "");
		for (lines = json_each(json_get(hunk, "lines")); json_next(&lines, NULL, &item);) {
			struct sv line = json_str_or(item, SV_EMPTY);

			if (sv_starts(line, SV("\\")))
				str_splice(text, text->len - 1, text->len - 1,
					   SV(" (no line end)"));
			else
				question_change_add_line(text, line.len ? line.ptr[0] : ' ',
							 sv_skip(line, 1), false, &before, &after);
		}
	}
}

static void question_change_add_file(struct str *text, struct json file, struct sv cwd)
{
	struct sv type = question_text_of(file, "type");

	str_adds(text, sv_is(type, "create")   ? "  Add "
		       : sv_is(type, "delete") ? "  Delete "
					       : "  Update ");
	display_name(text, display_path(question_text_of(file, "filePath"), cwd));
	str_addc(text, '\n');
}

void question_add_changes(struct question_text *s, struct json files)
{
	struct json_iter it = json_each(files);
	defer(str_clear) struct str text = STR_INIT;
	struct json file;

	while (json_next(&it, NULL, &file)) {
		question_change_add_file(&text, file, s->view->cwd);
		question_change_add_patch(&text, json_get(file, "structuredPatch"));
	}
	question_add_lines(s, "", sv_of(&text));
}

/* The same without a name, which the question has said. False when there is nothing to show. */
static bool question_change_add_only(struct question_text *s, struct json files)
{
	defer(str_clear) struct str text = STR_INIT;

	question_change_add_patch(&text, json_get(json_at(files, 0), "structuredPatch"));
	question_add_lines(s, "", sv_of(&text));
	return text.len > 0;
}

/* Add what changes in the file. False when there is no such diff. */
static bool question_change_add_diff(struct question_text *s, struct sv after)
{
	struct diff diff = DIFF_INIT;
	struct err ignored = ERR_INIT;

	if (!s->view->has_before || !diff_texts(&diff, s->view->before, after, CONTEXT, &ignored))
		return false;
	question_change_add_hunks(s, &diff);
	diff_clear(&diff);
	return true;
}

/* --- tools ------------------------------------------------------------------------------ */

static void question_change_add_path(struct question_text *s, const char *verb, struct sv path)
{
	question_add_verb(s->out, verb, display_path(path, s->view->cwd));
}

static void question_change_write(struct question_text *s, struct json input)
{
	struct sv content = question_text_of(input, "content");

	question_change_add_path(s, s->view->has_before ? "Overwrite" : "Write",
				 question_text_of(input, "file_path"));
	if (!question_change_add_diff(s, content))
		question_add_lines(s, "  + ", content);
}

/* Append the file as it would be. False when it does not contain the old text. */
static bool question_change_replace(struct str *out, struct sv text, struct sv old_text,
				    struct sv new_text, bool everywhere)
{
	size_t at = old_text.len ? sv_find(text, old_text) : SIZE_MAX;

	if (at == SIZE_MAX)
		return false;
	while (at != SIZE_MAX) {
		str_add(out, sv_slice(text, 0, at));
		str_add(out, new_text);
		text = sv_skip(text, at + old_text.len);
		at = everywhere ? sv_find(text, old_text) : SIZE_MAX;
	}
	str_add(out, text);
	return true;
}

static void question_change_add_step(struct question_text *s, struct json edit)
{
	question_add_lines(s, "  - ", question_text_of(edit, "old_string"));
	question_add_lines(s, "  + ", question_text_of(edit, "new_string"));
}

static void question_change_edit(struct question_text *s, struct json input)
{
	bool everywhere = json_bool_or(json_get(input, "replace_all"), false);
	struct sv old_text = question_text_of(input, "old_string");
	struct sv new_text = question_text_of(input, "new_string");
	defer(str_clear) struct str after = STR_INIT;

	question_change_add_path(s, everywhere ? "Edit every match in" : "Edit",
				 question_text_of(input, "file_path"));
	if (!s->view->has_before ||
	    !question_change_replace(&after, s->view->before, old_text, new_text, everywhere) ||
	    !question_change_add_diff(s, sv_of(&after)))
		question_change_add_step(s, input);
}

static void question_change_edits(struct question_text *s, const struct permission_question *q)
{
	struct json_iter it = json_each(json_get(q->input_value, "edits"));
	struct json edit;

	question_change_add_path(s, "Edit", question_text_of(q->input_value, "file_path"));
	if (question_change_add_only(s, q->changes_value))
		return;
	while (json_next(&it, NULL, &edit))
		question_change_add_step(s, edit);
}

static void question_change_cell(struct question_text *s, const struct permission_question *q)
{
	struct json input = q->input_value;
	struct sv mode = question_text_of(input, "edit_mode"),
		  id = question_text_of(input, "cell_id");
	bool inserts = sv_is(mode, "insert"), deletes = sv_is(mode, "delete");
	defer(str_clear) struct str verb = STR_INIT;

	str_adds(&verb, inserts ? "Insert a cell" : deletes ? "Delete cell " : "Edit cell ");
	if (id.len) {
		str_adds(&verb, inserts ? " after " : "");
		display_name(&verb, id);
	}
	str_adds(&verb, inserts ? " in" : " of");
	question_change_add_path(s, str_c(&verb), question_text_of(input, "notebook_path"));
	if (!question_change_add_only(s, q->changes_value) && !deletes)
		question_add_lines(s, "  + ", question_text_of(input, "new_source"));
}

static void question_change_patch(struct question_text *s, const struct permission_question *q)
{
	str_adds(s->out, "Apply this patch?\n");
	if (json_len(q->changes_value))
		question_add_changes(s, q->changes_value);
	else
		question_add_lines(s, "  ", question_text_of(q->input_value, "input"));
}

void question_add_change(struct question_text *s, const struct permission_question *q)
{
	if (sv_is(q->tool, "Write"))
		question_change_write(s, q->input_value);
	else if (sv_is(q->tool, "Edit"))
		question_change_edit(s, q->input_value);
	else if (sv_is(q->tool, "MultiEdit"))
		question_change_edits(s, q);
	else if (sv_is(q->tool, "NotebookEdit"))
		question_change_cell(s, q);
	else
		question_change_patch(s, q);
}

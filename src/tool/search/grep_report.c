#include "tool/search/grep_report.h"

#include "base/limits.h"
#include "text/json/json_write.h"

static const char *grep_report_plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void grep_report_add_files(const struct grep_output *o, const struct grep_notes *notes,
				  struct str *text)
{
	if (!o->kept) {
		str_adds(text, "No files found\n");
		return;
	}
	/* Repeated here because models read only the beginning of a long result. */
	str_addf(text, "Found %zu file%s%s\n", o->kept, grep_report_plural(o->kept),
		 o->more || notes->overflowed ? " (there are more)" : "");
	str_add(text, sv_of(&o->text));
}

static void grep_report_add_lines(const struct grep_output *o, struct str *text)
{
	int64_t sum = o->query->mode == GREP_COUNT ? grep_output_sum(o) : 0;

	if (!o->kept)
		str_adds(text, "No matches found\n");
	str_add(text, sv_of(&o->text));
	if (o->query->mode == GREP_COUNT && o->kept)
		str_addf(text, "\n%lld match%s in %zu file%s\n", (long long)sum,
			 sum == 1 ? "" : "es", o->kept, grep_report_plural(o->kept));
}

static void grep_report_add_notes(const struct grep_output *o, const struct grep_notes *notes,
				  struct str *text)
{
	if (o->full)
		str_addf(text, "[Stopped after %zu KiB of results: narrow the search.]\n",
			 LIMIT_GREP_TEXT / KIB);
	else if (o->more)
		str_addf(text, "[There are more: continue with offset %zu.]\n",
			 o->query->offset + o->kept);
	if (notes->overflowed)
		str_addf(text,
			 "[Stopped after %zu MiB of paths, so there may be newer ones: narrow the "
			 "search.]\n",
			 LIMIT_GREP_UNSORTED / MIB);
	if (notes->stopped.len)
		str_addf(text, "[%.*s]\n", SV_ARG(notes->stopped));
	if (notes->unreadable)
		str_adds(text, "[Some files or directories could not be read.]\n");
	if (notes->too_big)
		str_addf(text, "[Skipped %zu file%s over %zu MiB.]\n", notes->too_big,
			 grep_report_plural(notes->too_big), LIMIT_GREP_FILE / MIB);
	if (notes->too_hard)
		str_addf(text, "[The pattern is too costly for %zu file%s: simplify it.]\n",
			 notes->too_hard, grep_report_plural(notes->too_hard));
	if (notes->is_builtin)
		str_adds(text, "[ripgrep (rg) is not installed, so awl used a slower built-in "
			       "search; install the package \"ripgrep\" for speed.]\n");
}

static void grep_report_put_results(struct jw *w, const struct grep_output *o)
{
	struct sv rest = sv_of(&o->text), line;
	enum grep_mode mode = o->query->mode;

	jw_put_uint(w, "numFiles", mode == GREP_CONTENT ? 0 : o->kept);
	jw_put_array(w, "filenames");
	while (mode == GREP_FILES && sv_cut_line(&rest, &line))
		jw_str(w, line);
	jw_end(w);
	if (mode != GREP_FILES)
		jw_put_str(w, "content", sv_slice(rest, 0, rest.len - (rest.len > 0)));
	if (mode == GREP_CONTENT)
		jw_put_uint(w, "numLines", o->kept);
	if (mode == GREP_COUNT)
		jw_put_int(w, "numMatches", grep_output_sum(o));
}

static void grep_report_add_data(const struct grep_output *o, const struct grep_notes *notes,
				 struct str *data)
{
	static const char *const names[] = { [GREP_FILES] = "files_with_matches",
					     [GREP_CONTENT] = "content",
					     [GREP_COUNT] = "count" };
	struct jw w;

	jw_init(&w, data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "mode", sv_cstr(names[o->query->mode]));
	grep_report_put_results(&w, o);
	if (o->more && o->query->limit)
		jw_put_uint(&w, "appliedLimit", o->query->limit);
	if (o->query->offset)
		jw_put_uint(&w, "appliedOffset", o->query->offset);
	if (notes->timed_out)
		jw_put_bool(&w, "timedOut", true);
	jw_end(&w);
	jw_done(&w);
}

void grep_report(struct tool_result *result, const struct grep_output *out,
		 const struct grep_notes *notes)
{
	if (out->query->mode == GREP_FILES)
		grep_report_add_files(out, notes, &result->text);
	else
		grep_report_add_lines(out, &result->text);
	grep_report_add_notes(out, notes, &result->text);
	str_truncate(&result->text, result->text.len - 1);
	grep_report_add_data(out, notes, &result->data);
}

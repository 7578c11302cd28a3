#include "tool/search/grep_builtin.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "tool/search/grep_report.h"
#include "tool/search/grep_scan.h"
#include "tool/search/grep_types.h"
#include "tool/search/walk.h"

enum {
	DEADLINE_MS = 60000,
	HEAD = 64 * 1024, /* bytes of a file in which a NUL makes it binary */
};

struct builtin {
	struct tool_job job;
	struct grep_query query;
	struct regex *regex;
	struct grep_scan scan;
	struct grep_output out;
	struct str files; /* records of GREP_FILES, to be sorted */
	struct walk walk;
	struct grep_notes notes;
	struct str stopped;
	struct str bytes, repaired, path; /* of the current file */
};

/* --- one file --------------------------------------------------------------------- */

/* Reads the file. Returns false for a binary file, unless the call names it. */
static bool grep_builtin_read_text(struct builtin *b, const char *path)
{
	int64_t size, head;
	struct err ignored;
	defer(fs_closep) struct fs_file *file = fs_open(path, &size, &ignored);

	str_truncate(&b->bytes, 0);
	b->notes.unreadable = b->notes.unreadable || !file;
	if (!file || size == 0)
		return false;
	head = min_of(size, (int64_t)HEAD);
	str_reserve(&b->bytes, (size_t)head);
	if (!fs_read_at(file, 0, b->bytes.ptr, (size_t)head, &ignored) ||
	    (memchr(b->bytes.ptr, '\0', (size_t)head) && !b->query.is_file))
		return false;
	if (size > (int64_t)LIMIT_GREP_FILE) {
		b->notes.too_big++;
		return false;
	}
	str_reserve(&b->bytes, (size_t)size);
	if (!fs_read_at(file, head, b->bytes.ptr + head, (size_t)(size - head), &ignored))
		return false;
	b->bytes.len = (size_t)size;
	return true;
}

/* The part to search as valid UTF-8: up to the first NUL, unless the call names the file. */
static struct sv grep_builtin_make_text(struct builtin *b, size_t *nul_at)
{
	struct sv text = sv_of(&b->bytes);

	*nul_at = sv_find_char(text, '\0');
	if (*nul_at != SIZE_MAX && !b->query.is_file) {
		text.len = *nul_at;
		*nul_at = SIZE_MAX;
	}
	if (sv_starts(text, SV("\xef\xbb\xbf")))
		text = sv_skip(text, 3);
	if (utf8_valid(text, NULL))
		return text;
	str_truncate(&b->repaired, 0);
	utf8_repair(&b->repaired, text);
	return sv_of(&b->repaired);
}

static bool grep_builtin_continues(void *arg)
{
	const struct tool_job *job = arg;

	return !tool_job_stopped(job) && !tool_job_late(job);
}

static void grep_builtin_search_file(struct builtin *b, const char *path, struct sv shown)
{
	struct sv text;
	size_t nul_at;

	if (!grep_builtin_read_text(b, path))
		return;
	text = grep_builtin_make_text(b, &nul_at);
	b->scan.budget.steps = LIMIT_GREP_STEPS;
	grep_scan_text(&b->scan, text, shown, nul_at);
	if (b->scan.gave_up && grep_builtin_continues(&b->job))
		b->notes.too_hard++;
}

static bool grep_builtin_put_record(void *arg, struct sv record)
{
	struct builtin *b = arg;

	if (b->query.mode != GREP_FILES)
		return grep_output_add(&b->out, record);
	b->notes.overflowed = !str_add_capped(&b->files, record, LIMIT_GREP_UNSORTED);
	return !b->notes.overflowed;
}

/* --- the tree --------------------------------------------------------------------- */

static enum fs_visit grep_builtin_visit(void *arg, const struct walk_entry *entry)
{
	struct builtin *b = arg;
	const struct grep_query *q = &b->query;

	if (entry->kind != FS_FILE)
		return FS_GO_ON;
	if (q->type.len && !entry->is_wanted && !grep_type_has(q->type, entry->name))
		return FS_GO_ON;
	str_truncate(&b->path, 0);
	if (strcmp(q->shown, ".") != 0)
		str_adds(&b->path, q->shown);
	fs_join(&b->path, SV_EMPTY, entry->path);
	grep_builtin_search_file(b, entry->full.ptr, sv_of(&b->path));
	return b->scan.enough ? FS_STOP : FS_GO_ON;
}

static void grep_builtin_search_tree(struct builtin *b)
{
	struct tool_result *result = &b->job.call->result;
	struct err err;

	for (size_t i = 0; i < b->query.globs.n; i++)
		if (!walk_add_glob(&b->walk, b->query.globs.at[i], &err)) {
			tool_fail(result, "Invalid glob: %s", err.text);
			return;
		}
	if (!walk_run(&b->walk, &err))
		tool_fail(result, "Cannot search: %s", err.text);
}

/* --- the call --------------------------------------------------------------------- */

/* Without multiline mode a newline can never match, so the model should know. */
static bool grep_builtin_has_newline(struct sv pattern)
{
	for (size_t i = 0; i < pattern.len; i++) {
		if (pattern.ptr[i] == '\n')
			return true;
		if (pattern.ptr[i] == '\\' && ++i < pattern.len && pattern.ptr[i] == 'n')
			return true;
	}
	return false;
}

static bool grep_builtin_understand(struct builtin *b)
{
	const struct grep_query *q = &b->query;
	struct tool_result *result = &b->job.call->result;
	struct err err;

	b->regex = regex_new(q->pattern, (struct regex_opts){ q->nocase, q->multiline }, &err);
	if (!b->regex)
		return tool_fail(result, "%s", err.text);
	if (!q->multiline && grep_builtin_has_newline(q->pattern))
		return tool_fail(result, "A newline in the pattern matches nothing unless "
					 "`multiline` is true.");
	if (q->type.len && !grep_type_known(q->type))
		return tool_fail(result,
				 "unrecognized file type: %.*s. Without ripgrep only common types "
				 "are supported; use `glob` instead.",
				 SV_ARG(q->type));
	return true;
}

static bool builtin_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	struct builtin *b = (struct builtin *)job;
	struct fs_info info;
	struct err ignored;

	if (!grep_builtin_understand(b))
		return true;
	b->query.is_file = fs_info(&info, b->query.path.ptr, true, &ignored) && info.kind != FS_DIR;
	b->scan.regex = b->regex;
	if (b->query.is_file)
		grep_builtin_search_file(b, b->query.path.ptr, sv_cstr(b->query.shown));
	else
		grep_builtin_search_tree(b);
	b->notes.timed_out = tool_job_late(job) && !b->scan.enough;
	grep_sort(&b->files, &b->query);
	grep_output_add(&b->out, sv_of(&b->files));
	return true;
}

static void builtin_finish(struct tool_job *job)
{
	struct builtin *b = (struct builtin *)job;

	if (job->call->result.is_error)
		return;
	walk_explain(b->notes.timed_out ? WALK_LATE : b->walk.end, b->walk.entries,
		     job->deadline_ms, &b->stopped);
	b->notes.stopped = sv_of(&b->stopped);
	grep_report(&job->call->result, &b->out, &b->notes);
}

static void builtin_prepare(struct tool_job *job)
{
	struct builtin *b = (struct builtin *)job;

	job->deadline_ms = DEADLINE_MS;
	grep_query_init(&b->query, job->call);
	b->out.query = &b->query;
	b->notes.is_builtin = true;
	b->scan = (struct grep_scan){ .query = &b->query,
				      .budget = { .go_on = grep_builtin_continues, .arg = job },
				      .put = grep_builtin_put_record,
				      .arg = b };
	b->walk = (struct walk){ .root = b->query.path,
				 .job = job,
				 .visit = grep_builtin_visit,
				 .arg = b,
				 .globs_below = b->query.cwd };
}

static void builtin_clear(struct tool_job *job)
{
	struct builtin *b = (struct builtin *)job;

	walk_clear(&b->walk);
	grep_scan_clear(&b->scan);
	grep_output_clear(&b->out);
	regex_free(b->regex);
	grep_query_clear(&b->query);
	str_clear(&b->files);
	str_clear(&b->stopped);
	str_clear(&b->bytes);
	str_clear(&b->repaired);
	str_clear(&b->path);
}

static const struct tool_job_type builtin_type = { .size = sizeof(struct builtin),
						   .prepare = builtin_prepare,
						   .run = builtin_run,
						   .finish = builtin_finish,
						   .clear = builtin_clear };

struct op *grep_builtin_start(struct tool_call *call, struct then then)
{
	return tool_job_start(call, &builtin_type, then);
}

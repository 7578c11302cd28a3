#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"
#include "tool/read/read_kinds.h"
#include "tool/read/view.h"

/* --- readable files -------------------------------------------------------- */

/* Regular files that never end, or that reading empties. */
static bool read_is_endless(struct sv real)
{
	static const char names[][15] = { "kcore",      "kmsg",       "kpagecgroup",
					  "kpagecount", "kpageflags", "mem",
					  "pagemap",    "trace_pipe", "trace_pipe_raw" };
	struct sv name = sv_basename(real);

	if (!sv_starts(real, SV("/proc/")) && !sv_starts(real, SV("/sys/")))
		return false;
	return sv_is_among(name, names);
}

enum encoding { ENCODING_BYTES, ENCODING_UTF16_LE, ENCODING_UTF16_BE, ENCODING_BINARY };

/* Decides by the first bytes, like grep and git. */
static enum encoding read_encoding_of(struct sv bytes)
{
	if (sv_starts(bytes, SV("\xff\xfe")))
		return ENCODING_UTF16_LE;
	if (sv_starts(bytes, SV("\xfe\xff")))
		return ENCODING_UTF16_BE;
	if (sv_starts(bytes, SV("%PDF-")) ||
	    sv_find_char(sv_slice(bytes, 0, 8 * KIB), '\0') != SIZE_MAX)
		return ENCODING_BINARY;
	return ENCODING_BYTES;
}

static uint32_t read_unit_at(struct sv bytes, size_t i, bool big)
{
	uint8_t a = (uint8_t)bytes.ptr[i], b = (uint8_t)bytes.ptr[i + 1];

	return big ? (uint32_t)a << 8 | b : (uint32_t)b << 8 | a;
}

/* Half a surrogate pair becomes U+FFFD. */
static void read_add_utf16(struct str *out, struct sv bytes, bool big)
{
	for (size_t i = 0; i + 2 <= bytes.len; i += 2) {
		uint32_t unit = read_unit_at(bytes, i, big), low = 0;

		if ((unit & 0xfc00) == 0xd800 && i + 4 <= bytes.len)
			low = read_unit_at(bytes, i + 2, big);
		if ((low & 0xfc00) == 0xdc00) {
			unit = 0x10000 + ((unit & 0x3ff) << 10 | (low & 0x3ff));
			i += 2;
		}
		utf8_encode(out, unit);
	}
}

#define BINARY                                                                           \
	"%s is a binary file; Read shows text only. Use Bash with a program that knows " \
	"its format."

/* --- the two ways through a file ---------------------------------------------- */

enum {
	PIECE = 256 * KIB,
	WORTH_A_NOTICE = 1 * KIB, /* bytes from which "unchanged" is shorter than the content */
};

struct read_job {
	struct file_job file;
	struct view view;
	bool whole;     /* the view has read the whole file */
	bool unchanged; /* the conversation already has this content */
	bool other;     /* shown as something other than lines */
};

/* Whether the conversation already has the requested part. `bytes` is the whole file, if it was
 * hashed. */
static bool is_shown_already(const struct read_job *r, const struct fs_info *info, struct sv bytes)
{
	const struct file_seen *seen = &r->file.seen;

	return r->file.known && seen->view_first == r->view.first &&
	       seen->view_limit == r->view.limit && file_seen_is(seen, info, bytes);
}

/* What the model saw before counts as long as the file is unchanged. */
static void read_remember(struct read_job *r, struct file_seen now, bool same)
{
	r->file.now = now;
	r->file.now.shown = (struct lines_seen){ .n = 0 };
	if (!same)
		return;
	r->file.now.shown = r->file.seen.shown;
	r->file.now.by_cells = r->file.seen.by_cells;
	r->file.now.cut = r->file.seen.cut;
}

/* Returns true if the file is shown or refused as something other than lines. */
static bool read_otherwise(struct read_job *r, struct sv bytes)
{
	struct file_job *f = &r->file;
	struct image image;

	if (image_of(bytes, &image)) {
		f->learnt = read_image(f, bytes, &image);
		f->now.shown = LINES_ALL;
	} else if (read_is_notebook(f, bytes)) {
		f->learnt = read_notebook(f, bytes, r->view.first, r->view.limit, &f->now);
	} else {
		return false;
	}
	r->other = true;
	return true;
}

static struct sv read_without_mark(struct sv bytes)
{
	return sv_starts(bytes, SV("\xef\xbb\xbf")) ? sv_skip(bytes, 3) : bytes;
}

static bool read_whole(struct read_job *r, const struct fs_info *info)
{
	struct file_job *f = &r->file;
	defer(str_clear) struct str bytes = STR_INIT;
	defer(str_clear) struct str decoded = STR_INIT;
	struct sv text;
	enum encoding encoding;
	struct err err;

	if (!fs_pinned_read(f->file.pin, &bytes, LIMIT_READ_WHOLE, &err))
		return tool_fail(&f->job.call->result, "%s", err.text);
	text = sv_of(&bytes);
	r->unchanged = is_shown_already(r, info, text);
	read_remember(r, file_seen_of(info, text), f->known && file_seen_is(&f->seen, info, text));
	if (r->unchanged || read_otherwise(r, text))
		return true;
	encoding = read_encoding_of(text);
	if (encoding == ENCODING_BINARY)
		return tool_fail(&f->job.call->result, BINARY, file_name(f));
	if (encoding != ENCODING_BYTES) {
		read_add_utf16(&decoded, sv_skip(text, 2), encoding == ENCODING_UTF16_BE);
		text = sv_of(&decoded);
	}
	view_feed(&r->view, read_without_mark(text));
	view_end(&r->view);
	r->whole = true;
	return true;
}

/* Reads until the view has everything it wants. */
static bool read_stream(struct read_job *r, struct fs_file *file, int64_t size, struct err *err)
{
	defer(mem_freep) char *piece = xmalloc(PIECE);

	for (int64_t at = 0; at < size && !view_is_full(&r->view);) {
		size_t n = (size_t)min_of(size - at, (int64_t)PIECE);
		struct sv bytes = sv_from(piece, n);

		if (tool_job_stopped(&r->file.job))
			return err_set(err, ERR_CANCELLED, "cancelled");
		if (!fs_read_at(file, at, piece, n, err))
			return false;
		if (at == 0 && read_encoding_of(bytes) != ENCODING_BYTES)
			return err_set(err, ERR_UNSUPPORTED, BINARY, file_name(&r->file));
		view_feed(&r->view, at == 0 ? read_without_mark(bytes) : bytes);
		at += (int64_t)n;
		r->whole = at == size;
	}
	if (r->whole)
		view_end(&r->view);
	return true;
}

static bool read_big(struct read_job *r, const struct fs_info *info)
{
	struct file_job *f = &r->file;
	defer(fs_closep) struct fs_file *file = NULL;
	struct file_seen now = { .mtime_ns = info->mtime_ns, .size = info->size };
	bool same = f->known && !f->seen.hashed && file_seen_is(&f->seen, info, SV_EMPTY);
	struct err err;
	int64_t size;

	r->unchanged = same && is_shown_already(r, info, SV_EMPTY);
	read_remember(r, now, same);
	if (r->unchanged)
		return true;
	file = fs_pinned_open(f->file.pin, &size, &err);
	return (file && read_stream(r, file, size, &err)) ||
	       tool_fail(&f->job.call->result, "%s", err.text);
}

/* --- the result --------------------------------------------------------------- */

static void read_report_data(struct read_job *r)
{
	const struct view *v = &r->view;
	struct jw w;

	jw_init(&w, &r->file.job.call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("text"));
	jw_put_object(&w, "file");
	jw_put_str(&w, "filePath", sv_of(&r->file.file.path));
	jw_put_str(&w, "content", sv_of(&v->plain));
	jw_put_uint(&w, "numLines", v->shown);
	jw_put_uint(&w, "startLine", v->first);
	jw_put_uint(&w, "totalLines", v->lines);
	if (v->capped)
		jw_put_bool(&w, "truncatedByTokenCap", true);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

/* The note after the lines if there are more. */
static void read_report_rest(struct read_job *r)
{
	struct str *text = &r->file.job.call->result.text;
	const struct view *v = &r->view;
	size_t last = v->first + v->shown - 1;

	if (r->whole && last >= v->lines)
		return;
	str_addf(text, "\n\n[Lines %zu-%zu", v->first, last);
	if (r->whole)
		str_addf(text, " of %zu", v->lines);
	str_addf(text, "%s. To continue: offset=%zu%s]", v->capped ? ", cut for size" : "",
		 last + 1, v->capped ? ", or a smaller limit" : "");
}

static void read_report_text(struct read_job *r)
{
	struct str *text = &r->file.job.call->result.text;
	const struct view *v = &r->view;

	if (v->shown > 0) {
		str_add(text, sv_of(&v->text));
		read_report_rest(r);
	} else if (v->lines == 0) {
		str_adds(text, "The file exists but is empty.");
	} else {
		str_addf(text, "The file has only %zu line%s; nothing is at offset %zu.", v->lines,
			 v->lines == 1 ? "" : "s", v->first);
	}
}

static bool read_report_unchanged(struct read_job *r)
{
	struct tool_result *result = &r->file.job.call->result;
	struct jw w;

	str_addf(&result->text,
		 "%s has not changed since you last read this part: see the earlier Read result in "
		 "this conversation.",
		 file_name(&r->file));
	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("file_unchanged"));
	jw_put_object(&w, "file");
	jw_put_str(&w, "filePath", sv_of(&r->file.file.path));
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	return true;
}

static void read_note_lines(struct read_job *r)
{
	const struct view *v = &r->view;
	size_t after = v->first + v->shown;
	struct file_seen *now = &r->file.now;

	if (v->shown > 0 || v->lines == 0)
		lines_add(&now->shown, v->shown > 0 ? v->first : 1,
			  r->whole && after > v->lines ? LINES_END : after - 1);
	now->cut |= v->cut;
	r->file.learnt = true;
}

static bool read_file(struct file_job *f)
{
	struct read_job *r = container_of(f, struct read_job, file);
	const struct fs_info *info;

	if (!file_look(f, &info))
		return false;
	if (!info)
		return file_missing(f);
	if (read_is_endless(sv_of(&f->file.real)))
		return tool_fail(&f->job.call->result,
				 "%s is endless, or reading would consume it.", file_name(f));
	if (info->size > (int64_t)LIMIT_READ_WHOLE ? !read_big(r, info) : !read_whole(r, info))
		return false;
	if (r->unchanged)
		return read_report_unchanged(r);
	if (r->other)
		return f->learnt;
	read_note_lines(r);
	read_report_text(r);
	read_report_data(r);
	return true;
}

static void read_prepare(struct tool_job *job)
{
	struct read_job *r = container_of(job, struct read_job, file.job);
	int64_t offset = json_int_or(json_get(job->call->input, "offset"), 1);
	int64_t limit = json_int_or(json_get(job->call->input, "limit"), LIMIT_READ_LINES);

	file_prepare(job);
	view_init(&r->view, (size_t)max_of(offset, (int64_t)1), (size_t)max_of(limit, (int64_t)1));
}

/* A cancelled call shows nothing. */
static void read_finish(struct tool_job *job)
{
	struct read_job *r = container_of(job, struct read_job, file.job);
	const struct tool_result *result = &job->call->result;

	if (result->text.len + result->blocks.len > WORTH_A_NOTICE && !tool_job_stopped(job)) {
		r->file.now.view_first = r->view.first;
		r->file.now.view_limit = r->view.limit;
	}
	file_finish(job);
}

static void read_clear(struct tool_job *job)
{
	view_clear(&container_of(job, struct read_job, file.job)->view);
	file_clear(job);
}

static struct op *read_start(struct tool_call *call, struct then then)
{
	static const struct file_job_type type = { .job = { .size = sizeof(struct read_job),
							    .prepare = read_prepare,
							    .run = file_run,
							    .finish = read_finish,
							    .clear = read_clear },
						   .work = read_file };

	return read_is_pdf(call) ? read_pdf_start(call, then)
				 : tool_job_start(call, &type.job, then);
}

static bool read_check(const struct tool_call *call, struct err *err)
{
	return file_check(call, err) && read_check_pages(call, err);
}

const struct tool tool_read = {
	.name = "Read",
	.page = tool_read_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{\"file_path\":{\"type\":\"string\","
		"\"description\":\"Absolute "
		"path\"},\"offset\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"First "
		"line, from "
		"1\"},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Number of "
		"lines\"},\"pages\":{\"type\":\"string\",\"description\":\"PDF pages: \\\"1-5\\\"; "
		"at most 20\"}},\"required\":[\"file_path\"],\"additionalProperties\":false}"),
	.stays_whole = true,
	.is_read_only = tool_always,
	.is_concurrent = tool_always,
	.check = read_check,
	.perm_request = file_read_request,
	.start = read_start,
};

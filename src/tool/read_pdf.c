#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "sys/child.h"
#include "text/base64.h"
#include "text/json_write.h"
#include "tool/read_kinds.h"

enum {
	DEADLINE_MS = 60000,
	GRACE_MS = 500,
	TEXT_MAX = 4 * LIMIT_READ_RESULT, /* taken of what is printed: most of it is blanks */
	COMPLAINT_MAX = 400,
	MAGIC_WITHIN = 1024, /* bytes that may stand before "%PDF-" */
};

struct pdf {
	struct op op;
	struct tool_call *call;
	struct op *step; /* the one under way: a job or a child */
	struct arena arena;
	struct sv path, real;
	int64_t first, last; /* pages, from 1 */
	struct str text, complaint;
	bool full; /* `text` is all that is taken */
};

/* --- which pages ------------------------------------------------------------------ */

static struct sv text_of(const struct tool_call *call, const char *key)
{
	return json_str_or(json_get(call->input, key), SV_EMPTY);
}

bool read_is_pdf(const struct tool_call *call)
{
	struct sv path = text_of(call, "file_path");

	return path.len >= 4 && sv_eq_nocase(sv_skip(path, path.len - 4), SV(".pdf"));
}

/* "3", "1-5" or "10-"; nothing: from the first on. */
static bool read_pages(struct sv pages, int64_t *first, int64_t *last)
{
	size_t dash = sv_find_char(pages, '-');
	struct sv from = sv_trim(sv_slice(pages, 0, dash));
	struct sv to = dash == SIZE_MAX ? SV_EMPTY : sv_trim(sv_skip(pages, dash + 1));

	*first = 1;
	*last = LIMIT_PDF_PAGES;
	if (!pages.len)
		return true;
	if (!sv_to_int(from, first) || *first < 1 || *first > INT32_MAX)
		return false;
	*last = dash == SIZE_MAX ? *first : *first + LIMIT_PDF_PAGES - 1;
	return !to.len || (sv_to_int(to, last) && *last >= *first && *last <= INT32_MAX);
}

bool read_check_pages(const struct tool_call *call, struct err *err)
{
	int64_t first, last;

	if (!read_pages(text_of(call, "pages"), &first, &last))
		return err_set(err, ERR_INVALID,
			       "pages must be one page or a range of them, from 1: \"3\", \"1-5\" "
			       "or \"10-\".");
	return last - first < LIMIT_PDF_PAGES ||
	       err_set(err, ERR_INVALID, "pages: at most %d can be read at a time.",
		       LIMIT_PDF_PAGES);
}

/* --- the file itself -------------------------------------------------------------- */

static bool is_marked(struct sv bytes)
{
	return sv_find(sv_slice(bytes, 0, MAGIC_WITHIN), SV("%PDF-")) != SIZE_MAX;
}

static bool look(struct file_job *f)
{
	struct tool_result *result = &f->job.call->result;
	defer(fs_closep) struct fs_file *file = NULL;
	char head[MAGIC_WITHIN];
	struct fs_info info;
	struct err err;
	int64_t size = 0;
	size_t n;
	bool exists;

	if (!file_look(f, str_c(&f->real), &exists, &info))
		return false;
	if (!exists)
		return file_missing(f);
	file = fs_open(str_c(&f->real), &size, &err);
	n = (size_t)min_of(size, (int64_t)sizeof(head));
	if (!file || !fs_read_at(file, 0, head, n, &err))
		return tool_fail(result, "%s", err.text);
	if (!is_marked(sv_from(head, n)))
		return tool_fail(result, "%s is no PDF, whatever its name says.", str_c(&f->path));
	f->now =
		(struct file_seen){ .mtime_ns = info.mtime_ns, .size = info.size, .partial = true };
	f->learnt = true;
	return true;
}

/* Whatever goes wrong is for the model to read. */
static bool look_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	look(container_of(job, struct file_job, job));
	return true;
}

static void say_document(struct tool_result *result, struct sv base64)
{
	struct jw w;

	jw_init(&w, &result->blocks, JW_COMPACT);
	jw_array(&w);
	jw_object(&w);
	jw_put_str(&w, "type", SV("document"));
	jw_put_object(&w, "source");
	jw_put_str(&w, "type", SV("base64"));
	jw_put_str(&w, "media_type", SV("application/pdf"));
	jw_put_str(&w, "data", base64);
	jw_end(&w);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static void say_document_data(struct tool_result *result, struct sv path, struct sv base64,
			      size_t size)
{
	struct jw w;

	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("pdf"));
	jw_put_object(&w, "file");
	jw_put_str(&w, "filePath", path);
	jw_put_str(&w, "base64", base64);
	jw_put_uint(&w, "originalSize", size);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static bool give(struct file_job *f)
{
	struct tool_result *result = &f->job.call->result;
	defer(str_clear) struct str bytes = STR_INIT;
	defer(str_clear) struct str base64 = STR_INIT;
	struct err err;

	if (!fs_read(&bytes, str_c(&f->real), LIMIT_PDF, &err))
		return tool_fail(result, "%s", err.text);
	base64_encode(&base64, sv_of(&bytes), BASE64_STD);
	str_addf(&result->text, "[application/pdf, %zu bytes]", bytes.len);
	say_document(result, sv_of(&base64));
	say_document_data(result, sv_of(&f->path), sv_of(&base64), bytes.len);
	return true;
}

static bool give_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	give(container_of(job, struct file_job, job));
	return true;
}

/* --- its text --------------------------------------------------------------------- */

static void say_text_data(struct pdf *p, struct sv content)
{
	struct sv rest = content, line;
	size_t lines = 0;
	struct jw w;

	while (sv_cut_line(&rest, &line))
		lines++;
	jw_init(&w, &p->call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("text"));
	jw_put_object(&w, "file");
	jw_put_str(&w, "filePath", p->path);
	jw_put_str(&w, "content", content);
	jw_put_uint(&w, "numLines", lines);
	jw_put_uint(&w, "startLine", 1);
	jw_put_uint(&w, "totalLines", lines);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

/* Appends one page. False when it does not fit, unless it is the first: that is cut. */
static bool add_page(struct pdf *p, int64_t number, struct sv page)
{
	struct str *text = &p->call->result.text;
	defer(str_clear) struct str clean = STR_INIT;
	struct sv shown;

	utf8_repair(&clean, sv_trim(page));
	shown = utf8_prefix(sv_of(&clean), LIMIT_READ_RESULT);
	if (text->len > 0 && text->len + clean.len > LIMIT_READ_RESULT)
		return false;
	str_addf(text, "%s[Page %lld]\n", text->len ? "\n\n" : "", (long long)number);
	str_add(text, shown);
	if (shown.len < clean.len)
		str_addf(text, "\n[%zu more bytes of this page]", clean.len - shown.len);
	return true;
}

/* Each page ends with a form feed; one more was asked for than is shown. */
static void say_pages(struct pdf *p)
{
	struct str *text = &p->call->result.text;
	struct sv rest = sv_of(&p->text), page;
	int64_t number = p->first;
	bool more = p->full;

	if (sv_ends(rest, SV("\f")))
		rest.len--;
	for (; sv_cut(&rest, '\f', &page); number++)
		if (number > p->last || !add_page(p, number, page)) {
			more = true;
			break;
		}
	say_text_data(p, sv_of(text));
	if (more)
		str_addf(text, "\n\n[Pages %lld-%lld. To read on: pages=\"%lld-\"]",
			 (long long)p->first, (long long)number - 1, (long long)number);
}

static bool is_blank(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((uint8_t)text.ptr[i] > ' ')
			return false;
	return true;
}

static void pdf_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct pdf *p = owner;

	if (from == CHILD_ERR) {
		str_add(&p->complaint, sv_slice(bytes, 0, COMPLAINT_MAX - p->complaint.len));
		return;
	}
	str_add(&p->text, sv_slice(bytes, 0, TEXT_MAX - p->text.len));
	p->full = p->text.len == TEXT_MAX;
	if (p->full)
		op_cancel(p->step);
}

/* --- its life --------------------------------------------------------------------- */

static void pdf_on_given(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct pdf *p = owner;

	p->step = NULL;
	op_finish(&p->op, why);
}

/* Without text: the file as it is, if the model can do with that. */
static void pdf_give(struct pdf *p, const char *reason)
{
	static const struct tool_job_type type = { .size = sizeof(struct file_job),
						   .prepare = file_prepare,
						   .run = give_run,
						   .clear = file_clear };

	if (p->call->room->reads_pdf) {
		p->step = tool_job_start(p->call, &type, THEN(pdf_on_given, p));
		return;
	}
	tool_fail(&p->call->result, "%s cannot be shown as text: %s", p->path.ptr, reason);
	op_finish(&p->op, NULL);
}

static void pdf_refuse(struct pdf *p, const struct err *why, int code)
{
	struct sv complaint = sv_trim(sv_of(&p->complaint));
	struct tool_result *result = &p->call->result;

	if (why)
		tool_fail(result, "%s cannot be read: %s", p->path.ptr, why->text);
	else if (complaint.len)
		tool_fail(result, "%s cannot be read: %.*s", p->path.ptr, SV_ARG(complaint));
	else
		tool_fail(result, "%s cannot be read: pdftotext exited with %d", p->path.ptr, code);
	op_finish(&p->op, NULL);
}

static void pdf_on_child(struct op *op, void *owner, const struct err *why)
{
	struct pdf *p = owner;
	int code = child_result(op).code;

	p->step = NULL;
	if (p->op.cancelled) {
		op_finish(&p->op, why);
	} else if (why && why->kind == ERR_NOT_FOUND) {
		pdf_give(p, "pdftotext is not installed. It is in the package \"poppler-utils\" of "
			    "Debian and of most systems.");
	} else if (!p->full && (why || code != 0)) {
		pdf_refuse(p, why, code);
	} else if (is_blank(sv_of(&p->text))) {
		pdf_give(p, "there is none on these pages. If they are scanned, make images of "
			    "them with Bash (pdftoppm -png), and read those.");
	} else {
		say_pages(p);
		op_finish(&p->op, NULL);
	}
}

static void pdf_extract(struct pdf *p)
{
	struct sv first = arena_printf(&p->arena, "%lld", (long long)p->first);
	struct sv last = arena_printf(&p->arena, "%lld", (long long)p->last + 1);
	const char *argv[] = { "pdftotext", "-layout", "-enc",      "UTF-8", "-f", first.ptr,
			       "-l",        last.ptr,  p->real.ptr, "-",     NULL };

	p->step = child_start(p->op.loop,
			      &(struct child_opts){ .argv = argv,
						    .env = p->call->room->env,
						    .deadline_ms = DEADLINE_MS,
						    .grace_ms = GRACE_MS,
						    .on_data = pdf_on_data },
			      THEN(pdf_on_child, p));
}

static void pdf_on_look(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct pdf *p = owner;

	p->step = NULL;
	if (why || p->op.cancelled || p->call->result.is_error)
		op_finish(&p->op, why);
	else
		pdf_extract(p);
}

static void pdf_cancel(struct op *op)
{
	op_cancel(container_of(op, struct pdf, op)->step);
}

static void pdf_free(struct op *op)
{
	struct pdf *p = container_of(op, struct pdf, op);

	str_clear(&p->text);
	str_clear(&p->complaint);
	arena_clear(&p->arena);
	free(p);
}

struct op *read_pdf_start(struct tool_call *call, struct then then)
{
	static const struct op_type type = { .name = "Read a PDF",
					     .cancel = pdf_cancel,
					     .free = pdf_free };
	static const struct tool_job_type look_type = { .size = sizeof(struct file_job),
							.prepare = file_prepare,
							.run = look_run,
							.finish = file_finish,
							.clear = file_clear };
	struct pdf *p = xnew(struct pdf);

	op_init(&p->op, &type, call->room->loop, then);
	p->call = call;
	p->path = tool_path(call->room, text_of(call, "file_path"), &p->arena);
	p->real = tool_real_path(call->room, text_of(call, "file_path"), &p->arena);
	if (!read_pages(text_of(call, "pages"), &p->first, &p->last)) {
		tool_fail(&call->result, "There are no such pages.");
		op_finish(&p->op, NULL);
		return &p->op;
	}
	p->step = tool_job_start(call, &look_type, THEN(pdf_on_look, p));
	return &p->op;
}

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/base64.h"
#include "text/json/json_write.h"
#include "tool/read/pdf_text.h"
#include "tool/read/read_kinds.h"
#include "tool/shell/shell_env.h"

enum { MAGIC_WITHIN = 1024 }; /* bytes that may precede "%PDF-" */

struct pdf {
	struct op op;
	struct tool_call *call;
	struct op *step; /* in flight; NULL: none */
	struct str path;
	struct str bytes;    /* all of the file */
	int64_t first, last; /* pages, from 1 */
	struct pdf_text found;
	struct err no_text; /* why the model gets the file itself */
};

/* --- which pages ------------------------------------------------------------------ */

static struct sv read_pdf_text_of(const struct tool_call *call, const char *key)
{
	return json_str_or(json_get(call->input, key), SV_EMPTY);
}

bool read_is_pdf(const struct tool_call *call)
{
	struct sv path = read_pdf_text_of(call, "file_path");

	return path.len >= 4 && sv_eq_nocase(sv_skip(path, path.len - 4), SV(".pdf"));
}

/* "3", "1-5" or "10-"; empty: all from the first on. */
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

	if (!read_pages(read_pdf_text_of(call, "pages"), &first, &last))
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

/* pdftotext gets the bytes and not the path, because only the pinned file is the allowed one. */
struct look {
	struct file_job file;
	struct str bytes;
};

static bool look(struct file_job *f)
{
	struct look *l = container_of(f, struct look, file);
	struct tool_result *result = &f->job.call->result;
	const struct fs_info *info;
	struct err err;

	if (!file_look(f, &info))
		return false;
	if (!info)
		return file_missing(f);
	if (!fs_pinned_read(f->file.pin, &l->bytes, LIMIT_CHILD_INPUT, &err))
		return tool_fail(result, "%s", err.text);
	if (!is_marked(sv_of(&l->bytes)))
		return tool_fail(result, "%s is not a PDF, despite its name.", file_name(f));
	f->now = (struct file_seen){ .mtime_ns = info->mtime_ns, .size = info->size };
	f->learnt = true;
	return true;
}

static struct pdf *pdf_of(struct tool_job *job)
{
	return job->op.then.owner;
}

static void look_finish(struct tool_job *job)
{
	struct look *l = container_of(job, struct look, file.job);
	struct pdf *p = pdf_of(job);

	p->bytes = l->bytes;
	l->bytes = (struct str)STR_INIT;
	str_add(&p->path, sv_of(&l->file.file.path));
	file_finish(job);
}

static void look_clear(struct tool_job *job)
{
	str_clear(&container_of(job, struct look, file.job)->bytes);
	file_clear(job);
}

/* If only some pages were requested, says that the result has all of them, and why. */
static void read_pdf_report_whole(struct jw *w, const struct pdf *p)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!read_pdf_text_of(p->call, "pages").len)
		return;
	str_addf(&text,
		 "This is the whole file, not only pages %lld-%lld, because their text could not "
		 "be extracted: %s.",
		 (long long)p->first, (long long)p->last, p->no_text.text);
	jw_object(w);
	jw_put_str(w, "type", SV("text"));
	jw_put_str(w, "text", sv_of(&text));
	jw_end(w);
}

static void read_pdf_report_document(struct pdf *p, struct sv base64)
{
	struct jw w;

	jw_init(&w, &p->call->result.blocks, JW_COMPACT);
	jw_array(&w);
	read_pdf_report_whole(&w, p);
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

static void read_pdf_report_document_data(struct pdf *p, struct sv base64)
{
	struct jw w;

	jw_init(&w, &p->call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("pdf"));
	jw_put_object(&w, "file");
	jw_put_str(&w, "filePath", sv_of(&p->path));
	jw_put_str(&w, "base64", base64);
	jw_put_uint(&w, "originalSize", p->bytes.len);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static bool read_pdf_give_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	struct pdf *p = pdf_of(job);
	struct tool_result *result = &job->call->result;
	defer(str_clear) struct str base64 = STR_INIT;

	if (p->bytes.len > LIMIT_PDF) {
		tool_fail(result, "%s has %zu bytes; the model accepts at most %zu",
			  str_c(&p->path), p->bytes.len, LIMIT_PDF);
		return true;
	}
	base64_encode(&base64, sv_of(&p->bytes), BASE64_STD);
	str_addf(&result->text, "[application/pdf, %zu bytes]", p->bytes.len);
	read_pdf_report_document(p, sv_of(&base64));
	read_pdf_report_document_data(p, sv_of(&base64));
	return true;
}

/* --- its text --------------------------------------------------------------------- */

static void read_pdf_report_text_data(struct pdf *p, struct sv content)
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
	jw_put_str(&w, "filePath", sv_of(&p->path));
	jw_put_str(&w, "content", content);
	jw_put_uint(&w, "numLines", lines);
	jw_put_uint(&w, "startLine", 1);
	jw_put_uint(&w, "totalLines", lines);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

/* Appends one page. Returns false if it does not fit; the first page is cut instead. */
static bool read_pdf_add_page(struct pdf *p, int64_t number, struct sv page)
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

/* pdftotext extracted one page more than is shown. */
static void read_pdf_report_pages(struct pdf *p)
{
	struct str *text = &p->call->result.text;
	struct sv rest = sv_of(&p->found.text), page;
	int64_t number = p->first;
	bool more = p->found.is_full;

	for (; sv_cut(&rest, '\f', &page); number++)
		if (number > p->last || !read_pdf_add_page(p, number, page)) {
			more = true;
			break;
		}
	read_pdf_report_text_data(p, sv_of(text));
	if (more)
		str_addf(text, "\n\n[Pages %lld-%lld. To continue: pages=\"%lld-\"]",
			 (long long)p->first, (long long)number - 1, (long long)number);
}

/* --- the op --------------------------------------------------------------------- */

static void pdf_on_given(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct pdf *p = owner;

	p->step = NULL;
	op_finish(&p->op, why);
}

/* Without text: the file itself, if the model accepts PDFs. */
static void pdf_give(struct pdf *p)
{
	static const struct tool_job_type type = { .size = sizeof(struct tool_job),
						   .run = read_pdf_give_run };

	if (p->call->ctx->reads_pdf) {
		p->step = tool_job_start(p->call, &type, THEN(pdf_on_given, p));
		return;
	}
	tool_fail(&p->call->result, "%s cannot be shown as text: %s.", str_c(&p->path),
		  p->no_text.text);
	op_finish(&p->op, NULL);
}

static void pdf_on_text(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct pdf *p = owner;

	p->step = NULL;
	if (p->op.cancelled) {
		op_finish(&p->op, why);
	} else if (why && (why->kind == ERR_NOT_FOUND || why->kind == ERR_UNSUPPORTED)) {
		p->no_text = *why;
		pdf_give(p);
	} else {
		if (why)
			tool_fail(&p->call->result, "%s cannot be read: %s", str_c(&p->path),
				  why->text);
		else
			read_pdf_report_pages(p);
		op_finish(&p->op, NULL);
	}
}

static void pdf_on_look(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct pdf *p = owner;
	defer(arena_clear) struct arena arena = ARENA_INIT;

	p->step = NULL;
	if (why || p->op.cancelled || p->call->result.is_error)
		op_finish(&p->op, why);
	else
		p->step = pdf_text_start(
			p->op.loop,
			&(struct pdf_source){ .bytes = sv_of(&p->bytes),
					      .first = p->first,
					      .last = p->last + 1,
					      .env = shell_env_own(p->call->ctx, &arena) },
			&p->found, THEN(pdf_on_text, p));
}

static void pdf_cancel(struct op *op)
{
	op_cancel(container_of(op, struct pdf, op)->step);
}

static void pdf_free(struct op *op)
{
	struct pdf *p = container_of(op, struct pdf, op);

	str_clear(&p->found.text);
	str_clear(&p->path);
	str_clear(&p->bytes);
	free(p);
}

struct op *read_pdf_start(struct tool_call *call, struct then then)
{
	static const struct op_type type = { .name = "Read a PDF",
					     .cancel = pdf_cancel,
					     .free = pdf_free };
	static const struct file_job_type look_type = { .job = { .size = sizeof(struct look),
								 .prepare = file_prepare,
								 .run = file_run,
								 .finish = look_finish,
								 .clear = look_clear },
							.work = look };
	struct pdf *p = xnew(struct pdf);

	op_init(&p->op, &type, call->ctx->loop, then);
	p->call = call;
	if (!read_pages(read_pdf_text_of(call, "pages"), &p->first, &p->last)) {
		tool_fail(&call->result, "These pages do not exist.");
		op_finish(&p->op, NULL);
		return &p->op;
	}
	p->step = tool_job_start(call, &look_type.job, THEN(pdf_on_look, p));
	return &p->op;
}

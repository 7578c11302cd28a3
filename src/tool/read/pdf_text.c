#include "tool/read/pdf_text.h"

#include "base/limits.h"
#include "base/mem.h"
#include "sys/child.h"

enum { DEADLINE_MS = 60000, GRACE_MS = 500, COMPLAINT_MAX = 400 };

struct extraction {
	struct op op;
	struct op *child;
	struct pdf_text *out;
	struct str complaint;
};

static bool pdf_text_is_blank(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((uint8_t)text.ptr[i] > ' ')
			return false;
	return true;
}

static void pdf_text_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct extraction *x = owner;
	struct str *text = &x->out->text;

	if (from == CHILD_ERR) {
		str_add(&x->complaint, sv_slice(bytes, 0, COMPLAINT_MAX - x->complaint.len));
		return;
	}
	str_add(text, sv_slice(bytes, 0, LIMIT_PDF_TEXT - text->len));
	x->out->is_full = text->len == LIMIT_PDF_TEXT;
	if (x->out->is_full)
		op_cancel(x->child);
}

static bool pdf_text_judge(const struct extraction *x, const struct err *why, int code,
			   struct err *err)
{
	struct sv complaint = sv_trim(sv_of(&x->complaint));

	if (why && why->kind == ERR_NOT_FOUND)
		return err_set(err, ERR_NOT_FOUND,
			       "pdftotext is not installed. It is in the package \"poppler-utils\" "
			       "on Debian and most other systems");
	if (why && !x->out->is_full)
		return err_set(err, why->kind, "%s", why->text);
	if (code && !x->out->is_full)
		return complaint.len ? err_set(err, ERR_PARSE, "%.*s", SV_ARG(complaint))
				     : err_set(err, ERR_PARSE, "pdftotext exited with %d", code);
	if (pdf_text_is_blank(sv_of(&x->out->text)))
		return err_set(err, ERR_UNSUPPORTED,
			       "these pages have no text. If they are scanned, convert them to "
			       "images with Bash (pdftoppm -png) and read those");
	return true;
}

static void pdf_text_on_child(struct op *op, void *owner, const struct err *why)
{
	struct extraction *x = owner;
	struct err err = ERR_INIT;

	x->child = NULL;
	if (sv_ends(sv_of(&x->out->text), SV("\f"))) /* the last page ends with one too */
		str_truncate(&x->out->text, x->out->text.len - 1);
	op_finish(&x->op, pdf_text_judge(x, why, child_result(op).code, &err) ? NULL : &err);
}

static void extraction_cancel(struct op *op)
{
	op_cancel(container_of(op, struct extraction, op)->child);
}

static void extraction_free(struct op *op)
{
	struct extraction *x = container_of(op, struct extraction, op);

	str_clear(&x->complaint);
	free(x);
}

static struct op *pdf_text_run(struct extraction *x, const struct pdf_source *source)
{
	char first[24], last[24];
	const char *argv[] = { "pdftotext", "-layout", "-enc",
			       "UTF-8",     "-f",      first,
			       "-l",        last,      source->path ? source->path : "-",
			       "-",         NULL };

	snprintf(first, sizeof(first), "%lld", (long long)source->first);
	snprintf(last, sizeof(last), "%lld", (long long)source->last);
	return child_start(x->op.loop,
			   &(struct child_opts){ .argv = argv,
						 .env = source->env,
						 .input = source->path ? SV_EMPTY : source->bytes,
						 .deadline_ms = DEADLINE_MS,
						 .grace_ms = GRACE_MS,
						 .on_data = pdf_text_on_data },
			   THEN(pdf_text_on_child, x));
}

struct op *pdf_text_start(struct loop *loop, const struct pdf_source *source, struct pdf_text *out,
			  struct then then)
{
	static const struct op_type type = { .name = "pdftotext",
					     .cancel = extraction_cancel,
					     .free = extraction_free };
	struct extraction *x = xnew(struct extraction);

	op_init(&x->op, &type, loop, then);
	x->out = out;
	x->child = pdf_text_run(x, source);
	return &x->op;
}

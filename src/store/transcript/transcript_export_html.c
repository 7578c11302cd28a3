/* A conversation as a page of HTML that needs no other file and runs nothing: whatever a message contains
 * is escaped, and the page forbids scripts and requests by its own policy. */
#include "store/transcript/transcript_export_int.h"

static const char html_head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

static const char html_style[] =
	"<style>\n"
	":root{color-scheme:light dark;--line:#8884;--quiet:#777;--user:#8881}\n"
	"body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}\n"
	"h1{font-size:1.4rem;overflow-wrap:anywhere}\n"
	"h2{font-size:.9rem;color:var(--quiet);margin:1.5rem 0 .25rem}\n"
	".text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0 .75rem}\n"
	".user{background:var(--user);border-radius:.5rem;padding:.5rem .75rem}\n"
	"details{border-left:3px solid var(--line);padding-left:.75rem;margin:.25rem 0}\n"
	"summary{cursor:pointer;color:var(--quiet)}\n"
	"pre{font:13px/1.4 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}\n"
	".error summary{color:#c33}\n"
	"</style>\n</head>\n<body>\n";

static void html_add(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		switch (text.ptr[i]) {
		case '<': str_adds(out, "&lt;"); break;
		case '>': str_adds(out, "&gt;"); break;
		case '&': str_adds(out, "&amp;"); break;
		case '"': str_adds(out, "&quot;"); break;
		default: str_addc(out, text.ptr[i]);
		}
	}
}

static void export_html_begin(struct export *e)
{
	struct sv title = e->title.len ? sv_of(&e->title) : e->id;

	str_adds(e->out, html_head);
	str_adds(e->out, "<title>");
	html_add(e->out, title);
	str_adds(e->out, "</title>\n");
	str_adds(e->out, html_style);
	str_adds(e->out, "<h1>");
	html_add(e->out, title);
	str_adds(e->out, "</h1>\n");
}

static void export_html_speaker(struct export *e, enum export_speaker speaker)
{
	if (e->speaker != speaker)
		str_addf(e->out, "<h2>%s</h2>\n", speaker == EXPORT_USER ? "User" : "Assistant");
	e->speaker = speaker;
}

static void export_html_text(struct export *e, struct sv text)
{
	str_addf(e->out, "<div class=\"text%s\">", e->speaker == EXPORT_USER ? " user" : "");
	html_add(e->out, text);
	str_adds(e->out, "</div>\n");
}

static void html_details(struct export *e, const char *class, struct sv summary, struct sv text)
{
	str_addf(e->out, "<details%s><summary>", class);
	html_add(e->out, summary);
	str_adds(e->out, "</summary><pre>");
	html_add(e->out, text);
	str_adds(e->out, "</pre></details>\n");
}

static void export_html_call(struct export *e, struct sv tool, struct sv input)
{
	defer(str_clear) struct str summary = STR_INIT;

	str_addf(&summary, "%.*s %.*s", SV_ARG(tool), SV_ARG(utf8_prefix(input, 100)));
	html_details(e, "", sv_of(&summary), input);
}

static void export_html_result(struct export *e, struct sv text, bool is_error)
{
	struct sv shown = utf8_prefix(text, EXPORT_RESULT_BYTES);
	defer(str_clear) struct str summary = STR_INIT;

	str_adds(&summary, is_error ? "Error" : "Result");
	if (shown.len < text.len)
		str_addf(&summary, " (%zu of %zu bytes)", shown.len, text.len);
	html_details(e, is_error ? " class=\"error\"" : "", sv_of(&summary), shown);
}

static void export_html_end(struct export *e)
{
	str_adds(e->out, "</body>\n</html>\n");
}

static const struct export_format html_format = { .begin = export_html_begin,
						  .record = export_blocks,
						  .speaker = export_html_speaker,
						  .text = export_html_text,
						  .call = export_html_call,
						  .result = export_html_result,
						  .end = export_html_end };

bool transcript_export_html(struct str *out, const char *path, struct sv last, struct err *err)
{
	return export_run_visible(out, &html_format, path, last, err);
}

/* web.h - the state of WebFetch and WebSearch: the user's settings and the pages fetched in the last
 * 15 minutes. */
#ifndef AWL_TOOL_WEB_WEB_H
#define AWL_TOOL_WEB_WEB_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

/* A fetched page. */
struct web_page {
	struct str asked; /* the URL requested */
	struct str url;   /* the URL after redirects */
	struct str text;  /* at most LIMIT_WEB_TEXT bytes, as Markdown or unchanged */
	bool cut;         /* there was more */
	size_t bytes;     /* size of the body */
	int code;         /* HTTP status */
	int64_t at;       /* loop_now() when it was fetched */
};

void web_page_clear(struct web_page *page);

struct web {
	/* AWL_WEB_ALLOW_PRIVATE=1: also fetch from this machine and private networks. */
	bool allow_private;
	/* AWL_SEARCH_URL: the search page of a SearXNG server; q= and format=json are added to it.
	 * "" if not set. */
	struct str search_url;
	/* AWL_SEARCH_COMMAND: a program that searches (search_command.h); "" if not set. */
	struct str search_command;
	VEC(struct web_page) pages; /* the oldest first, at most LIMIT_WEB_CACHED */
};

/* `env` is NULL-terminated, or NULL. */
struct web *web_new(const char *const *env);
void web_free(struct web *web);
void web_freep(struct web **web);

/* The page last fetched from this URL, unless it is too old; NULL: none. Borrowed until the next call.
 * `web` may be NULL in both functions. */
const struct web_page *web_recall(struct web *web, struct sv asked, int64_t now);
/* Takes ownership of what `page` owns. */
void web_remember(struct web *web, struct web_page *page);

/* The kind of a body according to its content type ("text/html; charset=utf-8"). */
enum web_kind {
	WEB_OTHER, /* not readable as text */
	WEB_HTML,
	WEB_TEXT,
	WEB_PDF,
	WEB_UNKNOWN, /* no content type: the bytes decide */
};
enum web_kind web_kind(struct sv type);
/* Also considers the bytes; never WEB_UNKNOWN. */
enum web_kind web_kind_of_body(struct sv type, struct sv body);

/* Fills `page->text` and `page->cut` from a body; `page->url` must be set. Fails like html_to_md(), or
 * with ERR_UNSUPPORTED if the bytes are not text. */
must_use bool web_read(struct web_page *page, struct sv body, struct sv type, struct err *err);
/* The same from the text of a PDF (pdf_text.h); `is_full`: the text was cut. */
void web_read_pdf(struct web_page *page, struct sv text, bool is_full);

/* "Not Found"; "" if the status has no common name. */
const char *web_status_name(int code);

#endif

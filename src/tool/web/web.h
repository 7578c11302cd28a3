/* web.h - what WebFetch and WebSearch know for an agent: the user's settings, and
 * the pages fetched in the last quarter of an hour. */
#ifndef AWL_TOOL_WEB_WEB_H
#define AWL_TOOL_WEB_WEB_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

/* A page as it is told. */
struct web_page {
	struct str asked; /* the URL it is known by */
	struct str url;   /* where it was found in the end */
	struct str text;  /* at most LIMIT_WEB_TEXT bytes of it, Markdown or as it came */
	bool cut;         /* there was more */
	size_t bytes;     /* as it came */
	int code;         /* HTTP's status */
	int64_t at;       /* loop_now() when it came */
};

void web_page_clear(struct web_page *page);

struct web {
	/* AWL_WEB_ALLOW_PRIVATE=1: also this machine and the network around it. */
	bool allow_private;
	/* AWL_SEARCH_URL: the search page of a SearXNG, to which q= and format=json are
	 * added; "" when there is none. */
	struct str search_url;
	/* AWL_SEARCH_COMMAND: a program that searches (search_command.h); "" likewise. */
	struct str search_command;
	VEC(struct web_page) pages; /* the oldest first, at most LIMIT_WEB_CACHED */
};

/* `env` is NULL-terminated, or NULL. */
struct web *web_new(const char *const *env);
void web_free(struct web *web);
void web_freep(struct web **web);

/* The page last fetched by this URL, unless that is too long ago; NULL: none. Borrows
 * until the next call. `web` may be NULL in both. */
const struct web_page *web_recall(struct web *web, struct sv asked, int64_t now);
/* Takes what `page` owns. */
void web_remember(struct web *web, struct web_page *page);

/* What the type of a body ("text/html; charset=utf-8") makes of it. */
enum web_kind {
	WEB_OTHER, /* not for us to read */
	WEB_HTML,
	WEB_TEXT,
	WEB_PDF,
	WEB_UNKNOWN, /* no type is said: its bytes decide */
};
enum web_kind web_kind(struct sv type);
/* ... and never WEB_UNKNOWN. */
enum web_kind web_kind_of_body(struct sv type, struct sv body);

/* Fills `page->text` and `page->cut` from a body; `page->url` is there. Fails as
 * html_to_md() does, or (ERR_UNSUPPORTED) when the bytes are no text. */
must_use bool web_read(struct web_page *page, struct sv body, struct sv type, struct err *err);
/* The same from the text of a PDF (pdf_text.h); `is_full`: there was more of it. */
void web_read_pdf(struct web_page *page, struct sv text, bool is_full);

/* "Not Found"; "" for a status that has no usual name. */
const char *web_status_name(int code);

#endif

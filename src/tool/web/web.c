#include "tool/web/web.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "text/html/html_md.h"
#include "text/invisible.h"

enum { KEPT_MS = 15 * 60 * 1000 };

/* --- recent pages ----------------------------------------------------------------- */

void web_page_clear(struct web_page *page)
{
	str_clear(&page->asked);
	str_clear(&page->url);
	str_clear(&page->text);
}

static struct sv web_env_value(const char *const *env, struct sv name)
{
	for (size_t i = 0; env && env[i]; i++) {
		struct sv value = sv_cstr(env[i]), key;

		if (sv_cut(&value, '=', &key) && value.ptr && sv_eq(key, name))
			return value;
	}
	return SV_EMPTY;
}

struct web *web_new(const char *const *env)
{
	struct web *web = xnew(struct web);

	web->allow_private = sv_is(web_env_value(env, SV("AWL_WEB_ALLOW_PRIVATE")), "1");
	str_add(&web->search_url, web_env_value(env, SV("AWL_SEARCH_URL")));
	str_add(&web->search_command, sv_trim(web_env_value(env, SV("AWL_SEARCH_COMMAND"))));
	return web;
}

static void web_forget(struct web *web, size_t i)
{
	web_page_clear(&web->pages.at[i]);
	vec_remove(&web->pages, i);
}

void web_free(struct web *web)
{
	if (!web)
		return;
	while (web->pages.n)
		web_forget(web, web->pages.n - 1);
	vec_clear(&web->pages);
	str_clear(&web->search_url);
	str_clear(&web->search_command);
	free(web);
}

void web_freep(struct web **web)
{
	web_free(*web);
	*web = NULL;
}

const struct web_page *web_recall(struct web *web, struct sv asked, int64_t now)
{
	if (!web)
		return NULL;
	while (web->pages.n && now - web->pages.at[0].at >= KEPT_MS)
		web_forget(web, 0);
	for (size_t i = web->pages.n; i-- > 0;)
		if (sv_eq(sv_of(&web->pages.at[i].asked), asked))
			return &web->pages.at[i];
	return NULL;
}

void web_remember(struct web *web, struct web_page *page)
{
	if (!web) {
		web_page_clear(page);
		return;
	}
	if (web->pages.n == LIMIT_WEB_CACHED)
		web_forget(web, 0);
	vec_push(&web->pages, *page);
	*page = (struct web_page){ .code = 0 };
}

/* --- content types --------------------------------------------------------------- */

static bool web_ends_nocase(struct sv s, struct sv end)
{
	return s.len >= end.len && sv_eq_nocase(sv_skip(s, s.len - end.len), end);
}

enum web_kind web_kind(struct sv type)
{
	static const char readable[][23] = {
		"application/json",   "application/xml",      "application/javascript",
		"application/x-yaml", "application/yaml",     "application/toml",
		"application/x-sh",   "application/x-ndjson", "application/ld+json",
	};
	struct sv name = sv_trim(sv_slice(type, 0, sv_find_char(type, ';')));

	if (!name.len)
		return WEB_UNKNOWN;
	if (sv_eq_nocase(name, SV("text/html")) || sv_eq_nocase(name, SV("application/xhtml+xml")))
		return WEB_HTML;
	if (sv_eq_nocase(name, SV("application/pdf")) ||
	    sv_eq_nocase(name, SV("application/x-pdf")))
		return WEB_PDF;
	if (sv_find_nocase(name, SV("text/")) == 0 || web_ends_nocase(name, SV("+json")) ||
	    (web_ends_nocase(name, SV("+xml")) && !sv_eq_nocase(name, SV("image/svg+xml"))))
		return WEB_TEXT;
	for (size_t i = 0; i < countof(readable); i++)
		if (sv_eq_nocase(name, sv_cstr(readable[i])))
			return WEB_TEXT;
	return WEB_OTHER;
}

/* Without a content type, the bytes decide. */
static enum web_kind web_kind_by_bytes(struct sv body)
{
	if (sv_starts(body, SV("%PDF-")))
		return WEB_PDF;
	if (sv_starts(sv_trim(sv_slice(body, 0, KIB)), SV("<")))
		return WEB_HTML;
	return utf8_valid(body, NULL) && sv_find_char(body, '\0') == SIZE_MAX ? WEB_TEXT
									      : WEB_OTHER;
}

enum web_kind web_kind_of_body(struct sv type, struct sv body)
{
	enum web_kind kind = web_kind(type);

	return kind == WEB_UNKNOWN ? web_kind_by_bytes(body) : kind;
}

/* Reads Latin-1 as Windows-1252, like browsers. */
static bool is_latin(struct sv type)
{
	return sv_find_nocase(type, SV("iso-8859-1")) != SIZE_MAX ||
	       sv_find_nocase(type, SV("windows-1252")) != SIZE_MAX ||
	       sv_find_nocase(type, SV("latin1")) != SIZE_MAX;
}

static void web_add_latin(struct str *out, struct sv body)
{
	static const uint16_t from_80[32] = {
		0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
		0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
		0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
		0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178,
	};

	for (size_t i = 0; i < body.len; i++) {
		unsigned char c = (unsigned char)body.ptr[i];

		utf8_encode(out, c >= 0x80 && c < 0xa0 ? from_80[c - 0x80] : c);
	}
}

bool web_read(struct web_page *page, struct sv body, struct sv type, struct err *err)
{
	enum web_kind kind = web_kind_of_body(type, body);
	defer(str_clear) struct str decoded = STR_INIT;

	if (kind == WEB_OTHER || kind == WEB_PDF)
		return err_set(err, ERR_UNSUPPORTED, "its content is not text");
	if (is_latin(type)) {
		web_add_latin(&decoded, body);
		body = sv_of(&decoded);
	}
	if (kind == WEB_HTML)
		return html_to_md(&page->text, body, sv_of(&page->url), LIMIT_WEB_TEXT, &page->cut,
				  err);
	page->cut = body.len > LIMIT_WEB_TEXT;
	invisible_drop(&page->text, utf8_prefix(body, LIMIT_WEB_TEXT));
	str_truncate(&page->text, utf8_prefix(sv_of(&page->text), LIMIT_WEB_TEXT).len);
	return true;
}

void web_read_pdf(struct web_page *page, struct sv text, bool is_full)
{
	struct sv one;

	for (int number = 1; page->text.len < LIMIT_WEB_TEXT && sv_cut(&text, '\f', &one);
	     number++) {
		str_addf(&page->text, "%s[Page %d]\n", number > 1 ? "\n\n" : "", number);
		invisible_drop(&page->text, sv_trim(one));
	}
	page->cut = is_full || text.len > 0 || page->text.len > LIMIT_WEB_TEXT;
	str_truncate(&page->text, utf8_prefix(sv_of(&page->text), LIMIT_WEB_TEXT).len);
}

const char *web_status_name(int code)
{
	static const struct {
		int code;
		char name[32];
	} names[] = {
		{ 200, "OK" },
		{ 203, "Non-Authoritative Information" },
		{ 204, "No Content" },
		{ 206, "Partial Content" },
		{ 301, "Moved Permanently" },
		{ 302, "Found" },
		{ 303, "See Other" },
		{ 307, "Temporary Redirect" },
		{ 308, "Permanent Redirect" },
		{ 400, "Bad Request" },
		{ 401, "Unauthorized" },
		{ 402, "Payment Required" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 406, "Not Acceptable" },
		{ 410, "Gone" },
		{ 429, "Too Many Requests" },
		{ 451, "Unavailable For Legal Reasons" },
		{ 500, "Internal Server Error" },
		{ 502, "Bad Gateway" },
		{ 503, "Service Unavailable" },
		{ 504, "Gateway Timeout" },
	};

	for (size_t i = 0; i < countof(names); i++)
		if (names[i].code == code)
			return names[i].name;
	return "";
}

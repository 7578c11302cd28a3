/* Markdown from any bytes is UTF-8 that a screen shows, no longer than allowed, the
 * same each time, and with a lower limit a start of itself; links lead to the web. */
#include "text/html/html_md.h"
#include "base/utf8.h"
#include "text/invisible.h"
#include "text/url.h"

enum { MAX_SIZE = 4096, MAX_OUT = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool convert(struct str *out, struct sv html, size_t max, bool *cut)
{
	struct err err = ERR_INIT;
	bool ok = html_to_md(out, html, SV("https://h.example/d/p?q"), max, cut, &err);

	BUG_ON(!ok && err.kind != ERR_TOO_BIG);
	BUG_ON(!ok && out->len);
	BUG_ON(out->len > max);
	return ok;
}

static void check_seen(struct sv text)
{
	uint32_t rune;
	int n;

	BUG_ON(!utf8_valid(text, NULL));
	for (; text.len; text = sv_skip(text, (size_t)n)) {
		n = utf8_decode(text, &rune);
		BUG_ON(invisible_is(rune));
	}
}

static void check_start(struct sv html, struct sv whole, size_t max)
{
	defer(str_clear) struct str part = STR_INIT;
	bool cut;

	BUG_ON(!convert(&part, html, max, &cut));
	BUG_ON(!sv_starts(whole, sv_of(&part)));
	BUG_ON(cut != (max < whole.len));
	BUG_ON(cut && max - part.len > 3);
}

static void check_target(struct sv href)
{
	defer(str_clear) struct str out = STR_INIT;
	defer(str_clear) struct str again = STR_INIT;
	struct url url;

	if (!url_resolve(&out, SV("https://h.example/d/p?q"), href))
		return;
	url = url_split(sv_of(&out));
	BUG_ON(!url.scheme.len);
	if (!url_is_web(&url))
		return;
	BUG_ON(!url_resolve(&again, SV(""), sv_of(&out)));
	BUG_ON(!sv_eq(sv_of(&again), sv_of(&out)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(str_clear) struct str whole = STR_INIT;
	struct sv html = sv_from((const char *)data, size);
	bool cut;

	if (size > MAX_SIZE)
		return 0;
	check_target(html);
	if (!convert(&whole, html, MAX_OUT, &cut))
		return 0;
	BUG_ON(cut);
	check_seen(sv_of(&whole));
	check_start(html, sv_of(&whole), whole.len);
	check_start(html, sv_of(&whole), whole.len / 2);
	return 0;
}

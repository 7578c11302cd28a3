#include "model/script/redact.h"

enum { SHORTEST = 8 };

void redact_add(struct redact *r, struct sv secret)
{
	for (size_t i = 0; i < r->secrets.n; i++)
		if (sv_eq(r->secrets.at[i], secret))
			return;
	if (secret.len >= SHORTEST)
		vec_push(&r->secrets, arena_dup(&r->arena, secret));
}

void redact_clear(struct redact *r)
{
	vec_clear(&r->secrets);
	arena_clear(&r->arena);
}

/* Returns the length of the longest secret that `text` starts with. */
static size_t redact_secret_at(const struct redact *r, struct sv text)
{
	size_t longest = 0;

	for (size_t i = 0; i < r->secrets.n; i++)
		if (r->secrets.at[i].len > longest && sv_starts(text, r->secrets.at[i]))
			longest = r->secrets.at[i].len;
	return longest;
}

void redact_text(struct str *out, const struct redact *r, struct sv text)
{
	size_t kept = 0;

	for (size_t at = 0; r->secrets.n && at < text.len;) {
		size_t n = redact_secret_at(r, sv_skip(text, at));

		if (!n) {
			at++;
			continue;
		}
		str_add(out, sv_slice(text, kept, at));
		str_adds(out, REDACTED);
		kept = at += n;
	}
	str_add(out, sv_skip(text, kept));
}

/* --- names --------------------------------------------------------------- */

static bool is_secret_name(struct sv name, const struct sv *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_find_nocase(name, words[i]) != SIZE_MAX)
			return true;
	return false;
}

/* In requests, everything that might be a credential is redacted. Responses contain token counts and
 * names of keys, so their list is short. */
static bool redact_is_credential(struct sv name, bool received)
{
	static const struct sv sent[] = {
		SV_INIT("auth"),   SV_INIT("key"),        SV_INIT("token"),
		SV_INIT("secret"), SV_INIT("password"),   SV_INIT("cookie"),
		SV_INIT("sig"),    SV_INIT("credential"), SV_INIT("code"),
	};
	static const struct sv back[] = { SV_INIT("authorization"), SV_INIT("cookie"),
					  SV_INIT("api-key"), SV_INIT("security-token"),
					  SV_INIT("secret") };

	return received ? is_secret_name(name, back, countof(back))
			: is_secret_name(name, sent, countof(sent));
}

void redact_header(struct str *out, const struct redact *r, const struct http_header *header,
		   bool received)
{
	if (redact_is_credential(header->name, received))
		str_adds(out, REDACTED);
	else
		redact_text(out, r, header->value);
}

/* --- URLs ---------------------------------------------------------------- */

static void redact_query(struct str *out, const struct redact *r, struct sv query)
{
	char before = '?';
	struct sv pair;

	while (sv_cut(&query, '&', &pair)) {
		size_t equals = sv_find_char(pair, '=');

		str_addc(out, before);
		before = '&';
		if (equals != SIZE_MAX && redact_is_credential(sv_slice(pair, 0, equals), false))
			str_addf(out, "%.*s=" REDACTED, SV_ARG(sv_slice(pair, 0, equals)));
		else
			redact_text(out, r, pair);
	}
}

void redact_url(struct str *out, const struct redact *r, struct sv url)
{
	size_t scheme = sv_find(url, SV("://"));
	struct sv rest = scheme == SIZE_MAX ? url : sv_skip(url, scheme + 3);
	struct sv host = sv_slice(rest, 0, sv_find_char(rest, '/'));
	size_t at = sv_rfind_char(host, '@'), query;

	str_add(out, sv_slice(url, 0, url.len - rest.len));
	if (at != SIZE_MAX) {
		str_adds(out, REDACTED "@");
		rest = sv_skip(rest, at + 1);
	}
	query = sv_find_char(rest, '?');
	redact_text(out, r, sv_slice(rest, 0, query));
	if (query != SIZE_MAX)
		redact_query(out, r, sv_skip(rest, query + 1));
}

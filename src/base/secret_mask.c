#include "base/secret_mask.h"

#include "base/ascii.h"

#define SECRET_MASK "[secret]"

enum {
	SECRET_TOKEN = 12, /* least length of what follows a well-known beginning */
	SECRET_VALUE = 6,  /* least length of the value of a name */
};

/* Characters of keys and passwords that mean nothing to a shell. */
static bool secret_is_literal(char c)
{
	return ascii_is_alnum(c) || (c && strchr("_-.+=~%^@#!", c));
}

static size_t secret_literal_length(struct sv text)
{
	size_t n = 0;

	while (n < text.len && secret_is_literal(text.ptr[n]))
		n++;
	return n;
}

/* --- tokens -------------------------------------------------------------------- */

/* Returns the length of a token with a well-known beginning at the start of `text`; 0: none. */
static size_t secret_token_length(struct sv text)
{
	static const char starts[][12] = { "sk-",         "ghp_",   "gho_",  "ghu_",  "ghs_",
					   "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-",
					   "AKIA",        "ASIA",   "AIza",  "ya29.", "eyJ",
					   "npm_",        "hf_",    "pypi-" };
	size_t n = secret_literal_length(text);

	for (size_t i = 0; i < countof(starts); i++)
		if (sv_starts(text, sv_cstr(starts[i])) && n >= strlen(starts[i]) + SECRET_TOKEN)
			return n;
	return 0;
}

/* Returns where the credential after "Bearer " or "Basic " starts; 0: there is none. */
static size_t secret_scheme_length(struct sv text)
{
	static const char *const schemes[] = { "Bearer ", "Basic ", "bearer ", "basic " };

	for (size_t i = 0; i < countof(schemes); i++)
		if (sv_starts(text, sv_cstr(schemes[i])))
			return strlen(schemes[i]);
	return 0;
}

/* --- URLs ---------------------------------------------------------------------- */

/* Returns where the password of a URL is, counted from its "://"; false: it has none. */
static bool secret_find_password(struct sv text, size_t *from, size_t *to)
{
	size_t colon = 0;

	for (size_t i = strlen("://"); i < text.len; i++) {
		char c = text.ptr[i];

		if (c == ':' && !colon) {
			colon = i;
		} else if (c == '@') {
			*from = colon + 1;
			*to = i;
			return colon && i > colon + 1;
		} else if (!secret_is_literal(c)) {
			return false;
		}
	}
	return false;
}

/* --- names --------------------------------------------------------------------- */

static bool secret_contains(struct sv name, const char *part)
{
	size_t n = strlen(part);

	for (size_t i = 0; i + n <= name.len; i++)
		if (sv_eq_nocase(sv_slice(name, i, i + n), sv_cstr(part)))
			return true;
	return false;
}

static bool secret_is_name(struct sv name)
{
	static const char parts[][12] = { "token",     "secret",     "passw",
					  "api_key",   "apikey",     "api-key",
					  "accesskey", "access_key", "private_key" };

	for (size_t i = 0; i < countof(parts); i++)
		if (secret_contains(name, parts[i]))
			return true;
	return false;
}

/* Returns the name that ends before `at`, without a quote that closes it. */
static struct sv secret_name_before(struct sv text, size_t at)
{
	size_t end = at, from;

	if (end && (text.ptr[end - 1] == '"' || text.ptr[end - 1] == '\''))
		end--;
	for (from = end;
	     from && (ascii_is_alnum(text.ptr[from - 1]) || strchr("_-", text.ptr[from - 1]));)
		from--;
	return sv_slice(text, from, end);
}

/* Returns the length of what separates a name from its value: `=`, `: "`; 0: nothing does. */
static size_t secret_separator_length(struct sv text)
{
	size_t n = 1;

	if (!text.len || (text.ptr[0] != '=' && text.ptr[0] != ':'))
		return 0;
	while (n < text.len && text.ptr[n] == ' ')
		n++;
	return n < text.len && (text.ptr[n] == '"' || text.ptr[n] == '\'') ? n + 1 : n;
}

/* Returns whether a value is long enough for a secret, and not a number: max_tokens=128000. */
static bool secret_is_plausible(struct sv value)
{
	size_t digits = 0;

	while (digits < value.len && ascii_is_digit(value.ptr[digits]))
		digits++;
	return value.len >= SECRET_VALUE && digits < value.len;
}

/* Returns whether a secret value starts after the separator at `at`; then `*skip` leads to it. */
static bool secret_is_value(struct sv text, size_t at, size_t *skip)
{
	size_t n = secret_separator_length(sv_skip(text, at));
	struct sv value = sv_skip(text, at + n);

	*skip = n;
	return n && secret_is_name(secret_name_before(text, at)) &&
	       secret_is_plausible(sv_slice(value, 0, secret_literal_length(value)));
}

/* --- all of it ------------------------------------------------------------------ */

/* Copies `keep` bytes at `at`, hides `hide` bytes after them, and moves on. */
static void secret_hide(struct str *out, struct sv text, size_t *at, size_t keep, size_t hide)
{
	str_add(out, sv_slice(text, *at, *at + keep));
	str_adds(out, SECRET_MASK);
	*at += keep + hide;
}

static bool secret_starts_word(struct sv text, size_t at)
{
	return !at || !ascii_is_alnum(text.ptr[at - 1]);
}

void secret_mask(struct str *out, struct sv text)
{
	size_t at = 0, from, to, n;

	while (at < text.len) {
		struct sv rest = sv_skip(text, at);

		if (secret_starts_word(text, at) && (n = secret_token_length(rest))) {
			secret_hide(out, text, &at, 0, n);
		} else if (sv_starts(rest, SV("://")) && secret_find_password(rest, &from, &to)) {
			secret_hide(out, text, &at, from, to - from);
		} else if ((secret_starts_word(text, at) && (n = secret_scheme_length(rest)) &&
			    secret_literal_length(sv_skip(rest, n))) ||
			   secret_is_value(text, at, &n)) {
			secret_hide(out, text, &at, n, secret_literal_length(sv_skip(rest, n)));
		} else {
			str_addc(out, text.ptr[at++]);
		}
	}
}

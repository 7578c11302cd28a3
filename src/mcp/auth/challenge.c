#include "mcp/auth/challenge.h"

#include "base/ascii.h"

struct challenge_reader {
	struct sv rest;
	struct arena *arena;
};

static bool is_token_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c && strchr("!#$%&'*+-.^_`|~", c));
}

static void challenge_skip(struct challenge_reader *r, const char *chars)
{
	while (r->rest.len && *r->rest.ptr && strchr(chars, *r->rest.ptr))
		r->rest = sv_skip(r->rest, 1);
}

static struct sv challenge_token(struct challenge_reader *r)
{
	size_t n = 0;
	struct sv token;

	while (n < r->rest.len && is_token_char(r->rest.ptr[n]))
		n++;
	token = sv_slice(r->rest, 0, n);
	r->rest = sv_skip(r->rest, n);
	return token;
}

/* A token or a quoted string. */
static struct sv challenge_value(struct challenge_reader *r)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t i = 1;

	if (!sv_starts(r->rest, SV("\"")))
		return challenge_token(r);
	for (; i < r->rest.len && r->rest.ptr[i] != '"'; i++) {
		if (r->rest.ptr[i] == '\\' && i + 1 < r->rest.len)
			i++;
		str_addc(&text, r->rest.ptr[i]);
	}
	r->rest = sv_skip(r->rest, i + 1);
	return arena_dup(r->arena, sv_of(&text));
}

static void challenge_set(struct challenge *c, struct sv name, struct sv value)
{
	if (sv_eq_nocase(name, SV("error")))
		c->error = value;
	else if (sv_eq_nocase(name, SV("scope")))
		c->scope = value;
	else if (sv_eq_nocase(name, SV("resource_metadata")))
		c->resource_metadata = value;
}

/* Read the parameters of one challenge, until a word that is not followed by "=": the scheme of the
 * next one. */
static void challenge_parameters(struct challenge_reader *r, struct challenge *out)
{
	for (;;) {
		struct challenge_reader before;
		struct sv name;

		challenge_skip(r, " \t,");
		before = *r;
		name = challenge_token(r);
		challenge_skip(r, " \t");
		if (!name.len || !sv_starts(r->rest, SV("="))) {
			*r = before;
			return;
		}
		r->rest = sv_skip(r->rest, 1);
		challenge_skip(r, " \t");
		challenge_set(out, name, challenge_value(r));
	}
}

struct challenge challenge_read(struct sv header, struct arena *arena)
{
	struct challenge_reader r = { .rest = arena_dup(arena, header), .arena = arena };
	struct challenge found = { .is_bearer = false };

	while (r.rest.len) {
		struct challenge one = { .is_bearer = false };
		struct sv scheme;

		challenge_skip(&r, " \t,");
		scheme = challenge_token(&r);
		if (!scheme.len) { /* such as the padding of a token68 */
			r.rest = sv_skip(r.rest, 1);
			continue;
		}
		one.is_bearer = sv_eq_nocase(scheme, SV("bearer"));
		challenge_parameters(&r, &one);
		if (one.is_bearer && !found.is_bearer)
			found = one;
	}
	return found;
}

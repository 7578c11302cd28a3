#include "model/auth/aws_sign.h"

#include <time.h>

#include "text/digest.h"
#include "text/hex.h"
#include "text/percent.h"

#define ALGORITHM "AWS4-HMAC-SHA256"

/* The parts of a URL that are signed; views into it. */
struct target {
	struct sv host; /* with its port unless that is the scheme's own */
	struct sv path, query;
};

static bool aws_sign_split_url(struct target *out, struct sv url, struct err *err)
{
	size_t scheme = sv_find(url, SV("://"));
	bool tls = sv_starts(url, SV("https:"));
	struct sv rest, host;
	size_t slash;

	if (scheme == SIZE_MAX)
		return err_set(err, ERR_INVALID, "cannot sign a request without a URL");
	rest = sv_skip(url, scheme + 3);
	rest = sv_slice(rest, 0, sv_find_char(rest, '#'));
	host = sv_slice(rest, 0, sv_find_char(rest, '?'));
	slash = sv_find_char(host, '/');
	out->path = slash == SIZE_MAX ? SV("/") : sv_skip(host, slash);
	out->query = sv_skip(rest, host.len + 1);
	host = sv_slice(host, 0, slash);
	host = sv_skip(host, sv_rfind_char(host, '@') + 1);
	if (sv_ends(host, tls ? SV(":443") : SV(":80")))
		host.len -= tls ? 4 : 3;
	if (host.len == 0)
		return err_set(err, ERR_INVALID, "cannot sign a request without a host");
	out->host = host;
	return true;
}

static int aws_sign_order_views(const void *a, const void *b)
{
	return sv_cmp(*(const struct sv *)a, *(const struct sv *)b);
}

/* Compare the names alone: a '-' inside a name sorts below the ':' that ends one. */
static int aws_sign_order_headers(const void *a, const void *b)
{
	struct sv x = *(const struct sv *)a, y = *(const struct sv *)b;

	return sv_cmp(sv_slice(x, 0, sv_find_char(x, ':')), sv_slice(y, 0, sv_find_char(y, ':')));
}

/* Append the parameters in byte order of their encoded form, each with its '='. They are already
 * encoded in the URL. */
static void aws_sign_add_query(struct str *out, struct arena *arena, struct sv query)
{
	VEC(struct sv) params = VEC_INIT;
	struct sv param, name;

	while (query.len > 0 && sv_cut(&query, '&', &param)) {
		defer(str_clear) struct str text = STR_INIT;

		if (!sv_cut(&param, '=', &name))
			continue;
		percent_encode(&text, name, "%");
		str_addc(&text, '=');
		percent_encode(&text, param, "%");
		vec_push(&params, arena_dup(arena, sv_of(&text)));
	}
	if (params.n)
		qsort(params.at, params.n, sizeof(*params.at), aws_sign_order_views);
	for (size_t i = 0; i < params.n; i++) {
		if (i > 0)
			str_addc(out, '&');
		str_add(out, params.at[i]);
	}
	vec_clear(&params);
}

static void aws_sign_lower(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		str_addc(out, c >= 'A' && c <= 'Z' ? (char)(c + 32) : c);
	}
}

/* Append the value without blanks at its ends, and with one blank for each run of them. */
static void aws_sign_add_value(struct str *out, struct sv value)
{
	value = sv_trim(value);
	for (size_t i = 0; i < value.len; i++)
		if (value.ptr[i] != ' ' || value.ptr[i - 1] != ' ')
			str_addc(out, value.ptr[i]);
}

static bool is_signed(struct sv name)
{
	return sv_eq_nocase(name, SV("content-type")) ||
	       sv_eq_nocase(sv_slice(name, 0, 6), SV("x-amz-"));
}

/* Appends "name:value\n" for each signed header to `out`, sorted, and the list of
 * their names to `names`. */
static void aws_sign_add_headers(struct str *out, struct str *names, struct wire *wire,
				 struct sv host)
{
	VEC(struct sv) lines = VEC_INIT;

	vec_push(&lines, arena_printf(&wire->arena, "host:%.*s", SV_ARG(host)));
	for (size_t i = 0; i < wire->headers.n; i++) {
		const struct http_header *header = &wire->headers.at[i];
		defer(str_clear) struct str line = STR_INIT;

		if (!is_signed(header->name))
			continue;
		aws_sign_lower(&line, header->name);
		str_addc(&line, ':');
		aws_sign_add_value(&line, header->value);
		vec_push(&lines, arena_dup(&wire->arena, sv_of(&line)));
	}
	qsort(lines.at, lines.n, sizeof(*lines.at), aws_sign_order_headers);
	for (size_t i = 0; i < lines.n; i++) {
		if (i > 0)
			str_addc(names, ';');
		str_add(names, sv_slice(lines.at[i], 0, sv_find_char(lines.at[i], ':')));
		str_add(out, lines.at[i]);
		str_addc(out, '\n');
	}
	vec_clear(&lines);
}

static struct digest aws_sign_hash_body(const struct wire *wire)
{
	struct sha256 hash;

	sha256_init(&hash);
	for (size_t i = 0; i < wire->body.n; i++)
		sha256_add(&hash, wire->body.at[i]);
	return sha256_end(&hash);
}

static void aws_sign_add_hex(struct str *out, struct digest digest)
{
	hex_encode(out, digest_sv(&digest));
}

/* Append the canonical request, which both sides hash. */
static struct digest aws_sign_hash_request(struct wire *wire, const char *method,
					   const struct target *target, struct str *names)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "%s\n", method);
	percent_encode(&text, target->path, "/");
	str_addc(&text, '\n');
	aws_sign_add_query(&text, &wire->arena, target->query);
	str_addc(&text, '\n');
	aws_sign_add_headers(&text, names, wire, target->host);
	str_addf(&text, "\n%s\n", str_c(names));
	aws_sign_add_hex(&text, aws_sign_hash_body(wire));
	return sha256(sv_of(&text));
}

/* Derive the key for one day, region and service. */
static struct digest aws_sign_derive_key(struct sv secret, struct sv day,
					 const struct aws_scope *scope)
{
	defer(str_clear) struct str start = STR_INIT;
	struct digest key;

	str_addf(&start, "AWS4%.*s", SV_ARG(secret));
	key = hmac_sha256(sv_of(&start), day);
	key = hmac_sha256(digest_sv(&key), scope->region);
	key = hmac_sha256(digest_sv(&key), scope->service);
	return hmac_sha256(digest_sv(&key), SV("aws4_request"));
}

struct stamp {
	char text[17]; /* "20150830T123600Z" */
};

static struct stamp stamp_of(int64_t wall_ms)
{
	time_t seconds = (time_t)(wall_ms / 1000);
	struct stamp stamp;
	struct tm tm;

	gmtime_r(&seconds, &tm);
	if (strftime(stamp.text, sizeof(stamp.text), "%Y%m%dT%H%M%SZ", &tm) == 0)
		BUG("the clock is beyond the year 9999");
	return stamp;
}

bool aws_sign(struct wire *wire, const char *method, const struct credential *credential,
	      const struct aws_scope *scope, struct err *err)
{
	struct stamp stamp = stamp_of(scope->wall_ms);
	struct sv day = sv_from(stamp.text, 8);
	defer(str_clear) struct str names = STR_INIT;
	defer(str_clear) struct str within = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct target target = { .host = SV_EMPTY };
	struct digest key;

	if (credential->aws_id.len == 0 || credential->aws_secret.len == 0)
		return err_set(err, ERR_ACCESS, "no AWS access key to sign the request with");
	if (!aws_sign_split_url(&target, sv_cstr(wire->url), err))
		return false;
	wire_header(wire, "x-amz-date", sv_cstr(stamp.text));
	if (credential->aws_token.len > 0)
		wire_header(wire, "x-amz-security-token", credential->aws_token);

	str_addf(&within, "%.*s/%.*s/%.*s/aws4_request", SV_ARG(day), SV_ARG(scope->region),
		 SV_ARG(scope->service));
	str_addf(&text, ALGORITHM "\n%s\n%s\n", stamp.text, str_c(&within));
	aws_sign_add_hex(&text, aws_sign_hash_request(wire, method, &target, &names));
	key = aws_sign_derive_key(credential->aws_secret, day, scope);
	key = hmac_sha256(digest_sv(&key), sv_of(&text));

	str_truncate(&text, 0);
	str_addf(&text, ALGORITHM " Credential=%.*s/%s, SignedHeaders=%s, Signature=",
		 SV_ARG(credential->aws_id), str_c(&within), str_c(&names));
	aws_sign_add_hex(&text, key);
	wire_header(wire, "authorization", sv_of(&text));
	return true;
}

#include "text/url.h"

#include "base/ascii.h"
#include "base/limits.h"

static bool is_scheme(struct sv s)
{
	if (!s.len || !ascii_is_alpha(s.ptr[0]))
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (!ascii_is_alpha(s.ptr[i]) && !(s.ptr[i] >= '0' && s.ptr[i] <= '9') &&
		    s.ptr[i] != '+' && s.ptr[i] != '-' && s.ptr[i] != '.')
			return false;
	return true;
}

/* Take the part before the first of `ends` off the front of `*rest`. */
static struct sv url_take_until(struct sv *rest, const char *ends)
{
	struct sv head;
	size_t n = 0;

	while (n < rest->len && (!rest->ptr[n] || !strchr(ends, rest->ptr[n])))
		n++;
	head = sv_slice(*rest, 0, n);
	*rest = sv_skip(*rest, n);
	return head;
}

static void url_split_authority(struct url *u)
{
	size_t at = sv_rfind_char(u->authority, '@');
	struct sv rest = sv_skip(u->authority, at + 1); /* SIZE_MAX + 1 is 0 */

	u->has_user = at != SIZE_MAX;
	if (sv_starts(rest, SV("["))) {
		rest = sv_skip(rest, 1);
		u->host = url_take_until(&rest, "]");
		rest = sv_skip(rest, 1);
	} else {
		u->host = url_take_until(&rest, ":");
	}
	u->port = sv_skip(rest, 1);
}

struct url url_split(struct sv text)
{
	struct url u = { .scheme = sv_slice(text, 0, sv_find_char(text, ':')) };
	struct sv rest = text;

	if (u.scheme.len < text.len && is_scheme(u.scheme))
		rest = sv_skip(text, u.scheme.len + 1);
	else
		u.scheme = SV_EMPTY;
	if (sv_starts(rest, SV("//"))) {
		rest = sv_skip(rest, 2);
		u.authority = url_take_until(&rest, "/?#");
		url_split_authority(&u);
	}
	u.path = url_take_until(&rest, "?#");
	u.query = url_take_until(&rest, "#");
	u.fragment = rest;
	return u;
}

bool url_is_web(const struct url *url)
{
	return (sv_eq_nocase(url->scheme, SV("http")) || sv_eq_nocase(url->scheme, SV("https"))) &&
	       url->host.len > 0;
}

void url_add_web(struct str *out, struct sv text)
{
	struct sv scheme = url_split(text).scheme;

	if (sv_eq_nocase(scheme, SV("ws")) || sv_eq_nocase(scheme, SV("wss"))) {
		str_adds(out, scheme.len == strlen("ws") ? "http" : "https");
		text = sv_skip(text, scheme.len);
	}
	str_add(out, text);
}

/* Remove "." and ".." segments; never go above the root. */
static void url_add_path(struct str *out, struct sv path)
{
	size_t root = out->len, slash;
	struct sv rest = sv_skip(path, sv_starts(path, SV("/"))), segment;

	str_addc(out, '/');
	while (sv_cut(&rest, '/', &segment)) {
		if (sv_is(segment, "..")) {
			slash = sv_rfind_char(sv_slice(sv_of(out), root, out->len - 1), '/');
			str_truncate(out, root + (slash == SIZE_MAX ? 0 : slash) + 1);
		} else if (!sv_is(segment, ".")) {
			str_add(out, segment);
			if (rest.ptr)
				str_addc(out, '/');
		}
	}
}

/* Resolve the path of `ref` against the directory of `base`. */
static void url_add_merged(struct str *out, const struct url *base, const struct url *ref)
{
	defer(str_clear) struct str merged = STR_INIT;
	size_t dir = sv_rfind_char(base->path, '/');

	if (sv_starts(ref->path, SV("/")) || ref->authority.len) {
		url_add_path(out, ref->path);
	} else if (!ref->path.len) {
		url_add_path(out, base->path);
	} else {
		str_add(&merged, sv_slice(base->path, 0, dir + 1));
		str_add(&merged, ref->path);
		url_add_path(out, sv_of(&merged));
	}
}

static void url_clean(struct str *out, struct sv ref)
{
	ref = sv_trim(ref);
	for (size_t i = 0; i < ref.len; i++)
		if (ref.ptr[i] != '\n' && ref.ptr[i] != '\r' && ref.ptr[i] != '\t')
			str_addc(out, ref.ptr[i]);
}

static bool url_add_resolved(struct str *out, struct sv base_text, struct sv ref_text)
{
	struct url base = url_split(base_text), ref = url_split(ref_text);

	if (ref.scheme.len && !url_is_web(&ref)) {
		str_add(out, ref_text);
		return true;
	}
	if (!ref.scheme.len && !url_is_web(&base))
		return false;
	str_add(out, ref.scheme.len ? ref.scheme : base.scheme);
	str_adds(out, "://");
	str_add(out, ref.authority.len ? ref.authority : base.authority);
	url_add_merged(out, &base, &ref);
	str_add(out, ref.path.len || ref.query.len || ref.authority.len ? ref.query : base.query);
	str_add(out, ref.fragment);
	return true;
}

bool url_resolve(struct str *out, struct sv base, struct sv ref)
{
	defer(str_clear) struct str cleaned = STR_INIT;
	defer(str_clear) struct str result = STR_INIT;

	if (ref.len > LIMIT_URL || base.len > LIMIT_URL)
		return false;
	url_clean(&cleaned, ref);
	if (!url_add_resolved(&result, base, sv_of(&cleaned)) || result.len > LIMIT_URL)
		return false;
	str_add(out, sv_of(&result));
	return true;
}

bool url_host_is_in(struct sv host, struct sv domain)
{
	struct sv end = sv_skip(host, host.len - min_of(domain.len, host.len));

	if (!domain.len || !sv_eq_nocase(end, domain))
		return false;
	return host.len == domain.len || host.ptr[host.len - domain.len - 1] == '.';
}

static struct sv url_port(const struct url *url)
{
	if (url->port.len)
		return url->port;
	return sv_eq_nocase(url->scheme, SV("https")) ? SV("443") : SV("80");
}

bool url_is_same_origin(struct sv a, struct sv b)
{
	struct url x = url_split(a), y = url_split(b);

	return url_is_web(&x) && url_is_web(&y) && sv_eq_nocase(x.scheme, y.scheme) &&
	       sv_eq_nocase(x.host, y.host) && sv_eq(url_port(&x), url_port(&y));
}

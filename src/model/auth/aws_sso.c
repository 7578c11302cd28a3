#include "model/auth/aws_sso.h"

#include "base/limits.h"
#include "sys/fs.h"
#include "text/iso_time.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

struct search {
	const struct aws_sso *sso;
	struct str *token;
	int64_t expires_ms; /* of the token */
};

/* The AWS CLI names the files by a hash; what is inside says whose they are. */
static enum fs_visit aws_sso_visit(void *arg, const struct fs_entry *entry)
{
	struct search *s = arg;
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored = ERR_INIT;
	struct json root;
	struct sv token;
	int64_t expires_ms;

	fs_join(&path, sv_cstr(s->sso->cache), entry->path);
	if (entry->kind != FS_FILE || !sv_ends(sv_of(&path), SV(".json")) ||
	    !fs_read(&text, path.ptr, LIMIT_CLOUD_FILE, &ignored))
		return FS_SKIP;
	doc = json_parse(sv_of(&text), 0, &ignored);
	root = json_root(doc);
	token = json_str_or(json_get(root, "accessToken"), SV_EMPTY);
	if (!token.len ||
	    !sv_is(json_str_or(json_get(root, "startUrl"), SV_EMPTY), s->sso->start_url) ||
	    !iso_time_parse(json_str_or(json_get(root, "expiresAt"), SV_EMPTY), &expires_ms) ||
	    expires_ms <= s->expires_ms)
		return FS_SKIP;
	s->expires_ms = expires_ms;
	str_set(s->token, token);
	return FS_SKIP;
}

bool aws_sso_token(struct str *out, const struct aws_sso *sso, const char *profile, int64_t wall_ms,
		   struct err *err)
{
	defer(str_clear) struct str token = STR_INIT;
	struct search search = { .sso = sso, .token = &token, .expires_ms = -1 };
	struct err none = ERR_INIT;

	(void)!fs_walk(sso->cache, aws_sso_visit, &search, &none);
	if (search.expires_ms <= wall_ms)
		return err_set(err, ERR_NOT_FOUND, "%s; run: aws sso login%s%s",
			       search.expires_ms < 0 ? "there is no login for AWS SSO"
						     : "the login for AWS SSO has expired",
			       profile ? " --profile " : "", profile ? profile : "");
	str_add(out, sv_of(&token));
	return true;
}

bool aws_sso_keys(struct str *out, struct sv response, struct err *err)
{
	static const struct {
		const char *from, *to;
	} members[] = { { "accessKeyId", "AccessKeyId" },
			{ "secretAccessKey", "SecretAccessKey" },
			{ "sessionToken", "Token" } };
	struct err malformed = ERR_INIT; /* it would quote a byte */
	defer(json_doc_freep) struct json_doc *doc = json_parse(response, 0, &malformed);
	struct json keys = json_get(json_root(doc), "roleCredentials");
	int64_t expires_ms;
	struct jw w;

	if (!json_is(keys, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "the response has no \"roleCredentials\"");
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	for (size_t i = 0; i < countof(members); i++)
		jw_put_str(&w, members[i].to,
			   json_str_or(json_get(keys, members[i].from), SV_EMPTY));
	if (json_int(json_get(keys, "expiration"), &expires_ms))
		jw_put_str(&w, "Expiration", sv_cstr(iso_time(expires_ms).text));
	jw_end(&w);
	jw_done(&w);
	return true;
}

#include "model/auth/google_key.h"

#include "model/auth/google_aws.h"
#include "model/wire/wire.h"
#include "net/rsa.h"
#include "net/token_request.h"
#include "text/base64.h"
#include "text/iso_time.h"
#include "text/json/json_write.h"
#include "text/percent.h"

#define TOKEN_URI "https://oauth2.googleapis.com/token"
#define STS_URI   "https://sts.googleapis.com/v1/token"
#define AWS_IDENTITY_URL \
	"https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"
#define SCOPE "https://www.googleapis.com/auth/cloud-platform"

enum { COMMAND_MS = 30 * 1000, COMMAND_LEAST_MS = 5 * 1000, COMMAND_MOST_MS = 120 * 1000 };
enum { JWT_SECONDS = 3600, TOKEN_SECONDS = 3600, TOKEN_SECONDS_MAX = 86400 };

void google_key_clear(struct google_key *key)
{
	json_doc_free(key->doc);
	key->doc = NULL;
}

/* A secret must not be sent in the clear. */
static bool google_key_check_url(const char *name, struct sv url, struct err *err)
{
	return token_url_is_safe(url) ||
	       err_set(err, ERR_INVALID, "\"%s\" must begin with https://", name);
}

static bool google_key_read_service_account(struct google_key *key, struct json root,
					    struct err *err)
{
	key->kind = GOOGLE_SERVICE_ACCOUNT;
	key->private_key_id = json_str_or(json_get(root, "private_key_id"), SV_EMPTY);
	return json_need_str(root, "client_email", &key->email, err) &&
	       json_need_str(root, "private_key", &key->private_key, err);
}

static bool google_key_read_user(struct google_key *key, struct json root, struct err *err)
{
	key->kind = GOOGLE_AUTHORIZED_USER;
	return json_need_str(root, "client_id", &key->client_id, err) &&
	       json_need_str(root, "client_secret", &key->client_secret, err) &&
	       json_need_str(root, "refresh_token", &key->refresh_token, err);
}

/* Whether it is the metadata service of EC2, or on this machine. */
static bool google_key_is_metadata(struct sv url)
{
	return !url.len || sv_starts(url, SV("http://169.254.169.254/")) ||
	       sv_starts(url, SV("http://[fd00:ec2::254]/")) || token_url_is_safe(url);
}

static bool google_key_read_aws(struct google_key *key, struct json source, struct err *err)
{
	if (!sv_is(json_str_or(json_get(source, "environment_id"), SV_EMPTY), "aws1"))
		return err_set(err, ERR_UNSUPPORTED,
			       "\"environment_id\" is not \"aws1\"; awl supports no other");
	key->aws_url = json_str_or(json_get(source, "regional_cred_verification_url"),
				   SV(AWS_IDENTITY_URL));
	key->aws_keys_url = json_str_or(json_get(source, "url"), SV_EMPTY);
	key->aws_region_url = json_str_or(json_get(source, "region_url"), SV_EMPTY);
	key->aws_session_url = json_str_or(json_get(source, "imdsv2_session_token_url"), SV_EMPTY);
	if (!google_aws_url_is_identity(key->aws_url))
		return err_set(err, ERR_INVALID,
			       "\"regional_cred_verification_url\" must ask AWS STS for "
			       "GetCallerIdentity and nothing else");
	return (google_key_is_metadata(key->aws_keys_url) &&
		google_key_is_metadata(key->aws_region_url) &&
		google_key_is_metadata(key->aws_session_url)) ||
	       err_set(err, ERR_INVALID,
		       "the URLs of \"credential_source\" must be those of the EC2 metadata "
		       "service");
}

static bool google_key_read_source(struct google_key *key, struct json source, struct err *err)
{
	struct json format = json_get(source, "format"), command = json_get(source, "executable");
	int64_t ms = json_int_or(json_get(command, "timeout_millis"), COMMAND_MS);

	if (json_exists(json_get(source, "environment_id")))
		return google_key_read_aws(key, source, err);
	key->source_command = json_str_or(json_get(command, "command"), SV_EMPTY);
	key->source_ms = max_of(min_of(ms, (int64_t)COMMAND_MOST_MS), (int64_t)COMMAND_LEAST_MS);
	key->source_file = json_str_or(json_get(source, "file"), SV_EMPTY);
	key->source_url = json_str_or(json_get(source, "url"), SV_EMPTY);
	key->source_headers = json_get(source, "headers");
	if (sv_is(json_str_or(json_get(format, "type"), SV("text")), "json") &&
	    !json_need_str(format, "subject_token_field_name", &key->source_field, err))
		return false;
	return key->source_file.len || key->source_url.len || key->source_command.len ||
	       err_set(err, ERR_UNSUPPORTED,
		       "\"credential_source\" has neither \"file\", \"url\" nor \"executable\"; "
		       "awl "
		       "supports no other source");
}

static bool google_key_read_external(struct google_key *key, struct json root, struct err *err)
{
	key->kind = GOOGLE_EXTERNAL_ACCOUNT;
	key->token_uri = json_str_or(json_get(root, "token_url"), SV(STS_URI));
	return json_need_str(root, "audience", &key->audience, err) &&
	       json_need_str(root, "subject_token_type", &key->subject_type, err) &&
	       google_key_read_source(key, json_get(root, "credential_source"), err);
}

/* The kinds that can stand alone. */
static bool google_key_read_kind(struct google_key *key, struct json root, struct err *err)
{
	static const struct {
		const char *type, *url; /* the member that has the URL of the token server */
		bool (*read)(struct google_key *key, struct json root, struct err *err);
	} kinds[] = {
		{ "service_account", "token_uri", google_key_read_service_account },
		{ "authorized_user", "token_uri", google_key_read_user },
		{ "external_account", "token_url", google_key_read_external },
	};
	struct sv type;

	if (!json_need_str(root, "type", &type, err))
		return false;
	key->token_uri = json_str_or(json_get(root, "token_uri"), SV(TOKEN_URI));
	for (size_t i = 0; i < countof(kinds); i++)
		if (sv_is(type, kinds[i].type))
			return kinds[i].read(key, root, err) &&
			       google_key_check_url(kinds[i].url, key->token_uri, err);
	return err_set(err, ERR_UNSUPPORTED,
		       "Google credentials of type \"%.*s\" cannot be used; use a service_account "
		       "key, or run: gcloud auth application-default login",
		       (int)min_of(type.len, (size_t)60), type.ptr);
}

/* A login with --impersonate-service-account has the credentials of the user inside. */
static bool google_key_read_members(struct google_key *key, struct json root, struct err *err)
{
	struct json own = root;

	if (sv_is(json_str_or(json_get(root, "type"), SV_EMPTY), "impersonated_service_account") &&
	    !json_need_object(root, "source_credentials", &own, err))
		return false;
	if (!google_key_read_kind(key, own, err))
		return false;
	key->quota_project = json_str_or(json_get(root, "quota_project_id"), SV_EMPTY);
	key->project = json_str_or(json_get(root, "project_id"), key->quota_project);
	key->impersonation_url =
		json_str_or(json_get(root, "service_account_impersonation_url"), SV_EMPTY);
	return !key->impersonation_url.len ||
	       google_key_check_url("service_account_impersonation_url", key->impersonation_url,
				    err);
}

bool google_key_parse(struct google_key *out, struct sv text, struct err *err)
{
	struct google_key key = { .doc = json_parse(text, 0, err) };

	if (!key.doc)
		return false;
	if (!google_key_read_members(&key, json_root(key.doc), err)) {
		google_key_clear(&key);
		return false;
	}
	*out = key;
	return true;
}

static void google_key_add_part(struct str *out, struct str *json)
{
	base64_encode(out, sv_of(json), BASE64_URL);
	str_truncate(json, 0);
}

bool google_key_jwt(struct str *out, const struct google_key *key, int64_t wall_ms, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(str_clear) struct str token = STR_INIT;
	defer(str_clear) struct str signature = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "alg", SV("RS256"));
	jw_put_str(&w, "typ", SV("JWT"));
	if (key->private_key_id.len > 0)
		jw_put_str(&w, "kid", key->private_key_id);
	jw_end(&w);
	jw_done(&w);
	google_key_add_part(&token, &json);
	str_addc(&token, '.');

	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "iss", key->email);
	jw_put_str(&w, "scope", SV(SCOPE));
	jw_put_str(&w, "aud", key->token_uri);
	jw_put_int(&w, "iat", wall_ms / 1000);
	jw_put_int(&w, "exp", wall_ms / 1000 + JWT_SECONDS);
	jw_end(&w);
	jw_done(&w);
	google_key_add_part(&token, &json);

	if (!rsa_sign_sha256(&signature, RSA_LIBRARY, key->private_key, sv_of(&token), err))
		return false;
	str_add(out, sv_of(&token));
	str_addc(out, '.');
	base64_encode(out, sv_of(&signature), BASE64_URL);
	return true;
}

static void google_key_add_field(struct str *out, const char *name, struct sv value)
{
	str_addf(out, "%s%s=", out->len ? "&" : "", name);
	percent_encode(out, value, "");
}

static void google_key_add_exchange(struct str *form, const struct google_key *key,
				    struct sv subject)
{
	google_key_add_field(form, "grant_type",
			     SV("urn:ietf:params:oauth:grant-type:token-exchange"));
	google_key_add_field(form, "audience", key->audience);
	google_key_add_field(form, "scope", SV(SCOPE));
	google_key_add_field(form, "requested_token_type",
			     SV("urn:ietf:params:oauth:token-type:access_token"));
	google_key_add_field(form, "subject_token", subject);
	google_key_add_field(form, "subject_token_type", key->subject_type);
}

bool google_key_form(struct str *out, const struct google_key *key, struct sv subject,
		     int64_t wall_ms, struct err *err)
{
	defer(str_clear) struct str jwt = STR_INIT;
	defer(str_clear) struct str form = STR_INIT;

	switch (key->kind) {
	case GOOGLE_SERVICE_ACCOUNT:
		if (!google_key_jwt(&jwt, key, wall_ms, err))
			return false;
		google_key_add_field(&form, "grant_type",
				     SV("urn:ietf:params:oauth:grant-type:jwt-bearer"));
		google_key_add_field(&form, "assertion", sv_of(&jwt));
		break;
	case GOOGLE_AUTHORIZED_USER:
		google_key_add_field(&form, "grant_type", SV("refresh_token"));
		google_key_add_field(&form, "client_id", key->client_id);
		google_key_add_field(&form, "client_secret", key->client_secret);
		google_key_add_field(&form, "refresh_token", key->refresh_token);
		break;
	case GOOGLE_EXTERNAL_ACCOUNT: google_key_add_exchange(&form, key, subject); break;
	}
	str_add(out, sv_of(&form));
	return true;
}

bool google_subject_read(struct str *out, const struct google_key *key, struct sv text,
			 struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err malformed = ERR_INIT; /* it would quote a byte */
	struct sv token = sv_trim(text);

	if (key->source_field.len) {
		doc = json_parse(text, 0, &malformed);
		token = json_str_or(json_get_sv(json_root(doc), key->source_field), SV_EMPTY);
	}
	if (!token.len)
		return err_set(err, ERR_INVALID, "the credential source has no token");
	str_add(out, token);
	return true;
}

bool google_printed_read(struct str *out, struct sv text, int64_t wall_ms, struct err *err)
{
	struct err malformed = ERR_INIT; /* it would quote a byte */
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, &malformed);
	struct json root = json_root(doc);
	bool is_saml = sv_is(json_str_or(json_get(root, "token_type"), SV_EMPTY),
			     "urn:ietf:params:oauth:token-type:saml2");
	int64_t expires = json_int_or(json_get(root, "expiration_time"), INT64_MAX);
	defer(str_clear) struct str shown = STR_INIT;
	struct sv token;

	if (!json_is(root, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "the executable printed no JSON object");
	if (!json_bool_or(json_get(root, "success"), false)) {
		wire_printable(&shown, json_str_or(json_get(root, "message"), SV("no message")),
			       100);
		return err_set(err, ERR_ACCESS, "the executable failed: %s", str_c(&shown));
	}
	token = json_str_or(json_get(root, is_saml ? "saml_response" : "id_token"), SV_EMPTY);
	if (!token.len)
		return err_set(err, ERR_INVALID, "the executable printed no token");
	if (expires <= wall_ms / 1000)
		return err_set(err, ERR_ACCESS, "the executable printed a token that has expired");
	str_add(out, token);
	return true;
}

struct sv google_impersonation_body(void)
{
	return SV("{\"scope\":[\"" SCOPE "\"],\"lifetime\":\"3600s\"}");
}

/* Fail with the server's own words, or with the start of the response. */
static bool google_key_refused(int status, struct json root, struct sv body, struct err *err)
{
	struct sv code = json_str_or(json_get(root, "error"),
				     json_str_or(json_path(root, "error.status"), SV_EMPTY));
	struct sv about = json_str_or(json_get(root, "error_description"),
				      json_str_or(json_path(root, "error.message"), SV_EMPTY));
	defer(str_clear) struct str text = STR_INIT;

	wire_printable(&text, code.len > 0 ? code : body, 80);
	if (about.len > 0) {
		str_adds(&text, ": ");
		wire_printable(&text, about, 100);
	}
	return err_set(err, status >= 400 && status < 500 ? ERR_ACCESS : ERR_PROTOCOL,
		       "the Google token server returned status %d: %s", status, str_c(&text));
}

bool google_token_parse(struct str *token, int64_t *lifetime_ms, int status, struct sv body,
			struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err why;
	int64_t seconds;
	struct sv value;

	doc = json_parse(body, 0, &why);
	if (status != 200)
		return google_key_refused(status, json_root(doc), body, err);
	value = json_str_or(json_get(json_root(doc), "access_token"), SV_EMPTY);
	if (value.len == 0)
		return err_set(
			err, ERR_PROTOCOL,
			"the Google token server returned status 200 without an access_token");
	seconds = json_int_or(json_get(json_root(doc), "expires_in"), TOKEN_SECONDS);
	*lifetime_ms = 1000 * max_of((int64_t)0, min_of(seconds, (int64_t)TOKEN_SECONDS_MAX));
	str_add(token, value);
	return true;
}

bool google_impersonation_parse(struct str *token, int64_t *lifetime_ms, int status, struct sv body,
				int64_t wall_ms, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err why;
	int64_t expires_ms;
	struct sv value;

	doc = json_parse(body, 0, &why);
	if (status != 200)
		return google_key_refused(status, json_root(doc), body, err);
	value = json_str_or(json_get(json_root(doc), "accessToken"), SV_EMPTY);
	if (value.len == 0)
		return err_set(err, ERR_PROTOCOL,
			       "impersonating the service account returned no accessToken");
	*lifetime_ms = 1000 * (int64_t)TOKEN_SECONDS;
	if (iso_time_parse(json_str_or(json_get(json_root(doc), "expireTime"), SV_EMPTY),
			   &expires_ms))
		*lifetime_ms = max_of(expires_ms - wall_ms, (int64_t)0);
	str_add(token, value);
	return true;
}

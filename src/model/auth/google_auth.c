/* A fetch takes up to three requests, and a few more for the keys of AWS:
 *
 *   the token of another provider (external account with a URL, a command or AWS)
 *     --> exchange for an access token --> that of a service account (impersonation)
 */
#include "model/auth/google_auth.h"

#include "base/limits.h"
#include "base/mem.h"
#include "model/auth/google_aws.h"
#include "model/auth/google_key.h"
#include "model/auth/helper.h"
#include "net/token_request.h"
#include "sys/fs.h"
#include "text/shell_words.h"

#define METADATA_PATH "/computeMetadata/v1/instance/service-accounts/default/token"

enum { SPARE_MS = 5 * 60 * 1000 }; /* a token is renewed this long before it expires */

struct google_auth {
	struct loop *loop;
	struct http *http;
	const struct model_config *config;
	struct str token, quota_project;
	int64_t good_until; /* wall time */
};

struct google_auth *google_auth_new(struct loop *loop, struct http *http,
				    const struct model_config *config)
{
	struct google_auth *auth = xnew(struct google_auth);

	auth->loop = loop;
	auth->http = http;
	auth->config = config;
	str_adds(&auth->quota_project, config->quota_project ? config->quota_project : "");
	return auth;
}

void google_auth_free(struct google_auth *auth)
{
	if (!auth)
		return;
	str_clear(&auth->token);
	str_clear(&auth->quota_project);
	free(auth);
}

struct sv google_auth_token(const struct google_auth *auth)
{
	return sv_of(&auth->token);
}

struct sv google_auth_quota_project(const struct google_auth *auth)
{
	return sv_of(&auth->quota_project);
}

void google_auth_forget(struct google_auth *auth)
{
	auth->good_until = 0;
}

struct fetch {
	struct op op;
	struct google_auth *auth;
	struct op *request; /* NULL when not in flight */
	struct google_key key;
	struct arena arena; /* the words and the environment of a command */
};

static void google_auth_fail(struct fetch *f, const struct err *why)
{
	struct err err = *why;

	err_context(&err, "fetching a Google access token");
	op_finish(&f->op, &err);
}

/* Return whether there is a response to look at; else the op has ended. */
static bool google_auth_has_response(struct fetch *f, const struct err *why)
{
	f->request = NULL;
	if (why)
		google_auth_fail(f, why);
	return !why;
}

static void google_auth_keep_token(struct fetch *f, struct sv token, int64_t lifetime_ms)
{
	struct google_auth *auth = f->auth;

	str_set(&auth->token, token);
	auth->good_until = loop_wall(auth->loop) + lifetime_ms - SPARE_MS;
	op_finish(&f->op, NULL);
}

/* --- the token of a service account --------------------------------------------------- */

static void google_auth_on_impersonated(struct op *op, void *owner, const struct err *why)
{
	struct fetch *f = owner;
	defer(str_clear) struct str token = STR_INIT;
	struct err err = ERR_INIT;
	int64_t lifetime_ms;

	if (!google_auth_has_response(f, why))
		return;
	if (google_impersonation_parse(&token, &lifetime_ms, token_request_status(op),
				       token_request_body(op), loop_wall(f->op.loop), &err))
		google_auth_keep_token(f, sv_of(&token), lifetime_ms);
	else
		op_finish(&f->op, &err);
}

static void google_auth_impersonate(struct fetch *f, struct sv token)
{
	defer(str_clear) struct str bearer = STR_INIT;

	str_addf(&bearer, "Bearer %.*s", SV_ARG(token));
	f->request = token_request_start(
		f->op.loop, f->auth->http,
		&(struct token_request){
			.url = f->key.impersonation_url,
			.headers = { { SV("Authorization"), sv_of(&bearer) },
				     { SV("Content-Type"), SV("application/json") } },
			.body = google_impersonation_body() },
		THEN(google_auth_on_impersonated, f));
}

/* --- the token server ------------------------------------------------------------------ */

static void google_auth_on_token(struct op *op, void *owner, const struct err *why)
{
	struct fetch *f = owner;
	defer(str_clear) struct str token = STR_INIT;
	struct err err = ERR_INIT;
	int64_t lifetime_ms;

	if (!google_auth_has_response(f, why))
		return;
	if (!google_token_parse(&token, &lifetime_ms, token_request_status(op),
				token_request_body(op), &err))
		op_finish(&f->op, &err);
	else if (f->key.impersonation_url.len && !f->op.cancelled)
		google_auth_impersonate(f, sv_of(&token));
	else
		google_auth_keep_token(f, sv_of(&token), lifetime_ms);
}

static bool google_auth_exchange(struct fetch *f, struct sv subject, struct err *err)
{
	defer(str_clear) struct str form = STR_INIT;

	if (!google_key_form(&form, &f->key, subject, loop_wall(f->op.loop), err))
		return false;
	f->request = token_request_start(
		f->op.loop, f->auth->http,
		&(struct token_request){ .url = f->key.token_uri,
					 .headers = { { SV("Content-Type"),
							SV("application/x-www-form-urlencoded") } },
					 .body = sv_of(&form) },
		THEN(google_auth_on_token, f));
	return true;
}

static void google_auth_request_metadata(struct fetch *f)
{
	defer(str_clear) struct str url = STR_INIT;

	str_addf(&url, "%s" METADATA_PATH, f->auth->config->google_credentials);
	f->request = token_request_start(
		f->op.loop, f->auth->http,
		&(struct token_request){ .url = sv_of(&url),
					 .headers = { { SV("Metadata-Flavor"), SV("Google") } },
					 .is_near = true },
		THEN(google_auth_on_token, f));
}

/* --- the token of another provider ------------------------------------------------------ */

static bool google_auth_use_subject(struct fetch *f, struct sv text, struct err *err)
{
	defer(str_clear) struct str subject = STR_INIT;

	return google_subject_read(&subject, &f->key, text, err) &&
	       google_auth_exchange(f, sv_of(&subject), err);
}

static void google_auth_on_subject(struct op *op, void *owner, const struct err *why)
{
	struct fetch *f = owner;
	struct err err = ERR_INIT;
	int status;

	if (!google_auth_has_response(f, why))
		return;
	status = token_request_status(op);
	if (f->op.cancelled)
		op_finish(&f->op, NULL);
	else if (status != 200) {
		err_set(&err, ERR_ACCESS, "the credential source returned status %d", status);
		op_finish(&f->op, &err);
	} else if (!google_auth_use_subject(f, token_request_body(op), &err)) {
		op_finish(&f->op, &err);
	}
}

static void google_auth_on_aws(struct op *op, void *owner, const struct err *why)
{
	struct fetch *f = owner;
	struct err err = ERR_INIT;

	if (!google_auth_has_response(f, why))
		return;
	if (f->op.cancelled)
		op_finish(&f->op, NULL);
	else if (!google_auth_exchange(f, google_aws_token(op), &err))
		op_finish(&f->op, &err);
}

static void google_auth_request_subject(struct fetch *f)
{
	struct token_request request = { .url = f->key.source_url };
	struct json_iter it = json_each(f->key.source_headers);
	struct json value;
	struct sv name;

	for (size_t i = 0; i < TOKEN_REQUEST_HEADERS && json_next(&it, &name, &value); i++)
		request.headers[i] = (struct http_header){ name, json_str_or(value, SV_EMPTY) };
	f->request = token_request_start(f->op.loop, f->auth->http, &request,
					 THEN(google_auth_on_subject, f));
}

static void google_auth_on_printed(struct op *op, void *owner, const struct err *why)
{
	struct fetch *f = owner;
	defer(str_clear) struct str subject = STR_INIT;
	struct err err = ERR_INIT;

	if (!google_auth_has_response(f, why))
		return;
	if (f->op.cancelled)
		op_finish(&f->op, NULL);
	else if (!google_printed_read(&subject, helper_output(op), loop_wall(f->op.loop), &err) ||
		 !google_auth_exchange(f, sv_of(&subject), &err))
		op_finish(&f->op, &err);
}

/* The environment of the command, as Google's libraries make it. */
static const char *const *google_auth_make_env(struct fetch *f)
{
	const char *const *own = f->auth->config->helper_env;
	const struct {
		const char *name;
		struct sv value;
	} more[] = { { "AUDIENCE", f->key.audience },
		     { "TOKEN_TYPE", f->key.subject_type },
		     { "INTERACTIVE", SV("0") } };
	size_t n = 0;
	const char **env;

	own = own ? own : (const char *const *)environ;
	while (own[n])
		n++;
	env = arena_calloc(&f->arena, n + countof(more) + 1, sizeof(*env));
	for (size_t i = 0; i < n; i++)
		env[i] = own[i];
	for (size_t i = 0; i < countof(more); i++)
		env[n + i] = arena_printf(&f->arena, "GOOGLE_EXTERNAL_ACCOUNT_%s=%.*s",
					  more[i].name, SV_ARG(more[i].value))
				     .ptr;
	return env;
}

/* Google asks for the variable because a credentials file may come from somebody else. */
static bool google_auth_run_source(struct fetch *f, struct err *err)
{
	struct helper helper = { .name = "the executable of the Google credentials",
				 .deadline_ms = f->key.source_ms };

	if (!f->auth->config->google_may_run)
		return err_set(err, ERR_ACCESS,
			       "the credentials name a command to run; set "
			       "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1 if you trust the file");
	if (!shell_words_split(&helper.argv, &f->arena, f->key.source_command, err))
		return err_context(err, "%s", helper.name);
	helper.env = google_auth_make_env(f);
	f->request = helper_start(f->op.loop, &helper, THEN(google_auth_on_printed, f));
	return true;
}

static bool google_auth_find_subject(struct fetch *f, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;

	if (f->key.aws_url.len) {
		f->request = google_aws_start(f->op.loop, f->auth->http, f->auth->config, &f->key,
					      THEN(google_auth_on_aws, f));
		return true;
	}
	if (f->key.source_command.len)
		return google_auth_run_source(f, err);
	if (f->key.source_url.len) {
		google_auth_request_subject(f);
		return true;
	}
	str_add(&path, f->key.source_file);
	return fs_read(&text, str_c(&path), LIMIT_CLOUD_TOKEN, err) &&
	       google_auth_use_subject(f, sv_of(&text), err);
}

/* --- the file ----------------------------------------------------------------------------- */

/* Read the file again each time: a login may have replaced it. */
static bool google_auth_use_file(struct fetch *f, const char *path, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!fs_read(&text, path, LIMIT_CLOUD_FILE, err))
		return err_context(err, "Google credentials");
	if (!google_key_parse(&f->key, sv_of(&text), err))
		return err_context(err, "%s", path);
	if (!f->auth->config->quota_project)
		str_set(&f->auth->quota_project, f->key.quota_project);
	if (f->key.kind == GOOGLE_EXTERNAL_ACCOUNT ? google_auth_find_subject(f, err)
						   : google_auth_exchange(f, SV_EMPTY, err))
		return true;
	return err_context(err, "%s", path);
}

/* A login may have written the first credentials since the configuration was read. */
static const char *google_auth_find_credentials(const struct model_config *config)
{
	if (config->google_credentials)
		return config->google_credentials;
	return config->google_login && fs_exists(config->google_login) ? config->google_login
								       : NULL;
}

static void fetch_begin(struct fetch *f)
{
	const char *credentials = google_auth_find_credentials(f->auth->config);
	struct err err = ERR_INIT;

	if (!credentials)
		err_set(&err, ERR_NOT_FOUND, "no Google credentials: " GOOGLE_ADVICE);
	else if (google_is_metadata(credentials))
		google_auth_request_metadata(f);
	else
		(void)!google_auth_use_file(f, credentials, &err);
	if (!f->request)
		op_finish(&f->op, &err);
}

static void fetch_cancel(struct op *op)
{
	op_cancel(container_of(op, struct fetch, op)->request);
}

static void fetch_free(struct op *op)
{
	struct fetch *f = container_of(op, struct fetch, op);

	google_key_clear(&f->key);
	arena_clear(&f->arena);
	free(f);
}

static const struct op_type fetch_type = { .name = "google token",
					   .cancel = fetch_cancel,
					   .free = fetch_free };

struct op *google_auth_start(struct google_auth *auth, struct then then)
{
	struct fetch *f = xnew(struct fetch);

	op_init(&f->op, &fetch_type, auth->loop, then);
	f->auth = auth;
	if (auth->token.len > 0 && loop_wall(auth->loop) < auth->good_until)
		op_finish(&f->op, NULL);
	else
		fetch_begin(f);
	return &f->op;
}

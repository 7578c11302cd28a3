#include "model/auth/google_auth.h"

#include "base/limits.h"
#include "base/mem.h"
#include "model/auth/google_key.h"
#include "sys/fs.h"

#define METADATA_PATH "/computeMetadata/v1/instance/service-accounts/default/token"

enum {
	SPARE_MS = 5 * 60 * 1000, /* a token is renewed this long before its end */
	FETCH_MS = 30 * 1000,
	METADATA_CONNECT_MS = 1000, /* it is on this machine's own link */
};

struct google_auth {
	struct loop *loop;
	struct http *http;
	const struct model_config *config;
	struct str token;
	int64_t good_until; /* wall time */
};

struct google_auth *google_auth_new(struct loop *loop, struct http *http,
				    const struct model_config *config)
{
	struct google_auth *auth = xnew(struct google_auth);

	auth->loop = loop;
	auth->http = http;
	auth->config = config;
	return auth;
}

void google_auth_free(struct google_auth *auth)
{
	if (!auth)
		return;
	str_clear(&auth->token);
	free(auth);
}

struct sv google_auth_token(const struct google_auth *auth)
{
	return sv_of(&auth->token);
}

void google_auth_forget(struct google_auth *auth)
{
	auth->good_until = 0;
}

/* One exchange with the token server. */
struct fetch {
	struct op op;
	struct google_auth *auth;
	struct op *request;
	struct str url, form, answer;
	struct sv body; /* the form, as http.h borrows it */
	int status;
};

static void google_auth_on_head(void *owner, const struct http_head *head)
{
	struct fetch *f = owner;

	f->status = head->status;
}

static void google_auth_on_body(void *owner, struct sv bytes)
{
	struct fetch *f = owner;

	str_add(&f->answer, bytes); /* capped by max_body */
}

static void google_auth_keep_token(struct fetch *f, struct sv token, int64_t lifetime_ms)
{
	struct google_auth *auth = f->auth;

	str_set(&auth->token, token);
	auth->good_until = loop_wall(auth->loop) + lifetime_ms - SPARE_MS;
}

static void google_auth_on_response(__attribute__((unused)) struct op *op, void *owner,
				    const struct err *why)
{
	struct fetch *f = owner;
	defer(str_clear) struct str token = STR_INIT;
	struct err err = ERR_INIT;
	int64_t lifetime_ms;

	f->request = NULL;
	if (why) {
		err = *why;
		err_context(&err, "fetching a Google access token");
	} else if (google_token_parse(&token, &lifetime_ms, f->status, sv_of(&f->answer), &err)) {
		google_auth_keep_token(f, sv_of(&token), lifetime_ms);
	}
	op_finish(&f->op, err.kind == ERR_NONE ? NULL : &err);
}

static void google_auth_request_metadata(struct fetch *f)
{
	static const struct http_header flavor = { SV_INIT("Metadata-Flavor"), SV_INIT("Google") };

	str_addf(&f->url, "%s" METADATA_PATH, f->auth->config->google_credentials);
	f->request = http_start(f->auth->http,
				&(struct http_request){ .url = str_c(&f->url),
							.headers = &flavor,
							.nheaders = 1,
							.connect_ms = METADATA_CONNECT_MS,
							.total_ms = FETCH_MS,
							.max_body = LIMIT_CLOUD_TOKEN,
							.on_head = google_auth_on_head,
							.on_body = google_auth_on_body },
				THEN(google_auth_on_response, f));
}

static void google_auth_post_form(struct fetch *f)
{
	static const struct http_header type = { SV_INIT("Content-Type"),
						 SV_INIT("application/x-www-form-urlencoded") };

	f->body = sv_of(&f->form);
	f->request = http_start(f->auth->http,
				&(struct http_request){ .method = "POST",
							.url = str_c(&f->url),
							.headers = &type,
							.nheaders = 1,
							.body = &f->body,
							.nbody = 1,
							.total_ms = FETCH_MS,
							.max_body = LIMIT_CLOUD_TOKEN,
							.on_head = google_auth_on_head,
							.on_body = google_auth_on_body },
				THEN(google_auth_on_response, f));
}

/* Reads the file anew each time: a login may have replaced it. */
static bool google_auth_read_credentials(struct fetch *f, const char *path, struct err *err)
{
	defer(google_key_clear) struct google_key key = { .doc = NULL };
	defer(str_clear) struct str text = STR_INIT;

	if (!fs_read(&text, path, LIMIT_CLOUD_FILE, err))
		return err_context(err, "Google credentials");
	if (!google_key_parse(&key, sv_of(&text), err) ||
	    !google_key_form(&f->form, &key, loop_wall(f->auth->loop), err))
		return err_context(err, "%s", path);
	str_add(&f->url, key.token_uri);
	return true;
}

/* A login may also have made the first there are. */
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
		err_set(&err, ERR_NOT_FOUND,
			"no Google credentials: set GOOGLE_APPLICATION_CREDENTIALS, or run: gcloud "
			"auth application-default login (awl queries the metadata server only with "
			"METADATA_SERVER_DETECTION=assume-present)");
	else if (google_is_metadata(credentials))
		google_auth_request_metadata(f);
	else if (google_auth_read_credentials(f, credentials, &err))
		google_auth_post_form(f);
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

	str_clear(&f->url);
	str_clear(&f->form);
	str_clear(&f->answer);
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

#include "model/auth/google_auth.h"

#include "model/auth/google_aws.h"
#include "model/auth/google_key.h"
#include "model/wire/clouds.h"
#include "model/wire/vertex.h"
#include "net/rsa_key.h"

#define SERVICE_ACCOUNT                                                                   \
	"{\"type\":\"service_account\",\"project_id\":\"sa-project\",\"private_key_id\":" \
	"\"k1\",\"private_key\":\"" RSA_KEY_JSON                                          \
	"\",\"client_email\":\"svc@p.iam.gserviceaccount.com\",\"token_uri\":"            \
	"\"https://oauth2.googleapis.com/token\"}"
#define AUTHORIZED_USER                                                             \
	"{\"type\":\"authorized_user\",\"client_id\":\"c.apps\",\"client_secret\":" \
	"\"s&hush\",\"refresh_token\":\"1//r hush\",\"quota_project_id\":\"user-project\"}"

/* --- the file ------------------------------------------------------------ */

/* The claims of an hour from 2026-01-02 03:04:05; put together and signed by the
 * openssl program. */
static const char expected_jwt[] =
	"eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImsxIn0.eyJpc3MiOiJzdmNAcC5pYW0u"
	"Z3NlcnZpY2VhY2NvdW50LmNvbSIsInNjb3BlIjoiaHR0cHM6Ly93d3cuZ29vZ2xlYXBpcy5jb20v"
	"YXV0aC9jbG91ZC1wbGF0Zm9ybSIsImF1ZCI6Imh0dHBzOi8vb2F1dGgyLmdvb2dsZWFwaXMuY29t"
	"L3Rva2VuIiwiaWF0IjoxNzY3MzIzMDQ1LCJleHAiOjE3NjczMjY2NDV9.Z5-QpG0tEsJRTCY5S8i"
	"8SpTQETXZkPJg-pkRNYlWzfoIBp-PS9r1a6H7I_WzG4MU5AFgvchtuKxHLR3p3OTwMNL9i-Ratya"
	"miLKpPSTwOWW6kUUCCg8RZqcjdy9otT0_2L7reCTDYAMlM-cVCrQe7SLzwoxgIZ-HHRxoTldh_wM"
	"OpsdUWPRnPAGYmxu0MCN_V057_3plQcyvCbOoYHoHxFuNOytYTBdCwhWWAVYUY4Ax5j6SuRy4C77"
	"c6R2AoilQVVvt74UxIsDqvPTJlPr-VvuPoDamSGtgDIcFy7J26EHf5c42lSwj_KslYVFqnOt0Vgy"
	"LDnAjPu1ri63NScg0IQ";

TEST(a_service_account_signs_the_jwt_that_openssl_signs)
{
	defer(google_key_clear) struct google_key key = { .doc = NULL };
	defer(str_clear) struct str jwt = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(google_key_parse(&key, SV(SERVICE_ACCOUNT), &err), err);
	CHECK_INT(key.kind, GOOGLE_SERVICE_ACCOUNT);
	CHECK_SV(key.project, "sa-project");
	CHECK_OK(google_key_jwt(&jwt, &key, 1767323045999, &err), err);
	CHECK_STR(str_c(&jwt), expected_jwt);
}

TEST(a_service_account_posts_its_jwt_as_an_assertion)
{
	defer(google_key_clear) struct google_key key = { .doc = NULL };
	defer(str_clear) struct str form = STR_INIT, expected = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(google_key_parse(&key, SV(SERVICE_ACCOUNT), &err), err);
	CHECK_OK(google_key_form(&form, &key, SV_EMPTY, 1767323045000, &err), err);
	str_addf(&expected,
		 "grant_type=urn%%3Aietf%%3Aparams%%3Aoauth%%3Agrant-type%%3Ajwt-bearer&"
		 "assertion=%s",
		 expected_jwt);
	CHECK_STR(str_c(&form), str_c(&expected));
}

TEST(a_user_posts_the_refresh_token)
{
	defer(google_key_clear) struct google_key key = { .doc = NULL };
	defer(str_clear) struct str form = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(google_key_parse(&key, SV(AUTHORIZED_USER), &err), err);
	CHECK_SV(key.project, "user-project");
	CHECK_SV(key.token_uri, "https://oauth2.googleapis.com/token");
	CHECK_OK(google_key_form(&form, &key, SV_EMPTY, 0, &err), err);
	CHECK_STR(str_c(&form), "grant_type=refresh_token&client_id=c.apps&client_secret=s%26hush&"
				"refresh_token=1%2F%2Fr%20hush");
}

TEST(token_is_found_in_what_a_google_executable_prints)
{
	static const struct {
		struct sv text;
		const char *token; /* NULL: none, and why */
		const char *why;
	} rows[] = {
		{ SV_INIT("{\"success\":true,\"id_token\":\"a\",\"expiration_time\":11}"), "a",
		  NULL },
		{ SV_INIT("{\"success\":true,\"id_token\":\"a\"}"), "a", NULL },
		{ SV_INIT("{\"success\":true,\"saml_response\":\"s\",\"token_type\":"
			  "\"urn:ietf:params:oauth:token-type:saml2\"}"),
		  "s", NULL },
		{ SV_INIT("{\"success\":true,\"id_token\":\"hush\",\"expiration_time\":10}"), NULL,
		  "has expired" },
		{ SV_INIT("{\"success\":false,\"code\":\"1\",\"message\":\"no luck\"}"), NULL,
		  "the executable failed: no luck" },
		{ SV_INIT("{\"success\":true}"), NULL, "printed no token" },
		{ SV_INIT("hush"), NULL, "printed no JSON object" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str token = STR_INIT;
		struct err err = ERR_INIT;
		bool ok = google_printed_read(&token, rows[i].text, 10 * 1000, &err);

		CHECK(ok == (rows[i].token != NULL));
		CHECK_STR(str_c(&token), rows[i].token ? rows[i].token : "");
		CHECK(ok || strstr(err.text, rows[i].why));
		CHECK(!strstr(err.text, "hush"));
	}
}

TEST(google_credentials_that_cannot_be_used_are_refused_by_name)
{
	static const struct {
		struct sv text;
		enum err_kind kind;
		const char *why;
	} rows[] = {
		{ SV_INIT(""), ERR_PARSE, "line 1" },
		{ SV_INIT("{\"type\":\"service_account\""), ERR_PARSE, "line 1" },
		{ SV_INIT("[]"), ERR_INVALID, "type" },
		{ SV_INIT("{\"type\":7}"), ERR_INVALID, "\"type\" must be a string" },
		{ SV_INIT("{\"type\":\"gdch_service_account\"}"), ERR_UNSUPPORTED,
		  "gdch_service_account" },
		{ SV_INIT("{\"type\":\"external_account\"}"), ERR_INVALID, "audience" },
		{ SV_INIT("{\"type\":\"external_account\",\"audience\":\"a\","
			  "\"subject_token_type\":\"t\",\"credential_source\":{\"certificate\":"
			  "{\"path\":\"hush\"}}}"),
		  ERR_UNSUPPORTED, "credential_source" },
		{ SV_INIT("{\"type\":\"external_account\",\"audience\":\"a\","
			  "\"subject_token_type\":\"t\",\"credential_source\":{\"file\":\"f\"},"
			  "\"token_url\":\"http://sts.example/\"}"),
		  ERR_INVALID, "\"token_url\" must begin with https://" },
		{ SV_INIT("{\"type\":\"impersonated_service_account\"}"), ERR_INVALID,
		  "source_credentials" },
		{ SV_INIT("{\"type\":\"service_account\",\"client_email\":\"e\"}"), ERR_INVALID,
		  "private_key" },
		{ SV_INIT("{\"type\":\"authorized_user\",\"client_id\":\"c\","
			  "\"client_secret\":\"hush\"}"),
		  ERR_INVALID, "refresh_token" },
		{ SV_INIT("{\"type\":\"service_account\",\"client_email\":\"e\",\"private_key\":"
			  "\"hush\",\"token_uri\":\"http://oauth.example/token\"}"),
		  ERR_INVALID, "token_uri" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		struct google_key key = { .doc = NULL };
		struct err err = ERR_INIT;

		CHECK(!google_key_parse(&key, rows[i].text, &err));
		CHECK_ERR(err, rows[i].kind, rows[i].why);
		CHECK(!strstr(err.text, "hush"));
		CHECK(key.doc == NULL);
	}
}

TEST(a_private_key_that_is_none_fails_without_a_word_of_it)
{
	defer(google_key_clear) struct google_key key = { .doc = NULL };
	defer(str_clear) struct str form = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(google_key_parse(&key,
				  SV("{\"type\":\"service_account\",\"client_email\":\"e\","
				     "\"private_key\":\"hush\"}"),
				  &err),
		 err);
	CHECK(!google_key_form(&form, &key, SV_EMPTY, 0, &err));
	CHECK_ERR(err, ERR_INVALID, "private key");
	CHECK(!strstr(err.text, "hush"));
	CHECK_INT(form.len, 0);
}

/* --- the token server's answer ------------------------------------------- */

static void check_token(struct sv body, const char *expected, int64_t expected_ms)
{
	defer(str_clear) struct str token = STR_INIT;
	struct err err = ERR_INIT;
	int64_t ms = -1;

	CHECK_OK(google_token_parse(&token, &ms, 200, body, &err), err);
	CHECK_STR(str_c(&token), expected);
	CHECK_INT(ms, expected_ms);
}

static void check_no_token(int status, struct sv body, enum err_kind kind, const char *why)
{
	defer(str_clear) struct str token = STR_INIT;
	struct err err = ERR_INIT;
	int64_t ms = -1;

	CHECK(!google_token_parse(&token, &ms, status, body, &err));
	CHECK_ERR(err, kind, why);
	CHECK_INT(token.len, 0);
	CHECK_INT(ms, -1);
}

TEST(a_google_token_is_good_for_as_long_as_the_server_says)
{
	check_token(SV("{\"access_token\":\"ya29\",\"expires_in\":3599}"), "ya29", 3599000);
	check_token(SV("{\"access_token\":\"ya29\"}"), "ya29", 3600000);
	check_token(SV("{\"access_token\":\"ya29\",\"expires_in\":-5}"), "ya29", 0);
	check_token(SV("{\"access_token\":\"ya29\",\"expires_in\":9e17}"), "ya29", 86400000);
}

TEST(what_the_token_server_refuses_is_told)
{
	check_no_token(400,
		       SV("{\"error\":\"invalid_grant\",\"error_description\":\"Token has been "
			  "expired or revoked.\"}"),
		       ERR_ACCESS, "400: invalid_grant: Token has been expired or revoked.");
	check_no_token(401, SV("<html>no"), ERR_ACCESS, "401: <html>no");
	check_no_token(500, SV(""), ERR_PROTOCOL, "500");
	check_no_token(200, SV("{}"), ERR_PROTOCOL, "without an access_token");
	check_no_token(200, SV("junk"), ERR_PROTOCOL, "without an access_token");
	check_no_token(200, SV("{\"access_token\":\"\"}"), ERR_PROTOCOL, "without an access_token");
}

/* --- where credentials and project are found ----------------------------- */

/* What config.c reads from the same variables. */
static bool read_config(struct model_config *config, void *env, struct err *err)
{
	*config = (struct model_config)MODEL_CONFIG_INIT;
	config->provider = MODEL_VERTEX;
	config->project = env_get(env, "ANTHROPIC_VERTEX_PROJECT_ID");
	config->google_credentials = env_get(env, "GOOGLE_APPLICATION_CREDENTIALS");
	return google_config_read(config, env_get, env, err);
}

/* That the environment gives a credential (its end) and a project; NULL: none. */
static void check_found(void *env, const char *credentials, const char *project)
{
	defer(model_config_clear) struct model_config config;
	struct err err = ERR_INIT;

	CHECK_OK(read_config(&config, env, &err), err);
	CHECK((config.google_credentials == NULL) == (credentials == NULL));
	if (credentials && !sv_ends(sv_cstr(config.google_credentials), sv_cstr(credentials)))
		print_error("credentials are %s\n", config.google_credentials);
	CHECK(!credentials || sv_ends(sv_cstr(config.google_credentials), sv_cstr(credentials)));
	CHECK_SV_EQ(sv_cstr(config.project), sv_cstr(project));
}

static void check_not_read(void *env, enum err_kind kind, const char *why)
{
	defer(model_config_clear) struct model_config config;
	struct err err = ERR_INIT;

	CHECK(!read_config(&config, env, &err));
	CHECK_ERR(err, kind, why);
}

#define LOGIN ".config/gcloud/application_default_credentials.json"

TEST(google_credentials_are_found_in_the_documented_order)
{
	defer(str_clear) struct str var = STR_INIT;
	HOME(home);

	check_found(ENV(home.var.ptr), NULL, NULL);
	check_found(ENV("LANG=C"), NULL, NULL);
	check_found(ENV(home.var.ptr, "METADATA_SERVER_DETECTION=ping-only"), NULL, NULL);
	check_found(ENV(home.var.ptr, "METADATA_SERVER_DETECTION=assume-present"),
		    "http://metadata.google.internal", NULL);
	check_found(ENV(home.var.ptr, "GCE_METADATA_HOST=10.0.0.1:80"), "http://10.0.0.1:80", NULL);
	home_put(&home, LOGIN, SV(AUTHORIZED_USER));
	check_found(ENV(home.var.ptr, "GCE_METADATA_HOST=10.0.0.1"), LOGIN, "user-project");
	home_put(&home, "sa.json", SV(SERVICE_ACCOUNT));
	str_addf(&var, "GOOGLE_APPLICATION_CREDENTIALS=%s/sa.json", str_c(&home.path));
	check_found(ENV(home.var.ptr, var.ptr), "/sa.json", "sa-project");
	str_truncate(&var, 0);
	str_addf(&var, "CLOUDSDK_CONFIG=%s/.config/gcloud", str_c(&home.path));
	check_found(ENV("HOME=/nowhere", var.ptr), LOGIN, "user-project");
}

#define PLAIN_USER                                                             \
	"{\"type\":\"authorized_user\",\"client_id\":\"c\",\"client_secret\":" \
	"\"s\",\"refresh_token\":\"r\"}"

TEST(the_google_project_is_found_in_the_documented_order)
{
	HOME(home);

	home_put(&home, ".config/gcloud/configurations/config_default",
		 SV("[core]\naccount = me\nproject = gcloud-project\n"));
	check_found(ENV(home.var.ptr), NULL, "gcloud-project");
	home_put(&home, ".config/gcloud/configurations/config_work",
		 SV("[compute]\nproject=no\n[core]\nproject = work-project\n"));
	home_put(&home, ".config/gcloud/active_config", SV("work\n"));
	check_found(ENV(home.var.ptr), NULL, "work-project");
	check_found(ENV(home.var.ptr, "CLOUDSDK_ACTIVE_CONFIG_NAME=default"), NULL,
		    "gcloud-project");
	home_put(&home, ".config/gcloud/active_config", SV("../../evil"));
	check_found(ENV(home.var.ptr), NULL, "gcloud-project");
	check_found(ENV(home.var.ptr, "CLOUDSDK_CORE_PROJECT=core-project"), NULL, "core-project");
	home_put(&home, LOGIN, SV(PLAIN_USER));
	check_found(ENV(home.var.ptr), LOGIN, "gcloud-project");
	home_put(&home, LOGIN, SV(AUTHORIZED_USER));
	check_found(ENV(home.var.ptr, "CLOUDSDK_CORE_PROJECT=x"), LOGIN, "user-project");
	check_found(ENV(home.var.ptr, "ANTHROPIC_VERTEX_PROJECT_ID=named"), LOGIN, "named");
}

TEST(google_files_that_cannot_be_read_are_named)
{
	HOME(home);

	check_not_read(ENV(home.var.ptr, "GOOGLE_APPLICATION_CREDENTIALS=/nowhere/sa.json"),
		       ERR_NOT_FOUND, "/nowhere/sa.json");
	home_put(&home, LOGIN, SV("{"));
	check_not_read(ENV(home.var.ptr), ERR_PARSE, "application_default_credentials.json: line");
	home_put(&home, LOGIN, SV(PLAIN_USER));
	home_put(&home, ".config/gcloud/configurations/config_default", SV("[core\n"));
	check_not_read(ENV(home.var.ptr), ERR_PARSE, "config_default: line 1");
	/* With a project nobody needs to look. */
	check_found(ENV(home.var.ptr, "ANTHROPIC_VERTEX_PROJECT_ID=named"), LOGIN, "named");
}

TEST(only_a_question_who_we_are_is_signed_for_google)
{
#define QUERY "?Action=GetCallerIdentity&Version=2011-06-15"
	static const char *const fine[] = {
		"https://sts.{region}.amazonaws.com" QUERY,
		"https://sts.us-east-1.amazonaws.com/" QUERY,
		"https://sts.{region}.amazonaws.com.cn" QUERY,
	};
	static const char *const refused[] = {
		"http://sts.us-east-1.amazonaws.com" QUERY,
		"https://sts.us-east-1.amazonaws.com",
		"https://sts.us-east-1.amazonaws.com?Action=GetSessionToken&Version=2011-06-15",
		"https://sts.us-east-1.amazonaws.com" QUERY "&Action=AssumeRole",
		"https://iam.amazonaws.com" QUERY,
		"https://sts.evil.example" QUERY,
		"https://sts.x@evil.example/.amazonaws.com" QUERY,
		"https://sts.evil.example/.amazonaws.com" QUERY,
		"https://sts.evil.example:443/.amazonaws.com" QUERY,
	};

	for (size_t i = 0; i < countof(fine); i++)
		CHECK(google_aws_url_is_identity(sv_cstr(fine[i])));
	for (size_t i = 0; i < countof(refused); i++)
		CHECK(!google_aws_url_is_identity(sv_cstr(refused[i])));
}

#include "model/auth/aws_credentials.h"

#include "model/wire/clouds.h"

/* What config.c reads from the same variables. */
static void config_init(struct model_config *config, void *env)
{
	*config = (struct model_config)MODEL_CONFIG_INIT;
	config->provider = MODEL_BEDROCK;
	config->key = env_get(env, "AWS_BEARER_TOKEN_BEDROCK");
	config->auth = config->key ? MODEL_AUTH_BEARER : MODEL_AUTH_AWS;
	config->aws_key_id = env_get(env, "AWS_ACCESS_KEY_ID");
	config->aws_secret = env_get(env, "AWS_SECRET_ACCESS_KEY");
	config->aws_token = env_get(env, "AWS_SESSION_TOKEN");
	config->aws_profile = env_get(env, "AWS_PROFILE");
	config->region = env_get(env, "AWS_REGION");
}

/* That these variables give "id/secret/token" or "bearer", from `origin`. */
static void check_credential(void *env, const char *expected, const char *origin)
{
	defer(model_config_clear) struct model_config config;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str got = STR_INIT;
	struct credential c = { .auth = MODEL_AUTH_NONE };
	struct err err = ERR_INIT;
	const char *where = NULL, *process;

	config_init(&config, env);
	CHECK_OK(aws_config_read(&config, env_get, env, &err), err);
	CHECK_OK(aws_credentials_read(&c, &where, &process, &arena, &config, &err), err);
	if (process)
		str_addf(&got, "run %s", process);
	else if (c.auth == MODEL_AUTH_BEARER)
		str_add(&got, c.secret);
	else
		str_addf(&got, "%.*s/%.*s/%.*s", SV_ARG(c.aws_id), SV_ARG(c.aws_secret),
			 SV_ARG(c.aws_token));
	CHECK_STR(str_c(&got), expected);
	if (!strstr(where, origin))
		print_error("it came from %s\n", where);
	CHECK(strstr(where, origin) != NULL);
}

static void check_no_credential(void *env, enum err_kind kind, const char *why)
{
	defer(model_config_clear) struct model_config config;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct credential c;
	struct err err = ERR_INIT;
	const char *where, *process;

	config_init(&config, env);
	CHECK(!aws_config_read(&config, env_get, env, &err) ||
	      !aws_credentials_read(&c, &where, &process, &arena, &config, &err));
	CHECK_ERR(err, kind, why);
	CHECK(!strstr(err.text, "hush"));
}

static void check_region(void *env, const char *expected)
{
	defer(model_config_clear) struct model_config config;
	struct err err = ERR_INIT;

	config_init(&config, env);
	CHECK_OK(aws_config_read(&config, env_get, env, &err), err);
	CHECK_STR(config.region, expected);
}

#define BEARER    "AWS_BEARER_TOKEN_BEDROCK=b-token"
#define VARIABLES "AWS_ACCESS_KEY_ID=env-id", "AWS_SECRET_ACCESS_KEY=env-hush"

static void put_files(struct home *home)
{
	home_put(home, ".aws/credentials",
		 SV("[default]\naws_access_key_id = cred-id\naws_secret_access_key = cred-hush\n"
		    "[dev]\naws_access_key_id=dev-id\naws_secret_access_key=dev-hush\n"
		    "aws_session_token=dev-tok\n"));
	home_put(home, ".aws/config",
		 SV("[default]\nregion = eu-west-1\naws_session_token = of-another-key\n"
		    "[profile dev]\nregion=eu-west-2\n"
		    "[profile \"with blank\"]\nregion=eu-west-3\n"
		    "aws_access_key_id=conf-id\naws_secret_access_key=conf-hush\n"));
}

TEST(the_first_aws_credential_in_the_documented_order_wins)
{
	HOME(home);

	put_files(&home);
	check_credential(ENV(home.var.ptr, BEARER, VARIABLES), "b-token",
			 "AWS_BEARER_TOKEN_BEDROCK");
	check_credential(ENV(home.var.ptr, VARIABLES), "env-id/env-hush/", "AWS_ACCESS_KEY_ID");
	check_credential(ENV(home.var.ptr, VARIABLES, "AWS_SESSION_TOKEN=tok", "AWS_PROFILE=dev"),
			 "env-id/env-hush/tok", "AWS_ACCESS_KEY_ID");
	check_credential(ENV(home.var.ptr), "cred-id/cred-hush/", "profile default in ");
	check_credential(ENV(home.var.ptr, "AWS_PROFILE=dev"), "dev-id/dev-hush/dev-tok",
			 ".aws/credentials");
	check_credential(ENV(home.var.ptr, "AWS_PROFILE=with blank"), "conf-id/conf-hush/",
			 ".aws/config");
}

TEST(the_files_may_be_elsewhere)
{
	defer(str_clear) struct str var = STR_INIT;
	HOME(home);

	put_files(&home);
	home_put(&home, "other", SV("[default]\naws_access_key_id=o\naws_secret_access_key=p\n"));
	str_addf(&var, "AWS_SHARED_CREDENTIALS_FILE=%s/other", str_c(&home.path));
	check_credential(ENV(home.var.ptr, var.ptr), "o/p/", "/other");
	check_credential(ENV(home.var.ptr, "AWS_SHARED_CREDENTIALS_FILE=~/other"), "o/p/",
			 "/other");
	home_put(&home, "conf", SV("[profile default]\nregion=ap-south-1\n"));
	check_region(ENV(home.var.ptr, "AWS_CONFIG_FILE=~/conf"), "ap-south-1");
}

TEST(the_aws_region_is_the_variable_the_profile_or_us_east_1)
{
	HOME(home);
	HOME(empty);

	put_files(&home);
	check_region(ENV(home.var.ptr, "AWS_REGION=sa-east-1"), "sa-east-1");
	check_region(ENV(home.var.ptr), "eu-west-1");
	check_region(ENV(home.var.ptr, "AWS_PROFILE=dev"), "eu-west-2");
	check_region(ENV(home.var.ptr, "AWS_PROFILE=none"), "us-east-1");
	check_region(ENV(empty.var.ptr), "us-east-1");
	check_region(ENV("LANG=C"), "us-east-1");
	home_put(&empty, ".aws/credentials", SV("[default]\nregion=ca-central-1\n"));
	check_region(ENV(empty.var.ptr), "ca-central-1");
}

TEST(without_aws_credentials_the_error_says_where_was_looked)
{
	HOME(home);

	check_no_credential(ENV(home.var.ptr), ERR_NOT_FOUND, "AWS_BEARER_TOKEN_BEDROCK");
	check_no_credential(ENV(home.var.ptr), ERR_NOT_FOUND, "\"default\" is not in");
	check_no_credential(ENV(home.var.ptr), ERR_NOT_FOUND, "/.aws/credentials");
	check_no_credential(ENV("LANG=C"), ERR_NOT_FOUND, "no HOME");
	put_files(&home);
	check_no_credential(ENV(home.var.ptr, "AWS_PROFILE=gone"), ERR_NOT_FOUND, "\"gone\"");
	home_put(&home, ".aws/config", SV("[profile bare]\nregion=x\n"));
	check_no_credential(ENV(home.var.ptr, "AWS_PROFILE=bare"), ERR_NOT_FOUND, "has no keys");
}

TEST(ways_to_get_aws_keys_that_awl_does_not_go_are_named)
{
	HOME(home);

	home_put(&home, ".aws/config",
		 SV("[profile sso]\nsso_session = corp\nsso_account_id = 1\n"
		    "[profile old-sso]\nsso_start_url = https://x\n"
		    "[profile role]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = default\n"
		    "mfa_serial = arn:aws:iam::1:mfa/me\n"
		    "[profile pod]\nweb_identity_token_file = /var/run/t\n"));
	check_no_credential(ENV(home.var.ptr, "AWS_PROFILE=sso"), ERR_UNSUPPORTED,
			    "by SSO, which awl cannot do by itself; in the settings, set "
			    "awsAuthRefresh to: aws sso login --profile sso");
	check_no_credential(ENV(home.var.ptr, "AWS_PROFILE=old-sso"), ERR_UNSUPPORTED, "SSO");
	check_no_credential(
		ENV(home.var.ptr, "AWS_PROFILE=role"), ERR_UNSUPPORTED,
		"a role, which awl cannot do by itself; in the settings, set "
		"awsCredentialExport to: aws configure export-credentials --profile role");
	check_no_credential(ENV(home.var.ptr, "AWS_PROFILE=pod"), ERR_UNSUPPORTED, "a role");
}

TEST(the_credential_process_of_a_profile_is_named_unless_it_has_keys)
{
	HOME(home);

	home_put(&home, ".aws/config",
		 SV("[default]\ncredential_process = /opt/bin/vend --all\nsso_session = corp\n"
		    "[profile both]\ncredential_process = no\n"
		    "[profile keys]\ncredential_process = no\naws_access_key_id=conf-id\n"
		    "aws_secret_access_key=conf-hush\n"));
	home_put(&home, ".aws/credentials", SV("[both]\ncredential_process = \"a b\" c\n"));
	check_credential(ENV(home.var.ptr), "run /opt/bin/vend --all",
			 "the credential_process of profile default");
	check_credential(ENV(home.var.ptr, "AWS_PROFILE=both"), "run \"a b\" c", "profile both");
	check_credential(ENV(home.var.ptr, "AWS_PROFILE=keys"), "conf-id/conf-hush/", "config");
	check_credential(ENV(home.var.ptr, VARIABLES), "env-id/env-hush/", "AWS_ACCESS_KEY_ID");
}

TEST(half_an_aws_key_is_an_error)
{
	HOME(home);

	check_no_credential(ENV(home.var.ptr, "AWS_ACCESS_KEY_ID=id"), ERR_INVALID,
			    "AWS_SECRET_ACCESS_KEY is not");
	check_no_credential(ENV(home.var.ptr, "AWS_SECRET_ACCESS_KEY=hush"), ERR_INVALID,
			    "AWS_ACCESS_KEY_ID is not");
	home_put(&home, ".aws/credentials", SV("[default]\naws_secret_access_key=hush\n"));
	check_no_credential(ENV(home.var.ptr), ERR_INVALID, "only one of");
}

TEST(a_malformed_aws_file_is_named_with_its_line)
{
	HOME(home);

	home_put(&home, ".aws/credentials", SV("[default]\nhush hush\n"));
	check_no_credential(ENV(home.var.ptr), ERR_PARSE, "/.aws/credentials: line 2");
	check_no_credential(ENV(home.var.ptr, "AWS_REGION=x"), ERR_PARSE, "line 2");
	/* Nobody needs the file when the variables say it all. */
	check_credential(ENV(home.var.ptr, VARIABLES, "AWS_REGION=x"), "env-id/env-hush/",
			 "AWS_ACCESS_KEY_ID");
}

TEST(aws_keys_are_read_anew_each_time)
{
	defer(model_config_clear) struct model_config config;
	struct err err = ERR_INIT;
	HOME(home);

	put_files(&home);
	config_init(&config, ENV(home.var.ptr));
	CHECK_OK(aws_config_read(&config, env_get, ENV(home.var.ptr), &err), err);
	for (int i = 0; i < 2; i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct credential c;
		const char *where, *process;

		CHECK_OK(aws_credentials_read(&c, &where, &process, &arena, &config, &err), err);
		CHECK(process == NULL);
		CHECK_SV_EQ(c.aws_id, i ? SV("new") : SV("cred-id"));
		home_put(&home, ".aws/credentials",
			 SV("[default]\naws_access_key_id=new\naws_secret_access_key=s\n"));
	}
}

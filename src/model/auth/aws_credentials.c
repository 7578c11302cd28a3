#include "model/auth/aws_credentials.h"

#include "base/limits.h"
#include "model/auth/aws_remote.h"
#include "sys/fs.h"
#include "text/ini.h"

#define DEFAULT_PROFILE "default"
#define DEFAULT_REGION  "us-east-1"
#define BY_SSO          "by SSO"

/* --- where to look ------------------------------------------------------- */

static const char *aws_look_up(model_env_fn *env, void *arg, const char *name)
{
	const char *value = env(arg, name);

	return value && *value ? value : NULL;
}

/* The path in `variable`, its "~/" resolved, else `name` in the home directory. */
static const char *aws_file_path(struct arena *arena, model_env_fn *env, void *arg,
				 const char *variable, const char *name)
{
	const char *path = aws_look_up(env, arg, variable), *home = aws_look_up(env, arg, "HOME");

	if (path && !sv_starts(sv_cstr(path), SV("~/")))
		return arena_dup(arena, sv_cstr(path)).ptr;
	if (!home)
		return NULL;
	return arena_printf(arena, "%s/%s", home, path ? path + 2 : name).ptr;
}

/* --- the files ----------------------------------------------------------- */

/* The entries of a profile; views into the text of its file. */
struct profile {
	bool found;
	struct sv id, secret, token, region;
	struct sv process;
	struct sv sso_session, sso_url, sso_region, sso_account, sso_role;
	struct sv role, role_session, web_identity, external_id, seconds, mfa;
	struct sv source, source_kind;
};

static void aws_put_entry(struct profile *p, struct sv key, struct sv value)
{
	const struct {
		const char *name;
		struct sv *value;
	} known[] = {
		{ "aws_access_key_id", &p->id },
		{ "aws_secret_access_key", &p->secret },
		{ "aws_session_token", &p->token },
		{ "region", &p->region },
		{ "credential_process", &p->process },
		{ "sso_start_url", &p->sso_url },
		{ "sso_session", &p->sso_session },
		{ "sso_region", &p->sso_region },
		{ "sso_account_id", &p->sso_account },
		{ "sso_role_name", &p->sso_role },
		{ "role_arn", &p->role },
		{ "external_id", &p->external_id },
		{ "duration_seconds", &p->seconds },
		{ "mfa_serial", &p->mfa },
		{ "source_profile", &p->source },
		{ "credential_source", &p->source_kind },
		{ "role_session_name", &p->role_session },
		{ "web_identity_token_file", &p->web_identity },
	};

	for (size_t i = 0; i < countof(known); i++)
		if (sv_eq_nocase(key, sv_cstr(known[i].name)))
			*known[i].value = value;
}

/* Compare with [kind name], as sections of the config file are called. */
static bool aws_names_section(struct sv section, struct sv kind, struct sv name)
{
	struct sv rest;

	if (!sv_starts(section, kind))
		return false;
	rest = sv_trim(sv_skip(section, kind.len));
	if (rest.len > 1 && sv_starts(rest, SV("\"")) && sv_ends(rest, SV("\"")))
		rest = sv_slice(rest, 1, rest.len - 1);
	return rest.len < section.len - kind.len && sv_eq(rest, name);
}

/* Compare names: in the config file, every section except [default] is called [profile name]. */
static bool aws_names_profile(struct sv section, struct sv name, bool in_config)
{
	if (sv_eq(section, name) && (!in_config || sv_is(name, DEFAULT_PROFILE)))
		return true;
	return in_config && aws_names_section(section, SV("profile"), name);
}

/* Read the profile. A missing file has no profiles. */
static bool aws_read_profile(struct profile *out, struct str *text, const char *path,
			     struct sv name, bool in_config, struct err *err)
{
	struct ini_reader reader;
	struct ini_entry entry;
	struct err why;

	*out = (struct profile){ .found = false };
	if (!path)
		return true;
	if (!fs_read(text, path, LIMIT_CLOUD_FILE, &why)) {
		if (why.kind == ERR_NOT_FOUND)
			return true;
		*err = why;
		return false;
	}
	reader = ini_read(sv_of(text));
	while (ini_next(&reader, &entry)) {
		if (!aws_names_profile(entry.section, name, in_config))
			continue;
		out->found = true;
		aws_put_entry(out, entry.key, entry.value);
	}
	if (reader.err.kind == ERR_NONE)
		return true;
	*err = reader.err;
	return err_context(err, "%s", path);
}

/* The profile in both files, whose texts it borrows from. */
struct shared {
	struct str credentials_text, config_text;
	struct profile credentials, config;
};

#define SHARED_INIT                           \
	{                                     \
		.credentials_text = STR_INIT, \
	}

static void shared_clear(struct shared *s)
{
	str_clear(&s->credentials_text);
	str_clear(&s->config_text);
}

static struct sv profile_name(const struct model_config *config)
{
	return sv_cstr(config->aws_profile ? config->aws_profile : DEFAULT_PROFILE);
}

static bool aws_read_shared(struct shared *out, const struct model_config *config, struct err *err)
{
	struct sv name = profile_name(config);

	return aws_read_profile(&out->credentials, &out->credentials_text,
				config->aws_credentials_file, name, false, err) &&
	       aws_read_profile(&out->config, &out->config_text, config->aws_config_file, name,
				true, err);
}

/* --- services -------------------------------------------------------------- */

static const char *aws_keep(struct model_config *config, struct sv value)
{
	return value.len ? arena_dup(&config->arena, value).ptr : NULL;
}

/* Complete a profile with the entries of [sso-session name], which it may name. */
static void aws_add_sso_session(struct profile *p, struct sv config_text)
{
	struct ini_reader reader = ini_read(config_text);
	struct sv name = p->sso_session;
	struct ini_entry entry;

	while (name.len && ini_next(&reader, &entry))
		if (aws_names_section(entry.section, SV("sso-session"), name))
			aws_put_entry(p, entry.key, entry.value);
}

static void aws_find_sso(struct model_config *config, const struct shared *shared)
{
	struct profile p = shared->config;

	aws_add_sso_session(&p, sv_of(&shared->config_text));
	if (!p.sso_url.len || !p.sso_region.len || !p.sso_account.len || !p.sso_role.len ||
	    !config->aws_sso.cache)
		return;
	config->aws_sso.start_url = aws_keep(config, p.sso_url);
	config->aws_sso.region = aws_keep(config, p.sso_region);
	config->aws_sso.account = aws_keep(config, p.sso_account);
	config->aws_sso.role = aws_keep(config, p.sso_role);
}

/* A role that needs a second factor is left to the AWS CLI, which can ask for it. */
static void aws_find_role(struct model_config *config, const struct profile *p)
{
	bool has_source = p->source.len || p->source_kind.len;

	if (!p->role.len || p->web_identity.len || p->mfa.len || !has_source)
		return;
	config->aws_role = (struct aws_role){
		.role = aws_keep(config, p->role),
		.session = aws_keep(config, p->role_session),
		.external_id = aws_keep(config, p->external_id),
		.seconds = aws_keep(config, p->seconds),
		.source = aws_keep(config, p->source),
		.source_kind = aws_keep(config, p->source_kind),
	};
}

/* A profile may name a web identity, like the environment. */
static void aws_find_identity(struct model_config *config, const struct profile *p)
{
	struct arena *arena = &config->arena;

	if (!p->web_identity.len || !p->role.len)
		return;
	config->aws_identity.token_file = arena_dup(arena, p->web_identity).ptr;
	config->aws_identity.role = arena_dup(arena, p->role).ptr;
	if (p->role_session.len)
		config->aws_identity.session = arena_dup(arena, p->role_session).ptr;
}

static void aws_find_services(struct model_config *config, const struct shared *shared)
{
	const struct profile *p = shared->config.role.len ? &shared->config : &shared->credentials;

	aws_find_identity(config, p);
	aws_find_role(config, p);
	aws_find_sso(config, shared);
}

bool aws_profile_choose(struct model_config *config, struct err *err)
{
	defer(shared_clear) struct shared shared = SHARED_INIT;

	if (!aws_read_shared(&shared, config, err))
		return false;
	aws_find_services(config, &shared);
	return true;
}

bool aws_config_read(struct model_config *config, model_env_fn *env, void *arg, struct err *err)
{
	defer(shared_clear) struct shared shared = SHARED_INIT;
	struct arena *arena = &config->arena;
	struct sv region = SV(DEFAULT_REGION);
	bool has_keys = config->auth != MODEL_AUTH_AWS || config->aws_key_id || config->aws_secret;

	config->aws_credentials_file =
		aws_file_path(arena, env, arg, "AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials");
	config->aws_config_file = aws_file_path(arena, env, arg, "AWS_CONFIG_FILE", ".aws/config");
	config->aws_sso.cache = aws_file_path(arena, env, arg, "", ".aws/sso/cache");
	if (!has_keys)
		aws_remote_read(config, env, arg);
	if (config->region && has_keys)
		return true;
	if (!aws_read_shared(&shared, config, err))
		return false;
	if (!has_keys)
		aws_find_services(config, &shared);
	if (config->region)
		return true;
	if (shared.config.region.len > 0)
		region = shared.config.region;
	else if (shared.credentials.region.len > 0)
		region = shared.credentials.region;
	config->region = arena_dup(arena, region).ptr;
	return true;
}

/* --- the credential ------------------------------------------------------ */

static bool aws_use_variables(struct credential *out, struct arena *arena,
			      const struct model_config *config, struct err *err)
{
	if (!config->aws_key_id || !config->aws_secret)
		return err_set(err, ERR_INVALID, "%s is set but %s is not",
			       config->aws_key_id ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY",
			       config->aws_key_id ? "AWS_SECRET_ACCESS_KEY" : "AWS_ACCESS_KEY_ID");
	*out = (struct credential){
		.auth = MODEL_AUTH_AWS,
		.aws_id = arena_dup(arena, sv_cstr(config->aws_key_id)),
		.aws_secret = arena_dup(arena, sv_cstr(config->aws_secret)),
		.aws_token = arena_dup(arena, sv_cstr(config->aws_token)),
	};
	return true;
}

static bool aws_use_profile(struct credential *out, const char **origin, struct arena *arena,
			    const struct profile *p, struct sv name, const char *path,
			    struct err *err)
{
	if (p->id.len == 0 || p->secret.len == 0)
		return err_set(err, ERR_INVALID,
			       "%s: profile \"%.*s\" sets only one of aws_access_key_id and "
			       "aws_secret_access_key",
			       path, SV_ARG(name));
	*out = (struct credential){
		.auth = MODEL_AUTH_AWS,
		.aws_id = arena_dup(arena, p->id),
		.aws_secret = arena_dup(arena, p->secret),
		.aws_token = arena_dup(arena, p->token),
	};
	*origin = arena_printf(arena, "profile %.*s in %s", SV_ARG(name), path).ptr;
	return true;
}

static bool has_keys(const struct profile *p)
{
	return p->id.len > 0 || p->secret.len > 0;
}

/* Return how the profile gets its keys, if awl cannot do that itself; else NULL. */
static const char *aws_other_way(const struct shared *s, const struct model_config *config)
{
	const struct profile *sides[] = { &s->credentials, &s->config };

	if (config->aws_sso.role || config->aws_role.role)
		return NULL;
	for (size_t i = 0; i < countof(sides); i++) {
		if (sides[i]->sso_url.len > 0 || sides[i]->sso_session.len > 0)
			return BY_SSO;
		if (sides[i]->role.len > 0 || sides[i]->web_identity.len > 0)
			return "by assuming a role";
	}
	return NULL;
}

/* Fail with the reason why the files give no keys. */
static bool aws_explain(const struct shared *s, struct sv name, const struct model_config *config,
			struct err *err)
{
	const char *way = aws_other_way(s, config);
	bool is_sso = way && sv_is(sv_cstr(way), BY_SSO);

	if (way)
		return err_set(err, ERR_UNSUPPORTED,
			       "the AWS profile \"%.*s\" gets its keys %s, which awl cannot do by "
			       "itself; in the settings, set %s to: %s --profile %.*s",
			       SV_ARG(name), way, is_sso ? "awsAuthRefresh" : "awsCredentialExport",
			       is_sso ? "aws sso login" : AWS_EXPORT, SV_ARG(name));
	return err_set(err, ERR_NOT_FOUND,
		       "no AWS credentials: neither AWS_BEARER_TOKEN_BEDROCK nor "
		       "AWS_ACCESS_KEY_ID is set, and the profile \"%.*s\" %s in %s or %s",
		       SV_ARG(name),
		       s->credentials.found || s->config.found ? "has no keys" : "is not",
		       config->aws_credentials_file ? config->aws_credentials_file : "(no HOME)",
		       config->aws_config_file ? config->aws_config_file : "(no HOME)");
}

/* Return the command of the AWS CLI that prints the keys of a login. Only with awsAuthRefresh,
 * which does the login, and for a name that needs no escaping. */
static const char *aws_find_export(const char **origin, struct arena *arena, const struct shared *s,
				   struct sv name, const struct model_config *config)
{
	if (!config->login || !aws_other_way(s, config) || sv_find_char(name, '\'') != SIZE_MAX)
		return NULL;
	*origin = arena_printf(arena, AWS_EXPORT " of profile %.*s", SV_ARG(name)).ptr;
	return arena_printf(arena, AWS_EXPORT " --profile '%.*s' --format process", SV_ARG(name))
		.ptr;
}

/* Return the profile's credential_process, or NULL. */
static const char *aws_find_process(const char **origin, struct arena *arena,
				    const struct shared *s, struct sv name)
{
	struct sv command =
		s->credentials.process.len > 0 ? s->credentials.process : s->config.process;

	if (command.len == 0)
		return NULL;
	*origin = arena_printf(arena, "the credential_process of profile %.*s", SV_ARG(name)).ptr;
	return arena_dup(arena, command).ptr;
}

bool aws_credentials_read(struct credential *out, const char **origin, const char **process,
			  struct arena *arena, const struct model_config *config, struct err *err)
{
	defer(shared_clear) struct shared shared = SHARED_INIT;
	struct sv name = profile_name(config);

	*process = NULL;
	if (config->auth == MODEL_AUTH_BEARER && config->key) {
		*out = (struct credential){ .auth = MODEL_AUTH_BEARER,
					    .secret = arena_dup(arena, sv_cstr(config->key)) };
		*origin = "AWS_BEARER_TOKEN_BEDROCK";
		return true;
	}
	if (config->aws_key_id || config->aws_secret) {
		if (!aws_use_variables(out, arena, config, err))
			return false;
		*origin = "AWS_ACCESS_KEY_ID";
		return true;
	}
	if (!aws_read_shared(&shared, config, err))
		return false;
	if (has_keys(&shared.credentials))
		return aws_use_profile(out, origin, arena, &shared.credentials, name,
				       config->aws_credentials_file, err);
	if (has_keys(&shared.config))
		return aws_use_profile(out, origin, arena, &shared.config, name,
				       config->aws_config_file, err);
	*process = aws_find_process(origin, arena, &shared, name);
	if (!*process)
		*process = aws_find_export(origin, arena, &shared, name, config);
	return *process || aws_explain(&shared, name, config, err);
}

void aws_credentials_explain(struct str *out, const struct model_config *config)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const char *origin = NULL, *process;
	struct credential ignored;
	struct err err = ERR_INIT;

	if (!config->aws_role.role &&
	    aws_credentials_read(&ignored, &origin, &process, &arena, config, &err))
		str_adds(out, origin);
	else if (aws_remote_origin(config))
		str_adds(out, aws_remote_origin(config));
	else
		str_addf(out, "none: %s", err.text);
}

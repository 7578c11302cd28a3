/* config.h - which service to use and with which credential. Plain data, read from the
 * environment and the settings, never changed afterwards. */
#ifndef AWL_MODEL_CONFIG_H
#define AWL_MODEL_CONFIG_H

#include "base/arena.h"
#include "base/err.h"

enum model_provider {
	MODEL_ANTHROPIC,
	MODEL_BEDROCK,
	MODEL_VERTEX,
	MODEL_FOUNDRY,
	MODEL_OPENAI_CHAT,
	MODEL_OPENAI_RESPONSES,
	MODEL_REPLAY, /* nothing is configured: the built-in script, or --replay */
};

enum model_auth {
	MODEL_AUTH_NONE, /* a local server, or a proxy that adds its own credential */
	MODEL_AUTH_KEY,  /* x-api-key or the provider's equivalent */
	MODEL_AUTH_BEARER,
	MODEL_AUTH_HELPER, /* a command prints the key */
	MODEL_AUTH_AWS,    /* SigV4 */
	MODEL_AUTH_GOOGLE,
};

/* The variables that may contain the key or token of a provider; NULL at the end. */
extern const char *const model_key_variables[];

/* How AWS keys can be had for a token of Kubernetes. */
struct aws_identity {
	const char *token_file, *role, *session;
	const char *url; /* of STS; NULL: that of the region */
};

/* How a profile gets AWS keys for a login by SSO. */
struct aws_sso {
	const char *start_url, *region, *account, *role;
	const char *cache; /* the directory where `aws sso login` puts its token */
	const char *url;   /* of the portal; NULL: that of the region */
};

/* How a profile gets AWS keys by assuming a role. */
struct aws_role {
	const char *role, *session, *external_id, *seconds;
	const char *source;      /* the profile whose keys it is assumed with, or else */
	const char *source_kind; /* the service: "Ec2InstanceMetadata", "EcsContainer" */
};

/* The service that hands out AWS keys to a container. */
struct aws_service {
	const char *url;
	const char *token; /* secret */
	const char *token_file;
};

/* Whether the provider offers Claude, under the names that awl knows. */
static inline bool model_provider_has_claude(enum model_provider provider)
{
	return provider == MODEL_ANTHROPIC || provider == MODEL_BEDROCK ||
	       provider == MODEL_VERTEX || provider == MODEL_FOUNDRY;
}

/* The provider's name for people: "Anthropic API". */
const char *model_provider_title(enum model_provider provider);

/* All strings live in `arena`; NULL means not set. Only the fields marked secret contain
 * secrets. The struct is never logged as a whole. */
struct model_config {
	struct arena arena;
	const char *user_agent; /* NULL: awl and its version */
	enum model_provider provider;
	enum model_auth auth;
	const char *auth_origin; /* where the credential came from: "ANTHROPIC_API_KEY" */
	const char *base_url;
	const char *key;        /* secret: API key or bearer token */
	const char *key_helper; /* a shell command of the user's own settings */
	int64_t key_helper_ttl_ms;
	const char *custom_headers; /* may contain secrets: lines "Name: value" */
	const char *betas;          /* comma-separated, added to ours */
	const char *extra_body;     /* a JSON object merged into the request */

	const char *model, *small_model;
	const char *effort;                            /* a level */
	int64_t max_output, max_context, max_thinking; /* 0: the model's own */
	bool no_thinking;                              /* MAX_THINKING_TOKENS=0 */

	/* Clouds. */
	const char *region, *small_region;
	const char *project, *quota_project;
	const char *aws_key_id, *aws_secret, *aws_token; /* secrets; env or shared files */
	const char *aws_profile;
	const char *aws_credentials_file, *aws_config_file; /* paths; see aws_credentials.h */
	const char *aws_export;           /* awsCredentialExport; NULL if not needed */
	struct aws_identity aws_identity; /* see aws_remote.h */
	struct aws_sso aws_sso;           /* without a role: none */
	struct aws_role aws_role;         /* without a role: none */
	int aws_depth;                    /* of profiles that assume a role with another's keys */
	struct aws_service aws_container;
	const char *aws_metadata;       /* URL of the EC2 metadata service */
	const char *google_credentials; /* path of a credentials file, or a metadata server's URL */
	const char *google_aws_region;  /* see google_aws.h, which uses the AWS keys, too */
	const char *google_login;       /* where gcloud's login puts such a file */
	bool google_may_run; /* GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES: run what such a file names */
	const char *vertex_regions; /* lines "sonnet-4-5=us-east5"; see vertex.h */
	const char *azure_resource;
	bool skip_auth;
	const char
		*login; /* a shell command from the user's settings that renews the credentials */
	const char *login_name; /* the setting that defines `login` */
	const char *const
		*helper_env; /* environment of these commands; borrowed; NULL: that of awl */

	/* Timing. */
	int64_t timeout_ms;     /* of a whole attempt: 600000 */
	int64_t idle_ms;        /* of a silent stream */
	int max_retries;        /* 10 */
	bool unattended;        /* wait out overloads without limit */
	bool no_whole_fallback; /* do not repeat a broken stream without streaming */
	bool no_listing;        /* do not request model listings from hosts */
};

#define MODEL_CONFIG_INIT           \
	{                           \
		.arena = ARENA_INIT \
	}

/* Looks up a variable. Tests and the `env` setting supply their own. */
typedef const char *model_env_fn(void *arg, const char *name);

/* Values from the user's settings; NULL: not set. */
struct model_settings {
	const char *model;
	const char *key_helper;  /* apiKeyHelper */
	const char *aws_export;  /* awsCredentialExport */
	const char *aws_refresh; /* awsAuthRefresh */
	const char *gcp_refresh; /* gcpAuthRefresh */
};

/* Chooses provider and credential in the documented order: cloud switch, ANTHROPIC_AUTH_TOKEN,
 * ANTHROPIC_API_KEY, helper, CLAUDE_CODE_OAUTH_TOKEN, an OpenAI-compatible endpoint
 * (OPENAI_BASE_URL or OPENAI_API_KEY), else MODEL_REPLAY. Fails on invalid values, naming the
 * variable. */
must_use bool model_config_read(struct model_config *out, model_env_fn *env, void *arg,
				struct err *err);
/* Like model_config_read(), with settings. The environment overrides each setting. The settings
 * are copied. */
must_use bool model_config_read_with(struct model_config *out,
				     const struct model_settings *settings, model_env_fn *env,
				     void *arg, struct err *err);
/* Whether the service surely has a small model: one is configured, or the service is Anthropic's own. */
bool model_config_has_small(const struct model_config *config);
void model_config_clear(struct model_config *config);

/* Appends what was chosen and why, one line each, without any secret, for `awl doctor` and
 * --debug. */
void model_config_explain(struct str *out, const struct model_config *config);

#endif

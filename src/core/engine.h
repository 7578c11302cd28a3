/* engine.h - what all sessions of an engine share: the loop, the model client, the tools of the
 * host, the user's settings and the configuration directory. Behind awl.h. */
#ifndef AWL_CORE_ENGINE_H
#define AWL_CORE_ENGINE_H

#include "base/vec.h"
#include "core/toolset/host_tool.h"
#include "model/auth/proxy_helper.h"
#include "model/catalogue/choice.h"
#include "model/model.h"
#include "tool/shell/child_env.h"

struct session;
struct settings;

struct engine_opts {
	struct loop *loop; /* borrowed */
	/* The environment: read for the configuration, and copied for children. */
	model_env_fn *env;
	void *env_arg;
	const char *const *environ; /* NULL-terminated */
	const char *config_dir;     /* NULL: $CLAUDE_CONFIG_DIR, or .claude in $HOME */
	const char *record, *replay;
	bool replay_timed;
	bool demo;                    /* play the built-in demo even if a model is configured */
	const char *settings;         /* a file, or JSON; NULL: none */
	const char *setting_sources;  /* "user,project,local"; NULL: all */
	const char *managed_settings; /* JSON that can only restrict; NULL: none */
	const char *entrypoint;
};

struct engine {
	struct loop *loop;
	struct settings *settings; /* of the user, the command line and the policy */
	env_list base_env;         /* as given, without the key of the model provider */
	env_list child_env;        /* base_env plus the user's settings */
	env_list helper_env;       /* including the key: for commands that fetch credentials */
	const char *withheld;      /* the variable with the key; NULL: children get it too */
	enum model_cache cache;
	struct http *http; /* NULL: offline */
	struct proxy_helper proxy_helper;
	struct model_config config;
	struct model_table *table;
	struct model_client *client; /* NULL until engine_connect() */
	char *config_dir;            /* NULL: no home directory, so nothing is stored */
	struct str no_config;        /* why config_dir is NULL, if it is */
	char *home;                  /* NULL: not set */
	char *entrypoint;
	char *flag_settings, *setting_sources, *managed_settings; /* NULL: not given */
	struct str notes;    /* problems with the settings, one per line; sessions show them */
	struct str farewell; /* what users should know about the end of sessions, a line each */
	bool is_demo, is_offline, has_tidied;
	struct op *tidying;   /* NULL: not running */
	struct op *preparing; /* NULL: not running */
	struct str model_to_prepare;
	struct op *expecting; /* waits for the loop to be idle; NULL: not running */
	struct str expected;  /* the model of the first prompt, for `expecting` */
	VEC(struct host_tool *) tools;
	struct session *sessions; /* open ones, newest first */
};

/* Fails with a message for the user. */
struct engine *engine_new(const struct engine_opts *given, struct err *err);
/* All sessions must be closed. */
void engine_free(struct engine *engine);

/* Creates the model client. Loading its library takes as long as the rest of the start, unless
 * engine_prepare() has done so. Fails if there is no network library. */
must_use bool engine_connect(struct engine *engine, struct err *err);

/* Loads the network library, connects and fetches the credential ahead of the first request for
 * `model`. With an empty model, or without a credential, it only loads the library; offline it does
 * nothing. Does not report failures, because the request will fail the same way. Runs in the
 * background; awl_close() cancels it. */
void engine_prepare(struct engine *engine, struct sv model);
/* The same as soon as the loop has nothing else to do, unless a prompt comes first: while the user
 * still types. awl_close() cancels `expecting`. */
void engine_expect(struct engine *engine, struct sv model);

/* Removes old sessions, once, unless a settings file that may say how long to keep them could
 * not be read. Runs in the background; engine_free() cancels it. */
void engine_tidy(struct engine *engine);

/* Appends the configuration, one line per item, without secrets. */
void engine_describe(struct str *out, struct engine *engine);

/* The rules for choosing a model, from the configuration and these settings; borrows both. */
void engine_rules(const struct engine *engine, const struct settings *settings,
		  struct model_rules *out);

#endif

/* engine.h - what all sessions of a process share: the loop, the model service, the
 * host's tools, and where things are kept. Behind awl.h. */
#ifndef AWL_CORE_ENGINE_H
#define AWL_CORE_ENGINE_H

#include "base/vec.h"
#include "core/host_tool.h"
#include "model/auth/proxy_helper.h"
#include "model/catalogue/choice.h"
#include "model/model.h"
#include "tool/shell/child_env.h"

struct session;
struct settings;

struct engine_opts {
	struct loop *loop; /* borrowed */
	/* The environment: for the configuration, and, copied, for children. */
	model_env_fn *env;
	void *env_arg;
	const char *const *environ; /* NULL-terminated */
	const char *config_dir;     /* NULL: $CLAUDE_CONFIG_DIR, or .claude in $HOME */
	const char *record, *replay;
	bool replay_timed;
	bool demo;                    /* the built-in script answers in any case */
	const char *settings;         /* a file, or JSON; NULL: none */
	const char *setting_sources;  /* "user,project,local"; NULL: all */
	const char *managed_settings; /* JSON that may only forbid; NULL: none */
	const char *entrypoint;
};

struct engine {
	struct loop *loop;
	struct settings *settings; /* of the user, the command line and the machine */
	env_list base_env;         /* as given, without the key of the model provider */
	env_list child_env;        /* the same with the user's settings */
	env_list helper_env;       /* with it: of the commands that get us credentials */
	const char *withheld;      /* the variable that has it; NULL: children get it, too */
	enum model_cache cache;
	struct http *http; /* NULL: offline */
	struct proxy_helper proxy_helper;
	struct model_config config;
	struct model_table *table;
	struct model_client *client; /* NULL until engine_connect() */
	char *config_dir;            /* NULL: there is no home, so nothing can be kept */
	char *home;                  /* NULL: not set */
	char *entrypoint;
	char *flag_settings, *setting_sources, *managed_settings; /* NULL: not given */
	struct str settings_notes; /* for those who ask; sessions read the files again and tell */
	struct str notes; /* what was wrong with the settings, a line each; sessions tell it */
	bool is_demo, is_offline, has_tidied;
	struct op *tidying;   /* NULL: not */
	struct op *preparing; /* NULL: not */
	VEC(struct host_tool *) tools;
	struct session *sessions; /* open ones, newest first */
};

/* Fails with a text to show; what is opened is not moved. */
struct engine *engine_new(const struct engine_opts *given, struct err *err);
/* All sessions must be gone. */
void engine_free(struct engine *engine);

/* Makes the client. Loading what it needs takes as long as all else at start, so it is
 * left until something else can be waited for meanwhile. Fails when there is no network
 * library. */
must_use bool engine_connect(struct engine *engine, struct err *err);

/* Connects, and fetches the credential, ahead of the first request for `model`. Failures are not
 * reported: the request meets them again. Does nothing offline or without a credential. Nobody
 * waits for it: whoever closes the engine cancels `preparing`. */
void engine_prepare(struct engine *engine, struct sv model);

/* Has old sessions removed meanwhile, once, if all that may say how long they are kept could be
 * read. Nobody waits for that: who closes cancels `tidying`. */
void engine_tidy(struct engine *engine);

/* Appends what is configured and what works, a line each, without a secret. */
void engine_describe(struct str *out, struct engine *engine);

/* Which model to ask, as it is configured and as these settings, which it borrows, have it. */
void engine_rules(const struct engine *engine, const struct settings *settings,
		  struct model_rules *out);

#endif

/* job.h - private to src/sandbox: the sandbox of one command, as our process sees it. Made before
 * the command starts, freed when nothing of it is left. */
#ifndef AWL_SANDBOX_ENGINES_JOB_H
#define AWL_SANDBOX_ENGINES_JOB_H

#include "sandbox/engines/image.h"
#include "sandbox/engines/placeholder.h"
#include "sandbox/policy.h"
#include "sys/child.h"

struct engine_job {
	enum sandbox_engine engine;
	struct sandbox_mounts mounts;
	placeholder_list placeholders;
	struct arena arena;
	sandbox_env argv, env; /* run instead of what the caller asked for */
	struct str program;    /* a struct engine_image */
	/* For the guard; -1: none. */
	int filter, rules, their_link;
	int link; /* the listening socket arrives here */
	struct poll *link_poll;
	int listener; /* -1: it has not arrived */
	sandbox_listener_fn *on_listener, *on_listener_end;
	void *listener_arg;
	uint32_t session; /* whose command it is, for the debug log */
};

/* Says why the guard could not set it up. Returns false. */
bool engine_job_explain(const struct engine_job *job, struct confinement_place at, int errnum,
			struct err *err);

/* choose.c: sandbox_choose_engine() for mounts that are known already. */
must_use bool engine_pick(const struct sandbox_policy *policy, const struct sandbox_mounts *mounts,
			  enum sandbox_engine *engine, unsigned *gaps, struct err *err);
/* bubblewrap.c: appends the command line of bubblewrap, up to the command. */
void bubblewrap_argv(sandbox_env *argv, const struct sandbox_policy *policy,
		     const struct sandbox_mounts *mounts, const char *cwd, struct arena *arena);
/* Appends the command line of the helper, if there is one. `rights` are those that the rules
 * handle. */
void bubblewrap_helper(sandbox_env *argv, const struct sandbox_policy *policy, bool has_rules,
		       uint64_t rights, struct arena *arena);
/* Moves the variables that make the dynamic linker load code from `env` into options, so that they
 * affect the command but not bubblewrap itself. */
void bubblewrap_env(sandbox_env *argv, sandbox_env *env, struct arena *arena);

#endif

/* sandbox_job.h - private to src/sys/real: one child's sandbox on our side: made ready before
 * the child, held until nothing of it is left. */
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
	sandbox_env argv, env; /* what is run in place of what was asked for */
	struct str program;    /* a struct engine_image */
	/* For the guard; -1: none. */
	int filter, rules, their_link;
	int link; /* from which the listening socket comes */
	struct poll *link_poll;
	int listener; /* that socket; -1: not yet */
	sandbox_listener_fn *on_listener, *on_listener_end;
	void *listener_arg;
};

/* Fails when the policy cannot be carried out, or a program to be run by bubblewrap is not
 * found. */
struct engine_job *engine_job_new(const struct sandbox_policy *policy, struct loop *loop,
				  const struct child_opts *opts, struct err *err);
void engine_job_free(struct engine_job *job);

/* Why it could not be made, by what the guard reports. Returns false. */
bool engine_job_explain(const struct engine_job *job, struct confinement_place at, int errnum,
			struct err *err);

/* sandbox_choose_engine.c: sandbox_choose_engine() with the mounts in hand. */
must_use bool engine_pick(const struct sandbox_policy *policy, const struct sandbox_mounts *mounts,
			  enum sandbox_engine *engine, unsigned *gaps, struct err *err);
/* sandbox_bwrap.c: appends how bubblewrap is called, up to the command. */
void bubblewrap_argv(sandbox_env *argv, const struct sandbox_policy *policy,
		     const struct sandbox_mounts *mounts, const char *cwd, struct arena *arena);
/* ... and how the helper is called by it, where there is one: with the rights of the rules,
 * if there are rules. */
void bubblewrap_helper(sandbox_env *argv, const struct sandbox_policy *policy, bool has_rules,
		       uint64_t rights, struct arena *arena);
/* ... and without what would make bubblewrap itself load code of somebody's: that is set
 * for the command alone. */
void bubblewrap_env(sandbox_env *argv, sandbox_env *env, struct arena *arena);

#endif

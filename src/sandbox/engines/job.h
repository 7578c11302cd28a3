/* sandbox_job.h - private to src/sys/real: one child's sandbox on our side: made ready before
 * the child, held until nothing of it is left. */
#ifndef AWL_SANDBOX_ENGINES_JOB_H
#define AWL_SANDBOX_ENGINES_JOB_H

#include "sandbox/engines/placeholder.h"
#include "sandbox/engines/program.h"
#include "sandbox/policy.h"
#include "sys/child.h"

struct sandbox_job {
	enum sandbox_engine engine;
	struct sandbox_mounts mounts;
	sandbox_masks masks;
	struct arena arena;
	sandbox_env argv, env; /* what is run in place of what was asked for */
	struct str program;    /* a struct sandbox_program */
	/* For the guard; -1: none. */
	int filter, rules, their_link;
	int link; /* from which the listening socket comes */
	struct poll *link_poll;
	int listener; /* that socket; -1: not yet */
	sandbox_listener_fn *on_listener, *on_listener_end;
	void *listener_arg;
};

/* Fails when the plan cannot be carried out, or a program to be run by bubblewrap is not
 * found. */
struct sandbox_job *sandbox_job_new(const struct sandbox *plan, struct loop *loop,
				    const struct child_opts *opts, struct err *err);
void sandbox_job_free(struct sandbox_job *job);

/* Why it could not be made, by what the guard reports. Returns false. */
bool sandbox_job_explain(const struct sandbox_job *job, struct confinement_place at, int errnum,
			 struct err *err);

/* sandbox_choose.c: sandbox_choose() with the mounts in hand. */
must_use bool sandbox_pick(const struct sandbox *plan, const struct sandbox_mounts *mounts,
			   enum sandbox_engine *engine, unsigned *gaps, struct err *err);
/* sandbox_bwrap.c: appends how bubblewrap is called, up to the command. */
void sandbox_bwrap_argv(sandbox_env *argv, const struct sandbox *plan,
			const struct sandbox_mounts *mounts, const char *cwd, struct arena *arena);
/* ... and how the helper is called by it, where there is one: with the rights of the rules,
 * if there are rules. */
void sandbox_bwrap_helper(sandbox_env *argv, const struct sandbox *plan, bool has_rules,
			  uint64_t rights, struct arena *arena);
/* ... and without what would make bubblewrap itself load code of somebody's: that is set
 * for the command alone. */
void sandbox_bwrap_env(sandbox_env *argv, sandbox_env *env, struct arena *arena);

#endif

/* sandbox_job.h - private to src/sys/real: one child's sandbox on our side: made ready before
 * the child, held until nothing of it is left. */
#ifndef AWL_SYS_REAL_SANDBOX_JOB_H
#define AWL_SYS_REAL_SANDBOX_JOB_H

#include "sys/child.h"
#include "sys/real/sandbox_mask.h"
#include "sys/real/sandbox_program.h"
#include "sys/sandbox.h"

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
};

/* Fails when the plan cannot be carried out, or a program to be run by bubblewrap is not
 * found. */
struct sandbox_job *sandbox_job_new(const struct child_opts *opts, struct err *err);
void sandbox_job_free(struct sandbox_job *job);
void sandbox_job_freep(struct sandbox_job **job);

/* The socket, once it has come; -1: not, or not any more. */
int sandbox_job_listener(struct sandbox_job *job);

/* Why it could not be made, by what the guard reports. Returns false. */
bool sandbox_job_explain(const struct sandbox_job *job, enum sandbox_step step, uint32_t mount,
			 int errnum, struct err *err);

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

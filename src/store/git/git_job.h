/* git_job.h - one command of git as an op, run as git.h describes: filters that the settings name are
 * overridden before it starts. */
#ifndef AWL_STORE_GIT_GIT_JOB_H
#define AWL_STORE_GIT_GIT_JOB_H

#include "base/str.h"
#include "sys/op.h"

struct git_job_opts {
	const char *top;         /* the directory that contains .git */
	const char *const *env;  /* of the user's programs */
	const char *const *args; /* NULL-terminated */
	int64_t deadline_ms;     /* 0: GIT_DEADLINE_MS */
	struct str *out;         /* borrowed; gets the output; NULL: nobody reads it */
};

/* Fails with the last line of what git complains about; also when there is more output than LIMIT_GIT_OUTPUT.
 * Copies the options. */
struct op *git_job_start(struct loop *loop, const struct git_job_opts *opts, struct then then);

#endif

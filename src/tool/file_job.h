/* file_job.h - private to src/tool: what the tools for one file have in common. Each
 * takes a `file_path` (or `notebook_path`), works on it in a worker, and minds what
 * the model has seen of it (read_state.h). */
#ifndef AWL_TOOL_FILE_JOB_H
#define AWL_TOOL_FILE_JOB_H

#include "tool/job.h"
#include "tool/read_state.h"

struct file_job {
	struct tool_job job;
	struct str path; /* tool_path: what is spoken of */
	struct str real; /* tool_real_path: what is read, changed and remembered */
	/* What the model had seen of it before the call, when `known`. */
	bool known;
	struct file_seen seen;
	/* What it has seen now: left by run(), with `learnt`, for file_finish(). */
	bool learnt;
	struct file_seen now;
};

/* The members of a tool_job_type. */
void file_prepare(struct tool_job *job);
void file_finish(struct tool_job *job);
void file_clear(struct tool_job *job);

/* The members of a tool. */
bool file_check(const struct tool_call *call, struct err *err);
void file_wish_read(const struct tool_call *call, struct arena *arena, struct wish *out);
void file_wish_write(const struct tool_call *call, struct arena *arena, struct wish *out);

/* For run(). Each returns false when it has failed the call (tool_fail). */

/* What is at `path`; `*exists` false: nothing. Refuses all but regular files. */
bool file_look(struct file_job *f, const char *path, bool *exists, struct fs_info *info);
/* Says that there is no such file, where one was looked for, and what it might be. */
bool file_missing(struct file_job *f);
/* Reads the file `real` and makes sure that it is what the model has seen. */
bool file_read_known(struct file_job *f, const struct fs_info *info, struct str *bytes);
/* Replaces or makes the file `real` with the directories it needs, and notes that
 * the model knows it now. */
bool file_store(struct file_job *f, struct sv bytes);

/* Makes the directories that a file at `path`, absolute, needs. */
must_use bool file_make_parents(const struct str *path, struct err *err);

#endif

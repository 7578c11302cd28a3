/* file_job.h - private to src/tool: what the tools for one file have in common. Each
 * takes a `file_path` (or `notebook_path`), works on it in a worker, through one door
 * (allowed_file.h), and minds what the model has seen of it (read_state.h). */
#ifndef AWL_TOOL_FILE_JOB_H
#define AWL_TOOL_FILE_JOB_H

#include "tool/allowed_file.h"
#include "tool/job.h"
#include "tool/read/read_state.h"

struct file_job {
	struct tool_job job;
	struct allowed_file file;
	/* What the model had seen of it before the call, when `known`. */
	bool known;
	struct file_seen seen;
	/* What it has seen now: left by run(), with `learnt`, for file_finish(). */
	bool learnt;
	struct file_seen now;
};

/* A tool_job_type whose run() is file_run(). */
struct file_job_type {
	struct tool_job_type job;
	/* In the worker. Whatever goes wrong is for the model to read: what it returns is
	 * of no account. */
	bool (*work)(struct file_job *f);
};

/* The members of a tool_job_type. */
void file_prepare(struct tool_job *job);
bool file_run(struct tool_job *job, struct err *err);
void file_finish(struct tool_job *job);
void file_clear(struct tool_job *job);

/* Those of a type that adds nothing to them. */
#define FILE_JOB(type_of_job)                                                          \
	{                                                                              \
		.size = sizeof(type_of_job), .prepare = file_prepare, .run = file_run, \
		.finish = file_finish, .clear = file_clear                             \
	}

/* The members of a tool. */
bool file_check(const struct tool_call *call, struct err *err);
void file_read_request(const struct tool_call *call, struct arena *arena, struct perm_request *out);
void file_write_request(const struct tool_call *call, struct arena *arena,
			struct perm_request *out);

/* For work(). Each returns false when it has failed the call (tool_fail). */

/* What is there; `*info` NULL: nothing. Refuses all but regular files. */
bool file_look(struct file_job *f, const struct fs_info **info);
/* Says that there is no such file, where one was looked for, and what it might be. */
bool file_missing(struct file_job *f);
/* Reads the file and makes sure that it is what the model has seen, or some of it. */
bool file_read_known(struct file_job *f, struct str *bytes);
/* That the model has seen all of it, as it must have to replace it. */
bool file_is_all_known(struct file_job *f);
/* Replaces or makes the file with the directories it needs, and notes that the model
 * knows it now, all of it: who edits what is known in part says so in f->now. */
bool file_store(struct file_job *f, struct sv bytes);

static inline const char *file_name(const struct file_job *f)
{
	return str_c(&f->file.path);
}

#endif

/* file_job.h - private to src/tool: the common part of the tools for one file. Each takes a
 * `file_path` (or `notebook_path`), works on that file in a worker (allowed_file.h) and keeps track
 * of what the model has seen of it (read_state.h). */
#ifndef AWL_TOOL_FILE_JOB_H
#define AWL_TOOL_FILE_JOB_H

#include "tool/allowed_file.h"
#include "tool/job.h"
#include "tool/read/read_state.h"

struct file_job {
	struct tool_job job;
	struct allowed_file file;
	/* What the model had seen of it before the call, if `known`. */
	bool known;
	struct file_seen seen;
	struct fs_lock *lock; /* while a call that `changes` the file is in a worker */
	/* What it has seen now, if `learnt`; run() fills it in for file_finish(). */
	bool learnt;
	struct file_seen now;
};

/* A tool_job_type whose run() is file_run(). */
struct file_job_type {
	struct tool_job_type job;
	/* In the worker. Errors go into the result for the model; the return value is
	 * ignored. */
	bool (*work)(struct file_job *f);
	bool changes; /* one call at a time, among all agents and sessions */
};

/* Members of a tool_job_type. */
void file_prepare(struct tool_job *job);
bool file_run(struct tool_job *job, struct err *err);
void file_finish(struct tool_job *job);
void file_clear(struct tool_job *job);

/* A tool_job_type that uses them unchanged. */
#define FILE_JOB(type_of_job)                                                          \
	{                                                                              \
		.size = sizeof(type_of_job), .prepare = file_prepare, .run = file_run, \
		.finish = file_finish, .clear = file_clear                             \
	}

/* Members of a tool. */
bool file_check(const struct tool_call *call, struct err *err);
void file_read_request(const struct tool_call *call, struct arena *arena, struct perm_request *out);
void file_write_request(const struct tool_call *call, struct arena *arena,
			struct perm_request *out);
/* A file that exists must have been read. */
bool file_foresee(const struct tool_call *call, const struct perm_request *request,
		  struct err *err);

/* For work(). Each returns false when it has failed the call (tool_fail). */

/* Looks up the file; `*info` is NULL if there is none. Refuses everything but regular files. */
bool file_look(struct file_job *f, const struct fs_info **info);
/* Reports that the file does not exist, and suggests a similar name. */
bool file_missing(struct file_job *f);
/* Reads the file. Fails unless the model has seen at least part of this content. */
bool file_read_known(struct file_job *f, struct str *bytes);
/* Fails unless the model has seen the whole file, as it must before replacing it. */
bool file_is_all_known(struct file_job *f);
/* Writes the file, creates missing directories, and records that the model knows all of it. A tool
 * that edits a partly known file corrects that in f->now. A preview writes and records nothing. */
bool file_store(struct file_job *f, struct sv bytes);

static inline const char *file_name(const struct file_job *f)
{
	return str_c(&f->file.path);
}

#endif

/* edit_job.h - private to src/tool: changes one file by a sequence of replacements, all or none. Edit
 * makes one replacement, MultiEdit several; each writes its own result. */
#ifndef AWL_TOOL_EDIT_EDIT_JOB_H
#define AWL_TOOL_EDIT_EDIT_JOB_H

#include "base/vec.h"
#include "text/json/json_write.h"
#include "tool/edit/edit_step.h"
#include "tool/file_job.h"

struct edit_job {
	struct file_job file;
	VEC(struct edit_step) steps; /* the first may have no old text: it creates the file */
	VEC(struct edit_done) done;  /* one per step; EDIT_NOWHERE if it created the file */
	bool existed;
	struct str before, after; /* only during the work */
	struct lines_seen shown;  /* the lines of `after` that the model knows */
};

struct edit_job_type {
	struct file_job_type file; /* EDIT_FILE */
	/* The part of the input that has {old_string, new_string, replace_all}: an object or an
	 * array of them. */
	struct json (*edits)(struct json input);
	/* Writes the result after the file was changed. On the worker. */
	void (*report)(struct edit_job *e);
};

#define EDIT_FILE                                         \
	{                                                 \
		.job = { .size = sizeof(struct edit_job), \
			 .prepare = edit_job_prepare,     \
			 .run = file_run,                 \
			 .finish = file_finish,           \
			 .clear = edit_job_clear },       \
		.work = edit_job_work, .changes = true    \
	}

void edit_job_prepare(struct tool_job *job);
bool edit_job_work(struct file_job *f);
void edit_job_clear(struct tool_job *job);

/* Writes the members originalFile, structuredPatch and awlWordDiff. */
void edit_job_put_change(struct jw *w, const struct edit_job *e);

#endif

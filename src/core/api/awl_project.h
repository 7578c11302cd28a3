/* awl_project.h - private to awl*.c: a project of awl.h, a directory with its settings files. */
#ifndef AWL_CORE_API_AWL_PROJECT_H
#define AWL_CORE_API_AWL_PROJECT_H

#include <awl_mcp.h>

#include "core/api/awl_int.h"
#include "core/policy/project.h"
#include "core/policy/why.h"
#include "mcp/sources.h"

/* What awl_why() returns, with what its strings live in. */
struct awl_why_made {
	struct awl_why_answer why; /* first: awl_why_part_at() gets a pointer to it */
	struct why_answer answer;
	VEC(struct awl_why_part) parts;
};

struct awl_project_file {
	struct awl_trust_file file;
	struct str path, text, scripts;
};

struct awl_project {
	struct str dir;                     /* with the project's files; real */
	struct str work_dir;                /* where a session works, real; usually `dir` */
	struct str config_dir, global_file; /* empty: there is no home */
	char *home;                         /* NULL: not known */
	char *settings, *sources;           /* as given; NULL: not */
	env_list env;                       /* owned; not used when `has_env` is false */
	bool has_env;
	struct str notes; /* of the last call */

	/* Returned by the last call. */
	struct str result;
	struct arena arena;
	VEC(struct awl_config_entry) entries;
	struct awl_why_made *why;
	struct why_schema schema; /* of the tool that awl_why() was asked about last */
	struct mcp_sources mcp;
	VEC(struct awl_mcp_server) servers; /* borrow from `mcp` and `arena` */

	/* As awl_trust_look() read it. */
	struct project looked;
	bool has_looked;
	VEC(struct awl_project_file) files;
	struct str pending;
};

/* Begins a call: what the last one returned is gone. */
void awl_project_begin(struct awl_project *p);
/* Appends a note, without a line end. */
void awl_project_note(struct awl_project *p, const char *fmt, ...) printf_like(2, 3);

const char *awl_project_config_dir(const struct awl_project *p); /* NULL: none */
const char *const *awl_project_env(const struct awl_project *p); /* NULL: our own */
/* The directory with the project's files, if a session works in another one, else NULL. */
const char *awl_project_elsewhere(const struct awl_project *p);
/* Looks at the files of the project as they are now. `out` borrows from `p`. */
void awl_project_look(struct awl_project *p, struct project *out);

/* The parts of awl_project_close() in other files. */
void awl_trust_clear(struct awl_project *p);
void awl_why_clear(struct awl_project *p);

#endif

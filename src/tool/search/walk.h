/* walk.h - private to src/tool: visits what is below a directory, for the tools that search.
 *
 * The walk is depth first, with the names of a directory in byte order. It reports links and never
 * follows them. Directories that cannot be read or no longer exist count as empty. The walk skips the
 * directories of version control, everything that .gitignore and .ignore files hide (like ripgrep,
 * including files above the start up to the top of the repository), and everything that the globs of
 * the caller exclude.
 *
 *   struct walk w = { .root = dir, .job = job, .visit = look, .arg = mine };
 *   if (!walk_add_glob(&w, SV("!*.o"), err) || !walk_run(&w, err)) ...
 *   walk_clear(&w); */
#ifndef AWL_TOOL_SEARCH_WALK_H
#define AWL_TOOL_SEARCH_WALK_H

#include "sys/fs.h"
#include "text/match/ignore.h"
#include "tool/job.h"

struct walk_entry {
	struct sv full; /* absolute path, NUL-terminated */
	struct sv path; /* relative to the root */
	struct sv name;
	enum fs_kind kind;
	size_t depth;   /* 0 for children of the root */
	bool is_wanted; /* matches a glob of the caller */
};

/* The views are valid until it returns. */
typedef enum fs_visit walk_fn(void *arg, const struct walk_entry *entry);

enum walk_end {
	WALK_WHOLE,
	WALK_ENOUGH, /* the visitor stopped it */
	WALK_CANCELLED,
	WALK_LATE, /* past the deadline of the job */
	WALK_FULL, /* past max_entries */
};

/* The kind of file that rules come from. Those of .ignore override those of .gitignore. */
enum walk_source { WALK_IGNORE, WALK_GITIGNORE, WALK_SOURCES };

struct walk {
	/* Set by the caller; everything but the root and the visitor may be zero. */
	struct sv root;             /* absolute and normal, NUL-terminated; outlives the walk */
	const struct tool_job *job; /* ends the walk when it is cancelled or late */
	walk_fn *visit;
	void *arg;
	size_t max_entries;    /* visited, including hidden ones; 0: LIMIT_WALK_ENTRIES */
	bool skip_dotted;      /* skip names that start with a dot */
	bool no_ignore;        /* disregard ignore files */
	struct sv globs_below; /* where the globs are anchored; empty: the root */
	struct sv top;         /* of the repository around the root; empty: found by the walk */

	/* Results. */
	enum walk_end end; /* of the last run */
	size_t entries;    /* visited by all runs */

	/* Private. */
	struct str full;
	struct walk_rules *rules[WALK_SOURCES]; /* that apply here, the deepest first */
	struct ignore globs;
	size_t glob_base; /* offset in `full` where the part that globs match begins */
	bool only_globs;  /* a file must match one */
};

void walk_clear(struct walk *w);

/* Call it before the walk. Restricts the walk to files that match one of the globs, even if an ignore
 * file hides them; a glob with a leading '!' excludes files and directories. The last match decides.
 * The syntax is that of ignore files, plus braces. */
must_use bool walk_add_glob(struct walk *w, struct sv glob, struct err *err);

/* May run again, also with another root; `entries` adds up. Fails only if the root cannot be read. */
must_use bool walk_run(struct walk *w, struct err *err);

/* The root of the repository that contains `root`, as a view of it; "/" if there is none. */
struct sv walk_top(struct sv root);

/* Appends a sentence that says why the walk may be incomplete; nothing if it was complete or its
 * visitor stopped it. */
void walk_explain(enum walk_end end, size_t entries, int64_t deadline_ms, struct str *out);

/* Appends a path for display: valid UTF-8 on one line, "\x0a" for a newline. */
void walk_show_path(struct str *out, struct sv path);

#endif

/* walk.h - private to src/tool: what is below a directory, as the tools that search
 * see it.
 *
 * Depth first, the names of a directory in byte order, links reported and never
 * followed; directories that cannot be read, or are gone by now, have nothing in them.
 * Left out are what version control keeps for itself, what the tree's .gitignore and
 * .ignore files hide (as ripgrep has it: those above the start count too, up to the
 * top of the repository), and what the caller's own globs exclude.
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
	struct sv full; /* its absolute path, NUL-terminated */
	struct sv path; /* the same from the root */
	struct sv name;
	enum fs_kind kind;
	size_t depth;   /* 0 for the root's own children */
	bool is_wanted; /* it matches a glob of the caller */
};

/* Views die when it returns. */
typedef enum fs_visit walk_fn(void *arg, const struct walk_entry *entry);

enum walk_end {
	WALK_WHOLE,
	WALK_ENOUGH, /* the visitor said so */
	WALK_CANCELLED,
	WALK_LATE, /* past the deadline of the job */
	WALK_FULL, /* past max_entries */
};

/* Which kind of file rules came from; those of .ignore outrank all of .gitignore. */
enum walk_source { WALK_IGNORE, WALK_GITIGNORE, WALK_SOURCES };

struct walk {
	/* Of the caller; all but the root and the visitor may be left zero. */
	struct sv root;             /* absolute and normal, NUL-terminated; outlives the walk */
	const struct tool_job *job; /* that ends the walk when it is cancelled or late */
	walk_fn *visit;
	void *arg;
	size_t max_entries;    /* looked at, hidden ones too; 0: LIMIT_WALK_ENTRIES */
	bool skip_dotted;      /* leaves out what begins with a dot */
	bool no_ignore;        /* ignore files do not count */
	struct sv globs_below; /* where the globs are anchored; empty: the root */
	struct sv top;         /* of the repository around the root; empty: found by the walk */

	/* What came of it. */
	enum walk_end end; /* of the last run */
	size_t entries;    /* looked at by all runs */

	/* Private. */
	struct str full;
	struct walk_rules *rules[WALK_SOURCES]; /* that hold here, the deepest first */
	struct ignore globs;
	size_t glob_base; /* where in `full` begins what globs are matched against */
	bool only_globs;  /* a file must match one */
};

void walk_clear(struct walk *w);

/* Before the walk: only files that match one of the globs (in which case no ignore file
 * hides them), or with a '!' in front no file or directory that matches. The last one
 * that matches decides. Written as in an ignore file, and braces are expanded. */
must_use bool walk_add_glob(struct walk *w, struct sv glob, struct err *err);

/* May be done again, from another root too; `entries` adds up. Fails only when the root
 * cannot be read. */
must_use bool walk_run(struct walk *w, struct err *err);

/* The repository around `root`, a view of its start; "/" when there is none. */
struct sv walk_top(struct sv root);

/* Appends a sentence about why there may be more than was seen; nothing when a walk
 * was whole or stopped by its visitor. */
void walk_explain(enum walk_end end, size_t entries, int64_t deadline_ms, struct str *out);

/* Appends a path as it can be shown: valid UTF-8 on one line, "\x0a" for a newline. */
void walk_show_path(struct str *out, struct sv path);

#endif

/* instructions.h - the files in which people tell an agent how to work here:
 * AGENTS.md and CLAUDE.md. Their text goes to the model verbatim, but for characters
 * that nobody can see (visible.h), under the path it came from.
 *
 * Read at the start, most general first: what the policy of the machine says (the setting
 * "claudeMd" and CLAUDE.md beside its settings), <config>/CLAUDE.md (the user's own), then for
 * every folder from the root of the file system down to the working directory AGENTS.md,
 * CLAUDE.md, .claude/CLAUDE.md and CLAUDE.local.md. Read when first touched: those in folders
 * below, or in a further working directory, on the way to a file that a tool reads or
 * changes. A CLAUDE.md that only points at an AGENTS.md beside it (a link, an import, or
 * the same bytes) is not said twice.
 *
 * `@path` outside code in such a file means that file too (relative to the one it stands
 * in, `~/` and absolute allowed), to a depth of 4, each file once; what is binary, too
 * big, missing or a loop is left out and said so.
 *
 * A repository must not pull ~/.ssh into a prompt: what a project's file names, by an
 * import or by being a link, must be below that file's folder, in a working directory,
 * or be a *.md right in the configuration directory, and never what looks like a secret
 * (".env"). The user's own file may import
 * anything. Above the working directory, folders that everybody may write to are not
 * believed.
 *
 * What the settings do not want to be read (instruction_rules.h) is not; that never concerns
 * the policy's own. */
#ifndef AWL_CONTEXT_INSTRUCTIONS_H
#define AWL_CONTEXT_INSTRUCTIONS_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum instruction_scope {
	INSTRUCTION_POLICY,
	INSTRUCTION_USER,
	INSTRUCTION_PROJECT,
	INSTRUCTION_LOCAL, /* CLAUDE.local.md */
	INSTRUCTION_NESTED,
};

struct instruction {
	enum instruction_scope scope;
	char *path;        /* absolute; of "claudeMd" the file and line that set it */
	char *imported_by; /* NULL: found by its name */
	struct str text;   /* valid UTF-8 without a NUL; not blank */
};

struct settings;
struct instructions; /* knows which files were given, so that none is given twice */

struct instructions_opts {
	const char *config_dir, *home; /* NULL: there is none */
	const char *cwd;
	const char *const *dirs; /* further working directories; NULL-terminated; may be NULL */
	bool reads_dirs;         /* those of `dirs` are read at the start, too */
	const struct settings *settings; /* not kept; NULL: there are none */
	const char *policy_dir;          /* NULL: /etc/claude-code */
	/* Why none but the policy's are read, a clause that stays valid; NULL: all are. */
	const char *off;
};

/* Reads those of the start. Cannot fail: what could not be read is in the notes. */
struct instructions *instructions_new(const struct instructions_opts *opts);
void instructions_free(struct instructions *in);
void instructions_freep(struct instructions **in);

/* Adds those that concern the absolute `path` and were not given yet; how many. */
size_t instructions_touch(struct instructions *in, struct sv path);

/* In the order in which they were read; each stays where it is. */
size_t instructions_count(const struct instructions *in);
const struct instruction *instructions_at(const struct instructions *in, size_t i);
/* What was left out and why, a sentence a line; not what was not wanted. */
struct sv instructions_notes(const struct instructions *in);
/* Likewise what the settings, or `off`, did not want to be read. */
struct sv instructions_unwanted(const struct instructions *in);

/* Appends, for people, what there is, what of it the model has been told (the first `told`
 * files), and what was left out. */
void instructions_list(struct str *out, const struct instructions *in, size_t told);

/* Appends the files [from, count) as the model gets them, each in a frame that no
 * file can imitate; nothing when there are none. The same bytes for the same files. */
void instructions_write(struct str *out, const struct instructions *in, size_t from);

#endif

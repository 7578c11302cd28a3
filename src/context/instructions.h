/* instructions.h - the files in which people tell an agent how to work here: AGENTS.md,
 * CLAUDE.md and rules. The model gets their text verbatim, without characters that nobody can
 * see (visible_text.h), under the path of the file.
 *
 * These are read at the start, most general first: those of the machine's policy (the setting
 * "claudeMd" and CLAUDE.md beside its settings); the user's own <config>/CLAUDE.md and
 * <config>/rules; then, for every folder from the root of the file system down to the working
 * directory, AGENTS.md, CLAUDE.md, .claude/CLAUDE.md, CLAUDE.local.md and .claude/rules. Others
 * are read when a tool first reads or changes a file: those of the folders on the way to that
 * file, below the working directory or in another one, and the rules whose `paths` match it
 * (rule_paths.h). A CLAUDE.md that only points at an AGENTS.md beside it (a link, an import, or
 * the same bytes) is not sent twice.
 *
 * `@path` outside code imports another file. The path is relative to the importing file, or
 * starts with `~/` or `/`. Imports nest up to 4 levels, and each file is sent once. Binary,
 * missing and too big files and import loops are skipped with a note.
 *
 * A repository must not pull ~/.ssh into a prompt. What a project's file imports or links to
 * must be below that file's folder, in a working directory, or a *.md right in the configuration
 * directory, and must not look like a secret (".env"). The user's own file may import anything.
 * Above the working directory, files in world-writable folders are skipped.
 *
 * The settings can exclude files (instruction_rules.h), but never those of the policy. */
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
	char *paths;       /* patterns of the files that a rule is for; NULL: all files */
	struct str text;   /* valid UTF-8 without a NUL; not blank */
};

struct settings;
struct instructions; /* knows which files it has read, so that none is sent twice */

struct instructions_opts {
	const char *config_dir, *home; /* NULL: there is none */
	const char *cwd;
	const char *const *dirs; /* further working directories; NULL-terminated; may be NULL */
	bool reads_dirs;         /* read those of `dirs` at the start, too */
	const struct settings *settings; /* used only now; NULL: there are none */
	const char *policy_dir;          /* NULL: /etc/claude-code */
	/* Why only those of the policy are read, a clause; borrowed. NULL: all are read. */
	const char *off;
};

/* Reads the files of the start. Cannot fail: the notes name the files that could not be read. */
struct instructions *instructions_new(const struct instructions_opts *opts);
void instructions_free(struct instructions *in);
void instructions_freep(struct instructions **in);

/* Reads the files that concern the absolute `path`. Returns how many are new. */
size_t instructions_touch(struct instructions *in, struct sv path);

/* The files, in the order in which they were read. A pointer stays valid. */
size_t instructions_count(const struct instructions *in);
const struct instruction *instructions_at(const struct instructions *in, size_t i);
/* The files that were skipped, and why: one sentence per line. */
struct sv instructions_notes(const struct instructions *in);
/* The same for files that the settings or `off` exclude. */
struct sv instructions_unwanted(const struct instructions *in);

/* Appends a page for people: the files, whether the model has got them (the first `sent` have been
 * sent), and which were skipped. */
void instructions_list(struct str *out, const struct instructions *in, size_t sent);

/* Appends the files [from, count) as the model gets them, each in a frame that no file can imitate;
 * nothing if there are none. The same files always give the same bytes. */
void instructions_write(struct str *out, const struct instructions *in, size_t from);

#endif

/* trust.h - whether the user trusts what a project's files make awl do.
 *
 * Trust depends on content, never on a path alone. The record has digests of the files that
 * control awl (.claude/settings.json, .claude/settings.local.json, .mcp.json) and of the
 * project's scripts that their commands name (trust_scripts.h). If a pull changes one of them,
 * the project is untrusted until the user reviews it again. Each project has its own record,
 * except for the local file: all directories and worktrees of a repository share it, so it is
 * recorded per repository. The record is the user's own file, <config>/awl/trust.json. */
#ifndef AWL_STORE_TRUST_H
#define AWL_STORE_TRUST_H

#include "store/settings/settings.h"
#include "text/digest.h"

enum trust_state {
	TRUST_NOT_NEEDED, /* the project has no such files */
	TRUST_GIVEN,
	TRUST_NEVER_GIVEN,
	TRUST_OUTDATED, /* given for other content */
};

enum trust_file { TRUST_PROJECT, TRUST_LOCAL, TRUST_MCP, TRUST_FILES };

struct trust {
	enum trust_state state;
	struct str digest; /* of all inspected content; hexadecimal */
	struct trust_seen {
		bool is_there;
		struct digest digest;
		struct str scripts; /* paths, one per line */
		struct digest of_scripts;
	} files[TRUST_FILES];
	struct str project_dir, shared_dir;
	bool is_lost; /* see trust_follow() */
};

#define TRUST_INIT                  \
	{                           \
		.digest = STR_INIT, \
	}
void trust_clear(struct trust *trust);

/* Inspects a project. `project_dir` is a real path; `repo_dir` is as in struct settings_opts.
 * Never fails: if the record or a file cannot be read, nothing is trusted. */
void trust_inspect(struct trust *out, const char *config_dir, const char *project_dir,
		   const char *repo_dir);
bool trust_is_given(enum trust_state state);
/* Returns whether the file had this text when inspected; it may have changed before it was read
 * again. */
bool trust_saw(const struct trust *trust, enum trust_file file, struct sv text);
/* Whether a command of the settings files names a file by a relative name, so that it runs the one in
 * `work_dir`, and that one is not the project's. `which` gets the name. */
bool trust_finds_foreign(const struct trust *trust, const char *work_dir, struct str *which);
/* Returns the file name relative to the project or the repository. */
const char *trust_file_name(enum trust_file file);
enum trust_file trust_file_of(enum settings_source source); /* TRUST_PROJECT or TRUST_LOCAL */

/* Updates `digest` after awl itself has changed the file from `before` to `after` (`before`
 * empty: the file did not exist). If `before` is not the inspected content, or one of the file's
 * scripts has changed, the user has not reviewed the rest: sets trust.is_lost. */
void trust_follow(struct trust *trust, enum trust_file file, struct sv before, struct sv after);

/* Records trust in the inspected content, or with NULL revokes trust. The caller holds the lock
 * of config_lock.h. Fails if the path is not valid UTF-8, because the record could not be found
 * again. */
must_use bool trust_record(const char *config_dir, const char *project_dir, const char *repo_dir,
			   const struct trust *trust, struct err *err);

#endif

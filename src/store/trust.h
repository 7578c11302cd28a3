/* trust.h - whether the user has vouched for what a project's files would make awl do.
 *
 * By content, never by path alone: what is remembered are digests of the files that have a
 * say (.claude/settings.json, .claude/settings.local.json, .mcp.json) and of the project's
 * scripts that their commands name (trust_scripts.h), so a pull that changes one of them takes
 * the trust away until the user has looked again. Each project is vouched
 * for on its own, but for the local file: all directories and work trees of a repository
 * share it, so it is known by the repository. The record is the user's own file,
 * <config>/awl/trust.json. */
#ifndef AWL_STORE_TRUST_H
#define AWL_STORE_TRUST_H

#include "store/settings/settings.h"
#include "text/digest.h"

enum trust_state {
	TRUST_NOT_NEEDED, /* the project says nothing */
	TRUST_GIVEN,
	TRUST_NEVER_GIVEN,
	TRUST_OUTDATED, /* given to other content */
};

enum trust_file { TRUST_PROJECT, TRUST_LOCAL, TRUST_MCP, TRUST_FILES };

struct trust {
	enum trust_state state;
	struct str digest; /* of all the content as it was looked at; hexadecimal */
	struct trust_seen {
		bool is_there;
		struct digest digest;
		struct str scripts; /* paths, a line each */
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

/* `project_dir` is real; `repo_dir` as in struct settings_opts. A record or a file that cannot
 * be read means that nothing is trusted; it never fails. */
void trust_look(struct trust *out, const char *config_dir, const char *project_dir,
		const char *repo_dir);
bool trust_is_given(enum trust_state state);
/* Whether this is what was looked at: a file may have changed before it was read again. */
bool trust_saw(const struct trust *trust, enum trust_file file, struct sv text);
/* Its name, seen from the project or the repository. */
const char *trust_file_name(enum trust_file file);
enum trust_file trust_file_of(enum settings_source source); /* the project's or the local one */

/* We have changed the file ourselves, and `digest` is now of what that makes of the content
 * that was looked at. When the file had not the content that was (nothing: it was not
 * there), or one of its scripts has changed, nobody has vouched for the rest of it:
 * trust.is_lost. */
void trust_follow(struct trust *trust, enum trust_file file, struct sv before, struct sv after);

/* Records trust in the content as it was looked at, or (NULL) forgets what there is. The caller
 * has the turn (turn.h). Fails for a path that is no UTF-8, as it could not be found again. */
must_use bool trust_record(const char *config_dir, const char *project_dir, const char *repo_dir,
			   const struct trust *trust, struct err *err);

#endif

/* trust.h - whether the user has vouched for what a project's files would make awl do.
 *
 * By content, never by path alone: what is remembered is a digest of the files that have a
 * say (.claude/settings.json, .claude/settings.local.json, .mcp.json), so a pull that changes
 * one of them takes the trust away until the user has looked again. The record is the
 * user's own file, <config>/awl/trust.json; where a work tree says that it belongs to is not
 * asked. */
#ifndef AWL_STORE_TRUST_H
#define AWL_STORE_TRUST_H

#include "store/settings.h"
#include "text/digest.h"

enum trust_state {
	TRUST_NOT_NEEDED, /* the project says nothing */
	TRUST_GIVEN,
	TRUST_NEVER_GIVEN,
	TRUST_OUTDATED, /* given to other content */
};

struct trust {
	enum trust_state state;
	struct str digest;            /* of the content as it is now; hexadecimal */
	struct str files;             /* those there are, a line each, seen from the project */
	struct digest project, local; /* of its settings files; all 0: there is none */
};

#define TRUST_INIT                                    \
	{                                             \
		.digest = STR_INIT, .files = STR_INIT \
	}
void trust_clear(struct trust *trust);

/* `project_dir` is real; `repo_dir` as in struct settings_opts. A record or a file that cannot
 * be read means that nothing is trusted; it never fails. */
void trust_look(struct trust *out, const char *config_dir, const char *project_dir,
		const char *repo_dir);
bool trust_is_given(enum trust_state state);
/* Whether this is what was looked at: a file may have changed before it was read again. */
bool trust_saw(const struct trust *trust, enum settings_source source, struct sv text);

/* Records trust in the content that `digest` is of, or (empty) forgets it. Fails for a
 * project whose path is no UTF-8, as it could not be found again. */
must_use bool trust_record(const char *config_dir, const char *project_dir, struct sv digest,
			   struct err *err);

#endif

/* project.h - the settings files that have a say in a directory, and whether what the
 * project's own say is to be believed. Everyone who reads or changes settings for a
 * directory begins here, so that they mean the same files. */
#ifndef AWL_CORE_PROJECT_H
#define AWL_CORE_PROJECT_H

#include "store/settings/settings.h"
#include "store/trust.h"

struct project {
	struct str top;             /* of the repository around it: its first checkout */
	struct trust trust;         /* in the content as it was looked at */
	struct str *vouched;        /* as given */
	struct settings_opts files; /* borrows from `top` and from what was given */
};

#define PROJECT_INIT                                  \
	{                                             \
		.top = STR_INIT, .trust = TRUST_INIT, \
	}

/* `config_dir` may be NULL; `dir` is real. `vouched` is the digest of content that is trusted
 * for now, beside what is recorded; NULL: none. All are borrowed. files.trusts_project is set
 * when trust is given, or not needed. */
void project_look(struct project *out, const char *config_dir, const char *dir,
		  struct str *vouched);
void project_clear(struct project *project);

/* Changes one of the files, by settings_put() or one of its kin, when it is our turn (turn.h).
 * That does not make a stranger's file of it: what was trusted is so with this change, and
 * with no other that somebody makes meanwhile. */
must_use bool project_change(struct project *project, typeof(settings_put) *change,
			     enum settings_source source, struct json_steps steps, struct sv json,
			     struct err *err);

/* Appends what of the project's files is not used because they are not trusted, a line each:
 * settings_ignored(), the MCP servers, and what git is not let run either way. */
void project_ignored(const struct project *project, const struct settings *settings,
		     struct str *out);

/* Records trust in the project as it was looked at, or forgets it. */
must_use bool project_trust(const struct project *project, bool is_trusted, struct err *err);

#endif

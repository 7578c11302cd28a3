/* project.h - the settings files that have a say in a directory, and whether what the
 * project's own say is to be believed. Everyone who reads or changes settings for a
 * directory begins here, so that they mean the same files. */
#ifndef AWL_EXTEND_PROJECT_H
#define AWL_EXTEND_PROJECT_H

#include "store/settings.h"
#include "store/trust.h"

struct project {
	struct str top;             /* of the repository around it */
	struct trust trust;         /* in the content as it was looked at */
	struct settings_opts files; /* borrows from `top` and from what was given */
};

#define PROJECT_INIT                                  \
	{                                             \
		.top = STR_INIT, .trust = TRUST_INIT, \
	}

/* `config_dir` may be NULL; `dir` is real. Both are borrowed. files.trusts_project is set when
 * trust is given, or not needed. */
void project_look(struct project *out, const char *config_dir, const char *dir);
void project_clear(struct project *project);

/* We have changed a file of it ourselves: that does not make it a stranger's. */
void project_keep_trust(const struct project *project);

#endif

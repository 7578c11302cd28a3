/* trust.h - the files of a project that wait for the user's trust, as text to read before the answer. */
#ifndef AWL_FRONT_TRUST_H
#define AWL_FRONT_TRUST_H

#include <awl.h>

#include "base/str.h"

/* Appends the files that trust is about, whole: a command looks like any other text. */
void trust_add_files(struct str *out, const struct awl_project *project);
/* Appends what it would change to trust them, the commands in them, and which files they are. */
void trust_add_summary(struct str *out, const struct awl_project *project, bool is_outdated);

/* Looks whether somebody has to be asked about the project before a session begins: its files want something that needs
 * trust, and they are not trusted as they are now. Then `*out` is the project, for awl_trust_give(); close it. */
bool trust_is_needed(struct awl_project **out, const struct awl_project_options *options,
		     bool *is_outdated);

#endif

/* repo_settings.h - whether the configuration of a repository makes git run programs, or look
 * elsewhere, even for commands that only read.
 *
 * A repository that somebody else made may bring its configuration along: in an archive, or as a
 * bare repository among the files of a clone. Of the sections that matter to reading commands, the
 * harmless settings are listed and any other counts. Whole values are compared. Settings that only
 * name a way to another host count in a partial clone, where reading fetches what is missing, and
 * merge drivers where reading repeats merges. */
#ifndef AWL_CORE_POLICY_REPO_SETTINGS_H
#define AWL_CORE_POLICY_REPO_SETTINGS_H

#include "base/str.h"

/* What a configuration file contains; several files add up. */
struct repo_settings {
	struct sv top;     /* the work tree */
	struct sv git_dir; /* where relative paths start */
	bool runs_programs;
	bool is_partial, has_transport;
	bool has_merge_driver, repeats_merges;
};

/* Reads the text of a configuration file. */
void repo_settings_read(struct repo_settings *settings, struct sv text);
/* Whether a directory of hooks, seen from the directory `top`, has the one hook that reading a
 * repository can trigger. */
bool repo_has_looking_hook(struct sv top, struct sv value);
/* Whether one of the files read so far makes git run a program. */
bool repo_settings_count(const struct repo_settings *settings);

#endif

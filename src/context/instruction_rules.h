/* instruction_rules.h - which instruction files the settings let awl read.
 *
 * --setting-sources chooses by owner: the user's, the project's, local ones. "instructionFiles"
 * chooses by name, "claudeMdExcludes" by path. A pattern of the latter is a glob (glob.h) that
 * matches a whole absolute path:
 *
 *   /mono/team-b/CLAUDE.md   this file, also if /mono is a link
 *   ~/old/                   everything in a folder of the home directory
 *   vendor/{CLAUDE,AGENTS}.md, CLAUDE.local.md   at any depth, as if after "**" and a slash */
#ifndef AWL_CONTEXT_INSTRUCTION_RULES_H
#define AWL_CONTEXT_INSTRUCTION_RULES_H

#include "base/vec.h"
#include "store/settings/settings.h"
#include "text/match/glob.h"

enum instruction_names {
	INSTRUCTIONS_ALL,          /* AGENTS.md and CLAUDE.md */
	INSTRUCTIONS_AGENTS_ALONE, /* AGENTS.md only in folders without CLAUDE.md */
	INSTRUCTIONS_CLAUDE,       /* no AGENTS.md */
	INSTRUCTIONS_POLICYS,      /* only those of the policy */
};

struct instruction_exclude {
	char *written;
	struct glob as_written, real; /* `real` has its links resolved, and may have no pattern */
};

struct instruction_rules {
	enum instruction_names names;
	bool without[SETTINGS_SOURCES]; /* --setting-sources excludes it */
	VEC(struct instruction_exclude) excludes;
	size_t bytes; /* of all patterns */
};

#define INSTRUCTION_RULES_INIT       \
	{                            \
		.excludes = VEC_INIT \
	}

/* Reads the settings, which may be NULL and are not needed afterwards. Appends a line to `notes`
 * for each pattern that cannot be used. */
void instruction_rules_read(struct instruction_rules *rules, const struct settings *settings,
			    const char *home, struct str *notes);
void instruction_rules_clear(struct instruction_rules *rules);

/* Returns the pattern that excludes the absolute `path`; NULL: none does. */
const char *instruction_rules_exclude(const struct instruction_rules *rules, struct sv path);

#endif

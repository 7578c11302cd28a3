/* instruction_rules.h - which instruction files the settings let be read.
 *
 * --setting-sources chooses by whose they are: the user's, the project's, local ones.
 * "instructionFiles" chooses by name, "claudeMdExcludes" by path. A pattern of the latter is
 * one of glob.h over the whole of an absolute path:
 *
 *   /mono/team-b/CLAUDE.md   this file, also when /mono is a link
 *   ~/old/                   all below a folder of the home
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
	INSTRUCTIONS_POLICYS,      /* none but the policy's */
};

struct instruction_exclude {
	char *written;
	struct glob as_written, real; /* the latter without links; may have no pattern */
};

struct instruction_rules {
	enum instruction_names names;
	bool without[SETTINGS_SOURCES]; /* as --setting-sources does not name it */
	VEC(struct instruction_exclude) excludes;
	size_t bytes; /* of all patterns */
};

#define INSTRUCTION_RULES_INIT       \
	{                            \
		.excludes = VEC_INIT \
	}

/* Keeps nothing of `settings`, which may be NULL. A pattern that cannot be used is told in
 * `notes`, a line each. */
void instruction_rules_read(struct instruction_rules *rules, const struct settings *settings,
			    const char *home, struct str *notes);
void instruction_rules_clear(struct instruction_rules *rules);

/* The pattern that excludes the absolute `path`; NULL: none does. */
const char *instruction_rules_exclude(const struct instruction_rules *rules, struct sv path);

#endif

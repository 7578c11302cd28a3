/* command_list.h - the commands and skills of a user and a project:
 *
 *   commands/x.md, commands/x/SKILL.md    /x
 *   commands/git/commit.md                /git:commit
 *   skills/x/SKILL.md                     /x
 *
 * in the configuration directory and in the project's .claude. If several have the same name,
 * skills win over commands and the user's own over those of a project. Links are followed, in a
 * project only as far as they stay inside it. */
#ifndef AWL_EXTEND_COMMAND_LIST_H
#define AWL_EXTEND_COMMAND_LIST_H

#include "base/vec.h"
#include "extend/command_file.h"

struct command_list {
	struct arena arena;
	VEC(struct command_file) files; /* sorted by name; without their bodies */
	struct str notes;               /* what was skipped or is wrong, a line each */
};
#define COMMAND_LIST_INIT                                                 \
	{                                                                 \
		.arena = ARENA_INIT, .files = VEC_INIT, .notes = STR_INIT \
	}

/* Reads the files; at most LIMIT_COMMANDS. `config_dir` and `project_dir` may be NULL: those are not
 * read. Never fails; what cannot be read gets a note. */
void command_list_load(struct command_list *out, const char *config_dir, const char *project_dir);
void command_list_clear(struct command_list *list);

/* NULL: there is none with this name that a user may run. */
const struct command_file *command_list_find(const struct command_list *list, struct sv name);
/* Whether a name can be that of a command. */
bool command_name_valid(struct sv name);

#endif

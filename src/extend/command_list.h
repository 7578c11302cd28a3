/* command_list.h - the commands and skills of a user and a project:
 *
 *   commands/x.md, commands/x/SKILL.md    /x
 *   commands/git/commit.md                /git:commit
 *   skills/x/SKILL.md                     /x
 *
 * in the configuration directory and in .claude of the project's directories. If several have the
 * same name, skills win over commands, the user's own over those of a project, and a directory over
 * those above it. Links are followed, in a project only as far as they stay inside it. */
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

/* Reads the files; at most LIMIT_COMMANDS. `config_dir` may be NULL: it is not read. `dirs` are the
 * working directory and those above it that belong to the same project, its top being the last.
 * Never fails; what cannot be read gets a note. */
void command_list_load(struct command_list *out, const char *config_dir, const char *const *dirs,
		       size_t ndirs);
void command_list_clear(struct command_list *list);

/* NULL: there is none with this name that a user may run. */
const struct command_file *command_list_find(const struct command_list *list, struct sv name);
/* Whether a name can be that of a command. */
bool command_name_valid(struct sv name);

#endif

/* command_list.h - the commands and skills of a user and a project:
 *
 *   commands/x.md, commands/x/SKILL.md    /x
 *   commands/git/commit.md                /git:commit
 *   skills/x/SKILL.md                     /x
 *
 * in the directory of the machine's policy, in the configuration directory and in .claude of the project's
 * directories. If several have the same name, skills take precedence over commands, those of the policy over the
 * user's own, these over those of a project, and a directory over those above it. Links are followed, in a project only as
 * far as they stay inside it. */
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

/* Where to look. Borrowed. */
struct command_places {
	const char *managed_dir; /* of the policy; NULL: none */
	const char *config_dir;  /* NULL: it is not read */
	/* The working directory and those above it that belong to the same project, its top being the last. */
	const char *const *dirs;
	size_t ndirs;
	const char *const *nested; /* directories below, whose skills count after all others */
	size_t nnested;
};

/* Reads the files; at most LIMIT_COMMANDS. Never fails; what cannot be read gets a note. */
void command_list_load(struct command_list *out, const struct command_places *places);
/* Adds those of a plugin, as /plugin:x and /plugin:git:commit. `path` is absolute: a folder of commands, or one of them,
 * or with `is_skills` a folder of skills, or one skill. The texts are copied. */
struct command_plugin {
	struct sv name;
	const char *root, *data; /* its directories; `data` may be NULL */
	struct sv config;        /* as in struct plugin */
};
void command_list_add_plugin(struct command_list *out, const struct command_plugin *plugin,
			     const char *path, bool is_skills);
void command_list_clear(struct command_list *list);

/* The first file that was added, changed or removed; empty: all are as before. */
struct sv command_list_changed(const struct command_list *before, const struct command_list *now);
/* NULL: there is none with this name that a user may run. */
const struct command_file *command_list_find(const struct command_list *list, struct sv name);
/* Whether a name can be that of a command. */
bool command_name_valid(struct sv name);

#endif

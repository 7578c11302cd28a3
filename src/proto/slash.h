/* slash.h - the slash commands that awl has, one row each, and those of other agents that it does
 * not have. Help, completion, the list that hosts get and the table in docs/commands.md are made
 * from these rows; core/commands has what the engine does for each.
 *
 * A front end looks a name up with slash_find(). It carries out the SLASH_FRONT commands that it
 * knows itself and sends everything else to the session as a prompt, which answers it or says why
 * not. Commands that users write as files are not here: hosts get them with the list. */
#ifndef AWL_PROTO_SLASH_H
#define AWL_PROTO_SLASH_H

#include "base/str.h"

enum slash_kind {
	SLASH_LOCAL, /* the engine answers, without a model */
	SLASH_PROMPT, /* a text of ours becomes the prompt; a file of the user's with this name wins */
	SLASH_FRONT, /* only the screen at a terminal can do it */
};

/* In the order of their names. */
enum slash_id {
	SLASH_ADD_DIR,
	SLASH_AGENTS,
	SLASH_BACKGROUND,
	SLASH_BATCH,
	SLASH_BRANCH,
	SLASH_BTW,
	SLASH_BUG,
	SLASH_CLEAR,
	SLASH_COMPACT,
	SLASH_CONFIG,
	SLASH_CONTEXT,
	SLASH_COPY,
	SLASH_DEBUG,
	SLASH_DIFF,
	SLASH_DOCTOR,
	SLASH_EFFORT,
	SLASH_EXIT,
	SLASH_EXPORT,
	SLASH_FAST,
	SLASH_GOAL,
	SLASH_HELP,
	SLASH_HOOKS,
	SLASH_INIT,
	SLASH_KEYBINDINGS,
	SLASH_KEYBINDINGS_HELP,
	SLASH_LOGIN,
	SLASH_LOGOUT,
	SLASH_LOOP,
	SLASH_MCP,
	SLASH_MEMORY,
	SLASH_MODEL,
	SLASH_OUTPUT_STYLE,
	SLASH_PERMISSIONS,
	SLASH_PLAN,
	SLASH_PLUGIN,
	SLASH_PR_COMMENTS,
	SLASH_RECAP,
	SLASH_REDO,
	SLASH_RELEASE_NOTES,
	SLASH_RELOAD_PLUGINS,
	SLASH_REMEMBER,
	SLASH_RENAME,
	SLASH_RESUME,
	SLASH_REVIEW,
	SLASH_REWIND,
	SLASH_SANDBOX,
	SLASH_SCHEDULE,
	SLASH_SECURITY_REVIEW,
	SLASH_SIMPLIFY,
	SLASH_SKILLIFY,
	SLASH_SKILLS,
	SLASH_STATUS,
	SLASH_STATUSLINE,
	SLASH_STUCK,
	SLASH_TASKS,
	SLASH_THEME,
	SLASH_TODOS,
	SLASH_UNDO,
	SLASH_UPDATE_CONFIG,
	SLASH_USAGE,
	SLASH_VERIFY,
	SLASH_VIM,
	SLASH_COMMANDS, /* how many there are */
};

struct slash_command {
	char name[24];
	enum slash_kind kind;
	bool is_immediate;   /* runs while a turn is on, if a person typed it */
	const char *aliases; /* other names, separated by blanks; NULL: none */
	char hint[64];       /* what may follow the name; empty: nothing */
	char help[88];       /* a phrase for people, without a full stop */
	/* Of SLASH_FRONT: what to do where it does not work, a phrase; NULL: nothing. */
	const char *elsewhere;
};

/* Indexed by their ids. */
extern const struct slash_command slash_commands[SLASH_COMMANDS];

/* Finds a command by its name or another of its names, without the slash; NULL: there is none. */
const struct slash_command *slash_find(struct sv name);
enum slash_id slash_id(const struct slash_command *command);

/* What to do instead of a command that other agents have and awl does not have yet, a phrase; NULL:
 * nobody has such a command. */
const char *slash_instead(struct sv name);

/* Appends the line of a command in a list for people: "/model [model]  Show the model". */
void slash_describe(struct str *out, struct sv name, struct sv hint, struct sv help);
/* Appends the tables of docs/commands.md. */
void slash_write_docs(struct str *out);

#endif

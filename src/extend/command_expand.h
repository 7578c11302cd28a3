/* command_expand.h - from the text of a command and its arguments to the prompt.
 *
 *   $ARGUMENTS                  everything that was typed after the name
 *   $ARGUMENTS[0], $0, $1 ...   one word of it, with the quotes of a shell
 *   $name                       the word for a name in the front matter
 *   ${CLAUDE_SKILL_DIR} ...     a variable of ours
 *   \$1                         "$1"
 *   !`git status`               the output of a command, at the start of a line or after a blank
 *   ```! ... ```                the same for several lines
 *
 * If a text has $0, words are counted from zero; if not, $1 is the first: people write both. Words
 * by number stay as they are when there are no arguments, because a text that nobody gives any is
 * more likely to show awk. What was typed can be in a command, but never makes one: commands are
 * found before the arguments are put in. Arguments that the text has no place for come at its end.
 *
 * Pure, and linear in the length of what it reads and writes. */
#ifndef AWL_EXTEND_COMMAND_EXPAND_H
#define AWL_EXTEND_COMMAND_EXPAND_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct command_variable {
	const char *name; /* CLAUDE_SKILL_DIR */
	struct sv value;
};

/* Borrowed. */
struct command_call {
	struct sv body;      /* of the command */
	struct sv arguments; /* as typed */
	const struct sv *names;
	size_t nnames;
	const struct command_variable *variables;
	size_t nvariables;
};

/* A part of the prompt: a text, or a command whose output stands there. */
struct command_part {
	bool is_shell;
	struct str text;
};

struct command_expansion {
	VEC(struct command_part) parts;
};
#define COMMAND_EXPANSION_INIT    \
	{                         \
		.parts = VEC_INIT \
	}

/* Fails (ERR_TOO_BIG) over LIMIT_COMMAND_TEXT, or with too many commands. */
must_use bool command_expand(struct command_expansion *out, const struct command_call *call,
			     struct err *err);
void command_expansion_clear(struct command_expansion *expansion);

#endif

/* vim_internal.h - private to the files of vim. */
#ifndef AWL_TERM_EDITOR_VIM_INTERNAL_H
#define AWL_TERM_EDITOR_VIM_INTERNAL_H

#include "base/str_list.h"
#include "term/editor/editor_internal.h"
#include "term/editor/vim.h"

/* A whole command, once all of its keys have been typed. */
struct vim_command {
	unsigned count; /* 0: none was given */
	char operation; /* 0: none */
	char verb; /* a motion or command; the operator again: whole lines; 'g': gg; 'i' or 'a': an object */
	char object;
	struct str target; /* the character that f, F, t, T and r take */
	/* How much a command in visual mode was for, to repeat it from the cursor: so many characters or lines. 0: not
	 * in visual mode. */
	size_t span;
	bool has_lines;
};

/* What the next key is. */
enum vim_state {
	VIM_BEGIN,    /* a count, an operator, a motion or a command */
	VIM_OPERATOR, /* a count, a motion or "i" and "a" */
	VIM_OBJECT,   /* the kind of an object */
	VIM_TARGET,   /* any character */
	VIM_AFTER_G,
};

struct vim {
	struct editor *editor;
	enum vim_mode mode;
	size_t anchor; /* the other end of the selection */

	enum vim_state state;
	struct vim_command command; /* as far as it has been typed */
	unsigned digits;
	struct str keys; /* of the unfinished command */

	struct vim_command last; /* that changed the text; verb 0: none */
	struct str inserted;     /* what was typed after it */
	bool is_inserting;       /* for `last`, so changes are undone together */
	size_t insert_from;

	char find; /* f, F, t or T, for ; and , */
	struct str find_target;

	struct str reg;
	bool reg_has_lines;

	str_list remaps;
	struct str typed; /* the end of what was typed in insert mode */
};

struct vim_range {
	size_t from, to;
	bool has_lines;
};

void vim_command_clear(struct vim_command *command);

/* vim_motion.c */
bool vim_is_motion(char c);
/* Where a motion leads from the cursor; false: nowhere. */
bool vim_motion(struct vim *vim, const struct vim_command *command, size_t *to);
/* The text that an operator with this motion or object is for. */
bool vim_range(struct vim *vim, const struct vim_command *command, struct vim_range *range);
bool vim_object(const struct editor *editor, const struct vim_command *command, size_t at,
		struct vim_range *range);
/* The lines of [from, to], with the line end of the last one. */
struct vim_range vim_lines(const struct editor *editor, size_t from, size_t to);
size_t vim_first_nonblank(const struct editor *editor, size_t at);

/* vim_command.c */
void vim_run(struct vim *vim, struct vim_command *command);
void vim_run_visual(struct vim *vim, struct vim_command *command);
bool vim_is_visual_command(char c);
void vim_leave_insert(struct vim *vim);
void vim_settle(struct vim *vim); /* the cursor stands on a character, not behind the line */

#endif

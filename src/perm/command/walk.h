/* walk.h - private to command_analysis.c and walk_*.c: goes through the tree of a command line
 * in the order in which it would run, and notes each command. */
#ifndef AWL_PERM_COMMAND_WALK_H
#define AWL_PERM_COMMAND_WALK_H

#include "perm/command/command_analysis.h"

#define TOO_MANY "it contains too many commands, or nests them too deeply"

struct shell_function {
	struct sv name;
	const struct sh_node *body;
	bool is_open; /* being walked: a call from there is a recursion */
	bool is_sure; /* it is certainly defined when what follows runs */
};

struct walk {
	struct command_analysis *out;
	struct arena *arena;
	struct expand x; /* all but `cwd`, which each command sets; x.values: in the second pass */
	VEC(struct shell_function) functions;
	size_t visible_from; /* index of the first function that this shell knows */
	size_t depth;
	size_t outer;          /* the command whose text is walked; SIZE_MAX: none */
	size_t optional_depth; /* > 0: this may not run at all */
	size_t repeat_depth;   /* > 0: this may run more than once */
	size_t substitution_depth;
	size_t later_turn_depth;  /* > 0: not the first turn of a loop */
	size_t turns_left;        /* of loops, that may be walked one by one */
	size_t text_left;         /* bytes that may be parsed */
	size_t first_of_pass;     /* index of the first command of this pass */
	enum certainty certainty; /* at best, of what is walked */
	bool is_indirect;         /* an option or a variable names what is walked */
	bool forks;               /* in a pipe or behind & */
	bool has_piped_input;
	bool has_input;    /* what is read is known: `input` */
	bool has_unknowns; /* the first pass left something open */
	bool is_unrolled;  /* the loop that is walked next is walked for each of its turns */
	bool is_same;      /* the same words again, with other values */
	struct sv input;
};

/* Where the shell is after a command has succeeded, and after it has failed. */
struct cwd_after {
	struct cwd_set ok, failed;
};

static inline struct cwd_after cwd_unchanged(struct cwd_set cwd)
{
	return (struct cwd_after){ cwd, cwd };
}

static inline struct cwd_set cwd_after_any(struct cwd_after after)
{
	return cwd_set_union(&after.ok, &after.failed);
}

struct cwd_after cwd_after_union(struct cwd_after a, struct cwd_after b);

/* Notes why not everything is known; the first reason counts. */
void walk_give_up(struct walk *w, const char *why);

/* Any tree (walk_compound.c). */
struct cwd_after walk_node(struct walk *w, const struct sh_node *node, struct cwd_set cwd);
/* One command, and where it leaves the shell (walk_simple.c). */
struct cwd_after walk_simple(struct walk *w, const struct sh_node *node, struct cwd_set cwd);
/* A tree in a shell of its own: what it defines ends with it. `node` may be NULL. Returns where it
 * leaves that shell. */
struct cwd_after walk_subshell(struct walk *w, const struct sh_node *node, struct cwd_set cwd);
/* The substitutions in words, each in a shell of its own. */
void walk_parts(struct walk *w, const struct sh_part *parts, struct cwd_set cwd);
void walk_words(struct walk *w, const struct sh_word *words, struct cwd_set cwd);
/* A text that another shell reads: it has none of the functions and variables here
 * (command_analysis.c). Returns where it leaves that shell. */
struct cwd_after walk_text(struct walk *w, struct sv text, struct cwd_set cwd);
/* Notes a command that has its arguments, and everything that it runs. Takes `command`; returns
 * where it leaves the shell. */
struct cwd_after walk_add(struct walk *w, struct shell_command *command);

/* A command with everything but its words (walk_redirects.c): assignments, redirections, and
 * whether it sets a name. `x` learns what they evaluate. */
struct shell_command walk_begin_command(struct walk *w, const struct sh_node *node,
					struct expand *x);
/* for x in ..; coproc x { .. }. */
bool walk_sets_name(const struct sh_node *node);
/* Takes `words`. */
void walk_set_argv(struct walk *w, struct shell_command *command, argument_list *words);

/* The second pass (walk_values.c). Whether the first pass left something of the command open,
 * and whether the text may say more about it. */
bool walk_has_unknowns(const struct shell_command *command);
bool walk_text_sets_values(struct sv text);
/* Notes what a command reads, according to its redirections; what the next one in a pipe reads;
 * and adds the arguments that xargs reads. */
void walk_note_input(struct walk *w, struct expand *x, const struct sh_node *node);
void walk_note_output(struct walk *w, const struct sh_node *node, struct cwd_set cwd);
void walk_add_input_args(struct walk *w, struct shell_command *command);
/* Sets the variables that a command sets for what follows, and those written before it. */
void walk_assign_values(struct walk *w, const struct shell_command *command);
void walk_assign_prefix(struct walk *w, const struct expand *from, const struct sh_assign *assigns);

#endif

/* walk.h - private to runs*.c: going through the tree of a command line in the order in which
 * it would run, noting each command. */
#ifndef AWL_PERM_COMMAND_WALK_H
#define AWL_PERM_COMMAND_WALK_H

#include "perm/command/command_analysis.h"

#define TOO_MANY "it holds too many commands, or too deep inside each other"

struct function {
	struct sv name;
	const struct sh_node *body;
	bool is_open; /* being walked: a call of it comes from itself */
	bool is_sure; /* it is defined whenever what follows runs */
};

struct walk {
	struct runs *out;
	struct arena *arena;
	struct expand x; /* all but `place`, which each run sets */
	VEC(struct function) functions;
	size_t known_from; /* those of `functions` that this shell has */
	size_t depth;
	size_t outer;            /* the run whose text is being walked; SIZE_MAX: none */
	size_t maybe;            /* inside so many of what may not run at all */
	size_t again;            /* inside so many of what may run more than once */
	size_t apart;            /* inside so many substitutions */
	size_t turns;            /* of loops may still be gone through one by one */
	size_t text;             /* bytes may still be read as commands */
	size_t turn;             /* inside so many that are not the first of a loop */
	const struct run *aside; /* what is being walked is in this one */
	bool forks;              /* in a pipe or behind & */
	bool is_fed;
	/* x.likely is set the second time. */
	bool has_gaps;    /* the first time: something is not known */
	bool has_input;   /* what is read is known: `input` */
	bool is_doubtful; /* ... inside what is one of several that may be meant */
	bool is_same;     /* the words were met before, with other values */
	struct sv input;
	size_t first; /* run of this time */
};

/* Where the shell is after a command that has succeeded, and after one that has failed. */
struct after {
	struct place ok, failed;
};

static inline struct after stays(struct place place)
{
	return (struct after){ place, place };
}

static inline struct place anyhow(struct after after)
{
	return place_either(&after.ok, &after.failed);
}

/* Notes why not all of it is known; the first reason counts. */
void walk_give_up(struct walk *w, const char *why);

/* Any tree (runs_compound.c). */
struct after walk(struct walk *w, const struct sh_node *node, struct place place);
/* One command, and where it leaves the shell (runs.c). */
struct after walk_simple(struct walk *w, const struct sh_node *node, struct place place);
/* The substitutions in words, each in a shell of its own. */
void walk_parts(struct walk *w, const struct sh_part *parts, struct place place);
void walk_words(struct walk *w, const struct sh_word *words, struct place place);
/* What another shell reads: it has none of the functions and variables here. */
void walk_text(struct walk *w, struct sv text, struct place place);
/* A command whose arguments are there: notes it, and all that it runs. Takes over `run`. */
void walk_add(struct walk *w, struct run *run);
struct after walk_either(struct after a, struct after b);

/* What a command is given besides its words (runs_given.c): its assignments and redirections,
 * and whether it sets a name. `x` is told what they evaluate. */
struct run walk_given(struct walk *w, const struct sh_node *node, struct expand *x);
/* for x in ..; coproc x { .. }. */
bool walk_sets_name(const struct sh_node *node);
void walk_take_arguments(struct walk *w, struct run *run, argument_list *words);

/* The second time (runs_likely.c). Whether the first left something open; and whether the text
 * may say more of it. */
bool walk_has_gap(const struct run *run);
bool walk_may_tell(struct sv command);
/* Notes what a command reads, by its redirections; what the one before it in a pipe prints; and
 * gives xargs its arguments. */
void walk_take_input(struct walk *w, struct expand *x, const struct sh_node *node);
void walk_pipe_on(struct walk *w, const struct sh_node *node, struct place place);
void walk_add_read(struct walk *w, struct run *run);
/* The variables that a command sets: for what follows; and before itself. */
void walk_set_values(struct walk *w, const struct expand *x, const struct sh_node *node,
		     const struct run *run);
void walk_set_assigns(struct walk *w, const struct expand *from, const struct sh_assign *assigns);

#endif

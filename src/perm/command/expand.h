/* expand.h - the words of a command as the arguments that its program will get, as far as
 * that can be known before it runs: tildes, globs, $HOME and $PWD are worked out, anything
 * else that the shell puts in is left open. */
#ifndef AWL_PERM_COMMAND_EXPAND_H
#define AWL_PERM_COMMAND_EXPAND_H

#include "perm/command/cwd_set.h"
#include "perm/command/variable_values.h"
#include "perm/command/variables.h"
#include "perm/program/program.h"
#include "perm/world.h"
#include "text/bash/sh.h"

typedef VEC(struct argument) argument_list;

/* The variable of a loop, for one turn of it. */
struct loop_value {
	struct sv name;
	struct argument value;
	bool is_lost; /* something else may have set it since */
	struct loop_value *outer;
};

/* What is met on the way. */
struct expand {
	struct arena *arena;
	const struct perm_world *world; /* NULL: globs stay open */
	struct sv home;                 /* empty: not known */
	const struct variables *names;  /* of the text; NULL: nothing is known of them */
	const struct loop_value *loops;
	struct cwd_set cwd;
	struct variable_values *values; /* what variables hold; NULL: that is left open */
	size_t choice, choices;         /* which of their values, and how many choices there are */
	bool is_doubtful; /* what a command prints, or else stands for a variable, is in it */
	struct sv
		reevaluates; /* what in the words bash evaluates once more ("${x@P}"); empty: nothing */
	struct sv secret; /* the name of a variable that holds one; empty: none */
};

/* Appends what `words` become, all of them. */
void expand_words(struct expand *x, const struct sh_word *words, argument_list *out);

/* The same of a value that is assigned, which is not split. */
void expand_whole(struct expand *x, const struct sh_word *value, argument_list *out);

/* Looks at parts that give no argument: here-documents, values, subjects of case. */
void expand_look(struct expand *x, const struct sh_part *parts);

/* Whether arithmetic holds anything but numbers and operators: the value of a name in it is
 * evaluated in turn, and so is a subscript. Names that are numbers do no harm. */
bool expand_is_computed(const struct expand *x, struct sv arithmetic);
/* Whether the word will be a number, and nothing else, when it runs. */
bool expand_is_number(const struct expand *x, const struct sh_word *word);

#endif

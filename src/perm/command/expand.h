/* expand.h - from the words of a command to the arguments that its program will get, as far as
 * they can be known before it runs: tildes, globs, $HOME and $PWD are expanded, everything else
 * stays unknown. */
#ifndef AWL_PERM_COMMAND_EXPAND_H
#define AWL_PERM_COMMAND_EXPAND_H

#include "perm/command/cwd_set.h"
#include "perm/command/made_paths.h"
#include "perm/command/variable_values.h"
#include "perm/command/variables.h"
#include "perm/program/program.h"
#include "perm/world.h"
#include "text/bash/sh.h"

typedef VEC(struct argument) argument_list;

/* The variable of a loop, for one turn of it; or one that is set once. */
struct loop_value {
	struct sv name;
	struct argument value;
	bool is_lost; /* something else may have set it since */
	bool is_constant;
	/* Its value is not known, but each is a word of the output of this command; 0: none, else
	 * the index of that command and one more. */
	size_t lister;
	bool is_cut_by_nul; /* a NUL ends each word of it, not a newline */
	struct loop_value *outer;
};

/* The state of an expansion, and what it finds on the way. */
struct expand {
	struct arena *arena;
	const struct perm_world *world; /* NULL: globs stay unknown */
	struct sv home;                 /* empty: not known */
	const struct variables *names;  /* of the text; NULL: nothing is known about them */
	const struct loop_value *loops;
	const made_path_list *made; /* by earlier commands of the line; NULL: nothing */
	struct cwd_set cwd;
	struct variable_values *values; /* what variables hold; NULL: unknown */
	size_t choice, choices;         /* which of their values, and of how many */
	bool uses_constant;             /* it contains the value of a variable that is set once */
	bool is_doubtful;      /* it contains the output of a command, or a default value */
	struct sv reevaluates; /* what bash evaluates once more ("${x@P}"); empty: nothing */
	struct sv secret;      /* the name of a variable that looks like one; empty: none */
};

/* Appends the arguments that `words` become. */
void expand_words(struct expand *x, const struct sh_word *words, argument_list *out);

/* The same for an assigned value, which is not split. */
void expand_whole(struct expand *x, const struct sh_word *value, argument_list *out);

/* Checks parts that become no argument: here-documents, values, subjects of case. */
void expand_look(struct expand *x, const struct sh_part *parts);

/* Whether arithmetic contains anything but numbers and operators: the value of a name is evaluated
 * in turn, and so is a subscript. Names that only hold numbers are harmless. */
bool expand_is_computed(const struct expand *x, struct sv arithmetic);
/* Whether the word will certainly be a number at run time. */
bool expand_is_number(const struct expand *x, const struct sh_word *word);

#endif

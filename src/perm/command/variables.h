/* variables.h - what can be said of a script's variables before it runs: which only ever hold
 * numbers, and which nothing but a loop sets.
 *
 * In arithmetic the value of a name is evaluated in turn, so that `$((n))` runs whatever is in
 * n; not so when n is a number. From the whole text, wherever a value is given in it: a name
 * that is given one in a way that is not understood is neither. What the environment holds is
 * not looked at: a name that the text never sets is neither, too. */
#ifndef AWL_PERM_COMMAND_VARIABLES_H
#define AWL_PERM_COMMAND_VARIABLES_H

#include "base/vec.h"
#include "text/bash/sh.h"

struct variable {
	struct sv name;
	bool is_set;
	bool is_number; /* all it is ever given are numbers */
	bool is_looped; /* only `for` sets it */
};

struct variables {
	VEC(struct variable) all;
	bool is_open;     /* something may set any name, or change how words are split */
	bool is_tampered; /* something may change which program a name stands for */
};

/* Texts of `out` are borrowed of the tree. */
void variables_read(struct variables *out, const struct sh_node *tree, struct arena *arena);
void variables_clear(struct variables *names);

/* NULL counts as names of which nothing is known. "$?", "$#" and "$$" are numbers, too. */
bool variables_is_number(const struct variables *names, struct sv name);
bool variables_is_looped(const struct variables *names, struct sv name);
/* Whether `$(script)` is a number or the name of a commit, or nothing when it fails: `nproc`,
 * `git rev-parse HEAD`. */
bool variables_is_tame_output(const struct variables *names, const struct sh_node *script,
			      struct arena *arena);

#endif

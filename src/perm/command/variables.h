/* variables.h - what is known about a script's variables before it runs: which only ever hold
 * numbers, which are set by nothing but a loop, and which never change.
 *
 * In arithmetic the value of a name is evaluated in turn, so `$((n))` runs whatever is in n,
 * unless n is a number. The whole text is searched for assignments: a name that is set in a way
 * that is not understood is neither, and so is a name that the text never sets, since the
 * environment may hold anything. */
#ifndef AWL_PERM_COMMAND_VARIABLES_H
#define AWL_PERM_COMMAND_VARIABLES_H

#include "base/vec.h"
#include "text/bash/sh.h"

struct variable {
	struct sv name;
	bool is_set;
	bool is_number;              /* it is only ever set to numbers */
	bool is_printed;             /* ... some of which a program prints: $(wc -l < x) */
	bool is_looped;              /* only `for` sets it */
	bool is_array;               /* something makes it an array */
	const struct sh_word *value; /* of its only assignment; NULL: there are others */
	size_t nset;
};

struct variables {
	VEC(struct variable) all;
	bool is_open;     /* something may set any variable, or change how words are split */
	bool is_tampered; /* something may change which program a command name runs */
};

/* The texts in `out` are borrowed from the tree. */
void variables_read(struct variables *out, const struct sh_node *tree, struct arena *arena);
void variables_clear(struct variables *names);

/* NULL: nothing is known. "$?", "$#" and "$$" are numbers, too. */
bool variables_is_number(const struct variables *names, struct sv name);
/* The same for arithmetic, where a number that a program prints counts, too. It may be missing
 * when the program fails. */
bool variables_is_computable(const struct variables *names, struct sv name);
bool variables_is_looped(const struct variables *names, struct sv name);
/* Whether one command of the text sets the variable, nothing else does, and no name of a command
 * means anything else than usual. */
bool variables_is_set_once(const struct variables *names, struct sv name);
/* Whether the text sets the variable once, to a value that it spells: `*out`. It has this value from
 * then on. */
bool variables_is_constant(const struct variables *names, struct sv name, struct arena *arena,
			   struct sv *out);
/* Whether the variable may be an array when a command sets it. */
bool variables_may_be_array(const struct variables *names, struct sv name);
/* Whether `$(script)` is a number or the name of a commit, or nothing when it fails: `nproc`,
 * `git rev-parse HEAD`. */
bool variables_is_tame_output(const struct variables *names, const struct sh_node *script,
			      struct arena *arena);
/* Whether `$(script)` is the top directory of the work tree, or nothing when git fails. */
bool variables_is_toplevel(const struct variables *names, const struct sh_node *script,
			   struct arena *arena);

#endif

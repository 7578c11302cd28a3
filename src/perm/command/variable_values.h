/* variable_values.h - what the variables of a command line hold while it runs, as far as its own text
 * says so: `f=x; echo > $f` writes x. Other commands, and the shell itself, may see to it that
 * it is not so; therefore this only ever forbids, and what is not known for sure stays so for
 * whatever allows. */
#ifndef AWL_PERM_COMMAND_VARIABLE_VALUES_H
#define AWL_PERM_COMMAND_VARIABLE_VALUES_H

#include "base/vec.h"
#include "perm/program/program.h"

enum {
	LIKELY_VALUES = 8, /* of one variable that are told apart */
	LIKELY_WAYS = 32,  /* to put the words of one command together from them */
};

struct likely_value {
	struct sv name, text;
	bool known;
	bool is_only; /* what the variable held before is gone for sure */
};

struct likely {
	struct arena *arena;
	VEC(struct likely_value) all; /* in the order in which they are given */
	const struct argument *args;  /* "$0" and so on; nargs of them */
	size_t nargs;
	size_t left; /* bytes of values that may still be kept */
};

/* `text` is copied. NULL: something that is not known. */
void likely_set(struct likely *likely, struct sv name, const struct sv *text, bool is_only);
/* What it may hold, each once; gives how many, LIKELY_VALUES + 1 when there are more. */
size_t likely_find(const struct likely *likely, struct sv name, struct sv out[LIKELY_VALUES]);
/* Counts what is put together of them; false when it is too much. */
bool likely_take(struct likely *likely, size_t bytes);
void likely_clear(struct likely *likely);

#endif

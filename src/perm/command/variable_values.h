/* variable_values.h - what the variables of a command line probably hold while it runs, according
 * to its own text: `f=x; echo > $f` writes x. Other commands may change them, so these values are
 * only used to forbid something, never to allow it. */
#ifndef AWL_PERM_COMMAND_VARIABLE_VALUES_H
#define AWL_PERM_COMMAND_VARIABLE_VALUES_H

#include "base/vec.h"
#include "perm/program/program.h"

enum {
	VARIABLE_VALUES_MAX = 8, /* of one variable that are told apart */
	EXPAND_CHOICES_MAX = 32, /* to put the words of one command together from them */
};

struct variable_value {
	struct sv name, text;
	bool known;
	bool is_only; /* what the variable held before is gone for sure */
};

struct variable_values {
	struct arena *arena;
	VEC(struct variable_value) all; /* in the order in which they are given */
	const struct argument *args;    /* "$0" and so on; nargs of them */
	size_t nargs;
	size_t left; /* bytes of values that may still be kept */
};

/* `text` is copied. NULL: something that is not known. */
void variable_values_set(struct variable_values *values, struct sv name, const struct sv *text,
			 bool is_only);
/* Removes `n` values from the one at `from` on: those set for one command only. */
void variable_values_remove(struct variable_values *values, size_t from, size_t n);
/* What it may hold, each once; gives how many, VARIABLE_VALUES_MAX + 1 when there are more. */
size_t variable_values_find(const struct variable_values *values, struct sv name,
			    struct sv out[VARIABLE_VALUES_MAX]);
/* Counts what is put together of them; false when it is too much. */
bool variable_values_reserve(struct variable_values *values, size_t bytes);
void variable_values_clear(struct variable_values *values);

#endif

/* case.h - tables of commands with the result of program_analyse() as one line:
 *
 *   "ro" (read-only), "rule" (known, but needs a rule) or "?" (not known), then the words that
 *   apply: net floor shell interpreter open (not a tool), "escalates:--output writes a file"
 *   with "+4" for each further argument that escalates, "loses:...", or "loses!:..." when a rule
 *   must name the argument; then the operands and the commands inside:
 *
 *   read:a  list:.  write:b  remove:c  device:/dev/sda  enter:src
 *   read:"a" only begins like that; "read:a/.." includes all below it, "read:a/...." also through
 *   links
 *   through{ls -l} for a transparent wrapper, run{ls -l} for others, script{ls | wc}; "run{..}*"
 *   with more arguments, "run@dir{..}", "run={..}" with an environment of its own
 *
 * Commands are written in a small part of a shell's syntax: words between blanks, '..' and
 * ".." around any part of them, a backslash before a character outside of quotes, "$x" for one
 * word that is not known, $x for any number of words, a * outside of quotes for a glob. */
#ifndef AWL_TESTS_PERM_PROGRAM_CASE_H
#define AWL_TESTS_PERM_PROGRAM_CASE_H

#include "perm/program/program.h"

struct program_case {
	const char *command, *expected;
};

void program_check_all(const struct program_case *cases, size_t n);

/* Check that the line of a command begins with `start`; `expected` is ignored. */
void program_check_starts(const struct program_case *one, const char *start);

/* The line of one command. */
void program_line(struct str *out, struct sv command, struct arena *arena);

/* Split a command into words, with their texts in `arena`. Return their number, at most `max`. */
size_t program_words(struct sv command, struct argument *out, size_t max, struct arena *arena);

#endif

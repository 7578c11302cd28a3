/* program_case.h - tables of commands and what program_analyse() says of them, as one line:
 *
 *   "ro", "rule" (known, but more than reading) or "?" (not known), then what applies of
 *   net floor shell interpreter open (no tool), "acts:--output writes a file" (once more
 *   "+4" for each further argument that does), "loses:...", "loses!:..." (the argument must be
 *   named), then the operands and the commands inside:
 *
 *   read:a  list:.  write:b  remove:c  device:/dev/sda  enter:src
 *   read:"a" is known only to begin so; with all below it "read:a/..", through links
 *   "read:a/...."
 *   peel{ls -l}  run{ls -l}  script{ls | wc}; "run{..}*" with more arguments, "run@dir{..}",
 *   "run={..}" with an environment of its own
 *
 * Commands are written in a small part of a shell's syntax: words between blanks, '..' and
 * ".." around any part of them, a backslash before a character outside of these, "$x" for one
 * word that is not known, $x for any number, a * outside of quotes for a glob. */
#ifndef AWL_TESTS_PERM_PROGRAM_CASE_H
#define AWL_TESTS_PERM_PROGRAM_CASE_H

#include "perm/program/program.h"

struct program_case {
	const char *command, *expected;
};

void program_check_all(const struct program_case *cases, size_t n);

/* That its line begins with `start`, whatever comes then; `expected` is not looked at. */
void program_check_starts(const struct program_case *one, const char *start);

/* That line of one command. */
void program_line(struct str *out, struct sv command, struct arena *arena);

/* The words of a command, their texts in `arena`; gives their number, at most `max`. */
size_t program_words(struct sv command, struct argument *out, size_t max, struct arena *arena);

#endif

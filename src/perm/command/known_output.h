/* known_output.h - private to src/perm: the output of a command, where its text says it: echo,
 * printf, cat with a here-document. For `echo .. | sh`; only used to forbid something. */
#ifndef AWL_PERM_COMMAND_KNOWN_OUTPUT_H
#define AWL_PERM_COMMAND_KNOWN_OUTPUT_H

#include "perm/command/expand.h"

/* `input` is what it reads; NULL: unknown. For several commands, the known output of each. The text
 * is in x->arena. False when nothing is known. */
bool known_output(struct expand *x, const struct sh_node *node, const struct sv *input,
		  struct sv *out);

/* What a command reads from its redirections; false, and `*out` unchanged, if they don't say. */
bool known_input(struct expand *x, const struct sh_redirect *redirects, struct sv *out);

/* printf with the format argv[1]; argv[0] is ignored. */
bool known_printf(struct expand *x, const struct argument *argv, size_t n, struct sv *out);

#endif

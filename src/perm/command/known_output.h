/* known_output.h - private to src/perm: what a command prints, when its text says so: echo, printf,
 * cat of a here-document. For what goes on to a shell; only ever used to forbid. */
#ifndef AWL_PERM_COMMAND_KNOWN_OUTPUT_H
#define AWL_PERM_COMMAND_KNOWN_OUTPUT_H

#include "perm/command/expand.h"

/* `input` is what it reads; NULL: not known. Of several commands, what is known of each. The
 * text is in x->arena. False when nothing of it is known. */
bool known_output(struct expand *x, const struct sh_node *node, const struct sv *input,
		  struct sv *out);

/* What the redirections give a command to read; `*out` stays when they are about others. */
bool known_input(struct expand *x, const struct sh_redirect *redirects, struct sv *out);

/* printf with argv[1] as its format; argv[0] is not looked at. */
bool known_printf(struct expand *x, const struct argument *argv, size_t n, struct sv *out);

#endif

/* options.h - the flags that make a session, as awl.h wants them. */
#ifndef AWL_CLI_OPTIONS_H
#define AWL_CLI_OPTIONS_H

#include <awl.h>

#include "cli/command.h"

/* Borrows from the arguments; what had to be put together is here. */
struct options {
	struct awl_options engine;
	struct awl_session_options session;
	struct str system_prompt, append_system_prompt;
	struct str tools, allowed, disallowed;
	VEC(const char *) dirs;
};

#define OPTIONS_INIT                                                            \
	{                                                                       \
		.engine = AWL_OPTIONS_INIT, .session = AWL_SESSION_OPTIONS_INIT \
	}

/* Fails with a text to show; clear it in any case. `entrypoint` says who uses awl when
 * $CLAUDE_CODE_ENTRYPOINT does not. */
must_use bool options_read(struct options *out, const struct args *args, const char *entrypoint,
			   struct err *err);
void options_clear(struct options *options);

/* Whether the value of a flag is one of two; a third is an error that names both.
 * Without the flag: false. */
must_use bool options_choice(bool *is_second, const struct args *args, const char *flag,
			     const char *first, const char *second, struct err *err);

/* NULL when it cannot be opened, which has been said. */
struct awl *options_open(const struct options *options);
/* The status in the end: a recording that is not complete is a failure. */
enum exit_code options_close(struct awl *awl, int status);

#endif

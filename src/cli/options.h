/* options.h - converts flags to the session options of awl.h. */
#ifndef AWL_CLI_OPTIONS_H
#define AWL_CLI_OPTIONS_H

#include <awl.h>

#include "cli/command.h"

/* Borrows from the arguments, except for the texts that it had to build. */
struct options {
	struct awl_options engine;
	struct awl_session_options session;
	struct str system_prompt, append_subagents, append_system_prompt;
	struct str tools, allowed, disallowed, schema, agents;
	VEC(const char *) dirs;
	VEC(const char *) mcp_configs, channels, plugins, plugins_without_mcp;
	VEC(char *) unpacked; /* directories of plugins */
	bool is_bare, is_safe;
	bool chooses_session;         /* --resume without a session: the user wants a list */
	bool needs_no_model;          /* nothing will be asked, so the demo has nothing to play */
	struct str scratch, demo_dir; /* where the demo works; removed by options_close() */
};

#define OPTIONS_INIT                                                            \
	{                                                                       \
		.engine = AWL_OPTIONS_INIT, .session = AWL_SESSION_OPTIONS_INIT \
	}

/* Fails with a text to show; clear `out` in any case. `entrypoint` says who uses awl if
 * $CLAUDE_CODE_ENTRYPOINT is not set. */
must_use bool options_read(struct options *out, const struct args *args, const char *entrypoint,
			   struct err *err);
void options_clear(struct options *options);

/* Read a flag that has two possible values; any other value is an error. Without the flag,
 * `*is_second` is false. */
must_use bool options_choice(bool *is_second, const struct args *args, const char *flag,
			     const char *first, const char *second, struct err *err);

/* What to say when no model is configured and nobody asked for the demo. */
extern const char options_no_model[];
/* What to say when --resume names no session and there is no screen to choose one. */
extern const char options_no_session[];

/* Returns NULL if the engine cannot be opened, after printing why. If the demo answers, the session
 * gets a scratch directory, so that nothing of the user's changes, and leaves no transcript. */
struct awl *options_open(struct options *options);
/* Close the engine and return the exit status; an incomplete recording is a failure. */
enum exit_code options_close(struct options *options, struct awl *awl, int status);

#endif

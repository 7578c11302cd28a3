/* shell_env.h - the environment of commands: what they get of ours, what is added for
 * them, and what the user's variables say of how they are run. */
#ifndef AWL_TOOL_SHELL_SHELL_ENV_H
#define AWL_TOOL_SHELL_SHELL_ENV_H

#include "base/vec.h"
#include "tool/tool.h"

typedef VEC(const char *) shell_words;

/* The value of a variable; NULL when it is not set or empty. */
const char *shell_env_get(const struct tool_session *session, const char *name);
/* The same as a switch: set, and neither "0" nor "false". */
bool shell_env_is_on(const struct tool_session *session, const char *name);

/* The same as milliseconds; 0 when it says none. */
int64_t shell_env_ms(const struct tool_session *session, const char *name);

/* Appends the session's variables, less start-up files, telemetry and what gives commands
 * another meaning than their text, with ours; of the PATH what is absolute. Not ended by a NULL
 * yet; strings are in `arena`. */
void shell_env_make(shell_words *env, const struct tool_context *ctx, struct arena *arena);

/* The variables for a program that is run by its name without any question: of the PATH what is
 * absolute and not where work is done, since a program there is anybody's. Ended by a NULL; in
 * `arena`, except for what the session owns. */
const char *const *shell_env_own(const struct tool_context *ctx, struct arena *arena);

/* Appends the shells to try, in order: what CLAUDE_CODE_SHELL names, bash, sh. Borrowed
 * from the session. */
void shell_env_shells(shell_words *names, const struct tool_context *ctx);

/* Appends the words that CLAUDE_CODE_SHELL_PREFIX puts before every command; none when
 * it is not set. Fails when it names a program by a relative path, which would be looked
 * for wherever the command runs. */
must_use bool shell_env_prefix(shell_words *words, const struct tool_context *ctx,
			       struct arena *arena, struct err *err);

/* CLAUDE_ENV_FILE, "" when there is none or it is no absolute path. */
const char *shell_env_file(const struct tool_context *ctx);

#endif

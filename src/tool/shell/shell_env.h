/* shell_env.h - the environment of commands: which of our variables they get, which are added, and
 * what the user's variables say about how commands run. */
#ifndef AWL_TOOL_SHELL_SHELL_ENV_H
#define AWL_TOOL_SHELL_SHELL_ENV_H

#include "base/vec.h"
#include "tool/tool.h"

typedef VEC(const char *) shell_words;

/* The value of a variable; NULL when it is unset or empty. */
const char *shell_env_get(const struct tool_session *session, const char *name);
/* Whether it is set, and neither "0" nor "false". */
bool shell_env_is_on(const struct tool_session *session, const char *name);

/* The value in milliseconds; 0 when it is not a positive number. */
int64_t shell_env_ms(const struct tool_session *session, const char *name);

/* Appends the session's variables and ours. Omits start-up files, telemetry and variables that
 * change what commands mean, and relative directories in PATH. Does not append a final NULL.
 * Strings are in `arena`. */
void shell_env_make(shell_words *env, const struct tool_context *ctx, struct arena *arena);

/* The variables for a program that we run by name without asking. Its PATH has no relative
 * directories and none that commands can write to, because anybody may have put a program there.
 * NULL-terminated; in `arena`, except for strings of the session. */
const char *const *shell_env_own(const struct tool_context *ctx, struct arena *arena);

/* Appends the shells to try, in this order: the one that CLAUDE_CODE_SHELL names, bash, sh. Borrows
 * from the session. */
void shell_env_shells(shell_words *names, const struct tool_context *ctx);

/* Appends the words that CLAUDE_CODE_SHELL_PREFIX puts before every command, if it is set. Fails
 * when it names a program by a relative path, which would depend on where the command runs. */
must_use bool shell_env_prefix(shell_words *words, const struct tool_context *ctx,
			       struct arena *arena, struct err *err);

/* The file that every shell reads first: the one that hooks write or, without, CLAUDE_ENV_FILE if
 * that is an absolute path. "": none. */
const char *shell_env_file(const struct tool_context *ctx);

#endif

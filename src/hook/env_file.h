/* env_file.h - private to src/hook: the file in which a hook leaves variables for later commands
 * (CLAUDE_ENV_FILE). Every shell of the session reads it, also outside the sandbox, so a sandboxed
 * hook gets a file of its own in a new directory that no other command can write to; what it leaves
 * there is appended to the session's file when the hook has ended. */
#ifndef AWL_HOOK_ENV_FILE_H
#define AWL_HOOK_ENV_FILE_H

#include "base/arena.h"
#include "base/err.h"

struct hook_env_file {
	const char *path; /* for the hook; NULL: none */
	const char *dir;  /* of a file of its own; NULL: it is the session's */
	const char *session_path;
};

/* Creates the file, if need be with its directory. Strings are in `arena`. */
must_use bool hook_env_file_open(struct hook_env_file *out, const char *session_path, bool is_apart,
				 struct arena *arena, struct err *err);
/* The hook has ended. */
void hook_env_file_close(struct hook_env_file *file);

#endif

/* awl_sandbox.h - the sandbox that a session in a project has, for running other commands in it.
 * Part of the library of awl.h, which includes it. The kernel enforces the sandbox: docs/sandbox.md
 * says what and how. */
#ifndef AWL_SANDBOX_H
#define AWL_SANDBOX_H

#include <awl.h>

#ifdef __cplusplus
extern "C" {
#endif

struct awl_sandbox;

struct awl_sandbox_options {
	size_t size;
	/* These lists, each NULL-terminated, add to those of the settings. Relative paths begin in
	 * the directory of the project. */
	const char *const *write, *const *deny_write;
	const char *const *allow_read, *const *deny_read;
	const char *const *allow_hosts, *const *deny_hosts;
	bool allow_network;      /* all of it, not only through the filtering proxy */
	bool allow_unix_sockets; /* talk to programs outside */
	bool allow_nested;       /* run without a private /proc inside a container */
	const char *engine;      /* auto, bwrap, namespaces or landlock */
	const char *bwrap;       /* the path of bubblewrap */
	uint64_t max_processes, max_memory, max_files; /* memory in bytes */
};
#define AWL_SANDBOX_OPTIONS_INIT AWL_INIT(struct awl_sandbox_options)

/* Prepares a sandbox. `options` may be NULL. The project must stay open as long. */
AWL_API enum awl_result awl_sandbox_open(struct awl_sandbox **out, struct awl_project *project,
					 const struct awl_sandbox_options *options);
/* Closes a sandbox. Fails when its directory for temporary files cannot be removed. NULL is
 * ignored. */
AWL_API enum awl_result awl_sandbox_close(struct awl_sandbox *sandbox);
/* Stores a report about what the machine can enforce and what a command may do in `*text`. Fails
 * with AWL_ERR_UNSUPPORTED when the sandbox cannot be enforced here; the report says why. It lives
 * until the next call for this sandbox. */
AWL_API enum awl_result awl_sandbox_describe(struct awl_sandbox *sandbox, const char **text);
/* Runs a command in the sandbox and waits for it. It has the standard input, output and error of
 * your process. Stores its exit status in `*status`, 128 + N when signal N ended it. Fails when
 * the command cannot be started. */
AWL_API enum awl_result awl_sandbox_run(struct awl_sandbox *sandbox, const char *const *argv,
					int *status);
/* A sentence about what the last command created that programs outside the sandbox act on by
 * themselves, such as a repository or the settings of an editor; NULL: nothing. It lives until the
 * next call for this sandbox. */
AWL_API const char *awl_sandbox_left(struct awl_sandbox *sandbox);
/* Sends SIGINT to the running command; ends it for any other signal. Call it from any thread or
 * from a signal handler while awl_sandbox_run() runs. */
AWL_API void awl_sandbox_signal(struct awl_sandbox *sandbox, int signo);

/* Bubblewrap needs a helper inside the sandbox. A program called awl is its own helper: it must
 * begin main() with this call, which returns -1, or the exit status when the process is the helper.
 * In that case, main() must return the status at once. */
AWL_API int awl_helper_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif

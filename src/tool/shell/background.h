/* background.h - commands that run in the background while the conversation continues. The output
 * of each goes, as plain text, to its own file and is read from there piece by piece. All of them
 * end with the session. */
#ifndef AWL_TOOL_SHELL_BACKGROUND_H
#define AWL_TOOL_SHELL_BACKGROUND_H

#include "tool/shell/background_feed.h"
#include "tool/tool.h"

enum background_state {
	BACKGROUND_RUNNING,
	BACKGROUND_EXITED,
	BACKGROUND_STOPPED,
	BACKGROUND_FAILED
};

struct background_command {
	char id[24]; /* "bash_1", "monitor_2" */
	char *command;
	char *description; /* may be NULL */
	char *path;        /* of its output */
	char *call;        /* id of the tool use that started it; "": unknown */
	bool is_monitor;   /* somebody follows its output */
	enum background_state state;
	int code;       /* exit code of BACKGROUND_EXITED; 128 + signal when killed */
	struct err err; /* of BACKGROUND_FAILED: why it was ended */
	uint64_t bytes; /* of output so far */
	uint64_t read;  /* of them handed out by background_read() */
};

struct background;

struct background_opts {
	const char *dir; /* for the files; made when first needed */
	/* A command has ended without being stopped; called from the FIFO. May be NULL. */
	void (*on_end)(void *arg, const struct background_command *command);
	/* A command has begun, or has ended in whatever way, before on_end. May be NULL. */
	void (*on_change)(void *arg, const struct background_command *command);
	void *arg;
};

struct background *background_new(struct loop *loop, const struct background_opts *opts);
/* Only when no command is running. */
void background_free(struct background *background);

struct background_start {
	struct sv command;
	const struct tool_context *ctx; /* where it runs; outlives it */
	const struct command_analysis *analysis;
	bool unsandboxed, must_be_sandboxed; /* as in struct shell_opts */
	int64_t deadline_ms;                 /* 0: none; otherwise it fails then (ERR_TIMEOUT) */
	/* Called with the output as it arrives (background_feed.h). The id is then "monitor_N"
	 * instead of "bash_N". NULL: the output waits to be read. */
	void (*on_output)(void *arg, const struct background_command *command, struct sv text);
	void *arg;
	struct sv description; /* for the reader of the output; may be empty */
	struct sv call;        /* id of the tool use; may be empty */
};
/* Returns NULL when LIMIT_BACKGROUND commands are running already or the output file cannot be
 * created. The command can be found by its id until background_free(). */
const struct background_command *background_start(struct background *background,
						  const struct background_start *start,
						  struct err *err);

/* The same for a command that is already running (shell.h). On success it takes the command from
 * its owner. `so_far` is the output up to now, which counts as read. */
const struct background_command *background_adopt(struct background *background, struct op *shell,
						  struct sv command, struct sv call,
						  struct sv so_far, struct err *err);

/* NULL when there is none. */
const struct background_command *background_find(const struct background *background, struct sv id);
size_t background_count(const struct background *background);
const struct background_command *background_at(const struct background *background, size_t i);

/* Appends the output since the last call, at most `max` bytes. */
must_use bool background_read(struct background *background,
			      const struct background_command *command, size_t max, struct str *out,
			      struct err *err);

/* Done when the command has ended, or after `ms`. */
struct op *background_wait(struct background *background, const struct background_command *command,
			   int64_t ms, struct then then);

/* Done when any command has ended without being stopped or has called on_output, at
 * background_announce(), or after `ms`. */
struct op *background_wait_news(struct background *background, int64_t ms, struct then then);
/* Ends every background_wait_news(), because of other news. */
void background_announce(struct background *background);

void background_stop(struct background *background, const struct background_command *command);
void background_stop_all(struct background *background);
/* Whether no command is running. `on_quiet`, if set, is called when the last one has ended. */
bool background_is_quiet(const struct background *background);
void background_when_quiet(struct background *background, void (*on_quiet)(void *arg), void *arg);

#endif

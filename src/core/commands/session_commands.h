/* session_commands.h - the commands that users have written, and the one that becomes a prompt. */
#ifndef AWL_CORE_COMMANDS_SESSION_COMMANDS_H
#define AWL_CORE_COMMANDS_SESSION_COMMANDS_H

#include "core/commands/command_run.h"
#include "core/session/session.h"
#include "extend/command_list.h"

/* The commands that users have written, and the one that runs. */
struct session_commands {
	struct command_list list; /* as of the last look */
	bool is_loaded;
	bool is_stale; /* a folder was found since then */
	bool is_off;   /* there are none */
	VEC(char *)
	nested; /* directories below the project's with skills, where a file was touched */
	struct map searched;    /* directories that were looked at */
	struct map awake;       /* names of skills for certain paths, one of which was touched */
	struct str sent;        /* the list as the host knows it; empty: it was never told */
	struct command_run run; /* the one that becomes a prompt */
	bool is_forking;        /* ... or that an agent runs now, in SESSION_TURN */
	/* Of this turn, if a command has chosen them, and as they were before. */
	struct str model, model_before; /* empty: no difference */
	bool has_effort;
	enum model_effort effort, effort_before;
	/* Of a command that the engine answers and that takes time. */
	struct str answer;
	bool is_refused; /* the answer says why nothing was done, or what is wrong */
	void *job;       /* may be NULL */
	void (*free_job)(void *job);
};

/* The commands and skills of the user and the project; `fresh`: as they are now. If they are not
 * what a host was told, it is told. */
const struct command_list *session_command_files(struct session *s, bool fresh);
/* In SESSION_EXPANDING: makes a prompt of the first command that waits, one of those, and goes on
 * with it, now or when `step` is done. */
void session_expand(struct session *s);
/* What a command has allowed and which model it has chosen ends with its turn. */
void session_commands_end_turn(struct session *s);
void session_commands_clear(struct session_commands *commands);
/* In SESSION_TURN: an agent of its own runs the command that was expanded last. */
void session_start_fork(struct session *s);
/* The command that is being expanded stands for this text, or cannot be expanded. */
void session_commands_take(struct session *s, struct sv text, struct sv images,
			   const struct err *why);

#endif

/* command_run.h - one use of a command or skill: by its name at the prompt (session_commands.c), or by
 * the model with the Skill tool (session_skills.c).
 *
 *   prepare   the text is read, and the arguments are put in
 *   start     the shell commands in it run, as far as the rules allow
 *   write     the text, with the files that it refers to
 *
 * The file may allow and deny tools and choose model and effort for this turn; all of that ends with
 * the turn. A file that came with a project is believed only as far as the user trusts the project:
 * without trust no command in its text runs and nothing is allowed. A project that has nothing to be
 * trusted gets no rules either, but commands in its text may run if the user's own rules allow them. */
#ifndef AWL_CORE_COMMANDS_COMMAND_RUN_H
#define AWL_CORE_COMMANDS_COMMAND_RUN_H

#include "extend/command_expand.h"
#include "extend/command_file.h"
#include "sys/op.h"

struct session;
struct tool_context;

struct command_run {
	struct arena arena;         /* of `file` */
	struct command_file file;   /* its views are in here */
	struct str text;            /* of the file */
	struct str name, arguments; /* as typed, or as the model gave them */
	struct command_expansion expansion;
};
#define COMMAND_RUN_INIT                                                                        \
	{                                                                                       \
		.arena = ARENA_INIT, .text = STR_INIT, .name = STR_INIT, .arguments = STR_INIT, \
		.expansion = COMMAND_EXPANSION_INIT                                             \
	}

/* Empties it, for the next use. */
void command_run_reset(struct command_run *run);
void command_run_clear(struct command_run *run);

/* `file` is one of the session's list; NULL: the text is ours, found by the name. Only after a reset. */
must_use bool command_run_prepare(struct command_run *run, struct session *s,
				  const struct command_file *file, struct sv name,
				  struct sv arguments, struct err *err);
/* Allows and denies what the file lists, and runs the commands in the text where `ctx` is. `*step` stays
 * NULL if there is nothing to wait for. Run and context outlive it. Fails before it changes anything
 * if commands may not run. */
must_use bool command_run_start(struct command_run *run, struct session *s,
				struct tool_context *ctx, struct op **step, struct then then,
				struct err *err);
/* Appends the text, once the commands in it have run. */
void command_run_write(const struct command_run *run, struct session *s, struct str *out);
/* Lets the model and the effort of the file answer until the end of the turn. */
void command_run_choose_model(const struct command_run *run, struct session *s);
/* Whether the rules of the file would count: it has some, and it may allow something. */
bool command_run_widens(struct session *s, const struct command_file *file);

/* Whether what the files of the project allow may count. */
bool session_trusts_project(struct session *s);
/* Whether the user trusts what is in the working directory: the project, and if that is another checkout, this
 * one too. */
bool session_trusts_work_dir(struct session *s);

#endif

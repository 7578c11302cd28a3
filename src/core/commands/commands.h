/* commands.h - private to commands*.c: what the engine does for each slash command of
 * proto/slash.h. */
#ifndef AWL_CORE_COMMANDS_COMMANDS_H
#define AWL_CORE_COMMANDS_COMMANDS_H

#include "core/session/session_internal.h"
#include "proto/slash.h"

/* Appends the answer to a command; `rest` is what was typed after its name. False: `out` says why
 * nothing was done, without a full stop. */
typedef bool command_fn(struct session *s, struct sv rest, struct str *out);

/* commands_report.c */
command_fn commands_hooks, commands_memory, commands_permissions, commands_release_notes,
	commands_sandbox, commands_skills, commands_status, commands_tasks, commands_todos,
	commands_usage;
/* commands_config.c */
/* Sets a key in the user's settings; an empty value removes it. */
must_use bool commands_save_setting(struct session *s, const char *key, struct sv json,
				    struct err *err);
command_fn commands_add_dir, commands_config, commands_effort, commands_login, commands_logout,
	commands_model, commands_rename, commands_statusline;
/* Whether /model has to wait for hooks, which are started here. */
bool commands_delay_model(struct session *s, struct sv name);

/* session_fast.c */
command_fn commands_fast;
/* commands_files.c */
command_fn commands_bug;
/* session_goal.c */
command_fn commands_goal;
/* commands_agents.c */
command_fn commands_agents;
/* session_styles.c */
command_fn commands_output_style;
/* commands_mcp.c */
command_fn commands_mcp;
/* commands_plugin.c */
command_fn commands_reload_plugins;

/* The settings as 'awl config' would show them in this directory. False: see awl_last_error(). */
struct awl_project;
must_use bool commands_open_project(struct session *s, struct awl_project **out);

/* A command that takes time: its op puts the answer into s->commands.answer, or fails with the reason. With
 * `s->commands.is_refused`, the answer is the reason. `s->commands.job`, if set, is freed afterwards. */
typedef struct op *command_start_fn(struct session *s, struct sv rest, struct then then);
command_start_fn commands_btw, commands_compact, commands_diff, commands_doctor, commands_export,
	commands_recap, commands_redo, commands_rewind, commands_undo, commands_plugin;

/* commands_context.c */
command_fn commands_context;

/* The text of a SLASH_PROMPT command, in the form of a command that a user wrote as a file. */
struct sv commands_prompt(const struct slash_command *command);

/* Cuts "/name rest" in two; false when there is no such name. */
bool session_cut_command(struct sv text, struct sv *name, struct sv *rest);
/* Whether a prompt is a slash command. If it was `typed`, so is a typing mistake that must not reach
 * the model: a slash and an unknown name. A path is neither. */
bool session_is_command(struct session *s, struct sv text, bool typed);
/* Whether such a command becomes a prompt: a file of the user, or a text of ours. */
bool session_is_prompt_command(struct session *s, struct sv text);
/* The text of ours that it becomes; empty: there is none. */
struct sv session_command_text(struct sv name);
/* Whether such a command is answered although a turn runs. */
bool session_is_immediate_command(const struct session *s, struct sv text);
/* Whether a command of ours has to wait for hooks, which are started here. */
bool session_delays_command(struct session *s, struct sv text);
/* Whether the engine answers such a command, but not at once. */
bool session_is_slow_command(struct session *s, struct sv text);
/* In SESSION_EXPANDING: does so with the first that waits. */
void session_start_command(struct session *s);
/* Runs any other command, or reports that it does not exist. */
void session_command(struct session *s, struct sv text);
/* All of them, in `arena`; returns how many. */
size_t session_commands(struct session *s, const struct reply_command **out, struct arena *arena);

#endif

/* builtins.h - private to src/tool: the built-in tools, one object and one page each. The pages are
 * the .md files beside the sources. The build embeds them, terminated by a NUL. */
#ifndef AWL_TOOL_BUILTINS_H
#define AWL_TOOL_BUILTINS_H

#include "tool/tool.h"

extern const struct tool tool_bash, tool_edit, tool_glob, tool_grep, tool_read, tool_todo_write,
	tool_write;

extern const struct tool tool_monitor, tool_sleep, tool_task_output, tool_task_stop;
extern const char tool_monitor_page[], tool_sleep_page[], tool_task_output_page[],
	tool_task_stop_page[];

extern const struct tool tool_apply_patch, tool_multi_edit, tool_notebook_edit;
extern const char tool_apply_patch_page[], tool_multi_edit_page[], tool_notebook_edit_page[];

extern const char tool_bash_page[], tool_edit_page[], tool_glob_page[], tool_grep_page[],
	tool_read_page[], tool_todo_write_page[], tool_write_page[];

extern const struct tool tool_task_create, tool_task_get, tool_task_list_tool, tool_task_update;
extern const char tool_task_create_page[], tool_task_get_page[], tool_task_list_tool_page[],
	tool_task_update_page[];

extern const struct tool tool_ask_user_question, tool_tool_search;
extern const char tool_ask_user_question_page[], tool_tool_search_page[];

extern const struct tool tool_enter_plan_mode;
extern const char tool_enter_plan_mode_page[];
extern const struct tool tool_exit_plan_mode;
extern const char tool_exit_plan_mode_page[];

extern const struct tool tool_cron_create, tool_cron_delete, tool_cron_list, tool_schedule_wakeup;
extern const char tool_cron_create_page[], tool_cron_delete_page[], tool_cron_list_page[],
	tool_schedule_wakeup_page[];

extern const struct tool tool_push_notification;
extern const char tool_push_notification_page[];

extern const struct tool tool_skill;
extern const char tool_skill_page[];

extern const struct tool tool_ls;
extern const char tool_ls_page[];

extern const struct tool tool_web_fetch, tool_web_search;
extern const char tool_web_fetch_page[], tool_web_search_page[];

extern const struct tool tool_lsp;
extern const char tool_lsp_page[];

extern const struct tool tool_enter_worktree, tool_exit_worktree;
extern const char tool_enter_worktree_page[], tool_exit_worktree_page[];

extern const struct tool tool_agent, tool_list_agents, tool_send_message;
extern const struct tool tool_team_create, tool_team_delete;
extern const char tool_team_create_page[], tool_team_delete_page[];
extern const char tool_agent_page[], tool_list_agents_page[], tool_send_message_page[];

#endif

#include "tool/builtins.h"

static const struct tool *const builtins[] = {
	&tool_agent,
	&tool_ask_user_question,
	&tool_bash,
	&tool_cron_create,
	&tool_cron_delete,
	&tool_cron_list,
	&tool_edit,
	&tool_enter_plan_mode,
	&tool_enter_worktree,
	&tool_exit_plan_mode,
	&tool_exit_worktree,
	&tool_glob,
	&tool_grep,
	&tool_ls,
	&tool_lsp,
	&tool_list_agents,
	&tool_monitor,
	&tool_multi_edit,
	&tool_notebook_edit,
	&tool_push_notification,
	&tool_read,
	&tool_schedule_wakeup,
	&tool_send_message,
	&tool_skill,
	&tool_sleep,
	&tool_task_create,
	&tool_task_get,
	&tool_task_list_tool,
	&tool_task_output,
	&tool_task_stop,
	&tool_task_update,
	&tool_team_create,
	&tool_team_delete,
	&tool_todo_write,
	&tool_tool_search,
	&tool_web_fetch,
	&tool_web_search,
	&tool_write,
	&tool_apply_patch,
};

const struct tool *const *tool_builtins(size_t *n)
{
	*n = countof(builtins);
	return builtins;
}

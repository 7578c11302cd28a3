/* The texts that some slash commands send to the model. */
#include "core/commands/commands.h"

extern const char command_batch_page[], command_debug_page[], command_goal_page[],
	command_init_page[], command_loop_page[], command_schedule_page[],
	command_keybindings_help_page[], command_pr_comments_page[], command_remember_page[],
	command_review_page[], command_security_review_page[], command_simplify_page[],
	command_skillify_page[], command_stuck_page[], command_update_config_page[],
	command_verify_page[];

struct sv commands_prompt(const struct slash_command *command)
{
	static const char *const pages[SLASH_COMMANDS] = {
		[SLASH_BATCH] = command_batch_page,
		[SLASH_DEBUG] = command_debug_page,
		[SLASH_GOAL] = command_goal_page,
		[SLASH_INIT] = command_init_page,
		[SLASH_KEYBINDINGS_HELP] = command_keybindings_help_page,
		[SLASH_LOOP] = command_loop_page,
		[SLASH_PR_COMMENTS] = command_pr_comments_page,
		[SLASH_REMEMBER] = command_remember_page,
		[SLASH_REVIEW] = command_review_page,
		[SLASH_SCHEDULE] = command_schedule_page,
		[SLASH_SECURITY_REVIEW] = command_security_review_page,
		[SLASH_SIMPLIFY] = command_simplify_page,
		[SLASH_SKILLIFY] = command_skillify_page,
		[SLASH_STUCK] = command_stuck_page,
		[SLASH_UPDATE_CONFIG] = command_update_config_page,
		[SLASH_VERIFY] = command_verify_page,
	};

	return sv_cstr(pages[slash_id(command)]);
}

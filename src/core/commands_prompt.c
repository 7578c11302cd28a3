/* The texts that some slash commands send to the model. */
#include "core/commands.h"

extern const char command_init_page[], command_pr_comments_page[], command_review_page[],
	command_security_review_page[];

struct sv commands_prompt(const struct slash_command *command)
{
	static const char *const pages[SLASH_COMMANDS] = {
		[SLASH_INIT] = command_init_page,
		[SLASH_PR_COMMENTS] = command_pr_comments_page,
		[SLASH_REVIEW] = command_review_page,
		[SLASH_SECURITY_REVIEW] = command_security_review_page,
	};

	return sv_cstr(pages[slash_id(command)]);
}

/* awl hooks: lists the hooks that a session here would run, and tries them out. */
#include <awl.h>

#include "cli/output.h"
#include "front/display.h"

/* Print a text in which hooks had a say. */
static enum exit_code hooks_print(const char *text)
{
	defer(str_clear) struct str shown = STR_INIT;

	display_text(&shown, sv_cstr(text));
	return output(sv_of(&shown));
}

static enum exit_code hooks_list(struct awl_project *project)
{
	const char *text;

	if (awl_hooks_describe(project, &text) != AWL_OK)
		return failure("%s", awl_last_error());
	fputs(awl_project_notes(project), stderr);
	return hooks_print(*text ? text : "There are no hooks.\n");
}

static enum exit_code hooks_test(struct awl_project *project, const char *event, const char *input)
{
	enum awl_hooks_decision decision;
	enum exit_code code;
	const char *text;

	if (awl_hooks_test(project, event, input, &decision, &text) != AWL_OK)
		return failure("%s", awl_last_error());
	fputs(awl_project_notes(project), stderr);
	code = hooks_print(text);
	if (code != EXIT_OK)
		return code;
	return decision == AWL_HOOKS_BLOCK ? EXIT_DENIES
	       : decision == AWL_HOOKS_ASK ? EXIT_ASKS
					   : EXIT_OK;
}

/* Say so if the project has hooks that need trust. */
static void hooks_note_untrusted(struct awl_project *project)
{
	enum awl_trust state;

	if (awl_trust_look(project, &state) != AWL_OK || state == AWL_TRUST_NOT_NEEDED ||
	    state == AWL_TRUST_GIVEN || !strstr(awl_trust_pending(project), "hooks"))
		return;
	complain("This project's settings %s, so awl ignores its hooks; 'awl trust' shows them.",
		 state == AWL_TRUST_OUTDATED ? "have changed since you trusted them"
					     : "are not trusted yet");
}

enum exit_code hooks_run(const struct args *args)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;
	const char *action = args->words.n ? args->words.at[0] : "list";
	struct awl_project *project;
	enum exit_code code;

	options.settings = args_value(args, "settings");
	options.setting_sources = args_value(args, "setting-sources");
	options.project_config_root = args_value(args, "project-config-root");
	if (awl_project_open(&project, &options) != AWL_OK)
		return failure("%s", awl_last_error());
	hooks_note_untrusted(project);
	if (sv_is(sv_cstr(action), "list") && args->words.n < 2)
		code = hooks_list(project);
	else if (sv_is(sv_cstr(action), "test") && args->words.n > 1)
		code = hooks_test(project, args->words.at[1],
				  args->words.n > 2 ? args->words.at[2] : NULL);
	else
		code = usage_error("use 'awl hooks list', or 'awl hooks test' and the name of an "
				   "event, for example: awl hooks test PreToolUse "
				   "'{\"tool_name\":\"Edit\"}'");
	awl_project_close(project);
	return code;
}

/* awl trust: shows what the files of a project would do, and lets the user trust them. */
#include <awl.h>
#include <unistd.h>

#include "base/secret_mask.h"
#include "cli/output.h"
#include "front/display.h"
#include "front/trust.h"

static enum exit_code trust_show(const struct awl_project *project, enum awl_trust state)
{
	static const char *const states[] = {
		[AWL_TRUST_NOT_NEEDED] = "has no files that need trust",
		[AWL_TRUST_GIVEN] = "is trusted",
		[AWL_TRUST_NEVER_GIVEN] = "is not trusted yet",
		[AWL_TRUST_OUTDATED] = "has changed since it was trusted",
	};
	defer(str_clear) struct str page = STR_INIT;
	defer(str_clear) struct str masked = STR_INIT;
	defer(str_clear) struct str shown = STR_INIT;
	struct sv rest = sv_cstr(awl_trust_pending(project)), line;

	trust_add_files(&page, project);
	if (rest.len)
		str_adds(&page, state == AWL_TRUST_GIVEN || state == AWL_TRUST_NOT_NEEDED
					? "What these settings do:\n"
					: "What takes effect once you trust them:\n");
	while (sv_cut_line(&rest, &line))
		str_addf(&page, "  %.*s\n", SV_ARG(line));
	str_adds(&page, awl_project_notes(project));
	str_addf(&page, "%s %s.\n", awl_project_dir(project), states[state]);
	secret_mask(&masked, sv_of(&page));
	display_text(&shown, sv_of(&masked));
	return output(sv_of(&shown));
}

static bool trust_user_confirms(void)
{
	char answer[16] = "";

	fputs("Trust these settings? [y/N] ", stdout);
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static enum exit_code trust_end(enum awl_result result, const char *done)
{
	return result == AWL_OK ? output(sv_cstr(done)) : failure("%s", awl_last_error());
}

static enum exit_code trust_review(struct awl_project *project, const struct args *args)
{
	enum awl_trust state;

	if (awl_trust_look(project, &state) != AWL_OK)
		return failure("%s", awl_last_error());
	if (trust_show(project, state) != EXIT_OK)
		return EXIT_FAILED;
	if (args_has(args, "show") || state == AWL_TRUST_GIVEN || state == AWL_TRUST_NOT_NEEDED)
		return EXIT_OK;
	if (getenv("CLAUDE_CODE_CHILD_SESSION"))
		return failure("only you can trust a project: run 'awl trust' in a terminal of "
			       "your own, not in a session");
	if (!args_has(args, "yes") && !isatty(STDIN_FILENO))
		return failure("standard input is not a terminal; review the files, then run 'awl "
			       "trust --yes'");
	if (!args_has(args, "yes") && !trust_user_confirms())
		return output(SV("Nothing was changed.\n"));
	return trust_end(awl_trust_give(project),
			 "This project is trusted until one of these files changes.\n");
}

enum exit_code trust_run(const struct args *args)
{
	struct awl_project *project;
	enum exit_code code;

	if (awl_project_open(&project, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	if (args_has(args, "forget"))
		code = trust_end(awl_trust_forget(project), "This project is no longer trusted.\n");
	else
		code = trust_review(project, args);
	awl_project_close(project);
	return code;
}

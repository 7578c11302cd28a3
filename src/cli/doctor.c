/* awl doctor: prints what is configured and what works on this machine, without secrets. */
#include <awl.h>

#include "cli/output.h"
#include "front/display.h"
#include "text/secret_mask.h"

/* Append what 'awl config check' finds. Returns false if that is a mistake. */
static bool doctor_add_settings(struct str *page)
{
	struct awl_project *project;
	bool is_fine;

	if (awl_project_open(&project, NULL) != AWL_OK) {
		str_addf(page, "settings: %s\n", awl_last_error());
		return false;
	}
	is_fine = awl_config_check(project) == AWL_OK;
	str_addf(page, "settings: %s\n%s", is_fine ? "no mistakes" : "mistakes",
		 awl_project_notes(project));
	awl_project_close(project);
	return is_fine;
}

enum exit_code doctor_run(__attribute__((unused)) const struct args *args)
{
	struct awl *awl;
	defer(str_clear) struct str page = STR_INIT;
	defer(str_clear) struct str masked = STR_INIT;
	defer(str_clear) struct str shown = STR_INIT;
	bool is_fine;

	if (awl_open(&awl, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	str_addf(&page, "awl %s\n%s", awl_version(), awl_describe(awl));
	awl_close(awl);
	is_fine = doctor_add_settings(&page);
	secret_mask(&masked, sv_of(&page));
	display_text(&shown, sv_of(&masked));
	return output(sv_of(&shown)) == EXIT_OK && is_fine ? EXIT_OK : EXIT_FAILED;
}

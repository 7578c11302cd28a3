/* awl doctor: show the configuration in use, without secrets. */
#include <awl.h>

#include "cli/output.h"
#include "sandbox/policy.h"

static void doctor_add_sandbox(struct str *page)
{
	struct sandbox_host host;

	sandbox_host_probe(&host, NULL);
	sandbox_host_describe(page, &host);
	sandbox_host_clear(&host);
}

enum exit_code doctor_run(__attribute__((unused)) const struct args *args)
{
	struct awl *awl;
	defer(str_clear) struct str page = STR_INIT;

	if (awl_open(&awl, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	str_addf(&page, "awl %s\n%s", awl_version(), awl_describe(awl));
	awl_close(awl);
	doctor_add_sandbox(&page);
	return output(sv_of(&page));
}

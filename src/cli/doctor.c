/* awl doctor: prints what is configured and what works on this machine, without secrets. */
#include <awl.h>

#include "cli/output.h"

enum exit_code doctor_run(__attribute__((unused)) const struct args *args)
{
	struct awl *awl;
	defer(str_clear) struct str page = STR_INIT;

	if (awl_open(&awl, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	str_addf(&page, "awl %s\n%s", awl_version(), awl_describe(awl));
	awl_close(awl);
	return output(sv_of(&page));
}

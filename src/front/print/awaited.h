/* awaited.h - the first request of a host, read before the session is opened.
 *
 * With --await-initialize, a host sends in its initialize request what would make the command line too long: the folders
 * of plugins. The session gets the request too, and answers it. */
#ifndef AWL_FRONT_PRINT_AWAITED_H
#define AWL_FRONT_PRINT_AWAITED_H

#include <awl.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

typedef VEC(char *) awaited_dirs;

struct awaited {
	struct str input; /* all that was read: the first line, and what came with it */
	struct awl_session_options
		session; /* with what it says; borrows from here and from the options */
	awaited_dirs dirs, dirs_without_mcp;
};

#define AWAITED_INIT                                                               \
	{                                                                          \
		.input = STR_INIT, .dirs = VEC_INIT, .dirs_without_mcp = VEC_INIT, \
	}

/* Waits for the first line. Fails unless it is an initialize request, or the input is empty. A list of plugins that
 * is wrong adds none: the session refuses the request with the reason. */
must_use bool awaited_read(struct awaited *a, int fd, const struct awl_session_options *options,
			   struct err *err);
void awaited_clear(struct awaited *a);

#endif

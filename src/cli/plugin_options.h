/* plugin_options.h - the options of plugins on the command line. */
#ifndef AWL_CLI_PLUGIN_OPTIONS_H
#define AWL_CLI_PLUGIN_OPTIONS_H

#include <awl_plugins.h>

#include "cli/command.h"

/* Sets the options of a plugin that --config gives, and asks for those that have no value, if somebody can be asked.
 * False, which was reported: a value cannot be used. */
bool plugin_options_complete(struct awl_project *project, const struct args *args,
			     const char *name);
/* awl plugin configure: sets what flags or standard input give, or asks for everything; then lists the options. */
enum exit_code plugin_options_configure(struct awl_project *project, const struct args *args,
					const char *name);

#endif

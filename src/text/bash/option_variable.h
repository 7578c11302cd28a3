/* option_variable.h - the environment variable that has the value of a plugin's option. */
#ifndef AWL_TEXT_BASH_OPTION_VARIABLE_H
#define AWL_TEXT_BASH_OPTION_VARIABLE_H

#include "base/str.h"

/* Appends it: "api-key" -> "CLAUDE_PLUGIN_OPTION_API_KEY". */
void option_variable(struct str *out, struct sv key);
/* Appends a command with ${user_config.KEY} replaced by the name of its variable, which the shell expands: no value can
 * become a part of the command. */
void option_variable_rewrite(struct str *out, struct sv command);

#endif

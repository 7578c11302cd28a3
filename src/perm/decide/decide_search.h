/* decide_search.h - private to src/perm/decide: secrets that a search below a directory may show. */
#ifndef AWL_PERM_DECIDE_DECIDE_SEARCH_H
#define AWL_PERM_DECIDE_DECIDE_SEARCH_H

#include "perm/decide/command_decision.h"

/* Asks if the command may show something of a file that looks like a secret and that no rule allows
 * to be read. It looks at no more than LIMIT_PERM_SEARCHED names. */
struct verdict decide_by_searched_secrets(struct line_decision *d,
					  const struct shell_command *command,
					  const command_path_list *paths);
/* The same for a call of the tool Grep; other calls are fine. And the first such file, in `arena`;
 * empty: none. */
struct verdict decide_by_grep(const struct perm_policy *policy, const struct perm_request *request);
struct sv decide_find_searched(const struct perm_policy *policy, const struct perm_request *request,
			       struct arena *arena);

#endif

/* documentation.h - sites of documentation that WebFetch may read without a question.
 *
 * A fetch sends its URL to the host, so a URL can carry a secret away. It cannot here: only the owner
 * of each site publishes on it and sees its requests. Sites with pages or counters of other people
 * (package registries, wikis, code hosts) must not be added. A URL with a query, a user, a port or an
 * escape is never on the list. */
#ifndef AWL_PERM_RULE_DOCUMENTATION_H
#define AWL_PERM_RULE_DOCUMENTATION_H

#include "base/str.h"

/* Returns the entry of the list that the URL belongs to, such as "kubernetes.io/docs"; NULL: none. */
const char *documentation_site(struct sv url);

#endif

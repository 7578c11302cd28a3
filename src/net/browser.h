/* browser.h - shows a page to the user. */
#ifndef AWL_NET_BROWSER_H
#define AWL_NET_BROWSER_H

#include "base/err.h"
#include "base/str.h"

/* Runs $BROWSER, or xdg-open, with the address; nobody waits for it. `env` is NULL for the environment of this process.
 * The caller has made sure that it is a web address. */
must_use bool browser_open(struct sv url, const char *const *env, struct err *err);

#endif

/* settings_helper.h - private to settings*.c: a program of the policy's that prints more of it.
 *
 * It has to be as much root's as the policy itself, is run without a shell, in "/" and with
 * little of the user's environment, and prints {"managedSettings": {...}}. What it prints counts beside the policy's files, before
 * them where both say something. Whatever goes wrong is a failure: nothing may run without a
 * policy. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_HELPER_H
#define AWL_STORE_SETTINGS_SETTINGS_HELPER_H

#include "store/settings/settings_set.h"

/* Whether the program is to be believed (see settings_policy_file()). */
must_use bool settings_check_helper(const struct settings_opts *opts, const char *path,
				    struct err *err);

/* Runs it to its end, up to `timeout_ms`, on a loop of its own. Appends the settings. */
must_use bool settings_run_helper(struct str *out, const char *path, int64_t timeout_ms,
				  struct err *err);

#endif

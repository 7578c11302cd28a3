/* settings_helper.h - private to settings*.c: the policyHelper, a program that prints further
 * managed settings.
 *
 * The same ownership rules apply to it as to the policy files. It runs without a shell, in "/"
 * and with a minimal environment, and prints {"managedSettings": {...}}. Its output takes
 * precedence over the policy files. Every error is a failure: nothing may run without a policy. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_HELPER_H
#define AWL_STORE_SETTINGS_SETTINGS_HELPER_H

#include "store/settings/settings_private.h"

/* Runs the program on its own loop and waits up to `timeout_ms`. `env` is as in settings_opts.
 * Appends the settings that it prints. */
must_use bool settings_run_helper(struct str *out, const char *path, const char *const *env,
				  int64_t timeout_ms, struct err *err);

#endif

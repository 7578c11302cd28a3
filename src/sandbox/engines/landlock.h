/* sandbox_landlock.h - private to src/sys/real: a policy as Landlock rules, which allow, by
 * hierarchy, and forbid all else. Beside mounts they are a second wall around what may be
 * written; without mounts they are the only one, and then for reading too. */
#ifndef AWL_SANDBOX_ENGINES_LANDLOCK_H
#define AWL_SANDBOX_ENGINES_LANDLOCK_H

#include "sandbox/engines/mounts.h"

/* The version that the kernel has; 0: none. */
int landlock_version(void);

/* A descriptor of the rules, the caller's to close; -1 when there is nothing to say. `*rights`
 * is what they are about. Fails when the kernel refuses them. */
must_use bool landlock_rules_make(int *rules, uint64_t *rights, const struct sandbox_mounts *mounts,
				  const struct sandbox_policy *policy, enum sandbox_engine engine,
				  struct err *err);

/* Async-signal-safe, with errno set. To allow `rights` below a path, and to be held to the
 * rules from now on. */
must_use bool landlock_rules_add(int rules, const char *path, uint64_t rights);
must_use bool landlock_rules_apply(int rules);

#endif

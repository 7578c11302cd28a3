/* landlock.h - private to src/sandbox: a policy as Landlock rules. Rules grant rights by directory
 * tree and deny everything else. With mounts they are a second barrier against writing. Without
 * mounts they are the only one, for reading too. */
#ifndef AWL_SANDBOX_ENGINES_LANDLOCK_H
#define AWL_SANDBOX_ENGINES_LANDLOCK_H

#include "sandbox/engines/mounts.h"

/* The version of the kernel; 0: none. */
int landlock_version(void);

/* Makes a descriptor of the rules, which the caller closes; -1 when no rules are needed. `*rights`
 * are the rights that the rules handle. Fails when the kernel rejects the rules. */
must_use bool landlock_rules_make(int *rules, uint64_t *rights, const struct sandbox_mounts *mounts,
				  const struct sandbox_policy *policy, enum sandbox_engine engine,
				  struct err *err);

/* Both are async-signal-safe and set errno: grant `rights` below a path; apply the rules to the
 * calling process. */
must_use bool landlock_rules_add(int rules, const char *path, uint64_t rights);
must_use bool landlock_rules_apply(int rules);

#endif

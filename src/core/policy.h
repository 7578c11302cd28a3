/* policy.h - the permission policy of a session, put together from all who have a say in it:
 * the settings files, the command line, the directories it works in. `awl why` asks the same
 * policy as the session itself. */
#ifndef AWL_CORE_POLICY_H
#define AWL_CORE_POLICY_H

#include "perm/perm.h"
#include "store/settings/settings.h"

struct policy_opts {
	const struct settings *settings; /* NULL: none */
	const char *home;                /* NULL: not known */
	const char *cwd;                 /* real */
	const char *config_dir;          /* awl's own files are there; NULL: none */
	const char *const *env;          /* that commands get; NULL: our own */
	const char *const *add_dirs;     /* NULL-terminated; NULL: none */
	const char *mode;                /* NULL: that of the settings */
	const char *allow, *ask, *deny;  /* lists of rules of the command line; NULL: none */
};

/* `out` is PERM_POLICY_INIT. What is wrong with a rule of the project's is told in `notes` and
 * left out; a wrong rule of anybody else, a directory that is none or an unknown mode fails. */
must_use bool policy_load(struct perm_policy *out, const struct policy_opts *opts,
			  struct str *notes, struct err *err);

/* The same for one that is to take the place of `old`: what was decided for this session, or
 * on its command line, stays. */
must_use bool policy_renew(struct perm_policy *out, const struct perm_policy *old,
			   const struct policy_opts *opts, struct str *notes, struct err *err);

/* Whether the settings say that a mode may not be chosen. */
bool policy_disables(const struct settings *settings, enum perm_mode mode);
/* Whether a file that may forbid something could not be read. */
bool policy_is_unsure(const struct settings *settings);
/* Whether only the policy of the machine may allow something. */
bool policy_is_managed(const struct settings *settings);
/* Appends the path of a directory as people write it: from home, or from where they are. */
void policy_place(struct str *out, const char *home, const char *cwd, struct sv written);

#endif

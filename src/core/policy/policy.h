/* policy.h - builds the permission policy of a session from the settings files, the command line
 * and the working directories. `awl why` and `awl sandbox` use the same policy as a session. */
#ifndef AWL_CORE_POLICY_POLICY_H
#define AWL_CORE_POLICY_POLICY_H

#include "perm/perm.h"
#include "store/settings/settings.h"

struct policy_opts {
	const struct settings *settings; /* NULL: none */
	const char *home;                /* NULL: not known */
	const char *cwd;                 /* real; of the project */
	const char *dir;                 /* the working directory, real; NULL: cwd */
	const char *config_root;         /* whose files the project's are, if not cwd; NULL: cwd */
	const char *config_dir;          /* awl's own files are there; NULL: none */
	const char *const *env;          /* that commands get; NULL: our own */
	const char *const *add_dirs;     /* NULL-terminated; NULL: none */
	const char *mode;                /* NULL: that of the settings */
	const char *allow, *ask, *deny;  /* lists of rules of the command line; NULL: none */
	bool notes_keys; /* add a note for every value, not one for every kind of problem */
};

/* Builds a policy in `out`, which is PERM_POLICY_INIT. An invalid rule of a settings file is
 * ignored with a note; if it might have restricted something, and is not a stranger's, only
 * reading is allowed without a question. Fails on an invalid rule of the command line, on a
 * working directory that is not a directory, and on an unknown mode. */
must_use bool policy_load(struct perm_policy *out, const struct policy_opts *opts,
			  struct str *notes, struct err *err);

/* Builds a policy that replaces `old`. Rules that were added for this session, or on its command
 * line, stay. */
must_use bool policy_renew(struct perm_policy *out, const struct perm_policy *old,
			   const struct policy_opts *opts, struct str *notes, struct err *err);

/* Whether the settings forbid a mode. */
bool policy_disables(const struct settings *settings, enum perm_mode mode);
/* Whether a settings file could not be used, so that what it forbids is not known. */
bool policy_is_unsure(const struct settings *settings);
/* Whether only the rules of the machine's policy can allow. */
bool policy_is_managed(const struct settings *settings);
/* Appends the path that is meant by one in a settings file: "~/x" is in the home directory, "x" in
 * the working directory. */
void policy_place(struct str *out, const char *home, const char *cwd, struct sv written);

#endif

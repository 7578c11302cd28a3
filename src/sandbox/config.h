/* config.h - the configuration of a sandbox: what settings and permission rules say, and the
 * policy (policy.h) that follows from it.
 *
 *   sandbox_config_init()       where the session works
 *   sandbox_config_switches()   the merged "sandbox" settings: switches and single values
 *   sandbox_config_lists()      "sandbox" of each source: lists
 *   sandbox_config_rule()       each Edit, Read and WebFetch rule
 *   sandbox_config_finish()     config.policy is complete
 *   sandbox_config_check()      can it be enforced here?
 *   sandbox_config_scan()       before each command: which files do the patterns match now?
 *
 * Until sandbox_config_check() nothing reads the file system.
 *
 * Writable are the project, the other working directories and the temporary directory of the
 * session. Some files in there are protected because something outside the sandbox runs or
 * trusts them later: settings of agents and editors, git hooks and configuration, start-up files
 * of shells. An `allowWrite` entry that names such a path lifts its protection. */
#ifndef AWL_SANDBOX_CONFIG_H
#define AWL_SANDBOX_CONFIG_H

#include "proto/verdict.h"
#include "sandbox/policy.h"
#include "text/json/json.h"

/* Where the session works. All real paths. */
struct sandbox_dirs {
	struct sv project;
	struct sv home;          /* empty: none */
	struct sv config_dir;    /* the user's settings; empty: none */
	struct sv temp_dir;      /* empty: none */
	struct sv checkout;      /* with the project's files, if not `project`; empty: none */
	struct sv git_dir;       /* of the repository that `project` is a linked work tree of */
	const struct sv *others; /* the other working directories */
	size_t nothers;
};

enum sandbox_source { SANDBOX_FROM_USER, SANDBOX_FROM_PROJECT, SANDBOX_FROM_POLICY };

struct sandbox_entry {
	const char *text;
	enum sandbox_source from;
	bool by_rule; /* by a permission rule, which lifts no protection */
};
typedef VEC(struct sandbox_entry) sandbox_entries;
typedef VEC(const char *) sandbox_list;

/* A pattern that denies access, in the syntax of permission rules (perm/path/path.h). */
struct sandbox_pattern {
	struct sv text, root;
	bool hides; /* denies reading; otherwise it denies only writing */
};

struct sandbox_config {
	struct arena arena;
	struct sandbox_dirs dirs;

	/* From the settings. The comments name the defaults. */
	bool enabled, fail_if_unavailable; /* false */
	bool auto_allow;                   /* true: sandboxed commands need no approval */
	bool allow_unsandboxed;            /* true: a call may ask to run outside */
	bool strict_hosts;                 /* false: ask about hosts that no list names */
	bool managed_reads, managed_hosts; /* false: otherwise only lists from policy count */
	bool any_file, all_unix_sockets, nested;
	int http_port, socks_port; /* of the user's own proxy; 0: none */
	const char *bwrap;         /* NULL: search PATH */
	sandbox_entries excluded, hosts, denied_hosts;
	sandbox_entries allow_write, deny_write, deny_read, allow_read, unset;
	VEC(struct sandbox_pattern) patterns;
	sandbox_list ripgrep;       /* the rg that Grep runs, with its first arguments; or empty */
	sandbox_list ignored_hosts; /* do not report that one of these was refused */
	struct str notes;           /* settings that could not be applied, one line each */

	/* By sandbox_config_finish(). Borrows from everything above. */
	struct sandbox_policy policy;
	sandbox_list write, readonly, readonly_existing, hidden, shown, unset_names;

	/* By sandbox_config_scan(), which appends what it finds to these lists. */
	struct arena found;
	size_t nreadonly, nreadonly_existing, nhidden; /* lengths without it */
	bool is_incomplete; /* not every file is protected: there were too many matches */
};

void sandbox_config_init(struct sandbox_config *config, const struct sandbox_dirs *dirs);
void sandbox_config_clear(struct sandbox_config *config);

/* Malformed values are skipped with a note. */
void sandbox_config_switches(struct sandbox_config *config, struct json sandbox);
void sandbox_config_lists(struct sandbox_config *config, struct json sandbox,
			  enum sandbox_source from);

/* Edit rules are about writing, denying Read rules about reading, WebFetch(domain:) rules about
 * hosts. Other rules are ignored. `root` is where "/x" begins. A pattern never allows anything.
 * It denies access to files that exist when a command starts, not to files that the command
 * creates itself; a note says so. */
void sandbox_config_rule(struct sandbox_config *config, enum behavior what, struct sv tool,
			 struct sv content, struct sv root, enum sandbox_source from);

/* `support` is borrowed for as long as the configuration is used. */
void sandbox_config_finish(struct sandbox_config *config, const struct sandbox_support *support);

/* Appends the whole configuration. Equal configurations give equal text. */
void sandbox_config_describe(struct str *out, const struct sandbox_config *config);

/* Adds the existing files, in the working directories and where patterns begin, that a pattern
 * matches; and the files in nested directories that something runs or trusts later (nested
 * repositories, settings of agents). Looks at no more than LIMIT_SANDBOX_SEEN files and adds no
 * more than LIMIT_SANDBOX_FOUND; otherwise is_incomplete is set. Patterns do not match inside
 * ".git". */
void sandbox_config_scan(struct sandbox_config *config);

/* Appends the git directory of the repository that `project` is a linked work tree of. False
 * when it is not one, or when that repository does not list it: anybody can write a ".git"
 * file. */
bool sandbox_find_linked_repository(struct str *out, struct sv project);

/* Checks whether the policy can be enforced, once the caller has filled in what only it knows
 * (proxy, helper). If not, the sandbox is disabled with a note, or this fails, as
 * failIfUnavailable says. Gaps are noted, and then auto_allow is cleared. Reads the file
 * system. */
must_use bool sandbox_config_check(struct sandbox_config *config, struct err *err);

#endif

/* project.h - the settings files that apply in a directory, and whether the user trusts those of
 * the project. Everyone who reads or changes settings for a directory begins here, so that they
 * use the same files. */
#ifndef AWL_CORE_POLICY_PROJECT_H
#define AWL_CORE_POLICY_PROJECT_H

#include "store/settings/settings.h"
#include "store/trust.h"

struct project {
	struct str top;             /* the first checkout of the repository around it */
	struct trust trust;         /* in the content that project_inspect() saw */
	struct str *trusted_digest; /* as given */
	/* A script that the settings run by a relative name and that is another one where awl works, so
	 * nothing is trusted; empty: none. */
	struct str foreign_script;
	struct settings_opts files; /* borrows from `top` and from what was given */
};

#define PROJECT_INIT                                                              \
	{                                                                         \
		.top = STR_INIT, .trust = TRUST_INIT, .foreign_script = STR_INIT, \
	}

/* Looks at the files. `config_dir` may be NULL; `dir` is a real path. `trusted_digest` is the digest of
 * content that is trusted for this session, besides what is recorded; NULL: none. All three are
 * borrowed. Sets files.trusts_project when trust is given or not needed. */
void project_inspect(struct project *out, const char *config_dir, const char *dir,
		     struct str *trusted_digest);
/* The same for a session that works in `work_dir`, a real path, with the settings of `dir`: a host has
 * named the checkout that `work_dir` is a work tree of. What somebody has put into `work_dir` must not
 * run as if it were the project's. */
void project_inspect_for(struct project *out, const char *config_dir, const char *dir,
			 const char *work_dir, struct str *trusted_digest);
void project_clear(struct project *project);
/* Appends the real path of such a checkout, as a host has named it: absolute, and a directory. */
must_use bool project_find_config_root(struct str *out, const char *given, struct err *err);
/* Appends why awl does not use the files of a project that is not trusted, as the beginning of a sentence. */
void project_write_distrust(struct str *out, const struct project *project);
/* Notes a foreign script, if there is one. */
void project_note_foreign(const struct project *project, struct str *notes);

/* Adds the directory and those above it that belong to the same project, its top being the last. Outside of a repository
 * nobody knows what belongs to a project but the directory itself. */
typedef VEC(const char *) project_dir_list;
void project_dirs(struct sv root, project_dir_list *dirs, struct arena *arena);
/* Calls `found` for `.claude` in each of them, the nearest first, unless it is the user's own. `inside` is the
 * real path of the top, which links may not leave. */
typedef void project_config_fn(void *arg, const char *dir, struct sv inside);
void project_config_dirs(struct sv root, const char *config_dir, project_config_fn *found,
			 void *arg);

/* Appends the path of ~/.claude.json, which is in the configuration directory if that was moved.
 * `home` may be NULL. */
void project_global_file(struct str *out, const char *config_dir, const char *home);

/* Changes one of the files with settings_set(), settings_add_item() or settings_remove_item(),
 * under the lock of the configuration directory (config_lock.h). Trusted content stays trusted
 * with this change, but not with a change that somebody else makes at the same time. A rule that
 * is added to a file of the project takes effect even if the user does not trust that file
 * (approved.h). */
must_use bool project_change(struct project *project, typeof(settings_set) *change,
			     enum settings_source source, struct json_steps steps, struct sv json,
			     struct err *err);

/* The same for .mcp.json: sets the value at `steps` or, with an empty `json`, removes it. */
must_use bool project_change_servers(struct project *project, struct json_steps steps,
				     struct sv json, struct err *err);

/* Appends what is not used because the project is not trusted, one line each: settings_ignored(),
 * the MCP servers, and the programs that the repository wants git to run. */
void project_ignored(const struct project *project, const struct settings *settings,
		     struct str *out);

/* Records trust in the content that project_inspect() saw, or forgets it. */
must_use bool project_trust(const struct project *project, bool is_trusted, struct err *err);

#endif

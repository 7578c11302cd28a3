/* settings.h - what settings.json files say, all of them together.
 *
 * Weakest first: the user's, the project's, the project's local one, what --settings
 * gives, and the policy of whoever runs the machine. Objects merge deeply, lists are
 * united without repetition, of anything else the strongest wins; a key's row in the one
 * table (settings_keys.h) says where it differs and which sources may set it.
 *
 * A file is taken whole or not at all: one that cannot be read, is no JSON or has a value
 * of a wrong type leaves nothing of itself behind, and is told in the notes with file,
 * line, key and what was expected. Comments and commas before a closing bracket are fine.
 * Unknown keys are kept and told. A policy that cannot be read is no note but a failure:
 * nothing may run without it.
 *
 * What lies in a repository may be anybody's. Until its content is trusted (trust.h) only
 * what forbids is taken from the project's two files: permissions.deny, permissions.ask and
 * the switches that take something from the model or the repository. Some keys are never
 * taken from there: the permission mode, helper commands, approvals of MCP servers, and
 * variables that move requests or make programs load code. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_H
#define AWL_STORE_SETTINGS_SETTINGS_H

#include "base/arena.h"
#include "base/vec.h"
#include "proto/reply.h"
#include "text/json/json.h"
#include "text/json/json_span.h"

enum settings_source {
	SETTINGS_GLOBAL, /* ~/.claude.json: a few keys that are in no other file */
	SETTINGS_USER,
	SETTINGS_PROJECT,
	SETTINGS_LOCAL,
	SETTINGS_FLAG,
	SETTINGS_POLICY,
	SETTINGS_SOURCES,
};
const char *settings_source_name(enum settings_source source); /* "userSettings", ... */
bool settings_are_projects(enum settings_source source);       /* so that they may be anybody's */

struct jw;
struct op;
struct trust;

struct settings_opts {
	const char *config_dir;  /* of settings.json; NULL: there is none */
	const char *global_file; /* ~/.claude.json; NULL: it does not matter here */
	const char *project_dir; /* where awl was started; its .claude is meant; NULL: none */
	/* Root of the repository around it, where the local file is kept; NULL: project_dir. */
	const char *repo_dir;
	const char *flag;       /* --settings: a path, or JSON that begins with '{'; NULL: none */
	const char *flag_root;  /* where "/x" rules of that JSON begin; NULL: project_dir */
	const char *managed;    /* JSON of a policy that may only forbid; NULL: none */
	const char *policy_dir; /* NULL: /etc/claude-code */
	const char *sources;    /* --setting-sources: "user,project,local"; NULL: all three */
	bool trusts_project;    /* see trust.h */
	/* The trust is in content as it was looked at here; NULL: in whatever is there. It
	 * follows what we write: trust_follow(). */
	struct trust *looked;
	/* The policy's program (policyHelper) is not asked again, as it was for these; NULL: it
	 * is asked now, and waited for. */
	const struct settings *asked;
	/* A settings_watch_start() that is not to tell of what we write; NULL: none. */
	struct op *watch;
};

struct settings;

/* Reads all. NULL only for a policy that cannot be taken, an unknown name in `sources` or a
 * `flag` that cannot be taken; the rest is told in `notes`, a line each. A policy's files
 * and directories have to be root's and no link, and nobody else may write them; in a
 * `policy_dir` that is named they may be ours. */
struct settings *settings_load(const struct settings_opts *opts, struct str *notes,
			       struct err *err);
void settings_free(struct settings *settings);
void settings_freep(struct settings **settings);

/* Whether there is a file of this source that was not taken: what it forbids is not known
 * then. */
bool settings_is_refused(const struct settings *settings, enum settings_source source);
/* Whether --setting-sources lets what this source keeps be read: settings, instructions. */
bool settings_is_chosen(const struct settings *settings, enum settings_source source);

/* --- values: `key` is dotted, "permissions.defaultMode"; inside a map ("env",
 * "enabledPlugins") the rest of it is one name; "" is all of it. What is returned lives as long as the
 * settings. All have passed the table, so types need no second look. ------------- */

struct json settings_get(const struct settings *settings, const char *key); /* missing: not set */
const char *settings_str(const struct settings *settings,
			 const char *key); /* NULL: not set, or "" */
/* With the table's default; without one false and 0. */
bool settings_bool(const struct settings *settings, const char *key);
int64_t settings_int(const struct settings *settings, const char *key);
/* The strongest that sets it; SETTINGS_SOURCES when none does. */
enum settings_source settings_source_of(const struct settings *settings, const char *key);
/* What the strongest file of this source says alone; missing: nothing. */
struct json settings_get_from(const struct settings *settings, enum settings_source source,
			      const char *key);

/* One element of a list in a file. */
struct settings_item {
	enum settings_source source;
	struct sv text; /* of a list of strings */
	struct json value;
	const char *file; /* or "--settings" */
	size_t line;      /* 0: not known */
	const char *root; /* where "/x" rules of this source begin; NULL: not known */
};
/* The list as its sources give it, strongest first, each element once per source. Returns
 * how many; `*out` lives as long as the settings. */
size_t settings_items(const struct settings *settings, const char *key,
		      const struct settings_item **out);

/* What of the project's files was not taken because they are not trusted, a line each:
 * "hooks.SessionStart (.claude/settings.json:3)". Empty: nothing. */
struct sv settings_ignored(const struct settings *settings);

/* For whoever finds wrong what only he understands: adds a note about the value at `key`. */
void settings_complain(const struct settings *settings, const char *key, const struct err *why,
		       struct str *notes);

/* All of it, and who says what: {"effective": {...}, "sources": [{"source", "file",
 * "settings"}, ...]}, the weakest first, each with what counts of it. */
void settings_write_json(const struct settings *settings, struct str *out);
/* The same as data; the list is in `arena`, the rest borrows from the settings. */
struct reply_settings settings_report(const struct settings *settings, struct arena *arena);

/* Calls `each` for every key of the table whose value differs between the two. Objects are
 * compared member by member. */
struct setting;
void settings_compare(const struct settings *before, const struct settings *after,
		      void (*each)(void *arg, const struct setting *key), void *arg);

/* Visits the files that were taken, weakest first; false at the end. */
struct settings_taken {
	enum settings_source source;
	const char *file;
	struct json settings; /* what counts of it */
};
bool settings_next_taken(const struct settings *settings, size_t *at, struct settings_taken *out);
/* "<file>:<line>" of the value at `key` in the strongest file that sets it. */
void settings_locate(const struct settings *settings, const char *key, struct str *out);
/* The same of this string in the list at `key`; if it is not in it, of the list. */
void settings_locate_item(const struct settings *settings, const char *key, struct sv item,
			  struct str *out);

/* Appends the path of another file of the policy's, beside its settings: `name` in
 * `policy_dir` (NULL: /etc/claude-code). Fails with ERR_NOT_FOUND when it is not there, and
 * when it is not to be believed: as for the settings, file and directory have to be root's and
 * no link, and nobody else may write them; in a `policy_dir` that is named they may be ours. */
must_use bool settings_policy_file(struct str *out, const char *policy_dir, const char *name,
				   struct err *err);

/* Paths of the file of a source that can be written (global, user, project, local). */
must_use bool settings_path(const struct settings_opts *opts, enum settings_source source,
			    struct str *out, struct err *err);

/* --- changing a file: only the value at `steps` changes, every other byte stays. --------- */

/* Sets (or, with an empty `json`, removes) the value. Fails and changes nothing when the file
 * is not valid, the value is of a wrong type or none that this source may set, or a project's
 * file is reached through a link that leads out of the project. The file is made, mode 0600,
 * when it is missing; the local one is added to .git/info/exclude of the repository unless
 * its rules say already whether git is to ignore it. Written atomically, its mode kept. */
must_use bool settings_put(const struct settings_opts *opts, enum settings_source source,
			   struct json_steps steps, struct sv json, struct err *err);

/* The same for one element of a list: adds it at the end unless it is there, or removes
 * it. `json` is the element. */
must_use bool settings_add_item(const struct settings_opts *opts, enum settings_source source,
				struct json_steps steps, struct sv json, struct err *err);
must_use bool settings_remove_item(const struct settings_opts *opts, enum settings_source source,
				   struct json_steps steps, struct sv json, struct err *err);

/* What --settings gives when each member of `changes` takes the place of its own (null: when
 * it is gone): JSON for `flag`, and for `flag_root`. Whether all of it is valid is seen when
 * it is loaded. */
must_use bool settings_change_flag(const struct settings_opts *opts, struct json changes,
				   struct str *json, struct str *root, struct err *err);

/* Appends docs/settings.md, which is made from the table. */
void settings_docs(struct str *out);

#endif

/* settings.h - the merged content of all settings.json files.
 *
 * In rising order of precedence, the sources are: the user's file, the project's file, the
 * project's local file, --settings, and the managed settings of the machine (the policy).
 * Objects merge deeply, lists are united without duplicates, and for any other value the source
 * with the highest precedence wins. The row of a key in the table (settings_keys.h) says where
 * it differs and which sources may set it.
 *
 * A file is used as a whole or not at all. A file that cannot be read, is not JSON or has a
 * value of the wrong type contributes nothing, and a note reports file, line, key and the
 * expected type. Comments and trailing commas are allowed. Unknown keys are kept and reported in
 * a note. A policy that cannot be read is a failure, not a note: nothing may run without it.
 *
 * Anybody may have written the files of a repository. Until the user trusts their content
 * (trust.h), the project's two files can only restrict: permissions.deny, permissions.ask and
 * the switches that take something away from the model or the repository. Some keys never have
 * an effect in project files: the permission mode, helper commands, approvals of MCP servers,
 * and variables that redirect requests or make programs load code. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_H
#define AWL_STORE_SETTINGS_SETTINGS_H

#include "base/arena.h"
#include "base/vec.h"
#include "proto/reply.h"
#include "text/json/json.h"
#include "text/json/json_span.h"

enum settings_source {
	SETTINGS_GLOBAL, /* ~/.claude.json: a few keys that no other file may set */
	SETTINGS_USER,
	SETTINGS_PROJECT,
	SETTINGS_LOCAL,
	SETTINGS_FLAG,
	SETTINGS_POLICY,
	SETTINGS_SOURCES,
};
const char *settings_source_name(enum settings_source source); /* "userSettings", ... */
bool settings_are_projects(
	enum settings_source source); /* project or local: anybody may have written them */

struct jw;
struct op;
struct trust;

struct settings_opts {
	const char *config_dir;  /* contains the user's settings.json; NULL: none */
	const char *global_file; /* ~/.claude.json; NULL: not needed */
	const char *project_dir; /* contains .claude and .mcp.json of the project; NULL: none */
	/* Where awl was started and relative paths begin, if that is another checkout; NULL: project_dir. */
	const char *work_dir;
	/* Root of the repository, which contains the local file; NULL: project_dir. */
	const char *repo_dir;
	const char *flag; /* --settings: a path, or JSON that begins with '{'; NULL: none */
	const char
		*flag_root; /* where "/x" rules of that JSON begin; NULL: as those of the project */
	const char *managed;    /* JSON of a policy that may only restrict; NULL: none */
	const char *policy_dir; /* NULL: /etc/claude-code */
	const char *sources;    /* --setting-sources: "user,project,local"; NULL: all three */
	bool trusts_project;    /* see trust.h */
	/* The content that the user trusts, as it was when inspected; NULL: trust any content.
	 * Our own writes update it: trust_follow(). */
	struct trust *looked;
	/* Settings whose policyHelper output is reused; NULL: run the policyHelper now and wait
	 * for it. */
	const struct settings *helper_from;
	/* The environment from which the policyHelper gets the user's identity and proxies;
	 * NULL: that of this process. */
	const char *const *env;
	/* Add a note for every key, not one for every kind of problem in a file. */
	bool notes_keys;
	/* A settings_watch_start() op that must not report our own writes; NULL: none. */
	struct op *watch;
};

struct settings;

/* Reads all sources. Returns NULL only if the policy or `flag` is invalid or `sources` contains
 * an unknown name. Every other problem adds a line to `notes`. Files and directories of the
 * policy must belong to root, must not be links, and must not be writable by anybody else. In an
 * explicit `policy_dir` they may belong to the current user. */
struct settings *settings_load(const struct settings_opts *opts, struct str *notes,
			       struct err *err);
void settings_free(struct settings *settings);
void settings_freep(struct settings **settings);

/* Returns whether a file of this source exists but was rejected, as a whole or in a part that may
 * restrict something, so its restrictions are unknown. */
bool settings_is_refused(const struct settings *settings, enum settings_source source);
/* Returns how many keys and entries have no effect because of a mistake. Does not count unknown
 * keys that resemble no known one, and keys that belong in another file. */
size_t settings_mistakes(const struct settings *settings);
/* Returns whether --setting-sources includes this source, for settings and instructions. */
bool settings_is_chosen(const struct settings *settings, enum settings_source source);
/* Whether the policy takes "skills", "agents", "hooks" or "mcp" servers only from plugins and from itself. */
bool settings_only_plugins(const struct settings *settings, const char *what);
/* Whether a source is read and may define such things. */
bool settings_may_define(const struct settings *settings, enum settings_source source,
			 const char *what);

/* --- values: `key` is dotted, "permissions.defaultMode"; inside a map ("env", "enabledPlugins")
 * the rest of it is one name; "" is all of it. What is returned lives as long as the settings.
 * All have passed the table, so types need no second look. ------------- */

struct json settings_get(const struct settings *settings, const char *key); /* missing: not set */
const char *settings_str(const struct settings *settings,
			 const char *key); /* NULL: not set, or "" */
/* Return the value or the default of the table; without a default false and 0. */
bool settings_bool(const struct settings *settings, const char *key);
int64_t settings_int(const struct settings *settings, const char *key);
/* Returns the source with the highest precedence that sets the key, or SETTINGS_SOURCES if none
 * does. */
enum settings_source settings_source_of(const struct settings *settings, const char *key);
/* Returns the value in the file of this source with the highest precedence; missing: not set. */
struct json settings_get_from(const struct settings *settings, enum settings_source source,
			      const char *key);

/* One element of a list in a file. */
struct settings_item {
	enum settings_source source;
	struct sv text; /* if the list contains strings */
	struct json value;
	const char *file; /* or "--settings" */
	size_t line;      /* 0: unknown */
	const char *root; /* base of "/x" rules of this source; NULL: unknown */
};
/* Returns the number of elements in the list at `key`. `*out` has them by source, highest
 * precedence first, each element once per source. It lives as long as the settings. */
size_t settings_items(const struct settings *settings, const char *key,
		      const struct settings_item **out);

/* Returns the project settings that are ignored because the project is not trusted, one per
 * line: "hooks.SessionStart (.claude/settings.json:3)". Empty: none. */
struct sv settings_ignored(const struct settings *settings);

/* Adds a note that the value at `key` is ignored, for callers that validate a value themselves. */
void settings_note_ignored(const struct settings *settings, const char *key, const struct err *why,
			   struct str *notes);

/* Appends all settings and their sources: {"effective": {...}, "sources": [{"source", "file",
 * "settings"}, ...]}, lowest precedence first, each with the settings that have an effect. */
void settings_write_json(const struct settings *settings, struct str *out);
/* Returns the same as data. The list is in `arena`; the rest borrows from the settings. */
struct reply_settings settings_report(const struct settings *settings, struct arena *arena);

/* Calls `each` for every key of the table whose value differs between the two. Compares objects
 * member by member. */
struct setting;
void settings_compare(const struct settings *before, const struct settings *after,
		      void (*each)(void *arg, const struct setting *key), void *arg);

/* Visits the files in use, lowest precedence first; false at the end. */
struct settings_taken {
	enum settings_source source;
	const char *file;
	struct json settings; /* the settings that have an effect */
};
bool settings_next_taken(const struct settings *settings, size_t *at, struct settings_taken *out);
/* Appends "<file>:<line>" of the value at `key` in the file with the highest precedence that
 * sets it. */
void settings_locate(const struct settings *settings, const char *key, struct str *out);
/* Appends the position of this string in the list at `key`, or of the list if it is not in it. */
void settings_locate_item(const struct settings *settings, const char *key, struct sv item,
			  struct str *out);

/* Appends the path of another policy file beside the managed settings: `name` in `policy_dir`
 * (NULL: /etc/claude-code). Fails with ERR_NOT_FOUND when the file does not exist. Also fails
 * when it cannot be trusted: like the settings, file and directory must belong to root, must not
 * be links, and must not be writable by anybody else. In an explicit `policy_dir` they may
 * belong to the current user. */
must_use bool settings_policy_file(struct str *out, const char *policy_dir, const char *name,
				   struct err *err);
/* Appends the path of the folder .claude beside the managed settings, whose skills, commands and agents are those of the
 * machine's administrator. Fails as above. */
must_use bool settings_policy_folder(struct str *out, const char *policy_dir, struct err *err);

/* Where relative paths of the project's files begin; NULL: no project. */
const char *settings_work_dir(const struct settings_opts *opts);

/* Appends the path of the file of a writable source (global, user, project, local). */
must_use bool settings_path(const struct settings_opts *opts, enum settings_source source,
			    struct str *out, struct err *err);

/* --- changing a file: only the value at `steps` changes, every other byte stays. --------- */

/* Sets the value or, with an empty `json`, removes it. Fails and changes nothing when the file
 * is invalid, the value has the wrong type, this source may not set it, or the path of a
 * project's file contains a link that leaves the project. Creates a missing file with mode 0600.
 * Adds the local file to .git/info/exclude of the repository unless the repository's rules
 * already say whether git ignores it. The write is atomic and keeps the file mode. */
must_use bool settings_set(const struct settings_opts *opts, enum settings_source source,
			   struct json_steps steps, struct sv json, struct err *err);

/* Sets several values with a single write. */
struct settings_value {
	struct json_steps steps;
	struct sv json;
};
must_use bool settings_set_all(const struct settings_opts *opts, enum settings_source source,
			       const struct settings_value *values, size_t n, struct err *err);

/* Like settings_set() for one element of a list: append it unless the list contains it, or
 * remove it. `json` is the element. */
must_use bool settings_add_item(const struct settings_opts *opts, enum settings_source source,
				struct json_steps steps, struct sv json, struct err *err);
must_use bool settings_remove_item(const struct settings_opts *opts, enum settings_source source,
				   struct json_steps steps, struct sv json, struct err *err);

/* Applies `changes` to the value of --settings: each member replaces the member of that name,
 * and null removes it. Appends JSON for `flag` and a path for `flag_root`. Loading validates the
 * result. */
must_use bool settings_change_flag(const struct settings_opts *opts, struct json changes,
				   struct str *json, struct str *root, struct err *err);

/* Appends the text of docs/settings.md, generated from the table. */
void settings_docs(struct str *out);

#endif

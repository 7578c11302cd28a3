/* settings_file.h - private to settings*.c: one settings file. Its text is kept as read, but
 * with blanks instead of comments and trailing commas. So the text is valid JSON, and every byte
 * keeps its position in the file. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_FILE_H
#define AWL_STORE_SETTINGS_SETTINGS_FILE_H

#include "store/settings/settings_keys.h"

struct settings_file {
	enum settings_source source;
	struct str name;           /* its path, or "--settings" */
	struct str root;           /* base of "/x" rules; empty: unknown */
	bool is_trusted;           /* the user's own file, or one that the user trusts */
	struct json_doc *approved; /* see approved.h; only of a file that is not trusted */
	struct str text;
	/* Every element of a list and every member of a map must be valid, too. Otherwise only the
	 * invalid ones have no effect. */
	bool is_strict;
	size_t bad_entries;       /* invalid elements and members, if not strict */
	struct json_doc *content; /* the whole content, validated; NULL: invalid */
	struct json_doc *taken;   /* the settings that have an effect */
	struct settings_lines *lines;
};

#define SETTINGS_FILE_INIT                 \
	{                                  \
		.source = SETTINGS_SOURCES \
	}

void settings_file_clear(struct settings_file *file);

/* Appends `text` with blanks instead of comments and trailing commas. */
void settings_plain(struct str *out, struct sv text);

/* Sets the value at `steps` or, with an empty `json`, removes it if it exists. `text` is JSON
 * with comments and trailing commas. A comment is removed only together with the value that
 * contains it or that it follows. Fails when a comment prevents the change; `text` is then
 * unchanged. */
must_use bool settings_edit(struct str *text, struct json_steps steps, struct sv json,
			    struct err *err);

/* Parses a text that must be a JSON object in which every known key is null, which means that it is
 * not set, or has a value of its type. Otherwise returns false and appends the errors to
 * `complaints`, one per line. A blank text is an empty object, unless the file is strict. */
must_use bool settings_file_parse(struct settings_file *file, struct sv text,
				  struct str *complaints);

/* The end of every complaint. settings_fail() sets the first complaint as an error, without it. */
#define SETTINGS_CONSEQUENCE "; nothing in this file is used"
bool settings_fail(struct err *err, struct sv complaints);

/* Selects the settings that have an effect: those that the source may set, and for an untrusted
 * repository only those that restrict. `notes` gets invalid entries, unknown keys and keys that
 * the source may never set; `ignored` gets the keys that need trust, one per line. Returns false
 * if an invalid entry may have restricted something. */
struct settings_notes;
bool settings_file_take(struct settings_file *file, struct settings_notes *notes,
			struct str *ignored);

/* Position of a value, counted from 1. Zero if neither the table nor a map in it covers the
 * path. */
struct settings_spot {
	size_t line, column;
};
struct settings_spot settings_file_spot(const struct settings_file *file, struct json_steps steps);
struct settings_lines;
struct settings_lines *settings_lines_new(void);
void settings_lines_free(struct settings_lines *lines);

/* "<file>:<line>:<column>: <key>: ". */
void settings_file_point(struct str *out, const struct settings_file *file,
			 struct json_steps steps);
/* Appends a scalar as JSON, or "a list" or "an object". */
void settings_add_found(struct str *out, struct json value);
void settings_add_key(struct str *out, struct json_steps steps); /* dotted */

/* Parses --setting-sources into one bit per source; NULL means all. */
must_use bool settings_chosen(const char *list, unsigned *out, struct err *err);
const char *settings_policy_dir(const struct settings_opts *opts);
size_t settings_limit(enum settings_source source); /* maximum file size in bytes */

/* Merges the layers, the last of which has the highest precedence, into one document. */
struct settings_layer {
	struct json root;
	enum settings_source source;
};
struct json_doc *settings_merge(const struct settings_layer *layers, size_t n);

/* Returns whether the settings of a trusted repository may set the variable. They may not set
 * variables that control where awl's requests go and with which key, that make programs load
 * code, or that control telemetry. */
bool settings_env_is_harmless(struct sv name);

#endif

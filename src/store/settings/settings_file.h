/* settings_file.h - private to settings*.c: one file of settings. Its text is kept as
 * read, but with blanks where comments and commas before a closing bracket were: so it is
 * JSON, and every byte is where it is in the file. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_FILE_H
#define AWL_STORE_SETTINGS_SETTINGS_FILE_H

#include "store/settings/settings_keys.h"

struct settings_file {
	enum settings_source source;
	struct str name; /* its path, or "--settings" */
	struct str root; /* where "/x" rules begin; empty: not known */
	bool is_trusted; /* nobody else's, or the user has vouched for it */
	struct str text;
	struct json_doc *said;  /* all of it, checked; NULL: it was refused */
	struct json_doc *taken; /* what counts of it */
	struct settings_lines *lines;
};

#define SETTINGS_FILE_INIT                 \
	{                                  \
		.source = SETTINGS_SOURCES \
	}

void settings_file_clear(struct settings_file *file);

/* Appends `text` with blanks in place of comments and trailing commas. */
void settings_plain(struct str *out, struct sv text);

/* Sets the value at `steps`, or with an empty `json` removes it, if it is there. `text` is
 * JSON with comments and trailing commas; a comment goes only with what it stands in or
 * what it follows, and where one is in the way it fails. Then the text is as before. */
must_use bool settings_edit(struct str *text, struct json_steps steps, struct sv json,
			    struct err *err);

/* Takes in a text, if it is a JSON object in which every known key has a value of its
 * type. Otherwise false, and what is wrong is in `complaints`, a line each. */
must_use bool settings_file_parse(struct settings_file *file, struct sv text,
				  struct str *complaints);

/* How a complaint ends; and a failure with the first of them, without that. */
#define SETTINGS_CONSEQUENCE "; nothing in this file is used"
bool settings_fail(struct err *err, struct sv complaints);

/* Chooses what counts: what the source may say, and in a repository that is not trusted
 * what only forbids. What the source may never say and unknown keys are told in `notes`,
 * what waits for trust in `ignored`. */
void settings_file_take(struct settings_file *file, struct str *notes, struct str *ignored);

/* Where a value begins, counted from 1, if the table knows the way to it, or it is in a map
 * that it knows; otherwise 0. */
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
/* What others wrote, on one line: what cannot be seen spelt out, cut when it is long. */
void settings_add_shown(struct str *out, struct sv text);
void settings_add_key(struct str *out, struct json_steps steps); /* dotted */

/* What --setting-sources names, a bit each; all without it. */
must_use bool settings_chosen(const char *list, unsigned *out, struct err *err);
const char *settings_policy_dir(const struct settings_opts *opts);
size_t settings_limit(enum settings_source source); /* bytes of its file */

/* All of `docs` (the strongest last), each of its source, as one. */
struct settings_layer {
	struct json root;
	enum settings_source source;
};
struct json_doc *settings_merge(const struct settings_layer *layers, size_t n);

/* Whether a variable may be set by a repository's settings, once it is trusted. Not what
 * says where awl's requests go and with what key, what makes programs load code, nor what
 * telemetry tells. */
bool settings_env_is_harmless(struct sv name);

#endif

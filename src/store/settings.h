/* settings.h - what the user's own settings.json says of models.
 *
 * Only <config>/settings.json is read: the file of whoever runs the program. A project
 * has such a file, too, but that may be anybody's, and a command in it would be run, so
 * it needs trust first.
 *
 * Reading never fails. What is wrong is told in `notes`, a line each, with file, line and
 * key; that setting is left out and the others hold. */
#ifndef AWL_STORE_SETTINGS_H
#define AWL_STORE_SETTINGS_H

#include "text/json.h"
#include "text/json_span.h"

struct settings {
	const char *model;          /* NULL: not set */
	const char *api_key_helper; /* a shell command that prints a key; NULL: not set */
	struct json pricing;        /* "modelPricing"; missing: not set */
	struct json models;         /* "awl.models": limits and prices by id; likewise */

	struct json_doc *doc; /* all of these borrow from it */
	struct str path, text;
};

#define SETTINGS_INIT         \
	{                     \
		.model = NULL \
	}

/* `config_dir` may be NULL: nothing is set. A file that is not there is fine. */
void settings_read(struct settings *out, const char *config_dir, struct str *notes);
void settings_clear(struct settings *settings);

/* For whoever finds wrong what only he understands: adds a note about the value that
 * `steps` lead to. */
void settings_complain(const struct settings *settings, struct json_steps steps,
		       const struct err *why, struct str *notes);

#endif

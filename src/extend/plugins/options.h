/* options.h - what the user of a plugin can configure: "userConfig" of its manifest, with the values that the user has
 * given.
 *
 *   "userConfig": { "endpoint": { "type": "string", "title": "Endpoint", "description": "...", "required": true },
 *                   "token": { "type": "string", "title": "Token", "description": "...", "sensitive": true } }
 *
 * Values of sensitive options are secrets: they are stored apart, and never become part of a text for the model. */
#ifndef AWL_EXTEND_PLUGINS_OPTIONS_H
#define AWL_EXTEND_PLUGINS_OPTIONS_H

#include "base/arena.h"
#include "base/vec.h"
#include "text/json/json.h"

enum plugin_option_type {
	OPTION_STRING,
	OPTION_NUMBER,
	OPTION_BOOLEAN,
	OPTION_DIRECTORY,
	OPTION_FILE,
	OPTION_TYPES,
};
const char *plugin_option_type_name(enum plugin_option_type type);

struct plugin_option {
	struct sv key;
	struct sv title, description; /* may be empty */
	enum plugin_option_type type;
	bool is_sensitive, is_required, is_multiple;
	double min, max; /* of a number */
	struct sv value; /* given, or the default; NUL-terminated. ptr is NULL: there is none */
	bool is_given;   /* by the user */
};

typedef VEC(struct plugin_option) plugin_options;

/* Where the values of a plugin are; each may be missing. */
struct plugin_given {
	struct json options; /* pluginConfigs.ID.options of the settings */
	struct json secrets; /* of the file of credentials */
};

/* Reads the options that an object declares. Invalid ones are skipped with a note, a line beginning with `file`. Texts are
 * in `arena`. */
void plugin_options_read(plugin_options *out, struct json declared, struct plugin_given given,
			 struct arena *arena, const char *file, struct str *notes);

/* Appends what somebody has typed as JSON. Fails (ERR_INVALID), saying what is expected, but not what was typed. Several
 * values are separated by commas. */
must_use bool plugin_option_parse(const struct plugin_option *option, struct sv typed,
				  struct str *json, struct err *err);

#endif

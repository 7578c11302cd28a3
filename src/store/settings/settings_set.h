/* settings_set.h - private to settings*.c: what struct settings is made of. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_SET_H
#define AWL_STORE_SETTINGS_SETTINGS_SET_H

#include "base/map.h"
#include "store/settings/settings_file.h"

/* Lists that were asked for, by key. */
struct settings_list {
	VEC(struct settings_item) items;
};
struct settings_lists {
	struct map by_key; /* to struct settings_list */
};

struct settings {
	VEC(struct settings_file) files; /* that were taken, weakest first */
	bool refused[SETTINGS_SOURCES];
	unsigned chosen; /* 1 << source: by --setting-sources */
	struct json_doc *merged;
	struct str ignored;
	struct settings_lists *items; /* grows as they are asked for */
	char *helper;                 /* of the policy; NULL: it has none */
	struct str printed;           /* by it */
};

/* Nothing is known of it yet but whose it is; nobody else's. */
struct settings_file settings_new_file(enum settings_source source, const char *name,
				       const char *root);
/* Takes the file, and in it the text; or fails with the first complaint. */
must_use bool settings_add_file(struct settings *settings, struct settings_file *file,
				struct sv text, struct err *err);

/* Adds the files of the policy. */
must_use bool settings_read_policy(struct settings *settings, const struct settings_opts *opts,
				   struct err *err);
/* Adds what a program prints that they name, once they are merged. `*added`: whether there is
 * one. */
must_use bool settings_read_helper(struct settings *settings, const struct settings_opts *opts,
				   bool *added, struct err *err);
/* Whether what it says, once all is merged, lets this awl run. */
must_use bool settings_check_policy(const struct settings *settings, struct err *err);

#endif

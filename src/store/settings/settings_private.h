/* settings_private.h - private to settings*.c: the definition of struct settings. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_PRIVATE_H
#define AWL_STORE_SETTINGS_SETTINGS_PRIVATE_H

#include "base/map.h"
#include "store/settings/settings_file.h"

/* Cache of the lists that settings_items() has returned, by key. */
struct settings_list {
	VEC(struct settings_item) items;
};
struct settings_lists {
	struct map by_key; /* to struct settings_list */
};

/* Why nothing of a file is used. */
struct settings_refusal {
	struct str file, text; /* complaints, a line each */
};

struct settings {
	VEC(struct settings_file) files; /* in use, lowest precedence first */
	bool refused[SETTINGS_SOURCES];
	VEC(struct settings_refusal) refusals;
	size_t mistakes; /* see settings_mistakes() */
	unsigned chosen; /* bits 1 << source, from --setting-sources */
	struct json_doc *merged;
	struct str ignored;
	struct settings_lists *items; /* filled by settings_items() */
	char *helper;                 /* path of the policyHelper; NULL: none */
	struct str printed;           /* output of the policyHelper */
};

/* Returns an empty trusted file of that source. */
struct settings_file settings_new_file(enum settings_source source, const char *name,
				       const char *root);
/* Adds the file with this text. Fails with the first complaint. */
must_use bool settings_add_file(struct settings *settings, struct settings_file *file,
				struct sv text, struct err *err);

/* Adds the files of the policy. */
must_use bool settings_read_policy(struct settings *settings, const struct settings_opts *opts,
				   struct err *err);
/* Runs the policyHelper that the merged policy files name and adds its output. `*added`: there
 * is a policyHelper. */
must_use bool settings_read_helper(struct settings *settings, const struct settings_opts *opts,
				   bool *added, struct err *err);
/* Fails if the merged policy does not allow this version of awl. */
must_use bool settings_check_policy(const struct settings *settings, struct err *err);

#endif

/* settings_set.h - private to settings*.c: what struct settings is made of. */
#ifndef AWL_STORE_SETTINGS_SET_H
#define AWL_STORE_SETTINGS_SET_H

#include "base/map.h"
#include "store/settings_file.h"

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
	struct json_doc *merged;
	struct str ignored;
	struct settings_lists *items; /* grows as they are asked for */
};

#endif

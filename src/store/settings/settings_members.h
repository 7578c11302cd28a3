/* settings_members.h - private to settings*.c: the members of an object in order; among members
 * with the same key the last one wins. Small objects, the usual case, need only an array. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_MEMBERS_H
#define AWL_STORE_SETTINGS_SETTINGS_MEMBERS_H

#include "base/map.h"
#include "base/vec.h"
#include "text/json/json.h"

struct settings_member {
	struct sv key; /* borrowed */
	struct json value;
};

struct settings_members {
	VEC(struct settings_member) all;
	struct map index; /* key to position + 1, once there are many */
};

#define SETTINGS_MEMBERS_INIT    \
	{                        \
		.all = VEC_INIT, \
	}

void settings_members_clear(struct settings_members *members);

/* Adds a member or replaces its value. Returns whether the key is new. */
bool settings_members_put(struct settings_members *members, struct sv key, struct json value);
struct json settings_members_get(const struct settings_members *members, struct sv key);
void settings_members_read(struct settings_members *members, struct json object);

#endif

/* settings_keys.h - the table of all settings. Validation and merging follow it; `awl config`
 * and docs/settings.md are generated from it.
 *
 * Row names are dotted: the row "permissions" declares an object with known members, and
 * "permissions.allow" declares one of its members. An object whose names the user chooses
 * (variables, models, plugins) is a map and has a single row. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_KEYS_H
#define AWL_STORE_SETTINGS_SETTINGS_KEYS_H

#include "store/settings/settings.h"

/* The types that a value may have: any of these. */
enum setting_type {
	SETTING_STRING = 1 << 0, /* without NUL characters */
	SETTING_BOOL = 1 << 1,
	SETTING_INT = 1 << 2,
	SETTING_NUMBER = 1 << 3,
	SETTING_WORD = 1 << 4, /* one of `words` */
	SETTING_LIST = 1 << 5,
	SETTING_MAP = 1 << 6,
	SETTING_OBJECT = 1 << 7, /* its members have rows of their own */
};
enum { SETTING_ANY = 0, SETTING_TYPES = 8 };
/* Types of the elements of a list and the members of a map; no bits: any type. */
#define SETTING_OF(types) ((unsigned)(types) << SETTING_TYPES)

/* How values from several files combine. */
enum setting_merge {
	SETTING_MERGED,    /* merge objects deeply, unite lists; else the highest precedence wins */
	SETTING_STRONGEST, /* the highest precedence wins, also for lists */
	SETTING_POLICYS,   /* the policy's value alone, if it sets one */
	SETTING_LOWEST,    /* the first of `words` that any file sets */
	SETTING_TRUE,      /* true if any file sets true */
	SETTING_FALSE,     /* false if any file sets false */
};

/* Which sources may set a key. */
enum setting_from {
	SETTING_FROM_ALL,
	SETTING_FROM_USER,   /* user, --settings and policy; never a repository */
	SETTING_FROM_LOCAL,  /* the same, and the project's local file once it is trusted */
	SETTING_FROM_POLICY, /* policy only */
	SETTING_FROM_GLOBAL, /* only ~/.claude.json, no settings file */
};

enum setting_group {
	SETTINGS_MODEL,
	SETTINGS_PERMISSIONS,
	SETTINGS_SANDBOX,
	SETTINGS_CONTEXT,
	SETTINGS_INTERFACE,
	SETTINGS_WORK,
	SETTINGS_EXTEND,
	SETTINGS_ACCOUNT,
	SETTINGS_OWN,
	SETTINGS_GROUPS,
};
const char *setting_group_title(enum setting_group group);

/* Texts are arrays, not pointers: the loader would have to adjust each pointer whenever awl starts. A
 * test checks that every text fits. */
struct setting {
	char name[52];
	enum setting_group group;
	unsigned type;
	char help[176]; /* one sentence, no full stop */
	enum setting_from from;
	enum setting_merge merge;
	/* The key only restricts the model, the repository or a remote and allows nothing, so it
	 * applies even from an untrusted repository. With `merge` SETTING_TRUE or SETTING_FALSE
	 * this holds for that value only. A key that would disable a protection of the user
	 * (hooks, the choice of model) does not count as restricting. */
	bool restricts;
	char words[84];             /* separated by blanks; ordered words in rising order */
	char project_words[44];     /* of `words`, those that a project may set; empty: all */
	char restricting_words[44]; /* of `words`, those that only restrict; empty: none */
	int64_t min, max;           /* range of a number; both 0: any */
	char fallback[28];          /* default as JSON; empty: none */
	char same_as[28];           /* the key that this is an alias of; empty: none */
	bool no_effect;             /* accepted, but nothing reads it yet; see setting_applies() */
	bool is_live;               /* a change reaches running sessions */
};

extern const struct setting settings_table[]; /* in byte order of the names */
extern const size_t settings_table_size;

const struct setting *setting_find(struct sv name); /* NULL: unknown */
/* Returns the known name nearest to a misspelt one; empty: none is near. */
struct sv setting_nearest(struct sv name);

/* Splits a dotted key into `steps` and returns their number. Inside a map the rest of the key is
 * one name, including dots. */
enum { SETTING_STEPS = 8 };
size_t setting_steps(struct sv key, struct sv steps[SETTING_STEPS]);

/* Returns the deepest row along `steps` and sets the number of steps that lead to it; NULL:
 * none. The remaining steps lead into a map or a list, or are unknown. */
const struct setting *setting_of(struct json_steps steps, size_t *used);

/* Returns the value, or the value inside it, that has the wrong type; missing: all are valid.
 * Ignores the members of a SETTING_OBJECT. */
struct json setting_misfit(const struct setting *row, struct json value);
/* Returns how many elements or members of a list or a map have the wrong type. Null members count
 * as missing, not as wrong. */
size_t setting_count_misfits(const struct setting *row, struct json value);
/* Returns whether an element or a member of this value has the right type. */
bool setting_part_fits(const struct setting *row, struct json part);
/* Appends the expected type: "a list of strings", "one of low, medium, high". */
void setting_expected(struct str *out, const struct setting *row);

/* Returns whether this source may set the key, and whether it may set it to this value. */
bool setting_may_be_from(const struct setting *row, enum settings_source source);
bool setting_may_have(const struct setting *row, enum settings_source source, struct json value);
/* When a change applies. For an object: the earliest among its members. */
enum setting_applies { SETTING_APPLIES_NOW, SETTING_NEXT_SESSION, SETTING_NO_EFFECT };
enum setting_applies setting_applies(const struct setting *row);
/* "applies at once", "applies to new sessions", "has no effect yet". */
const char *setting_applies_text(enum setting_applies when);
/* Returns whether the value only restricts. */
bool setting_only_restricts(const struct setting *row, struct json value);

#endif

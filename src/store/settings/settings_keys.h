/* settings_keys.h - the one table of settings. What a file may say is checked against it,
 * merging follows it, `awl config` and docs/settings.md are made from it.
 *
 * A row's name is dotted: the row "permissions" says that this is an object with members
 * of our own, "permissions.allow" what one of them is. An object whose names are the
 * user's (variables, models, plugins) is a map: one row for all of it. */
#ifndef AWL_STORE_SETTINGS_SETTINGS_KEYS_H
#define AWL_STORE_SETTINGS_SETTINGS_KEYS_H

#include "store/settings/settings.h"

/* What a value may be: any of these. */
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
/* The same of the elements of a list and the members of a map; of none: anything. */
#define SETTING_OF(types) ((unsigned)(types) << SETTING_TYPES)

/* How several files that say something are one. */
enum setting_merge {
	SETTING_MERGED,    /* objects deeply, lists united, of anything else the strongest */
	SETTING_STRONGEST, /* the strongest alone, lists too */
	SETTING_POLICYS,   /* the policy's alone if it says anything */
	SETTING_LOWEST,    /* the first in `words` that any says */
	SETTING_TRUE,      /* true if any says so */
	SETTING_FALSE,     /* false if any says so */
};

/* Who may say it. */
enum setting_from {
	SETTING_FROM_ALL,
	SETTING_FROM_USER,   /* the user, --settings and the policy: never a repository */
	SETTING_FROM_POLICY, /* the policy alone */
	SETTING_FROM_GLOBAL, /* no settings file at all, but ~/.claude.json */
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

struct setting {
	const char *name;
	enum setting_group group;
	unsigned type;
	const char *help; /* one sentence, no full stop */
	enum setting_from from;
	enum setting_merge merge;
	/* It takes power from the model, the repository or a remote, and gives none to
	 * anybody, so that it holds from a repository that is not trusted: with `merge`
	 * SETTING_TRUE or SETTING_FALSE that value alone. What would switch off a guard of
	 * the user's (his hooks, his choice of model) does not forbid in this sense. */
	bool forbids;
	const char *words;    /* apart by blanks; what has an order is in rising order */
	int64_t min, max;     /* of a number; both 0: any */
	const char *fallback; /* as JSON; NULL: there is none */
	const char *same_as;  /* an old or second spelling of this; NULL: none */
	bool no_effect;       /* accepted, but nothing reads it yet; see setting_applies() */
	bool is_live;         /* a change reaches running sessions */
};

extern const struct setting settings_table[]; /* in byte order of the names */
extern const size_t settings_table_size;

const struct setting *setting_find(struct sv name); /* NULL: unknown */
/* The known name that a misspelt one is nearest to; empty when none is near. */
struct sv setting_nearest(struct sv name);

/* The way to the value that a dotted key means, in `steps`; how many they are. Inside a
 * map the rest of the key is one name, dots and all. */
enum { SETTING_STEPS = 8 };
size_t setting_steps(struct sv key, struct sv steps[SETTING_STEPS]);

/* The nearest row on the way, and how many of the steps lead to it; NULL: none. The rest
 * leads into a map or a list, or is unknown. */
const struct setting *setting_of(struct json_steps steps, size_t *used);

/* What is not as the row says: the value itself, or one in it; missing when all is.
 * Members of a SETTING_OBJECT are not looked at. */
struct json setting_misfit(const struct setting *row, struct json value);
/* Appends what it should be: "a list of strings", "one of low, medium, high". */
void setting_expected(struct str *out, const struct setting *row);

/* Whether this source may say it at all. */
bool setting_may_be_from(const struct setting *row, enum settings_source source);
/* When a change applies. Of an object: what holds for any of its members, the soonest. */
enum setting_applies { SETTING_APPLIES_NOW, SETTING_NEXT_SESSION, SETTING_NO_EFFECT };
enum setting_applies setting_applies(const struct setting *row);
/* "applies at once", "applies to new sessions", "has no effect yet". */
const char *setting_applies_text(enum setting_applies when);
/* Whether the value only forbids. */
bool setting_only_forbids(const struct setting *row, struct json value);

#endif

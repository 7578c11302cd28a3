/* config.h - private to config*.c: one run of awl config. */
#ifndef AWL_CLI_CONFIG_H
#define AWL_CLI_CONFIG_H

#include "cli/output.h"
#include "core/project.h"
#include "store/settings/settings_keys.h"

struct config {
	const struct args *args;
	const struct action *action;
	struct str config_dir, global, cwd;
	struct project project;
	enum settings_source scope; /* the file to change */
	const char *key, *value;    /* NULL: none */
	struct sv at[SETTING_STEPS];
	struct json_steps steps; /* of the key */
	const struct setting *row;
	bool is_inside; /* the row is a map, and the key names a member of it */
};

enum exit_code config_unknown_key(const struct config *config);

/* The actions that change a file. */
enum exit_code config_set(struct config *config);
enum exit_code config_unset(struct config *config);
enum exit_code config_add(struct config *config);
enum exit_code config_remove(struct config *config);

#endif

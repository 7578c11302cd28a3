/* awl_plugins_install.h - private to src/core/api: one installation, and the plan that it is a part of.
 *
 *   find the entry in its marketplace  >  fetch it  >  copy it, checked, to a stage  >  read it as a session would
 *   >  the same for what it needs  >  ask the user, who sees what all of it runs
 *   >  move it into the cache, record it, enable it
 *
 * Until the user agrees, no part of it is where a session looks. */
#ifndef AWL_CORE_API_AWL_PLUGINS_INSTALL_H
#define AWL_CORE_API_AWL_PLUGINS_INSTALL_H

#include "core/api/awl_plugins_int.h"

/* One plugin that is installed or updated. */
struct plugin_install {
	struct awl_plugins *c;
	struct plugin_id id;
	const char *full; /* "name@marketplace" */
	struct known_marketplace known;
	struct marketplace market;
	struct json entry;
	struct plugin_source source;
	plugin_texts ranges; /* in which others need it */
	struct plugin_fetch fetch;
	struct str work;  /* a directory that is removed at the end */
	struct str stage; /* the copy in it */
	struct plugin_set set;
	const char *version;
	bool is_update, is_automatic;
};

/* "name" or "name@marketplace". Heap; plugin_install_free() in any case. */
struct plugin_install *plugin_install_new(struct awl_plugins *c, bool is_update);
void plugin_install_free(struct plugin_install *i);
must_use bool plugin_install_find(struct plugin_install *i, const char *name, struct err *err);
/* Fetches it to the stage, in a version that is in all ranges. */
must_use bool plugin_install_stage(struct plugin_install *i, struct err *err);
const struct plugin *plugin_install_staged(const struct plugin_install *i);

/* Moves the stage to where sessions look, and records it in a scope; an update stays in its scopes. */
must_use bool plugin_record_install(struct plugin_install *i, enum awl_scope scope,
				    struct err *err);
must_use bool plugin_record_update(struct plugin_install *i, struct err *err);
/* Removes what nobody has needed for two weeks: versions that were replaced or whose plugin is gone, and what
 * interrupted installations left. */
void plugin_record_sweep(struct awl_plugins *c);
int64_t awl_plugin_record_now(void); /* in milliseconds */

/* What the user named, and what that needs and is not there yet. */
struct plugin_plan {
	struct awl_plugins *c;
	struct plugin_set installed;      /* enabled or not */
	VEC(struct plugin_install *) all; /* the named one is the first */
	plugin_texts enable;              /* installed already */
};
void plugin_plan_clear(struct plugin_plan *plan);
/* Stages the named plugin. */
must_use bool plugin_plan_begin(struct plugin_plan *plan, struct awl_plugins *c, const char *name,
				bool is_update, struct err *err);
/* Stages what it needs. */
must_use bool plugin_plan_complete(struct plugin_plan *plan, struct err *err);

/* Loads all plugins that are installed here, enabled or not. Those that cannot be loaded are omitted. */
void awl_plugins_load_installed(struct awl_plugins *c, struct plugin_set *out);
bool awl_plugins_is_enabled(const struct awl_plugins *c, struct sv id);
/* Whether a plugin means the one of an id by a need. */
bool awl_plugins_need_is(const struct plugin_need *need, struct sv by, struct sv id);
/* Fails if an enabled plugin needs this one. */
must_use bool awl_plugins_check_unneeded(struct awl_plugins *c, struct sv id, struct err *err);
/* Enables what an installed plugin needs. */
must_use bool awl_plugins_enable_needs(struct awl_plugins *c, struct sv id, enum awl_scope scope,
				       struct err *err);

#endif

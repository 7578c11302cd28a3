/* session_settings.h - the settings of a session: read, changed by the host, watched. */
#ifndef AWL_CORE_SESSION_SESSION_SETTINGS_H
#define AWL_CORE_SESSION_SESSION_SETTINGS_H

#include "core/session/session.h"
#include "store/settings/settings.h"

struct project;

/* Where settings come from besides the files every session reads. */
struct session_sources {
	struct op *watch; /* NULL: not yet, or not wanted */
	bool is_watched;
	struct str flag, flag_root; /* what the host made of --settings; usually empty */
	struct str trusted_digest;  /* digest of the project's files at the start; may be empty */
};

/* When the conversation is made shorter, as the settings and variables have it. */
void session_settings_compact(struct session *s);
/* Finds the files that apply to the session. */
/* The settings files of the project, and whether the user trusts them. */
void session_inspect_project(struct session *s, struct project *out);
void session_settings_look(struct session *s, struct project *out);
/* Takes the settings as they are in the files now, if they can be used. */
void session_settings_renew(struct session *s);
/* Settings files have changed, and nobody objects. */
void session_take_settings(struct session *s);
/* Changes a settings file as project_change() does. The session keeps the settings it has read. */
must_use bool session_settings_save(struct session *s, typeof(settings_set) *change,
				    enum settings_source source, struct json_steps steps,
				    struct sv json, struct err *err);
/* Appends the path of a settings file; nothing if that source has none. */
void session_settings_path(struct session *s, enum settings_source source, struct str *out);
/* Writes every key that is set to the debug log, with the place that sets it. */
void session_settings_log(const struct session *s);
/* Reads the settings files and applies them. */
must_use bool session_read_settings(struct session *s, const struct awl_session_options *options,
				    struct err *err);
/* Each member replaces what --settings says (null: removes it). Permissions change at once; when
 * it fails, nothing changes. */
must_use bool session_change_settings(struct session *s, struct json changes, struct err *err);
/* From now on a change of the files takes effect at once. */
void session_watch_settings(struct session *s);
enum model_cache session_setting_cache(const struct session *s);

#endif

#include "store/settings/settings_migrate.h"

#include "base/limits.h"
#include "store/config_lock.h"
#include "store/settings/settings_file.h"
#include "sys/fs.h"

/* Raise this when a step is added. All steps run again then, and do nothing where they are done. */
enum { SETTINGS_VERSION = 1 };

struct migration {
	struct settings_value values[8];
	size_t n;
	struct str effects; /* what the values do, separated by commas */
};

static void settings_migrate_add(struct migration *m, struct json_steps steps, const char *json,
				 const char *what)
{
	BUG_ON(m->n == countof(m->values));
	m->values[m->n++] = (struct settings_value){ steps, sv_cstr(json) };
	str_addf(&m->effects, "%s%s", m->effects.len ? ", " : "", what);
}

/* --- steps ----------------------------------------------------------------------- */

/* Models whose names are gone; the alias stands for the model that replaced them. */
static void settings_migrate_model(struct migration *m, struct json settings)
{
	static const char *const old_opus[] = { "claude-opus-4-20250514", "claude-opus-4-0",
						"claude-opus-4-1-20250805", "claude-opus-4-1" };
	static const struct sv key[] = { SV_INIT("model") };
	struct sv model = json_str_or(json_get(settings, "model"), SV_EMPTY);

	for (size_t i = 0; i < countof(old_opus); i++)
		if (sv_is(model, old_opus[i]))
			settings_migrate_add(m, (struct json_steps){ key, 1 }, "\"opus\"",
					     "model is now opus");
}

/* Keys that ~/.claude.json had before the settings did. */
static void settings_migrate_moved(struct migration *m, struct json settings, struct json global)
{
	static const struct sv prompt[] = { SV_INIT("skipDangerousModePermissionPrompt") };
	static const struct sv remote[] = { SV_INIT("remoteControlAtStartup") };
	static const struct sv updates[] = { SV_INIT("env"), SV_INIT("DISABLE_AUTOUPDATER") };
	struct json bridge = json_get(global, "replBridgeEnabled");

	if (json_bool_or(json_get(global, "bypassPermissionsModeAccepted"), false) &&
	    !json_exists(json_get_sv(settings, prompt[0])))
		settings_migrate_add(m, (struct json_steps){ prompt, 1 }, "true",
				     "skipDangerousModePermissionPrompt is true");
	if (json_is(bridge, JSON_BOOL) && !json_exists(json_get_sv(settings, remote[0])))
		settings_migrate_add(m, (struct json_steps){ remote, 1 },
				     json_bool_or(bridge, false) ? "true" : "false",
				     json_bool_or(bridge, false)
					     ? "remoteControlAtStartup is true"
					     : "remoteControlAtStartup is false");
	if (!json_bool_or(json_get(global, "autoUpdates"), true) &&
	    !json_exists(json_get_sv(json_get_sv(settings, updates[0]), updates[1])))
		settings_migrate_add(m, (struct json_steps){ updates, 2 }, "\"1\"",
				     "env.DISABLE_AUTOUPDATER is 1");
}

/* --- the record -------------------------------------------------------------------- */

static struct json_doc *settings_migrate_read(const char *path, size_t max)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str plain = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!path || !fs_read(&text, path, max, &ignored))
		return NULL;
	settings_plain(&plain, sv_of(&text));
	return json_parse(sv_of(&plain), 0, &ignored);
}

static bool settings_migrate_is_done(const char *record)
{
	defer(json_doc_freep) struct json_doc *doc = settings_migrate_read(record, LIMIT_SETTINGS);

	return json_int_or(json_get(json_root(doc), "version"), 0) >= SETTINGS_VERSION;
}

/* --- all of it ----------------------------------------------------------------------- */

static bool settings_migrate_run(const struct settings_opts *files, struct str *notes)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(json_doc_freep) struct json_doc *settings = NULL;
	defer(json_doc_freep) struct json_doc *global =
		settings_migrate_read(files->global_file, LIMIT_SETTINGS_GLOBAL);
	struct migration m = { .effects = STR_INIT };
	struct err err = ERR_INIT;
	bool ok;

	if (!settings_path(files, SETTINGS_USER, &path, &err))
		return false;
	settings = settings_migrate_read(str_c(&path), LIMIT_SETTINGS);
	settings_migrate_model(&m, json_root(settings));
	settings_migrate_moved(&m, json_root(settings), json_root(global));
	ok = !m.n || settings_set_all(files, SETTINGS_USER, m.values, m.n, &err);
	if (ok && m.n)
		str_addf(notes, "Updated %s once for this version: %s.\n", str_c(&path),
			 str_c(&m.effects));
	str_clear(&m.effects);
	return ok;
}

void settings_migrate(const struct settings_opts *files, struct str *notes)
{
	defer(str_clear) struct str record = STR_INIT;
	defer(str_clear) struct str version = STR_INIT;
	defer(fs_unlockp) struct fs_lock *turn = NULL;
	struct err ignored = ERR_INIT;

	if (!files->config_dir || !fs_exists(files->config_dir))
		return;
	fs_join(&record, sv_cstr(files->config_dir), SV("awl/migrated.json"));
	if (settings_migrate_is_done(str_c(&record)))
		return;
	turn = config_lock_take(files->config_dir, &ignored);
	if (!turn || settings_migrate_is_done(str_c(&record)) ||
	    !settings_migrate_run(files, notes))
		return;
	str_addf(&version, "{\"version\": %d}\n", SETTINGS_VERSION);
	(void)!fs_write(str_c(&record), sv_of(&version), (struct fs_write){ .mode = 0600 },
			&ignored);
}

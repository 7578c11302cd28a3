/* What the user has configured about the screen and the keys. */
#include "base/limits.h"
#include "front/tui/tui_internal.h"
#include "sys/fs.h"
#include "text/json/json.h"

struct json_doc *tui_setting(struct tui *t, const char *key)
{
	const char *json;
	struct err err;

	if (awl_session_config_get(t->client.session, key, &json) != AWL_OK)
		return NULL;
	return json_parse(sv_cstr(json), 0, &err);
}

static bool tui_setting_is(struct tui *t, const char *key, const char *expected)
{
	defer(json_doc_freep) struct json_doc *doc = tui_setting(t, key);

	return sv_is(json_str_or(json_root(doc), SV_EMPTY), expected);
}

/* {"jj": "<Esc>"}: sequences for anything else have no effect. */
static void tui_settings_remap(struct tui *t)
{
	defer(json_doc_freep) struct json_doc *doc = tui_setting(t, "vimInsertModeRemaps");
	struct json_iter it = json_each(json_root(doc));
	struct json value;
	struct sv keys;

	while (json_next(&it, &keys, &value))
		if (sv_eq_nocase(json_str_or(value, SV_EMPTY), SV("<Esc>")))
			vim_remap_escape(t->vim, keys);
}

void tui_use_vim(struct tui *t, bool is_wanted)
{
	vim_free(t->vim);
	t->vim = is_wanted ? vim_new(t->editor) : NULL;
	if (t->vim)
		tui_settings_remap(t);
}

void tui_choose_theme(struct tui *t)
{
	defer(json_doc_freep) struct json_doc *doc = tui_setting(t, "theme");

	t->theme = theme_find(json_str_or(json_root(doc), SV_EMPTY), t->info.background);
}

/* Each entry that does not count is a notice. */
void tui_keys_load(struct tui *t)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT, problems = STR_INIT;
	const char *dir = awl_config_dir(t->opts->awl);
	struct err err = ERR_INIT;
	struct sv rest, line;

	keymap_free(t->keymap);
	t->keymap = keymap_new();
	if (!dir)
		return;
	fs_join(&path, sv_cstr(dir), SV("keybindings.json"));
	if (fs_read(&text, str_c(&path), LIMIT_KEYBINDINGS, &err))
		keymap_load(t->keymap, sv_of(&text), &problems);
	else if (err.kind != ERR_NOT_FOUND)
		str_addf(&problems, "%s\n", err.text);
	for (rest = sv_of(&problems); sv_cut_line(&rest, &line);) {
		defer(str_clear) struct str notice = STR_INIT;

		str_addf(&notice, "%s: %.*s", str_c(&path), SV_ARG(line));
		tui_show_notice(t, t->theme->warning, sv_of(&notice));
	}
}

static bool tui_setting_is_on(struct tui *t, const char *key)
{
	defer(json_doc_freep) struct json_doc *doc = tui_setting(t, key);

	return json_bool_or(json_root(doc), false);
}

/* How to reach a user who looks elsewhere. */
static void tui_settings_notifications(struct tui *t)
{
	defer(json_doc_freep) struct json_doc *doc = tui_setting(t, "preferredNotifChannel");

	str_set(&t->channel, json_str_or(json_root(doc), SV("auto")));
}

void tui_settings_load(struct tui *t)
{
	t->is_still = tui_setting_is_on(t, "prefersReducedMotion");
	t->is_verbose = tui_setting_is_on(t, "verbose");
	tui_settings_notifications(t);
	tui_use_vim(t, tui_setting_is(t, "editorMode", "vim"));
	tui_keys_load(t);
	str_truncate(&t->unfold_key, 0);
	tui_status_line_load(t);
	keymap_describe(t->keymap, &t->unfold_key, ACTION_TRANSCRIPT);
}

/* What the user has configured about the screen and the keys. */
#include "front/tui/tui_settings.h"

#include "base/limits.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_status_line.h"
#include "front/tui/conversation/tui_tips.h"
#include "front/tui/tui_bindings.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "sys/fs.h"
#include "text/json/json.h"

struct json_doc *tui_setting(struct tui *t, const char *key)
{
	const char *json;
	struct err err;

	if (!client_config(&t->client, key, &json))
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

/* A theme of the user's own, from the folder of the settings. */
static bool tui_read_theme(struct tui *t, struct sv slug)
{
	defer(str_clear) struct str path = STR_INIT, name = STR_INIT, text = STR_INIT;
	const char *dir = awl_config_dir(t->opts->awl);
	struct err err = ERR_INIT;

	if (!dir || !theme_is_slug(slug))
		return false;
	str_addf(&name, "themes/%.*s.json", SV_ARG(slug));
	fs_join(&path, sv_cstr(dir), sv_of(&name));
	if (!fs_read(&text, str_c(&path), LIMIT_KEYBINDINGS, &err)) {
		str_addf(&t->settings.theme_problems, "%s\n", err.text);
		return false;
	}
	theme_read(&t->settings.theme, sv_of(&text), t->info.background,
		   &t->settings.theme_problems);
	return true;
}

/* With sixteen colours the user's own are the right ones on any background. */
static enum tty_background tui_background(const struct tui *t)
{
	return t->info.caps.depth == DEPTH_16 ? TTY_BACKGROUND_UNKNOWN : t->info.background;
}

bool tui_use_theme(struct tui *t, struct sv name)
{
	str_truncate(&t->settings.theme_problems, 0);
	if (sv_starts(name, THEME_CUSTOM)) {
		if (!tui_read_theme(t, sv_skip(name, THEME_CUSTOM.len)))
			return false;
		t->theme = &t->settings.theme;
		return true;
	}
	t->theme = theme_find(name, tui_background(t));
	return theme_exists(name);
}

void tui_choose_theme(struct tui *t)
{
	defer(json_doc_freep) struct json_doc *doc = tui_setting(t, "theme");
	struct sv name = json_str_or(json_root(doc), SV_EMPTY);

	if (!tui_use_theme(t, name))
		t->theme = theme_find(SV_EMPTY, tui_background(t));
}

void tui_settings_complain(struct tui *t, struct sv where, struct sv problems)
{
	struct sv line;

	while (sv_cut_line(&problems, &line)) {
		defer(str_clear) struct str notice = STR_INIT;

		str_addf(&notice, "%.*s: %.*s", SV_ARG(where), SV_ARG(line));
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

	str_set(&t->settings.channel, json_str_or(json_root(doc), SV("auto")));
}

static void tui_settings_look(struct tui *t)
{
	t->settings.is_still = tui_setting_is_on(t, "prefersReducedMotion");
	t->settings.is_verbose = tui_setting_is_on(t, "verbose");
	tui_settings_notifications(t);
	tui_tips_load(t);
}

/* A changed setting counts; a wish of this session (/vim) lasts until then. */
static void tui_settings_follow_vim(struct tui *t)
{
	bool is_wanted = tui_setting_is(t, "editorMode", "vim");

	if (is_wanted != t->settings.wants_vim && is_wanted != (t->vim != NULL))
		tui_use_vim(t, is_wanted);
	t->settings.wants_vim = is_wanted;
}

void tui_settings_follow(struct tui *t)
{
	tui_settings_look(t);
	tui_settings_follow_vim(t);
	tui_choose_theme(t);
	tui_status_line_reload(t);
	tui_redraw(t);
}

void tui_settings_load(struct tui *t)
{
	tui_settings_look(t);
	tui_settings_follow_vim(t);
	tui_bindings_load(t);
	tui_settings_complain(t, SV("theme"), sv_of(&t->settings.theme_problems));
	tui_status_line_load(t);
}

void tui_settings_clear(struct tui *t)
{
	str_clear(&t->settings.theme_problems);
	str_clear(&t->settings.channel);
	str_clear(&t->settings.unfold_key);
	vim_free(t->vim);
}

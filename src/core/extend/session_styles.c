/* Output styles: which there are (extend/style_list.h), and the one that the system prompt contains. The setting
 * "outputStyle" names it; /output-style and a change of the setting apply to the next request. The files are
 * read only when a style is asked for, so a session with the default reads none. */
#include "core/extend/session_styles.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "core/commands/commands.h"
#include "core/policy/project.h"
#include "core/session/session_host.h"
#include "core/session/session_open.h"
#include "core/session/session_settings.h"
#include "store/settings/settings_file.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

/* --- which there are ---------------------------------------------------------------------------- */

static void session_styles_add_managed(struct style_list *list)
{
	const struct settings_opts usual = { .policy_dir = NULL };
	defer(str_clear) struct str dir = STR_INIT;

	fs_join(&dir, sv_cstr(settings_policy_dir(&usual)), SV(".claude"));
	style_list_add_dir(list, dir.ptr, STYLE_MANAGED, SV_EMPTY);
}

static void session_styles_found(void *arg, const char *dir, struct sv inside)
{
	style_list_add_dir(arg, dir, STYLE_PROJECT, inside);
}

static void session_styles_load(struct session *s)
{
	struct style_list *list = &s->styles.list;

	style_list_clear(list);
	style_list_add_builtins(list);
	if (s->commands.is_off)
		return;
	session_styles_add_managed(list);
	plugin_set_add_styles(&s->plugins.set, list);
	if (settings_is_chosen(s->settings, SETTINGS_PROJECT))
		project_config_dirs(sv_cstr(s->shared.project), s->engine->config_dir,
				    session_styles_found, list);
	if (s->engine->config_dir && settings_is_chosen(s->settings, SETTINGS_USER))
		style_list_add_dir(list, s->engine->config_dir, STYLE_USER, SV_EMPTY);
}

const struct style_list *session_styles_read(struct session *s)
{
	session_styles_load(s);
	return &s->styles.list;
}

struct reply_styles session_styles_reply(struct session *s, struct arena *arena)
{
	const struct style_list *list = &s->styles.list;
	struct sv *names;

	session_styles_load(s);
	names = arena_calloc(arena, list->styles.n, sizeof(*names));
	for (size_t i = 0; i < list->styles.n; i++)
		names[i] = arena_dup(arena, list->styles.at[i].name);
	return (struct reply_styles){ .at = names, .n = list->styles.n };
}

void session_styles_clear(struct session_styles *styles)
{
	style_list_clear(&styles->list);
	str_clear(&styles->chosen);
	str_clear(&styles->name);
}

/* --- the one in use ----------------------------------------------------------------------------- */

struct sv session_style_name(const struct session *s)
{
	return s->styles.name.len ? sv_of(&s->styles.name) : SV("default");
}

static void session_styles_list(const struct session *s, struct str *out)
{
	for (size_t i = 0; i < s->styles.list.styles.n; i++)
		str_addf(out, "%s%.*s", i ? ", " : "", SV_ARG(s->styles.list.styles.at[i].name));
}

static void session_styles_note_unknown(struct session *s, struct sv name)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "The setting outputStyle names \"%.*s\", which is not an output style: ",
		 SV_ARG(utf8_prefix(name, LIMIT_COMMAND_NAME)));
	session_styles_list(s, &text);
	str_adds(&text, ".");
	session_add_notice(s, sv_of(&text));
}

/* A plugin may bring a style that is used while the plugin is enabled. */
static const struct style *session_styles_forced(struct session *s)
{
	const struct plugin_set *set = &s->plugins.set;
	bool has_styles = false;

	for (size_t i = 0; i < set->all.n; i++)
		has_styles = has_styles || set->all.at[i].styles.n;
	if (s->styles.chosen.len || !has_styles)
		return NULL;
	session_styles_load(s);
	return style_list_forced(&s->styles.list);
}

const struct style *session_style(struct session *s)
{
	struct sv name = s->styles.chosen.len ? sv_of(&s->styles.chosen)
					      : sv_cstr(settings_str(s->settings, "outputStyle"));
	const struct style *style = session_styles_forced(s);

	str_clear(&s->styles.name);
	if (style) {
		str_set(&s->styles.name, style->name);
		return style;
	}
	if (!name.len || sv_eq_nocase(name, SV("default")))
		return NULL;
	session_styles_load(s);
	style = style_list_find(&s->styles.list, name);
	if (style)
		str_set(&s->styles.name, style->name);
	else
		session_styles_note_unknown(s, name);
	return style;
}

void session_styles_follow(struct session *s)
{
	str_clear(&s->styles.chosen);
	session_write_prompt(s, NULL, NULL);
}

/* --- /output-style ------------------------------------------------------------------------------ */

static void session_styles_describe(const struct session *s, struct str *out)
{
	const struct style_list *list = &s->styles.list;

	str_adds(out, "Output styles:");
	for (size_t i = 0; i < list->styles.n; i++) {
		const struct style *style = &list->styles.at[i];

		str_addf(out, "\n%s %.*s (%s)%s%.*s",
			 sv_eq(style->name, session_style_name(s)) ? "*" : " ", SV_ARG(style->name),
			 style_source_name(style->source), style->description.len ? ": " : "",
			 SV_ARG(style->description));
	}
	if (list->notes.len)
		str_addf(out, "\n\nProblems:\n%.*s", SV_ARG(sv_trim(sv_of(&list->notes))));
	str_adds(out,
		 "\n\n/output-style NAME chooses one. A file output-styles/NAME.md in ~/.claude "
		 "or in .claude of the project defines one.");
}

bool session_styles_save(struct session *s, struct sv name, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_COMPACT);
	jw_str(&w, name);
	jw_done(&w);
	return session_settings_save(s, settings_set, SETTINGS_LOCAL, JSON_STEPS(SV("outputStyle")),
				     sv_of(&json), err);
}

/* A prompt that may have been put together from anything changes no file (commands_config.c). */
static void session_styles_keep(struct session *s, struct sv name, struct str *out)
{
	struct err err = ERR_INIT;

	if (!session_is_at_terminal(s) || s->engine->is_offline)
		return;
	if (session_styles_save(s, name, &err))
		str_adds(out, " It is stored in .claude/settings.local.json.");
	else
		str_addf(out, " New sessions do not use it: %s.", err.text);
}

const struct style *session_styles_find(struct session *s, struct sv name, struct str *why)
{
	const struct style *style;

	session_styles_load(s);
	style = style_list_find(&s->styles.list, name);
	if (style)
		return style;
	str_addf(why, "there is no output style \"%.*s\"; there are: ",
		 SV_ARG(utf8_prefix(name, LIMIT_COMMAND_NAME)));
	session_styles_list(s, why);
	return NULL;
}

bool commands_output_style(struct session *s, struct sv rest, struct str *out)
{
	const struct style *style;

	if (!rest.len) {
		session_styles_load(s);
		session_styles_describe(s, out);
		return true;
	}
	style = session_styles_find(s, rest, out);
	if (!style)
		return false;
	str_set(&s->styles.chosen, style->name);
	session_write_prompt(s, NULL, NULL);
	str_addf(out, "Output style: %.*s.", SV_ARG(session_style_name(s)));
	if (s->system.custom)
		str_adds(out,
			 " It has no effect here: the session has a system prompt of its own.");
	session_styles_keep(s, session_style_name(s), out);
	return true;
}

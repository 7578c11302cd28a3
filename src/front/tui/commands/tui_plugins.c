/* /plugin: the plugins as a list, and what can be done with the one that is chosen. Each action is a command that
 * can be typed as well: "/plugin disable NAME". */
#include <awl_plugins.h>

#include "front/tui/commands/tui_list.h"
#include "front/tui/commands/tui_plugins.h"

#include "front/tui/conversation/tui_news.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/tui_internal.h"

struct tui_plugins {
	struct str chosen; /* a plugin or a marketplace */
	struct str asking; /* "install NAME": waits for the user's consent; may be empty */
};

/* What an item of a list stands for. */
enum plugin_kind { PLUGIN_NEW = 1, PLUGIN_ON = 2, PLUGIN_OFF = 4, PLUGIN_MARKET = 8 };

static const struct {
	enum plugin_kind kinds;
	const char *verb, *name, *detail;
} plugin_actions[] = {
	{ PLUGIN_NEW, "install", "Install", "shows what it would run, and asks" },
	{ PLUGIN_NEW | PLUGIN_ON | PLUGIN_OFF, "details", "Show what it contains and runs", "" },
	{ PLUGIN_ON, "disable", "Disable", "keep it, but do not load it" },
	{ PLUGIN_OFF, "enable", "Enable", "" },
	{ PLUGIN_ON | PLUGIN_OFF, "update", "Update", "shows what it would run, and asks" },
	{ PLUGIN_ON | PLUGIN_OFF, "uninstall", "Uninstall", "with the files that it keeps" },
	{ PLUGIN_MARKET, "marketplace update", "Update", "look for new plugins" },
	{ PLUGIN_MARKET, "marketplace remove", "Remove", "and uninstall its plugins" },
};

#define PLUGINS_ADD    "add"
#define PLUGINS_OTHERS "marketplaces"

static struct awl_project *tui_plugins_project(struct tui *t)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;
	struct awl_project *project = NULL;

	options.cwd = str_c(&t->cwd);
	options.config_dir = awl_config_dir(t->opts->awl);
	if (awl_project_open(&project, &options) != AWL_OK)
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
	return project;
}

/* --- asking ---------------------------------------------------------------------------------- */

static void tui_plugins_agree(struct tui *t, bool is_chosen, struct sv flags)
{
	defer(str_clear) struct str command = STR_INIT;

	if (is_chosen && flags.len) {
		str_addf(&command, "/plugin %s --yes%.*s", str_c(&t->plugins->asking),
			 SV_ARG(flags));
		str_truncate(&t->plugins->asking, 0);
		tui_submit(t, sv_of(&command));
	}
	str_truncate(&t->plugins->asking, 0);
}

void tui_plugins_on_result(struct tui *t, bool failed)
{
	if (!t->plugins->asking.len || tui_list_is_open(t))
		return;
	if (failed) {
		str_truncate(&t->plugins->asking, 0);
		return;
	}
	tui_list_open(t, "Do you trust it?", tui_plugins_agree);
	if (sv_starts(sv_of(&t->plugins->asking), SV("update"))) {
		tui_list_add(t, SV(" "), SV("Yes, update it"), SV_EMPTY);
	} else {
		tui_list_add(t, SV(" --scope user"), SV("Yes, install it everywhere"),
			     SV("for you"));
		tui_list_add(t, SV(" --scope local"), SV("Yes, install it in this project"),
			     SV("for you"));
		tui_list_add(t, SV(" --scope project"), SV("Yes, install it in this project"),
			     SV("for all who work there"));
	}
	tui_list_add(t, SV_EMPTY, SV("No"), SV_EMPTY);
}

/* --- one plugin or marketplace --------------------------------------------------------------- */

static void tui_plugins_act(struct tui *t, bool is_chosen, struct sv verb)
{
	defer(str_clear) struct str command = STR_INIT;

	if (!is_chosen)
		return;
	str_addf(&command, "/plugin %.*s %s", SV_ARG(verb), str_c(&t->plugins->chosen));
	if (sv_is(verb, "install") || sv_is(verb, "update")) {
		str_truncate(&t->plugins->asking, 0);
		str_addf(&t->plugins->asking, "%.*s %s", SV_ARG(verb), str_c(&t->plugins->chosen));
		str_adds(&command, " --dry-run");
	}
	tui_submit(t, sv_of(&command));
}

static void tui_plugins_choose_action(struct tui *t, enum plugin_kind kind, struct sv name)
{
	str_set(&t->plugins->chosen, name);
	tui_list_open(t, str_c(&t->plugins->chosen), tui_plugins_act);
	for (size_t i = 0; i < countof(plugin_actions); i++)
		if (plugin_actions[i].kinds & kind)
			tui_list_add(t, sv_cstr(plugin_actions[i].verb),
				     sv_cstr(plugin_actions[i].name),
				     sv_cstr(plugin_actions[i].detail));
}

/* --- marketplaces ---------------------------------------------------------------------------- */

static void tui_plugins_choose_market(struct tui *t, bool is_chosen, struct sv name)
{
	if (is_chosen && sv_is(name, "+" PLUGINS_ADD))
		editor_set(t->editor, SV("/plugin marketplace add "));
	else if (is_chosen)
		tui_plugins_choose_action(t, PLUGIN_MARKET, name);
}

static void tui_plugins_open_markets(struct tui *t)
{
	struct awl_project *project = tui_plugins_project(t);
	const struct awl_marketplace *markets;
	size_t n = 0;

	if (!project)
		return;
	if (awl_marketplaces(project, &markets, &n) != AWL_OK)
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
	tui_list_open(t, "Marketplaces", tui_plugins_choose_market);
	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str detail = STR_INIT;

		str_addf(&detail, "%zu plugin%s · %s", markets[i].plugins,
			 markets[i].plugins == 1 ? "" : "s",
			 markets[i].problem ? markets[i].problem : markets[i].source);
		tui_list_add(t, sv_cstr(markets[i].name), sv_cstr(markets[i].name), sv_of(&detail));
	}
	tui_list_add(t, SV("+" PLUGINS_ADD), SV("Add a marketplace"),
		     SV("owner/repo, an address or a path"));
	awl_project_close(project);
}

/* --- all plugins ----------------------------------------------------------------------------- */

static void tui_plugins_choose(struct tui *t, bool is_chosen, struct sv value)
{
	struct sv kind;

	if (!is_chosen)
		return;
	if (sv_is(value, PLUGINS_OTHERS)) {
		tui_plugins_open_markets(t);
		return;
	}
	(void)sv_cut(&value, ' ', &kind);
	tui_plugins_choose_action(t,
				  sv_is(kind, "on")    ? PLUGIN_ON
				  : sv_is(kind, "off") ? PLUGIN_OFF
						       : PLUGIN_NEW,
				  value);
}

static void tui_plugins_add(struct tui *t, const struct awl_plugin *plugin)
{
	const char *state = !plugin->path        ? "available"
			    : plugin->is_enabled ? "enabled"
						 : "disabled";
	defer(str_clear) struct str value = STR_INIT, detail = STR_INIT;

	str_addf(&value, "%s %s",
		 !plugin->path        ? "new"
		 : plugin->is_enabled ? "on"
				      : "off",
		 plugin->id);
	str_adds(&detail, state);
	if (*plugin->version)
		str_addf(&detail, " · %s", plugin->version);
	if (plugin->scope)
		str_addf(&detail, " · %s", plugin->scope);
	if (plugin->problem || *plugin->description)
		str_addf(&detail, " · %s", plugin->problem ? plugin->problem : plugin->description);
	tui_list_add(t, sv_of(&value), sv_cstr(plugin->id), sv_of(&detail));
}

void tui_plugins_open(struct tui *t)
{
	struct awl_project *project = tui_plugins_project(t);
	const struct awl_plugin *plugins;
	size_t n = 0;

	if (!project)
		return;
	if (awl_plugins(project, true, &plugins, &n) != AWL_OK)
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
	tui_list_open(t, "Plugins", tui_plugins_choose);
	for (size_t i = 0; i < n; i++)
		tui_plugins_add(t, &plugins[i]);
	tui_list_add(t, SV(PLUGINS_OTHERS), SV("Marketplaces"), SV("lists of plugins"));
	awl_project_close(project);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_plugins_init(struct tui *t)
{
	t->plugins = xnew(struct tui_plugins);
}

void tui_plugins_free(struct tui *t)
{
	str_clear(&t->plugins->chosen);
	str_clear(&t->plugins->asking);
	free(t->plugins);
}

/* awl plugin: installs, changes and lists plugins and marketplaces. */
#include <awl_plugins.h>

#include <unistd.h>

#include "cli/output.h"
#include "cli/plugin_options.h"
#include "front/display.h"
#include "text/json/json_write.h"

/* One run. */
struct plugin_cli {
	const struct args *args;
	struct awl_project *project;
	const char *const *words; /* after the action */
	size_t nwords;
};

/* --- shared ---------------------------------------------------------------------------------- */

/* Print a text in which a plugin or a marketplace had a say. */
static enum exit_code plugin_print(const struct str *page)
{
	defer(str_clear) struct str shown = STR_INIT;

	display_text(&shown, sv_of(page));
	return output(sv_of(&shown));
}

static enum exit_code plugin_printf(const char *fmt, ...) printf_like(1, 2);
static enum exit_code plugin_printf(const char *fmt, ...)
{
	defer(str_clear) struct str page = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&page, fmt, args);
	va_end(args);
	str_addc(&page, '\n');
	return plugin_print(&page);
}

static void plugin_print_notes(const struct plugin_cli *p)
{
	struct sv rest = sv_cstr(awl_project_notes(p->project)), line;

	while (sv_cut_line(&rest, &line))
		complain("%.*s", SV_ARG(line));
}

static enum exit_code plugin_fail(const struct plugin_cli *p)
{
	plugin_print_notes(p);
	return failure("%s", awl_last_error());
}

static bool plugin_read_scope(const struct plugin_cli *p, enum awl_scope fallback,
			      enum awl_scope *out)
{
	static const struct {
		char name[8];
		enum awl_scope scope;
	} scopes[] = { { "user", AWL_SCOPE_USER },
		       { "project", AWL_SCOPE_PROJECT },
		       { "local", AWL_SCOPE_LOCAL } };
	const char *name = args_value(p->args, "scope");

	*out = fallback;
	for (size_t i = 0; name && i < countof(scopes); i++)
		if (sv_is(sv_cstr(name), scopes[i].name)) {
			*out = scopes[i].scope;
			return true;
		}
	if (name)
		usage_error("--scope must be 'user', 'project' or 'local', not '%s'", name);
	return !name;
}

/* Show what would be installed, and ask. Where nobody can answer, only --yes installs anything. */
static bool plugin_confirm(void *arg, const char *text)
{
	const struct plugin_cli *p = arg;
	defer(str_clear) struct str page = STR_INIT;
	char answer[16] = "";

	str_adds(&page, text);
	(void)plugin_print(&page);
	if (args_has(p->args, "dry-run"))
		return false;
	if (args_has(p->args, "yes"))
		return true;
	if (!isatty(STDIN_FILENO)) {
		complain("awl cannot ask here; add --yes to agree");
		return false;
	}
	(void)output(SV("Do you trust it? [y/N] "));
	if (read(STDIN_FILENO, answer, sizeof(answer) - 1) <= 0)
		return false;
	return *answer == 'y' || *answer == 'Y';
}

/* Whether a failure is what --dry-run asked for. */
static bool plugin_was_dry_run(const struct plugin_cli *p, enum awl_result result)
{
	return result == AWL_ERR_CANCELLED && args_has(p->args, "dry-run");
}

static bool plugin_needs_name(const struct plugin_cli *p, const char *action)
{
	if (p->nwords == 1)
		return true;
	usage_error("name a plugin: awl plugin %s <name>", action);
	return false;
}

/* --- plugins --------------------------------------------------------------------------------- */

/* --marketplace adds it first. */
static bool plugin_add_given_marketplace(const struct plugin_cli *p)
{
	const char *source = args_value(p->args, "marketplace"), *name;

	if (!source || awl_marketplace_add(p->project, source, &name) == AWL_OK)
		return true;
	plugin_fail(p);
	return false;
}

/* A plugin that is enabled may have to be configured. `name` dies with the next call for the project. */
static enum exit_code plugin_complete_options(const struct plugin_cli *p, const char *name)
{
	defer(str_clear) struct str copy = STR_INIT;

	str_adds(&copy, name);
	return plugin_options_complete(p->project, p->args, str_c(&copy)) ? EXIT_OK : EXIT_FAILED;
}

static enum exit_code plugin_install(const struct plugin_cli *p)
{
	enum awl_result result;
	enum awl_scope scope;
	const char *id;

	if (!plugin_needs_name(p, "install") || !plugin_read_scope(p, AWL_SCOPE_USER, &scope) ||
	    !plugin_add_given_marketplace(p))
		return EXIT_FAILED;
	result = awl_plugin_install(p->project, p->words[0], scope, plugin_confirm, (void *)p, &id);
	if (plugin_was_dry_run(p, result))
		return EXIT_OK;
	if (result != AWL_OK)
		return plugin_fail(p);
	plugin_print_notes(p);
	(void)plugin_printf("Installed %s. New sessions load it.", id);
	return plugin_complete_options(p, id);
}

static enum exit_code plugin_prune(const struct plugin_cli *p)
{
	bool removes_data = args_has(p->args, "data"), is_done;
	const char *names;

	if (awl_plugins_prune(p->project, &names) != AWL_OK)
		return plugin_fail(p);
	is_done = *names;
	if (is_done)
		(void)plugin_printf("Uninstalled %s, which no plugin needs any more.", names);
	if (awl_plugins_leftovers(p->project, removes_data, &names) != AWL_OK)
		return plugin_fail(p);
	if (*names)
		return plugin_printf(removes_data
					     ? "Removed the data of plugins that are not "
					       "installed: %s."
					     : "Plugins that are not installed have left data: "
					       "%s. 'awl plugin prune --data' removes it.",
				     names);
	return is_done ? EXIT_OK : plugin_printf("There is nothing to prune.");
}

static enum exit_code plugin_uninstall(const struct plugin_cli *p)
{
	enum awl_scope scope;

	if (!plugin_needs_name(p, "uninstall") || !plugin_read_scope(p, AWL_SCOPE_DEFAULT, &scope))
		return EXIT_FAILED;
	if (awl_plugin_uninstall(p->project, p->words[0], scope, args_has(p->args, "keep-data")) !=
	    AWL_OK)
		return plugin_fail(p);
	(void)plugin_printf("Uninstalled %s.", p->words[0]);
	return args_has(p->args, "prune") ? plugin_prune(p) : EXIT_OK;
}

static enum exit_code plugin_set(const struct plugin_cli *p, const char *name, bool is_enabled)
{
	enum awl_scope scope;

	if (!plugin_read_scope(p, AWL_SCOPE_DEFAULT, &scope))
		return EXIT_FAILED;
	if (awl_plugin_enable(p->project, name, scope, is_enabled) != AWL_OK)
		return plugin_fail(p);
	return plugin_printf("%s %s.", is_enabled ? "Enabled" : "Disabled", name);
}

static enum exit_code plugin_enable(const struct plugin_cli *p)
{
	if (!plugin_needs_name(p, "enable") || plugin_set(p, p->words[0], true) != EXIT_OK)
		return EXIT_FAILED;
	return plugin_complete_options(p, p->words[0]);
}

static enum exit_code plugin_configure(const struct plugin_cli *p)
{
	return plugin_needs_name(p, "configure")
		       ? plugin_options_configure(p->project, p->args, p->words[0])
		       : EXIT_FAILED;
}

typedef VEC(char *) plugin_names;

static bool plugin_get_enabled(const struct plugin_cli *p, plugin_names *names)
{
	const struct awl_plugin *plugins;
	size_t n;

	if (awl_plugins(p->project, false, &plugins, &n) != AWL_OK)
		return false;
	for (size_t i = 0; i < n; i++)
		if (plugins[i].is_enabled)
			vec_push(names, xstrdup(plugins[i].id));
	return true;
}

/* Those that another one needs have to wait for it. */
static enum exit_code plugin_disable_all(const struct plugin_cli *p)
{
	plugin_names names = VEC_INIT;
	enum exit_code code = EXIT_OK;
	size_t before = SIZE_MAX;

	if (!plugin_get_enabled(p, &names))
		return plugin_fail(p);
	while (names.n && names.n < before) {
		before = names.n;
		for (size_t i = names.n; i-- > 0;) {
			if (awl_plugin_enable(p->project, names.at[i], AWL_SCOPE_DEFAULT, false) !=
			    AWL_OK)
				continue;
			(void)plugin_printf("Disabled %s.", names.at[i]);
			free(names.at[i]);
			vec_remove(&names, i);
		}
	}
	for (size_t i = 0; i < names.n; i++) {
		code = plugin_set(p, names.at[i], false);
		free(names.at[i]);
	}
	vec_clear(&names);
	return code;
}

static enum exit_code plugin_disable(const struct plugin_cli *p)
{
	if (args_has(p->args, "all"))
		return plugin_disable_all(p);
	return plugin_needs_name(p, "disable") ? plugin_set(p, p->words[0], false) : EXIT_FAILED;
}

static enum exit_code plugin_update(const struct plugin_cli *p)
{
	enum awl_result result;
	const char *text;

	if (!plugin_needs_name(p, "update"))
		return EXIT_FAILED;
	result = awl_plugin_update(p->project, p->words[0], plugin_confirm, (void *)p, &text);
	if (plugin_was_dry_run(p, result))
		return EXIT_OK;
	if (result != AWL_OK)
		return plugin_fail(p);
	(void)plugin_printf("%s.", text);
	/* Nothing would be done. */
	return args_has(p->args, "dry-run") ? EXIT_FAILED : EXIT_OK;
}

static void plugin_write_json(struct str *out, const struct awl_plugin *plugins, size_t n)
{
	struct jw w;

	jw_init(&w, out, JW_PRETTY);
	jw_array(&w);
	for (size_t i = 0; i < n; i++) {
		const struct awl_plugin *plugin = &plugins[i];

		jw_object(&w);
		jw_put_str(&w, "id", sv_cstr(plugin->id));
		jw_put_str(&w, "version", sv_cstr(plugin->version));
		if (plugin->scope)
			jw_put_str(&w, "scope", sv_cstr(plugin->scope));
		jw_put_bool(&w, "enabled", plugin->is_enabled);
		if (plugin->path)
			jw_put_str(&w, "installPath", sv_cstr(plugin->path));
		if (*plugin->description)
			jw_put_str(&w, "description", sv_cstr(plugin->description));
		if (plugin->problem)
			jw_put_str(&w, "error", sv_cstr(plugin->problem));
		jw_end(&w);
	}
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

/* NULL: none. */
static void plugin_add_problem(struct str *out, const char *problem)
{
	struct sv rest = sv_cstr(problem), line;

	while (sv_cut_line(&rest, &line))
		str_addf(out, "  ! %.*s\n", SV_ARG(line));
}

static void plugin_write_list(struct str *out, const struct awl_plugin *plugins, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct awl_plugin *plugin = &plugins[i];

		str_addf(out, "%s%s%s", plugin->id, *plugin->version ? " " : "", plugin->version);
		if (plugin->path)
			str_addf(out, " (%s, %s)", plugin->scope,
				 plugin->is_enabled ? "enabled" : "disabled");
		if (*plugin->description)
			str_addf(out, ": %s", plugin->description);
		str_addc(out, '\n');
		plugin_add_problem(out, plugin->problem);
	}
	if (!n)
		str_adds(out, "No plugins. 'awl plugin marketplace add' and 'awl plugin install' "
			      "add some.\n");
}

static enum exit_code plugin_list(const struct plugin_cli *p)
{
	const struct awl_plugin *plugins;
	defer(str_clear) struct str page = STR_INIT;
	size_t n;

	if (awl_plugins(p->project, args_has(p->args, "available"), &plugins, &n) != AWL_OK)
		return plugin_fail(p);
	plugin_print_notes(p);
	if (args_has(p->args, "json"))
		plugin_write_json(&page, plugins, n);
	else
		plugin_write_list(&page, plugins, n);
	return plugin_print(&page);
}

static enum exit_code plugin_details(const struct plugin_cli *p)
{
	const char *text;
	defer(str_clear) struct str page = STR_INIT;

	if (!plugin_needs_name(p, "details"))
		return EXIT_FAILED;
	if (awl_plugin_details(p->project, p->words[0], &text) != AWL_OK)
		return plugin_fail(p);
	str_adds(&page, text);
	return plugin_print(&page);
}

static enum exit_code plugin_validate(const struct plugin_cli *p)
{
	const char *text, *path = p->nwords ? p->words[0] : ".";
	defer(str_clear) struct str page = STR_INIT;

	if (awl_plugin_validate(p->project, path, &text) != AWL_OK)
		return plugin_fail(p);
	str_addf(&page, "%s%s\n", text, *text ? "There are mistakes." : "No mistakes.");
	(void)plugin_print(&page);
	return *text ? EXIT_FAILED : EXIT_OK;
}

/* --- marketplaces ---------------------------------------------------------------------------- */

static enum exit_code plugin_market_add(const struct plugin_cli *p)
{
	const char *name;

	if (p->nwords != 1)
		return usage_error("name a marketplace: awl plugin marketplace add <owner/repo, "
				   "address or path>");
	if (awl_marketplace_add(p->project, p->words[0], &name) != AWL_OK)
		return plugin_fail(p);
	plugin_print_notes(p);
	return plugin_printf("Added the marketplace %s. 'awl plugin list --available' lists its "
			     "plugins.",
			     name);
}

static enum exit_code plugin_market_list(const struct plugin_cli *p)
{
	const struct awl_marketplace *markets;
	defer(str_clear) struct str page = STR_INIT;
	size_t n;

	if (awl_marketplaces(p->project, &markets, &n) != AWL_OK)
		return plugin_fail(p);
	for (size_t i = 0; i < n; i++) {
		str_addf(&page, "%s: %s (%zu plugin%s)\n", markets[i].name, markets[i].source,
			 markets[i].plugins, markets[i].plugins == 1 ? "" : "s");
		plugin_add_problem(&page, markets[i].problem);
	}
	if (!n)
		str_adds(&page, "No marketplaces. 'awl plugin marketplace add' adds one.\n");
	return plugin_print(&page);
}

static enum exit_code plugin_market_remove(const struct plugin_cli *p)
{
	if (p->nwords != 1)
		return usage_error("name a marketplace: awl plugin marketplace remove <name>");
	if (awl_marketplace_remove(p->project, p->words[0]) != AWL_OK)
		return plugin_fail(p);
	return plugin_printf("Removed the marketplace %s and its plugins.", p->words[0]);
}

static enum exit_code plugin_market_update(const struct plugin_cli *p)
{
	if (awl_marketplace_update(p->project, p->nwords ? p->words[0] : NULL) != AWL_OK)
		return plugin_fail(p);
	return plugin_printf("Updated %s.", p->nwords ? p->words[0] : "all marketplaces");
}

/* --- all of it ------------------------------------------------------------------------------- */

typedef enum exit_code plugin_run_fn(const struct plugin_cli *p);

struct plugin_word {
	char name[16];
	plugin_run_fn *run;
};

static const struct plugin_word plugin_words[] = {
	{ "install", plugin_install },     { "i", plugin_install },
	{ "uninstall", plugin_uninstall }, { "remove", plugin_uninstall },
	{ "rm", plugin_uninstall },        { "enable", plugin_enable },
	{ "disable", plugin_disable },     { "update", plugin_update },
	{ "list", plugin_list },           { "ls", plugin_list },
	{ "configure", plugin_configure }, { "details", plugin_details },
	{ "validate", plugin_validate },   { "prune", plugin_prune },
	{ "autoremove", plugin_prune },
};

static const struct plugin_word plugin_market_words[] = {
	{ "add", plugin_market_add },   { "list", plugin_market_list },
	{ "ls", plugin_market_list },   { "remove", plugin_market_remove },
	{ "rm", plugin_market_remove }, { "update", plugin_market_update },
};

const struct action plugin_actions[] = {
	{ .name = "install", .words = "<plugin>", .summary = "Install a plugin (or: i)" },
	{ .name = "uninstall",
	  .words = "<plugin>",
	  .summary = "Remove a plugin and its files (or: remove, rm)" },
	{ .name = "enable", .words = "<plugin>", .summary = "Let new sessions load a plugin" },
	{ .name = "disable",
	  .words = "<plugin>",
	  .summary = "Keep a plugin, but stop sessions from loading it" },
	{ .name = "update", .words = "<plugin>", .summary = "Fetch a plugin again" },
	{ .name = "prune",
	  .summary = "Remove plugins that awl installed only for other plugins, and list data of "
		     "uninstalled ones (or: autoremove)" },
	{ .name = "list", .summary = "List the plugins; the default" },
	{ .name = "configure",
	  .words = "<plugin>",
	  .summary = "Set the options of a plugin, or list them" },
	{ .name = "details",
	  .words = "<plugin>",
	  .summary = "Show the contents of a plugin, and what it runs" },
	{ .name = "validate",
	  .words = "[path]",
	  .summary = "Check the plugin or marketplace in a directory" },
	{ .name = "marketplace",
	  .words = "add <source> | list | remove <name> | update [name]",
	  .summary = "Manage the lists of plugins: a GitHub repository, an address, a directory" },
	{ .name = "" },
};

/* Find the action. NULL: there is none, and that was printed. */
static plugin_run_fn *plugin_find_action(struct plugin_cli *p)
{
	bool is_market = p->nwords && sv_is(sv_cstr(p->words[0]), "marketplace");
	const struct plugin_word *words = is_market ? plugin_market_words : plugin_words;
	size_t n = is_market ? countof(plugin_market_words) : countof(plugin_words);
	const char *name = "list";

	if (is_market) {
		p->words++;
		p->nwords--;
	}
	if (p->nwords) {
		name = p->words[0];
		p->words++;
		p->nwords--;
	}
	for (size_t i = 0; i < n; i++)
		if (sv_is(sv_cstr(name), words[i].name))
			return words[i].run;
	usage_error("'awl plugin %s' does not exist; see 'awl help plugin'", name);
	return NULL;
}

enum exit_code plugin_run(const struct args *args)
{
	struct plugin_cli p = { .args = args, .words = args->words.at, .nwords = args->words.n };
	plugin_run_fn *run = plugin_find_action(&p);
	enum exit_code code;

	if (!run)
		return EXIT_FAILED;
	if (awl_project_open(&p.project, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	code = run(&p);
	awl_project_close(p.project);
	return code;
}

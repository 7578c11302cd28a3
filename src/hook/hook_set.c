#include "hook/hook_set.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "perm/rule/glob_star.h"
#include "perm/rule/hook_matcher.h"
#include "store/settings/settings.h"
#include "store/settings/settings_hooks.h"
#include "text/bash/option_variable.h"
#include "text/json/json_write.h"

typedef VEC(struct sv) hook_names;

struct hook_set {
	size_t users;
	struct arena arena; /* of everything that the handlers refer to */
	VEC(struct hook_handler) all;
	bool has[HOOK_EVENTS];
	/* allowedHttpHookUrls and httpHookAllowedEnvVars; not limited: they are not set. */
	bool limits_urls, limits_variables;
	hook_names urls, variables;
};

/* Where an entry stands. */
struct hook_place {
	struct hook_set *set;
	struct str *notes;
	enum hook_event event;
	enum hook_source source;
	const char *file;
	size_t line;
	const struct hook_plugin *plugin; /* NULL: it is not of a plugin */
	struct sv matcher;
};

const char *hook_source_name(enum hook_source source)
{
	static const char names[HOOK_SOURCES][16] = {
		[HOOK_FROM_PLUGIN] = "pluginHook",
		[HOOK_FROM_USER] = "userSettings",
		[HOOK_FROM_PROJECT] = "projectSettings",
		[HOOK_FROM_LOCAL] = "localSettings",
		[HOOK_FROM_SKILL] = "skill",
		[HOOK_FROM_AGENT] = "agent",
		[HOOK_FROM_FLAG] = "flagSettings",
		[HOOK_FROM_POLICY] = "policySettings",
		[HOOK_FROM_HOST] = "sdk",
	};

	return names[source];
}

static const char hook_types[][9] = {
	[HOOK_COMMAND] = "command",   [HOOK_HTTP] = "http",   [HOOK_PROMPT] = "prompt",
	[HOOK_CALLBACK] = "callback", [HOOK_AGENT] = "agent", [HOOK_MCP_TOOL] = "mcp_tool",
};

const char *hook_type_name(enum hook_type type)
{
	return hook_types[type];
}

/* --- reading ------------------------------------------------------------------------- */

static void hook_set_note(const struct hook_place *at, const char *what)
{
	if (at->file && at->line)
		str_addf(at->notes, "%s:%zu: ", at->file, at->line);
	else if (at->file)
		str_addf(at->notes, "%s: ", at->file);
	str_addf(at->notes, "hooks.%s: %s\n", hook_event_info(at->event)->name, what);
}

static struct sv hook_set_text(struct hook_set *set, struct json object, const char *key)
{
	return arena_dup(&set->arena, json_str_or(json_get(object, key), SV_EMPTY));
}

/* A word of a command. Options of its plugin become variables. */
static struct sv hook_set_word(struct hook_set *set, const struct hook_handler *h, struct sv word)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!h->plugin_root || h->type != HOOK_COMMAND)
		return arena_dup(&set->arena, word);
	option_variable_rewrite(&text, word);
	return arena_dup(&set->arena, sv_of(&text));
}

static int64_t hook_set_timeout(const struct hook_place *at, struct json given, enum hook_type type)
{
	static const int64_t defaults[] = {
		[HOOK_COMMAND] = 600000,  [HOOK_HTTP] = 600000, [HOOK_PROMPT] = 30000,
		[HOOK_CALLBACK] = 600000, [HOOK_AGENT] = 60000, [HOOK_MCP_TOOL] = 600000,
	};
	int64_t by_event = hook_event_info(at->event)->timeout_ms;
	double seconds = json_real_or(given, 0);

	if (seconds <= 0)
		return by_event ? by_event : defaults[type];
	if (seconds > LIMIT_HOOK_SECONDS)
		hook_set_note(at, "a timeout is given in seconds, at most an hour; this one is cut "
				  "to an hour");
	return (int64_t)(min_of(seconds, (double)LIMIT_HOOK_SECONDS) * 1000);
}

static enum hook_on_failure hook_set_on_failure(struct json given)
{
	struct sv word = json_str_or(given, SV_EMPTY);

	return sv_is(word, "block")      ? HOOK_ON_FAILURE_BLOCK
	       : sv_is(word, "continue") ? HOOK_ON_FAILURE_CONTINUE
					 : HOOK_ON_FAILURE_DEFAULT;
}

static struct hook_handler hook_set_begin(const struct hook_place *at, enum hook_type type)
{
	struct hook_handler h = { .event = at->event,
				  .type = type,
				  .source = at->source,
				  .file = at->file,
				  .line = at->line,
				  .matcher = at->matcher };

	if (at->plugin) {
		h.plugin_root = at->plugin->root;
		h.plugin_data = at->plugin->data;
		h.plugin_env = at->plugin->env;
	}
	return h;
}

static void hook_set_read_argv(struct hook_set *set, struct hook_handler *h, struct json args)
{
	struct json_iter it = json_each(args);
	const char **argv;
	struct json arg;
	size_t n = 0;

	if (!json_is(args, JSON_ARRAY))
		return;
	argv = arena_calloc(&set->arena, json_len(args) + 1, sizeof(*argv));
	while (json_next(&it, NULL, &arg))
		argv[n++] = hook_set_word(set, h, json_str_or(arg, SV_EMPTY)).ptr;
	h->argv = argv;
}

static void hook_set_read_http(struct hook_set *set, struct hook_handler *h, struct json handler)
{
	struct json headers = json_get(handler, "headers"),
		    names = json_get(handler, "allowedEnvVars");
	struct hook_header *header =
		arena_calloc(&set->arena, json_len(headers) + 1, sizeof(*header));
	struct sv *names_out = arena_calloc(&set->arena, json_len(names) + 1, sizeof(*names_out));
	struct json_iter it = json_each(headers);
	struct json value;
	struct sv key;

	h->headers = header;
	h->env_vars = names_out;
	for (; json_is(headers, JSON_OBJECT) && json_next(&it, &key, &value); h->nheaders++)
		header[h->nheaders] = (struct hook_header){
			.name = arena_dup(&set->arena, key),
			.value = arena_dup(&set->arena, json_str_or(value, SV_EMPTY)),
		};
	it = json_each(names);
	while (json_is(names, JSON_ARRAY) && json_next(&it, NULL, &value))
		names_out[h->nenv_vars++] = arena_dup(&set->arena, json_str_or(value, SV_EMPTY));
}

static enum hook_type hook_set_type(struct json handler)
{
	struct sv word = json_str_or(json_get(handler, "type"), SV_EMPTY);
	enum hook_type type = 0;

	while (type < countof(hook_types) - 1 && !sv_is(word, hook_types[type]))
		type++;
	return type;
}

static void hook_set_read_tool(struct hook_set *set, struct hook_handler *h, struct json handler)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	h->server = hook_set_text(set, handler, "server");
	if (!json_is(json_get(handler, "input"), JSON_OBJECT))
		return;
	jw_init(&w, &input, JW_COMPACT);
	jw_value(&w, json_get(handler, "input"));
	jw_done(&w);
	h->input = arena_dup(&set->arena, sv_of(&input));
}

/* What the handler does, as text: identical handlers run once. */
static struct sv hook_set_key(struct hook_set *set, const struct hook_handler *h)
{
	defer(str_clear) struct str key = STR_INIT;
	struct jw w;

	jw_init(&w, &key, JW_COMPACT);
	jw_array(&w);
	jw_str(&w, sv_cstr(hook_types[h->type]));
	jw_str(&w, h->text);
	jw_str(&w, sv_cstr(h->plugin_root)); /* the text may name it */
	jw_str(&w, h->condition);
	jw_str(&w, h->shell);
	jw_str(&w, h->model);
	jw_str(&w, h->server);
	jw_str(&w, h->input);
	for (size_t i = 0; h->argv && h->argv[i]; i++)
		jw_str(&w, sv_cstr(h->argv[i]));
	for (size_t i = 0; i < h->nheaders; i++) {
		jw_str(&w, h->headers[i].name);
		jw_str(&w, h->headers[i].value);
	}
	jw_end(&w);
	jw_done(&w);
	return arena_dup(&set->arena, sv_of(&key));
}

static void hook_set_push(struct hook_set *set, struct hook_handler *h)
{
	h->key = hook_set_key(set, h);
	set->has[h->event] = true;
	vec_push(&set->all, *h);
}

/* Reads a handler of a settings file. Settings have reported what is malformed. */
static void hook_set_read_handler(const struct hook_place *at, struct json handler)
{
	static const char texts[][8] = {
		[HOOK_COMMAND] = "command", [HOOK_HTTP] = "url",     [HOOK_PROMPT] = "prompt",
		[HOOK_CALLBACK] = "",       [HOOK_AGENT] = "prompt", [HOOK_MCP_TOOL] = "tool",
	};
	struct hook_set *set = at->set;
	struct hook_handler h = hook_set_begin(at, hook_set_type(handler));
	struct err invalid = ERR_INIT;

	if (!settings_hooks_check_handler(handler, &invalid))
		return;
	h.text = hook_set_word(set, &h, json_str_or(json_get(handler, texts[h.type]), SV_EMPTY));
	h.condition = hook_set_text(set, handler, "if");
	h.shell = hook_set_text(set, handler, "shell");
	h.model = hook_set_text(set, handler, "model");
	h.status = hook_set_text(set, handler, "statusMessage");
	h.timeout_ms = hook_set_timeout(at, json_get(handler, "timeout"), h.type);
	h.on_failure = hook_set_on_failure(json_get(handler, "onFailure"));
	h.rewakes = json_bool_or(json_get(handler, "asyncRewake"), false);
	h.rewake_message = hook_set_text(set, handler, "rewakeMessage");
	h.rewake_summary = hook_set_text(set, handler, "rewakeSummary");
	h.runs_async = h.rewakes || json_bool_or(json_get(handler, "async"), false);
	h.runs_once = json_bool_or(json_get(handler, "once"), false);
	h.goes_on = json_bool_or(json_get(handler, "continueOnBlock"), false);
	hook_set_read_argv(set, &h, json_get(handler, "args"));
	if (h.type == HOOK_HTTP)
		hook_set_read_http(set, &h, handler);
	if (h.type == HOOK_MCP_TOOL)
		hook_set_read_tool(set, &h, handler);
	if (h.condition.len && !hook_event_info(at->event)->is_about_tool) {
		hook_set_note(at, "\"if\" works only for events about tool calls; this hook never "
				  "runs");
		return;
	}
	hook_set_push(set, &h);
}

/* Returns false for a matcher that selects nothing because it cannot be read. */
static bool hook_set_check_matcher(const struct hook_place *at)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	if (!hook_matcher_check(at->matcher, &err)) {
		str_addf(&text, "the matcher is not a regular expression (%s); the hook is ignored",
			 err.text);
		hook_set_note(at, str_c(&text));
		return false;
	}
	if (hook_event_info(at->event)->is_about_tool && sv_ends(at->matcher, SV(")")) &&
	    sv_find_char(at->matcher, '(') != SIZE_MAX && ascii_is_alpha(at->matcher.ptr[0]) &&
	    sv_find_char(at->matcher, '|') == SIZE_MAX)
		hook_set_note(at, "a matcher is compared with the name of a tool; put a rule such "
				  "as Bash(git commit*) into \"if\"");
	return true;
}

static void hook_set_read_group(struct hook_place *at, struct json group)
{
	struct json_iter it = json_each(json_get(group, "hooks"));
	struct err invalid = ERR_INIT;
	struct json handler;

	at->matcher = hook_set_text(at->set, group, "matcher");
	if (!settings_hooks_check_group(group, &invalid) || !hook_set_check_matcher(at))
		return;
	while (json_next(&it, NULL, &handler))
		hook_set_read_handler(at, handler);
}

/* Reads a group that the host registered. */
static void hook_set_read_callbacks(struct hook_place *at, struct json group)
{
	struct json_iter it = json_each(json_get(group, "hookCallbackIds"));
	struct json id;

	at->matcher = hook_set_text(at->set, group, "matcher");
	if (!hook_set_check_matcher(at))
		return;
	while (json_next(&it, NULL, &id)) {
		struct hook_handler h = hook_set_begin(at, HOOK_CALLBACK);

		h.text = arena_dup(&at->set->arena, json_str_or(id, SV_EMPTY));
		h.timeout_ms = hook_set_timeout(at, json_get(group, "timeout"), h.type);
		h.on_failure = hook_set_on_failure(json_get(group, "onFailure"));
		hook_set_push(at->set, &h);
	}
}

/* --- sources -------------------------------------------------------------------------- */

bool hook_source_is_off(const struct settings *s, enum settings_source source)
{
	if (source == SETTINGS_POLICY)
		return json_bool_or(settings_get_from(s, SETTINGS_POLICY, "disableAllHooks"),
				    false);
	return settings_bool(s, "disableAllHooks") || settings_bool(s, "allowManagedHooksOnly");
}

static void hook_set_read_settings(struct hook_set *set, const struct settings *settings,
				   enum settings_source from, enum hook_source source,
				   struct str *notes)
{
	defer(str_clear) struct str key = STR_INIT;

	if (!json_exists(settings_get_from(settings, from, "hooks")) ||
	    hook_source_is_off(settings, from))
		return;
	for (enum hook_event event = 0; event < HOOK_EVENTS; event++) {
		const struct settings_item *groups;
		size_t n;

		str_truncate(&key, 0);
		str_addf(&key, "hooks.%s", hook_event_info(event)->name);
		n = settings_items(settings, str_c(&key), &groups);
		for (size_t i = 0; i < n; i++) {
			struct hook_place at = { .set = set,
						 .notes = notes,
						 .event = event,
						 .source = source,
						 .line = groups[i].line };

			if (groups[i].source != from)
				continue;
			at.file = arena_dup(&set->arena, sv_cstr(groups[i].file)).ptr;
			hook_set_read_group(&at, groups[i].value);
		}
	}
}

static void hook_set_note_event(const struct hook_plugin *plugin, struct sv name, const char *what,
				struct str *notes)
{
	str_addf(notes, "%s: %.*s %s\n", plugin->file,
		 SV_ARG(utf8_prefix(name, LIMIT_SETTINGS_SHOWN)), what);
}

/* Settings report what is malformed in their files, but nobody has looked at these. */
static void hook_set_read_plugin_group(struct hook_place *at, struct json group)
{
	struct json_iter it = json_each(json_get(group, "hooks"));
	struct err invalid = ERR_INIT;
	struct json handler;
	bool ok = settings_hooks_check_group(group, &invalid);
	defer(str_clear) struct str why = STR_INIT;

	while (ok && json_next(&it, NULL, &handler))
		ok = settings_hooks_check_handler(handler, &invalid);
	str_addf(&why, "%s; it is ignored", invalid.text);
	if (!ok)
		hook_set_note(at, str_c(&why));
	hook_set_read_group(at, group);
}

static const char *const *hook_set_copy_env(struct hook_set *set, const char *const *env)
{
	const char **copy;
	size_t n = 0;

	while (env && env[n])
		n++;
	copy = arena_calloc(&set->arena, n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = arena_dup(&set->arena, sv_cstr(env[i])).ptr;
	return copy;
}

static void hook_set_read_plugin(struct hook_set *set, const struct hook_plugin *given,
				 struct str *notes)
{
	struct json_iter it = json_each(given->hooks), groups_it;
	const struct hook_plugin plugin = {
		.root = arena_dup(&set->arena, sv_cstr(given->root)).ptr,
		.data = given->data ? arena_dup(&set->arena, sv_cstr(given->data)).ptr : NULL,
		.file = arena_dup(&set->arena, sv_cstr(given->file)).ptr,
		.env = hook_set_copy_env(set, given->env),
	};
	struct json groups, group;
	struct sv name;

	while (json_next(&it, &name, &groups)) {
		struct hook_place at = { .set = set,
					 .notes = notes,
					 .event = hook_event_find(name),
					 .source = HOOK_FROM_PLUGIN,
					 .file = plugin.file,
					 .plugin = &plugin };

		if (at.event == HOOK_EVENTS)
			hook_set_note_event(&plugin, name, "is not a hook event; it is ignored",
					    notes);
		else if (!json_is(groups, JSON_ARRAY))
			hook_set_note_event(&plugin, name, "must be a list; it is ignored", notes);
		groups_it = json_each(groups);
		while (at.event != HOOK_EVENTS && !groups_it.keyed &&
		       json_next(&groups_it, NULL, &group))
			hook_set_read_plugin_group(&at, group);
	}
}

static void hook_set_read_host(struct hook_set *set, const struct settings *settings,
			       struct json host, struct str *notes)
{
	struct json_iter it = json_each(host), groups_it;
	struct json groups, group;
	struct sv name;

	if (!json_is(host, JSON_OBJECT) ||
	    (settings && hook_source_is_off(settings, SETTINGS_FLAG)))
		return;
	while (json_next(&it, &name, &groups)) {
		struct hook_place at = { .set = set,
					 .notes = notes,
					 .event = hook_event_find(name),
					 .source = HOOK_FROM_HOST };

		if (at.event == HOOK_EVENTS) {
			str_addf(notes,
				 "%.*s is not a hook event; the host's hooks for it are "
				 "ignored\n",
				 SV_ARG(utf8_prefix(name, LIMIT_SETTINGS_SHOWN)));
			continue;
		}
		groups_it = json_each(groups);
		while (json_is(groups, JSON_ARRAY) && json_next(&groups_it, NULL, &group))
			hook_set_read_callbacks(&at, group);
	}
}

static bool hook_set_read_names(struct hook_set *set, const struct settings *settings,
				const char *key, hook_names *out)
{
	const struct settings_item *items;
	size_t n = settings_items(settings, key, &items);

	for (size_t i = 0; i < n; i++)
		vec_push(out, arena_dup(&set->arena, items[i].text));
	return json_exists(settings_get(settings, key));
}

static void hook_set_read_limits(struct hook_set *set, const struct settings *settings)
{
	set->limits_urls = hook_set_read_names(set, settings, "allowedHttpHookUrls", &set->urls);
	set->limits_variables =
		hook_set_read_names(set, settings, "httpHookAllowedEnvVars", &set->variables);
}

struct hook_set *hook_set_new(const struct settings *settings, const struct hook_others *others,
			      bool only_given, struct str *notes)
{
	struct hook_set *set = xnew(struct hook_set);
	bool takes_plugins = others && (!settings || !hook_source_is_off(settings, SETTINGS_USER));

	set->users = 1;
	for (size_t i = 0; takes_plugins && i < others->nplugins; i++)
		hook_set_read_plugin(set, &others->plugins[i], notes);
	if (settings && !only_given && !settings_only_plugins(settings, "hooks")) {
		hook_set_read_settings(set, settings, SETTINGS_USER, HOOK_FROM_USER, notes);
		hook_set_read_settings(set, settings, SETTINGS_PROJECT, HOOK_FROM_PROJECT, notes);
		hook_set_read_settings(set, settings, SETTINGS_LOCAL, HOOK_FROM_LOCAL, notes);
	}
	if (settings)
		hook_set_read_settings(set, settings, SETTINGS_FLAG, HOOK_FROM_FLAG, notes);
	if (others)
		hook_set_read_host(set, settings, others->host, notes);
	if (settings) {
		hook_set_read_settings(set, settings, SETTINGS_POLICY, HOOK_FROM_POLICY, notes);
		hook_set_read_limits(set, settings);
	}
	return set;
}

/* Note a group or handler of a guest that is malformed; one that was to guard calls is an error. */
static bool hook_set_check_entry(struct hook_place *at, struct json group, struct err *err)
{
	struct json_iter it = json_each(json_get(group, "hooks"));
	struct err invalid = ERR_INIT;
	struct json handler;
	bool fine = settings_hooks_check_group(group, &invalid) &&
		    hook_matcher_check(json_str_or(json_get(group, "matcher"), SV_EMPTY), &invalid);

	while (fine && json_next(&it, NULL, &handler))
		fine = settings_hooks_check_handler(handler, &invalid);
	if (fine)
		return true;
	if (settings_hooks_guard(sv_cstr(hook_event_info(at->event)->name)))
		return err_set(err, ERR_INVALID, "hooks.%s: %s", hook_event_info(at->event)->name,
			       invalid.text);
	hook_set_note(at, invalid.text);
	return true;
}

static bool hook_set_read_guest_groups(struct hook_place *at, struct json groups, struct err *err)
{
	struct json_iter it = json_each(groups);
	struct json group;

	if (!json_is(groups, JSON_ARRAY)) {
		hook_set_note(at, "expected a list of objects with \"matcher\" and \"hooks\"");
		return !settings_hooks_guard(sv_cstr(hook_event_info(at->event)->name)) ||
		       err_set(err, ERR_INVALID, "hooks.%s must be a list",
			       hook_event_info(at->event)->name);
	}
	while (json_next(&it, NULL, &group)) {
		if (!hook_set_check_entry(at, group, err))
			return false;
		hook_set_read_group(at, group);
	}
	return true;
}

static bool hook_set_read_guest(struct hook_set *set, const struct hook_guest *guest,
				struct str *notes, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(guest->json, 0, err);
	struct json_iter it = json_each(json_root(doc));
	struct json groups;
	struct sv name;

	if (!doc || !json_is(json_root(doc), JSON_OBJECT))
		return err_set(err, ERR_INVALID, "\"hooks\" must be an object");
	while (json_next(&it, &name, &groups)) {
		struct hook_place at = { .set = set,
					 .notes = notes,
					 .event = hook_event_find(name),
					 .source = guest->source,
					 .file = arena_dup(&set->arena, guest->file).ptr };

		if (at.event == HOOK_EVENTS) {
			str_addf(notes, "%.*s: %.*s is not a hook event\n", SV_ARG(guest->file),
				 SV_ARG(utf8_prefix(name, LIMIT_SETTINGS_SHOWN)));
			continue;
		}
		if (at.event == HOOK_STOP && guest->owner.len)
			at.event = HOOK_SUBAGENT_STOP;
		if (!hook_set_read_guest_groups(&at, groups, err))
			return false;
	}
	return true;
}

struct hook_set *hook_set_new_guest(const struct settings *settings, const struct hook_guest *guest,
				    struct str *notes, struct err *err)
{
	struct hook_set *set = xnew(struct hook_set);

	set->users = 1;
	hook_set_read_limits(set, settings);
	if (hook_source_is_off(settings, guest->is_managed ? SETTINGS_POLICY : SETTINGS_USER) ||
	    hook_set_read_guest(set, guest, notes, err))
		return set;
	hook_set_unref(set);
	return NULL;
}

struct hook_set *hook_set_ref(struct hook_set *set)
{
	set->users++;
	return set;
}

void hook_set_unref(struct hook_set *set)
{
	if (!set || --set->users)
		return;
	vec_clear(&set->all);
	vec_clear(&set->urls);
	vec_clear(&set->variables);
	arena_clear(&set->arena);
	free(set);
}

/* --- looking up ----------------------------------------------------------------------- */

size_t hook_set_count(const struct hook_set *set)
{
	return set->all.n;
}

const struct hook_handler *hook_set_at(const struct hook_set *set, size_t i)
{
	return &set->all.at[i];
}

bool hook_set_has(const struct hook_set *set, enum hook_event event)
{
	return set->has[event];
}

static bool hook_set_matches(const struct hook_handler *h, struct sv match)
{
	const struct hook_event_info *info = hook_event_info(h->event);

	if (!*info->matched)
		return true;
	return info->is_about_tool ? hook_matcher_selects_tool(h->matcher, match)
				   : hook_matcher_selects(h->matcher, match);
}

static bool hook_set_lists(const hook_list *list, const struct hook_handler *h)
{
	for (size_t i = 0; i < list->n; i++)
		if (h->type != HOOK_CALLBACK && sv_eq(list->at[i]->key, h->key))
			return true;
	return false;
}

void hook_set_select(const struct hook_set *set, enum hook_event event, struct sv match,
		     hook_list *out)
{
	for (size_t i = 0; i < set->all.n; i++) {
		const struct hook_handler *h = &set->all.at[i];

		if (h->event == event && hook_set_matches(h, match) && !hook_set_lists(out, h))
			vec_push(out, h);
	}
}

/* The length of "https://host:port". */
static size_t hook_set_origin(struct sv url)
{
	size_t from = sv_find(url, SV("://"));
	size_t path = from == SIZE_MAX ? SIZE_MAX : sv_find_char(sv_skip(url, from + 3), '/');

	return path == SIZE_MAX ? url.len : from + 3 + path;
}

/* Matches origin and path one by one: a star in the name of a host must not reach into the path,
 * where whoever owns another host can write what he likes. */
static bool hook_set_url_matches(struct sv pattern, struct sv url)
{
	size_t p = hook_set_origin(pattern), u = hook_set_origin(url), steps = LIMIT_PATTERN_STEPS;
	struct sv path =
		p < pattern.len || !sv_ends(pattern, SV("*")) ? sv_skip(pattern, p) : SV("*");

	return glob_star_match(sv_slice(pattern, 0, p), false, sv_slice(url, 0, u), &steps) &&
	       glob_star_match(path, false, sv_skip(url, u), &steps);
}

bool hook_set_allows_url(const struct hook_set *set, struct sv url)
{
	bool names_user = sv_find_char(sv_slice(url, 0, hook_set_origin(url)), '@') != SIZE_MAX;

	for (size_t i = 0; i < set->urls.n; i++)
		if (!names_user && hook_set_url_matches(set->urls.at[i], url))
			return true;
	return !set->limits_urls;
}

bool hook_set_allows_variable(const struct hook_set *set, struct sv name)
{
	for (size_t i = 0; i < set->variables.n; i++)
		if (sv_eq(set->variables.at[i], name))
			return true;
	return !set->limits_variables;
}

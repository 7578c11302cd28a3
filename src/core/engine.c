#include "core/engine.h"

#include "base/ascii.h"
#include "base/log.h"
#include "core/policy/policy.h"
#include "core/policy/project.h"
#include "model/catalogue/cloud_id.h"
#include "store/settings/settings.h"
#include "store/settings/settings_migrate.h"
#include "store/transcript/cleanup.h"
#include "sys/fs.h"
#include "sys/timer.h"
#include "tool/shell/child_env.h"

enum { USER_AGENT_WORD = 80 };

static void engine_log_choice(const struct model_config *config)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest, line;

	model_config_explain(&text, config);
	rest = sv_of(&text);
	while (sv_cut_line(&rest, &line))
		log_info("%.*s", SV_ARG(line));
}

/* Ignore a relative path: it would lie in whatever project we are in. */
static const char *engine_absolute(struct engine *e, const struct engine_opts *opts,
				   const char *name)
{
	const char *dir = opts->env(opts->env_arg, name);

	if (!dir || !*dir || *dir == '/')
		return dir && *dir ? dir : NULL;
	str_addf(&e->notes, "%s is not an absolute path, so it is not used: %s\n", name, dir);
	return NULL;
}

/* Service accounts name a home that does not exist; do not create it. */
static void engine_choose_dirs(struct engine *e, const struct engine_opts *opts)
{
	defer(str_clear) struct str dir = STR_INIT;
	const char *home = engine_absolute(e, opts, "HOME");
	const char *config = engine_absolute(e, opts, "CLAUDE_CONFIG_DIR");

	e->home = home && fs_exists(home) ? xstrdup(home) : NULL;
	if (home && !e->home)
		str_addf(&e->no_config, "HOME does not exist: %s", home);
	else
		str_adds(&e->no_config, "neither HOME nor CLAUDE_CONFIG_DIR is set");
	if (opts->config_dir)
		str_adds(&dir, opts->config_dir);
	else if (config)
		str_adds(&dir, config);
	else if (e->home)
		fs_join(&dir, sv_cstr(e->home), SV(".claude"));
	if (dir.len)
		e->config_dir = str_detach(&dir);
}

/* The built-in script counts as a model of its own, which is free. */
static bool engine_know_demo(struct model_table *table, struct err *err)
{
	struct sv text = SV("{\"demo\":{\"name\":\"built-in script\",\"context\":200000,"
			    "\"maxOutput\":32000,\"price\":{\"input\":0,\"output\":0,"
			    "\"cacheRead\":0,\"cacheWrite\":0,\"cacheWrite1h\":0}}}");
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, err);

	return doc && model_table_extend(table, json_root(doc), err);
}

/* A replay needs no network; a recording may record a replay. */
static bool engine_choose_transport(struct engine *e, const struct engine_opts *opts,
				    struct err *err)
{
	/* What the demo said may have been recorded. */
	if (e->is_offline && !engine_know_demo(e->table, err))
		return false;
	if (opts->replay && !model_client_replay(e->client, opts->replay, opts->replay_timed, err))
		return false;
	if (e->is_demo && !model_client_demo(e->client, err))
		return false;
	return !opts->record || model_client_record(e->client, opts->record, err);
}

/* The key that models are asked with is nothing for children, unless somebody says so; but
 * for the commands that the user's settings get it with. */
static void engine_choose_child_env(struct engine *e, const struct engine_opts *opts)
{
	const char *keep = opts->env(opts->env_arg, "AWL_KEEP_KEY_IN_CHILDREN");

	e->withheld = keep ? NULL : e->config.auth_origin;
	child_env_build(&e->base_env, opts->environ, (struct json){ 0 }, e->withheld);
	child_env_build(&e->child_env, opts->environ, settings_get(e->settings, "env"),
			e->withheld);
	child_env_build(&e->helper_env, opts->environ, settings_get(e->settings, "env"), NULL);
	e->config.helper_env = e->helper_env.at;
}

/* Let the user's variables say which models the short names stand for. */
static void engine_name_models(struct engine *e, const struct engine_opts *opts)
{
	static const struct {
		struct sv alias;
		const char *variable;
	} names[] = {
		{ SV_INIT("opus"), "ANTHROPIC_DEFAULT_OPUS_MODEL" },
		{ SV_INIT("sonnet"), "ANTHROPIC_DEFAULT_SONNET_MODEL" },
		{ SV_INIT("haiku"), "ANTHROPIC_DEFAULT_HAIKU_MODEL" },
		{ SV_INIT("fable"), "ANTHROPIC_DEFAULT_FABLE_MODEL" },
	};

	for (size_t i = 0; i < countof(names); i++) {
		const char *id = opts->env(opts->env_arg, names[i].variable);

		if (id && *id)
			model_table_alias(e->table, names[i].alias, sv_cstr(id));
	}
}

/* Read what the settings say about models, as far as it is valid. */
static void engine_extend_table(struct engine *e, const struct settings *settings)
{
	struct json models = settings_get(settings, "awl.models");
	struct json pricing = settings_get(settings, "modelPricing");
	struct err err = ERR_INIT;

	if (json_exists(models) && !model_table_extend(e->table, models, &err))
		settings_note_ignored(settings, "awl.models", &err, &e->notes);
	if (json_exists(pricing) && !model_table_prices(e->table, pricing, &err))
		settings_note_ignored(settings, "modelPricing", &err, &e->notes);
}

/* Bring the user's settings up to date. */
static void engine_migrate(struct engine *e)
{
	defer(str_clear) struct str global = STR_INIT;
	struct settings_opts files = { .config_dir = e->config_dir };

	if (!e->config_dir)
		return;
	project_global_file(&global, e->config_dir, e->home);
	files.global_file = str_c(&global);
	settings_migrate(&files, &e->notes);
}

static bool engine_configure(struct engine *e, const struct engine_opts *opts, struct err *err)
{
	struct settings_opts where = { .config_dir = e->config_dir,
				       .flag = opts->settings,
				       .sources = opts->setting_sources,
				       .managed = opts->managed_settings,
				       .env = opts->environ };
	defer(str_clear) struct str notes = STR_INIT; /* sessions read the files themselves */
	struct settings *settings;
	struct model_settings of_models;

	engine_migrate(e);
	settings = settings_load(&where, &notes, err);
	e->settings = settings;
	if (!settings)
		return false;
	of_models =
		(struct model_settings){ .model = settings_str(settings, "model"),
					 .key_helper = settings_str(settings, "apiKeyHelper"),
					 .aws_export =
						 settings_str(settings, "awsCredentialExport"),
					 .aws_refresh = settings_str(settings, "awsAuthRefresh"),
					 .gcp_refresh = settings_str(settings, "gcpAuthRefresh") };
	if (!model_config_read_with(&e->config, &of_models, opts->env, opts->env_arg, err))
		return false;
	e->table = model_table_new();
	model_table_use_provider(e->table, e->config.provider);
	engine_name_models(e, opts);
	engine_extend_table(e, settings);
	return true;
}

static bool engine_is_on(const struct engine_opts *opts, const char *name)
{
	const char *value = opts->env(opts->env_arg, name);

	return value && *value && !sv_is(sv_cstr(value), "0") && !sv_is(sv_cstr(value), "false");
}

static enum model_cache engine_read_cache(const struct engine_opts *opts)
{
	if (engine_is_on(opts, "DISABLE_PROMPT_CACHING"))
		return MODEL_CACHE_OFF;
	return engine_is_on(opts, "ENABLE_PROMPT_CACHING_1H") ? MODEL_CACHE_1H : MODEL_CACHE_5M;
}

static bool engine_open_parts(struct engine *e, const struct engine_opts *opts, struct err *err)
{
	if (!engine_configure(e, opts, err))
		return false;
	engine_log_choice(&e->config);
	engine_choose_child_env(e, opts);
	e->cache = engine_read_cache(opts);
	if (opts->demo)
		e->config.provider = MODEL_REPLAY;
	e->is_demo = !opts->replay && e->config.provider == MODEL_REPLAY;
	e->is_offline = e->is_demo || opts->replay;
	if (!e->is_offline && !opts->record)
		return true; /* engine_connect() follows with the first request */
	return engine_connect(e, err) && engine_choose_transport(e, opts, err);
}

/* Append a word about the program around us to the user agent, if it is one. */
static void engine_add_agent(struct str *out, const char *label, const char *value)
{
	struct sv text = sv_cstr(value);

	text = sv_slice(text, 0, min_of(text.len, (size_t)USER_AGENT_WORD));
	for (size_t i = 0; i < text.len; i++)
		if (!ascii_is_alnum(text.ptr[i]) && !ascii_is_one_of(text.ptr[i], "._-/+@ "))
			return;
	if (text.len)
		str_addf(out, ", %s%.*s", label, SV_ARG(text));
}

/* "awl/1.0 (external, sdk-ts, agent-sdk/0.3)": who speaks to the model for whom. */
static void engine_write_user_agent(struct str *out, const struct engine *e)
{
	const char *const *env = e->helper_env.at;

	str_adds(out, "awl/" AWL_VERSION " (external");
	engine_add_agent(out, "", e->entrypoint);
	engine_add_agent(out, "agent-sdk/", child_env_get(env, "CLAUDE_AGENT_SDK_VERSION"));
	engine_add_agent(out, "client-app/", child_env_get(env, "CLAUDE_AGENT_SDK_CLIENT_APP"));
	str_addc(out, ')');
}

bool engine_connect(struct engine *e, struct err *err)
{
	const char *helper = settings_str(e->settings, "proxyAuthHelper");
	defer(str_clear) struct str agent = STR_INIT;
	struct http_config http = { .env = e->helper_env.at };

	if (e->client)
		return true;
	engine_write_user_agent(&agent, e);
	e->config.user_agent = arena_dup(&e->config.arena, sv_of(&agent)).ptr;
	http.user_agent = e->config.user_agent;
	http.proxy_auth = proxy_helper_init(&e->proxy_helper, e->loop, helper, e->helper_env.at);
	if (!e->is_offline && !(e->http = http_new(e->loop, &http, err)))
		return false;
	e->client = model_client_new(e->loop, e->http, &e->config, e->table);
	return true;
}

static void engine_on_prepared(__attribute__((unused)) struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct engine *e = owner;

	e->preparing = NULL;
}

static bool engine_needs_preparation(const struct engine *e)
{
	return e->model_to_prepare.len && e->config.auth != MODEL_AUTH_NONE;
}

/* If the request was faster, it makes its own connection. */
static void engine_on_loaded(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct engine *e = owner;
	struct err ignored = ERR_INIT;

	e->preparing = NULL;
	if (!why && !e->client && engine_needs_preparation(e) && engine_connect(e, &ignored))
		e->preparing = model_prepare_start(e->client, sv_of(&e->model_to_prepare),
						   THEN(engine_on_prepared, e));
}

void engine_prepare(struct engine *e, struct sv model)
{
	if (e->is_offline || e->preparing)
		return;
	str_set(&e->model_to_prepare, model);
	if (!e->client)
		e->preparing = http_preload(e->loop, THEN(engine_on_loaded, e));
	else if (engine_needs_preparation(e))
		e->preparing = model_prepare_start(e->client, sv_of(&e->model_to_prepare),
						   THEN(engine_on_prepared, e));
}

static void engine_on_idle(__attribute__((unused)) struct op *op, void *owner,
			   const struct err *why)
{
	struct engine *e = owner;

	e->expecting = NULL;
	if (!why && !e->client)
		engine_prepare(e, sv_of(&e->expected));
}

void engine_expect(struct engine *e, struct sv model)
{
	if (e->client || e->expecting)
		return;
	str_set(&e->expected, model);
	e->expecting = timer_start(e->loop, 0, THEN(engine_on_idle, e));
}

static void engine_on_tidied(__attribute__((unused)) struct op *op, void *owner,
			     __attribute__((unused)) const struct err *why)
{
	struct engine *e = owner;

	e->tidying = NULL;
}

void engine_tidy(struct engine *e)
{
	if (e->has_tidied || policy_is_unsure(e->settings))
		return;
	e->has_tidied = true;
	e->tidying = cleanup_start(
		e->loop, e->config_dir, settings_int(e->settings, "cleanupPeriodDays"),
		settings_int(e->settings, "undoMaxDays"), THEN(engine_on_tidied, e));
}

/* Look up a variable, with what the settings add to the environment. */
struct overlay {
	const struct engine *engine;
	const struct engine_opts *opts;
};

static const char *engine_look_up(void *arg, const char *name)
{
	const struct overlay *o = arg;
	struct json value = { NULL };

	if (o->engine->settings) /* there are none yet while the engine is opened */
		value = json_get(settings_get(o->engine->settings, "env"), name);
	if (json_is(value, JSON_STRING))
		return json_str_or(value, SV_EMPTY).ptr;
	return o->opts->env(o->opts->env_arg, name);
}

struct engine *engine_new(const struct engine_opts *given, struct err *err)
{
	struct engine *e = xnew(struct engine);
	struct overlay overlay = { e, given };
	struct engine_opts with_settings = *given, *opts = &with_settings;

	opts->env = engine_look_up;
	opts->env_arg = &overlay;

	e->loop = opts->loop;
	e->config = (struct model_config)MODEL_CONFIG_INIT;
	e->entrypoint = xstrdup(opts->entrypoint ? opts->entrypoint : "library");
	e->flag_settings = opts->settings ? xstrdup(opts->settings) : NULL;
	e->setting_sources = opts->setting_sources ? xstrdup(opts->setting_sources) : NULL;
	e->managed_settings = opts->managed_settings ? xstrdup(opts->managed_settings) : NULL;
	engine_choose_dirs(e, opts);
	if (engine_open_parts(e, opts, err))
		return e;
	engine_free(e);
	return NULL;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	BUG_ON(e->sessions);
	model_client_free(e->client);
	model_table_free(e->table);
	http_free(e->http);
	model_config_clear(&e->config);
	for (size_t i = 0; i < e->tools.n; i++)
		host_tool_free(e->tools.at[i]);
	vec_clear(&e->tools);
	child_env_clear(&e->base_env);
	child_env_clear(&e->child_env);
	child_env_clear(&e->helper_env);
	settings_free(e->settings);
	str_clear(&e->notes);
	str_clear(&e->farewell);
	str_clear(&e->expected);
	str_clear(&e->model_to_prepare);
	str_clear(&e->no_config);
	free(e->config_dir);
	free(e->home);
	free(e->entrypoint);
	free(e->flag_settings);
	free(e->setting_sources);
	free(e->managed_settings);
	free(e);
}

static void engine_locate(const void *settings, const char *key, struct sv entry, struct str *out)
{
	settings_locate_item(settings, key, entry, out);
}

void engine_rules(const struct engine *e, const struct settings *settings, struct model_rules *out)
{
	const char *wanted = e->is_demo ? "" : e->config.model;

	*out = (struct model_rules){ .table = e->table,
				     .where = engine_locate,
				     .where_arg = settings };
	out->usual = e->is_demo ? SV("demo") : model_resolve(e->table, SV("default"));
	out->wanted = model_resolve(e->table, sv_cstr(wanted));
	model_rules_read(out, settings_get(settings, ""));
}

/* Append the provider's own id of the model, if it has one. */
static void engine_describe_cloud_id(struct str *out, const struct engine *e,
				     const struct model_rules *rules)
{
	defer(str_clear) struct str id = STR_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct err ignored = ERR_INIT;
	struct sv own;

	if (!model_rules_find(rules, SV_EMPTY, &id, &notes, &ignored))
		return;
	own = model_rules_wire(rules, sv_of(&id));
	if (!own.len)
		own = model_cloud_id(&arena, e->config.provider, sv_cstr(e->config.region),
				     e->table, model_wire_id(sv_of(&id), NULL));
	if (!sv_eq(own, model_wire_id(sv_of(&id), NULL)))
		str_addf(out, "requested as: %.*s\n", SV_ARG(own));
}

void engine_describe(struct str *out, struct engine *e)
{
	struct err err = ERR_INIT;
	struct model_rules rules;

	engine_rules(e, e->settings, &rules);
	model_config_explain(out, &e->config);
	model_rules_describe(out, &rules);
	engine_describe_cloud_id(out, e, &rules);
	str_addf(out, "sessions: %s%s\n", e->config_dir ? e->config_dir : "not kept; ",
		 e->config_dir ? "/projects" : str_c(&e->no_config));
	if (!e->is_offline && !engine_connect(e, &err))
		str_addf(out, "network: %s\n", err.text);
	str_add(out, sv_of(&e->notes));
}

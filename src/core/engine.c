#include "core/engine.h"

#include "base/log.h"
#include "sys/fs.h"

static void log_choice(const struct model_config *config)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest, line;

	model_config_explain(&text, config);
	rest = sv_of(&text);
	while (sv_cut_line(&rest, &line))
		log_info("%.*s", SV_ARG(line));
}

static void choose_dirs(struct engine *e, const struct engine_opts *opts)
{
	defer(str_clear) struct str dir = STR_INIT;
	const char *home = opts->env(opts->env_arg, "HOME");
	const char *config = opts->env(opts->env_arg, "CLAUDE_CONFIG_DIR");

	e->home = home && *home ? xstrdup(home) : NULL;
	if (opts->config_dir)
		str_adds(&dir, opts->config_dir);
	else if (config && *config)
		str_adds(&dir, config);
	else if (e->home)
		fs_join(&dir, sv_cstr(e->home), SV(".claude"));
	if (dir.len)
		e->config_dir = str_detach(&dir);
}

/* The program's own moves when it sets a variable. */
static const char **copy_environment(const char *const *from)
{
	const char **copy;
	size_t n = 0;

	while (from && from[n])
		n++;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(from[i]);
	return copy;
}

/* A replay needs no network, a recording may be one of a replay. */
static bool choose_transport(struct engine *e, const struct engine_opts *opts, struct err *err)
{
	e->is_demo = !opts->replay && e->config.provider == MODEL_REPLAY;
	if (opts->replay && !model_client_replay(e->client, opts->replay, opts->replay_timed, err))
		return false;
	if (e->is_demo && !model_client_demo(e->client, err))
		return false;
	return !opts->record || model_client_record(e->client, opts->record, err);
}

static bool open_parts(struct engine *e, const struct engine_opts *opts, struct err *err)
{
	struct http_config http = { .user_agent = "awl/" AWL_VERSION };
	bool offline;

	if (!model_config_read(&e->config, opts->env, opts->env_arg, err))
		return false;
	log_choice(&e->config);
	offline = e->config.provider == MODEL_REPLAY || opts->replay;
	if (!offline && !(e->http = http_new(e->loop, &http, err)))
		return false;
	e->table = model_table_new();
	e->client = model_client_new(e->loop, e->http, &e->config, e->table);
	return choose_transport(e, opts, err);
}

struct engine *engine_new(const struct engine_opts *opts, struct err *err)
{
	struct engine *e = xnew(struct engine);

	e->loop = opts->loop;
	e->environ = copy_environment(opts->environ);
	e->config = (struct model_config)MODEL_CONFIG_INIT;
	e->entrypoint = xstrdup(opts->entrypoint ? opts->entrypoint : "library");
	choose_dirs(e, opts);
	if (open_parts(e, opts, err))
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
	for (size_t i = 0; e->environ[i]; i++)
		free((char *)e->environ[i]);
	free(e->environ);
	free(e->config_dir);
	free(e->home);
	free(e->entrypoint);
	free(e);
}

struct sv engine_model(const struct engine *e, const char *name)
{
	if (!name)
		name = e->config.model ? e->config.model : "default";
	return model_resolve(e->table, sv_cstr(name));
}

/* awl.h: the engine. The other subjects have files of their own: awl_result.c, awl_event.c,
 * awl_session.c and so on; awl_int.h has what they share. */
#include <stdlib.h>

#include "base/log.h"
#include "core/agent/structured.h"
#include "core/api/awl_int.h"
#include "sandbox/policy.h"

extern char **environ;

const char *awl_version(void)
{
	return AWL_VERSION;
}

int awl_api_version(void)
{
	return AWL_API_MAJOR * 1000 + AWL_API_MINOR;
}

static const char *awl_env_look_up(void *arg, const char *name)
{
	return child_env_get(arg, name);
}

/* --- opening and closing ---------------------------------------------------------------- */

static struct engine *awl_make_engine(struct loop *loop, const struct awl_options *o,
				      struct err *err)
{
	struct engine_opts opts = { .loop = loop,
				    .env = awl_env_look_up,
				    .env_arg = (void *)o->environment,
				    .environ = o->environment ? o->environment
							      : (const char *const *)environ,
				    .config_dir = o->config_dir,
				    .record = o->record,
				    .replay = o->replay,
				    .replay_timed = o->replay_timed,
				    .demo = o->demo,
				    .entrypoint = o->entrypoint,
				    .settings = o->settings,
				    .setting_sources = o->setting_sources,
				    .managed_settings = o->managed_settings };

	return engine_new(&opts, err);
}

enum awl_result awl_open(struct awl **out, const struct awl_options *options)
{
	struct awl_options o = AWL_OPTIONS_INIT;
	struct awl *awl;
	struct err err = ERR_INIT;

	*out = NULL;
	if (!awl_copy_struct(&o, sizeof(o), options, "AWL_OPTIONS_INIT", &err))
		return awl_fail(&err);
	awl = xnew(struct awl);
	awl->loop = loop_new();
	awl->engine = awl_make_engine(awl->loop, &o, &err);
	if (!awl->engine) {
		loop_free(awl->loop);
		free(awl);
		return awl_fail(&err);
	}
	*out = awl;
	return AWL_OK;
}

const char *awl_end_sessions(struct awl *awl)
{
	awl->is_closing = true;
	while (awl->sessions.n)
		awl_session_close(*vec_last(&awl->sessions));
	while (awl->engine->sessions)
		loop_run(awl->loop);
	awl->is_closing = false;
	return str_c(&awl->engine->farewell);
}

void awl_close(struct awl *awl)
{
	if (!awl)
		return;
	wake_free(awl->wake);
	awl->on_wake = NULL;
	op_cancel(awl->engine->tidying);
	op_cancel(awl->engine->preparing);
	op_cancel(awl->engine->expecting);
	awl_end_sessions(awl);
	while (loop_live_ops(awl->loop))
		loop_run(awl->loop);
	engine_free(awl->engine);
	loop_run(awl->loop);
	loop_free(awl->loop);
	vec_clear(&awl->sessions);
	str_clear(&awl->description);
	str_clear(&awl->exported);
	str_clear(&awl->live);
	free(awl);
}

/* --- what is configured ------------------------------------------------------------------ */

bool awl_is_demo(const struct awl *awl)
{
	return awl->engine->is_demo;
}

static void awl_describe_sandbox(struct awl *awl, struct str *out)
{
	struct sandbox_support support;

	sandbox_support_probe(&support, NULL, child_env_get(awl->engine->helper_env.at, "PATH"));
	sandbox_support_describe(out, &support);
	sandbox_support_clear(&support);
}

const char *awl_describe(struct awl *awl)
{
	str_truncate(&awl->description, 0);
	engine_describe(&awl->description, awl->engine);
	awl_describe_sandbox(awl, &awl->description);
	return str_c(&awl->description);
}

const char *awl_config_dir(const struct awl *awl)
{
	return awl->engine->config_dir;
}

const char *awl_record_error(const struct awl *awl)
{
	struct model_client *client = awl->engine->client;
	const struct err *err = client ? model_client_record_error(client) : NULL;

	return err ? err->text : NULL;
}

/* --- running ----------------------------------------------------------------------------- */

int awl_fd(struct awl *awl)
{
	return loop_fd(awl->loop);
}

void awl_dispatch(struct awl *awl)
{
	loop_turn(awl->loop);
}

bool awl_is_quiet(const struct awl *awl)
{
	for (const struct session *s = awl->engine->sessions; s; s = session_next(s))
		if (session_is_closed(s))
			return false;
	for (size_t i = 0; i < awl->sessions.n; i++)
		if (!awl_session_is_quiet(awl->sessions.at[i]))
			return false;
	return true;
}

void awl_run(struct awl *awl)
{
	if (awl_is_quiet(awl))
		return;
	awl->is_running = true;
	loop_run(awl->loop);
	awl->is_running = false;
}

void awl_stop(struct awl *awl)
{
	loop_stop(awl->loop);
}

/* --- other threads ---------------------------------------------------------------------- */

static void awl_run_woken(struct task *task)
{
	struct awl *awl = container_of(task, struct awl, woken);

	if (awl->on_wake)
		awl->on_wake(awl->wake_arg);
	if (awl->is_running && awl_is_quiet(awl))
		loop_stop(awl->loop);
}

void awl_on_wake(struct awl *awl, awl_wake_fn *on_wake, void *arg)
{
	awl->on_wake = on_wake;
	awl->wake_arg = arg;
	awl->woken.run = awl_run_woken;
	if (on_wake && !awl->wake) {
		awl->wake = wake_new(awl->loop, &awl->woken);
	} else if (!on_wake) {
		wake_free(awl->wake);
		awl->wake = NULL;
	}
}

void awl_wake(struct awl *awl)
{
	if (awl->wake)
		wake_send(awl->wake);
}

/* --- the log ------------------------------------------------------------------------------ */

static struct {
	awl_log_fn *on_line;
	void *arg;
} awl_log_sink;

static void awl_log_line(__attribute__((unused)) void *arg, enum log_level level, struct sv line)
{
	defer(mem_freep) char *text = sv_dup(line);

	awl_log_sink.on_line(awl_log_sink.arg, (enum awl_log_level)level, text);
}

void awl_log(enum awl_log_level level, awl_log_fn *on_line, void *arg)
{
	awl_log_sink.on_line = on_line;
	awl_log_sink.arg = arg;
	if (level == AWL_LOG_OFF || !on_line)
		log_close();
	else
		log_to(awl_log_line, NULL, (enum log_level)level);
}

/* --- tools of the host ----------------------------------------------------------------- */

static bool awl_is_name_free(const struct awl *awl, const char *name, struct err *err)
{
	size_t n;
	const struct tool *const *builtins = tool_builtins(&n);
	bool taken = tool_find(builtins, n, sv_cstr(name)) || sv_is(sv_cstr(name), STRUCTURED_TOOL);

	for (size_t i = 0; i < awl->engine->tools.n; i++)
		taken |= sv_is(sv_cstr(name), awl->engine->tools.at[i]->tool.name);
	return !taken || err_set(err, ERR_EXISTS, "there is already a tool called %s", name);
}

enum awl_result awl_add_tool(struct awl *awl, const struct awl_tool *tool)
{
	struct awl_tool host = AWL_TOOL_INIT;
	struct host_tool *made = NULL;
	struct err err = ERR_INIT;

	if (awl_copy_struct(&host, sizeof(host), tool, "AWL_TOOL_INIT", &err) &&
	    awl_is_name_free(awl, host.name, &err))
		made = host_tool_new(&host, &err);
	if (!made)
		return awl_fail(&err);
	vec_push(&awl->engine->tools, made);
	return AWL_OK;
}

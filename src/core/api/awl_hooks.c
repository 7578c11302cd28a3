/* awl.h: the hooks of a project, and trying them out. */
#include "base/log.h"
#include "core/api/awl_project.h"
#include "core/extend/session_plugins.h"
#include "core/hooks/hook_guests.h"
#include "core/hooks/session_hooks.h"
#include "core/mcp/session_mcp.h"
#include "hook/describe.h"
#include "hook/sample.h"
#include "net/http.h"
#include "text/nearest.h"

/* One try. */
struct awl_hooks_try {
	struct awl_project *project;
	struct awl *awl;
	struct awl_session *session; /* for handlers that need one; NULL: not yet */
	struct loop *loop;
	struct hooks *hooks;
	struct http *http;
	enum awl_hooks_decision decision;
};

/* Plugins that the settings enable have hooks, too. */
static void awl_hooks_add_plugins(struct awl_project *p, const struct settings *settings,
				  struct plugin_set *plugins, hook_plugins *out)
{
	plugin_set_add_enabled(plugins, settings, awl_project_config_dir(p), p->dir.ptr);
	plugin_set_add_hooks(plugins, out);
	str_add(&p->notes, sv_of(&plugins->notes));
}

static struct hook_set *awl_hooks_set(struct awl_project *p, const struct settings *settings,
				      struct plugin_set *plugins)
{
	hook_plugins list = VEC_INIT;
	struct hook_set *set;

	awl_hooks_add_plugins(p, settings, plugins, &list);
	set = hook_set_new(settings,
			   &(struct hook_others){ .plugins = list.at, .nplugins = list.n }, false,
			   &p->notes);
	vec_clear(&list);
	return set;
}

const char *awl_hooks_event(size_t index)
{
	return index < HOOK_EVENTS ? hook_event_info((enum hook_event)index)->name : NULL;
}

static void awl_hooks_describe_guest(void *arg, const char *when, const struct hook_set *set)
{
	struct awl_project *p = arg;
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest, line;

	hook_describe_set(&text, set);
	str_addf(&p->result, "%s:\n", when);
	rest = sv_of(&text);
	while (sv_cut_line(&rest, &line))
		str_addf(&p->result, "  %.*s\n", SV_ARG(line));
}

enum awl_result awl_hooks_describe(struct awl_project *p, const char **text)
{
	defer(settings_freep) struct settings *settings = NULL;
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(plugin_set_clear) struct plugin_set plugins = PLUGIN_SET_INIT;
	struct err err = ERR_INIT;
	struct hook_set *set;

	awl_project_begin(p);
	awl_project_look(p, &project);
	settings = settings_load(&project.files, &p->notes, &err);
	if (!settings)
		return awl_fail(&err);
	project_note_foreign(&project, &p->notes);
	set = awl_hooks_set(p, settings, &plugins);
	hook_describe_set(&p->result, set);
	hook_set_unref(set);
	hook_guests_visit(&(struct hook_guests){ settings, &project, &plugins }, &p->notes,
			  awl_hooks_describe_guest, p);
	*text = str_c(&p->result);
	return AWL_OK;
}

/* --- what hooks need ---------------------------------------------------------------------- */

static void awl_hooks_on_report(void *arg, const struct hook_report *report)
{
	struct awl_hooks_try *t = arg;

	if (report->phase == HOOK_ENDED)
		hook_describe_report(&t->project->result, report);
}

/* Whether a call matches a rule: whether it would be denied if this rule denied it, and little
 * else could. */
static bool awl_hooks_matches_rule(void *arg, struct sv rule, const struct hook_input *input)
{
	struct awl_hooks_try *t = arg;
	struct awl_project *p = t->project;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(input->tool_input, 0, &err);
	defer(why_answer_clear) struct why_answer answer = WHY_ANSWER_INIT;
	defer(why_question_clear) struct why_question question = {
		.tool = input->tool_name,
		.input = json_root(doc),
		.cwd = p->work_dir.ptr,
		.home = p->home,
		.setting_sources = "",
		.env = awl_project_env(p),
		.mode = "bypassPermissions",
		.schema = &p->schema,
	};

	vec_push(&question.deny, rule);
	if (!why_ask(&answer, &question, false, &err)) {
		awl_project_note(p, "\"if\": %s", err.text);
		return true;
	}
	return answer.verdict.behavior == BEHAVIOR_DENY;
}

static struct http *awl_hooks_http(void *arg, struct err *err)
{
	struct awl_hooks_try *t = arg;
	const struct http_config config = { .env = awl_project_env(t->project),
					    .user_agent = "awl" };

	if (!t->http)
		t->http = http_new(t->loop, &config, err);
	return t->http;
}

static const char *const *awl_hooks_env(void *arg)
{
	struct awl_hooks_try *t = arg;

	return awl_project_env(t->project);
}

/* --- the session ----------------------------------------------------------------------------
 *
 * Models, agents and MCP servers need a session. It is opened for the first handler that asks for one,
 * has no prompt and no transcript, and ends with the try. */

static void awl_hooks_on_event(__attribute__((unused)) void *arg,
			       __attribute__((unused)) struct awl_session *session,
			       __attribute__((unused)) const struct awl_event *event)
{
}

static struct session *awl_hooks_session(struct awl_hooks_try *t, struct err *err)
{
	struct awl_session_options options = AWL_SESSION_OPTIONS_INIT;

	options.cwd = t->project->work_dir.ptr;
	options.project_config_root = awl_project_elsewhere(t->project);
	options.skip_transcript = true;
	options.skip_session_hooks = true;
	if (!t->session && awl_session_open(&t->session, t->awl, &options, awl_hooks_on_event, t))
		err_set(err, ERR_INVALID, "%s", awl_last_error());
	return t->session ? t->session->session : NULL;
}

static struct session *awl_hooks_session_with_model(struct awl_hooks_try *t, struct err *err)
{
	if (!awl_is_demo(t->awl))
		return awl_hooks_session(t, err);
	err_set(err, ERR_UNSUPPORTED, "no model is configured (docs/models.md)");
	return NULL;
}

static struct op *awl_hooks_ask_model(void *arg, struct sv model, struct sv system, struct sv text,
				      struct str *out, struct then then)
{
	struct awl_hooks_try *t = arg;
	struct err err = ERR_INIT;
	struct session *s = awl_hooks_session_with_model(t, &err);

	return s ? session_hooks_ask_model(s, model, system, text, out, then)
		 : session_hooks_fail(t->loop, &err, then);
}

static struct op *awl_hooks_ask_agent(void *arg, struct sv model, struct sv system, struct sv text,
				      struct str *out, struct then then)
{
	struct awl_hooks_try *t = arg;
	struct err err = ERR_INIT;
	struct session *s = awl_hooks_session_with_model(t, &err);

	return s ? hooks_agent_start(s, model, system, text, out, then)
		 : session_hooks_fail(t->loop, &err, then);
}

static struct op *awl_hooks_call_tool(void *arg, struct sv server, struct sv tool, struct sv input,
				      struct str *out, struct then then)
{
	struct awl_hooks_try *t = arg;
	struct err err = ERR_INIT;
	struct session *s = awl_hooks_session(t, &err);

	return s ? session_mcp_hook_start(s, server, tool, input, out, then)
		 : session_hooks_fail(t->loop, &err, then);
}

/* --- the try --------------------------------------------------------------------------------- */

static void awl_hooks_on_done(struct op *op, void *owner, const struct err *why)
{
	static const enum awl_hooks_decision decisions[] = { [HOOK_NO_DECISION] = AWL_HOOKS_NONE,
							     [HOOK_ALLOW] = AWL_HOOKS_ALLOW,
							     [HOOK_ASK] = AWL_HOOKS_ASK,
							     [HOOK_DEFER] = AWL_HOOKS_ASK,
							     [HOOK_DENY] = AWL_HOOKS_BLOCK };
	struct awl_hooks_try *t = owner;

	awl_session_close(t->session); /* otherwise its servers would keep running */
	t->session = NULL;
	if (why)
		return;
	t->decision = decisions[hook_answer(op)->decision];
	hook_describe_answer(&t->project->result, hook_answer(op));
}

static bool awl_hooks_unknown_event(const char *event, struct err *err)
{
	struct nearest best = NEAREST_INIT;

	for (enum hook_event e = 0; e < HOOK_EVENTS; e++)
		nearest_offer(&best, sv_cstr(event), sv_cstr(hook_event_info(e)->name));
	if (best.word.len)
		return err_set(err, ERR_NOT_FOUND, "%s is not a hook event; did you mean %.*s?",
			       event, SV_ARG(best.word));
	return err_set(err, ERR_NOT_FOUND, "%s is not a hook event; docs/hooks.md lists them",
		       event);
}

static bool awl_hooks_make_input(struct hook_input *out, const struct awl_project *p,
				 const char *event, struct json given, struct arena *arena,
				 struct err *err)
{
	enum hook_event e = hook_event_find(sv_cstr(event));

	if (e == HOOK_EVENTS)
		return awl_hooks_unknown_event(event, err);
	hook_sample(out, e);
	out->session_id = SV("00000000-0000-4000-8000-000000000000");
	out->transcript_path = SV("/dev/null");
	out->cwd = sv_of(&p->work_dir);
	out->permission_mode = SV("default");
	return !json_exists(given) || hook_input_read(out, given, arena, err);
}

static void awl_hooks_run(struct awl_hooks_try *t, const struct settings *settings,
			  const struct hook_input *input)
{
	struct awl_project *p = t->project;
	defer(plugin_set_clear) struct plugin_set plugins = PLUGIN_SET_INIT;
	hook_plugins list = VEC_INIT;

	t->loop = t->awl->loop;
	t->hooks = hooks_new(&(struct hooks_opts){
		.loop = t->loop,
		.project_dir = p->dir.ptr,
		.services = { .arg = t,
			      .report = awl_hooks_on_report,
			      .ask_model = awl_hooks_ask_model,
			      .ask_agent = awl_hooks_ask_agent,
			      .call_tool = awl_hooks_call_tool,
			      .matches_rule = awl_hooks_matches_rule,
			      .http = awl_hooks_http,
			      .env = awl_hooks_env },
	});
	awl_hooks_add_plugins(p, settings, &plugins, &list);
	hooks_load(t->hooks, settings,
		   &(struct hook_others){ .plugins = list.at, .nplugins = list.n }, false,
		   &p->notes);
	vec_clear(&list);
	(void)hook_start(t->hooks, input, THEN(awl_hooks_on_done, t));
	loop_run(t->loop);
	hooks_free(t->hooks);
	http_free(t->http);
}

static enum awl_result awl_hooks_open(struct awl_hooks_try *t)
{
	const struct awl_project *p = t->project;
	struct awl_options options = AWL_OPTIONS_INIT;

	options.config_dir = awl_project_config_dir(p);
	options.settings = p->settings;
	options.setting_sources = p->sources;
	options.environment = p->has_env ? awl_project_env(p) : NULL;
	return awl_open(&t->awl, &options);
}

enum awl_result awl_hooks_test(struct awl_project *p, const char *event, const char *input,
			       enum awl_hooks_decision *decision, const char **text)
{
	defer(settings_freep) struct settings *settings = NULL;
	defer(project_clear) struct project project = PROJECT_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct awl_hooks_try t = { .project = p };
	struct hook_input made;
	enum awl_result opened;
	struct err err = ERR_INIT;

	awl_project_begin(p);
	if (input && !(doc = json_parse(sv_cstr(input), 0, &err))) {
		err_context(&err, "the input must be a JSON object");
		return awl_fail(&err);
	}
	awl_project_look(p, &project);
	if (!awl_hooks_make_input(&made, p, event, json_root(doc), &arena, &err) ||
	    !(settings = settings_load(&project.files, &p->notes, &err)))
		return awl_fail(&err);
	project_note_foreign(&project, &p->notes);
	opened = awl_hooks_open(&t);
	if (opened != AWL_OK)
		return opened;
	hook_input_name(&p->result, &made);
	str_addc(&p->result, '\n');
	awl_hooks_run(&t, settings, &made);
	awl_close(t.awl);
	*decision = t.decision;
	*text = str_c(&p->result);
	return AWL_OK;
}

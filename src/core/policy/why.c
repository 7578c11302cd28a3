#include "core/policy/why.h"

#include "core/extend/session_plugins.h"
#include "core/hooks/hook_guests.h"
#include "core/policy/project.h"
#include "core/policy/sandbox_load.h"
#include "hook/hook_set.h"
#include "perm/command/command_analysis.h"
#include "store/settings/settings.h"
#include "sys/fs.h"
#include "text/schema/schema.h"
#include "tool/tool.h"
#include "tool/user_tools.h"

void why_question_clear(struct why_question *q)
{
	vec_clear(&q->allow);
	vec_clear(&q->ask);
	vec_clear(&q->deny);
}

void why_answer_clear(struct why_answer *a)
{
	perm_report_clear(&a->report);
	arena_clear(&a->arena);
	str_clear(&a->notes);
}

/* --- the policy ----------------------------------------------------------- */

static bool why_add_rules(struct perm_policy *policy, enum behavior what, const struct sv *rules,
			  size_t n, struct err *err)
{
	const struct perm_rule origin = { .source = PERM_FROM_USER };

	for (size_t i = 0; i < n; i++)
		if (!perm_add_rule(policy, what, rules[i], &origin, err))
			return false;
	return true;
}

/* Make the sandbox that commands of a session would run in, without its proxy. */
static struct sandbox *why_make_sandbox(const struct perm_policy *policy,
					const struct settings *settings,
					const struct why_question *q)
{
	struct sandbox_opts opts = { .policy = policy,
				     .config_dir = q->config_dir,
				     .checkout = sv_cstr(q->project),
				     .temp_dir = SV("/tmp") };
	struct sandbox *sandbox;

	if (!settings_bool(settings, "sandbox.enabled"))
		return NULL;
	sandbox = sandbox_load(settings, q->env, opts);
	sandbox_probe(sandbox);
	return sandbox;
}

/* --- hooks ---------------------------------------------------------------- */

struct why_hooks {
	struct str *notes;
	struct sv tool;
};

/* Note the hooks that a session would ask first; only they know what they would say. */
static void why_note_set(void *arg, const char *when, const struct hook_set *set)
{
	const struct why_hooks *w = arg;
	hook_list list = VEC_INIT;

	hook_set_select(set, HOOK_PRE_TOOL_USE, w->tool, &list);
	for (size_t i = 0; i < list.n; i++) {
		const struct hook_handler *hook = list.at[i];

		if (hook->runs_async) /* it cannot decide */
			continue;
		if (when)
			str_addf(w->notes, "%s, a", when);
		else
			str_addc(w->notes, 'a');
		str_addf(w->notes, " PreToolUse hook (%s", hook->file);
		if (hook->line)
			str_addf(w->notes, ":%zu", hook->line);
		str_addf(w->notes, ") is asked first%s%.*s and may decide otherwise\n",
			 hook->condition.len ? " about " : "", SV_ARG(hook->condition));
	}
	vec_clear(&list);
}

static void why_note_hooks(struct str *notes, const struct settings *settings,
			   const struct project *project, const struct why_question *q,
			   bool explains)
{
	defer(str_clear) struct str ignored = STR_INIT;
	defer(plugin_set_clear) struct plugin_set plugins = PLUGIN_SET_INIT;
	struct why_hooks hooks = { notes, q->tool };
	hook_plugins from_plugins = VEC_INIT;
	struct hook_set *set;

	plugin_set_add_enabled(&plugins, settings, q->config_dir, project->files.project_dir);
	plugin_set_add_hooks(&plugins, &from_plugins);
	set = hook_set_new(
		settings,
		&(struct hook_others){ .plugins = from_plugins.at, .nplugins = from_plugins.n },
		false, &ignored);
	vec_clear(&from_plugins);
	why_note_set(&hooks, NULL, set);
	hook_set_unref(set);
	if (explains)
		hook_guests_visit(&(struct hook_guests){ settings, project, &plugins }, &ignored,
				  why_note_set, &hooks);
}

static bool why_load_policy(struct perm_policy *policy, struct sandbox **sandbox,
			    const struct why_question *q, const char *cwd, bool explains,
			    struct str *notes, struct err *err)
{
	defer(settings_freep) struct settings *settings = NULL;
	defer(project_clear) struct project project = PROJECT_INIT;
	struct policy_opts opts = { .home = q->home,
				    .cwd = cwd,
				    .config_root = q->project,
				    .config_dir = q->config_dir,
				    .env = q->env,
				    .mode = q->mode };

	project_inspect_for(&project, q->config_dir, q->project ? q->project : cwd, cwd, NULL);
	project.files.env = q->env;
	project.files.flag = q->flag_settings;
	project.files.sources = q->setting_sources;
	settings = settings_load(&project.files, notes, err);
	opts.settings = settings;
	if (!settings || !policy_load(policy, &opts, notes, err) ||
	    !why_add_rules(policy, BEHAVIOR_ALLOW, q->allow.at, q->allow.n, err) ||
	    !why_add_rules(policy, BEHAVIOR_ASK, q->ask.at, q->ask.n, err) ||
	    !why_add_rules(policy, BEHAVIOR_DENY, q->deny.at, q->deny.n, err))
		return false;
	project_note_foreign(&project, notes);
	why_note_hooks(notes, settings, &project, q, explains);
	*sandbox = why_make_sandbox(policy, settings, q);
	return true;
}

/* --- the request ------------------------------------------------------------- */

void why_schema_clear(struct why_schema *schema)
{
	schema_freep(&schema->schema);
	json_doc_freep(&schema->doc);
	schema->tool = NULL;
}

static bool why_compile_schema(struct why_schema *schema, const struct tool *tool, struct err *err)
{
	if (schema->tool == tool)
		return true;
	why_schema_clear(schema);
	schema->doc = json_parse(tool->schema, 0, err);
	schema->schema = schema->doc ? schema_compile(json_root(schema->doc), err) : NULL;
	if (!schema->schema)
		return false;
	schema->tool = tool;
	return true;
}

static bool why_check_input(struct why_schema *schema, const struct tool *tool, struct json input,
			    struct err *err)
{
	defer(str_clear) struct str report = STR_INIT;

	if (!why_compile_schema(schema, tool, err))
		return false;
	if (!schema_check(schema->schema, input, &report))
		return err_set(err, ERR_INVALID, "the input does not fit %s: %s", tool->name,
			       str_c(&report));
	return true;
}

/* Whether the input says what the call is about, even if it does not fit the schema. */
static bool why_names_something(const struct tool *tool, struct json input)
{
	static const char keys[][14] = { "command", "file_path", "notebook_path", "path",
					 "pattern", "url",       "skill" };

	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(tool->schema, 0, &err);
	struct json known = json_get(json_root(doc), "properties");

	for (size_t i = 0; i < countof(keys); i++)
		if (json_exists(json_get(known, keys[i])) &&
		    json_str_or(json_get(input, keys[i]), SV_EMPTY).len)
			return true;
	return false;
}

/* Describe a call of a tool that is not built in. Fails when the name is only spelt wrong. */
static bool why_describe_unknown(struct perm_request *out, const struct why_question *q,
				 struct str *notes, struct err *err)
{
	size_t n;
	const struct tool *const *all = tool_builtins(&n);

	for (size_t i = 0; i < n; i++)
		if (sv_eq_nocase(sv_cstr(all[i]->name), q->tool))
			return err_set(err, ERR_INVALID, "there is no tool %.*s; use %s",
				       SV_ARG(q->tool), all[i]->name);
	if (!sv_starts(q->tool, SV("mcp__")))
		str_addf(notes,
			 "%.*s is not built in; a server or the host would have to provide it\n",
			 SV_ARG(q->tool));
	*out = (struct perm_request){ .tool = q->tool, .access = ACCESS_OTHER, .input = q->input };
	return true;
}

bool why_knows_tool(const struct why_question *q)
{
	defer(user_tools_clear) struct user_tools own = USER_TOOLS_INIT;
	defer(str_clear) struct str dir = STR_INIT;
	size_t n;
	const struct tool *const *all = tool_builtins(&n);
	bool found = tool_find(all, n, q->tool) || sv_starts(q->tool, SV("mcp__"));

	if (found || !q->config_dir)
		return found;
	str_addf(&dir, "%s/awl/tools", q->config_dir);
	user_tools_load(&own, dir.ptr);
	for (size_t i = 0; i < own.list.n; i++)
		found |= sv_is(q->tool, own.list.at[i].name);
	return found;
}

/* Describe the call. A tool that is not built in belongs to a server or to the host, and nothing is
 * known about it. */
static bool why_make_request(struct perm_request *out, const struct why_question *q,
			     const char *cwd, struct tool_context *ctx, struct arena *arena,
			     struct str *notes, struct err *err)
{
	size_t n;
	const struct tool *const *all = tool_builtins(&n);
	struct tool_call call = { .tool = tool_find(all, n, q->tool),
				  .ctx = ctx,
				  .input = q->input };

	if (!call.tool)
		return why_describe_unknown(out, q, notes, err);
	if (!why_check_input(q->schema, call.tool, q->input, err)) {
		if (!why_names_something(call.tool, q->input))
			return false;
		str_addf(notes, "%s\n", err->text);
	}
	str_adds(&ctx->cwd, cwd);
	tool_perm_request(&call, arena, out);
	return true;
}

/* Find rules that would allow the call. */
static void why_find_rules(struct why_answer *out, const struct perm_policy *policy,
			   const struct perm_request *request)
{
	struct sv narrow[SUGGEST_MAX];

	out->nrules = perm_suggest(policy, request, &out->arena, out->rules);
	out->needs_bare_rule =
		!out->nrules && perm_suggest_narrowest(policy, request, &out->arena, narrow) > 0;
}

bool why_ask(struct why_answer *out, const struct why_question *q, bool explains, struct err *err)
{
	static const struct tool_services none = { .arg = NULL };
	defer(str_clear) struct str home = STR_INIT;
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(str_clear) struct str cwd = STR_INIT;
	const char *env[] = { NULL, NULL };
	struct sandbox *sandbox = NULL;
	struct tool_session session = { .env = env, .services = &none };
	struct tool_context ctx = { .session = &session };
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	struct perm_request perm_request = { .access = ACCESS_OTHER };
	bool ok;

	if (q->home) { /* the meaning of "~" */
		str_addf(&home, "HOME=%s", q->home);
		env[0] = home.ptr;
	}
	ok = fs_realpath(&cwd, q->cwd, err) &&
	     why_load_policy(&policy, &sandbox, q, cwd.ptr, explains, &out->notes, err);
	session.root = str_c(&cwd);
	session.sandbox = sandbox;
	ok = ok && why_make_request(&perm_request, q, cwd.ptr, &ctx, &out->arena, &out->notes, err);
	if (ok) {
		if (perm_request.access == ACCESS_RUN) {
			perm_analyse(&analysis, &policy, &perm_request);
			perm_request.analysis = &analysis;
		}
		out->mode = policy.mode;
		out->verdict = perm_explain(&policy, &perm_request, explains ? &out->report : NULL);
		out->is_unsure = policy.is_incomplete;
		out->asks_model = perm_is_for_model(&policy, &perm_request, &out->verdict);
		if (explains && out->verdict.behavior != BEHAVIOR_ALLOW)
			why_find_rules(out, &policy, &perm_request);
	}
	command_analysis_clear(&analysis);
	if (sandbox)
		sandbox_free(sandbox);
	str_clear(&ctx.cwd);
	return ok;
}

#include "proto/reply.h"

#include "proto/reply_context.h"

/* --- models ---------------------------------------------------------------------- */

static void reply_write_model(struct jw *w, const struct reply_model *m)
{
	jw_object(w);
	jw_put_str(w, "value", m->value);
	jw_put_str(w, "resolvedModel", m->id);
	jw_put_str(w, "displayName", m->name);
	jw_put_str(w, "description", m->description);
	jw_put_bool(w, "supportsEffort", m->takes_effort);
	if (m->takes_effort) {
		jw_put_array(w, "supportedEffortLevels");
		for (size_t i = 0; i < m->nefforts; i++)
			jw_str(w, m->efforts[i]);
		jw_end(w);
	}
	jw_put_bool(w, "supportsAdaptiveThinking", m->thinks_adaptively);
	if (m->runs_fast)
		jw_put_bool(w, "supportsFastMode", true);
	jw_put_bool(w, "supportsAutoMode", m->calls_tools);
	jw_end(w);
}

static void reply_put_models(struct jw *w, const struct reply_models *models)
{
	jw_put_array(w, "models");
	for (size_t i = 0; i < models->n; i++)
		reply_write_model(w, &models->at[i]);
	jw_end(w);
}

/* --- MCP servers ----------------------------------------------------------------- */

static void reply_mcp_put_text(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

static void reply_mcp_put_config(struct jw *w, const struct reply_mcp_server *server)
{
	jw_put_object(w, "config");
	jw_put_str(w, "type", server->transport);
	reply_mcp_put_text(w, "command", server->command);
	if (server->command.len) {
		jw_put_array(w, "args");
		for (size_t i = 0; server->args && server->args[i]; i++)
			jw_str(w, sv_cstr(server->args[i]));
		jw_end(w);
	}
	reply_mcp_put_text(w, "url", server->url);
	if (sv_is(server->transport, "sdk"))
		jw_put_str(w, "name", server->name);
	jw_end(w);
}

static void reply_mcp_put_tool(struct jw *w, const struct reply_mcp_tool *tool)
{
	jw_object(w);
	jw_put_str(w, "name", tool->name);
	reply_mcp_put_text(w, "description", tool->description);
	if (tool->has_hints) {
		jw_put_object(w, "annotations");
		jw_put_bool(w, "readOnly", tool->is_read_only);
		jw_put_bool(w, "destructive", tool->is_destructive);
		jw_put_bool(w, "openWorld", tool->is_open_world);
		jw_end(w);
	}
	jw_end(w);
}

static void reply_mcp_put_server(struct jw *w, const struct reply_mcp_server *server)
{
	jw_object(w);
	jw_put_str(w, "name", server->name);
	jw_put_str(w, "status", server->status);
	if (server->info_name.len) {
		jw_put_object(w, "serverInfo");
		jw_put_str(w, "name", server->info_name);
		jw_put_str(w, "version", server->info_version);
		jw_end(w);
	}
	reply_mcp_put_text(w, "error", server->error);
	reply_mcp_put_config(w, server);
	jw_put_str(w, "scope", server->scope);
	jw_put_str(w, "source", server->source);
	if (server->is_connected) {
		jw_put_array(w, "tools");
		for (size_t i = 0; i < server->ntools; i++)
			reply_mcp_put_tool(w, &server->tools[i]);
		jw_end(w);
	}
	jw_end(w);
}

static void reply_mcp_status_write(struct jw *w, const struct reply_mcp_status *status)
{
	jw_put_array(w, "mcpServers");
	for (size_t i = 0; i < status->n; i++)
		reply_mcp_put_server(w, &status->at[i]);
	jw_end(w);
}

static void reply_mcp_put_names(struct jw *w, const char *key, const struct sv *names, size_t n)
{
	jw_put_array(w, key);
	for (size_t i = 0; i < n; i++)
		jw_str(w, names[i]);
	jw_end(w);
}

static void reply_mcp_set_write(struct jw *w, const struct reply_mcp_set *set)
{
	reply_mcp_put_names(w, "added", set->added, set->nadded);
	reply_mcp_put_names(w, "removed", set->removed, set->nremoved);
	jw_put_object(w, "errors");
	for (size_t i = 0; i < set->nerrors; i++) {
		jw_key(w, set->errors[i].name);
		jw_str(w, set->errors[i].text);
	}
	jw_end(w);
}

/* --- initialize ------------------------------------------------------------------ */

static void reply_put_aliases(struct jw *w, struct sv aliases)
{
	struct sv alias;

	if (!aliases.len)
		return;
	jw_put_array(w, "aliases");
	while (sv_cut(&aliases, ' ', &alias))
		jw_str(w, alias);
	jw_end(w);
}

void reply_write_command(struct jw *w, const struct reply_command *command)
{
	jw_object(w);
	jw_put_str(w, "name", command->name);
	jw_put_str(w, "description", command->description);
	jw_put_str(w, "argumentHint", command->argument_hint);
	reply_put_aliases(w, command->aliases);
	if (command->is_builtin)
		jw_put_bool(w, "builtin", true);
	jw_end(w);
}

static void reply_put_commands(struct jw *w, const struct reply_initialize *r)
{
	jw_put_array(w, "commands");
	for (size_t i = 0; i < r->ncommands; i++)
		reply_write_command(w, &r->commands[i]);
	jw_end(w);
}

static void reply_put_agents(struct jw *w, const struct reply_initialize *r)
{
	jw_put_array(w, "agents");
	for (size_t i = 0; i < r->nagents; i++) {
		jw_object(w);
		jw_put_str(w, "name", r->agents[i].name);
		jw_put_str(w, "description", r->agents[i].description);
		if (r->agents[i].model.len)
			jw_put_str(w, "model", r->agents[i].model);
		jw_end(w);
	}
	jw_end(w);
}

static void reply_put_pending(struct jw *w, const char *key, const struct reply_initialize *r,
			      enum host_request_kind kind)
{
	jw_put_array(w, key);
	for (size_t i = 0; i < r->npending; i++) {
		if (r->pending[i].kind != kind)
			continue;
		jw_object(w);
		jw_put_str(w, "type", SV("control_request"));
		host_request_write(w, &r->pending[i]);
		jw_end(w);
	}
	jw_end(w);
}

/* Questions that were asked already, for a host that has joined since. They stand beside the
 * response. awl never opens a dialog of the host. */
static void reply_put_questions(struct jw *w, const struct reply_initialize *r)
{
	reply_put_pending(w, "pending_permission_requests", r, HOST_CAN_USE_TOOL);
	jw_put_raw(w, "pending_user_dialog_requests", SV("[]"));
	reply_put_pending(w, "pending_elicitation_requests", r, HOST_ELICITATION);
}

static void reply_write_skills(struct jw *w, const struct control_reply *reply)
{
	jw_put_array(w, "skills");
	for (size_t i = 0; i < reply->skills.n; i++)
		if (reply->skills.at[i].is_skill)
			reply_write_command(w, &reply->skills.at[i]);
	jw_end(w);
}

void reply_put_plugins(struct jw *w, const struct reply_plugin *plugins, size_t n, bool with_source)
{
	jw_put_array(w, "plugins");
	for (size_t i = 0; i < n; i++) {
		jw_object(w);
		jw_put_str(w, "name", plugins[i].name);
		jw_put_str(w, "path", plugins[i].path);
		if (with_source)
			jw_put_str(w, "source", plugins[i].source);
		if (plugins[i].version.len)
			jw_put_str(w, "version", plugins[i].version);
		jw_end(w);
	}
	jw_end(w);
}

static struct sv reply_plugin_fault(enum err_kind why)
{
	if (why == ERR_NOT_FOUND)
		return SV("path-not-found");
	if (why == ERR_PARSE || why == ERR_INVALID)
		return SV("manifest-validation-error");
	return why == ERR_UNSUPPORTED ? SV("dependency-unsatisfied") : SV("generic-error");
}

void reply_put_plugin_errors(struct jw *w, const struct reply_plugin_error *errors, size_t n)
{
	if (!n)
		return;
	jw_put_array(w, "plugin_errors");
	for (size_t i = 0; i < n; i++) {
		jw_object(w);
		jw_put_str(w, "plugin", errors[i].plugin);
		jw_put_str(w, "type", reply_plugin_fault(errors[i].why));
		jw_put_str(w, "message", errors[i].message);
		if (errors[i].path.len)
			jw_put_str(w, "path", errors[i].path);
		jw_end(w);
	}
	jw_end(w);
}

static void reply_write_plugins(struct jw *w, const struct reply_plugins *r)
{
	reply_put_commands(w, &r->lists);
	reply_put_agents(w, &r->lists);
	reply_put_plugins(w, r->at, r->n, true);
	reply_mcp_status_write(w, &r->servers);
	jw_put_int(w, "error_count", (int64_t)r->nerrors);
}

static void reply_put_styles(struct jw *w, const struct reply_styles *styles)
{
	jw_put_array(w, "available_output_styles");
	for (size_t i = 0; i < styles->n; i++)
		jw_str(w, styles->at[i]);
	jw_end(w);
}

static void reply_put_account(struct jw *w, const struct reply_account *account)
{
	jw_put_object(w, "account");
	jw_put_str(w, "tokenSource", account->token_source);
	jw_put_str(w, "apiKeySource", account->key_source);
	if (account->provider.len)
		jw_put_str(w, "apiProvider", account->provider);
	jw_end(w);
}

static void reply_write_initialize(struct jw *w, const struct reply_initialize *r)
{
	reply_put_commands(w, r);
	reply_put_agents(w, r);
	reply_put_models(w, &r->models);
	jw_put_str(w, "output_style", r->output_style);
	reply_put_styles(w, &r->styles);
	reply_put_account(w, &r->account);
	jw_put_int(w, "pid", r->pid);
	jw_put_str(w, "claude_code_version", r->version);
	jw_put_str(w, "current_permission_mode", r->permission_mode);
	jw_put_str(w, "session_state",
		   r->needs_user ? SV("requires_action")
		   : r->is_busy  ? SV("running")
				 : SV("idle"));
	fast_mode_put(w, &r->fast);
	jw_put_bool(w, "hook_on_failure_supported", true);
	if (r->has_hooks)
		jw_put_bool(w, "hooks_applied", true);
	if (r->has_plugins)
		jw_put_bool(w, "plugins_applied", r->applies_plugins);
	reply_put_capabilities(w);
}

/* --- prompts ---------------------------------------------------------------------- */

void reply_put_capabilities(struct jw *w)
{
	jw_put_raw(w, "capabilities",
		   SV("[\"interrupt_receipt_v1\",\"interrupt_cancel_queued_v1\","
		      "\"reload_plugins_refuse_if_busy_v1\"]"));
}

static void reply_put_list(struct jw *w, const char *key, const struct sv *items, size_t n)
{
	jw_put_array(w, key);
	for (size_t i = 0; i < n; i++)
		jw_str(w, items[i]);
	jw_end(w);
}

static void reply_write_interrupt(struct jw *w, const struct reply_interrupt *r)
{
	reply_put_list(w, "still_queued", r->queued, r->nqueued);
	if (r->cancels)
		reply_put_list(w, "cancelled", r->cancelled, r->ncancelled);
}

/* --- files and tasks ---------------------------------------------------------------- */

static void reply_write_file(struct jw *w, const struct reply_file *file)
{
	jw_put_str(w, "contents", file->contents);
	jw_put_str(w, "absPath", file->path);
	if (file->is_cut)
		jw_put_bool(w, "truncated", true);
	if (file->is_base64)
		jw_put_str(w, "encoding", SV("base64"));
	else
		jw_put_bool(w, "lossy", file->is_lossy);
}

static void reply_write_suggestions(struct jw *w, const struct reply_suggestions *s)
{
	jw_put_array(w, "suggestions");
	for (size_t i = 0; i < s->n; i++) {
		jw_object(w);
		jw_put_str(w, "path", s->at[i]);
		jw_end(w);
	}
	jw_end(w);
	jw_put_str(w, "cwd", s->cwd);
}

static void reply_write_output(struct jw *w, const struct reply_output *output)
{
	jw_put_str(w, "output", output->text);
	jw_put_int(w, "total_bytes", output->total);
	jw_put_bool(w, "truncated", output->is_cut);
}

/* --- the session ---------------------------------------------------------------------- */

static void reply_write_prompts(struct jw *w, const struct reply_prompts *prompts)
{
	jw_put_array(w, "prompts");
	for (size_t i = 0; i < prompts->n; i++) {
		jw_object(w);
		jw_put_str(w, "uuid", prompts->at[i].uuid);
		jw_put_str(w, "title", prompts->at[i].title);
		jw_put_int(w, "files_changed", prompts->at[i].nfiles);
		jw_end(w);
	}
	jw_end(w);
}

static void reply_write_rewind(struct jw *w, const struct reply_rewind *rewind)
{
	jw_put_bool(w, "canRewind", !rewind->error.len);
	if (rewind->error.len) {
		jw_put_str(w, "error", rewind->error);
		return;
	}
	jw_put_array(w, "filesChanged");
	for (size_t i = 0; i < rewind->nfiles; i++)
		jw_str(w, rewind->files[i]);
	jw_end(w);
	jw_put_int(w, "insertions", rewind->added);
	jw_put_int(w, "deletions", rewind->removed);
}

static void reply_write_worktree(struct jw *w, const struct reply_worktree *worktree)
{
	jw_put_bool(w, "removed", worktree->is_removed);
	if (!worktree->path.len)
		return;
	jw_put_str(w, "worktreePath", worktree->path);
	jw_put_str(w, "worktreeBranch", worktree->branch);
	jw_put_int(w, "changedFiles", worktree->files);
	jw_put_int(w, "newCommits", worktree->commits);
}

static void reply_write_usage(struct jw *w, const struct reply_usage *usage)
{
	jw_put_object(w, "session");
	jw_put_real(w, "total_cost_usd", usage->cost_usd);
	jw_put_int(w, "total_api_duration_ms", usage->api_ms);
	jw_put_int(w, "total_duration_ms", usage->duration_ms);
	jw_put_int(w, "awl_tool_duration_ms", usage->work.ms[USAGE_TOOL]);
	jw_put_object(w, "awl_work");
	usage_work_write(w, &usage->work);
	jw_end(w);
	jw_put_object(w, "awl_last_turn");
	usage_work_write(w, &usage->last_turn);
	jw_end(w);
	jw_put_int(w, "total_lines_added", usage->lines_added);
	jw_put_int(w, "total_lines_removed", usage->lines_removed);
	jw_key(w, SV("model_usage"));
	usage_models_write(w, usage->models, usage->nmodels);
	jw_end(w);
	jw_put_null(w, "subscription_type");
	jw_put_bool(w, "rate_limits_available", false);
	jw_put_null(w, "rate_limits");
	jw_put_null(w, "behaviors");
}

static void reply_write_status(struct jw *w, const struct control_reply *reply)
{
	jw_put_array(w, "sections");
	jw_object(w);
	jw_put_str(w, "title", SV("Session"));
	jw_put_array(w, "rows");
	for (size_t i = 0; i < reply->status.n; i++) {
		if (!reply->status.at[i].value.len)
			continue;
		jw_object(w);
		jw_put_str(w, "label", reply->status.at[i].label);
		jw_put_str(w, "value", reply->status.at[i].value);
		jw_end(w);
	}
	jw_end(w);
	jw_end(w);
	jw_end(w);
}

/* --- rules ------------------------------------------------------------------------ */

static const char *reply_editability_name(enum reply_editability editability)
{
	switch (editability) {
	case REPLY_PERSISTENT: return "persistent";
	case REPLY_FOR_SESSION: return "session";
	case REPLY_READONLY: break;
	}
	return "readonly";
}

static void reply_put_rules(struct jw *w, const struct reply_rules *rules)
{
	jw_put_array(w, "rules");
	for (size_t i = 0; i < rules->n; i++) {
		const struct reply_rule *rule = &rules->at[i];

		jw_object(w);
		jw_put_str(w, "behavior", sv_cstr(behavior_name(rule->behavior)));
		jw_put_str(w, "source", rule->source);
		jw_put_str(w, "rule", rule->text);
		jw_put_str(w, "editability", sv_cstr(reply_editability_name(rule->editability)));
		jw_end(w);
	}
	jw_end(w);
}

static void reply_write_rules(struct jw *w, const struct reply_rules *rules)
{
	jw_put_object(w, "state");
	reply_put_rules(w, rules);
	jw_put_array(w, "workspaceDirectories");
	for (size_t i = 0; i < rules->ndirs; i++) {
		jw_object(w);
		jw_put_str(w, "path", rules->dirs[i]);
		jw_put_str(w, "source", SV("session")); /* nobody records who added it */
		jw_end(w);
	}
	jw_end(w);
	jw_put_str(w, "originalCwd", rules->cwd);
	jw_put_bool(w, "managedOnly", rules->managed_only);
	jw_end(w);
}

/* --- hooks ------------------------------------------------------------------------ */

static void reply_hooks_put_event(struct jw *w, const struct reply_hook_event *event, bool counts)
{
	jw_object(w);
	jw_put_str(w, "name", event->name);
	jw_put_str(w, "summary", event->summary);
	jw_put_bool(w, "supportsMatcher", event->has_matcher);
	if (counts)
		jw_put_int(w, "hookCount", event->nhooks);
	jw_end(w);
}

static void reply_hooks_put_hook(struct jw *w, const struct reply_hook *hook)
{
	jw_object(w);
	jw_put_str(w, "event", hook->event);
	jw_put_str(w, "matcher", hook->matcher);
	jw_put_str(w, "source", hook->source);
	jw_put_str(w, "sourceLabel", hook->source_label);
	jw_put_str(w, "type", hook->type);
	jw_put_str(w, "displayText", hook->status.len ? hook->status : hook->text);
	jw_put_str(w, "commandText", hook->text);
	jw_put_str(w, "contentLabel", hook->label);
	if (hook->condition.len)
		jw_put_str(w, "condition", hook->condition);
	jw_put_real(w, "timeout", (double)hook->timeout_ms / 1000);
	if (hook->status.len)
		jw_put_str(w, "statusMessage", hook->status);
	if (hook->runs_once)
		jw_put_bool(w, "runsOnce", true);
	if (hook->runs_in_background)
		jw_put_bool(w, "runsInBackground", true);
	jw_end(w);
}

static void reply_hooks_put_policy(struct jw *w, const struct reply_hooks *hooks)
{
	jw_put_object(w, "policy");
	jw_put_bool(w, "disabledByPolicy", hooks->is_disabled_by_policy);
	jw_put_bool(w, "managedOnly", hooks->is_managed_only);
	jw_put_bool(w, "pluginOnly", false);
	jw_put_bool(w, "allDisabled", hooks->is_disabled);
	jw_put_int(w, "policyHookCount", hooks->npolicy);
	jw_end(w);
}

static void reply_hooks_write(struct jw *w, const struct reply_hooks *hooks)
{
	jw_put_array(w, "events");
	for (size_t i = 0; i < hooks->nevents; i++)
		if (hooks->events[i].nhooks)
			reply_hooks_put_event(w, &hooks->events[i], true);
	jw_end(w);
	jw_put_array(w, "hooks");
	for (size_t i = 0; i < hooks->nhooks; i++)
		reply_hooks_put_hook(w, &hooks->hooks[i]);
	jw_end(w);
	jw_put_array(w, "eventCatalog");
	for (size_t i = 0; i < hooks->nevents; i++)
		reply_hooks_put_event(w, &hooks->events[i], false);
	jw_end(w);
	reply_hooks_put_policy(w, hooks);
}

/* --- settings --------------------------------------------------------------------- */

static void reply_put_settings_errors(struct jw *w, const struct reply_settings *settings)
{
	if (!settings->nerrors)
		return;
	jw_put_array(w, "errors");
	for (size_t i = 0; i < settings->nerrors; i++) {
		jw_object(w);
		jw_put_str(w, "file", settings->errors[i].file);
		jw_put_str(w, "path", SV_EMPTY); /* the whole file */
		jw_put_str(w, "message", settings->errors[i].message);
		jw_end(w);
	}
	jw_end(w);
}

void reply_settings_write(struct jw *w, const struct reply_settings *settings)
{
	jw_put_value(w, "effective", settings->effective);
	jw_put_array(w, "sources");
	for (size_t i = 0; i < settings->nsources; i++) {
		jw_object(w);
		jw_put_str(w, "source", settings->sources[i].name);
		jw_put_str(w, "file", settings->sources[i].file);
		jw_put_value(w, "settings", settings->sources[i].settings);
		jw_end(w);
	}
	jw_end(w);
	reply_put_settings_errors(w, settings);
}

static void reply_put_applied(struct jw *w, const struct reply_applied *applied)
{
	jw_put_object(w, "applied");
	jw_put_str(w, "model", applied->model);
	if (applied->effort.len)
		jw_put_str(w, "effort", applied->effort);
	jw_end(w);
}

/* --- all -------------------------------------------------------------------------- */

static void control_reply_write_body(struct jw *w, const struct control_reply *reply)
{
	switch (reply->kind) {
	case REPLY_MODE: jw_put_str(w, "mode", reply->mode); break;
	case REPLY_MODEL: jw_put_str(w, "model", reply->model); break;
	case REPLY_WARNING:
		if (reply->warning.len)
			jw_put_str(w, "warning", reply->warning);
		break;
	case REPLY_TITLE:
		if (reply->title.len)
			jw_put_str(w, "title", reply->title);
		else
			jw_put_null(w, "title");
		break;
	case REPLY_INTERRUPT: reply_write_interrupt(w, &reply->interrupt); break;
	case REPLY_CANCELLED: jw_put_bool(w, "cancelled", reply->was_cancelled); break;
	case REPLY_ANSWER:
		jw_put_str(w, "response", reply->answer);
		jw_put_bool(w, "synthetic", false);
		break;
	case REPLY_FILE: reply_write_file(w, &reply->file); break;
	case REPLY_SUGGESTIONS: reply_write_suggestions(w, &reply->suggestions); break;
	case REPLY_OUTPUT: reply_write_output(w, &reply->output); break;
	case REPLY_NOT_MOVED: jw_put_bool(w, "backgrounded", false); break;
	case REPLY_PROMPTS: reply_write_prompts(w, &reply->prompts); break;
	case REPLY_REWIND: reply_write_rewind(w, &reply->rewind); break;
	case REPLY_WORKTREE: reply_write_worktree(w, &reply->worktree); break;
	case REPLY_USAGE: reply_write_usage(w, &reply->usage); break;
	case REPLY_TEXT: jw_put_str(w, "text", reply->text); break;
	case REPLY_RAN:
		jw_put_str(w, "output", reply->ran.output);
		jw_put_bool(w, "is_error", reply->ran.is_error);
		break;
	case REPLY_PLAN:
		jw_put_bool(w, "exists", reply->plan.path.len > 0);
		if (reply->plan.path.len) {
			jw_put_str(w, "plan", reply->plan.text);
			jw_put_str(w, "filePath", reply->plan.path);
		}
		break;
	case REPLY_VERSION:
		jw_put_str(w, "version", reply->text);
		jw_put_str(w, "buildTime", SV_EMPTY);
		break;
	case REPLY_STATUS: reply_write_status(w, reply); break;
	case REPLY_STYLES: reply_put_styles(w, &reply->styles); break;
	case REPLY_SKILLS: reply_write_skills(w, reply); break;
	case REPLY_PLUGINS: reply_write_plugins(w, &reply->plugins); break;
	case REPLY_INITIALIZE: reply_write_initialize(w, &reply->initialize); break;
	case REPLY_MODELS: reply_put_models(w, &reply->models); break;
	case REPLY_RULES: reply_write_rules(w, &reply->rules); break;
	case REPLY_CONTEXT: reply_context_write(w, &reply->context); break;
	case REPLY_HOOKS: reply_hooks_write(w, &reply->hooks); break;
	case REPLY_MCP_STATUS: reply_mcp_status_write(w, &reply->mcp_status); break;
	case REPLY_MCP_SET: reply_mcp_set_write(w, &reply->mcp_set); break;
	case REPLY_SETTINGS:
		reply_settings_write(w, &reply->settings.settings);
		reply_put_applied(w, &reply->settings.applied);
		break;
	case REPLY_DONE:
	case REPLY_OBJECT:
	case REPLY_ERROR:
	case REPLY_VALUE: break;
	}
}

static void control_reply_put_response(struct jw *w, const struct control_reply *reply)
{
	if (reply->kind == REPLY_DONE)
		return;
	if (reply->kind == REPLY_VALUE) {
		jw_put_value(w, "response", reply->value);
		return;
	}
	jw_put_object(w, "response");
	control_reply_write_body(w, reply);
	jw_end(w);
	if (reply->kind == REPLY_INITIALIZE)
		reply_put_questions(w, &reply->initialize);
}

static void control_reply_put_error(struct jw *w, const struct control_reply *reply)
{
	jw_put_str(w, "error", reply->error.text);
	if (reply->error.code.len)
		jw_put_str(w, "error_code", reply->error.code);
}

void control_reply_write(struct jw *w, const struct control_reply *reply)
{
	bool failed = reply->kind == REPLY_ERROR;

	jw_put_object(w, "response");
	jw_put_str(w, "subtype", failed ? SV("error") : SV("success"));
	jw_put_str(w, "request_id", reply->request_id);
	if (failed)
		control_reply_put_error(w, reply);
	else
		control_reply_put_response(w, reply);
	jw_end(w);
}

void control_reply_read(struct control_reply *out, struct json frame)
{
	struct json response = json_get(frame, "response"), value = json_get(response, "response");

	*out = (struct control_reply){
		.request_id = json_str_or(json_get(response, "request_id"), SV_EMPTY),
		.kind = json_exists(value) ? REPLY_VALUE : REPLY_DONE,
	};
	if (sv_is(json_str_or(json_get(response, "subtype"), SV_EMPTY), "error")) {
		out->kind = REPLY_ERROR;
		out->error.text = json_str_or(json_get(response, "error"), SV_EMPTY);
		out->error.code = json_str_or(json_get(response, "error_code"), SV_EMPTY);
	} else {
		out->value = value;
	}
}

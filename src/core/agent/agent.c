/* An agent is everything one model loop needs, owned in one place. turn.c drives it, call.c and
 * executor.c run its tools; they see the struct (agent_internal.h). Everybody else, the session
 * included, sees functions.
 *
 * A child agent is made for one call of its parent. It shares the parent's session (files,
 * variables, sandbox, permissions, costs) and has a history, a tool set, a directory and a list
 * of read files of its own. All its events name the parent's call; agent_emit_as() is the only
 * place that sees to that.
 *
 * A request borrows the model's name, the system prompt, the tool descriptions and the history
 * for as long as it runs. So a change of model waits in `choice.next` while one is in flight,
 * and the tool set keeps what it drops until the next request. */
#include "core/agent/agent_internal.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "proto/message.h"
#include "tool/read/read_state.h"

static const struct hook_points no_hooks = { .arg = NULL };
static const struct model_rules no_rules = { .table = NULL };

/* --- life ------------------------------------------------------------------------- */

static void agent_copy_choice(struct agent *agent, const struct agent_model_spec *model)
{
	struct agent_choice *choice = &agent->choice;

	str_add(&choice->next, model->id);
	str_add(&choice->fallbacks, model->fallbacks);
	choice->wanted_effort = model->effort;
	choice->wants_fast = model->fast;
	choice->thinking = model->thinking;
	choice->thinking_budget = model->thinking_budget;
	choice->display = model->display;
	choice->task_budget = model->task_budget;
	choice->first_thinking = model->thinking;
	choice->first_budget = model->thinking_budget;
	choice->cache = model->cache;
	choice->max_context = model->max_context;
}

/* Show ToolSearch what it can load. */
static void agent_lend_deferred(struct agent *agent)
{
	agent->ctx.deferred = agent->tools.deferred.at;
	agent->ctx.ndeferred = agent->tools.deferred.n;
}

/* Offer the parent's tools, with the same bytes. */
static void agent_inherit_tools(struct toolset *set, const struct toolset *from)
{
	for (size_t i = 0; i < from->nfirst; i++) {
		if (!toolset_is_search(from->entries.at[i]->tool))
			vec_push(&set->entries, toolset_entry_ref(from->entries.at[i]));
		if (i + 1 == from->nbuiltin)
			set->nbuiltin = set->entries.n;
	}
	for (size_t i = 0; i < from->deferred.n; i++)
		toolset_add(set, from->deferred.at[i]);
}

/* Offer what the parent offers, loaded or not, as its last request had it. */
static void agent_copy_tools(struct agent *agent, const struct toolset *from)
{
	struct toolset *set = &agent->tools;

	for (size_t i = 0; i < from->entries.n; i++)
		vec_push(&set->entries, toolset_entry_ref(from->entries.at[i]));
	for (size_t i = 0; i < from->deferred.n; i++)
		vec_push(&set->deferred, from->deferred.at[i]);
	set->nbuiltin = from->nbuiltin;
	set->nfirst = from->nfirst;
	agent_lend_deferred(agent);
}

static bool agent_choose_tools(struct agent *agent, const struct agent_tools *tools,
			       struct err *err)
{
	if (!toolset_builtins(&agent->tools, tools->list, agent->policy, err))
		return false;
	for (size_t i = 0; i < tools->nown; i++) {
		struct sv name = sv_cstr(tools->own[i]->name);

		if (!perm_hides(agent->policy, name) && !toolset_has(&agent->tools, name))
			toolset_add(&agent->tools, tools->own[i]);
	}
	return true;
}

static const struct toolset *agent_lent_tools(const struct agent *parent)
{
	return parent->delegates ? &parent->lent : &parent->tools;
}

static bool agent_make_tools(struct agent *agent, const struct agent_spec *spec, struct err *err)
{
	const struct agent_tools *tools = &spec->tools;
	struct model_info info = model_info(agent->table, agent_model(agent));

	agent->tools.has_user = agent->host != NULL;
	agent->tools.no_tasks = tools->no_tasks;
	agent->tools.no_skills = tools->no_skills;
	agent->tools.wants_patch = info.abilities & MODEL_WANTS_PATCH;
	if (spec->is_fork) {
		agent_copy_tools(agent, &spec->parent->tools);
		return true;
	}
	if (spec->parent && !tools->list && !tools->nown)
		agent_inherit_tools(&agent->tools, agent_lent_tools(spec->parent));
	else if (!agent_choose_tools(agent, tools, err))
		return false;
	if (tools->schema) {
		agent->structured = structured_new(sv_cstr(tools->schema), err);
		if (!agent->structured)
			return false;
		toolset_add(&agent->tools, &agent->structured->tool);
	}
	toolset_finish(&agent->tools, agent->policy);
	agent_lend_deferred(agent);
	return true;
}

/* Fill in from the parent what the spec leaves open. */
static void agent_complete_spec(struct agent_spec *spec)
{
	const struct agent *parent = spec->parent;

	if (!parent)
		return;
	spec->loop = parent->loop;
	spec->hooks = parent->hooks;
	spec->shared = spec->shared ? spec->shared : parent->ctx.session;
	spec->table = spec->table ? spec->table : parent->table;
	spec->rules = spec->rules ? spec->rules : parent->rules;
	spec->policy = spec->policy ? spec->policy : parent->policy;
	spec->host = spec->host ? spec->host : parent->host;
	spec->costs = spec->costs ? spec->costs : parent->costs;
	spec->budget = parent->budget;
	spec->cwd = spec->cwd.len ? spec->cwd : sv_of(&parent->ctx.cwd);
	spec->system = spec->system.len ? spec->system : sv_of(&parent->system);
	if (!spec->model.id.len)
		spec->model = (struct agent_model_spec){
			.id = sv_of(&parent->choice.id),
			.fallbacks = sv_of(&parent->choice.fallbacks),
			.effort = parent->choice.wanted_effort,
			.fast = parent->choice.wants_fast,
			.thinking = parent->choice.thinking,
			.thinking_budget = parent->choice.thinking_budget,
			.display = parent->choice.display,
			.cache = parent->choice.cache,
			.max_context = parent->choice.max_context,
		};
	if (!spec->listener.event)
		spec->listener = (struct agent_listener){ .arg = parent->listener.arg,
							  .event = parent->listener.event,
							  .used = parent->listener.used,
							  .touched = parent->listener.touched };
}

struct agent *agent_new(const struct agent_spec *given, struct err *err)
{
	struct agent *agent = xnew(struct agent);
	struct agent_spec spec = *given;

	agent_complete_spec(&spec);
	*agent = (struct agent){
		.loop = spec.loop,
		.parent = spec.parent,
		.listener = spec.listener,
		.hooks = spec.hooks ? spec.hooks : &no_hooks,
		.client = spec.parent ? spec.parent->client : NULL,
		.table = spec.table,
		.rules = spec.rules ? spec.rules : &no_rules,
		.wants_stream = spec.wants_stream,
		.history = HISTORY_INIT,
		.tools = TOOLSET_INIT,
		.lent = TOOLSET_INIT,
		.ctx = { .loop = spec.loop, .session = spec.shared, .files = read_state_new() },
		.policy = spec.policy,
		.host = spec.host,
		.costs = spec.costs,
		.budget = spec.budget,
		.limits = spec.limits,
	};
	if (spec.parent)
		agent->compacting = spec.parent->compacting;
	str_add(&agent->parent_tool_use_id, spec.parent_tool_use_id);
	str_add(&agent->identity.id, spec.identity.id);
	str_add(&agent->identity.type, spec.identity.type);
	str_add(&agent->identity.description, spec.identity.description);
	agent->has_mode = spec.mode != NULL;
	agent->is_for_hook = spec.is_for_hook;
	agent->mode = spec.mode ? *spec.mode : PERM_DEFAULT;
	str_add(&agent->system, spec.system);
	str_add(&agent->ctx.cwd, spec.cwd);
	if (spec.parent)
		str_add(&agent->ctx.worktree, sv_of(&spec.parent->ctx.worktree));
	agent_copy_choice(agent, &spec.model);
	agent_settle_model(agent);
	if (!agent_make_tools(agent, &spec, err)) {
		agent_free(agent);
		return NULL;
	}
	return agent;
}

void agent_free(struct agent *agent)
{
	if (!agent)
		return;
	history_clear(&agent->history);
	str_clear(&agent->answer.id);
	str_clear(&agent->answer.input);
	toolset_clear(&agent->tools);
	toolset_clear(&agent->lent);
	read_state_free(agent->ctx.files);
	str_clear(&agent->ctx.cwd);
	str_clear(&agent->ctx.worktree);
	str_clear(&agent->ctx.todos);
	str_clear(&agent->ctx.tasks);
	str_clear(&agent->choice.id);
	str_clear(&agent->choice.wire);
	str_clear(&agent->choice.next);
	str_clear(&agent->choice.fallbacks);
	str_clear(&agent->parent_tool_use_id);
	str_clear(&agent->identity.id);
	str_clear(&agent->identity.type);
	str_clear(&agent->identity.description);
	str_clear(&agent->system);
	str_clear(&agent->last_reply);
	str_clear(&agent->prompt);
	str_clear(&agent->cache_drop);
	auto_mode_clear(&agent->auto_mode);
	structured_free(agent->structured);
	free(agent);
}

void agent_reset(struct agent *agent)
{
	struct agent_limits *limits = &agent->limits;

	limits->spent_usd += costs_usd(agent->costs);
	agent->choice.task_used = 0;
	history_clear(&agent->history);
	toolset_unload(&agent->tools);
	read_state_free(agent->ctx.files);
	agent->ctx.files = read_state_new();
	str_truncate(&agent->ctx.todos, 0);
	str_truncate(&agent->ctx.tasks, 0);
	str_truncate(&agent->last_reply, 0);
	str_truncate(&agent->prompt, 0);
	str_truncate(&agent->cache_drop, 0);
	agent->repeats = (struct repeats){ .n = 0 };
	agent->measured.tokens = 0;
	agent->measured.bytes = 0;
	agent->last_record = (struct uuid){ .text = "" };
}

bool agent_has_spent_budget(const struct agent *agent)
{
	enum budget_kind kind;

	return agent_has_spent_own_budget(agent) ||
	       (agent->budget && budget_is_spent(agent->budget, &kind));
}

void agent_raise_budget(struct agent *agent, double usd)
{
	for (; agent; agent = agent->parent)
		while (usd > 0 && agent_has_spent_own_budget(agent))
			agent->limits.max_budget_usd += usd;
}

void agent_set_token_target(struct agent *agent, int64_t tokens)
{
	agent->token_target = tokens;
}

bool agent_has_spent_own_budget(const struct agent *agent)
{
	const struct agent_limits *limits = &agent->limits;

	return limits->max_budget_usd > 0 &&
	       limits->spent_usd + costs_usd(agent->costs) >= limits->max_budget_usd;
}

/* --- what it reports -------------------------------------------------------------- */

void agent_emit_as(struct agent *agent, const struct event *event, struct sv uuid)
{
	struct event tagged;

	if (!agent->parent_tool_use_id.len) { /* the main agent's, which has most events */
		agent->listener.event(agent->listener.arg, event, uuid);
		return;
	}
	tagged = *event;
	tagged.parent_tool_use_id = sv_of(&agent->parent_tool_use_id);
	tagged.agent = agent_identity(agent);
	agent->listener.event(agent->listener.arg, &tagged, uuid);
}

void agent_emit(struct agent *agent, const struct event *event)
{
	agent_emit_as(agent, event, SV_EMPTY);
}

void agent_inform(struct agent *agent, enum notice_level level, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	agent_emit(agent, &(struct event){ .kind = EVENT_INFORMATIONAL,
					   .info = { .text = sv_of(&text), .level = level } });
}

void agent_count_usage(struct agent *agent, struct sv model, const struct usage *usage,
		       struct api_time time)
{
	if (agent->listener.used)
		agent->listener.used(agent->listener.arg, model, usage, time);
}

bool agent_record(struct agent *agent, const struct transcript_record *record)
{
	struct transcript_record full = *record;

	full.cwd = sv_of(&agent->ctx.cwd);
	full.wall_ms = loop_wall(agent->loop);
	if (agent->listener.record && !agent->listener.record(agent->listener.arg, &full))
		return false;
	memcpy(agent->last_record.text, record->uuid.ptr,
	       min_of(record->uuid.len, sizeof(agent->last_record.text) - 1));
	return true;
}

void agent_rewind(struct agent *agent, const struct uuid *last)
{
	agent->last_record = *last;
	if (agent->listener.rewind)
		agent->listener.rewind(agent->listener.arg, sv_cstr(last->text));
}

struct op *agent_save(struct agent *agent, bool is_last, struct then then)
{
	return agent->listener.save ? agent->listener.save(agent->listener.arg, is_last, then)
				    : NULL;
}

void agent_saved(struct agent *agent, const struct err *why)
{
	if (agent->listener.saved)
		agent->listener.saved(agent->listener.arg, why);
}

size_t agent_append_pending(struct agent *agent)
{
	return agent->listener.append_pending ? agent->listener.append_pending(agent->listener.arg)
					      : 0;
}

void agent_touch(struct agent *agent, struct sv path)
{
	if (agent->listener.touched)
		agent->listener.touched(agent->listener.arg, path);
}

/* --- its history ------------------------------------------------------------------ */

static void agent_emit_message(struct agent *agent, const struct agent_message *message,
			       struct sv json, struct sv uuid)
{
	struct event event = {
		.kind = EVENT_USER,
		.message = { .json = json, .is_synthetic = message->is_synthetic },
	};

	agent_emit_as(agent, &event, uuid);
}

bool agent_append(struct agent *agent, const struct agent_message *message)
{
	defer(str_clear) struct str json = STR_INIT;
	struct sv uuid = message->uuid;
	struct uuid fresh;
	bool recorded;

	if (!uuid_valid(uuid)) {
		fresh = uuid_v4(loop_rng(agent->loop));
		uuid = sv_cstr(fresh.text);
	}
	if (message->is_prompt) {
		str_set(&agent->auto_mode.prompt, utf8_prefix(message->content, LIMIT_ASKED));
		str_set(&agent->prompt, message->content);
	}
	history_add(&agent->history, false, message->content);
	message_open(&json, "user", message->content);
	recorded = agent_record(agent, &(struct transcript_record){
					       .type = "user",
					       .uuid = uuid,
					       .message = sv_of(&json),
					       .tool_use_result = message->tool_use_result,
					       .plan = message->plan,
					       .origin = message->origin,
					       .source = message->source,
					       .paste_ids = message->paste_ids,
					       .is_meta = message->is_meta,
					       .is_compact_summary = message->is_summary,
					       .durable = message->durable,
				       });
	if (!message->quiet)
		agent_emit_message(agent, message, sv_of(&json), uuid);
	return recorded;
}

void agent_attach(struct agent *agent, struct sv json)
{
	struct uuid uuid = uuid_v4(loop_rng(agent->loop));

	(void)!agent_record(agent, &(struct transcript_record){ .type = "attachment",
								.uuid = sv_cstr(uuid.text),
								.attachment = json });
}

void agent_allow_lost(struct agent *agent, struct sv id, struct sv input)
{
	str_set(&agent->answer.id, id);
	str_set(&agent->answer.input, input);
}

/* Take what the service counted for the last response. A record is written before the response ends,
 * so it may lack most of the output: what the response says is estimated by its bytes. */
static void agent_restore_usage(struct agent *agent, struct sv json)
{
	struct err why = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json.len ? json_parse(json, 0, &why) : NULL;
	struct usage usage = { .known = false };

	if (!doc || !usage_read(&usage, json_root(doc), &why) || !usage_prompt(&usage))
		return;
	agent->measured.usage = usage;
	agent->measured.tokens = usage_prompt(&usage) + usage.output;
}

void agent_restore(struct agent *agent, struct transcript_loaded *loaded)
{
	for (size_t i = 0; i < loaded->messages.n; i++) {
		const struct transcript_message *message = &loaded->messages.at[i];

		if (message->assistant)
			agent->measured.bytes = agent->history.bytes;
		history_restore(&agent->history, message->assistant, &loaded->messages.at[i].json);
	}
	agent_restore_usage(agent, sv_of(&loaded->usage));
	str_add(&agent->ctx.todos, sv_of(&loaded->todos));
	str_set(&agent->prompt, sv_of(&loaded->prompt));
	agent->last_record = loaded->last;
	agent->restored = agent->history.messages.n;
}

/* Nobody has said it to this agent, so it is from the harness. */
static void agent_record_copy(struct agent *agent, const struct history_message *message)
{
	struct uuid uuid = uuid_v4(loop_rng(agent->loop));

	(void)!agent_record(agent, &(struct transcript_record){
					   .type = message->assistant ? "assistant" : "user",
					   .uuid = sv_cstr(uuid.text),
					   .message = sv_of(&message->json),
					   .is_meta = true,
				   });
}

void agent_unload_tools(struct agent *agent)
{
	toolset_unload(&agent->tools);
}

void agent_fork_history(struct agent *agent)
{
	const struct history *from = &agent->parent->history;
	size_t n = from->messages.n;

	BUG_ON(agent->history.messages.n);
	while (n && from->messages.at[n - 1].assistant) /* it is still being written */
		n--;
	for (size_t i = 0; i < n; i++) {
		struct str json = STR_INIT;

		agent_record_copy(agent, &from->messages.at[i]);
		str_add(&json, sv_of(&from->messages.at[i].json));
		history_restore(&agent->history, from->messages.at[i].assistant, &json);
	}
}

const struct history *agent_history(const struct agent *agent)
{
	return &agent->history;
}

struct sv agent_last_record(const struct agent *agent)
{
	return sv_cstr(agent->last_record.text);
}

int64_t agent_context_tokens(const struct agent *agent)
{
	return agent->measured.tokens;
}

const struct usage *agent_context_usage(const struct agent *agent)
{
	return &agent->measured.usage;
}

/* --- its model -------------------------------------------------------------------- */

/* Apply the rules to the model, and tell the tools what it can do. */
static void agent_apply_rules(struct agent *agent)
{
	struct agent_choice *choice = &agent->choice;
	struct sv id = sv_of(&choice->id);
	struct model_info info = model_info(agent->table, id);

	choice->effort = model_rules_effort(agent->rules, id, choice->wanted_effort);
	choice->is_fast = choice->wants_fast && model_runs_fast(agent->table, id);
	str_set(&choice->wire, model_rules_wire(agent->rules, id));
	agent->ctx.has_vision = model_may(&info, MODEL_SEES);
	agent->ctx.reads_pdf = model_may(&info, MODEL_READS_PDF);
	agent->ctx.effort = model_effort_name(choice->effort);
}

void agent_settle_model(struct agent *agent)
{
	struct str next = agent->choice.next;

	agent->choice.next = (struct str)STR_INIT;
	if (!next.len || sv_eq(sv_of(&agent->choice.id), sv_of(&next))) {
		str_clear(&next);
	} else {
		str_clear(&agent->choice.id);
		agent->choice.id = next;
		history_drop_thinking(&agent->history); /* only its author can read it */
		agent->measured.tokens = 0;
		agent->measured.bytes = 0;
	}
	agent_apply_rules(agent);
}

void agent_set_model(struct agent *agent, struct sv id)
{
	str_set(&agent->choice.next, id);
	agent->choice.fallback_at = 0;
	if (!agent->is_requesting)
		agent_settle_model(agent);
}

struct sv agent_model(const struct agent *agent)
{
	return sv_of(&agent->choice.id);
}

struct sv agent_next_model(const struct agent *agent)
{
	return sv_of(agent->choice.next.len ? &agent->choice.next : &agent->choice.id);
}

bool agent_is_thinking(const struct agent *agent)
{
	return agent->choice.thinking != MODEL_THINK_OFF;
}

void agent_reset_thinking(struct agent *agent)
{
	agent_set_thinking(agent, agent->choice.first_thinking, agent->choice.first_budget);
}

void agent_set_thinking(struct agent *agent, enum model_thinking thinking, int64_t budget)
{
	agent->choice.thinking = thinking;
	agent->choice.thinking_budget = budget;
}

void agent_set_display(struct agent *agent, enum model_display display)
{
	agent->choice.display = display;
}

void agent_set_cache(struct agent *agent, enum model_cache cache)
{
	agent->choice.cache = cache;
}

enum model_effort agent_wanted_effort(const struct agent *agent)
{
	return agent->choice.wanted_effort;
}

void agent_set_effort(struct agent *agent, enum model_effort effort)
{
	agent->choice.wanted_effort = effort;
	if (!agent->is_requesting)
		agent_apply_rules(agent);
}

void agent_set_fast(struct agent *agent, bool fast)
{
	agent->choice.wants_fast = fast;
	if (!agent->is_requesting)
		agent_apply_rules(agent);
}

/* --- its other means -------------------------------------------------------------- */

void agent_set_system(struct agent *agent, struct sv system)
{
	str_set(&agent->system, system);
}

struct sv agent_system(const struct agent *agent)
{
	return sv_of(&agent->system);
}

void agent_connect(struct agent *agent, struct model_client *client)
{
	agent->client = client;
}

void agent_set_auto_rules(struct agent *agent, struct json rules)
{
	agent->auto_rules = rules;
}

struct json agent_auto_rules(const struct agent *agent)
{
	while (agent->parent)
		agent = agent->parent;
	return agent->auto_rules;
}

void agent_add_tool(struct agent *agent, const struct tool *tool)
{
	struct toolset *set = agent->delegates ? &agent->lent : &agent->tools;

	if (tool->deferred)
		toolset_defer(set, tool);
	else
		toolset_insert(set, tool);
	agent_lend_deferred(agent);
}

void agent_name_deferred(struct agent *agent)
{
	toolset_name_deferred(agent->delegates ? &agent->lent : &agent->tools, agent->policy);
}

bool agent_remove_tool(struct agent *agent, struct sv name)
{
	bool removed = toolset_remove(&agent->tools, name);

	if (agent->delegates)
		removed |= toolset_remove(&agent->lent, name);
	agent_lend_deferred(agent);
	return removed;
}

void agent_keep_tools(struct agent *agent, bool (*keep)(void *arg, const struct tool *tool),
		      void *arg)
{
	struct toolset *set = &agent->tools;

	for (size_t i = set->entries.n; i > 0; i--)
		if (!keep(arg, set->entries.at[i - 1]->tool))
			(void)toolset_remove(set, sv_cstr(set->entries.at[i - 1]->tool->name));
	for (size_t i = set->deferred.n; i > 0; i--)
		if (!keep(arg, set->deferred.at[i - 1]))
			vec_remove(&set->deferred, i - 1);
	toolset_name_deferred(set, agent->policy);
	agent_lend_deferred(agent);
}

void agent_delegate_tools(struct agent *agent, bool (*keep)(void *arg, const struct tool *tool),
			  void *arg)
{
	struct toolset *set = &agent->tools;

	agent_inherit_tools(&agent->lent, set);
	toolset_finish(&agent->lent, agent->policy);
	agent->delegates = true;
	agent_keep_tools(agent, keep, arg);
	while (set->deferred.n)
		agent_offer_deferred(agent, sv_cstr(set->deferred.at[0]->name));
}

void agent_offer_deferred(struct agent *agent, struct sv name)
{
	struct toolset *set = &agent->tools;
	const struct tool *tool = tool_find(set->deferred.at, set->deferred.n, name);

	if (!tool)
		return;
	(void)toolset_remove(set, name);
	toolset_insert(set, tool);
	toolset_name_deferred(set, agent->policy);
	agent_lend_deferred(agent);
}

void agent_follow_mode(struct agent *agent)
{
	agent->has_mode = false;
}

bool agent_set_schema(struct agent *agent, struct sv schema, struct err *err)
{
	if (agent->structured)
		return true;
	agent->structured = structured_new(schema, err);
	if (agent->structured)
		toolset_insert(&agent->tools, &agent->structured->tool);
	return agent->structured != NULL;
}

void agent_set_aliases(struct agent *agent, struct json aliases)
{
	toolset_set_aliases(&agent->tools, aliases);
}

const struct toolset *agent_toolset(const struct agent *agent)
{
	return &agent->tools;
}

struct tool_context *agent_tool_context(struct agent *agent)
{
	return &agent->ctx;
}

struct event_agent agent_identity(const struct agent *agent)
{
	return (struct event_agent){ .id = sv_of(&agent->identity.id),
				     .type = sv_of(&agent->identity.type),
				     .description = sv_of(&agent->identity.description) };
}

bool agent_is_for_hook(const struct agent *agent)
{
	return agent->is_for_hook;
}

bool agent_is_child(const struct agent *agent)
{
	return agent->parent != NULL;
}

struct perm_policy agent_policy(const struct agent *agent)
{
	struct perm_policy policy = *agent->policy;

	if (agent->has_mode && policy.mode != PERM_BYPASS && policy.mode != PERM_ACCEPT_EDITS)
		policy.mode = agent->mode;
	return policy;
}

struct sv agent_cwd(const struct agent *agent)
{
	return sv_of(&agent->ctx.cwd);
}

const struct agent_limits *agent_limits(const struct agent *agent)
{
	return &agent->limits;
}

struct sv agent_structured_output(const struct agent *agent)
{
	return agent->structured ? sv_of(&agent->structured->value) : SV_EMPTY;
}

/* Whether a call may run: what the rules, the hooks, the mode, a small model and the user say, and
 * in which order they are heard.
 *
 *   1. A PreToolUse hook that denies or defers the call has the last word.
 *   2. Rules that deny, rules that ask and protected paths (perm_decide()) override a hook that
 *      allows. Whatever else would ask does not: the hook has answered it.
 *   3. A hook that asks overrides a rule that allows.
 *   4. Before the user is asked, a PermissionRequest hook may answer; in mode auto a model.
 *
 * Whoever answers, the call is looked at again before it runs (call.c says why). */
#include <stdio.h>

#include "base/utf8.h"
#include "core/agent/auto_mode.h"
#include "core/agent/call_internal.h"
#include "core/mcp/session_mcp.h"
#include "core/toolset/deferred.h"
#include "perm/command/command_loss.h"
#include "perm/decide/ask_facts.h"
#include "perm/decide/offer.h"
#include "perm/decide/suggest.h"
#include "perm/path/path.h"
#include "proto/message.h"
#include "text/json/json_write.h"

/* Of the agent, except that the host may have pinned a stricter mode for the server of the tool. */
static struct perm_policy call_policy(const struct call *call)
{
	struct perm_policy policy = agent_policy(call->agent);

	policy.mode = session_mcp_mode(call->run.tool, policy.mode);
	return policy;
}

static struct verdict call_apply_rules(const struct call *call, const struct perm_request *request)
{
	struct perm_policy policy = call_policy(call);

	return perm_decide(&policy, request);
}

/* Each verdict on the call is logged, the last one decides. */
static void call_log_verdict(const struct call *call)
{
	perm_log_verdict(sv_of(&call->name), &call->verdict);
}

static void call_deny(struct call *call, struct sv words)
{
	call->denied = true;
	call_fail(call, "%.*s", SV_ARG(words));
}

/* No allow rule helps against a deny rule or a hook. */
static size_t call_rules_that_would_help(struct call *call, struct sv rules[SUGGEST_MAX])
{
	if (call->verdict.reason == REASON_RULE || call->verdict.reason == REASON_HOOK)
		return 0;
	return perm_suggest_narrowest(call->agent->policy, &call->perm_request, &call->arena,
				      rules);
}

/* What the model is told about a deny: a hook speaks for itself. */
static struct sv call_deny_words(struct call *call, bool nobody_to_ask)
{
	if (call->verdict.reason == REASON_HOOK && call->pre.reason.len && !nobody_to_ask)
		return sv_of(&call->pre.reason);
	return arena_printf(
		&call->arena, "Permission to use %.*s was denied%s: %s", SV_ARG(sv_of(&call->name)),
		nobody_to_ask ? " because it needs an answer and nobody can be asked" : "",
		call->verdict.text);
}

static void call_on_denied_hook(__attribute__((unused)) struct op *op, void *owner,
				__attribute__((unused)) const struct err *why)
{
	struct call *call = owner;

	if (call_ends_here(call))
		return;
	call_deny(call,
		  call->refused.retry
			  ? arena_printf(&call->arena, "%.*s\nA hook lets you try this call again.",
					 SV_ARG(call_deny_words(call, false)))
			  : call_deny_words(call, false));
}

/* Deny the call, after hooks have seen what a model has denied. */
static void call_finish_denial(struct call *call, struct sv words)
{
	const struct hook_points *hooks = call->agent->hooks;

	if (call->verdict.reason == REASON_CLASSIFIER && hooks->denied)
		call->step = hooks->denied(hooks->arg, call, &call->refused,
					   THEN(call_on_denied_hook, call));
	if (!call->step)
		call_deny(call, words);
}

static void call_deny_by_verdict(struct call *call, bool nobody_to_ask)
{
	struct sv rules[SUGGEST_MAX];
	struct sv words = call_deny_words(call, nobody_to_ask);

	agent_emit(call->agent,
		   &(struct event){
			   .kind = EVENT_DENIED,
			   .denied = { .tool = sv_of(&call->name),
				       .id = sv_of(&call->id),
				       .reason_type =
					       sv_cstr(verdict_reason_name(call->verdict.reason)),
				       .reason = sv_cstr(call->verdict.text),
				       .message = words,
				       .nobody_to_ask = nobody_to_ask,
				       .input = sv_of(&call->input),
				       .rules = rules,
				       .nrules = call_rules_that_would_help(call, rules) },
		   });
	call_finish_denial(call, words);
}

/* Compute the request again: a link may have changed while the question was open. `*elsewhere` gets
 * the first path that leads elsewhere now. */
static bool call_leads_where_it_did(struct call *call, struct sv *elsewhere)
{
	struct perm_request asked = call->perm_request;
	const struct perm_request *now = &call->perm_request;
	bool same;

	call_compute_request(call);
	*elsewhere = now->path;
	same = sv_eq(asked.path, now->path);
	for (size_t i = 0; same && i < min_of(asked.n_more, now->n_more); i++) {
		*elsewhere = now->more_paths[i];
		same = sv_eq(asked.more_paths[i], now->more_paths[i]);
	}
	return same && asked.n_more == now->n_more;
}

/* Whether the answer changes the input. Hosts send it back in any case, some as an empty object. */
static bool call_is_new_input(const struct call *call, struct sv input)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(json_doc_freep) struct json_doc *shown = NULL;

	if (!input.len)
		return false;
	doc = json_parse(input, 0, &err);
	shown = call->shown.input.len ? json_parse(sv_of(&call->shown.input), 0, &err) : NULL;
	return json_len(json_root(doc)) && !json_equal(json_root(doc), call->run.input) &&
	       !(shown && json_equal(json_root(doc), json_root(shown)));
}

/* Run the call unless a rule denies it by now: a yes of the user or of a model answers a question,
 * it does not override a deny. A mode that denies counts only if `also_by_mode`, since the user
 * may have chosen the mode together with the yes. */
static void call_run_unless_denied(struct call *call, bool also_by_mode)
{
	struct verdict verdict = call_apply_rules(call, &call->perm_request);

	if (verdict.behavior != BEHAVIOR_DENY || (verdict.reason == REASON_MODE && !also_by_mode)) {
		call_enter(call, CALL_SAVING);
		return;
	}
	call->verdict = verdict;
	call_log_verdict(call);
	call_deny_by_verdict(call, false);
}

static void call_run_if_unchanged(struct call *call)
{
	struct sv elsewhere;

	if (call_leads_where_it_did(call, &elsewhere))
		call_run_unless_denied(call, false);
	else
		call_fail(call,
			  "The path has changed since the question was asked, so nothing was done. "
			  "It now leads to %.*s",
			  SV_ARG(elsewhere));
}

static void call_run_new_input(struct call *call)
{
	call_compute_request(call);
	call_run_unless_denied(call, true);
}

/* Somebody has said yes, perhaps to another input. */
static void call_apply_allow(struct call *call, struct sv input)
{
	if (!call_is_new_input(call, input))
		call_run_if_unchanged(call);
	else if (call_take_new_input(call, input))
		call_run_new_input(call);
}

static struct sv call_user_message(const struct call *call, struct sv message)
{
	if (message.len) /* the host's own words */
		return message;
	return call->run.tool->declined
		       ? sv_cstr(call->run.tool->declined)
		       : SV(MESSAGE_DECLINED "; it was not run. Ask what to do instead.");
}

/* Keep what the user said with the yes, and images that came with a no, for which the result of the call has no
 * room: the model reads them beside the result. */
static void call_keep_remark(struct call *call, const struct answer_given *answer)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!answer->blocks.len && !(answer->allow && answer->message.len))
		return;
	str_addf(&text, "The user %s this call of %.*s (%.*s)",
		 answer->allow ? "allowed" : "declined", SV_ARG(sv_of(&call->name)),
		 SV_ARG(sv_of(&call->id)));
	if (!answer->allow)
		str_adds(&text, " and added this:");
	else if (answer->message.len)
		str_addf(&text, " and said: %.*s", SV_ARG(answer->message));
	str_truncate(&call->answer.remark, 0);
	block_text(&call->answer.remark, sv_of(&text));
	str_add(&call->answer.remark, answer->blocks);
}

static void call_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct call *call = owner;
	struct answer_given answer;

	if (call_ends_here(call))
		return;
	if (why && why->kind == ERR_TIMEOUT) { /* the tool knows how to work without an answer */
		call->run.waited_ms = call->perm_request.patience_ms;
		call_run_if_unchanged(call);
		return;
	}
	if (why) {
		call_fail(call, "%s", why->text);
		return;
	}
	answer = host_request_answer(op);
	call->verdict.reason = REASON_USER;
	call->verdict.behavior = answer.allow ? BEHAVIOR_ALLOW : BEHAVIOR_DENY;
	call_log_verdict(call);
	call->answer.ends_turn = answer.interrupt;
	call->answer.is_permanent = answer.is_permanent;
	call_keep_remark(call, &answer);
	if (answer.allow)
		auto_mode_reset(&call->agent->auto_mode);
	if (answer.allow && call->run.tool->doubt)
		call->run.tool->accepted(call->run.tool);
	if (!answer.allow)
		call_deny(call, call_user_message(call, answer.message));
	else
		call_apply_allow(call, answer.new_input);
}

/* What the call is about, for a host that shows nothing else of it. */
static struct sv call_describe(const struct call *call)
{
	const struct perm_request *request = &call->perm_request;
	struct sv description = json_str_or(json_get(call->run.input, "description"), SV_EMPTY);

	return description.len        ? description
	       : request->command.len ? request->command
	       : request->path.len    ? request->path
				      : request->host;
}

static void call_estimate_plan(const struct call *call, struct sv input)
{
	const struct tool_services *services = call->agent->ctx.session->services;
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(input, 0, &ignored);
	struct sv plan = json_str_or(json_get(json_root(doc), "plan"), SV_EMPTY);

	if (services->estimate_plan && plan.len)
		services->estimate_plan(services->arg, plan);
}

/* Whether a member of an input is the name of a file. */
static bool call_is_path(struct sv key)
{
	return sv_is(key, "file_path") || sv_is(key, "notebook_path") || sv_is(key, "path");
}

void call_write_input(const struct call *call, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct json_iter it = json_each(call->run.input);
	struct json value;
	struct sv key;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	while (json_next(&it, &key, &value)) {
		struct sv text = json_str_or(value, SV_EMPTY);

		jw_key(&w, key);
		if (call_is_path(key) && text.len)
			jw_str(&w, tool_path(call->run.ctx, text, &arena));
		else
			jw_value(&w, value);
	}
	jw_end(&w);
	jw_done(&w);
}

/* The input as the user sees it. */
static struct sv call_show_input(struct call *call)
{
	const struct tool *tool = call->run.tool;

	str_truncate(&call->shown.input, 0);
	if (tool->show_input)
		tool->show_input(&call->run, &call->shown.input);
	else if (call->perm_request.path.len)
		call_write_input(call, &call->shown.input);
	return sv_of(call->shown.input.len ? &call->shown.input : &call->input);
}

/* Whether the rules, the mode and the floor ask; otherwise somebody who has looked at them does. */
static bool call_is_asked_by_policy(const struct verdict *verdict)
{
	return verdict->reason != REASON_HOOK && verdict->reason != REASON_CLASSIFIER;
}

/* Say what the host can decide by: a host may look for rules, or deny whatever may be unsafe. */
static void call_add_facts(const struct call *call, struct permission_question *question)
{
	struct perm_policy policy = call_policy(call);
	const struct verdict *verdict = &call->verdict;
	struct ask_facts facts = ask_facts(&policy, &call->perm_request, verdict);

	question->is_safety = facts.is_safety;
	if (facts.is_compound && call_is_asked_by_policy(verdict))
		question->reason_type = sv_cstr(verdict_reason_name(REASON_COMMANDS));
	if (facts.rule && (facts.is_compound || verdict->reason != REASON_RULE))
		question->rule = (struct permission_ask_rule){
			.source = sv_cstr(perm_source_name(facts.rule->source)),
			.tool = facts.rule->tool,
			.content = facts.rule->content,
		};
}

/* Fill in what can be offered and said about the call besides itself. */
static void call_complete_question(struct call *call, struct permission_question *question,
				   struct arena *arena, struct permission_change *suggestions)
{
	const struct tool_services *services = call->agent->ctx.session->services;
	const struct tool *tool = call->run.tool;

	question->input = call_show_input(call);
	question->suggestions = suggestions;
	question->origin = session_mcp_provenance(tool);
	if (tool->offer)
		question->nsuggestions = tool->offer(&call->run, arena, suggestions);
	else if (!call->perm_request.needs_user)
		question->nsuggestions =
			perm_offer(suggestions, arena, call->agent->policy, &call->perm_request);
	if (tool->presents_plan)
		call_estimate_plan(call, question->input);
	question->offers_clear = tool->presents_plan && services->offers_clear &&
				 services->offers_clear(services->arg);
}

static void call_ask_host(struct call *call)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str loss = STR_INIT;
	struct permission_change suggestions[TOOL_OFFERS];
	struct permission_question question = {
		.tool = sv_of(&call->name),
		.id = sv_of(&call->id),
		.reason_type = sv_cstr(verdict_reason_name(call->verdict.reason)),
		.reason = sv_cstr(call->verdict.text),
		.path = call->perm_request.path,
		.changes = sv_of(&call->shown.changes),
		.description = call_describe(call),
		.needs_user = call->perm_request.needs_user,
		.patience_ms = call->perm_request.patience_ms,
	};

	call_add_facts(call, &question);
	command_loss_add(&loss, &call->analysis);
	question.loss = sv_of(&loss);
	call_complete_question(call, &question, &arena, suggestions);
	call->step = host_request_start(
		call->agent->host,
		&(struct host_request){
			.kind = HOST_CAN_USE_TOOL,
			.parent_tool_use_id = sv_of(&call->agent->parent_tool_use_id),
			.agent_id = agent_identity(call->agent).id,
			.agent_type = agent_identity(call->agent).type,
			.permission = question,
		},
		THEN(call_on_answer, call));
}

static void call_on_preview(__attribute__((unused)) struct op *op, void *owner,
			    __attribute__((unused)) const struct err *why)
{
	struct call *call = owner;

	if (call_ends_here(call))
		return;
	call_preview_take(call);
	call_ask_host(call);
}

static void call_ask_user(struct call *call)
{
	if (!call->agent->host ||
	    (call->agent->policy->denies_questions && !call->perm_request.needs_user)) {
		call_deny_by_verdict(call, true);
		return;
	}
	call->step = call_preview_start(call, THEN(call_on_preview, call));
	if (!call->step)
		call_ask_host(call);
}

/* --- hooks that answer for the user ------------------------------------------- */

/* A hook that allows a question to the user has to fill in the answers. */
static bool call_is_answered_by_hook(const struct call *call)
{
	const struct permission_point *point = &call->permission;

	return point->decided &&
	       !(point->allow && call->perm_request.needs_user && !point->input.len);
}

static void call_on_permission_hook(__attribute__((unused)) struct op *op, void *owner,
				    __attribute__((unused)) const struct err *why)
{
	struct call *call = owner;
	struct permission_point *point = &call->permission;

	if (call_ends_here(call))
		return;
	if (!call_is_answered_by_hook(call)) {
		call_ask_user(call);
		return;
	}
	call->verdict = (struct verdict){ .reason = REASON_HOOK,
					  .text = "A PermissionRequest hook answered." };
	call->verdict.behavior = point->allow ? BEHAVIOR_ALLOW : BEHAVIOR_DENY;
	call_log_verdict(call);
	call->answer.ends_turn = point->interrupt && !point->allow;
	if (!point->allow)
		call_deny(call, point->message.len
					? sv_of(&point->message)
					: SV("A hook declined this call; it was not run."));
	else
		call_apply_allow(call, sv_of(&point->input));
}

void call_ask(struct call *call)
{
	const struct hook_points *hooks = call->agent->hooks;

	if (hooks->permission)
		call->step = hooks->permission(hooks->arg, call, &call->permission,
					       THEN(call_on_permission_hook, call));
	if (!call->step)
		call_ask_user(call);
}

/* --- the verdict -------------------------------------------------------------- */

/* The verdict of the PreToolUse hooks. */
static struct verdict call_hook_verdict(const struct call *call)
{
	static const char *const words[] = { [BEHAVIOR_ALLOW] = "A PreToolUse hook allowed it.",
					     [BEHAVIOR_ASK] = "A PreToolUse hook wants approval.",
					     [BEHAVIOR_DENY] = "A PreToolUse hook denied it." };
	struct verdict v = { .behavior = call->pre.behavior, .reason = REASON_HOOK };
	struct sv reason = sv_trim(sv_of(&call->pre.reason));

	if (!reason.len)
		reason = sv_cstr(words[v.behavior]);
	snprintf(v.text, sizeof(v.text), "%.*s", SV_ARG(utf8_prefix(reason, sizeof(v.text) - 1)));
	return v;
}

/* Whether a hook that allows the call is enough. It answers the question of the mode, as mode
 * bypassPermissions would; and a question to the user only if it has filled in the answers. */
static bool call_may_be_allowed_by_hook(const struct call *call)
{
	struct perm_policy lenient = *call->agent->policy;

	if (call->perm_request.needs_user)
		return call->pre.input.len;
	lenient.mode = PERM_BYPASS;
	return perm_decide(&lenient, &call->perm_request).behavior == BEHAVIOR_ALLOW;
}

/* Make it a question about a tool that is not what was allowed, except where nothing is a question. */
static struct verdict call_add_doubt(const struct call *call, struct verdict v)
{
	enum perm_mode mode = session_mcp_mode(call->run.tool, call->agent->policy->mode);

	if (!call->run.tool->doubt || v.behavior == BEHAVIOR_DENY || mode == PERM_BYPASS)
		return v;
	v.behavior = mode == PERM_DONT_ASK ? BEHAVIOR_DENY : BEHAVIOR_ASK;
	v.reason = REASON_SAFETY;
	snprintf(v.text, sizeof(v.text), "%.*s",
		 SV_ARG(utf8_prefix(sv_cstr(call->run.tool->doubt), sizeof(v.text) - 1)));
	return v;
}

static struct verdict call_judge_by_all(struct call *call)
{
	struct verdict by_rule, by_hook = call_hook_verdict(call);

	call_compute_request(call);
	by_rule = call_apply_rules(call, &call->perm_request);
	if (!call->pre.decided)
		return by_rule;
	switch (by_hook.behavior) {
	case BEHAVIOR_DENY: return by_hook;
	case BEHAVIOR_ALLOW: return call_may_be_allowed_by_hook(call) ? by_hook : by_rule;
	case BEHAVIOR_ASK: break;
	}
	if (by_rule.behavior == BEHAVIOR_DENY)
		return by_rule;
	if (agent_policy(call->agent).mode == PERM_DONT_ASK)
		by_hook.behavior = BEHAVIOR_DENY;
	return by_hook;
}

/* An agent with a worktree of its own must not change the checkout that others work in, which is easily done with
 * an absolute path that it has been told. */
static struct verdict call_keep_isolated(const struct call *call, struct verdict v)
{
	const struct tool_context *ctx = call->run.ctx;
	const struct perm_request *q = &call->perm_request;
	struct sv worktree = sv_of(&ctx->worktree), root = sv_cstr(ctx->session->root);

	if (!ctx->is_isolated || v.behavior == BEHAVIOR_DENY || q->access != ACCESS_WRITE ||
	    path_is_inside(q->path, worktree) || !path_is_inside(q->path, root))
		return v;
	return (struct verdict){
		.behavior = BEHAVIOR_DENY,
		.reason = REASON_WORKING_DIR,
		.text = "This agent works in a worktree of its own and changes files only there."
	};
}

static struct verdict call_judge(struct call *call)
{
	return call_keep_isolated(call, call_add_doubt(call, call_judge_by_all(call)));
}

static void call_act_on_verdict(struct call *call);

static void call_count_judgement(const struct call *call)
{
	const struct agent_listener *listener = &call->agent->listener;

	if (listener->judged)
		listener->judged(listener->arg,
				 loop_now(call->agent->loop) - call->times.judged_ms);
}

static void call_take_model_verdict(struct call *call, struct sv text)
{
	if (call_policy(call).mode != PERM_AUTO) { /* the user has changed the mode meanwhile */
		call_enter(call, CALL_DECIDING);
		return;
	}
	call->verdict = auto_mode_read(&call->agent->auto_mode, text);
	call_log_verdict(call);
	if (call->verdict.behavior == BEHAVIOR_ALLOW)
		call_run_if_unchanged(call);
	else
		call_act_on_verdict(call);
}

static void call_on_model_verdict(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct call *call = owner;

	call_count_judgement(call);
	if (!call_ends_here(call))
		call_take_model_verdict(call, why ? SV_EMPTY : sv_of(&call->model_verdict));
}

static struct op *call_start_model(struct call *call, const struct verdict *verdict,
				   struct str *out, struct then then)
{
	const struct auto_mode_call asked = { .tool = sv_of(&call->name),
					      .input = sv_of(&call->input),
					      .rules = agent_auto_rules(call->agent),
					      .policy = call->agent->policy,
					      .verdict = verdict };

	call->times.judged_ms = loop_now(call->agent->loop);
	return auto_mode_start(&call->agent->auto_mode, &call->agent->ctx, &asked, out, then);
}

static void call_on_early_verdict(struct op *op, void *owner, const struct err *why)
{
	struct call *call = owner;

	call->early.op = NULL;
	if (!op->cancelled)
		call_count_judgement(call);
	if (why)
		str_truncate(&call->early.text, 0);
	if (call->is_finishing) {
		call_finish(call);
	} else if (call->early.is_awaited) {
		call->early.is_awaited = false;
		if (!call_ends_here(call))
			call_take_model_verdict(call, sv_of(&call->early.text));
	}
}

void call_drop_early(struct call *call)
{
	call->early.is_asked = false;
	op_cancel(call->early.op);
}

/* Use the answer to the question that was asked early; it counts once. */
static void call_await_early(struct call *call)
{
	call->early.is_asked = false;
	call->early.is_awaited = call->early.op != NULL;
	call->step = call->early.op;
	if (!call->step)
		call_take_model_verdict(call, sv_of(&call->early.text));
}

static void call_ask_model(struct call *call)
{
	if (call->early.is_asked && sv_is(sv_of(&call->early.reason), call->verdict.text)) {
		call_await_early(call);
		return;
	}
	call_drop_early(call);
	call->step = call_start_model(call, &call->verdict, &call->model_verdict,
				      THEN(call_on_model_verdict, call));
}

static void call_act_on_verdict(struct call *call)
{
	if (call->verdict.behavior == BEHAVIOR_ALLOW)
		call_enter(call, CALL_SAVING);
	else if (call->verdict.behavior == BEHAVIOR_DENY)
		call_deny_by_verdict(call, false);
	else
		call_enter(call, CALL_ASKING);
}

/* Whether a yes could help. What the tool says about a file, Read would say, too. */
static bool call_is_worth_asking(struct call *call, struct err *err)
{
	const struct tool *tool = call->run.tool;
	const struct perm_request read = { .tool = SV("Read"),
					   .access = ACCESS_READ,
					   .path = call->perm_request.path };

	return !tool->foresee || call_apply_rules(call, &read).behavior != BEHAVIOR_ALLOW ||
	       tool->foresee(&call->run, &call->perm_request, err);
}

/* Whether the question is one for the model. */
static bool call_is_for_model(const struct call *call, const struct verdict *verdict)
{
	const struct agent *agent = call->agent;
	struct perm_policy policy = call_policy(call);

	return verdict->behavior == BEHAVIOR_ASK &&
	       auto_mode_decides(&agent->auto_mode, &policy, &agent->ctx, verdict,
				 &call->perm_request);
}

void call_ask_model_early(struct call *call)
{
	struct verdict verdict;
	struct err ignored = ERR_INIT;

	if (call_policy(call).mode != PERM_AUTO || call->answer.is_early)
		return;
	verdict = call_judge(call);
	if (!call_is_for_model(call, &verdict) || !call_is_worth_asking(call, &ignored))
		return;
	str_set(&call->early.reason, sv_cstr(verdict.text));
	call->early.is_asked = true;
	call->early.op = call_start_model(call, &verdict, &call->early.text,
					  THEN(call_on_early_verdict, call));
}

void call_decide(struct call *call)
{
	struct err err = ERR_INIT;

	if (call->pre.decided && call->pre.defer) {
		call->deferred = true;
		call_fail(call, DEFERRED_RESULT);
		return;
	}
	call->verdict = call_judge(call);
	call_log_verdict(call);
	if (call->verdict.behavior == BEHAVIOR_ASK && call->answer.is_early) {
		call->verdict.behavior = BEHAVIOR_ALLOW;
		call->verdict.reason = REASON_USER;
		call_log_verdict(call);
		call_apply_allow(call, sv_of(&call->answer.input));
		return;
	}
	if (call->verdict.behavior == BEHAVIOR_ASK && !call_is_worth_asking(call, &err)) {
		call_fail(call, "%s", err.text);
		return;
	}
	if (call_is_for_model(call, &call->verdict)) {
		call_ask_model(call);
		return;
	}
	call_drop_early(call);
	call_act_on_verdict(call);
}

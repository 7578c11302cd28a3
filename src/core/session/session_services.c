/* What a session does for its tools: requests to a small model, searches by the provider. */
#include "core/session/session_services.h"

#include "core/extend/session_lsp.h"
#include "core/extend/session_skills.h"
#include "core/hooks/session_hooks.h"
#include "core/policy/policy.h"
#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "core/session/session_estimate.h"
#include "core/session/session_internal.h"
#include "core/session/session_model.h"
#include "core/session/session_plan.h"
#include "core/side/side_question.h"
#include "core/subagents/subagents.h"
#include "core/worktree/session_worktree.h"
#include "tool/shell/shell_env.h"

struct sv session_small_model(const struct session *s)
{
	const struct model_config *config = &s->engine->config;
	struct sv small = sv_cstr(config->small_model);

	if (!small.len && model_provider_has_claude(config->provider))
		small = model_resolve(s->engine->table, SV("haiku"));
	return small.len && model_rules_allow(&s->rules, small) ? small : agent_model(s->agent);
}

bool session_can_ask(struct session *s, struct err *err)
{
	if (!s->services.ask_small)
		return err_set(err, ERR_UNSUPPORTED, "no model can be asked in a replay");
	if (!session_check_model(s, err) || !engine_connect(s->engine, err))
		return false;
	agent_connect(s->agent, s->engine->client);
	return true;
}

static struct op *session_services_ask_small(void *arg, struct sv system, struct sv text,
					     struct str *out, struct then then)
{
	struct session *s = arg;
	struct side_question question = { .model = session_small_model(s),
					  .instead = agent_model(s->agent),
					  .system = system,
					  .text = text };

	return side_question_start(s->agent, &question, out, then);
}

static struct op *session_services_search(void *arg, struct sv query, struct sv tool,
					  struct str *out, struct then then)
{
	struct session *s = arg;
	struct side_question question = { .model = agent_model(s->agent),
					  .system = SV("Search the web for what the user asks."),
					  .text = query,
					  .tool = tool,
					  .wants_blocks = true };

	return side_question_start(s->agent, &question, out, then);
}

static bool session_services_bars_host(void *arg, struct sv host)
{
	const struct session *s = arg;
	const struct perm_request perm_request = { .tool = SV("WebFetch"),
						   .access = ACCESS_NET,
						   .host = host };
	struct verdict verdict = perm_decide(&s->policy, &perm_request);

	return verdict.reason == REASON_RULE && verdict.behavior != BEHAVIOR_ALLOW;
}

static bool session_services_is_planning(void *arg)
{
	const struct session *s = arg;

	return s->policy.mode == PERM_PLAN;
}

static void session_services_begin_planning(void *arg, struct str *out)
{
	session_plan_begin(arg, out);
}

static void session_services_end_planning(void *arg)
{
	session_plan_end(arg);
}

static bool session_services_may_bypass(void *arg)
{
	const struct session *s = arg;

	return s->kind.may_bypass && !policy_disables(s->settings, PERM_BYPASS);
}

static bool session_services_offers_clear(void *arg)
{
	const struct session *s = arg;

	return settings_bool(s->settings, "showClearContextOnPlanAccept");
}

static void session_services_estimate_plan(void *arg, struct sv plan)
{
	session_estimate_plan(arg, plan);
}

static const char *session_services_plan_file(void *arg)
{
	return session_plan_file(arg);
}

static void session_services_notify(void *arg, struct sv text)
{
	session_inform(arg, NOTICE_NOTICE, text);
	session_append_note(arg, text);
}

/* At a terminal and for a host, the front end shows it; Notification hooks may reach a phone. */
static struct tool_push session_services_push(void *arg, struct sv text, struct then then)
{
	struct session *s = arg;
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_NOTIFICATION);
	struct op *hooks;

	in.notification_type = SV("push_notification");
	in.message = text;
	session_emit(s, &(struct event){ .kind = EVENT_NOTIFICATION, .notification = { text } });
	hooks = session_hooks_start(s, &in, NULL, NULL, then);
	return (struct tool_push){ .by_screen = s->kind.has_user,
				   .by_hooks = hooks,
				   .op = hooks ? hooks : op_settled(s->engine->loop, then) };
}

static bool session_services_has_news(void *arg)
{
	const struct session *s = arg;

	return s->pending.notes.len || s->prompts.waiting.n;
}

void session_offer_services(struct session *s)
{
	struct model_info info = model_info(s->engine->table, agent_model(s->agent));
	bool can_search =
		s->engine->config.provider == MODEL_ANTHROPIC && info.abilities & MODEL_SEARCHES;

	s->services = (struct tool_services){
		.arg = s,
		.ask_small = s->engine->is_offline ? NULL : session_services_ask_small,
		.search = can_search ? session_services_search : NULL,
		.bars_host = session_services_bars_host,
		.is_planning = session_services_is_planning,
		.begin_planning = session_services_begin_planning,
		.end_planning = session_services_end_planning,
		.may_bypass = session_services_may_bypass,
		.offers_clear = session_services_offers_clear,
		.estimate_plan = session_services_estimate_plan,
		.plan_file = session_services_plan_file,
		.find_skill = session_skills_check,
		.run_skill = session_skills_run,
		.notify = session_services_notify,
		.push = session_services_push,
		.has_news = session_services_has_news,
		.agents = &subagent_tools,
		.check_lsp = session_lsp_check,
		.ask_lsp = session_lsp_ask,
		.worktrees = &session_worktree_tools,
		.schedule = shell_env_is_on(&s->shared, "CLAUDE_CODE_DISABLE_CRON")
				    ? NULL
				    : &schedule_tools,
	};
}

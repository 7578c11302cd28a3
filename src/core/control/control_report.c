/* Control requests about what is configured and used: settings, rules, models, context. */
#include "core/control/control_report.h"

#include "core/compaction/context_report.h"
#include "core/control/context_parts.h"
#include "core/control/control.h"
#include "core/policy/policy.h"
#include "core/session/session_emit.h"
#include "core/session/session_init.h"
#include "core/session/session_internal.h"
#include "core/session/session_settings.h"
#include "model/catalogue/catalogue.h"
#include "perm/rule/rules_describe.h"

void control_get_settings(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct control_reply reply = {
		.kind = REPLY_SETTINGS,
		.settings = { .settings = settings_report(s->settings, &arena),
			      .applied = { .model = agent_next_model(s->agent),
					   .effort = session_effort_name(s) } },
	};

	control_reply(s, request->id, reply);
}

void control_apply_settings(struct session *s, const struct control_request *request)
{
	struct json changes = request->apply_settings.settings, model = json_get(changes, "model");
	struct err err = ERR_INIT;

	if (!session_change_settings(s, changes, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	if (json_exists(model) && !session_choose_model(s, json_str_or(model, SV_EMPTY), &err))
		session_add_notice(s, sv_cstr(err.text)); /* as for a model in a settings file */
	control_reply(s, request->id, (struct control_reply){ .kind = REPLY_DONE });
	if (session_has_reader(s))
		session_emit_notices(s);
}

void control_list_rules(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct control_reply reply = { .kind = REPLY_RULES,
				       .rules = perm_list_rules(&s->policy, &arena) };

	reply.rules.managed_only = policy_is_managed(s->settings);
	control_reply(s, request->id, reply);
}

void control_list_models(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;

	control_reply(s, request->id,
		      (struct control_reply){
			      .kind = REPLY_MODELS,
			      .models = model_catalogue(&s->engine->config, &s->rules, &arena) });
}

struct reply_context session_context_report(struct session *s, struct arena *arena)
{
	struct model_info info = model_info(s->engine->table, agent_next_model(s->agent));
	const struct context_facts facts = { .model = agent_next_model(s->agent),
					     .counted = agent_context_tokens(s->agent),
					     .window = info.context,
					     .system = agent_system(s->agent).len,
					     .tools = toolset_bytes(agent_toolset(s->agent)),
					     .messages = agent_history(s->agent)->bytes,
					     .instructions = s->instructions,
					     .sent = s->sent.instructions };
	struct reply_context report;

	report = context_report(&facts, arena);
	context_parts_fill(s, &report, facts.system + facts.tools + facts.messages, arena);
	if (!agent_compacting(s->agent)->is_off)
		report.compact_at = agent_window(s->agent).compact;
	return report;
}

void control_context_usage(struct session *s, const struct control_request *request)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;

	control_reply(s, request->id,
		      (struct control_reply){ .kind = REPLY_CONTEXT,
					      .context = session_context_report(s, &arena) });
}

#include "core/agent.h"

#include "proto/message.h"
#include "tool/read/read_state.h"

static const struct model_rules no_rules = { .table = NULL };

void agent_init(struct agent *agent, struct loop *loop)
{
	*agent = (struct agent){
		.loop = loop,
		.source = MODEL_FOR_MAIN,
		.rules = &no_rules,
		.history = HISTORY_INIT,
		.tools = TOOLSET_INIT,
		.ctx = { .loop = loop, .files = read_state_new() },
	};
}

void agent_clear(struct agent *agent)
{
	history_clear(&agent->history);
	toolset_clear(&agent->tools);
	read_state_free(agent->ctx.files);
	str_clear(&agent->ctx.cwd);
	str_clear(&agent->ctx.todos);
	str_clear(&agent->ctx.tasks);
	str_clear(&agent->model);
	str_clear(&agent->wire);
	str_clear(&agent->next_model);
	str_clear(&agent->fallbacks);
	str_clear(&agent->system);
	str_clear(&agent->last_answer);
	str_clear(&agent->asked);
	str_clear(&agent->user_id);
	structured_free(agent->structured);
}

void agent_tell_as(struct agent *agent, const struct event *event, struct sv uuid)
{
	agent->listener.event(agent->listener.arg, event, uuid);
}

void agent_tell(struct agent *agent, const struct event *event)
{
	agent_tell_as(agent, event, SV_EMPTY);
}

void agent_inform(struct agent *agent, const char *level, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	agent_tell(agent,
		   &(struct event){ .kind = EVENT_INFORMATIONAL,
				    .info = { .text = sv_of(&text), .level = sv_cstr(level) } });
}

bool agent_record(struct agent *agent, const struct transcript_record *record)
{
	struct transcript_record full = *record;

	full.cwd = sv_of(&agent->ctx.cwd);
	full.wall_ms = loop_wall(agent->loop);
	if (!agent->listener.record(agent->listener.arg, &full))
		return false;
	memcpy(agent->last_record.text, record->uuid.ptr,
	       min_of(record->uuid.len, sizeof(agent->last_record.text) - 1));
	return true;
}

void agent_rewind(struct agent *agent, const struct uuid *last)
{
	agent->last_record = *last;
	agent->listener.rewind(agent->listener.arg, sv_cstr(last->text));
}

static void agent_tell_heard(struct agent *agent, const struct said *said, struct sv message,
			     struct sv uuid)
{
	struct event event = {
		.kind = EVENT_USER,
		.message = { .json = message,
			     .tool_use_result = said->tool_use_result,
			     .decision = said->tool_use_result.len ? said->decision : SV_EMPTY,
			     .reason = said->reason,
			     .is_synthetic = said->is_synthetic },
	};

	agent_tell_as(agent, &event, uuid);
}

bool agent_hear(struct agent *agent, const struct said *said)
{
	defer(str_clear) struct str message = STR_INIT;
	struct sv uuid = said->uuid;
	struct uuid fresh;
	bool kept;

	if (!uuid_valid(uuid)) {
		fresh = uuid_v4(loop_rng(agent->loop));
		uuid = sv_cstr(fresh.text);
	}
	history_add(&agent->history, false, said->block);
	message_open(&message, "user", said->block);
	kept = agent_record(agent, &(struct transcript_record){
					   .type = "user",
					   .uuid = uuid,
					   .message = sv_of(&message),
					   .tool_use_result = said->tool_use_result,
					   .is_meta = said->is_meta,
					   .durable = said->durable,
				   });
	if (!said->quiet)
		agent_tell_heard(agent, said, sv_of(&message), uuid);
	return kept;
}

static void agent_know_model(struct agent *agent)
{
	struct sv id = sv_of(&agent->model);
	struct model_info info = model_info(agent->table, id);

	agent->ctx.has_vision = model_may(&info, MODEL_SEES);
	agent->ctx.reads_pdf = model_may(&info, MODEL_READS_PDF);
	agent->effort = model_rules_effort(agent->rules, id, agent->asked_effort);
	agent->ctx.effort = model_effort_name(agent->effort);
	str_set(&agent->wire, model_rules_wire(agent->rules, id));
}

void agent_settle_model(struct agent *agent)
{
	struct str next = agent->next_model;

	agent->next_model = (struct str)STR_INIT;
	if (!next.len || sv_eq(sv_of(&agent->model), sv_of(&next))) {
		str_clear(&next);
	} else {
		str_clear(&agent->model);
		agent->model = next;
		history_drop_thinking(&agent->history);
		agent->context_tokens = 0;
		agent->context_bytes = 0;
	}
	agent_know_model(agent);
}

void agent_set_model(struct agent *agent, struct sv id)
{
	str_set(&agent->next_model, id);
	agent->fallback_at = 0;
	if (!agent->is_asking)
		agent_settle_model(agent);
}

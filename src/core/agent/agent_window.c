/* How full the window of an agent's model is, and may get. */
#include "core/agent/agent_internal.h"

#include "tool/read/read_state.h"

enum { BYTES_PER_TOKEN = 4 };

void agent_set_compacting(struct agent *agent, const struct agent_compacting *compacting)
{
	agent->compacting = *compacting;
}

const struct agent_compacting *agent_compacting(const struct agent *agent)
{
	return &agent->compacting;
}

struct window agent_window(const struct agent *agent)
{
	struct model_info info = model_info(agent->table, agent_model(agent));
	int64_t size = agent->choice.max_context ? agent->choice.max_context
		       : info.known              ? info.context
						 : 0;

	return size ? window_of(&(struct window_opts){ .size = size,
						       .max_output = info.max_output,
						       .limit = agent->compacting.limit,
						       .percent = agent->compacting.percent })
		    : (struct window){ .effective = 0 };
}

int64_t agent_estimate(const struct agent *agent)
{
	size_t known = min_of(agent->measured.bytes, agent->history.bytes);
	size_t bytes = agent->history.bytes - known;

	if (!agent->measured.tokens)
		bytes += agent->system.len + toolset_bytes(&agent->tools);
	return agent->measured.tokens + (int64_t)(bytes / BYTES_PER_TOKEN);
}

void agent_expect_cache_miss(struct agent *agent)
{
	if (agent->history.messages.n)
		model_forget_cache(agent->client,
				   agent->parent_tool_use_id.len ? MODEL_FOR_AGENT : MODEL_FOR_MAIN,
				   sv_of(&agent->history.messages.at[0].json));
}

void agent_forget_messages(struct agent *agent)
{
	agent_expect_cache_miss(agent);
	history_clear(&agent->history);
	read_state_forget_views(agent->ctx.files);
	agent->measured.tokens = 0;
	agent->measured.bytes = 0;
	agent->restored = 0;
}

void agent_go_back(struct agent *agent, struct transcript_loaded *loaded, const struct uuid *last)
{
	agent_forget_messages(agent);
	str_truncate(&agent->ctx.todos, 0);
	str_truncate(&agent->last_reply, 0);
	str_truncate(&agent->prompt, 0);
	agent_restore(agent, loaded);
	agent_rewind(agent, last);
}

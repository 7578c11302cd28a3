/* turn_output.h - what a turn emits and appends beside the blocks of a response: how the request
 * fares, texts of the harness, the results of the calls. */
#ifndef AWL_CORE_AGENT_TURN_OUTPUT_H
#define AWL_CORE_AGENT_TURN_OUTPUT_H

#include "core/agent/executor.h"
#include "core/agent/response.h"
#include "core/agent/turn.h"
#include "model/model.h"

/* Emits retries, stalls, notes and raw pieces of the stream. `ttft_ms` goes with a raw piece; -1:
 * not with this one. */
void turn_emit_model_event(struct agent *agent, const struct model_event *event, int64_t ttft_ms);
/* Emits about how much was thought, if that has grown enough since the last time or the thinking is
 * over. */
void turn_emit_thinking(struct agent *agent, struct response *response, bool is_over);
/* A response was cut off: emits the events that a stream ends with. */
void turn_emit_stream_end(struct agent *agent, const struct response *response);

/* How events describe MODEL_RETRY; borrows from it. */
struct event_retry turn_describe_retry(const struct model_event *event);

/* Emits and records the error instead of a response. It is never sent to the model. */
void turn_report_failure(struct agent *agent, struct turn_outcome *out,
			 const struct model_error *error);

/* Tells the host which prompt was refused and why, so that it can offer to edit it. */
void turn_report_refusal(struct agent *agent, const struct response *response);

/* Appends a text of the harness, which front ends show as such. */
void turn_append_text(struct agent *agent, struct turn_outcome *out, const char *text);

/* Appends `tool_use_result`, JSON: what the tool reports beside its text for the model. */
void turn_result_data(struct str *out, const struct tool_result *result);

/* Appends what a hook adds for the model; nothing if it is empty. Front ends do not show it. */
void turn_append_context(struct agent *agent, const struct str *context);

/* Emits the results of the calls that are over, each once. */
void turn_emit_results(struct agent *agent, const struct executor *ex);
/* Appends the results of the calls, which were emitted, in the order of the calls, then the context
 * that hooks have added. */
void turn_append_results(struct agent *agent, struct turn_outcome *out, const struct executor *ex);

/* The same for a call that was deferred and has a result already; nothing if it is deferred again. */
void turn_append_rerun(struct agent *agent, struct turn_outcome *out, const struct call *call);

/* Whether the user, or else a hook, wants the turn to end with these calls. */
bool turn_is_stopped_by_user(const struct executor *ex);
bool turn_is_stopped_by_hook(const struct executor *ex);
/* The first call that a hook has deferred, or NULL. */
const struct call *turn_deferred_call(const struct executor *ex);

#endif

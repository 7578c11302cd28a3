/* The permission question shows the plan, so allowing this call accepts the plan. All that remains
 * is to leave plan mode, unless the reply has already chosen another mode. */
#include "text/json/json_write.h"
#include "tool/builtins.h"

enum { MAX_RESULT = 30000 };

static struct sv plan_of(const struct tool_call *call)
{
	return json_str_or(json_get(call->input, "plan"), SV_EMPTY);
}

/* If the user changed the plan, the mode may have changed already. */
static bool exit_plan_check(const struct tool_call *call, struct err *err)
{
	const struct tool_services *services = call->ctx->session->services;

	if (!call->is_changed && (!services->is_planning || !services->is_planning(services->arg)))
		return err_set(err, ERR_INVALID,
			       "The session is not in plan mode: continue with the work.");
	if (!sv_trim(plan_of(call)).len)
		return err_set(err, ERR_INVALID,
			       "`plan` is empty: write out the plan for the user.");
	return true;
}

static void exit_plan_perm_request(__attribute__((unused)) const struct tool_call *call,
				   __attribute__((unused)) struct arena *arena,
				   struct perm_request *out)
{
	out->access = ACCESS_NONE;
	out->needs_user = true;
}

static void exit_plan_write_data(struct tool_call *call)
{
	struct jw w;

	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "plan", plan_of(call));
	jw_put_bool(&w, "isAgent", false);
	jw_end(&w);
	jw_done(&w);
}

static struct op *exit_plan_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;

	if (services->end_planning)
		services->end_planning(services->arg);
	exit_plan_write_data(call);
	str_adds(&call->result.text,
		 "The user approved the plan, and plan mode is off: carry it out now.");
	if (call->is_changed)
		str_addf(&call->result.text, " They changed it to this:\n\n%.*s",
			 SV_ARG(plan_of(call)));
	return op_settled(call->ctx->loop, then);
}

const struct tool tool_exit_plan_mode = {
	.name = "ExitPlanMode",
	.page = tool_exit_plan_mode_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"plan\":{\"type\":\"string\"}},"
			  "\"required\":[\"plan\"]}"),
	.max_result = MAX_RESULT,
	.needs_user = true,
	.check = exit_plan_check,
	.perm_request = exit_plan_perm_request,
	.start = exit_plan_start,
};

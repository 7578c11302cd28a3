/* The model wants to plan before it changes something. The user decides with the permission
 * question, since planning costs their time. */
#include "text/json/json_write.h"
#include "tool/builtins.h"

enum { MAX_RESULT = 30000 };

static bool enter_plan_check(const struct tool_call *call, struct err *err)
{
	const struct tool_services *services = call->ctx->session->services;

	if (!services->begin_planning)
		return err_set(err, ERR_UNSUPPORTED, "There is no plan mode here: just continue.");
	if (services->is_planning(services->arg))
		return err_set(err, ERR_INVALID, "Plan mode is on already: continue planning.");
	return true;
}

static void enter_plan_perm_request(__attribute__((unused)) const struct tool_call *call,
				    __attribute__((unused)) struct arena *arena,
				    struct perm_request *out)
{
	out->access = ACCESS_NONE;
	out->needs_user = true;
}

/* The answer may have set the mode already; then the model still has to learn of it. */
static struct op *enter_plan_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;
	struct jw w;

	str_adds(&call->result.text, "The user agreed. ");
	services->begin_planning(services->arg, &call->result.text);
	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "message", sv_of(&call->result.text));
	jw_end(&w);
	jw_done(&w);
	return op_settled(call->ctx->loop, then);
}

const struct tool tool_enter_plan_mode = {
	.name = "EnterPlanMode",
	.page = tool_enter_plan_mode_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{}}"),
	.max_result = MAX_RESULT,
	.needs_user = true,
	.declined = "The user does not want a plan first: start with the work.",
	.check = enter_plan_check,
	.perm_request = enter_plan_perm_request,
	.start = enter_plan_start,
};

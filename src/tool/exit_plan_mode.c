/* The permission question shows the plan, so allowing this call accepts the plan. All that remains
 * is to leave plan mode, unless the reply has already chosen another mode.
 *
 * The plan is what the plan file holds, unless the model or the host writes another one into the
 * call; that replaces the file. */
#include "proto/message.h"
#include "store/plans.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"

enum { MAX_RESULT = 30000 };

static const char *exit_plan_file(const struct tool_call *call)
{
	const struct tool_services *services = call->ctx->session->services;

	return services->plan_file ? services->plan_file(services->arg) : NULL;
}

static bool exit_plan_check(const struct tool_call *call, struct err *err)
{
	const struct tool_services *services = call->ctx->session->services;

	/* If the user changed the plan, the mode may have changed already. */
	if (!call->is_changed && (!services->is_planning || !services->is_planning(services->arg)))
		return err_set(err, ERR_INVALID,
			       "The session is not in plan mode: continue with the work.");
	return true;
}

static void exit_plan_perm_request(__attribute__((unused)) const struct tool_call *call,
				   __attribute__((unused)) struct arena *arena,
				   struct perm_request *out)
{
	out->access = ACCESS_NONE;
	out->needs_user = true;
}

/* Append the plan that the call presents: nothing if there is none. */
static void exit_plan_find(struct str *out, const struct tool_call *call)
{
	struct sv given = json_str_or(json_get(call->input, "plan"), SV_EMPTY);
	const char *file = exit_plan_file(call);

	if (sv_trim(given).len)
		str_add(out, given);
	else if (!file || !plan_read(out, file) || !sv_trim(sv_of(out)).len)
		str_truncate(out, 0);
}

static void exit_plan_show_input(const struct tool_call *call, struct str *out)
{
	defer(str_clear) struct str plan = STR_INIT;
	struct json_iter it = json_each(call->input);
	const char *file = exit_plan_file(call);
	struct json value;
	struct sv key;
	struct jw w;

	exit_plan_find(&plan, call);
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	while (json_next(&it, &key, &value))
		if (!sv_is(key, "plan") && !sv_is(key, "planFilePath")) {
			jw_key(&w, key);
			jw_value(&w, value);
		}
	if (plan.len)
		jw_put_str(&w, "plan", sv_of(&plan));
	if (plan.len && file)
		jw_put_str(&w, "planFilePath", sv_cstr(file));
	jw_end(&w);
	jw_done(&w);
}

/* The rules for what the plan needs commands for, as hosts know them. */
static bool exit_plan_offer_prompts(const struct tool_call *call, struct arena *arena,
				    struct permission_change *out)
{
	struct json prompts = json_get(call->input, "allowedPrompts"), prompt;
	struct json_iter it = json_each(prompts);
	struct permission_rule *rules = arena_calloc(arena, json_len(prompts) + 1, sizeof(*rules));
	size_t n = 0;

	while (json_next(&it, NULL, &prompt)) {
		struct sv text = json_str_or(json_get(prompt, "prompt"), SV_EMPTY);

		if (sv_is(json_str_or(json_get(prompt, "tool"), SV_EMPTY), "Bash") && text.len)
			rules[n++] = (struct permission_rule){
				.tool = SV("Bash"),
				.content = arena_printf(arena, "prompt: %.*s", SV_ARG(text))
			};
	}
	*out = (struct permission_change){ .kind = PERMISSION_ADD_RULES,
					   .behavior = BEHAVIOR_ALLOW,
					   .rules = rules,
					   .nrules = n };
	return n > 0;
}

/* The modes to carry the plan out in. Without a plan the user just leaves plan mode. */
static size_t exit_plan_offer(const struct tool_call *call, struct arena *arena,
			      struct permission_change *out)
{
	const struct tool_services *services = call->ctx->session->services;
	bool may_bypass = services->may_bypass && services->may_bypass(services->arg);
	defer(str_clear) struct str plan = STR_INIT;
	size_t n = 0;

	exit_plan_find(&plan, call);
	if (plan.len)
		out[n++] = (struct permission_change){ .kind = PERMISSION_SET_MODE,
						       .mode = may_bypass ? SV("bypassPermissions")
									  : SV("acceptEdits") };
	out[n++] = (struct permission_change){ .kind = PERMISSION_SET_MODE, .mode = SV("default") };
	return n + exit_plan_offer_prompts(call, arena, &out[n]);
}

static void exit_plan_write_data(struct tool_call *call, struct sv plan, const char *file)
{
	struct jw w;

	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	if (plan.len)
		jw_put_str(&w, "plan", plan);
	else
		jw_put_null(&w, "plan");
	jw_put_bool(&w, "isAgent", false);
	if (file)
		jw_put_str(&w, "filePath", sv_cstr(file));
	if (call->is_changed)
		jw_put_bool(&w, "planWasEdited", true);
	jw_end(&w);
	jw_done(&w);
}

/* Keep a plan that is not in the file yet. */
static const char *exit_plan_save(struct tool_call *call, struct sv plan)
{
	const char *file = exit_plan_file(call);
	defer(str_clear) struct str kept = STR_INIT;
	struct err err = ERR_INIT;

	if (!file || !plan.len || (plan_read(&kept, file) && sv_eq(sv_of(&kept), plan)))
		return plan.len ? file : NULL;
	if (plan_write(file, plan, &err))
		return file;
	str_addf(&call->result.text, "(The plan could not be saved: %s.) ", err.text);
	return NULL;
}

static struct op *exit_plan_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;
	defer(str_clear) struct str plan = STR_INIT;
	const char *file;

	exit_plan_find(&plan, call);
	file = exit_plan_save(call, sv_of(&plan));
	if (services->end_planning)
		services->end_planning(services->arg);
	exit_plan_write_data(call, sv_of(&plan), file);
	str_addf(&call->result.text, "The user approved %s, and plan mode is off: %s now.",
		 plan.len ? "the plan" : "leaving plan mode", plan.len ? "carry it out" : "go on");
	if (file)
		str_addf(&call->result.text, " The plan stays in %s.", file);
	if (call->is_changed && plan.len)
		str_addf(&call->result.text, " They changed it to this:\n\n%s", plan.ptr);
	return op_settled(call->ctx->loop, then);
}

const struct tool tool_exit_plan_mode = {
	.name = "ExitPlanMode",
	.page = tool_exit_plan_mode_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"allowedPrompts\":{"
			  "\"type\":\"array\"},\"plan\":{\"type\":\"string\"}}}"),
	.max_result = MAX_RESULT,
	.needs_user = true,
	.presents_plan = true,
	.declined = MESSAGE_PLAN_DECLINED " yet. Plan mode stays on: ask what to change.",
	.check = exit_plan_check,
	.perm_request = exit_plan_perm_request,
	.show_input = exit_plan_show_input,
	.offer = exit_plan_offer,
	.start = exit_plan_start,
};

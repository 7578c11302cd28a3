/* Loads a skill: what it says follows the result as a message of its own, so that it is not dropped
 * with old results. The session knows the skills and runs what is in their texts. */
#include "base/limits.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"

static struct sv skill_name(const struct tool_call *call)
{
	struct sv name = sv_trim(json_str_or(json_get(call->input, "skill"), SV_EMPTY));

	return sv_skip(name, sv_starts(name, SV("/")) ? 1 : 0);
}

static bool skill_check(const struct tool_call *call, struct err *err)
{
	const struct tool_services *services = call->ctx->session->services;

	if (!services->find_skill)
		return err_set(err, ERR_UNSUPPORTED, "There are no skills in this session.");
	return services->find_skill(services->arg, skill_name(call), err) != SKILL_UNKNOWN;
}

/* Reading a text needs no permission. One that would allow other calls does, and so does one that nobody
 * can look up: 'awl why' has no session. */
static void skill_perm_request(const struct tool_call *call,
			       __attribute__((unused)) struct arena *arena,
			       struct perm_request *out)
{
	const struct tool_services *services = call->ctx->session->services;
	struct err ignored = ERR_INIT;

	if (services->find_skill &&
	    services->find_skill(services->arg, skill_name(call), &ignored) == SKILL_IS_TEXT)
		out->access = ACCESS_NONE;
}

static struct op *skill_start(struct tool_call *call, struct then then)
{
	const struct tool_services *services = call->ctx->session->services;
	struct sv name = skill_name(call);
	struct jw w;

	str_addf(&call->result.text, "Launching skill: %.*s", SV_ARG(name));
	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_bool(&w, "success", true);
	jw_put_str(&w, "commandName", name);
	jw_put_str(&w, "status", SV("inline"));
	jw_end(&w);
	jw_done(&w);
	return services->run_skill(services->arg, call, name,
				   json_str_or(json_get(call->input, "args"), SV_EMPTY), then);
}

const struct tool tool_skill = {
	.name = "Skill",
	.page = tool_skill_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"skill\":{\"type\":\"string\","
			  "\"description\":\"Its name\"},\"args\":{\"type\":\"string\"}},"
			  "\"required\":[\"skill\"],\"additionalProperties\":false}"),
	.max_result = LIMIT_READ_RESULT,
	.needs_skills = true,
	.check = skill_check,
	.perm_request = skill_perm_request,
	.start = skill_start,
};

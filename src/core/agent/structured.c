#include "core/agent/structured.h"

#include "base/mem.h"
#include "core/toolset/toolset.h"
#include "text/json/json_write.h"

static bool structured_always(__attribute__((unused)) struct json input)
{
	return true;
}

static void structured_request_nothing(__attribute__((unused)) const struct tool_call *call,
				       __attribute__((unused)) struct arena *arena,
				       struct perm_request *out)
{
	out->access = ACCESS_NONE;
}

static struct op *structured_hand_in(struct tool_call *call, struct then then)
{
	struct structured *s = call->tool->arg;
	struct jw w;

	str_truncate(&s->value, 0);
	jw_init(&w, &s->value, JW_COMPACT);
	jw_value(&w, call->input);
	jw_done(&w);
	str_adds(&call->result.text, "Structured output provided successfully");
	return op_settled(call->ctx->loop, then);
}

struct structured *structured_new(struct sv schema, struct err *err)
{
	struct structured *s;

	if (!toolset_accepts_schema(schema, err)) {
		err_context(err, "the JSON schema of the answer");
		return NULL;
	}
	s = xnew(struct structured);
	str_add(&s->schema, sv_trim(schema));
	s->tool = (struct tool){
		.name = STRUCTURED_TOOL,
		.page = "Hand in the final answer of this task as an object that fits the schema. "
			"Call it exactly once, when the work is done.",
		.schema = sv_of(&s->schema),
		.is_read_only = structured_always,
		.perm_request = structured_request_nothing,
		.start = structured_hand_in,
		.arg = s,
	};
	return s;
}

void structured_free(struct structured *s)
{
	if (!s)
		return;
	str_clear(&s->schema);
	str_clear(&s->value);
	free(s);
}

void structured_reset(struct structured *s)
{
	if (!s)
		return;
	str_truncate(&s->value, 0);
	s->failures = 0;
	s->is_reminded = false;
}

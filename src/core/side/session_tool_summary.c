#include "core/side/session_tool_summary.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/utf8.h"
#include "core/agent/turn_output.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/side/session_title.h"
#include "tool/shell/shell_env.h"

enum { CALL_BYTES = 600, ABOUT_BYTES = 8000 };

static const char instructions[] =
	"Write one line of at most ten words that says what these calls of tools have done, in the "
	"past tense, for somebody who follows the work from afar. Answer with the line alone.";

static void session_tool_summary_ask(struct session *s);

static void session_tool_summary_emit(struct session *s)
{
	struct session_tool_summary *t = &s->tool_summary;
	struct sv text = session_title_read(sv_of(&t->answer));

	if (text.len)
		session_emit(s, &(struct event){ .kind = EVENT_TOOL_SUMMARY,
						 .tool_summary = { .text = text,
								   .ids = t->ids.at,
								   .nids = t->asked } });
}

static void session_tool_summary_drop(struct session_tool_summary *t, size_t n)
{
	t->ids.n -= n;
	for (size_t i = 0; i < t->ids.n; i++)
		t->ids.at[i] = t->ids.at[i + n];
	if (!t->ids.n)
		arena_clear(&t->arena);
}

static void session_tool_summary_on_answer(__attribute__((unused)) struct op *op, void *owner,
					   const struct err *why)
{
	struct session *s = owner;

	s->tool_summary.op = NULL;
	if (why)
		log_debug("there is no summary of the calls: %s", why->text);
	else
		session_tool_summary_emit(s);
	session_tool_summary_drop(&s->tool_summary, s->tool_summary.asked);
	if (session_is_closed(s))
		session_settle(s);
	else
		session_tool_summary_ask(s);
}

static void session_tool_summary_ask(struct session *s)
{
	struct session_tool_summary *t = &s->tool_summary;

	if (t->op || !t->ids.n)
		return;
	str_truncate(&t->answer, 0);
	t->asked = t->ids.n;
	t->op = s->services.ask_small(s->services.arg, sv_cstr(instructions), sv_of(&t->about),
				      &t->answer, THEN(session_tool_summary_on_answer, s));
	str_truncate(&t->about, 0);
}

static void session_tool_summary_add(struct session_tool_summary *t, const struct call *call)
{
	defer(str_clear) struct str result = STR_INIT;

	vec_push(&t->ids, arena_dup(&t->arena, sv_of(&call->id)));
	if (t->about.len >= ABOUT_BYTES)
		return;
	turn_result_data(&result, &call->run.result);
	str_addf(&t->about, "%.*s %.*s\n-> %.*s\n", SV_ARG(sv_of(&call->name)),
		 SV_ARG(utf8_prefix(sv_of(&call->input), CALL_BYTES)),
		 SV_ARG(utf8_prefix(sv_of(&result), CALL_BYTES)));
}

void session_tool_summary_update(struct session *s, const struct executor *calls)
{
	struct session_tool_summary *t = &s->tool_summary;

	if (calls->agent != s->agent || !s->services.ask_small ||
	    !shell_env_is_on(&s->shared, "CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES"))
		return;
	for (size_t i = 0; i < calls->calls.n && t->ids.n < LIMIT_SUMMARY_CALLS; i++)
		session_tool_summary_add(t, calls->calls.at[i]);
	session_tool_summary_ask(s);
}

void session_tool_summary_clear(struct session *s)
{
	struct session_tool_summary *t = &s->tool_summary;

	str_clear(&t->answer);
	str_clear(&t->about);
	arena_clear(&t->arena);
	vec_clear(&t->ids);
}

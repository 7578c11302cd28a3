/* Hooks around prompts, what the model says and the end of a turn: UserPromptExpansion,
 * UserPromptSubmit, MessageDisplay, Stop and StopFailure. */
#include "core/agent/agent_internal.h"
#include "core/agent/turn.h"
#include "core/hooks/hooks.h"
#include "core/hooks/session_hooks.h"
#include "core/session/session_emit.h"
#include "core/session/session_host.h"
#include "core/subagents/subagents.h"
#include "proto/message.h"

/* --- UserPromptExpansion and UserPromptSubmit ------------------------------------------------- */

static void hooks_prompt_text(struct str *out, const struct str *content)
{
	defer(str_clear) struct str list = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;

	str_addf(&list, "[%s]", str_c(content));
	doc = json_parse(sv_of(&list), 0, &err);
	content_text(out, json_root(doc));
}

void hooks_take_title(struct session *s, struct sv title)
{
	struct err err = ERR_INIT;

	if (sv_trim(title).len && !session_rename(s, sv_trim(title), &err))
		session_inform(s, NOTICE_WARNING, sv_cstr(err.text));
}

/* Say why a prompt is dropped, and which, unless the hook wants it hidden. */
static void hooks_prompt_refuse(struct prompt_point *point, const struct hook_answer *answer)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv why = answer->decision == HOOK_DENY ? answer->reason : answer->stop_reason;

	str_addf(&point->refusal, "A %s hook blocked this prompt: %.*s",
		 point->is_expansion ? "UserPromptExpansion" : "UserPromptSubmit",
		 SV_ARG(why.len ? why : SV("it gave no reason.")));
	if (answer->suppresses_prompt)
		return;
	hooks_prompt_text(&text, &point->content);
	str_addf(&point->refusal, "\n\nThe prompt was: %.*s", SV_ARG(sv_of(&text)));
}

static void hooks_prompt_apply(struct session *s, const struct hook_answer *answer, void *arg)
{
	struct prompt_point *point = arg;

	hooks_take_title(s, answer->session_title);
	if (answer->decision == HOOK_DENY || answer->stops)
		hooks_prompt_refuse(point, answer);
	else
		hook_answer_context(answer, &point->context);
}

/* Who wrote the prompt. */
static struct sv hooks_prompt_source(const struct session *s)
{
	return s->prompts.waiting.n && s->prompts.waiting.at[0].is_notice ? SV("system")
	       : session_is_at_terminal(s)                                ? SV("user")
									  : SV("sdk");
}

static struct op *hooks_prompt_submit(void *arg, struct prompt_point *point, struct then then)
{
	struct session *s = arg;
	defer(str_clear) struct str text = STR_INIT;
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_USER_PROMPT_SUBMIT);

	if (!hooks_has(s->handlers->engine, HOOK_USER_PROMPT_SUBMIT))
		return NULL;
	hooks_prompt_text(&text, &point->content);
	in.prompt = sv_of(&text);
	in.source = hooks_prompt_source(s);
	in.session_title = sv_of(&s->conversation.title);
	return session_hooks_start(s, &in, hooks_prompt_apply, point, then);
}

struct op *hooks_expand(struct session *s, const struct command_file *file, struct sv arguments,
			struct then then)
{
	struct prompt_point *point = &s->prompts.point;
	defer(str_clear) struct str typed = STR_INIT;
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_USER_PROMPT_EXPANSION);

	if (!hooks_has(s->handlers->engine, HOOK_USER_PROMPT_EXPANSION))
		return NULL;
	str_addf(&typed, "/%.*s%s%.*s", SV_ARG(file->name), arguments.len ? " " : "",
		 SV_ARG(arguments));
	point->count = 1;
	point->is_expansion = true;
	block_text(&point->content, sv_of(&typed));
	in.expansion_type = SV("slash_command");
	in.command_name = file->name;
	in.command_args = arguments;
	in.command_source = file->is_project ? SV("project") : SV("user");
	in.prompt = sv_of(&typed);
	return session_hooks_start(s, &in, hooks_prompt_apply, point, then);
}

/* --- Stop and StopFailure --------------------------------------------------------------------- */

void hooks_note_stop(struct session *s, const struct hook_report *report)
{
	struct session_hooks *h = s->handlers;
	bool has_failed = report->outcome == HOOK_FAILED || report->outcome == HOOK_CANCELLED;

	vec_push(&h->stopped,
		 ((struct transcript_hook){
			 .command = arena_dup(&h->stopped_arena, report->handler->text),
			 .duration_ms = report->duration_ms,
			 .error = has_failed ? arena_dup(&h->stopped_arena, report->problem)
					     : SV_EMPTY }));
}

/* Record which hooks have looked at the end of the turn. */
static void hooks_prompt_record_stop(struct session *s, const struct hook_answer *answer,
				     bool has_output)
{
	struct session_hooks *h = s->handlers;
	struct uuid uuid = uuid_v4(loop_rng(s->engine->loop));
	const struct transcript_hooks hooks = { .at = h->stopped.at,
						.n = h->stopped.n,
						.has_output = has_output,
						.prevented = answer->stops,
						.stop_reason = answer->stop_reason };

	if (hooks.n)
		(void)!agent_record(s->agent,
				    &(struct transcript_record){ .type = "system",
								 .subtype = SV("stop_hook_summary"),
								 .uuid = sv_cstr(uuid.text),
								 .hooks = &hooks });
	h->stopped.n = 0;
	arena_clear(&h->stopped_arena);
}

/* What the hooks say is feedback that continues the turn, whether they call it a block or context. */
static void hooks_prompt_apply_stop(struct session *s, const struct hook_answer *answer, void *arg)
{
	struct stop_point *point = arg;
	bool has_output = answer->decision == HOOK_DENY || answer->context.n;

	hooks_prompt_record_stop(s, answer, has_output);
	point->prevent = answer->stops;
	if (!has_output)
		return;
	str_adds(&point->feedback, "Stop hook feedback:\n");
	if (answer->decision == HOOK_DENY)
		str_addf(&point->feedback, "%.*s%s", SV_ARG(answer->reason),
			 answer->context.n ? "\n" : "");
	for (size_t i = 0; i < answer->context.n; i++)
		str_addf(&point->feedback, "%s%.*s", i ? "\n" : "",
			 SV_ARG(answer->context.at[i].text));
}

struct op *hooks_prompt_stop(struct session *s, struct agent *agent, struct stop_point *point,
			     struct then then)
{
	defer(str_clear) struct str crons = STR_INIT;
	struct hook_input in = session_hooks_input(
		s, agent, agent_is_child(agent) ? HOOK_SUBAGENT_STOP : HOOK_STOP);

	if (in.is_of_hook)
		return NULL;
	in.stop_hook_active = point->is_again;
	in.last_assistant_message = point->text;
	session_schedule_write(s, &crons);
	in.session_crons = sv_of(&crons);
	in.agent_transcript_path = subagents_path(s->subagents, in.agent_id);
	return session_hooks_start(s, &in, hooks_prompt_apply_stop, point, then);
}

void hooks_report_failure(struct session *s, const struct turn_outcome *out)
{
	struct hook_input in = session_hooks_input(s, s->agent, HOOK_STOP_FAILURE);

	if (!out->error || session_is_closed(s))
		return;
	in.error = sv_cstr(out->error);
	in.error_details = sv_of(&out->text);
	in.last_assistant_message = sv_of(&out->text);
	s->handlers->barrier =
		session_hooks_start(s, &in, NULL, NULL, THEN(session_hooks_on_barrier, s));
}

void hooks_prompt_install(struct hook_points *points)
{
	points->prompt = hooks_prompt_submit;
	points->stop = session_goal_stop;
}

/* Events of the session become finished rows, or state that tui_live.c draws until it is finished. */
#include "front/tui/conversation/tui_show.h"

#include "base/mem.h"
#include "base/uuid.h"
#include "front/tui/commands/tui_btw.h"
#include "front/tui/commands/tui_context.h"
#include "front/tui/commands/tui_copy.h"
#include "front/tui/commands/tui_mcp.h"
#include "front/tui/commands/tui_models.h"
#include "front/tui/commands/tui_picker.h"
#include "front/tui/commands/tui_plugins.h"
#include "front/tui/commands/tui_rewind.h"
#include "front/tui/conversation/tui_agent.h"
#include "front/tui/conversation/tui_away.h"
#include "front/tui/conversation/tui_cost.h"
#include "front/tui/conversation/tui_hooks.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_status_line.h"
#include "front/tui/prompt/tui_menu.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/prompt/tui_shell.h"
#include "front/tui/question/tui_question.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_leave.h"
#include "front/tui/tui_notify.h"
#include "front/tui/tui_settings.h"
#include "front/tui/view/view_past.h"
#include "proto/message.h"
#include "proto/slash.h"
#include "text/json/json_write.h"

enum { TAIL_BYTES = 4096, THOUGHT_BYTES = 16 * 1024, LONG_BYTES = 256 * 1024 };

/* --- prompts ----------------------------------------------------------- */

void tui_show_prompt(struct tui *t, struct sv text)
{
	struct view view;

	t->conversation.has_begun = true;
	tui_view(t, &view);
	view_prompt(tui_begin_block(t), &view, text);
	tui_redraw_now(t);
}

/* --- the answer ------------------------------------------------------------------------ */

void tui_show_answer(struct tui *t, size_t max_open, struct page *open)
{
	struct markdown_look look;
	struct view view;

	if (!t->turn.is_answering)
		return;
	tui_view(t, &view);
	view_markdown_look(&view, &look);
	markdown_stream_paint(&t->turn.answer, &look, max_open, tui_done(t), open);
}

static void tui_end_answer(struct tui *t)
{
	struct markdown_look look;
	struct view view;

	if (!t->turn.is_answering)
		return;
	t->turn.is_answering = false;
	tui_view(t, &view);
	view_markdown_look(&view, &look);
	markdown_stream_end(&t->turn.answer, &look, tui_done(t));
}

static void tui_end_thought(struct tui *t)
{
	defer(str_clear) struct str line = STR_INIT;
	struct view view;

	if (!t->turn.thought_since)
		return;
	str_adds(&line, "Thought");
	if (tui_now(t) - t->turn.thought_since >= 1000) {
		str_adds(&line, " for ");
		view_add_seconds(&line, tui_now(t) - t->turn.thought_since);
	}
	t->turn.thought_since = 0;
	str_truncate(&t->turn.thought, 0);
	tui_view(t, &view);
	view_aside(tui_begin_block(t), &view, "∴ %s", str_c(&line));
}

static void tui_add_thought(struct tui *t, struct sv text)
{
	if (!t->turn.thought_since)
		t->turn.thought_since = tui_now(t);
	str_add(&t->turn.thought, text);
	if (t->turn.thought.len > 2 * THOUGHT_BYTES)
		str_consume(&t->turn.thought, t->turn.thought.len - THOUGHT_BYTES);
}

static void tui_show_stream(struct tui *t, const struct event_stream *stream)
{
	struct sv text = stream_text(stream->value), thought = stream_thinking(stream->value);

	tui_end_trouble(t);
	t->turn.streamed += text.len + thought.len;
	if (thought.len)
		tui_add_thought(t, thought);
	if (text.len) {
		tui_end_thought(t);
		if (!t->turn.is_answering)
			tui_begin_block(t);
		t->turn.is_answering = true;
		markdown_stream_add(&t->turn.answer, text);
	}
	if (text.len || thought.len)
		tui_redraw(t);
}

static void tui_show_text(struct tui *t, struct sv text)
{
	struct markdown_look look;
	struct view view;

	if (t->turn.is_answering) {
		tui_end_answer(t);
		return;
	}
	if (!sv_trim(text).len)
		return;
	tui_view(t, &view);
	view_markdown_look(&view, &look);
	markdown_paint(tui_begin_block(t), text, &look);
}

/* --- calls ------------------------------------------------------------------------------- */

static void tui_call_clear(struct tui_call *call)
{
	str_clear(&call->id);
	str_clear(&call->tool);
	json_doc_free(call->input);
	str_clear(&call->tail);
}

static void tui_forget_calls(struct tui *t)
{
	for (size_t i = 0; i < t->turn.calls.n; i++)
		tui_call_clear(&t->turn.calls.at[i]);
	vec_clear(&t->turn.calls);
}

static struct tui_call *tui_find_call(struct tui *t, struct sv id)
{
	for (size_t i = 0; i < t->turn.calls.n; i++)
		if (sv_eq(sv_of(&t->turn.calls.at[i].id), id))
			return &t->turn.calls.at[i];
	return NULL;
}

static void tui_begin_call(struct tui *t, const struct block *block)
{
	struct tui_call *call = vec_add(&t->turn.calls);

	str_set(&call->id, block->id);
	str_set(&call->tool, block->tool);
	call->input = json_copy(block->input);
	call->started = tui_now(t);
}

void tui_begin_calls_anew(struct tui *t, struct sv id)
{
	bool is_after = false;

	for (size_t i = 0; i < t->turn.calls.n; i++) {
		is_after = is_after || sv_eq(sv_of(&t->turn.calls.at[i].id), id);
		if (is_after)
			t->turn.calls.at[i].started = tui_now(t);
	}
}

static void tui_show_output(struct tui *t, struct sv id, struct sv text)
{
	struct tui_call *call = tui_find_call(t, id);

	if (tui_shell_on_output(t, id, text) || !call)
		return;
	str_add(&call->tail, text);
	if (call->tail.len > 2 * TAIL_BYTES)
		str_consume(&call->tail, call->tail.len - TAIL_BYTES);
	tui_redraw(t);
}

/* Below the call that waits for an agent: what the agent does now. */
static void tui_show_progress(struct tui *t, const struct event_task *task)
{
	struct tui_call *call = tui_find_call(t, task->call);
	struct tui_task *aside = tui_find_task(t, task->id);

	if (!task->agent_type.len)
		return;
	if (aside && task->summary.len) {
		str_set(&aside->summary, task->summary);
		tui_redraw(t);
	}
	if (!call && sv_starts(task->call, SV(EVENT_SKILL_CALL))) {
		str_set(&t->turn.agent_step, task->description);
		tui_redraw(t);
	}
	if (!call)
		return;
	str_set(&call->tail, task->description);
	str_addf(&call->tail, " · %lld tool use%s · ", (long long)task->tool_uses,
		 task->tool_uses == 1 ? "" : "s");
	str_add_count(&call->tail, task->total_tokens);
	str_adds(&call->tail, " tokens");
	tui_redraw(t);
}

/* A call that still waits for an agent shows itself what comes of it. */
static void tui_show_task(struct tui *t, const struct event *event)
{
	str_truncate(&t->turn.agent_step, 0);
	if (event->kind == EVENT_TASKS || !tui_find_call(t, event->task.call))
		tui_on_tasks(t, event);
}

static void tui_print_call(struct tui *t, const struct view_call *call)
{
	struct view view;

	tui_view(t, &view);
	if (view_call_is_short(&view, call))
		lookups_add(&t->conversation.lookups, &view, call);
	else
		view_call(tui_begin_block(t), &view, call);
}

static enum view_state tui_call_state(const struct tui *t, const struct block *block)
{
	return dialog_was_declined(&t->dialog, block->id) ? VIEW_DECLINED
	       : block->is_error                          ? VIEW_FAILED
							  : VIEW_DONE;
}

/* What the user said with a no. */
static void tui_show_words(struct tui *t)
{
	if (t->conversation.words.len)
		tui_show_prompt(t, sv_of(&t->conversation.words));
	str_truncate(&t->conversation.words, 0);
}

static void tui_end_call(struct tui *t, const struct block *block, struct json data)
{
	struct tui_call *call = tui_find_call(t, block->id);
	defer(str_clear) struct str text = STR_INIT;
	struct view_call shown;
	struct view view;

	if (!call)
		return;
	content_text(&text, block->content);
	shown = (struct view_call){ .tool = sv_of(&call->tool),
				    .input = json_root(call->input),
				    .state = tui_call_state(t, block),
				    .text = sv_of(&text),
				    .data = data,
				    .ms = tui_now(t) - call->started };
	if (!block->is_error && todos_is_tool(shown.tool)) {
		todos_apply(&t->conversation.todos, shown.tool, shown.input, data);
		t->conversation.todos_changed = true;
	} else if (view_is_plan(shown.tool) && shown.state == VIEW_DECLINED) {
		; /* it was printed when the user said no */
	} else if (view_shows_call(shown.tool) || block->is_error) {
		tui_print_call(t, &shown);
	} else if (!view_answer_is_empty(&shown)) {
		tui_view(t, &view);
		view_answer(tui_begin_block(t), &view, &shown);
	}
	if (shown.state == VIEW_DECLINED)
		tui_show_words(t);
	tui_call_clear(call);
	vec_remove(&t->turn.calls, (size_t)(call - t->turn.calls.at));
}

/* The list was visible while the turn ran; now it becomes part of the conversation. */
static void tui_end_todos(struct tui *t)
{
	struct view view;

	if (!t->conversation.todos_changed || !t->conversation.todos.items.n)
		return;
	t->conversation.todos_changed = false;
	tui_view(t, &view);
	todos_draw(&t->conversation.todos, tui_begin_block(t), &view, SIZE_MAX);
	if (todos_count(&t->conversation.todos, TODO_DONE) == t->conversation.todos.items.n)
		todos_clear(&t->conversation.todos);
}

void tui_toggle_todos(struct tui *t)
{
	t->conversation.hides_todos = !t->conversation.hides_todos;
	if (!t->conversation.todos.items.n)
		str_set(&t->note, SV("There is no to-do list."));
}

/* --- messages ---------------------------------------------------------------------------- */

/* A text of the engine, which may come while the model is writing. */
static void tui_show_own_text(struct tui *t, struct sv text)
{
	struct view view;

	tui_view(t, &view);
	if (sv_trim(text).len)
		view_lines(tui_begin_block(t), &view, text);
}

static void tui_show_message(struct tui *t, struct json message)
{
	struct json_iter it = message_blocks(message);
	bool is_ours = message_is_synthetic(message);
	struct block block;

	while (message_next(&it, &block)) {
		if (is_ours && block.kind == BLOCK_TEXT) {
			tui_show_own_text(t, block.text);
		} else if (block.kind == BLOCK_THINKING) {
			tui_end_thought(t);
		} else if (block.kind == BLOCK_TEXT) {
			tui_keep_answer(t, block.text);
			tui_show_text(t, block.text);
		} else if (block.kind == BLOCK_TOOL_USE) {
			tui_end_answer(t);
			tui_begin_call(t, &block);
		}
	}
	tui_redraw(t);
}

static void tui_show_results(struct tui *t, struct json message, struct json data)
{
	struct json_iter it = message_blocks(message);
	struct block block;

	while (message_next(&it, &block))
		if (block.kind == BLOCK_TOOL_RESULT)
			tui_end_call(t, &block, data);
	tui_redraw(t);
}

static void tui_show_discard(struct tui *t)
{
	tui_end_answer(t);
	tui_end_thought(t);
	tui_forget_calls(t);
	tui_show_notice(t, t->theme->warning, SV("Connection lost; retrying."));
}

/* --- the end of a turn -------------------------------------------------------------------- */

/* The commands that only this screen has follow those of the session. */
static void tui_show_own_commands(struct tui *t)
{
	defer(str_clear) struct str lines = STR_INIT;
	struct view view;

	for (size_t i = 0; i < SLASH_COMMANDS; i++)
		if (slash_commands[i].kind == SLASH_FRONT) {
			slash_describe(&lines, sv_cstr(slash_commands[i].name),
				       sv_cstr(slash_commands[i].hint),
				       sv_cstr(slash_commands[i].help));
			str_addc(&lines, '\n');
		}
	tui_view(t, &view);
	view_lines(tui_done(t), &view, sv_of(&lines));
}

/* A command of ours may be answered while a turn runs, and is not part of it. */
static void tui_show_local_result(struct tui *t, const struct event_result *result)
{
	if (sv_is(result->local_command, slash_commands[SLASH_HELP].name)) {
		tui_show_own_commands(t);
	} else if (result->error.len) {
		tui_show_notice(t, t->theme->error, result->error);
	}
	if (sv_is(result->local_command, slash_commands[SLASH_PLUGIN].name))
		tui_plugins_on_result(t, result->error.len);
	if (sv_is(result->local_command, slash_commands[SLASH_REWIND].name))
		tui_rewind_on_result(t, result->error.len);
	tui_redraw(t);
}

static void tui_show_result(struct tui *t, const struct event_result *result)
{
	if (result->local_command.len) {
		tui_show_local_result(t, result);
		return;
	}
	tui_end_answer(t);
	tui_end_thought(t);
	tui_end_trouble(t);
	tui_forget_calls(t);
	tui_show_words(t);
	tui_end_todos(t);
	if (t->turn.streamed > LONG_BYTES)
		tui_frame_trim_later(t);
	t->turn.streamed = 0;
	t->conversation.turns++;
	if (t->turn.was_interrupted)
		tui_show_notice(t, t->theme->warning,
				SV("Interrupted. What should happen instead?"));
	else if (result->error.len)
		tui_show_notice(t, t->theme->error, result->error);
	t->turn.was_interrupted = false;
	tui_notify(t, "finished");
	tui_show_cost(t, result);
	dialog_end_turn(&t->dialog);
	if (result->cost_known && !t->opts->is_script)
		tui_cost_check(t);
	tui_away_on_turn(t);
}

/* --- everything else ------------------------------------------------------------------------ */

/* Only the user's word can be had here: no hook and no server lives in this program. */
static void tui_on_request(struct tui *t, const struct host_request *request)
{
	defer(str_clear) struct str json = STR_INIT, why = STR_INIT;

	tui_end_lookups(t);
	if (request->kind == HOST_CAN_USE_TOOL) {
		tui_ask(t, request->id, &request->permission);
		return;
	}
	if (request->kind == HOST_ELICITATION) {
		tui_ask_form(t, request->id, &request->elicitation);
		return;
	}
	str_addf(&why, "The terminal cannot handle \"%.*s\" requests.", SV_ARG(request->subtype));
	host_request_write_error(&json, request->id, sv_of(&why));
	if (!client_send(&t->client, sv_of(&json)))
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
}

static void tui_on_reply(struct tui *t, const struct event *event)
{
	const char *prompt;

	if (!chat_is_begun(event)) {
		if (tui_question_on_reply(t, &event->reply) ||
		    tui_shell_on_reply(t, &event->reply) || tui_rewind_on_reply(t, &event->reply) ||
		    tui_mcp_on_reply(t, &event->reply) || tui_context_on_reply(t, &event->reply) ||
		    tui_away_on_reply(t, &event->reply) || tui_btw_on_reply(t, &event->reply) ||
		    tui_agent_on_reply(t, &event->reply) || tui_leave_on_reply(t, &event->reply))
			return;
		tui_menu_on_reply(t, &event->reply);
		tui_status_line_on_reply(t, &event->reply);
		return;
	}
	if (event->reply.kind == REPLY_VALUE) {
		tui_menu_load(t, event->reply.value);
		tui_models_load(t, event->reply.value);
	}
	tui_status_line_begin(t);
	if (t->opts->chooses_session)
		tui_choose_session(t);
	prompt = move(t->first);
	if (prompt)
		tui_submit(t, sv_cstr(prompt));
}

static void tui_on_init(struct tui *t, const struct event_init *init)
{
	str_set(&t->cwd, init->cwd);
	tui_settings_follow(t);
	if (!t->turn.since)
		t->turn.since = tui_now(t);
	if (t->turn.was_interrupted) /* before there was a turn */
		client_interrupt(&t->client);
}

void tui_on_event(void *arg, const struct event *event, __attribute__((unused)) struct sv line)
{
	struct tui *t = arg;

	tui_status_line_on_event(t, event);
	tui_agents_on_event(t, event);
	if (event->parent_tool_use_id.len && event->kind != EVENT_HOST_REQUEST)
		return; /* of a sub-agent: its call says what comes of it */
	tui_cost_on_event(t, event);
	switch (event->kind) {
	case EVENT_INIT: tui_on_init(t, &event->init); break;
	case EVENT_STREAM: tui_show_stream(t, &event->stream); break;
	case EVENT_ASSISTANT: tui_show_message(t, event->message.value); break;
	case EVENT_USER:
		tui_show_results(t, event->message.value, event->message.tool_use_result_value);
		break;
	case EVENT_RESULT: tui_show_result(t, &event->result); break;
	case EVENT_TOOL_OUTPUT: tui_show_output(t, event->tool.id, event->tool.text); break;
	case EVENT_HOST_REQUEST: tui_on_request(t, &event->request); break;
	case EVENT_HOST_CANCEL: tui_withdraw(t); break;
	case EVENT_DISCARD: tui_show_discard(t); break;
	case EVENT_PROMPT: tui_on_prompt_state(t, event->prompt.uuid, event->prompt.state); break;
	case EVENT_RETRY:
	case EVENT_STALL:
	case EVENT_FALLBACK:
	case EVENT_RATE_LIMIT:
	case EVENT_COMPACTED:
	case EVENT_INFORMATIONAL:
	case EVENT_UNKNOWN: tui_on_news(t, event); break;
	case EVENT_TASKS:
	case EVENT_TASK_ENDED: tui_show_task(t, event); break;
	case EVENT_TASK_PROGRESS: tui_show_progress(t, &event->task); break;
	case EVENT_REPLY: tui_on_reply(t, event); break;
	case EVENT_STATUS:
	case EVENT_REFUSED:
		t->turn.is_compacting = event->status.is_compacting;
		tui_redraw(t);
		break;
	case EVENT_STATE: tui_redraw(t); break;
	case EVENT_NOTIFICATION: tui_notify_of(t, event->notification.text); break;
	case EVENT_TERMINAL: client_write(&t->client, event->terminal.sequence); break;
	case EVENT_HOOK_STARTED:
	case EVENT_HOOK_RESPONSE: tui_on_hook(t, event); break;
	case EVENT_RESET:
	case EVENT_DENIED:
	case EVENT_TRANSITION:
	case EVENT_HOOK_PROGRESS:
	case EVENT_PROGRESS:
	case EVENT_ENDING:
	case EVENT_MIRROR:
	case EVENT_COMMANDS:
	case EVENT_THINKING:
	case EVENT_SUGGESTION:
	case EVENT_PAGE_DONE:
	case EVENT_TOOL_SUMMARY:
	case EVENT_GOAL:
	case EVENT_TASK_STARTED:
	case EVENT_TASK_UPDATED:
	case EVENT_TOOL_PROGRESS: break;
	}
}

/* --- init and free ----------------------------------------------------------------- */

void tui_show_clear(struct tui *t)
{
	tui_forget_calls(t);
	markdown_stream_clear(&t->turn.answer);
	page_clear(&t->turn.open);
	str_clear(&t->turn.thought);
	str_clear(&t->turn.agent_step);
	str_clear(&t->turn.trouble);
	lookups_clear(&t->conversation.lookups);
	todos_clear(&t->conversation.todos);
	str_clear(&t->conversation.words);
}

#include "front/tui/view/view_past.h"

#include "front/tui/view/lookups.h"
#include "proto/message.h"

struct past_view {
	struct page *page;
	const struct view *view;
	const struct past *past;
	bool has_rows;
	struct lookups lookups; /* the run that is not finished */
};

bool view_shows_call(struct sv tool)
{
	return !sv_is(tool, "AskUserQuestion") && !view_is_plan(tool);
}

static void past_view_separate(struct past_view *v)
{
	if (v->has_rows)
		page_end_row(v->page);
	v->has_rows = true;
}

static void past_view_end_lookups(struct past_view *v)
{
	if (!lookups_count(&v->lookups))
		return;
	past_view_separate(v);
	lookups_draw(&v->lookups, v->page, v->view);
	lookups_reset(&v->lookups);
}

static void past_view_gap(struct past_view *v)
{
	past_view_end_lookups(v);
	past_view_separate(v);
}

/* The user said no: to a plan, which is shown, or to another call; perhaps with words. */
static void past_view_declined(struct past_view *v, const struct view_call *call)
{
	size_t words = sv_find(call->text, SV(MESSAGE_DECLINED_WORDS));

	past_view_gap(v);
	if (view_is_plan(call->tool))
		view_plan(v->page, v->view, json_str_or(json_get(call->input, "plan"), SV_EMPTY),
			  false);
	else
		view_call(v->page, v->view, call);
	if (words == SIZE_MAX)
		return;
	past_view_gap(v);
	view_prompt(v->page, v->view, sv_skip(call->text, words + strlen(MESSAGE_DECLINED_WORDS)));
}

static void past_view_call(struct past_view *v, const struct view_call *call)
{
	if (call->state == VIEW_DECLINED) {
		past_view_declined(v, call);
		return;
	}
	if (!view_shows_call(call->tool) && call->state != VIEW_FAILED) {
		if (!view_answer_is_empty(call)) {
			past_view_gap(v);
			view_answer(v->page, v->view, call);
		}
		return;
	}
	if (view_call_is_short(v->view, call)) {
		lookups_add(&v->lookups, v->view, call);
		return;
	}
	past_view_gap(v);
	view_call(v->page, v->view, call);
}

static void past_view_reply(struct past_view *v, struct json message)
{
	struct json_iter it = message_blocks(message);
	struct markdown_look look = { .columns = 0 };
	struct block block;

	view_markdown_look(v->view, &look);
	while (message_next(&it, &block)) {
		bool is_thought = block.kind == BLOCK_THINKING && v->view->is_verbose;

		if ((block.kind != BLOCK_TEXT && !is_thought) || !sv_trim(block.text).len)
			continue;
		past_view_gap(v);
		if (is_thought)
			view_thought(v->page, v->view, block.text, SIZE_MAX);
		else
			markdown_paint(v->page, block.text, &look);
	}
}

/* Find the call that a result belongs to, in the replies before it. */
static bool past_view_find_call(const struct past_view *v, size_t before, struct sv id,
				struct block *out)
{
	while (before-- > 0) {
		const struct past_record *record = &v->past->records.at[before];
		struct json_iter it = message_blocks(record->message);

		if (record->kind == PAST_PROMPT)
			return false;
		while (record->kind == PAST_REPLY && message_next(&it, out))
			if (out->kind == BLOCK_TOOL_USE && sv_eq(out->id, id))
				return true;
	}
	return false;
}

static enum view_state past_view_state(const struct block *result, struct sv text)
{
	if (!result->is_error)
		return VIEW_DONE;
	return sv_starts(text, SV(MESSAGE_DECLINED)) || sv_starts(text, SV(MESSAGE_PLAN_DECLINED))
		       ? VIEW_DECLINED
		       : VIEW_FAILED;
}

static void past_view_results(struct past_view *v, size_t at)
{
	const struct past_record *record = &v->past->records.at[at];
	struct json_iter it = message_blocks(record->message);
	struct block result, call;

	while (message_next(&it, &result)) {
		defer(str_clear) struct str text = STR_INIT;

		if (result.kind != BLOCK_TOOL_RESULT ||
		    !past_view_find_call(v, at, result.id, &call))
			continue;
		content_text(&text, result.content);
		past_view_call(v,
			       &(struct view_call){ .tool = call.tool,
						    .input = call.input,
						    .state = past_view_state(&result, sv_of(&text)),
						    .text = sv_of(&text),
						    .data = record->data });
	}
}

void view_past(struct page *page, const struct view *view, const struct past *past)
{
	struct past_view v = { .page = page, .view = view, .past = past };

	if (past->is_cut) {
		past_view_gap(&v);
		view_aside(page, view, "  … earlier messages are not shown");
	}
	for (size_t i = 0; i < past->records.n; i++) {
		const struct past_record *record = &past->records.at[i];

		switch (record->kind) {
		case PAST_PROMPT:
			past_view_gap(&v);
			view_prompt(page, view, sv_of(&record->text));
			break;
		case PAST_REPLY: past_view_reply(&v, record->message); break;
		case PAST_RESULTS: past_view_results(&v, i); break;
		}
	}
	past_view_end_lookups(&v);
	lookups_clear(&v.lookups);
}

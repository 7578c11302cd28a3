/* Calls that were nothing but a question to the user: what was asked and answered, and the plan. */
#include "front/display.h"
#include "front/tui/view/view.h"
#include "term/wrap.h"

static struct sv view_answer_member(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

static void view_answer_wrap(struct page *page, const struct view *view, const char *mark,
			     struct style mark_style, struct sv text, struct style style)
{
	defer(str_clear) struct str clean = STR_INIT;
	struct wrap wrap;

	display_text(&clean, sv_trim(text));
	wrap_init(&wrap, page, view->columns, WRAP_WORDS,
		  (struct wrap_prefix){ sv_cstr(mark), mark_style },
		  (struct wrap_prefix){ SV("    "), style });
	wrap_add(&wrap, sv_of(&clean), style);
	wrap_end(&wrap);
}

static void view_answer_questions(struct page *page, const struct view *view, struct json data)
{
	struct json_iter it = json_each(json_get(data, "questions"));
	struct json answers = json_get(data, "answers"), question;
	const struct theme *theme = view->theme;

	while (json_next(&it, NULL, &question)) {
		struct sv text = view_answer_member(question, "question"), answer;
		bool is_given = json_str(json_get_sv(answers, text), &answer);

		view_answer_wrap(page, view, "● ", theme->success, text, theme->text);
		view_answer_wrap(page, view, "  → ", theme->dim,
				 is_given ? answer : SV("no answer"),
				 is_given ? theme->accent : theme->dim);
	}
}

bool view_is_plan(struct sv tool)
{
	return sv_is(tool, "ExitPlanMode");
}

void view_plan(struct page *page, const struct view *view, struct sv plan, bool is_accepted)
{
	struct style bold = view->theme->text;
	struct markdown_look look;

	bold.attrs |= STYLE_BOLD;
	view_markdown_look(view, &look);
	page_add(page, SV("● "), is_accepted ? view->theme->success : view->theme->dim);
	page_add(page, is_accepted ? SV("Plan accepted") : SV("Plan declined"), bold);
	page_end_row(page);
	if (!sv_trim(plan).len)
		return;
	page_end_row(page);
	markdown_paint(page, plan, &look);
}

bool view_answer_is_empty(const struct view_call *call)
{
	return !json_len(json_get(call->data, "questions")) &&
	       !sv_trim(view_answer_member(call->data, "plan")).len;
}

void view_answer(struct page *page, const struct view *view, const struct view_call *call)
{
	struct sv plan = view_answer_member(call->data, "plan");

	if (view_is_plan(call->tool))
		view_plan(page, view, plan, true);
	else
		view_answer_questions(page, view, call->data);
}

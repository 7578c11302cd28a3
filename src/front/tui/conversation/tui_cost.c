/* What the session costs, and how full its context is. A session that becomes expensive says so: at 5 dollars, at 10, at
 * 20 and so on, once each, when a turn has ended. A user who is writing is not interrupted and gets a notice instead. */
#include "front/tui/conversation/tui_cost.h"

#include "front/tui/commands/tui_list.h"
#include "front/tui/commands/tui_picker.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/tui_internal.h"
#include "proto/message.h"

struct tui_cost {
	double usd;   /* of the session so far, with what it cost before it was resumed */
	double limit; /* what it may cost before the user is warned; -1: never */
	struct str title;
	struct {
		int64_t tokens; /* of the last request and its response; 0: not known */
		int64_t window; /* of the model that was asked; 0: not known */
	} context;
};

static const double cost_first = 5;

static void tui_cost_chosen(struct tui *t, bool is_chosen, struct sv value)
{
	if (is_chosen && sv_is(value, "quiet"))
		t->cost->limit = -1;
	else if (is_chosen && sv_is(value, "usage"))
		tui_submit(t, SV("/usage"));
}

static void tui_cost_ask(struct tui *t)
{
	defer(str_clear) struct str next = STR_INIT;

	str_addf(&next, "awl says so again at $%.0f", t->cost->limit);
	str_truncate(&t->cost->title, 0);
	str_addf(&t->cost->title, "This session has cost $%.2f so far", t->cost->usd);
	tui_list_open(t, str_c(&t->cost->title), tui_cost_chosen);
	tui_list_add(t, SV("continue"), SV("Continue"), sv_of(&next));
	tui_list_add(t, SV("quiet"), SV("Continue without reminders"), SV("in this session"));
	tui_list_add(t, SV("usage"), SV("Show the usage"), SV_EMPTY);
}

void tui_cost_begin(struct tui *t, double usd)
{
	t->cost->usd = usd;
	t->cost->limit = cost_first;
	while (t->cost->limit <= usd)
		t->cost->limit *= 2;
}

void tui_cost_check(struct tui *t)
{
	defer(str_clear) struct str notice = STR_INIT;

	if (t->cost->limit < 0 || t->cost->usd < t->cost->limit)
		return;
	while (t->cost->limit <= t->cost->usd)
		t->cost->limit *= 2;
	if (editor_is_empty(t->editor) && !tui_prompts_wait(t) && !tui_list_is_open(t) &&
	    !tui_picker_is_open(t) && !t->dialog.is_open) {
		tui_cost_ask(t);
		return;
	}
	str_addf(&notice, "This session has cost $%.2f so far.", t->cost->usd);
	tui_show_notice(t, t->theme->warning, sv_of(&notice));
}

void tui_show_cost(struct tui *t, const struct event_result *result)
{
	defer(str_clear) struct str line = STR_INIT;

	chat_add_cost(&line, result, result->cost_usd - t->cost->usd, t->dialog.waited_ms,
		      t->opts->is_script);
	t->cost->usd = result->cost_usd;
	if (line.len)
		tui_show_aside(t, sv_of(&line));
}

/* --- below the prompt, and beside the sign of life ------------------------------------- */

static void tui_cost_on_message(struct tui *t, struct json message)
{
	struct usage_counts usage = { .known = false };
	int64_t tokens;

	message_usage(&usage, message);
	tokens = chat_tokens_in(&usage) + usage.output;
	if (tokens)
		t->cost->context.tokens = tokens;
}

static void tui_cost_on_result(struct tui *t, const struct event_result *result)
{
	struct sv model = sv_cstr(client_model(&t->client));

	for (size_t i = 0; i < result->nmodels; i++)
		if (sv_eq(result->models[i].model, model) && result->models[i].window)
			t->cost->context.window = result->models[i].window;
}

void tui_cost_on_event(struct tui *t, const struct event *event)
{
	if (event->kind == EVENT_ASSISTANT)
		tui_cost_on_message(t, event->message.value);
	else if (event->kind == EVENT_RESULT)
		tui_cost_on_result(t, &event->result);
	else if (event->kind == EVENT_COMPACTED || event->kind == EVENT_RESET)
		t->cost->context.tokens = 0;
	if (event->kind == EVENT_RESET)
		tui_cost_begin(t, 0);
}

void tui_cost_add_facts(const struct tui *t, struct str *out)
{
	int64_t percent = t->cost->context.window
				  ? t->cost->context.tokens * 100 / t->cost->context.window
				  : 0;

	if (t->cost->usd > 0 && !t->opts->is_script) {
		chat_add_money(out, t->cost->usd);
		str_adds(out, " · ");
	}
	if (percent > 0)
		str_addf(out, "%lld%% context · ", (long long)min_of(percent, (int64_t)100));
}

void tui_cost_add_turn(const struct tui *t, struct str *out)
{
	double usd = client_cost(&t->client) - t->cost->usd;

	if (usd <= 0 || t->opts->is_script)
		return;
	str_adds(out, " · ");
	chat_add_money(out, usd);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_cost_init(struct tui *t)
{
	t->cost = xnew(struct tui_cost);
}

void tui_cost_free(struct tui *t)
{
	str_clear(&t->cost->title);
	free(t->cost);
}

/* What the session costs, and how full its context is. A session that becomes expensive says so: at 5 dollars, at 10, at
 * 20 and so on, once each, when a turn has ended. A user who is writing is not interrupted and gets a notice instead. */
#include "front/tui/tui_internal.h"
#include "proto/message.h"

static const double cost_first = 5;

static void tui_cost_chosen(struct tui *t, bool is_chosen, struct sv value)
{
	if (is_chosen && sv_is(value, "quiet"))
		t->cost_limit = -1;
	else if (is_chosen && sv_is(value, "usage"))
		tui_submit(t, SV("/usage"));
}

static void tui_cost_ask(struct tui *t)
{
	defer(str_clear) struct str next = STR_INIT;

	str_addf(&next, "awl says so again at $%.0f", t->cost_limit);
	str_truncate(&t->cost_title, 0);
	str_addf(&t->cost_title, "This session has cost $%.2f so far", t->cost);
	tui_list_open(t, str_c(&t->cost_title), tui_cost_chosen);
	tui_list_add(t, SV("continue"), SV("Continue"), sv_of(&next));
	tui_list_add(t, SV("quiet"), SV("Continue without reminders"), SV("in this session"));
	tui_list_add(t, SV("usage"), SV("Show the usage"), SV_EMPTY);
}

void tui_cost_begin(struct tui *t, double usd)
{
	t->cost = usd;
	t->cost_limit = cost_first;
	while (t->cost_limit <= usd)
		t->cost_limit *= 2;
}

void tui_cost_check(struct tui *t)
{
	defer(str_clear) struct str notice = STR_INIT;

	if (t->cost_limit < 0 || t->cost < t->cost_limit)
		return;
	while (t->cost_limit <= t->cost)
		t->cost_limit *= 2;
	if (editor_is_empty(t->editor) && !t->queue.n && !t->list.is_open && !t->picker.is_open &&
	    !t->dialog.is_open) {
		tui_cost_ask(t);
		return;
	}
	str_addf(&notice, "This session has cost $%.2f so far.", t->cost);
	tui_show_notice(t, t->theme->warning, sv_of(&notice));
}

/* --- below the prompt, and beside the sign of life ------------------------------------- */

static void tui_cost_on_message(struct tui *t, struct json message)
{
	struct usage_counts usage = { .known = false };
	int64_t tokens;

	message_usage(&usage, message);
	tokens = chat_tokens_in(&usage) + usage.output;
	if (tokens)
		t->context.tokens = tokens;
}

static void tui_cost_on_result(struct tui *t, const struct event_result *result)
{
	struct sv model = sv_cstr(client_model(&t->client));

	for (size_t i = 0; i < result->nmodels; i++)
		if (sv_eq(result->models[i].model, model) && result->models[i].window)
			t->context.window = result->models[i].window;
}

void tui_cost_on_event(struct tui *t, const struct event *event)
{
	if (event->kind == EVENT_ASSISTANT)
		tui_cost_on_message(t, event->message.value);
	else if (event->kind == EVENT_RESULT)
		tui_cost_on_result(t, &event->result);
	else if (event->kind == EVENT_COMPACTED || event->kind == EVENT_RESET)
		t->context.tokens = 0;
	if (event->kind == EVENT_RESET)
		tui_cost_begin(t, 0);
}

void tui_cost_add_facts(const struct tui *t, struct str *out)
{
	int64_t percent = t->context.window ? t->context.tokens * 100 / t->context.window : 0;

	if (t->cost > 0 && !t->opts->is_script) {
		chat_add_money(out, t->cost);
		str_adds(out, " · ");
	}
	if (percent > 0)
		str_addf(out, "%lld%% context · ", (long long)min_of(percent, (int64_t)100));
}

void tui_cost_add_turn(const struct tui *t, struct str *out)
{
	double usd = client_cost(&t->client) - t->cost;

	if (usd <= 0 || t->opts->is_script)
		return;
	str_adds(out, " · ");
	chat_add_money(out, usd);
}

/* A session that becomes expensive says so: at 5 dollars, at 10, at 20 and so on, once each, when a turn has ended. A user
 * who is writing is not interrupted and gets a notice instead. */
#include "front/tui/tui_internal.h"

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
	tui_list_add(t, SV("go on"), SV("Go on"), sv_of(&next));
	tui_list_add(t, SV("quiet"), SV("Go on, and say nothing"), SV("in this session"));
	tui_list_add(t, SV("usage"), SV("Show the usage"), SV_EMPTY);
}

void tui_cost_check(struct tui *t)
{
	defer(str_clear) struct str notice = STR_INIT;
	bool is_first = t->cost_limit == 0;

	if (is_first)
		t->cost_limit = cost_first;
	if (t->cost_limit < 0 || t->cost < t->cost_limit)
		return;
	while (t->cost_limit <= t->cost)
		t->cost_limit *= 2;
	if (is_first && client_past_cost(&t->client) >= cost_first)
		return; /* it was resumed: the user knows */
	if (editor_is_empty(t->editor) && !t->queue.n && !t->list.is_open && !t->picker.is_open &&
	    !t->dialog.is_open) {
		tui_cost_ask(t);
		return;
	}
	str_addf(&notice, "This session has cost $%.2f so far.", t->cost);
	tui_show_notice(t, t->theme->warning, sv_of(&notice));
}

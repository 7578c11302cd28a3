#include "core/session/budget.h"

#include "core/agent/agent_internal.h"
#include "core/hooks/session_hooks.h"
#include "core/session/session_host.h"
#include "core/session/session_internal.h"
#include "text/json/json_write.h"

static const char *const budget_names[BUDGETS] = { "session", "day", "project" };

static double budget_usd(int64_t nano)
{
	return (double)nano / 1e9;
}

/* --- what is known ---------------------------------------------------------------------------- */

void budget_clear(struct budget *budget)
{
	ledger_free(budget->ledger);
	budget->ledger = NULL;
}

void budget_refresh(struct session *s)
{
	struct budget *budget = &s->budget;

	if (!budget->ledger)
		return;
	if (budget->cap[BUDGET_DAY] > 0)
		budget->spent[BUDGET_DAY] =
			budget_usd(ledger_day(budget->ledger, loop_wall(s->engine->loop)));
	if (budget->cap[BUDGET_PROJECT] > 0)
		budget->spent[BUDGET_PROJECT] = budget_usd(ledger_project(budget->ledger));
}

/* What could not be written counts in this session at least. */
void budget_count(struct session *s, int64_t nano_usd)
{
	struct budget *budget = &s->budget;
	struct err ignored = ERR_INIT;

	if (nano_usd <= 0)
		return;
	if (budget->ledger &&
	    ledger_add(budget->ledger, nano_usd, loop_wall(s->engine->loop), &ignored)) {
		budget_refresh(s);
		return;
	}
	budget->spent[BUDGET_DAY] += budget_usd(nano_usd);
	budget->spent[BUDGET_PROJECT] += budget_usd(nano_usd);
}

bool budget_is_spent(const struct budget *budget, enum budget_kind *kind)
{
	for (int i = BUDGET_DAY; i < BUDGETS; i++) {
		if (budget->cap[i] <= 0 || budget->spent[i] < budget->cap[i])
			continue;
		*kind = (enum budget_kind)i;
		return true;
	}
	return false;
}

void budget_describe(const struct session *s, struct str *out)
{
	enum budget_kind kind;

	if (agent_has_spent_own_budget(s->agent) || !budget_is_spent(&s->budget, &kind))
		str_addf(out, "Reached maximum budget ($%g)",
			 agent_limits(s->agent)->max_budget_usd);
	else
		str_addf(out, "Reached maximum budget of the %s ($%g)", budget_names[kind],
			 s->budget.cap[kind]);
}

static void budget_report_one(struct str *out, const char *what, double spent, double cap)
{
	if (cap <= 0 && spent < 0.005)
		return;
	str_addf(out, "\n%s: $%.2f", what, spent);
	if (cap > 0)
		str_addf(out, " of $%.2f", cap);
}

void budget_report(struct session *s, struct str *out)
{
	struct budget *budget = &s->budget;

	if (!budget->ledger)
		return;
	budget_report_one(out, "Today, all sessions",
			  budget_usd(ledger_day(budget->ledger, loop_wall(s->engine->loop))),
			  budget->cap[BUDGET_DAY]);
	budget_report_one(out, "This project, all sessions",
			  budget_usd(ledger_project(budget->ledger)), budget->cap[BUDGET_PROJECT]);
}

/* --- asking ------------------------------------------------------------------------------------ */

#define BUDGET_YES "Continue"

struct budget_question {
	struct op op;
	struct session *s;
	struct agent *agent;
	enum budget_kind kind;
	struct str question, input;
	struct uuid id;
	struct op *step;
};

static void budget_question_cancel(struct op *op)
{
	op_cancel(container_of(op, struct budget_question, op)->step);
}

static void budget_question_free(struct op *op)
{
	struct budget_question *q = container_of(op, struct budget_question, op);

	str_clear(&q->question);
	str_clear(&q->input);
	free(q);
}

static const struct op_type budget_question_type = {
	.name = "budget question",
	.cancel = budget_question_cancel,
	.free = budget_question_free,
};

/* The same amount once more, beyond what is spent by now. */
static void budget_raise(struct budget_question *q)
{
	struct budget *budget = &q->s->budget;

	if (q->kind == BUDGET_SESSION) {
		agent_raise_budget(q->agent, budget->step[BUDGET_SESSION]);
		return;
	}
	while (budget->cap[q->kind] <= budget->spent[q->kind])
		budget->cap[q->kind] += budget->step[q->kind];
}

static void budget_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct budget_question *q = owner;
	struct answer_given answer = { .allow = false };
	struct err invalid = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct json choice;

	q->step = NULL;
	if (!why)
		answer = host_request_answer(op);
	doc = json_parse(answer.new_input, 0, &invalid);
	choice = json_get_sv(json_get(json_root(doc), "answers"), sv_of(&q->question));
	if (answer.allow && sv_is(json_str_or(choice, SV_EMPTY), BUDGET_YES))
		budget_raise(q);
	op_finish(&q->op, why);
}

static void budget_put_option(struct jw *w, const char *label, const char *text)
{
	jw_object(w);
	jw_put_str(w, "label", sv_cstr(label));
	jw_put_str(w, "description", sv_cstr(text));
	jw_end(w);
}

/* The question is asked like one of the model, so every front end can show it. */
static void budget_write_question(struct budget_question *q, double spent, double cap)
{
	defer(str_clear) struct str more = STR_INIT;
	struct jw w;

	str_addf(&q->question, "%s has cost $%.2f, and its budget is $%.2f. Continue?",
		 q->kind == BUDGET_SESSION ? "This session"
		 : q->kind == BUDGET_DAY   ? "Today's work"
					   : "This project",
		 spent, cap);
	str_addf(&more, "Allow another $%.2f in this session", q->s->budget.step[q->kind]);
	jw_init(&w, &q->input, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "questions");
	jw_object(&w);
	jw_put_str(&w, "question", sv_of(&q->question));
	jw_put_str(&w, "header", SV("Budget"));
	jw_put_bool(&w, "multiSelect", false);
	jw_put_array(&w, "options");
	budget_put_option(&w, BUDGET_YES, more.ptr);
	budget_put_option(&w, "Stop", "End the turn here");
	jw_end(&w);
	jw_end(&w);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

static struct op *budget_ask(void *arg, struct agent *agent, struct then then)
{
	struct session *s = arg;
	struct budget_question *q;
	struct host_request request;

	q = xnew(struct budget_question);
	op_init(&q->op, &budget_question_type, agent->loop, then);
	q->s = s;
	q->agent = agent;
	q->id = uuid_v4(loop_rng(agent->loop));
	if (agent_has_spent_own_budget(agent) || !budget_is_spent(&s->budget, &q->kind))
		budget_write_question(q, agent->limits.spent_usd + costs_usd(agent->costs),
				      agent->limits.max_budget_usd);
	else
		budget_write_question(q, s->budget.spent[q->kind], s->budget.cap[q->kind]);
	request = (struct host_request){ .kind = HOST_CAN_USE_TOOL,
					 .permission = { .tool = SV("AskUserQuestion"),
							 .id = sv_cstr(q->id.text),
							 .input = sv_of(&q->input),
							 .needs_user = true } };
	q->step = host_request_start(&s->host, &request, THEN(budget_on_answer, q));
	return &q->op;
}

/* --- opening --------------------------------------------------------------------------------- */

static double budget_choose(const struct session *s, double wanted, enum budget_kind kind)
{
	static const char *const keys[BUDGETS] = { "awl.budget.session", "awl.budget.day",
						   "awl.budget.project" };
	double set = json_real_or(settings_get(s->settings, keys[kind]), 0);

	return wanted > 0 ? wanted : set > 0 ? set : 0;
}

void budget_open(struct session *s, const struct awl_session_options *options)
{
	const double wanted[BUDGETS] = { options->max_budget_usd, options->day_budget_usd,
					 options->project_budget_usd };

	for (int i = 0; i < BUDGETS; i++)
		s->budget.step[i] = s->budget.cap[i] =
			budget_choose(s, wanted[i], (enum budget_kind)i);
	if (s->engine->config_dir)
		s->budget.ledger =
			ledger_new(sv_cstr(s->engine->config_dir), sv_cstr(s->shared.root));
	if (session_is_at_terminal(s) && s->kind.has_user)
		s->hooks.spent = budget_ask;
}

/* An agent that works for long says in one line what it is doing: in the task panel of a terminal, and to hosts that ask for it
 * (agentProgressSummaries), in task_progress.
 *
 * The small model writes the line from the steps since the last one. It does not get the agent's conversation: the
 * provider's cache belongs to one model, so the small model would read all of it at full price, and a line about the last half
 * minute needs only the last half minute. Time alone asks nothing. The clock starts with a step of the agent and is not
 * started again before the next one, so an agent that waits for a command costs no request and no wake-up. */
#include "base/ascii.h"
#include "base/log.h"
#include "base/utf8.h"
#include "core/session/session_host.h"
#include "core/side/session_title.h"
#include "core/subagents/subagent.h"
#include "sys/timer.h"
#include "tool/shell/child_env.h"
#include "tool/shell/shell_env.h"

enum { SUMMARY_SECONDS = 30, SUMMARY_MAX_SECONDS = 86400, STEPS_BYTES = 6000, TASK_BYTES = 2000 };

static const char summary_instructions[] =
	"An agent works on a task. Write one line of at most ten words that says what it is doing "
	"now, in the present "
	"tense, for somebody who follows the work from afar. Name files and tests rather than "
	"tools. Answer with the line "
	"alone.";

/* Hosts ask for the lines. At a terminal they are about agents that nobody sees at work. */
static bool subagent_summary_is_wanted(const struct subagent *a)
{
	const struct session *s = a->all->s;

	if (!s->services.ask_small || session_is_closed(s))
		return false;
	if (s->preferences.summarizes_agents)
		return true;
	return a->is_background && session_is_at_terminal(s) &&
	       model_config_has_small(&s->engine->config) &&
	       settings_bool(s->settings, "awl.agentSummaries") &&
	       !child_env_get(s->shared.env, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC");
}

/* One op of `a` is over. The session may be gone afterwards. */
static void subagent_summary_settle(struct subagent *a)
{
	a->all->asides--;
	if (session_is_closed(a->all->s))
		session_settle(a->all->s);
}

static void subagent_summary_arm(struct subagent *a);

static void subagent_summary_on_answer(__attribute__((unused)) struct op *op, void *owner,
				       const struct err *why)
{
	struct subagent *a = owner;
	struct sv line = session_title_read(sv_of(&a->summary.answer));

	a->summary.question = NULL;
	if (why) {
		log_debug("agent %s has no summary: %s", a->id, why->text);
	} else if (line.len && subagent_runs(a)) {
		str_set(&a->summary.line, line);
		subagent_emit_progress(a, line);
	}
	if (subagent_runs(a) && a->summary.steps.len)
		subagent_summary_arm(a);
	subagent_summary_settle(a);
}

static void subagent_summary_ask(struct subagent *a)
{
	struct session *s = a->all->s;
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "Task: %s\n%.*s\n", str_c(&a->description),
		 SV_ARG(utf8_prefix(sv_of(&a->prompt), TASK_BYTES)));
	if (a->summary.line.len)
		str_addf(&text, "\nYour last line: %s\n", str_c(&a->summary.line));
	str_addf(&text, "\nIts steps since then:\n%s", str_c(&a->summary.steps));
	str_truncate(&a->summary.steps, 0);
	str_truncate(&a->summary.answer, 0);
	a->all->asides++;
	a->summary.question =
		s->services.ask_small(s->services.arg, sv_cstr(summary_instructions), sv_of(&text),
				      &a->summary.answer, THEN(subagent_summary_on_answer, a));
}

static void subagent_summary_on_time(__attribute__((unused)) struct op *op, void *owner,
				     const struct err *why)
{
	struct subagent *a = owner;

	a->summary.wait = NULL;
	if (!why && subagent_runs(a) && subagent_summary_is_wanted(a))
		subagent_summary_ask(a);
	subagent_summary_settle(a);
}

static int64_t subagent_summary_ms(const struct session *s)
{
	const char *text = shell_env_get(&s->shared, "AWL_AGENT_SUMMARY_SECONDS");
	int64_t seconds = SUMMARY_SECONDS;

	if (text && ascii_is_digit(*text))
		seconds = min_of((int64_t)strtoll(text, NULL, 10), (int64_t)SUMMARY_MAX_SECONDS);
	return seconds * 1000;
}

static void subagent_summary_arm(struct subagent *a)
{
	if (a->summary.wait || a->summary.question || !subagent_summary_is_wanted(a))
		return;
	a->all->asides++;
	a->summary.wait = timer_start(a->all->s->engine->loop, subagent_summary_ms(a->all->s),
				      THEN(subagent_summary_on_time, a));
}

void subagent_summary_note(struct subagent *a)
{
	struct str *steps = &a->summary.steps;

	if (a->last_step.len && steps->len < STEPS_BYTES)
		str_addf(steps, "%s\n", str_c(&a->last_step));
	subagent_summary_arm(a);
}

void subagent_summary_stop(struct subagent *a)
{
	op_cancel(a->summary.wait);
	op_cancel(a->summary.question);
	str_truncate(&a->summary.steps, 0);
	str_truncate(&a->summary.line, 0);
}

void subagent_summary_clear(struct subagent_summary *summary)
{
	str_clear(&summary->steps);
	str_clear(&summary->answer);
	str_clear(&summary->line);
}

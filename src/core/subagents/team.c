#include "core/subagents/team.h"

#include "base/limits.h"
#include "core/hooks/session_hooks.h"
#include "proto/message.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"
#include "tool/shell/shell_env.h"
#include "tool/task/task_job.h"

extern const char teammate_page[];

static void team_on_tasks(void *arg, const struct tool_context *by);

/* --- the tools ------------------------------------------------------------------------------------- */

void session_teams_open(struct session *s, const struct awl_session_options *o)
{
	const struct tool *const tools[] = { &tool_task_create,    &tool_task_get,
					     &tool_task_list_tool, &tool_task_update,
					     &tool_team_create,    &tool_team_delete };

	if (o->tools || !shell_env_is_on(&s->shared, "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"))
		return;
	for (size_t i = 0; i < countof(tools); i++)
		if (!perm_hides(&s->policy, sv_cstr(tools[i]->name)) &&
		    !toolset_has(agent_toolset(s->agent), sv_cstr(tools[i]->name)))
			agent_add_tool(s->agent, tools[i]);
	(void)agent_remove_tool(s->agent, SV("TodoWrite"));
	s->services.tasks_changed = team_on_tasks;
}

struct op *team_create(void *arg, struct tool_call *call, struct then then)
{
	struct session *s = arg;
	struct team *team = &s->subagents->team;
	struct sv name = sv_trim(json_str_or(json_get(call->input, "team_name"), SV_EMPTY));
	struct jw w;

	if (team->name.len) {
		tool_fail(&call->result, "The team %s already exists. TeamDelete ends it.",
			  str_c(&team->name));
		return op_settled(call->ctx->loop, then);
	}
	str_add(&team->name, name);
	str_addf(&call->result.text,
		 "The team %s exists, and you lead it. Agent with team_name and a name of its own "
		 "starts a teammate; TaskCreate adds to the tasks that all share.",
		 str_c(&team->name));
	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "team_name", name);
	jw_put_str(&w, "lead_agent_id", SV("main"));
	jw_end(&w);
	jw_done(&w);
	return op_settled(call->ctx->loop, then);
}

struct op *team_delete(void *arg, struct tool_call *call, struct then then)
{
	struct session *s = arg;
	struct subagents *all = s->subagents;
	defer(str_clear) struct str busy = STR_INIT;

	for (size_t i = 0; i < all->list.n; i++)
		if (all->list.at[i]->is_teammate && subagent_runs(all->list.at[i]))
			str_addf(&busy, "%s%s", busy.len ? ", " : "",
				 str_c(&all->list.at[i]->name));
	if (!all->team.name.len) {
		tool_fail(&call->result, "There is no team.");
	} else if (busy.len) {
		tool_fail(&call->result,
			  "Teammates are still at work: %s. Ask them to stop first (SendMessage "
			  "with a shutdown_request), or use TaskStop.",
			  str_c(&busy));
	} else {
		for (size_t i = 0; i < all->list.n; i++)
			team_dismiss(all->list.at[i]);
		str_addf(&call->result.text, "The team %s is dissolved.", str_c(&all->team.name));
		str_clear(&all->team.name);
	}
	return op_settled(call->ctx->loop, then);
}

/* --- members ----------------------------------------------------------------------------------------- */

static bool team_refuse_name(struct sv name, struct err *err)
{
	return err_set(
		err, ERR_EXISTS,
		"There is an agent \"%.*s\" already: choose another name, or send it a message.",
		SV_ARG(name));
}

bool team_check_agent_name(const struct subagents *all, struct sv name, struct err *err)
{
	const struct subagent *other = name.len ? subagents_find(all, name) : NULL;

	if (sv_eq_nocase(name, SV("main")) || sv_eq_nocase(name, SV("team-lead")) ||
	    sv_is(name, "*") || sv_find_char(name, ':') != SIZE_MAX)
		return err_set(err, ERR_INVALID,
			       "\"%.*s\" cannot be the name of an agent: it means another "
			       "receiver of messages.",
			       SV_ARG(name));
	return !other || (!other->is_teammate && !sv_is(name, other->id)) ||
	       team_refuse_name(name, err);
}

static bool team_check_name(const struct subagents *all, struct sv name, struct err *err)
{
	const struct subagent *other = subagents_find(all, name);

	if (!name.len)
		return err_set(err, ERR_INVALID, "A teammate needs a `name`.");
	if (other && subagent_runs(other))
		return team_refuse_name(name, err);
	return team_check_agent_name(all, name, err);
}

bool team_check_member(const struct subagents *all, const struct subagent_spec *spec,
		       struct err *err)
{
	if (!all->team.name.len)
		return err_set(err, ERR_NOT_FOUND, "There is no team \"%.*s\": TeamCreate first.",
			       SV_ARG(spec->team));
	if (!sv_eq(spec->team, sv_of(&all->team.name)))
		return err_set(err, ERR_NOT_FOUND, "There is no team \"%.*s\"; yours is %s.",
			       SV_ARG(spec->team), str_c(&all->team.name));
	if (agent_is_child(spec->parent))
		return err_set(err, ERR_ACCESS, "Only the leader of a team starts teammates.");
	if (sv_is(spec->file->name, "fork"))
		return err_set(err, ERR_INVALID, "A fork cannot be a teammate.");
	return team_check_name(all, spec->name, err);
}

static void team_append(struct subagent *a, struct sv text)
{
	defer(str_clear) struct str block = STR_INIT;

	block_text(&block, text);
	(void)!agent_append(a->agent, &(struct agent_message){ .content = sv_of(&block),
							       .is_meta = true,
							       .quiet = true });
}

void team_brief(struct subagent *a)
{
	const struct subagents *all = a->all;
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "You are the teammate \"%s\" of the team \"%s\". ", str_c(&a->name),
		 str_c(&all->team.name));
	str_adds(&text, teammate_page);
	if (a->awaits_approval)
		str_adds(&text,
			 "\n\nYou are in plan mode: change nothing yet. End your turn with your "
			 "plan as your last message; the leader approves it or says what is "
			 "wrong with it.");
	team_append(a, sv_of(&text));
}

bool team_is_idle(const struct subagent *a)
{
	return a->is_teammate && a->state == SUBAGENT_ENDED && a->agent;
}

void team_dismiss(struct subagent *a)
{
	if (!a->is_teammate || subagent_runs(a))
		return;
	a->is_teammate = false;
	subagent_release(a);
}

void team_write_state(const struct subagent *a, struct str *out)
{
	bool is_gone = a->is_stopped || a->is_leaving;

	str_addf(out, "<status>%s</status>\n<summary>Teammate \"%s\" ",
		 is_gone ? command_status_name(a->status) : "idle", str_c(&a->name));
	if (is_gone)
		str_adds(out, a->is_leaving ? "has left the team, as you asked" : "was stopped");
	else if (a->awaits_approval)
		str_adds(out,
			 "has a plan and waits for your approval: SendMessage with "
			 "{\"type\":\"plan_approval_response\",\"approve\":true|false,\"feedback\":"
			 "\"...\"}");
	else
		str_adds(out, a->status == COMMAND_FAILED
				      ? "has failed and is idle"
				      : "is idle; a message or a new task wakes it");
	str_adds(out, "</summary>\n");
}

/* --- tasks --------------------------------------------------------------------------------------------- */

static bool team_may_take(const struct task_list *list, const struct task_item *task)
{
	return task->status == TASK_PENDING && !task->owner.len && !task_is_blocked(list, task);
}

static size_t team_count_free(const struct session *s)
{
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT;
	struct err ignored = ERR_INIT;
	size_t n = 0;

	if (!task_load(&list, agent_tool_context(s->agent), &ignored))
		return 0;
	for (size_t i = 0; i < list.tasks.n; i++)
		n += team_may_take(&list, &list.tasks.at[i]);
	return n;
}

/* Under the lock of the list, so no two take the same. */
static bool team_take(struct tool_call *call, struct task_list *list)
{
	struct subagent *a = container_of(call, struct subagent, claim);

	for (size_t i = 0; i < list->tasks.n; i++) {
		struct task_item *task = &list->tasks.at[i];

		if (!team_may_take(list, task))
			continue;
		task->status = TASK_IN_PROGRESS;
		str_set(&task->owner, sv_of(&a->name));
		str_addf(&call->result.text,
			 "Task %lld of the team is yours now: %s\n\n%s\n\nMark it as completed "
			 "with TaskUpdate when it is done.",
			 (long long)task->id, str_c(&task->subject), str_c(&task->description));
		return true;
	}
	return false;
}

static bool team_idle(struct subagent *a);

static void team_on_taken(__attribute__((unused)) struct op *op, void *owner,
			  __attribute__((unused)) const struct err *why)
{
	struct subagent *a = owner;
	bool is_taken = a->claim.result.text.len && !a->claim.result.is_error;

	a->step = NULL;
	if (is_taken && !a->is_stopped)
		team_append(a, sv_of(&a->claim.result.text));
	tool_result_clear(&a->claim.result);
	if (a->is_stopped || (!is_taken && !a->inbox.n && !team_idle(a)))
		subagent_finish(a);
	else if (is_taken || a->inbox.n)
		subagent_continue(a);
}

bool team_pursue(struct subagent *a)
{
	struct session *s = a->all->s;
	size_t nfree;

	if (a->is_stopped || a->is_leaving || session_is_closed(s))
		return false;
	nfree = a->awaits_approval ? 0 : team_count_free(s);
	if (nfree && a->all->team.is_planning) { /* it is woken in a moment */
		a->is_reported = true;
		return false;
	}
	if (!nfree)
		return team_idle(a);
	a->claim = (struct tool_call){ .ctx = agent_tool_context(a->agent) };
	a->step = task_change(&a->claim, team_take, THEN(team_on_taken, a));
	return true;
}

static void team_share_tasks(struct session *s)
{
	struct subagents *all = s->subagents;
	size_t n = all->team.name.len && !session_is_closed(s) ? team_count_free(s) : 0;

	for (size_t i = 0; i < all->list.n && n; i++) {
		struct subagent *a = all->list.at[i];

		if (!team_is_idle(a) || a->awaits_approval || a->status == COMMAND_FAILED)
			continue;
		a->wants_task = true;
		subagent_wake(a);
		n--;
	}
}

/* A leader adds tasks first and then says which waits for which, so what it does counts when its turn is
 * over. */
static void team_on_tasks(void *arg, const struct tool_context *by)
{
	struct session *s = arg;

	if (by == agent_tool_context(s->agent))
		s->subagents->team.is_planning = true;
	else if (!s->subagents->team.is_planning)
		team_share_tasks(s);
}

void session_teams_rest(struct session *s)
{
	if (!s->subagents->team.is_planning)
		return;
	s->subagents->team.is_planning = false;
	team_share_tasks(s);
}

/* --- idle ------------------------------------------------------------------------------------------------ */

void team_fill_hook(const struct session *s, const struct agent *agent, struct hook_input *in)
{
	const struct subagent *a = s->subagents ? subagent_of(s->subagents, agent) : NULL;

	if (!a || !a->is_teammate)
		return;
	in->teammate_name = sv_of(&a->name);
	in->team_name = sv_of(&s->subagents->team.name);
}

static void team_apply_idle(__attribute__((unused)) struct session *s,
			    const struct hook_answer *answer, void *arg)
{
	struct subagent *a = arg;

	if (answer->decision != HOOK_DENY || a->idle_refusals++ >= LIMIT_STOP_BLOCKS)
		return;
	str_addf(&a->more_to_do, "TeammateIdle hook feedback:\n%.*s", SV_ARG(answer->reason));
}

static void team_on_idle_hooks(__attribute__((unused)) struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct subagent *a = owner;
	bool goes_on = a->more_to_do.len && !a->is_stopped;

	a->step = NULL;
	if (goes_on)
		team_append(a, sv_of(&a->more_to_do));
	str_truncate(&a->more_to_do, 0);
	if (goes_on || (a->inbox.n && !a->is_stopped))
		subagent_continue(a);
	else
		subagent_finish(a);
}

/* Lets hooks look at a teammate that has nothing to do. False: there are none. */
static bool team_idle(struct subagent *a)
{
	struct session *s = a->all->s;
	struct hook_input in = session_hooks_input(s, a->agent, HOOK_TEAMMATE_IDLE);

	team_fill_hook(s, a->agent, &in);
	a->step = session_hooks_start(s, &in, team_apply_idle, a, THEN(team_on_idle_hooks, a));
	return a->step != NULL;
}

#include "core/subagents/subagents.h"

#include "core/subagents/team.h"

struct subagents *subagents_new(struct session *s)
{
	struct subagents *all = xnew(struct subagents);

	all->s = s;
	return all;
}

void subagents_free(struct subagents *all)
{
	if (!all)
		return;
	BUG_ON(all->live || all->asides);
	for (size_t i = 0; i < all->list.n; i++)
		subagent_free(all->list.at[i]);
	vec_clear(&all->list);
	str_clear(&all->team.name);
	free(all);
}

bool subagents_are_quiet(const struct subagents *all)
{
	return !all || (!all->live && !all->asides);
}

/* From the last to the first: the youngest end before those that wait for them. */
void subagents_stop_all(struct subagents *all)
{
	for (size_t i = all ? all->list.n : 0; i > 0; i--)
		subagent_stop(all->list.at[i - 1]);
}

void subagents_stop_background(struct subagents *all)
{
	for (size_t i = all ? all->list.n : 0; i > 0; i--)
		if (all->list.at[i - 1]->is_background)
			subagent_stop(all->list.at[i - 1]);
}

size_t subagents_tasks(const struct subagents *all, const struct event_task **out,
		       struct arena *arena)
{
	struct event_task *tasks = arena_calloc(arena, all ? all->list.n + 1 : 1, sizeof(*tasks));
	size_t n = 0;

	for (size_t i = 0; all && i < all->list.n; i++)
		if (all->list.at[i]->is_background && subagent_runs(all->list.at[i])) {
			tasks[n] = subagent_describe(all->list.at[i]);
			tasks[n++].summary = sv_of(&all->list.at[i]->summary.line);
		}
	*out = tasks;
	return n;
}

struct subagent *subagents_find(const struct subagents *all, struct sv id)
{
	for (size_t i = all ? all->list.n : 0; i > 0; i--) {
		struct subagent *a = all->list.at[i - 1];

		if (sv_is(id, a->id) || (a->name.len && sv_eq_nocase(id, sv_of(&a->name))))
			return a;
	}
	return NULL;
}

struct subagent *subagents_seek(struct subagents *all, struct sv id)
{
	struct subagent *a = subagents_find(all, id);

	if (a)
		return a;
	subagents_recall(all);
	return subagents_find(all, id);
}

struct sv subagents_path(const struct subagents *all, struct sv id)
{
	const struct subagent *a = id.len ? subagents_find(all, id) : NULL;

	return a ? sv_of(&a->path) : SV_EMPTY;
}

bool subagent_runs(const struct subagent *a)
{
	return a->state != SUBAGENT_ENDED;
}

enum command_status subagent_status(const struct subagent *a)
{
	return a->status;
}

const char *subagent_id(const struct subagent *a)
{
	return a->id;
}

void subagent_add_result(const struct subagent *a, struct str *out)
{
	str_add(out, sv_of(&a->result));
}

bool subagent_send(struct subagent *a, struct sv text, struct err *err)
{
	if (!subagent_runs(a) && !team_is_idle(a))
		return subagent_resume(a, text, err);
	if (a->state == SUBAGENT_CLEANING)
		return err_set(err, ERR_BUSY, "agent %s is just ending: write to it again", a->id);
	if (a->inbox.n >= LIMIT_AGENT_INBOX)
		return err_set(err, ERR_TOO_BIG, "agent %s has too many unread messages", a->id);
	str_add(vec_add(&a->inbox), text);
	if (team_is_idle(a))
		subagent_wake(a);
	return true;
}

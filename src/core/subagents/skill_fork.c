#include "core/subagents/skill_fork.h"

#include "base/limits.h"
#include "core/hooks/session_hooks.h"
#include "core/subagents/subagent.h"
#include "sys/wait_list.h"

struct skill_fork {
	struct op op;
	struct subagent *agent;
	struct op *wait;
};

static void skill_fork_on_end(__attribute__((unused)) struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct skill_fork *f = owner;

	f->wait = NULL;
	op_finish(&f->op, NULL);
}

/* The wait ends when the agent has. */
static void skill_fork_cancel(struct op *op)
{
	subagent_stop(container_of(op, struct skill_fork, op)->agent);
}

static void skill_fork_free(struct op *op)
{
	free(container_of(op, struct skill_fork, op));
}

static const struct op_type skill_fork_type = {
	.name = "skill fork",
	.cancel = skill_fork_cancel,
	.free = skill_fork_free,
};

static const struct agent_file *skill_fork_find(struct session *s, const struct command_file *skill,
						struct err *err)
{
	struct sv name = skill->agent.len ? skill->agent : SV("general-purpose");
	const struct agent_file *file = agent_list_find(session_agent_list(s, true), name);

	if (!file)
		err_set(err, ERR_NOT_FOUND, "there is no agent \"%.*s\" to run it", SV_ARG(name));
	return file;
}

static struct subagent *skill_fork_make(struct session *s, struct agent *parent,
					const struct command_run *run, struct sv call,
					struct err *err)
{
	const struct subagent *caller = subagent_of(s->subagents, parent);
	struct uuid made = uuid_v4(loop_rng(s->engine->loop));
	defer(str_clear) struct str text = STR_INIT, id = STR_INIT, about = STR_INIT;
	struct subagent_spec spec = { .parent = parent,
				      .file = skill_fork_find(s, &run->file, err),
				      .model = run->file.model,
				      .effort = run->file.effort,
				      .is_background = run->file.is_background,
				      .skill = &run->file };

	if (!spec.file)
		return NULL;
	if (caller && caller->depth >= subagents_max_depth(s)) {
		err_set(err, ERR_TOO_BIG,
			"it runs in an agent, and agents may be nested only %zu "
			"deep",
			subagents_max_depth(s));
		return NULL;
	}
	command_run_write(run, s, &text);
	str_addf(&id, "%s%s",
		 run->file.is_background ? EVENT_BACKGROUND_SKILL_CALL : EVENT_SKILL_CALL,
		 made.text);
	str_addf(&about, "/%s", str_c(&run->name));
	spec.call = call.len ? call : sv_of(&id);
	spec.prompt = sv_of(&text);
	spec.description = sv_of(&about);
	return subagent_new(s->subagents, &spec, err);
}

struct op *skill_fork_start(struct session *s, struct agent *parent, const struct command_run *run,
			    struct sv call, struct then then, struct err *err)
{
	struct subagent *agent = skill_fork_make(s, parent, run, call, err);
	struct skill_fork *f;

	if (!agent)
		return NULL;
	f = xnew(struct skill_fork);
	op_init(&f->op, &skill_fork_type, s->engine->loop, then);
	f->agent = agent;
	if (agent->is_background)
		op_finish(&f->op, NULL);
	else
		f->wait = wait_list_add(&agent->waiters, s->engine->loop, LIMIT_AGENT_MS,
					THEN(skill_fork_on_end, f));
	return &f->op;
}

const struct subagent *skill_fork_agent(const struct op *op)
{
	return container_of(op, struct skill_fork, op)->agent;
}

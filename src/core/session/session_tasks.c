/* What a session reports of the commands that run in the background, and the turn that the end of
 * one causes. */
#include "core/session/session_tasks.h"

#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/subagents/subagents.h"
#include "proto/message.h"

static enum command_status session_tasks_status(const struct background_command *command)
{
	switch (command->state) {
	case BACKGROUND_RUNNING: return COMMAND_RUNNING;
	case BACKGROUND_STOPPED: return COMMAND_STOPPED;
	case BACKGROUND_FAILED: return COMMAND_FAILED;
	case BACKGROUND_EXITED: break;
	}
	return command->code ? COMMAND_FAILED : COMMAND_COMPLETED;
}

static struct event_task session_tasks_describe(const struct session *s,
						const struct background_command *command)
{
	return (struct event_task){
		.id = sv_cstr(command->id),
		.call = sv_cstr(command->call),
		.type = command->is_monitor ? SV("monitor") : SV("local_bash"),
		.description =
			sv_cstr(command->description ? command->description : command->command),
		.status = session_tasks_status(command),
		.end_ms = loop_wall(s->engine->loop),
		.output_file = sv_cstr(command->path),
	};
}

void session_emit_tasks(struct session *s)
{
	VEC(struct event_task) tasks = VEC_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct event_task *agents;
	size_t nagents = subagents_tasks(s->subagents, &agents, &arena);
	size_t n = s->shared.background ? background_count(s->shared.background) : 0;

	for (size_t i = 0; i < n; i++) {
		const struct background_command *command = background_at(s->shared.background, i);

		if (command->state == BACKGROUND_RUNNING)
			vec_push(&tasks, session_tasks_describe(s, command));
	}
	for (size_t i = 0; i < nagents; i++)
		vec_push(&tasks, agents[i]);
	session_emit(s, &(struct event){ .kind = EVENT_TASKS,
					 .tasks = { .at = tasks.at, .n = tasks.n } });
	vec_clear(&tasks);
}

void session_stop_task(struct session *s, const struct background_command *command)
{
	defer(str_clear) struct str text = STR_INIT;

	background_stop(s->shared.background, command);
	str_addf(&text, "The user stopped background command %s.", command->id);
	session_append_note(s, sv_of(&text));
}

void session_stop_tasks(struct session *s)
{
	size_t n = s->shared.background ? background_count(s->shared.background) : 0;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct event_task *agents;

	for (size_t i = 0; i < n; i++) {
		const struct background_command *command = background_at(s->shared.background, i);

		if (command->state == BACKGROUND_RUNNING)
			session_stop_task(s, command);
	}
	if (subagents_tasks(s->subagents, &agents, &arena))
		session_records_add(s, "agents_killed", SV_EMPTY, SV_EMPTY);
	subagents_stop_background(s->subagents);
}

static void session_tasks_summarise(struct str *out, const struct background_command *command)
{
	str_addf(out, "The background command %s ", command->id);
	if (command->state == BACKGROUND_STOPPED)
		str_adds(out, "was stopped.");
	else if (command->state == BACKGROUND_FAILED)
		str_addf(out, "has ended: %s.", command->err.text);
	else
		str_addf(out, "has ended with exit code %d.", command->code);
}

void session_on_background_change(void *arg, const struct background_command *command)
{
	struct session *s = arg;
	struct event_task task = session_tasks_describe(s, command);
	defer(str_clear) struct str summary = STR_INIT;

	if (command->state == BACKGROUND_RUNNING) {
		session_emit_tasks(s);
		session_emit(s, &(struct event){ .kind = EVENT_TASK_STARTED, .task = task });
		return;
	}
	session_tasks_summarise(&summary, command);
	task.summary = sv_of(&summary);
	session_emit(s, &(struct event){ .kind = EVENT_TASK_UPDATED, .task = task });
	session_emit(s, &(struct event){ .kind = EVENT_TASK_ENDED, .task = task });
	session_emit_tasks(s);
}

static void session_wake_with(struct session *s, struct sv channel, struct sv origin,
			      struct sv text)
{
	struct session_waiting *w = vec_add(&s->prompts.waiting);

	*w = (struct session_waiting){ .is_notice = true, .check = CHECK_PASSED };
	str_adds(&w->uuid, uuid_v4(loop_rng(s->engine->loop)).text);
	str_add(&w->channel, channel);
	str_add(&w->origin, origin);
	if (text.len)
		block_text(&w->blocks, text);
	session_pump(s);
}

void session_wake(struct session *s, struct sv text)
{
	session_wake_with(s, SV_EMPTY, SV_EMPTY, text);
}

void session_wake_from(struct session *s, struct sv channel, struct sv text)
{
	session_wake_with(s, channel, SV_EMPTY, text);
}

void session_wake_by(struct session *s, struct sv origin, struct sv text)
{
	session_wake_with(s, SV_EMPTY, origin, text);
}

void session_on_background_end(void *arg, const struct background_command *command)
{
	struct session *s = arg;
	defer(str_clear) struct str text = STR_INIT;

	session_tasks_summarise(&text, command);
	str_addf(&text, " Its output is in %s.", command->path);
	if (s->prompts.answers_tasks && !s->is_ending && !session_is_closed(s))
		session_wake(s, sv_of(&text));
	else
		session_append_note(s, sv_of(&text));
}

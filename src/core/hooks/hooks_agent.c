/* Hooks of type "agent": an agent looks at files and runs commands that are allowed, and judges whether a condition is
 * met. It reads the transcript, asks nobody, and has 50 requests. What it does is not a part of the conversation;
 * what it costs is. Hooks see its calls, except those of type "agent" themselves, which would never end. */
#include "base/limits.h"
#include "core/agent/turn.h"
#include "core/hooks/session_hooks.h"
#include "core/session/session_services.h"
#include "proto/message.h"

enum { JUDGE_TURNS = 50, JUDGE_ID = 24 }; /* "ahook-", 16 hexadecimal digits, NUL */

static const char judge_schema[] =
	"{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"},\"reason\":{\"type\":"
	"\"string\"},\"impossible\":{\"type\":\"boolean\"}},\"required\":[\"ok\"]}";

struct judge {
	struct op op;
	struct session *s;
	struct agent *agent;
	struct op *turn;
	struct str *out;
};

/* --- what it may do ----------------------------------------------------------------------------- */

static bool judge_keeps(__attribute__((unused)) void *arg, const struct tool *tool)
{
	static const char names[][17] = { "Read", "Grep", "Glob", "Bash", "StructuredOutput" };

	return sv_is_among(sv_cstr(tool->name), names);
}

static struct perm_rule judge_rule_origin(void)
{
	return (struct perm_rule){ .source = PERM_FROM_COMMAND, .file = SV("a hook") };
}

static bool judge_write_rule(const struct session *s, struct str *out)
{
	if (s->conversation.path)
		str_addf(out, "Read(/%s)", s->conversation.path);
	return out->len;
}

/* The first that works lets all of them read the transcript; the last one ends that. */
static void judge_allow_transcript(struct session *s)
{
	defer(str_clear) struct str rule = STR_INIT;
	const struct perm_rule origin = judge_rule_origin();
	struct err ignored = ERR_INIT;

	if (!s->handlers->njudges++ && judge_write_rule(s, &rule))
		(void)!perm_add_rule(&s->policy, BEHAVIOR_ALLOW, sv_of(&rule), &origin, &ignored);
}

static void judge_disallow_transcript(struct session *s)
{
	defer(str_clear) struct str rule = STR_INIT;

	if (!--s->handlers->njudges && judge_write_rule(s, &rule))
		perm_remove_rule(&s->policy, BEHAVIOR_ALLOW, PERM_FROM_COMMAND, sv_of(&rule));
}

/* --- what it reports ---------------------------------------------------------------------------- */

static void judge_on_event(__attribute__((unused)) void *arg,
			   __attribute__((unused)) const struct event *event,
			   __attribute__((unused)) struct sv uuid)
{
}

static void judge_on_used(void *arg, struct sv model, const struct usage *usage,
			  struct api_time time)
{
	struct judge *j = arg;
	struct agent_listener session = session_listener(j->s);

	session.used(session.arg, model, usage, time);
}

static void judge_on_turn(struct op *op, void *owner, const struct err *why)
{
	struct judge *j = owner;
	const struct turn_outcome *outcome = turn_outcome(op);
	struct sv answer = agent_structured_output(j->agent);
	struct err err = why ? *why : (struct err)ERR_INIT;

	j->turn = NULL;
	judge_disallow_transcript(j->s);
	if (!why && outcome->reason == END_MAX_TURNS)
		err_set(&err, ERR_TOO_BIG, "the agent did not answer within %d requests",
			JUDGE_TURNS);
	else if (!why && outcome->is_error)
		err_set(&err, ERR_INVALID, "%.*s", SV_ARG(sv_of(&outcome->text)));
	else
		str_add(j->out, answer.len ? answer : sv_of(&outcome->text));
	op_finish(&j->op, err.kind ? &err : NULL);
}

/* --- life --------------------------------------------------------------------------------------- */

static void judge_cancel(struct op *op)
{
	op_cancel(container_of(op, struct judge, op)->turn);
}

static void judge_free(struct op *op)
{
	struct judge *j = container_of(op, struct judge, op);

	agent_free(j->agent);
	free(j);
}

static const struct op_type judge_type = {
	.name = "agent hook",
	.cancel = judge_cancel,
	.free = judge_free,
};

static struct agent *judge_make(struct judge *j, struct sv id, struct sv model, struct sv system,
				struct err *err)
{
	static const enum perm_mode mode = PERM_DONT_ASK;
	struct session *s = j->s;
	const struct agent_spec spec = {
		.identity = { .id = id, .type = SV("hook"), .description = SV("hook") },
		.parent = s->agent,
		.parent_tool_use_id = id,
		.listener = { .arg = j, .event = judge_on_event, .used = judge_on_used },
		.limits = { .max_turns = JUDGE_TURNS,
			    .max_budget_usd = agent_limits(s->agent)->max_budget_usd,
			    .spent_usd = agent_limits(s->agent)->spent_usd },
		.tools = { .schema = judge_schema, .no_skills = true, .no_tasks = true },
		.system = system,
		.mode = &mode,
		.is_for_hook = true,
	};
	struct agent *agent = agent_new(&spec, err);

	if (!agent)
		return NULL;
	agent_keep_tools(agent, judge_keeps, NULL);
	agent_set_model(agent, model);
	return agent;
}

static void judge_append(struct agent *agent, struct sv text, bool is_prompt)
{
	defer(str_clear) struct str block = STR_INIT;

	if (!text.len)
		return;
	block_text(&block, text);
	(void)!agent_append(agent, &(struct agent_message){ .content = sv_of(&block),
							    .is_prompt = is_prompt,
							    .is_meta = !is_prompt,
							    .quiet = true });
}

static void judge_begin(struct judge *j, struct sv text)
{
	struct session *s = j->s;
	defer(str_clear) struct str about = STR_INIT;

	str_add(&about, sv_of(&s->conversation.environment));
	if (s->conversation.path)
		str_addf(&about, "\n\nThe transcript of the session, one JSON object a line: %s",
			 s->conversation.path);
	judge_append(j->agent, sv_of(&about), false);
	judge_append(j->agent, text, true);
	judge_allow_transcript(s);
	agent_connect(j->agent, s->engine->client);
	j->turn = turn_start(j->agent, THEN(judge_on_turn, j));
}

struct op *hooks_agent_start(void *arg, struct sv model, struct sv system, struct sv text,
			     struct str *out, struct then then)
{
	struct session *s = arg;
	struct judge *j = xnew(struct judge);
	struct sv id = model.len ? model_resolve(s->engine->table, model) : session_small_model(s);
	struct err err = ERR_INIT;
	char name[JUDGE_ID];

	op_init(&j->op, &judge_type, s->engine->loop, then);
	j->s = s;
	j->out = out;
	snprintf(name, sizeof(name), "ahook-%016llx",
		 (unsigned long long)rng_next(loop_rng(s->engine->loop)));
	if (model_rules_stand(&s->rules, id, &err) && engine_connect(s->engine, &err))
		j->agent = judge_make(j, sv_cstr(name), id, system, &err);
	if (j->agent)
		judge_begin(j, text);
	else
		op_finish(&j->op, &err);
	return &j->op;
}

#include "core/agent/agent.h"

#include "test.h"

/* An agent whose events are logged as "parent:text", and what it needs. */
struct desk {
	struct loop *loop;
	struct model_table *table;
	struct perm_policy policy;
	struct costs costs;
	struct tool_session shared;
	struct str log;
	size_t records;
};

static void on_event(void *arg, const struct event *event, __attribute__((unused)) struct sv uuid)
{
	struct desk *d = arg;

	str_addf(&d->log, "%.*s:%.*s\n", SV_ARG(event->parent_tool_use_id),
		 SV_ARG(event->info.text));
}

static bool on_record(void *arg, __attribute__((unused)) const struct transcript_record *record)
{
	((struct desk *)arg)->records++;
	return true;
}

static void desk_init(struct desk *d)
{
	static const struct tool_services none;

	*d = (struct desk){ .loop = loop_new(),
			    .table = model_table_new(),
			    .policy = PERM_POLICY_INIT,
			    .costs = COSTS_INIT,
			    .shared = { .root = "/", .services = &none } };
}

static void desk_clear(struct desk *d)
{
	perm_policy_clear(&d->policy);
	costs_clear(&d->costs);
	str_clear(&d->log);
	model_table_free(d->table);
	loop_free(d->loop);
}

#define DESK(name)                          \
	defer(desk_clear) struct desk name; \
	desk_init(&name)

static struct agent_spec spec_of(struct desk *d)
{
	return (struct agent_spec){
		.loop = d->loop,
		.listener = { .arg = d, .event = on_event, .record = on_record },
		.shared = &d->shared,
		.table = d->table,
		.policy = &d->policy,
		.costs = &d->costs,
		.model = { .id = SV("claude-opus-4-1"), .fallbacks = SV("claude-sonnet-4-5") },
		.tools = { .list = "Bash,Read" },
		.system = SV("You are the first."),
		.cwd = SV("/tmp"),
	};
}

TEST(an_unknown_tool_or_an_invalid_schema_of_the_answer_makes_no_agent)
{
	DESK(d);
	struct agent_spec spec = spec_of(&d);
	struct err err = ERR_INIT;

	spec.tools.list = "Raed";
	CHECK(!agent_new(&spec, &err));
	CHECK_STR(err.text, "there is no tool 'Raed'; did you mean 'Read'?");
	spec.tools.list = "Read";
	spec.tools.schema = "[]";
	CHECK(!agent_new(&spec, &err));
}

TEST(a_child_takes_over_what_its_spec_leaves_open)
{
	DESK(d);
	struct agent_spec spec = spec_of(&d);
	struct err err = ERR_INIT;
	struct agent *parent = agent_new(&spec, &err);
	struct agent *child = agent_new(
		&(struct agent_spec){ .parent = parent, .parent_tool_use_id = SV("t1") }, &err);

	CHECK_SV_EQ(agent_model(child), SV("claude-opus-4-1"));
	CHECK_SV_EQ(agent_cwd(child), SV("/tmp"));
	CHECK_SV_EQ(agent_system(child), SV("You are the first."));
	CHECK_INT(agent_toolset(child)->entries.n, 2);
	CHECK_INT(agent_toolset(child)->nbuiltin, 2);
	CHECK(agent_tool_context(child)->session == &d.shared);
	CHECK(agent_tool_context(child)->files != agent_tool_context(parent)->files);
	agent_set_model(child, SV("claude-sonnet-4-5"));
	CHECK_SV_EQ(agent_model(parent), SV("claude-opus-4-1"));
	agent_free(child);
	agent_free(parent);
}

TEST(every_event_of_a_child_names_the_call_of_its_parent)
{
	DESK(d);
	struct agent_spec spec = spec_of(&d);
	struct err err = ERR_INIT;
	struct agent *parent = agent_new(&spec, &err);
	struct agent *child = agent_new(
		&(struct agent_spec){ .parent = parent, .parent_tool_use_id = SV("t1") }, &err);

	agent_inform(parent, NOTICE_INFO, "one");
	agent_inform(child, NOTICE_INFO, "two");
	CHECK_STR(str_c(&d.log), ":one\nt1:two\n");
	agent_free(child);
	agent_free(parent);
}

TEST(without_a_listener_of_its_own_a_child_is_not_recorded)
{
	DESK(d);
	struct agent_spec spec = spec_of(&d);
	struct agent_message message = { .content = SV("{\"type\":\"text\",\"text\":\"hi\"}"),
					 .quiet = true };
	struct err err = ERR_INIT;
	struct agent *parent = agent_new(&spec, &err);
	struct agent *child = agent_new(
		&(struct agent_spec){ .parent = parent, .parent_tool_use_id = SV("t1") }, &err);

	CHECK(agent_append(child, &message));
	CHECK_INT(d.records, 0);
	CHECK(agent_append(parent, &message));
	CHECK_INT(d.records, 1);
	CHECK_INT(agent_history(child)->messages.n, 1);
	CHECK_INT(agent_history(parent)->messages.n, 1);
	agent_free(child);
	agent_free(parent);
}

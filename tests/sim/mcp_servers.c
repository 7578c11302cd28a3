/* Servers over stdio, supervised, in virtual time. */
#include "machine/sim.h"
#include "mcp/servers.h"
#include "test.h"

#define OUT(message)                               \
	{                                          \
		SIM_CHILD_OUT, 0, SV(message "\n") \
	}
#define READ                                        \
	{                                           \
		SIM_CHILD_READ_LINE, 0, SV_INIT("") \
	}
#define HANG                                   \
	{                                      \
		SIM_CHILD_HANG, 0, SV_INIT("") \
	}

#define RESULT(id, result) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":" result "}"
#define INITIALIZED(id)                                                                   \
	RESULT(id, "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}," \
		   "\"serverInfo\":{"                                                     \
		   "\"name\":\"s\",\"version\":\"1\"}}")
#define LIST(id, names) RESULT(id, "{\"tools\":[" names "]}")
#define TOOL(name)      "{\"name\":\"" name "\",\"inputSchema\":{}}"
/* What a server does until it is connected: refuse server/discover, and the rest. */
#define CONNECT                                                                                    \
	READ,                                                                                      \
		OUT("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}" \
		    "}"),                                                                          \
		READ, OUT(INITIALIZED("2")), READ, READ, OUT(LIST("3", TOOL("a")))
/* The same when it is known to be of the older kind; ids go on. */
#define CONNECT_AGAIN(first, second) \
	READ, OUT(INITIALIZED(first)), READ, READ, OUT(LIST(second, TOOL("a")))

struct rig {
	struct sim *world;
	struct mcp_servers *set;
	struct str log;
	bool is_quiet;
	size_t wanted_network;
};

static void on_changed(void *arg, struct mcp_server *server)
{
	struct rig *r = arg;

	str_addf(&r->log, "@%lld %s %s\n", (long long)sim_elapsed(r->world),
		 mcp_server_config(server)->name, mcp_status_name(mcp_server_status(server)));
}

static void on_listed(void *arg, struct mcp_server *server, enum mcp_list_kind kind)
{
	struct rig *r = arg;

	str_addf(&r->log, "@%lld listed %zu\n", (long long)sim_elapsed(r->world),
		 mcp_client_count(mcp_server_client(server), kind));
}

static void on_quiet(void *arg)
{
	((struct rig *)arg)->is_quiet = true;
}

static void on_needs_network(void *arg)
{
	((struct rig *)arg)->wanted_network++;
}

static void rig_init_held(struct rig *r, bool is_held)
{
	*r = (struct rig){ .world = sim_new() };
	r->set = mcp_servers_new(&(struct mcp_servers_opts){
		.link = { .loop = sim_loop(r->world), .project_dir = "/" },
		.version = "1",
		.is_held = is_held,
		.events = { .arg = r,
			    .changed = on_changed,
			    .listed = on_listed,
			    .needs_network = on_needs_network,
			    .quiet = on_quiet } });
}

static void rig_init(struct rig *r)
{
	rig_init_held(r, false);
}

static void rig_clear(struct rig *r)
{
	mcp_servers_close(r->set);
	CHECK(sim_run(r->world, SIZE_MAX));
	CHECK(mcp_servers_are_quiet(r->set));
	CHECK_INT(sim_live_ops(r->world), 0);
	mcp_servers_free(r->set);
	str_clear(&r->log);
	sim_free(r->world);
}

static struct mcp_server *rig_add(struct rig *r, const char *name)
{
	static const char *const no_args[] = { NULL };

	return mcp_servers_add(r->set,
			       &(struct mcp_config){ .name = name,
						     .scope = MCP_SCOPE_FLAG,
						     .transport = MCP_STDIO,
						     .command = name,
						     .args = no_args },
			       false);
}

/* The outcome of one call. */
struct outcome {
	struct rig *rig;
	struct op *op;
	struct str text;
	int64_t at_ms;
};

static void on_called(struct op *op, void *owner, const struct err *why)
{
	struct outcome *o = owner;

	o->op = NULL;
	o->at_ms = sim_elapsed(o->rig->world);
	if (why)
		str_addf(&o->text, "failed: %s", why->text);
	else
		str_add(&o->text,
			json_str_or(json_get(mcp_server_call_result(op), "said"), SV("nothing")));
}

static void outcome_clear(struct outcome *o)
{
	str_clear(&o->text);
}

static void call(struct outcome *o, struct rig *r, struct mcp_server *server, bool is_harmless)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *params = json_parse(SV("{\"name\":\"a\"}"), 0, &err);
	const struct mcp_call_opts opts = { .method = SV("tools/call"),
					    .name = SV("a"),
					    .params = json_root(params),
					    .timeout_ms = 60000 };

	*o = (struct outcome){ .rig = r };
	o->op = mcp_server_call_start(server, &opts, is_harmless, THEN(on_called, o));
}

#define SCRIPT(rig, name, uses, ...)                                          \
	do {                                                                  \
		const struct sim_child_step steps_[] = { __VA_ARGS__ };       \
		sim_child((rig)->world, name, steps_, countof(steps_), uses); \
	} while (0)

TEST(a_server_connects_and_answers_out_of_order)
{
	defer(rig_clear) struct rig r;
	defer(outcome_clear) struct outcome first = { 0 }, second = { 0 };
	struct mcp_server *server;

	rig_init(&r);
	SCRIPT(&r, "srv", 0, CONNECT, READ, READ, OUT(RESULT("5", "{\"said\":\"two\"}")),
	       OUT("this is not JSON"), OUT(RESULT("99", "{}")),
	       OUT(RESULT("4", "{\"said\":\"one\"}")), HANG);
	server = rig_add(&r, "srv");
	call(&first, &r, server, false);
	call(&second, &r, server, false);
	sim_advance(r.world, 1000);
	CHECK_STR(str_c(&first.text), "one");
	CHECK_STR(str_c(&second.text), "two");
	CHECK_STR(str_c(&r.log), "@0 srv connected\n");
	CHECK_INT(mcp_client_count(mcp_server_client(server), MCP_TOOLS), 1);
}

TEST(a_harmless_call_is_repeated_when_the_server_was_killed)
{
	defer(rig_clear) struct rig r;
	defer(outcome_clear) struct outcome o = { 0 };

	rig_init(&r);
	SCRIPT(&r, "srv", 1, CONNECT, READ, { SIM_CHILD_DIE, 9, SV_EMPTY });
	SCRIPT(&r, "srv", 0, CONNECT_AGAIN("5", "6"), READ,
	       OUT(RESULT("7", "{\"said\":\"again\"}")), HANG);
	call(&o, &r, rig_add(&r, "srv"), true);
	sim_advance(r.world, 5000);
	CHECK_STR(str_c(&o.text), "again");
	CHECK_INT(o.at_ms, 1000);
	CHECK_STR(str_c(&r.log), "@0 srv connected\n@0 srv pending\n@1000 srv connected\n");
}

TEST(a_call_that_may_change_something_is_not_repeated)
{
	defer(rig_clear) struct rig r;
	defer(outcome_clear) struct outcome o = { 0 };

	rig_init(&r);
	SCRIPT(&r, "srv", 1, CONNECT, READ, { SIM_CHILD_DIE, 9, SV_EMPTY });
	SCRIPT(&r, "srv", 0, CONNECT_AGAIN("5", "6"), HANG);
	call(&o, &r, rig_add(&r, "srv"), false);
	sim_advance(r.world, 5000);
	CHECK_STR(str_c(&o.text), "failed: Connection closed");
}

TEST(a_server_that_keeps_dying_is_given_up)
{
	defer(rig_clear) struct rig r;

	rig_init(&r);
	SCRIPT(&r, "srv", 1, CONNECT, { SIM_CHILD_EXIT, 0, SV_EMPTY });
	SCRIPT(&r, "srv", 0, { SIM_CHILD_ERR, 0, SV("no luck\n") },
	       { SIM_CHILD_EXIT, 3, SV_EMPTY });
	rig_add(&r, "srv");
	CHECK(sim_run(r.world, SIZE_MAX));
	CHECK_STR(str_c(&r.log), "@0 srv connected\n@0 srv pending\n@31000 srv failed\n");
	CHECK_SV(mcp_server_problem(mcp_servers_at(r.set, 0)),
		 "the server ended with exit code 3 (it said: no luck)");
}

TEST(a_server_that_never_answers_costs_its_time_and_nothing_else)
{
	defer(rig_clear) struct rig r;
	defer(outcome_clear) struct outcome o = { 0 };
	struct mcp_server *server;

	rig_init(&r);
	SCRIPT(&r, "mute", 0, HANG);
	SCRIPT(&r, "slow", 0, CONNECT, READ, { SIM_CHILD_READ_ALL, 0, SV_EMPTY });
	rig_add(&r, "mute");
	server = rig_add(&r, "slow");
	call(&o, &r, server, true);
	sim_advance(r.world, 100000);
	CHECK_STR(str_c(&r.log), "@0 slow connected\n@30000 mute failed\n");
	CHECK_SV(mcp_server_problem(mcp_servers_at(r.set, 0)),
		 "no connection within 30 seconds (MCP_TIMEOUT)");
	CHECK_STR(str_c(&o.text), "failed: the server did not answer in time");
	CHECK_INT(o.at_ms, 60000);
	mcp_servers_close(r.set);
	sim_advance(r.world, 10000);
	CHECK(strstr(str_c(&sim_spawned(r.world, 1)->input),
		     "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4"));
}

TEST(a_call_without_progress_is_given_up_and_one_with_progress_is_not)
{
	defer(rig_clear) struct rig r;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *params = json_parse(SV("{}"), 0, &err);
	const struct mcp_call_opts opts = { .method = SV("tools/call"),
					    .params = json_root(params) };
	defer(outcome_clear) struct outcome o = { .rig = &r };

	rig_init(&r);
	SCRIPT(&r, "srv", 0, CONNECT, READ, { SIM_CHILD_WAIT, 20 * 60 * 1000, SV_EMPTY },
	       OUT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
		   "\"progressToken\":4,\"progress\":1}}"),
	       HANG);
	o.op = mcp_server_call_start(rig_add(&r, "srv"), &opts, false, THEN(on_called, &o));
	sim_advance(r.world, 2 * 60 * 60 * 1000);
	CHECK_STR(str_c(&o.text), "failed: the server did not answer in time");
	CHECK_INT(o.at_ms, 50 * 60 * 1000);
}

TEST(servers_connect_a_few_at_a_time)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	defer(rig_clear) struct rig r;

	rig_init(&r);
	SCRIPT(&r, "?", 0, { SIM_CHILD_WAIT, 1000, SV_EMPTY }, CONNECT, HANG);
	for (size_t i = 0; i < countof(names); i++)
		rig_add(&r, names[i]);
	sim_advance(r.world, 500);
	CHECK(sim_spawned(r.world, 2) && !sim_spawned(r.world, 3));
	sim_advance(r.world, 5000);
	CHECK_STR(str_c(&r.log), "@1000 a connected\n@1000 b connected\n@1000 c connected\n"
				 "@2000 d connected\n@2000 e connected\n");
}

TEST(a_list_that_changes_is_read_again)
{
	defer(rig_clear) struct rig r;

	rig_init(&r);
	SCRIPT(&r, "srv", 0, CONNECT, { SIM_CHILD_WAIT, 100, SV_EMPTY },
	       OUT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}"), READ,
	       OUT(RESULT("4", "{\"tools\":[" TOOL("a") "],\"nextCursor\":\"c\"}")), READ,
	       OUT(LIST("5", TOOL("b"))), HANG);
	rig_add(&r, "srv");
	sim_advance(r.world, 1000);
	CHECK_STR(str_c(&r.log), "@0 srv connected\n@100 listed 2\n");
}

TEST(a_stateless_server_is_asked_for_news_of_its_lists)
{
	defer(rig_clear) struct rig r;
	const char *read;

	rig_init(&r);
	SCRIPT(&r, "srv", 0, READ,
	       OUT(RESULT("1",
			  "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{"
			  "\"listChanged\":true}}}")),
	       READ, READ, OUT(LIST("3", TOOL("a"))), { SIM_CHILD_WAIT, 100, SV_EMPTY },
	       OUT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
		   "list_changed\",\"params\":{"
		   "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":2}}}"),
	       READ, OUT(LIST("4", TOOL("a") "," TOOL("b"))), HANG);
	rig_add(&r, "srv");
	sim_advance(r.world, 1000);
	CHECK_STR(str_c(&r.log), "@0 srv connected\n@100 listed 2\n");
	CHECK_SV(mcp_client_version(mcp_server_client(mcp_servers_at(r.set, 0))), "2026-07-28");
	read = str_c(&sim_spawned(r.world, 0)->input);
	CHECK(strstr(read, "\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
			   "\"toolsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/"
			   "protocolVersion\":\"2026-07-28\""));
	CHECK(!strstr(read, "\"initialize\""));
}

TEST(requests_of_a_server_are_answered)
{
	defer(rig_clear) struct rig r;
	const char *read;

	rig_init(&r);
	SCRIPT(&r, "srv", 0, CONNECT, OUT("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}"),
	       OUT("{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"roots/list\"}"),
	       OUT("{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"sampling/createMessage\"}"),
	       READ, READ, READ, HANG);
	rig_add(&r, "srv");
	sim_advance(r.world, 1000);
	read = str_c(&sim_spawned(r.world, 0)->input);
	CHECK(strstr(read, "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}"));
	CHECK(strstr(read, "\"id\":\"r\",\"result\":{\"roots\":[{\"uri\":\"file:///\"}]}}"));
	CHECK(strstr(read, "\"id\":\"s\",\"error\":{\"code\":-32601"));
}

TEST(a_server_that_floods_stderr_is_heard_to_its_end)
{
	defer(rig_clear) struct rig r;
	defer(str_clear) struct str flood = STR_INIT;

	rig_init(&r);
	while (flood.len < 1000000)
		str_adds(&flood, "noise noise noise\n");
	SCRIPT(&r, "srv", 0, { SIM_CHILD_ERR, 0, sv_of(&flood) },
	       { SIM_CHILD_ERR, 0, SV("the last word\n") }, CONNECT, HANG);
	rig_add(&r, "srv");
	sim_advance(r.world, 1000);
	CHECK_STR(str_c(&r.log), "@0 srv connected\n");
	CHECK(mcp_client_stderr(mcp_server_client(mcp_servers_at(r.set, 0))).len <= 16384);
	CHECK(sv_ends(mcp_client_stderr(mcp_server_client(mcp_servers_at(r.set, 0))),
		      SV("the last word\n")));
}

TEST(an_answer_that_is_too_long_fails_its_call_alone)
{
	defer(rig_clear) struct rig r;
	defer(str_clear) struct str answer = STR_INIT;
	defer(outcome_clear) struct outcome o = { 0 }, next = { 0 };
	struct mcp_server *server;

	rig_init(&r);
	str_adds(&answer, "{\"result\":{\"said\":\"");
	while (answer.len < 17 * 1024 * 1024)
		str_adds(&answer,
			 "0123456789012345678901234567890123456789012345678901234567890123");
	str_adds(&answer, "\"},\"jsonrpc\":\"2.0\",\"id\":4}\n");
	SCRIPT(&r, "srv", 0, CONNECT, READ, { SIM_CHILD_OUT, 0, sv_of(&answer) }, READ,
	       OUT(RESULT("5", "{\"said\":\"fine\"}")), HANG);
	server = rig_add(&r, "srv");
	call(&o, &r, server, false);
	sim_advance(r.world, 1000);
	CHECK_STR(str_c(&o.text), "failed: the server sent a message of more than 16 MiB");
	call(&next, &r, server, false);
	sim_advance(r.world, 1000);
	CHECK_STR(str_c(&next.text), "fine");
}

TEST(a_disabled_server_is_not_started_until_it_is_enabled)
{
	defer(rig_clear) struct rig r;
	struct mcp_server *server;

	rig_init(&r);
	SCRIPT(&r, "srv", 1, CONNECT, { SIM_CHILD_READ_ALL, 0, SV_EMPTY });
	SCRIPT(&r, "srv", 0, CONNECT_AGAIN("4", "5"), { SIM_CHILD_READ_ALL, 0, SV_EMPTY });
	server = rig_add(&r, "srv");
	sim_advance(r.world, 10);
	mcp_server_enable(server, false);
	sim_advance(r.world, 5000);
	CHECK_INT(mcp_client_state(mcp_server_client(server)), MCP_CLIENT_CLOSED);
	mcp_server_enable(server, true);
	sim_advance(r.world, 5000);
	CHECK_STR(str_c(&r.log), "@0 srv connected\n@10 srv disabled\n@5010 srv pending\n@5010 srv "
				 "connected\n");
}

TEST(servers_connect_only_when_the_session_lets_them)
{
	defer(rig_clear) struct rig r;

	rig_init_held(&r, true);
	SCRIPT(&r, "srv", 1, CONNECT, { SIM_CHILD_READ_ALL, 0, SV_EMPTY });
	rig_add(&r, "srv");
	sim_advance(r.world, 1000);
	CHECK_STR(str_c(&r.log), "");
	mcp_servers_release(r.set);
	sim_advance(r.world, 1000);
	CHECK_STR(str_c(&r.log), "@1000 srv connected\n");
}

TEST(the_network_is_loaded_when_a_server_that_was_disabled_needs_it)
{
	defer(rig_clear) struct rig r;
	struct mcp_server *server;

	rig_init(&r);
	server = mcp_servers_add(r.set,
				 &(struct mcp_config){ .name = "far",
						       .scope = MCP_SCOPE_FLAG,
						       .transport = MCP_HTTP,
						       .url = "https://far.test/mcp" },
				 true);
	sim_advance(r.world, 10);
	CHECK_INT(r.wanted_network, 0);
	mcp_server_enable(server, true);
	sim_advance(r.world, 10);
	CHECK_INT(r.wanted_network, 1);
}

TEST(servers_that_hang_do_not_keep_others_from_connecting)
{
	defer(rig_clear) struct rig r;

	rig_init(&r);
	SCRIPT(&r, "mute", 0, HANG);
	SCRIPT(&r, "mute2", 0, HANG);
	SCRIPT(&r, "mute3", 0, HANG);
	SCRIPT(&r, "srv", 1, CONNECT, { SIM_CHILD_READ_ALL, 0, SV_EMPTY });
	rig_add(&r, "mute");
	rig_add(&r, "mute2");
	rig_add(&r, "mute3");
	rig_add(&r, "srv");
	sim_advance(r.world, 10000);
	CHECK_STR(str_c(&r.log), "@3000 srv connected\n");
}

/* Whatever happens to be under way, closing ends it. */
TEST(closing_after_every_step_leaves_nothing_behind)
{
	for (size_t k = 0; k < 60; k++) {
		struct rig r;
		struct outcome o = { 0 };

		rig_init(&r);
		SCRIPT(&r, "srv", 1, CONNECT, READ, { SIM_CHILD_DIE, 9, SV_EMPTY });
		SCRIPT(&r, "srv", 0, CONNECT_AGAIN("5", "6"), READ, HANG);
		call(&o, &r, rig_add(&r, "srv"), true);
		(void)!sim_run(r.world, k);
		mcp_servers_close(r.set);
		CHECK(sim_run(r.world, SIZE_MAX));
		CHECK(r.is_quiet && !o.op);
		rig_clear(&r);
		outcome_clear(&o);
	}
}

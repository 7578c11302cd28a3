#include "core/control/host_request.h"

#include "../../sys/run.h"

/* A queue, and a log of all it does: "show A", "withdraw A", "A yes", "A gone". */
struct desk {
	struct loop *loop;
	struct host_queue queue;
	struct str log;
	char shown[64]; /* request id of the last question shown */
};

struct visitor {
	struct desk *desk;
	const char *name;
	struct op *op;
};

static struct sv name_of(const struct host_request *request)
{
	switch (request->kind) {
	case HOST_CAN_USE_TOOL: return request->permission.tool;
	case HOST_HOOK_CALLBACK: return request->hook.callback_id;
	case HOST_MCP_MESSAGE: return request->mcp.server;
	case HOST_ELICITATION: return request->elicitation.server;
	case HOST_UNKNOWN: break;
	}
	return SV_EMPTY;
}

static void on_send(void *arg, const struct host_request *request)
{
	struct desk *d = arg;

	str_addf(&d->log, "show %.*s\n", SV_ARG(name_of(request)));
	snprintf(d->shown, sizeof(d->shown), "%.*s", SV_ARG(request->id));
}

static void on_withdraw(void *arg, const struct host_request *request)
{
	struct desk *d = arg;

	if (host_request_needs_user(request)) /* only what was shown */
		CHECK_SV_EQ(request->id, sv_cstr(d->shown));
	str_adds(&d->log, "withdraw");
	if (!host_request_needs_user(request))
		str_addf(&d->log, " %.*s", SV_ARG(name_of(request)));
	str_adds(&d->log, "\n");
}

static void desk_init(struct desk *d)
{
	*d = (struct desk){ .loop = loop_new() };
	host_queue_init(&d->queue, d->loop);
	d->queue.send = on_send;
	d->queue.withdraw = on_withdraw;
	d->queue.arg = d;
}

static void desk_clear(struct desk *d)
{
	loop_free(d->loop);
	str_clear(&d->log);
}

#define DESK(name)                          \
	defer(desk_clear) struct desk name; \
	desk_init(&name)

static void on_answered(struct op *op, void *owner, const struct err *why)
{
	struct visitor *v = owner;
	struct answer_given answer = host_request_answer(op);

	v->op = NULL;
	if (why)
		str_addf(&v->desk->log, "%s gone %s\n", v->name, err_kind_name(why->kind));
	else
		str_addf(&v->desk->log, "%s %s%s '%.*s' '%.*s'\n", v->name,
			 answer.allow ? "yes" : "no", answer.interrupt ? " stop" : "",
			 SV_ARG(answer.message), SV_ARG(answer.new_input));
}

static struct visitor ask(struct desk *d, const char *name)
{
	return (struct visitor){ .desk = d, .name = name };
}

static void start_patient(struct visitor *v, int64_t patience_ms)
{
	v->op = host_request_start(
		&v->desk->queue,
		&(struct host_request){ .kind = HOST_CAN_USE_TOOL,
					.permission = { .tool = sv_cstr(v->name),
							.input = SV("{}"),
							.patience_ms = patience_ms } },
		THEN(on_answered, v));
}

static void start(struct visitor *v)
{
	start_patient(v, 0);
}

static bool answer(struct desk *d, bool allow)
{
	return host_queue_answer(&d->queue, sv_cstr(d->shown),
				 &(struct answer_given){ .allow = allow });
}

static void check_log(struct desk *d, const char *expected)
{
	loop_run(d->loop);
	CHECK_STR(str_c(&d->log), expected);
	str_truncate(&d->log, 0);
}

TEST(questions_are_shown_one_at_a_time_in_the_order_they_came)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), b = ask(&d, "B"), c = ask(&d, "C");

	start(&a);
	start(&b);
	start(&c);
	check_log(&d, "show A\n");
	CHECK(answer(&d, true));
	check_log(&d, "show B\nA yes '' ''\n");
	CHECK(answer(&d, false));
	CHECK(answer(&d, true));
	check_log(&d, "show C\nB no '' ''\nC yes '' ''\n");
	CHECK(!d.queue.first);
	start(&a);
	CHECK(answer(&d, true));
	check_log(&d, "show A\nA yes '' ''\n");
}

TEST(an_answer_brings_all_that_was_said)
{
	DESK(d);
	struct visitor a = ask(&d, "A");
	char message[] = "not this", input[] = "{\"a\":1}";

	start(&a);
	CHECK(host_queue_answer(&d.queue, sv_cstr(d.shown),
				&(struct answer_given){ .interrupt = true,
							.message = sv_cstr(message),
							.new_input = sv_cstr(input) }));
	memset(message, 'x', sizeof(message) - 1); /* it was copied */
	memset(input, 'x', sizeof(input) - 1);
	check_log(&d, "show A\nA no stop 'not this' '{\"a\":1}'\n");
}

TEST(what_is_asked_is_copied_and_has_a_name_of_its_own)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), b = ask(&d, "B");
	char first[64];

	start(&a);
	memcpy(first, d.shown, sizeof(first));
	start(&b);
	CHECK(answer(&d, true));
	CHECK(strcmp(first, d.shown) != 0);
	CHECK_INT(strlen(first), 36);
	CHECK(answer(&d, true));
	loop_run(d.loop);
}

TEST(an_answer_to_no_open_question_is_ignored)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), b = ask(&d, "B");
	struct answer_given yes = { .allow = true };
	char first[64];

	CHECK(!host_queue_answer(&d.queue, SV("nobody"), &yes));
	start(&a);
	start(&b);
	memcpy(first, d.shown, sizeof(first));
	CHECK(!host_queue_answer(&d.queue, SV(""), &yes));
	CHECK(!host_queue_answer(&d.queue, SV("nobody"), &yes));
	CHECK(!host_queue_answer(&d.queue, sv_slice(sv_cstr(first), 0, 35), &yes));
	CHECK(host_queue_answer(&d.queue, sv_cstr(first), &yes));
	CHECK(!host_queue_answer(&d.queue, sv_cstr(first), &yes)); /* answered already */
	check_log(&d, "show A\nshow B\nA yes '' ''\n");
	CHECK(answer(&d, true));
	check_log(&d, "B yes '' ''\n");
}

TEST(a_question_that_is_cancelled_is_taken_back_and_the_next_one_is_shown)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), b = ask(&d, "B");

	start(&a);
	start(&b);
	op_cancel(a.op);
	op_cancel(a.op);
	check_log(&d, "show A\nwithdraw\nshow B\nA gone cancelled\n");
	CHECK(answer(&d, true));
	check_log(&d, "B yes '' ''\n");
}

/* Each of three is cancelled while it waits, at each place of the queue. */
TEST(one_that_waits_may_be_cancelled_anywhere_in_the_queue)
{
	static const char *const expected[] = {
		"show A\nwithdraw\nshow B\nA gone cancelled\n",
		"show A\nB gone cancelled\n",
		"show A\nC gone cancelled\n",
	};

	for (size_t i = 0; i < 3; i++) {
		DESK(d);
		struct visitor v[] = { ask(&d, "A"), ask(&d, "B"), ask(&d, "C"), ask(&d, "D") };
		int answered = 0;

		for (size_t k = 0; k < 3; k++)
			start(&v[k]);
		op_cancel(v[i].op);
		start(&v[3]); /* the end of the queue is still the end */
		check_log(&d, expected[i]);
		while (answer(&d, true))
			answered++;
		CHECK_INT(answered, 3);
		loop_run(d.loop);
		CHECK(sv_ends(sv_of(&d.log), SV("D yes '' ''\n")));
		CHECK_INT(loop_live_ops(d.loop), 0);
	}
}

TEST(all_may_be_cancelled_at_once_and_one_asked_after_that)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), b = ask(&d, "B");

	start(&a);
	start(&b);
	op_cancel(b.op);
	op_cancel(a.op);
	check_log(&d, "show A\nwithdraw\nB gone cancelled\nA gone cancelled\n");
	start(&a);
	CHECK(answer(&d, false));
	check_log(&d, "show A\nA no '' ''\n");
}

TEST(a_question_answered_and_cancelled_in_the_same_step_is_answered)
{
	DESK(d);
	struct visitor a = ask(&d, "A");

	start(&a);
	CHECK(answer(&d, true));
	op_cancel(a.op);
	check_log(&d, "show A\nA yes '' ''\n");
}

enum { TOO_LONG_MS = 3600 * 1000 }; /* a test that waits for it fails */

TEST(a_question_that_nobody_answers_in_time_is_taken_back_and_the_next_one_is_shown)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), b = ask(&d, "B");

	start_patient(&a, 1);
	start_patient(&b, 1);
	check_log(&d, "show A\nwithdraw\nshow B\nA gone timeout\nwithdraw\nB gone timeout\n");
	CHECK(!answer(&d, true));
}

/* The loop runs on while a timer does. */
TEST(one_that_is_answered_or_cancelled_in_time_is_over_at_once)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), b = ask(&d, "B");

	start_patient(&a, TOO_LONG_MS);
	start_patient(&b, TOO_LONG_MS);
	CHECK(answer(&d, true));
	op_cancel(b.op);
	check_log(&d, "show A\nshow B\nwithdraw\nA yes '' ''\nB gone cancelled\n");
	CHECK_INT(loop_live_ops(d.loop), 0);
}

TEST(an_answer_stands_though_the_question_is_cancelled_before_its_timer_is_over)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), b = ask(&d, "B");

	start_patient(&a, TOO_LONG_MS);
	start(&b);
	CHECK(answer(&d, true));
	op_cancel(a.op);
	CHECK(answer(&d, false));
	loop_run(d.loop);
	CHECK(sv_find(sv_of(&d.log), SV("B no '' ''\n")) != SIZE_MAX);
	CHECK_INT(loop_live_ops(d.loop), 0);
}

/* --- requests that need no user --------------------------------------------------- */

static void on_response(struct op *op, void *owner, const struct err *why)
{
	struct visitor *v = owner;

	v->op = NULL;
	str_addf(&v->desk->log, "%s got %.*s\n", v->name,
		 SV_ARG(why ? sv_cstr(why->text) : host_request_response(op)));
}

static void start_hook(struct visitor *v)
{
	v->op = host_request_start(
		&v->desk->queue,
		&(struct host_request){
			.kind = HOST_HOOK_CALLBACK,
			.hook = { .callback_id = sv_cstr(v->name), .input = SV("{}") } },
		THEN(on_response, v));
}

static void start_elicitation(struct visitor *v)
{
	v->op = host_request_start(
		&v->desk->queue,
		&(struct host_request){ .kind = HOST_ELICITATION,
					.elicitation = { .server = sv_cstr(v->name) } },
		THEN(on_response, v));
}

TEST(requests_that_need_no_user_are_sent_at_once_and_answered_in_any_order)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), h1 = ask(&d, "H1"), h2 = ask(&d, "H2");
	char question[64], first[64], second[64];

	start(&a);
	memcpy(question, d.shown, sizeof(question));
	start_hook(&h1);
	memcpy(first, d.shown, sizeof(first));
	start_hook(&h2);
	memcpy(second, d.shown, sizeof(second));
	check_log(&d, "show A\nshow H1\nshow H2\n");
	CHECK(host_queue_respond(&d.queue, sv_cstr(second), SV("{\"b\":2}"), NULL));
	CHECK(host_queue_respond(&d.queue, sv_cstr(first), SV("{\"a\":1}"), NULL));
	CHECK(!host_queue_respond(&d.queue, sv_cstr(first), SV("{}"), NULL));
	check_log(&d, "H2 got {\"b\":2}\nH1 got {\"a\":1}\n");
	CHECK(host_queue_needs_user(&d.queue));
	memcpy(d.shown, question, sizeof(question));
	op_cancel(a.op);
	check_log(&d, "withdraw\nA gone cancelled\n");
	CHECK(!host_queue_needs_user(&d.queue));
}

TEST(a_response_of_the_wrong_sort_is_ignored)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), h = ask(&d, "H");
	char question[64];

	start(&a);
	memcpy(question, d.shown, sizeof(question));
	start_hook(&h);
	CHECK(!host_queue_respond(&d.queue, sv_cstr(question), SV("{}"), NULL));
	CHECK(!answer(&d, true));
	CHECK_INT(host_queue_find(&d.queue, sv_cstr(question))->kind, HOST_CAN_USE_TOOL);
	CHECK_INT(host_queue_find(&d.queue, sv_cstr(d.shown))->kind, HOST_HOOK_CALLBACK);
	CHECK(!host_queue_find(&d.queue, SV("nobody")));
	op_cancel(h.op);
	check_log(&d, "show A\nshow H\nwithdraw H\nH got cancelled\n");
	CHECK(host_queue_answer(&d.queue, sv_cstr(question), &(struct answer_given){ true }));
	check_log(&d, "A yes '' ''\n");
}

TEST(a_host_that_fails_fails_the_request)
{
	DESK(d);
	struct visitor h = ask(&d, "H");
	struct err why = ERR_INIT;

	start_hook(&h);
	err_set(&why, ERR_PROTOCOL, "it broke");
	CHECK(host_queue_respond(&d.queue, sv_cstr(d.shown), SV_EMPTY, &why));
	check_log(&d, "show H\nH got it broke\n");
}

TEST(everything_that_needs_the_user_waits_in_one_line)
{
	DESK(d);
	struct visitor a = ask(&d, "A"), e = ask(&d, "E"), b = ask(&d, "B");

	start(&a);
	start_elicitation(&e);
	start(&b);
	check_log(&d, "show A\n");
	CHECK(answer(&d, true));
	check_log(&d, "show E\nA yes '' ''\n");
	CHECK(host_queue_respond(&d.queue, sv_cstr(d.shown), SV("{}"), NULL));
	check_log(&d, "show B\nE got {}\n");
	CHECK(answer(&d, false));
	check_log(&d, "B no '' ''\n");
}

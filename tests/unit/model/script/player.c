/* A scripted answer inside the process keeps the promises of net/http.h. */
#include "model/script/player.h"
#include "model/wire/listener.h"

#define ASK "{\"model\":\"m\",\"messages\":[],\"stream\":true}"

static void check_log(const char *script, struct http_request request, const char *expected,
		      int line)
{
	LISTENER(l);
	struct call c = { .op = NULL };

	listener_script(&l, script);
	call_start(&c, &l, "a", ASK, request);
	CHECK_INT(l.log.len, 0);
	listener_run(&l);
	test_check_sv(sv_of(&l.log), sv_cstr(expected), __FILE__, line);
	CHECK_INT(c.dones, 1);
}

#define CHECK_LOG(script, request, expected) \
	check_log(script, (struct http_request){ request }, expected, __LINE__)

TEST(pieces_come_in_order_and_at_their_times)
{
	CHECK_LOG("reply\n delay 5ms\n begin\n raw ab\n delay 2s\n raw cd\n", .nheaders = 0,
		  "@5 a head 200\n@5 a 'ab'\n@2005 a 'cd'\n@2005 a done\n");
	CHECK_LOG("reply\n raw abcdef\n split 2 5 pause 1ms\n", .nheaders = 0,
		  "@0 a head 200\n@0 a 'ab'\n@1 a 'cde'\n@2 a 'f'\n@2 a done\n");
}

TEST(an_answer_that_breaks_off_is_a_failure)
{
	CHECK_LOG("reply\n raw abc\n reset after 2\n", .nheaders = 0,
		  "@0 a head 200\n@0 a 'ab'\n"
		  "@0 a failed reset: the connection was reset during the response\n");
	CHECK_LOG(
		"reply\n raw abc\n cut after 0\n", .nheaders = 0,
		"@0 a head 200\n@0 a failed reset: the connection was reset during the response\n");
	CHECK_LOG("reply\n reset\n", .nheaders = 0,
		  "@0 a failed reset: the connection was reset during the response\n");
	CHECK_LOG("reply\n garbage x\n", .nheaders = 0,
		  "@0 a failed protocol: the response is not valid HTTP\n");
}

TEST(a_stall_ends_with_the_deadline_it_meets)
{
	CHECK_LOG("reply\n stall forever\n raw x\n", .first_byte_ms = 700,
		  "@700 a failed timeout-first-byte: no response in time\n");
	CHECK_LOG("reply\n stall forever\n raw x\n", .nheaders = 0,
		  "@600000 a failed timeout-first-byte: no response in time\n");
	CHECK_LOG("reply\n delay 10ms\n raw x\n stall 900ms\n stall 900ms\n raw y\n",
		  .idle_ms = 1000,
		  "@10 a head 200\n@10 a 'x'\n"
		  "@1010 a failed timeout-idle: the response stalled\n");
	CHECK_LOG("reply\n raw x\n stall 900ms\n raw y\n stall 900ms\n raw z\n", .idle_ms = 1000,
		  "@0 a head 200\n@0 a 'x'\n@900 a 'y'\n@1800 a 'z'\n@1800 a done\n");
	CHECK_LOG("reply\n raw x\n stall 900ms\n raw y\n stall 900ms\n raw z\n", .total_ms = 1000,
		  "@0 a head 200\n@0 a 'x'\n@900 a 'y'\n"
		  "@1000 a failed timeout: not complete in time\n");
}

TEST(an_answer_longer_than_asked_for_is_a_failure)
{
	CHECK_LOG("reply\n raw abc\n raw d\n", .max_body = 3,
		  "@0 a head 200\n@0 a 'abc'\n"
		  "@0 a failed too-big: the response exceeds the requested limit\n");
}

TEST(a_stall_without_any_deadline_lasts_until_it_is_cancelled)
{
	LISTENER(l);
	struct call c = { .op = NULL };

	listener_script(&l, "reply\n raw x\n stall forever\n");
	call_start(&c, &l, "a", ASK, (struct http_request){ .idle_ms = HTTP_NO_DEADLINE });
	listener_run(&l);
	CHECK_INT(c.dones, 0);
	op_cancel(c.op);
	listener_run(&l);
	CHECK_STR(str_c(&l.log), "@0 a head 200\n@0 a 'x'\n@0 a failed cancelled: cancelled\n");
}

/* --- pausing ------------------------------------------------------------- */

static void pause_here(struct call *c)
{
	c->listener->transport->pause(c->listener->transport, c->op, true);
}

static void resume(struct call *c)
{
	c->listener->transport->pause(c->listener->transport, c->op, false);
}

TEST(nothing_comes_while_the_reader_has_paused_and_its_deadline_stands_still)
{
	LISTENER(l);
	struct call c = { .on_piece = pause_here };

	listener_script(&l, "reply\n raw x\n stall 50ms\n raw y\n");
	call_start(&c, &l, "a", ASK, (struct http_request){ .idle_ms = 100 });
	sim_advance(l.world, 100000);
	CHECK_STR(str_c(&l.log), "@0 a head 200\n@0 a 'x'\n");
	resume(&c);
	sim_advance(l.world, 5);
	resume(&c);
	listener_run(&l);
	CHECK_STR(str_c(&l.log), "@0 a head 200\n@0 a 'x'\n@100000 a 'y'\n@100005 a done\n");
}

TEST(the_deadline_for_everything_goes_on_while_paused)
{
	LISTENER(l);
	struct call c = { .on_piece = pause_here };

	listener_script(&l, "reply\n raw x\n raw y\n");
	call_start(&c, &l, "a", ASK, (struct http_request){ .total_ms = 70 });
	listener_run(&l);
	CHECK_STR(str_c(&l.log), "@0 a head 200\n@0 a 'x'\n"
				 "@70 a failed timeout: not complete in time\n");
}

TEST(a_failure_does_not_wait_for_a_paused_reader)
{
	LISTENER(l);
	struct call c = { .on_piece = pause_here };

	listener_script(&l, "reply\n raw x\n stall 5ms\n reset\n");
	call_start(&c, &l, "a", ASK, (struct http_request){ .nheaders = 0 });
	listener_run(&l);
	CHECK_STR(str_c(&l.log),
		  "@0 a head 200\n@0 a 'x'\n"
		  "@5 a failed reset: the connection was reset during the response\n");
}

/* --- cancelling ---------------------------------------------------------- */

static void cancel_here(struct call *c)
{
	op_cancel(c->op);
}

TEST(a_reader_may_cancel_from_inside)
{
	LISTENER(l);
	struct call c = { .on_piece = cancel_here };

	listener_script(&l, "reply\n raw x\n raw y\n");
	call_start(&c, &l, "a", ASK, (struct http_request){ .nheaders = 0 });
	listener_run(&l);
	CHECK_STR(str_c(&l.log), "@0 a head 200\n@0 a 'x'\n@0 a failed cancelled: cancelled\n");
}

TEST(a_cancel_after_any_step_ends_it_once_and_at_once)
{
	static const char script[] = "reply\n delay 1ms\n begin\n text hello\n stall 1s\n"
				     " split every 9 pause 1ms\n";
	bool natural = false;

	for (size_t k = 0; !natural; k++) {
		LISTENER(l);
		struct call c = { .op = NULL };
		int64_t at;

		listener_script(&l, script);
		call_start(&c, &l, "a", ASK, (struct http_request){ .idle_ms = 2000 });
		natural = sim_run(l.world, k);
		at = sim_elapsed(l.world);
		op_cancel(c.op);
		listener_run(&l);
		CHECK_INT(c.dones, 1);
		CHECK_INT(sim_elapsed(l.world), at);
		CHECK_INT(sim_live_ops(l.world), 0);
	}
}

TEST(answers_run_side_by_side)
{
	LISTENER(l);
	struct call a = { .op = NULL }, b = { .op = NULL };

	listener_script(&l, "reply\n raw a\n delay 5ms\n raw A\nreply\n delay 2ms\n raw b\n");
	call_start(&a, &l, "a", ASK, (struct http_request){ .nheaders = 0 });
	call_start(&b, &l, "b", ASK, (struct http_request){ .nheaders = 0 });
	listener_run(&l);
	CHECK_STR(str_c(&l.log), "@0 a head 200\n@0 a 'a'\n@2 b head 200\n@2 b 'b'\n@2 b done\n"
				 "@5 a 'A'\n@5 a done\n");
}

/* What goes into a child and what comes out of it. */
#include "base/limits.h"
#include "child_probe.h"

static void all_bytes(struct str *out, size_t n)
{
	str_reserve(out, n);
	for (size_t i = 0; i < n; i++)
		str_addc(out, (char)(i * 131 >> 3));
}

TEST(child_reads_every_byte_given_and_then_end_of_file)
{
	static const size_t sizes[] = { 1, 4095, 4096, 65535, 65536, 65537, 5000000 };
	LOOP(loop);

	for (size_t i = 0; i < countof(sizes); i++) {
		PROBE(p);
		defer(str_clear) struct str input = STR_INIT;

		all_bytes(&input, sizes[i]);
		PROBE_RUN(&p, loop, .argv = ARGV("cat"), .input = sv_of(&input));
		CHECK_INT(p.out.len, sizes[i]);
		CHECK(sv_eq(sv_of(&p.out), sv_of(&input)));
	}
}

TEST(child_without_input_reads_end_of_file_at_once)
{
	LOOP(loop);
	PROBE(p);

	PROBE_RUN(&p, loop, SHELL("cat; echo end"));
	CHECK_SV(sv_of(&p.out), "end\n");
}

TEST(child_stdin_can_be_opened_by_name)
{
	LOOP(loop);
	PROBE(p);

	PROBE_RUN(&p, loop, .argv = ARGV("cat", "/dev/stdin"), .input = SV("by name"));
	CHECK_SV(sv_of(&p.out), "by name");
}

TEST(child_takes_more_input_until_it_is_closed)
{
	LOOP(loop);
	PROBE(p);
	struct err err;

	probe_start(&p, loop,
		    (struct child_opts){
			    .argv = ARGV("cat"), .input = SV("one "), .keep_stdin = true });
	CHECK_OK(child_write(p.op, SV("two "), &err), err); /* before it has started */
	RUN_UNTIL(loop, sv_is(sv_of(&p.out), "one two "));
	CHECK_OK(child_write(p.op, SV("three"), &err), err);
	child_close_stdin(p.op);
	child_close_stdin(p.op);
	CHECK_OK(child_write(p.op, SV("too late"), &err), err);
	RUN_UNTIL(loop, p.done);
	CHECK_SV(sv_of(&p.out), "one two three");
	CHECK_INT(p.result.code, 0);
}

TEST(child_stdin_closed_before_it_started_is_empty)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop, (struct child_opts){ SHELL("cat; echo end"), .keep_stdin = true });
	child_close_stdin(p.op);
	RUN_UNTIL(loop, p.done);
	CHECK_SV(sv_of(&p.out), "end\n");
}

TEST(child_that_reads_nothing_stops_our_writing_at_the_cap)
{
	LOOP(loop);
	PROBE(p);
	defer(str_clear) struct str chunk = STR_INIT;
	struct err err;
	size_t accepted = 0;

	all_bytes(&chunk, 1 * MIB);
	probe_start(&p, loop,
		    (struct child_opts){ .argv = ARGV("sleep", "1000"), .keep_stdin = true });
	while (child_write(p.op, sv_of(&chunk), &err))
		accepted += chunk.len;
	CHECK_ERR(err, ERR_TOO_BIG, "wait for the program to read them");
	CHECK_INT(accepted, LIMIT_CHILD_INPUT);
	op_cancel(p.op);
	RUN_UNTIL(loop, p.done);
}

TEST(child_that_closes_stdin_early_does_no_harm)
{
	LOOP(loop);
	PROBE(unread);
	PROBE(closed);
	defer(str_clear) struct str big = STR_INIT;
	struct err err;

	all_bytes(&big, 1 * MIB);
	PROBE_RUN(&unread, loop, .argv = ARGV("true"), .input = sv_of(&big));
	CHECK_INT(unread.why.kind, ERR_NONE);
	CHECK_INT(unread.result.code, 0);

	/* The default action of SIGPIPE would end this program. */
	probe_start(&closed, loop,
		    (struct child_opts){ SHELL("exec <&-; echo closed; sleep 1000"),
					 .keep_stdin = true });
	RUN_UNTIL(loop, closed.out.len > 0);
	CHECK_OK(child_write(closed.op, sv_of(&big), &err), err);
	CHECK_OK(child_write(closed.op, sv_of(&big), &err), err);
	op_cancel(closed.op);
	RUN_UNTIL(loop, closed.done);
}

TEST(child_that_closes_its_output_is_waited_for)
{
	LOOP(loop);
	PROBE(p);

	PROBE_RUN(&p, loop, SHELL("echo said; exec >&- 2>&-; cat; exit 5"), .input = SV("x"));
	CHECK_SV(sv_of(&p.out), "said\n");
	CHECK_INT(p.result.code, 5);
}

/* --- back-pressure --------------------------------------------------------------------- */

struct slow {
	struct probe probe; /* first: what the callbacks are given */
	size_t bytes;
	bool wrong;
	struct op *pause;
};

static void slow_on_pause_over(__attribute__((unused)) struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct slow *s = owner;

	s->pause = NULL;
	if (s->probe.op)
		child_pause(s->probe.op, false);
	loop_stop(s->probe.loop);
}

static void slow_on_data(void *owner, __attribute__((unused)) enum child_stream from,
			 struct sv bytes)
{
	struct slow *s = owner;

	s->wrong = s->wrong || s->pause;
	s->bytes += bytes.len;
	s->probe.biggest = max_of(s->probe.biggest, bytes.len);
	child_pause(s->probe.op, true);
	s->pause = timer_start(s->probe.loop, 0, THEN(slow_on_pause_over, s));
}

TEST(child_with_a_slow_reader_is_held_back_and_loses_nothing)
{
	enum { TOTAL = 50 * 1000 * 1000 };
	LOOP(loop);
	struct slow s = { .bytes = 0 };

	probe_start(&s.probe, loop,
		    (struct child_opts){ .argv = ARGV("head", "-c", "50000000", "/dev/zero"),
					 .on_data = slow_on_data });
	RUN_UNTIL(loop, s.probe.done && !s.pause);
	CHECK_INT(s.bytes, TOTAL);
	CHECK(s.probe.biggest <= LIMIT_CHILD_BUFFER);
	CHECK(!s.wrong);
}

/* Many turns of the loop, and all that went to the guard before is started. */
static void run_others(struct loop *loop)
{
	for (int i = 0; i < 10; i++) {
		PROBE(p);

		PROBE_RUN(&p, loop, .argv = ARGV("true"));
	}
}

TEST(child_paused_delivers_nothing_and_is_not_done)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop,
		    (struct child_opts){ .argv = ARGV("head", "-c", "400000", "/dev/zero") });
	child_pause(p.op, true);
	run_others(loop);
	CHECK_INT(p.out.len, 0);
	CHECK_INT(p.done, 0);
	child_pause(p.op, false);
	RUN_UNTIL(loop, p.done);
	CHECK_INT(p.out.len, 400000);
	CHECK(p.biggest <= LIMIT_CHILD_BUFFER);
}

TEST(child_that_ended_while_paused_delivers_the_rest_later)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop, (struct child_opts){ SHELL("echo some; echo more") });
	child_pause(p.op, true);
	run_others(loop);
	CHECK(is_gone(child_pid(p.op)));
	run_others(loop);
	CHECK_INT(p.done, 0);
	CHECK_INT(p.out.len, 0);
	child_pause(p.op, false);
	RUN_UNTIL(loop, p.done);
	CHECK_SV(sv_of(&p.out), "some\nmore\n");
}

TEST(child_cancelled_while_paused_is_done)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop, (struct child_opts){ SHELL("yes") });
	child_pause(p.op, true);
	op_cancel(p.op);
	child_pause(p.op, true);
	RUN_UNTIL(loop, p.done);
	CHECK_INT(p.why.kind, ERR_CANCELLED);
	CHECK_INT(p.out.len, 0);
}

/* --- caps ------------------------------------------------------------------------------- */

TEST(child_is_ended_once_it_wrote_more_than_the_cap)
{
	static const size_t caps[] = { 1, 2, 4096, 100000, 1000000 };
	LOOP(loop);

	for (size_t i = 0; i < countof(caps); i++) {
		PROBE(p);

		PROBE_RUN(&p, loop, .argv = ARGV("yes"), .max_output = caps[i]);
		CHECK_ERR(p.why, ERR_TOO_BIG, "yes wrote more than");
		CHECK_INT(p.out.len, caps[i]);
		CHECK(p.result.signal == SIGTERM || p.result.signal == SIGPIPE);
	}
}

TEST(child_that_writes_exactly_the_cap_is_fine)
{
	LOOP(loop);
	PROBE(at);
	PROBE(past);

	PROBE_RUN(&at, loop, SHELL("printf 12345; printf 678 >&2"), .max_output = 8);
	CHECK_INT(at.why.kind, ERR_NONE);
	PROBE_RUN(&past, loop, SHELL("printf 12345; printf 6789 >&2"), .max_output = 8);
	CHECK_INT(past.why.kind, ERR_TOO_BIG);
	CHECK_INT(past.out.len + past.err.len, 8);
}

static void discard(__attribute__((unused)) void *owner,
		    __attribute__((unused)) enum child_stream from,
		    __attribute__((unused)) struct sv bytes)
{
}

TEST(child_output_that_nobody_wants_is_read_all_the_same)
{
	LOOP(loop);
	struct outcome o = { .done = 0 };

	child_start(loop,
		    &(struct child_opts){ .argv = ARGV("head", "-c", "1000000", "/dev/zero") },
		    THEN(outcome_done, &o));
	RUN_UNTIL(loop, o.done);
	CHECK_INT(o.why.kind, ERR_NONE);
	o.done = 0;
	child_start(loop,
		    &(struct child_opts){ .argv = ARGV("head", "-c", "1000000", "/dev/zero"),
					  .on_data = discard },
		    THEN(outcome_done, &o));
	RUN_UNTIL(loop, o.done);
}

/* --- terminals -------------------------------------------------------------------------- */

TEST(child_in_a_terminal_sees_one_of_the_size_given)
{
	LOOP(loop);
	PROBE(p);

	PROBE_RUN(&p, loop,
		  SHELL("test -t 0 && test -t 1 && test -t 2 && stty size && tty </dev/tty "
			">/dev/null "
			"&& echo controls"),
		  .pty = true, .rows = 31, .cols = 97);
	CHECK_SV(sv_of(&p.out), "31 97\r\ncontrols\r\n");
	CHECK_INT(p.result.code, 0);
}

TEST(child_is_told_when_its_terminal_is_resized)
{
	LOOP(loop);
	PROBE(p);

	probe_start(&p, loop,
		    (struct child_opts){ SHELL("trap 'stty size; kill $!; exit 0' WINCH; "
					       "sleep 1000 & echo ready; wait"),
					 .pty = true, .rows = 24, .cols = 80 });
	RUN_UNTIL(loop, sv_find(sv_of(&p.out), SV("ready")) != SIZE_MAX);
	child_resize(p.op, 50, 120);
	RUN_UNTIL(loop, p.done);
	CHECK(sv_find(sv_of(&p.out), SV("50 120\r\n")) != SIZE_MAX);
}

TEST(child_terminal_resized_before_the_start_has_the_new_size)
{
	enum { QUEUED = 40 }; /* more than are started at once */
	static struct probe probes[QUEUED];
	LOOP(loop);

	for (int i = 0; i < QUEUED; i++) {
		probe_start(
			&probes[i], loop,
			(struct child_opts){
				.argv = ARGV("stty", "size"), .pty = true, .rows = 1, .cols = 2 });
		child_resize(probes[i].op, 3, 4);
	}
	for (int i = 0; i < QUEUED; i++) {
		RUN_UNTIL(loop, probes[i].done);
		CHECK_SV(sv_of(&probes[i].out), "3 4\r\n");
		probe_clear(&probes[i]);
	}
}

TEST(child_in_a_terminal_reads_what_is_typed_up_to_the_end_key)
{
	LOOP(loop);
	PROBE(p);
	struct err err;

	probe_start(&p, loop,
		    (struct child_opts){ SHELL("stty -echo; echo ready; cat; echo end"),
					 .pty = true, .rows = 24, .cols = 80 });
	RUN_UNTIL(loop, sv_find(sv_of(&p.out), SV("ready")) != SIZE_MAX);
	CHECK_OK(child_write(p.op, SV("typed"), &err), err);
	child_close_stdin(p.op);
	RUN_UNTIL(loop, p.done);
	CHECK_SV(sv_of(&p.out), "ready\r\ntypedend\r\n");
}

TEST(child_in_a_terminal_loses_no_output_at_its_end)
{
	static const char *const sizes[] = { "1", "3000", "4096", "70000", "1000000" };
	LOOP(loop);

	for (size_t i = 0; i < countof(sizes); i++) {
		PROBE(p);

		PROBE_RUN(&p, loop, .argv = ARGV("head", "-c", sizes[i], "/dev/zero"), .pty = true,
			  .rows = 24, .cols = 80);
		CHECK_INT(p.out.len, number_in(sv_cstr(sizes[i])));
		CHECK_INT(p.why.kind, ERR_NONE);
	}
}

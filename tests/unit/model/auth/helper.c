#include "model/auth/helper.h"

#include "base/limits.h"
#include "sys/run.h"

/* A run of a helper, and what came of it. */
struct probe {
	struct str printed, received;
	struct err why;
	struct op *op;
};

static void probe_clear(struct probe *p)
{
	str_clear(&p->printed);
	str_clear(&p->received);
}

#define PROBE(name) defer(probe_clear) struct probe name = { .printed = STR_INIT }

static void on_line(void *owner, struct sv line)
{
	struct probe *p = owner;

	str_addf(&p->received, "[%.*s]", SV_ARG(line));
}

static void on_done(struct op *op, void *owner, const struct err *why)
{
	struct probe *p = owner;

	p->op = NULL;
	p->why = why ? *why : (struct err)ERR_INIT;
	str_add(&p->printed, helper_output(op));
	loop_stop(op->loop);
}

static void probe_run(struct probe *p, struct helper helper)
{
	defer(loop_freep) struct loop *loop = loop_new();

	helper.name = "theHelper";
	helper.deadline_ms = 60 * 1000;
	p->op = helper_start(loop, &helper, THEN(on_done, p));
	RUN_UNTIL(loop, !p->op);
}

TEST(what_a_helper_prints_is_taken_without_the_white_space_around_it)
{
	PROBE(shell);
	PROBE(words);

	probe_run(&shell, (struct helper){ .command = "printf ' \\n a key \\n\\n'; echo no >&2" });
	CHECK_INT(shell.why.kind, ERR_NONE);
	CHECK_SV(sv_of(&shell.printed), "a key");
	probe_run(&words,
		  (struct helper){ .argv = (const char *const[]){ "echo", "$HOME", ";", NULL } });
	CHECK_INT(words.why.kind, ERR_NONE);
	CHECK_SV(sv_of(&words.printed), "$HOME ;");
}

TEST(a_helper_has_the_environment_it_is_given_and_no_input)
{
	static const char *const env[] = { "PATH=/usr/bin:/bin", "AWS_PROFILE=dev", NULL };
	PROBE(p);

	probe_run(&p, (struct helper){ .command = "echo $AWS_PROFILE$HOME; cat", .env = env });
	CHECK_INT(p.why.kind, ERR_NONE);
	CHECK_SV(sv_of(&p.printed), "dev");
}

TEST(bytes_of_any_kind_are_taken_as_they_are)
{
	PROBE(p);

	probe_run(&p, (struct helper){ .command = "printf 'a\\0b\\377'" });
	CHECK_INT(p.why.kind, ERR_NONE);
	CHECK_SV(sv_of(&p.printed), "a\0b\377");
}

TEST(a_helper_that_fails_is_told_by_its_complaint_and_not_by_its_output)
{
	PROBE(words);
	PROBE(silent);
	PROBE(rude);

	probe_run(&words, (struct helper){ .command = "echo hush; echo sealed >&2; exit 3" });
	CHECK_ERR(words.why, ERR_ACCESS, "theHelper exited with status 3: sealed");
	CHECK(!strstr(words.why.text, "hush"));
	probe_run(&silent, (struct helper){ .command = "echo hush; kill -KILL $$" });
	CHECK_INT(silent.why.kind, ERR_ACCESS);
	CHECK_STR(silent.why.text, "theHelper exited with status 137");
	probe_run(&rude, (struct helper){ .command = "printf '\\033]0;x\\007\\377' >&2; exit 1" });
	CHECK_INT(rude.why.kind, ERR_ACCESS);
	CHECK(!strpbrk(rude.why.text, "\033\007\377"));
}

TEST(a_helper_that_prints_without_end_is_ended)
{
	PROBE(secret);
	PROBE(received);

	probe_run(&secret, (struct helper){ .command = "yes hush" });
	CHECK_ERR(secret.why, ERR_TOO_BIG, "theHelper");
	CHECK(!strstr(secret.why.text, "hush"));
	probe_run(&received, (struct helper){ .command = "yes", .on_line = on_line });
	CHECK_ERR(received.why, ERR_TOO_BIG, "theHelper");
	CHECK(received.received.len <= 2 * LIMIT_LOGIN_OUTPUT);
}

TEST(what_is_for_the_user_comes_by_lines_and_printable)
{
	PROBE(p);
	PROBE(failed);
	PROBE(one_long);

	probe_run(&p, (struct helper){ .command = "echo a; echo; printf 'b\\033c' >&2; printf "
						  "'\\n\\n  d\\r\\n'; printf e",
				       .on_line = on_line });
	CHECK_INT(p.why.kind, ERR_NONE);
	CHECK_SV(sv_of(&p.received), "[a][b\xef\xbf\xbd"
				     "c][d][e]");
	CHECK_INT(p.printed.len, 0);
	probe_run(&failed,
		  (struct helper){ .command = "echo a; echo last; exit 1", .on_line = on_line });
	CHECK_ERR(failed.why, ERR_ACCESS, "theHelper exited with status 1: last");
	probe_run(&one_long, (struct helper){ .command = "head -c 100000 /dev/zero | tr '\\0' x",
					      .on_line = on_line });
	CHECK_INT(one_long.why.kind, ERR_NONE);
	CHECK(one_long.received.len <= LIMIT_HELPER_LINE + 5);
}

/* awl -p: one question, one answer on standard output. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "cli/output.h"
#include "cli/service.h"
#include "sys/signal.h"
#include "text/json_write.h"

struct print {
	struct service service;
	struct op *answer, *interrupt, *terminate; /* NULL when not in flight */
	struct str text;                           /* of the answer so far */
	struct str message;                        /* the question as JSON */
	struct sv messages[1];
	bool talk; /* somebody looks at standard error */
	enum exit_code exit;
	int signal; /* that ended it */
};

/* Words and standard input make the prompt, in this order. */
static bool read_prompt(struct str *prompt, const struct args *args, struct err *err)
{
	char buffer[64 * 1024];
	size_t words;
	ssize_t n;

	for (size_t i = 0; i < args->words.n; i++)
		str_addf(prompt, "%s%s", i ? " " : "", args->words.at[i]);
	if (isatty(STDIN_FILENO))
		return true;
	words = prompt->len;
	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0) {
		if (words && prompt->len == words)
			str_addc(prompt, '\n');
		if (!str_add_capped(prompt, sv_from(buffer, (size_t)n), LIMIT_PROMPT))
			return err_set(err, ERR_TOO_BIG, "standard input has more than %zu MiB",
				       LIMIT_PROMPT / MIB);
	}
	if (n < 0 && !(words && errno == EBADF)) /* a closed one adds nothing */
		return err_sys(err, errno, "cannot read standard input");
	return true;
}

static void notice(const struct print *p, const char *fmt, ...) printf_like(2, 3);
static void notice(const struct print *p, const char *fmt, ...)
{
	va_list args;

	if (!p->talk)
		return;
	va_start(args, fmt);
	complain(fmt, args, "");
	va_end(args);
}

static void on_event(void *owner, const struct model_event *e)
{
	struct print *p = owner;

	if (e->kind == MODEL_TEXT)
		str_add(&p->text, e->text);
	else if (e->kind == MODEL_DISCARD)
		str_truncate(&p->text, 0);
	else if (e->kind == MODEL_RETRY)
		notice(p, "%s; trying again in %.1f s (attempt %d of %d)", e->error->err.text,
		       (double)e->wait_ms / 1000, e->attempt, e->attempts);
	else if (e->kind == MODEL_STALL)
		notice(p, "nothing has come for %lld s; giving up after %lld s",
		       (long long)e->wait_ms / 1000, (long long)e->limit_ms / 1000);
	else if (e->kind == MODEL_FALLBACK)
		notice(p, "going on with %.*s", SV_ARG(e->model));
	else if (e->kind == MODEL_NOTE || e->kind == MODEL_CACHE_DROP)
		notice(p, "%.*s", SV_ARG(e->text));
}

static void on_answer(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct print *p = owner;

	p->answer = NULL;
	op_cancel(p->interrupt);
	op_cancel(p->terminate);
	if (!why) {
		if (p->text.len && p->text.ptr[p->text.len - 1] != '\n')
			str_addc(&p->text, '\n');
		p->exit = output(sv_of(&p->text));
	} else if (!p->signal) {
		p->exit = failure("%s", why->text);
	}
}

static void on_signal(void *owner, int signo)
{
	struct print *p = owner;

	p->signal = signo;
	op_cancel(p->answer);
}

static void on_unwatched(struct op *op, void *owner, __attribute__((unused)) const struct err *why)
{
	struct print *p = owner;

	if (op == p->interrupt)
		p->interrupt = NULL;
	else
		p->terminate = NULL;
}

static void start(struct print *p, struct sv prompt, const struct args *args)
{
	struct loop *loop = p->service.loop;
	const char *fallback = args_value(args, "fallback-model");
	struct model_request request = {
		.model = service_model(&p->service, args_value(args, "model")),
		.fallback = fallback ? service_model(&p->service, fallback) : SV_EMPTY,
		.messages = p->messages,
		.nmessages = 1,
		.source = MODEL_FOR_MAIN,
	};
	struct jw w;

	jw_init(&w, &p->message, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "role", SV("user"));
	jw_put_str(&w, "content", prompt);
	jw_end(&w);
	jw_done(&w);
	p->messages[0] = sv_of(&p->message);
	p->interrupt = signal_start(loop, SIGINT, on_signal, THEN(on_unwatched, p));
	p->terminate = signal_start(loop, SIGTERM, on_signal, THEN(on_unwatched, p));
	p->answer = model_start(p->service.client, &request, on_event, THEN(on_answer, p));
}

enum exit_code print_run(const struct args *args)
{
	defer(str_clear) struct str prompt = STR_INIT;
	const char *speed = args_value(args, "replay-speed");
	struct print p = { .talk = isatty(STDERR_FILENO) };
	const struct err *recording;
	struct err err = ERR_INIT;

	if (speed && !sv_is(sv_cstr(speed), "full") && !sv_is(sv_cstr(speed), "recorded"))
		return usage_error("--replay-speed is 'full' or 'recorded', not '%s'", speed);
	if (!read_prompt(&prompt, args, &err))
		return failure("%s", err.text);
	if (!sv_trim(sv_of(&prompt)).len)
		return usage_error("a prompt is needed: awl -p \"...\", or text on standard input");
	if (!service_open(&p.service, args, &err))
		return failure("%s", err.text);
	if (p.service.is_demo)
		notice(&p, "%s", service_demo_notice);
	start(&p, sv_of(&prompt), args);
	loop_run(p.service.loop);
	recording = model_client_record_error(p.service.client);
	if (recording && p.exit == EXIT_OK)
		p.exit = failure("the recording is not complete: %s", recording->text);
	service_close(&p.service);
	str_clear(&p.text);
	str_clear(&p.message);
	return p.signal ? (enum exit_code)(128 + p.signal) : p.exit;
}

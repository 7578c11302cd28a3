#include "front/print/print.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/uuid.h"
#include "base/vec.h"
#include "front/client.h"
#include "front/display.h"
#include "front/print/awaited.h"
#include "front/print/unopened.h"
#include "proto/input.h"
#include "proto/message.h"
#include "sys/timer.h"
#include "text/shell_words.h"

/* Background commands get a little time after the last result to end by themselves. */
enum { LONG_WAIT_MS = 60 * 1000, TASK_PATIENCE_MS = 5000, AGENT_PATIENCE_MS = 600000 };

/* A request of the engine that nobody has answered as far as we know. */
struct print_request {
	char *id;
	enum host_request_kind kind;
	char *subtype;
	bool guards; /* a hook has to check a call */
};

struct print {
	const struct print_opts *opts;
	struct client client;
	size_t nlines;                      /* of input, so far */
	bool input_ended;                   /* no more input will arrive */
	int signal;                         /* that ends the program; 0: none */
	VEC(struct print_request) requests; /* of this turn */
	struct str replays;                 /* lines to write after the next init */
	bool has_result;
	struct str result;   /* the newest, as a line; empty with stream-json */
	struct str answer;   /* its text, or its error; likewise */
	bool has_failed;     /* the newest result is an error */
	bool is_over;        /* the host has ended the session */
	size_t ntasks;       /* commands and agents that run in the background */
	size_t nagents;      /* of them: agents */
	struct op *patience; /* with them, once nothing else is left; NULL: none */
	bool has_waited;     /* long enough */
	struct str denied;   /* calls that were denied, a line each */
	bool has_denied;     /* a call, also by the host's answer */
	struct str cwd;      /* of the session */
};

/* --- the end ------------------------------------------------------------------- */

static void print_put_text(struct print *p, struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT;

	if (!text.len)
		return;
	if (p->opts->is_for_a_terminal)
		display_text(&clean, text);
	client_write(&p->client, clean.len ? sv_of(&clean) : text);
	if (!sv_ends(text, SV("\n")))
		client_write(&p->client, SV("\n"));
}

static void print_complain_of_denials(const struct print *p)
{
	struct sv rest = sv_of(&p->denied), line;

	while (sv_cut_line(&rest, &line))
		complain("%.*s", SV_ARG(line));
}

static void print_put_answer(struct print *p)
{
	if (!p->has_failed)
		print_put_text(p, sv_of(&p->answer));
	else if (!p->signal)
		complain("%s", str_c(&p->answer));
}

static int print_status(const struct print *p)
{
	if (p->signal == SIGINT && p->opts->format == PRINT_STREAM && p->has_result)
		return EXIT_SUCCESS;
	if (p->signal)
		return 128 + p->signal;
	if (p->is_over)
		return EXIT_SUCCESS;
	if (p->has_failed)
		return EXIT_FAILURE;
	return p->has_denied && p->opts->fails_on_denied ? PRINT_DENIED : EXIT_SUCCESS;
}

static void print_finish(struct print *p)
{
	print_complain_of_denials(p);
	if (p->has_result && p->opts->format == PRINT_TEXT) {
		print_put_answer(p);
	} else if (p->has_result && p->opts->format == PRINT_JSON) {
		str_addc(&p->result, '\n');
		client_write(&p->client, sv_of(&p->result));
	}
	client_leave(&p->client, print_status(p));
}

static void print_settle(void *arg);

static void print_on_patience(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct print *p = owner;

	p->patience = NULL;
	if (why)
		return;
	p->has_waited = true;
	print_settle(p);
}

static void print_count_tasks(struct print *p, const struct event *event)
{
	p->ntasks = event->tasks.n;
	p->nagents = 0;
	for (size_t i = 0; i < event->tasks.n; i++)
		p->nagents += sv_is(event->tasks.at[i].type, "local_agent");
}

/* Whether a command in the background may still cause a turn that the host would hear of. */
static bool print_awaits_tasks(struct print *p)
{
	if (!(p->opts->prompt ? p->nagents : p->ntasks) || p->has_waited || p->is_over || p->signal)
		return false;
	if (!p->patience)
		p->patience = timer_start(p->client.loop,
					  p->nagents ? AGENT_PATIENCE_MS : TASK_PATIENCE_MS,
					  THEN(print_on_patience, p));
	return true;
}

/* Finish when nothing runs, nothing waits and no input can arrive. */
static void print_settle(void *arg)
{
	struct print *p = arg;

	if (p->input_ended && client_is_idle(&p->client) && !print_awaits_tasks(p))
		print_finish(p);
}

/* --- requests to the host ---------------------------------------------------------- */

/* With stream-json the program at the other end of our pipes answers, as long as it can. Once
 * its input has ended, and with a prompt on the command line from the start, we have to. */
static void print_refuse(struct print *p, const struct print_request *request)
{
	defer(str_clear) struct str json = STR_INIT, why = STR_INIT;

	if (request->kind == HOST_CAN_USE_TOOL) {
		awl_answer(p->client.session, request->id, false,
			   "The input was closed before the question was answered.");
		return;
	}
	str_addf(&why, "The input was closed, so nobody can handle \"%s\" requests.",
		 request->subtype);
	(request->guards ? host_request_write_block
			 : host_request_write_error)(&json, sv_cstr(request->id), sv_of(&why));
	if (awl_send(p->client.session, json.ptr, json.len) != AWL_OK)
		complain("%s", awl_last_error());
}

static void print_forget_request(struct print *p, size_t i)
{
	free(p->requests.at[i].id);
	free(p->requests.at[i].subtype);
	vec_remove(&p->requests, i);
}

static void print_forget_requests(struct print *p)
{
	while (p->requests.n)
		print_forget_request(p, p->requests.n - 1);
}

/* Refusing a request that the host has answered has no effect. */
static void print_refuse_all(struct print *p)
{
	for (size_t i = 0; i < p->requests.n; i++)
		print_refuse(p, &p->requests.at[i]);
	print_forget_requests(p);
}

static void print_on_request(struct print *p, const struct host_request *request)
{
	vec_push(&p->requests, ((struct print_request){ .id = sv_dup(request->id),
							.kind = request->kind,
							.guards = host_request_is_guard(request),
							.subtype = sv_dup(request->subtype) }));
	if (p->input_ended)
		print_refuse_all(p);
}

static void print_on_cancel(struct print *p, struct sv id)
{
	for (size_t i = p->requests.n; i > 0; i--)
		if (sv_is(id, p->requests.at[i - 1].id))
			print_forget_request(p, i - 1);
}

/* --- events ------------------------------------------------------------------------- */

static void print_write_line(struct print *p, const struct event *event, struct sv line)
{
	if (!p->opts->writes_states && event->kind == EVENT_STATE)
		return;
	client_write(&p->client, line);
	client_write(&p->client, SV("\n"));
}

static void print_keep_result(struct print *p, const struct event_result *result, struct sv line)
{
	str_set(&p->result, line);
	str_set(&p->answer, result->outcome == RESULT_SUCCESS ? result->text
			    : result->error.len               ? result->error
							      : SV("the turn failed"));
}

static void print_on_result(struct print *p, const struct event_result *result, struct sv line)
{
	p->has_failed = result->is_error;
	p->has_denied |= result->ndenials > 0;
	p->has_result = true;
	if (p->opts->format != PRINT_STREAM)
		print_keep_result(p, result, line);
	print_forget_requests(p);
	if (p->signal)
		print_finish(p);
}

static void print_write_replays(struct print *p)
{
	client_write(&p->client, sv_of(&p->replays));
	str_truncate(&p->replays, 0);
}

static void print_on_init(struct print *p, const struct event_init *init)
{
	str_set(&p->cwd, init->cwd);
	print_write_replays(p);
	if (p->signal) /* it arrived before there was a turn to end */
		awl_interrupt(p->client.session);
}

static void print_show_calls(struct print *p, const struct event_message *message)
{
	struct json_iter it = message_blocks(message->value);
	struct block block;

	while (message_next(&it, &block)) {
		defer(str_clear) struct str line = STR_INIT;

		if (block.kind != BLOCK_TOOL_USE)
			continue;
		display_call(&line, block.tool, block.input, sv_of(&p->cwd));
		fprintf(stderr, "%s\n", line.ptr);
	}
}

/* Append a word as it is typed at a shell. */
static void print_add_word(struct str *out, struct sv word)
{
	defer(str_clear) struct str quoted = STR_INIT;

	shell_words_quote(&quoted, word);
	str_addc(out, ' ');
	display_name(out, sv_of(&quoted));
}

/* Note which call was denied, and what would have allowed it or why nothing would have. The demo
 * works in a directory of its own, so rules for it are of no use. */
static void print_note_denial(struct print *p, const struct event *event)
{
	defer(str_clear) struct str line = STR_INIT;

	str_adds(&line, "denied: ");
	display_call(&line, event->denied.tool, event->denied.input_value, sv_of(&p->cwd));
	if (!event->denied.nrules || awl_is_demo(p->opts->awl)) {
		str_adds(&line, ": ");
		display_name(&line, event->denied.reason);
	} else {
		str_adds(&line, "; --allowedTools");
		for (size_t i = 0; i < event->denied.nrules; i++)
			print_add_word(&line, event->denied.rules[i]);
		str_adds(&line, " would allow it");
	}
	str_addc(&line, '\n');
	if (sv_find(sv_of(&p->denied), sv_of(&line)) == SIZE_MAX)
		str_add(&p->denied, sv_of(&line));
}

static bool print_is_warning(const struct event *event)
{
	return (event->kind == EVENT_INFORMATIONAL && event->info.level == NOTICE_WARNING) ||
	       (event->kind == EVENT_RETRY && event->retry.delay_ms >= LONG_WAIT_MS);
}

/* Somebody may be watching; warnings and long waits are shown in any case. */
static void print_show_notice(struct print *p, const struct event *event)
{
	defer(str_clear) struct str text = STR_INIT;

	if ((p->opts->talks || print_is_warning(event)) && display_notice(&text, event))
		complain_lines(sv_of(&text));
}

static void print_on_ending(struct print *p)
{
	p->is_over = true;
	p->input_ended = true;
	lines_stop(&p->client.in);
}

/* What a person at the terminal sees; a host reads the events themselves. */
static void print_show_event(struct print *p, const struct event *event)
{
	if (event->kind == EVENT_DENIED)
		print_note_denial(p, event);
	else if (event->kind == EVENT_ASSISTANT && p->opts->talks)
		print_show_calls(p, &event->message);
	else
		print_show_notice(p, event);
}

static void print_on_event(void *arg, const struct event *event, struct sv line)
{
	struct print *p = arg;

	if (event->kind == EVENT_ASSISTANT || event->kind == EVENT_RESULT)
		print_write_replays(p); /* a local command has no init before its answer */
	if (p->opts->format == PRINT_STREAM)
		print_write_line(p, event, line);
	else
		print_show_event(p, event);
	switch (event->kind) {
	case EVENT_INIT: print_on_init(p, &event->init); break;
	case EVENT_RESULT: print_on_result(p, &event->result, line); break;
	case EVENT_HOST_REQUEST: print_on_request(p, &event->request); break;
	case EVENT_ENDING: print_on_ending(p); break;
	case EVENT_TASKS: print_count_tasks(p, event); break;
	case EVENT_HOST_CANCEL: print_on_cancel(p, event->cancel.request_id); break;
	case EVENT_ASSISTANT:
	case EVENT_USER:
	case EVENT_STREAM:
	case EVENT_STATUS:
	case EVENT_REFUSED:
	case EVENT_STATE:
	case EVENT_RETRY:
	case EVENT_STALL:
	case EVENT_DISCARD:
	case EVENT_DENIED:
	case EVENT_FALLBACK:
	case EVENT_INFORMATIONAL:
	case EVENT_TRANSITION:
	case EVENT_PROMPT:
	case EVENT_PROGRESS:
	case EVENT_MIRROR:
	case EVENT_TASK_STARTED:
	case EVENT_TASK_PROGRESS:
	case EVENT_TASK_UPDATED:
	case EVENT_TASK_ENDED:
	case EVENT_COMPACTED:
	case EVENT_RESET:
	case EVENT_TOOL_PROGRESS:
	case EVENT_TOOL_OUTPUT:
	case EVENT_REPLY:
	case EVENT_COMMANDS:
	case EVENT_THINKING:
	case EVENT_SUGGESTION:
	case EVENT_PAGE_DONE:
	case EVENT_TOOL_SUMMARY:
	case EVENT_NOTIFICATION:
	case EVENT_GOAL:
	case EVENT_RATE_LIMIT:
	case EVENT_TERMINAL:
	case EVENT_HOOK_STARTED:
	case EVENT_HOOK_PROGRESS:
	case EVENT_HOOK_RESPONSE:
	case EVENT_UNKNOWN: break;
	}
}

/* --- input --------------------------------------------------------------------------- */

/* The prompt as the event that shows it again. */
static void print_replay(struct print *p, const struct input_prompt *prompt)
{
	struct uuid uuid = uuid_v4(loop_rng(p->client.loop));
	struct event event = { .kind = EVENT_USER,
			       .message = { .value = prompt->message, .is_replay = true } };

	event_write(&p->replays, &event, prompt->uuid.len ? prompt->uuid : sv_cstr(uuid.text),
		    sv_cstr(awl_session_id(p->client.session)));
	str_addc(&p->replays, '\n');
}

static void print_replay_prompt(struct print *p, struct sv line, bool was_idle)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(line, 0, &err);
	struct input in;

	if (!input_read(&in, json_root(doc), &err) || in.kind != INPUT_PROMPT)
		return;
	print_replay(p, &in.prompt);
	if (!was_idle) /* it joins the turn that runs: there will be no init */
		print_write_replays(p);
}

/* What is wrong with JSON is said with its place in this one line. */
static void print_complain_of_line(const struct print *p, struct sv why)
{
	struct sv here = SV("line 1, ");

	why = sv_starts(why, here) ? sv_skip(why, here.len) : why;
	complain("standard input, line %zu: %.*s", p->nlines, SV_ARG(why));
}

static void print_on_line(void *arg, struct sv line)
{
	struct print *p = arg;
	bool was_idle = awl_session_is_idle(p->client.session);

	p->nlines++;
	if (!sv_trim(line).len)
		return;
	if (awl_send(p->client.session, line.ptr, line.len) != AWL_OK) {
		print_complain_of_line(p, sv_cstr(awl_last_error()));
		client_finish(&p->client, EXIT_FAILURE);
	} else if (p->opts->replays_prompts) {
		print_replay_prompt(p, line, was_idle);
	}
}

static void print_on_end(void *arg, const struct err *why)
{
	struct print *p = arg;

	if (why) {
		complain("%s", why->text);
		client_finish(&p->client, EXIT_FAILURE);
		return;
	}
	p->input_ended = true;
	print_refuse_all(p);
	print_settle(p);
}

/* Give the turn time to end in order and write its result. A second signal does not wait. */
static void print_on_signal(void *arg, int signo)
{
	struct print *p = arg;
	bool again = p->signal != 0;

	p->signal = signo;
	p->input_ended = true;
	lines_stop(&p->client.in);
	p->has_result = false; /* wait for that of the turn it ends */
	if (again || client_is_idle(&p->client))
		print_finish(p);
	else
		awl_interrupt(p->client.session);
}

/* --- start and end ------------------------------------------------------------------------ */

static const struct client_callbacks print_callbacks = {
	.event = print_on_event,
	.line = print_on_line,
	.end = print_on_end,
	.signal = print_on_signal,
	.rest = print_settle,
};

/* `first` was read from standard input already. */
static int print_session(const struct print_opts *opts, struct sv first)
{
	struct print p = { .opts = opts, .input_ended = opts->prompt || opts->only_opens };
	struct err err = ERR_INIT;
	int exit_status;

	if (!client_open(&p.client, opts->awl, opts->session, &print_callbacks, &p, &err))
		return print_unopened(opts, &err);
	p.client.passes_messages = opts->format == PRINT_STREAM;
	if (opts->prompt)
		awl_prompt(p.client.session, opts->prompt);
	else if (!opts->only_opens)
		client_listen(&p.client);
	if (first.len)
		lines_begin_with(&p.client.in, first);
	exit_status = client_run(&p.client);
	op_cancel(p.patience);
	client_close(&p.client);
	print_forget_requests(&p);
	vec_clear(&p.requests);
	str_clear(&p.replays);
	str_clear(&p.result);
	str_clear(&p.answer);
	str_clear(&p.denied);
	str_clear(&p.cwd);
	return exit_status;
}

int front_print(const struct print_opts *opts)
{
	defer(awaited_clear) struct awaited awaited = AWAITED_INIT;
	struct print_opts more = *opts;
	struct err err = ERR_INIT;

	if (!opts->awaits_initialize)
		return print_session(opts, SV_EMPTY);
	if (!awaited_read(&awaited, STDIN_FILENO, opts->session, &err))
		return print_refuse_to_start(opts->format, "initialize_not_first", err.text);
	more.session = &awaited.session;
	return print_session(&more, sv_of(&awaited.input));
}

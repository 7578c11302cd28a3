#include "front/client.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "front/display.h"
#include "front/startup.h"
#include "sys/signal.h"

static const int signal_numbers[CLIENT_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

/* --- the engine --------------------------------------------------------------- */

/* Let the engine run only as fast as our output is read. */
static void client_update_engine(struct client *client)
{
	bool wanted = !client->is_leaving && !out_is_full(&client->out);

	if (client->engine)
		poll_want(client->engine, wanted ? POLL_READABLE : 0);
}

static void client_dispatch(struct task *task)
{
	struct client *client = container_of(task, struct client, dispatch);

	if (client->is_leaving)
		return;
	out_cork(&client->out);
	if (client->session)
		awl_dispatch(client->awl);
	if (client->is_finishing && !out_is_full(&client->out))
		client_leave(client, client->status);
	if (!client->is_leaving)
		client->callbacks->rest(client->arg);
	out_uncork(&client->out);
	client_update_engine(client);
}

static void client_on_engine(void *arg, __attribute__((unused)) int fd,
			     __attribute__((unused)) int events)
{
	struct client *client = arg;

	loop_post(client->loop, &client->dispatch);
}

/* The event of a message whose line is only passed on, so it is not read; NULL: another event. */
static const struct event *client_unread(enum awl_event_kind kind)
{
	static const struct event stream = { .kind = EVENT_STREAM },
				  assistant = { .kind = EVENT_ASSISTANT },
				  user = { .kind = EVENT_USER };

	return kind == AWL_EVENT_STREAM      ? &stream
	       : kind == AWL_EVENT_ASSISTANT ? &assistant
	       : kind == AWL_EVENT_USER      ? &user
					     : NULL;
}

/* The user may leave long before there is a result. A prompt without a name is known by what the model answers; a command
 * that needs no model leaves nothing to resume. */
static void client_follow_conversation(struct client *client, const struct event *event)
{
	if (event->kind == EVENT_RESET)
		client->can_resume = false;
	else if (event->kind == EVENT_STREAM ||
		 (event->kind == EVENT_PROMPT && event->prompt.state == PROMPT_STARTED) ||
		 (event->kind == EVENT_RESULT && event->result.has_reason))
		client->can_resume = true;
}

/* Read no more of the event than the front end needs, and hand it over. */
static void client_deliver(struct client *client, const struct awl_event *event, struct sv line)
{
	struct event read = { .kind = EVENT_UNKNOWN };
	struct err err = ERR_INIT;
	bool needs_verdict = client->passes_messages && awl_event_kind(event) == AWL_EVENT_RESULT;

	if (!(needs_verdict && event_read_verdict(line, &read, &err)) &&
	    !event_read(&client->reader, line, &read, &err))
		read = (struct event){ .kind = EVENT_UNKNOWN,
				       .unknown = { .why = sv_cstr(err.text) } };
	client_follow_conversation(client, &read);
	client->callbacks->event(client->arg, &read, line);
}

static void client_on_event(void *arg, __attribute__((unused)) struct awl_session *session,
			    const struct awl_event *event)
{
	struct client *client = arg;
	struct sv line = sv_from(awl_event_json(event), awl_event_length(event));
	const struct event *unread =
		client->passes_messages ? client_unread(awl_event_kind(event)) : NULL;

	if (client->is_leaving)
		return;
	if (unread)
		client->callbacks->event(client->arg, unread, line);
	else
		client_deliver(client, event, line);
}

bool client_is_idle(const struct client *client)
{
	return !client_is_busy(client) &&
	       (!client->session || !ready_now(awl_fd(client->awl), POLL_READABLE));
}

/* --- signals and streams ----------------------------------------------------------------- */

static void client_on_signal(void *owner, int signo)
{
	struct client *client = owner;

	if (!client->is_leaving)
		client->callbacks->signal(client->arg, signo);
	else
		loop_stop(client->loop); /* nobody reads our output */
}

static void client_on_unwatched(struct op *op, void *owner,
				__attribute__((unused)) const struct err *why)
{
	struct client *client = owner;

	for (size_t i = 0; i < CLIENT_SIGNALS; i++)
		if (client->signals[i] == op)
			client->signals[i] = NULL;
}

static void client_on_out(void *arg)
{
	struct client *client = arg;

	if (client->out.failed)
		client_leave(client, EXIT_FAILURE);
	else if (client->is_leaving)
		loop_stop(client->loop);
	else if (client->is_finishing)
		loop_post(client->loop, &client->dispatch);
	else
		client_update_engine(client);
	if (!client->is_leaving && client->callbacks->written)
		client->callbacks->written(client->arg);
}

static void client_on_line(void *arg, struct sv line)
{
	struct client *client = arg;

	client->callbacks->line(client->arg, line);
}

static void client_on_end(void *arg, const struct err *why)
{
	struct client *client = arg;

	client->callbacks->end(client->arg, why);
}

void client_listen(struct client *client)
{
	lines_start(&client->in, client->loop, STDIN_FILENO, client_on_line, client_on_end, client);
}

void client_write(struct client *client, struct sv text)
{
	if (!client->has_written)
		startup_mark("first output");
	client->has_written = true;
	out_add(&client->out, text);
	if (!out_is_full(&client->out))
		return;
	if (client->session)
		awl_stop(client->awl); /* a burst of events ends here, too */
	client_update_engine(client);
}

/* --- open and close ------------------------------------------------------------------- */

static void client_begin(struct client *client)
{
	out_init(&client->out, client->loop, STDOUT_FILENO, client_on_out, client);
	for (size_t i = 0; i < CLIENT_SIGNALS; i++)
		client->signals[i] = signal_start(client->loop, signal_numbers[i], client_on_signal,
						  THEN(client_on_unwatched, client));
}

bool client_open(struct client *client, struct awl *awl, const struct awl_session_options *options,
		 const struct client_callbacks *callbacks, void *arg, struct err *err)
{
	struct awl_session *session;

	if (awl_session_open(&session, awl, options, client_on_event, client) != AWL_OK)
		return err_set(err, ERR_INVALID, "%s", awl_last_error());
	startup_mark("session open");
	*client = (struct client){ .awl = awl,
				   .session = session,
				   .callbacks = callbacks,
				   .arg = arg,
				   .loop = loop_new(),
				   .dispatch = { .run = client_dispatch } };
	client->engine = poll_new(client->loop, awl_fd(awl), client_on_engine, client);
	if (!client->engine) {
		client_close(client);
		return err_set(err, ERR_FULL, "no file descriptor is left for the event loop");
	}
	poll_want(client->engine, POLL_READABLE);
	client_begin(client);
	return true;
}

static void client_on_remote_event(void *arg, const struct event *event, struct sv line)
{
	struct client *client = arg;

	if (client->is_leaving)
		return;
	client->callbacks->event(client->arg, event, line);
	loop_post(client->loop, &client->dispatch); /* to see whether it has nothing more to do */
}

static void client_on_remote_end(void *arg)
{
	struct client *client = arg;

	if (!client->is_leaving)
		client->callbacks->lost(client->arg);
}

void client_open_remote(struct client *client, struct awl *awl,
			const struct remote_session_start *start,
			const struct client_callbacks *callbacks, void *arg)
{
	static const struct remote_session_callbacks remote = { .event = client_on_remote_event,
								.end = client_on_remote_end };

	*client = (struct client){ .awl = awl,
				   .callbacks = callbacks,
				   .arg = arg,
				   .loop = loop_new(),
				   .dispatch = { .run = client_dispatch } };
	remote_session_init(&client->remote, client->loop, start, &remote, client);
	client_begin(client);
}

int client_run(struct client *client)
{
	loop_run(client->loop);
	if (client->out.failed && client->out.failed != EPIPE) {
		complain("cannot write the output: %s", strerror(client->out.failed));
		return EXIT_FAILURE;
	}
	return client->status;
}

void client_leave(struct client *client, int status)
{
	if (!client->is_leaving)
		client->status = status;
	client->is_leaving = true;
	lines_stop(&client->in);
	client_update_engine(client);
	if (out_is_empty(&client->out))
		loop_stop(client->loop);
}

void client_finish(struct client *client, int status)
{
	client->status = status;
	client->is_finishing = true;
	lines_stop(&client->in);
	loop_post(client->loop, &client->dispatch);
}

void client_close(struct client *client)
{
	if (client->session)
		awl_session_close(client->session);
	else
		remote_session_stop(&client->remote);
	client->is_leaving = true;
	for (size_t i = 0; i < CLIENT_SIGNALS; i++)
		op_cancel(client->signals[i]);
	poll_free(client->engine);
	awl_project_close(client->project);
	lines_clear(&client->in);
	out_clear(&client->out);
	loop_run(client->loop); /* cancelled ops report their end */
	event_reader_clear(&client->reader);
	if (!client->session)
		remote_session_clear(&client->remote);
	loop_free(client->loop);
}

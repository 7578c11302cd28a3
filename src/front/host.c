#include "front/host.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "front/display.h"
#include "sys/signal.h"

static const int signal_numbers[HOST_SIGNALS] = { SIGINT, SIGTERM, SIGHUP };

/* --- the engine --------------------------------------------------------------- */

/* Let the engine run only as fast as our output is read. */
static void host_update_engine(struct host *host)
{
	bool wanted = !host->is_leaving && !out_is_full(&host->out);

	poll_want(host->engine, wanted ? POLL_READABLE : 0);
}

static void host_dispatch(struct task *task)
{
	struct host *host = container_of(task, struct host, dispatch);

	if (host->is_leaving)
		return;
	awl_dispatch(host->awl);
	if (!host->is_leaving)
		host->callbacks->rest(host->arg);
	host_update_engine(host);
}

static void host_on_engine(void *arg, __attribute__((unused)) int fd,
			   __attribute__((unused)) int events)
{
	struct host *host = arg;

	loop_post(host->loop, &host->dispatch);
}

static void host_on_event(void *arg, __attribute__((unused)) struct awl_session *session,
			  const struct awl_event *event)
{
	struct host *host = arg;
	struct sv line = sv_from(awl_event_json(event), awl_event_length(event));
	struct event read;
	struct err err = ERR_INIT;

	if (host->is_leaving)
		return;
	if (!event_read(&host->reader, line, &read, &err))
		read = (struct event){ .kind = EVENT_UNKNOWN,
				       .unknown = { .why = sv_cstr(err.text) } };
	host->callbacks->event(host->arg, &read, line);
}

bool host_is_idle(const struct host *host)
{
	return awl_session_is_idle(host->session) && !ready_now(awl_fd(host->awl), POLL_READABLE);
}

/* --- signals and streams ----------------------------------------------------------------- */

static void host_on_signal(void *owner, int signo)
{
	struct host *host = owner;

	if (!host->is_leaving)
		host->callbacks->signal(host->arg, signo);
	else
		loop_stop(host->loop); /* nobody reads our output */
}

static void host_on_unwatched(struct op *op, void *owner,
			      __attribute__((unused)) const struct err *why)
{
	struct host *host = owner;

	for (size_t i = 0; i < HOST_SIGNALS; i++)
		if (host->signals[i] == op)
			host->signals[i] = NULL;
}

static void host_on_out(void *arg)
{
	struct host *host = arg;

	if (host->out.failed)
		host_leave(host, EXIT_FAILURE);
	else if (host->is_leaving)
		loop_stop(host->loop);
	else
		host_update_engine(host);
}

static void host_on_line(void *arg, struct sv line)
{
	struct host *host = arg;

	host->callbacks->line(host->arg, line);
}

static void host_on_end(void *arg, const struct err *why)
{
	struct host *host = arg;

	host->callbacks->end(host->arg, why);
}

void host_listen(struct host *host)
{
	lines_start(&host->in, host->loop, STDIN_FILENO, host_on_line, host_on_end, host);
}

void host_write(struct host *host, struct sv text)
{
	out_add(&host->out, text);
	if (out_is_full(&host->out))
		host_update_engine(host);
}

/* --- open and close ------------------------------------------------------------------- */

bool host_open(struct host *host, struct awl *awl, const struct awl_session_options *options,
	       const struct host_callbacks *callbacks, void *arg, struct err *err)
{
	struct awl_session *session;

	if (awl_session_open(&session, awl, options, host_on_event, host) != AWL_OK)
		return err_set(err, ERR_INVALID, "%s", awl_last_error());
	*host = (struct host){ .awl = awl,
			       .session = session,
			       .callbacks = callbacks,
			       .arg = arg,
			       .loop = loop_new(),
			       .dispatch = { .run = host_dispatch } };
	out_init(&host->out, host->loop, STDOUT_FILENO, host_on_out, host);
	host->engine = poll_new(host->loop, awl_fd(awl), host_on_engine, host);
	if (!host->engine) {
		host_close(host);
		return err_set(err, ERR_FULL, "no file descriptor is left for the event loop");
	}
	poll_want(host->engine, POLL_READABLE);
	for (size_t i = 0; i < HOST_SIGNALS; i++)
		host->signals[i] = signal_start(host->loop, signal_numbers[i], host_on_signal,
						THEN(host_on_unwatched, host));
	return true;
}

int host_run(struct host *host)
{
	loop_run(host->loop);
	if (host->out.failed && host->out.failed != EPIPE) {
		complain("cannot write the output: %s", strerror(host->out.failed));
		return EXIT_FAILURE;
	}
	return host->status;
}

void host_leave(struct host *host, int status)
{
	if (!host->is_leaving)
		host->status = status;
	host->is_leaving = true;
	lines_stop(&host->in);
	host_update_engine(host);
	if (out_is_empty(&host->out))
		loop_stop(host->loop);
}

void host_close(struct host *host)
{
	awl_session_close(host->session);
	host->is_leaving = true;
	for (size_t i = 0; i < HOST_SIGNALS; i++)
		op_cancel(host->signals[i]);
	poll_free(host->engine);
	lines_clear(&host->in);
	out_clear(&host->out);
	loop_run(host->loop); /* cancelled ops report their end */
	event_reader_clear(&host->reader);
	loop_free(host->loop);
}

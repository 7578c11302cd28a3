/* One client of the supervisor. It may be an older or newer awl, hang, or send garbage: whatever it does, it loses no
 * more than its own connection. */
#include <unistd.h>

#include "base/limits.h"
#include "front/background/supervisor_internal.h"
#include "proto/input.h"
#include "sys/timer.h"

enum { PEER_GREETING_MS = 10000 };

/* --- what it is sent --------------------------------------------------------------------------- */

/* A client that does not read what it asks for is dropped. */
static void peer_add(struct peer *peer, struct sv text)
{
	if (peer->is_gone)
		return;
	out_add(&peer->out, text);
	if (peer->out.waiting.len > LIMIT_PEER_OUTPUT)
		peer_leave(peer);
}

static void peer_send(struct peer *peer, const struct background_message *message)
{
	defer(str_clear) struct str line = STR_INIT;

	background_message_write(&line, message);
	peer_add(peer, sv_of(&line));
}

void peer_on_line_of(struct peer *peer, const struct job *job, struct sv line)
{
	if (peer->attached != job)
		return;
	peer_add(peer, line);
	peer_add(peer, SV("\n"));
}

static void peer_refuse(struct peer *peer, const char *why)
{
	peer_send(peer,
		  &(struct background_message){ .kind = BACKGROUND_ERROR, .text = sv_cstr(why) });
}

static void peer_confirm(struct peer *peer, const struct job *job)
{
	peer_send(peer, &(struct background_message){ .kind = BACKGROUND_DONE,
						      .id = job ? sv_of(&job->id) : SV_EMPTY });
}

static void peer_send_jobs(struct peer *peer)
{
	struct supervisor *s = peer->supervisor;
	VEC(struct job_info) infos = VEC_INIT;

	for (size_t i = s->jobs.n; i > 0; i--)
		if (!s->jobs.at[i - 1]->is_removed)
			vec_push(&infos, job_info(s->jobs.at[i - 1]));
	peer->is_stale = false;
	peer_send(peer, &(struct background_message){
				.kind = BACKGROUND_JOBS, .jobs = infos.at, .njobs = infos.n });
	vec_clear(&infos);
}

/* A client that is slow gets the newest list when it has read the one before. */
void peer_notify(struct peer *peer)
{
	peer->is_stale = true;
	if (peer->watches && !peer->is_gone && out_is_empty(&peer->out))
		peer_send_jobs(peer);
}

/* --- what it wants ------------------------------------------------------------------------------ */

static void peer_greet(struct peer *peer, const struct background_message *message)
{
	const struct background_message hello = { .kind = BACKGROUND_HELLO,
						  .protocol = BACKGROUND_PROTOCOL,
						  .version = sv_cstr(peer->supervisor->version),
						  .pid = getpid() };

	peer->has_greeted =
		message->kind == BACKGROUND_HELLO && message->protocol == BACKGROUND_PROTOCOL;
	peer->is_closing = !peer->has_greeted;
	op_cancel(peer->deadline);
	peer_send(peer, &hello);
}

static void peer_start(struct peer *peer, const struct background_message *message)
{
	struct err err = ERR_INIT;
	struct job *job = supervisor_start(peer->supervisor, message, &err);

	if (!job)
		peer_refuse(peer, err.text);
	else if (job->has_begun)
		peer_confirm(peer, job);
	else
		peer->awaited = job;
}

void peer_on_begun(struct peer *peer, struct job *job)
{
	bool awaits_end = peer->awaits_end;

	if (peer->awaited != job || (job_is_live(job) && (awaits_end || !job->has_begun)))
		return;
	peer->awaited = NULL;
	peer->awaits_end = false;
	if (awaits_end || job_is_live(job))
		peer_confirm(peer, job);
	else
		peer_refuse(peer, str_c(&job->error));
}

/* From now on it is sent everything that the session says, beginning with the questions that are open. */
static void peer_attach(struct peer *peer, struct job *job)
{
	if (!job_is_live(job)) {
		peer_refuse(peer, "the session has no process");
		return;
	}
	peer_confirm(peer, job);
	if (peer->is_gone)
		return;
	peer->attached = job;
	job_follow(job, true);
	for (size_t i = 0; i < job->questions.n; i++)
		peer_on_line_of(peer, job, sv_of(&job->questions.at[i].line));
}

/* It may take long to read the rest, and the session may be forgotten before. */
void peer_on_ended(struct peer *peer, struct job *job)
{
	if (peer->attached != job)
		return;
	peer->attached = NULL;
	job_follow(job, false);
	peer->is_closing = true;
	if (out_is_empty(&peer->out))
		peer_leave(peer);
}

static void peer_pass(struct peer *peer, struct job *job, struct sv line)
{
	struct err err = ERR_INIT;

	if (job_send(job, line, &err))
		peer_confirm(peer, job);
	else
		peer_refuse(peer, err.text);
}

static void peer_stop(struct peer *peer, struct job *job)
{
	if (job_is_live(job)) {
		peer->awaited = job;
		peer->awaits_end = true;
		job_stop(job);
	} else {
		peer_confirm(peer, job);
	}
}

static void peer_serve_job(struct peer *peer, const struct background_message *message)
{
	struct job *job = supervisor_find(peer->supervisor, message->id);

	if (!job) {
		peer_refuse(peer, "there is no such background session");
	} else if (message->kind == BACKGROUND_SEND) {
		peer_pass(peer, job, message->text);
	} else if (message->kind == BACKGROUND_ATTACH) {
		peer_attach(peer, job);
	} else if (message->kind == BACKGROUND_STOP) {
		peer_stop(peer, job);
	} else {
		peer_confirm(peer, job);
		supervisor_remove(peer->supervisor, job);
	}
}

static void peer_serve(struct peer *peer, const struct background_message *message)
{
	switch (message->kind) {
	case BACKGROUND_START: peer_start(peer, message); break;
	case BACKGROUND_WATCH:
		peer->watches = true;
		peer_send_jobs(peer);
		break;
	case BACKGROUND_LIST: peer_send_jobs(peer); break;
	case BACKGROUND_SEND:
	case BACKGROUND_STOP:
	case BACKGROUND_REMOVE:
	case BACKGROUND_ATTACH: peer_serve_job(peer, message); break;
	case BACKGROUND_HELLO:
	case BACKGROUND_JOBS:
	case BACKGROUND_DONE:
	case BACKGROUND_ERROR:
	case BACKGROUND_KINDS:
		peer_refuse(peer, "the supervisor does not know this request");
		break;
	}
}

/* What an attached client sends is for the session. A line that means nothing, or an answer that comes too late, is
 * skipped: the session would end with an error. */
static void peer_on_session_line(struct peer *peer, struct sv line)
{
	struct err err = ERR_INIT;

	if (!job_send(peer->attached, line, &err))
		log_info("a client of background session %s: %s", str_c(&peer->attached->id),
			 err.text);
}

static void peer_on_line(void *arg, struct sv line)
{
	struct peer *peer = arg;
	struct background_message message;
	struct err err = ERR_INIT;

	if (peer->is_gone || peer->is_closing)
		return;
	if (peer->attached) {
		peer_on_session_line(peer, line);
		return;
	}
	arena_reset(&peer->arena);
	if (!background_message_read(&message, line, &peer->pool, &peer->arena, &err)) {
		peer_refuse(peer, err.text);
		peer->is_closing = true;
	} else if (!peer->has_greeted) {
		peer_greet(peer, &message);
	} else {
		peer_serve(peer, &message);
	}
	if (peer->is_closing && out_is_empty(&peer->out))
		peer_leave(peer);
}

/* --- init and free ------------------------------------------------------------------------------- */

static void peer_on_end(void *arg, __attribute__((unused)) const struct err *why)
{
	peer_leave(arg);
}

static void peer_on_written(void *arg)
{
	struct peer *peer = arg;

	if (peer->out.failed || peer->is_closing)
		peer_leave(peer);
	else if (peer->watches && peer->is_stale && !peer->is_gone)
		loop_post(peer->supervisor->loop, &peer->supervisor->notify);
}

static void peer_on_deadline(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct peer *peer = owner;

	peer->deadline = NULL;
	if (!why)
		peer_leave(peer);
	supervisor_settle(peer->supervisor);
}

void peer_new(struct supervisor *s, int fd)
{
	struct peer *peer = xcalloc(1, sizeof(*peer));

	peer->supervisor = s;
	peer->fd = fd;
	out_init(&peer->out, s->loop, fd, peer_on_written, peer);
	lines_start(&peer->in, s->loop, fd, peer_on_line, peer_on_end, peer);
	peer->deadline = timer_start(s->loop, PEER_GREETING_MS, THEN(peer_on_deadline, peer));
	vec_push(&s->peers, peer);
}

void peer_leave(struct peer *peer)
{
	if (peer->is_gone)
		return;
	peer->is_gone = true;
	peer->awaited = NULL;
	if (peer->attached)
		job_follow(peer->attached, false);
	peer->attached = NULL;
	lines_stop(&peer->in);
	op_cancel(peer->deadline);
	supervisor_settle(peer->supervisor);
}

bool peer_is_over(const struct peer *peer)
{
	return peer->is_gone && !peer->deadline;
}

void peer_free(struct peer *peer)
{
	lines_clear(&peer->in);
	out_clear(&peer->out);
	json_pool_clear(&peer->pool);
	arena_clear(&peer->arena);
	close(peer->fd);
	free(peer);
}

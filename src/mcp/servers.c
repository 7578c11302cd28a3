#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/names.h"
#include "mcp/servers_internal.h"
#include "sys/timer.h"

enum {
	USUAL_CONNECT_MS = 30000,
	USUAL_CALL_MS = 100000000,
	USUAL_LOCAL_IDLE_MS = 30 * 60 * 1000, /* of a call without a word of progress */
	USUAL_REMOTE_IDLE_MS = 5 * 60 * 1000,
	USUAL_LOCAL_BATCH = 3,
	USUAL_REMOTE_BATCH = 20,
	BATCH_MS = 3000, /* that others wait for one that connects */
	BACKOFF_FIRST_MS = 1000,
	BACKOFF_MOST_MS = 30000,
	BACKOFF_TRIES = 5,
	BACKOFF_TOTAL_MS = 10 * 60 * 1000,
	PROBLEM_EXCERPT = 200, /* bytes of the last line of stderr */
};

const char *mcp_status_name(enum mcp_status status)
{
	static const char *const names[] = { "pending", "connected", "failed", "needs-auth",
					     "disabled" };

	return names[status];
}

/* --- waiting for a server ------------------------------------------------------------------ */

static void mcp_waiter_end(struct mcp_waiter *w, const struct err *why)
{
	struct mcp_waiter **at = &w->server->waiters;

	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	w->is_over = true;
	op_finish(&w->op, why);
}

static void mcp_waiter_cancel(struct op *op)
{
	struct mcp_waiter *w = container_of(op, struct mcp_waiter, op);

	if (!w->is_over)
		mcp_waiter_end(w, NULL);
}

static void mcp_waiter_free(struct op *op)
{
	struct mcp_waiter *w = container_of(op, struct mcp_waiter, op);

	w->server->ncalls--;
	mcp_server_look(w->server);
	free(w);
}

static const struct op_type waiter_type = {
	.name = "MCP server wait",
	.cancel = mcp_waiter_cancel,
	.free = mcp_waiter_free,
};

/* End the waiting of all, if there is nothing to wait for any more. */
static void mcp_server_wake_waiters(struct mcp_server *s)
{
	struct err err = ERR_INIT;
	bool is_fine = s->status == MCP_STATUS_CONNECTED;

	/* A connection that has just broken is still called one. */
	if (s->status == MCP_STATUS_PENDING ||
	    (is_fine && mcp_client_state(s->client) != MCP_CLIENT_READY))
		return;
	if (!is_fine)
		err_set(&err, ERR_RESET, "the MCP server \"%s\" is not connected%s%s",
			s->config.name, s->problem.len ? ": " : "", str_c(&s->problem));
	while (s->waiters)
		mcp_waiter_end(s->waiters, is_fine ? NULL : &err);
}

struct op *mcp_server_wait_start(struct mcp_server *s, struct then then)
{
	struct mcp_waiter *w = xnew(struct mcp_waiter), **last = &s->waiters;

	op_init(&w->op, &waiter_type, s->set->opts.link.loop, then);
	w->server = s;
	while (*last)
		last = &(*last)->next;
	*last = w;
	s->ncalls++;
	mcp_server_wake_waiters(s);
	return &w->op;
}

/* --- status -------------------------------------------------------------------------------- */

static void mcp_server_set_status(struct mcp_server *s, enum mcp_status status)
{
	struct mcp_servers_events *events = &s->set->opts.events;

	if (s->status == status)
		return;
	log_info("MCP server %s: %s%s%s", s->config.name, mcp_status_name(status),
		 s->problem.len ? ": " : "", str_c(&s->problem));
	s->status = status;
	if (events->changed && !s->is_removed)
		events->changed(events->arg, s);
	mcp_server_wake_waiters(s);
}

/* Say what is wrong, in the words of the server if it has any. */
static void mcp_server_note_problem(struct mcp_server *s)
{
	struct sv output = sv_trim(mcp_client_stderr(s->client)), line, last = SV_EMPTY;

	str_set(&s->problem, sv_cstr(mcp_client_why(s->client)->text));
	while (sv_cut_line(&output, &line))
		last = sv_trim(line).len ? sv_trim(line) : last;
	if (last.len && !s->was_ready)
		str_addf(&s->problem, " (it said: %.*s)",
			 SV_ARG(utf8_prefix(last, PROBLEM_EXCERPT)));
}

/* --- connecting ------------------------------------------------------------------------------ */

static bool mcp_server_is_local(const struct mcp_server *s)
{
	return s->config.transport == MCP_STDIO;
}

/* It does not connect any more, one way or the other, or it hangs: another may. */
static void mcp_server_leave_batch(struct mcp_server *s)
{
	op_cancel(s->in_batch);
	if (!s->is_starting)
		return;
	s->is_starting = false;
	--*(mcp_server_is_local(s) ? &s->set->nlocal : &s->set->nremote);
}

static void mcp_server_on_slow(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct mcp_server *s = owner;

	s->in_batch = NULL;
	if (!why)
		mcp_server_leave_batch(s);
	mcp_server_look(s);
}

static void mcp_server_connect(struct mcp_server *s)
{
	const struct mcp_servers_opts *o = &s->set->opts;

	s->is_queued = false;
	s->is_starting = true;
	s->was_ready = false;
	if (!s->in_batch)
		s->in_batch = timer_start(o->link.loop, BATCH_MS, THEN(mcp_server_on_slow, s));
	if (s->config.transport != MCP_STDIO && s->config.transport != MCP_IN_HOST &&
	    !o->link.http && o->events.needs_network)
		o->events.needs_network(o->events.arg);
	mcp_client_connect(s->client, &o->link);
}

static void mcp_servers_start_queued(struct mcp_servers *set)
{
	const struct mcp_servers_opts *o = &set->opts;
	size_t local = o->local_batch > 0 ? (size_t)o->local_batch : USUAL_LOCAL_BATCH;
	size_t remote = o->remote_batch > 0 ? (size_t)o->remote_batch : USUAL_REMOTE_BATCH;

	for (size_t i = 0; !o->is_held && i < set->all.n; i++) {
		struct mcp_server *s = set->all.at[i];
		size_t *running = mcp_server_is_local(s) ? &set->nlocal : &set->nremote;

		if (!s->is_queued || *running >= (mcp_server_is_local(s) ? local : remote) ||
		    mcp_client_state(s->client) != MCP_CLIENT_CLOSED)
			continue;
		++*running;
		mcp_server_connect(s);
	}
}

static void mcp_server_queue(struct mcp_server *s)
{
	s->is_queued = true;
	mcp_server_set_status(s, MCP_STATUS_PENDING);
	mcp_servers_start_queued(s->set);
}

static void mcp_server_on_backoff(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct mcp_server *s = owner;

	s->backoff = NULL;
	if (!why && !s->is_removed && !s->is_disabled)
		mcp_server_queue(s);
	mcp_server_look(s);
}

/* Whether it makes sense to try once more by ourselves. A program that cannot even be started will not get better. */
static bool mcp_server_may_recover(const struct mcp_server *s, int64_t now)
{
	enum err_kind kind = mcp_client_why(s->client)->kind;
	bool may_pass = kind == ERR_DNS || kind == ERR_REFUSED || kind == ERR_RESET ||
			kind == ERR_TLS || kind == ERR_PROXY || kind == ERR_TIMEOUT_CONNECT ||
			kind == ERR_BUSY;

	if (mcp_client_needs_auth(s->client) || s->config.transport == MCP_IN_HOST ||
	    s->tries >= BACKOFF_TRIES || now - s->since_ms > BACKOFF_TOTAL_MS)
		return false;
	return s->was_ready || s->tries > 0 || (!mcp_server_is_local(s) && may_pass);
}

static int64_t mcp_server_delay(int tries)
{
	int64_t ms = BACKOFF_FIRST_MS;

	while (tries-- > 0 && ms < BACKOFF_MOST_MS)
		ms *= 2;
	return min_of(ms, (int64_t)BACKOFF_MOST_MS);
}

/* The connection is over although nobody wanted that. */
static void mcp_server_recover(struct mcp_server *s)
{
	struct loop *loop = s->set->opts.link.loop;
	int64_t now = loop_now(loop);
	bool is_first = !s->was_ready && !s->tries;

	mcp_server_note_problem(s);
	if (s->was_ready) {
		s->tries = 0;
		s->since_ms = now;
	}
	if (mcp_client_needs_auth(s->client)) {
		mcp_server_set_status(s, MCP_STATUS_NEEDS_AUTH);
		return;
	}
	if (!mcp_server_may_recover(s, now)) {
		mcp_server_set_status(s, MCP_STATUS_FAILED);
		return;
	}
	s->backoff =
		timer_start(loop, mcp_server_delay(s->tries++), THEN(mcp_server_on_backoff, s));
	s->was_ready = false;
	mcp_server_set_status(s, is_first ? MCP_STATUS_FAILED : MCP_STATUS_PENDING);
}

/* --- what becomes of a client ------------------------------------------------------------------ */

static void mcp_server_free(struct mcp_server *s)
{
	mcp_client_free(s->client);
	arena_clear(&s->arena);
	str_clear(&s->problem);
	free(s);
}

/* Free a server that was removed, once nothing of it is left. */
static void mcp_server_vanish(struct mcp_server *s)
{
	struct mcp_servers *set = s->set;

	if (!s->is_removed || s->backoff || s->in_batch || s->ncalls || s->look.posted ||
	    mcp_client_state(s->client) != MCP_CLIENT_CLOSED)
		return;
	for (size_t i = 0; i < set->leaving.n; i++) {
		if (set->leaving.at[i] != s)
			continue;
		vec_remove(&set->leaving, i);
		break;
	}
	mcp_server_free(s);
	if (set->is_closing && !set->leaving.n)
		loop_post(set->opts.link.loop, &set->quiet);
}

/* The client is closed: by whose will? */
static void mcp_server_take_closed(struct mcp_server *s)
{
	bool was_used =
		s->status == MCP_STATUS_PENDING || s->status == MCP_STATUS_CONNECTED || s->tries;

	mcp_server_leave_batch(s);
	if (s->is_disabled) {
		mcp_server_set_status(s, MCP_STATUS_DISABLED);
	} else if (s->wants_anew) {
		s->wants_anew = false;
		mcp_server_queue(s);
	} else if (mcp_client_why(s->client)->kind && !s->backoff && !s->is_queued && was_used) {
		mcp_server_recover(s);
	}
}

/* Runs from the FIFO: a client must not be freed or connected from inside its own event. */
static void mcp_server_run_look(struct task *task)
{
	struct mcp_server *s = container_of(task, struct mcp_server, look);
	struct mcp_servers *set = s->set;

	if (mcp_client_state(s->client) == MCP_CLIENT_CLOSED && s->is_removed)
		mcp_server_leave_batch(s);
	else if (mcp_client_state(s->client) == MCP_CLIENT_CLOSED)
		mcp_server_take_closed(s);
	mcp_server_vanish(s);
	mcp_servers_start_queued(set);
}

void mcp_server_look(struct mcp_server *s)
{
	loop_post(s->set->opts.link.loop, &s->look);
}

static void mcp_server_on_changed(void *arg)
{
	struct mcp_server *s = arg;

	if (mcp_client_state(s->client) == MCP_CLIENT_READY) {
		mcp_server_leave_batch(s);
		s->was_ready = true;
		s->tries = 0;
		str_truncate(&s->problem, 0);
		s->since_ms = loop_now(s->set->opts.link.loop);
		mcp_server_set_status(s, MCP_STATUS_CONNECTED);
		/* After an expired session, the status has not changed. */
		mcp_server_wake_waiters(s);
	}
	mcp_server_look(s);
}

static void mcp_server_on_listed(void *arg, enum mcp_list_kind kind)
{
	struct mcp_server *s = arg;
	struct mcp_servers_events *events = &s->set->opts.events;

	if (events->listed && !s->is_removed)
		events->listed(events->arg, s, kind);
}

static struct op *mcp_server_on_ask(void *arg, struct sv method, struct json params,
				    struct str *out, struct then then)
{
	struct mcp_server *s = arg;
	struct mcp_servers_events *events = &s->set->opts.events;

	return events->ask ? events->ask(events->arg, s, method, params, out, then) : NULL;
}

static void mcp_server_on_notified(void *arg, struct sv method, struct json params)
{
	struct mcp_server *s = arg;
	struct mcp_servers_events *events = &s->set->opts.events;

	if (events->notified && !s->is_removed)
		events->notified(events->arg, s, method, params);
}

/* --- the set ------------------------------------------------------------------------------------ */

static void mcp_servers_run_quiet(struct task *task)
{
	struct mcp_servers *set = container_of(task, struct mcp_servers, quiet);

	if (set->opts.events.quiet)
		set->opts.events.quiet(set->opts.events.arg);
}

struct mcp_servers *mcp_servers_new(const struct mcp_servers_opts *opts)
{
	struct mcp_servers *set = xnew(struct mcp_servers);

	set->opts = *opts;
	set->quiet.run = mcp_servers_run_quiet;
	return set;
}

void mcp_servers_free(struct mcp_servers *set)
{
	if (!set)
		return;
	BUG_ON(set->all.n || set->leaving.n);
	vec_clear(&set->all);
	vec_clear(&set->leaving);
	free(set);
}

void mcp_servers_release(struct mcp_servers *set)
{
	set->opts.is_held = false;
	mcp_servers_start_queued(set);
}

void mcp_servers_use_network(struct mcp_servers *set, struct http *http, struct mcp_auth *auth)
{
	set->opts.link.http = http;
	set->opts.link.auth = auth;
}

bool mcp_servers_are_quiet(const struct mcp_servers *set)
{
	return !set->all.n && !set->leaving.n && !set->quiet.posted;
}

void mcp_servers_close(struct mcp_servers *set)
{
	set->is_closing = true;
	while (set->all.n)
		mcp_servers_remove(set, set->all.at[set->all.n - 1]);
}

static struct mcp_client *mcp_server_make_client(struct mcp_server *s)
{
	const struct mcp_servers_opts *o = &s->set->opts;
	struct mcp_client_opts opts = {
		.link = o->link,
		.config = &s->config,
		.host = o->host,
		.version = o->version,
		.connect_ms = o->connect_ms > 0 ? o->connect_ms : USUAL_CONNECT_MS,
		.call_ms = s->config.tool_timeout_ms > 0 ? s->config.tool_timeout_ms
			   : o->call_ms > 0              ? o->call_ms
							 : USUAL_CALL_MS,
		.idle_ms = o->idle_ms > 0           ? o->idle_ms
			   : mcp_server_is_local(s) ? USUAL_LOCAL_IDLE_MS
						    : USUAL_REMOTE_IDLE_MS,
		.is_legacy = o->is_legacy,
		.can_elicit = o->can_elicit,
		.can_sample = o->can_sample,
		.events = { .arg = s,
			    .changed = mcp_server_on_changed,
			    .listed = mcp_server_on_listed,
			    .ask = mcp_server_on_ask,
			    .notified = mcp_server_on_notified },
	};

	opts.host.name = s->config.name;
	return mcp_client_new(&opts);
}

struct mcp_server *mcp_servers_add(struct mcp_servers *set, const struct mcp_config *config,
				   bool is_disabled)
{
	struct mcp_server *s;

	if (set->is_closing || set->all.n >= LIMIT_MCP_SERVERS ||
	    mcp_servers_find(set, sv_cstr(config->name)))
		return NULL;
	s = xnew(struct mcp_server);
	s->set = set;
	s->config = mcp_config_copy(config, &s->arena);
	s->look.run = mcp_server_run_look;
	s->is_disabled = is_disabled;
	s->status = is_disabled ? MCP_STATUS_DISABLED : MCP_STATUS_PENDING;
	s->since_ms = loop_now(set->opts.link.loop);
	s->client = mcp_server_make_client(s);
	vec_push(&set->all, s);
	if (!is_disabled)
		mcp_server_queue(s);
	return s;
}

void mcp_servers_remove(struct mcp_servers *set, struct mcp_server *s)
{
	for (size_t i = 0; i < set->all.n; i++) {
		if (set->all.at[i] != s)
			continue;
		vec_remove(&set->all, i);
		break;
	}
	if (set->opts.events.removed)
		set->opts.events.removed(set->opts.events.arg, s);
	vec_push(&set->leaving, s);
	s->is_removed = true;
	s->status = MCP_STATUS_FAILED;
	mcp_server_wake_waiters(s);
	op_cancel(s->backoff);
	mcp_client_close(s->client);
	mcp_server_look(s);
}

struct mcp_server *mcp_servers_find(const struct mcp_servers *set, struct sv name)
{
	for (size_t i = 0; i < set->all.n; i++)
		if (sv_is(name, set->all.at[i]->config.name))
			return set->all.at[i];
	for (size_t i = 0; i < set->all.n; i++)
		if (mcp_name_is(name, sv_cstr(set->all.at[i]->config.name)))
			return set->all.at[i];
	return NULL;
}

size_t mcp_servers_count(const struct mcp_servers *set)
{
	return set->all.n;
}

struct mcp_server *mcp_servers_at(const struct mcp_servers *set, size_t i)
{
	return set->all.at[i];
}

const struct mcp_config *mcp_server_config(const struct mcp_server *s)
{
	return &s->config;
}

struct mcp_client *mcp_server_client(const struct mcp_server *s)
{
	return s->client;
}

enum mcp_status mcp_server_status(const struct mcp_server *s)
{
	return s->status;
}

struct sv mcp_server_problem(const struct mcp_server *s)
{
	return sv_of(&s->problem);
}

void mcp_server_set_data(struct mcp_server *s, void *data)
{
	s->data = data;
}

void *mcp_server_data(const struct mcp_server *s)
{
	return s->data;
}

void mcp_server_reconnect(struct mcp_server *s)
{
	s->tries = 0;
	s->since_ms = loop_now(s->set->opts.link.loop);
	str_truncate(&s->problem, 0);
	op_cancel(s->backoff);
	mcp_server_set_status(s, MCP_STATUS_PENDING);
	s->wants_anew = true;
	mcp_client_close(s->client);
	mcp_server_look(s);
}

void mcp_server_enable(struct mcp_server *s, bool enabled)
{
	if (s->is_disabled == !enabled)
		return;
	s->is_disabled = !enabled;
	if (enabled) {
		mcp_server_reconnect(s);
		return;
	}
	s->is_queued = s->wants_anew = false;
	str_truncate(&s->problem, 0);
	op_cancel(s->backoff);
	mcp_server_set_status(s, MCP_STATUS_DISABLED);
	mcp_client_close(s->client);
	mcp_server_look(s);
}

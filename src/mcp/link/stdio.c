/* A server that is a child process. Messages are lines on its stdin and stdout; stderr is for people.
 *
 * Its stop is polite first: end of file and SIGINT, on which most servers exit by themselves, then
 * SIGTERM and SIGKILL. A line longer than LIMIT_MCP_MESSAGE is never held: only its two ends are, in
 * which the id of the request stands that it answers. */
#include <signal.h>

#include "base/limits.h"
#include "base/mem.h"
#include "mcp/link/links.h"
#include "mcp/rpc.h"
#include "sandbox/sandbox.h"
#include "sys/child.h"
#include "sys/timer.h"
#include "text/content_length.h"
#include "tool/shell/child_env.h"

enum {
	STDIO_POLITE_MS = 500, /* from SIGINT to SIGTERM */
	STDIO_GRACE_MS = 1000, /* from SIGTERM to SIGKILL */
	STDIO_END = 4096,      /* kept of either end of a line that is too long */
};

struct stdio_link {
	struct mcp_link link; /* first */
	struct op *child;
	struct sandbox *sandbox; /* from sandbox_begin() to sandbox_end(); NULL: none */
	struct confinement confinement;
	struct op *patience; /* of a server that was asked to end */
	bool has_lengths;    /* messages are framed by `frames`, and not lines */
	struct content_length frames;
	struct str line; /* what has come of the next message */
	struct str end;  /* of a line that is too long; `line` has its beginning */
	bool is_too_long;
	bool is_stopping;
	struct err why;
};

static void stdio_link_settle(struct stdio_link *l)
{
	if (!l->child && !l->patience)
		op_finish(&l->link.op, l->why.kind ? &l->why : NULL);
}

/* --- what the server writes -------------------------------------------------------------- */

static void stdio_link_stop(struct stdio_link *l);

/* Keep the last bytes of a line. */
static void stdio_link_keep_end(struct stdio_link *l, struct sv text)
{
	str_add(&l->end, sv_skip(text, text.len > STDIO_END ? text.len - STDIO_END : 0));
	if (l->end.len > STDIO_END)
		str_consume(&l->end, l->end.len - STDIO_END);
}

static void stdio_link_add(struct stdio_link *l, struct sv text)
{
	if (!l->is_too_long && l->line.len + text.len > LIMIT_MCP_MESSAGE) {
		l->is_too_long = true;
		str_truncate(&l->end, 0);
		stdio_link_keep_end(l, sv_of(&l->line));
		str_truncate(&l->line, min_of(l->line.len, (size_t)STDIO_END));
	}
	if (l->is_too_long)
		stdio_link_keep_end(l, text);
	else
		str_add(&l->line, text);
}

/* Fail the request that a line answers which is too long. If it cannot be told which one that is,
 * somebody would wait for ever: then the server ends. */
static void stdio_link_refuse_line(struct stdio_link *l)
{
	int64_t id = rpc_guess_id(sv_of(&l->line), sv_of(&l->end));
	struct err err = ERR_INIT;
	const struct mcp_failure failure = { .what = MCP_REFUSED, .err = &err };

	err_set(&err, ERR_TOO_BIG, "the server sent a message of more than %zu MiB",
		LIMIT_MCP_MESSAGE / MIB);
	if (id) {
		l->link.events.undelivered(l->link.op.then.owner, id, &failure);
		return;
	}
	l->why = err;
	stdio_link_stop(l);
}

static void stdio_link_end_line(struct stdio_link *l)
{
	struct str line = l->line;
	struct sv text;

	if (l->is_too_long) {
		stdio_link_refuse_line(l);
		l->is_too_long = false;
		str_clear(&l->end);
		str_truncate(&l->line, 0);
		return;
	}
	l->line = (struct str)STR_INIT; /* the owner may come back here */
	text = sv_trim(sv_of(&line));
	if (text.len)
		l->link.events.message(l->link.op.then.owner, text);
	str_truncate(&line, 0);
	if (line.cap < LIMIT_JSON_POOLED && !l->line.ptr)
		l->line = line;
	else
		str_clear(&line);
}

static bool stdio_link_take_frame(void *arg, struct sv body)
{
	struct stdio_link *l = arg;

	l->link.events.message(l->link.op.then.owner, body);
	return !l->is_stopping;
}

/* A stream whose frames make no sense cannot be read any further. */
static void stdio_link_feed(struct stdio_link *l, struct sv bytes)
{
	struct err err = ERR_INIT;

	if (l->is_stopping || content_length_feed(&l->frames, bytes, LIMIT_MCP_MESSAGE,
						  stdio_link_take_frame, l, &err))
		return;
	l->why = err;
	stdio_link_stop(l);
}

static void stdio_link_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct stdio_link *l = owner;

	if (from == CHILD_ERR) {
		if (l->link.events.on_stderr && !l->is_stopping)
			l->link.events.on_stderr(l->link.op.then.owner, bytes);
		return;
	}
	if (l->has_lengths) {
		stdio_link_feed(l, bytes);
		return;
	}
	while (bytes.len && !l->is_stopping) {
		size_t n = sv_find_char(bytes, '\n');

		stdio_link_add(l, sv_slice(bytes, 0, min_of(n, bytes.len)));
		if (n == SIZE_MAX)
			return;
		bytes = sv_skip(bytes, n + 1);
		stdio_link_end_line(l);
	}
}

/* --- its end --------------------------------------------------------------------------------- */

/* The policy of a server is that of its start: settings that change apply to the next start. */
static void stdio_link_enter_sandbox(struct stdio_link *l, const struct mcp_link_env *env)
{
	l->sandbox = env->sandbox ? env->sandbox(env->sandbox_arg) : NULL;
	if (l->sandbox)
		l->confinement = sandbox_begin(l->sandbox);
}

static void stdio_link_leave_sandbox(struct stdio_link *l)
{
	defer(str_clear) struct str report = STR_INIT;

	if (!l->sandbox)
		return;
	sandbox_end(move(l->sandbox), &report);
	if (report.len)
		log_warn("%s", str_c(&report));
}

static void stdio_link_on_child(struct op *op, void *owner, const struct err *why)
{
	struct stdio_link *l = owner;
	struct child_result result = child_result(op);

	l->child = NULL;
	stdio_link_leave_sandbox(l);
	if (!l->why.kind && why)
		l->why = *why;
	else if (!l->why.kind && result.signal)
		err_set(&l->why, ERR_RESET, "the server was killed by signal %d", result.signal);
	else if (!l->why.kind && result.code)
		err_set(&l->why, ERR_RESET, "the server ended with exit code %d", result.code);
	else if (!l->why.kind)
		err_set(&l->why, ERR_RESET, "the server has ended");
	op_cancel(l->patience);
	stdio_link_settle(l);
}

static void stdio_link_on_patience(__attribute__((unused)) struct op *op, void *owner,
				   __attribute__((unused)) const struct err *why)
{
	struct stdio_link *l = owner;

	l->patience = NULL;
	op_cancel(l->child);
	stdio_link_settle(l);
}

static void stdio_link_stop(struct stdio_link *l)
{
	if (l->is_stopping || !l->child)
		return;
	l->is_stopping = true;
	child_close_stdin(l->child);
	child_signal(l->child, SIGINT);
	l->patience =
		timer_start(l->link.op.loop, STDIO_POLITE_MS, THEN(stdio_link_on_patience, l));
}

static void stdio_link_cancel(struct op *op)
{
	stdio_link_stop((struct stdio_link *)op);
}

static void stdio_link_free(struct op *op)
{
	struct stdio_link *l = (struct stdio_link *)op;

	str_clear(&l->line);
	str_clear(&l->end);
	content_length_clear(&l->frames);
	free(l);
}

static const struct op_type stdio_op = {
	.name = "MCP stdio",
	.cancel = stdio_link_cancel,
	.free = stdio_link_free,
};

/* --- what we write --------------------------------------------------------------------------- */

static void stdio_link_send(struct mcp_link *link, const struct mcp_outgoing *message)
{
	struct stdio_link *l = (struct stdio_link *)link;
	defer(str_clear) struct str line = STR_INIT;
	struct err err = ERR_INIT;

	if (!l->child || l->is_stopping)
		return;
	if (l->has_lengths)
		content_length_write(&line, message->json);
	else
		str_addf(&line, "%.*s\n", SV_ARG(message->json));
	if (child_write(l->child, sv_of(&line), &err))
		return;
	link->events.undelivered(link->op.then.owner, message->id,
				 &(struct mcp_failure){ .what = MCP_NOT_SENT, .err = &err });
}

static const struct mcp_link_type stdio_type = { .send = stdio_link_send };

/* --- its start ------------------------------------------------------------------------------- */

/* The variables of the entry replace ours. */
static void stdio_link_make_env(env_list *out, const char *const *base,
				const struct mcp_config *config)
{
	for (size_t i = 0; base && base[i]; i++) {
		struct sv name = sv_slice(sv_cstr(base[i]), 0, sv_find_char(sv_cstr(base[i]), '='));
		bool is_replaced = false;

		for (size_t k = 0; k < config->nenv; k++)
			is_replaced = is_replaced || sv_is(name, config->env[k].name);
		if (!is_replaced)
			vec_push(out, xstrdup(base[i]));
	}
	for (size_t k = 0; k < config->nenv; k++) {
		struct str text = STR_INIT;

		str_addf(&text, "%s=%s", config->env[k].name, config->env[k].value);
		vec_push(out, str_detach(&text));
	}
	vec_push(out, NULL);
}

struct op *mcp_stdio_start(const struct mcp_link_env *env, const struct mcp_config *config,
			   const struct mcp_link_events *events, struct then then)
{
	struct stdio_link *l = xnew(struct stdio_link);
	VEC(const char *) argv = VEC_INIT;
	defer(child_env_clear) env_list vars = VEC_INIT;
	struct child_opts opts = { .cwd = config->cwd ? config->cwd : env->project_dir,
				   .keep_stdin = true,
				   .grace_ms = STDIO_GRACE_MS,
				   .on_data = stdio_link_on_data };

	op_init(&l->link.op, &stdio_op, env->loop, then);
	l->link.type = &stdio_type;
	l->link.events = *events;
	l->has_lengths = env->has_lengths;
	vec_push(&argv, config->command);
	for (size_t i = 0; config->args[i]; i++)
		vec_push(&argv, config->args[i]);
	vec_push(&argv, NULL);
	stdio_link_make_env(&vars, env->env, config);
	stdio_link_enter_sandbox(l, env);
	opts.confinement = l->sandbox ? &l->confinement : NULL;
	opts.argv = argv.at;
	opts.env = vars.at;
	l->child = child_start(env->loop, &opts, THEN(stdio_link_on_child, l));
	vec_clear(&argv);
	return &l->link.op;
}

#include "tool/shell/background.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "sys/fs.h"
#include "sys/wait_list.h"
#include "tool/shell/bash_plain.h"
#include "tool/shell/shell.h"

enum { BACKGROUND_GRACE_MS = 1000 };

/* The public part comes first. */
struct running {
	struct background_command public;
	struct background *background;
	struct op *shell; /* NULL once it has ended */
	struct op *feed;  /* NULL: its output only waits to be read */
	void (*on_output)(void *arg, const struct background_command *command, struct sv text);
	void *on_output_arg;
	int64_t deadline_ms;
	struct bash_plain plain;
	struct fs_log *file;
	bool is_stopped; /* by us */
	struct waiter *waiters;
};

struct background {
	struct loop *loop;
	struct background_opts opts;
	char *dir;
	VEC(struct running *) list;
	size_t live;             /* shells and feeds that run */
	size_t last_number;      /* used in an id */
	struct waiter *awaiting; /* of background_wait_news() */
	void (*on_quiet)(void *arg);
	void *quiet_arg;
};

struct background *background_new(struct loop *loop, const struct background_opts *opts)
{
	struct background *background = xnew(struct background);

	background->loop = loop;
	background->opts = *opts;
	background->dir = xstrdup(opts->dir);
	return background;
}

void background_free(struct background *background)
{
	if (!background)
		return;
	BUG_ON(!background_is_quiet(background));
	for (size_t i = 0; i < background->list.n; i++) {
		struct running *r = background->list.at[i];

		fs_log_close(r->file);
		bash_plain_clear(&r->plain);
		free(r->public.command);
		free(r->public.description);
		free(r->public.path);
		free(r->public.call);
		free(r);
	}
	vec_clear(&background->list);
	free(background->dir);
	free(background);
}

bool background_is_quiet(const struct background *background)
{
	return background->live == 0;
}

void background_when_quiet(struct background *background, void (*on_quiet)(void *arg), void *arg)
{
	background->on_quiet = on_quiet;
	background->quiet_arg = arg;
}

static void background_one_less(struct background *background)
{
	background->live--;
	if (!background->live && background->on_quiet)
		background->on_quiet(background->quiet_arg);
}

static void background_report(struct running *r)
{
	if (r->background->opts.on_change)
		r->background->opts.on_change(r->background->opts.arg, &r->public);
}

/* --- output --------------------------------------------------------------------- */

static void background_keep(struct running *r, struct sv text)
{
	struct err err = ERR_INIT;

	if (!text.len || r->public.err.kind != ERR_NONE)
		return;
	if (r->public.bytes + text.len > LIMIT_BACKGROUND_FILE)
		err_set(&r->public.err, ERR_TOO_BIG, "it printed more than %zu MiB",
			LIMIT_BACKGROUND_FILE / MIB);
	else if (fs_log_add(r->file, text, &err))
		r->public.bytes += text.len;
	else
		r->public.err = err;
	if (r->public.err.kind != ERR_NONE)
		op_cancel(r->shell);
}

static void background_on_data(void *owner, __attribute__((unused)) enum child_stream from,
			       struct sv bytes)
{
	struct running *r = owner;
	defer(str_clear) struct str settled = STR_INIT;

	bash_plain_feed(&r->plain, bytes, &settled);
	background_keep(r, sv_of(&settled));
	if (r->feed)
		background_feed_add(r->feed, sv_of(&settled));
}

bool background_read(__attribute__((unused)) struct background *background,
		     const struct background_command *command, size_t max, struct str *out,
		     struct err *err)
{
	struct running *r =
		container_of((struct background_command *)command, struct running, public);
	size_t n = (size_t)min_of(r->public.bytes - r->public.read, (uint64_t)max);
	defer(fs_closep) struct fs_file *file = NULL;
	int64_t size;

	if (!n)
		return true;
	file = fs_open(r->public.path, &size, err);
	if (!file)
		return false;
	str_reserve(out, n + 1);
	if (!fs_read_at(file, (int64_t)r->public.read, out->ptr + out->len, n, err))
		return false;
	n = bash_plain_whole(sv_from(out->ptr + out->len, n)); /* not half a character */
	out->len += n;
	out->ptr[out->len] = '\0';
	r->public.read += n;
	return true;
}

/* --- ends ------------------------------------------------------------------------ */

static enum background_state background_state_after(const struct running *r, const struct err *why)
{
	if (r->public.err.kind != ERR_NONE)
		return BACKGROUND_FAILED;
	if (r->is_stopped)
		return BACKGROUND_STOPPED;
	return why ? BACKGROUND_FAILED : BACKGROUND_EXITED;
}

static void background_set_reason(struct running *r, const struct err *why)
{
	if (why->kind == ERR_TIMEOUT)
		err_set(&r->public.err, ERR_TIMEOUT, "it exceeded its %" PRId64 " ms",
			r->deadline_ms);
	else
		r->public.err = *why;
}

static void background_end_feed(struct running *r, struct sv last)
{
	if (!r->feed)
		return;
	background_feed_add(r->feed, last);
	background_feed_end(r->feed);
}

static void background_on_shell(struct op *op, void *owner, const struct err *why)
{
	struct running *r = owner;
	defer(str_clear) struct str last = STR_INIT;

	bash_plain_end(&r->plain, &last);
	background_keep(r, sv_of(&last));
	background_end_feed(r, sv_of(&last));
	r->shell = NULL;
	r->public.code = shell_result(op).code;
	r->public.state = background_state_after(r, why);
	if (why && r->public.err.kind == ERR_NONE && !r->is_stopped)
		background_set_reason(r, why);
	fs_log_closep(&r->file);
	wait_list_wake(&r->waiters);
	background_report(r);
	if (r->background->opts.on_end && !r->is_stopped)
		r->background->opts.on_end(r->background->opts.arg, &r->public);
	if (!r->is_stopped)
		background_announce(r->background);
	background_one_less(r->background);
}

/* --- starting and stopping --------------------------------------------------------- */

static size_t background_count_running(const struct background *background)
{
	size_t n = 0;

	for (size_t i = 0; i < background->list.n; i++)
		n += background->list.at[i]->public.state == BACKGROUND_RUNNING;
	return n;
}

static bool background_open_output(struct running *r, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	if (!fs_mkdirs(r->background->dir, 0700, err))
		return false;
	do { /* a resumed session has files of earlier commands */
		snprintf(r->public.id, sizeof(r->public.id), "%s_%zu",
			 r->on_output ? "monitor" : "bash", ++r->background->last_number);
		str_truncate(&path, 0);
		str_addf(&path, "%s/%s.txt", r->background->dir, r->public.id);
	} while (fs_exists(path.ptr));
	r->file = fs_log_open(path.ptr, 0600, err);
	r->public.path = str_detach(&path);
	return r->file != NULL;
}

/* Makes a command without a shell. */
static struct running *background_new_command(struct background *background,
					      const struct background_start *start, struct err *err)
{
	struct running *r;

	if (background_count_running(background) >= LIMIT_BACKGROUND) {
		err_set(err, ERR_FULL, "%d commands already run in the background; stop one first",
			LIMIT_BACKGROUND);
		return NULL;
	}
	r = xnew(struct running);
	r->background = background;
	r->plain = (struct bash_plain)BASH_PLAIN_INIT;
	r->on_output = start->on_output;
	r->on_output_arg = start->arg;
	r->deadline_ms = start->deadline_ms;
	if (!background_open_output(r, err)) {
		free(r->public.path);
		free(r);
		return NULL;
	}
	r->public.command = sv_dup(start->command);
	r->public.description = start->description.len ? sv_dup(start->description) : NULL;
	r->public.call = sv_dup(start->call);
	r->public.is_monitor = start->on_output != NULL;
	vec_push(&background->list, r);
	background->live++;
	return r;
}

static void background_on_news(void *arg, struct sv text)
{
	struct running *r = arg;

	r->on_output(r->on_output_arg, &r->public, text);
	background_announce(r->background);
}

static void background_on_feed(__attribute__((unused)) struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct running *r = owner;

	r->feed = NULL;
	background_one_less(r->background);
}

static void background_watch(struct running *r)
{
	r->feed = background_feed_start(r->background->loop, background_on_news, r,
					THEN(background_on_feed, r));
	r->background->live++;
}

const struct background_command *background_start(struct background *background,
						  const struct background_start *start,
						  struct err *err)
{
	struct running *r = background_new_command(background, start, err);
	struct shell_opts opts = { .command = start->command,
				   .ctx = start->ctx,
				   .cwd = str_c(&start->ctx->cwd),
				   .analysis = start->analysis,
				   .unsandboxed = start->unsandboxed,
				   .must_be_sandboxed = start->must_be_sandboxed,
				   .deadline_ms = start->deadline_ms,
				   .grace_ms = BACKGROUND_GRACE_MS,
				   .on_data = background_on_data };

	if (!r)
		return NULL;
	if (r->on_output)
		background_watch(r);
	r->shell = shell_start(background->loop, &opts, THEN(background_on_shell, r));
	background_report(r);
	return &r->public;
}

const struct background_command *background_adopt(struct background *background, struct op *shell,
						  struct sv command, struct sv call,
						  struct sv so_far, struct err *err)
{
	struct running *r = background_new_command(
		background, &(struct background_start){ .command = command, .call = call }, err);

	if (!r)
		return NULL;
	r->shell = shell;
	shell_hand_over(shell, background_on_data, THEN(background_on_shell, r));
	background_keep(r, so_far);
	if (so_far.len && !sv_ends(so_far, SV("\n")))
		background_keep(r, SV("\n"));
	r->public.read = r->public.bytes;
	background_report(r);
	return &r->public;
}

void background_stop(__attribute__((unused)) struct background *background,
		     const struct background_command *command)
{
	struct running *r =
		container_of((struct background_command *)command, struct running, public);

	if (!r->shell)
		return;
	r->is_stopped = true;
	op_cancel(r->feed);
	op_cancel(r->shell);
}

void background_stop_all(struct background *background)
{
	for (size_t i = 0; i < background->list.n; i++)
		background_stop(background, &background->list.at[i]->public);
}

const struct background_command *background_find(const struct background *background, struct sv id)
{
	for (size_t i = 0; i < background->list.n; i++) {
		if (sv_is(id, background->list.at[i]->public.id))
			return &background->list.at[i]->public;
	}
	return NULL;
}

size_t background_count(const struct background *background)
{
	return background->list.n;
}

const struct background_command *background_at(const struct background *background, size_t i)
{
	return &background->list.at[i]->public;
}

/* --- waiting ------------------------------------------------------------------------ */

struct op *background_wait(struct background *background, const struct background_command *command,
			   int64_t ms, struct then then)
{
	struct running *r =
		container_of((struct background_command *)command, struct running, public);

	if (!r->shell || ms <= 0)
		return op_settled(background->loop, then);
	return wait_list_add(&r->waiters, background->loop, ms, then);
}

void background_announce(struct background *background)
{
	wait_list_wake(&background->awaiting);
}

struct op *background_wait_news(struct background *background, int64_t ms, struct then then)
{
	return wait_list_add(&background->awaiting, background->loop, ms, then);
}

/* What is saved when:
 *
 *   a call that writes named files     those files, before it
 *   a command, a tool of a server      a scan of the working directories, before it
 *   the end of a turn                  the same again, so that what others change later is noticed
 *
 * Calls that only read never get here. The call waits until everything it might destroy is saved.
 * After NOTICE_MS the user reads why nothing happens; after DEADLINE_MS the scan is cut short, and
 * what it has not reached is not covered. If nothing can be saved (the disk is full), the call runs
 * all the same and the user is warned: losing undo is no reason to lose the work. */
#include "core/session/session_undo.h"

#include "base/utf8.h"
#include "core/agent/call.h"
#include "core/session/session_emit.h"
#include "sys/fs.h"
#include "sys/timer.h"

enum { NOTICE_MS = 1000, DEADLINE_MS = 30000 };

struct session_undo {
	struct undo *history;   /* of this conversation; NULL: none yet */
	VEC(struct undo *) old; /* of others, freed when the queue is empty */
	struct undo_job *first; /* runs */
	struct str marks;       /* of prompts; the next job takes them */
	VEC(struct sv) touched; /* files that calls of this turn were to change; owned */
	bool scans;             /* a call of this turn was preceded by a scan */
	bool has_warned;        /* in this turn, that nothing can be saved */
	bool has_warned_home;   /* that the home directory is not scanned */
	bool has_recalled;      /* the prompts of the earlier process */
};

/* --- jobs --------------------------------------------------------------------------------- */

struct undo_job {
	struct op op;
	struct session *session;
	struct undo_job *next;
	struct op *work;
	struct undo *history;
	char *recalled; /* the transcript of a resumed session, for the first job; else NULL */
	struct str marks;
	work_fn *run;
	void *arg;
};

static void undo_job_cancel(struct op *op);
static void undo_job_free(struct op *op)
{
	struct undo_job *job = container_of(op, struct undo_job, op);

	str_clear(&job->marks);
	free(job->recalled);
	free(job);
}

/* On a worker. */
static bool undo_job_run(void *arg, struct err *err)
{
	struct undo_job *job = arg;

	if (job->recalled)
		undo_recall(job->history, job->recalled, sv_of(&job->marks));
	undo_add_marks(job->history, sv_of(&job->marks));
	return job->run(job->arg, err);
}

static const struct op_type undo_job_type = { .name = "undo history",
					      .cancel = undo_job_cancel,
					      .free = undo_job_free };

static void session_undo_run(struct session *s);

static void session_undo_on_work(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct undo_job *job = owner;
	struct session *s = job->session;

	job->work = NULL;
	s->undo->first = job->next;
	session_undo_run(s);
	op_finish(&job->op, why);
}

static void session_undo_run(struct session *s)
{
	struct undo_job *job = s->undo->first;

	if (job) {
		job->work = work_start(s->engine->loop, undo_job_run, job,
				       THEN(session_undo_on_work, job));
		return;
	}
	for (size_t i = 0; i < s->undo->old.n; i++)
		undo_free(s->undo->old.at[i]);
	vec_clear(&s->undo->old);
}

static void undo_job_cancel(struct op *op)
{
	struct undo_job *job = container_of(op, struct undo_job, op);
	struct undo_job **at = &job->session->undo->first;

	if (job->work) {
		undo_hurry(job->history);
		return;
	}
	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	str_splice(&job->session->undo->marks, 0, 0, sv_of(&job->marks));
	job->session->undo->has_recalled &= !job->recalled;
	op_finish(op, NULL);
}

struct op *session_undo_queue(struct session *s, work_fn *run, void *arg, struct then then)
{
	struct undo_job *job = xnew(struct undo_job);
	struct undo_job **end = &s->undo->first;
	bool is_free = !*end;

	op_init(&job->op, &undo_job_type, s->engine->loop, then);
	job->session = s;
	job->history = s->undo->history;
	job->marks = s->undo->marks;
	if (s->kind.is_resumed && !s->undo->has_recalled)
		job->recalled = xstrdup(s->conversation.path);
	s->undo->has_recalled = true;
	s->undo->marks = (struct str)STR_INIT;
	job->run = run;
	job->arg = arg;
	while (*end)
		end = &(*end)->next;
	*end = job;
	if (is_free)
		session_undo_run(s);
	return &job->op;
}

/* --- the history -------------------------------------------------------------------------- */

static int64_t session_undo_limit(const struct session *s, const char *key)
{
	return settings_int(s->settings, key) * 1000000;
}

static struct undo *session_undo_open(struct session *s)
{
	defer(str_clear) struct str dir = STR_INIT;
	const struct undo_limits limits = {
		.file_bytes = session_undo_limit(s, "undoMaxFileMegabytes"),
		.session_bytes = session_undo_limit(s, "undoMaxSessionMegabytes"),
		.ignored_files = (size_t)settings_int(s->settings, "undoMaxIgnoredFiles"),
	};

	undo_dir(&dir, sv_cstr(s->engine->config_dir), sv_cstr(s->shared.root));
	return undo_new(dir.ptr, s->conversation.id.text, s->engine->config_dir, &limits);
}

/* Why there is none; NULL: there is one. */
static const char *session_undo_obstacle(const struct session *s)
{
	if (!s->undo || !settings_bool(s->settings, "fileCheckpointingEnabled"))
		return "File checkpointing is off (setting fileCheckpointingEnabled).";
	if (child_env_get(s->shared.env, "CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING"))
		return "File checkpointing is off (CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING).";
	if (!s->conversation.path || !s->engine->config_dir)
		return "This session is not saved, so its changes cannot be undone.";
	return NULL;
}

struct undo *session_undo_history(struct session *s, struct err *err)
{
	const char *obstacle = session_undo_obstacle(s);

	if (obstacle) {
		err_set(err, ERR_UNSUPPORTED, "%s", obstacle);
		return NULL;
	}
	if (!s->undo->history)
		s->undo->history = session_undo_open(s);
	return s->undo->history;
}

static void session_undo_forget_turn(struct session_undo *u)
{
	for (size_t i = 0; i < u->touched.n; i++)
		sv_disown(&u->touched.at[i]);
	vec_clear(&u->touched);
	u->scans = false;
	u->has_warned = false;
}

void session_undo_reset(struct session *s)
{
	struct session_undo *u = s->undo;

	if (!u)
		return;
	session_undo_forget_turn(u);
	str_truncate(&u->marks, 0);
	if (u->history)
		vec_push(&u->old, move(u->history));
	if (!u->first)
		session_undo_run(s);
}

bool session_undo_is_quiet(const struct session *s)
{
	return !s->undo || !s->undo->first;
}

void session_undo_free(struct session_undo *u)
{
	if (!u)
		return;
	BUG_ON(u->first);
	session_undo_forget_turn(u);
	for (size_t i = 0; i < u->old.n; i++)
		undo_free(u->old.at[i]);
	vec_clear(&u->old);
	str_clear(&u->marks);
	undo_free(u->history);
	free(u);
}

/* Whether a directory is too wide to be scanned: home, or all of the machine. */
static bool session_undo_is_wide(const struct session *s, struct sv dir)
{
	struct sv home = sv_cstr(child_env_get(s->shared.env, "HOME"));

	return dir.len <= 1 || sv_eq(dir, home) ||
	       (sv_starts(home, dir) && home.ptr[dir.len] == '/');
}

void session_undo_scope(struct session *s, struct undo_scope *out, struct arena *arena)
{
	struct sv *roots = arena_calloc(arena, s->policy.dirs.n + 1, sizeof(*roots));

	*out = (struct undo_scope){ .roots = roots, .wall_ms = loop_wall(s->engine->loop) };
	for (size_t i = 0; i < s->policy.dirs.n; i++)
		if (!session_undo_is_wide(s, s->policy.dirs.at[i]))
			roots[out->nroots++] = arena_dup(arena, s->policy.dirs.at[i]);
	if (out->nroots == s->policy.dirs.n || s->undo->has_warned_home)
		return;
	s->undo->has_warned_home = true;
	session_inform(s, NOTICE_WARNING,
		       SV("What commands change in your home directory cannot be undone: it is too "
			  "big to be saved before each command. Start awl in a project."));
}

/* --- saving ------------------------------------------------------------------------------- */

struct undo_saving {
	struct op op; /* that a call waits for; `op.type` is NULL at the end of a turn */
	struct session *session;
	struct undo *history;
	struct arena arena;
	struct undo_scope scope;
	struct undo_toll toll;
	struct op *job, *timer;
	struct err err;
	bool is_late;
};

static void undo_saving_clear(struct undo_saving *saving)
{
	arena_clear(&saving->arena);
	free(saving);
}

static void undo_saving_free(struct op *op)
{
	undo_saving_clear(container_of(op, struct undo_saving, op));
}

static void undo_saving_cancel(struct op *op)
{
	struct undo_saving *saving = container_of(op, struct undo_saving, op);

	op_cancel(saving->job);
	op_cancel(saving->timer);
}

static const struct op_type undo_saving_type = { .name = "saving files",
						 .cancel = undo_saving_cancel,
						 .free = undo_saving_free };

static bool undo_saving_run(void *arg, struct err *err)
{
	struct undo_saving *saving = arg;
	bool ok = undo_save(saving->history, &saving->scope, err);

	saving->toll = undo_toll(saving->history);
	return ok;
}

static void undo_saving_warn(struct session *s, const char *fmt, ...) printf_like(2, 3);
static void undo_saving_warn(struct session *s, const char *fmt, ...)
{
	defer(str_clear) struct str text = STR_INIT;
	va_list args;

	if (s->undo->has_warned)
		return;
	s->undo->has_warned = true;
	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	session_inform(s, NOTICE_WARNING, sv_of(&text));
}

static void undo_saving_settle(struct undo_saving *saving)
{
	struct session *s = saving->session;

	if (saving->job || saving->timer)
		return;
	if (!saving->op.cancelled && saving->err.kind != ERR_NONE)
		undo_saving_warn(s, "What this turn changes cannot be undone: %s",
				 saving->err.text);
	else if (!saving->op.cancelled && saving->toll.is_incomplete)
		undo_saving_warn(s, "Not all files could be saved in time: what commands change in "
				    "the rest cannot be undone.");
	op_finish(&saving->op, NULL);
}

static void undo_saving_on_timer(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct undo_saving *saving = owner;
	struct session *s = saving->session;

	saving->timer = NULL;
	if (why || !saving->job) {
		undo_saving_settle(saving);
	} else if (saving->is_late) {
		undo_hurry(saving->history);
	} else {
		saving->is_late = true;
		session_inform(s, NOTICE_INFO,
			       SV("Saving the files of the project, so that what the command "
				  "changes can be undone."));
		saving->timer = timer_start(s->engine->loop, DEADLINE_MS - NOTICE_MS,
					    THEN(undo_saving_on_timer, saving));
	}
}

static void undo_saving_on_job(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct undo_saving *saving = owner;

	saving->job = NULL;
	if (why)
		saving->err = *why;
	op_cancel(saving->timer);
	undo_saving_settle(saving);
}

static struct undo_saving *undo_saving_new(struct session *s, struct undo *history)
{
	struct undo_saving *saving = xnew(struct undo_saving);

	saving->session = s;
	saving->history = history;
	saving->arena = (struct arena)ARENA_INIT;
	return saving;
}

/* The files that the call names. */
static void undo_saving_take_paths(struct undo_saving *saving, const struct perm_request *request)
{
	struct sv *paths = arena_calloc(&saving->arena, request->n_more + 1, sizeof(*paths));

	for (size_t i = 0; i <= request->n_more; i++) {
		struct sv path = i ? request->more_paths[i - 1] : request->path;

		paths[i] = arena_dup(&saving->arena, path);
		vec_push(&saving->session->undo->touched, sv_own(path));
	}
	saving->scope = (struct undo_scope){ .paths = paths,
					     .npaths = request->n_more + 1,
					     .wall_ms = loop_wall(saving->session->engine->loop) };
}

/* Begin a point in the history, named by the first line of `text`. */
static void session_undo_add_mark(struct session *s, enum undo_point_kind kind, struct sv uuid,
				  struct sv text)
{
	enum { TITLE_MAX = 200 };
	struct sv rest = sv_trim(text), line = SV_EMPTY;

	(void)sv_cut_line(&rest, &line);
	undo_mark(&s->undo->marks, kind, uuid, utf8_prefix(line, TITLE_MAX),
		  loop_wall(s->engine->loop));
}

/* Saves what the scope names, and says when that takes long. NULL: there is nothing to save. */
static struct op *undo_saving_start(struct undo_saving *saving, struct then then)
{
	struct session *s = saving->session;

	if (!saving->scope.nroots && !saving->scope.npaths) {
		undo_saving_clear(saving);
		return NULL;
	}
	op_init(&saving->op, &undo_saving_type, s->engine->loop, then);
	saving->job =
		session_undo_queue(s, undo_saving_run, saving, THEN(undo_saving_on_job, saving));
	saving->timer = timer_start(s->engine->loop, NOTICE_MS, THEN(undo_saving_on_timer, saving));
	return &saving->op;
}

static void undo_saving_take_roots(struct undo_saving *saving)
{
	struct session *s = saving->session;

	session_undo_scope(s, &saving->scope, &saving->arena);
	s->undo->scans |= saving->scope.nroots > 0;
}

static struct op *session_undo_before_change(void *arg, const struct call *call, struct then then)
{
	struct session *s = arg;
	struct err err = ERR_INIT;
	struct undo *history = session_undo_history(s, &err);
	struct undo_saving *saving;

	if (!history)
		return NULL;
	saving = undo_saving_new(s, history);
	if (call->perm_request.access == ACCESS_WRITE && call->perm_request.path.len)
		undo_saving_take_paths(saving, &call->perm_request);
	else
		undo_saving_take_roots(saving);
	return undo_saving_start(saving, then);
}

struct op *session_undo_before_command(struct session *s, struct sv command, struct then then)
{
	defer(str_clear) struct str title = STR_INIT;
	struct err err = ERR_INIT;
	struct undo *history = session_undo_history(s, &err);
	struct undo_saving *saving;

	if (!history)
		return NULL;
	str_addf(&title, "! %.*s", SV_ARG(command));
	if (s->state == SESSION_IDLE)
		session_undo_add_mark(s, UNDO_COMMAND,
				      sv_cstr(uuid_v4(loop_rng(s->engine->loop)).text),
				      sv_of(&title));
	saving = undo_saving_new(s, history);
	undo_saving_take_roots(saving);
	return undo_saving_start(saving, then);
}

void session_undo_attach(struct session *s)
{
	s->undo = xnew(struct session_undo);
	s->hooks.before_change = session_undo_before_change;
}

/* --- prompts and turns -------------------------------------------------------------------- */

/* Append the first text of a prompt. */
static void session_undo_title(struct str *out, const struct session_waiting *prompt)
{
	defer(str_clear) struct str list = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored = ERR_INIT;
	struct json_iter it;
	struct json block;

	str_addf(&list, "[%s]", str_c(&prompt->blocks));
	doc = json_parse(sv_of(&list), 0, &ignored);
	it = json_each(json_root(doc));
	while (!out->len && json_next(&it, NULL, &block))
		str_add(out, json_str_or(json_get(block, "text"), SV_EMPTY));
}

void session_undo_mark(struct session *s, const struct session_waiting *prompt)
{
	defer(str_clear) struct str title = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!prompt->uuid.len || !session_undo_history(s, &ignored))
		return;
	if (prompt->typed.len)
		str_add(&title, sv_of(&prompt->typed));
	else
		session_undo_title(&title, prompt);
	session_undo_add_mark(s, UNDO_PROMPT, sv_of(&prompt->uuid), sv_of(&title));
}

static void session_undo_on_after(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct undo_saving *saving = owner;
	struct session *s = saving->session;

	if (why)
		log_debug("the end of the turn is not in the undo history: %s", why->text);
	undo_saving_clear(saving);
	session_settle(s);
}

void session_undo_end_turn(struct session *s)
{
	struct session_undo *u = s->undo;
	struct undo_saving *saving;
	struct sv *paths;

	if (!u || !u->history || (!u->scans && !u->touched.n))
		return;
	saving = undo_saving_new(s, u->history);
	paths = arena_calloc(&saving->arena, u->touched.n + 1, sizeof(*paths));
	session_undo_scope(s, &saving->scope, &saving->arena);
	if (!u->scans)
		saving->scope.nroots = 0;
	for (size_t i = 0; i < u->touched.n; i++)
		paths[i] = arena_dup(&saving->arena, u->touched.at[i]);
	saving->scope.paths = paths;
	saving->scope.npaths = u->touched.n;
	saving->scope.is_after = true;
	session_undo_forget_turn(u);
	(void)session_undo_queue(s, undo_saving_run, saving, THEN(session_undo_on_after, saving));
}

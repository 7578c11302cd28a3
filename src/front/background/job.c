#include "front/background/job.h"

#include "base/limits.h"
#include "base/uuid.h"
#include "front/display.h"
#include "proto/control.h"
#include "proto/input.h"
#include "proto/message.h"
#include "sys/child.h"
#include "sys/timer.h"

#define JOB_BEGIN "background-begin" /* the id of the first request */

enum { JOB_TITLE_CELLS = 200, JOB_GRACE_MS = 5000, JOB_FIRST_MS = 10000 };

/* --- what it is ------------------------------------------------------------------------- */

struct job *job_new(struct loop *loop, const struct job_info *info,
		    const struct job_callbacks *callbacks, void *arg)
{
	struct job *job = xcalloc(1, sizeof(*job));

	job->loop = loop;
	job->callbacks = callbacks;
	job->arg = arg;
	str_set(&job->id, info->id);
	str_set(&job->session, info->session);
	str_set(&job->name, info->name);
	str_set(&job->model, info->model);
	str_set(&job->mode, info->mode);
	str_set(&job->cwd, info->cwd);
	str_set(&job->prompt, info->prompt);
	str_set(&job->text, info->text);
	str_set(&job->error, info->error);
	for (size_t i = 0; i < info->nflags; i++)
		str_set(vec_add(&job->flags), info->flags[i]);
	job->state = info->state;
	job->started_ms = info->started_ms;
	job->updated_ms = info->updated_ms;
	job->cost_usd = info->cost_usd;
	return job;
}

static void job_forget_question(struct job *job, size_t i)
{
	struct job_question *question = &job->questions.at[i];

	str_clear(&question->id);
	str_clear(&question->line);
	str_clear(&question->what);
	vec_remove(&job->questions, i);
}

static void job_forget_questions(struct job *job)
{
	while (job->questions.n)
		job_forget_question(job, job->questions.n - 1);
}

void job_free(struct job *job)
{
	if (job->child || job->patience || job->nfollowers)
		BUG("a background session is freed while somebody needs it");
	job_forget_questions(job);
	vec_clear(&job->questions);
	str_list_clear(&job->flags);
	vec_clear(&job->flag_views);
	str_clear(&job->id);
	str_clear(&job->session);
	str_clear(&job->name);
	str_clear(&job->model);
	str_clear(&job->mode);
	str_clear(&job->cwd);
	str_clear(&job->prompt);
	str_clear(&job->text);
	str_clear(&job->error);
	str_clear(&job->rest);
	str_clear(&job->complaint);
	event_reader_clear(&job->reader);
	free(job);
}

bool job_is_live(const struct job *job)
{
	return job->child != NULL;
}

struct job_info job_info(struct job *job)
{
	const struct job_question *question = job->questions.n ? job->questions.at : NULL;

	job->flag_views.n = 0;
	for (size_t i = 0; i < job->flags.n; i++)
		vec_push(&job->flag_views, sv_of(&job->flags.at[i]));
	return (struct job_info){
		.id = sv_of(&job->id),
		.session = sv_of(&job->session),
		.name = sv_of(&job->name),
		.model = sv_of(&job->model),
		.mode = sv_of(&job->mode),
		.cwd = sv_of(&job->cwd),
		.prompt = sv_of(&job->prompt),
		.text = sv_of(&job->text),
		.waiting = question ? sv_of(&question->what) : SV_EMPTY,
		.question = question && question->line.len <= LIMIT_JOB_QUESTION
				    ? sv_of(&question->line)
				    : SV_EMPTY,
		.error = sv_of(&job->error),
		.state = job->state,
		.started_ms = job->started_ms,
		.updated_ms = job->updated_ms,
		.pid = job->child ? child_pid(job->child) : 0,
		.cost_usd = job->cost_usd,
		.flags = job->flag_views.at,
		.nflags = job->flag_views.n,
	};
}

/* --- its state ------------------------------------------------------------------------------ */

static void job_update_patience(struct job *job);

/* The timer may have been cancelled because the session began to work; meanwhile it may be idle again. */
static void job_on_patience(__attribute__((unused)) struct op *op, void *owner,
			    const struct err *why)
{
	struct job *job = owner;

	job->patience = NULL;
	if (!job->child)
		job->callbacks->ended(job->arg, job); /* nothing of it is in flight any more */
	else if (why)
		job_update_patience(job);
	else
		child_close_stdin(job->child);
}

/* Whoever has just had the process started wants to attach or to send a prompt. */
static int64_t job_patience(const struct job *job)
{
	return job->has_worked ? job->idle_ms : max_of(job->idle_ms, (int64_t)JOB_FIRST_MS);
}

/* Waiting has an end only while nobody is attached and nothing runs. */
static void job_update_patience(struct job *job)
{
	bool waits = job->child && !job->nfollowers && !job->ntasks &&
		     (job->state == JOB_IDLE || (job->state == JOB_FAILED && !job->is_stopping));

	if (waits && !job->patience)
		job->patience =
			timer_start(job->loop, job_patience(job), THEN(job_on_patience, job));
	else if (!waits)
		op_cancel(job->patience);
}

static void job_changed(struct job *job)
{
	job->updated_ms = loop_wall(job->loop);
	job->callbacks->changed(job->arg, job);
}

static void job_enter(struct job *job, enum job_state next)
{
	log_debug("background session %s: %s", str_c(&job->id), job_state_name(next));
	job->state = next;
	job->has_worked |= next == JOB_WORKING;
	if (next != JOB_FAILED)
		str_truncate(&job->error, 0);
	job_update_patience(job);
	job_changed(job);
}

/* What the session does, now that something has happened. */
static void job_settle(struct job *job, enum session_activity activity)
{
	if (job->questions.n)
		job_enter(job, JOB_BLOCKED);
	else if (activity != ACTIVITY_IDLE || job->ntasks)
		job_enter(job, JOB_WORKING);
	else
		job_enter(job, job->has_failed ? JOB_FAILED : JOB_IDLE);
}

void job_follow(struct job *job, bool begins)
{
	job->nfollowers += begins ? 1 : (size_t)-1;
	job_update_patience(job);
}

/* --- what it says ---------------------------------------------------------------------------- */

static void job_keep_text(struct str *out, struct sv text)
{
	text = sv_trim(text);
	if (text.len > LIMIT_JOB_TEXT)
		text = sv_skip(text, text.len - LIMIT_JOB_TEXT);
	str_set(out, text);
}

static void job_on_init(struct job *job, const struct event_init *init)
{
	str_set(&job->session, job->reader.session_id);
	str_set(&job->model, init->model);
	str_set(&job->mode, init->permission_mode);
	job_changed(job);
}

static void job_on_message(struct job *job, const struct event *event)
{
	defer(str_clear) struct str text = STR_INIT;

	if (event->parent_tool_use_id.len)
		return;
	content_text(&text, message_content(event->message.value));
	if (!sv_trim(sv_of(&text)).len)
		return;
	job_keep_text(&job->text, sv_of(&text));
	job_changed(job);
}

static void job_on_result(struct job *job, const struct event_result *result)
{
	job->has_failed = result->is_error;
	if (result->cost_usd > 0)
		job->cost_usd = result->cost_usd;
	if (result->is_error) {
		job_keep_text(&job->error, result->error.len ? result->error : result->text);
	} else if (sv_trim(result->text).len) {
		job_keep_text(&job->text, result->text);
	}
	job_forget_questions(job);
	job_changed(job);
}

static void job_describe(struct job *job, struct str *out, const struct host_request *request)
{
	defer(str_clear) struct str line = STR_INIT;

	if (request->kind == HOST_ELICITATION)
		display_name(&line, request->elicitation.message);
	else
		display_call(&line, request->permission.tool, request->permission.input_value,
			     sv_of(&job->cwd));
	display_line(out, sv_of(&line), JOB_TITLE_CELLS);
}

/* Nobody but a user can answer here. */
static void job_refuse(struct job *job, const struct host_request *request)
{
	defer(str_clear) struct str json = STR_INIT;
	struct err ignored;

	host_request_write_error(&json, request->id,
				 SV("A background session has no host for this."));
	str_addc(&json, '\n');
	if (!child_write(job->child, sv_of(&json), &ignored))
		log_debug("%s", ignored.text);
}

static void job_on_request(struct job *job, const struct host_request *request, struct sv line)
{
	struct job_question *question;

	if (!host_request_needs_user(request)) {
		job_refuse(job, request);
		return;
	}
	question = vec_add(&job->questions);
	str_set(&question->id, request->id);
	str_set(&question->line, line);
	job_describe(job, &question->what, request);
	job_enter(job, JOB_BLOCKED);
}

static bool job_drop_question(struct job *job, struct sv id)
{
	for (size_t i = 0; i < job->questions.n; i++)
		if (sv_eq(sv_of(&job->questions.at[i].id), id)) {
			job_forget_question(job, i);
			return true;
		}
	return false;
}

static void job_on_event(struct job *job, const struct event *event, struct sv line)
{
	if (event->kind == EVENT_INIT)
		job_on_init(job, &event->init);
	else if (event->kind == EVENT_STATUS && event->status.permission_mode.len)
		str_set(&job->mode, event->status.permission_mode);
	else if (event->kind == EVENT_ASSISTANT)
		job_on_message(job, event);
	else if (event->kind == EVENT_RESULT)
		job_on_result(job, &event->result);
	else if (event->kind == EVENT_HOST_REQUEST)
		job_on_request(job, &event->request, line);
	else if (event->kind == EVENT_HOST_CANCEL &&
		 job_drop_question(job, event->cancel.request_id))
		job_settle(job, ACTIVITY_RUNNING);
	else if (event->kind == EVENT_STATE)
		job_settle(job, event->state.state);
	else if (event->kind == EVENT_TASKS)
		job->ntasks = event->tasks.n;
	else if (event->kind == EVENT_REPLY && sv_is(event->reply.request_id, JOB_BEGIN))
		job->has_begun = job->has_ever_begun = true;
}

static void job_on_line(struct job *job, struct sv line)
{
	struct event event;
	struct err err = ERR_INIT;

	if (!event_read(&job->reader, line, &event, &err))
		log_debug("background session %s: %s", str_c(&job->id), err.text);
	else
		job_on_event(job, &event, line);
	job->callbacks->line(job->arg, job, line);
}

static void job_take_lines(struct job *job, struct sv bytes)
{
	size_t seen = job->rest.len, from = 0, length;
	struct sv all;

	str_add(&job->rest, bytes);
	all = sv_of(&job->rest);
	while ((length = sv_find_char(sv_skip(all, from + seen), '\n')) != SIZE_MAX) {
		length += seen;
		job_on_line(job, sv_slice(all, from, from + length));
		from += length + 1;
		seen = 0;
	}
	str_consume(&job->rest, from);
	if (job->rest.len > LIMIT_INPUT_LINE) {
		str_set(&job->complaint, SV("it wrote a line that is too long"));
		op_cancel(job->child);
	}
}

static void job_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct job *job = owner;

	if (from == CHILD_OUT) {
		job_take_lines(job, bytes);
		return;
	}
	str_add(&job->complaint, bytes);
	if (job->complaint.len > LIMIT_JOB_TEXT)
		str_consume(&job->complaint, job->complaint.len - LIMIT_JOB_TEXT);
}

/* --- its process --------------------------------------------------------------------------------- */

/* The last of our messages on standard error, or the last line. */
static struct sv job_last_complaint(const struct job *job)
{
	struct sv rest = sv_trim(sv_of(&job->complaint)), line, last = SV_EMPTY;
	bool is_ours = false;

	while (sv_cut_line(&rest, &line)) {
		if (is_ours && !sv_starts(line, SV("awl: ")))
			continue;
		is_ours = sv_starts(line, SV("awl: "));
		last = is_ours ? sv_skip(line, 5) : line;
	}
	return last;
}

/* The result of a session that could not begin has said it already. */
static void job_explain(struct job *job, const struct child_result *result, const struct err *why)
{
	struct sv last = job_last_complaint(job);

	if (job->has_failed && job->error.len && !result->signal)
		return;
	str_truncate(&job->error, 0);
	if (result->signal)
		str_addf(&job->error, "its process was ended by signal %d", result->signal);
	else if (last.len)
		display_name(&job->error, last);
	else if (why && why->kind != ERR_CANCELLED)
		str_adds(&job->error, why->text);
	else
		str_addf(&job->error, "its process exited with status %d", result->code);
}

static void job_on_ended(struct op *op, void *owner, const struct err *why)
{
	struct job *job = owner;
	struct child_result result = child_result(op);
	bool was_open = job->questions.n > 0;

	job->child = NULL;
	job->ntasks = 0;
	op_cancel(job->patience);
	job_forget_questions(job);
	if (job->is_stopping) {
		job_enter(job, JOB_STOPPED);
	} else if (why || result.code || was_open) {
		job_explain(job, &result, why);
		job_enter(job, JOB_FAILED);
	} else if (!job->has_failed) {
		job_enter(job, JOB_DONE);
	} else {
		job_changed(job);
	}
	str_clear(&job->rest);
	job->callbacks->ended(job->arg, job);
}

/* The command line: a host that answers questions, the conversation, and what the user chose. */
static void job_add_words(struct job *job, const struct job_start *how, struct arena *arena,
			  const char ***out)
{
	static const char *const fixed[] = { "-p",
					     "--input-format",
					     "stream-json",
					     "--output-format",
					     "stream-json",
					     "--include-partial-messages",
					     "--permission-prompts",
					     "host" };
	size_t n = 0;
	const char **argv =
		arena_calloc(arena, countof(fixed) + job->flags.n + how->nonce + 6, sizeof(*argv));

	argv[n++] = how->program;
	for (size_t i = 0; i < countof(fixed); i++)
		argv[n++] = fixed[i];
	for (size_t i = 0; i < how->nonce; i++)
		argv[n++] = arena_dup(arena, how->once[i]).ptr;
	if (!how->nonce) {
		argv[n++] = job->prompt.len ? "--resume" : "--session-id";
		argv[n++] = str_c(&job->session);
	}
	if (job->name.len && !job->has_ever_begun) {
		argv[n++] = "--name";
		argv[n++] = str_c(&job->name);
	}
	for (size_t i = 0; i < job->flags.n; i++)
		argv[n++] = str_c(&job->flags.at[i]);
	*out = argv;
}

/* Other sessions on the machine can write to it, unless the user does not want that. */
static const char **job_env(const struct job_start *how, struct arena *arena)
{
	static const char states[] = "CLAUDE_CODE_SDK_READS_SESSION_STATE=1";
	const char **env = arena_calloc(arena, how->nenv + 3, sizeof(*env));
	bool is_chosen = false;

	for (size_t i = 0; i < how->nenv; i++) {
		env[i] = arena_dup(arena, how->env[i]).ptr;
		is_chosen |= sv_starts(how->env[i], SV("AWL_PEERS="));
	}
	env[how->nenv] = states;
	if (!is_chosen)
		env[how->nenv + 1] = "AWL_PEERS=1";
	return env;
}

static void job_initialize(struct job *job)
{
	const struct control_request request = { .kind = CONTROL_INITIALIZE, .id = SV(JOB_BEGIN) };
	defer(str_clear) struct str json = STR_INIT;
	struct err ignored;

	control_request_write(&json, &request);
	str_addc(&json, '\n');
	if (!child_write(job->child, sv_of(&json), &ignored))
		log_debug("%s", ignored.text);
}

void job_start(struct job *job, const struct job_start *how)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct child_opts opts = { .cwd = str_c(&job->cwd),
				   .env = job_env(how, &arena),
				   .keep_stdin = true,
				   .grace_ms = JOB_GRACE_MS,
				   .on_data = job_on_data };
	const char **argv;

	job_add_words(job, how, &arena, &argv);
	opts.argv = argv;
	job->is_stopping = job->has_begun = job->has_worked = job->has_failed = false;
	str_truncate(&job->complaint, 0);
	job->child = child_start(job->loop, &opts, THEN(job_on_ended, job));
	job_initialize(job);
	job_enter(job, JOB_IDLE);
}

void job_stop(struct job *job)
{
	job->is_stopping = true;
	op_cancel(job->child);
}

/* The prompt that the session is known by. */
static void job_note_prompt(struct job *job, struct json message)
{
	defer(str_clear) struct str text = STR_INIT;

	content_text(&text, message_content(message));
	if (!job->prompt.len)
		display_line(&job->prompt, sv_trim(sv_of(&text)), JOB_TITLE_CELLS);
	job_enter(job, JOB_WORKING);
}

/* Other clients that were asked need not answer any more. */
static void job_on_answered(struct job *job, struct sv id)
{
	const struct event event = { .kind = EVENT_HOST_CANCEL, .cancel = { .request_id = id } };
	defer(str_clear) struct str line = STR_INIT;

	event_write(&line, &event, SV_EMPTY, SV_EMPTY);
	job->callbacks->line(job->arg, job, sv_trim(sv_of(&line)));
	job_settle(job, ACTIVITY_RUNNING);
}

bool job_send(struct job *job, struct sv line, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(line, 0, err);
	struct input in;

	if (!doc || !input_read(&in, json_root(doc), err))
		return false;
	if (!job->child)
		return err_set(err, ERR_NOT_FOUND, "the session has no process");
	if (in.kind == INPUT_RESPONSE && !job_drop_question(job, in.response.request_id))
		return err_set(err, ERR_STALE, "the question has already been answered");
	if (!child_write(job->child, line, err) || !child_write(job->child, SV("\n"), err))
		return false;
	if (in.kind == INPUT_RESPONSE)
		job_on_answered(job, in.response.request_id);
	else if (in.kind == INPUT_PROMPT)
		job_note_prompt(job, in.prompt.message);
	return true;
}

bool job_prompt(struct job *job, struct sv text, struct err *err)
{
	defer(str_clear) struct str line = STR_INIT;
	struct uuid uuid = uuid_v4(loop_rng(job->loop));

	input_write_prompt(&line, text, NULL, 0, sv_cstr(uuid.text));
	return job_send(job, sv_trim(sv_of(&line)), err);
}

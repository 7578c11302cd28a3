/* The status line: a command of the user's that is told the state of the session as JSON and prints what a front end
 * shows. A newer request replaces one whose command still runs. */
#include "base/limits.h"
#include "base/log.h"
#include "core/control/control.h"
#include "core/extend/session_styles.h"
#include "core/session/session_internal.h"
#include "proto/status_line.h"
#include "store/git/git.h"
#include "store/git/git_remote.h"
#include "sys/child.h"
#include "tool/shell/shell_env.h"

enum { STATUS_LINE_MS = 5000, STATUS_LINE_GRACE_MS = 200 };

struct status_line {
	struct control_wait wait; /* must stay first */
	struct arena arena;
	shell_words shells; /* to try */
	size_t shell;       /* the one that runs */
	shell_words env;
	const char *command, *cwd;
	struct str input;
	struct str printed, errors;
	int code;
};

/* --- what the command is told ------------------------------------------------------- */

static struct usage_counts status_line_all(const struct session *s)
{
	struct usage sum = { 0 };

	for (size_t i = 0; i < s->costs.lines.n; i++)
		usage_add(&sum, &s->costs.lines.at[i].usage);
	return usage_to_counts(&sum);
}

/* The repository in which the agent works. */
static void status_line_look(const struct session *s, struct git_remote *remote)
{
	defer(str_clear) struct str cwd = STR_INIT, top = STR_INIT;

	str_set(&cwd, agent_cwd(s->agent));
	if (git_find(&top, str_c(&cwd)))
		git_remote_read(remote, str_c(&top));
}

static void status_line_put(struct str *out, const struct session *s,
			    const struct control_request *request)
{
	struct sv model = agent_next_model(s->agent);
	struct model_info info = model_info(s->engine->table, model);
	enum model_effort effort =
		model_rules_effort(&s->rules, model, agent_wanted_effort(s->agent));
	defer(git_remote_clear) struct git_remote remote = { .host = STR_INIT };
	struct status_line_facts facts = {
		.session_id = sv_cstr(s->conversation.id.text),
		.session_name = sv_of(&s->conversation.title),
		.prompt_id = sv_of(&s->prompts.id),
		.transcript_path = sv_cstr(s->conversation.path),
		.cwd = agent_cwd(s->agent),
		.project_dir = sv_cstr(s->shared.project),
		.added_dirs = s->policy.dirs.n ? s->policy.dirs.at + 1 : NULL,
		.nadded_dirs = s->policy.dirs.n ? s->policy.dirs.n - 1 : 0,
		.version = SV(AWL_VERSION),
		.permission_mode = sv_cstr(perm_mode_name(s->policy.mode)),
		.model = model,
		.model_name = info.name,
		.output_style = session_style_name(s),
		.effort = sv_cstr(model_effort_name(effort)),
		.is_thinking = agent_is_thinking(s->agent),
		.is_fast = session_fast_mode(s).state == FAST_ON,
		.cost_usd = costs_usd(&s->costs),
		.duration_ms = loop_now(s->engine->loop) - s->kind.opened_ms,
		.api_ms = s->costs.api_ms,
		.lines_added = s->costs.lines_added,
		.lines_removed = s->costs.lines_removed,
		.work = s->costs.work,
		.last_turn = s->costs.last_turn,
		.window = info.context,
		.all = status_line_all(s),
		.has_last = agent_context_tokens(s->agent) > 0,
		.last = usage_to_counts(agent_context_usage(s->agent)),
		.five_hour = &s->sent.five_hour,
		.seven_day = &s->sent.seven_day,
		.vim_mode = request->status_line.vim_mode,
		.agent = sv_of(&s->agents.lead),
	};

	status_line_look(s, &remote);
	facts.git_worktree = sv_of(&remote.worktree);
	facts.repo_host = sv_of(&remote.host);
	facts.repo_owner = sv_of(&remote.owner);
	facts.repo_name = sv_of(&remote.name);
	status_line_write(out, &facts);
}

/* --- the command -------------------------------------------------------------------- */

static void status_line_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct status_line *line = container_of(owner, struct status_line, wait);

	str_add(from == CHILD_OUT ? &line->printed : &line->errors, bytes);
}

static void status_line_on_done(struct op *op, void *owner, const struct err *why);

static void status_line_run(struct status_line *line)
{
	const char *const argv[] = { line->shells.at[line->shell], "-c", line->command, NULL };

	line->wait.op = child_start(line->wait.session->engine->loop,
				    &(struct child_opts){ .argv = argv,
							  .env = line->env.at,
							  .cwd = line->cwd,
							  .input = sv_of(&line->input),
							  .max_output = LIMIT_STATUS_LINE,
							  .deadline_ms = STATUS_LINE_MS,
							  .grace_ms = STATUS_LINE_GRACE_MS,
							  .on_data = status_line_on_data },
				    THEN(status_line_on_done, &line->wait));
}

/* Where a shell is missing, the next one runs the command. */
static void status_line_on_done(struct op *op, void *owner, const struct err *why)
{
	struct status_line *line = container_of(owner, struct status_line, wait);

	if (why && why->kind == ERR_NOT_FOUND && line->shell + 1 < line->shells.n) {
		line->shell++;
		status_line_run(line);
		return;
	}
	line->code = child_result(op).code;
	control_wait_on_done(op, owner, why);
}

/* A command that fails prints nothing that counts. */
static void status_line_reply(struct control_wait *wait)
{
	struct status_line *line = container_of(wait, struct status_line, wait);

	if (line->code)
		log_debug("the command of the status line ended with status %d: %s", line->code,
			  str_c(&line->errors));
	control_reply(
		wait->session, sv_of(&wait->id),
		(struct control_reply){ .kind = REPLY_TEXT,
					.text = line->code ? SV_EMPTY : sv_of(&line->printed) });
}

static void status_line_free(struct control_wait *wait)
{
	struct status_line *line = container_of(wait, struct status_line, wait);

	vec_clear(&line->shells);
	vec_clear(&line->env);
	str_clear(&line->input);
	str_clear(&line->printed);
	str_clear(&line->errors);
	arena_clear(&line->arena);
	free(line);
}

static const struct control_wait_type status_line_type = { status_line_reply, status_line_free };

/* The variables of hooks, and the size of the terminal. */
static void status_line_make_env(struct status_line *line, const struct session *s,
				 const struct control_request *request)
{
	static const char *const ours[] = { "COLUMNS=", "LINES=", "CLAUDE_PROJECT_DIR=" };

	for (const char *const *at = s->shared.env; at && *at; at++) {
		bool is_ours = false;

		for (size_t i = 0; i < countof(ours); i++)
			is_ours |= strncmp(*at, ours[i], strlen(ours[i])) == 0;
		if (!is_ours)
			vec_push(&line->env, *at);
	}
	vec_push(&line->env,
		 arena_printf(&line->arena, "COLUMNS=%lld", (long long)request->status_line.columns)
			 .ptr);
	vec_push(&line->env,
		 arena_printf(&line->arena, "LINES=%lld", (long long)request->status_line.lines)
			 .ptr);
	vec_push(&line->env,
		 arena_printf(&line->arena, "CLAUDE_PROJECT_DIR=%s", s->shared.project).ptr);
	vec_push(&line->env, NULL);
}

static void status_line_cancel_older(struct session *s)
{
	for (struct control_wait *wait = s->control_waits; wait; wait = wait->next)
		if (wait->type == &status_line_type)
			op_cancel(wait->op);
}

void control_status_line(struct session *s, const struct control_request *request)
{
	const char *command = settings_str(s->settings, "statusLine.command");
	struct status_line *line;

	status_line_cancel_older(s);
	if (!command || settings_bool(s->settings, "disableAllHooks")) {
		control_reply(s, request->id, (struct control_reply){ .kind = REPLY_TEXT });
		return;
	}
	line = xnew(struct status_line);
	line->arena = (struct arena)ARENA_INIT;
	control_wait_init(&line->wait, s, request->id, &status_line_type);
	line->command = arena_dup(&line->arena, sv_cstr(command)).ptr;
	line->cwd = arena_dup(&line->arena, agent_cwd(s->agent)).ptr;
	status_line_put(&line->input, s, request);
	shell_env_shells(&line->shells, agent_tool_context(s->agent));
	status_line_make_env(line, s, request);
	status_line_run(line);
}

/* Commands that the user types at the prompt after an exclamation mark. They run like calls of the
 * Bash tool, but without a question, and outside the sandbox if the settings let commands leave it: the user could type
 * them in any other shell. The model gets command and output with the next prompt. */
#include "core/control/control_shell.h"
#include "core/control/control.h"
#include "core/session/session_emit.h"
#include "core/session/session_host.h"
#include "core/session/session_internal.h"
#include "core/session/session_undo.h"
#include "perm/command/command_effects.h"
#include "proto/message.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"

/* Nobody has to answer this text. */
#define CAVEAT                                                                           \
	"<local-command-caveat>The user ran the commands below. Do not respond to them " \
	"unless the user asks about them.</local-command-caveat>"

struct shell_run {
	struct control_wait wait; /* must stay first */
	struct tool_call call;
	struct tool_context ctx; /* a copy: a turn may run beside it */
	struct json_doc *input;
	struct str command;
};

/* --- for the model ------------------------------------------------------------------- */

static void shell_run_keep(const struct shell_run *run, struct sv text)
{
	struct session *s = run->wait.session;

	message_bash_input(vec_add(&s->pending.ran), sv_of(&run->command));
	message_bash_output(vec_add(&s->pending.ran), text);
}

static void control_shell_append(struct session *s, struct sv text, bool is_meta)
{
	defer(str_clear) struct str block = STR_INIT;

	block_text(&block, text);
	(void)!agent_append(s->agent, &(struct agent_message){ .content = sv_of(&block),
							       .is_meta = is_meta,
							       .quiet = true });
}

void control_shell_append_pending(struct session *s)
{
	if (s->pending.ran.n)
		control_shell_append(s, SV(CAVEAT), true);
	for (size_t i = 0; i < s->pending.ran.n; i++)
		control_shell_append(s, sv_of(&s->pending.ran.at[i]), false);
	control_shell_forget(s);
}

void control_shell_forget(struct session *s)
{
	str_list_clear(&s->pending.ran);
}

/* --- running --------------------------------------------------------------------------- */

static void shell_run_on_progress(void *arg, struct sv text)
{
	struct shell_run *run = arg;

	session_emit(run->wait.session, &(struct event){ .kind = EVENT_TOOL_OUTPUT,
							 .tool = { .tool = sv_cstr(tool_bash.name),
								   .id = sv_of(&run->wait.id),
								   .text = text } });
}

/* A turn that runs stays where it is. */
static void shell_run_move(const struct shell_run *run)
{
	struct session *s = run->wait.session;

	if (s->state == SESSION_IDLE)
		str_set(&agent_tool_context(s->agent)->cwd, sv_of(&run->ctx.cwd));
}

static void shell_run_reply(struct control_wait *wait)
{
	struct shell_run *run = container_of(wait, struct shell_run, wait);
	const struct tool_result *result = &run->call.result;

	shell_run_move(run);
	if (wait->session->state == SESSION_IDLE)
		session_undo_end_turn(wait->session);
	shell_run_keep(run, sv_of(&result->text));
	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_RAN,
					      .ran = { .output = sv_of(&result->text),
						       .is_error = result->is_error } });
}

static void shell_run_free(struct control_wait *wait)
{
	struct shell_run *run = container_of(wait, struct shell_run, wait);

	tool_result_clear(&run->call.result);
	json_doc_free(run->input);
	str_clear(&run->ctx.cwd);
	str_clear(&run->ctx.worktree);
	str_clear(&run->command);
	free(run);
}

static const struct control_wait_type shell_run_type = { shell_run_reply, shell_run_free };

/* An interrupted command has a result, as one that ends by itself. */
static void shell_run_on_done(struct op *op, void *owner, const struct err *why)
{
	struct shell_run *run = container_of(owner, struct shell_run, wait);
	bool has_result = run->call.result.text.len > 0;

	control_wait_on_done(op, owner, has_result ? NULL : why);
}

static void shell_run_write_input(struct shell_run *run)
{
	enum { LONGEST_MS = 600000 };
	defer(str_clear) struct str input = STR_INIT;
	struct err err = ERR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "command", sv_of(&run->command));
	jw_put_int(&w, "timeout", LONGEST_MS);
	jw_put_bool(&w, "dangerouslyDisableSandbox", true);
	jw_end(&w);
	jw_done(&w);
	run->input = json_parse(sv_of(&input), 0, &err);
}

/* Whether nothing has to be saved before it. */
static bool shell_run_only_reads(struct shell_run *run)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct perm_request request = {
		.access = ACCESS_RUN,
		.command = sv_of(&run->command),
		.cwd = tool_real_path(&run->ctx, SV("."), &arena),
	};
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	bool only_reads;

	perm_analyse(&analysis, &run->wait.session->policy, &request);
	only_reads = command_analysis_only_reads(&analysis);
	command_analysis_clear(&analysis);
	return only_reads;
}

static void shell_run_on_saved(struct op *op, void *owner, const struct err *why)
{
	struct shell_run *run = container_of(owner, struct shell_run, wait);

	if (why) /* interrupted */
		control_wait_on_done(op, owner, why);
	else
		run->wait.op = tool_bash.start(&run->call, THEN(shell_run_on_done, owner));
}

void control_run_command(struct session *s, const struct control_request *request)
{
	struct sv command = sv_trim(request->run_command.command);
	struct shell_run *run;
	struct err err = ERR_INIT;

	if (!command.len || !session_is_at_terminal(s)) {
		control_refuse(s, request->id, NULL,
			       command.len ? SV("only somebody at a terminal can run commands")
					   : SV("the command is empty"));
		return;
	}
	run = xnew(struct shell_run);
	control_wait_init(&run->wait, s, request->id, &shell_run_type);
	str_add(&run->command, command);
	shell_run_write_input(run);
	run->ctx = *agent_tool_context(s->agent);
	run->ctx.cwd = run->ctx.worktree = (struct str)STR_INIT;
	str_add(&run->ctx.cwd, agent_cwd(s->agent));
	str_add(&run->ctx.worktree, sv_of(&agent_tool_context(s->agent)->worktree));
	run->call = (struct tool_call){ .tool = &tool_bash,
					.ctx = &run->ctx,
					.id = sv_of(&run->wait.id),
					.input = json_root(run->input),
					.on_progress = shell_run_on_progress,
					.progress_arg = run };
	if (!tool_bash.check(&run->call, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		control_wait_drop(&run->wait);
		return;
	}
	if (!shell_run_only_reads(run))
		run->wait.op = session_undo_before_command(s, command,
							   THEN(shell_run_on_saved, &run->wait));
	if (!run->wait.op)
		run->wait.op = tool_bash.start(&run->call, THEN(shell_run_on_done, &run->wait));
}

void control_shell_interrupt(struct session *s)
{
	for (struct control_wait *wait = s->control_waits; wait; wait = wait->next)
		if (wait->type == &shell_run_type)
			op_cancel(wait->op);
}

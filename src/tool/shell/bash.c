/* Bash: runs a command line to its end, or in the background (background.h). */
#include "tool/builtins.h"
#include "tool/shell/bash_meaning.h"
#include "tool/shell/bash_output.h"

#include <inttypes.h>
#include <signal.h>

#include "base/limits.h"
#include "base/mem.h"
#include "perm/command/command_effects.h"
#include "sandbox/sandbox.h"
#include "sys/timer.h"
#include "text/json/json_write.h"
#include "tool/shell/background.h"
#include "tool/shell/sed_edit.h"
#include "tool/shell/shell.h"
#include "tool/shell/shell_env.h"

enum {
	TIMEOUT_MS = 120000,
	MAX_TIMEOUT_MS = 600000,
	SHOWN_BYTES = 30000,
	GRACE_MS = 150, /* from TERM to KILL: a prompt is back within 200 ms */
};

/* How it ended. */
enum bash_end { BASH_EXITED, BASH_TIMED_OUT, BASH_TOO_MUCH, BASH_INTERRUPTED };

struct bash {
	struct op op;
	struct tool_call *call;
	struct op *shell;
	struct op *deadline;
	bool timed_out;
	bool only_reads; /* it may run beside others, and its directory is not followed */
	struct sv command;
	int64_t timeout_ms;
	struct str cwd;  /* where it starts */
	struct str note; /* for the model, about the directory */
	struct bash_output output;
	enum bash_end end;
	struct err err; /* why it could not be run */
	struct child_result ended;
};

/* Whether the call asks to run outside the sandbox. */
static bool bash_is_unsandboxed(struct json input)
{
	return json_bool_or(json_get(input, "dangerouslyDisableSandbox"), false);
}

static struct sv bash_command(struct json input)
{
	return json_str_or(json_get(input, "command"), SV_EMPTY);
}

static struct sandbox_command bash_sandbox_command(const struct tool_call *call)
{
	return (struct sandbox_command){ .text = bash_command(call->input),
					 .analysis = call->analysis,
					 .unsandboxed = bash_is_unsandboxed(call->input) };
}

/* Whether it was allowed because of the sandbox. */
static bool bash_was_sandboxed(const struct tool_call *call)
{
	return call->decided && call->decided->is_sandboxed;
}

/* --- starting --------------------------------------------------------------------- */

static void bash_on_data(void *owner, __attribute__((unused)) enum child_stream from,
			 struct sv bytes)
{
	struct bash *b = owner;
	struct sv fresh = bash_output_add(&b->output, bytes);

	if (fresh.len && b->call->on_progress)
		b->call->on_progress(b->call->progress_arg, fresh);
}

static void bash_on_shell(struct op *op, void *owner, const struct err *why);
static void bash_settle(struct bash *b);

static void bash_run(struct bash *b)
{
	b->shell = shell_start(
		b->op.loop,
		&(struct shell_opts){ .command = b->command,
				      .ctx = b->call->ctx,
				      .cwd = str_c(&b->cwd),
				      .follow_cwd = !b->only_reads,
				      .analysis = b->call->analysis,
				      .unsandboxed = bash_is_unsandboxed(b->call->input),
				      .must_be_sandboxed = bash_was_sandboxed(b->call),
				      .max_output = LIMIT_BASH_TOTAL,
				      .grace_ms = GRACE_MS,
				      .on_data = bash_on_data },
		THEN(bash_on_shell, b));
}

/* --- the directory ---------------------------------------------------------------- */

static bool bash_is_dir(const char *path, struct fs_info *info)
{
	struct err ignored;

	return path[0] == '/' && fs_info(info, path, true, &ignored) && info->kind == FS_DIR;
}

static void bash_set(struct str *s, struct sv text)
{
	str_set(s, text);
}

/* With CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR every command starts where the session did. */
static void bash_go_home(struct bash *b)
{
	const struct tool_context *ctx = b->call->ctx;
	const char *home = tool_home(ctx);

	if (!home || sv_is(sv_of(&b->cwd), home) ||
	    !shell_env_is_on(ctx->session, "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR"))
		return;
	str_addf(&b->note, "[The working directory was reset to %s.]\n", home);
	bash_set(&b->cwd, sv_cstr(home));
}

/* Moves the working directory to `final`, where the command ended. If that is the same directory, its
 * path stays as it is, perhaps with symbolic links in it. */
static void bash_follow(struct bash *b, struct sv final)
{
	defer(str_clear) struct str dir = STR_INIT;
	struct tool_context *ctx = b->call->ctx;
	struct fs_info then, now;
	bool exists = bash_is_dir(str_c(&b->cwd), &then);

	str_add(&dir, final);
	if (dir.len && bash_is_dir(str_c(&dir), &now)) {
		if (!exists || then.device != now.device || then.inode != now.inode)
			bash_set(&b->cwd, sv_of(&dir));
	} else if (!exists && tool_home(ctx)) {
		str_addf(&b->note,
			 "[%s no longer exists. The working directory was reset to %s.]\n",
			 str_c(&b->cwd), tool_home(ctx));
		bash_set(&b->cwd, sv_cstr(tool_home(ctx)));
	}
	bash_go_home(b);
	bash_set(&ctx->cwd, sv_of(&b->cwd));
}

static void bash_choose_dir(struct bash *b)
{
	const struct tool_context *ctx = b->call->ctx;
	struct fs_info info;

	bash_set(&b->cwd, sv_of(&ctx->cwd));
	if (bash_is_dir(str_c(&b->cwd), &info) || !tool_home(ctx))
		return;
	str_addf(&b->note, "[The working directory %s no longer exists. This command ran in %s.]\n",
		 str_c(&b->cwd), tool_home(ctx));
	bash_set(&b->cwd, sv_cstr(tool_home(ctx)));
}

/* --- the result ------------------------------------------------------------------- */

/* Appends why it is an error, if it is one. */
static void bash_add_headline(const struct bash *b, struct str *out)
{
	const struct child_result *r = &b->ended;

	switch (b->end) {
	case BASH_TIMED_OUT:
		str_addf(out, "Timed out after %" PRId64 " ms and was killed.\n", b->timeout_ms);
		return;
	case BASH_TOO_MUCH:
		str_addf(out, "Killed because it printed more than %zu MiB.\n",
			 LIMIT_BASH_TOTAL / MIB);
		return;
	case BASH_INTERRUPTED: str_adds(out, "[interrupted]\n"); return;
	case BASH_EXITED: break;
	}
	if (!r->code)
		return;
	str_addf(out, "Exit code %d", r->code);
	if (r->code > 128 && sigabbrev_np(r->code - 128))
		str_addf(out, " (%sSIG%s)", r->signal ? "killed by " : "128 + ",
			 sigabbrev_np(r->code - 128));
	str_addc(out, '\n');
}

static void bash_add_file_note(const struct bash_output *o, struct str *out)
{
	bool whole = o->file_err.kind == ERR_NONE;

	if (o->path.len)
		str_addf(out, "[%s of the output is in %s, %" PRIu64 " bytes]\n",
			 whole ? "All" : "The start", str_c(&o->path), o->file_bytes);
	if (!whole)
		str_addf(out, "[The whole output could not be saved: %s]\n", o->file_err.text);
}

static void bash_add_text(const struct bash *b, struct sv shown, const char *meaning,
			  struct str *out)
{
	if (!meaning)
		bash_add_headline(b, out);
	str_add(out, shown);
	if (shown.len)
		str_addc(out, '\n');
	if (meaning)
		str_addf(out, "[Exit code %d: %s]\n", b->ended.code, meaning);
	bash_add_file_note(&b->output, out);
	str_add(out, sv_of(&b->note));
	if (!out->len)
		str_adds(out, "(No output)\n");
	str_truncate(out, out->len - 1);
}

static void bash_add_data(const struct bash *b, struct sv shown, const char *meaning,
			  struct str *out)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "stdout", shown);
	jw_put_str(&w, "stderr", SV_EMPTY);
	jw_put_bool(&w, "interrupted", b->end == BASH_INTERRUPTED);
	jw_put_bool(&w, "isImage", false);
	jw_put_bool(&w, "noOutputExpected", bash_is_silent(b->command));
	if (meaning)
		jw_put_str(&w, "returnCodeInterpretation", sv_cstr(meaning));
	if (b->output.path.len) {
		jw_put_str(&w, "persistedOutputPath", sv_of(&b->output.path));
		jw_put_uint(&w, "persistedOutputSize", b->output.file_bytes);
	}
	if (b->end == BASH_TIMED_OUT)
		jw_put_int(&w, "timedOutAfterMs", b->timeout_ms);
	jw_end(&w);
	jw_done(&w);
}

static void bash_report(struct bash *b, struct sv final_cwd)
{
	struct tool_result *result = &b->call->result;
	defer(str_clear) struct str shown = STR_INIT;
	const char *meaning = NULL;

	bash_output_end(&b->output);
	bash_output_text(&b->output, &shown);
	if (b->end == BASH_EXITED && b->ended.code)
		meaning = bash_meaning(b->command, b->ended.code, shown.len > 0);
	if (!b->only_reads)
		bash_follow(b, final_cwd);
	bash_add_text(b, sv_of(&shown), meaning, &result->text);
	bash_add_data(b, sv_of(&shown), meaning, &result->data);
	result->is_error = b->end != BASH_EXITED || (b->ended.code && !meaning);
	result->stops_siblings = result->is_error;
}

/* --- init and free ---------------------------------------------------------------- */

/* Returns false when the command could not be run. */
static bool bash_ended(const struct bash *b, const struct err *why, enum bash_end *out)
{
	if (b->op.cancelled)
		*out = BASH_INTERRUPTED;
	else if (b->timed_out)
		*out = BASH_TIMED_OUT;
	else if (!why)
		*out = BASH_EXITED;
	else if (why->kind == ERR_TOO_BIG && b->output.bytes)
		*out = BASH_TOO_MUCH;
	else
		return false;
	return true;
}

static void bash_on_shell(struct op *op, void *owner, const struct err *why)
{
	struct bash *b = owner;

	b->shell = NULL;
	b->ended = shell_result(op);
	if (bash_ended(b, why, &b->end))
		bash_report(b, shell_final_cwd(op));
	else
		b->err = *why;
	op_cancel(b->deadline);
	bash_settle(b);
}

/* Finishes once the shell and the timer have ended. */
static void bash_settle(struct bash *b)
{
	if (!b->shell && !b->deadline)
		op_finish(&b->op, b->err.kind == ERR_NONE ? NULL : &b->err);
}

static void bash_cancel(struct op *op)
{
	struct bash *b = container_of(op, struct bash, op);

	op_cancel(b->shell);
	op_cancel(b->deadline);
}

static void bash_free(struct op *op)
{
	struct bash *b = container_of(op, struct bash, op);

	bash_output_clear(&b->output);
	str_clear(&b->cwd);
	str_clear(&b->note);
	free(b);
}

static const struct op_type bash_type = { .name = "Bash",
					  .cancel = bash_cancel,
					  .free = bash_free };

/* The timeout that the call asks for, within the limits of the settings. */
static int64_t bash_timeout_of(const struct tool_call *call)
{
	const struct tool_context *ctx = call->ctx;
	int64_t usual =
		ctx->session->bash_timeout_ms > 0 ? ctx->session->bash_timeout_ms : TIMEOUT_MS;
	int64_t most = ctx->session->bash_max_timeout_ms > 0 ? ctx->session->bash_max_timeout_ms
							     : MAX_TIMEOUT_MS;
	double asked = json_real_or(json_get(call->input, "timeout"), 0);

	if (asked < 1)
		return usual;
	return asked < (double)most ? (int64_t)asked : most;
}

/* The number of bytes of output that the model sees. */
static size_t bash_shown_of(const struct tool_context *ctx)
{
	struct sv value = sv_cstr(shell_env_get(ctx->session, "BASH_MAX_OUTPUT_LENGTH"));
	int64_t n;

	if (sv_to_int(value, &n) && n > 0)
		return (size_t)n;
	return ctx->session->bash_max_output > 0 ? (size_t)ctx->session->bash_max_output
						 : SHOWN_BYTES;
}

/* --- in the background ------------------------------------------------------------- */

static void bash_report_background(const struct background_command *command,
				   struct tool_result *result)
{
	struct jw w;

	str_addf(&result->text,
		 "It runs in the background as %s; its output goes to %s. You are notified when it "
		 "ends; TaskOutput shows its output, TaskStop stops it.",
		 command->id, command->path);
	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "stdout", SV_EMPTY);
	jw_put_str(&w, "stderr", SV_EMPTY);
	jw_put_bool(&w, "interrupted", false);
	jw_put_str(&w, "backgroundTaskId", sv_cstr(command->id));
	jw_end(&w);
	jw_done(&w);
}

/* A command that takes too long may be a server, so it continues in the background if possible.
 * `why` replaces that reason. */
static bool bash_move_to_background(struct bash *b, const char *why)
{
	defer(str_clear) struct str so_far = STR_INIT;
	struct tool_result *result = &b->call->result;
	struct err err = ERR_INIT;
	const struct background_command *command;

	if (!b->call->ctx->session->background)
		return false;
	bash_output_end(&b->output);
	bash_output_text(&b->output, &so_far);
	command = background_adopt(b->call->ctx->session->background, b->shell, b->command,
				   b->call->id, sv_of(&so_far), &err);
	if (!command)
		return false;
	b->shell = NULL;
	if (why)
		str_adds(&result->text, why);
	else
		str_addf(&result->text, "It was still running after %" PRId64 " ms. ",
			 b->timeout_ms);
	bash_report_background(command, result);
	if (so_far.len)
		str_addf(&result->text, " Output so far:\n%s", so_far.ptr);
	return true;
}

static void bash_on_deadline(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct bash *b = owner;

	b->deadline = NULL;
	/* A command that ended at the same moment has finished, even if its `done` is still queued.
	 */
	if (!why && b->shell && !b->shell->finished && !bash_move_to_background(b, NULL)) {
		b->timed_out = true;
		op_cancel(b->shell);
	}
	bash_settle(b);
}

static bool bash_detach(struct op *op)
{
	struct bash *b = container_of(op, struct bash, op);

	if (op->type != &bash_type || !b->shell || b->shell->finished ||
	    !bash_move_to_background(b, "The user moved it to the background. "))
		return false;
	op_cancel(b->deadline);
	return true;
}

static struct op *bash_start_in_background(struct tool_call *call, struct then then)
{
	struct background_start start = { .command = bash_command(call->input),
					  .ctx = call->ctx,
					  .analysis = call->analysis,
					  .unsandboxed = bash_is_unsandboxed(call->input),
					  .must_be_sandboxed = bash_was_sandboxed(call),
					  .description = json_str_or(
						  json_get(call->input, "description"), SV_EMPTY),
					  .call = call->id };
	struct err err = ERR_INIT;
	const struct background_command *command = NULL;

	if (call->ctx->session->background)
		command = background_start(call->ctx->session->background, &start, &err);
	else
		err_set(&err, ERR_UNSUPPORTED,
			"background commands are not available in this session");
	if (command)
		bash_report_background(command, &call->result);
	else
		tool_fail(&call->result, "The command was not started: %s.", err.text);
	return op_settled(call->ctx->loop, then);
}

static struct op *bash_start(struct tool_call *call, struct then then)
{
	struct bash *b;

	if (call->is_preview)
		return sed_edit_preview(call, then);
	if (call->change && call->change->path.len)
		return sed_edit_write(call, then);
	if (json_bool_or(json_get(call->input, "run_in_background"), false))
		return bash_start_in_background(call, then);
	b = xnew(struct bash);
	op_init(&b->op, &bash_type, call->ctx->loop, then);
	b->call = call;
	b->command = bash_command(call->input);
	b->timeout_ms = bash_timeout_of(call);
	bash_output_init(&b->output, call->ctx->session->results_dir, call->id);
	bash_output_show(&b->output, bash_shown_of(call->ctx));
	bash_choose_dir(b);
	b->only_reads = call->analysis && command_analysis_only_reads(call->analysis);
	bash_run(b);
	b->deadline = timer_start(b->op.loop, b->timeout_ms, THEN(bash_on_deadline, b));
	return &b->op;
}

static bool bash_check(const struct tool_call *call, struct err *err)
{
	return shell_check(bash_command(call->input), err);
}

static void bash_perm_request(const struct tool_call *call,
			      __attribute__((unused)) struct arena *arena, struct perm_request *out)
{
	const struct sandbox_command command = bash_sandbox_command(call);

	out->access = ACCESS_RUN;
	out->command = command.text;
	out->is_sandboxed = sandbox_decide(call->ctx->session->sandbox, &command).needs_no_approval;
}

static bool bash_runs_in_foreground(struct json input)
{
	return !json_bool_or(json_get(input, "run_in_background"), false);
}

const struct tool tool_bash = {
	.name = "Bash",
	.page = tool_bash_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{\"command\":{\"type\":\"string\"},"
		"\"timeout\":{\"type\":\"number\",\"description\":\"Milliseconds; default 120000, "
		"at most 600000\"},\"description\":{\"type\":\"string\",\"description\":\"What it "
		"does, in five to ten words, for the "
		"user\"},\"run_in_background\":{\"type\":\"boolean\",\"description\":\"For servers "
		"and watchers; returns at "
		"once\"},\"dangerouslyDisableSandbox\":{\"type\":\"boolean\",\"description\":\"Run "
		"outside the sandbox, if the sandbox prevents the command from "
		"working\"}},\"required\":[\"command\"],\"additionalProperties\":false}"),
	.is_read_only = bash_runs_in_foreground,
	.is_concurrent = bash_runs_in_foreground,
	.command = bash_command,
	.previews = true,
	.check = bash_check,
	.perm_request = bash_perm_request,
	.start = bash_start,
	.detach = bash_detach,
};

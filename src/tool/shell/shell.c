#include "tool/shell/shell.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "sandbox/sandbox.h"
#include "tool/shell/shell_env.h"
#include "tool/shell/shell_snapshot.h"

struct shell {
	struct op op;
	struct op *snapshot, *child; /* at most one of them is not NULL */
	struct arena arena;          /* of the fields below */
	struct shell_opts opts;
	struct sandbox *sandbox;        /* from sandbox_begin() to sandbox_end(); otherwise NULL */
	struct confinement confinement; /* by it */
	shell_words names;              /* shells that are left to try; none: a prefix runs it */
	shell_words argv, env;
	size_t nenv; /* number of variables that every shell gets */
	struct str final_cwd;
	struct child_result result;
};

/* Prepares the shell and then runs the command in it. Its arguments are the file to read first and
 * the pieces of the command. Nothing of ours runs after the command, because a command can give
 * every name in its shell another meaning. Nor does the command find a name of ours: its text is in
 * REPLY, which shells set by themselves and which no decision relies on. eval runs nothing but that
 * text, since bash shows the line of a syntax error; a blank in front of a dash keeps eval from
 * taking it for an option. All is on one line, so line numbers in messages are those of the command,
 * and no alias of the user changes our words. */
static const char wrapper[] =
	"awl_env=$1; shift; IFS=; awl_command=\"$*\"; unset IFS; "
	"[ -z \"${awl_rc-}\" ] || eval \"$awl_rc\" >/dev/null 2>&1; unset awl_rc; "
	"[ ! -r \"$awl_env\" ] || . \"$awl_env\"; unset awl_env; set --; "
	"unset REPLY; REPLY=$awl_command; unset awl_command; eval \"$REPLY\"";

bool shell_check(struct sv command, struct err *err)
{
	if (!sv_trim(command).len)
		return err_set(err, ERR_INVALID, "The command is empty.");
	if (sv_find_char(command, '\0') != SIZE_MAX)
		return err_set(err, ERR_INVALID, "The command contains a NUL character.");
	return true;
}

/* --- the words ------------------------------------------------------------------------ */

/* Between single quotes only their end has a meaning to a shell. */
static void shell_add_quoted(struct str *out, struct sv word)
{
	size_t quote;

	str_adds(out, " '");
	for (; (quote = sv_find_char(word, '\'')) != SIZE_MAX; word = sv_skip(word, quote + 1)) {
		str_add(out, sv_slice(word, 0, quote));
		str_adds(out, "'\\''");
	}
	str_add(out, word);
	str_addc(out, '\'');
}

static void shell_make_argv(struct shell *s)
{
	struct sv rest = s->opts.command;

	vec_push(&s->argv, NULL); /* the shell */
	vec_push(&s->argv, "-c");
	vec_push(&s->argv, wrapper);
	vec_push(&s->argv, NULL); /* $0 */
	vec_push(&s->argv, shell_env_file(s->opts.ctx));
	if (sv_starts(rest, SV("-")))
		vec_push(&s->argv, " ");
	for (; rest.len > 0; rest = sv_skip(rest, LIMIT_BASH_PIECE))
		vec_push(&s->argv, arena_dup(&s->arena, sv_slice(rest, 0, LIMIT_BASH_PIECE)).ptr);
	vec_push(&s->argv, NULL);
}

/* A prefix gets the command as one word and decides what to run it with. */
static void shell_add_script(struct shell *s)
{
	defer(str_clear) struct str script = STR_INIT;

	str_adds(&script, "set --");
	shell_add_quoted(&script, sv_cstr(shell_env_file(s->opts.ctx)));
	if (sv_starts(s->opts.command, SV("-")))
		str_adds(&script, " ' '");
	shell_add_quoted(&script, s->opts.command);
	str_addf(&script, "; %s", wrapper);
	vec_push(&s->argv, arena_dup(&s->arena, sv_of(&script)).ptr);
	vec_push(&s->argv, NULL);
}

/* --- init and free --------------------------------------------------------------------- */

static void shell_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct shell *s = owner;

	s->opts.on_data(s->op.then.owner, from, bytes);
}

/* The snapshot of the user's bash is of no use to another shell. */
static const char *shell_snapshot_for(const struct shell *s, const char *name)
{
	if (!s->opts.ctx->session->snapshot || !sv_ends(sv_cstr(name), SV("bash")))
		return NULL;
	return shell_snapshot_variable(s->opts.ctx->session->snapshot);
}

static void shell_choose(struct shell *s)
{
	const char *name = s->names.at[0], *snapshot = shell_snapshot_for(s, name);

	s->argv.at[0] = s->argv.at[3] = name;
	s->env.n = s->nenv;
	if (snapshot)
		vec_push(&s->env, snapshot);
	vec_push(&s->env, NULL);
	vec_remove(&s->names, 0);
}

static void shell_on_child(struct op *op, void *owner, const struct err *why);

static void shell_run(struct shell *s)
{
	if (s->names.n)
		shell_choose(s);
	s->child = child_start(
		s->op.loop,
		&(struct child_opts){ .argv = s->argv.at,
				      .env = s->env.at,
				      .cwd = s->opts.cwd,
				      .confinement = s->sandbox ? &s->confinement : NULL,
				      .follow_cwd = s->opts.follow_cwd,
				      .merge = true,
				      .max_output = s->opts.max_output,
				      .deadline_ms = s->opts.deadline_ms,
				      .grace_ms = s->opts.grace_ms,
				      .on_data = shell_on_data },
		THEN(shell_on_child, s));
}

static void shell_leave_sandbox(struct shell *s, struct sandbox *sandbox)
{
	const struct tool_services *services = s->opts.ctx->session->services;
	defer(str_clear) struct str report = STR_INIT;

	sandbox_end(sandbox, &report);
	if (report.len && services->notify)
		services->notify(services->arg, sv_of(&report));
}

/* The owner may free the sandbox in `done`. */
static void shell_finish(struct shell *s, const struct err *why)
{
	if (s->sandbox)
		shell_leave_sandbox(s, move(s->sandbox));
	op_finish(&s->op, why);
}

static void shell_on_child(struct op *op, void *owner, const struct err *why)
{
	struct shell *s = owner;

	s->child = NULL;
	s->result = child_result(op);
	if (!child_final_cwd(op, &s->final_cwd))
		str_truncate(&s->final_cwd, 0);
	if (why && why->kind == ERR_NOT_FOUND && !s->op.cancelled && s->names.n)
		shell_run(s);
	else
		shell_finish(s, why);
}

static void shell_on_snapshot(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct shell *s = owner;

	s->snapshot = NULL;
	if (s->op.cancelled)
		shell_finish(s, why);
	else
		shell_run(s);
}

static void shell_cancel(struct op *op)
{
	struct shell *s = container_of(op, struct shell, op);

	op_cancel(s->snapshot);
	op_cancel(s->child);
}

static void shell_free(struct op *op)
{
	struct shell *s = container_of(op, struct shell, op);

	str_clear(&s->final_cwd);
	vec_clear(&s->names);
	vec_clear(&s->argv);
	vec_clear(&s->env);
	arena_clear(&s->arena);
	free(s);
}

static const struct op_type shell_type = { .name = "shell",
					   .cancel = shell_cancel,
					   .free = shell_free };

/* --- starting --------------------------------------------------------------------------- */

static bool shell_enter_sandbox(struct shell *s, struct err *err)
{
	struct sandbox *sandbox = s->opts.ctx->session->sandbox;
	const struct sandbox_command command = { s->opts.command, s->opts.analysis,
						 s->opts.unsandboxed };
	struct sandbox_decision decision = sandbox_decide(sandbox, &command);

	log_debug("the command runs %s: %s", decision.inside ? "in the sandbox" : "outside",
		  sandbox_reason_text(decision.why));
	if (decision.inside) {
		s->confinement = sandbox_begin(sandbox);
		s->sandbox = sandbox;
	}
	/* Decide again: only now we know whether all files can be protected. */
	if (s->opts.must_be_sandboxed && !sandbox_decide(sandbox, &command).needs_no_approval)
		return err_set(err, ERR_STALE,
			       "it was allowed because it would run in a sandbox, "
			       "but the sandbox has changed since; try again");
	return true;
}

static bool shell_prepare(struct shell *s, struct err *err)
{
	if (!shell_enter_sandbox(s, err))
		return false;
	shell_env_make(&s->env, s->opts.ctx, &s->arena);
	s->nenv = s->env.n;
	vec_push(&s->env, NULL);
	if (!shell_env_prefix(&s->argv, s->opts.ctx, &s->arena, err))
		return false;
	if (s->argv.n) {
		shell_add_script(s);
	} else {
		shell_make_argv(s);
		shell_env_shells(&s->names, s->opts.ctx);
	}
	return true;
}

struct op *shell_start(struct loop *loop, const struct shell_opts *opts, struct then then)
{
	struct shell *s = xnew(struct shell);
	struct err err = ERR_INIT;

	op_init(&s->op, &shell_type, loop, then);
	s->opts = *opts;
	s->opts.cwd = arena_dup(&s->arena, sv_cstr(opts->cwd)).ptr;
	if (!shell_prepare(s, &err))
		shell_finish(s, &err);
	else if (s->names.n && opts->ctx->session->snapshot &&
		 !shell_snapshot_is_known(opts->ctx->session->snapshot))
		s->snapshot = shell_snapshot_wait(opts->ctx->session->snapshot,
						  THEN(shell_on_snapshot, s));
	else
		shell_run(s);
	return &s->op;
}

void shell_hand_over(struct op *op, child_data_fn *to, struct then then)
{
	struct shell *s = container_of(op, struct shell, op);

	BUG_ON(op->finished);
	s->opts.on_data = to;
	op->then = then;
}

struct child_result shell_result(const struct op *op)
{
	return container_of(op, struct shell, op)->result;
}

struct sv shell_final_cwd(const struct op *op)
{
	return sv_of(&container_of(op, struct shell, op)->final_cwd);
}

#include "tool/shell.h"

#include "base/arena.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"

typedef VEC(const char *) words;

struct shell {
	struct op op;
	struct op *child;
	const char *const *name; /* the one in use, of `shells` */
	struct arena arena;      /* of what follows */
	struct shell_opts opts;
	words argv, env;
	struct child_result result;
};

static const char *const shells[] = { "bash", "sh", NULL };

/* Its arguments are the file for the directory, then the command in pieces. It is on
 * one line, so that line numbers in messages are those of the command. The function
 * is called twice, since `exit`, `set -e` and a signal lead only to the trap, and a
 * trap of the command's own replaces ours. stderr is silent for `set -x`. */
static const char wrapper[] = "awl_cwd=$1; shift; IFS=; awl_command=\"$*\"; unset IFS; set --; "
			      "awl_keep() { set -- \"$?\"; command pwd -P >|\"$awl_cwd\" || :; "
			      "return \"$1\"; }; trap '{ awl_keep; } 2>/dev/null' EXIT; "
			      "eval \" $awl_command\"; { awl_keep; } 2>/dev/null";

/* Nobody is there to page, to edit or to answer; and programs may ask who runs them. */
static const char *const extra_env[] = {
	"AWL=1",         "CLAUDECODE=1",          "GIT_EDITOR=true",
	"GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "PAGER=cat",
};

/* Start-up files that a shell would read although it was not asked to. */
static bool is_start_up(const char *variable)
{
	return strncmp(variable, "BASH_ENV=", 9) == 0 || strncmp(variable, "ENV=", 4) == 0;
}

static bool is_replaced(const char *variable)
{
	for (size_t i = 0; i < countof(extra_env); i++) {
		size_t name = sv_find_char(sv_cstr(extra_env[i]), '=') + 1;

		if (strncmp(variable, extra_env[i], name) == 0)
			return true;
	}
	return false;
}

static void make_env(words *env, const char *const *base, struct arena *arena)
{
	for (; base && *base; base++) {
		if (!is_replaced(*base) && !is_start_up(*base))
			vec_push(env, arena_dup(arena, sv_cstr(*base)).ptr);
	}
	for (size_t i = 0; i < countof(extra_env); i++)
		vec_push(env, extra_env[i]);
	vec_push(env, NULL);
}

static void make_argv(words *argv, const struct shell_opts *opts, struct arena *arena)
{
	const char *file = opts->cwd_file ? opts->cwd_file : "/dev/null";
	struct sv rest = opts->command;

	vec_push(argv, NULL); /* the shell */
	vec_push(argv, "-c");
	vec_push(argv, wrapper);
	vec_push(argv, NULL); /* its name for itself */
	vec_push(argv, arena_dup(arena, sv_cstr(file)).ptr);
	for (; rest.len > 0; rest = sv_skip(rest, LIMIT_BASH_PIECE))
		vec_push(argv, arena_dup(arena, sv_slice(rest, 0, LIMIT_BASH_PIECE)).ptr);
	vec_push(argv, NULL);
}

static void on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct shell *s = owner;

	s->opts.on_data(s->op.then.owner, from, bytes);
}

static void on_child(struct op *op, void *owner, const struct err *why);

static void run(struct shell *s)
{
	s->argv.at[0] = s->argv.at[3] = *s->name;
	s->child = child_start(s->op.loop,
			       &(struct child_opts){ .argv = s->argv.at,
						     .env = s->env.at,
						     .cwd = s->opts.cwd,
						     .merge = true,
						     .max_output = s->opts.max_output,
						     .deadline_ms = s->opts.deadline_ms,
						     .grace_ms = s->opts.grace_ms,
						     .on_data = on_data },
			       THEN(on_child, s));
}

static void on_child(struct op *op, void *owner, const struct err *why)
{
	struct shell *s = owner;

	s->child = NULL;
	s->result = child_result(op);
	if (why && why->kind == ERR_NOT_FOUND && !s->op.cancelled && s->name[1]) {
		s->name++;
		run(s);
		return;
	}
	op_finish(&s->op, why);
}

static void shell_cancel(struct op *op)
{
	op_cancel(container_of(op, struct shell, op)->child);
}

static void shell_free(struct op *op)
{
	struct shell *s = container_of(op, struct shell, op);

	vec_clear(&s->argv);
	vec_clear(&s->env);
	arena_clear(&s->arena);
	free(s);
}

static const struct op_type shell_type = { .name = "shell",
					   .cancel = shell_cancel,
					   .free = shell_free };

struct op *shell_start(struct loop *loop, const struct shell_opts *opts, struct then then)
{
	struct shell *s = xnew(struct shell);

	op_init(&s->op, &shell_type, loop, then);
	s->name = shells;
	s->opts = *opts;
	s->opts.cwd = arena_dup(&s->arena, sv_cstr(opts->cwd)).ptr;
	make_env(&s->env, opts->env, &s->arena);
	make_argv(&s->argv, opts, &s->arena);
	run(s);
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

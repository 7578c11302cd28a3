/* awl --worktree --tmux: starts awl in a window of tmux, and becomes tmux's client. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "cli/output.h"
#include "sys/fs.h"

struct tmux {
	VEC(const char *) argv; /* borrows from the arena and from the command line */
	struct arena arena;
};

static void tmux_clear(struct tmux *t)
{
	vec_clear(&t->argv);
	arena_clear(&t->arena);
}

static bool tmux_check(const struct args *args, struct err *err)
{
	const char *how = args_value(args, "tmux");

	if (how && !sv_is(sv_cstr(how), "classic"))
		return err_set(err, ERR_INVALID, "--tmux can only be 'classic', not '%s'", how);
	if (!args_has(args, "worktree"))
		return err_set(err, ERR_INVALID, "--tmux needs --worktree");
	if (args_has(args, "print") || args_has(args, "bg"))
		return err_set(err, ERR_INVALID, "--tmux cannot be used with --%s",
			       args_has(args, "bg") ? "bg" : "print");
	return isatty(STDIN_FILENO) || err_set(err, ERR_INVALID, "--tmux needs a terminal");
}

/* The directory and the worktree, without what tmux gives a meaning in names. NULL: the worktree has no name yet. */
static const char *tmux_name(struct tmux *t, struct sv cwd, const char *worktree)
{
	defer(str_clear) struct str name = STR_INIT;

	if (!worktree || !*worktree)
		return NULL;
	str_addf(&name, "%.*s-%s", SV_ARG(sv_basename(cwd)), worktree);
	for (size_t i = 0; i < name.len; i++)
		if (!ascii_is_alnum(name.ptr[i]) && !ascii_is_one_of(name.ptr[i], "-_"))
			name.ptr[i] = '_';
	return arena_dup(&t->arena, sv_of(&name)).ptr;
}

/* A window of the tmux that we are in, else a session. A session that is there already is shown as it is. */
static void tmux_add_words(struct tmux *t, const struct args *args, struct sv cwd)
{
	const char *name = tmux_name(t, cwd, args_value(args, "worktree"));
	bool is_inside = getenv("TMUX") != NULL;
	bool is_iterm = sv_is(sv_cstr(getenv("TERM_PROGRAM")), "iTerm.app");

	vec_push(&t->argv, "tmux");
	if (!is_inside && is_iterm && !args_value(args, "tmux"))
		vec_push(&t->argv, "-CC"); /* its own windows */
	vec_push(&t->argv, is_inside ? "new-window" : "new-session");
	if (name) {
		if (!is_inside)
			vec_push(&t->argv, "-A");
		vec_push(&t->argv, is_inside ? "-n" : "-s");
		vec_push(&t->argv, name);
	}
	vec_push(&t->argv, "-c");
	vec_push(&t->argv, arena_dup(&t->arena, cwd).ptr);
}

static void tmux_add_command(struct tmux *t, const struct args *args, struct sv program)
{
	vec_push(&t->argv, arena_dup(&t->arena, program).ptr);
	for (size_t i = 0; i < args->flags.n; i++) {
		const struct arg *arg = &args->flags.at[i];
		const char *name = arg->flag->name;

		if (!sv_is(sv_cstr(name), "tmux"))
			vec_push(&t->argv,
				 arg->value
					 ? arena_printf(&t->arena, "--%s=%s", name, arg->value).ptr
					 : arena_printf(&t->arena, "--%s", name).ptr);
	}
	vec_push(&t->argv, "--");
	for (size_t i = 0; i < args->words.n; i++)
		vec_push(&t->argv, args->words.at[i]);
	vec_push(&t->argv, NULL);
}

enum exit_code tmux_run(const struct args *args)
{
	defer(tmux_clear) struct tmux t = { .argv = VEC_INIT, .arena = ARENA_INIT };
	defer(str_clear) struct str cwd = STR_INIT, program = STR_INIT;
	struct err err = ERR_INIT;

	if (!tmux_check(args, &err))
		return usage_error("%s", err.text);
	if (!fs_cwd(&cwd, &err) || !fs_realpath(&program, "/proc/self/exe", &err))
		return failure("%s", err.text);
	tmux_add_words(&t, args, sv_of(&cwd));
	tmux_add_command(&t, args, sv_of(&program));
	signal(SIGPIPE, SIG_DFL); /* as main() found them, or nearly */
	signal(SIGXFSZ, SIG_DFL);
	execvp("tmux", (char **)t.argv.at);
	return failure(errno == ENOENT ? "tmux is not installed" : "cannot start tmux: %s",
		       strerror(errno));
}

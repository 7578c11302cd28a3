#include "tool/shell/shell_snapshot.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/uuid.h"
#include "base/vec.h"
#include "perm/path/path.h"
#include "sys/child.h"
#include "sys/fs.h"

enum { DEADLINE_MS = 5000, GRACE_MS = 150, OTHERS_WRITE = 0002 };

struct waiter;

struct shell_snapshot {
	struct loop *loop;
	char *home, *rc;
	const char *const *env;
	struct op *shell; /* while it runs */
	struct uuid mark; /* separates its own output from the lists */
	struct str output;
	struct waiter *waiters;
	bool is_known;
	char *variable; /* may be NULL */
};

struct waiter {
	struct op op;
	struct shell_snapshot *of; /* its `done` is already queued */
	struct waiter *next;
};

/* --- where from ------------------------------------------------------------------------ */

static bool snapshot_is_in_project(const char *rc, const char *project)
{
	defer(str_clear) struct str real = STR_INIT;
	defer(str_clear) struct str dir = STR_INIT;
	struct err ignored;

	if (!project)
		return false;
	return !fs_realpath(&real, rc, &ignored) || !fs_realpath(&dir, project, &ignored) ||
	       path_is_inside(sv_of(&real), sv_of(&dir));
}

static bool snapshot_is_trusted(const char *rc, const char *project)
{
	struct fs_info info;
	struct err ignored;

	return fs_info(&info, rc, true, &ignored) && info.kind == FS_FILE &&
	       !(info.mode & OTHERS_WRITE) && !snapshot_is_in_project(rc, project);
}

struct shell_snapshot *shell_snapshot_new(struct loop *loop, const char *home, const char *project,
					  const char *const *env)
{
	defer(str_clear) struct str rc = STR_INIT;
	struct shell_snapshot *s;

	if (!home || home[0] != '/')
		return NULL;
	fs_join(&rc, sv_cstr(home), SV(".bashrc"));
	if (!snapshot_is_trusted(str_c(&rc), project))
		return NULL;
	s = xnew(struct shell_snapshot);
	s->loop = loop;
	s->home = xstrdup(home);
	s->rc = str_detach(&rc);
	s->env = env;
	return s;
}

void shell_snapshot_free(struct shell_snapshot *s)
{
	if (!s)
		return;
	BUG_ON(s->shell || s->waiters);
	str_clear(&s->output);
	free(s->variable);
	free(s->home);
	free(s->rc);
	free(s);
}

/* --- what it says ------------------------------------------------------------------------ */

/* Its only argument is the mark. Names that begin with one "_" are helpers of completion, and the
 * handler for missing commands only suggests packages. Words are quoted against aliases of the same
 * name. */
static const char script[] = "\\builtin printf '\\n%s\\n' \"$0\"\n"
			     "for awl_name in $(\\builtin compgen -A function); do\n"
			     "case $awl_name in _[!_]* | command_not_found_handle) ;;\n"
			     "*) \\builtin declare -f -- \"$awl_name\" ;; esac; done\n"
			     "\\builtin printf '\\n%s\\n' \"$0\"\n"
			     "\\builtin alias -p\n"
			     "\\builtin printf '\\n%s\\n' \"$0\"\n";

static void snapshot_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct shell_snapshot *s = owner;

	if (from == CHILD_OUT)
		str_add(&s->output, bytes);
}

/* Cuts off the text before the next mark. */
static bool snapshot_cut_at_mark(const struct shell_snapshot *s, struct sv *rest, struct sv *head)
{
	defer(str_clear) struct str mark = STR_INIT;
	size_t at;

	str_addf(&mark, "\n%s\n", s->mark.text);
	at = sv_find(*rest, sv_of(&mark));
	if (at == SIZE_MAX)
		return false;
	*head = sv_slice(*rest, 0, at);
	*rest = sv_skip(*rest, at + mark.len);
	return true;
}

/* Functions may use extended patterns, which commands do not. They come before the aliases, which
 * bash has already expanded in them. */
static void snapshot_make_variable(struct shell_snapshot *s)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest = sv_of(&s->output), own, functions, aliases;

	if (!snapshot_cut_at_mark(s, &rest, &own) || !snapshot_cut_at_mark(s, &rest, &functions) ||
	    !snapshot_cut_at_mark(s, &rest, &aliases))
		return;
	if (!functions.len && !aliases.len)
		return;
	str_addf(&text,
		 "awl_rc=shopt -s extglob\n%.*s\nshopt -u extglob\nshopt -s expand_aliases\n%.*s\n",
		 SV_ARG(functions), SV_ARG(aliases));
	if (text.len <= LIMIT_SNAPSHOT)
		s->variable = str_detach(&text);
	else
		log_info("the functions in %s are too long; ignoring them", s->rc);
}

/* --- asking it ---------------------------------------------------------------------------- */

static void snapshot_on_shell(__attribute__((unused)) struct op *op, void *owner,
			      const struct err *why)
{
	struct shell_snapshot *s = owner;

	s->shell = NULL;
	if (why && why->kind != ERR_CANCELLED)
		log_info("%s could not be read: %s", s->rc, why->text);
	if (!why)
		snapshot_make_variable(s);
	s->is_known = !why || why->kind != ERR_CANCELLED;
	str_clear(&s->output);
	while (s->waiters) {
		struct waiter *w = s->waiters;

		s->waiters = w->next;
		w->of = NULL;
		op_finish(&w->op, NULL);
	}
}

static bool is_start_up(const char *variable)
{
	return strncmp(variable, "BASH_ENV=", 9) == 0 || strncmp(variable, "ENV=", 4) == 0;
}

static void snapshot_ask(struct shell_snapshot *s)
{
	const char *argv[] = { "bash", "--rcfile", s->rc, "-i", "-c", script, s->mark.text, NULL };
	VEC(const char *) env = VEC_INIT;

	s->mark = uuid_v4(loop_rng(s->loop));
	for (const char *const *var = s->env; var && *var; var++)
		if (!is_start_up(*var))
			vec_push(&env, *var);
	vec_push(&env, NULL);
	s->shell = child_start(s->loop,
			       &(struct child_opts){ .argv = argv,
						     .env = env.at,
						     .cwd = s->home,
						     .max_output = 2 * LIMIT_SNAPSHOT,
						     .deadline_ms = DEADLINE_MS,
						     .grace_ms = GRACE_MS,
						     .on_data = snapshot_on_data },
			       THEN(snapshot_on_shell, s));
	vec_clear(&env);
}

/* --- waiting ---------------------------------------------------------------------------- */

/* The last waiter cancels the shell, and finishes with it. */
static void waiter_cancel(struct op *op)
{
	struct waiter *w = container_of(op, struct waiter, op), **at;

	if (!w->of)
		return;
	if (w->of->waiters == w && !w->next) {
		op_cancel(w->of->shell);
		return;
	}
	for (at = &w->of->waiters; *at != w;)
		at = &(*at)->next;
	*at = w->next;
	op_finish(op, NULL);
}

static void waiter_free(struct op *op)
{
	free(container_of(op, struct waiter, op));
}

static const struct op_type waiter_type = { .name = "shell snapshot",
					    .cancel = waiter_cancel,
					    .free = waiter_free };

bool shell_snapshot_is_known(const struct shell_snapshot *s)
{
	return s->is_known;
}

struct op *shell_snapshot_wait(struct shell_snapshot *s, struct then then)
{
	struct waiter *w;

	if (s->is_known)
		return op_settled(s->loop, then);
	if (!s->shell)
		snapshot_ask(s);
	w = xnew(struct waiter);
	op_init(&w->op, &waiter_type, s->loop, then);
	w->of = s;
	w->next = s->waiters;
	s->waiters = w;
	return &w->op;
}

const char *shell_snapshot_variable(const struct shell_snapshot *s)
{
	return s->variable;
}

#include "context/environment.h"

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "context/visible_text.h"
#include "store/git/git.h"
#include "store/git/git_refs.h"

/* The questions to git. All run at once, except that the status reads files: filters have to be known
 * and disarmed first. That there are none, the branches, and that there is no commit yet can often be
 * read without git. */
enum question { SETTINGS, STATUS, BRANCH, MAIN_BRANCH, COMMITS, QUESTIONS };

static const char *const *const commands[QUESTIONS] = {
	[SETTINGS] = git_list_settings,
	[BRANCH] = (const char *const[]){ "symbolic-ref", "--quiet", "--short", "HEAD", NULL },
	[MAIN_BRANCH] = (const char *const[]){ "for-each-ref", "--format=%(refname) %(symref)",
					       "refs/remotes/origin/HEAD", "refs/heads/main",
					       "refs/heads/master", "refs/heads/trunk", NULL },
	[COMMITS] =
		(const char *const[]){ "log", "-5", "--no-patch", "--no-show-signature",
				       "--no-decorate", "--no-notes", "--no-color",
				       "--encoding=UTF-8", "--format=%h %s", "HEAD", "--", NULL },
	[STATUS] = (const char *const[]){ "status", "--porcelain=v1", "--untracked-files=normal",
					  "--ignore-submodules=all", "--no-renames", NULL },
};

enum { NO_BRANCH = 1 }; /* exit code of symbolic-ref when HEAD is detached */

struct response {
	struct environment *whose;
	struct op *op;   /* NULL when not in flight */
	struct str text; /* the first LIMIT_GIT_KEPT bytes */
	size_t lines;    /* of all of it */
	int code;        /* the command's, or -1: none was run to its end */
};

struct environment {
	struct op op;
	struct git *git; /* NULL: no repository */
	struct git_refs refs;
	bool has_refs;   /* git is not asked for them */
	bool may_filter; /* git is asked for its settings before the status */
	struct response answers[QUESTIONS];
	size_t live; /* answers in flight */
	struct str text, branch;
};

/* --- telling ------------------------------------------------------------------- */

static void environment_add_line(struct str *out, const char *name, struct sv value)
{
	if (!value.len)
		return;
	str_addf(out, "%s: ", name);
	visible_line(out, value);
	str_addc(out, '\n');
}

static struct sv environment_find_variable(const char *const *env, struct sv name)
{
	for (env = env ? env : (const char *const *)environ; *env; env++)
		if (sv_starts(sv_cstr(*env), name))
			return sv_skip(sv_cstr(*env), name.len);
	return SV_EMPTY;
}

static void environment_add_system(struct str *out)
{
	defer(str_clear) struct str version = STR_INIT;
	struct utsname name;

	if (uname(&name) < 0)
		return;
	str_addf(&version, "%s %s, %s", name.sysname, name.release, name.machine);
	environment_add_line(out, "System", sv_of(&version));
}

static void environment_add_date(struct str *out, int64_t wall_ms)
{
	time_t seconds = (time_t)(wall_ms / 1000);
	char date[sizeof("-2147483648-12-31")];
	struct tm tm;

	if (localtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%d", &tm))
		environment_add_line(out, "Date", sv_cstr(date));
}

static void environment_add_model(struct str *out, const struct environment_opts *opts)
{
	defer(str_clear) struct str model = STR_INIT;

	str_add(&model, opts->model_name);
	if (opts->model_name.len && opts->model_id.len)
		str_addf(&model, " (%.*s)", SV_ARG(opts->model_id));
	environment_add_line(out, "Model", model.len ? sv_of(&model) : opts->model_id);
}

/* Writes everything but the repository. `top` is empty if there is none. */
static void environment_add_place(struct str *out, const struct environment_opts *opts,
				  struct sv top)
{
	struct sv shell = environment_find_variable(opts->env, SV("SHELL="));

	str_adds(out, "Your environment at the start of this session:\n");
	environment_add_line(out, "Working directory", sv_cstr(opts->cwd));
	for (size_t i = 0; i < opts->ndirs; i++)
		if (!sv_is(opts->dirs[i], opts->cwd))
			environment_add_line(out, "Further working directory", opts->dirs[i]);
	if (opts->git)
		environment_add_line(out, "Git repository", top.len ? top : SV("none"));
	environment_add_system(out);
	environment_add_line(out, "User's shell", sv_basename(shell));
	environment_add_date(out, opts->wall_ms);
	environment_add_model(out, opts);
}

/* Adds foreign lines with an indent, so that none of them can look like one of ours. */
static void environment_add_lines(struct str *out, const struct response *answer, size_t max_lines,
				  size_t max)
{
	struct sv rest = sv_of(&answer->text), line;
	size_t shown = 0, start = out->len;

	while (shown < max_lines && out->len - start < max && sv_cut_line(&rest, &line)) {
		str_adds(out, "  ");
		visible_line(out, utf8_prefix(line, LIMIT_GIT_LINE));
		str_adds(out, line.len > LIMIT_GIT_LINE ? "...\n" : "\n");
		shown++;
	}
	if (answer->lines > shown)
		str_addf(out, "  and %zu more\n", answer->lines - shown);
}

/* Finds the branch that others start from: the one the remote names, or a usual name. */
static struct sv environment_main_branch(const struct response *answer)
{
	struct sv rest = sv_of(&answer->text), line, name, prefix = SV("refs/heads/");
	struct sv found = SV_EMPTY;

	while (sv_cut_line(&rest, &line)) {
		if (!sv_cut(&line, ' ', &name))
			continue;
		if (sv_starts(line, SV("refs/remotes/origin/")))
			return sv_skip(line, strlen("refs/remotes/origin/"));
		if (!found.len && sv_starts(name, prefix))
			found = sv_skip(name, prefix.len);
	}
	return found;
}

static void environment_add_status(struct str *out, const struct response *answer)
{
	if (answer->code != 0) {
		str_adds(out, "Status: unknown\n");
	} else if (!answer->lines) {
		str_adds(out, "Status: clean\n");
	} else {
		str_adds(out, "Status:\n");
		environment_add_lines(out, answer, LIMIT_GIT_STATUS_LINES, LIMIT_GIT_STATUS);
	}
}

/* Takes what git said of the branches. Returns false without git, without a sound repository, or if
 * it is somebody else's. */
static bool environment_take_refs(struct environment *s)
{
	const struct response *a = s->answers;

	if (s->has_refs)
		return a[STATUS].code == 0 || a[COMMITS].code == 0;
	if (a[BRANCH].code == 0)
		str_add(&s->refs.branch, sv_trim(sv_of(&a[BRANCH].text)));
	str_add(&s->refs.main_branch, environment_main_branch(&a[MAIN_BRANCH]));
	return a[BRANCH].code == 0 || a[BRANCH].code == NO_BRANCH;
}

static void environment_add_git(struct environment *s)
{
	const struct response *a = s->answers;
	struct str *out = &s->text;

	if (!environment_take_refs(s))
		return;
	if (s->refs.branch.len)
		visible_line(&s->branch, utf8_prefix(sv_of(&s->refs.branch), LIMIT_GIT_LINE));
	str_adds(out, "\nThe repository at that time:\n");
	environment_add_line(out, "Branch", s->branch.len ? sv_of(&s->branch) : SV("none"));
	environment_add_line(out, "Main branch",
			     utf8_prefix(sv_of(&s->refs.main_branch), LIMIT_GIT_LINE));
	environment_add_status(out, &a[STATUS]);
	if (a[COMMITS].code == 0 && a[COMMITS].lines) {
		str_adds(out, "Last commits:\n");
		environment_add_lines(out, &a[COMMITS], SIZE_MAX, SIZE_MAX);
	}
}

/* --- asking -------------------------------------------------------------------- */

static void environment_settle(struct environment *s)
{
	if (s->live > 0)
		return;
	if (s->git)
		environment_add_git(s);
	op_finish(&s->op, NULL);
}

static void environment_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct response *answer = owner;

	if (from != CHILD_OUT)
		return;
	for (size_t i = 0; i < bytes.len; i++)
		answer->lines += bytes.ptr[i] == '\n';
	str_add(&answer->text, sv_slice(bytes, 0, LIMIT_GIT_KEPT - answer->text.len));
}

static void environment_ask(struct environment *s, enum question question);

static void environment_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct response *answer = owner;
	struct environment *s = answer->whose;

	answer->op = NULL;
	answer->code = why ? -1 : child_result(op).code;
	s->live--;
	if (answer == &s->answers[SETTINGS] && answer->code == 0 && !s->op.cancelled &&
	    git_disarm(s->git, sv_of(&answer->text)))
		environment_ask(s, STATUS);
	environment_settle(s);
}

static void environment_ask(struct environment *s, enum question question)
{
	struct response *answer = &s->answers[question];
	size_t max = question == SETTINGS ? LIMIT_GIT_KEPT : 0; /* a part of it would be useless */

	s->live++;
	answer->op = git_start(s->git, s->op.loop, commands[question], max, environment_on_data,
			       THEN(environment_on_answer, answer));
}

static bool environment_asks_at_once(const struct environment *s, enum question question)
{
	return question == SETTINGS  ? s->may_filter
	       : question == STATUS  ? !s->may_filter
	       : question == COMMITS ? !s->refs.is_unborn
				     : !s->has_refs;
}

static void environment_cancel(struct op *op)
{
	struct environment *s = container_of(op, struct environment, op);

	for (size_t i = 0; i < QUESTIONS; i++)
		op_cancel(s->answers[i].op);
}

static void environment_free(struct op *op)
{
	struct environment *s = container_of(op, struct environment, op);

	for (size_t i = 0; i < QUESTIONS; i++)
		str_clear(&s->answers[i].text);
	git_free(s->git);
	git_refs_clear(&s->refs);
	str_clear(&s->text);
	str_clear(&s->branch);
	free(s);
}

static const struct op_type environment_type = { .name = "environment",
						 .cancel = environment_cancel,
						 .free = environment_free };

struct op *environment_start(struct loop *loop, const struct environment_opts *opts,
			     struct then then)
{
	struct environment *s = xnew(struct environment);
	defer(str_clear) struct str top = STR_INIT;

	op_init(&s->op, &environment_type, loop, then);
	for (size_t i = 0; i < QUESTIONS; i++)
		s->answers[i] = (struct response){ .whose = s, .code = -1 };
	if (opts->git && git_find(&top, opts->cwd))
		s->git = git_new(str_c(&top), opts->env);
	environment_add_place(&s->text, opts, sv_of(&top));
	s->has_refs = s->git && git_refs_read(&s->refs, str_c(&top));
	s->may_filter = s->git && git_may_filter(s->git);
	for (enum question q = SETTINGS; s->git && q < QUESTIONS; q++)
		if (environment_asks_at_once(s, q))
			environment_ask(s, q);
	environment_settle(s);
	return &s->op;
}

struct sv environment_text(const struct op *op)
{
	return sv_of(&container_of(op, struct environment, op)->text);
}

struct sv environment_branch(const struct op *op)
{
	return sv_of(&container_of(op, struct environment, op)->branch);
}

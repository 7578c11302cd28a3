#include "store/git/git_changes.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "store/git/git.h"

/* A tree without files, which git knows in every repository. Before the first commit, everything is new. */
#define EMPTY_TREE "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

/* What git is asked, in this order. The settings come first: git_disarm() needs them. */
enum changes_question {
	CHANGES_SETTINGS,
	CHANGES_COMMIT, /* whether there is one */
	CHANGES_DIFF,
	CHANGES_UNTRACKED,
	CHANGES_QUESTIONS,
};

struct changes {
	struct op op;
	struct git *git;  /* NULL: there is no repository */
	struct op *child; /* NULL: none runs */
	char *dir;
	bool is_unborn;                 /* the branch has no commit yet */
	enum changes_question question; /* that the child answers */
	struct str answers[CHANGES_QUESTIONS];
	struct str errors; /* of the child */
	struct str *out;
};

static void changes_ask(struct changes *c, enum changes_question question);

static void changes_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct changes *c = owner;
	struct str *to = from == CHILD_OUT ? &c->answers[c->question] : &c->errors;
	size_t max = from == CHILD_OUT ? LIMIT_GIT_KEPT : LIMIT_GIT_LINE;

	str_add(to, sv_slice(bytes, 0, max - min_of(max, to->len)));
}

static void changes_add_untracked(struct str *out, struct sv names)
{
	struct sv name;
	size_t n = 0;

	while (names.len && sv_cut(&names, '\0', &name)) {
		if (name.len && n++ < LIMIT_GIT_STATUS_LINES)
			str_addf(out, " %.*s (untracked)\n", SV_ARG(name));
	}
	if (n > LIMIT_GIT_STATUS_LINES)
		str_addf(out, " and %zu more untracked files\n", n - LIMIT_GIT_STATUS_LINES);
}

/* What the files are compared with. */
static const char *changes_base(const struct changes *c)
{
	return c->is_unborn ? EMPTY_TREE : "HEAD";
}

/* The summary ends with an empty line, after which the patch begins. */
static void changes_write(struct changes *c)
{
	struct sv diff = sv_of(&c->answers[CHANGES_DIFF]);
	size_t summary = min_of(sv_find(diff, SV("\n\n")), diff.len);
	defer(str_clear) struct str text = STR_INIT;
	struct sv whole;

	str_add(&text, sv_slice(diff, 0, summary));
	if (diff.len)
		str_addc(&text, '\n');
	changes_add_untracked(&text, sv_of(&c->answers[CHANGES_UNTRACKED]));
	str_add(&text, sv_skip(diff, summary + 1));
	whole = sv_of(&text);
	str_add(c->out, utf8_prefix(whole, LIMIT_GIT_KEPT));
	if (sv_ends(sv_of(c->out), SV("\n")))
		str_truncate(c->out, c->out->len - 1);
	if (!whole.len)
		str_adds(c->out, c->is_unborn ? "There are no files to commit yet."
					      : "Nothing has changed since the last commit.");
	if (whole.len > LIMIT_GIT_KEPT)
		str_addf(c->out,
			 "\n... (cut after %zu KiB; 'git diff %s' in a shell shows all of it)",
			 LIMIT_GIT_KEPT / KIB, changes_base(c));
}

static bool changes_fail(struct changes *c, struct err *err)
{
	struct sv rest = sv_of(&c->errors), line = SV_EMPTY;

	sv_cut_line(&rest, &line);
	return err_set(err, ERR_INVALID, "git cannot tell what has changed: %.*s", SV_ARG(line));
}

/* Git fails where HEAD names no commit, and nothing is wrong with that. */
static bool changes_take_commit(struct changes *c, bool is_there)
{
	c->is_unborn = !is_there;
	str_truncate(&c->errors, 0);
	return true;
}

static void changes_on_child(struct op *op, void *owner, const struct err *why)
{
	struct changes *c = owner;
	struct err err = ERR_INIT;
	bool fine = !why && child_result(op).code == 0;

	c->child = NULL;
	if (why)
		err = *why;
	else if (c->question == CHANGES_COMMIT)
		fine = changes_take_commit(c, fine);
	else if (!fine)
		(void)changes_fail(c, &err);
	else if (c->question == CHANGES_SETTINGS)
		fine = git_disarm(c->git, sv_of(&c->answers[CHANGES_SETTINGS])) ||
		       err_set(&err, ERR_INVALID,
			       "the repository has too many filters to run git safely");
	if (fine && !c->op.cancelled && c->question + 1 < CHANGES_QUESTIONS) {
		changes_ask(c, c->question + 1);
		return;
	}
	if (fine)
		changes_write(c);
	op_finish(&c->op, fine ? NULL : &err);
}

static void changes_ask(struct changes *c, enum changes_question question)
{
	const char *const commit[] = { "rev-parse", "--quiet", "--verify", "HEAD^{commit}", NULL };
	const char *const diff[] = { "diff",
				     "--no-color",
				     "--no-ext-diff",
				     "--no-textconv",
				     "--ignore-submodules=all",
				     "--stat=100",
				     "--patch",
				     changes_base(c),
				     "--",
				     c->dir,
				     NULL };
	const char *const untracked[] = { "ls-files",    "--others", "--exclude-standard",
					  "--directory", "-z",       "--",
					  c->dir,        NULL };
	const char *const *const words[] = { git_list_settings, commit, diff, untracked };
	size_t max = question == CHANGES_SETTINGS ? LIMIT_GIT_KEPT : 0;

	c->question = question;
	c->child = git_start(c->git, c->op.loop, words[question], max, changes_on_data,
			     THEN(changes_on_child, c));
}

static void changes_cancel(struct op *op)
{
	op_cancel(container_of(op, struct changes, op)->child);
}

static void changes_free(struct op *op)
{
	struct changes *c = container_of(op, struct changes, op);

	for (size_t i = 0; i < CHANGES_QUESTIONS; i++)
		str_clear(&c->answers[i]);
	str_clear(&c->errors);
	git_free(c->git);
	free(c->dir);
	free(c);
}

static const struct op_type changes_type = { .name = "git changes",
					     .cancel = changes_cancel,
					     .free = changes_free };

struct op *git_changes_start(struct loop *loop, const char *dir, const char *const *env,
			     struct str *out, struct then then)
{
	struct changes *c = xnew(struct changes);
	defer(str_clear) struct str top = STR_INIT;
	struct err none = ERR_INIT;

	op_init(&c->op, &changes_type, loop, then);
	c->out = out;
	c->dir = xstrdup(dir);
	if (!git_find(&top, dir)) {
		err_set(&none, ERR_NOT_FOUND, "%s is not in a git repository", dir);
		op_finish(&c->op, &none);
		return &c->op;
	}
	c->git = git_new(str_c(&top), env);
	changes_ask(c, CHANGES_SETTINGS);
	return &c->op;
}

/* Slash commands that go back: /undo, /redo, /rewind, and /diff of what the history knows. Each runs
 * on a worker as a job of the undo history; going back in the conversation, or a summary of a part of it, is the last
 * step, on the loop. */
#include "base/limits.h"
#include "base/utf8.h"
#include "core/agent/history.h"
#include "core/commands/commands.h"
#include "core/compaction/compaction.h"
#include "core/control/control_shell.h"
#include "core/session/session_append.h"
#include "core/session/session_undo.h"
#include "store/git/git.h"
#include "store/git/git_changes.h"
#include "store/git/git_reflog.h"
#include "store/transcript/transcript.h"

enum {
	REWIND_FILES = 1,
	REWIND_CONVERSATION = 2,
	REWIND_SUMMARISE = 4, /* what follows; with the next one, what precedes */
	REWIND_BEFORE = 8,
};

struct undo_command;
typedef bool undo_command_fn(struct undo_command *c, struct err *err);

struct undo_command {
	struct op op;
	struct op *job;
	struct session *session; /* not for the worker */
	struct undo *history;
	struct arena arena;
	struct undo_scope scope;
	undo_command_fn *run;
	struct sv root, words;
	char *transcript;
	struct uuid back; /* names where we were */
	struct str answer;
	undo_points points;
	struct undo_plan plan;
	struct transcript_loaded loaded; /* the conversation to go back to */
	struct uuid parent;
	unsigned parts; /* of /rewind */
	bool moves_conversation, has_restored;
};

static void undo_command_free(struct op *op)
{
	struct undo_command *c = container_of(op, struct undo_command, op);

	undo_plan_clear(&c->plan);
	undo_points_clear(&c->points);
	transcript_loaded_clear(&c->loaded);
	arena_clear(&c->arena);
	str_clear(&c->answer);
	free(c->transcript);
	free(c);
}

static void undo_command_cancel(struct op *op)
{
	op_cancel(container_of(op, struct undo_command, op)->job);
}

static const struct op_type undo_command_type = { .name = "undo command",
						  .cancel = undo_command_cancel,
						  .free = undo_command_free };

/* --- words -------------------------------------------------------------------------------- */

static const char *undo_command_plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* Name the commits that were made since, because they stay. */
static void undo_command_name_commits(struct undo_command *c, int64_t since_ms)
{
	enum { NAMED = 10 };
	defer(str_clear) struct str top = STR_INIT;
	defer(str_clear) struct str list = STR_INIT;
	size_t n;

	if (!git_find(&top, c->root.ptr))
		return;
	n = git_reflog_commits(&list, str_c(&top), since_ms, NAMED);
	if (!n)
		return;
	str_addf(&c->answer,
		 n == 1 ? "%zu commit made since stays:\n" : "%zu commits made since stay:\n", n);
	str_add(&c->answer, sv_of(&list));
	if (n > NAMED)
		str_addf(&c->answer, "  and %zu more\n", n - NAMED);
}

/* Say what was done, and what could not be. */
static void undo_command_report(struct undo_command *c, const char *done)
{
	size_t n = c->plan.changes.n - c->plan.nproblems;

	str_addf(&c->answer, "%s: %zu file%s.\n", done, n, undo_command_plural(n));
	undo_plan_describe(&c->answer, &c->plan, c->root);
	if (c->plan.nproblems)
		str_addf(&c->answer, "%zu could not be restored.\n", c->plan.nproblems);
}

static bool undo_command_refuse_foreign(struct undo_command *c, const char *command,
					struct err *err)
{
	if (!c->plan.nforeign || sv_find(c->words, SV("force")) != SIZE_MAX)
		return true;
	undo_plan_describe(&c->answer, &c->plan, c->root);
	return err_set(err, ERR_STALE,
		       "Another program has changed %zu of the files since, so nothing was done. "
		       "%s force overwrites them (and /redo brings them back):",
		       c->plan.nforeign, command);
}

/* --- on the worker ------------------------------------------------------------------------ */

static bool undo_command_go(struct undo_command *c, const struct undo_point *target, int kind,
			    const char *command, struct err *err)
{
	struct undo_point back = { .kind = kind, .uuid = c->back.text, .target = target->uuid };

	c->has_restored = undo_plan(&c->plan, c->history, sv_cstr(target->uuid), &c->scope, err) &&
			  undo_command_refuse_foreign(c, command, err) &&
			  undo_apply(c->history, &c->plan, &back, c->scope.wall_ms, err);
	return c->has_restored;
}

static bool undo_command_back(struct undo_command *c, struct err *err)
{
	const struct undo_point *target;
	defer(str_clear) struct str done = STR_INIT;

	if (!undo_list(&c->points, c->history, &c->scope, err))
		return false;
	target = undo_back_target(&c->points);
	if (!target)
		return err_set(err, ERR_NOT_FOUND, "There is nothing to undo.");
	if (!undo_command_go(c, target, UNDO_BACK, "/undo", err))
		return false;
	str_addf(&done, "Undid what \"%s\" changed", target->title);
	undo_command_report(c, done.ptr);
	undo_command_name_commits(c, target->wall_ms);
	str_adds(&c->answer, "/redo takes this back.");
	return true;
}

static bool undo_command_forth(struct undo_command *c, struct err *err)
{
	const struct undo_point *target;

	if (!undo_list(&c->points, c->history, &c->scope, err))
		return false;
	target = undo_forth_target(&c->points);
	if (!target)
		return err_set(err, ERR_NOT_FOUND, "There is nothing to redo.");
	if (!undo_command_go(c, target, UNDO_FORTH, "/redo", err))
		return false;
	undo_command_report(c, "Took the last undo back");
	return true;
}

/* The prompts, newest first, by the numbers that /rewind takes. */
static void undo_command_list(struct undo_command *c)
{
	size_t number = 0;

	for (size_t i = c->points.n; i-- > 0;) {
		const struct undo_point *p = &c->points.at[i];

		if (!undo_point_is_work(p))
			continue;
		str_addf(&c->answer, "%3zu. %s", ++number, p->title);
		if (p->nchanged)
			str_addf(&c->answer, " (%zu file%s changed)", p->nchanged,
				 undo_command_plural(p->nchanged));
		str_addc(&c->answer, '\n');
	}
	str_adds(&c->answer, number ? "\n/rewind NUMBER goes back to before that prompt; add "
				      "files, conversation or both (the default). /rewind NUMBER "
				      "summarise replaces "
				      "what follows by a summary, summarise-before what precedes."
				    : "There are no prompts to go back to yet.");
}

static const struct undo_point *undo_command_find(const struct undo_command *c, struct sv word)
{
	int64_t number = 0;

	for (size_t i = c->points.n; word.len && i-- > 0;) {
		const struct undo_point *p = &c->points.at[i];

		if (undo_point_is_work(p) && sv_is(word, p->uuid))
			return p;
	}
	if (!sv_to_int(word, &number) || number < 1)
		return NULL;
	for (size_t i = c->points.n; i-- > 0;)
		if (undo_point_is_work(&c->points.at[i]) && --number == 0)
			return &c->points.at[i];
	return NULL;
}

static bool undo_command_read_parts(struct undo_command *c, struct sv rest, struct err *err)
{
	static const struct {
		char word[20];
		unsigned parts;
	} words[] = { { "", REWIND_FILES | REWIND_CONVERSATION },
		      { "both", REWIND_FILES | REWIND_CONVERSATION },
		      { "files", REWIND_FILES },
		      { "code", REWIND_FILES },
		      { "conversation", REWIND_CONVERSATION },
		      { "summarise", REWIND_SUMMARISE },
		      { "summarise-before", REWIND_SUMMARISE | REWIND_BEFORE },
		      { "force", REWIND_FILES | REWIND_CONVERSATION } };
	struct sv word = SV_EMPTY;

	rest = sv_trim(rest);
	(void)sv_cut(&rest, ' ', &word);
	for (size_t i = 0; i < countof(words); i++)
		if (sv_is(word, words[i].word))
			c->parts = words[i].parts;
	return c->parts ||
	       err_set(err, ERR_INVALID,
		       "%.*s is not files, conversation, both, summarise or summarise-before",
		       SV_ARG(utf8_prefix(word, 40)));
}

/* The model hears of a command with the prompt after it; NULL: that has not come. */
static const struct undo_point *undo_command_prompt(const struct undo_command *c,
						    const struct undo_point *target)
{
	const struct undo_point *end = c->points.at + c->points.n;

	while (target < end && target->kind != UNDO_PROMPT)
		target++;
	return target < end ? target : NULL;
}

/* Load the conversation up to the prompt, which is what its last message contains. */
static bool undo_command_load_prompt(struct undo_command *c, const struct undo_point *target,
				     struct err *err)
{
	target = undo_command_prompt(c, target);
	if (!target)
		return err_set(err, ERR_NOT_FOUND, "the model has not received this prompt yet");
	return transcript_load(&c->loaded, c->transcript, sv_cstr(target->uuid), err);
}

/* Load the conversation as it was before the prompt. */
static bool undo_command_load(struct undo_command *c, const struct undo_point *target,
			      struct err *err)
{
	defer(str_clear) struct str parent = STR_INIT;

	target = undo_command_prompt(c, target);
	if (!target)
		return true;
	if (!transcript_find_parent(&parent, c->transcript, sv_cstr(target->uuid), err))
		return false;
	if (parent.len && !transcript_load(&c->loaded, c->transcript, sv_of(&parent), err))
		return false;
	if (parent.len)
		memcpy(c->parent.text, parent.ptr, min_of(parent.len, sizeof(c->parent.text) - 1));
	c->moves_conversation = true;
	return true;
}

static bool undo_command_rewind(struct undo_command *c, struct err *err)
{
	const struct undo_point *target;
	struct sv rest = c->words, word = SV_EMPTY;

	if (!undo_list(&c->points, c->history, &c->scope, err))
		return false;
	if (!sv_cut(&rest, ' ', &word) || !word.len) {
		undo_command_list(c);
		return true;
	}
	target = undo_command_find(c, word);
	if (!target)
		return err_set(err, ERR_NOT_FOUND, "There is no prompt %.*s; /rewind lists them",
			       SV_ARG(utf8_prefix(word, 40)));
	if (!undo_command_read_parts(c, rest, err) ||
	    (c->parts & REWIND_CONVERSATION && !undo_command_load(c, target, err)) ||
	    (c->parts & REWIND_SUMMARISE && !undo_command_load_prompt(c, target, err)))
		return false;
	if (c->parts & REWIND_FILES) {
		if (!undo_command_go(c, target, UNDO_BACK, "/rewind NUMBER files", err))
			return false;
		undo_command_report(c, "Files are as they were before that prompt");
		undo_command_name_commits(c, target->wall_ms);
		if (c->plan.changes.n)
			str_adds(&c->answer, "/redo takes this back.\n");
	}
	if (c->moves_conversation)
		str_addf(&c->answer, "The conversation continues from before \"%s\".",
			 target->title);
	return true;
}

/* What a turn or the whole session has changed, without git. */
static bool undo_command_diff(struct undo_command *c, struct err *err)
{
	bool is_session = sv_is(c->words, "session");
	const struct undo_point *from = NULL;

	if (!undo_list(&c->points, c->history, &c->scope, err))
		return false;
	for (size_t i = 0; i < c->points.n; i++)
		if (c->points.at[i].kind == UNDO_PROMPT && !(is_session && from))
			from = &c->points.at[i];
	if (from && !undo_plan(&c->plan, c->history, sv_cstr(from->uuid), &c->scope, err))
		return false;
	undo_plan_diff(&c->answer, c->history, &c->plan, c->root, LIMIT_COMMAND_TEXT / 2);
	if (!c->answer.len)
		str_addf(&c->answer, "No files have changed in this %s.",
			 is_session ? "session" : "turn");
	return true;
}

static bool undo_command_work(void *arg, struct err *err)
{
	struct undo_command *c = arg;

	return c->run(c, err);
}

/* --- on the loop -------------------------------------------------------------------------- */

/* Go back in the conversation. The message is where a resumed session ends, so that it does not
 * continue with what came after. */
static void undo_command_move(struct undo_command *c)
{
	agent_go_back(c->session->agent, &c->loaded, &c->parent);
	session_append_meta(
		c->session,
		SV("The user went back to this point of the conversation. Ignore what was "
		   "said and done after it."));
}

/* With its next request: what it has read may not be true any more. */
static void undo_command_notify_model(struct undo_command *c)
{
	enum { NAMED = 20 };
	defer(str_clear) struct str note = STR_INIT;

	str_adds(&note, "The user restored earlier versions of these files:");
	for (size_t i = 0; i < c->plan.changes.n && i < NAMED; i++)
		str_addf(&note, "\n%s", c->plan.changes.at[i].path);
	if (c->plan.changes.n > NAMED)
		str_addf(&note, "\nand %zu more", c->plan.changes.n - NAMED);
	session_append_note(c->session, sv_of(&note));
}

static void undo_command_on_summary(__attribute__((unused)) struct op *op, void *owner,
				    const struct err *why)
{
	struct undo_command *c = owner;

	c->job = NULL;
	op_finish(&c->op, why);
}

/* Which part of the conversation the summary replaces. Without anything before the prompt, that is all of it. */
static bool undo_command_choose(const struct undo_command *c, struct compaction_opts *opts,
				struct err *err)
{
	const struct history *h = agent_history(c->session->agent);
	size_t n = c->loaded.messages.n;

	if (!n || n > h->messages.n ||
	    sv_find(sv_of(&h->messages.at[n - 1].json), sv_of(&c->loaded.prompt)) == SIZE_MAX)
		return err_set(err, ERR_NOT_FOUND,
			       "that prompt is part of an earlier summary already");
	if (c->parts & REWIND_BEFORE)
		return compaction_up_to(opts, h, n - 1) ||
		       err_set(err, ERR_INVALID, "there is nothing before that prompt");
	if (!compaction_from(opts, h, n))
		opts->keep_from = opts->keep_to = 0;
	return true;
}

static void undo_command_summarise(struct undo_command *c)
{
	struct session *s = c->session;
	struct compaction_opts opts = { .agent = s->agent,
					.is_manual = true,
					.answer = &s->commands.answer };
	struct err err = ERR_INIT;

	if (undo_command_choose(c, &opts, &err))
		c->job = compaction_start(s, &opts, THEN(undo_command_on_summary, c));
	else
		op_finish(&c->op, &err);
}

static void undo_command_on_job(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct undo_command *c = owner;
	struct session *s = c->session;

	c->job = NULL;
	if (!why && c->parts & REWIND_SUMMARISE && !c->op.cancelled) {
		undo_command_summarise(c);
		return;
	}
	if (!why && c->parts & REWIND_CONVERSATION)
		control_shell_forget(s);
	if (!why && c->moves_conversation)
		undo_command_move(c);
	if (!why && c->has_restored && c->plan.changes.n)
		undo_command_notify_model(c);
	if (why && why->kind == ERR_STALE && c->answer.len) {
		s->commands.is_refused = true;
		str_addf(&s->commands.answer, "%s\n", why->text);
		why = NULL;
	}
	str_add(&s->commands.answer, sv_of(&c->answer));
	op_finish(&c->op, why);
}

static struct op *undo_command_start(struct session *s, undo_command_fn *run, struct sv rest,
				     struct then then)
{
	struct undo_command *c = xnew(struct undo_command);
	struct err err = ERR_INIT;

	op_init(&c->op, &undo_command_type, s->engine->loop, then);
	c->loaded = (struct transcript_loaded)TRANSCRIPT_LOADED_INIT;
	c->session = s;
	c->run = run;
	c->history = session_undo_history(s, &err);
	if (!c->history) {
		op_finish(&c->op, &err);
		return &c->op;
	}
	session_undo_scope(s, &c->scope, &c->arena);
	c->root = arena_dup(&c->arena, sv_cstr(s->shared.root));
	c->words = arena_dup(&c->arena, rest);
	c->transcript = xstrdup(s->conversation.path);
	c->back = uuid_v4(loop_rng(s->engine->loop));
	c->job = session_undo_queue(s, undo_command_work, c, THEN(undo_command_on_job, c));
	return &c->op;
}

struct op *commands_undo(struct session *s, struct sv rest, struct then then)
{
	return undo_command_start(s, undo_command_back, rest, then);
}

struct op *commands_redo(struct session *s, struct sv rest, struct then then)
{
	return undo_command_start(s, undo_command_forth, rest, then);
}

struct op *commands_rewind(struct session *s, struct sv rest, struct then then)
{
	return undo_command_start(s, undo_command_rewind, rest, then);
}

struct op *commands_diff(struct session *s, struct sv rest, struct then then)
{
	if (sv_is(rest, "turn") || sv_is(rest, "session"))
		return undo_command_start(s, undo_command_diff, rest, then);
	return git_changes_start(s->engine->loop, agent_cwd(s->agent).ptr, s->shared.env,
				 &s->commands.answer, then);
}

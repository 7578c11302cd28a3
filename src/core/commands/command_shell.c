#include "core/commands/command_shell.h"

#include "base/utf8.h"
#include "perm/command/command_analysis.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"

enum { SHELL_SHOWN = 100 };

struct command_shell {
	struct op op;
	struct tool_context *ctx;
	const struct perm_policy *policy;
	struct command_expansion *expansion;
	size_t at; /* the part whose command runs */
	struct op *step;
	struct tool_call call;
	struct perm_request request;
	struct command_analysis analysis;
	struct json_doc *input;
	struct arena arena;
	struct str cwd; /* of the session, which no command here moves */
};

static void command_shell_next(struct command_shell *c);

/* What the last command left behind. */
static void command_shell_tidy(struct command_shell *c)
{
	str_set(&c->ctx->cwd, sv_of(&c->cwd));
	tool_result_clear(&c->call.result);
	command_analysis_clear(&c->analysis);
	c->analysis = (struct command_analysis){ 0 };
	json_doc_free(move(c->input));
	arena_reset(&c->arena);
}

static void command_shell_fail(struct command_shell *c, const char *why)
{
	struct err err = ERR_INIT;
	struct sv command = utf8_prefix(sv_of(&c->expansion->parts.at[c->at].text), SHELL_SHOWN);

	err_set(&err, ERR_ACCESS, "`%.*s` %s", SV_ARG(command), why);
	command_shell_tidy(c);
	op_finish(&c->op, &err);
}

static void command_shell_on_ran(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct command_shell *c = owner;
	struct command_part *part = &c->expansion->parts.at[c->at];

	c->step = NULL;
	if (why && why->kind == ERR_CANCELLED) {
		command_shell_tidy(c);
		op_finish(&c->op, why);
	} else if (why || c->call.result.is_error) {
		defer(str_clear) struct str text = STR_INIT;

		str_addf(&text, "failed: %s", why ? why->text : str_c(&c->call.result.text));
		command_shell_fail(c, text.ptr);
	} else {
		str_set(&part->text, sv_trim(sv_of(&c->call.result.text)));
		part->is_shell = false;
		command_shell_tidy(c);
		command_shell_next(c);
	}
}

static void command_shell_write_input(struct str *out, struct sv command)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "command", command);
	jw_end(&w);
	jw_done(&w);
}

/* Ask the rules, as they are asked about a call of the model. */
static struct verdict command_shell_decide(struct command_shell *c, struct sv command)
{
	struct perm_request asked = { .tool = SV("Bash"),
				      .access = ACCESS_RUN,
				      .command = command,
				      .cwd = tool_real_path(c->call.ctx, SV("."), &c->arena) };

	perm_analyse(&c->analysis, c->policy, &asked);
	c->call.analysis = &c->analysis;
	tool_perm_request(&c->call, &c->arena, &c->request);
	return perm_decide(c->policy, &c->request);
}

static void command_shell_run(struct command_shell *c, struct sv command)
{
	defer(str_clear) struct str input = STR_INIT, why = STR_INIT;
	struct err err = ERR_INIT;
	struct verdict verdict;

	command_shell_write_input(&input, command);
	c->input = json_parse(sv_of(&input), 0, &err);
	c->call = (struct tool_call){ .tool = &tool_bash,
				      .ctx = c->ctx,
				      .id = SV("command"),
				      .input = json_root(c->input),
				      .decided = &c->request };
	if (!tool_bash.check(&c->call, &err)) {
		command_shell_fail(c, err.text);
		return;
	}
	verdict = command_shell_decide(c, command);
	if (verdict.behavior != BEHAVIOR_ALLOW) {
		str_addf(&why, "is not allowed without a question: %s", verdict.text);
		command_shell_fail(c, why.ptr);
		return;
	}
	c->step = tool_bash.start(&c->call, THEN(command_shell_on_ran, c));
}

static void command_shell_next(struct command_shell *c)
{
	struct command_expansion *e = c->expansion;

	while (c->at < e->parts.n && !e->parts.at[c->at].is_shell)
		c->at++;
	if (c->at < e->parts.n)
		command_shell_run(c, sv_of(&e->parts.at[c->at].text));
	else
		op_finish(&c->op, NULL);
}

static void command_shell_cancel(struct op *op)
{
	op_cancel(container_of(op, struct command_shell, op)->step);
}

static void command_shell_free(struct op *op)
{
	struct command_shell *c = container_of(op, struct command_shell, op);

	arena_clear(&c->arena);
	str_clear(&c->cwd);
	free(c);
}

static const struct op_type command_shell_type = {
	.name = "commands of a prompt",
	.cancel = command_shell_cancel,
	.free = command_shell_free,
};

struct op *command_shell_start(struct tool_context *ctx, const struct perm_policy *policy,
			       struct command_expansion *expansion, struct then then)
{
	struct command_shell *c = xnew(struct command_shell);

	op_init(&c->op, &command_shell_type, ctx->loop, then);
	c->ctx = ctx;
	c->policy = policy;
	c->expansion = expansion;
	c->arena = (struct arena)ARENA_INIT;
	str_add(&c->cwd, sv_of(&ctx->cwd));
	command_shell_next(c);
	return &c->op;
}

/* What follows from how a handler ended.
 *
 * A hook says what it wants in one of three ways: by its exit code, by JSON, or by plain text.
 *
 *   0      fine; stdout is JSON if it begins with '{', otherwise text, which for some events goes to
 *          the model
 *   2      block; stderr says why. What that means is up to the event.
 *   other  an error that is shown and has no other consequence, unless stdout is valid JSON
 *
 * And it can break: it cannot be started (126 and 127 are how a shell says so), exceeds its time, is
 * killed, or prints JSON that cannot be read. A guard that breaks has not looked at the call, so the
 * call is blocked: otherwise whoever can make the guard fail, for instance with a quote in a command
 * that it pastes into its JSON, gets past it. Hooks of other events break without consequences.
 * `onFailure` overrides both. A callback of the host that fails is the host's own affair: by the
 * protocol it blocks only with `"onFailure": "block"`, or when it exceeds its time. */
#include "hook/conclude.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "hook/output.h"

enum hook_breach {
	BREACH_ERROR, /* it ran and reported an error */
	BREACH_BROKEN /* it did not do its work */
};

static bool hook_conclude_blocks(const struct hook_result *r, enum hook_breach breach)
{
	const struct hook_handler *h = r->handler;
	const struct hook_event_info *info = hook_event_info(h->event);

	if (info->block == HOOK_BLOCK_IGNORED || h->runs_async ||
	    h->on_failure == HOOK_ON_FAILURE_CONTINUE)
		return false;
	if (h->on_failure == HOOK_ON_FAILURE_BLOCK)
		return true;
	if (h->type == HOOK_CALLBACK && !(r->failure && r->failure->kind == ERR_TIMEOUT))
		return false;
	return breach == BREACH_BROKEN && info->is_guard;
}

/* "the PreToolUse hook (.claude/settings.json:3)" */
static void hook_conclude_name(struct str *out, const struct hook_handler *h)
{
	str_addf(out, "%s hook", hook_event_info(h->event)->name);
	if (h->file && h->line)
		str_addf(out, " (%s:%zu)", h->file, h->line);
	else if (h->file)
		str_addf(out, " (%s)", h->file);
}

static enum hook_outcome hook_conclude_failed(struct hook_answer *answer,
					      const struct hook_result *r, enum hook_breach breach,
					      struct sv why, struct str *problem)
{
	defer(str_clear) struct str text = STR_INIT;

	hook_answer_clear(answer);
	str_add(problem, why);
	if (hook_conclude_blocks(r, breach)) {
		str_adds(&text, "The ");
		hook_conclude_name(&text, r->handler);
		str_addf(&text,
			 " did not check this: %.*s. It is blocked, because the hook may have "
			 "forbidden it; \"onFailure\": \"continue\" makes the hook optional.",
			 SV_ARG(why));
		hook_answer_decide(answer, HOOK_DENY, sv_of(&text));
		return HOOK_BLOCKED;
	}
	hook_conclude_name(&text, r->handler);
	str_addf(&text, ": %.*s", SV_ARG(why));
	hook_answer_add(answer,
			r->handler->type == HOOK_CALLBACK ? &answer->host_failures
							  : &answer->warnings,
			r->name, sv_of(&text));
	return HOOK_FAILED;
}

/* The beginning of what a program printed about its failure. */
static struct sv hook_conclude_excerpt(struct sv text)
{
	enum { SHOWN = 400 };

	return sv_trim(utf8_prefix(sv_trim(text), SHOWN));
}

static enum hook_outcome hook_conclude_code(struct hook_answer *answer, const struct hook_result *r,
					    struct str *problem)
{
	defer(str_clear) struct str why = STR_INIT;
	struct sv output = hook_conclude_excerpt(r->err.len ? r->err : r->out);
	bool is_missing = !r->handler->argv && (r->code == 126 || r->code == 127);

	if (is_missing)
		str_adds(&why, "it could not be run");
	else
		str_addf(&why, "it ended with exit code %d", r->code);
	if (output.len)
		str_addf(&why, ": %.*s", SV_ARG(output));
	return hook_conclude_failed(answer, r, is_missing ? BREACH_BROKEN : BREACH_ERROR,
				    sv_of(&why), problem);
}

/* Exit code 2. The reason is on stderr; some hooks print it on stdout. */
static enum hook_outcome hook_conclude_block(struct hook_answer *answer,
					     const struct hook_result *r, struct str *problem)
{
	struct sv why = sv_trim(r->err);

	if (!why.len)
		why = sv_trim(r->out);
	if (hook_event_info(r->handler->event)->block == HOOK_BLOCK_IGNORED)
		return hook_conclude_failed(answer, r, BREACH_ERROR,
					    why.len ? why : SV("it ended with exit code 2"),
					    problem);
	hook_answer_decide(answer, HOOK_DENY, why.len ? why : SV("It gave no reason."));
	return HOOK_BLOCKED;
}

static enum hook_outcome hook_conclude_text(struct hook_answer *answer, const struct hook_result *r)
{
	const struct hook_event_info *info = hook_event_info(r->handler->event);
	struct sv text = sv_trim(r->out);

	if (text.len && info->stdout_is_path)
		answer->worktree_path =
			arena_dup(&answer->arena, sv_skip(text, sv_rfind_char(text, '\n') + 1));
	if (text.len && info->stdout_is_context)
		hook_answer_add(answer, &answer->context, r->name, text);
	return HOOK_SUCCEEDED;
}

static enum hook_outcome hook_conclude_json(struct hook_answer *answer, const struct hook_result *r,
					    struct str *problem)
{
	defer(str_clear) struct str why = STR_INIT;
	struct err err = ERR_INIT;

	if (!r->is_cut && hook_output_read(answer, r->handler->event, r->name, r->out, &err))
		return answer->decision == HOOK_DENY || answer->stops ? HOOK_BLOCKED
								      : HOOK_SUCCEEDED;
	if (r->has_code && r->code)
		return hook_conclude_code(answer, r, problem);
	if (r->is_cut)
		str_addf(&why, "its output exceeds %zu MiB", LIMIT_HOOK_OUTPUT / MIB);
	else
		str_addf(&why, "its output cannot be read: %s", err.text);
	return hook_conclude_failed(answer, r, BREACH_BROKEN, sv_of(&why), problem);
}

enum hook_outcome hook_conclude(struct hook_answer *answer, const struct hook_result *result,
				struct str *problem)
{
	if (result->failure)
		return hook_conclude_failed(answer, result, BREACH_BROKEN,
					    sv_cstr(result->failure->text), problem);
	if (result->has_code && result->code == 2)
		return hook_conclude_block(answer, result, problem);
	if (hook_output_is_json(result->out))
		return hook_conclude_json(answer, result, problem);
	if (result->has_code && result->code)
		return hook_conclude_code(answer, result, problem);
	return hook_conclude_text(answer, result);
}

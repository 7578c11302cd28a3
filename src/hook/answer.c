#include "hook/answer.h"

#include "base/limits.h"

void hook_answer_clear(struct hook_answer *answer)
{
	vec_clear(&answer->context);
	vec_clear(&answer->messages);
	vec_clear(&answer->warnings);
	vec_clear(&answer->host_failures);
	vec_clear(&answer->permissions);
	vec_clear(&answer->watch_paths);
	arena_clear(&answer->arena);
	*answer = (struct hook_answer){ .decision = HOOK_NO_DECISION };
}

void hook_answer_add(struct hook_answer *answer, hook_texts *list, struct sv hook, struct sv text)
{
	vec_push(list, ((struct hook_text){ arena_dup(&answer->arena, hook),
					    arena_dup(&answer->arena, text) }));
}

/* Of equal decisions all reasons count, of others that of the stricter one. */
void hook_answer_decide(struct hook_answer *answer, enum hook_decision decision, struct sv reason)
{
	if (decision < answer->decision)
		return;
	if (decision > answer->decision || !answer->reason.len)
		answer->reason = arena_dup(&answer->arena, reason);
	else if (reason.len && !sv_eq(answer->reason, reason))
		answer->reason = arena_printf(&answer->arena, "%.*s\n%.*s", SV_ARG(answer->reason),
					      SV_ARG(reason));
	answer->decision = decision;
}

static void hook_answer_join(struct hook_answer *into, hook_texts *list, const hook_texts *from)
{
	for (size_t i = 0; i < from->n; i++)
		hook_answer_add(into, list, from->at[i].hook, from->at[i].text);
}

static void hook_answer_replace(struct hook_answer *into, struct sv *value, struct sv from)
{
	if (from.len)
		*value = arena_dup(&into->arena, from);
}

static void hook_answer_merge_values(struct hook_answer *into, const struct hook_answer *from)
{
	hook_answer_replace(into, &into->updated_input, from->updated_input);
	hook_answer_replace(into, &into->updated_output, from->updated_output);
	hook_answer_replace(into, &into->updated_mcp_output, from->updated_mcp_output);
	hook_answer_replace(into, &into->session_title, from->session_title);
	hook_answer_replace(into, &into->first_prompt, from->first_prompt);
	hook_answer_replace(into, &into->classifier_context, from->classifier_context);
	hook_answer_replace(into, &into->action, from->action);
	hook_answer_replace(into, &into->content, from->content);
	hook_answer_replace(into, &into->worktree_path, from->worktree_path);
	hook_answer_replace(into, &into->display_content, from->display_content);
	if (from->terminal.len)
		into->terminal = arena_printf(&into->arena, "%.*s%.*s", SV_ARG(into->terminal),
					      SV_ARG(from->terminal));
	into->interrupts |= from->interrupts;
	into->suppresses_output |= from->suppresses_output;
	into->suppresses_prompt |= from->suppresses_prompt;
	into->reloads_skills |= from->reloads_skills;
	into->retries |= from->retries;
}

void hook_answer_merge(struct hook_answer *into, const struct hook_answer *from)
{
	const struct permission_change *changes =
		permission_changes_copy(&into->arena, from->permissions.at, from->permissions.n);

	if (from->stops && !into->stops)
		into->stop_reason = arena_dup(&into->arena, from->stop_reason);
	into->stops |= from->stops;
	if (from->decision != HOOK_NO_DECISION)
		hook_answer_decide(into, from->decision, from->reason);
	hook_answer_join(into, &into->context, &from->context);
	hook_answer_join(into, &into->messages, &from->messages);
	hook_answer_join(into, &into->warnings, &from->warnings);
	hook_answer_join(into, &into->host_failures, &from->host_failures);
	for (size_t i = 0; i < from->permissions.n; i++)
		vec_push(&into->permissions, changes[i]);
	for (size_t i = 0; i < from->watch_paths.n; i++)
		vec_push(&into->watch_paths, arena_dup(&into->arena, from->watch_paths.at[i]));
	hook_answer_merge_values(into, from);
}

void hook_answer_context(const struct hook_answer *answer, struct str *out)
{
	for (size_t i = 0; i < answer->context.n; i++)
		str_addf(out, "%s%.*s hook additional context: %.*s", i ? "\n" : "",
			 SV_ARG(answer->context.at[i].hook), SV_ARG(answer->context.at[i].text));
}

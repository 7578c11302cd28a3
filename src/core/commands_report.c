/* Slash commands that show what the session has, knows and has used. */
#include "core/commands.h"
#include "core/session_hooks.h"
#include "hook/describe.h"
#include "perm/rule/rules_describe.h"
#include "text/shell_words.h"

void session_write_usage(const struct session *s, struct str *out)
{
	const struct cost *total = &s->costs.total;

	str_adds(out, "Cost: ");
	if (total->known || total->nano_usd)
		cost_format(out, *total);
	else
		str_adds(out, "unknown");
	str_addf(out, ". Time spent waiting for the model: %.1f s.",
		 (double)s->costs.api_ms / 1000);
	for (size_t i = 0; i < s->costs.lines.n; i++) {
		const struct costs_line *line = &s->costs.lines.at[i];
		int64_t written = line->usage.cache_write_5m + line->usage.cache_write_1h;

		str_addf(out, "\n%s: %lld in, %lld out, %lld from cache, %lld into cache, ",
			 line->model, (long long)line->usage.input, (long long)line->usage.output,
			 (long long)line->usage.cache_read, (long long)written);
		cost_format(out, line->cost);
	}
}

bool commands_usage(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	session_write_usage(s, out);
	return true;
}

bool commands_memory(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	instructions_list(out, s->instructions, s->sent.instructions);
	return true;
}

bool commands_context(struct session *s, struct sv rest, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct reply_context r = session_context_report(s, &arena);
	bool is_estimate = !agent_context_tokens(s->agent);

	str_addf(out, "%s%lld of %lld tokens (%lld%%)\n", is_estimate ? "about " : "",
		 (long long)r.total, (long long)r.window,
		 (long long)(r.window ? r.total * 100 / r.window : 0));
	str_addf(out, "system prompt %lld, tools %lld, instructions %lld, messages %lld\n",
		 (long long)r.system, (long long)r.tools, (long long)r.memory,
		 (long long)r.messages);
	return commands_memory(s, rest, out);
}

bool commands_permissions(struct session *s, struct sv rest, struct str *out)
{
	defer(str_clear) struct str rule = STR_INIT;
	struct sv behavior;

	if (!rest.len) {
		perm_describe_rules(out, &s->policy);
		return true;
	}
	if (!sv_cut(&rest, ' ', &behavior) || !sv_trim(rest).len ||
	    !(sv_is(behavior, "allow") || sv_is(behavior, "ask") || sv_is(behavior, "deny"))) {
		str_adds(out, "/permissions only shows the rules; 'awl config' in a shell changes "
			      "them");
		return false;
	}
	shell_words_quote(&rule, sv_trim(rest));
	str_addf(out,
		 "/permissions only shows the rules; to add this one, run in a shell: awl config "
		 "%.*s %s",
		 SV_ARG(behavior), rule.ptr);
	return false;
}

bool commands_hooks(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	hook_describe_set(out, hooks_set(s->handlers->engine));
	if (!out->len)
		str_adds(out, "There are no hooks.");
	return true;
}

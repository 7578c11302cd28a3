/* /context and /compact: what is in the window, by source and piece by piece, what is taken out of it, and why the
 * provider did not find it in its cache. */
#include "core/agent/agent_internal.h"
#include "core/commands/commands.h"
#include "core/compaction/compaction.h"
#include "core/compaction/compaction_internal.h"
#include "core/compaction/context_edit.h"
#include "core/control/control_report.h"

enum { BYTES_PER_TOKEN = 4, BAR = 20 };

/* --- the whole ---------------------------------------------------------------------------------------- */

static void commands_context_row(struct str *out, const char *what, int64_t tokens, int64_t window)
{
	int full = window ? (int)min_of(tokens * BAR / window, (int64_t)BAR) : 0;

	defer(str_clear) struct str count = STR_INIT;

	str_add_count(&count, tokens);
	str_addf(out, "\n  %-14s %7s  %3lld%%  ", what, str_c(&count),
		 (long long)(window ? tokens * 100 / window : 0));
	for (int i = 0; i < BAR; i++)
		str_adds(out, i < full ? "#" : ".");
}

static void commands_context_summary(struct session *s, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct reply_context r = session_context_report(s, &arena);

	str_adds(out, agent_context_tokens(s->agent) ? "" : "about ");
	str_add_count(out, r.total);
	str_adds(out, " of ");
	str_add_count(out, r.window);
	str_addf(out, " tokens (%lld%%)", (long long)(r.window ? r.total * 100 / r.window : 0));
	commands_context_row(out, "system prompt", r.system, r.window);
	commands_context_row(out, "tools", r.tools, r.window);
	if (r.mcp_tools.tokens)
		commands_context_row(out, "MCP tools", r.mcp_tools.tokens, r.window);
	if (r.agents.tokens)
		commands_context_row(out, "agents", r.agents.tokens, r.window);
	if (r.skills.tokens + r.commands.tokens)
		commands_context_row(out, "skills", r.skills.tokens + r.commands.tokens, r.window);
	commands_context_row(out, "instructions", r.memory, r.window);
	commands_context_row(out, "messages", r.messages, r.window);
	commands_context_row(out, "free", r.window > r.total ? r.window - r.total : 0, r.window);
	if (r.compact_at) {
		str_adds(out, "\nawl summarises at ");
		str_add_count(out, r.compact_at);
		str_adds(out, " tokens.");
	}
	str_adds(out, "\n");
	instructions_list(out, s->instructions, s->sent.instructions);
	str_adds(out,
		 "\n\n/context messages lists the pieces, /context drop 3 or 3.1 takes some out, "
		 "/context restore 3 puts them back, /context show 3 shows the bytes, /context "
		 "cache says why the cache missed.");
}

/* --- the pieces ----------------------------------------------------------------------------------------- */

static void commands_context_messages(struct session *s, struct str *out)
{
	context_pieces pieces = VEC_INIT;

	context_list(agent_history(s->agent), &pieces);
	if (!pieces.n)
		str_adds(out, "There are no messages yet.");
	for (size_t i = 0; i < pieces.n; i++) {
		const struct context_piece *p = &pieces.at[i];

		str_addf(out, "%s%4zu.%-2zu %-9s %-8s %8zu  %s%s", i ? "\n" : "", p->message,
			 p->block, p->assistant ? "assistant" : "user", p->kind,
			 p->bytes / BYTES_PER_TOKEN, p->is_dropped ? "(dropped) " : "",
			 str_c(&p->name));
	}
	context_pieces_clear(&pieces);
}

/* "12", "12.2" or "#12". */
static bool commands_context_piece(struct sv word, size_t *message, size_t *block)
{
	struct sv rest = sv_starts(word, SV("#")) ? sv_skip(word, 1) : word, head;
	int64_t m = 0, b = 0;

	if (!sv_cut(&rest, '.', &head) || !sv_to_int(head, &m) || m < 1)
		return false;
	if (rest.len && (!sv_to_int(rest, &b) || b < 1))
		return false;
	*message = (size_t)m;
	*block = (size_t)b;
	return true;
}

/* The bytes that are sent, exactly. */
static bool commands_context_show(struct session *s, struct sv what, struct str *out)
{
	const struct history *h = agent_history(s->agent);
	const struct toolset *tools = agent_toolset(s->agent);
	size_t message, block;

	if (sv_is(what, "system")) {
		str_add(out, agent_system(s->agent));
	} else if (sv_is(what, "tools")) {
		for (size_t i = 0; i < tools->entries.n; i++)
			str_addf(out, "%s%s", i ? "\n" : "", str_c(&tools->entries.at[i]->json));
	} else if (commands_context_piece(what, &message, &block) && message <= h->messages.n) {
		str_add(out, sv_of(&h->messages.at[message - 1].json));
	} else {
		str_adds(out, "write /context show system, tools, or the number of a message");
		return false;
	}
	return true;
}

/* Count again what has changed. */
static void commands_context_recount(struct session *s, size_t before)
{
	struct agent *agent = s->agent;
	size_t after = agent->history.bytes;
	int64_t tokens = ((int64_t)before - (int64_t)after) / BYTES_PER_TOKEN;

	if (!agent->measured.tokens)
		return;
	agent->measured.tokens = max_of(agent->measured.tokens - tokens, (int64_t)1);
	agent->measured.bytes = after;
}

static bool commands_context_edit(struct session *s, struct sv rest, bool drops, struct str *out)
{
	struct agent *agent = s->agent;
	size_t before = agent->history.bytes, changed = 0, message, block;
	struct sv word;

	if (s->state != SESSION_IDLE) {
		str_adds(out, "the conversation can be changed when the turn is over");
		return false;
	}
	agent_expect_cache_miss(agent);
	while (sv_cut(&rest, ' ', &word)) {
		if (!word.len)
			continue;
		if (!commands_context_piece(word, &message, &block)) {
			str_addf(out, "'%.*s' is not a piece such as 3 or 3.1", SV_ARG(word));
			return false;
		}
		changed += drops ? context_drop(&agent->history, &s->drops, message, block)
				 : context_restore(&agent->history, &s->drops, message, block);
	}
	if (!changed) {
		str_addf(out, "nothing was %s; /context messages lists the pieces",
			 drops ? "dropped" : "restored");
		return false;
	}
	commands_context_recount(s, before);
	str_addf(out, "%zu piece%s %s. The next request has about ", changed,
		 changed == 1 ? "" : "s", drops ? "dropped" : "restored");
	str_add_count(out, agent_estimate(agent));
	str_adds(out, " tokens.");
	return true;
}

static void commands_context_cache(struct session *s, struct str *out)
{
	const struct usage *usage = agent_context_usage(s->agent);

	if (!agent_context_tokens(s->agent)) {
		str_adds(out, "No request has been sent yet.");
		return;
	}
	str_adds(out, "Last request: ");
	str_add_count(out, usage->cache_read);
	str_adds(out, " tokens from the cache, ");
	str_add_count(out, usage->cache_write_5m + usage->cache_write_1h);
	str_adds(out, " into it, ");
	str_add_count(out, usage->input);
	str_adds(out, " without it.");
	if (s->agent->cache_drop.len)
		str_addf(out, "\nThe cache last missed because %s.", str_c(&s->agent->cache_drop));
	else
		str_adds(out, "\nThe cache has not missed unexpectedly in this session.");
}

bool commands_context(struct session *s, struct sv rest, struct str *out)
{
	struct sv verb = SV_EMPTY;

	(void)sv_cut(&rest, ' ', &verb);
	rest = sv_trim(rest);
	if (!verb.len)
		commands_context_summary(s, out);
	else if (sv_is(verb, "messages"))
		commands_context_messages(s, out);
	else if (sv_is(verb, "cache"))
		commands_context_cache(s, out);
	else if (sv_is(verb, "show"))
		return commands_context_show(s, rest, out);
	else if (sv_is(verb, "drop") || sv_is(verb, "restore"))
		return commands_context_edit(s, rest, sv_is(verb, "drop"), out);
	else {
		str_adds(out, "/context knows messages, show, drop, restore and cache");
		return false;
	}
	return true;
}

/* --- /compact ------------------------------------------------------------------------------------------- */

/* Read "up to #12" or "from #12" off the front of `*rest`. */
static bool commands_compact_part(const struct history *h, struct sv *rest,
				  struct compaction_opts *opts)
{
	bool up_to = sv_starts(*rest, SV("up to #")), from = sv_starts(*rest, SV("from #"));
	struct sv text = sv_skip(*rest, up_to ? strlen("up to ") : strlen("from ")), word;
	size_t message, block;

	if (!(up_to || from) || !sv_cut(&text, ' ', &word) ||
	    !commands_context_piece(word, &message, &block) || block)
		return true;
	*rest = sv_trim(text);
	return up_to ? compaction_up_to(opts, h, message) : compaction_from(opts, h, message);
}

struct op *commands_compact(struct session *s, struct sv rest, struct then then)
{
	struct compaction_opts opts = { .agent = s->agent,
					.is_manual = true,
					.answer = &s->commands.answer };

	if (!commands_compact_part(agent_history(s->agent), &rest, &opts)) {
		str_adds(&s->commands.answer,
			 "there is no such message, or nothing would be summarised; /context "
			 "messages lists them");
		s->commands.is_refused = true;
		return op_settled(s->engine->loop, then);
	}
	opts.focus = rest;
	return compaction_start(s, &opts, then);
}

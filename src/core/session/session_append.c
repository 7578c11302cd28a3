/* What a session appends to the history of its agent: prompts that waited, and what the model has
 * to know with them (instruction files, plan mode, notes about background commands). */
#include "core/session/session_append.h"

#include "base/limits.h"
#include "core/agent/token_target.h"
#include "core/commands/session_mentions.h"
#include "core/control/control_shell.h"
#include "core/extend/session_skills.h"
#include "core/hooks/hooks.h"
#include "core/hooks/session_hooks.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/session/session_plan.h"
#include "core/session/session_prompts.h"
#include "core/session/session_records.h"
#include "core/session/session_undo.h"
#include "core/side/session_title.h"
#include "core/subagents/subagents.h"
#include "proto/message.h"

static void session_waiting_clear(struct session_waiting *w)
{
	str_clear(&w->blocks);
	str_clear(&w->uuid);
	str_clear(&w->command);
	str_clear(&w->typed);
	str_clear(&w->channel);
	str_clear(&w->context);
	str_clear(&w->images);
	str_clear(&w->origin);
}

void session_point_clear(struct prompt_point *point)
{
	str_clear(&point->content);
	str_clear(&point->context);
	str_clear(&point->refusal);
	*point = (struct prompt_point){ .count = 0 };
}

/* Count the prompts from `from` on that have the same status as the first of them. */
static size_t session_count_alike(const struct session *s, size_t from)
{
	size_t n = from;

	while (n < s->prompts.waiting.n && !s->prompts.waiting.at[n].command.len &&
	       s->prompts.waiting.at[n].check == s->prompts.waiting.at[from].check &&
	       s->prompts.waiting.at[n].is_later == s->prompts.waiting.at[from].is_later &&
	       !s->prompts.waiting.at[n].is_fork && !s->prompts.waiting.at[from].is_fork &&
	       s->prompts.waiting.at[n].is_notice == s->prompts.waiting.at[from].is_notice &&
	       sv_eq(sv_of(&s->prompts.waiting.at[n].channel),
		     sv_of(&s->prompts.waiting.at[from].channel)))
		n++;
	return n == from && from < s->prompts.waiting.n && s->prompts.waiting.at[from].is_fork
		       ? 1
		       : n - from;
}

size_t session_prompts_busy(const struct session *s)
{
	return s->state == SESSION_PROMPTING ? s->prompts.point.count
					     : s->state == SESSION_EXPANDING;
}

size_t session_prompts_waiting(const struct session *s)
{
	bool runs = s->prompts.waiting.n && s->prompts.waiting.at[0].check == CHECK_RUNS;
	bool is_seen = s->prompts.waiting.n && s->prompts.waiting.at[0].check == CHECK_PASSED;

	if (runs || (!is_seen && s->hooks.prompt && s->state == SESSION_TURN))
		return 0;
	if (s->state == SESSION_TURN && s->step && s->prompts.waiting.n &&
	    s->prompts.waiting.at[0].is_later)
		return 0; /* not in a turn that runs */
	return session_count_alike(s, 0);
}

void session_drop_waiting_at(struct session *s, size_t first, size_t n)
{
	struct session_waiting *at;

	if (!n)
		return;
	at = s->prompts.waiting.at + first;
	for (size_t i = 0; i < n; i++) {
		session_forget_prompt(s, &at[i]);
		session_waiting_clear(&at[i]);
	}
	s->prompts.waiting.n -= n;
	memmove(at, at + n, (s->prompts.waiting.n - first) * sizeof(*at));
}

void session_drop_waiting(struct session *s, size_t n)
{
	session_drop_waiting_at(s, 0, n);
}

/* Append a message of the harness. The images are blocks with a comma before each. */
static void session_append_shown(struct session *s, struct sv text, struct sv images)
{
	defer(str_clear) struct str blocks = STR_INIT;

	if (!text.len)
		return;
	block_text(&blocks, text);
	str_add(&blocks, images);
	(void)!agent_append(s->agent, &(struct agent_message){ .content = sv_of(&blocks),
							       .is_meta = true,
							       .quiet = true });
}

void session_append_meta(struct session *s, struct sv text)
{
	session_append_shown(s, text, SV_EMPTY);
}

/* Append the instruction files that the model has not seen yet. */
static void session_append_instructions(struct session *s)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t n = instructions_count(s->instructions);

	if (n > s->sent.instructions) {
		instructions_write(&text, s->instructions, s->sent.instructions);
		hooks_report_instructions(s, s->sent.instructions, n);
	}
	s->sent.instructions = n;
	session_append_meta(s, sv_of(&text));
}

static void session_append_notes(struct session *s)
{
	session_append_meta(s, sv_of(&s->pending.notes));
	str_truncate(&s->pending.notes, 0);
	control_shell_append_pending(s);
}

/* What SessionStart hooks have added. */
static void session_append_hook_context(struct session *s)
{
	struct str *context = &s->handlers->context;

	session_append_meta(s, sv_of(context));
	str_truncate(context, 0);
}

/* A prompt may say how many tokens it is worth. */
static void session_append_target(struct session *s, struct sv blocks)
{
	defer(str_clear) struct str list = STR_INIT, text = STR_INIT;
	struct err invalid = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	int64_t target;

	str_addf(&list, "[%.*s]", SV_ARG(blocks));
	doc = json_parse(sv_of(&list), 0, &invalid);
	content_text(&text, json_root(doc));
	target = token_target(sv_of(&text));
	if (!target)
		return;
	agent_set_token_target(s->agent, target);
	agent_inform(s->agent, NOTICE_INFO,
		     "The model works until it has written nearly %lld tokens.", (long long)target);
}

static void session_append_prompt(struct session *s, struct session_waiting *w, bool is_last)
{
	defer(str_clear) struct str plan = STR_INIT, origin = STR_INIT, pastes = STR_INIT;

	session_records_origin(&origin, s, w);
	session_begin_prompt(s, w);
	if (!w->is_notice) {
		session_undo_mark(s, w);
		session_title_update(s, sv_of(&w->blocks));
		session_append_target(s, sv_of(&w->blocks));
		session_plan_carry_out(s, sv_of(&w->blocks), &plan);
		session_records_paste_ids(&pastes, sv_of(&w->blocks));
	}
	if (w->blocks.len)
		(void)!agent_append(s->agent, &(struct agent_message){ .content = sv_of(&w->blocks),
								       .uuid = sv_of(&w->uuid),
								       .plan = sv_of(&plan),
								       .origin = sv_of(&origin),
								       .paste_ids = sv_of(&pastes),
								       .is_prompt = !w->is_notice,
								       .is_meta = w->is_notice,
								       .quiet = true,
								       .durable = is_last });
	session_mentions_append(s, w);
	session_append_shown(s, sv_of(&w->context), sv_of(&w->images));
}

static void session_append_prompts(struct session *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		session_append_prompt(s, &s->prompts.waiting.at[i], i + 1 == n);
	session_drop_waiting(s, n);
}

void session_append_pending(struct session *s, size_t nprompts)
{
	session_append_instructions(s);
	session_skills_append(s, nprompts > 0);
	if (nprompts)
		session_append_agents(s);
	session_mcp_append(s);
	session_append_mode(s, nprompts > 0);
	session_append_notes(s);
	session_append_hook_context(s);
	session_append_prompts(s, nprompts);
}

/* --- prompts that arrive during a turn ------------------------------------------- */

/* The hooks have looked at the prompts with CHECK_RUNS: pass them, or drop them if they are refused. */
static void session_end_check(struct session *s)
{
	struct prompt_point *point = &s->prompts.check_point;
	size_t first = 0;

	while (first < s->prompts.waiting.n && s->prompts.waiting.at[first].check != CHECK_RUNS)
		first++;
	for (size_t i = 0; i < point->count; i++)
		s->prompts.waiting.at[first + i].check = CHECK_PASSED;
	if (point->refusal.len) {
		session_drop_waiting_at(s, first, point->count);
		session_inform_refusal(s, sv_of(&point->refusal));
	} else if (point->count) {
		str_add(&s->prompts.waiting.at[first + point->count - 1].context,
			sv_of(&point->context));
	}
	session_point_clear(point);
}

static void session_on_checked(__attribute__((unused)) struct op *op, void *owner,
			       __attribute__((unused)) const struct err *why)
{
	struct session *s = owner;

	s->prompts.check = NULL;
	if (session_is_closed(s)) {
		session_settle(s);
		return;
	}
	session_end_check(s);
	session_check_prompts(s);
	session_continue(s);
}

void session_check_prompts(struct session *s)
{
	struct prompt_point *point = &s->prompts.check_point;
	size_t first = 0;

	if (s->state != SESSION_TURN || s->prompts.check || !s->hooks.prompt)
		return;
	while (first < s->prompts.waiting.n && s->prompts.waiting.at[first].check != CHECK_NONE)
		first++;
	point->count = session_count_alike(s, first);
	if (!point->count)
		return;
	for (size_t i = first; i < first + point->count; i++) {
		if (i > first)
			str_addc(&point->content, ',');
		str_add(&point->content, sv_of(&s->prompts.waiting.at[i].blocks));
		s->prompts.waiting.at[i].check = CHECK_RUNS;
	}
	s->prompts.check = s->hooks.prompt(s->hooks.arg, point, THEN(session_on_checked, s));
	if (!s->prompts.check)
		session_end_check(s);
}

void session_append_note(struct session *s, struct sv text)
{
	struct str *notes = &s->pending.notes;
	size_t wanted = notes->len + 1 + text.len, over = wanted - min_of(wanted, LIMIT_NOTES);
	size_t end = sv_find_char(sv_skip(sv_of(notes), over), '\n');

	if (over) {
		str_consume(notes, end == SIZE_MAX ? notes->len : over + end + 1);
		str_splice(notes, 0, 0, SV("[Older notes were dropped.]\n"));
	}
	if (notes->len && !sv_ends(sv_of(notes), SV("\n")))
		str_addc(notes, '\n');
	str_add(notes, text);
}

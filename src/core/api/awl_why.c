/* awl.h: what would be decided about a tool use. The decision itself is why.c's. */
#include <stdlib.h>

#include "core/api/awl_project.h"

enum { AWL_WHY_DEPTHS = 256 };

void awl_why_clear(struct awl_project *p)
{
	if (!p->why)
		return;
	why_answer_clear(&p->why->answer);
	vec_clear(&p->why->parts);
	free(p->why);
	p->why = NULL;
}

static enum awl_decision awl_why_decision(enum behavior behavior)
{
	switch (behavior) {
	case BEHAVIOR_ALLOW: return AWL_ALLOW;
	case BEHAVIOR_DENY: return AWL_DENY;
	case BEHAVIOR_ASK: break;
	}
	return AWL_ASK;
}

const char *awl_decision_name(enum awl_decision decision)
{
	static const char *const names[] = { "allow", "ask", "deny" };

	return (size_t)decision < countof(names) ? names[decision] : "ask";
}

/* --- the question -------------------------------------------------------------------------- */

typedef typeof(((struct why_question *)NULL)->allow) awl_why_rules;

static void awl_why_add_rules(awl_why_rules *out, const char *const *rules)
{
	for (; rules && *rules; rules++)
		vec_push(out, sv_cstr(*rules));
}

static bool awl_why_ask(struct awl_project *p, const struct awl_why_question *q,
			struct awl_why_made *made, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(q->input), 0, err);
	defer(why_question_clear) struct why_question question = {
		.tool = sv_cstr(q->tool),
		.cwd = q->cwd ? q->cwd : p->work_dir.ptr,
		.project = awl_project_elsewhere(p),
		.home = p->home,
		.config_dir = awl_project_config_dir(p),
		.flag_settings = p->settings,
		.setting_sources = p->sources,
		.env = awl_project_env(p),
		.mode = q->permission_mode,
		.schema = &p->schema,
	};

	if (!doc && !why_knows_tool(&question))
		return err_set(err, ERR_INVALID, "there is no tool called %s", q->tool);
	if (!doc)
		return err_context(err, "the input of %s must be a JSON object", q->tool);
	question.input = json_root(doc);
	awl_why_add_rules(&question.allow, q->allow);
	awl_why_add_rules(&question.ask, q->ask);
	awl_why_add_rules(&question.deny, q->deny);
	return why_ask(&made->answer, &question, !q->skip_details, err);
}

/* --- the answer ---------------------------------------------------------------------------- */

/* Count the depths above each depth at which parts are shown: not everything around a command is one
 * of its parts. */
static void awl_why_count_depths(const struct perm_report *report, size_t shown[AWL_WHY_DEPTHS])
{
	bool is_shown[AWL_WHY_DEPTHS] = { false };
	size_t n = 0;

	for (size_t i = 0; i < report->parts.n; i++)
		is_shown[min_of(report->parts.at[i].depth, (size_t)AWL_WHY_DEPTHS - 1)] = true;
	for (size_t i = 0; i < AWL_WHY_DEPTHS; i++) {
		shown[i] = n;
		n += is_shown[i];
	}
}

static void awl_why_fill(struct awl_why_made *made)
{
	struct why_answer *a = &made->answer;
	size_t shown[AWL_WHY_DEPTHS];

	awl_why_count_depths(&a->report, shown);
	for (size_t i = 0; i < a->report.parts.n; i++) {
		const struct perm_part *part = &a->report.parts.at[i];
		size_t depth = min_of(part->depth, (size_t)AWL_WHY_DEPTHS - 1);

		vec_push(&made->parts, ((struct awl_why_part){
					       .text = arena_dup(&a->arena, part->text).ptr,
					       .reason = part->verdict.text,
					       .decision = awl_why_decision(part->verdict.behavior),
					       .depth = shown[depth] }));
	}
	for (size_t i = 0; i < a->nrules; i++)
		a->rules[i] = arena_dup(&a->arena, a->rules[i]);
	made->why = (struct awl_why_answer){ .decision = awl_why_decision(a->verdict.behavior),
					     .reason = a->verdict.text,
					     .reason_type = verdict_reason_name(a->verdict.reason),
					     .permission_mode = perm_mode_name(a->mode),
					     .asks_model = a->verdict.behavior == BEHAVIOR_ASK &&
							   a->asks_model,
					     .has_unusable_settings = a->is_unsure,
					     .needs_bare_rule = a->needs_bare_rule,
					     .nparts = made->parts.n,
					     .nrules = a->nrules };
}

enum awl_result awl_why(struct awl_project *p, const struct awl_why_question *question,
			const struct awl_why_answer **out)
{
	struct awl_why_question q = AWL_WHY_QUESTION_INIT;
	struct err err = ERR_INIT;

	awl_project_begin(p);
	if (!awl_copy_struct(&q, sizeof(q), question, "AWL_WHY_QUESTION_INIT", &err))
		return awl_fail(&err);
	p->why = xnew(struct awl_why_made);
	p->why->answer = (struct why_answer)WHY_ANSWER_INIT;
	if (!awl_why_ask(p, &q, p->why, &err))
		return awl_fail(&err);
	str_add(&p->notes, sv_of(&p->why->answer.notes));
	awl_why_fill(p->why);
	*out = &p->why->why;
	return AWL_OK;
}

const struct awl_why_part *awl_why_part_at(const struct awl_why_answer *why, size_t i)
{
	const struct awl_why_made *made = container_of(why, struct awl_why_made, why);

	return i < made->parts.n ? &made->parts.at[i] : NULL;
}

const char *awl_why_rule_at(const struct awl_why_answer *why, size_t i)
{
	const struct awl_why_made *made = container_of(why, struct awl_why_made, why);

	return i < made->answer.nrules ? made->answer.rules[i].ptr : NULL;
}

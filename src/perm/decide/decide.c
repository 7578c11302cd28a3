/* From a policy and a request to a verdict. The chain of a decision, from the outside in:
 *
 *   perm_decide, perm_explain  hooks; every path of the request; the strictest verdict wins
 *     decide_in_mode           what the mode makes of a question: plan, dontAsk
 *       decide_request         a tool call or a command line
 *         decide_tool_call     deny > ask > protected paths > mode > allow
 *         decide_command_line  the same for each command of the line (decide_command.c) */
#include "perm/decide/decide_command.h"
#include "perm/decide/decide_search.h"
#include "perm/decide/floor.h"
#include "perm/decide/hook_guard.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "perm/perm.h"
#include "perm/rule/raw_command.h"
#include "perm/rule/rule.h"

/* --- tool calls ------------------------------------------------------------- */

static const struct sv *decide_find_dir(const struct perm_policy *policy, struct sv path)
{
	for (size_t i = 0; i < policy->dirs.n; i++)
		if (path_is_inside(path, policy->dirs.at[i]))
			return &policy->dirs.at[i];
	return NULL;
}

static struct verdict decide_by_dir(const struct perm_policy *policy,
				    const struct perm_request *request)
{
	const struct sv *dir = decide_find_dir(policy, request->path);
	bool denies = request->access == ACCESS_READ ? perm_denies_read(policy, request->path)
						     : policy->denies_writes_outside;

	if (dir)
		return verdict_of(BEHAVIOR_ALLOW, REASON_WORKING_DIR,
				  "%s is inside the working directory %s.",
				  quote(request->path).text, quote(*dir).text);
	if (!denies && request->access == ACCESS_READ && path_is_public(request->path, false))
		return verdict_of(BEHAVIOR_ALLOW, REASON_WORKING_DIR,
				  "%s is the same for every project.", quote(request->path).text);
	if (policy->dirs.n == 0)
		return verdict_of(BEHAVIOR_ASK, REASON_WORKING_DIR,
				  "There is no working directory.");
	return verdict_of(denies ? BEHAVIOR_DENY : BEHAVIOR_ASK, REASON_WORKING_DIR,
			  policy->dirs.n == 1
				  ? "%s is outside the working directory %s."
				  : "%s is outside the working directories (the first is %s).",
			  quote(request->path).text, quote(policy->dirs.at[0]).text);
}

static bool decide_is_secret(const struct perm_request *request)
{
	struct sv glob = sv_is(request->tool, "Grep")
				 ? json_str_or(json_get(request->input, "glob"), SV_EMPTY)
				 : SV_EMPTY;

	return secret_is_file(request->path) || (glob.len && secret_is_glob(glob)) ||
	       (request->named.len && secret_is_file(request->named));
}

static struct verdict decide_read_by_mode(const struct perm_policy *policy,
					  const struct perm_request *request)
{
	struct verdict v = decide_by_dir(policy, request), shown;

	if (v.behavior != BEHAVIOR_ALLOW)
		return v;
	if (decide_is_secret(request))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY, "%s looks like a secret.",
				  quote(request->path).text);
	shown = decide_by_grep(policy, request);
	return shown.behavior == BEHAVIOR_ALLOW ? v : shown;
}

static struct verdict decide_write_by_mode(const struct perm_policy *policy,
					   const struct perm_request *request)
{
	struct verdict v = decide_by_dir(policy, request);

	if (v.behavior == BEHAVIOR_DENY)
		return v;
	if (policy->mode == PERM_DONT_ASK)
		return verdict_of(BEHAVIOR_ASK, REASON_MODE, "No rule allows writing %s.",
				  quote(request->path).text);
	if (!perm_mode_edits(policy->mode))
		return verdict_of(BEHAVIOR_ASK, REASON_MODE,
				  "Editing files needs your approval in %s mode.",
				  perm_mode_name(policy->mode));
	if (v.behavior == BEHAVIOR_ALLOW)
		return verdict_of(BEHAVIOR_ALLOW, REASON_MODE, "%s mode allows edits: %s",
				  perm_mode_name(policy->mode), v.text);
	return v;
}

static struct verdict decide_by_mode(const struct perm_policy *policy,
				     const struct perm_request *request)
{
	switch (request->access) {
	case ACCESS_NONE:
		return verdict_of(BEHAVIOR_ALLOW, REASON_OTHER,
				  "%s changes nothing outside the session.",
				  quote(request->tool).text);
	case ACCESS_READ: return decide_read_by_mode(policy, request);
	case ACCESS_WRITE: return decide_write_by_mode(policy, request);
	case ACCESS_NET:
		if (request->documentation && !policy->asks_about_documentation)
			return verdict_of(BEHAVIOR_ALLOW, REASON_MODE,
					  "%s is on awl's list of documentation sites.",
					  request->documentation);
		break;
	case ACCESS_RUN:
	case ACCESS_OTHER: break;
	}
	return verdict_of(BEHAVIOR_ASK, REASON_MODE, "No rule allows this %s call.",
			  quote(request->tool).text);
}

static bool decide_is_protected(const struct perm_policy *policy,
				const struct perm_request *request, struct sv *what)
{
	return request->access == ACCESS_WRITE &&
	       (perm_protects(policy, request->path, what) ||
		(request->named.len && perm_protects(policy, request->named, what)));
}

/* Whether somebody who looks at the call knows which file it means. */
static bool decide_is_unambiguous(const struct perm_request *request)
{
	return !request->is_disguised &&
	       text_is_visible(request->named.len ? request->named : request->path);
}

/* Links are resolved, so the path is the plan itself and nothing else. */
static bool decide_is_plan(const struct perm_policy *policy, const struct perm_request *request)
{
	return policy->plan_file.len && sv_eq(request->path, policy->plan_file) &&
	       (request->access == ACCESS_READ || request->access == ACCESS_WRITE) &&
	       decide_is_unambiguous(request);
}

/* Links are resolved here, too, so nothing in such a directory leads out of it. */
static bool decide_is_own(const struct perm_policy *policy, const struct perm_request *request)
{
	if ((request->access != ACCESS_READ && request->access != ACCESS_WRITE) ||
	    !decide_is_unambiguous(request))
		return false;
	for (size_t i = 0; i < policy->own_paths.n; i++) {
		struct sv own = policy->own_paths.at[i];

		if (own.len && sv_starts(request->path, own) &&
		    (request->path.len == own.len || request->path.ptr[own.len] == '/'))
			return true;
	}
	return false;
}

/* A rule that would deny, if only the request said enough, makes this a question. */
static struct verdict decide_tool_call(struct rule_case *c)
{
	bool plans = c->policy->mode == PERM_PLAN && c->request.access == ACCESS_WRITE;
	const struct perm_rule *denies, *asks, *allows;
	enum rule_match match;
	struct verdict v;
	struct sv what;

	if (c->request.access == ACCESS_WRITE &&
	    (floor_is_storage(c->request.path) || floor_is_storage(c->request.named)))
		return verdict_of(BEHAVIOR_DENY, REASON_SAFETY,
				  "%s is raw storage; writing to it would destroy its contents.",
				  quote(c->request.path).text);
	denies = rule_find(BEHAVIOR_DENY, c, &match);
	if (match == RULE_YES)
		return verdict_by_rule(BEHAVIOR_DENY, denies);
	asks = rule_find(BEHAVIOR_ASK, c, &match);
	if (asks || denies)
		return verdict_by_rule(BEHAVIOR_ASK, asks ? asks : denies);
	if (c->request.needs_user)
		return verdict_of(BEHAVIOR_ASK, REASON_OTHER, "%s asks the user a question.",
				  quote(c->request.tool).text);
	if (decide_is_plan(c->policy, &c->request))
		return verdict_of(BEHAVIOR_ALLOW, REASON_MODE, "%s is the plan of this session.",
				  quote(c->request.path).text);
	if (decide_is_own(c->policy, &c->request))
		return verdict_of(BEHAVIOR_ALLOW, REASON_MODE,
				  "%s belongs to the memory or the notes of this session.",
				  quote(c->request.path).text);
	if (decide_is_protected(c->policy, &c->request, &what))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY, "%s is a protected path (%s).",
				  quote(c->request.path).text, quote(what).text);
	if (c->policy->mode == PERM_BYPASS)
		return verdict_of(BEHAVIOR_ALLOW, REASON_MODE,
				  "bypassPermissions mode allows everything.");
	allows = rule_find(BEHAVIOR_ALLOW, c, &match);
	v = match == RULE_YES && !plans ? verdict_by_rule(BEHAVIOR_ALLOW, allows)
					: decide_by_mode(c->policy, &c->request);
	if (v.behavior == BEHAVIOR_ALLOW && !decide_is_unambiguous(&c->request))
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "The path of this %s call is ambiguous or contains invisible "
				  "characters.",
				  quote(c->request.tool).text);
	return v;
}

/* --- all requests --------------------------------------------------------------- */

/* Rules about a parameter of the call. */
static struct verdict decide_by_parameters(struct rule_case *c)
{
	static const enum behavior all[] = { BEHAVIOR_DENY, BEHAVIOR_ASK };

	for (size_t i = 0; i < countof(all); i++) {
		const struct perm_rule *rule = rule_find_param(all[i], c);

		if (rule)
			return verdict_by_rule(all[i], rule);
	}
	return (struct verdict){ .behavior = BEHAVIOR_ALLOW };
}

static struct verdict decide_request(const struct perm_policy *policy,
				     const struct perm_request *request, struct perm_report *report)
{
	struct perm_part part = { .text = request->path };
	struct rule_case c;

	if (sv_find_char(request->command, '\0') != SIZE_MAX)
		return verdict_of(BEHAVIOR_DENY, REASON_SAFETY,
				  "The command contains a NUL byte, so the shell would not run "
				  "what is shown.");
	if (sv_find_char(request->named, '\0') != SIZE_MAX)
		return verdict_of(BEHAVIOR_DENY, REASON_SAFETY,
				  "The path contains a NUL byte, so another file would be opened.");
	rule_case_init(&c, policy, request);
	if (request->access == ACCESS_RUN) {
		struct verdict by_parameters = decide_by_parameters(&c),
			       by_command = decide_command_line(policy, request, report);

		return by_parameters.behavior > by_command.behavior ? by_parameters : by_command;
	}
	part.verdict = decide_tool_call(&c);
	if (report) {
		part.text = arena_dup(&report->arena,
				      request->path.len ? request->path : request->tool);
		vec_push(&report->parts, part);
	}
	return part.verdict;
}

static struct verdict decide_in_mode(const struct perm_policy *policy,
				     const struct perm_request *request, struct perm_report *report)
{
	struct verdict v = decide_request(policy, request, report);
	bool by_choice = v.reason == REASON_RULE || v.reason == REASON_MODE;

	if (policy->is_incomplete && v.behavior == BEHAVIOR_ALLOW && by_choice &&
	    request->access != ACCESS_READ)
		v = verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
			       "A settings file that may forbid this is invalid; run 'awl config "
			       "check' to see which.");
	if (v.behavior != BEHAVIOR_ASK)
		return v;
	if (policy->mode == PERM_PLAN && v.reason == REASON_MODE && request->access != ACCESS_NET)
		v = verdict_of(BEHAVIOR_ASK, REASON_MODE,
			       "In plan mode nothing is changed before a plan is accepted.");
	if (policy->mode == PERM_DONT_ASK)
		return verdict_of(BEHAVIOR_DENY, REASON_MODE,
				  "dontAsk mode denies what would need approval: %s", v.text);
	if (policy->denies_questions && !request->needs_user)
		return verdict_of(BEHAVIOR_DENY, v.reason,
				  "The settings deny what would need approval: %s", v.text);
	return v;
}

/* autoMode.classifyAllShell: a model looks at commands that would be allowed, too. */
static bool decide_must_classify(const struct perm_policy *policy,
				 const struct perm_request *request, const struct verdict *v)
{
	return policy->classifies_commands && policy->mode == PERM_AUTO &&
	       request->access == ACCESS_RUN && v->behavior == BEHAVIOR_ALLOW;
}

struct verdict perm_explain(const struct perm_policy *policy, const struct perm_request *request,
			    struct perm_report *report)
{
	const struct perm_guard *guard = hook_guard_find(policy, request->tool);
	struct verdict worst;
	struct perm_request one = *request;

	if (guard)
		return hook_guard_deny(guard, request->tool);
	worst = decide_in_mode(policy, request, report);
	one.named = SV_EMPTY;
	for (size_t i = 0; i < request->n_more; i++) {
		one.path = request->more_paths[i];
		worst = verdict_stricter(worst, decide_in_mode(policy, &one, report));
	}
	if (decide_must_classify(policy, request, &worst))
		return verdict_of(BEHAVIOR_ASK, REASON_MODE,
				  "In auto mode every command is checked "
				  "(autoMode.classifyAllShell).");
	return worst;
}

struct verdict perm_decide(const struct perm_policy *policy, const struct perm_request *request)
{
	return perm_explain(policy, request, NULL);
}

bool perm_is_for_model(const struct perm_policy *policy, const struct perm_request *request,
		       const struct verdict *verdict)
{
	return policy->mode == PERM_AUTO && verdict->behavior == BEHAVIOR_ASK &&
	       verdict->reason != REASON_SAFETY && verdict->reason != REASON_RULE &&
	       verdict->reason != REASON_HOOK && !request->needs_user;
}

void perm_report_clear(struct perm_report *report)
{
	vec_clear(&report->parts);
	arena_clear(&report->arena);
}

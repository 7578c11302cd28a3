/* The plan of a session: the file it is kept in, plan mode, and what the model hears about both.
 *
 * The file is chosen when the session plans for the first time. Its slug goes into every record from
 * then on, so a resumed session continues with the same plan; a fork gets a copy of its own. */
#include "core/session/session_plan.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "context/plan_mode.h"
#include "core/policy/policy.h"
#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "proto/message.h"
#include "store/plans.h"
#include "text/json/json_write.h"

/* --- its file ------------------------------------------------------------------------- */

static bool session_plan_is_inside(struct sv path, struct sv dir)
{
	return sv_starts(path, dir) && (path.len == dir.len || path.ptr[dir.len] == '/');
}

/* Append the directory of the setting. A plan is written without a question, so the directory must
 * be in the project and be none that other programs obey; only .claude/plans is meant for it. */
static bool session_plan_own_dir(struct session *s, struct str *out, struct arena *arena)
{
	struct sv root = sv_cstr(s->shared.root), what;
	struct sv wanted = sv_cstr(settings_str(s->settings, "plansDirectory"));
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str usual = STR_INIT;
	defer(str_clear) struct str note = STR_INIT;
	struct sv real;

	if (!wanted.len)
		return false;
	policy_place(&path, s->engine->home, s->shared.root, wanted);
	real = tool_real_path(agent_tool_context(s->agent), sv_of(&path), arena);
	fs_join(&usual, root, SV(".claude/plans"));
	if (session_plan_is_inside(real, root) &&
	    (sv_eq(real, sv_of(&usual)) || !perm_protects(&s->policy, real, &what))) {
		str_add(out, real);
		return true;
	}
	str_addf(&note,
		 "plansDirectory is ignored: %.*s is %s. Plans go to the plans directory of your "
		 "configuration.",
		 SV_ARG(real),
		 session_plan_is_inside(real, root) ? "a protected path" : "outside the project");
	if (session_has_reader(s))
		session_inform(s, NOTICE_WARNING, sv_of(&note));
	else
		session_add_notice(s, sv_of(&note));
	return false;
}

static bool session_plan_dir(struct session *s, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str own = STR_INIT;

	if (session_plan_own_dir(s, out, &arena))
		return true;
	if (!s->engine->config_dir)
		return false;
	fs_join(&own, sv_cstr(s->engine->config_dir), SV("plans"));
	str_add(out, tool_real_path(agent_tool_context(s->agent), sv_of(&own), &arena));
	return true;
}

/* Choose the file of this slug, or of a new one if it is empty. */
static void session_plan_choose(struct session *s, struct sv slug)
{
	struct session_plan *plan = &s->plan;
	defer(str_clear) struct str dir = STR_INIT;

	if (!session_plan_dir(s, &dir))
		return;
	str_set(&plan->slug, slug);
	if (!slug.len)
		plan_slug_choose(&plan->slug, sv_of(&dir), loop_rng(s->engine->loop));
	str_truncate(&plan->path, 0);
	plan_path(&plan->path, sv_of(&dir), sv_of(&plan->slug));
	perm_set_plan_file(&s->policy, sv_of(&plan->path));
}

/* Write a plan that only the transcript has left. A file that is there is newer. */
static void session_plan_restore(struct session *s, struct sv content)
{
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	if (!content.len || fs_exists(s->plan.path.ptr) ||
	    plan_write(s->plan.path.ptr, content, &err))
		return;
	str_addf(&note, "The plan of this session could not be restored: %s", err.text);
	session_add_notice(s, sv_of(&note));
}

void session_plan_adopt(struct session *s, const struct transcript_loaded *loaded, bool is_copy)
{
	defer(str_clear) struct str content = STR_INIT;

	if (!loaded->slug.len)
		return;
	session_plan_choose(s, sv_of(&loaded->slug));
	if (!s->plan.path.len)
		return;
	if (!session_plan_read(s, &content))
		str_set(&content, sv_of(&loaded->plan));
	if (is_copy)
		session_plan_choose(s, SV_EMPTY);
	session_plan_restore(s, sv_of(&content));
}

const char *session_plan_file(struct session *s)
{
	if (!s->plan.path.len)
		session_plan_choose(s, SV_EMPTY);
	return s->plan.path.len ? s->plan.path.ptr : NULL;
}

bool session_plan_read(const struct session *s, struct str *out)
{
	return s->plan.path.len && plan_read(out, s->plan.path.ptr);
}

/* The prompt with which front ends and hosts begin a conversation after a plan was accepted. */
#define PLAN_PROMPT "Implement the following plan:\n\n"

void session_plan_carry_out(struct session *s, struct sv blocks, struct str *plan)
{
	defer(str_clear) struct str list = STR_INIT, text = STR_INIT;
	struct err invalid = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;

	if (s->plan.path.len || sv_find(blocks, SV("Implement the following plan:")) == SIZE_MAX)
		return;
	str_addf(&list, "[%.*s]", SV_ARG(blocks));
	doc = json_parse(sv_of(&list), 0, &invalid);
	content_text(&text, json_root(doc));
	if (!sv_starts(sv_of(&text), SV(PLAN_PROMPT)))
		return;
	str_add(plan, utf8_prefix(sv_skip(sv_of(&text), strlen(PLAN_PROMPT)), LIMIT_PLAN));
	if (session_plan_file(s))
		session_plan_restore(s, sv_of(plan));
}

void session_plan_forget(struct session *s)
{
	str_truncate(&s->plan.slug, 0);
	str_truncate(&s->plan.path, 0);
	perm_set_plan_file(&s->policy, SV_EMPTY);
}

void session_plan_clear(struct session_plan *plan)
{
	str_clear(&plan->slug);
	str_clear(&plan->path);
	str_clear(&plan->workflow);
}

/* --- what the model hears --------------------------------------------------------------- */

static struct plan_mode session_plan_describe(struct session *s)
{
	const struct toolset *tools = agent_toolset(s->agent);
	bool can_present = toolset_has(tools, SV("ExitPlanMode"));
	const char *file = can_present ? session_plan_file(s) : NULL;

	return (struct plan_mode){ .file = sv_cstr(file),
				   .has_plan = file && fs_exists(file),
				   .can_present = can_present,
				   .can_ask = toolset_has(tools, SV("AskUserQuestion")),
				   .workflow = sv_of(&s->plan.workflow) };
}

/* Record the state of the plan, as other programs that read the transcript expect it. */
static void session_plan_attach(struct session *s, const char *type, const struct plan_mode *mode,
				bool is_reminder)
{
	defer(str_clear) struct str json = STR_INIT, plan = STR_INIT;
	bool is_start = strcmp(type, "plan_mode") == 0;
	struct jw w;

	if (!mode->file.len)
		return;
	jw_init(&w, &json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", sv_cstr(type));
	if (is_start) {
		jw_put_str(&w, "reminderType", is_reminder ? SV("sparse") : SV("full"));
		jw_put_bool(&w, "isSubAgent", false);
	}
	jw_put_str(&w, "planFilePath", mode->file);
	jw_put_bool(&w, "planExists", mode->has_plan);
	if (strcmp(type, "plan_file_reference") == 0 && session_plan_read(s, &plan))
		jw_put_str(&w, "planContent", sv_of(&plan));
	jw_end(&w);
	jw_done(&w);
	agent_attach(s->agent, sv_of(&json));
}

/* What the tools have told the model is recorded when their results are in. */
static void session_plan_record_news(struct session *s, const struct plan_mode *mode)
{
	if (s->plan.news == PLAN_BEGUN)
		session_plan_attach(s, "plan_mode", mode, false);
	if (s->plan.news == PLAN_ACCEPTED) {
		session_plan_attach(s, "plan_mode_exit", mode, false);
		session_plan_attach(s, "plan_file_reference", mode, false);
	}
	s->plan.news = PLAN_NO_NEWS;
}

/* Tell the model that plan mode has begun or ended, or that it is still on. A tool that begins or
 * ends it says so itself. */
void session_append_mode(struct session *s, bool has_prompt)
{
	bool plans = s->policy.mode == PERM_PLAN, is_reminder = plans && s->sent.plan_mode;
	bool is_due = plans != s->sent.plan_mode || (is_reminder && has_prompt);
	defer(str_clear) struct str text = STR_INIT;
	struct plan_mode mode;

	if (!is_due && s->plan.news == PLAN_NO_NEWS)
		return;
	mode = session_plan_describe(s);
	session_plan_record_news(s, &mode);
	if (!is_due)
		return;
	if (is_reminder)
		plan_mode_write_reminder(&text, &mode);
	else if (plans)
		plan_mode_write_start(&text, &mode);
	else
		plan_mode_write_end(&text, &mode);
	session_plan_attach(s, plans ? "plan_mode" : "plan_mode_exit", &mode, is_reminder);
	session_append_meta(s, sv_of(&text));
	s->sent.plan_mode = plans;
}

/* --- what the tools do -------------------------------------------------------------------- */

void session_plan_begin(struct session *s, struct str *out)
{
	struct plan_mode mode;
	struct err err = ERR_INIT;

	if (s->policy.mode != PERM_PLAN) {
		if (!session_set_mode(s, SV("plan"), &err)) {
			str_addf(out, "But plan mode cannot be turned on: %s.", err.text);
			return;
		}
		session_emit_mode(s);
	}
	mode = session_plan_describe(s);
	plan_mode_write_start(out, &mode);
	s->sent.plan_mode = true;
	s->plan.news = PLAN_BEGUN;
}

/* The mode from before comes back, if the session may still have it. */
void session_plan_end(struct session *s)
{
	struct err ignored = ERR_INIT;

	s->sent.plan_mode = false;
	s->plan.news = PLAN_ACCEPTED;
	if (s->policy.mode != PERM_PLAN) /* the user has chosen another mode with the answer */
		return;
	if (!session_set_mode(s, sv_cstr(perm_mode_name(s->plan.before)), &ignored))
		s->policy.mode = PERM_DEFAULT;
	session_emit_mode(s);
}

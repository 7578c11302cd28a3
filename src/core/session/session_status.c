/* What a session is and works with, for /status and for hosts that ask. */
#include "core/session/session_status.h"

#include "base/secret_mask.h"
#include "core/policy/project.h"
#include "core/session/session_internal.h"
#include "model/catalogue/catalogue.h"
#include "store/git/git.h"
#include "store/git/git_refs.h"
#include "sys/fs.h"

enum { STATUS_FACTS = 24 };

struct status {
	struct session *s;
	struct arena *arena;
	struct reply_fact *facts;
	size_t n;
};

static void status_add(struct status *st, struct sv label, struct sv value)
{
	BUG_ON(st->n == STATUS_FACTS);
	st->facts[st->n++] = (struct reply_fact){ label, arena_dup(st->arena, value) };
}

/* The branch as it is now; no process is started for it. */
static void status_add_branch(struct status *st)
{
	struct git_refs refs = { .branch = STR_INIT };
	defer(str_clear) struct str top = STR_INIT;
	struct sv known = sv_of(&st->s->conversation.branch);

	if (git_find(&top, agent_cwd(st->s->agent).ptr) && git_refs_read(&refs, str_c(&top)))
		known = sv_of(&refs.branch);
	status_add(st, SV("Branch"), known);
	git_refs_clear(&refs);
}

static void status_add_directories(struct status *st)
{
	defer(str_clear) struct str list = STR_INIT;

	for (size_t i = 1; i < st->s->policy.dirs.n; i++)
		str_addf(&list, "%s%.*s", i > 1 ? ", " : "", SV_ARG(st->s->policy.dirs.at[i]));
	status_add(st, SV("Directory"), agent_cwd(st->s->agent));
	status_add(st, SV("Added directories"), sv_of(&list));
}

struct costs_service session_service(const struct session *s)
{
	return (struct costs_service){ .table = s->engine->table,
				       .provider = model_account(&s->engine->config).provider };
}

static void status_add_service(struct status *st)
{
	const struct model_config *config = &st->s->engine->config;
	struct reply_account account = model_account(config);
	const char *effort = model_effort_name(model_rules_effort(
		&st->s->rules, agent_next_model(st->s->agent), agent_wanted_effort(st->s->agent)));
	defer(str_clear) struct str url = STR_INIT;

	secret_mask(&url, sv_cstr(config->base_url));
	status_add(st, SV("Model"), agent_next_model(st->s->agent));
	status_add(st, SV("Effort"), sv_cstr(effort));
	status_add(st, SV("Provider"), sv_cstr(model_provider_title(config->provider)));
	status_add(st, SV("Endpoint"), sv_of(&url));
	status_add(st, SV("Credential"), account.key_source);
}

/* The mode with its name in other programs, and what it means. */
static void status_add_mode(struct status *st)
{
	static const char *const labels[PERM_MODES] = {
		[PERM_DEFAULT] = "Approve: edits and commands need your approval",
		[PERM_ACCEPT_EDITS] =
			"Edit Only: file edits are approved, commands need your approval",
		[PERM_PLAN] = "Plan: the model presents a plan before it changes anything",
		[PERM_DONT_ASK] = "what would need your approval is denied",
		[PERM_BYPASS] = "Auto: everything is approved",
		[PERM_AUTO] = "a model decides about what would need your approval",
	};
	enum perm_mode mode = st->s->policy.mode;
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text, "%s (%s)", perm_mode_name(mode), labels[mode]);
	status_add(st, SV("Permission mode"), sv_of(&text));
}

const char *session_trust(struct session *s)
{
	static const char *const states[] = {
		[TRUST_NOT_NEEDED] = "nothing here needs trust",
		[TRUST_GIVEN] = "trusted",
		[TRUST_NEVER_GIVEN] = "not trusted; 'awl trust' shows its files",
		[TRUST_OUTDATED] = "it changed since it was trusted; 'awl trust' shows its files",
	};
	defer(project_clear) struct project project = PROJECT_INIT;

	session_inspect_project(s, &project);
	return states[project.trust.state];
}

static void status_add_settings(struct status *st)
{
	defer(str_clear) struct str files = STR_INIT;
	struct settings_taken taken;
	size_t at = 0;

	while (settings_next_taken(st->s->settings, &at, &taken))
		str_addf(&files, "%s%s", files.len ? ", " : "", taken.file);
	status_add(st, SV("Settings"), sv_of(&files));
	status_add(st, SV("Trust"), sv_cstr(session_trust(st->s)));
}

size_t session_status(struct session *s, const struct reply_fact **out, struct arena *arena)
{
	struct status st = { .s = s,
			     .arena = arena,
			     .facts =
				     arena_calloc(arena, STATUS_FACTS, sizeof(struct reply_fact)) };

	status_add(&st, SV("Version"), SV(AWL_VERSION));
	status_add(&st, SV("Session ID"), sv_cstr(s->conversation.id.text));
	status_add(&st, SV("Session name"), sv_of(&s->conversation.title));
	status_add(&st, SV("Session file"), sv_cstr(s->conversation.path));
	status_add_directories(&st);
	status_add_branch(&st);
	status_add_service(&st);
	status_add_mode(&st);
	status_add(&st, SV("Sandbox"), s->shared.sandbox ? SV("on") : SV("off"));
	status_add_settings(&st);
	*out = st.facts;
	return st.n;
}

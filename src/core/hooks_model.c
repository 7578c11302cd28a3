/* Hooks around a change of the model that the user or the host asks for: PreModelSwitch and
 * PostModelSwitch. A change that awl makes itself (a fallback, the model of a command, new settings)
 * has no hooks. */
#include "core/session_hooks.h"
#include "text/json/json_write.h"

enum { TTL_5M_MS = 5 * 60 * 1000, TTL_1H_MS = 60 * 60 * 1000 };

/* What the model would be called by, as JSON: null is the default one. */
static void hooks_model_write_name(struct str *out, struct sv name)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	if (name.len && !sv_is(name, "default"))
		jw_str(&w, name);
	else
		jw_null(&w);
	jw_done(&w);
}

void model_before_read(struct model_before *out, const struct session *s)
{
	*out = (struct model_before){ .context_tokens = agent_context_tokens(s->agent) };
	str_add(&out->id, agent_next_model(s->agent));
}

void model_before_clear(struct model_before *before)
{
	str_clear(&before->id);
}

/* What it costs to send the conversation to a model that has it in no cache, in dollars. */
static double hooks_model_estimate(const struct session *s, const struct model_info *info,
				   int64_t tokens)
{
	enum model_cache cache = session_setting_cache(s);
	const struct usage usage = { .cache_write_5m = cache == MODEL_CACHE_5M ? tokens : 0,
				     .cache_write_1h = cache == MODEL_CACHE_1H ? tokens : 0,
				     .input = cache == MODEL_CACHE_OFF ? tokens : 0,
				     .known = true };

	return (double)usage_cost(&usage, &info->price).nano_usd / 1e9;
}

static struct hook_input hooks_model_input(const struct session *s, enum hook_event event,
					   const struct model_before *before, struct sv to,
					   const char *source)
{
	struct hook_input in = session_hooks_input(s, s->agent, event);
	struct model_info info = model_info(s->engine->table, to);
	bool is_long = session_setting_cache(s) == MODEL_CACHE_1H;
	int64_t age_ms = loop_now(s->engine->loop) - s->answered_ms;

	in.from_model = sv_of(&before->id);
	in.to_model = to;
	in.source = sv_cstr(source);
	in.context_tokens = before->context_tokens;
	in.prompt_cache_warm = s->answered_ms && age_ms < (is_long ? TTL_1H_MS : TTL_5M_MS);
	in.cache_ttl = is_long ? SV("1h") : SV("5m");
	in.estimated_cache_write_usd = hooks_model_estimate(s, &info, before->context_tokens);
	in.pricing = json_exists(settings_get(s->settings, "modelPricing")) ? SV("configured")
		     : info.known                                           ? SV("catalog")
									    : SV("default");
	return in;
}

/* --- PreModelSwitch --------------------------------------------------------------------------- */

/* Nobody can be asked about a model yet, so a hook that wants it refuses. */
static void hooks_model_apply(__attribute__((unused)) struct session *s,
			      const struct hook_answer *answer, void *arg)
{
	struct str *refusal = arg;
	struct sv why = answer->decision ? answer->reason : answer->stop_reason;

	if (answer->decision == HOOK_DENY || answer->stops)
		str_adds(refusal, "A PreModelSwitch hook refused it");
	else if (answer->decision == HOOK_ASK || answer->decision == HOOK_DEFER)
		str_adds(refusal, "A PreModelSwitch hook wants it confirmed, and awl cannot ask "
				  "about a model");
	else
		return;
	if (why.len)
		str_addf(refusal, ": %.*s", SV_ARG(why));
}

bool hooks_guard_model(const struct session *s)
{
	return hooks_has(s->handlers->engine, HOOK_PRE_MODEL_SWITCH);
}

struct op *hooks_check_model(struct session *s, struct sv name, const char *source,
			     struct str *refusal, struct then then)
{
	defer(str_clear) struct str id = STR_INIT, ignored = STR_INIT, asked = STR_INIT;
	defer(model_before_clear) struct model_before before = { .context_tokens = 0 };
	struct hook_input in;
	struct err err = ERR_INIT;

	if (!hooks_guard_model(s) || !model_rules_find(&s->rules, name, &id, &ignored, &err) ||
	    sv_eq(sv_of(&id), agent_next_model(s->agent)))
		return NULL;
	hooks_model_write_name(&asked, name);
	model_before_read(&before, s);
	in = hooks_model_input(s, HOOK_PRE_MODEL_SWITCH, &before, sv_of(&id), source);
	in.requested_model = sv_of(&asked);
	return session_hooks_start(s, &in, hooks_model_apply, refusal, then);
}

static void hooks_model_on_checked(struct op *op, void *owner, const struct err *why)
{
	struct session *s = owner;
	struct session_hooks *h = s->handlers;

	h->model_checked = true;
	if (why) { /* the interrupt was for the command */
		s->is_interrupted = false;
		str_set(&h->model_refusal, SV("interrupted"));
	}
	session_hooks_on_barrier(op, owner, why);
}

bool hooks_delay_model(struct session *s, struct sv name)
{
	struct session_hooks *h = s->handlers;

	if (h->model_checked)
		return false;
	if (!h->barrier)
		h->barrier = hooks_check_model(s, name, "command", &h->model_refusal,
					       THEN(hooks_model_on_checked, s));
	return h->barrier;
}

bool hooks_allow_model(struct session *s, struct err *err)
{
	struct session_hooks *h = s->handlers;
	bool is_refused = h->model_refusal.len;

	if (is_refused)
		err_set(err, ERR_ACCESS, "%s", str_c(&h->model_refusal));
	h->model_checked = false;
	str_truncate(&h->model_refusal, 0);
	return !is_refused;
}

/* --- PostModelSwitch -------------------------------------------------------------------------- */

static void hooks_model_apply_context(struct session *s, const struct hook_answer *answer,
				      __attribute__((unused)) void *point)
{
	hook_answer_context(answer, &s->handlers->context);
}

/* What the hooks say is for the first request to the new model, so the next turn waits for them. */
void hooks_report_model(struct session *s, const struct model_before *before, struct sv name,
			const char *source)
{
	defer(str_clear) struct str asked = STR_INIT;
	struct sv to = agent_next_model(s->agent);
	struct hook_input in;

	if (sv_eq(sv_of(&before->id), to) ||
	    !hooks_has(s->handlers->engine, HOOK_POST_MODEL_SWITCH))
		return;
	hooks_model_write_name(&asked, name);
	in = hooks_model_input(s, HOOK_POST_MODEL_SWITCH, before, to, source);
	in.requested_model = sv_of(&asked);
	if (s->state == SESSION_IDLE && !s->handlers->barrier)
		s->handlers->barrier = session_hooks_start(s, &in, hooks_model_apply_context, NULL,
							   THEN(session_hooks_on_barrier, s));
	else
		session_hooks_fire(s, &in, hooks_model_apply_context);
}

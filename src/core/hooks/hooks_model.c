/* Hooks around a change of the model that the user or the host asks for: PreModelSwitch and
 * PostModelSwitch. A change that awl makes itself (a fallback, the model of a command, new settings)
 * has no hooks. */
#include "core/hooks/hooks.h"
#include "core/hooks/session_hooks.h"
#include "core/session/session_settings.h"
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

double hooks_estimate_usd(const struct session *s, const struct model_info *info, int64_t tokens)
{
	enum model_cache cache = session_setting_cache(s);
	const struct usage usage = { .cache_write_5m = cache == MODEL_CACHE_5M ? tokens : 0,
				     .cache_write_1h = cache == MODEL_CACHE_1H ? tokens : 0,
				     .input = cache == MODEL_CACHE_OFF ? tokens : 0,
				     .known = true };

	return (double)usage_cost(&usage, &info->price).nano_usd / 1e9;
}

int64_t hooks_cache_ms(const struct session *s)
{
	return session_setting_cache(s) == MODEL_CACHE_1H ? TTL_1H_MS : TTL_5M_MS;
}

static struct hook_input hooks_model_input(const struct session *s, enum hook_event event,
					   const struct model_before *before, struct sv to,
					   const char *source)
{
	struct hook_input in = session_hooks_input(s, s->agent, event);
	struct model_info info = model_info(s->engine->table, to);
	int64_t age_ms = loop_now(s->engine->loop) - s->answered_ms;

	in.from_model = sv_of(&before->id);
	in.to_model = to;
	in.source = sv_cstr(source);
	in.context_tokens = before->context_tokens;
	in.prompt_cache_warm = s->answered_ms && age_ms < hooks_cache_ms(s);
	in.cache_ttl = hooks_cache_ms(s) == TTL_1H_MS ? SV("1h") : SV("5m");
	in.estimated_cache_write_usd = hooks_estimate_usd(s, &info, before->context_tokens);
	in.pricing = json_exists(settings_get(s->settings, "modelPricing")) ? SV("configured")
		     : info.known                                           ? SV("catalog")
									    : SV("default");
	return in;
}

/* --- PreModelSwitch --------------------------------------------------------------------------- */

/* The hooks are asked, and then, if they want that, the user. */
struct model_check {
	struct op op;
	struct session *s;
	struct op *step;
	struct str *refusal; /* of the caller */
	struct str from, to, requested;
	struct str reason; /* why the user is to be asked */
	bool asks;
};

static void hooks_model_apply(__attribute__((unused)) struct session *s,
			      const struct hook_answer *answer, void *arg)
{
	struct model_check *check = arg;
	struct sv why = answer->decision ? answer->reason : answer->stop_reason;

	if (answer->decision == HOOK_DENY || answer->stops) {
		str_adds(check->refusal, "A PreModelSwitch hook refused it");
		if (why.len)
			str_addf(check->refusal, ": %.*s", SV_ARG(why));
	} else if (answer->decision == HOOK_ASK || answer->decision == HOOK_DEFER) {
		check->asks = true;
		str_set(&check->reason,
			why.len ? why : SV("A PreModelSwitch hook wants it confirmed."));
	}
}

static void hooks_model_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct model_check *check = owner;
	struct answer_given answer;

	check->step = NULL;
	if (!why) {
		answer = host_request_answer(op);
		if (!answer.allow)
			str_addf(check->refusal, "The user declined it%s%.*s",
				 answer.message.len ? ": " : "", SV_ARG(answer.message));
	} else if (!check->op.cancelled) {
		str_adds(check->refusal, why->text);
	}
	op_finish(&check->op, check->op.cancelled ? why : NULL);
}

/* Ask as if it were a call, so that every host can show it. */
static void hooks_model_ask(struct model_check *check)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "from_model", sv_of(&check->from));
	jw_put_str(&w, "to_model", sv_of(&check->to));
	jw_end(&w);
	jw_done(&w);
	check->step = host_request_start(
		&check->s->host,
		&(struct host_request){ .kind = HOST_CAN_USE_TOOL,
					.permission = { .tool = SV("SwitchModel"),
							.input = sv_of(&input),
							.reason_type = SV("hook"),
							.reason = sv_of(&check->reason),
							.description = sv_of(&check->to),
							.needs_user = true } },
		THEN(hooks_model_on_answer, check));
}

static void hooks_model_on_hooks(__attribute__((unused)) struct op *op, void *owner,
				 const struct err *why)
{
	struct model_check *check = owner;

	check->step = NULL;
	if (why || check->op.cancelled || check->refusal->len || !check->asks) {
		op_finish(&check->op, why);
	} else if (check->s->kind.has_user) {
		hooks_model_ask(check);
	} else {
		str_addf(check->refusal,
			 "A PreModelSwitch hook wants it confirmed (%s), and nobody can be asked",
			 str_c(&check->reason));
		op_finish(&check->op, NULL);
	}
}

static void hooks_model_cancel(struct op *op)
{
	op_cancel(container_of(op, struct model_check, op)->step);
}

static void hooks_model_free(struct op *op)
{
	struct model_check *check = container_of(op, struct model_check, op);

	str_clear(&check->from);
	str_clear(&check->to);
	str_clear(&check->requested);
	str_clear(&check->reason);
	free(check);
}

static const struct op_type model_check_type = {
	.name = "model check",
	.cancel = hooks_model_cancel,
	.free = hooks_model_free,
};

bool hooks_guard_model(const struct session *s)
{
	return hooks_has(s->handlers->engine, HOOK_PRE_MODEL_SWITCH);
}

struct op *hooks_check_model(struct session *s, struct sv name, const char *source,
			     struct str *refusal, struct then then)
{
	defer(str_clear) struct str id = STR_INIT, ignored = STR_INIT;
	defer(model_before_clear) struct model_before before = { .context_tokens = 0 };
	struct model_check *check;
	struct hook_input in;
	struct err err = ERR_INIT;

	if (!hooks_guard_model(s) || !model_rules_find(&s->rules, name, &id, &ignored, &err) ||
	    sv_eq(sv_of(&id), agent_next_model(s->agent)))
		return NULL;
	check = xnew(struct model_check);
	op_init(&check->op, &model_check_type, s->engine->loop, then);
	check->s = s;
	check->refusal = refusal;
	hooks_model_write_name(&check->requested, name);
	model_before_read(&before, s);
	str_add(&check->from, sv_of(&before.id));
	str_add(&check->to, sv_of(&id));
	in = hooks_model_input(s, HOOK_PRE_MODEL_SWITCH, &before, sv_of(&check->to), source);
	in.requested_model = sv_of(&check->requested);
	check->step = session_hooks_start(s, &in, hooks_model_apply, check,
					  THEN(hooks_model_on_hooks, check));
	if (!check->step) /* no hook matches */
		op_finish(&check->op, NULL);
	return &check->op;
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

#include "core/session_sandbox.h"

#include "core/session.h"
#include "net/gate.h"
#include "store/settings.h"
#include "sys/fs.h"
#include "text/json_write.h"
#include "tool/sandbox_plan.h"

struct session_sandbox {
	struct session *session;
	struct sandbox_host host;
	struct sandbox_plan plan;
	sandbox_list hosts, denied_hosts;
	struct gate *gate;
	struct str temp, self, config_dir;
};

void session_sandbox_free(struct session_sandbox *b)
{
	struct err ignored = ERR_INIT;

	if (!b)
		return;
	gate_freep(&b->gate);
	if (b->temp.len)
		(void)!fs_remove_tree(b->temp.ptr, &ignored);
	sandbox_plan_clear(&b->plan);
	sandbox_host_clear(&b->host);
	vec_clear(&b->hosts);
	vec_clear(&b->denied_hosts);
	str_clear(&b->temp);
	str_clear(&b->self);
	str_clear(&b->config_dir);
	free(b);
}

/* --- what the settings and rules say --------------------------------------------------- */

static enum sandbox_from from_settings(enum settings_source source)
{
	if (source == SETTINGS_POLICY)
		return SANDBOX_FROM_POLICY;
	return settings_are_projects(source) ? SANDBOX_FROM_PROJECT : SANDBOX_FROM_USER;
}

static enum sandbox_from from_rule(enum perm_source source)
{
	if (source == PERM_FROM_POLICY)
		return SANDBOX_FROM_POLICY;
	return source == PERM_FROM_PROJECT || source == PERM_FROM_LOCAL ? SANDBOX_FROM_PROJECT
									: SANDBOX_FROM_USER;
}

static void take_settings(struct session_sandbox *b)
{
	struct settings_taken taken;

	for (size_t at = 0; settings_next_taken(b->session->settings, &at, &taken);)
		sandbox_plan_settings(&b->plan, json_get(taken.settings, "sandbox"),
				      from_settings(taken.source));
}

static void take_rules(struct session_sandbox *b)
{
	static const enum behavior all[] = { BEHAVIOR_ALLOW, BEHAVIOR_ASK, BEHAVIOR_DENY };
	const struct perm_rule *rule;

	for (size_t k = 0; k < countof(all); k++)
		for (size_t i = 0; (rule = perm_rule_at(&b->session->policy, all[k], i)); i++)
			sandbox_plan_rule(&b->plan, all[k], rule->tool, rule->content, rule->root,
					  from_rule(rule->source));
}

static void list_hosts(sandbox_list *out, const sandbox_entries *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		vec_push(out, entries->at[i].text);
	vec_push(out, NULL);
}

/* --- hosts that no list knows ------------------------------------------------------------- */

/* A question of the gate's, put to the user. */
struct host_question {
	struct op op;
	struct op *asked;
	bool *allowed;
};

static void host_question_cancel(struct op *op)
{
	struct host_question *q = (struct host_question *)op;

	op_cancel(q->asked);
}

static void host_question_free(struct op *op)
{
	free(op);
}

static const struct op_type host_question_type = { "host question", host_question_cancel,
						   host_question_free };

static void on_host_answer(struct op *op, void *owner, const struct err *why)
{
	struct host_question *q = owner;

	q->asked = NULL;
	if (!why)
		*q->allowed = asker_answer_of(op).allow;
	op_finish(&q->op, why);
}

static struct op *ask_about_host(void *arg, const char *host, int port, bool *allowed,
				 struct then then)
{
	struct session_sandbox *b = arg;
	struct host_question *q = xnew(struct host_question);
	defer(str_clear) struct str input = STR_INIT;
	defer(str_clear) struct str reason = STR_INIT;
	struct event_ask question = { .tool = SV("SandboxNetworkAccess") };
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "host", sv_cstr(host));
	jw_put_int(&w, "port", port);
	jw_end(&w);
	jw_done(&w);
	str_addf(&reason, "A command in the sandbox wants to reach %s, port %d.", host, port);
	question.input = sv_of(&input);
	question.reason_type = SV("sandboxOverride");
	question.reason = sv_of(&reason);
	q->allowed = allowed;
	op_init(&q->op, &host_question_type, b->session->engine->loop, then);
	q->asked = asker_start(&b->session->asker, &question, THEN(on_host_answer, q));
	return &q->op;
}

static void on_refused(void *arg, const char *host, int port, const char *why)
{
	struct session_sandbox *b = arg;

	agent_inform(&b->session->agent, "notice",
		     "The sandbox let no command reach %s, port %d: %s", host, port, why);
}

static bool open_gate(struct session_sandbox *b, struct err *err)
{
	struct sandbox *sandbox = &b->plan.sandbox;
	struct gate_opts opts = { .strict = b->plan.strict_hosts,
				  .http_port = b->plan.http_port,
				  .socks_port = b->plan.socks_port,
				  .ask = b->session->agent.asker ? ask_about_host : NULL,
				  .on_refused = on_refused,
				  .arg = b };

	list_hosts(&b->hosts, &b->plan.hosts);
	list_hosts(&b->denied_hosts, &b->plan.denied_hosts);
	opts.allow = b->hosts.at;
	opts.deny = b->denied_hosts.at;
	b->gate = gate_new(b->session->engine->loop, &opts, err);
	sandbox->net = SANDBOX_NET_PROXY;
	sandbox->on_listener = gate_serve;
	sandbox->on_listener_end = gate_leave;
	sandbox->listener_arg = b->gate;
	return b->gate != NULL;
}

/* --- all of it ------------------------------------------------------------------------------ */

/* Only our own program knows what bubblewrap has to be helped with. */
static void find_helper(struct session_sandbox *b)
{
	struct err ignored = ERR_INIT;

	if (fs_realpath(&b->self, "/proc/self/exe", &ignored) &&
	    sv_ends(sv_of(&b->self), SV("/awl")))
		b->plan.sandbox.helper = b->self.ptr;
}

static bool find_places(struct session_sandbox *b, struct sandbox_site *site, struct err *err)
{
	const struct perm_policy *policy = &b->session->policy;
	defer(str_clear) struct str temp = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!fs_temp_dir(&temp, err) || !fs_realpath(&b->temp, temp.ptr, err))
		return false;
	if (b->session->engine->config_dir &&
	    !fs_realpath(&b->config_dir, b->session->engine->config_dir, &ignored))
		str_adds(&b->config_dir, b->session->engine->config_dir);
	*site = (struct sandbox_site){ .project = policy->dirs.at[0],
				       .home = policy->home,
				       .config_dir = sv_of(&b->config_dir),
				       .temp_dir = sv_of(&b->temp),
				       .dirs = policy->dirs.at + 1,
				       .ndirs = policy->dirs.n - 1 };
	return true;
}

static bool carry_out(struct session_sandbox *b, struct err *err)
{
	take_rules(b);
	sandbox_host_probe(&b->host, b->plan.bwrap);
	sandbox_plan_finish(&b->plan, &b->host);
	find_helper(b);
	if (!open_gate(b, err) || !sandbox_plan_settle(&b->plan, err))
		return err_context(err, "the sandbox");
	session_note_start(b->session, sv_of(&b->plan.notes));
	return true;
}

static bool is_wanted(const struct session *s)
{
	return settings_bool(s->settings, "sandbox.enabled");
}

struct session_sandbox *session_sandbox_open(struct session *s, struct err *err)
{
	struct session_sandbox *b;
	struct sandbox_site site;

	if (!is_wanted(s))
		return NULL;
	b = xnew(struct session_sandbox);
	b->session = s;
	if (find_places(b, &site, err)) {
		sandbox_plan_init(&b->plan, &site);
		take_settings(b);
		if (carry_out(b, err)) {
			s->agent.room.sandbox = &b->plan;
			return b;
		}
	}
	session_sandbox_free(b);
	return NULL;
}

#include "core/session_sandbox.h"

#include "core/sandbox_load.h"
#include "core/session.h"
#include "store/settings/settings.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

struct session_sandbox {
	struct session *session;
	struct str temp;            /* for files of all commands, made when first needed */
	struct cage *cage;          /* NULL: the settings want none now */
	VEC(struct cage *) earlier; /* in which commands may run still */
};

/* Those that nobody uses any more. */
static void free_earlier(struct session_sandbox *b)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->earlier.n; i++) {
		if (b->earlier.at[i]->plan.users)
			b->earlier.at[kept++] = b->earlier.at[i];
		else
			cage_free(b->earlier.at[i]);
	}
	b->earlier.n = kept;
}

void session_sandbox_free(struct session_sandbox *b)
{
	struct err ignored = ERR_INIT;

	if (!b)
		return;
	cage_free(b->cage);
	free_earlier(b);
	BUG_ON(b->earlier.n);
	vec_clear(&b->earlier);
	if (b->temp.len)
		(void)!fs_remove_tree(b->temp.ptr, &ignored);
	str_clear(&b->temp);
	free(b);
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
		*q->allowed = host_request_answer(op).allow;
	op_finish(&q->op, why);
}

static struct op *ask_about_host(void *arg, const char *host, int port, bool *allowed,
				 struct then then)
{
	struct session_sandbox *b = arg;
	struct host_question *q = xnew(struct host_question);
	defer(str_clear) struct str input = STR_INIT;
	defer(str_clear) struct str reason = STR_INIT;
	struct host_request question = { .kind = HOST_CAN_USE_TOOL };
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "host", sv_cstr(host));
	jw_put_int(&w, "port", port);
	jw_end(&w);
	jw_done(&w);
	str_addf(&reason, "A command in the sandbox wants to reach %s, port %d.", host, port);
	question.permission = (struct permission_question){
		.tool = SV("SandboxNetworkAccess"),
		.input = sv_of(&input),
		.reason_type = sv_cstr(verdict_reason_name(REASON_SANDBOX)),
		.reason = sv_of(&reason),
	};
	q->allowed = allowed;
	op_init(&q->op, &host_question_type, b->session->engine->loop, then);
	q->asked = host_request_start(&b->session->host, &question, THEN(on_host_answer, q));
	return &q->op;
}

static void on_refused(void *arg, const char *host, int port, const char *why)
{
	struct session_sandbox *b = arg;

	if (b->cage && cage_is_quiet_about(b->cage, host))
		return;
	agent_inform(&b->session->agent, "notice",
		     "The sandbox let no command reach %s, port %d: %s", host, port, why);
}

/* --- making one ------------------------------------------------------------------------------ */

static bool make_temp(struct session_sandbox *b, struct err *err)
{
	defer(str_clear) struct str temp = STR_INIT;

	return b->temp.len || (fs_temp_dir(&temp, err) && fs_realpath(&b->temp, temp.ptr, err));
}

/* One that cannot be had does not take the place of one that holds. */
static bool settle(struct session_sandbox *b, struct cage *fresh, struct err *err)
{
	const struct gate_opts gate = { .ask = b->session->agent.host ? ask_about_host : NULL,
					.on_refused = on_refused,
					.env = b->session->engine->helper_env.at,
					.arg = b };
	bool holds = b->cage && b->cage->plan.enabled;

	cage_probe(fresh);
	if (!cage_open_gate(fresh, b->session->engine->loop, gate, err) ||
	    !sandbox_plan_settle(&fresh->plan, err))
		return err_context(err, "the sandbox");
	if (holds && !fresh->plan.enabled)
		return err_set(err, ERR_UNSUPPORTED, "the sandbox: %s", str_c(&fresh->plan.notes));
	return true;
}

/* Takes `fresh`, which may be NULL. */
static void put(struct session_sandbox *b, struct cage *fresh)
{
	if (b->cage)
		vec_push(&b->earlier, b->cage);
	b->cage = fresh;
	b->session->shared.sandbox = fresh ? &fresh->plan : NULL;
	if (fresh)
		session_note_start(b->session, sv_of(&fresh->plan.notes));
	free_earlier(b);
}

static bool renew(struct session_sandbox *b, struct cage *fresh, struct err *err)
{
	bool is_same = b->cage && sv_eq(sv_of(&b->cage->wants), sv_of(&fresh->wants));

	if (!is_same && settle(b, fresh, err)) {
		put(b, fresh);
		return true;
	}
	cage_free(fresh);
	return is_same;
}

bool session_sandbox_renew(struct session *s, const struct settings *settings,
			   const struct perm_policy *policy, struct err *err)
{
	bool is_wanted = settings_bool(settings, "sandbox.enabled");
	struct session_sandbox *b = s->sandbox;
	struct cage_opts opts = { .policy = policy, .config_dir = s->engine->config_dir };

	if (!b && !is_wanted)
		return true;
	if (!b) {
		b = s->sandbox = xnew(struct session_sandbox);
		b->session = s;
	}
	if (!is_wanted) {
		put(b, NULL);
		return true;
	}
	if (!make_temp(b, err))
		return false;
	opts.temp_dir = sv_of(&b->temp);
	return renew(b, sandbox_load(settings, opts), err);
}

#include "core/session_sandbox.h"

#include "core/sandbox_load.h"
#include "core/session_internal.h"
#include "store/settings/settings.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

struct session_sandbox {
	struct session *session;
	struct str temp; /* temporary directory of all commands, created when first needed */
	struct sandbox *current;       /* NULL: the settings do not enable it */
	VEC(struct sandbox *) earlier; /* in which commands may still be running */
};

static void session_sandbox_free_unused(struct session_sandbox *b)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->earlier.n; i++) {
		if (b->earlier.at[i]->users)
			b->earlier.at[kept++] = b->earlier.at[i];
		else
			sandbox_free(b->earlier.at[i]);
	}
	b->earlier.n = kept;
}

void session_sandbox_free(struct session_sandbox *b)
{
	struct err ignored = ERR_INIT;

	if (!b)
		return;
	sandbox_free(b->current);
	session_sandbox_free_unused(b);
	BUG_ON(b->earlier.n);
	vec_clear(&b->earlier);
	if (b->temp.len)
		(void)!fs_remove_tree(b->temp.ptr, &ignored);
	str_clear(&b->temp);
	free(b);
}

/* --- hosts that no list names ------------------------------------------------------------- */

/* A question of the proxy, put to the user. */
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

static void host_question_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct host_question *q = owner;

	q->asked = NULL;
	if (!why)
		*q->allowed = host_request_answer(op).allow;
	op_finish(&q->op, why);
}

static struct op *session_sandbox_ask(void *arg, const char *host, int port, bool *allowed,
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
	str_addf(&reason, "A sandboxed command wants to connect to %s, port %d.", host, port);
	question.permission = (struct permission_question){
		.tool = SV("SandboxNetworkAccess"),
		.input = sv_of(&input),
		.reason_type = sv_cstr(verdict_reason_name(REASON_SANDBOX)),
		.reason = sv_of(&reason),
	};
	q->allowed = allowed;
	op_init(&q->op, &host_question_type, b->session->engine->loop, then);
	q->asked =
		host_request_start(&b->session->host, &question, THEN(host_question_on_answer, q));
	return &q->op;
}

static void session_sandbox_on_refused(void *arg, const char *host, int port, const char *why)
{
	struct session_sandbox *b = arg;

	if (b->current && sandbox_ignores_host(b->current, host))
		return;
	agent_inform(b->session->agent, "notice",
		     "The sandbox refused a connection to %s, port %d: %s", host, port, why);
}

/* --- replacing it ------------------------------------------------------------------------------ */

static bool session_sandbox_make_temp(struct session_sandbox *b, struct err *err)
{
	defer(str_clear) struct str temp = STR_INIT;

	return b->temp.len || (fs_temp_dir(&temp, err) && fs_realpath(&b->temp, temp.ptr, err));
}

/* A sandbox that cannot be enforced never replaces one that is. */
static bool session_sandbox_start(struct session_sandbox *b, struct sandbox *fresh, struct err *err)
{
	const struct sandbox_proxy_opts proxy = { .ask = b->session->has_user ? session_sandbox_ask
									      : NULL,
						  .on_refused = session_sandbox_on_refused,
						  .env = b->session->engine->helper_env.at,
						  .arg = b };
	bool is_enforced = b->current && b->current->config.enabled;

	if (!sandbox_start(fresh, b->session->engine->loop, proxy, err))
		return err_context(err, "the sandbox");
	if (is_enforced && !fresh->config.enabled)
		return err_set(err, ERR_UNSUPPORTED, "the sandbox: %s",
			       str_c(&fresh->config.notes));
	return true;
}

/* Takes `fresh`, which may be NULL. Running commands keep the sandbox they run in. */
static void session_sandbox_replace(struct session_sandbox *b, struct sandbox *fresh)
{
	if (b->current)
		vec_push(&b->earlier, b->current);
	b->current = fresh;
	b->session->shared.sandbox = fresh;
	if (fresh)
		session_add_notice(b->session, sv_of(&fresh->config.notes));
	session_sandbox_free_unused(b);
}

static bool session_sandbox_use(struct session_sandbox *b, struct sandbox *fresh, struct err *err)
{
	bool is_same = b->current && sv_eq(sv_of(&b->current->wanted), sv_of(&fresh->wanted));

	if (!is_same && session_sandbox_start(b, fresh, err)) {
		session_sandbox_replace(b, fresh);
		return true;
	}
	sandbox_free(fresh);
	return is_same;
}

bool session_sandbox_renew(struct session *s, const struct settings *settings,
			   const struct perm_policy *policy, struct err *err)
{
	bool is_wanted = settings_bool(settings, "sandbox.enabled");
	struct session_sandbox *b = s->sandbox;
	struct sandbox_opts opts = { .policy = policy, .config_dir = s->engine->config_dir };

	if (!b && !is_wanted)
		return true;
	if (!b) {
		b = s->sandbox = xnew(struct session_sandbox);
		b->session = s;
	}
	if (!is_wanted) {
		session_sandbox_replace(b, NULL);
		return true;
	}
	if (!session_sandbox_make_temp(b, err))
		return false;
	opts.temp_dir = sv_of(&b->temp);
	return session_sandbox_use(b, sandbox_load(settings, opts), err);
}

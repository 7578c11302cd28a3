#include "core/policy/session_sandbox.h"

#include "core/policy/sandbox_load.h"
#include "core/session/session_internal.h"
#include "store/settings/settings.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

struct host_question;

struct session_sandbox {
	struct session *session;
	struct str temp; /* temporary directory of all commands, created when first needed */
	struct sandbox *current;               /* NULL: the settings do not enable it */
	VEC(struct sandbox *) earlier;         /* in which commands may still be running */
	VEC(struct host_question *) questions; /* that wait for an answer */
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

/* --- hosts that no list names ------------------------------------------------------------- */

/* A question of a proxy, put to the user. */
struct host_question {
	struct op op;
	struct session_sandbox *sandbox; /* which has it in `questions`; NULL: it is gone */
	char *host;
	int port;
	struct op *asked;
	bool *allowed;
	bool is_decided; /* by a rule that came meanwhile: `*allowed` is set */
};

static void host_question_cancel(struct op *op)
{
	struct host_question *q = (struct host_question *)op;

	op_cancel(q->asked);
}

static void host_question_free(struct op *op)
{
	struct host_question *q = (struct host_question *)op;

	free(q->host);
	free(q);
}

static const struct op_type host_question_type = { "host question", host_question_cancel,
						   host_question_free };

/* Report the end to the proxy. */
static void host_question_end(struct host_question *q, const struct err *why)
{
	struct session_sandbox *b = q->sandbox;

	for (size_t i = b ? b->questions.n : 0; i > 0; i--)
		if (b->questions.at[i - 1] == q)
			vec_remove(&b->questions, i - 1);
	op_finish(&q->op, why);
}

static void host_question_on_answer(struct op *op, void *owner, const struct err *why)
{
	struct host_question *q = owner;

	q->asked = NULL;
	if (!why)
		*q->allowed = host_request_answer(op).allow;
	host_question_end(q, q->is_decided ? NULL : why);
}

/* Whether the rules of now decide about a host. An earlier sandbox, in which a command still runs,
 * does not know rules that came later. */
static bool session_sandbox_decides(const struct session_sandbox *b, const char *host, int port,
				    bool *allowed)
{
	enum behavior found = b->current && b->current->proxy
				      ? sandbox_proxy_look_up(b->current->proxy, host, port)
				      : BEHAVIOR_ASK;

	if (found != BEHAVIOR_ASK)
		*allowed = found == BEHAVIOR_ALLOW;
	return found != BEHAVIOR_ASK;
}

static void host_question_write_input(struct str *out, const struct host_question *q)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "host", sv_cstr(q->host));
	jw_put_int(&w, "port", q->port);
	jw_end(&w);
	jw_done(&w);
}

/* The offer keeps the answer for the host, whatever the port. */
static void host_question_start(struct host_question *q)
{
	defer(str_clear) struct str input = STR_INIT, reason = STR_INIT, domain = STR_INIT;
	struct permission_rule rule = { .tool = SV("WebFetch") };
	struct permission_change offer = { .kind = PERMISSION_ADD_RULES,
					   .destination = PERMISSION_TO_LOCAL,
					   .behavior = BEHAVIOR_ALLOW,
					   .rules = &rule,
					   .nrules = 1 };
	struct host_request question = { .kind = HOST_CAN_USE_TOOL };

	host_question_write_input(&input, q);
	str_addf(&reason, "A sandboxed command wants to connect to %s, port %d.", q->host, q->port);
	str_addf(&domain, "domain:%s", q->host);
	rule.content = sv_of(&domain);
	question.permission = (struct permission_question){
		.tool = SV("SandboxNetworkAccess"),
		.input = sv_of(&input),
		.reason_type = sv_cstr(verdict_reason_name(REASON_SANDBOX)),
		.reason = sv_of(&reason),
		.suggestions = &offer,
		.nsuggestions = 1,
	};
	q->asked = host_request_start(&q->sandbox->session->host, &question,
				      THEN(host_question_on_answer, q));
}

static struct op *session_sandbox_ask(void *arg, const char *host, int port, bool *allowed,
				      struct then then)
{
	struct session_sandbox *b = arg;
	struct loop *loop = b->session->engine->loop;
	struct host_question *q;

	if (session_sandbox_decides(b, host, port, allowed))
		return op_settled(loop, then);
	q = xnew(struct host_question);
	q->sandbox = b;
	q->host = xstrdup(host);
	q->port = port;
	q->allowed = allowed;
	op_init(&q->op, &host_question_type, loop, then);
	vec_push(&b->questions, q);
	host_question_start(q);
	return &q->op;
}

void session_sandbox_settle_hosts(struct session *s, struct sv answered)
{
	struct session_sandbox *b = s->sandbox;

	for (size_t i = 0; b && i < b->questions.n; i++) {
		struct host_question *q = b->questions.at[i];

		if (q->is_decided || sv_eq(host_request_id(q->asked), answered) ||
		    !session_sandbox_decides(b, q->host, q->port, q->allowed))
			continue;
		q->is_decided = true;
		op_cancel(q->asked);
	}
}

void session_sandbox_free(struct session_sandbox *b)
{
	struct err ignored = ERR_INIT;

	if (!b)
		return;
	for (size_t i = 0; i < b->questions.n; i++)
		b->questions.at[i]->sandbox = NULL;
	sandbox_free(b->current);
	session_sandbox_free_unused(b);
	BUG_ON(b->earlier.n);
	vec_clear(&b->earlier);
	vec_clear(&b->questions);
	if (b->temp.len)
		(void)!fs_remove_tree(b->temp.ptr, &ignored);
	str_clear(&b->temp);
	free(b);
}

static void session_sandbox_on_refused(void *arg, const char *host, int port, const char *why)
{
	struct session_sandbox *b = arg;

	if (b->current && sandbox_ignores_host(b->current, host))
		return;
	agent_inform(b->session->agent, NOTICE_NOTICE,
		     "The sandbox refused a connection to %s, port %d: %s", host, port, why);
}

/* --- replacing it
 * ------------------------------------------------------------------------------ */

static bool session_sandbox_make_temp(struct session_sandbox *b, struct err *err)
{
	defer(str_clear) struct str temp = STR_INIT;
	const char *base = child_env_get(b->session->engine->helper_env.at, "TMPDIR");

	return b->temp.len ||
	       (fs_temp_dir_in(&temp, base, err) && fs_realpath(&b->temp, temp.ptr, err));
}

/* Returns the kind of a note: "the sandbox cannot enforce this pattern" before ": src/x". */
static struct sv session_sandbox_note_kind(struct sv line)
{
	return sv_slice(line, 0, sv_find(line, SV(": ")));
}

/* Appends a kind of note and what all lines of that kind are about, up to a limit. */
static void session_sandbox_join_notes(struct str *out, struct sv kind, struct sv notes)
{
	enum { SHOWN = 5 };
	struct sv line;
	size_t n = 0;

	while (sv_cut_line(&notes, &line)) {
		if (!sv_eq(session_sandbox_note_kind(line), kind))
			continue;
		if (++n <= SHOWN)
			str_addf(out, "%s%.*s", n > 1 ? ", " : "",
				 SV_ARG(n > 1 ? sv_skip(line, kind.len + 2) : line));
	}
	if (n > SHOWN)
		str_addf(out, " and %zu more", n - SHOWN);
}

/* Add one notice for each kind of note: a file may have dozens of patterns. */
static void session_sandbox_add_notes(struct session *s, struct sv notes)
{
	struct sv rest = notes, line;

	while (sv_cut_line(&rest, &line)) {
		struct sv kind = session_sandbox_note_kind(line);
		struct sv before = sv_slice(notes, 0, (size_t)(line.ptr - notes.ptr)), earlier;
		defer(str_clear) struct str text = STR_INIT;
		bool is_first = true;

		while (is_first && sv_cut_line(&before, &earlier))
			is_first = !sv_eq(session_sandbox_note_kind(earlier), kind);
		if (!is_first)
			continue;
		session_sandbox_join_notes(&text, kind, notes);
		session_add_notice(s, sv_of(&text));
	}
}

/* A sandbox that cannot be enforced never replaces one that is. */
static bool session_sandbox_start(struct session_sandbox *b, struct sandbox *fresh, struct err *err)
{
	const struct sandbox_proxy_opts proxy = { .ask = b->session->kind.has_user
								 ? session_sandbox_ask
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
		session_sandbox_add_notes(b->session, sv_of(&fresh->config.notes));
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
	if (!sv_is(sv_cstr(s->shared.project), s->shared.root))
		opts.checkout = sv_cstr(s->shared.project);
	return session_sandbox_use(b, sandbox_load(settings, s->engine->helper_env.at, opts), err);
}

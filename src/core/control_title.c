/* Control requests whose reply takes time. Each is an op that the session owns; other requests are
 * answered meanwhile. A host that withdraws its request gets no reply. */
#include "base/utf8.h"
#include "core/control.h"
#include "core/session_internal.h"

enum { TITLE_BYTES = 100, DESCRIPTION_BYTES = 8000 };

struct control_wait {
	struct control_wait *next;
	struct session *session;
	struct str id;
	struct op *op;
	bool is_withdrawn;
	struct str text; /* what the model answers */
	bool persist;
};

static void control_title_forget(struct control_wait *wait)
{
	struct control_wait **at = &wait->session->control_waits;

	while (*at != wait)
		at = &(*at)->next;
	*at = wait->next;
	str_clear(&wait->id);
	str_clear(&wait->text);
	free(wait);
}

/* The first line, without the quotes that models put around it. */
static struct sv control_title_read(struct sv text)
{
	struct sv line = SV_EMPTY;

	text = sv_trim(text);
	sv_cut_line(&text, &line);
	line = sv_trim(line);
	if (line.len > 1 && sv_starts(line, SV("\"")) && sv_ends(line, SV("\"")))
		line = sv_slice(line, 1, line.len - 1);
	return utf8_prefix(line, TITLE_BYTES);
}

static void control_title_reply(struct control_wait *wait, const struct err *why)
{
	struct session *s = wait->session;
	struct sv title = why ? SV_EMPTY : control_title_read(sv_of(&wait->text));
	struct err err = ERR_INIT;

	if (why)
		control_refuse(s, sv_of(&wait->id), NULL, sv_cstr(why->text));
	else if (wait->persist && title.len && !session_rename(s, title, &err))
		control_refuse(s, sv_of(&wait->id), NULL, sv_cstr(err.text));
	else
		control_reply(s, sv_of(&wait->id),
			      (struct control_reply){ .kind = REPLY_TITLE, .title = title });
}

static void control_title_on_answer(__attribute__((unused)) struct op *op, void *owner,
				    const struct err *why)
{
	struct control_wait *wait = owner;
	struct session *s = wait->session;

	if (!wait->is_withdrawn)
		control_title_reply(wait, why);
	control_title_forget(wait);
	session_settle(s);
}

/* The model may be asked before the first turn. */
static bool control_title_connect(struct session *s, struct err *err)
{
	if (!s->services.ask_small)
		return err_set(err, ERR_UNSUPPORTED, "no model can be asked in a replay");
	if (!session_check_model(s, err) || !engine_connect(s->engine, err))
		return false;
	agent_connect(s->agent, s->engine->client);
	return true;
}

void control_session_title(struct session *s, const struct control_request *request)
{
	struct sv about = utf8_prefix(request->session_title.description, DESCRIPTION_BYTES);
	struct control_wait *wait;
	struct err err = ERR_INIT;

	if (!control_title_connect(s, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	wait = xnew(struct control_wait);
	wait->session = s;
	wait->next = s->control_waits;
	s->control_waits = wait;
	str_add(&wait->id, request->id);
	wait->persist = request->session_title.persist;
	wait->op = s->services.ask_small(
		s->services.arg,
		SV("Write a title of at most seven words for a conversation about the text of the "
		   "user. Answer with the title alone, in the language of the text."),
		sv_trim(about).len ? about : SV("(empty)"), &wait->text,
		THEN(control_title_on_answer, wait));
}

void control_withdraw(struct session *s, struct sv request_id)
{
	for (struct control_wait *wait = s->control_waits; wait; wait = wait->next) {
		if (!sv_eq(sv_of(&wait->id), request_id))
			continue;
		wait->is_withdrawn = true;
		op_cancel(wait->op);
	}
}

void control_cancel_all(struct session *s)
{
	for (struct control_wait *wait = s->control_waits; wait; wait = wait->next)
		op_cancel(wait->op);
}

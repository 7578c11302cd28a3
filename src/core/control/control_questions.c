/* Control requests that a model answers: a title for the session, and a question about the
 * conversation that does not become part of it. */
#include "base/utf8.h"
#include "core/control/control.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/session/session_services.h"
#include "core/side/session_aside.h"
#include "core/side/session_recap.h"
#include "core/side/session_title.h"

enum { DESCRIPTION_BYTES = 8000 };

struct control_question {
	struct control_wait wait; /* must stay first */
	struct str text;          /* what the model answers */
	bool persist;             /* the title is the session's from now on */
};

static struct control_question *control_question_of(struct control_wait *wait)
{
	return container_of(wait, struct control_question, wait);
}

static void control_question_free(struct control_wait *wait)
{
	struct control_question *question = control_question_of(wait);

	str_clear(&question->text);
	free(question);
}

/* NULL: no model can be asked, and the request is refused. */
static struct control_question *control_question_new(struct session *s,
						     const struct control_request *request,
						     const struct control_wait_type *type)
{
	struct control_question *question;
	struct err err = ERR_INIT;

	if (!session_can_ask(s, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return NULL;
	}
	question = xnew(struct control_question);
	control_wait_init(&question->wait, s, request->id, type);
	return question;
}

/* --- the title -------------------------------------------------------------------- */

static void control_question_reply_title(struct control_wait *wait)
{
	struct control_question *question = control_question_of(wait);
	struct sv title = session_title_read(sv_of(&question->text));
	struct err err = ERR_INIT;

	if (question->persist && title.len && !session_rename(wait->session, title, &err))
		control_refuse(wait->session, sv_of(&wait->id), NULL, sv_cstr(err.text));
	else
		control_reply(wait->session, sv_of(&wait->id),
			      (struct control_reply){ .kind = REPLY_TITLE, .title = title });
}

void control_session_title(struct session *s, const struct control_request *request)
{
	static const struct control_wait_type type = { control_question_reply_title,
						       control_question_free };
	struct sv about = utf8_prefix(request->session_title.description, DESCRIPTION_BYTES);
	struct control_question *question = control_question_new(s, request, &type);

	if (!question)
		return;
	question->persist = request->session_title.persist;
	question->wait.op = s->services.ask_small(
		s->services.arg, session_title_system(), sv_trim(about).len ? about : SV("(empty)"),
		&question->text, THEN(control_wait_on_done, &question->wait));
}

/* --- a recap ----------------------------------------------------------------------- */

static void control_question_reply_recap(struct control_wait *wait)
{
	struct sv recap = session_recap_read(&control_question_of(wait)->text);

	session_records_add(wait->session, "away_summary", recap, SV_EMPTY);
	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_TEXT, .text = recap });
}

void control_recap(struct session *s, const struct control_request *request)
{
	static const struct control_wait_type type = { control_question_reply_recap,
						       control_question_free };
	struct control_question *question;
	struct err err = ERR_INIT;

	if (!session_recap_check(s, &err)) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	question = control_question_new(s, request, &type);
	if (question)
		question->wait.op = session_recap_start(
			s, &question->text, THEN(control_wait_on_done, &question->wait));
}

/* --- a question beside the conversation ---------------------------------------------- */

static void control_question_reply_side(struct control_wait *wait)
{
	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_ANSWER,
					      .answer = sv_of(&control_question_of(wait)->text) });
}

/* The request has begun (attempt 0), or waits for another attempt. */
static void control_question_on_progress(void *arg, const struct event_retry *retry)
{
	const struct control_question *question = arg;

	session_emit(question->wait.session,
		     &(struct event){ .kind = EVENT_PROGRESS,
				      .progress = { .request_id = sv_of(&question->wait.id),
						    .retry = *retry } });
}

void control_side_question(struct session *s, const struct control_request *request)
{
	static const struct control_wait_type type = { control_question_reply_side,
						       control_question_free };
	struct sv text = sv_trim(request->side_question.text);
	struct control_question *question;

	if (!text.len) {
		control_refuse(s, request->id, NULL, SV("the question is empty"));
		return;
	}
	question = control_question_new(s, request, &type);
	if (!question)
		return;
	control_question_on_progress(question, &(struct event_retry){ .attempt = 0 });
	question->wait.op =
		session_aside_start(s, text, control_question_on_progress, question,
				    &question->text, THEN(control_wait_on_done, &question->wait));
}

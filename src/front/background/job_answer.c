#include "front/background/job_answer.h"

#include "front/display.h"
#include "proto/event_read.h"

/* The open question as it was asked; false: there is none that yes or no answers. */
static bool job_answer_read(struct event_reader *reader, const struct job_info *job,
			    const struct permission_question **question, struct sv *request,
			    struct event *event)
{
	struct err ignored = ERR_INIT;

	if (!job->question.len || !event_read(reader, job->question, event, &ignored) ||
	    event->kind != EVENT_HOST_REQUEST || event->request.kind != HOST_CAN_USE_TOOL)
		return false;
	*question = &event->request.permission;
	*request = event->request.id;
	return !(*question)->needs_user && !question_is_about_plan(*question);
}

bool job_question_add(struct str *out, const struct job_info *job)
{
	struct event_reader reader = EVENT_READER_INIT;
	const struct permission_question *question;
	struct question_view view = { .cwd = job->cwd };
	struct event event;
	struct sv request;
	bool ok = job_answer_read(&reader, job, &question, &request, &event);

	if (ok)
		ok = question_add(out, question, &view);
	else
		display_text(out, job->waiting);
	event_reader_clear(&reader);
	return ok;
}

bool job_answer_write(struct str *out, const struct job_info *job, enum answer answer,
		      struct sv message, struct err *err)
{
	struct event_reader reader = EVENT_READER_INIT;
	const struct permission_question *question;
	const struct permission_change *offer;
	struct event event;
	struct sv request;
	bool ok = job_answer_read(&reader, job, &question, &request, &event);

	if (ok) {
		offer = answer == ANSWER_ALWAYS ? question_offer(question) : NULL;
		if (answer == ANSWER_NO)
			permission_write_refusal(out, request,
						 &(struct permission_no){ .message = message });
		else
			permission_write_allow(
				out, request,
				&(struct permission_yes){ .changes = offer,
							  .nchanges = offer ? 1 : 0 });
	} else {
		err_set(err, ERR_INVALID,
			job->waiting.len
				? "this question needs more than yes or no: awl attach %.*s"
				: "session %.*s does not wait for an answer",
			SV_ARG(job->id));
	}
	event_reader_clear(&reader);
	return ok;
}

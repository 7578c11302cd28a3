/* The control request set_model. Hooks may refuse another model, so its reply may take time. */
#include "core/control/control.h"
#include "core/hooks/hooks.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "proto/message.h"

struct control_model {
	struct control_wait wait; /* must stay first */
	struct str name, refusal;
};

/* Between turns the change is shown as if the user had typed the command for it. */
static void control_model_show(struct session *s)
{
	defer(str_clear) struct str text = STR_INIT, block = STR_INIT, message = STR_INIT;

	str_addf(&text, "<local-command-stdout>Set model to %.*s</local-command-stdout>",
		 SV_ARG(agent_next_model(s->agent)));
	block_text(&block, sv_of(&text));
	message_open(&message, "user", sv_of(&block));
	session_emit(s,
		     &(struct event){ .kind = EVENT_USER,
				      .message = { .json = sv_of(&message), .is_replay = true } });
}

static void control_model_choose(struct session *s, struct sv id, struct sv name)
{
	defer(model_before_clear) struct model_before before = { .context_tokens = 0 };
	struct err err = ERR_INIT;

	model_before_read(&before, s);
	if (!session_choose_model(s, name, &err)) {
		control_refuse(s, id, NULL, sv_cstr(err.text));
		return;
	}
	control_reply(
		s, id,
		(struct control_reply){ .kind = REPLY_MODEL, .model = agent_next_model(s->agent) });
	if (session_is_idle(s))
		control_model_show(s);
	hooks_report_model(s, &before, name, "sdk");
}

static void control_model_reply(struct control_wait *wait)
{
	struct control_model *model = container_of(wait, struct control_model, wait);

	if (model->refusal.len)
		control_refuse(wait->session, sv_of(&wait->id), NULL, sv_of(&model->refusal));
	else
		control_model_choose(wait->session, sv_of(&wait->id), sv_of(&model->name));
}

static void control_model_free(struct control_wait *wait)
{
	struct control_model *model = container_of(wait, struct control_model, wait);

	str_clear(&model->name);
	str_clear(&model->refusal);
	free(model);
}

void control_set_model(struct session *s, const struct control_request *request)
{
	static const struct control_wait_type type = { control_model_reply, control_model_free };
	struct control_model *model = xnew(struct control_model);
	struct sv name = request->set_model.model;

	control_wait_init(&model->wait, s, request->id, &type);
	str_add(&model->name, name);
	model->wait.op = hooks_check_model(s, name, "sdk", &model->refusal,
					   THEN(control_wait_on_done, &model->wait));
	if (!model->wait.op)
		control_wait_on_done(NULL, &model->wait, NULL);
}

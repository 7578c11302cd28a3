#include "core/side/session_aside.h"

#include "core/commands/commands.h"
#include "core/session/session_services.h"
#include "core/side/side_question.h"

/* The tools are part of the request only because the provider has cached them. */
static const char remark[] = "The user asks this beside the conversation, perhaps while you work. "
			     "Answer it in text, from "
			     "what you know already: tools do not run now. Then the conversation "
			     "continues as if nothing "
			     "had been asked.\n\n";

struct op *session_aside_start(struct session *s, struct sv text,
			       void (*on_retry)(void *arg, const struct event_retry *retry),
			       void *arg, struct str *out, struct then then)
{
	defer(str_clear) struct str question = STR_INIT;

	str_adds(&question, remark);
	str_add(&question, text);
	return side_question_start(s->agent,
				   &(struct side_question){ .model = agent_model(s->agent),
							    .system = agent_system(s->agent),
							    .text = sv_of(&question),
							    .knows_history = true,
							    .is_for_user = true,
							    .on_retry = on_retry,
							    .arg = arg },
				   out, then);
}

struct op *commands_btw(struct session *s, struct sv rest, struct then then)
{
	struct err err = ERR_INIT;

	if (rest.len && session_can_ask(s, &err))
		return session_aside_start(s, rest, NULL, NULL, &s->commands.answer, then);
	s->commands.is_refused = true;
	str_adds(&s->commands.answer, rest.len ? err.text : "type a question after /btw");
	return op_settled(s->engine->loop, then);
}

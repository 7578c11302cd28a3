/* Where the work stands: a question to the model that the conversation does not keep. The command /recap asks it, and
 * a terminal asks it when its user has been away for a while. */
#include "core/side/session_recap.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "core/commands/commands.h"
#include "core/session/session_internal.h"
#include "core/session/session_services.h"
#include "core/side/side_question.h"

enum { RECAP_BYTES = 600 };

static const char question[] =
	"The user has been away and returns now. Say in one or two plain sentences what this "
	"session is "
	"about, what has been done, and what the user has to do or decide next, if anything. Name "
	"files "
	"and results, not tools. No greeting, no heading, no list, no formatting.";

bool session_recap_check(struct session *s, struct err *err)
{
	if (!agent_history(s->agent)->messages.n)
		return err_set(err, ERR_UNSUPPORTED, "nothing has happened yet");
	return session_can_ask(s, err);
}

struct op *session_recap_start(struct session *s, struct str *out, struct then then)
{
	return side_question_start(s->agent,
				   &(struct side_question){ .model = agent_model(s->agent),
							    .system = agent_system(s->agent),
							    .text = sv_cstr(question),
							    .knows_history = true,
							    .is_background = true },
				   out, then);
}

struct sv session_recap_read(struct str *text)
{
	for (size_t i = 0; i < text->len; i++)
		if (ascii_is_space(text->ptr[i]))
			text->ptr[i] = ' ';
	return utf8_prefix(sv_trim(sv_of(text)), RECAP_BYTES);
}

struct op *commands_recap(struct session *s, struct sv rest, struct then then)
{
	struct err err = ERR_INIT;

	if (rest.len || !session_recap_check(s, &err)) {
		s->commands.is_refused = true;
		str_adds(&s->commands.answer, rest.len ? "/recap takes no arguments" : err.text);
		return op_settled(s->engine->loop, then);
	}
	return session_recap_start(s, &s->commands.answer, then);
}

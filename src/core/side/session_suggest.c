/* What the user may want to say next: after a turn, while the session rests, the model is asked to
 * guess. Only for those who want it. A prompt that comes sooner ends the question, and a bad guess
 * is not shown. */
#include "core/side/session_suggest.h"

#include "base/ascii.h"
#include "core/agent/turn.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "core/side/side_question.h"
#include "tool/shell/shell_env.h"

enum { SUGGESTION_BYTES = 100, SUGGESTION_REPLIES = 2 };

static const char question[] =
	"Guess what the user is going to say next in this conversation, judging by what the user "
	"has said and what was done. Answer with that prompt alone: in the words of the user, in "
	"the language of the user, in two to twelve words, without quotes or formatting. If "
	"nothing obvious comes next, answer with the word done.";

/* The variable wins over the setting. */
static bool session_suggest_is_on(const struct session *s)
{
	static const char variable[] = "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION";

	if (shell_env_get(&s->shared, variable))
		return shell_env_is_on(&s->shared, variable);
	return settings_bool(s->settings, "promptSuggestionEnabled");
}

/* How often the model has replied, as far as that matters here. */
static size_t session_suggest_count_replies(const struct session *s)
{
	const struct history *history = agent_history(s->agent);
	size_t n = 0;

	for (size_t i = 0; i < history->messages.n && n < SUGGESTION_REPLIES; i++)
		n += history->messages.at[i].assistant;
	return n;
}

static bool session_suggest_is_among(struct sv text, const char *const *list, size_t n,
				     bool at_start)
{
	for (size_t i = 0; i < n; i++) {
		struct sv word = sv_cstr(list[i]);
		size_t at = sv_find_nocase(text, word);

		if (at_start ? at == 0 &&
				       (text.len == word.len || !ascii_is_alnum(text.ptr[word.len]))
			     : at != SIZE_MAX)
			return true;
	}
	return false;
}

/* Whether a guess reads like a short prompt: not an error, not formatted, not a farewell, and nothing that only the
 * model would say. */
static bool session_suggest_is_good(struct sv text)
{
	static const char *const marks[] = { "\n",
					     "**",
					     "`",
					     "API Error",
					     "prompt is too long",
					     "context limit",
					     "context window" };
	static const char *const closings[] = {
		"done",       "thanks", "thank you", "nothing",
		"looks good", "great",  "perfect",   "no suggestion"
	};
	static const char *const models[] = { "let me",  "I'll",   "I will",     "I can",
					      "here is", "here's", "you should", "as an ai" };

	return text.len && text.len < SUGGESTION_BYTES && !sv_starts(text, SV("#")) &&
	       !sv_starts(text, SV("- ")) && !sv_starts(text, SV("* ")) &&
	       !sv_starts(text, SV("<")) &&
	       !session_suggest_is_among(text, marks, countof(marks), false) &&
	       !session_suggest_is_among(text, closings, countof(closings), true) &&
	       !session_suggest_is_among(text, models, countof(models), true);
}

static void session_suggest_on_answer(__attribute__((unused)) struct op *op, void *owner,
				      const struct err *why)
{
	struct session *s = owner;
	struct sv text = sv_trim(sv_of(&s->suggestion.text));

	s->suggestion.op = NULL;
	if (session_is_closed(s)) {
		session_settle(s);
		return;
	}
	if (!why && s->state == SESSION_IDLE && session_suggest_is_good(text))
		session_emit(s, &(struct event){ .kind = EVENT_SUGGESTION,
						 .suggestion = { .text = text } });
}

void session_suggest(struct session *s)
{
	if (!(s->kind.suggests || s->preferences.suggests) || s->suggestion.op ||
	    s->state != SESSION_IDLE || s->prompts.waiting.n || s->policy.mode == PERM_PLAN ||
	    !s->services.ask_small || s->is_ending ||
	    session_suggest_count_replies(s) < SUGGESTION_REPLIES || !session_suggest_is_on(s))
		return;
	str_truncate(&s->suggestion.text, 0);
	s->suggestion.op =
		side_question_start(s->agent,
				    &(struct side_question){ .model = agent_model(s->agent),
							     .system = agent_system(s->agent),
							     .text = sv_cstr(question),
							     .knows_history = true,
							     .is_background = true },
				    &s->suggestion.text, THEN(session_suggest_on_answer, s));
}

/* A conversation at a terminal gets a title after its first turn, so that lists of sessions can be read. Nobody waits
 * for it, and it is requested only once. A title that the user chose takes precedence. Without a known small model
 * there is no request, and the first prompt serves as the title. */
#include "core/side/session_title.h"

#include "base/log.h"
#include "base/utf8.h"
#include "core/session/session_host.h"
#include "core/session/session_internal.h"
#include "proto/message.h"
#include "store/transcript/transcript_list.h"
#include "tool/shell/child_env.h"

enum { TITLE_BYTES = 100, ABOUT_BYTES = 4000 };

struct sv session_title_system(void)
{
	return SV("Write a title of at most seven words for a conversation about the text of the "
		  "user. Answer with the title alone, in the language of the text.");
}

struct sv session_title_read(struct sv answer)
{
	struct sv line = SV_EMPTY;

	answer = sv_trim(answer);
	sv_cut_line(&answer, &line);
	line = sv_trim(line);
	if (line.len > 1 && sv_starts(line, SV("\"")) && sv_ends(line, SV("\"")))
		line = sv_slice(line, 1, line.len - 1);
	return utf8_prefix(line, TITLE_BYTES);
}

static bool session_title_is_wanted(const struct session *s)
{
	return !s->title.is_settled && !s->conversation.title.len && s->conversation.transcript &&
	       session_is_at_terminal(s) && s->services.ask_small &&
	       model_config_has_small(&s->engine->config) &&
	       settings_bool(s->settings, "awl.sessionTitles") &&
	       !child_env_get(s->shared.env, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC");
}

void session_title_update(struct session *s, struct sv blocks)
{
	defer(str_clear) struct str list = STR_INIT, text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err invalid = ERR_INIT;

	if (s->title.about.len >= ABOUT_BYTES || !session_title_is_wanted(s))
		return;
	str_addf(&list, "[%.*s]", SV_ARG(blocks));
	doc = json_parse(sv_of(&list), 0, &invalid);
	content_text(&text, json_root(doc));
	if (text.len)
		str_addf(&s->title.about, "%.*s\n", SV_ARG(utf8_prefix(sv_of(&text), ABOUT_BYTES)));
}

static void session_title_on_answer(__attribute__((unused)) struct op *op, void *owner,
				    const struct err *why)
{
	struct session *s = owner;
	struct sv title = session_title_read(sv_of(&s->title.answer));
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	s->title.op = NULL;
	if (why)
		log_debug("there is no title: %s", why->text);
	else if (title.len && !s->conversation.title.len && s->conversation.transcript) {
		transcript_write_ai_title(&note, sv_cstr(s->conversation.id.text), title);
		if (!transcript_note(s->conversation.transcript, sv_of(&note), &err))
			log_debug("the title is not saved: %s", err.text);
	}
	session_settle(s);
}

void session_title_ask(struct session *s)
{
	if (s->title.op || !s->title.about.len || !session_title_is_wanted(s))
		return;
	s->title.is_settled = true;
	str_truncate(&s->title.answer, 0);
	s->title.op = s->services.ask_small(s->services.arg, session_title_system(),
					    sv_of(&s->title.about), &s->title.answer,
					    THEN(session_title_on_answer, s));
}

void session_title_forget(struct session *s)
{
	op_cancel(s->title.op);
	str_truncate(&s->title.about, 0);
	s->title.is_settled = false;
}

/* What a session records: every message of its agent, and after each turn its costs and title. A
 * session that cannot be saved goes on working. The user sees a warning as soon as saving fails,
 * and each result says that its turn is not saved. */
#include "core/session_internal.h"
#include "store/transcript/transcript_list.h"
#include "sys/fs.h"

static bool session_report_unsaved(struct session *s, const struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	str_set(&s->conversation.unsaved, sv_cstr(err->text));
	if (s->conversation.is_broken)
		return false;
	s->conversation.is_broken = true;
	str_addf(&text, "This session is not being saved: %s", err->text);
	if (s->state == SESSION_TURN)
		session_inform(s, NOTICE_WARNING, sv_of(&text));
	else
		session_add_notice(s, sv_of(&text)); /* the turn emits it after its init */
	return false;
}

bool session_on_record(void *arg, const struct transcript_record *record)
{
	struct session *s = arg;
	struct transcript_record full = *record;
	struct err err = ERR_INIT;

	if (!s->conversation.transcript)
		return true;
	full.git_branch = sv_of(&s->conversation.branch);
	full.permission_mode = sv_cstr(perm_mode_name(s->policy.mode));
	if (!transcript_add(s->conversation.transcript, &full, &err))
		return session_report_unsaved(s, &err);
	s->conversation.is_broken = false;
	return true;
}

void session_on_rewind(void *arg, struct sv uuid)
{
	struct session *s = arg;

	if (s->conversation.transcript)
		transcript_rewind(s->conversation.transcript, uuid);
}

static bool session_write_title(struct session *s, struct err *err)
{
	defer(str_clear) struct str note = STR_INIT;

	if (!s->conversation.title.len)
		return true;
	transcript_write_title(&note, sv_cstr(s->conversation.id.text),
			       sv_of(&s->conversation.title));
	return transcript_note(s->conversation.transcript, sv_of(&note), err);
}

bool session_rename(struct session *s, struct sv title, struct err *err)
{
	struct conversation *c = &s->conversation;

	str_set(&c->title, title);
	return !c->transcript || !fs_exists(c->path) ||
	       (session_write_title(s, err) && transcript_sync(c->transcript, err));
}

static bool session_is_saved(const struct session *s)
{
	return s->conversation.transcript && !s->conversation.is_broken;
}

void session_record_title(struct session *s)
{
	struct err err = ERR_INIT;

	if (session_is_saved(s) && !session_write_title(s, &err))
		session_report_unsaved(s, &err);
}

void session_record_state(struct session *s)
{
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	if (!session_is_saved(s))
		return;
	costs_note(&note, &s->costs, sv_cstr(s->conversation.id.text));
	if (!transcript_note(s->conversation.transcript, sv_of(&note), &err) ||
	    !session_write_title(s, &err) || !transcript_sync(s->conversation.transcript, &err))
		session_report_unsaved(s, &err);
}

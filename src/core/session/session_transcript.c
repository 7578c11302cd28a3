/* What a session records: every message of its agent, and after each turn its costs and title. A
 * session that cannot be saved goes on working. The user sees a warning as soon as saving fails,
 * and each result says that its turn is not saved. */
#include "core/session/session_transcript.h"

#include "base/limits.h"
#include "core/agent/agent_internal.h"
#include "core/session/session_emit.h"
#include "core/session/session_internal.h"
#include "proto/message.h"
#include "store/transcript/transcript_list.h"
#include "sys/fs.h"
#include "text/json/json_span.h"

/* --- the copy for the host ----------------------------------------------------------- */

void session_mirror_flush(struct session *s)
{
	struct session_mirror *mirror = &s->mirror;
	defer(str_clear) struct str entries = STR_INIT;

	if (!mirror->entries.len || session_is_closed(s))
		return;
	str_addf(&entries, "[%s]", str_c(&mirror->entries));
	str_clear(&mirror->entries);
	session_emit(s, &(struct event){ .kind = EVENT_MIRROR,
					 .mirror = { .path = sv_of(&mirror->path),
						     .entries = sv_of(&entries) } });
}

void session_mirror_line(void *arg, const char *path, struct sv line)
{
	struct session *s = arg;
	struct session_mirror *mirror = &s->mirror;

	if (!mirror->is_on || !line.len)
		return;
	if (!sv_is(sv_of(&mirror->path), path) || mirror->entries.len > LIMIT_MIRROR_BATCH)
		session_mirror_flush(s);
	str_set(&mirror->path, sv_cstr(path));
	if (mirror->entries.len)
		str_addc(&mirror->entries, ',');
	str_add(&mirror->entries, line);
}

void session_mirror_file(struct session *s)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest, line;
	struct err err = ERR_INIT;

	if (!s->mirror.is_on || !s->conversation.path)
		return;
	if (!fs_read(&text, s->conversation.path, LIMIT_MIRROR_FILE, &err)) {
		err_context(&err, "The host gets no copy of the session so far");
		session_add_notice(s, sv_cstr(err.text));
		return;
	}
	rest = sv_of(&text);
	while (sv_cut_line(&rest, &line)) {
		struct json_span ignored;

		if (json_span_root(line, &ignored, &err))
			session_mirror_line(s, s->conversation.path, line);
	}
}

/* --- records ---------------------------------------------------------------------------- */

bool session_report_unsaved(struct session *s, const struct err *err)
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
	full.slug = sv_of(&s->plan.slug);
	full.durable = false; /* session_on_save() sees to it on a worker */
	if (!transcript_add(s->conversation.transcript, &full, &err))
		return session_report_unsaved(s, &err);
	s->conversation.owes_sync |= record->durable;
	s->conversation.is_broken = false;
	return true;
}

void session_on_rewind(void *arg, struct sv uuid)
{
	struct session *s = arg;

	if (s->conversation.transcript)
		transcript_rewind(s->conversation.transcript, uuid);
}

static void session_record_local(struct session *s, const struct str *content)
{
	struct uuid uuid = uuid_v4(loop_rng(s->engine->loop));

	(void)!agent_record(s->agent,
			    &(struct transcript_record){ .type = "system",
							 .subtype = SV(MESSAGE_LOCAL_COMMAND),
							 .uuid = sv_cstr(uuid.text),
							 .content = sv_of(content) });
}

void session_record_command(struct session *s, struct sv name, struct sv arguments,
			    struct sv answer)
{
	defer(str_clear) struct str asked = STR_INIT, answered = STR_INIT;

	if ((s->state != SESSION_IDLE && s->state != SESSION_EXPANDING) ||
	    !agent_last_record(s->agent).len)
		return;
	message_local_command(&asked, name, arguments);
	message_local_answer(&answered, answer);
	session_record_local(s, &asked);
	session_record_local(s, &answered);
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

static void session_record_state(struct session *s)
{
	defer(str_clear) struct str note = STR_INIT;
	struct err err = ERR_INIT;

	if (!session_is_saved(s))
		return;
	costs_note(&note, &s->costs, sv_cstr(s->conversation.id.text));
	if (!transcript_note(s->conversation.transcript, sv_of(&note), &err) ||
	    !session_write_title(s, &err))
		session_report_unsaved(s, &err);
	else
		s->conversation.owes_sync = true;
}

/* --- to the disk -------------------------------------------------------------------------- */

struct op *session_on_save(void *arg, bool is_last, struct then then)
{
	struct session *s = arg;

	if (is_last) {
		session_records_end_turn(s);
		session_record_state(s);
	}
	if (!s->conversation.owes_sync)
		return NULL;
	s->conversation.owes_sync = false;
	return transcript_sync_start(s->conversation.transcript, s->engine->loop, then);
}

void session_on_saved(void *arg, const struct err *why)
{
	struct session *s = arg;

	if (why && why->kind == ERR_CANCELLED)
		s->conversation.owes_sync = true;
	else if (why)
		session_report_unsaved(s, why);
}

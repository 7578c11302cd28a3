/* The notes of a session (context/notes.h). They are brought up to date beside the work, when enough has happened since
 * the last time: the conversation has 10,000 tokens, 5,000 of them are new, and a turn has ended or three tools
 * were called. The request begins like those of the conversation, so it reads what the provider has cached.
 *
 * What the notes cover is remembered as a number of messages and as the uuid of the last record: a conversation
 * that gets too long can be replaced by the notes and the messages after them, without another request
 * (compaction_notes.c). Off unless the user wants it, because each update costs money. */
#include "core/side/session_notes.h"

#include "context/notes.h"

#include <time.h>

#include "base/limits.h"
#include "context/visible_text.h"
#include "core/agent/agent_internal.h"
#include "core/session/session_internal.h"
#include "core/side/side_question.h"
#include "sys/fs.h"

enum { FIRST_TOKENS = 10000, NEXT_TOKENS = 5000, NEXT_CALLS = 3, PREVIEWS = 3 };

/* --- where they are ----------------------------------------------------------------------------- */

/* Append the file of a session, beside its transcript. */
static void session_notes_path(const struct session *s, struct str *out)
{
	struct sv transcript = sv_cstr(s->conversation.path);

	str_addf(out, "%.*s/session-memory/summary.md",
		 SV_ARG(sv_slice(transcript, 0, transcript.len - strlen(".jsonl"))));
}

static bool session_notes_are_on(const struct session *s)
{
	return s->conversation.path && !s->kind.is_bare && !agent_compacting(s->agent)->is_off &&
	       settings_bool(s->settings, "awl.sessionNotes");
}

void session_notes_open(struct session *s)
{
	struct session_notes *notes = &s->notes;
	struct err ignored = ERR_INIT;

	session_notes_clear(notes);
	if (!session_notes_are_on(s))
		return;
	session_notes_path(s, &notes->path);
	perm_add_own(&s->policy, sv_of(&notes->path));
	(void)!fs_read(&notes->text, notes->path.ptr, LIMIT_MEMORY_FILE, &ignored);
}

void session_notes_clear(struct session_notes *notes)
{
	str_clear(&notes->path);
	str_clear(&notes->text);
	str_clear(&notes->answer);
	notes->covered = notes->next = 0;
	notes->tokens = 0;
}

void session_notes_forget(struct session *s)
{
	op_cancel(s->notes.op);
	s->notes.covered = 0;
	s->notes.is_stale = true;
	s->notes.tokens = agent_estimate(s->agent);
}

/* --- bringing them up to date ------------------------------------------------------------------- */

static void session_notes_take(struct session *s)
{
	struct session_notes *notes = &s->notes;
	defer(str_clear) struct str text = STR_INIT, dir = STR_INIT;
	struct err err = ERR_INIT;

	if (!notes_read(&text, sv_of(&notes->answer)) || text.len > LIMIT_MEMORY_FILE)
		return;
	str_add(&dir, sv_slice(sv_of(&notes->path), 0, sv_rfind_char(sv_of(&notes->path), '/')));
	if (!fs_mkdirs(dir.ptr, 0700, &err) ||
	    !fs_write(notes->path.ptr, sv_of(&text), (struct fs_write){ .mode = 0600 }, &err)) {
		agent_inform(s->agent, NOTICE_WARNING,
			     "The notes of this session are not saved: %s", err.text);
		return;
	}
	str_set(&notes->text, sv_of(&text));
	notes->covered = notes->next;
}

static void session_notes_on_answer(__attribute__((unused)) struct op *op, void *owner,
				    const struct err *why)
{
	struct session *s = owner;

	s->notes.op = NULL;
	if (!why && !s->notes.is_stale)
		session_notes_take(s);
	if (session_is_closed(s))
		session_settle(s);
}

/* How many tools were called since the notes were written. */
static size_t session_notes_count_calls(const struct session *s)
{
	const struct history *h = agent_history(s->agent);
	static const struct sv mark = SV_INIT("\"type\":\"tool_use\"");
	size_t n = 0, at;

	for (size_t i = s->notes.next; i < h->messages.n; i++) {
		struct sv rest = sv_of(&h->messages.at[i].json);

		while (h->messages.at[i].assistant && (at = sv_find(rest, mark)) != SIZE_MAX) {
			rest = sv_skip(rest, at + mark.len);
			n++;
		}
	}
	return n;
}

static bool session_notes_are_due(const struct session *s, bool is_turn_over)
{
	const struct session_notes *notes = &s->notes;
	int64_t tokens = agent_estimate(s->agent);

	return notes->path.len && !notes->op && s->agent->client && !session_is_closed(s) &&
	       tokens >= FIRST_TOKENS && tokens - notes->tokens >= NEXT_TOKENS &&
	       (is_turn_over || session_notes_count_calls(s) >= NEXT_CALLS);
}

void session_notes_update(struct session *s, bool is_turn_over)
{
	struct session_notes *notes = &s->notes;
	struct sv config = sv_cstr(s->engine->config_dir);
	defer(str_clear) struct str request = STR_INIT, text = STR_INIT;

	if (!session_notes_are_due(s, is_turn_over))
		return;
	str_add(&text, sv_of(&notes->text));
	if (!text.len)
		notes_template(&text, config);
	notes_request(&request, config, sv_of(&text), sv_of(&notes->path));
	notes->next = agent_history(s->agent)->messages.n;
	notes->tokens = agent_estimate(s->agent);
	notes->is_stale = false;
	str_truncate(&notes->answer, 0);
	notes->op = side_question_start(s->agent,
					&(struct side_question){ .model = agent_model(s->agent),
								 .system = agent_system(s->agent),
								 .text = sv_of(&request),
								 .knows_history = true,
								 .is_background = true },
					&notes->answer, THEN(session_notes_on_answer, s));
}

/* --- those of earlier sessions -------------------------------------------------------------------- */

struct session_notes_found {
	const struct session *s;
	struct sv root;
	struct {
		struct str path;
		int64_t mtime_ns;
	} newest[PREVIEWS];
};

static void session_notes_keep(struct session_notes_found *found, struct str *path,
			       int64_t mtime_ns)
{
	size_t i = 0;

	while (i < PREVIEWS && found->newest[i].mtime_ns >= mtime_ns)
		i++;
	if (i == PREVIEWS)
		return;
	str_clear(&found->newest[PREVIEWS - 1].path);
	memmove(&found->newest[i + 1], &found->newest[i],
		(PREVIEWS - 1 - i) * sizeof(found->newest[0]));
	found->newest[i].path = *path;
	found->newest[i].mtime_ns = mtime_ns;
	*path = (struct str)STR_INIT;
}

/* Only the directories of sessions are entered, and nothing below them. */
static enum fs_visit session_notes_visit(void *arg, const struct fs_entry *entry)
{
	struct session_notes_found *found = arg;
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;
	struct fs_info info;

	if (entry->kind != FS_DIR || !uuid_valid(entry->name))
		return FS_SKIP;
	str_addf(&path, "%.*s/%.*s/session-memory/summary.md", SV_ARG(found->root),
		 SV_ARG(entry->name));
	if (!sv_eq(sv_of(&path), sv_of(&found->s->notes.path)) &&
	    fs_info(&info, path.ptr, false, &ignored) && info.kind == FS_FILE)
		session_notes_keep(found, &path, info.mtime_ns);
	return FS_SKIP;
}

static bool session_notes_add_preview(struct str *out, const char *path, int64_t mtime_ns)
{
	defer(str_clear) struct str raw = STR_INIT, text = STR_INIT, preview = STR_INIT;
	time_t seconds = (time_t)(mtime_ns / 1000000000);
	struct err ignored = ERR_INIT;
	char date[sizeof("-2147483648-12-31")] = "";
	struct tm tm;
	size_t more;

	if (!fs_read(&raw, path, LIMIT_MEMORY_FILE, &ignored))
		return false;
	visible_text(&text, sv_of(&raw));
	if (!notes_preview(&preview, sv_of(&text), &more))
		return false;
	if (localtime_r(&seconds, &tm))
		(void)!strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	str_addf(out, "\n## Previous session (%s)\nAll of it: %s%s", date, path,
		 more ? "" : " (this is all)");
	if (more)
		str_addf(out, " (%zu more lines)", more);
	str_addf(out, "\n%s\n", preview.ptr);
	return true;
}

void session_notes_write_past(const struct session *s, struct str *out)
{
	struct sv path = sv_cstr(s->conversation.path);
	struct session_notes_found found = { .s = s };
	defer(str_clear) struct str text = STR_INIT;
	defer(mem_freep) char *root = NULL;
	struct err ignored = ERR_INIT;

	if (!s->notes.path.len)
		return;
	found.root = sv_slice(path, 0, sv_rfind_char(path, '/'));
	root = sv_dup(found.root);
	(void)!fs_walk(root, session_notes_visit, &found, &ignored);
	for (size_t i = 0; i < PREVIEWS; i++) {
		if (found.newest[i].path.len)
			(void)session_notes_add_preview(&text, found.newest[i].path.ptr,
							found.newest[i].mtime_ns);
		str_clear(&found.newest[i].path);
	}
	if (text.len)
		str_addf(out,
			 "\n\n<session-memory>\nNotes of earlier sessions in this project. They "
			 "may be out of date or have nothing to do with the present task. If one "
			 "matters, read its file.\n%s</session-memory>",
			 text.ptr);
}

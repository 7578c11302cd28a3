#include <string.h>

#include "base/limits.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_path.h"
#include "sys/fs.h"
#include "sys/work.h"
#include "text/iso_time.h"
#include "text/json/json_span.h"
#include "text/json/json_write.h"

struct transcript {
	char *path, *lock_path, *session_id, *version, *entrypoint;
	char *agent_id;       /* of a side chain; else NULL */
	struct str parent;    /* the last record of the chain */
	struct fs_lock *lock; /* NULL before the first record, or when none is wanted */
	struct fs_log *log;   /* NULL before the first record */
	bool torn;            /* the file ends in the middle of a line */
	void (*on_line)(void *arg, const char *path, struct sv line); /* may be NULL */
	void *arg;
};

struct transcript *transcript_new(const struct transcript_opts *opts)
{
	struct transcript *t = xnew(struct transcript);

	t->path = xstrdup(opts->path);
	t->lock_path = opts->lock_path ? xstrdup(opts->lock_path) : NULL;
	t->session_id = xstrdup(opts->session_id);
	t->version = xstrdup(opts->version);
	t->entrypoint = xstrdup(opts->entrypoint);
	t->agent_id = opts->agent_id ? xstrdup(opts->agent_id) : NULL;
	t->lock = opts->lock;
	str_add(&t->parent, opts->parent);
	t->on_line = opts->on_line;
	t->arg = opts->arg;
	return t;
}

/* Removes the lock file while we hold the lock, so that it is not somebody else's. */
void transcript_free(struct transcript *t)
{
	struct err ignored;
	bool removed;

	if (!t)
		return;
	fs_log_close(t->log);
	if (t->lock) {
		removed = fs_remove(t->lock_path, &ignored);
		(void)removed; /* a leftover empty file does no harm */
		fs_unlock(t->lock);
	}
	str_clear(&t->parent);
	free(t->path);
	free(t->lock_path);
	free(t->session_id);
	free(t->version);
	free(t->entrypoint);
	free(t->agent_id);
	free(t);
}

void transcript_freep(struct transcript **t)
{
	transcript_free(*t);
	*t = NULL;
}

/* --- opening --------------------------------------------------------------------- */

struct fs_lock *transcript_lock(const char *lock_path, struct err *err)
{
	return path_make_parents(lock_path, err) ? fs_lock(lock_path, err) : NULL;
}

static bool transcript_take_lock(struct transcript *t, struct err *err)
{
	if (!t->lock_path || t->lock)
		return true;
	t->lock = transcript_lock(t->lock_path, err);
	if (t->lock)
		return true;
	if (err->kind == ERR_BUSY)
		return err_set(err, ERR_BUSY,
			       "session %s is open in another process: close it there, or continue "
			       "in a copy with --fork-session",
			       t->session_id);
	return false;
}

void transcript_hold(struct transcript *t)
{
	struct err ignored = ERR_INIT;

	(void)!transcript_take_lock(t, &ignored); /* writing the first record reports the reason */
}

/* A new file would start with a record whose parent does not exist. */
static bool transcript_check_there(const struct transcript *t, struct err *err)
{
	return !t->parent.len || fs_exists(t->path) ||
	       err_set(err, ERR_NOT_FOUND, "%s: was removed after the session was resumed",
		       t->path);
}

static bool transcript_ends_torn(const char *path, bool *torn, struct err *err)
{
	defer(fs_closep) struct fs_file *file = NULL;
	int64_t size = 0;
	char last = '\n';

	file = fs_open(path, &size, err);
	if (!file || (size && !fs_read_at(file, size - 1, &last, 1, err)))
		return false;
	*torn = last != '\n';
	return true;
}

static bool transcript_open_log(struct transcript *t, struct err *err)
{
	defer(fs_log_closep) struct fs_log *log = NULL;

	if (t->log)
		return true;
	if (!transcript_take_lock(t, err) || !transcript_check_there(t, err) ||
	    !path_make_parents(t->path, err))
		return false;
	log = fs_log_open(t->path, 0600, err);
	if (!log || !transcript_ends_torn(t->path, &t->torn, err))
		return false;
	t->log = move(log);
	return true;
}

/* --- adding ---------------------------------------------------------------------- */

/* In valid JSON, line breaks are always white space. */
static void transcript_blank(struct str *line, char c)
{
	for (char *at = line->ptr; (at = memchr(at, c, (size_t)(line->ptr + line->len - at)));)
		*at = ' ';
}

static void transcript_make_one_line(struct str *line)
{
	transcript_blank(line, '\n');
	transcript_blank(line, '\r');
}

/* Writes `line` without its line breaks. Checks it first: whatever is written can be read again. */
static bool transcript_append(struct transcript *t, struct str *line, struct err *err)
{
	struct json_span span;

	if (line->len > LIMIT_TRANSCRIPT_LINE)
		return err_set(err, ERR_TOO_BIG,
			       "%s: a record of %zu bytes exceeds the limit of %zu", t->path,
			       line->len, LIMIT_TRANSCRIPT_LINE);
	if (!json_span_root(sv_of(line), &span, err))
		return err_context(err, "%s: a record is not valid JSON", t->path);
	if (!transcript_open_log(t, err))
		return false;
	transcript_make_one_line(line);
	str_addc(line, '\n');
	if (t->torn)
		str_splice(line, 0, 0, SV("\n"));
	if (!fs_log_add(t->log, sv_of(line), err))
		return false;
	t->torn = false;
	if (t->on_line)
		t->on_line(t->arg, t->path, sv_trim(sv_of(line)));
	return true;
}

static void transcript_put_text(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

static void transcript_put_json(struct jw *w, const char *key, struct sv json)
{
	if (json.len)
		jw_put_raw(w, key, json);
}

static void transcript_put_flag(struct jw *w, const char *key, bool flag)
{
	if (flag)
		jw_put_bool(w, key, true);
}

static void transcript_put_hooks(struct jw *w, const struct transcript_hooks *hooks)
{
	jw_put_int(w, "hookCount", (int64_t)hooks->n);
	jw_put_array(w, "hookInfos");
	for (size_t i = 0; i < hooks->n; i++) {
		jw_object(w);
		jw_put_str(w, "command", hooks->at[i].command);
		jw_put_int(w, "durationMs", hooks->at[i].duration_ms);
		jw_end(w);
	}
	jw_end(w);
	jw_put_array(w, "hookErrors");
	for (size_t i = 0; i < hooks->n; i++)
		if (hooks->at[i].error.len)
			jw_str(w, hooks->at[i].error);
	jw_end(w);
	jw_put_bool(w, "preventedContinuation", hooks->prevented);
	jw_put_str(w, "stopReason", hooks->stop_reason);
	jw_put_bool(w, "hasOutput", hooks->has_output);
	jw_put_str(w, "level", SV("suggestion"));
}

static void transcript_put_facts(struct jw *w, struct sv facts)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		facts.len ? json_parse(facts, 0, &ignored) : NULL;
	struct json_iter it = json_each(json_root(doc));
	struct json value;
	struct sv key;

	while (it.keyed && json_next(&it, &key, &value)) {
		jw_key(w, key);
		jw_value(w, value);
	}
}

static struct sv transcript_subtype(const struct transcript_record *r)
{
	return r->compact_metadata.len ? SV("compact_boundary") : r->subtype;
}

static void transcript_put_parent(struct jw *w, const struct transcript *t,
				  const struct transcript_record *r)
{
	bool boundary = sv_is(transcript_subtype(r), "compact_boundary");

	if (boundary || !t->parent.len)
		jw_put_null(w, "parentUuid");
	else
		jw_put_str(w, "parentUuid", sv_of(&t->parent));
	if (boundary)
		transcript_put_text(w, "logicalParentUuid", sv_of(&t->parent));
}

static void write_record(struct str *line, const struct transcript *t,
			 const struct transcript_record *r)
{
	struct jw w;
	enum { AROUND = 2048 }; /* about what is written besides the message */

	str_reserve(line,
		    r->message.len + r->tool_use_result.len + AROUND); /* rather than by half */
	jw_init(&w, line, JW_COMPACT);
	jw_object(&w);
	transcript_put_parent(&w, t, r);
	jw_put_bool(&w, "isSidechain", t->agent_id != NULL);
	transcript_put_text(&w, "agentId", sv_cstr(t->agent_id));
	jw_put_str(&w, "userType", SV("external"));
	jw_put_str(&w, "cwd", r->cwd);
	jw_put_str(&w, "sessionId", sv_cstr(t->session_id));
	jw_put_str(&w, "version", sv_cstr(t->version));
	jw_put_str(&w, "gitBranch", r->git_branch);
	jw_put_str(&w, "entrypoint", sv_cstr(t->entrypoint));
	jw_put_str(&w, "type", sv_cstr(r->type));
	transcript_put_text(&w, "subtype", transcript_subtype(r));
	transcript_put_text(&w, "content", r->content);
	transcript_put_json(&w, "message", r->message);
	transcript_put_text(&w, "requestId", r->request_id);
	transcript_put_json(&w, "attachment", r->attachment);
	transcript_put_json(&w, "compactMetadata", r->compact_metadata);
	transcript_put_flag(&w, "isMeta", r->is_meta);
	transcript_put_flag(&w, "isCompactSummary", r->is_compact_summary);
	transcript_put_flag(&w, "isApiErrorMessage", r->is_api_error);
	if (r->hooks)
		transcript_put_hooks(&w, r->hooks);
	transcript_put_facts(&w, r->facts);
	jw_put_str(&w, "uuid", r->uuid);
	jw_put_str(&w, "timestamp", sv_cstr(iso_time(r->wall_ms).text));
	transcript_put_text(&w, "permissionMode", r->permission_mode);
	transcript_put_json(&w, "toolUseResult", r->tool_use_result);
	transcript_put_text(&w, "sourceToolAssistantUUID", r->source);
	transcript_put_json(&w, "imagePasteIds", r->paste_ids);
	transcript_put_json(&w, "origin", r->origin);
	transcript_put_text(&w, "slug", r->slug);
	transcript_put_text(&w, "planContent", r->plan);
	jw_end(&w);
	jw_done(&w);
}

bool transcript_add(struct transcript *t, const struct transcript_record *record, struct err *err)
{
	defer(str_clear) struct str line = STR_INIT;

	write_record(&line, t, record);
	if (!transcript_append(t, &line, err) || (record->durable && !transcript_sync(t, err)))
		return false;
	str_set(&t->parent, record->uuid);
	return true;
}

bool transcript_note(struct transcript *t, struct sv json, struct err *err)
{
	defer(str_clear) struct str line = STR_INIT;

	str_add(&line, json);
	return transcript_append(t, &line, err);
}

/* `text` is NULL where the operation has none. */
static bool transcript_queue(struct transcript *t, const char *operation, struct sv uuid,
			     const struct sv *text, int64_t wall_ms, struct err *err)
{
	defer(str_clear) struct str line = STR_INIT;
	struct jw w;

	jw_init(&w, &line, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("queue-operation"));
	jw_put_str(&w, "operation", sv_cstr(operation));
	jw_put_str(&w, "timestamp", sv_cstr(iso_time(wall_ms).text));
	jw_put_str(&w, "sessionId", sv_cstr(t->session_id));
	if (text)
		jw_put_str(&w, "content", *text);
	jw_put_str(&w, "messageUuid", uuid);
	jw_end(&w);
	jw_done(&w);
	return transcript_append(t, &line, err);
}

bool transcript_enqueue(struct transcript *t, struct sv uuid, struct sv text, int64_t wall_ms,
			struct err *err)
{
	return transcript_queue(t, "enqueue", uuid, &text, wall_ms, err);
}

bool transcript_dequeue(struct transcript *t, struct sv uuid, int64_t wall_ms, struct err *err)
{
	return transcript_queue(t, "remove", uuid, NULL, wall_ms, err);
}

bool transcript_sync(struct transcript *t, struct err *err)
{
	return !t->log || fs_log_sync(t->log, err);
}

static bool transcript_sync_work(void *log, struct err *err)
{
	return !log || fs_log_sync(log, err);
}

struct op *transcript_sync_start(struct transcript *t, struct loop *loop, struct then then)
{
	return work_start(loop, transcript_sync_work, t->log, then);
}

void transcript_rewind(struct transcript *t, struct sv uuid)
{
	str_set(&t->parent, uuid);
}

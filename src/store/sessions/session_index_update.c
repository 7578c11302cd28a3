/* Bringing the index up to date: the lines that transcripts have got since the last time. */
#include "base/limits.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "store/sessions/session_index.h"
#include "store/sessions/session_text.h"
#include "store/transcript/transcript_path.h"
#include "text/iso_time.h"

enum {
	UPDATE_PROMPT = 200,      /* bytes of the first prompt that are kept */
	UPDATE_DEAD_MIN = 100000, /* dead parts below this number do no harm */
};

struct update {
	struct session_index index;
	sqlite3_stmt *put, *put_run, *put_part, *put_words, *drop, *drop_runs;
	transcript_files files;
	struct arena arena;
	struct map rows; /* path -> struct session_row */
	int64_t next;    /* part */
	int64_t read, total;
	int64_t in_batch; /* bytes read since the last commit */
	session_progress_fn *progress;
	void *arg;
};

/* A session that is being read: its row, and the strings that may change. */
struct update_session {
	struct session_row row;
	struct str title, ai_title, prompt, cwd, branch, tag, root;
	struct str text;
	int64_t first; /* part of this run */
};

static void update_session_clear(struct update_session *s)
{
	str_clear(&s->title);
	str_clear(&s->ai_title);
	str_clear(&s->prompt);
	str_clear(&s->cwd);
	str_clear(&s->branch);
	str_clear(&s->tag);
	str_clear(&s->root);
	str_clear(&s->text);
}

/* --- one line --------------------------------------------------------------------------- */

static void update_set(struct str *to, struct sv json, bool is_first)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!json.len || (is_first && to->len))
		return;
	line_text(&text, json);
	if (text.len)
		str_set(to, sv_of(&text));
}

static bool update_is_prompt(const struct line *line)
{
	return line_is(line, "user") && line_is_sent(line) && !line_flag(line->meta) &&
	       !line_flag(line->compact_summary) && !line->parsed.has_calls;
}

static void update_describe(struct update_session *s, const struct line *line)
{
	update_set(&s->cwd, line->cwd, true);
	update_set(&s->branch, line->branch, false);
	if (line_is(line, "custom-title"))
		update_set(&s->title, line->title, false);
	else if (line_is(line, "ai-title"))
		update_set(&s->ai_title, line->ai_title, false);
	else if (line_is(line, "summary"))
		update_set(&s->ai_title, line->summary, false);
	else if (line_is(line, "tag"))
		line_text((str_truncate(&s->tag, 0), &s->tag), line->tag);
	if (!line_is_message(line))
		return;
	s->row.messages++;
	if (!s->root.len)
		str_set(&s->root, line_id(line->uuid));
	if (!s->row.created_ms)
		(void)!iso_time_parse(peek_plain(line->timestamp), &s->row.created_ms);
	if (!s->prompt.len && update_is_prompt(line))
		str_set(&s->prompt, utf8_prefix(sv_trim(sv_of(&s->text)), UPDATE_PROMPT));
}

static bool update_add_part(struct update *u, int64_t at, struct sv text, struct err *err)
{
	struct session_index *x = &u->index;

	x->sql.bind_int(u->put_part, 1, u->next);
	x->sql.bind_int(u->put_part, 2, at);
	x->sql.bind_int(u->put_words, 1, u->next);
	session_index_bind(x, u->put_words, 2, text);
	u->next++;
	return session_index_run(x, u->put_part, err) && session_index_run(x, u->put_words, err);
}

static bool update_add_line(struct update *u, struct update_session *s, struct sv text, int64_t at,
			    struct err *err)
{
	struct line line;

	if (!text.len || !line_read(&line, text) || line_flag(line.side_chain))
		return true;
	str_truncate(&s->text, 0);
	session_text(&s->text, &line);
	update_describe(s, &line);
	return !s->text.len || update_add_part(u, at, sv_of(&s->text), err);
}

/* --- one session ------------------------------------------------------------------------------ */

static bool update_drop(struct update *u, const struct session_row *row, struct err *err)
{
	u->index.sql.bind_int(u->drop, 1, row->key);
	u->index.sql.bind_int(u->drop_runs, 1, row->key);
	return session_index_run(&u->index, u->drop, err) &&
	       session_index_run(&u->index, u->drop_runs, err);
}

/* A file that was replaced, or cut, is read from its beginning. */
static bool update_is_longer(const struct session_row *row, const struct transcript_file *file)
{
	defer(fs_closep) struct fs_file *f = NULL;
	struct err ignored = ERR_INIT;
	int64_t size;
	char end;

	if (row->inode != file->inode || file->size < row->done)
		return false;
	if (!row->done)
		return true;
	f = fs_open(file->path, &size, &ignored);
	return f && fs_read_at(f, row->done - 1, &end, 1, &ignored) && end == '\n';
}

static void update_begin_session(struct update_session *s, const struct session_row *row)
{
	s->row = *row;
	str_adds(&s->title, row->title);
	str_adds(&s->prompt, row->prompt);
	str_adds(&s->cwd, row->cwd);
	str_adds(&s->branch, row->branch);
	str_adds(&s->tag, row->tag);
	str_adds(&s->root, row->root);
}

static bool update_write_row(struct update *u, const struct update_session *s,
			     const struct transcript_file *file, struct err *err)
{
	const struct str *title = s->title.len ? &s->title : &s->ai_title;
	const struct sv texts[] = { sv_of(title),      sv_of(&s->prompt), sv_of(&s->cwd),
				    sv_of(&s->branch), sv_of(&s->tag),    sv_of(&s->root) };
	const int64_t numbers[] = { file->size, file->mtime_ns, (int64_t)file->inode, s->row.done };
	struct session_index *x = &u->index;

	if (u->next > s->first) {
		x->sql.bind_int(u->put_run, 1, s->first);
		x->sql.bind_int(u->put_run, 2, s->row.key);
		x->sql.bind_int(u->put_run, 3, u->next - s->first);
		if (!session_index_run(x, u->put_run, err))
			return false;
	}
	x->sql.bind_int(u->put, 1, s->row.key);
	session_index_bind(x, u->put, 2, sv_cstr(file->path));
	for (size_t i = 0; i < countof(numbers); i++)
		x->sql.bind_int(u->put, 3 + (int)i, numbers[i]);
	for (size_t i = 0; i < countof(texts); i++)
		session_index_bind(x, u->put, 7 + (int)i, texts[i]);
	x->sql.bind_int(u->put, 13, s->row.messages);
	x->sql.bind_int(u->put, 14, s->row.created_ms);
	return session_index_run(x, u->put, err);
}

static bool update_read_lines(struct update *u, struct update_session *s, const char *path,
			      struct err *err)
{
	defer(session_reader_close) struct session_reader r = SESSION_READER_INIT;
	struct err ignored = ERR_INIT;
	struct sv line;
	int64_t at;
	bool ok = true;

	if (!session_reader_open(&r, path, s->row.done, &ignored))
		return true; /* it is gone, or may not be read: the row says that nothing was */
	while (ok && session_reader_next(&r, &line, &at))
		ok = update_add_line(u, s, line, at, err);
	s->row.done = session_reader_offset(&r);
	return ok;
}

static bool update_session(struct update *u, const struct transcript_file *file, int64_t key,
			   struct err *err)
{
	struct session_row *row = map_get(&u->rows, sv_cstr(file->path));
	defer(update_session_clear) struct update_session s = { .row = { .key = key } };

	s.first = u->next;
	if (row && update_is_longer(row, file)) {
		if (!session_index_describe(&u->index, row, &u->arena, err))
			return false;
		update_begin_session(&s, row);
	} else if (row && !update_drop(u, row, err)) {
		return false;
	}
	return update_read_lines(u, &s, file->path, err) && update_write_row(u, &s, file, err);
}

/* --- all ---------------------------------------------------------------------------------------- */

static bool update_commit(struct update *u, struct err *err)
{
	u->in_batch = 0;
	return session_index_exec(&u->index, "COMMIT;BEGIN IMMEDIATE;", err);
}

static bool update_prepare(struct update *u, struct err *err)
{
	struct session_index *x = &u->index;
	const struct {
		sqlite3_stmt **to;
		const char *sql;
	} statements[] = {
		{ &u->put, "INSERT OR REPLACE INTO session VALUES"
			   "(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)" },
		{ &u->put_run, "INSERT INTO run VALUES(?1,?2,?3)" },
		{ &u->put_part, "INSERT OR REPLACE INTO part VALUES(?1,?2)" },
		{ &u->put_words, "INSERT INTO words(rowid,body) VALUES(?1,?2)" },
		{ &u->drop, "DELETE FROM session WHERE key=?1" },
		{ &u->drop_runs, "DELETE FROM run WHERE session=?1" },
	};

	for (size_t i = 0; i < countof(statements); i++) {
		*statements[i].to = session_index_prepare(x, statements[i].sql, err);
		if (!*statements[i].to)
			return false;
	}
	return session_index_number(&u->index, "SELECT coalesce(max(key),0)+1 FROM part", &u->next,
				    err) &&
	       session_index_rows(x, &u->arena, &u->rows, err);
}

/* Forget the sessions whose files are gone. */
static bool update_forget(struct update *u, struct err *err)
{
	struct map there = MAP_INIT;
	struct sv path;
	void *row;
	bool ok = true;

	for (size_t i = 0; i < u->files.n; i++)
		map_put(&there, sv_cstr(u->files.at[i].path), &u->files.at[i]);
	for (size_t i = 0; ok && map_next(&u->rows, &i, &path, &row);)
		ok = map_get(&there, path) || update_drop(u, row, err);
	map_clear(&there);
	return ok;
}

/* Oldest first, so that parts with higher numbers are of younger sessions. */
static bool update_files(struct update *u, struct err *err)
{
	int64_t key;

	if (!session_index_number(&u->index, "SELECT coalesce(max(key),0) FROM session", &key, err))
		return false;
	for (size_t i = u->files.n; i-- > 0;) {
		const struct transcript_file *file = &u->files.at[i];
		int64_t n = session_row_missing(map_get(&u->rows, sv_cstr(file->path)), file);

		if (!n)
			continue;
		if (!update_session(u, file, ++key, err))
			return false;
		u->read += n;
		u->in_batch += n;
		if (u->in_batch > (int64_t)LIMIT_INDEX_BATCH && !update_commit(u, err))
			return false;
		if (u->progress && !u->progress(u->arg, u->read, u->total))
			return err_set(err, ERR_CANCELLED, "the index is not complete yet");
	}
	return true;
}

static void update_find_files(struct update *u, struct sv config_dir)
{
	size_t kept = 0;

	transcript_files_all(&u->files, config_dir, SV_EMPTY);
	for (size_t i = 0; i < u->files.n; i++) {
		if (uuid_valid(transcript_file_id(sv_cstr(u->files.at[i].path))))
			u->files.at[kept++] = u->files.at[i];
		else
			free(u->files.at[i].path);
	}
	u->files.n = kept;
}

static void update_count(struct update *u)
{
	for (size_t i = 0; i < u->files.n; i++) {
		const struct transcript_file *file = &u->files.at[i];

		u->total += session_row_missing(map_get(&u->rows, sv_cstr(file->path)), file);
	}
}

/* Whether most words are of sessions that are gone. */
static bool update_is_mostly_dead(struct update *u)
{
	struct err ignored = ERR_INIT;
	int64_t live = 0;

	return session_index_number(&u->index, "SELECT coalesce(sum(n),0) FROM run", &live,
				    &ignored) &&
	       u->next - live > UPDATE_DEAD_MIN && live < u->next / 2;
}

static void update_clear(struct update *u)
{
	sqlite3_stmt *const all[] = { u->put,       u->put_run, u->put_part,
				      u->put_words, u->drop,    u->drop_runs };

	for (size_t i = 0; i < countof(all); i++)
		if (all[i])
			u->index.sql.finalize(all[i]);
	session_index_close(&u->index);
	transcript_files_clear(&u->files);
	map_clear(&u->rows);
	arena_clear(&u->arena);
}

static bool update_once(struct sv config_dir, session_progress_fn *progress, void *arg,
			bool *is_dead, struct err *err)
{
	defer(update_clear) struct update u = { .index = SESSION_INDEX_INIT,
						.files = VEC_INIT,
						.arena = ARENA_INIT,
						.rows = MAP_INIT,
						.progress = progress,
						.arg = arg };
	struct err ignored = ERR_INIT;
	bool ok;

	if (!session_index_create(&u.index, config_dir, err) || !update_prepare(&u, err))
		return false;
	update_find_files(&u, config_dir);
	update_count(&u);
	if (!session_index_exec(&u.index, "BEGIN IMMEDIATE", err))
		return false;
	ok = update_forget(&u, err) && update_files(&u, err);
	if (ok || err->kind == ERR_CANCELLED)
		ok = session_index_exec(&u.index, "COMMIT", ok ? err : &ignored) && ok;
	else
		(void)!session_index_exec(&u.index, "ROLLBACK", &ignored);
	*is_dead = ok && update_is_mostly_dead(&u);
	return ok;
}

bool session_index_update(struct sv config_dir, session_progress_fn *progress, void *arg,
			  struct err *err)
{
	defer(fs_unlockp) struct fs_lock *lock = NULL;
	defer(str_clear) struct str path = STR_INIT;
	bool is_dead = false, ok;

	fs_join(&path, config_dir, SV("awl"));
	fs_join(&path, SV_EMPTY, SV("sessions.lock"));
	if (!path_make_parents(str_c(&path), err))
		return false;
	lock = fs_lock(str_c(&path), err);
	if (!lock)
		return err->kind == ERR_BUSY
			       ? err_set(err, ERR_BUSY, "another awl is indexing the sessions")
			       : false;
	ok = update_once(config_dir, progress, arg, &is_dead, err);
	if (is_dead || (!ok && err->kind == ERR_PARSE)) {
		session_index_remove(config_dir);
		ok = update_once(config_dir, progress, arg, &is_dead, err);
	}
	return ok;
}

/* The full-text search. The index answers from the youngest part to the oldest, and one question gives as many
 * answers as are wanted, so that the first results cost the same however often a word occurs. Once a
 * session has a match, the rest of its run is passed over without another look. */
#include "store/sessions/session_list.h"
#include "store/sessions/session_match.h"
#include "store/sessions/session_text.h"

struct search {
	struct session_lister lister;
	struct session_match match;
	struct map found; /* path -> snippet, in the arena of the list */
	int64_t budget;   /* bytes that may still be read without the index */
	sqlite3_stmt *parts, *offset, *run;
};

/* --- snippets ------------------------------------------------------------------------------- */

static void search_found(struct search *s, struct sv path, struct sv text)
{
	struct arena *arena = &s->lister.out->arena;
	defer(str_clear) struct str snippet = STR_INIT;

	session_match_snippet(&snippet, &s->match, text);
	map_put(&s->found, path, (char *)arena_dup(arena, sv_of(&snippet)).ptr);
}

/* Looks at the lines from an offset on, at the first one or until one matches. */
static bool search_read(struct search *s, const struct transcript_file *file, int64_t from,
			bool is_one_line)
{
	defer(session_reader_close) struct session_reader r = SESSION_READER_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;
	struct line line;
	struct sv bytes;
	int64_t at;

	if (!session_reader_open(&r, file->path, from, &ignored))
		return false;
	while (session_reader_next(&r, &bytes, &at)) {
		s->budget -= is_one_line ? 0 : (int64_t)bytes.len;
		if ((is_one_line || !session_match_skips(&s->match, bytes)) && bytes.len &&
		    line_read(&line, bytes)) {
			str_truncate(&text, 0);
			session_text(&text, &line);
			if (is_one_line || session_match_text(&s->match, sv_of(&text))) {
				search_found(s, sv_cstr(file->path), sv_of(&text));
				return true;
			}
		}
		if (is_one_line || s->budget < 0)
			return false;
	}
	return false;
}

/* --- with the index --------------------------------------------------------------------------- */

/* Where the line of a part begins in its transcript; -1: it is not known. */
static int64_t search_offset(struct search *s, int64_t part)
{
	struct session_index *x = &s->lister.index;
	int64_t at = -1;

	x->sql.bind_int(s->offset, 1, part);
	if (x->sql.step(s->offset) == SQLITE_ROW)
		at = x->sql.column_int(s->offset, 0);
	x->sql.reset(s->offset);
	return at;
}

/* The first part of the run that a part is in, and the file; 0: its session is gone. */
static int64_t search_run(struct search *s, int64_t part, const struct map *files,
			  const struct transcript_file **file)
{
	struct session_index *x = &s->lister.index;
	int64_t first = 0;

	x->sql.bind_int(s->run, 1, part);
	if (x->sql.step(s->run) == SQLITE_ROW &&
	    x->sql.column_int(s->run, 0) + x->sql.column_int(s->run, 1) > part) {
		first = x->sql.column_int(s->run, 0);
		*file = map_get(files, session_index_column(x, s->run, 2));
	}
	x->sql.reset(s->run);
	return first;
}

static void search_ask(struct search *s, const struct map *files)
{
	struct session_index *x = &s->lister.index;
	size_t limit = s->lister.query->limit, n = 0;
	int64_t below = INT64_MAX;

	/* Filters are applied later, so they need more to choose from. */
	if (s->lister.query->branch.len || s->lister.query->tag.len)
		limit = 0;
	while ((!limit || n < limit) && x->sql.step(s->parts) == SQLITE_ROW) {
		const struct transcript_file *file = NULL;
		int64_t part = x->sql.column_int(s->parts, 0), first, at;

		if (part >= below)
			continue;
		first = search_run(s, part, files, &file);
		below = first ? first : part;
		at = file && !map_get(&s->found, sv_cstr(file->path)) ? search_offset(s, part) : -1;
		if (at >= 0)
			n += search_read(s, file, at, true);
	}
}

static void search_index(struct search *s, const struct map *files)
{
	struct session_index *x = &s->lister.index;
	defer(str_clear) struct str query = STR_INIT;
	struct err ignored = ERR_INIT;
	const struct {
		sqlite3_stmt **to;
		const char *sql;
	} statements[] = {
		{ &s->parts, "SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid DESC" },
		{ &s->offset, "SELECT at FROM part WHERE key=?1" },
		{ &s->run, "SELECT run.first, run.n, session.path FROM run JOIN session ON"
			   " session.key=run.session WHERE run.first<=?1"
			   " ORDER BY run.first DESC LIMIT 1" },
	};
	bool ok = x->db;

	for (size_t i = 0; ok && i < countof(statements); i++)
		ok = (*statements[i].to = session_index_prepare(x, statements[i].sql, &ignored));
	if (ok) {
		session_match_query(&query, &s->match);
		session_index_bind(x, s->parts, 1, sv_of(&query));
		search_ask(s, files);
	}
	for (size_t i = 0; i < countof(statements); i++)
		if (*statements[i].to)
			x->sql.finalize(*statements[i].to);
}

/* --- without it ---------------------------------------------------------------------------------- */

/* Reads what the index does not know yet. */
static void search_rest(struct search *s)
{
	for (size_t i = 0; i < s->lister.files.n && s->budget > 0; i++) {
		const struct transcript_file *file = &s->lister.files.at[i];
		const struct session_row *row = map_get(&s->lister.rows, sv_cstr(file->path));
		bool is_longer = row && row->inode == file->inode && row->done <= file->size;

		if (session_row_is_current(row, file) || map_get(&s->found, sv_cstr(file->path)))
			continue;
		(void)search_read(s, file, is_longer ? row->done : 0, false);
	}
}

void session_search(struct session_list *out, const struct session_query *query)
{
	struct search s = { .lister = { .query = query,
					.out = out,
					.index = SESSION_INDEX_INIT,
					.rows = MAP_INIT,
					.files = VEC_INIT },
			    .found = MAP_INIT,
			    .budget = query->scan ? query->scan : (int64_t)LIMIT_SEARCH_SCAN };
	struct map files = MAP_INIT;

	session_match_init(&s.match, query->text);
	if (!s.match.n) {
		session_list(out, query);
		return;
	}
	session_lister_open(&s.lister);
	for (size_t i = 0; i < s.lister.files.n; i++)
		map_put(&files, sv_cstr(s.lister.files.at[i].path), &s.lister.files.at[i]);
	search_index(&s, &files);
	search_rest(&s);
	for (size_t i = 0; i < s.lister.files.n && !session_lister_is_full(&s.lister); i++) {
		const struct transcript_file *file = &s.lister.files.at[i];
		const char *snippet = map_get(&s.found, sv_cstr(file->path));

		if (snippet)
			session_lister_add(&s.lister, file, snippet);
	}
	map_clear(&files);
	map_clear(&s.found);
	session_lister_close(&s.lister);
}

/* The full-text search. The index answers from the youngest part to the oldest. Once a session has a match,
 * the rest of its run is skipped: the next question to SQLite begins below it. So the first results
 * cost the same, however often a word occurs. */
#include "store/sessions/session_list.h"
#include "store/sessions/session_match.h"
#include "store/sessions/session_text.h"

struct search {
	struct session_lister lister;
	struct session_match match;
	struct map found; /* path -> snippet, in the arena of the list */
	int64_t budget;   /* bytes that may still be read without the index */
	sqlite3_stmt *part, *run;
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

/* The youngest part below a number that matches; 0: there is none. */
static int64_t search_part(struct search *s, int64_t below, int64_t *at)
{
	struct session_index *x = &s->lister.index;
	int64_t key = 0;

	x->sql.bind_int(s->part, 2, below);
	if (x->sql.step(s->part) == SQLITE_ROW) {
		key = x->sql.column_int(s->part, 0);
		*at = x->sql.column_int(s->part, 1);
	}
	x->sql.reset(s->part);
	return key;
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
	int64_t below = INT64_MAX, part, at = 0;
	size_t limit = s->lister.query->limit, n = 0;

	/* Filters are applied later, so they need more to choose from. */
	if (s->lister.query->branch.len || s->lister.query->tag.len)
		limit = 0;
	while ((!limit || n < limit) && (part = search_part(s, below, &at))) {
		const struct transcript_file *file = NULL;
		int64_t first = search_run(s, part, files, &file);

		below = first ? first : part;
		if (file && !map_get(&s->found, sv_cstr(file->path)))
			n += search_read(s, file, at, true);
	}
}

static void search_index(struct search *s, const struct map *files)
{
	struct session_index *x = &s->lister.index;
	defer(str_clear) struct str query = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!x->db)
		return;
	session_match_query(&query, &s->match);
	s->part = session_index_prepare(x,
					"SELECT words.rowid, part.at FROM words JOIN part ON"
					" part.key=words.rowid WHERE words MATCH ?1 AND"
					" words.rowid<?2 ORDER BY words.rowid DESC LIMIT 1",
					&ignored);
	s->run = session_index_prepare(x,
				       "SELECT run.first, run.n, session.path FROM run JOIN session"
				       " ON session.key=run.session WHERE run.first<=?1"
				       " ORDER BY run.first DESC LIMIT 1",
				       &ignored);
	if (s->part && s->run) {
		session_index_bind(x, s->part, 1, sv_of(&query));
		search_ask(s, files);
	}
	if (s->part)
		x->sql.finalize(s->part);
	if (s->run)
		x->sql.finalize(s->run);
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
			    .budget = LIMIT_SEARCH_SCAN };
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

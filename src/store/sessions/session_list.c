#include "store/sessions/session_list.h"

#include "base/uuid.h"

void session_list_clear(struct session_list *list)
{
	vec_clear(&list->entries);
	arena_clear(&list->arena);
}

/* --- one session ---------------------------------------------------------------------------- */

static const char *session_list_dup(struct session_list *out, struct sv text)
{
	return arena_dup(&out->arena, text).ptr;
}

/* From its file, as the index does not know it. */
static void session_entry_read(struct session_list *out, struct session_entry *entry)
{
	defer(transcript_summary_clear) struct transcript_summary s = TRANSCRIPT_SUMMARY_INIT;

	transcript_summarize(&s, entry->path);
	entry->title = session_list_dup(out, sv_of(&s.title));
	entry->prompt = session_list_dup(out, sv_of(&s.prompt));
	entry->cwd = session_list_dup(out, sv_of(&s.cwd));
	entry->branch = session_list_dup(out, sv_of(&s.branch));
	entry->tag = session_list_dup(out, sv_of(&s.tag));
	entry->root = session_list_dup(out, sv_of(&s.root));
	entry->created_ms = s.created_ms;
}

static void session_entry_take(struct session_entry *entry, const struct session_row *row)
{
	entry->title = row->title;
	entry->prompt = row->prompt;
	entry->cwd = row->cwd;
	entry->branch = row->branch;
	entry->tag = row->tag;
	entry->root = row->root;
	entry->messages = row->messages;
	entry->created_ms = row->created_ms;
}

/* Without a row, from the file. */
static struct session_entry session_entry_of(struct session_list *out,
					     const struct transcript_file *file,
					     const struct session_row *row)
{
	struct sv path = sv_cstr(file->path);
	struct session_entry entry = { .id = session_list_dup(out, transcript_file_id(path)),
				       .path = session_list_dup(out, path),
				       .snippet = "",
				       .mtime_ns = file->mtime_ns,
				       .size = file->size };

	if (row)
		session_entry_take(&entry, row);
	else
		session_entry_read(out, &entry);
	return entry;
}

/* --- all ------------------------------------------------------------------------------------- */

static void session_lister_count(struct session_lister *l)
{
	for (size_t i = 0; i < l->files.n; i++) {
		const struct transcript_file *file = &l->files.at[i];

		l->out->unindexed +=
			session_row_missing(map_get(&l->rows, sv_cstr(file->path)), file);
	}
}

/* Without an index every transcript is read. */
void session_lister_open(struct session_lister *l)
{
	const struct session_query *q = l->query;
	struct err ignored = ERR_INIT;

	if (q->cwd.len)
		transcript_files_here(&l->files, q->config_dir, q->cwd, SV_EMPTY);
	else
		transcript_files_all(&l->files, q->config_dir, SV_EMPTY);
	if (!session_index_open(&l->index, q->config_dir, &ignored) ||
	    !session_index_rows(&l->index, &l->out->arena, &l->rows, &ignored)) {
		map_clear(&l->rows);
		session_index_close(&l->index);
	}
	session_lister_count(l);
}

void session_lister_close(struct session_lister *l)
{
	session_index_close(&l->index);
	map_clear(&l->rows);
	transcript_files_clear(&l->files);
}

bool session_lister_is_full(const struct session_lister *l)
{
	return l->query->limit && l->out->entries.n >= l->query->limit;
}

void session_lister_add(struct session_lister *l, const struct transcript_file *file,
			const char *snippet)
{
	const struct session_query *q = l->query;
	struct session_row *row = map_get(&l->rows, sv_cstr(file->path));
	struct err ignored = ERR_INIT;
	struct session_entry entry;

	if (!uuid_valid(transcript_file_id(sv_cstr(file->path))))
		return;
	if (!session_row_is_current(row, file) ||
	    !session_index_describe(&l->index, row, &l->out->arena, &ignored))
		row = NULL;
	entry = session_entry_of(l->out, file, row);
	entry.snippet = snippet;
	if ((!q->branch.len || sv_eq(q->branch, sv_cstr(entry.branch))) &&
	    (!q->tag.len || sv_eq(q->tag, sv_cstr(entry.tag))))
		vec_push(&l->out->entries, entry);
}

void session_list(struct session_list *out, const struct session_query *query)
{
	defer(session_lister_close) struct session_lister l = { .query = query,
								.out = out,
								.index = SESSION_INDEX_INIT,
								.rows = MAP_INIT,
								.files = VEC_INIT };

	session_lister_open(&l);
	for (size_t i = 0; i < l.files.n && !session_lister_is_full(&l); i++)
		session_lister_add(&l, &l.files.at[i], "");
}

void session_list_add(struct session_list *out, const struct transcript_file *file)
{
	vec_push(&out->entries, session_entry_of(out, file, NULL));
}

/* Finds a session by its file, its id, the start of its id, or its title. */
#include "base/limits.h"
#include "base/utf8.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_line.h"
#include "store/transcript/transcript_list.h"
#include "store/transcript/transcript_tail.h"
#include "text/json/json.h"

enum { PREFIX_MIN = 8, LISTED = 5 };

/* --- what is in them ------------------------------------------------------------- */

static bool transcript_find_has_messages(const char *path)
{
	defer(tail_close) struct tail t = TAIL_INIT;
	struct tail_line where;
	struct line line;
	struct err ignored;

	if (!tail_open(&t, path, &ignored))
		return false;
	while (tail_prev(&t, &where, &ignored) && !where.end)
		if (line_read(&line, where.text) && !line_flag(line.side_chain) &&
		    line_is_message(&line))
			return true;
	return false;
}

static bool transcript_has_title(const char *path, struct sv title)
{
	defer(str_clear) struct str found = STR_INIT;

	return transcript_title(&found, path) && sv_eq_nocase(sv_of(&found), title);
}

static void transcript_find_keep_titled(transcript_files *s, struct sv title)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (transcript_has_title(s->at[i].path, title))
			s->at[kept++] = s->at[i];
		else
			free(s->at[i].path);
	}
	s->n = kept;
}

/* --- finding --------------------------------------------------------------------- */

static bool transcript_find_is_digits(struct sv s)
{
	for (size_t i = 0; i < s.len; i++)
		if (sv_find_char(SV("0123456789abcdef-"), s.ptr[i]) == SIZE_MAX)
			return false;
	return true;
}

static void transcript_find_lower(struct str *s)
{
	for (size_t i = 0; i < s->len; i++)
		if (s->ptr[i] >= 'A' && s->ptr[i] <= 'Z')
			s->ptr[i] |= 0x20;
}

static bool transcript_find_too_many(const transcript_files *s, struct sv what, struct err *err)
{
	defer(str_clear) struct str ids = STR_INIT;
	struct sv shown = utf8_prefix(what, 16);

	for (size_t i = 0; i < min_of(s->n, (size_t)LISTED); i++)
		str_addf(&ids, "%s%.*s", i ? ", " : "",
			 SV_ARG(transcript_file_id(sv_cstr(s->at[i].path))));
	return err_set(err, ERR_INVALID, "\"%.*s%s\" is %zu sessions: %s%s", SV_ARG(shown),
		       shown.len < what.len ? "..." : "", s->n, str_c(&ids),
		       s->n > LISTED ? "..." : "");
}

/* What to search for, and where. */
struct query {
	struct sv config_dir, cwd;
	struct sv what;
	bool by_title; /* otherwise by the start of an id */
};

/* Appends the path if exactly one session matches. Of copies of one session, the newest counts. */
static bool transcript_find_choose(struct str *path, transcript_files *s, const struct query *q,
				   struct err *err)
{
	if (q->by_title)
		transcript_find_keep_titled(s, q->what);
	if (s->n > 1 && !uuid_valid(q->what))
		return transcript_find_too_many(s, q->what, err);
	if (s->n)
		str_adds(path, s->at[0].path);
	return true;
}

/* Finding nothing is a success, too. */
static bool transcript_find_look_for(struct str *path, const struct query *q, struct err *err)
{
	defer(transcript_files_clear) transcript_files here = VEC_INIT;
	defer(transcript_files_clear) transcript_files all = VEC_INIT;
	struct sv prefix = q->by_title ? SV_EMPTY : q->what;
	size_t before = path->len;

	transcript_files_here(&here, q->config_dir, q->cwd, prefix);
	if (!transcript_find_choose(path, &here, q, err))
		return false;
	if (path->len > before)
		return true;
	transcript_files_all(&all, q->config_dir, prefix);
	return transcript_find_choose(path, &all, q, err);
}

static bool find_file(struct str *path, struct sv what, struct err *err)
{
	defer(mem_freep) char *name = sv_dup(what);
	struct fs_info info;

	if (!fs_info(&info, name, true, err))
		return false;
	if (info.kind != FS_FILE)
		return err_set(err, ERR_INVALID, "%s: not a regular file", name);
	str_add(path, what);
	return true;
}

bool transcript_find(struct str *path, struct sv config_dir, struct sv cwd, struct sv what,
		     struct err *err)
{
	defer(str_clear) struct str id = STR_INIT;
	struct query q = { .config_dir = config_dir, .cwd = cwd };
	size_t before = path->len;

	if (sv_find_char(what, '/') != SIZE_MAX || sv_ends(what, SV(".jsonl")))
		return find_file(path, what, err);
	str_add(&id, what);
	transcript_find_lower(&id);
	q.what = sv_of(&id);
	if (id.len >= PREFIX_MIN && transcript_find_is_digits(q.what) &&
	    !transcript_find_look_for(path, &q, err))
		return false;
	q.what = what;
	q.by_title = true;
	if (path->len == before && what.len && !uuid_valid(what) &&
	    !transcript_find_look_for(path, &q, err))
		return false;
	if (path->len > before)
		return true;
	if (uuid_valid(what)) /* the words that hosts look for */
		return err_set(err, ERR_NOT_FOUND, "No conversation found with session ID: %.*s",
			       SV_ARG(what));
	return err_set(err, ERR_NOT_FOUND, "no session \"%.*s\"", SV_ARG(what));
}

bool transcript_newest(struct str *path, struct sv config_dir, struct sv cwd)
{
	defer(transcript_files_clear) transcript_files s = VEC_INIT;

	transcript_files_here(&s, config_dir, cwd, SV_EMPTY);
	for (size_t i = 0; i < s.n; i++) {
		if (transcript_find_has_messages(s.at[i].path)) {
			str_adds(path, s.at[i].path);
			return true;
		}
	}
	return false;
}

/* --- one record ------------------------------------------------------------------- */

/* The line that contains offset `at`. */
static struct sv transcript_find_line(struct sv text, size_t at)
{
	size_t begin = sv_rfind_char(sv_slice(text, 0, at), '\n') + 1;
	size_t end = sv_find_char(sv_skip(text, at), '\n');

	return sv_slice(text, begin, end == SIZE_MAX ? text.len : at + end);
}

static bool transcript_find_record(struct str *out, struct sv text, struct sv uuid)
{
	defer(str_clear) struct str needle = STR_INIT;
	size_t from = 0, found;

	str_addf(&needle, "\"uuid\":\"%.*s\"", SV_ARG(uuid));
	while ((found = sv_find(sv_skip(text, from), sv_of(&needle))) != SIZE_MAX) {
		defer(json_doc_freep) struct json_doc *doc = NULL;
		struct err ignored = ERR_INIT;
		struct json root;

		from += found;
		doc = json_parse(transcript_find_line(text, from), 0, &ignored);
		root = json_root(doc);
		if (sv_eq(json_str_or(json_get(root, "uuid"), SV_EMPTY), uuid)) {
			str_add(out, json_str_or(json_get(root, "parentUuid"),
						 json_str_or(json_get(root, "logicalParentUuid"),
							     SV_EMPTY)));
			return true;
		}
		from++;
	}
	return false;
}

bool transcript_find_parent(struct str *out, const char *path, struct sv uuid, struct err *err)
{
	struct fs_map map;
	bool ok;

	if (!fs_map(&map, path, SIZE_MAX, err))
		return false;
	ok = uuid.len && transcript_find_record(out, map.bytes, uuid);
	fs_unmap(&map);
	return ok || err_set(err, ERR_NOT_FOUND, "the transcript has no prompt %.*s", SV_ARG(uuid));
}

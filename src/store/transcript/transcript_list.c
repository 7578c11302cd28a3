/* Which sessions there are, and what can be said about each without loading it. */
#include "store/transcript/transcript_list.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "proto/message.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_line.h"
#include "store/transcript/transcript_tail.h"
#include "text/iso_time.h"
#include "text/json/json_write.h"

static const struct sv transcript_list_suffix = SV_INIT(".jsonl");

void transcript_files_clear(transcript_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free(files->at[i].path);
	vec_clear(files);
}

struct sv transcript_file_id(struct sv path)
{
	struct sv name = sv_basename(path);

	return sv_ends(name, transcript_list_suffix)
		       ? sv_slice(name, 0, name.len - transcript_list_suffix.len)
		       : SV_EMPTY;
}

/* --- listing ----------------------------------------------------------------------- */

struct listing {
	transcript_files *out;
	struct sv dir;
	struct sv prefix; /* of the id */
};

static enum fs_visit transcript_list_file(void *arg, const struct fs_entry *entry)
{
	struct listing *l = arg;
	defer(str_clear) struct str path = STR_INIT;
	struct sv id = transcript_file_id(entry->name);
	struct fs_info info;
	struct err ignored;
	bool ok;

	if (!id.len || !sv_starts(id, l->prefix))
		return FS_SKIP;
	fs_join(&path, l->dir, entry->name);
	ok = entry->kind == FS_FILE ? fs_entry_info(&info, entry)
				    : fs_info(&info, str_c(&path), true, &ignored);
	if (ok && info.kind == FS_FILE)
		vec_push(l->out, ((struct transcript_file){ .path = str_detach(&path),
							    .mtime_ns = info.mtime_ns,
							    .size = info.size,
							    .inode = info.inode }));
	return FS_SKIP;
}

/* A directory that does not exist has no sessions. */
static void transcript_list_dir(transcript_files *out, const char *dir, struct sv prefix)
{
	struct listing l = { .out = out, .dir = sv_cstr(dir), .prefix = prefix };
	struct err ignored;

	if (!fs_walk(dir, transcript_list_file, &l, &ignored))
		return;
}

struct projects {
	transcript_files *out;
	struct sv root, prefix;
};

static enum fs_visit transcript_list_project(void *arg, const struct fs_entry *entry)
{
	struct projects *p = arg;
	defer(str_clear) struct str dir = STR_INIT;

	fs_join(&dir, p->root, entry->name);
	if (entry->kind == FS_DIR || entry->kind == FS_LINK)
		transcript_list_dir(p->out, str_c(&dir), p->prefix);
	return FS_SKIP;
}

static int transcript_list_newest_first(const void *a, const void *b)
{
	const struct transcript_file *x = a, *y = b;

	if (x->mtime_ns != y->mtime_ns)
		return x->mtime_ns < y->mtime_ns ? 1 : -1;
	return strcmp(y->path, x->path);
}

static void transcript_list_sort(transcript_files *files)
{
	if (files->n)
		qsort(files->at, files->n, sizeof(files->at[0]), transcript_list_newest_first);
}

void transcript_files_here(transcript_files *out, struct sv config_dir, struct sv cwd,
			   struct sv prefix)
{
	defer(str_clear) struct str dir = STR_INIT;

	transcript_dir(&dir, config_dir, cwd);
	transcript_list_dir(out, str_c(&dir), prefix);
	transcript_list_sort(out);
}

void transcript_files_all(transcript_files *out, struct sv config_dir, struct sv prefix)
{
	defer(str_clear) struct str root = STR_INIT;
	struct projects p = { .out = out, .prefix = prefix };
	struct err ignored;

	fs_join(&root, config_dir, SV("projects"));
	p.root = sv_of(&root);
	if (fs_walk(str_c(&root), transcript_list_project, &p, &ignored))
		transcript_list_sort(out);
}

/* --- what is in a file --------------------------------------------------------------- */

enum { TRANSCRIPT_PROMPT_MAX = 200 }; /* bytes of the first prompt that are shown */

void transcript_summary_clear(struct transcript_summary *s)
{
	str_clear(&s->title);
	str_clear(&s->cwd);
	str_clear(&s->prompt);
	str_clear(&s->branch);
	str_clear(&s->tag);
	str_clear(&s->root);
}

static void transcript_summary_set_prompt(struct transcript_summary *s, struct sv content)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(content, 0, &ignored);
	defer(str_clear) struct str text = STR_INIT;

	content_text(&text, json_root(doc));
	if (sv_trim(sv_of(&text)).len)
		str_set(&s->prompt, utf8_prefix(sv_trim(sv_of(&text)), TRANSCRIPT_PROMPT_MAX));
}

/* Take what a line near the beginning says; an earlier line overrides a later one. */
static void transcript_summary_take(struct transcript_summary *s, const struct line *line)
{
	defer(str_clear) struct str cwd = STR_INIT;

	if (line_flag(line->side_chain))
		return;
	if (!s->branch.len)
		line_text(&s->branch, line->branch);
	if (line_is_message(line)) {
		str_set(&s->root, line_id(line->uuid));
		(void)!iso_time_parse(peek_plain(line->timestamp), &s->created_ms);
	}
	line_text(&cwd, line->cwd);
	if (cwd.len)
		str_set(&s->cwd, sv_of(&cwd));
	if (line_is(line, "user") && line_is_sent(line) && !line_flag(line->meta) &&
	    !line->parsed.has_calls)
		transcript_summary_set_prompt(s, line->parsed.content);
}

/* A kind of lines outside the chain, and the member that counts. */
struct note {
	const char *type;
	size_t member; /* offset in struct line */
};
static const struct note note_title = { "custom-title", offsetof(struct line, title) };
static const struct note note_ai_title = { "ai-title", offsetof(struct line, ai_title) };
static const struct note note_tag = { "\"tag\"", offsetof(struct line, tag) };

/* Look for the newest note in the lines that end after `offset`. Notes are few, so most lines are
 * not even parsed. */
static bool transcript_find_note_after(struct str *out, struct tail *t, int64_t offset,
				       const struct note *note)
{
	struct sv type = sv_cstr(note->type);
	struct tail_line where;
	struct err ignored;
	struct line line;

	if (type.ptr[0] == '"')
		type = sv_slice(type, 1, type.len - 1);
	while (tail_reached(t) > offset && tail_prev(t, &where, &ignored) && !where.end) {
		if (sv_find(where.text, sv_cstr(note->type)) == SIZE_MAX ||
		    !line_read(&line, where.text) || !sv_eq(peek_plain(line.type), type))
			continue;
		line_text(out, *(const struct sv *)((const char *)&line + note->member));
		return true;
	}
	return false;
}

static bool transcript_find_note(struct str *out, const char *path, const struct note *note)
{
	defer(tail_close) struct tail t = TAIL_INIT;
	struct err ignored;

	return tail_open(&t, path, &ignored) &&
	       (transcript_find_note_after(out, &t, t.size - (int64_t)LIMIT_TRANSCRIPT_TAIL,
					   note) ||
		(tail_jump(&t, LIMIT_TRANSCRIPT_HEAD, &ignored) &&
		 transcript_find_note_after(out, &t, 0, note)));
}

bool transcript_title(struct str *out, const char *path)
{
	return transcript_find_note(out, path, &note_title);
}

void transcript_summarize(struct transcript_summary *out, const char *path)
{
	defer(tail_close) struct tail head = TAIL_INIT;
	struct tail_line where;
	struct line line;
	struct err ignored;

	if (!transcript_title(&out->title, path))
		(void)transcript_find_note(&out->title, path, &note_ai_title);
	(void)transcript_find_note(&out->tag, path, &note_tag);
	if (!tail_open(&head, path, &ignored) || !tail_jump(&head, LIMIT_TRANSCRIPT_HEAD, &ignored))
		return;
	while (tail_prev(&head, &where, &ignored) && !where.end)
		if (line_read(&line, where.text))
			transcript_summary_take(out, &line);
}

/* --- changing one ---------------------------------------------------------------------- */

/* Append a note with one text. */
static void transcript_write_note(struct str *out, const char *type, const char *key,
				  struct sv text, struct sv session_id)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", sv_cstr(type));
	jw_put_str(&w, key, text);
	jw_put_str(&w, "sessionId", session_id);
	jw_end(&w);
	jw_done(&w);
}

void transcript_write_title(struct str *out, struct sv session_id, struct sv title)
{
	transcript_write_note(out, "custom-title", "customTitle", title, session_id);
}

void transcript_write_agent(struct str *out, struct sv session_id, struct sv agent)
{
	transcript_write_note(out, "agent-setting", "agentSetting", agent, session_id);
}

void transcript_write_ai_title(struct str *out, struct sv session_id, struct sv title)
{
	transcript_write_note(out, "ai-title", "aiTitle", title, session_id);
}

/* Adds a note to a session that nobody has open. */
static bool transcript_add_note(struct sv config_dir, const char *path, struct sv note,
				struct err *err)
{
	defer(str_clear) struct str lock = STR_INIT, id = STR_INIT;
	defer(transcript_freep) struct transcript *t = NULL;

	if (!fs_exists(path))
		return err_set(err, ERR_NOT_FOUND, "no session file %s", path);
	str_add(&id, transcript_file_id(sv_cstr(path)));
	transcript_lock_path(&lock, config_dir, sv_of(&id));
	t = transcript_new(&(struct transcript_opts){ .path = path,
						      .lock_path = str_c(&lock),
						      .session_id = str_c(&id),
						      .version = "",
						      .entrypoint = "" });
	return transcript_note(t, note, err) && transcript_sync(t, err);
}

bool transcript_rename(struct sv config_dir, const char *path, struct sv title, struct err *err)
{
	defer(str_clear) struct str note = STR_INIT;

	transcript_write_title(&note, transcript_file_id(sv_cstr(path)), title);
	return transcript_add_note(config_dir, path, sv_of(&note), err);
}

bool transcript_tag(struct sv config_dir, const char *path, struct sv tag, struct err *err)
{
	defer(str_clear) struct str note = STR_INIT;

	transcript_write_note(&note, "tag", "tag", tag, transcript_file_id(sv_cstr(path)));
	return transcript_add_note(config_dir, path, sv_of(&note), err);
}

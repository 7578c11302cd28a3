#include "store/transcript/transcript.h"
#include "store/transcript/transcript_path.h"
#include "store/transcript/transcript_walk.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

/* Lines are written many at a time. */
enum { BATCH = 256 * 1024 };

static bool transcript_fork_flush(struct fs_log *log, struct str *batch, struct err *err)
{
	if (!fs_log_add(log, sv_of(batch), err))
		return false;
	str_truncate(batch, 0);
	return true;
}

static void transcript_fork_replace(struct str *text, struct sv member, struct sv quoted)
{
	size_t from = (size_t)(member.ptr - text->ptr);

	str_splice(text, from, from + member.len, quoted);
}

/* Change the session and, if it is not empty, the parent; every other byte stays. A line that is
 * damaged inside is copied too, because others name it. */
static void transcript_fork_add_line(struct str *batch, struct sv text, struct sv quoted_id,
				     struct sv quoted_parent)
{
	defer(str_clear) struct str edited = STR_INIT;
	struct line line;

	str_add(&edited, sv_trim(text));
	if (line_read(&line, sv_of(&edited)) && line.session.len)
		transcript_fork_replace(&edited, line.session, quoted_id);
	if (quoted_parent.len && line_read(&line, sv_of(&edited)) && line.parent.len)
		transcript_fork_replace(&edited, line.parent, quoted_parent);
	str_add(batch, sv_of(&edited));
	str_addc(batch, '\n');
}

/* Append the id, in quotes, of the record that replaces the damaged parent of pick `i`. */
static void transcript_fork_parent(struct str *out, const struct chain_walk *w, size_t i)
{
	size_t at = i;

	while (at > 0 && w->picks.at[at - 1].stray)
		at--;
	if (w->picks.at[i].is_gap && at > 0)
		str_addf(out, "\"%s\"", w->picks.at[at - 1].uuid.text);
}

static bool transcript_fork_copy_chain(struct chain_walk *w, struct fs_log *log,
				       struct sv quoted_id, struct err *err)
{
	defer(str_clear) struct str batch = STR_INIT;
	struct sv line;

	for (size_t i = 0; i < w->picks.n; i++) {
		defer(str_clear) struct str parent = STR_INIT;

		if (!chain_walk_line(w, &w->picks.at[i], &line, err))
			return false;
		transcript_fork_parent(&parent, w, i);
		transcript_fork_add_line(&batch, line, quoted_id, sv_of(&parent));
		if (batch.len >= BATCH && !transcript_fork_flush(log, &batch, err))
			return false;
	}
	return transcript_fork_flush(log, &batch, err) && fs_log_sync(log, err);
}

static void transcript_fork_quote(struct str *out, const char *text)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_str(&w, sv_cstr(text));
	jw_done(&w);
}

bool transcript_fork(const char *from, const char *to, const char *session_id, struct err *err)
{
	defer(chain_walk_clear) struct chain_walk w = { .all = true, WALK_INIT };
	defer(fs_log_closep) struct fs_log *log = NULL;
	defer(str_clear) struct str id = STR_INIT;
	struct err ignored;

	if (!chain_walk_run(&w, from, err))
		return false;
	if (fs_exists(to))
		return err_set(err, ERR_EXISTS, "%s: already exists", to);
	transcript_fork_quote(&id, session_id);
	if (!path_make_parents(to, err))
		return false;
	log = fs_log_open(to, 0600, err);
	if (!log)
		return false;
	if (transcript_fork_copy_chain(&w, log, sv_of(&id), err))
		return true;
	if (!fs_remove(to, &ignored))
		return err_context(err, "%s was not removed", to);
	return false;
}

/* awl.h: the sessions on disk. */
#include <awl_sessions.h>
#include <stdlib.h>

#include "core/api/awl_int.h"
#include "store/sessions/session_list.h"
#include "store/transcript/cleanup.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_export.h"
#include "store/transcript/transcript_list.h"
#include "sys/fs.h"

struct awl_session_list {
	struct session_list list;
	VEC(struct awl_session_info) infos;
};

/* --- lists --------------------------------------------------------------------------------- */

void awl_session_list_free(struct awl_session_list *list)
{
	if (!list)
		return;
	vec_clear(&list->infos);
	session_list_clear(&list->list);
	free(list);
}

const struct awl_session_info *awl_session_list_at(const struct awl_session_list *list, size_t i)
{
	return i < list->infos.n ? &list->infos.at[i] : NULL;
}

int64_t awl_session_list_unindexed(const struct awl_session_list *list)
{
	return list->list.unindexed;
}

static struct awl_session_list *awl_session_list_new(void)
{
	struct awl_session_list *list = xnew(struct awl_session_list);

	list->list = (struct session_list)SESSION_LIST_INIT;
	return list;
}

/* The same entries for the caller of the library. */
static void awl_session_list_fill(struct awl_session_list *list)
{
	for (size_t i = 0; i < list->list.entries.n; i++) {
		const struct session_entry *entry = &list->list.entries.at[i];

		vec_push(&list->infos,
			 ((struct awl_session_info){ .id = entry->id,
						     .path = entry->path,
						     .title = entry->title,
						     .cwd = entry->cwd,
						     .prompt = entry->prompt,
						     .branch = entry->branch,
						     .tag = entry->tag,
						     .root = entry->root,
						     .snippet = entry->snippet,
						     .messages = entry->messages,
						     .created_ms = entry->created_ms,
						     .modified_ms = entry->mtime_ns / 1000000,
						     .bytes = entry->size }));
	}
}

enum awl_result awl_sessions_search(struct awl_session_list **out, struct awl *awl,
				    const struct awl_session_query *query)
{
	struct awl_session_query q = AWL_SESSION_QUERY_INIT;
	struct session_query wanted = { .config_dir = sv_cstr(awl->engine->config_dir) };
	defer(str_clear) struct str dir = STR_INIT;
	struct err err = ERR_INIT;

	*out = NULL;
	if (!awl_copy_struct(&q, sizeof(q), query, "AWL_SESSION_QUERY_INIT", &err) ||
	    (q.cwd && !fs_realpath(&dir, q.cwd, &err)))
		return awl_fail(&err);
	wanted.cwd = sv_of(&dir);
	wanted.text = sv_cstr(q.text);
	wanted.branch = sv_cstr(q.branch);
	wanted.tag = sv_cstr(q.tag);
	wanted.limit = q.limit;
	wanted.scan = q.max_scan;
	*out = awl_session_list_new();
	if (wanted.config_dir.len)
		session_search(&(*out)->list, &wanted);
	awl_session_list_fill(*out);
	return AWL_OK;
}

enum awl_result awl_sessions_list(struct awl_session_list **out, struct awl *awl, const char *cwd)
{
	struct awl_session_query query = AWL_SESSION_QUERY_INIT;

	query.cwd = cwd;
	return awl_sessions_search(out, awl, &query);
}

enum awl_result awl_sessions_index(struct awl *awl, awl_index_fn *progress, void *arg)
{
	struct sv config_dir = sv_cstr(awl->engine->config_dir);
	struct err err = ERR_INIT;

	return awl_end(!config_dir.len || session_index_update(config_dir, progress, arg, &err),
		       &err);
}

/* --- one session ----------------------------------------------------------------------------- */

static bool awl_stored_find(struct str *path, const struct awl *awl, const char *cwd,
			    const char *what, struct err *err)
{
	defer(str_clear) struct str dir = STR_INIT;

	if (cwd && !fs_realpath(&dir, cwd, err))
		return false;
	if (!awl->engine->config_dir)
		return err_set(err, ERR_NOT_FOUND,
			       "there is no session \"%s\": without a home directory, awl keeps no "
			       "sessions",
			       what);
	return transcript_find(path, sv_cstr(awl->engine->config_dir), sv_of(&dir), sv_cstr(what),
			       err);
}

enum awl_result awl_sessions_find(struct awl_session_list **out, struct awl *awl, const char *cwd,
				  const char *what)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err err = ERR_INIT;

	*out = NULL;
	if (!awl_stored_find(&path, awl, cwd, what, &err) ||
	    !fs_info(&info, str_c(&path), true, &err))
		return awl_fail(&err);
	*out = awl_session_list_new();
	session_list_add(&(*out)->list, &(struct transcript_file){ .path = path.ptr,
								   .mtime_ns = info.mtime_ns,
								   .size = info.size,
								   .inode = info.inode });
	awl_session_list_fill(*out);
	return AWL_OK;
}

/* Ids only: a title or a prefix could mean another session tomorrow. */
static bool awl_stored_find_id(struct str *path, const struct awl *awl, const char *id,
			       struct err *err)
{
	if (!uuid_valid(sv_cstr(id)))
		return err_set(err, ERR_INVALID, "\"%s\" is not the id of a session", id);
	return awl_stored_find(path, awl, NULL, id, err);
}

static struct session *awl_stored_open(const struct awl *awl, const char *id)
{
	for (size_t i = 0; i < awl->sessions.n; i++)
		if (strcmp(session_id(awl->sessions.at[i]->session), id) == 0)
			return awl->sessions.at[i]->session;
	return NULL;
}

static bool awl_stored_has_title(struct sv title, struct err *err)
{
	return title.len || err_set(err, ERR_INVALID, "the title of a session must not be empty");
}

enum awl_result awl_sessions_title(struct awl *awl, const char *id, const char *title)
{
	struct sv text = sv_trim(sv_cstr(title));
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	return awl_end(awl_stored_has_title(text, &err) &&
			       awl_stored_find_id(&path, awl, id, &err) &&
			       transcript_rename(sv_cstr(awl->engine->config_dir), str_c(&path),
						 text, &err),
		       &err);
}

enum awl_result awl_sessions_rename(struct awl *awl, const char *id, const char *title)
{
	struct session *open = awl_stored_open(awl, id);
	struct sv text = sv_trim(sv_cstr(title));
	struct err err = ERR_INIT;

	if (!open)
		return awl_sessions_title(awl, id, title);
	return awl_end(awl_stored_has_title(text, &err) && session_rename(open, text, &err), &err);
}

enum awl_result awl_sessions_tag(struct awl *awl, const char *id, const char *tag)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	return awl_end(awl_stored_find_id(&path, awl, id, &err) &&
			       transcript_tag(sv_cstr(awl->engine->config_dir), str_c(&path),
					      sv_trim(sv_cstr(tag)), &err),
		       &err);
}

bool awl_sessions_is_open(struct awl *awl, const char *id)
{
	defer(fs_unlockp) struct fs_lock *lock = NULL;
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	if (awl_stored_open(awl, id))
		return true;
	if (!awl->engine->config_dir)
		return false;
	transcript_lock_path(&path, sv_cstr(awl->engine->config_dir), sv_cstr(id));
	lock = fs_lock_existing(str_c(&path), 0, &err);
	return !lock && err.kind != ERR_NOT_FOUND;
}

enum awl_result awl_sessions_export(struct awl *awl, const char *path, enum awl_export format,
				    const char **text, size_t *length)
{
	static transcript_export_fn *const formats[] = {
		[AWL_EXPORT_MARKDOWN] = transcript_export,
		[AWL_EXPORT_HTML] = transcript_export_html,
		[AWL_EXPORT_JSON] = transcript_export_json,
	};
	struct err err = ERR_INIT;

	if ((size_t)format >= countof(formats)) {
		err_set(&err, ERR_INVALID, "there is no such export format");
		return awl_fail(&err);
	}
	str_truncate(&awl->exported, 0);
	if (!formats[format](&awl->exported, path, SV_EMPTY, &err))
		return awl_fail(&err);
	*text = str_c(&awl->exported);
	*length = awl->exported.len;
	return AWL_OK;
}

enum awl_result awl_sessions_delete(struct awl *awl, const char *id)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	if (awl_stored_open(awl, id)) {
		err_set(&err, ERR_BUSY, "the session %s is open; close it first", id);
		return awl_fail(&err);
	}
	return awl_end(awl_stored_find_id(&path, awl, id, &err) &&
			       cleanup_remove(awl->engine->config_dir, str_c(&path), &err),
		       &err);
}

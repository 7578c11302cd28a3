/* awl.h: the sessions on disk. */
#include <stdlib.h>

#include "core/awl_int.h"
#include "store/transcript/cleanup.h"
#include "store/transcript/transcript.h"
#include "store/transcript/transcript_list.h"
#include "sys/fs.h"

struct awl_session_list {
	struct arena arena;
	VEC(struct awl_session_info) infos;
};

/* --- lists --------------------------------------------------------------------------------- */

void awl_session_list_free(struct awl_session_list *list)
{
	if (!list)
		return;
	vec_clear(&list->infos);
	arena_clear(&list->arena);
	free(list);
}

const struct awl_session_info *awl_session_list_at(const struct awl_session_list *list, size_t i)
{
	return i < list->infos.n ? &list->infos.at[i] : NULL;
}

static void awl_session_list_add(struct awl_session_list *list, const char *path, int64_t mtime_ns,
				 int64_t size)
{
	defer(transcript_summary_clear) struct transcript_summary summary = TRANSCRIPT_SUMMARY_INIT;
	struct arena *arena = &list->arena;

	transcript_summarize(&summary, path);
	vec_push(&list->infos,
		 ((struct awl_session_info){
			 .id = arena_dup(arena, transcript_file_id(sv_cstr(path))).ptr,
			 .path = arena_dup(arena, sv_cstr(path)).ptr,
			 .title = arena_dup(arena, sv_of(&summary.title)).ptr,
			 .cwd = arena_dup(arena, sv_of(&summary.cwd)).ptr,
			 .prompt = arena_dup(arena, sv_of(&summary.prompt)).ptr,
			 .modified_ms = mtime_ns / 1000000,
			 .bytes = size }));
}

static struct awl_session_list *awl_session_list_new(void)
{
	struct awl_session_list *list = xnew(struct awl_session_list);

	list->arena = (struct arena)ARENA_INIT;
	return list;
}

enum awl_result awl_sessions_list(struct awl_session_list **out, struct awl *awl, const char *cwd)
{
	struct sv config_dir = sv_cstr(awl->engine->config_dir);
	defer(transcript_files_clear) transcript_files files = VEC_INIT;
	defer(str_clear) struct str dir = STR_INIT;
	struct err err = ERR_INIT;

	*out = NULL;
	if (cwd && !fs_realpath(&dir, cwd, &err))
		return awl_fail(&err);
	if (config_dir.len && cwd)
		transcript_files_here(&files, config_dir, sv_of(&dir), SV_EMPTY);
	else if (config_dir.len)
		transcript_files_all(&files, config_dir, SV_EMPTY);
	*out = awl_session_list_new();
	for (size_t i = 0; i < files.n; i++)
		if (uuid_valid(transcript_file_id(sv_cstr(files.at[i].path))))
			awl_session_list_add(*out, files.at[i].path, files.at[i].mtime_ns,
					     files.at[i].size);
	return AWL_OK;
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
			       "there is no session \"%s\": without a home directory none is kept",
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
	awl_session_list_add(*out, str_c(&path), info.mtime_ns, info.size);
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

enum awl_result awl_sessions_rename(struct awl *awl, const char *id, const char *title)
{
	struct session *open = awl_stored_open(awl, id);
	struct sv text = sv_trim(sv_cstr(title));
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	if (!text.len) {
		err_set(&err, ERR_INVALID, "the title of a session must not be empty");
		return awl_fail(&err);
	}
	if (open)
		return awl_end(session_rename(open, text, &err), &err);
	return awl_end(awl_stored_find_id(&path, awl, id, &err) &&
			       transcript_rename(sv_cstr(awl->engine->config_dir), str_c(&path),
						 text, &err),
		       &err);
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

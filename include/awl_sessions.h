/* awl_sessions.h - finding stored sessions: searches, exports and tags. Part of the library of
 * awl.h, whose rules apply; awl.h lists, renames and deletes them. */
#ifndef AWL_SESSIONS_H
#define AWL_SESSIONS_H

#include <awl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to look for; see AWL_SESSION_QUERY_INIT. */
struct awl_session_query {
	size_t size;
	const char *cwd; /* sessions of this directory; NULL: all */
	const char
		*text; /* words that a message must have; quotes keep words together; NULL: any */
	const char *branch; /* NULL: any */
	const char *tag;    /* NULL: any */
	size_t limit;       /* how many sessions, the newest; 0: all */
	/* How many bytes that the index does not know may be searched; 0: 1 GiB. */
	int64_t max_scan;
};
#define AWL_SESSION_QUERY_INIT                           \
	{                                                \
		.size = sizeof(struct awl_session_query) \
	}

/* Lists the sessions that a query describes. Searches are instant with the index of
 * awl_sessions_index(), and read what it does not know of the transcripts, up to `max_scan` bytes.
 * This function and awl_sessions_index() may be called in another thread while the engine is
 * open. */
AWL_API enum awl_result awl_sessions_search(struct awl_session_list **out, struct awl *awl,
					    const struct awl_session_query *query);

/* How many bytes of the sessions that were looked at are not in the index. 0: awl_sessions_index()
 * has nothing to do for them; more than `max_scan`: a search may have missed some. */
AWL_API int64_t awl_session_list_unindexed(const struct awl_session_list *list);

/* Receives how many bytes of how many have been read. Returns whether to continue. */
typedef bool awl_index_fn(void *arg, int64_t done, int64_t total);
/* Brings the index for searches up to date. It is a cache in the configuration directory that is
 * built from the sessions, also when it was damaged. The first time takes a second per 50 MB or so.
 * Fails with AWL_ERR_BUSY while another process does the same, with AWL_ERR_UNSUPPORTED where there
 * can be no index, and with AWL_ERR_CANCELLED when `progress` says so; searches work all the same.
 * `progress` may be NULL. */
AWL_API enum awl_result awl_sessions_index(struct awl *awl, awl_index_fn *progress, void *arg);

/* Asks the user's sessions at terminals that other sessions on this machine can write to
 * (docs/teams.md), and stores a JSON array in `*json`: objects with "kind" ("interactive"),
 * "sessionId", "name", "cwd", "startedAt" (milliseconds), "pid" and "status" ("busy", "waiting",
 * "idle"). Waits for the answers. The array lives until the next call for this engine. */
AWL_API enum awl_result awl_sessions_live(struct awl *awl, const char **json);

enum awl_export { AWL_EXPORT_MARKDOWN, AWL_EXPORT_HTML, AWL_EXPORT_JSON };
/* Writes the conversation of a session file (awl_session_info.path) for people, or as JSON for
 * programs. `*text` lives until the next call for this engine. */
AWL_API enum awl_result awl_sessions_export(struct awl *awl, const char *path,
					    enum awl_export format, const char **text,
					    size_t *length);

/* The same as awl_sessions_rename() for a session that nobody has open: it fails with AWL_ERR_BUSY
 * otherwise. May be called in another thread while the engine is open, as it waits for the disk. */
AWL_API enum awl_result awl_sessions_title(struct awl *awl, const char *id, const char *title);
/* Gives the session with this id a tag to filter by; "" removes it. Fails with AWL_ERR_BUSY when a
 * process has it open. */
AWL_API enum awl_result awl_sessions_tag(struct awl *awl, const char *id, const char *tag);
/* Whether a process has the session with this id open. */
AWL_API bool awl_sessions_is_open(struct awl *awl, const char *id);

/* === whose lines these are ==========================================================
 *
 * The undo history of all sessions knows which prompt has written each line of a file. */

struct awl_blame;

/* A prompt that has written at least one line. */
struct awl_blame_prompt {
	const char *session, *uuid; /* ids of its session and of itself */
	const char *title;          /* its first line */
	int64_t time_ms;            /* since 1970 */
	size_t lines;               /* how many lines of the file are its work */
};

struct awl_blame_line {
	const char *text; /* without its line end; not terminated */
	size_t length;
	const struct awl_blame_prompt *prompt; /* NULL: not known; maybe not by a session */
};

/* Finds out who wrote a file. Fails when the file cannot be read. May take a second with a long
 * history, and may be called in another thread while the engine is open. Free the result with
 * awl_blame_close(); it may outlive the engine. */
AWL_API enum awl_result awl_blame_open(struct awl_blame **out, struct awl *awl, const char *path);
/* Gives line `i`, from 0. False: there are not so many. */
AWL_API bool awl_blame_line(const struct awl_blame *blame, size_t i, struct awl_blame_line *out);
/* Returns prompt `i`, from 0, the oldest first; NULL: there are not so many. */
AWL_API const struct awl_blame_prompt *awl_blame_prompt(const struct awl_blame *blame, size_t i);
/* Frees a result. NULL is ignored. */
AWL_API void awl_blame_close(struct awl_blame *blame);

#ifdef __cplusplus
}
#endif

#endif

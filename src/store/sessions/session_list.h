/* session_list.h - lists and searches the sessions on disk, with the index where there is one. */
#ifndef AWL_STORE_SESSIONS_SESSION_LIST_H
#define AWL_STORE_SESSIONS_SESSION_LIST_H

#include "store/sessions/session_index.h"

struct session_query {
	struct sv config_dir;
	struct sv cwd;         /* sessions of this directory; empty: all */
	struct sv text;        /* see session_match.h; empty: all */
	struct sv branch, tag; /* empty: any */
	size_t limit;          /* of sessions, the newest; 0: none */
	int64_t scan; /* bytes that may be searched without the index; 0: LIMIT_SEARCH_SCAN */
};

/* Strings are never NULL; they may be empty. */
struct session_entry {
	const char *id, *path;
	const char *title, *prompt, *cwd, *branch, *tag;
	const char *root;    /* sessions with the same one are forks of each other */
	const char *snippet; /* of the search: what was found */
	int64_t mtime_ns, size;
	int64_t messages, created_ms; /* 0: not known */
};

struct session_list {
	struct arena arena;
	VEC(struct session_entry) entries; /* newest first */
	int64_t unindexed; /* bytes of the sessions it was made from that the index does not know */
};

#define SESSION_LIST_INIT                                \
	{                                                \
		.arena = ARENA_INIT, .entries = VEC_INIT \
	}

void session_list_clear(struct session_list *list);

/* Lists the sessions that a query without text describes. Reads the transcripts that the index does not
 * know as they are, so it is right in any case. Blocks for as long as that takes. */
void session_list(struct session_list *out, const struct session_query *query);
/* Adds one session, without the index. */
void session_list_add(struct session_list *out, const struct transcript_file *file);

/* The same with text. Looks into the index for what it knows, and reads the rest of the transcripts, up to
 * `scan` bytes: when more are `unindexed`, call session_index_update() and search again. */
void session_search(struct session_list *out, const struct session_query *query);

/* --- for session_search.c -------------------------------------------------------------------- */

struct session_lister {
	const struct session_query *query;
	struct session_list *out;
	struct session_index index; /* `db` is NULL: there is none */
	struct map rows;            /* path -> struct session_row */
	transcript_files files;
};

void session_lister_open(struct session_lister *l);
void session_lister_close(struct session_lister *l);
/* Adds a session if it has the branch and the tag that the query wants. */
void session_lister_add(struct session_lister *l, const struct transcript_file *file,
			const char *snippet);
bool session_lister_is_full(const struct session_lister *l);

#endif

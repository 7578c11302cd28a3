/* transcript_list.h - lists the sessions on disk, summarizes them and changes their titles. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_LIST_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_LIST_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct transcript_file {
	char *path;
	int64_t mtime_ns, size;
	uint64_t inode;
};
typedef VEC(struct transcript_file) transcript_files; /* newest first */

/* Append the sessions of the directory `cwd`, or of all directories, whose id begins with
 * `prefix` (empty: all). Unreadable files are skipped. */
void transcript_files_here(transcript_files *out, struct sv config_dir, struct sv cwd,
			   struct sv prefix);
void transcript_files_all(transcript_files *out, struct sv config_dir, struct sv prefix);
void transcript_files_clear(transcript_files *files);

/* Returns the id that a file is named after; empty: it is not a session. */
struct sv transcript_file_id(struct sv path);

/* Appends the title of a session. Searches where transcript_load() does: in the last
 * LIMIT_TRANSCRIPT_TAIL and in the first LIMIT_TRANSCRIPT_HEAD bytes. Returns false if it has
 * none. */
bool transcript_title(struct str *out, const char *path);

/* What a session is about; each may be empty. */
struct transcript_summary {
	struct str title;
	struct str cwd;
	struct str prompt; /* the beginning of the first prompt */
	struct str branch, tag;
	struct str root;    /* uuid of its first message */
	int64_t created_ms; /* 0: not known */
};

#define TRANSCRIPT_SUMMARY_INIT                                                             \
	{                                                                                   \
		.title = STR_INIT, .cwd = STR_INIT, .prompt = STR_INIT, .branch = STR_INIT, \
		.tag = STR_INIT, .root = STR_INIT                                           \
	}

/* Reads no more of the file than transcript_title(). */
void transcript_summarize(struct transcript_summary *out, const char *path);
void transcript_summary_clear(struct transcript_summary *summary);

/* Appends the record that gives a session a title. */
void transcript_write_title(struct str *out, struct sv session_id, struct sv title);
/* The same for a title that a model has made; one that the user has given overrides it. */
void transcript_write_ai_title(struct str *out, struct sv session_id, struct sv title);
/* Gives a session a tag to filter by; empty: removes it. Fails like transcript_rename(). */
must_use bool transcript_tag(struct sv config_dir, const char *path, struct sv tag,
			     struct err *err);
/* Adds that record to the file. Fails with ERR_BUSY when the session is open. */
must_use bool transcript_rename(struct sv config_dir, const char *path, struct sv title,
				struct err *err);

#endif

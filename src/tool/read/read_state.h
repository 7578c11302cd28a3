/* read_state.h - the files that the model of an agent has seen, and their state at that time. So Edit
 * and Write never destroy what the model does not know. Keeps only a hash of the content. Beyond
 * LIMIT_FILES_SEEN files the least recently used are forgotten. One thread only. */
#ifndef AWL_TOOL_READ_READ_STATE_H
#define AWL_TOOL_READ_READ_STATE_H

#include "sys/fs.h"
#include "tool/read/read_lines.h"

struct file_seen {
	int64_t mtime_ns, size;
	uint64_t hash; /* of all its bytes, if `hashed` */
	bool hashed;   /* false for very big files */
	bool ours;     /* Edit or Write wrote these bytes */
	bool recalled; /* nothing else is known of it (read_state_recall()) */
	/* The lines that the model knows; with `by_cells` the cells of a notebook. */
	struct lines_seen shown;
	bool by_cells;
	bool cut; /* some lines or outputs were too long and were shown in part */
	/* The part that a result in the conversation still shows in full: the first line and the
	 * number of lines requested. Both 0: none, or unknown by now. */
	size_t view_first, view_limit;
};

struct read_state;

struct read_state *read_state_new(void);
void read_state_free(struct read_state *files);
void read_state_freep(struct read_state **files);
size_t read_state_count(const struct read_state *files);

/* Visits the files, the least recently used first: `for (i = 0; read_state_next(files, &i, &path, &seen);)`. */
bool read_state_next(const struct read_state *files, size_t *i, struct sv *path,
		     const struct file_seen **seen);

/* A file that an earlier process of the session has used: it is visited like the others, and unknown otherwise. */
void read_state_recall(struct read_state *files, struct sv path, bool ours);

/* `path` is a real path (tool_real_path()), so that all names of a file share one entry. Borrowed until
 * the next change; NULL: never seen. */
const struct file_seen *read_state_get(struct read_state *files, struct sv path);
void read_state_put(struct read_state *files, struct sv path, struct file_seen seen);
void read_state_forget(struct read_state *files, struct sv path);
/* Call this when results have left the conversation (it was compacted, cut or rewound). Files are
 * shown again when they are read again; what may be edited stays known. */
void read_state_forget_views(struct read_state *files);

/* The entry of a file of which the model knows all these bytes. */
struct file_seen file_seen_of(const struct fs_info *info, struct sv bytes);
/* Whether the model does not know part of the file. */
bool file_seen_is_partial(const struct file_seen *seen);
/* Whether a file is unchanged since the model saw it. `bytes` is the whole file; if its bytes were
 * hashed, they decide. */
bool file_seen_is(const struct file_seen *seen, const struct fs_info *info, struct sv bytes);

#endif

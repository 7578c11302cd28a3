/* read_state.h - which files the model has seen, and as what: an agent's memory
 * that keeps Edit and Write from destroying what it does not know. Of the content
 * only a hash is kept. The files used longest ago are forgotten first, beyond
 * LIMIT_FILES_SEEN. One thread only. */
#ifndef AWL_TOOL_READ_READ_STATE_H
#define AWL_TOOL_READ_READ_STATE_H

#include "sys/fs.h"
#include "tool/read/read_lines.h"

struct file_seen {
	int64_t mtime_ns, size;
	uint64_t hash; /* of all its bytes, when `hashed` */
	bool hashed;   /* false of files too big for that */
	bool ours;     /* these bytes were written by Edit or Write */
	/* The lines that the model knows; of a notebook the cells, with `by_cells`. */
	struct lines_seen shown;
	bool by_cells;
	bool cut; /* what it was shown has lines or outputs too long to be shown whole */
	/* The part of it that a result in the conversation shows in full: the first line
	 * and how many were asked for. Both 0: none, or it is not known any more. */
	size_t view_first, view_limit;
};

struct read_state;

struct read_state *read_state_new(void);
/* For an agent with a conversation of its own: what was shown is not copied. */
struct read_state *read_state_clone(const struct read_state *from);
void read_state_free(struct read_state *files);
void read_state_freep(struct read_state **files);
size_t read_state_count(const struct read_state *files);

/* `path` is real (tool_real_path), so that every name of a file leads to the same
 * memory. Borrowed until the state next changes; NULL: never seen. */
const struct file_seen *read_state_get(struct read_state *files, struct sv path);
void read_state_put(struct read_state *files, struct sv path, struct file_seen seen);
void read_state_forget(struct read_state *files, struct sv path);
/* Results have gone from the conversation (it was compacted, cut, rewound): whatever is
 * read again is shown again. What may be edited stays known. */
void read_state_forget_views(struct read_state *files);

/* How a file with these bytes is remembered by one who knows them all. */
struct file_seen file_seen_of(const struct fs_info *info, struct sv bytes);
/* Whether there is something of the file that the model does not know. */
bool file_seen_is_partial(const struct file_seen *seen);
/* Whether a file is still what was seen. The bytes decide where they were hashed;
 * `bytes` is all of it. */
bool file_seen_is(const struct file_seen *seen, const struct fs_info *info, struct sv bytes);

#endif

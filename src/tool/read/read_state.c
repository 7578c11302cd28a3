#include "tool/read/read_state.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"

/* A map keeps the order of insertion. Using a file removes and reinserts it, so this is also the order
 * of use. */
struct read_state {
	struct map by_path; /* to owned struct file_seen */
};

struct read_state *read_state_new(void)
{
	return xnew(struct read_state);
}

void read_state_free(struct read_state *files)
{
	struct sv path;
	void *seen;

	if (!files)
		return;
	for (size_t i = 0; map_next(&files->by_path, &i, &path, &seen);)
		free(seen);
	map_clear(&files->by_path);
	free(files);
}

void read_state_freep(struct read_state **files)
{
	read_state_free(move(*files));
}

size_t read_state_count(const struct read_state *files)
{
	return files->by_path.n;
}

bool read_state_next(const struct read_state *files, size_t *i, struct sv *path,
		     const struct file_seen **seen)
{
	void *value;

	if (!map_next(&files->by_path, i, path, &value))
		return false;
	*seen = value;
	return true;
}

const struct file_seen *read_state_get(struct read_state *files, struct sv path)
{
	struct file_seen *seen = map_remove(&files->by_path, path);

	if (seen)
		map_put(&files->by_path, path, seen);
	return seen && !seen->recalled ? seen : NULL;
}

void read_state_recall(struct read_state *files, struct sv path, bool ours)
{
	struct file_seen *seen = map_get(&files->by_path, path);
	bool was_ours = seen && seen->ours;

	if (seen ? seen->recalled : files->by_path.n < LIMIT_FILES_SEEN)
		read_state_put(files, path,
			       (struct file_seen){ .recalled = true, .ours = ours || was_ours });
}

void read_state_put(struct read_state *files, struct sv path, struct file_seen seen)
{
	struct sv oldest;
	size_t first = 0;
	void *old;

	read_state_forget(files, path);
	if (files->by_path.n == LIMIT_FILES_SEEN &&
	    map_next(&files->by_path, &first, &oldest, &old))
		read_state_forget(files, oldest);
	map_put(&files->by_path, path, xmemdup(&seen, sizeof(seen)));
}

void read_state_forget(struct read_state *files, struct sv path)
{
	free(map_remove(&files->by_path, path));
}

void read_state_forget_views(struct read_state *files)
{
	struct sv path;
	void *seen;

	for (size_t i = 0; map_next(&files->by_path, &i, &path, &seen);) {
		((struct file_seen *)seen)->view_first = 0;
		((struct file_seen *)seen)->view_limit = 0;
	}
}

struct file_seen file_seen_of(const struct fs_info *info, struct sv bytes)
{
	return (struct file_seen){ .mtime_ns = info->mtime_ns,
				   .size = (int64_t)bytes.len,
				   .hash = hash_bytes(bytes, 0),
				   .hashed = true,
				   .shown = LINES_ALL };
}

bool file_seen_is_partial(const struct file_seen *seen)
{
	return seen->cut || !lines_are_all(&seen->shown);
}

bool file_seen_is(const struct file_seen *seen, const struct fs_info *info, struct sv bytes)
{
	if (seen->hashed)
		return seen->size == (int64_t)bytes.len && seen->hash == hash_bytes(bytes, 0);
	return seen->size == info->size && seen->mtime_ns == info->mtime_ns;
}

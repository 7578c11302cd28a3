#include "store/git/git_index.h"

enum {
	HEADER = 12,
	MODE_AT = 24,
	HASH_AT = 40,
	EXTENSION_HEADER = 8,
	FLAG_EXTENDED = 0x4000,
	LENGTH_MASK = 0xfff, /* length of the path, or the largest value for a longer one */
	MODE_LINK = 0160000,
	KIND_OF_MODE = 0170000,
};

/* The position of the reader. */
struct reading {
	struct sv index;
	size_t at, hash;
	uint32_t version;
	struct str path;    /* of the last entry, in version 4 */
	git_index_fn *each; /* NULL: only check the bytes */
	void *arg;
};

static uint32_t git_index_number_at(struct sv index, size_t at, size_t bytes)
{
	uint32_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n = n << 8 | (unsigned char)index.ptr[at + i];
	return n;
}

static bool is_mode(uint32_t mode)
{
	uint32_t kind = mode & KIND_OF_MODE;

	return kind == 0100000 || kind == 0120000 || kind == MODE_LINK || mode == 040000;
}

/* Reads how many bytes to remove from the end of the last path. */
static bool git_index_read_shared(struct reading *r, size_t *out)
{
	size_t n = 0;
	unsigned char c = 0;

	for (bool first = true; first || c & 128; first = false) {
		if (r->at == r->index.len || n > UINT32_MAX)
			return false;
		c = (unsigned char)r->index.ptr[r->at++];
		n = (first ? 0 : (n + 1) << 7) + (c & 127);
	}
	*out = n;
	return n <= r->path.len;
}

/* Reads a path. In version 4 it is stored as a difference to the one before. */
static bool git_index_read_packed_path(struct reading *r)
{
	struct sv rest;
	size_t end, drop;

	if (!git_index_read_shared(r, &drop))
		return false;
	rest = sv_skip(r->index, r->at);
	end = sv_find_char(rest, '\0');
	if (end == SIZE_MAX)
		return false;
	str_truncate(&r->path, r->path.len - drop);
	str_add(&r->path, sv_slice(rest, 0, end));
	r->at += end + 1;
	return true;
}

/* Indexes have hundreds of thousands of entries: no path is copied here. */
static bool git_index_read_plain_path(struct reading *r, size_t from, size_t len, struct sv *path)
{
	struct sv rest = sv_skip(r->index, r->at);

	if (len == LENGTH_MASK)
		len = sv_find_char(rest, '\0');
	if (len > rest.len)
		return false;
	*path = sv_slice(rest, 0, len);
	r->at = from + ((r->at + len - from + 8) & ~(size_t)7);
	return true;
}

/* Moves past one entry. Returns false if it is invalid. */
static bool git_index_read_entry(struct reading *r, bool *found)
{
	size_t from = r->at, fixed = HASH_AT + r->hash + 2;
	uint32_t mode, flags;
	struct sv path = SV_EMPTY;

	if (r->index.len - from < fixed + 2)
		return false;
	mode = git_index_number_at(r->index, from + MODE_AT, 4);
	flags = git_index_number_at(r->index, from + fixed - 2, 2);
	r->at += fixed + (r->version > 2 && flags & FLAG_EXTENDED ? 2 : 0);
	if (!is_mode(mode) ||
	    !(r->version == 4 ? git_index_read_packed_path(r)
			      : git_index_read_plain_path(r, from, flags & LENGTH_MASK, &path)))
		return false;
	if (r->version == 4)
		path = sv_of(&r->path);
	if (r->each && path.len)
		*found = r->each(r->arg, path, (mode & KIND_OF_MODE) == MODE_LINK);
	return path.len > 0 && r->at <= r->index.len;
}

/* Reads the extensions after the entries, up to the hash. Returns false if they are malformed,
 * or if some entries are in another file ("link"). */
static bool git_index_read_extensions(struct reading *r)
{
	size_t end = r->index.len - r->hash;

	while (r->at < end) {
		struct sv rest = sv_slice(r->index, r->at, end);

		if (rest.len < EXTENSION_HEADER || sv_starts(rest, SV("link")))
			return false;
		r->at += EXTENSION_HEADER + (size_t)git_index_number_at(rest, 4, 4);
	}
	return r->at == end;
}

/* Reads an index with hashes of this size. Returns false if it is not one. */
static bool git_index_read_all(struct reading *r, bool *found)
{
	uint32_t n = git_index_number_at(r->index, 8, 4);

	r->version = git_index_number_at(r->index, 4, 4);
	r->at = HEADER;
	if (r->version < 2 || r->version > 4)
		return false;
	for (uint32_t i = 0; i < n && !*found; i++)
		if (!git_index_read_entry(r, found))
			return false;
	return *found || (r->index.len - r->at >= r->hash && git_index_read_extensions(r));
}

/* Bytes that make sense with hashes of both sizes count with both: the repository says which one git
 * uses. */
bool git_index_any(struct sv index, git_index_fn *each, void *arg)
{
	static const size_t hashes[] = { 20, 32 };
	bool is_read = false, found = false;

	if (index.len < HEADER || !sv_starts(index, SV("DIRC")))
		return true;
	for (size_t i = 0; i < countof(hashes) && !found; i++) {
		struct reading r = { .index = index, .hash = hashes[i], .path = STR_INIT };

		if (git_index_read_all(&r, &found)) {
			is_read = true;
			str_truncate(&r.path, 0);
			r.each = each;
			r.arg = arg;
			(void)git_index_read_all(&r, &found);
		}
		str_clear(&r.path);
	}
	return found || !is_read;
}

#include "extend/git_index.h"

enum {
	HEADER = 12,
	MODE_AT = 24,
	HASH_AT = 40,
	FLAG_EXTENDED = 0x4000,
	MODE_LINK = 0160000,
	KIND_OF_MODE = 0170000,
};

/* Where reading has come to. */
struct reading {
	struct sv index;
	size_t at, hash;
	uint32_t version;
	struct str path; /* of the last entry */
	bool (*each)(void *arg, struct sv path);
	void *arg;
};

static uint32_t number_at(struct sv index, size_t at, size_t bytes)
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

/* How many bytes of the last path this one does not begin with. */
static bool read_shared(struct reading *r, size_t *out)
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

static bool read_path(struct reading *r)
{
	struct sv rest;
	size_t end, drop = r->path.len;

	if (r->version == 4 && !read_shared(r, &drop))
		return false;
	rest = sv_skip(r->index, r->at);
	end = sv_find_char(rest, '\0');
	if (end == SIZE_MAX)
		return false;
	str_truncate(&r->path, r->path.len - drop);
	str_add(&r->path, sv_slice(rest, 0, end));
	r->at += end + 1;
	return r->path.len > 0;
}

/* Past one entry. False: it is none. */
static bool read_entry(struct reading *r, bool *found)
{
	size_t from = r->at, fixed = HASH_AT + r->hash + 2;
	uint32_t mode;

	if (r->index.len - from < fixed + 2)
		return false;
	mode = number_at(r->index, from + MODE_AT, 4);
	r->at += fixed;
	if (r->version > 2 && number_at(r->index, from + fixed - 2, 2) & FLAG_EXTENDED)
		r->at += 2;
	if (!is_mode(mode) || !read_path(r))
		return false;
	if (r->version < 4)
		r->at = from + ((r->at - 1 - from + 8) & ~(size_t)7);
	if ((mode & KIND_OF_MODE) == MODE_LINK)
		*found = r->each(r->arg, sv_of(&r->path));
	return r->at <= r->index.len;
}

/* False: it is no index with such hashes. */
static bool read_all(struct reading *r, bool *found)
{
	uint32_t n = number_at(r->index, 8, 4);

	r->version = number_at(r->index, 4, 4);
	r->at = HEADER;
	if (r->version < 2 || r->version > 4)
		return false;
	for (uint32_t i = 0; i < n && !*found; i++)
		if (!read_entry(r, found))
			return false;
	/* The rest is in another file. */
	return *found || !sv_starts(sv_skip(r->index, r->at), SV("link"));
}

bool git_index_any(struct sv index, bool (*each)(void *arg, struct sv path), void *arg)
{
	static const size_t hashes[] = { 20, 32 };
	bool is_read = false, found = false;

	if (index.len < HEADER || !sv_starts(index, SV("DIRC")))
		return true;
	for (size_t i = 0; i < countof(hashes) && !is_read; i++) {
		struct reading r = { .index = index,
				     .hash = hashes[i],
				     .path = STR_INIT,
				     .each = each,
				     .arg = arg };

		is_read = read_all(&r, &found);
		str_clear(&r.path);
	}
	return found || !is_read;
}

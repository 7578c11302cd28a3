/* Contents. Those of small files share a pack (undo_pack.c). Each other one is in a file that is named
 * after its SHA-256, which is written to a temporary name and renamed, so one that exists is complete.
 * That a content still is what it was is checked when it is read. */
#include "base/limits.h"
#include "store/transcript/transcript_path.h"
#include "store/undo/undo_internal.h"
#include "text/hex.h"

static void undo_object_path(struct str *out, const struct undo *h, const struct digest *digest)
{
	size_t start;

	str_addf(out, "%s/objects/", h->dir);
	start = out->len;
	hex_encode(out, digest_sv(digest));
	str_splice(out, start + 2, start + 2, SV("/"));
}

/* The directory is missing before the first content that begins with these digits. */
static bool undo_object_write_file(const char *path, struct sv bytes, struct err *err)
{
	struct fs_write how = { .mode = 0600 };
	struct err first = ERR_INIT;

	if (fs_write(path, bytes, how, &first))
		return true;
	if (first.kind == ERR_NOT_FOUND)
		return path_make_parents(path, err) && fs_write(path, bytes, how, err);
	*err = first;
	return false;
}

/* Fails only if there is no room; what else goes wrong is a failure of the history. */
static bool undo_object_write(struct undo *h, struct undo_state *state, struct sv bytes,
			      struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	bool is_small = bytes.len <= LIMIT_UNDO_SMALL, ok;

	undo_object_path(&path, h, &state->digest);
	if (is_small ? undo_pack_find(h, state) : fs_exists(path.ptr))
		return true;
	if (h->stored + (int64_t)bytes.len > h->limits.session_bytes)
		return err_set(err, ERR_TOO_BIG, "the history of this session is full (%lld MB)",
			       (long long)(h->limits.session_bytes / 1000000));
	ok = is_small ? undo_pack_add(h, bytes, state, &h->failure)
		      : undo_object_write_file(path.ptr, bytes, &h->failure);
	h->stored += ok ? (int64_t)bytes.len : 0;
	return true;
}

/* The clock of a file system advances in ticks: a file that changed within the last one may change
 * again without a new time. */
static bool undo_object_is_fresh(const struct fs_info *info, int64_t wall_ms)
{
	enum { TICK_MS = 40 };

	return info->ctime_ns / 1000000 >= wall_ms - TICK_MS;
}

static void undo_object_refuse(struct undo *h, struct undo_state *out, const char *why)
{
	out->kind = UNDO_UNKEPT;
	free(out->text);
	out->text = xstrdup(why);
	h->toll.unkept++;
}

void undo_object_keep(struct undo *h, const char *path, const struct fs_info *info, int64_t wall_ms,
		      struct undo_state *out)
{
	defer(str_clear) struct str bytes = STR_INIT;
	struct err err = ERR_INIT;

	*out = (struct undo_state){ .kind = UNDO_FILE,
				    .mode = info->mode,
				    .size = info->size,
				    .mtime_ns = info->mtime_ns,
				    .ctime_ns = info->ctime_ns,
				    .inode = info->inode };
	if (undo_object_is_fresh(info, wall_ms))
		out->ctime_ns = 0;
	if (info->size > h->limits.file_bytes) {
		undo_object_refuse(h, out, "the file is too big");
		return;
	}
	if (!fs_read(&bytes, path, (size_t)h->limits.file_bytes, &err)) {
		undo_object_refuse(h, out,
				   err.kind == ERR_TOO_BIG  ? "the file is too big"
				   : err.kind == ERR_ACCESS ? "the file cannot be read"
							    : err.text);
		return;
	}
	out->digest = sha256(sv_of(&bytes));
	out->size = (int64_t)bytes.len;
	if (!undo_object_write(h, out, sv_of(&bytes), &err))
		undo_object_refuse(h, out, err.text);
}

bool undo_object_exists(struct undo *h, const struct undo_state *state)
{
	defer(str_clear) struct str path = STR_INIT;

	if (state->text)
		return undo_pack_has(h, state);
	undo_object_path(&path, h, &state->digest);
	return fs_exists(path.ptr);
}

bool undo_object_read(struct str *out, const struct undo *h, const struct undo_state *state,
		      struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	size_t start = out->len;
	struct digest digest;

	undo_object_path(&path, h, &state->digest);
	if (state->text) {
		if (!undo_pack_read(out, h, state, err))
			return false;
	} else if (!fs_read(out, path.ptr, LIMIT_UNDO_FILE, err)) {
		return err_context(err, "the saved content is missing");
	}
	digest = sha256(sv_skip(sv_of(out), start));
	if (memcmp(&digest, &state->digest, sizeof(digest)) == 0)
		return true;
	str_truncate(out, start);
	return err_set(err, ERR_PARSE, "the saved content is damaged");
}

/* Small contents, one after the other in a file of the session. Creating a file costs far more than
 * writing a few kilobytes, and the first command in a project has to wait until all files are saved.
 *
 * A pack is nothing but bytes: the journal says where each content begins and which digest it has. A
 * batch of the journal is written after its contents, so whatever a crash leaves at the end of a pack
 * belongs to nobody. */
#include "base/limits.h"
#include "store/transcript/transcript_path.h"
#include "store/undo/undo_internal.h"

struct undo_place {
	int64_t at;
	char *pack;
};

static void undo_pack_path(struct str *out, const struct undo *h, const char *pack)
{
	str_addf(out, "%s/%s.pack", h->dir, pack);
}

void undo_pack_know(struct undo *h, const struct undo_state *state)
{
	struct undo_place *place;

	if (state->kind != UNDO_FILE || !state->text ||
	    map_get(&h->places, digest_sv(&state->digest)))
		return;
	place = xnew(struct undo_place);
	place->at = state->at;
	place->pack = xstrdup(state->text);
	map_put(&h->places, digest_sv(&state->digest), place);
}

bool undo_pack_find(const struct undo *h, struct undo_state *state)
{
	const struct undo_place *place = map_get(&h->places, digest_sv(&state->digest));

	if (!place)
		return false;
	state->at = place->at;
	state->text = xstrdup(place->pack);
	return true;
}

static bool undo_pack_open(struct undo *h, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;

	if (h->pack)
		return true;
	undo_pack_path(&path, h, h->session_id);
	if (!path_make_parents(path.ptr, err))
		return false;
	h->pack = fs_log_open(path.ptr, 0600, err);
	if (!h->pack || !fs_info(&info, path.ptr, false, err))
		return false;
	h->pack_end = info.size;
	return true;
}

bool undo_pack_flush(struct undo *h, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;

	if (!h->packing.len)
		return true;
	undo_pack_path(&path, h, h->session_id);
	if (!fs_log_add(h->pack, sv_of(&h->packing), err) || !fs_info(&info, path.ptr, false, err))
		return false;
	h->pack_end += (int64_t)h->packing.len;
	str_truncate(&h->packing, 0);
	return info.size == h->pack_end ||
	       err_set(err, ERR_STALE, "another process writes to the same session");
}

bool undo_pack_add(struct undo *h, struct sv bytes, struct undo_state *state, struct err *err)
{
	if (!undo_pack_open(h, err))
		return false;
	state->at = h->pack_end + (int64_t)h->packing.len;
	state->text = xstrdup(h->session_id);
	str_add(&h->packing, bytes);
	undo_pack_know(h, state);
	return h->packing.len < LIMIT_UNDO_PACKING || undo_pack_flush(h, err);
}

void undo_pack_forget(struct undo *h)
{
	struct sv digest;
	void *value;

	for (size_t i = 0; map_next(&h->places, &i, &digest, &value);) {
		struct undo_place *place = value;

		free(place->pack);
		free(place);
	}
	map_clear(&h->places);
	fs_log_close(h->pack);
	h->pack = NULL;
	str_clear(&h->packing);
}

/* Most states of a journal are in the same pack, so its size is looked up once. */
bool undo_pack_has(struct undo *h, const struct undo_state *state)
{
	if (!h->looked_up || strcmp(h->looked_up, state->text) != 0) {
		defer(str_clear) struct str path = STR_INIT;
		struct fs_info info;
		struct err ignored = ERR_INIT;

		free(h->looked_up);
		h->looked_up = xstrdup(state->text);
		undo_pack_path(&path, h, state->text);
		h->looked_up_size = fs_info(&info, path.ptr, false, &ignored) ? info.size : -1;
	}
	return h->looked_up_size >= 0 && state->at <= h->looked_up_size - state->size;
}

bool undo_pack_read(struct str *out, const struct undo *h, const struct undo_state *state,
		    struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(fs_closep) struct fs_file *file = NULL;
	int64_t size = 0;

	undo_pack_path(&path, h, state->text);
	file = fs_open(path.ptr, &size, err);
	if (!file)
		return err_context(err, "the saved content is missing");
	if (state->size > size || state->at > size - state->size)
		return err_set(err, ERR_PARSE, "the saved content is damaged");
	str_reserve(out, (size_t)state->size + 1);
	if (!state->size)
		return true;
	if (!fs_read_at(file, state->at, out->ptr + out->len, (size_t)state->size, err))
		return false;
	out->len += (size_t)state->size;
	out->ptr[out->len] = 0;
	return true;
}

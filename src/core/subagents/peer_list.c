#include "core/subagents/peer_list.h"

#include "base/limits.h"
#include "sys/fs.h"
#include "sys/local_socket.h"

struct peer_list {
	const char *dir;
	struct sv own;
	int64_t now_ms;
	size_t seen, nsilent;
	peer_list_fn *each;
	void *arg;
};

bool peer_list_is_id(struct sv id)
{
	for (size_t i = 0; i < id.len; i++)
		if (!strchr("0123456789abcdef", id.ptr[i]) || !id.ptr[i])
			return false;
	return id.len == PEER_LIST_ID;
}

void peer_list_dir(struct str *out, const char *config_dir)
{
	fs_join(out, sv_cstr(config_dir), SV("awl/peers"));
}

/* Removes the socket of a session that was killed. One that is very new may be about to listen. */
static void peer_list_remove_stale(const struct peer_list *l, const char *path)
{
	enum { NEW_MS = 10000 };
	struct fs_info info;
	struct err ignored;

	if (fs_info(&info, path, false, &ignored) && info.mtime_ns / 1000000 < l->now_ms - NEW_MS)
		(void)!fs_remove(path, &ignored);
}

static void peer_list_ask(struct peer_list *l, struct sv id, const char *path)
{
	const struct peer_message describe = { .kind = PEER_DESCRIBE };
	defer(str_clear) struct str ask = STR_INIT, line = STR_INIT, from = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct peer_message info;
	struct err err = ERR_INIT;

	peer_message_write(&ask, &describe);
	if (!local_socket_ask(&line, path, sv_of(&ask), LIMIT_LOCAL_LINE, LIMIT_PEER_LIST_MS,
			      &err)) {
		if (err.kind == ERR_REFUSED)
			peer_list_remove_stale(l, path);
		if (err.kind != ERR_TIMEOUT)
			return;
		l->nsilent++;
		info = (struct peer_message){ .kind = PEER_INFO, .state = SV("does not answer") };
	} else if (!peer_message_read(&info, sv_of(&line), &arena, &err) ||
		   info.kind != PEER_INFO) {
		return;
	}
	str_addf(&from, "uds:%.*s", SV_ARG(id));
	info.from = sv_of(&from);
	l->each(l->arg, &info);
}

static enum fs_visit peer_list_visit(void *arg, const struct fs_entry *entry)
{
	struct peer_list *l = arg;
	struct sv id = sv_slice(entry->name, 0, min_of(entry->name.len, (size_t)PEER_LIST_ID));
	defer(str_clear) struct str path = STR_INIT;

	if (!sv_is(sv_skip(entry->name, id.len), ".sock") || !peer_list_is_id(id) ||
	    sv_eq(id, l->own))
		return FS_SKIP;
	fs_join(&path, sv_cstr(l->dir), entry->name);
	peer_list_ask(l, id, str_c(&path));
	return ++l->seen < LIMIT_PEER_SESSIONS && l->nsilent < LIMIT_PEER_SILENT ? FS_SKIP
										 : FS_STOP;
}

void peer_list(const char *dir, struct sv own, int64_t now_ms, peer_list_fn *each, void *arg)
{
	struct peer_list l = { dir, own, now_ms, 0, 0, each, arg };
	struct err err = ERR_INIT;

	(void)!fs_walk(dir, peer_list_visit, &l, &err);
}

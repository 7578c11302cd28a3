#include "proto/peer.h"

static const char peer_kind_names[PEER_KINDS][9] = { "describe", "message", "info", "ok", "error" };

static void peer_put(struct jw *w, const char *key, struct sv text)
{
	if (text.len)
		jw_put_str(w, key, text);
}

void peer_message_write(struct str *out, const struct peer_message *message)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", sv_cstr(peer_kind_names[message->kind]));
	peer_put(&w, "from", message->from);
	peer_put(&w, "name", message->name);
	peer_put(&w, "cwd", message->cwd);
	peer_put(&w, "state", message->state);
	peer_put(&w, "text", message->text);
	peer_put(&w, "sessionId", message->session);
	if (message->is_interactive)
		jw_put_str(&w, "kind", SV("interactive"));
	if (message->pid)
		jw_put_int(&w, "pid", message->pid);
	if (message->started_ms)
		jw_put_int(&w, "startedAt", message->started_ms);
	jw_end(&w);
	jw_done(&w);
}

void peer_info_write_public(struct jw *w, const struct peer_message *info)
{
	bool is_busy = sv_is(info->state, "working"), waits = sv_is(info->state, "needs input");

	jw_object(w);
	jw_put_str(w, "kind", SV("interactive"));
	jw_put_str(w, "sessionId", info->session);
	peer_put(w, "name", info->name);
	jw_put_str(w, "cwd", info->cwd);
	jw_put_int(w, "startedAt", info->started_ms);
	jw_put_int(w, "pid", info->pid);
	jw_put_str(w, "status", is_busy ? SV("busy") : waits ? SV("waiting") : SV("idle"));
	jw_end(w);
}

static struct sv peer_take(struct json object, const char *key, struct arena *arena)
{
	return arena_dup(arena, json_str_or(json_get(object, key), SV_EMPTY));
}

bool peer_message_read(struct peer_message *out, struct sv line, struct arena *arena,
		       struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(line, 0, err);
	struct json root = json_root(doc);
	struct sv type;
	int kind = 0;

	if (!doc || !json_need_str(root, "type", &type, err))
		return false;
	while (kind < PEER_KINDS && !sv_is(type, peer_kind_names[kind]))
		kind++;
	if (kind == PEER_KINDS)
		return err_set(err, ERR_UNSUPPORTED, "the type is unknown");
	*out = (struct peer_message){ .kind = (enum peer_kind)kind,
				      .from = peer_take(root, "from", arena),
				      .name = peer_take(root, "name", arena),
				      .cwd = peer_take(root, "cwd", arena),
				      .state = peer_take(root, "state", arena),
				      .text = peer_take(root, "text", arena),
				      .session = peer_take(root, "sessionId", arena),
				      .is_interactive =
					      sv_is(json_str_or(json_get(root, "kind"), SV_EMPTY),
						    "interactive"),
				      .pid = json_int_or(json_get(root, "pid"), 0),
				      .started_ms = json_int_or(json_get(root, "startedAt"), 0) };
	return true;
}

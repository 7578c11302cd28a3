/* peer_list.h - asks the sessions that listen in ~/.claude/awl/peers (session_peers.h) who they are. */
#ifndef AWL_CORE_SUBAGENTS_PEER_LIST_H
#define AWL_CORE_SUBAGENTS_PEER_LIST_H

#include "proto/peer.h"

enum { PEER_LIST_ID = 8 }; /* bytes of the id of a listening session, the name of its socket */
bool peer_list_is_id(struct sv id);
/* Appends the directory of the sockets. */
void peer_list_dir(struct str *out, const char *config_dir);

/* `info->from` is the address. One that does not answer in time has only a state. */
typedef void peer_list_fn(void *arg, const struct peer_message *info);
/* Asks each but the one with the id `own`, which may be empty. Waits for each in turn, up to a limit. Removes the sockets
 * of sessions that were killed. */
void peer_list(const char *dir, struct sv own, int64_t now_ms, peer_list_fn *each, void *arg);

#endif

/* session_peers.h - other awl sessions of the user on this machine.
 *
 * A session with a terminal listens at a socket in ~/.claude/awl/peers, which only the user may enter, from its first turn
 * until it closes: others can ask who it is and send its model a message. It takes no other requests. Messages are
 * marked as text of another session, which can neither answer questions nor give permissions. Scripts do not listen
 * unless AWL_PEERS is set; they can send. Listing asks each socket, so dead sessions are noticed. */
#ifndef AWL_CORE_SUBAGENTS_SESSION_PEERS_H
#define AWL_CORE_SUBAGENTS_SESSION_PEERS_H

#include "core/session/session_internal.h"

/* Starts to listen if this session should and does not yet. A failure is only logged. */
void session_peers_open(struct session *s);
void session_peers_close(struct session *s);

/* Whether a receiver of messages is another session: "uds:" and its address. */
bool session_peers_names(struct sv to);
must_use bool session_peers_check(struct sv to, struct err *err);
/* Sends a text; the result of the call says how it went. */
struct op *session_peers_send(struct session *s, struct tool_call *call, struct sv to,
			      struct sv text, struct then then);
/* Appends those that there are to the result of the call, a line each, if they contain `q`. NULL: there are none, and
 * `then` is not called. */
struct op *session_peers_list(struct session *s, struct tool_call *call, struct sv q,
			      struct then then);

#endif

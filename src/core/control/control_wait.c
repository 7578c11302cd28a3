/* Control requests whose reply takes time. Each is an op that the session owns; other requests are
 * answered meanwhile. A host that withdraws its request gets no reply. */
#include "base/log.h"
#include "core/control/control.h"
#include "core/session/session_internal.h"

void control_wait_init(struct control_wait *wait, struct session *s, struct sv request_id,
		       const struct control_wait_type *type)
{
	*wait = (struct control_wait){ .session = s, .type = type, .next = s->control_waits };
	str_add(&wait->id, request_id);
	s->control_waits = wait;
}

void control_wait_drop(struct control_wait *wait)
{
	struct control_wait **at = &wait->session->control_waits;

	while (*at != wait)
		at = &(*at)->next;
	*at = wait->next;
	str_clear(&wait->id);
	wait->type->free(wait);
}

void control_wait_on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct control_wait *wait = owner;
	struct session *s = wait->session;

	if (wait->is_withdrawn)
		log_debug("the reply to %s is not wanted", str_c(&wait->id));
	else if (why)
		control_refuse(s, sv_of(&wait->id), NULL, sv_cstr(why->text));
	else
		wait->type->reply(wait);
	control_wait_drop(wait);
	session_settle(s);
}

void control_withdraw(struct session *s, struct sv request_id)
{
	for (struct control_wait *wait = s->control_waits; wait; wait = wait->next) {
		if (!sv_eq(sv_of(&wait->id), request_id))
			continue;
		wait->is_withdrawn = true;
		op_cancel(wait->op);
	}
}

void control_cancel_all(struct session *s)
{
	for (struct control_wait *wait = s->control_waits; wait; wait = wait->next)
		op_cancel(wait->op);
}

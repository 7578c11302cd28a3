/* Hooks that come with a skill or with the definition of an agent. Those of a project count only when the user
 * trusts the project, as all hooks do. */
#include "core/hooks/session_hooks.h"

bool hooks_guest_add(struct session *s, const struct hook_guest *guest, bool is_trusted,
		     struct err *err)
{
	defer(str_clear) struct str notes = STR_INIT;
	bool fine = true;

	if (!guest->json.len)
		return true;
	if (!is_trusted)
		str_addf(&notes,
			 "%.*s came with the project, which you have not trusted: its hooks are "
			 "ignored.",
			 SV_ARG(guest->file));
	else
		fine = hooks_add_guest(s->handlers->engine, s->settings, guest, &notes, err);
	session_add_notice(s, sv_of(&notes));
	return fine;
}

void hooks_guest_remove(struct session *s, enum hook_source source, struct sv owner)
{
	hooks_remove_guests(s->handlers->engine, source, owner);
}

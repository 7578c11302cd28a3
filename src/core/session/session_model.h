/* session_model.h - which model a session uses, and which it may use. */
#ifndef AWL_CORE_SESSION_SESSION_MODEL_H
#define AWL_CORE_SESSION_SESSION_MODEL_H

#include "core/session/session.h"

/* Which model a session starts with, and how it answers. */
struct session_model {
	struct agent_model_spec spec;
	struct str id, fallbacks; /* what the spec borrows */
};
#define SESSION_MODEL_INIT                                    \
	{                                                     \
		.spec = { .id = SV_INIT("") }, .id = STR_INIT \
	}
must_use bool session_choose_first_model(struct session *s,
					 const struct awl_session_options *options,
					 struct session_model *out, struct err *err);
void session_model_clear(struct session_model *model);
must_use bool session_read_rules(const struct session *s, const struct settings *settings,
				 struct model_rules *out, struct err *err);
/* Whether the settings allow a request to this provider and model now. */
must_use bool session_check_model(const struct session *s, struct err *err);
/* Whether the model is still to be found at the server, and what to do when it has been. */
bool session_lacks_model(const struct session *s);
must_use bool session_take_model(struct session *s, struct sv id, struct err *err);
/* The rules have changed: replaces a model that they no longer allow. */
void session_follow_rules(struct session *s);

#endif

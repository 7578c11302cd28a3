/* session_styles.h - the output styles of a session. */
#ifndef AWL_CORE_EXTEND_SESSION_STYLES_H
#define AWL_CORE_EXTEND_SESSION_STYLES_H

#include "core/session/session.h"
#include "extend/style_list.h"

/* The output styles. */
struct session_styles {
	struct style_list list; /* as of the last look; empty: nobody has looked */
	struct str chosen;      /* by the user in this session; empty: the setting applies */
	struct str name;        /* of the one in use; empty: the default */
};

/* The style in use, which is looked up; NULL: the default. Valid until the next call. */
const struct style *session_style(struct session *s);
/* Its name: "default". */
struct sv session_style_name(const struct session *s);
/* The setting or a file has changed: the next request has the style that applies now. */
void session_styles_follow(struct session *s);
/* The style of this name, in any case, as its file is now; NULL: there is none, which is appended to
 * `why`. Valid until the next call. */
const struct style *session_styles_find(struct session *s, struct sv name, struct str *why);
/* Stores the choice in the local settings of the project. */
must_use bool session_styles_save(struct session *s, struct sv name, struct err *err);
/* All styles as their files are now. */
const struct style_list *session_styles_read(struct session *s);
struct reply_styles session_styles_reply(struct session *s, struct arena *arena);
void session_styles_clear(struct session_styles *styles);

#endif

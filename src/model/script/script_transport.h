/* script_transport.h - private to src/model: a script in the place of the
 * network. What the built-in offline session runs on. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_TRANSPORT_H
#define AWL_MODEL_SCRIPT_SCRIPT_TRANSPORT_H

#include "model/script/script.h"
#include "model/transport.h"

/* Takes `script`. Requests may come from many conversations at a time; all draw
 * from the same replies. */
struct transport *transport_script(struct loop *loop, struct script *script);

#endif

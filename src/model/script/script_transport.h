/* script_transport.h - private to src/model: a script instead of the network, for the built-in demo. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_TRANSPORT_H
#define AWL_MODEL_SCRIPT_SCRIPT_TRANSPORT_H

#include "model/script/script.h"
#include "model/transport.h"

/* Takes `script`. Requests of several conversations share its replies. */
struct transport *transport_script(struct loop *loop, struct script *script);

#endif

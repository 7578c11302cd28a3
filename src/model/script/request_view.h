/* request_view.h - private to src/model: shows an outgoing request as its server would see it, for the
 * transports that do not use the network. */
#ifndef AWL_MODEL_SCRIPT_REQUEST_VIEW_H
#define AWL_MODEL_SCRIPT_REQUEST_VIEW_H

#include "net/http.h"
#include "net/server.h"

/* The body is joined into `body` (empty before), which `out` borrows from, as it
 * does from `request`. */
void request_view(struct server_request *out, struct str *body, const struct http_request *request);

#endif

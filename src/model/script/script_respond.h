/* script_respond.h - private to src/model: the response of a scripted model to an HTTP request. It
 * serves the paths that end in
 *
 *   /messages, /chat/completions, /responses   the script's replies
 *   /messages/count_tokens                     an estimate: a token is 4 bytes
 *   /models                                    the models that the script names
 *
 * and, like Vertex, those that end in :rawPredict and :streamRawPredict. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_RESPOND_H
#define AWL_MODEL_SCRIPT_SCRIPT_RESPOND_H

#include "model/script/play.h"
#include "model/script/script.h"
#include "net/server.h"

/* Fills `out` (empty before) with a response to any request. If the script does not expect the request
 * or has no reply left, the response is an error (400), and `complaint` gets the same text for the
 * person who runs the script. */
void script_respond(struct script *script, const struct server_request *http, struct play *out,
		    struct str *complaint);

#endif

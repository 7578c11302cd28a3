/* script_request.h - private to src/model: a request to a scripted model, of
 * whichever wire, in the terms that a script speaks of it. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_REQUEST_H
#define AWL_MODEL_SCRIPT_SCRIPT_REQUEST_H

#include "base/vec.h"
#include "net/server.h"
#include "text/json/json.h"

enum script_wire { SCRIPT_ANTHROPIC, SCRIPT_CHAT, SCRIPT_RESPONSES };

struct script_names {
	VEC(struct sv) of;
};

/* Borrows `http`; views into the document. "The tail" is what stands after the
 * last thing that the model said. */
struct script_request {
	const struct server_request *http;
	enum script_wire wire;
	struct json_doc *doc;
	bool stream, wants_usage;
	struct sv model;
	struct str system, prompt;  /* texts, joined by line breaks */
	struct str results, errors; /* of the tool results in the tail */
	struct script_names tools, result_of;
};

/* Fails (ERR_PARSE, ERR_INVALID) when the body is no request of that wire; there
 * is nothing to clear then. */
must_use bool script_request_read(struct script_request *out, enum script_wire wire,
				  const struct server_request *http, struct err *err);
void script_request_clear(struct script_request *r);

#endif

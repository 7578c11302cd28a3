/* script_request.h - private to src/model: a request to a scripted model on any wire, in the terms of a
 * script. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_REQUEST_H
#define AWL_MODEL_SCRIPT_SCRIPT_REQUEST_H

#include "base/vec.h"
#include "net/server.h"
#include "text/json/json.h"

enum script_wire { SCRIPT_ANTHROPIC, SCRIPT_CHAT, SCRIPT_RESPONSES };

struct script_names {
	VEC(struct sv) of;
};

/* Borrows `http`; contains views into the document. "The tail" is everything after the last item of the
 * model. */
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

/* Fails (ERR_PARSE, ERR_INVALID) if the body is not a request of that wire; then there is nothing to
 * clear. */
must_use bool script_request_read(struct script_request *out, enum script_wire wire,
				  const struct server_request *http, struct err *err);
void script_request_clear(struct script_request *r);

#endif

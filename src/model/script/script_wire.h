/* script_wire.h - private to src/model: writes a reply of a script, or an error, as the bytes of a wire.
 * Pure and deterministic: ids count up, and no clock is used. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_WIRE_H
#define AWL_MODEL_SCRIPT_SCRIPT_WIRE_H

#include "model/script/play.h"
#include "model/script/script.h"
#include "model/script/script_request.h"
#include "text/json/json_write.h"

/* Renders the response to the request with this number, including faults. `out` is empty before. */
void script_render(struct play *out, const struct script_reply *reply,
		   const struct script_request *request, int64_t number);

/* Renders an error in the format of the wire. */
void script_refuse(struct play *out, enum script_wire wire, int status, struct sv type,
		   struct sv text, int64_t number);

/* --- for the wires, each of which is a const table in a file of its own ----- */

struct render {
	struct play *play;
	const struct script_reply *reply;
	const struct script_request *request;
	const struct script_wire_type *type;
	int64_t number;
	struct script_usage usage;
	struct sv stop; /* as the Anthropic wire names it */
	bool headed, begun, paced;
	size_t blocks, tools; /* rendered so far */
	int64_t events;       /* of the Responses wire: each has a number */
};

struct script_wire_type {
	const char *id_header;
	void (*begin)(struct render *r);
	/* Text, thinking, a tool call or a block of the wire's own. */
	void (*content)(struct render *r, const struct script_step *step);
	void (*error)(struct render *r, const struct script_step *step);
	void (*end)(struct render *r);
	/* Appends a whole response or error. */
	void (*whole)(struct render *r, struct str *out);
	void (*refusal)(struct str *out, int status, struct sv type, struct sv text);
};

extern const struct script_wire_type script_anthropic;
extern const struct script_wire_type script_chat;
extern const struct script_wire_type script_responses;

/* Makes an event of the bytes that were appended so far. */
void render_event(struct render *r);
struct sv render_model(const struct render *r);

/* Splits a text into the parts it streams in: about two dozen bytes each, or one part per repetition. */
struct script_pieces {
	const struct script_step *step;
	size_t at;
};
bool script_piece(struct script_pieces *pieces, struct sv *out);
/* Appends the whole text. */
void script_step_text(struct str *out, const struct script_step *step);
/* Text that is not JSON becomes a string. */
void script_put_json(struct jw *w, struct sv text);

#endif

/* script_wire.h - private to src/model: a reply of a script, or a refusal, as the
 * bytes of a wire. Pure and deterministic: ids count up, no clock is asked. */
#ifndef AWL_MODEL_SCRIPT_SCRIPT_WIRE_H
#define AWL_MODEL_SCRIPT_SCRIPT_WIRE_H

#include "model/script/play.h"
#include "model/script/script.h"
#include "model/script/script_request.h"
#include "text/json/json_write.h"

/* The answer to the request with this number, faults included. `out` is empty
 * before. */
void script_render(struct play *out, const struct script_reply *reply,
		   const struct script_request *request, int64_t number);

/* An error in the words of the wire. */
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
	struct sv stop; /* in the words of the Anthropic wire */
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
	/* Appends a whole answer; an error in its own words. */
	void (*whole)(struct render *r, struct str *out);
	void (*refusal)(struct str *out, int status, struct sv type, struct sv text);
};

extern const struct script_wire_type script_anthropic;
extern const struct script_wire_type script_chat;
extern const struct script_wire_type script_responses;

/* What the bytes appended so far make: one event. */
void render_event(struct render *r);
struct sv render_model(const struct render *r);

/* The parts that a text streams in: about two dozen bytes each, or as often as it
 * is said. */
struct script_pieces {
	const struct script_step *step;
	size_t at;
};
bool script_piece(struct script_pieces *pieces, struct sv *out);
/* Appends the whole of it. */
void script_step_text(struct str *out, const struct script_step *step);
/* What is no JSON becomes a string. */
void script_put_json(struct jw *w, struct sv text);

#endif

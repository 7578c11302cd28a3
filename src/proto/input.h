/* input.h - what a session accepts, read from one line of stream-json input. */
#ifndef AWL_PROTO_INPUT_H
#define AWL_PROTO_INPUT_H

#include "base/err.h"
#include "proto/control.h"

enum input_kind {
	INPUT_IGNORED, /* keep_alive, and types we do not know */
	INPUT_PROMPT,
	INPUT_REQUEST,  /* a control request of the host */
	INPUT_RESPONSE, /* to a request of ours */
	INPUT_CANCEL,   /* the host withdraws a request */
};

enum input_priority {
	INPUT_NEXT,  /* joins the turn that runs, or begins the next one */
	INPUT_NOW,   /* ends the turn that runs */
	INPUT_LATER, /* waits for the end of the turn, and for all others that wait */
};

struct input_prompt {
	struct json message; /* {"role":"user","content":..} */
	struct json content; /* a string or blocks */
	struct sv uuid;      /* may be empty */
	enum input_priority priority;
	bool silent;   /* makes no request; the text waits for the next prompt */
	bool typed;    /* by a person at awl itself; never read from a line */
	bool verbatim; /* for the model as it is: a slash at its start is no command */
};

/* What it means depends on the request, which the reader does not know. Older hosts put the id
 * beside the response and the answer to a question where its envelope is now; both are read. */
struct input_response {
	struct sv request_id;
	struct json body; /* missing when the host failed */
	bool has_failed;
	struct sv error; /* why */
};

/* Borrows from the document. */
struct input {
	enum input_kind kind;
	union {
		struct input_prompt prompt;
		struct control_request request;
		struct input_response response;
		struct {
			struct sv request_id;
		} cancel;
	};
};

/* Fails (ERR_INVALID) on a line that is not an input: not an object, without a type, a user
 * message that is malformed. A response without an id answers nothing and is ignored. */
must_use bool input_read(struct input *out, struct json line, struct err *err);

struct input_image {
	struct sv media_type, data; /* base64 */
};

/* Appends the line of a prompt, perhaps with images. The session reports what becomes of it under the name `uuid`. */
void input_write_prompt(struct str *out, struct sv text, const struct input_image *images, size_t n,
			struct sv uuid);

/* Adds them to an array of content blocks. */
void input_put_images(struct jw *w, const struct input_image *images, size_t n);

/* Appends the line with which a host answers a request. */
void input_write_response(struct str *out, struct sv request_id, struct json body);

#endif

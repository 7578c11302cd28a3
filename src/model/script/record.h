/* record.h - private to src/model: a transport that passes everything on to
 * another one and writes down what travels.
 *
 * The file has a JSON object a line; those of exchanges that ran at the same time
 * stand mixed, each with the number of its exchange and the milliseconds since it
 * began:
 *
 *   {"type":"recording","version":1,"wall":1767323045000}
 *   {"type":"note","name":"surroundings","text":"..."}
 *   {"type":"request","id":1,"method":"POST","url":"...","headers":[["a","b"]],"text":"..."}
 *   {"type":"head","id":1,"ms":80,"status":200,"headers":[["a","b"]]}
 *   {"type":"body","id":1,"ms":95,"text":"event: ..."}
 *   {"type":"end","id":1,"ms":900,"error":{"kind":"reset","text":"..."}}
 *
 * Bytes are in "text", or in "base64" where they are no UTF-8. An exchange that
 * lacks its end was under way when the program died. A note is no exchange but
 * something else that the run saw, for a replay to see again. Credentials are replaced
 * (redact.h) in all that is sent and, where they stand in one piece of it, in what
 * comes back; a secret that a model spells out bit by bit is not recognised. */
#ifndef AWL_MODEL_SCRIPT_RECORD_H
#define AWL_MODEL_SCRIPT_RECORD_H

#include "model/script/redact.h"
#include "model/transport.h"
#include "net/server.h"

struct record_opts {
	const char *path;             /* appended to, or made with mode 0600 */
	const struct redact *secrets; /* borrowed for as long as the transport lives */
	/* The file cannot be written any more; the exchanges go on without it. Told
	 * once. */
	void (*on_error)(void *owner, const struct err *why);
	void *owner;
};

/* Takes `inner`, also when it fails because the file cannot be opened. */
struct transport *transport_record(struct loop *loop, struct transport *inner,
				   const struct record_opts *opts, struct err *err);

/* Writes a note into the file of such a transport. */
void record_note(struct transport *transport, const char *name, struct sv text);

/* Appends the line of a request to `url`, with its line break. */
void record_request(struct str *out, int64_t id, const struct server_request *request,
		    struct sv url, const struct redact *secrets);

#endif

/* record.h - private to src/model: a transport that passes everything on to another one and records
 * it.
 *
 * The file has one JSON object per line. Lines of exchanges that ran at the same time are interleaved;
 * each has the number of its exchange and the milliseconds since that began:
 *
 *   {"type":"recording","version":1,"wall":1767323045000}
 *   {"type":"note","name":"surroundings","text":"..."}
 *   {"type":"request","id":1,"method":"POST","url":"...","headers":[["a","b"]],"text":"..."}
 *   {"type":"head","id":1,"ms":80,"status":200,"headers":[["a","b"]]}
 *   {"type":"body","id":1,"ms":95,"text":"event: ..."}
 *   {"type":"end","id":1,"ms":900,"error":{"kind":"reset","text":"..."}}
 *
 * Bytes are in "text", or in "base64" if they are not UTF-8. An exchange without an end was in progress
 * when the program died. A note is other input of the run that a replay needs. Credentials are
 * redacted (redact.h) in everything that is sent and, if one piece contains them, in what is received;
 * a secret that a model spells out bit by bit is not recognised. */
#ifndef AWL_MODEL_SCRIPT_RECORD_H
#define AWL_MODEL_SCRIPT_RECORD_H

#include "model/script/redact.h"
#include "model/transport.h"
#include "net/server.h"

struct record_opts {
	const char *path;             /* appended to, or created with mode 0600 */
	const struct redact *secrets; /* borrowed while the transport lives */
	/* Called once if the file cannot be written; exchanges continue without it. */
	void (*on_error)(void *owner, const struct err *why);
	void *owner;
};

/* Takes `inner`, also on failure. Fails if the file cannot be opened. */
struct transport *transport_record(struct loop *loop, struct transport *inner,
				   const struct record_opts *opts, struct err *err);

/* Writes a note into the file of such a transport. */
void record_note(struct transport *transport, const char *name, struct sv text);

/* Appends the line of a request to `url`, with its line break. */
void record_request(struct str *out, int64_t id, const struct server_request *request,
		    struct sv url, const struct redact *secrets);

#endif

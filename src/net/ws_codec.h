/* ws_codec.h - private to src/net: the WebSocket protocol (RFC 6455) from the side of a client, as bytes. Pure: no
 * socket, no clock. Debian ships wslay only as a shared library, which every start of awl would have to load; what a
 * client needs of the protocol is this small.
 *
 * Strict where a proxy or a hostile server could gain something: masked frames, reserved bits, unknown opcodes,
 * control frames that are fragmented or longer than 125 bytes, a continuation of nothing, text that is not UTF-8 and
 * invalid close codes are errors. No extension is offered, so none may be used. */
#ifndef AWL_NET_WS_CODEC_H
#define AWL_NET_WS_CODEC_H

#include "base/err.h"
#include "base/vec.h"
#include "net/http.h"

enum ws_opcode {
	WS_CONTINUATION = 0,
	WS_TEXT = 1,
	WS_BINARY = 2,
	WS_CLOSE = 8,
	WS_PING = 9,
	WS_PONG = 10,
};

enum { WS_CONTROL_MOST = 125, WS_KEY_SIZE = 24, WS_MASK_SIZE = 4 };

/* The codes of a close frame that awl sends. */
enum ws_close {
	WS_CLOSE_NORMAL = 1000,
	WS_CLOSE_PROTOCOL = 1002,
	WS_CLOSE_NOT_TEXT = 1007,
	WS_CLOSE_TOO_BIG = 1009,
};

/* --- the handshake --- */

/* The base64 of 16 random bytes. */
struct ws_key {
	char text[WS_KEY_SIZE + 1];
};
struct ws_key ws_key_make(const uint8_t random[16]);

/* The head of the response to the upgrade. */
struct ws_head {
	int status;
	struct str text;
	VEC(struct http_header) fields; /* views into `text` */
};
void ws_head_clear(struct ws_head *head);
/* Reads the head at the beginning of `in` and sets `*used` to its length, 0: it is not complete. Fails on a head that
 * is not HTTP/1.1 (ERR_PROTOCOL) or longer than LIMIT_HTTP_HEAD (ERR_TOO_BIG). */
must_use bool ws_head_read(struct ws_head *head, struct sv in, size_t *used, struct err *err);
/* Whether a head with status 101 proves that the server has understood this very request. */
must_use bool ws_head_check(const struct ws_head *head, const struct ws_key *key,
			    const char *protocol, struct err *err);

/* --- frames --- */

/* Appends a complete frame, masked as those of clients must be. */
void ws_encode(struct str *out, enum ws_opcode opcode, struct sv payload,
	       const uint8_t mask[WS_MASK_SIZE]);

struct ws_decoder {
	size_t max;          /* bytes of a message */
	uint8_t head[10];    /* of the frame that is being read */
	size_t nhead, nneed; /* that have come, and that there are */
	uint64_t left;       /* of its payload */
	bool is_fragmented;  /* a message is open */
	enum ws_opcode kind; /* of the message: text or binary */
	struct str message, control;
};

/* A whole message, or a control frame. Views are valid until it returns. False stops the decoder. */
typedef bool ws_emit_fn(void *arg, enum ws_opcode opcode, struct sv payload);

void ws_decoder_init(struct ws_decoder *d, size_t max);
void ws_decoder_clear(struct ws_decoder *d);
/* Reads all of `in`, in whatever pieces it comes. Fails with ERR_PROTOCOL, ERR_PARSE (not UTF-8) or ERR_TOO_BIG; then,
 * and after `emit` has returned false, only ws_decoder_clear() is valid. */
must_use bool ws_decode(struct ws_decoder *d, struct sv in, ws_emit_fn *emit, void *arg,
			struct err *err);
/* The code that tells the server why ws_decode() failed. */
enum ws_close ws_close_of(enum err_kind kind);

#endif

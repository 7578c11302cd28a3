/* rpc.h - JSON-RPC 2.0 messages, read and written. Pure. */
#ifndef AWL_MCP_RPC_H
#define AWL_MCP_RPC_H

#include "base/err.h"
#include "text/json/json.h"

enum rpc_kind { RPC_REQUEST, RPC_NOTIFICATION, RPC_RESULT, RPC_ERROR };

enum rpc_code {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_METHOD_NOT_FOUND = -32601,
	RPC_INVALID_PARAMS = -32602,
	RPC_INTERNAL_ERROR = -32603,
	RPC_SESSION_EXPIRED = -32001,
	RPC_HEADER_MISMATCH = -32020,
	RPC_MISSING_CAPABILITY = -32021,
	RPC_UNSUPPORTED_VERSION = -32022,
	RPC_URL_ELICITATION = -32042,
};

/* Borrows everything from the document it was read from. */
struct rpc_message {
	enum rpc_kind kind;
	struct json id; /* a number or a string; of an error also null */
	int64_t number; /* the id of one of our own requests; 0: it cannot be */
	struct sv method;
	struct json params; /* may be missing */
	struct json result;
	int64_t code;
	struct sv text; /* of the error */
	struct json data;
};

/* Fails (ERR_PROTOCOL) when the value is not a message. */
must_use bool rpc_read(struct rpc_message *out, struct json value, struct err *err);

/* These append a message. `params`, `result` and `data` are JSON; empty `params` or `data` are
 * omitted. */
void rpc_write_request(struct str *out, int64_t id, struct sv method, struct sv params);
void rpc_write_notification(struct str *out, struct sv method, struct sv params);
void rpc_write_result(struct str *out, struct json id, struct sv result);
void rpc_write_error(struct str *out, struct json id, int64_t code, struct sv text, struct sv data);

/* Finds the id of our own request in a response of which only the beginning and the end are known,
 * because it is too long; 0: not found. */
int64_t rpc_guess_id(struct sv beginning, struct sv end);

#endif
